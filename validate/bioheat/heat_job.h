// Heat jobs of the validation: a box of cells with what a case fills in, written as netCDF, run as a user
// would run it, and its state at the end read back. Uses the heat model's keys and files, and no closed form.
#ifndef FATHOM_VALIDATE_BIOHEAT_HEAT_JOB_H
#define FATHOM_VALIDATE_BIOHEAT_HEAT_JOB_H

#include "validate/case_job.h"

enum { HEAT_JOB_TISSUES_MAX = 8 };

struct heat_job_tissue {
    double density_kg_m3, specific_heat_j_kg_k, conductivity_w_m_k, perfusion_w_m3_k;
};

// Arrays are [z][y][x] doubles, owned, of all cells; cell i's middle lies at (i + ½)·spacing. Uniform without
// labels and fields, of tissues[1]. tissues[0] is VOID where labels are 0.
struct heat_job {
    size_t cells[3]; // z, y, x
    double spacing_m[3];
    struct heat_job_tissue tissues[HEAT_JOB_TISSUES_MAX];
    int tissue_count;     // labels 1 … tissue_count
    double *label;        // or NULL
    double *conductivity; // or NULL; then density, specific heat and perfusion of tissues[1] hold throughout
    double *theta_k, *source_w_m3; // rise above 37 °C at the start; heating (NULL: none)
    double *velocity_m_s;          // along x, or NULL
    const char *faces;             // JSON of domain.faces
    const char *method, *dose;     // NULL: the job's defaults
    const char *source;            // JSON in place of source_w_m3
    const char *backend;           // NULL: the user's
    const char *precision;         // NULL: double
    double step_s, arterial_c;     // arterial 0: 37 °C
    int64_t steps;
    enum status status; // STATUS_SYSTEM: there was not enough memory; then there are no cells either
};

// θ = 0, one tissue, cells of one spacing along all axes. A failure stays in job->status, which the run
// returns. Free with heat_job_free.
void heat_job_new(struct heat_job *job, size_t nz, size_t ny, size_t nx, double spacing_m);
void heat_job_free(struct heat_job *job);
// One more array of all cells, 0: one of the job's own.
void heat_job_add(struct heat_job *job, double **array);

size_t heat_job_cells(const struct heat_job *job);
// Middle of a cell, m.
void heat_job_place(const struct heat_job *job, size_t cell, double at_m[3]);
// Largest step that is stable in all of its tissues, by the sum over axes of 16 D/3h² + P ≤ 2/Δt for the
// largest D, P.
double heat_job_limit_s(const struct heat_job *job);

// Runs it under `name`: inputs and results in the case's folder. theta_k is then the rise at the end.
enum status heat_job_run(struct validation_run *run, struct heat_job *job, const char *name);
// The same; then the largest |error|, K. Frees the job.
typedef double heat_error(const void *context, const double at_m[3], double rise_k); // rise − exact
enum status heat_job_error(struct validation_run *run, struct heat_job *job, const char *name,
                           heat_error *error, const void *context, double *largest_k);
// A variable of [cells] of one of its results ("maxima.nc", "dose"); free. STATUS_DATA if it has another
// length.
enum status heat_job_read(const struct validation_run *run, const struct heat_job *job, const char *name,
                          const char *file, const char *variable, double **values);

// The larger, a NaN staying.
double heat_worst(double worst, double error);

#endif
