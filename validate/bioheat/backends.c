// The same heat job on a fast back end and on the plain reference, with every method and in every precision:
// a body of three tissues in air, heated by a map, points and a box that pulse, cooled at a wall. Results of
// the whole run, read back from its files, are compared cell by cell.
#include "models/backend.h"
#include "models/bioheat/solver.h"
#include "validate/bioheat/suites.h"
#include "validate/bioheat/tissue.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS_Z = 30, CELLS_Y = 33, CELLS_X = 39, METHODS = 5 };
static const char *const methods[METHODS] = {"euler", "euler-in-place", "three-colour", "source-three-colour",
                                             "rkl2"};

// Distance from the body's middle, scaled so that it is 1 at the surface.
static double depth_of(const double at_m[3])
{
    const double z = (at_m[0] - 15e-3) / 13e-3, y = (at_m[1] - 16e-3) / 14e-3, x = (at_m[2] - 21e-3) / 17e-3;
    return sqrt(z * z + y * y + x * x);
}

static void new_body(struct heat_job *job)
{
    heat_job_new(job, CELLS_Z, CELLS_Y, CELLS_X, 1e-3);
    job->spacing_m[2] = 1.1e-3;
    heat_job_add(job, &job->label);
    heat_job_add(job, &job->source_w_m3);
    tissue_set_head(job, &tissue_brain_perfused);
    job->faces = "{\"all\": {\"kind\": \"insulated\"}, \"x_low\": {\"kind\": \"convective\", \"transfer\": "
                 "\"50 W m-2 K-1\", \"outside\": \"20 degC\"}, \"z_high\": {\"kind\": \"fixed\"}, \"y_low\": "
                 "{\"kind\": \"periodic\"}, \"y_high\": {\"kind\": \"periodic\"}}";
    for (size_t cell = 0; cell < heat_job_cells(job); cell++) {
        double at[3];
        heat_job_place(job, cell, at);
        const double depth = depth_of(at);
        job->label[cell] = depth < 0.7 ? 3 : depth < 0.85 ? 2 : depth < 1 || at[2] < 4e-3 ? 1 : 0;
        job->theta_k[cell] = 6 * exp(-depth * depth) * cos(4e2 * at[2]);
        job->source_w_m3[cell] = 4e6 * exp(-pow(depth / 0.3, 2)) + (job->label[cell] == 2 ? 5e5 : 0);
    }
    job->dose = "iso";
    job->steps = 30;
    job->step_s = 0.2;
}

struct outcome {
    double *rise_k, *dose_min, *largest_k;
};

static void free_outcome(struct outcome *outcome)
{
    free(outcome->rise_k);
    free(outcome->dose_min);
    free(outcome->largest_k);
    *outcome = (struct outcome){0};
}

static enum status run_body(struct validation_run *run, const char *name, const char *backend,
                            const char *method, const char *precision, struct outcome *outcome)
{
    static const char source[] =
        "{\"maps\": {\"focus\": {\"file\": \"%s.nc\", \"variable\": \"source\", \"amplitude\": \"pulses\"}}, "
        "\"protocols\": {\"pulses\": {\"on\": \"0.7 s\", \"levels\": [{\"period\": \"1.5 s\", \"count\": "
        "3}]}}, \"points\": {\"at\": [{\"x\": 12, \"y\": 20, \"z\": 11}, {\"x\": 30, \"y\": 9, \"z\": 17}], "
        "\"values\": [[4e6, -3e6], [6e6, 1e6]], \"units\": \"W m-3\", \"times\": [\"0 s\", \"4 s\"], "
        "\"after_end\": \"last\"}, \"boxes\": {\"at\": [{\"first\": {\"x\": 18, \"y\": 14, \"z\": 9}, "
        "\"last\": {\"x\": 25, \"y\": 19, \"z\": 20}}], \"values\": [[5e5]], \"units\": \"W m-3\", "
        "\"times\": [\"0 s\"], \"after_end\": \"last\"}}";
    struct heat_job job;
    char json[1024];
    snprintf(json, sizeof json, source, name);
    new_body(&job);
    job.source = json;
    job.method = method;
    job.precision = precision;
    job.backend = backend;
    enum status status = heat_job_run(run, &job, name);
    if (status == STATUS_OK)
        status = heat_job_read(run, &job, name, "state.nc", "dose", &outcome->dose_min);
    if (status == STATUS_OK)
        status = heat_job_read(run, &job, name, "state.nc", "largest_rise", &outcome->largest_k);
    if (status == STATUS_OK) {
        outcome->rise_k = job.theta_k;
        job.theta_k = NULL;
    }
    heat_job_free(&job);
    return status;
}

// is_relative: the difference is divided by the reference, or by 1e-3 if that is larger. It is 0 if both are
// infinite.
static double largest_difference(const double *values, const double *reference, bool is_relative)
{
    double worst = 0;
    for (size_t cell = 0; cell < CELLS_Z * CELLS_Y * CELLS_X; cell++) {
        if (isinf(values[cell]) && isinf(reference[cell]))
            continue;
        const double scale = is_relative ? fmax(fabs(reference[cell]), 1e-3) : 1;
        worst = heat_worst(worst, fabs(values[cell] - reference[cell]) / scale);
    }
    return worst;
}

static enum status measure_variant(struct validation_run *run, const char *method, const char *precision,
                                   const struct outcome *outcome, const struct outcome *reference)
{
    const struct {
        const char *what, *unit, *tolerance;
        double worst;
    } results[] = {
        {"rise", "K", "temperature", largest_difference(outcome->rise_k, reference->rise_k, false)},
        {"largest rise", "K", "temperature",
         largest_difference(outcome->largest_k, reference->largest_k, false)},
        {"dose, of itself and 1e-3 min at least", "1", "dose",
         largest_difference(outcome->dose_min, reference->dose_min, true)},
    };
    for (size_t k = 0; k < sizeof results / sizeof *results; k++) {
        char tolerance[VALIDATION_NAME_BYTES];
        snprintf(tolerance, sizeof tolerance, "backends/%s/%s", precision, results[k].tolerance);
        CHECK(validation_compare(run, tolerance, results[k].unit, "difference from the reference back end",
                                 results[k].worst, 0, "%s, %s: %s, worst cell", precision, method,
                                 results[k].what));
    }
    return STATUS_OK;
}

static enum status compare_method(struct validation_run *run, const char *backend, const char *method)
{
    struct outcome reference = {0};
    char name[64];
    snprintf(name, sizeof name, "reference-%s", method);
    enum status status = run_body(run, name, "reference", method, "double", &reference);
    for (const char *const *precision = case_precisions(run); *precision && status == STATUS_OK;
         precision++) {
        struct outcome outcome = {0};
        snprintf(name, sizeof name, "%s-%s", *precision, method);
        status = run_body(run, name, backend, method, *precision, &outcome);
        if (status == STATUS_OK)
            status = measure_variant(run, method, *precision, &outcome, &reference);
        free_outcome(&outcome);
        if (status == STATUS_OK)
            status = case_note(
                run, name, "30 x 33 x 39 cells, three tissues and air, all kinds of sides and sources; last");
    }
    free_outcome(&reference);
    return status;
}

enum status bioheat_case_backend(struct validation_run *run)
{
    const char *chosen;
    const struct backend *backend;
    CHECK(case_backend_chosen(run, &bioheat_backends, &chosen, &backend));
    for (int m = 0; m < METHODS && backend; m++)
        CHECK(compare_method(run, chosen, methods[m]));
    return STATUS_OK;
}
