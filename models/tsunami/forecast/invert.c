// Slips from observed series (see the header). Uses arrays only: no file, no database.
#include "models/tsunami/forecast/invert_private.h"

#include "core/ascending.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Shares of the largest elevation of all sources at a station that begin and end its window.
static const double begin_share = 0.05, end_share = 0.2;

// ---- windows

static double largest(const struct invert_series *series)
{
    double found = 0;
    for (size_t k = 0; k < series->samples; k++)
        found = fabs(series->eta_m[k]) > found ? fabs(series->eta_m[k]) : found;
    return found;
}

// The first and the last moment at which a source is no less than the levels; from both ends, as far as they
// have been found already.
static void find_wave(const struct invert_series *series, double begin_m, double end_m, double *begin_s,
                      double *end_s)
{
    for (size_t k = 0; k < series->samples && series->times_s[k] < *begin_s; k++)
        if (fabs(series->eta_m[k]) >= begin_m)
            *begin_s = series->times_s[k];
    for (size_t k = series->samples; k-- > 0 && series->times_s[k] > *end_s;)
        if (fabs(series->eta_m[k]) >= end_m)
            *end_s = series->times_s[k];
}

enum status invert_window(const struct invert_request *request, const struct invert_station *station,
                          double *bound_s, double *begin_s, double *end_s)
{
    const double lag_s = request->delay_s + station->shift_s;
    const struct invert_series *record = &station->observed;
    double most_m = 0, last_s = INFINITY;
    *begin_s = INFINITY;
    *end_s = -(double)INFINITY;
    for (size_t j = 0; j < request->source_count; j++) {
        const struct invert_series *unit = &station->unit[j];
        most_m = fmax(most_m, largest(unit));
        last_s = fmin(last_s, unit->times_s[unit->samples - 1] + lag_s);
    }
    if (!(most_m > 0))
        return FAIL(STATUS_CONFIGURATION, "station %s: no source's wave reaches it by %g s", station->name,
                    last_s);
    for (size_t j = 0; j < request->source_count; j++)
        find_wave(&station->unit[j], begin_share * most_m, end_share * most_m, begin_s, end_s);
    *bound_s = fmin(request->shift.share > 0 ? request->shift.share * fmax(0, *begin_s + lag_s) : 0,
                    request->shift.time_s);
    *begin_s = isnan(station->begin_s) ? *begin_s + lag_s - *bound_s : station->begin_s;
    *end_s = isnan(station->end_s) ? *end_s + lag_s + *bound_s : station->end_s;
    *begin_s = fmax(*begin_s, record->times_s[0]);
    *end_s = fmin(fmin(*end_s, last_s - *bound_s), record->times_s[record->samples - 1]);
    if (!(*begin_s < *end_s))
        return FAIL(STATUS_CONFIGURATION,
                    "station %s: its window is empty: from %g to %g s, where the record has %g to %g s and "
                    "the sources end at %g s",
                    station->name, *begin_s, *end_s, record->times_s[0], record->times_s[record->samples - 1],
                    last_s);
    return STATUS_OK;
}

// ---- values at a time

// A time among those of a source, which most sources of a database share.
struct place {
    const double *times_s;
    size_t samples, below;
    double share; // of the way from the sample `below` to the next one; 0: the sample itself
    bool is_before, is_after;
};

static void find_place(struct place *place, const struct invert_series *unit, double time_s)
{
    if (place->times_s == unit->times_s && place->samples == unit->samples)
        return;
    *place = (struct place){.times_s = unit->times_s,
                            .samples = unit->samples,
                            .is_before = time_s < unit->times_s[0],
                            .is_after = !(time_s <= unit->times_s[unit->samples - 1])};
    if (place->is_before || place->is_after)
        return;
    const double *times_s = unit->times_s;
    const size_t k = ascending_place(times_s, unit->samples, time_s);
    place->below = k;
    place->share = time_s == times_s[k] ? 0 : (time_s - times_s[k]) / (times_s[k + 1] - times_s[k]);
}

// A source at a time after it began: at rest before its first sample; NaN after its last.
static double unit_at(const struct place *place, const struct invert_series *unit)
{
    const double *eta_m = unit->eta_m + place->below;
    if (place->is_before || place->is_after)
        return place->is_before ? 0 : NAN;
    return place->share == 0 ? eta_m[0] : eta_m[0] + place->share * (eta_m[1] - eta_m[0]);
}

double invert_sum_at(const struct invert_request *request, const struct invert_station *station,
                     const double *slips_m, double shift_s, double time_s)
{
    struct place place = {0};
    double sum = 0;
    for (size_t j = 0; j < request->source_count; j++) {
        find_place(&place, &station->unit[j], time_s - request->delay_s - shift_s);
        if (slips_m[j] != 0 || place.is_after)
            sum += slips_m[j] * unit_at(&place, &station->unit[j]);
    }
    return sum;
}

// ---- the equations

// One of them for each observation in the window: coefficients[source_count] and the right-hand side behind
// them.
static void fill_row(const struct invert_request *request, const struct invert_station *station,
                     const struct invert_fit *fit, size_t sample, double *row)
{
    const double time_s = station->observed.times_s[sample] - request->delay_s - fit->shift_s;
    struct place place = {0};
    for (size_t j = 0; j < request->source_count; j++) {
        find_place(&place, &station->unit[j], time_s);
        row[j] = unit_at(&place, &station->unit[j]);
    }
    row[request->source_count] = station->observed.eta_m[sample];
}

// Means over the window of coefficients and observations, which a station's own constant takes away from
// both.
static void find_means(const struct invert_request *request, const struct invert_station *station,
                       const struct invert_fit *fit, double *row, double *means)
{
    const size_t width = request->source_count + 1;
    memset(means, 0, width * sizeof *means);
    for (size_t k = 0; k < station->observed.samples && request->has_offsets; k++) {
        if (!invert_is_within(fit, station->observed.times_s[k]))
            continue;
        fill_row(request, station, fit, k, row);
        for (size_t j = 0; j < width; j++)
            means[j] += row[j] / (double)fit->samples;
    }
}

// squares[source_count] gets the sums of the coefficients' squares.
static enum status add_station(const struct invert_request *request, const struct invert_station *station,
                               const struct invert_fit *fit, double *row, double *means, double *squares,
                               struct nnls *problem)
{
    const size_t width = request->source_count + 1;
    find_means(request, station, fit, row, means);
    for (size_t k = 0; k < station->observed.samples; k++) {
        if (!invert_is_within(fit, station->observed.times_s[k]))
            continue;
        fill_row(request, station, fit, k, row);
        for (size_t j = 0; j < width; j++)
            row[j] = station->weight * (row[j] - means[j]);
        for (size_t j = 0; j + 1 < width; j++)
            squares[j] += row[j] * row[j];
        CHECK_ABOUT(nnls_add(problem, row, row[width - 1]), "station %s, sample %zu", station->name, k);
    }
    return STATUS_OK;
}

static enum status check_enough(const struct invert_request *request, const struct invert_result *result)
{
    size_t stations = 0, samples = 0;
    for (size_t s = 0; s < request->station_count; s++)
        if (request->stations[s].is_fitted) {
            stations++;
            samples += result->fits[s].samples;
        }
    if (stations == 0)
        return FAIL(STATUS_CONFIGURATION, "no station to fit the slips to");
    if (samples < request->source_count && !(request->damping > 0))
        return FAIL(STATUS_CONFIGURATION,
                    "%zu observations in the windows do not determine %zu slips: choose fewer sources, "
                    "longer windows or damping",
                    samples, request->source_count);
    return STATUS_OK;
}

static enum status fill_and_solve(const struct invert_request *request, double *numbers, struct nnls *problem,
                                  struct invert_result *result)
{
    const size_t width = request->source_count + 1;
    double *row = numbers, *means = numbers + width, *squares = numbers + 2 * width, most = 0;
    for (size_t s = 0; s < request->station_count; s++)
        if (request->stations[s].is_fitted)
            CHECK(
                add_station(request, &request->stations[s], &result->fits[s], row, means, squares, problem));
    for (size_t j = 0; j < request->source_count; j++)
        most = fmax(most, squares[j]);
    return nnls_solve(problem, request->damping * sqrt(most), result->slips_m, NULL, &result->nnls);
}

static enum status find_slips(const struct invert_request *request, struct invert_result *result)
{
    struct nnls *problem;
    CHECK(check_enough(request, result));
    CHECK(nnls_create(request->source_count, &problem));
    double *numbers = calloc(3 * (request->source_count + 1), sizeof *numbers);
    const enum status status = numbers ? fill_and_solve(request, numbers, problem, result)
                                       : FAIL(STATUS_SYSTEM, "not enough memory for the inversion");
    free(numbers);
    nnls_free(problem);
    return status;
}

// ---- how well they do

// fitted_m at every observation, and the constant that is added to it.
static void fill_fitted(const struct invert_request *request, const struct invert_station *station,
                        const double *slips_m, struct invert_fit *fit)
{
    const struct invert_series *record = &station->observed;
    for (size_t k = 0; k < record->samples; k++)
        fit->fitted_m[k] = invert_sum_at(request, station, slips_m, fit->shift_s, record->times_s[k]);
    for (size_t k = 0; k < record->samples && request->has_offsets; k++)
        if (invert_is_within(fit, record->times_s[k]))
            fit->offset_m += (record->eta_m[k] - fit->fitted_m[k]) / (double)fit->samples;
    for (size_t k = 0; k < record->samples; k++)
        fit->fitted_m[k] += fit->offset_m;
}

// Of the sum: at the samples of the source that has the most of them.
static void find_fitted_peak(const struct invert_request *request, const struct invert_station *station,
                             const double *slips_m, struct invert_fit *fit)
{
    const struct invert_series *finest = &station->unit[0];
    for (size_t j = 1; j < request->source_count; j++)
        if (station->unit[j].samples > finest->samples)
            finest = &station->unit[j];
    fit->fitted_peak_m = fit->fitted_peak_s = NAN;
    for (size_t k = 0; k < finest->samples; k++) {
        const double time_s = finest->times_s[k] + request->delay_s + fit->shift_s;
        const double sum_m = invert_is_within(fit, time_s)
                                 ? invert_sum_at(request, station, slips_m, fit->shift_s, time_s)
                                 : NAN;
        if (isfinite(sum_m) && !(sum_m <= fit->fitted_peak_m)) {
            fit->fitted_peak_m = sum_m;
            fit->fitted_peak_s = time_s;
        }
    }
}

static void measure(const struct invert_station *station, struct invert_fit *fit, double *differences,
                    double *squares)
{
    const struct invert_series *record = &station->observed;
    *differences = *squares = 0;
    fit->observed_peak_m = fit->observed_peak_s = NAN;
    for (size_t k = 0; k < record->samples; k++) {
        const double seen_m = record->eta_m[k] - fit->offset_m, error_m = record->eta_m[k] - fit->fitted_m[k];
        if (!invert_is_within(fit, record->times_s[k]))
            continue;
        *differences += error_m * error_m;
        *squares += seen_m * seen_m;
        if (!(seen_m <= fit->observed_peak_m)) {
            fit->observed_peak_m = seen_m;
            fit->observed_peak_s = record->times_s[k];
        }
    }
    fit->rms_m = sqrt(*differences / (double)fit->samples);
    fit->observed_rms_m = sqrt(*squares / (double)fit->samples);
    fit->variance_reduction = 1 - *differences / *squares;
}

static void compare(const struct invert_request *request, struct invert_result *result)
{
    double all_differences = 0, all_squares = 0, samples = 0;
    for (size_t s = 0; s < request->station_count; s++) {
        const struct invert_station *station = &request->stations[s];
        struct invert_fit *fit = &result->fits[s];
        double differences, squares;
        fill_fitted(request, station, result->slips_m, fit);
        find_fitted_peak(request, station, result->slips_m, fit);
        measure(station, fit, &differences, &squares);
        all_differences += station->is_fitted ? differences : 0;
        all_squares += station->is_fitted ? squares : 0;
        samples += station->is_fitted ? (double)fit->samples : 0;
    }
    result->rms_m = sqrt(all_differences / samples); // NaN if none was fitted
    result->variance_reduction = 1 - all_differences / all_squares;
}

// ---- both

static enum status start(const struct invert_request *request, bool is_evaluation,
                         struct invert_result *result)
{
    *result = (struct invert_result){.slips_m = calloc(request->source_count, sizeof *result->slips_m),
                                     .fits = calloc(request->station_count + 1, sizeof *result->fits)};
    if (!result->slips_m || !result->fits)
        return FAIL(STATUS_SYSTEM, "not enough memory for the inversion");
    for (size_t s = 0; s < request->station_count; s++) {
        const struct invert_station *station = &request->stations[s];
        struct invert_fit *fit = &result->fits[s];
        fit->fitted_m = calloc(station->observed.samples, sizeof *fit->fitted_m);
        if (!fit->fitted_m)
            return FAIL(STATUS_SYSTEM, "station %s: not enough memory for %zu observations", station->name,
                        station->observed.samples);
        struct invert_request own = *request;
        // The record of a forecast station does not decide the shift.
        if (is_evaluation ? station->is_forecast : !station->is_fitted)
            own.shift = (struct invert_bound){0};
        fit->shift_s = station->shift_s;
        CHECK(invert_window(&own, station, &fit->bound_s, &fit->begin_s, &fit->end_s));
        for (size_t k = 0; k < station->observed.samples; k++)
            fit->samples += invert_is_within(fit, station->observed.times_s[k]);
        if (fit->samples == 0)
            return FAIL(STATUS_CONFIGURATION, "station %s: nothing was observed from %g to %g s",
                        station->name, fit->begin_s, fit->end_s);
    }
    return STATUS_OK;
}

enum status invert_solve(const struct invert_request *request, struct invert_result *result)
{
    CHECK(start(request, false, result));
    CHECK(find_slips(request, result));
    for (bool is_changed = invert_find_shifts(request, result);
         is_changed && result->shift_rounds < INVERT_SHIFT_ROUNDS_MAX;
         is_changed = invert_find_shifts(request, result))
        CHECK(find_slips(request, result));
    compare(request, result);
    return STATUS_OK;
}

enum status invert_evaluate(const struct invert_request *request, const double *slips_m,
                            struct invert_result *result)
{
    CHECK(start(request, true, result));
    memcpy(result->slips_m, slips_m, request->source_count * sizeof *slips_m);
    invert_find_shifts(request, result);
    compare(request, result);
    return STATUS_OK;
}

void invert_free(const struct invert_request *request, struct invert_result *result)
{
    for (size_t s = 0; result->fits && s < request->station_count; s++)
        free(result->fits[s].fitted_m);
    free(result->fits);
    free(result->slips_m);
    *result = (struct invert_result){0};
}
