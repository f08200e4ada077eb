// What cases about bodies, or particles of a gas, share: steps of a job, its diagnostics, sizes, results, two
// runs side by side.
#ifndef FATHOM_VALIDATE_BODY_CASE_H
#define FATHOM_VALIDATE_BODY_CASE_H

#include "validate/body_set.h"
#include "validate/case_job.h"

#include <stdint.h>

// Sets `steps` steps of this length, and a record of diagnostics every `every` steps.
void body_job_time(struct case_job *job, double step, int64_t steps, int64_t every);

// Reads a variable of the diagnostics: values[record · width + column]; `records` and `width` may be NULL.
// The caller frees *values.
enum status body_job_series(const struct validation_run *run, const char *name, const char *variable,
                            double **values, size_t *records, size_t *width);

// Largest |values[record] − values[0]| from the record `first` to the one before `end`.
double body_largest_change(const double *values, size_t first, size_t end);

// Returns `full` if case_is_full, else `usual`.
size_t body_case_size(const struct validation_run *run, size_t usual, size_t full);

// The precision of a case that runs in one precision only: the user's, else single.
const char *body_case_precision(const struct validation_run *run);

// The relative difference of velocities, |a − b| / max(|b|, least_share · rms |b|): its root mean square and
// its largest value over all bodies. Both sets have the same count.
struct body_difference {
    double rms, largest;
};
struct body_difference body_compare(const struct body_set *a, const struct body_set *b, double least_share);

struct body_repeat {
    const char *name; // of the first run
    const char *what; // in the names of the quantities: "direct, double"
    const char *precision;
    bool is_on_one_core; // the repeat runs on one core
};
// Checks that one run, a repeat and a stopped and resumed run give the same bits. *legs: the number of
// starts of the resumed run; 0: it was never stopped.
enum status body_measure_repeat(struct validation_run *run, struct case_job *job,
                                const struct body_repeat *repeat, int *legs);

// Runs the job of an earlier run, `whole`, with a time limit of a third of that run's duration, reduced until
// the run is stopped at least once, and resumes it to its end. *stops: number of stops (0: it always ended
// first). `legs` receives the name of the resumed run.
enum status body_run_in_legs(struct validation_run *run, struct case_job *job, const char *whole,
                             const char *precision, char legs[64], int *stops);

#endif
