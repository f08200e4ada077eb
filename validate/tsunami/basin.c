// A standing wave in a closed basin on three grids: its period and height on the finest, and the order at
// which the error falls.
#include "validate/case_job.h"
#include "validate/closed/basin_mode.h"
#include "validate/tsunami/suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// 600 × 400 km; the walls lie half a spacing outside the outermost nodes. Spacings 10, 5 and 2.5 km.
enum { GRIDS = 3, NODES_X = 60, NODES_Y = 40 };
static const double spacing_m = 10e3, step_s = 60,
                    duration_s = 14520; // 3 periods of 4846 s, less some seconds
static const struct basin_mode mode = {600e3, 400e3, 1000, 9.81, 2, 1, 0.01};
static const char *const names[GRIDS] = {"10km", "5km", "2.5km"};

static double value(const void *context, int variable, double x, double y)
{
    (void)context;
    return variable == 0 ? mode.depth_m : basin_mode_eta_m(&mode, x, y, 0);
}

static enum status run_grid(struct validation_run *run, int grid_number)
{
    static const char text[] =
        "{\"fathom\": 1, \"model\": \"tsunami\", \"title\": \"Standing wave in a basin\", \"precision\": "
        "\"double\", \"domain\": {\"bathymetry\": {\"variable\": \"depth\"}, \"edges\": {\"west\": \"wall\", "
        "\"east\": \"wall\", \"south\": \"wall\", \"north\": \"wall\"}}, \"physics\": {\"coriolis\": false}, "
        "\"source\": {\"initial\": {\"eta\": \"eta\"}}, \"time\": {}, \"output\": {\"precision\": "
        "\"double\", \"maxima\": false, \"fields\": {\"variables\": [\"eta\"]}, \"gauges\": {\"file\": "
        "\"gauges.json\"}}}";
    const int fine = 1 << grid_number;
    const double dx = spacing_m / fine;
    const struct case_grid grid = {.x = {(size_t)(NODES_X * fine), 0.5 * dx, dx},
                                   .y = {(size_t)(NODES_Y * fine), 0.5 * dx, dx},
                                   .variable_count = 2,
                                   .variables = {{"depth", "m", "down"}, {"eta", "m", NULL}},
                                   .value = value};
    char file[64];
    snprintf(file, sizeof file, "%s.nc", names[grid_number]);
    CHECK(case_write_grid(run, file, &grid));
    struct case_job job = case_job_parse(text);
    case_job_set(&job, "domain.bathymetry.file", "\"%s\"", file);
    case_job_set(&job, "source.initial.file", "\"%s\"", file);
    const double allowed_s = step_s * tsunami_step_share(run),
                 own_s = duration_s / ceil(duration_s / allowed_s);
    case_job_set(&job, "time.step", "\"%.17g s\"", own_s / fine);
    case_job_set(&job, "output.gauges.every", "\"%.17g s\"", own_s / fine);
    case_job_set(&job, "time.duration", "\"%g s\"", duration_s);
    case_job_set(&job, "output.fields.every", "\"%g s\"", duration_s);
    return case_job_run_once(run, &job, names[grid_number], NULL, NULL);
}

// Root mean square of η's error over all nodes at the end.
static enum status final_error(const struct validation_run *run, int grid_number, double *rms_m)
{
    double *eta;
    size_t shape[4];
    CHECK(case_read_variable(run, names[grid_number], "fields.nc", "eta", &eta, shape));
    const double dx = spacing_m / (1 << grid_number);
    double squares = 0;
    for (size_t j = 0; j < shape[1]; j++)
        for (size_t i = 0; i < shape[2]; i++) {
            const double error =
                eta[((shape[0] - 1) * shape[1] + j) * shape[2] + i] -
                basin_mode_eta_m(&mode, ((double)i + 0.5) * dx, ((double)j + 0.5) * dx, duration_s);
            squares += error * error;
        }
    free(eta);
    *rms_m = shape[1] * shape[2] > 0 ? sqrt(squares / (double)(shape[1] * shape[2])) : (double)NAN;
    return STATUS_OK;
}

// Twice the mean time between the level's passages through rest.
static double measured_period_s(const struct case_series *series)
{
    double first_s = NAN, last_s = NAN;
    int passages = 0;
    for (size_t k = 1; k < series->count; k++) {
        const double a = series->value[k - 1], b = series->value[k];
        if ((a > 0) == (b > 0))
            continue;
        last_s = series->time_s[k - 1] + (series->time_s[k] - series->time_s[k - 1]) * a / (a - b);
        if (passages++ == 0)
            first_s = last_s;
    }
    return passages > 1 ? 2 * (last_s - first_s) / (passages - 1) : (double)NAN;
}

static enum status measure_gauge(struct validation_run *run, const struct case_series *series)
{
    static const double pi = 3.14159265358979323846;
    const double period_s = 2 * pi / basin_mode_frequency_per_s(&mode), at_m = 0.5 * spacing_m / 4;
    struct validation_picture *picture;
    double *exact = malloc(series->count * sizeof *exact);
    if (!exact)
        return FAIL(STATUS_SYSTEM, "not enough memory for a series of %zu", series->count);
    for (size_t k = 0; k < series->count; k++)
        exact[k] = basin_mode_eta_m(&mode, at_m, at_m, series->time_s[k]);
    enum status status = validation_picture(
        run, "Level in the basin's corner, 2.5 km", "time (s)", "elevation (m)",
        "Three periods of the mode with two half waves along the basin and one across it.", &picture);
    if (status == STATUS_OK)
        status = validation_line(run, picture, "closed form", true, series->time_s, exact, series->count);
    if (status == STATUS_OK)
        status = validation_line(run, picture, "Fathom", false, series->time_s, series->value, series->count);
    free(exact);
    CHECK(status);
    CHECK(validation_compare(run, "standing-wave/period", "s", "Lamb (1932), section 190",
                             measured_period_s(series), period_s, "period, 2.5 km"));
    return validation_compare(run, "standing-wave/height", "m", "Lamb (1932), section 190",
                              case_series_peak(series, 1.5 * period_s, 2.5 * period_s).value,
                              basin_mode_eta_m(&mode, at_m, at_m, 0), "height after two periods, 2.5 km");
}

// Water is neither lost nor won: the mode has no volume, so the scale is that of one of its humps.
static enum status measure_volume(struct validation_run *run)
{
    double *mass, largest = 0;
    size_t shape[4];
    CHECK(case_read_variable(run, names[2], "diagnostics.nc", "mass", &mass, shape));
    for (size_t k = 0; k < shape[0]; k++)
        largest = fmax(largest, fabs(mass[k]));
    free(mass);
    const double scale = mode.amplitude_m * mode.length_m * mode.width_m;
    return validation_compare(run, "standing-wave/volume", "1", "closed basin: no volume at any time",
                              largest / scale, 0, "largest volume / (height x area)");
}

// The closed form leaves out the nonlinear terms, a²/d: an error below that has no order, and passes.
static enum status measure_order(struct validation_run *run, int number, const double error_m[GRIDS])
{
    const double floor_m = mode.amplitude_m * mode.amplitude_m / mode.depth_m;
    if (error_m[number - 1] < floor_m)
        return validation_compare(
            run, "standing-wave/floor", "m", "Lamb (1932), section 190, is linear", error_m[number], 0,
            "error of the elevation, %s: below a2/d, where no order is seen", names[number]);
    return validation_compare(run, "standing-wave/order", "1", "order of the scheme",
                              log2(error_m[number - 1] / error_m[number]), 2,
                              "order of the elevation, %s to %s", names[number - 1], names[number]);
}

enum status tsunami_case_basin(struct validation_run *run)
{
    double error_m[GRIDS];
    struct case_series series;
    // Nearest to the corner of the finest grid is its own corner node.
    CHECK(case_write_gauges(run, "gauges.json", &(struct case_gauge){"corner", 1250, 1250}, 1));
    for (int k = 0; k < GRIDS; k++) {
        CHECK(run_grid(run, k));
        CHECK(final_error(run, k, &error_m[k]));
    }
    for (int k = 1; k < GRIDS; k++)
        CHECK(measure_order(run, k, error_m));
    CHECK(case_read_gauge(run, names[2], "corner", &series));
    enum status status = measure_gauge(run, &series);
    case_series_free(&series);
    CHECK(status);
    CHECK(measure_volume(run));
    return case_note(run, names[2], "plane, 600 x 400 km, 1000 m deep, spacings 10, 5, 2.5 km");
}
