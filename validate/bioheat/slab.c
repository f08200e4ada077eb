// Layers between two temperatures in steady state; two half spaces in contact. Both are 1-D: a row of cells
// along x, and along z, of which a cell has no more neighbours than that.
#include "validate/bioheat/suites.h"
#include "validate/bioheat/tissue.h"
#include "validate/closed/heat_slab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static enum status new_row(struct heat_job *job, int axis, size_t count, double spacing_m)
{
    size_t cells[3] = {1, 1, 1};
    cells[axis] = count;
    CHECK(heat_job_new(job, cells, (const double[]){spacing_m, spacing_m, spacing_m}));
    job->label = heat_job_array(job);
    job->tissue_count = 3;
    job->tissues[1] = tissue_skin;
    job->tissues[2] = tissue_skull;
    job->tissues[3] = tissue_brain;
    return job->label ? STATUS_OK : FAIL(STATUS_SYSTEM, "not enough memory for labels");
}

// ---- layers

enum { SLAB_CELLS = 24, FIRST_SKULL = 9, FIRST_BRAIN = 10 };
static const double slab_spacing_m = 1e-3;

static enum status measure_slab(struct validation_run *run, struct heat_job *job,
                                const struct heat_slab *slab, const char *where)
{
    char quantity[VALIDATION_NAME_BYTES];
    const double h = slab_spacing_m, *theta = job->theta_k;
    const double outer = tissue_skin.conductivity_w_m_k * (theta[7] - theta[8]) / h,
                 inner = tissue_brain.conductivity_w_m_k * (theta[10] - theta[11]) / h;
    double worst = 0;
    for (size_t i = 0; i < SLAB_CELLS; i++)
        worst = heat_worst(worst, fabs(theta[i] - heat_slab_k(slab, ((double)i + 0.5) * h)));
    snprintf(quantity, sizeof quantity, "along %s: flux before the skull / behind it, less 1", where);
    CHECK(validation_measure(run, &(struct validation_measure){.quantity = quantity,
                                                               .unit = "1",
                                                               .computed = outer / inner - 1,
                                                               .source = "one flux through all layers",
                                                               .tolerance = "layered-slab/equal-flux"}));
    snprintf(quantity, sizeof quantity, "along %s: flux", where);
    CHECK(validation_measure(run,
                             &(struct validation_measure){.quantity = quantity,
                                                          .unit = "W/m2",
                                                          .computed = inner,
                                                          .reference = heat_slab_flux_w_m2(slab),
                                                          .source = "range / sum of thickness/conductivity",
                                                          .tolerance = "layered-slab/flux"}));
    snprintf(quantity, sizeof quantity, "along %s: largest error of the profile / range", where);
    return validation_measure(run, &(struct validation_measure){.quantity = quantity,
                                                                .unit = "1",
                                                                .computed = worst / 15,
                                                                .source = "piecewise linear",
                                                                .tolerance = "layered-slab/profile"});
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
    enum status status = new_row(&job, axis, SLAB_CELLS, h);
    for (size_t i = 0; i < SLAB_CELLS && status == STATUS_OK; i++) {
        const bool is_kept = i < 2 || i + 2 >= SLAB_CELLS;
        job.label[i] = i < FIRST_SKULL ? 1 : i < FIRST_BRAIN ? 2 : 3;
        job.theta_k[i] = is_kept ? heat_slab_k(&slab, ((double)i + 0.5) * h) : 10;
    }
    job.faces = "{\"all\": {\"kind\": \"fixed\"}}";
    job.step_s = 0.9 * heat_job_limit_s(&job);
    job.steps = 15000;
    if (status == STATUS_OK)
        status = heat_job_run(run, &job, name);
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
    return heat_job_note(run, "slab-x", "24 cells of 1 mm: 9 of skin, 1 of skull, 14 of brain");
}

// ---- contact

enum { CONTACT_CELLS = 80 };

static enum status run_contact(struct validation_run *run, int fine, double *error_k)
{
    struct heat_job job;
    char name[32];
    const struct heat_contact contact = {
        {10, -2},
        {tissue_brain.conductivity_w_m_k, tissue_skin.conductivity_w_m_k},
        {tissue_capacity_j_m3_k(&tissue_brain), tissue_capacity_j_m3_k(&tissue_skin)}};
    const size_t count = (size_t)(CONTACT_CELLS << fine);
    const double h = 40e-3 / (double)count;
    snprintf(name, sizeof name, "contact-%d", fine);
    enum status status = new_row(&job, 2, count, h);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        job.label[i] = i < count / 2 ? 3 : 1;
        job.theta_k[i] = contact.theta_k[i >= count / 2];
    }
    job.tissue_count = 3;
    job.faces = "{\"all\": {\"kind\": \"insulated\"}}";
    job.steps = 800 << (2 * fine);
    job.step_s = 40.0 / (double)job.steps;
    if (status == STATUS_OK)
        status = heat_job_run(run, &job, name);
    *error_k = 0;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        *error_k = heat_worst(
            *error_k, fabs(job.theta_k[i] - heat_contact_k(&contact, ((double)i + 0.5) * h - 20e-3, 40)));
    heat_job_free(&job);
    return status;
}

enum status bioheat_case_contact(struct validation_run *run)
{
    double error[2];
    for (int fine = 0; fine < 2; fine++) {
        char quantity[VALIDATION_NAME_BYTES];
        CHECK(run_contact(run, fine, &error[fine]));
        snprintf(quantity, sizeof quantity, "largest error after 40 s at %g mm, of a jump of 12 K",
                 0.5 / (1 << fine));
        CHECK(validation_measure(run, &(struct validation_measure){.quantity = quantity,
                                                                   .unit = "K",
                                                                   .computed = error[fine],
                                                                   .source = "Carslaw & Jaeger (1959)",
                                                                   .tolerance = "contact/error"}));
    }
    CHECK(
        validation_measure(run, &(struct validation_measure){.quantity = "order, 0.5 to 0.25 mm",
                                                             .unit = "1",
                                                             .computed = log2(error[0] / error[1]),
                                                             .reference = 2,
                                                             .source = "order of the scheme at an interface",
                                                             .tolerance = "contact/order"}));
    return heat_job_note(run, "contact-1", "20 mm of brain at 47 degC, 20 mm of skin at 35 degC");
}
