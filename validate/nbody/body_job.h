// N-body jobs of the validation: bodies that a case makes, the job about them, and what it left. Uses the
// model's keys and files, and no closed form.
#ifndef FATHOM_VALIDATE_NBODY_BODY_JOB_H
#define FATHOM_VALIDATE_NBODY_BODY_JOB_H

#include "validate/body_case.h"

// Of equal masses at random, at rest: Plummer's sphere of scale radius 3π/16 (no body further out than 40 of
// them), and the unit cube. Every number is a float's, so that single precision computes from the same bodies
// as double. `count`: a power of two.
enum status body_set_plummer(struct body_set *set, size_t count);
enum status body_set_cube(struct body_set *set, size_t count);

// ---- jobs

// Without particles.
struct case_job body_job_new(double softening);
// The acceleration of every body of a file that body_set_write made, read to acceleration->velocity: by one
// step of the source's integrator from rest, v = aΔt, Δt a power of two: exactly what the back end computed.
// `method`: JSON of that block's keys, without the integrator: "\"name\": \"direct\"".
struct body_force {
    const char *file, *method, *backend, *precision;
    double softening;
};
enum status body_job_run_accelerations(struct validation_run *run, const char *name,
                                       const struct body_force *force);
enum status body_job_read_accelerations(const struct validation_run *run, const char *name,
                                        struct body_set *acceleration);

#endif
