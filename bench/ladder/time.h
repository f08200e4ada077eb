// Times a rung of a ladder; each case once.
#ifndef FATHOM_BENCH_LADDER_TIME_H
#define FATHOM_BENCH_LADDER_TIME_H

#include "bench/bench.h"
#include "bench/ladder/ladder.h"

struct ladder_time {
    const struct ladder_rung *rung; // NULL: none was asked for
    struct ladder_case wanted;
    bool has_run;
    double step_s; // median of the repetitions
    int steps, repeat;
    double stages[LADDER_STAGES_MAX]; // seconds in a step; 0: not known
};

// Times the rung on the benchmark's back ends; an earlier time of the same case is returned again. A
// refusal by the machine becomes a note, and *time has not run. *time stays as long as the program.
enum status ladder_time(struct bench *bench, const struct ladder_rung *rung, const struct ladder_case *wanted,
                        const struct ladder_time **time);

#endif
