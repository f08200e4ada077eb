// Jobs of the gas that cases run: blocks as JSON text, steps, and what such jobs leave. Uses the model's
// keys, and no closed form.
#ifndef FATHOM_VALIDATE_GAS_GAS_JOB_H
#define FATHOM_VALIDATE_GAS_GAS_JOB_H

#include "validate/body_case.h"

// `steps` steps, a record of diagnostics every so many; without particles, domain and physics.
struct case_job gas_job_new(double step, int64_t steps, int64_t every);

// Where the particles are, in JSON: of a file in the case's folder ("start.nc"), or of an earlier job's end
// ("melt/final.nc").
#define GAS_JOB_FILE(file) "{\"file\": {\"file\": \"" file "\"}}"

// A fluid of `count` Lennard-Jones particles at temperature 1, density 0.7, periodic, as it is when a lattice
// has melted under a Langevin thermostat: the job "melt", whose final.nc holds it. `potential`: its name.
enum status gas_job_melt(struct validation_run *run, int count, const char *potential, const char *precision);
#define GAS_JOB_LANGEVIN     "\"thermostat\": {\"name\": \"langevin\", \"temperature\": 1}"
#define GAS_JOB_MELT_DENSITY "{\"density\": 0.7, \"walls\": \"periodic\"}"

// The force on every particle of a file that body_set_write made, all of mass 1: a job of one step of
// symplectic Euler from rest, v = aΔt, Δt a power of two: exactly what the back end computed; without domain
// and physics. `method`: JSON of that block's keys, without the integrator: "\"name\": \"cells\"".
struct case_job gas_job_of_forces(const char *file, const char *method);
// From a job that was run, to force->velocity.
enum status gas_job_read_forces(const struct validation_run *run, const char *name, struct body_set *force);

// Slope of the straight line that fits y(x) best, times the length of x.
double gas_fitted_change(const double *x, const double *y, size_t count);

// The fitted change of a job's energy a particle over its length ("drift").
enum status gas_job_drift(const struct validation_run *run, const char *name, double *drift);

// Adds energy_change over time of a job to a picture.
enum status gas_job_draw_energy(struct validation_run *run, const char *name, const char *line,
                                struct validation_picture *picture);

#endif
