// What cases about bodies share (see body_case.h).
#include "validate/body_case.h"

#include "validate/body_set.h"
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void body_job_time(struct case_job *job, double step, int64_t steps, int64_t every)
{
    case_job_set(job, "time.step", "%.17g", step);
    case_job_set(job, "time.duration", "%.17g", step * (double)steps);
    case_job_set(job, "output.diagnostics.every", "%.17g", step * (double)every);
}

enum status body_job_series(const struct validation_run *run, const char *name, const char *variable,
                            double **values, size_t *records, size_t *width)
{
    size_t shape[4];
    CHECK(case_read_variable(run, name, "diagnostics.nc", variable, values, shape));
    if (shape[0] == 0) {
        free(*values);
        *values = NULL;
        return FAIL(STATUS_DATA, "diagnostics.nc of the job %s: %s has no records", name, variable);
    }
    if (records)
        *records = shape[0];
    if (width)
        *width = shape[1] > 0 ? shape[1] : 1;
    return STATUS_OK;
}

double body_largest_change(const double *values, size_t first, size_t end)
{
    double worst = 0;
    for (size_t k = first; k < end; k++)
        worst = body_worse(worst, fabs(values[k] - values[0]));
    return worst;
}

// ---- cases

size_t body_case_size(const struct validation_run *run, size_t usual, size_t full)
{
    return case_is_full(run) ? full : usual;
}

const char *body_case_precision(const struct validation_run *run)
{
    return run->precision ? run->precision : "single";
}

// ---- two runs

struct body_difference body_compare(const struct body_set *a, const struct body_set *b, double least_share)
{
    double squares = 0, errors = 0, largest = 0;
    const size_t count = b->count;
    for (size_t k = 0; k < 3 * count; k++)
        squares += b->velocity[k] * b->velocity[k];
    const double least = least_share * sqrt(squares / (double)count);
    for (size_t k = 0; k < count; k++) {
        const double *x = &a->velocity[3 * k], *y = &b->velocity[3 * k];
        const double error = body_distance(x, y) / fmax(body_length(y), least);
        errors += error * error;
        largest = body_worse(largest, error);
    }
    return (struct body_difference){sqrt(errors / (double)count), largest};
}

enum { HALVINGS = 6 };

enum status body_run_in_legs(struct validation_run *run, struct case_job *job, const char *whole,
                             const char *precision, char legs[64], int *stops)
{
    double advance_s, capture_s;
    CHECK(case_run_number(run, whole, "timings.advance_s", &advance_s));
    CHECK(case_run_number(run, whole, "timings.capture_s", &capture_s));
    double limit_s = 0.3 * (advance_s + capture_s);
    *stops = 0;
    for (int k = 0; k < HALVINGS && *stops == 0; k++, limit_s *= 0.5) {
        snprintf(legs, 64, "%.40s-legs-%d", whole, k);
        CHECK(case_job_run_in_legs(run, job, legs, NULL, precision, fmax(5e-4, limit_s), stops));
    }
    return STATUS_OK;
}

// Runs are separate processes, which inherit this one's number of threads.
static enum status run_again(struct validation_run *run, struct case_job *job, const char *name,
                             const struct body_repeat *repeat)
{
    const int threads = omp_get_max_threads();
    if (repeat->is_on_one_core)
        omp_set_num_threads(1);
    const enum status status = case_job_run(run, job, name, NULL, repeat->precision);
    omp_set_num_threads(threads);
    return status;
}

enum status body_measure_repeat(struct validation_run *run, struct case_job *job,
                                const struct body_repeat *repeat, int *legs)
{
    static const char source[] = "the same job without a stop";
    static const struct case_variable variables[] = {{"final.nc", "coordinates"},
                                                     {"final.nc", "velocities"},
                                                     {"diagnostics.nc", "energy_total"},
                                                     {NULL, NULL}};
    char again[64], in_legs[64];
    double different;
    int stops;
    *legs = 0;
    snprintf(again, sizeof again, "%.40s-again", repeat->name);
    CHECK(case_job_run(run, job, repeat->name, NULL, repeat->precision));
    CHECK(run_again(run, job, again, repeat));
    CHECK(body_run_in_legs(run, job, repeat->name, repeat->precision, in_legs, &stops));
    CHECK(case_count_differences(run, repeat->name, again, variables, &different));
    CHECK(validation_compare(run, "repeat/differences", "1", source, different, 0,
                             "%s: %s, numbers that differ", repeat->what,
                             repeat->is_on_one_core ? "again on one core" : "run again"));
    if (stops == 0)
        return validation_leave_out(run, "stopped and resumed", "%s: it ended before it could be stopped",
                                    repeat->what);
    *legs = stops + 1;
    CHECK(case_count_differences(run, repeat->name, in_legs, variables, &different));
    return validation_compare(run, "repeat/differences", "1", source, different, 0,
                              "%s: stopped and resumed, numbers that differ", repeat->what);
}
