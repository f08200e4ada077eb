// N-body jobs of the validation: bodies that a case makes, the job about them, and what it left. Knows the model's keys and files;
// knows no closed form.
#ifndef FATHOM_VALIDATE_NBODY_BODY_JOB_H
#define FATHOM_VALIDATE_NBODY_BODY_JOB_H

#include "validate/case_job.h"

// ---- bodies, by id; arrays owned

struct body_set {
    size_t count;
    double *position, *velocity; // [count][3]
    double *mass;
};

// All 0. STATUS_SYSTEM without memory. Free with body_set_free, also after a failure.
enum status body_set_new(struct body_set *set, size_t count);
void body_set_free(struct body_set *set);

// Of equal masses at random, at rest: Plummer's sphere of scale radius 3π/16 (no body further out than 40 of them), and the
// unit cube. Every number is a float's, so that single precision computes from the same bodies as double. `count`: a power of two.
enum status body_set_plummer(struct body_set *set, size_t count);
enum status body_set_cube(struct body_set *set, size_t count);

// To a file in the case's folder, for particles.file; from a job's final.nc.
enum status body_set_write(const struct validation_run *run, const struct body_set *set, const char *file);
enum status body_set_read(const struct validation_run *run, const char *name, struct body_set *set);

// √(Σ_axis (a − b)²) of two vectors; |a|.
double body_distance(const double a[3], const double b[3]);
double body_length(const double a[3]);
// The larger one; what is no number is the worst.
double body_worse(double worst, double error);

// ---- jobs

// `particles`: JSON of that block. Free with cJSON_Delete.
enum status body_job_new(struct cJSON **job, const char *particles, double softening);
// `steps` steps of this length; a record of diagnostics every so many.
enum status body_job_time(struct cJSON *job, double step, int64_t steps, int64_t every);

// The acceleration of every body of a file that body_set_write made, read to acceleration->velocity: by one step of the source's
// integrator from rest, v = aΔt, Δt a power of two: exactly what the back end computed. `method`: JSON of that block's keys, without
// the integrator: "\"name\": \"direct\"".
struct body_force {
    const char *file, *method, *backend, *precision;
    double softening;
};
enum status body_job_run_accelerations(struct validation_run *run, const char *name,
                                       const struct body_force *force);
enum status body_job_read_accelerations(const struct validation_run *run, const char *name,
                                        struct body_set *acceleration);

// A variable of the diagnostics: values[record · width + column]; `records` and `width` may be NULL. free(*values).
enum status body_job_series(const struct validation_run *run, const char *name, const char *variable,
                            double **values, size_t *records, size_t *width);

// Largest |values[record] − values[0]| from the record `first` to the one before `end`.
double body_largest_change(const double *values, size_t first, size_t end);

// The size of a case that has two: the full one with --full, and on a GPU.
size_t body_case_size(const struct validation_run *run, size_t usual, size_t full);

// The precision of a case that takes one: the user's, else single.
const char *body_case_precision(const struct validation_run *run);

// validation_measure, the quantity being printed.
enum status body_measure(struct validation_run *run, const char *tolerance, const char *source,
                         double computed, double reference, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

// "WHAT; openmp (avx512), single, 2560 steps of 0.00390625".
enum status body_note(struct validation_run *run, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
