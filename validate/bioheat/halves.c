// Two half spaces of different tissue with a blob of heat in each, far from the interface: the temperature in
// each half is the same as when its tissue fills the whole space.
#include "validate/bioheat/suites.h"
#include "validate/bioheat/tissue.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NX = 96, NY = 24, NZ = 24, CELLS = NX * NY * NZ };
static const double width_cells = 4;

// The whole space with the tissue of the left half, or of the right half; or both halves.
enum medium { LEFT, RIGHT, BOTH, MEDIA };
static const char *const names[MEDIA] = {"left", "right", "both"};

static enum status run_medium(struct validation_run *run, enum medium medium, double **theta_k)
{
    struct heat_job job;
    heat_job_new(&job, NZ, NY, NX, 1e-3);
    heat_job_add(&job, &job.label);
    job.tissues[1] = tissue_brain_perfused;
    job.tissues[2] = tissue_skull;
    job.tissue_count = 2;
    job.faces = "{\"all\": {\"kind\": \"insulated\"}}";
    job.step_s = 0.25;
    job.steps = 240;
    for (size_t cell = 0; cell < heat_job_cells(&job); cell++) {
        const double x = (double)(cell % NX) - 0.5 * (NX - 1), y = (double)(cell / NX % NY) - 11.2,
                     z = (double)(cell / NX / NY) - 11.6, across = y * y + z * z;
        const double left = exp(-(pow(x + 24, 2) + across) / (width_cells * width_cells)),
                     right = exp(-(pow(x - 24, 2) + across) / (width_cells * width_cells));
        job.theta_k[cell] = medium == LEFT ? left : medium == RIGHT ? right : left + right;
        job.label[cell] = medium == LEFT || (medium == BOTH && x < 0) ? 1 : 2;
    }
    const enum status status = heat_job_run(run, &job, names[medium]);
    *theta_k = job.theta_k;
    job.theta_k = NULL;
    heat_job_free(&job);
    return status;
}

static enum status measure(struct validation_run *run, double *const theta_k[MEDIA])
{
    for (int half = LEFT; half <= RIGHT; half++) {
        double worst = 0;
        for (size_t cell = 0; cell < CELLS; cell++)
            if ((cell % NX < NX / 2) == (half == LEFT))
                worst = heat_worst(worst, fabs(theta_k[BOTH][cell] - theta_k[half][cell]));
        CHECK(validation_compare(run, "half-spaces/difference", "K", "the uniform medium", worst, 0,
                                 "%s half: largest difference after 60 s, of 1 K",
                                 half == LEFT ? "brain" : "skull"));
    }
    return STATUS_OK;
}

enum status bioheat_case_halves(struct validation_run *run)
{
    double *theta_k[MEDIA] = {NULL};
    enum status status = STATUS_OK;
    for (int medium = 0; medium < MEDIA && status == STATUS_OK; medium++)
        status = run_medium(run, (enum medium)medium, &theta_k[medium]);
    if (status == STATUS_OK)
        status = measure(run, theta_k);
    for (int medium = 0; medium < MEDIA; medium++)
        free(theta_k[medium]);
    CHECK(status);
    return case_note(run, names[BOTH],
                     "96 x 24 x 24 cells of 1 mm, brain with perfusion and skull, blobs of 4 mm");
}
