// Values given at times, and their exact means over the steps of a run: tables, rows of energy, records of a
// streamed field. Pure arithmetic: uses no file and no job.
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
    bool is_energy; // a record is the energy of its duration (stepwise, with the end of the last one)
    enum source_beyond before, after; // the times
    // The run's, from source_axis_fit on.
    double start_s, step_s;
};

// The index of the first time that is not finite or not after its predecessor; time_count if all are valid.
size_t source_axis_first_bad(const double *times_s, size_t time_count);

// Sets the run's steps. STATUS_CONFIGURATION if the run exceeds the times and the axis does not state what
// holds there.
enum status source_axis_fit(struct source_axis *axis, double start_s, double step_s, int64_t steps);

// After source_axis_fit: whether the last record acts for no time before the end of a run of so many steps,
// because it has no end and nothing follows it. A single one that is held before its time acts there.
bool source_axis_drops_last(const struct source_axis *axis, int64_t steps);

// The time after `time_s` until which the value is one straight line over time, or constant; INFINITY: for
// good.
double source_axis_linear_until(const struct source_axis *axis, double time_s);

// From from_s on, up to the next time of the axis or to_s: two records, `record` and the next, with their
// weights where the stretch begins and where it ends; in between straight lines. The source's power is their
// sum (of an energy in W m-3). A weight of 0: none, also where there is no such record. Only with times.
struct source_stretch {
    double end_s, begin[2], end[2];
    size_t record;
};
struct source_stretch source_axis_stretch(const struct source_axis *axis, double from_s, double to_s);

// One step, and the records that act in it.
struct source_window {
    double from_s, to_s;
    int64_t step;
    size_t first, count; // count 0: no record
};
struct source_window source_axis_window(const struct source_axis *axis, int64_t step);

// The weight of record k of the window in the mean over the step; of energies in 1/s.
double source_axis_weight(const struct source_axis *axis, const struct source_window *window, size_t k);

// The means of the positive and of the negative part of the value, which the weights do not give where a line
// changes its sign: sums over the records of the window, each where it acts alone (stepwise, or held beyond
// the times) and where a line leads to it. Of the negative part the absolute value counts.
enum source_sign { SOURCE_WARMS, SOURCE_COOLS, SOURCE_SIGNS };
// The weight of record k where it acts alone.
double source_axis_alone(const struct source_axis *axis, const struct source_window *window, size_t k);
// The line from record k - 1 to record k, as far as it acts in the step: its share of the step, and where
// this part begins and ends between the two, from 0 to 1. part 0: none, as for the first record of a window.
struct source_line {
    double part, from, to;
};
struct source_line source_axis_line(const struct source_axis *axis, const struct source_window *window,
                                    size_t k);
// The mean of the positive part along this part of a line from `before` to `value`; of the negative part with
// both signs turned.
static inline double source_line_positive(const struct source_line *line, double before, double value)
{
    const double a = before + (value - before) * line->from, b = before + (value - before) * line->to;
    if (a >= 0 && b >= 0)
        return 0.5 * (a + b);
    if (a <= 0 && b <= 0)
        return 0;
    const double above = a > b ? a : b, below = a > b ? -b : -a;
    return 0.5 * above * above / (above + below);
}
// Adds to the means of both parts what record k does; `before`: the value of record k - 1, if there is one.
void source_axis_add_parts(const struct source_axis *axis, const struct source_window *window, size_t k,
                           double before, double value, double parts[SOURCE_SIGNS]);

#endif
