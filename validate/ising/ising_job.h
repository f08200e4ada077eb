// Jobs of the Ising model that cases run, and their results with standard errors. Uses the model's keys, and
// no closed form.
#ifndef FATHOM_VALIDATE_ISING_ISING_JOB_H
#define FATHOM_VALIDATE_ISING_ISING_JOB_H

#include "models/ising/analysis.h"
#include "models/ising/params.h"
#include "validate/body_case.h"

struct ising_job {
    enum ising_method method;
    enum ising_boundary boundary;
    int64_t columns, rows, replicas; // rows 0: as many as columns; replicas 0: one
    double coupling, field;          // coupling 0: 1
    const char *start;               // "cold" if NULL
    size_t temperatures;             // 0: one
    const double *betas;
    bool is_independent; // each temperature from the start, on its own
    uint64_t seed;
    int64_t count, thermalisation, every; // sweeps at each temperature
    size_t blocks;                        // of the jackknife, at most; 0: as the job has it
    double block_times;                   // their least length in τ; 0: as the job has it
    const char *analysis, *output; // further keys of these blocks as JSON: "\"reweighting\": {}"; NULL: none
};

// For jobs that are run otherwise.
struct case_job ising_job_new(const struct ising_job *job);

// On the named back end (NULL: the user's, or else the fastest), or where that has not the method
// on the reference, which has all.
enum status ising_job_run(struct validation_run *run, const struct ising_job *job, const char *name,
                          const char *backend);

// The same, of `whole`'s job, in legs (body_run_in_legs).
enum status ising_job_run_in_legs(struct validation_run *run, struct case_job *job, const char *whole,
                                  char legs[64], int *stops);

// ---- results

// A quantity of results.nc at every temperature, by its name there ("specific_heat"). The errors are NaN of
// what has none. Free with ising_column_free.
struct ising_column {
    size_t count;
    struct ising_estimate *at;
};
enum status ising_column_read(const struct validation_run *run, const char *name, const char *quantity,
                              struct ising_column *column);
void ising_column_free(struct ising_column *column); // of zeros is fine

// At the first temperature.
enum status ising_value_read(const struct validation_run *run, const char *name, const char *quantity,
                             struct ising_estimate *value);

// Against an exact value, or another with an error (0: exact): at most four combined standard errors off. The
// quantity is printed, and the errors are put after it.
enum status ising_measure(struct validation_run *run, const char *source, struct ising_estimate value,
                          struct ising_estimate known, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

// Σ (value − known)²/(error² + known's error²), of those with an error.
struct ising_chi2 {
    double sum, largest; // largest: |value − known|/error
    size_t count;
};
struct ising_chi2 ising_chi2(const struct ising_estimate *values, const struct ising_estimate *known,
                             size_t count);

// ---- pictures

// Values over x as points.
enum status ising_draw_values(struct validation_run *run, struct validation_picture *picture,
                              const char *line, const double *x, const struct ising_estimate *values,
                              size_t count);

#endif
