// The methods that hold one array. euler-in-place must give the bits of euler. For the colourings the
// cases show the difference from euler against the step, and the rates of decay over those of the
// operator.
#include "validate/bioheat/suites.h"
#include "validate/bioheat/tissue.h"
#include "validate/closed/heat_modes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 24, STEPS_MAX = 4 };
static const double spacing_m = 1e-3;

// ---- over the step

// Brain with perfusion, 20 s of heating at a focus of 3 mm; `part` of the longest step.
static enum status run_focus(struct validation_run *run, const char *method, int fine, struct heat_job *job)
{
    static const double time_s = 20, focus_m = 3e-3;
    char name[64];
    snprintf(name, sizeof name, "%s-%d", method, fine);
    heat_job_new(job, CELLS, CELLS, CELLS, spacing_m);
    job->tissues[1] = tissue_brain_perfused;
    heat_job_add(job, &job->source_w_m3);
    for (size_t cell = 0; cell < heat_job_cells(job); cell++) {
        double at[3], square = 0;
        heat_job_place(job, cell, at);
        for (int axis = 0; axis < 3; axis++)
            square += pow(at[axis] - 0.5 * CELLS * spacing_m, 2);
        job->source_w_m3[cell] = 2e6 * exp(-square / (focus_m * focus_m));
    }
    job->method = method;
    const double longest = 0.9 * heat_job_limit_s(job);
    job->steps = (int64_t)ceil(time_s / longest) << fine;
    job->step_s = time_s / (double)job->steps;
    return heat_job_run(run, job, name);
}

static enum status compare_with_euler(struct validation_run *run, const char *method, int fine,
                                      const struct heat_job *euler, double *difference_k)
{
    struct heat_job job;
    enum status status = run_focus(run, method, fine, &job);
    *difference_k = 0;
    for (size_t cell = 0; cell < heat_job_cells(euler) && status == STATUS_OK; cell++)
        *difference_k = heat_worst(*difference_k, fabs(job.theta_k[cell] - euler->theta_k[cell]));
    heat_job_free(&job);
    return status;
}

struct differences {
    double step_s[STEPS_MAX], in_place_k[STEPS_MAX], colour_k[STEPS_MAX], plain_k[STEPS_MAX];
};

static enum status measure_step(struct validation_run *run, int fine, struct differences *all)
{
    struct heat_job euler;
    enum status status = run_focus(run, "euler", fine, &euler);
    all->step_s[fine] = euler.step_s;
    if (status == STATUS_OK)
        status = compare_with_euler(run, "euler-in-place", fine, &euler, &all->in_place_k[fine]);
    if (status == STATUS_OK)
        status = compare_with_euler(run, "three-colour", fine, &euler, &all->colour_k[fine]);
    if (status == STATUS_OK)
        status = compare_with_euler(run, "source-three-colour", fine, &euler, &all->plain_k[fine]);
    heat_job_free(&euler);
    CHECK(status);
    CHECK(validation_compare(run, "colourings/in-place", "K", "the same bits", all->in_place_k[fine], 0,
                             "step %.3g s: euler-in-place - euler, largest", all->step_s[fine]));
    CHECK(validation_compare(run, "colourings/three-colour", "K", "method euler", all->colour_k[fine], 0,
                             "step %.3g s: three-colour - euler, largest", all->step_s[fine]));
    return validation_compare(run, NULL, "K", "method euler; not consistent", all->plain_k[fine], NAN,
                              "step %.3g s: source-three-colour - euler, largest", all->step_s[fine]);
}

enum status bioheat_case_colours(struct validation_run *run)
{
    struct differences all;
    struct validation_picture *picture;
    for (int fine = 0; fine < STEPS_MAX; fine++)
        CHECK(measure_step(run, fine, &all));
    CHECK(validation_compare(run, "colourings/order", "1", "both are of first order in time",
                             log2(all.colour_k[STEPS_MAX - 2] / all.colour_k[STEPS_MAX - 1]), 1,
                             "order of three-colour - euler, last two steps"));
    CHECK(validation_picture(run, "Difference from euler over the step", "step (s)", "largest difference (K)",
                             "20 s of heating at a focus of 3 mm in brain.", &picture));
    picture->is_logarithmic = true;
    CHECK(validation_line(run, picture, "three-colour", false, all.step_s, all.colour_k, STEPS_MAX));
    CHECK(validation_line(run, picture, "source-three-colour", false, all.step_s, all.plain_k, STEPS_MAX));
    return case_note(run, "euler-0", "24^3 cells of 1 mm, periodic; longest step");
}

// ---- rates of decay

// The rate of decay of the slowest wave along x, at μ = DΔt/h², over that of the discrete operator.
static enum status measured_factor(struct validation_run *run, const char *method, double mu,
                                   const char *name, double *factor)
{
    struct heat_job job;
    heat_job_new(&job, CELLS, CELLS, CELLS, spacing_m);
    const double diffusivity = tissue_brain.conductivity_w_m_k / tissue_capacity_j_m3_k(&tissue_brain);
    const double wave_number = 2 * 3.14159265358979323846 / (CELLS * spacing_m);
    const struct heat_mode mode = {diffusivity, 0, {0, 0, wave_number}};
    double product = 0, square = 0;
    job.tissues[1] = tissue_brain;
    job.method = method;
    job.step_s = mu * spacing_m * spacing_m / diffusivity;
    job.steps = 24;
    for (size_t cell = 0; cell < heat_job_cells(&job); cell++)
        job.theta_k[cell] = 5 * sin(wave_number * ((double)(cell % CELLS) + 0.5) * spacing_m);
    const enum status status = heat_job_run(run, &job, name);
    for (size_t cell = 0; cell < heat_job_cells(&job) && status == STATUS_OK; cell++) {
        const double shape = sin(wave_number * ((double)(cell % CELLS) + 0.5) * spacing_m);
        product += shape * job.theta_k[cell];
        square += shape * shape;
    }
    const double rate = -log(product / square / 5) / (job.step_s * (double)job.steps);
    *factor = rate / heat_mode_discrete_rate_per_s(&mode, job.spacing_m);
    heat_job_free(&job);
    return status;
}

enum status bioheat_case_factor(struct validation_run *run)
{
    static const double mus[] = {0.12, 0.0625, 0.03125}; // 1/8 is the limit itself
    for (int k = 0; k < 3; k++)
        for (int is_plain = 0; is_plain < 2; is_plain++) {
            const char *method = is_plain ? "source-three-colour" : "three-colour";
            char name[64];
            double factor;
            snprintf(name, sizeof name, "%s-%d", method, k);
            CHECK(measured_factor(run, method, mus[k], name, &factor));
            CHECK(validation_compare(run, "colour-factor/rate", "1",
                                     is_plain ? "1/(1 - 3.75 D dt/h2)" : "consistent", factor,
                                     is_plain ? 1 / (1 - 3.75 * mus[k]) : 1,
                                     "%s, D dt/h2 = %g: rate of decay / exact", method, mus[k]));
        }
    return case_note(run, "three-colour-0", "24^3 cells, one wave of 24 mm, 24 steps");
}
