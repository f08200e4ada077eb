// A Gaussian that spreads in tissue with perfusion: in space against the exact solution; in a plane, in short
// steps, against the semi-discrete one, in which each wave of its two profiles decays at its own discrete
// rate.
#include "validate/bioheat/suites.h"
#include "validate/bioheat/tissue.h"
#include "validate/closed/heat_gaussian.h"
#include "validate/closed/heat_modes.h"

#include <math.h>
#include <stdlib.h>

enum { CELLS = 48, PLANE = 40 };
static const double spacing_m = 1e-3;

static struct heat_gaussian gaussian_of(const struct heat_job *job, int dimensions)
{
    const double capacity = tissue_capacity_j_m3_k(&job->tissues[1]);
    return (struct heat_gaussian){.amplitude_k = 10,
                                  .width_m = 4e-3,
                                  .diffusivity_m2_s = job->tissues[1].conductivity_w_m_k / capacity,
                                  .perfusion_per_s = job->tissues[1].perfusion_w_m3_k / capacity,
                                  .dimensions = dimensions};
}

// Distance from a point that is not a cell centre.
static double distance_m(const struct heat_job *job, size_t cell)
{
    double at[3], square = 0;
    heat_job_place(job, cell, at);
    for (int axis = 0; axis < 3; axis++)
        if (job->cells[axis] > 1) {
            const double middle = 0.5 * (double)job->cells[axis] * spacing_m + 0.2e-3 * (1 + axis);
            square += (at[axis] - middle) * (at[axis] - middle);
        }
    return sqrt(square);
}

static void new_blob(struct heat_job *job, size_t nz, size_t ny, size_t nx)
{
    heat_job_new(job, nz, ny, nx, spacing_m);
    job->tissues[1] = tissue_brain_perfused;
    const struct heat_gaussian gaussian = gaussian_of(job, nz > 1 ? 3 : 2);
    for (size_t cell = 0; cell < heat_job_cells(job); cell++)
        job->theta_k[cell] = heat_gaussian_k(&gaussian, distance_m(job, cell), 0);
}

static enum status draw(struct validation_run *run, const struct heat_job *job,
                        const struct heat_gaussian *gaussian, double time_s)
{
    struct validation_picture *picture;
    double x_mm[CELLS], exact[CELLS], computed[CELLS];
    const size_t row = (CELLS / 2 * CELLS + CELLS / 2) * (size_t)CELLS;
    for (size_t i = 0; i < CELLS; i++) {
        x_mm[i] = ((double)i + 0.5) * spacing_m * 1e3;
        exact[i] = heat_gaussian_k(gaussian, distance_m(job, row + i), time_s);
        computed[i] = job->theta_k[row + i];
    }
    CHECK(validation_picture(run, "A row through the middle after 30 s", "x (mm)", "rise (K)",
                             "A Gaussian of 10 K and 4 mm at the start.", &picture));
    CHECK(validation_line(run, picture, "exact", true, x_mm, exact, CELLS));
    return validation_line(run, picture, "Fathom", false, x_mm, computed, CELLS);
}

static enum status measure_space(struct validation_run *run)
{
    struct heat_job job;
    double worst = 0;
    new_blob(&job, CELLS, CELLS, CELLS);
    const struct heat_gaussian gaussian = gaussian_of(&job, 3);
    job.step_s = 0.05;
    job.steps = 600;
    enum status status = heat_job_run(run, &job, "gaussian");
    if (status == STATUS_OK) {
        for (size_t cell = 0; cell < heat_job_cells(&job); cell++)
            worst = heat_worst(
                worst, fabs(job.theta_k[cell] - heat_gaussian_k(&gaussian, distance_m(&job, cell), 30)));
        status = draw(run, &job, &gaussian, 30);
    }
    heat_job_free(&job);
    CHECK(status);
    return validation_compare(run, "gaussian/exact", "K", "Carslaw & Jaeger (1959)", worst, 0,
                              "largest error after 30 s, of 10 K");
}

// One factor of the plane's Gaussian, along an axis.
static void profile(const struct heat_job *job, int axis, double time_s, double end[PLANE])
{
    const struct heat_gaussian line = {1, 4e-3, gaussian_of(job, 2).diffusivity_m2_s, 0, 1};
    const double middle = 0.5 * PLANE * spacing_m + 0.2e-3 * (1 + axis);
    double start[PLANE];
    for (size_t i = 0; i < PLANE; i++)
        start[i] = heat_gaussian_k(&line, ((double)i + 0.5) * spacing_m - middle, 0);
    heat_line_after(PLANE, spacing_m, line.diffusivity_m2_s, time_s, start, end);
}

static enum status measure_plane(struct validation_run *run)
{
    struct heat_job job;
    double along_y[PLANE], along_x[PLANE], worst = 0;
    new_blob(&job, 1, PLANE, PLANE);
    const struct heat_gaussian gaussian = gaussian_of(&job, 2);
    job.step_s = 2e-4;
    job.steps = 10000;
    const enum status status = heat_job_run(run, &job, "plane");
    if (status == STATUS_OK) {
        profile(&job, 1, 2, along_y);
        profile(&job, 2, 2, along_x);
        for (size_t cell = 0; cell < heat_job_cells(&job); cell++) {
            const double exact = gaussian.amplitude_k * exp(-2 * gaussian.perfusion_per_s) *
                                 along_y[cell / PLANE] * along_x[cell % PLANE];
            worst = heat_worst(worst, fabs(job.theta_k[cell] - exact));
        }
    }
    heat_job_free(&job);
    CHECK(status);
    return validation_compare(run, "gaussian/semi-discrete", "1",
                              "exact in time, with the discrete operator's wavenumbers",
                              worst / gaussian.amplitude_k, 0, "short steps: largest error / amplitude");
}

enum status bioheat_case_gaussian(struct validation_run *run)
{
    CHECK(measure_space(run));
    CHECK(measure_plane(run));
    return case_note(run, "gaussian", "48^3 cells of 1 mm, brain with perfusion; 40 x 40 in steps of 0.2 ms");
}
