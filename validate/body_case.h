// What cases about bodies, or particles of a gas, share: steps of a job, its diagnostics, sizes, results, two
// runs side by side.
#ifndef FATHOM_VALIDATE_BODY_CASE_H
#define FATHOM_VALIDATE_BODY_CASE_H

#include "validate/body_set.h"
#include "validate/case_job.h"

#include <stdint.h>

// `steps` steps of this length; a record of diagnostics every so many.
void body_job_time(struct case_job *job, double step, int64_t steps, int64_t every);

// A variable of the diagnostics: values[record · width + column]; `records` and `width` may be NULL.
// free(*values).
enum status body_job_series(const struct validation_run *run, const char *name, const char *variable,
                            double **values, size_t *records, size_t *width);

// Largest |values[record] − values[0]| from the record `first` to the one before `end`.
double body_largest_change(const double *values, size_t first, size_t end);

// The size of a case that has two: the full one with --full, and on a GPU.
size_t body_case_size(const struct validation_run *run, size_t usual, size_t full);

// The precision of a case that takes one: the user's, else single.
const char *body_case_precision(const struct validation_run *run);

// |a − b| of two sets' velocities as a part of |b|, or of this share of its root mean square if that is more.
// As many in both.
struct body_difference {
    double rms, largest;
};
struct body_difference body_compare(const struct body_set *a, const struct body_set *b, double least_share);

// The same bits from the job run once, again (on one core: is_on_one_core) and in parts. `name`: of the first
// run; `what`: "direct, double", of the quantities. *parts: in how many, 0: it was never stopped.
struct body_repeat {
    const char *name, *what, *precision;
    bool is_on_one_core;
};
enum status body_measure_repeat(struct validation_run *run, struct case_job *job,
                                const struct body_repeat *repeat, int *parts);

// Runs the job of an earlier run, `whole`, in parts of a third of what that took, or less, until it was
// stopped at least once (*stops: how often; 0: it always ended first). `parts`: the name of that run.
enum status body_run_in_parts(struct validation_run *run, struct case_job *job, const char *whole,
                              const char *precision, char parts[64], int *stops);

#endif
