// Layers between two temperatures in steady state: a row of cells along x, and along z.
#include "validate/bioheat/suites.h"
#include "validate/bioheat/tissue.h"
#include "validate/closed/heat_slab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SLAB_CELLS = 24, FIRST_SKULL = 9, FIRST_BRAIN = 10 };
static const double slab_spacing_m = 1e-3;

static enum status measure_slab(struct validation_run *run, struct heat_job *job,
                                const struct heat_slab *slab, const char *where)
{
    const double h = slab_spacing_m, *theta = job->theta_k;
    const double outer = tissue_skin.conductivity_w_m_k * (theta[7] - theta[8]) / h,
                 inner = tissue_brain.conductivity_w_m_k * (theta[10] - theta[11]) / h;
    double worst = 0;
    for (size_t i = 0; i < SLAB_CELLS; i++)
        worst = heat_worst(worst, fabs(theta[i] - heat_slab_k(slab, ((double)i + 0.5) * h)));
    CHECK(validation_compare(run, "layered-slab/equal-flux", "1", "one flux through all layers",
                             outer / inner - 1, 0, "along %s: flux before the skull / behind it, less 1",
                             where));
    CHECK(validation_compare(run, "layered-slab/flux", "W/m2", "range / sum of thickness/conductivity", inner,
                             heat_slab_flux_w_m2(slab), "along %s: flux", where));
    return validation_compare(run, "layered-slab/profile", "1", "piecewise linear", worst / 15, 0,
                              "along %s: largest error of the profile / range", where);
}

static enum status draw_slab(struct validation_run *run, const struct heat_job *job,
                             const struct heat_slab *slab)
{
    struct validation_picture *picture;
    double x_mm[SLAB_CELLS], exact[SLAB_CELLS];
    for (size_t i = 0; i < SLAB_CELLS; i++) {
        x_mm[i] = (double)i + 0.5;
        exact[i] = heat_slab_k(slab, x_mm[i] * slab_spacing_m);
    }
    CHECK(validation_picture(run, "Skin, skull, brain in steady state", "x (mm)",
                             "temperature above 37 degC (K)", "The skull is one cell thick, from 9 to 10 mm.",
                             &picture));
    CHECK(validation_line(run, picture, "exact", true, x_mm, exact, SLAB_CELLS));
    return validation_line(run, picture, "Fathom", false, x_mm, job->theta_k, SLAB_CELLS);
}

static enum status run_slab(struct validation_run *run, int axis, const char *where)
{
    struct heat_job job;
    char name[32];
    const double h = slab_spacing_m;
    const struct heat_slab slab = {
        3,
        {9 * h, 1 * h, 14 * h},
        {tissue_skin.conductivity_w_m_k, tissue_skull.conductivity_w_m_k, tissue_brain.conductivity_w_m_k},
        -12,
        3};
    snprintf(name, sizeof name, "slab-%s", where);
    heat_job_new(&job, axis == 0 ? SLAB_CELLS : 1, 1, axis == 2 ? SLAB_CELLS : 1, h);
    heat_job_add(&job, &job.label);
    tissue_set_head(&job, &tissue_brain);
    for (size_t i = 0; i < heat_job_cells(&job); i++) {
        const bool is_fixed = i < 2 || i + 2 >= SLAB_CELLS;
        job.label[i] = i < FIRST_SKULL ? 1 : i < FIRST_BRAIN ? 2 : 3;
        job.theta_k[i] = is_fixed ? heat_slab_k(&slab, ((double)i + 0.5) * h) : 10;
    }
    job.faces = "{\"all\": {\"kind\": \"fixed\"}}";
    job.step_s = 0.9 * heat_job_limit_s(&job);
    job.steps = 15000;
    enum status status = heat_job_run(run, &job, name);
    if (status == STATUS_OK)
        status = measure_slab(run, &job, &slab, where);
    if (status == STATUS_OK && axis == 2)
        status = draw_slab(run, &job, &slab);
    heat_job_free(&job);
    return status;
}

enum status bioheat_case_slab(struct validation_run *run)
{
    CHECK(run_slab(run, 2, "x"));
    CHECK(run_slab(run, 0, "z"));
    return case_note(run, "slab-x", "24 cells of 1 mm: 9 of skin, 1 of skull, 14 of brain");
}
