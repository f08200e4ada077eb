// Values given at times, and their exact means over the steps of a run: tables, rows of energy, records of a
// streamed field. Pure arithmetic: knows no file and no job.
//
// The mean of a source over a step is a sum of its records' values, each with a weight that depends on the
// times alone: stepwise, the share of the step that the record lasts; linear, the integral of the record's
// hat function over the step.
#ifndef FATHOM_MODELS_BIOHEAT_SOURCE_AXIS_H
#define FATHOM_MODELS_BIOHEAT_SOURCE_AXIS_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum source_beyond { SOURCE_REFUSED, SOURCE_ZERO, SOURCE_HELD };

struct source_axis {
    size_t records; // ≥ 1
    // Of the records; one more where the last record's end is given (stepwise only). Ascending strictly, in
    // model time. NULL: one record a step of the run.
    const double *times_s;
    size_t time_count;
    bool is_linear; // between times; else a record lasts until the next one's time
    bool is_energy; // a record is what is given off while it lasts (stepwise, with the last one's end)
    enum source_beyond before, after; // the times
    // The run's, from source_axis_fit on.
    double start_s, step_s;
};

// Times that do not ascend, or are no numbers: their index in *bad; else time_count.
size_t source_axis_first_bad(const double *times_s, size_t time_count);

// Takes over the run's steps. STATUS_CONFIGURATION if the run continues beyond the times and the axis does
// not state what then.
enum status source_axis_fit(struct source_axis *axis, double start_s, double step_s, int64_t steps);

// One step, or the part of it that the times know: which records act in it.
struct source_window {
    double from_s, to_s;
    int64_t step;
    size_t first, count; // count 0: none does
};
struct source_window source_axis_window(const struct source_axis *axis, int64_t step);

// What record k counts for in the mean over the step; of all k of the window. For energies it has the unit
// 1/s.
double source_axis_weight(const struct source_axis *axis, const struct source_window *window, size_t k);

#endif
