// A small pulse over a step in depth, against the closed form: heights of what passes and what comes back,
// and the whole series. From 4000 m to 1000 m along x and along y, and a smaller step between two
// neighbouring nodes.
//
// The closed form's step is short against the wave. The scheme, which is not conservative, has to see it over
// several nodes: the depth falls over 4 km, 32 nodes, and the pulse is 240 nodes wide (one standard
// deviation). Where the depth changes from one node to the next its error depends on the change alone, not on
// the spacing: docs/validate.md.
#include "validate/case_job.h"
#include "validate/closed/depth_step.h"
#include "validate/tsunami/suites.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ACROSS = 8 };
static const double west_m = -300e3,
                    east_m = 200e3; // of the channel; the step is at 0, halfway between two nodes
static const double height_m = 0.01, start_m = -200e3;
static const double pi = 3.14159265358979323846;

static const struct variant {
    const char *name, *description;
    bool is_along_y;
    double spacing_m, deviation_m; // the pulse's standard deviation
    double ramp_m;                 // over which the depth changes; 0 = from one node to the next
    struct depth_step step;
    const char *height_tolerance, *series_tolerance;
} variants[] = {
    {"x", "along x", false, 125, 30e3, 4000, {4000, 1000, 9.81}, "step/height", "step/series"},
    {"y", "along y", true, 125, 30e3, 4000, {4000, 1000, 9.81}, "step/height", "step/series"},
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
    char name[64], text[512];
    const size_t nodes = (size_t)llround((east_m - west_m) / v->spacing_m);
    double *along = case_axis(nodes, node_m(v, west_m), v->spacing_m),
           *across = case_axis(ACROSS, 0, v->spacing_m);
    const struct case_grid grid = {
        .nx = v->is_along_y ? ACROSS : nodes,
        .ny = v->is_along_y ? nodes : ACROSS,
        .x = v->is_along_y ? across : along,
        .y = v->is_along_y ? along : across,
        .variable_count = 4,
        .variables = {{"depth", "m", "down"}, {"eta", "m", NULL}, {"u", "m s-1", NULL}, {"v", "m s-1", NULL}},
        .context = v,
        .value = value};
    snprintf(name, sizeof name, "%s.nc", v->name);
    enum status status = case_write_grid(run, name, &grid);
    free(along);
    free(across);
    CHECK(status);
    const char *axis = v->is_along_y ? "y" : "x", *other = v->is_along_y ? "x" : "y";
    snprintf(
        text, sizeof text,
        "{\"fathom_gauges\": 1, \"gauges\": [{\"name\": \"before\", \"%s\": \"%.17g m\", \"%s\": \"%g m\"}, "
        "{\"name\": \"behind\", \"%s\": \"%.17g m\", \"%s\": \"%g m\"}]}",
        axis, node_m(v, gauge_before_m), other, 3 * v->spacing_m, axis, node_m(v, gauge_behind_m), other,
        3 * v->spacing_m);
    snprintf(name, sizeof name, "gauges-%s.json", v->name);
    return case_write_text(run, name, text);
}

static enum status make_job(const struct variant *v, struct cJSON **job)
{
    static const char text[] =
        "{\"fathom\": 1, \"model\": \"tsunami\", \"title\": \"Pulse over a step in depth\", \"precision\": "
        "\"double\", "
        "\"domain\": {\"bathymetry\": {\"variable\": \"depth\"}, \"edges\": {}}, "
        "\"physics\": {\"coriolis\": false}, \"source\": {\"initial\": {\"eta\": \"eta\", \"u\": \"u\", "
        "\"v\": "
        "\"v\"}}, \"time\": {\"duration\": \"2000 s\"}, "
        "\"output\": {\"precision\": \"double\", \"maxima\": false, \"gauges\": {\"every\": \"2 s\"}}}";
    char json[80];
    CHECK(case_job_parse(text, job));
    CHECK(case_job_set(*job, v->is_along_y ? "domain.edges.west" : "domain.edges.south", "\"periodic\""));
    CHECK(case_job_set(*job, v->is_along_y ? "domain.edges.east" : "domain.edges.north", "\"periodic\""));
    snprintf(json, sizeof json, "\"%s.nc\"", v->name);
    CHECK(case_job_set(*job, "domain.bathymetry.file", json));
    CHECK(case_job_set(*job, "source.initial.file", json));
    snprintf(json, sizeof json, "\"gauges-%s.json\"", v->name);
    CHECK(case_job_set(*job, "output.gauges.file", json));
    // Courant number 0.79 before the step.
    snprintf(json, sizeof json, "\"%g s\"", v->spacing_m / 250);
    return case_job_set(*job, "time.step", json);
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
    char quantity[VALIDATION_NAME_BYTES];
    if (!exact)
        return FAIL(STATUS_SYSTEM, "not enough memory for a series of %zu", series->count);
    for (size_t k = 0; k < series->count; k++) {
        exact[k] = depth_step_eta_m(&v->step, incident, v, along_m, series->time_s[k], NULL);
        squares += (series->value[k] - exact[k]) * (series->value[k] - exact[k]);
        low = fmin(low, exact[k]);
        high = fmax(high, exact[k]);
    }
    snprintf(quantity, sizeof quantity, "%s, series %s", v->description, gauge);
    enum status status = validation_measure(
        run, &(struct validation_measure){.quantity = quantity,
                                          .unit = "m",
                                          .computed = sqrt(squares / (double)series->count),
                                          .reference = high - low,
                                          .source = "Lamb (1932), section 176",
                                          .tolerance = v->series_tolerance});
    if (status == STATUS_OK)
        status = draw(run, v, gauge, series, exact);
    free(exact);
    return status;
}

// The largest elevation after the pulse has met the step, as a part of the pulse's height.
static enum status measure_height(struct validation_run *run, const struct variant *v, const char *what,
                                  double expected, const struct case_series *series)
{
    char quantity[VALIDATION_NAME_BYTES];
    // The crest is at the step after 1010 s, and back at the gauge before it after 1515 s.
    const size_t k = case_series_largest(series, 1200, 1900);
    snprintf(quantity, sizeof quantity, "%s, %s / incident", v->description, what);
    return validation_measure(run, &(struct validation_measure){.quantity = quantity,
                                                                .unit = "1",
                                                                .computed = k < series->count
                                                                                ? series->value[k] / height_m
                                                                                : (double)NAN,
                                                                .reference = expected,
                                                                .source = "Lamb (1932), section 176",
                                                                .tolerance = v->height_tolerance});
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
    struct cJSON *job = NULL;
    CHECK(write_inputs(run, v));
    enum status status = make_job(v, &job);
    if (status == STATUS_OK)
        status = case_job_run(run, job, v->name, NULL, NULL);
    cJSON_Delete(job);
    CHECK(status);
    CHECK(measure_gauges(run, v));
    snprintf(quantity, sizeof quantity, "%s, volume at the end", v->description);
    return tsunami_measure_volume(run, v->name, quantity);
}

enum status tsunami_case_step(struct validation_run *run)
{
    char text[VALIDATION_TEXT_BYTES / 2];
    for (int k = 0; k < VARIANTS; k++)
        CHECK(run_variant(run, &variants[k]));
    CHECK(case_run_describe(run, "x", text, sizeof text));
    validation_note(run, "plane, 500 km; 4000 to 1000 m over 4 km on nodes of 125 m, at once on 500 m; %s",
                    text);
    return STATUS_OK;
}
