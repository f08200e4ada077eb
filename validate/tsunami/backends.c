// The suite `backends`: runs the same job on a fast back end and on the plain reference, in every precision
// and with every method. The results of the whole run are read back from its files and compared node by node.
#include "models/tsunami/solver.h"

#include "core/statistics.h"
#include "validate/case_job.h"
#include "validate/tsunami/suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the two oceans

struct ocean {
    const char *name, *description;
    bool is_geographic;
    size_t nx, ny;
    double x0, y0, dx, dy;
    const char *job; // JSON
};

static const struct ocean sphere = {
    "sphere",
    "sphere, 40 to 60 N, 15 arcmin, islands, friction, open edges",
    true,
    150,
    80,
    150,
    40,
    0.25,
    0.25,
    "{\"fathom\": 1, \"model\": \"tsunami\", \"title\": \"Back ends, on the sphere\", \"domain\": "
    "{\"bathymetry\": {\"file\": \"sphere.nc\", \"variable\": \"depth\"}}, \"physics\": {\"manning_n\": "
    "0.03}, \"source\": {\"initial\": {\"file\": \"sphere.nc\", \"eta\": \"eta\"}}, \"time\": {\"duration\": "
    "\"2 h\", \"step\": \"30 s\"}, \"output\": {\"precision\": \"double\", \"fields\": {\"every\": \"1 h\", "
    "\"variables\": [\"eta\", \"u\", \"v\"]}}}"};

static const struct ocean plane = {
    "plane",
    "plane, 10 km, islands, rotation, walls and periodic edges",
    false,
    150,
    80,
    0,
    0,
    10e3,
    10e3,
    "{\"fathom\": 1, \"model\": \"tsunami\", \"title\": \"Back ends, on a plane\", \"domain\": "
    "{\"bathymetry\": {\"file\": \"plane.nc\", \"variable\": \"depth\"}, \"edges\": {\"west\": \"periodic\", "
    "\"east\": \"periodic\", \"south\": \"wall\", \"north\": \"wall\"}}, \"physics\": "
    "{\"coriolis_parameter\": \"1e-4 s-1\"}, \"source\": {\"initial\": {\"file\": \"plane.nc\", \"eta\": "
    "\"eta\"}}, \"time\": {\"duration\": \"2 h\", \"step\": \"30 s\"}, \"output\": {\"precision\": "
    "\"double\", \"fields\": {\"every\": \"1 h\", \"variables\": [\"eta\", \"u\", \"v\"]}}}"};

// A Gaussian bell. Its centre (at_x, at_y) is given in fractions of the ocean's length and width, `width` in
// fractions of the length.
static double bell(const struct ocean *o, double x, double y, double at_x, double at_y, double width)
{
    const double across = (x - o->x0) / (o->dx * (double)o->nx) - at_x,
                 along = ((y - o->y0) / (o->dy * (double)o->ny) - at_y) * (double)o->ny / (double)o->nx;
    return exp(-(across * across + along * along) / (width * width));
}

// Variable 0, depth: 3000 to 5500 m without symmetry, and three islands. Variable 1, η: a hump and a hollow.
static double value(const void *context, int variable, double x, double y)
{
    const struct ocean *o = context;
    const double i = (x - o->x0) / o->dx, j = (y - o->y0) / o->dy;
    if (variable == 1)
        return 4 * bell(o, x, y, 0.35, 0.55, 0.05) - 3 * bell(o, x, y, 0.8, 0.25, 0.04);
    const double sea = 4200 + 800 * sin(0.11 * i + 0.3) * cos(0.17 * j) + 500 * sin(0.05 * i - 0.13 * j);
    return sea - 9000 * (bell(o, x, y, 0.55, 0.5, 0.06) + bell(o, x, y, 0.2, 0.2, 0.05) +
                         bell(o, x, y, 0.9, 0.8, 0.05));
}

static enum status write_ocean(const struct validation_run *run, const struct ocean *o)
{
    char name[32];
    const struct case_grid grid = {.is_geographic = o->is_geographic,
                                   .x = {o->nx, o->x0, o->dx},
                                   .y = {o->ny, o->y0, o->dy},
                                   .variable_count = 2,
                                   .variables = {{"depth", "m", "down"}, {"eta", "m", NULL}},
                                   .context = o,
                                   .value = value};
    snprintf(name, sizeof name, "%s.nc", o->name);
    return case_write_grid(run, name, &grid);
}

// ---- the runs

static enum status run_variant(struct validation_run *run, const struct ocean *o, const char *name,
                               const char *backend, const char *precision, const char *method)
{
    struct case_job job = case_job_parse(o->job);
    case_job_set(&job, "method", "\"%s\"", method);
    return case_job_run_once(run, &job, name, backend, precision);
}

// Largest |a − b| of a variable; NaN if a value is missing in one only.
static enum status largest_difference(const struct validation_run *run, const char *name,
                                      const char *reference, const char *file, const char *variable,
                                      double *largest)
{
    double *a = NULL, *b = NULL;
    size_t shape_a[4], shape_b[4], count = 1;
    enum status status = case_read_variable(run, name, file, variable, &a, shape_a);
    if (status == STATUS_OK)
        status = case_read_variable(run, reference, file, variable, &b, shape_b);
    if (status == STATUS_OK && memcmp(shape_a, shape_b, sizeof shape_a) != 0)
        status = FAIL(STATUS_DATA, "%s: its shapes in %s and %s differ", variable, name, reference);
    if (status == STATUS_OK) {
        struct difference difference = {0};
        for (int k = 0; k < 4; k++)
            count *= shape_a[k] > 0 ? shape_a[k] : 1;
        difference_add_f64(&difference, b, a, count);
        *largest = difference.mismatched > 0 || difference.compared == 0 ? (double)NAN : difference.max_abs;
    }
    free(a);
    free(b);
    return status;
}

static enum status measure_variant(struct validation_run *run, const char *name, const char *reference,
                                   const char *precision, const char *method)
{
    static const struct {
        const char *what, *file, *variables[2], *unit;
    } quantities[] = {
        {"elevation", "fields.nc", {"eta", NULL}, "m"},
        {"velocity", "fields.nc", {"u", "v"}, "m/s"},
        {"maximum", "maxima.nc", {"max_eta", NULL}, "m"},
    };
    for (size_t q = 0; q < sizeof quantities / sizeof *quantities; q++) {
        double worst = 0;
        for (int v = 0; v < 2 && quantities[q].variables[v]; v++) {
            double largest;
            CHECK(largest_difference(run, name, reference, quantities[q].file, quantities[q].variables[v],
                                     &largest));
            worst = isnan(largest) || isnan(worst) ? (double)NAN : fmax(worst, largest);
        }
        char tolerance[VALIDATION_NAME_BYTES];
        snprintf(tolerance, sizeof tolerance, "%s/%s", precision, quantities[q].what);
        CHECK(validation_compare(run, tolerance, quantities[q].unit, "difference from the reference back end",
                                 worst, 0, "%s, %s: %s, worst node", precision, method, quantities[q].what));
    }
    return STATUS_OK;
}

// ---- which back end

static enum status run_backend(struct validation_run *run, const struct ocean *o)
{
    static const char *const methods[] = {"vtcs2-o2", "vtcs2"};
    const struct backend *found;
    const char *backend;
    char text[VALIDATION_TEXT_BYTES / 2] = "";
    CHECK(case_backend_chosen(run, &tsunami_backends, &backend, &found));
    if (!found)
        return STATUS_OK;
    CHECK(write_ocean(run, o));
    for (int m = 0; m < 2; m++) {
        char reference[64];
        snprintf(reference, sizeof reference, "reference-%s", methods[m]);
        CHECK(run_variant(run, o, reference, "reference", "double", methods[m]));
        for (const char *const *precision = case_precisions(run); *precision; precision++) {
            char variant[64];
            snprintf(variant, sizeof variant, "%s-%s", *precision, methods[m]);
            CHECK(run_variant(run, o, variant, backend, *precision, methods[m]));
            CHECK(measure_variant(run, variant, reference, *precision, methods[m]));
            CHECK(case_run_describe(run, variant, text, sizeof text));
        }
    }
    validation_note(run, "%s, %zu x %zu nodes; last: %s", o->description, o->nx, o->ny, text);
    return STATUS_OK;
}

static enum status run_sphere(struct validation_run *run)
{
    return run_backend(run, &sphere);
}

static enum status run_plane(struct validation_run *run)
{
    return run_backend(run, &plane);
}

static const char source[] =
    "the same jobs on the reference back end: plain, serial, written from the equations";

static const struct validation_case cases[] = {
    {"openmp-sphere", "processor cores, on the sphere: each precision and method", source,
     .backend = "openmp", .run = run_sphere},
    {"openmp-plane", "processor cores, on a plane: each precision and method", source, .backend = "openmp",
     .run = run_plane},
    {"cuda-sphere", "NVIDIA GPU, on the sphere: each precision and method", source, .backend = "cuda",
     .run = run_sphere},
    {"cuda-plane", "NVIDIA GPU, on a plane: each precision and method", source, .backend = "cuda",
     .run = run_plane},
};

const struct validation_suite tsunami_backends_suite = {"backends",
                                                        "every fast back end against the plain reference",
                                                        cases, sizeof cases / sizeof *cases, false};
