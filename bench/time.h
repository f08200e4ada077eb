// How the benchmarks of particles time one row: warms up, finds how many steps make a repetition, repeats,
// takes the median; by the device's own clock where it has one. Knows no model.
#ifndef FATHOM_BENCH_TIME_H
#define FATHOM_BENCH_TIME_H

#include "bench/common.h"
#include "core/device_times.h"
#include "models/backend.h"

#include <stdint.h>

typedef enum status bench_advance(void *context, int64_t first_step, int64_t count);
typedef struct device_times bench_times(const void *context);

// What is timed. `advance` makes steps and waits for their end; `times` (NULL: there is only the host's
// clock) is asked before and after.
struct bench_work {
    void *context;
    bench_advance *advance;
    bench_times *times;
    bool is_device;
    int least_steps; // that a repetition has, unless they take several budgets or --steps says less: steps need not be all alike
    int64_t step;         // the next one
    bool is_device_clock; // of the last time
};

struct bench_time {
    int steps, repeat; // in a repetition; how many of those
    double step_ms;
    bool is_device_clock;
};

// Of a back end's solver. times: its clock; NULL unless it can wait for what it has begun.
struct bench_work bench_work_of(const struct backend *backend, void *context, bench_advance *advance,
                                bench_times *times, int least_steps);

// Some steps that are not timed, then repetitions, in about `budget_s`.
enum status bench_time(const struct bench_common *common, double budget_s, struct bench_work *work,
                       struct bench_time *time);

#endif
