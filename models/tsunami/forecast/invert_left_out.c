// Each station of an inversion left out in turn: what it is worth, and what it costs the others (see
// invert.h). Uses arrays only: no file, no database.
#include "models/tsunami/forecast/invert.h"

#include <stdlib.h>
#include <string.h>

// The share of the variance of all fitted stations but one together.
static double explained(const struct invert_request *request, const struct invert_result *result, size_t but)
{
    double differences = 0, squares = 0;
    for (size_t s = 0; s < request->station_count; s++) {
        const struct invert_fit *fit = &result->fits[s];
        if (!request->stations[s].is_fitted || s == but)
            continue;
        differences += fit->rms_m * fit->rms_m * (double)fit->samples;
        squares += fit->observed_rms_m * fit->observed_rms_m * (double)fit->samples;
    }
    return 1 - differences / squares;
}

static enum status leave_out(const struct invert_request *request, const struct invert_result *result,
                             struct invert_station *stations, size_t s, struct invert_left_out *left)
{
    struct invert_request others = *request;
    struct invert_result found;
    others.stations = stations;
    stations[s].is_fitted = false;
    const enum status status = invert_solve(&others, &found);
    if (status == STATUS_OK) {
        const struct invert_fit *fit = &found.fits[s];
        left->is_there = true;
        left->variance_reduction = fit->variance_reduction;
        left->rms_m = fit->rms_m;
        left->fitted_peak_m = fit->fitted_peak_m;
        left->fitted_peak_s = fit->fitted_peak_s;
        left->others_with = explained(request, result, s);
        left->others_without = found.variance_reduction;
        left->spoils = 1 - left->others_without <= 0.5 * (1 - left->others_with) &&
                       left->others_without - left->others_with >= INVERT_SPOILED;
    }
    invert_free(&others, &found);
    stations[s].is_fitted = true;
    if (status != STATUS_CONFIGURATION && status != STATUS_DATA)
        return status;
    status_clear(); // without this one the others do not determine the slips
    return STATUS_OK;
}

enum status invert_leave_out(const struct invert_request *request, const struct invert_result *result,
                             struct invert_left_out *left_out)
{
    size_t fitted = 0;
    enum status status = STATUS_OK;
    memset(left_out, 0, request->station_count * sizeof *left_out);
    struct invert_station *stations = malloc((request->station_count + 1) * sizeof *stations);
    if (!stations)
        return FAIL(STATUS_SYSTEM, "not enough memory for %zu stations", request->station_count);
    memcpy(stations, request->stations, request->station_count * sizeof *stations);
    for (size_t s = 0; s < request->station_count; s++)
        fitted += stations[s].is_fitted;
    for (size_t s = 0; s < request->station_count && fitted > 1 && status == STATUS_OK; s++)
        if (stations[s].is_fitted)
            status = leave_out(request, result, stations, s, &left_out[s]);
    free(stations);
    return status;
}
