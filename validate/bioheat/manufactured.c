// Manufactured steady solutions: the heating is chosen so that a known temperature is steady. The steady
// state of the scheme differs from this temperature by the error in space. Perfusion makes the transient
// decay fast.
#include "validate/closed/manufactured.h"
#include "validate/bioheat/suites.h"
#include "validate/bioheat/tissue.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { GRIDS = 3 };
static const struct heat_job_tissue medium = {1000, 3600, 0.5, 4e4};
static const double length_m = 0.03;

// Number of steps after which the transient has decayed by a factor e^(−times).
static int64_t steps_to_rest(const struct heat_job *job, double times)
{
    return (int64_t)ceil(times * tissue_capacity_j_m3_k(&medium) / medium.perfusion_w_m3_k / job->step_s);
}

// ---- smooth

struct smooth {
    const char *name, *what;
    size_t cells[3]; // of the coarsest grid
    double variation;
    bool is_insulated;
};

static double smooth_error_k(const void *context, const double at_m[3], double rise_k)
{
    return rise_k - manufactured_k(context, at_m);
}

static enum status run_smooth(struct validation_run *run, const struct smooth *smooth, int fine,
                              double *error_k)
{
    size_t cells[3];
    char name[64];
    struct heat_job job;
    struct manufactured solution = {.is_insulated = smooth->is_insulated,
                                    .conductivity_w_m_k = medium.conductivity_w_m_k,
                                    .variation = smooth->variation,
                                    .amplitude_k = 5,
                                    .perfusion_w_m3_k = medium.perfusion_w_m3_k};
    for (int axis = 0; axis < 3; axis++) {
        cells[axis] = smooth->cells[axis] > 1 ? smooth->cells[axis] << fine : 1;
        solution.length_m[axis] = cells[axis] > 1 ? length_m : 0;
    }
    snprintf(name, sizeof name, "%s-%d", smooth->name, fine);
    heat_job_new(&job, cells[0], cells[1], cells[2], length_m / (double)cells[2]);
    job.spacing_m[0] = length_m / (double)cells[0]; // if there is one cell along z: its thickness
    heat_job_add(&job, &job.source_w_m3);
    if (smooth->variation != 0)
        heat_job_add(&job, &job.conductivity);
    for (size_t cell = 0; cell < heat_job_cells(&job); cell++) {
        double at[3];
        heat_job_place(&job, cell, at);
        job.theta_k[cell] = manufactured_k(&solution, at); // start near the steady state
        job.source_w_m3[cell] = manufactured_source_w_m3(&solution, at);
        if (job.conductivity)
            job.conductivity[cell] = manufactured_conductivity_w_m_k(&solution, at);
    }
    job.tissues[1] = medium;
    job.tissues[1].conductivity_w_m_k *= 1 + smooth->variation;
    job.step_s = 0.75 * heat_job_limit_s(&job);
    job.tissues[1] = medium;
    job.steps = steps_to_rest(&job, 15);
    if (smooth->is_insulated)
        job.faces = "{\"all\": {\"kind\": \"insulated\"}}";
    return heat_job_error(run, &job, name, smooth_error_k, &solution, error_k);
}

static enum status measure_smooth(struct validation_run *run, const struct smooth *smooth, int grids,
                                  struct validation_picture *picture)
{
    double error[GRIDS], spacing_mm[GRIDS];
    for (int k = 0; k < grids; k++) {
        CHECK(run_smooth(run, smooth, k, &error[k]));
        spacing_mm[k] = length_m * 1e3 / (double)(smooth->cells[2] << k);
    }
    for (int k = 1; k < grids; k++) {
        CHECK(validation_compare(run, "manufactured/order", "1", "order of the scheme",
                                 log2(error[k - 1] / error[k]), 4, "%s: order, %.3g to %.3g mm", smooth->what,
                                 spacing_mm[k - 1], spacing_mm[k]));
    }
    return validation_line(run, picture, smooth->what, false, spacing_mm, error, (size_t)grids);
}

enum status bioheat_case_manufactured(struct validation_run *run)
{
    static const struct smooth uniform = {"uniform", "uniform, 3-D", {10, 10, 10}, 0, false},
                               plane = {"plane", "fields, plane, insulated", {1, 10, 10}, 0.3, true},
                               solid = {"solid", "fields, 3-D", {12, 12, 12}, 0.15, false};
    struct validation_picture *picture;
    CHECK(validation_picture(
        run, "Error over the spacing", "spacing (mm)", "largest error (K)",
        "Steady waves of 5 K. Fields: the conductivity varies by 30 % (plane) or 15 % (3-D).", &picture));
    picture->is_logarithmic = true;
    CHECK(measure_smooth(run, &uniform, 2, picture));
    CHECK(measure_smooth(run, &plane, 3, picture));
    CHECK(measure_smooth(run, &solid, 2, picture));
    return case_note(run, "solid-1", "cubes and squares of 30 mm, 10 to 40 cells a side");
}

// ---- interfaces between tissues

struct layers {
    struct manufactured_layers solution;
    int axis;
};

static double layers_error_k(const void *context, const double at_m[3], double rise_k)
{
    const struct layers *layers = context;
    return rise_k - manufactured_layers_k(&layers->solution, at_m[layers->axis]);
}

static enum status run_interface(struct validation_run *run, int axis, size_t count, double *error_k)
{
    const struct layers layers = {{length_m, 0.51, 0.32, 5, medium.perfusion_w_m3_k}, axis};
    const struct manufactured_layers *solution = &layers.solution;
    const double h = length_m / (double)count;
    size_t cells[3] = {1, 1, 1};
    char name[64];
    struct heat_job job;
    cells[axis] = count;
    snprintf(name, sizeof name, "axis-%d-%zu", axis, count);
    heat_job_new(&job, cells[0], cells[1], cells[2], h);
    heat_job_add(&job, &job.label);
    heat_job_add(&job, &job.source_w_m3);
    job.tissue_count = 2;
    job.tissues[1] = job.tissues[2] = medium;
    job.tissues[1].conductivity_w_m_k = solution->outer_w_m_k;
    job.tissues[2].conductivity_w_m_k = solution->inner_w_m_k;
    job.tissues[2].density_kg_m3 = 900;
    for (size_t i = 0; i < heat_job_cells(&job); i++) {
        const double x = ((double)i + 0.5) * h;
        job.label[i] = manufactured_is_inner(solution, x) ? 2 : 1;
        job.source_w_m3[i] = manufactured_layers_source_w_m3(solution, x);
    }
    job.step_s = 0.8 * heat_job_limit_s(&job);
    job.steps = steps_to_rest(&job, 25);
    return heat_job_error(run, &job, name, layers_error_k, &layers, error_k);
}

enum status bioheat_case_interface(struct validation_run *run)
{
    static const char *const names[3] = {"z", "y", "x"};
    for (int axis = 0; axis < 3; axis++) {
        double error[GRIDS];
        const int grids = axis == 2 ? 3 : 2;
        for (int k = 0; k < grids; k++)
            CHECK(run_interface(run, axis, (size_t)(32 << k), &error[k]));
        for (int k = 1; k < grids; k++) {
            CHECK(validation_compare(run, "interface/order", "1", "order of the scheme at an interface",
                                     log2(error[k - 1] / error[k]), 2, "along %s: order, %d to %d cells",
                                     names[axis], 16 << k, 32 << k));
        }
    }
    return case_note(run, "axis-2-64", "30 mm of two tissues in alternating layers, 0.51 and 0.32 W/m/K");
}
