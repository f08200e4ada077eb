// Jobs of the gas that cases run: blocks as JSON text, steps, and what such jobs leave. Knows the model's
// keys; knows no closed form.
#ifndef FATHOM_VALIDATE_GAS_GAS_JOB_H
#define FATHOM_VALIDATE_GAS_GAS_JOB_H

#include "validate/body_case.h"

struct gas_job {
    const char *particles, *domain, *physics; // JSON of these blocks
    const char *method, *structure;           // NULL: left out
    double step;
    int64_t steps, every; // every: steps between two records of diagnostics
};

// Back end and precision: NULL = the user's, or else the job's.
enum status gas_job_run(struct validation_run *run, const struct gas_job *job, const char *name,
                        const char *backend, const char *precision);
// For jobs that are run otherwise.
struct case_job gas_job_new(const struct gas_job *job);

// Where the particles are, in JSON: of a file in the case's folder ("start.nc"), or of an earlier job's end
// ("melt/final.nc").
#define GAS_JOB_FILE(file) "{\"file\": {\"file\": \"" file "\"}}"

// A fluid of `count` Lennard-Jones particles at temperature 1, density 0.7, periodic, as it is when a lattice
// has melted under a Langevin thermostat: the job "melt", whose final.nc holds it. `potential`: its name.
enum status gas_job_melt(struct validation_run *run, int count, const char *potential, const char *precision);
#define GAS_JOB_MELT_DENSITY "{\"density\": 0.7, \"walls\": \"periodic\"}"

// The force on every particle of a file that body_set_write made, all of mass 1, read to force->velocity: by
// one step of symplectic Euler from rest, v = aΔt, Δt a power of two: exactly what the back end computed.
// `method`: JSON of that block's keys, without the integrator: "\"name\": \"cells\"".
struct gas_force {
    const char *file, *domain, *physics, *method, *backend, *precision;
};
enum status gas_job_run_forces(struct validation_run *run, const char *name, const struct gas_force *force);
enum status gas_job_read_forces(const struct validation_run *run, const char *name, struct body_set *force);

// Slope of the straight line that fits y(x) best, times the length of x.
double gas_fitted_change(const double *x, const double *y, size_t count);

// The fitted change of a job's energy a particle over its length ("drift").
enum status gas_job_drift(const struct validation_run *run, const char *name, double *drift);

// Adds energy_change over time of a job to a picture.
enum status gas_job_draw_energy(struct validation_run *run, const char *name, const char *line,
                                struct validation_picture *picture);

#endif
