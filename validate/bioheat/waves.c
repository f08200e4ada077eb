// Plane waves in a periodic box of one tissue with perfusion and a source of the same waves: each wave's
// amplitude is known after every step, from the discrete operator's own wavenumber.
#include "validate/bioheat/suites.h"
#include "validate/bioheat/tissue.h"
#include "validate/closed/heat_modes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double two_pi = 6.28318530717958647693;

enum { WAVES = 4, ORDERS = 3 };
struct wave {
    int periods[3]; // along z, y, x
    double amplitude_k, phase, source_k_s;
};
static const struct wave waves[WAVES] = {{{1, 1, 1}, 5, 0.3, 0.02},
                                         {{2, -3, 1}, 2, 1.1, -0.05},
                                         {{-4, 7, 2}, 1, 2.3, 0.4},
                                         {{0, 0, 0}, 0.5, 0.9, 0.01}};

static struct heat_mode mode_of(const struct heat_job *job, const struct wave *wave)
{
    const double capacity = tissue_capacity_j_m3_k(&job->tissues[1]);
    struct heat_mode mode = {.diffusivity_m2_s = job->tissues[1].conductivity_w_m_k / capacity,
                             .perfusion_per_s = job->tissues[1].perfusion_w_m3_k / capacity};
    for (int axis = 0; axis < 3; axis++)
        if (job->cells[axis] > 1)
            mode.wave_number_rad_m[axis] =
                two_pi * wave->periods[axis] / ((double)job->cells[axis] * job->spacing_m[axis]);
    return mode;
}

static double shape(const struct heat_job *job, const struct wave *wave, size_t cell)
{
    const struct heat_mode mode = mode_of(job, wave);
    double at[3], phase = wave->phase;
    heat_job_place(job, cell, at);
    for (int axis = 0; axis < 3; axis++)
        phase += mode.wave_number_rad_m[axis] * at[axis];
    return sin(phase);
}

static double discrete_rate(const struct heat_job *job, const struct wave *wave)
{
    const struct heat_mode mode = mode_of(job, wave);
    double spacing[3];
    for (int axis = 0; axis < 3; axis++)
        spacing[axis] = job->cells[axis] > 1 ? job->spacing_m[axis] : 0;
    return heat_mode_discrete_rate_per_s(&mode, spacing);
}

static void add_waves(struct heat_job *job, int count)
{
    job->tissues[1] = tissue_brain_perfused;
    heat_job_add(job, &job->source_w_m3);
    for (size_t cell = 0; cell < heat_job_cells(job); cell++)
        for (int n = 0; n < count; n++) {
            job->theta_k[cell] += waves[n].amplitude_k * shape(job, &waves[n], cell);
            job->source_w_m3[cell] +=
                waves[n].source_k_s * tissue_capacity_j_m3_k(&job->tissues[1]) * shape(job, &waves[n], cell);
        }
}

// Largest difference from the sum of waves of these amplitudes.
static double largest_error(const struct heat_job *job, int count, const double amplitudes_k[WAVES])
{
    double worst = 0;
    for (size_t cell = 0; cell < heat_job_cells(job); cell++) {
        double expected = 0;
        for (int n = 0; n < count; n++)
            expected += amplitudes_k[n] * shape(job, &waves[n], cell);
        worst = heat_worst(worst, fabs(job->theta_k[cell] - expected));
    }
    return worst;
}

static enum status run_box(struct validation_run *run, struct heat_job *job, const char *name, int count,
                           bool is_euler, double *error_k)
{
    double amplitudes[WAVES];
    CHECK(heat_job_run(run, job, name));
    for (int n = 0; n < count; n++) {
        const double rate = discrete_rate(job, &waves[n]);
        amplitudes[n] = is_euler ? heat_mode_after_euler(rate, waves[n].amplitude_k, waves[n].source_k_s,
                                                         job->step_s, job->steps)
                                 : heat_mode_after(rate, waves[n].amplitude_k, waves[n].source_k_s,
                                                   job->step_s * (double)job->steps);
    }
    *error_k = largest_error(job, count, amplitudes);
    return STATUS_OK;
}

// In space: 3-D, unequal spacings, the longest step; after 200 of them every cell has the value given by the
// factors.
static enum status measure_factor(struct validation_run *run, const char *precision)
{
    struct heat_job job;
    char name[32], tolerance[VALIDATION_NAME_BYTES];
    double error = NAN;
    snprintf(name, sizeof name, "waves-%s", precision);
    heat_job_new(&job, 18, 24, 30, 1e-3);
    job.spacing_m[1] = 1.5e-3;
    job.spacing_m[2] = 0.8e-3;
    add_waves(&job, WAVES);
    job.precision = precision;
    job.step_s = 0.98 * heat_job_limit_s(&job);
    job.steps = 200;
    const enum status status = run_box(run, &job, name, WAVES, true, &error);
    heat_job_free(&job);
    CHECK(status);
    snprintf(tolerance, sizeof tolerance, "periodic-waves/factor-%s", precision);
    return validation_compare(run, tolerance, "K", "explicit Euler's factor of each wave", error, 0,
                              "%s: largest error after 200 steps, of 8.5 K", precision);
}

static enum status measure_semi_discrete(struct validation_run *run)
{
    struct heat_job job;
    double error = NAN;
    heat_job_new(&job, 1, 12, 12, 1e-3);
    add_waves(&job, 1);
    job.steps = 10000;
    job.step_s = 0.1 / discrete_rate(&job, &waves[0]) / (double)job.steps;
    const enum status status = run_box(run, &job, "waves-short", 1, false, &error);
    heat_job_free(&job);
    CHECK(status);
    return validation_compare(run, "periodic-waves/semi-discrete", "1",
                              "exact in time, with the discrete operator's wavenumber",
                              error / waves[0].amplitude_k, 0, "short steps: largest error / amplitude");
}

static enum status measure_order(struct validation_run *run)
{
    double error[ORDERS], step[ORDERS];
    struct validation_picture *picture;
    for (int k = 0; k < ORDERS; k++) {
        struct heat_job job;
        char name[32];
        snprintf(name, sizeof name, "waves-step-%d", k);
        heat_job_new(&job, 1, 24, 24, 1e-3);
        add_waves(&job, 2);
        step[k] = job.step_s = 0.9 * heat_job_limit_s(&job) / (1 << k);
        job.steps = 32 << k;
        const enum status status = run_box(run, &job, name, 2, false, &error[k]);
        heat_job_free(&job);
        CHECK(status);
    }
    for (int k = 1; k < ORDERS; k++) {
        CHECK(validation_compare(run, "periodic-waves/order-in-time", "1", "explicit Euler's order",
                                 log2(error[k - 1] / error[k]), 1, "order in time, steps of %.3g s to %.3g s",
                                 step[k - 1], step[k]));
    }
    CHECK(validation_picture(run, "Error over the step", "step (s)", "largest error (K)",
                             "Waves of 5 and 2 K at a fixed spacing, against the semi-discrete solution.",
                             &picture));
    picture->is_logarithmic = true;
    return validation_line(run, picture, "euler", false, step, error, ORDERS);
}

enum status bioheat_case_waves(struct validation_run *run)
{
    if (case_precision_is_chosen(run, "double")) {
        CHECK(measure_semi_discrete(run));
        CHECK(measure_order(run));
    }
    for (const char *const *precision = case_precisions(run); *precision; precision++) {
        char name[32];
        CHECK(measure_factor(run, *precision));
        snprintf(name, sizeof name, "waves-%s", *precision);
        CHECK(case_note(run, name, "18 x 24 x 30 cells of 1 x 1.5 x 0.8 mm, brain"));
    }
    return STATUS_OK;
}
