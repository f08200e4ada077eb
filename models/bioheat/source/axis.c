// Exact means of values given at times: see axis.h.
#include "models/bioheat/source/axis.h"

#include <float.h>
#include <math.h>

size_t source_axis_first_bad(const double *times_s, size_t time_count)
{
    for (size_t k = 0; k < time_count; k++)
        if (!isfinite(times_s[k]) || (k > 0 && !(times_s[k] > times_s[k - 1])))
            return k;
    return time_count;
}

// Number of times that are not after `time_s`.
static size_t count_until(const struct source_axis *axis, double time_s)
{
    size_t low = 0, high = axis->time_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (axis->times_s[middle] <= time_s)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// A file's 0.15 s and a run's 3 × 0.05 s are the same time: otherwise a step would need a record for a weight
// of the size of a rounding error.
static double snap(const struct source_axis *axis, double time_s)
{
    const double tolerance_s = fmin(16 * DBL_EPSILON * fabs(time_s), 1e-6 * axis->step_s);
    const size_t k = count_until(axis, time_s);
    if (k > 0 && time_s - axis->times_s[k - 1] <= tolerance_s)
        return axis->times_s[k - 1];
    if (k < axis->time_count && axis->times_s[k] - time_s <= tolerance_s)
        return axis->times_s[k];
    return time_s;
}

static double step_time_s(const struct source_axis *axis, int64_t step)
{
    return axis->start_s + (double)step * axis->step_s;
}

double source_axis_linear_until(const struct source_axis *axis, double time_s)
{
    if (axis->times_s) {
        const size_t k = count_until(axis, time_s);
        return k < axis->time_count ? axis->times_s[k] : INFINITY;
    }
    const double next = fmax(0, floor((time_s - axis->start_s) / axis->step_s) + 1);
    return next <= (double)axis->records ? axis->start_s + next * axis->step_s : INFINITY;
}

enum status source_axis_fit(struct source_axis *axis, double start_s, double step_s, int64_t steps)
{
    axis->start_s = start_s;
    axis->step_s = step_s;
    if (!axis->times_s) {
        if ((int64_t)axis->records < steps && axis->after == SOURCE_REFUSED)
            return FAIL(STATUS_CONFIGURATION,
                        "%zu rows, one a step, end at %.10g s, the run at %.10g s (%lld steps of %.10g s): "
                        "define what follows by after_end, \"zero\" or \"last\"",
                        axis->records, step_time_s(axis, (int64_t)axis->records), step_time_s(axis, steps),
                        (long long)steps, step_s);
        return STATUS_OK;
    }
    const double first_s = axis->times_s[0], last_s = axis->times_s[axis->time_count - 1];
    const double from_s = snap(axis, start_s), to_s = snap(axis, step_time_s(axis, steps));
    if (from_s < first_s && axis->before == SOURCE_REFUSED)
        return FAIL(STATUS_CONFIGURATION,
                    "begins at %.10g s, the run at %.10g s: define what comes before by before_start, "
                    "\"zero\" or \"first\"",
                    first_s, from_s);
    if (to_s > last_s && axis->after == SOURCE_REFUSED)
        return FAIL(
            STATUS_CONFIGURATION,
            "ends at %.10g s, the run at %.10g s: define what follows by after_end, \"zero\" or \"last\"",
            last_s, to_s);
    return STATUS_OK;
}

bool source_axis_drops_last(const struct source_axis *axis, int64_t steps)
{
    if (!axis->times_s || axis->time_count != axis->records || axis->after != SOURCE_ZERO ||
        (axis->is_linear && axis->records > 1))
        return false;
    const double last_s = axis->times_s[axis->records - 1];
    const bool acts_before = axis->records == 1 && axis->before == SOURCE_HELD && axis->start_s < last_s;
    return !acts_before && snap(axis, step_time_s(axis, steps)) > last_s;
}

// Records with the times from … to: `first` to `end` − 1.
static void find_records(const struct source_axis *axis, double from_s, double to_s, size_t *first,
                         size_t *end)
{
    const size_t last = axis->records - 1, until = count_until(axis, from_s);
    *first = until > 0 ? until - 1 : 0;
    if (until == 0 && axis->before != SOURCE_HELD && to_s <= axis->times_s[0]) {
        *first = *end = 0; // all of it before
        return;
    }
    size_t k = count_until(axis, to_s); // times[k] > to
    const bool is_at_time = k > 0 && axis->times_s[k - 1] == to_s && from_s < to_s;
    // Linear: up to the first time not before `to`; stepwise: the record that lasts until it.
    size_t needed = is_at_time ? k - 1 : k;
    if (axis->is_linear)
        needed += 1;
    if (needed < *first + 1)
        needed = *first + 1;
    // A record without a stated end acts only where it is held; a single one may be so before its time.
    const bool has_no_end = !axis->is_linear && axis->time_count == axis->records,
               acts_before = last == 0 && axis->before == SOURCE_HELD;
    const size_t all = has_no_end && axis->after != SOURCE_HELD && !acts_before ? last : axis->records;
    const bool is_beyond = from_s >= axis->times_s[axis->time_count - 1];
    if (is_beyond && axis->after != SOURCE_HELD) {
        *first = *end = all;
        return;
    }
    if (*first > last)
        *first = last;
    *end = needed > all ? all : needed;
}

struct source_window source_axis_window(const struct source_axis *axis, int64_t step)
{
    struct source_window window = {step_time_s(axis, step), step_time_s(axis, step + 1), step, 0, 0};
    if (!axis->times_s) {
        const bool has_record = (size_t)step < axis->records;
        window.count = has_record || axis->after == SOURCE_HELD;
        window.first = has_record ? (size_t)step : axis->records - window.count;
        return window;
    }
    size_t end;
    window.from_s = snap(axis, window.from_s);
    window.to_s = snap(axis, window.to_s);
    find_records(axis, window.from_s, window.to_s, &window.first, &end);
    window.count = end - window.first;
    return window;
}

struct source_stretch source_axis_stretch(const struct source_axis *axis, double from_s, double to_s)
{
    const double *times_s = axis->times_s;
    const size_t until = count_until(axis, from_s), last = axis->records - 1;
    struct source_stretch stretch = {.end_s = to_s};
    if (until < axis->time_count)
        stretch.end_s = fmin(to_s, times_s[until]);
    if (until == 0 || until == axis->time_count) {
        const bool is_held = (until == 0 ? axis->before : axis->after) == SOURCE_HELD;
        stretch.record = until == 0 ? 0 : last;
        stretch.begin[0] = stretch.end[0] = is_held;
        return stretch;
    }
    stretch.record = until - 1;
    const double begin_s = times_s[until - 1], length_s = times_s[until] - begin_s;
    stretch.begin[0] = stretch.end[0] = axis->is_energy ? 1 / length_s : 1;
    if (!axis->is_linear)
        return stretch;
    stretch.begin[1] = (from_s - begin_s) / length_s;
    stretch.end[1] = (stretch.end_s - begin_s) / length_s;
    stretch.begin[0] = 1 - stretch.begin[1];
    stretch.end[0] = 1 - stretch.end[1];
    return stretch;
}

// Share of the step that lies in begin … end; *from and *to: that part.
static double share(const struct source_window *w, double begin_s, double end_s, double *from_s, double *to_s)
{
    *from_s = fmax(w->from_s, begin_s);
    *to_s = fmin(w->to_s, end_s);
    return *to_s > *from_s ? (*to_s - *from_s) / (w->to_s - w->from_s) : 0;
}

struct source_line source_axis_line(const struct source_axis *axis, const struct source_window *w, size_t k)
{
    struct source_line line = {0};
    if (!axis->is_linear || k == 0 || k >= axis->records)
        return line;
    const double begin_s = axis->times_s[k - 1], end_s = axis->times_s[k];
    double from_s, to_s;
    line.part = share(w, begin_s, end_s, &from_s, &to_s);
    if (line.part == 0)
        return line;
    line.from = (from_s - begin_s) / (end_s - begin_s);
    line.to = (to_s - begin_s) / (end_s - begin_s);
    return line;
}

// Of the first record before its time, and of the last one after it.
static double held(const struct source_axis *axis, const struct source_window *w, size_t k)
{
    double weight = 0, from_s, to_s;
    if (k == 0 && axis->before == SOURCE_HELD)
        weight += share(w, -INFINITY, axis->times_s[0], &from_s, &to_s);
    if (k + 1 == axis->records && axis->after == SOURCE_HELD)
        weight += share(w, axis->times_s[axis->time_count - 1], INFINITY, &from_s, &to_s);
    return weight;
}

double source_axis_alone(const struct source_axis *axis, const struct source_window *w, size_t k)
{
    if (!axis->times_s)
        return axis->is_energy ? 1 / axis->step_s : 1;
    double weight = 0, from_s, to_s;
    if (!axis->is_linear && k + 1 < axis->time_count) {
        weight = share(w, axis->times_s[k], axis->times_s[k + 1], &from_s, &to_s);
        if (axis->is_energy)
            weight /= axis->times_s[k + 1] - axis->times_s[k];
    }
    return weight + held(axis, w, k);
}

void source_axis_add_parts(const struct source_axis *axis, const struct source_window *w, size_t k,
                           double before, double value, double parts[SOURCE_SIGNS])
{
    const struct source_line line = source_axis_line(axis, w, k);
    parts[value < 0 ? SOURCE_COOLS : SOURCE_WARMS] += source_axis_alone(axis, w, k) * fabs(value);
    if (line.part > 0) {
        parts[SOURCE_WARMS] += line.part * source_line_positive(&line, before, value);
        parts[SOURCE_COOLS] += line.part * source_line_positive(&line, -before, -value);
    }
}

// The part of the hat functions of times k and k + 1 between the two: *lower and *upper are their integrals.
static void segment(const struct source_axis *axis, const struct source_window *w, size_t k, double *lower,
                    double *upper)
{
    double from_s, to_s;
    const double begin_s = axis->times_s[k], end_s = axis->times_s[k + 1];
    const double part = share(w, begin_s, end_s, &from_s, &to_s);
    *upper = part == 0 ? 0 : part * (((from_s - begin_s) + (to_s - begin_s)) / (2 * (end_s - begin_s)));
    *lower = part - *upper;
}

double source_axis_weight(const struct source_axis *axis, const struct source_window *w, size_t k)
{
    double weight = source_axis_alone(axis, w, k), lower, upper;
    if (!axis->times_s || !axis->is_linear)
        return weight;
    if (k > 0) {
        segment(axis, w, k - 1, &lower, &upper);
        weight += upper;
    }
    if (k + 1 < axis->records) {
        segment(axis, w, k, &lower, &upper);
        weight += lower;
    }
    return weight;
}
