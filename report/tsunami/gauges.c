// The gauges of a tsunami's report: model series, arrivals and first peaks. Uses the variables of gauges.nc.
#include "report/tsunami/report.h"

#include "io/json_file.h"
#include "models/tsunami/forecast/far_field.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Stations read at a time: a series of gauges is stored with all stations of one time together.
enum { GROUP = 16 };

// An observed peak is searched this far on both sides of the model's, as a fraction of the travel time. Near
// the source, bottom pressure records hold seismic waves before the tsunami: a search of the
// whole record would find those.
static const double peak_window = 0.2;

void report_tsunami_free_gauges(struct report_waves *waves)
{
    for (size_t k = 0; k < waves->gauge_count; k++) {
        panels_free_series(&waves->gauges[k].model);
        panels_free_series(&waves->gauges[k].observed);
    }
    free(waves->gauges);
    waves->gauges = NULL;
    waves->gauge_count = 0;
}

size_t report_tsunami_largest_between(const struct panels_series *series, double begin_s, double end_s)
{
    size_t best = series->count;
    for (size_t k = 0; k < series->count; k++)
        if (series->times_s[k] >= begin_s && series->times_s[k] <= end_s && isfinite(series->values_m[k]) &&
            (best == series->count || series->values_m[k] > series->values_m[best]))
            best = k;
    return best;
}

// The level from which the arrival counts. Without run.json: the first record.
static double level_at(const struct report_gauge *gauge, double time_s)
{
    const double first = gauge->model.count > 0 ? gauge->model.values_m[0] + fmin(0, gauge->depth_m) : 0;
    if (isnan(gauge->level_m))
        return isfinite(first) ? first : 0;
    if (!(time_s < gauge->level_from_s))
        return gauge->level_m;
    return gauge->level_at_start_m +
           (gauge->level_m - gauge->level_at_start_m) * time_s / gauge->level_from_s;
}

// How high the water stands above that level, on land the depth of the flow; NaN where it is dry.
static double rise_m(const struct report_gauge *gauge, size_t k)
{
    return gauge->model.values_m[k] + fmin(0, gauge->depth_m) - level_at(gauge, gauge->model.times_s[k]);
}

size_t report_tsunami_first_crest(const struct report_gauge *gauge, double start_s)
{
    const struct panels_series *series = &gauge->model;
    double highest_m = 0, crest_m = 0;
    for (size_t k = 0; k < series->count; k++)
        if (series->times_s[k] >= start_s)
            highest_m = fmax(highest_m, rise_m(gauge, k));
    size_t best = series->count;
    for (size_t k = 0; k < series->count; k++) {
        if (series->times_s[k] < start_s)
            continue;
        const double value_m = rise_m(gauge, k);
        if (value_m > crest_m) {
            crest_m = value_m;
            best = k;
        } else if (best < series->count && crest_m >= 0.2 * highest_m && !(value_m >= 0.5 * crest_m)) {
            if (best > 0 && !(rise_m(gauge, best - 1) >= crest_m))
                return best;
            // The level has fallen since the first sample: that maximum is not a crest.
            crest_m = 0;
            best = series->count;
        }
    }
    return series->count;
}

// ---- the gauges of one grid

// The gauges of one gauges.nc, before they are merged with those of other grids.
struct stations {
    const struct result_file *file;
    size_t count;
    struct report_gauge *gauges;
    bool have_positions;
};

// One figure per station, if the file has it: the first of the names that exists.
static enum status read_constant(struct stations *stations, const char *const *names, size_t offset,
                                 bool *is_found)
{
    for (const char *const *name = names; *name; name++) {
        const struct result_variable *variable = result_find(stations->file, *name);
        if (!variable || variable->is_text || variable->rank != 1 || variable->lengths[0] != stations->count)
            continue;
        double *values;
        size_t length;
        CHECK(result_read_all(stations->file, *name, &values, &length));
        for (size_t k = 0; k < length; k++)
            *(double *)(void *)((char *)&stations->gauges[k] + offset) = values[k];
        free(values);
        if (is_found)
            *is_found = true;
        return STATUS_OK;
    }
    return STATUS_OK;
}

static enum status read_names(struct stations *stations)
{
    for (size_t k = 0; k < stations->count; k++)
        snprintf(stations->gauges[k].name, sizeof stations->gauges[k].name, "%zu", k + 1);
    const struct result_variable *variable = result_find(stations->file, "name");
    if (!variable || !variable->is_text || variable->lengths[0] != stations->count)
        return STATUS_OK;
    char **texts;
    size_t length;
    CHECK(result_read_texts(stations->file, "name", &texts, &length));
    for (size_t k = 0; k < length; k++)
        snprintf(stations->gauges[k].name, sizeof stations->gauges[k].name, "%s", texts[k]);
    result_free_texts(texts, length);
    return STATUS_OK;
}

static enum status read_constants(struct stations *stations)
{
    static const char *const x_names[] = {"lon", "x", NULL}, *const y_names[] = {"lat", "y", NULL};
    static const char *const distance[] = {"distance", NULL}, *const depth[] = {"depth", NULL};
    bool has_x = false, has_y = false;
    CHECK(read_constant(stations, x_names, offsetof(struct report_gauge, longitude), &has_x));
    CHECK(read_constant(stations, y_names, offsetof(struct report_gauge, latitude), &has_y));
    CHECK(read_constant(stations, distance, offsetof(struct report_gauge, distance_m), NULL));
    CHECK(read_constant(stations, depth, offsetof(struct report_gauge, depth_m), NULL));
    stations->have_positions = has_x && has_y;
    return read_names(stations);
}

static const struct result_variable *series_of(const struct report_grid *grid)
{
    const struct result_variable *eta = result_find(grid->files.gauges, "eta");
    return eta && eta->rank == 2 && eta->lengths[1] > 0 && result_find(grid->files.gauges, "time") ? eta
                                                                                                   : NULL;
}

// ---- all grids' gauges

// The same gauge in the list of another grid: the same name and position.
static struct report_gauge *find_same(const struct report_waves *waves, const struct report_gauge *gauge)
{
    for (size_t k = 0; k < waves->gauge_count; k++) {
        struct report_gauge *other = &waves->gauges[k];
        const bool is_elsewhere = fabs(other->longitude - gauge->longitude) > 1e-9 * fabs(gauge->longitude) ||
                                  fabs(other->latitude - gauge->latitude) > 1e-9 * fabs(gauge->latitude);
        if (other->grid != gauge->grid && !is_elsewhere && strcmp(other->name, gauge->name) == 0)
            return other;
    }
    return NULL;
}

// In the order of the outermost grid's list; each gauge is taken from the deepest grid that contains it.
static enum status merge(struct report_waves *waves, const struct stations *stations)
{
    struct report_gauge *longer =
        realloc(waves->gauges, (waves->gauge_count + stations->count) * sizeof *longer);
    if (!longer)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for %zu gauges",
                    waves->gauge_count + stations->count);
    waves->gauges = longer;
    for (size_t k = 0; k < stations->count; k++) {
        const struct report_gauge *gauge = &stations->gauges[k];
        struct report_gauge *same = find_same(waves, gauge);
        if (!same)
            waves->gauges[waves->gauge_count++] = *gauge;
        else if (waves->grids[gauge->grid].depth > waves->grids[same->grid].depth)
            *same = *gauge;
    }
    return STATUS_OK;
}

static enum status add_stations(struct report_waves *waves, size_t g)
{
    const struct result_variable *eta = series_of(&waves->grids[g]);
    if (!eta)
        return STATUS_OK;
    struct stations stations = {.file = waves->grids[g].files.gauges, .count = eta->lengths[1]};
    stations.gauges = calloc(stations.count, sizeof *stations.gauges);
    if (!stations.gauges)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for %zu gauges", stations.count);
    for (size_t k = 0; k < stations.count; k++)
        stations.gauges[k] = (struct report_gauge){.grid = g,
                                                   .station = k,
                                                   .longitude = NAN,
                                                   .latitude = NAN,
                                                   .distance_m = NAN,
                                                   .depth_m = NAN,
                                                   .arrival_s = NAN,
                                                   .level_at_start_m = NAN,
                                                   .level_m = NAN,
                                                   .level_from_s = NAN,
                                                   .first_peak_s = NAN,
                                                   .first_peak_m = NAN,
                                                   .maximum_s = NAN,
                                                   .maximum_m = NAN,
                                                   .minimum_m = NAN,
                                                   .observed_peak_s = NAN,
                                                   .observed_peak_m = NAN};
    enum status status = read_constants(&stations);
    waves->gauges_have_positions =
        stations.have_positions && (waves->gauge_count == 0 || waves->gauges_have_positions);
    if (status == STATUS_OK)
        status = merge(waves, &stations);
    free(stations.gauges);
    return status;
}

// ---- figures

static void find_extremes(struct report_gauge *gauge)
{
    const struct panels_series *series = &gauge->model;
    for (size_t k = 0; k < series->count; k++) {
        double value = series->values_m[k];
        if (isfinite(value) && !(gauge->maximum_m >= value)) {
            gauge->maximum_m = value;
            gauge->maximum_s = series->times_s[k];
        }
        if (isfinite(value) && !(gauge->minimum_m <= value))
            gauge->minimum_m = value;
    }
}

double report_tsunami_gauge_size_m(const struct report_gauge *gauge)
{
    return fmax(fabs(gauge->maximum_m), fabs(gauge->minimum_m));
}

double report_tsunami_least_height_m(const struct report_waves *waves)
{
    double largest_m = isfinite(waves->grids[0].largest_m) ? fabs(waves->grids[0].largest_m) : 0;
    for (size_t k = 0; k < waves->gauge_count; k++)
        largest_m = fmax(largest_m, report_tsunami_gauge_size_m(&waves->gauges[k]));
    return fmin(1e-3, fmax(1e-6, pow(10, round(log10(largest_m)) - 3))); // log10(0) = −∞ gives 1 µm
}

static void find_arrival_and_peak(struct report_gauge *gauge, double threshold_m)
{
    const struct panels_series *series = &gauge->model;
    for (size_t k = 0; k < series->count && isnan(gauge->arrival_s); k++)
        if (rise_m(gauge, k) >= threshold_m)
            gauge->arrival_s = series->times_s[k];
    if (isnan(gauge->arrival_s))
        return;
    size_t crest = report_tsunami_first_crest(gauge, gauge->arrival_s);
    if (crest == series->count)
        return;
    gauge->first_peak_s = series->times_s[crest];
    gauge->first_peak_m = series->values_m[crest];
}

static void find_observed_peak(struct report_gauge *gauge)
{
    double reach_s = peak_window * gauge->first_peak_s;
    size_t k = report_tsunami_largest_between(&gauge->observed, gauge->first_peak_s - reach_s,
                                              gauge->first_peak_s + reach_s);
    // A record that begins or ends here, or that is higher beside the window, shows no crest.
    if (isnan(gauge->first_peak_s) || k == 0 || k + 1 >= gauge->observed.count ||
        gauge->observed.values_m[k - 1] > gauge->observed.values_m[k] ||
        gauge->observed.values_m[k + 1] > gauge->observed.values_m[k])
        return;
    gauge->observed_peak_s = gauge->observed.times_s[k];
    gauge->observed_peak_m = gauge->observed.values_m[k];
}

static enum status copy_series(const double *times_s, const double *block, size_t count, size_t stations,
                               size_t station, struct panels_series *series)
{
    series->times_s = malloc((count + 1) * sizeof *series->times_s);
    series->values_m = malloc((count + 1) * sizeof *series->values_m);
    if (!series->times_s || !series->values_m)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for a gauge of %zu samples", count);
    series->count = count;
    for (size_t k = 0; k < count; k++) {
        series->times_s[k] = times_s[k];
        series->values_m[k] = (float)block[k * stations + station];
    }
    return STATUS_OK;
}

// A gauge that falls dry has no far field; it stays as it is, with a warning.
static enum status correct_far_field(struct report *report, struct report_gauge *gauge)
{
    const struct report_waves *waves = report_tsunami_waves(report);
    const cJSON *physics = json_member(waves->grids[gauge->grid].run, "physics");
    const struct far_field sea = {waves->far_field_m, cJSON_IsTrue(json_member(physics, "dispersion"))};
    const struct panels_series *series = &gauge->model;
    if (!(sea.depth_m > 0))
        return STATUS_OK;
    double *values_m = malloc((series->count + 1) * sizeof *values_m);
    if (!values_m)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for a gauge of %zu samples", series->count);
    for (size_t k = 0; k < series->count; k++)
        values_m[k] = (double)series->values_m[k];
    if (far_field_correct(&sea, series->times_s, values_m, series->count) == STATUS_OK) {
        for (size_t k = 0; k < series->count; k++)
            series->values_m[k] = (float)values_m[k];
    } else {
        report_warn(report, "gauge %s is not corrected for the far field: %s", gauge->name, status_message());
        status_clear();
    }
    free(values_m);
    return STATUS_OK;
}

static void compute_figures(const struct report_waves *waves, struct report_gauge *gauge)
{
    find_extremes(gauge);
    find_arrival_and_peak(gauge, waves->arrival_threshold_m);
    find_observed_peak(gauge);
}

// Reads eta of a grid's `stations` gauges from `first` on, and works out the figures of those that are shown
// from there.
static enum status read_group(struct report *report, size_t g, const double *times_s, size_t count,
                              size_t first, size_t stations, double *block)
{
    struct report_waves *waves = report_tsunami_waves(report);
    CHECK(result_read(waves->grids[g].files.gauges, "eta", (size_t[]){0, first}, (size_t[]){count, stations},
                      block));
    for (size_t k = 0; k < waves->gauge_count; k++) {
        struct report_gauge *gauge = &waves->gauges[k];
        if (gauge->grid != g || gauge->station < first || gauge->station >= first + stations)
            continue;
        CHECK(copy_series(times_s, block, count, stations, gauge->station - first, &gauge->model));
        CHECK(correct_far_field(report, gauge));
        compute_figures(waves, gauge);
        if (k >= REPORT_GAUGES_DRAWN_MAX)
            panels_free_series(&gauge->model);
    }
    return STATUS_OK;
}

static enum status read_groups(struct report *report, size_t g, const double *times_s, size_t count,
                               size_t stations)
{
    double *block = malloc((count + 1) * GROUP * sizeof *block);
    if (!block)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for %d gauges of %zu samples", (int)GROUP,
                    count);
    enum status status = STATUS_OK;
    for (size_t first = 0; first < stations && status == STATUS_OK; first += GROUP) {
        size_t left = stations - first;
        status = read_group(report, g, times_s, count, first, left < GROUP ? left : GROUP, block);
    }
    free(block);
    return status;
}

static enum status read_all_series(struct report *report, size_t g)
{
    struct report_waves *waves = report_tsunami_waves(report);
    const struct result_file *file = waves->grids[g].files.gauges;
    const struct result_variable *eta = series_of(&waves->grids[g]);
    if (!eta)
        return STATUS_OK;
    double *times_s;
    size_t count;
    CHECK(result_read_all(file, "time", &times_s, &count));
    const enum status status = count == eta->lengths[0]
                                   ? read_groups(report, g, times_s, count, eta->lengths[1])
                                   : FAIL(STATUS_DATA, "%s: %zu times for %zu records of eta",
                                          result_path(file), count, eta->lengths[0]);
    free(times_s);
    return status;
}

enum status report_tsunami_read_gauges(struct report *report)
{
    struct report_waves *waves = report_tsunami_waves(report);
    for (size_t g = 0; g < waves->grid_count; g++)
        CHECK(add_stations(waves, g));
    report_tsunami_read_records(report);
    for (size_t g = 0; g < waves->grid_count; g++)
        CHECK(read_all_series(report, g));
    return STATUS_OK;
}
