// A small pulse over a step in depth, against the closed form: heights of what passes and what comes back,
// and the whole series. From 4000 m to 1000 m along x and along y, and a smaller step between two
// neighbouring nodes.
//
// The closed form's step is short against the wave. The scheme, which is not conservative, has to see it over
// several nodes: the depth falls over 4 km, 16 nodes, and the pulse is 120 nodes wide (one standard
// deviation); at full size these are 32 and 240 nodes. Where the depth changes from one node to the next its
// error depends on the change alone, not on the spacing: docs/validate.md.
#include "validate/case_job.h"
#include "validate/closed/depth_step.h"
#include "validate/tsunami/suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ACROSS = 4 };
static const double west_m = -300e3,
                    east_m = 200e3; // of the channel; the step is at 0, halfway between two nodes
static const double height_m = 0.01, start_m = -200e3;
static const double pi = 3.14159265358979323846;

static const struct variant {
    const char *name, *description;
    bool is_along_y;
    double spacing_m, deviation_m; // nodes; the pulse's standard deviation
    double ramp_m;                 // over which the depth changes; 0 = from one node to the next
    struct depth_step step;
    const char *height_tolerance, *series_tolerance;
} variants[] = {
    {"x", "along x", false, 250, 30e3, 4000, {4000, 1000, 9.81}, "step/height", "step/series"},
    {"y", "along y", true, 250, 30e3, 4000, {4000, 1000, 9.81}, "step/height", "step/series"},
    {"jump",
     "4000 to 3000 m at once",
     false,
     500,
     15e3,
     0,
     {4000, 3000, 9.81},
     "step/jump-height",
     "step/jump-series"},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static double incident(const void *context, double time_s)
{
    const struct variant *v = context;
    const double x = time_s * sqrt(v->step.gravity_m_s2 * v->step.first_depth_m) + start_m;
    return height_m * exp(-0.5 * x * x / (v->deviation_m * v->deviation_m));
}

// In equal parts of its logarithm but for rounded ends, so that no two neighbours differ much.
static double depth_m(const struct variant *v, double along_m)
{
    if (fabs(along_m) >= 0.5 * v->ramp_m)
        return along_m < 0 ? v->step.first_depth_m : v->step.second_depth_m;
    const double share = 0.5 + 0.5 * sin(pi * along_m / v->ramp_m);
    return v->step.first_depth_m * pow(v->step.second_depth_m / v->step.first_depth_m, share);
}

// Depth, η, u, v.
static double value(const void *context, int variable, double x, double y)
{
    const struct variant *v = context;
    const double along_m = v->is_along_y ? y : x;
    double velocity, eta = depth_step_eta_m(&v->step, incident, v, along_m, 0, &velocity);
    switch (variable) {
    case 0:
        return depth_m(v, along_m);
    case 1:
        return eta;
    case 2:
        return v->is_along_y ? 0 : velocity;
    default:
        return v->is_along_y ? velocity : 0;
    }
}

// The node nearest to a position.
static double node_m(const struct variant *v, double along_m)
{
    return (floor(along_m / v->spacing_m) + 0.5) * v->spacing_m;
}

static const double gauge_before_m = -100e3, gauge_behind_m = 50e3;

static enum status write_inputs(const struct validation_run *run, const struct variant *v)
{
    char name[64];
    const struct case_axis along = {(size_t)llround((east_m - west_m) / v->spacing_m), node_m(v, west_m),
                                    v->spacing_m},
                           across = {ACROSS, 0, v->spacing_m};
    const struct case_grid grid = {
        .x = v->is_along_y ? across : along,
        .y = v->is_along_y ? along : across,
        .variable_count = 4,
        .variables = {{"depth", "m", "down"}, {"eta", "m", NULL}, {"u", "m s-1", NULL}, {"v", "m s-1", NULL}},
        .context = v,
        .value = value};
    snprintf(name, sizeof name, "%s.nc", v->name);
    CHECK(case_write_grid(run, name, &grid));
    struct case_gauge gauges[] = {{"before", node_m(v, gauge_before_m), 3 * v->spacing_m},
                                  {"behind", node_m(v, gauge_behind_m), 3 * v->spacing_m}};
    for (int k = 0; k < 2 && v->is_along_y; k++)
        gauges[k] = (struct case_gauge){gauges[k].name, gauges[k].y_m, gauges[k].x_m};
    snprintf(name, sizeof name, "gauges-%s.json", v->name);
    return case_write_gauges(run, name, gauges, 2);
}

static enum status run_job(struct validation_run *run, const struct variant *v)
{
    struct case_job job = case_job_parse(
        "{\"fathom\": 1, \"model\": \"tsunami\", \"title\": \"Pulse over a step in depth\", \"precision\": "
        "\"double\", \"domain\": {\"bathymetry\": {\"variable\": \"depth\"}, \"edges\": {}}, \"physics\": "
        "{\"coriolis\": false}, \"source\": {\"initial\": {\"eta\": \"eta\", \"u\": \"u\", \"v\": \"v\"}}, "
        "\"time\": {\"duration\": \"2000 s\"}, \"output\": {\"precision\": \"double\", \"maxima\": false, "
        "\"gauges\": {\"every\": \"2 s\"}}}");
    case_job_set(&job, v->is_along_y ? "domain.edges.west" : "domain.edges.south", "\"periodic\"");
    case_job_set(&job, v->is_along_y ? "domain.edges.east" : "domain.edges.north", "\"periodic\"");
    case_job_set(&job, "domain.bathymetry.file", "\"%s.nc\"", v->name);
    case_job_set(&job, "source.initial.file", "\"%s.nc\"", v->name);
    case_job_set(&job, "output.gauges.file", "\"gauges-%s.json\"", v->name);
    case_job_set(&job, "time.step", "\"%g s\"",
                 v->spacing_m / 250 *
                     tsunami_step_share(run)); // Courant number 0.79 before the step, or less
    return case_job_run_once(run, &job, v->name, NULL, NULL);
}

static enum status draw(struct validation_run *run, const struct variant *v, const char *gauge,
                        const struct case_series *series, const double *exact)
{
    char title[VALIDATION_NAME_BYTES];
    struct validation_picture *picture;
    snprintf(title, sizeof title, "Wave %s, %s the step", v->description, gauge);
    CHECK(validation_picture(run, title, "time (s)", "elevation (m)", "Gauge of the run and the closed form.",
                             &picture));
    CHECK(validation_line(run, picture, "closed form", true, series->time_s, exact, series->count));
    return validation_line(run, picture, "Fathom", false, series->time_s, series->value, series->count);
}

// The whole series against the closed form at the gauge's node.
static enum status measure_series(struct validation_run *run, const struct variant *v, const char *gauge,
                                  double along_m, const struct case_series *series)
{
    double *exact = malloc(series->count * sizeof *exact), squares = 0, low = 0, high = 0;
    if (!exact)
        return FAIL(STATUS_SYSTEM, "not enough memory for a series of %zu", series->count);
    for (size_t k = 0; k < series->count; k++) {
        exact[k] = depth_step_eta_m(&v->step, incident, v, along_m, series->time_s[k], NULL);
        squares += (series->value[k] - exact[k]) * (series->value[k] - exact[k]);
        low = fmin(low, exact[k]);
        high = fmax(high, exact[k]);
    }
    enum status status = validation_compare(run, v->series_tolerance, "m", "Lamb (1932), section 176",
                                            sqrt(squares / (double)series->count), high - low,
                                            "%s, series %s", v->description, gauge);
    if (status == STATUS_OK)
        status = draw(run, v, gauge, series, exact);
    free(exact);
    return status;
}

// The largest elevation after the pulse has met the step, relative to the pulse's height.
static enum status measure_height(struct validation_run *run, const struct variant *v, const char *what,
                                  double expected, const struct case_series *series)
{
    // The crest is at the step after 1010 s, and back at the gauge before it after 1515 s.
    return validation_compare(run, v->height_tolerance, "1", "Lamb (1932), section 176",
                              case_series_peak(series, 1200, 1900).value / height_m, expected,
                              "%s, %s / incident", v->description, what);
}

static enum status measure_gauges(struct validation_run *run, const struct variant *v)
{
    struct case_series before, behind;
    CHECK(case_read_gauge(run, v->name, "before", &before));
    enum status status = case_read_gauge(run, v->name, "behind", &behind);
    if (status != STATUS_OK) {
        case_series_free(&before);
        return status;
    }
    status = measure_height(run, v, "transmitted", depth_step_transmission(&v->step), &behind);
    if (status == STATUS_OK)
        status = measure_height(run, v, "reflected", depth_step_reflection(&v->step), &before);
    if (status == STATUS_OK)
        status = measure_series(run, v, "before", node_m(v, gauge_before_m), &before);
    if (status == STATUS_OK)
        status = measure_series(run, v, "behind", node_m(v, gauge_behind_m), &behind);
    case_series_free(&before);
    case_series_free(&behind);
    return status;
}

static enum status run_variant(struct validation_run *run, const struct variant *v)
{
    char quantity[VALIDATION_NAME_BYTES];
    CHECK(write_inputs(run, v));
    CHECK(run_job(run, v));
    CHECK(measure_gauges(run, v));
    snprintf(quantity, sizeof quantity, "%s, volume at the end", v->description);
    return tsunami_measure_volume(run, v->name, quantity);
}

enum status tsunami_case_step(struct validation_run *run)
{
    const double of_usual = case_is_full(run) ? 0.5 : 1;
    for (int k = 0; k < VARIANTS; k++) {
        struct variant variant = variants[k];
        if (variant.ramp_m > 0)
            variant.spacing_m *= of_usual;
        CHECK(run_variant(run, &variant));
    }
    return case_note(run, "x", "plane, 500 km; 4000 to 1000 m over 4 km on nodes of %g m, at once on 500 m",
                     250 * of_usual);
}
