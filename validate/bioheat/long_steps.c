// Method rkl2 where others have figures of their own: two half spaces with perfusion at k-Wave's own step,
// and three layers under a source of 30 s, whose error is that of the interfaces as much as of the step.
#include "validate/bioheat/suites.h"
#include "validate/bioheat/tissue.h"
#include "validate/closed/heat_gaussian.h"

#include <math.h>
#include <stdlib.h>

// ---- half spaces

enum { HALVES = 256 };
static const double halves_spacing_m = 0.5e-3, duration_s = 50;
static const double first_m = -0.033, second_m = 0.031, source_m = 0.03;

static double place_m(size_t cell)
{
    return ((double)cell - HALVES / 2.0) * halves_spacing_m;
}

static struct heat_gaussian gaussian_of(const struct heat_job_tissue *tissue, double amplitude,
                                        double width_m)
{
    const double capacity = tissue_capacity_j_m3_k(tissue);
    return (struct heat_gaussian){.amplitude_k = amplitude,
                                  .width_m = width_m,
                                  .diffusivity_m2_s = tissue->conductivity_w_m_k / capacity,
                                  .perfusion_per_s = tissue->perfusion_w_m3_k / capacity,
                                  .dimensions = 1};
}

// The source's part by Simpson's rule over the times at which it heated.
static double exact_k(const struct heat_job *job, size_t cell, bool has_source)
{
    enum { PARTS = 400 };
    const double x = place_m(cell);
    const struct heat_job_tissue *tissue = &job->tissues[x > 0 ? 2 : 1];
    const struct heat_gaussian start = gaussian_of(tissue, 1, 2e-3),
                               source = gaussian_of(tissue, 1e5 / tissue_capacity_j_m3_k(tissue), 3e-3);
    double rise_k = heat_gaussian_k(&start, fabs(x - (x > 0 ? second_m : first_m)), duration_s);
    for (int n = 0; n <= PARTS && has_source && x > 0; n++)
        rise_k += heat_gaussian_k(&source, fabs(x - source_m), duration_s * n / PARTS) * duration_s / PARTS /
                  3 *
                  (n == 0 || n == PARTS ? 1
                   : n % 2              ? 4
                                        : 2);
    return rise_k;
}

static enum status measure_halves(struct validation_run *run, bool has_source)
{
    static const double blood_j_m3_k = 1060.0 * 3617;
    struct heat_job job;
    double worst = 0;
    heat_job_new(&job, 1, 1, HALVES, halves_spacing_m);
    heat_job_add(&job, &job.label);
    if (has_source)
        heat_job_add(&job, &job.source_w_m3);
    job.tissue_count = 2;
    job.tissues[1] = (struct heat_job_tissue){1079, 3540, 0.52, 0.01 * blood_j_m3_k};
    job.tissues[2] = (struct heat_job_tissue){1200, 4000, 0.13, 0.05 * blood_j_m3_k};
    job.faces = "{\"all\": {\"kind\": \"insulated\"}}";
    job.method = "rkl2";
    job.step_s = 0.5;
    job.steps = 100;
    for (size_t cell = 0; cell < heat_job_cells(&job); cell++) {
        const double x = place_m(cell);
        job.label[cell] = x > 0 ? 2 : 1;
        job.theta_k[cell] = exp(-pow((x - first_m) / 2e-3, 2)) + exp(-pow((x - second_m) / 2e-3, 2));
        if (has_source)
            job.source_w_m3[cell] = 1e5 * exp(-pow((x - source_m) / 3e-3, 2));
    }
    const enum status status = heat_job_run(run, &job, has_source ? "source" : "start");
    for (size_t cell = 0; cell < heat_job_cells(&job) && status == STATUS_OK; cell++)
        worst = heat_worst(worst, fabs(job.theta_k[cell] - exact_k(&job, cell, has_source)));
    heat_job_free(&job);
    CHECK(status);
    return validation_compare(
        run, "long-steps/half-spaces", "K", "the exact solution of each half's own medium", worst, 0,
        "100 steps of 0.5 s, %s: largest error, of 1 K", has_source ? "with a source" : "without a source");
}

// ---- three layers

enum { LAYERS = 48, FINE = 16 };

// Rise at the middles of the cells of 1 mm after 30 s of heating.
static enum status run_layers(struct validation_run *run, size_t ratio, const char *name, double step_s,
                              double rise_k[LAYERS])
{
    struct heat_job job;
    heat_job_new(&job, 1, 1, LAYERS * ratio, 1e-3 / (double)ratio);
    heat_job_add(&job, &job.label);
    heat_job_add(&job, &job.source_w_m3);
    tissue_set_head(&job, &tissue_brain_perfused);
    job.faces =
        "{\"all\": {\"kind\": \"insulated\"}, \"x_low\": {\"kind\": \"convective\", \"transfer\": \"12 "
        "W m-2 K-1\", \"outside\": \"22 degC\"}}";
    job.method = "rkl2";
    job.step_s = step_s;
    job.steps = (int64_t)lround(30 / step_s);
    for (size_t cell = 0; cell < heat_job_cells(&job); cell++) {
        const size_t mm = cell / ratio;
        job.label[cell] = mm < 6 ? 1 : mm < 13 ? 2 : 3;
        job.source_w_m3[cell] = mm < 6 ? 1.5e5 : mm < 13 ? 1e6 : 2e5;
    }
    const enum status status = heat_job_run(run, &job, name);
    for (size_t i = 0; i < LAYERS && status == STATUS_OK; i++) {
        const double *at = job.theta_k + i * ratio + ratio / 2;
        rise_k[i] = ratio == 1 ? *at : (9 * (at[-1] + at[0]) - at[-2] - at[1]) / 16;
    }
    heat_job_free(&job);
    return status;
}

static enum status measure_layers(struct validation_run *run)
{
    static const struct {
        const char *name;
        double step_s;
    } runs[] = {{"layers-2", 2}, {"layers-5", 5}};
    double exact[LAYERS], rise_k[LAYERS];
    CHECK(run_layers(run, FINE, "layers-fine", 0.25, exact));
    for (size_t n = 0; n < sizeof runs / sizeof *runs; n++) {
        double worst = 0;
        CHECK(run_layers(run, 1, runs[n].name, runs[n].step_s, rise_k));
        for (size_t i = 0; i < LAYERS; i++)
            worst = heat_worst(worst, fabs(rise_k[i] - exact[i]));
        CHECK(validation_compare(run, "long-steps/layers", "K", "the same on 1/16 mm, steps of 0.25 s", worst,
                                 0, "three layers, 1 mm, steps of %g s: largest error after 30 s of heating",
                                 runs[n].step_s));
    }
    return STATUS_OK;
}

enum status bioheat_case_long_steps(struct validation_run *run)
{
    CHECK(measure_halves(run, false));
    CHECK(measure_halves(run, true));
    CHECK(measure_layers(run));
    return case_note(
        run, "layers-2",
        "half spaces of 64 mm at 0.5 mm; skin 6 mm, skull 7 mm, brain with perfusion 35 mm at 1 mm");
}
