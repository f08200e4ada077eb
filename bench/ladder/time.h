// Times a rung of a ladder; each case once.
#ifndef FATHOM_BENCH_LADDER_TIME_H
#define FATHOM_BENCH_LADDER_TIME_H

#include "bench/bench.h"
#include "bench/ladder/ladder.h"

struct ladder_time {
    const struct ladder_rung *rung; // NULL: none was asked for
    struct ladder_case wanted;
    bool has_run, is_estimate; // (the second without the first) step_s follows from a smaller case
    double step_s;             // median of the repetitions
    int steps, repeat;
    double stages[LADDER_STAGES_MAX]; // seconds in a step; 0: not known
    char why[BENCH_NOTE_BYTES];       // it has not run
};

// Times the rung of the model on the benchmark's back ends; an earlier time of the same case is returned
// again. What the machine refuses, for which its memory does not suffice, or whose step would take longer
// than ladder_longest_s (of a rung with barriers: and than a minute) has not run, and *time says why. *time
// stays as long as the program.
enum status ladder_time(struct bench *bench, const struct ladder_model *model, const struct ladder_rung *rung,
                        const struct ladder_case *wanted, const struct ladder_time **time);
// The step of a rung that is still made, in seconds; longer ones are estimated.
double ladder_longest_s(const struct bench *bench);
// Why rungs of devices, or of the processor, are not timed; NULL: they are.
const char *ladder_lacks(const struct bench *bench, bool is_device);
// --table blocks where no rung has blocks to choose from. STATUS_CONFIGURATION.
enum status ladder_refuse_blocks(const struct bench *bench);

#endif
