// The times at which a heat source is switched.
#include "models/bioheat/source/private.h"

#include <float.h>
#include <math.h>

bool bioheat_step_divides(double step_s, double length_s)
{
    // Of very many steps, too, a hundredth of one matters.
    const double ratio = fabs(length_s) / step_s, whole = nearbyint(ratio);
    return ratio == 0 ||
           (whole > 0 && fabs(ratio - whole) <= fmin(BIOHEAT_TIME_ROUNDING * fmax(1, ratio), 0.01));
}

struct lengths {
    double *values_s;
    size_t count, most;
    double shortest_s;
};

static void add_length(struct lengths *l, double length_s)
{
    if (!(length_s > 0))
        return;
    l->shortest_s = fmin(l->shortest_s, length_s);
    if (l->count < l->most)
        l->values_s[l->count] = length_s;
    l->count++;
}

// The levels below (averaged + 1)/2 count as evenly on while they last.
static void add_protocol(struct lengths *l, const struct protocol *p, int averaged)
{
    add_length(l, p->start_s);
    const int wanted = (averaged + 1) / 2, finest = wanted < p->level_count ? wanted : p->level_count;
    if (finest == 0) {
        add_length(l, p->on_s);
        add_length(l, p->ramp_up_s);
        add_length(l, p->ramp_down_s);
    } else {
        const struct protocol_level *inner = &p->levels[finest - 1];
        add_length(l, averaged % 2 ? protocol_level_duration_s(p, finest)
                                   : (double)inner->count * inner->period_s);
    }
    for (int k = finest; k < p->level_count; k++)
        if (p->levels[k].count > 1)
            add_length(l, p->levels[k].period_s);
}

// A length that is there, to rounding of the times of which it is a difference, is not taken again: records
// come in thousands, mostly evenly spaced.
static void add_new_length(struct lengths *l, double length_s, double time_s)
{
    const double rounding_s = fmax(1e-12 * length_s, 4 * DBL_EPSILON * fabs(time_s));
    for (size_t k = 0; k < l->count && k < l->most; k++)
        if (fabs(l->values_s[k] - length_s) <= rounding_s)
            return;
    add_length(l, length_s);
}

// Stepwise: where the first record begins, and how long each lasts; linear: the ends where it jumps to zero.
static void add_records(struct lengths *l, const struct source_axis *axis)
{
    if (!axis->times_s)
        return; // a record is one step's
    const double *times_s = axis->times_s;
    const size_t last = axis->time_count - 1;
    if (!axis->is_linear || axis->before == SOURCE_ZERO)
        add_new_length(l, fabs(times_s[0]), times_s[0]);
    if (axis->is_linear && axis->after == SOURCE_ZERO)
        add_new_length(l, fabs(times_s[last]), times_s[last]);
    for (size_t k = 0; k < last && !axis->is_linear; k++)
        add_new_length(l, times_s[k + 1] - times_s[k], times_s[k + 1]);
}

// Of tables and rows. Stepwise: all times; linear: the ends, where the values jump to zero. Of many times the
// lengths of the records.
static void add_axis(struct lengths *l, const struct source_axis *axis)
{
    enum { FEW = 64 };
    if (!axis->times_s)
        return;
    if (!axis->is_linear && axis->time_count > FEW) {
        add_records(l, axis);
        return;
    }
    for (size_t k = 0; k < axis->time_count; k++)
        if (!axis->is_linear || k == 0 || k + 1 == axis->time_count)
            add_length(l, axis->times_s[k]);
}

static struct lengths find_lengths(const struct bioheat_heating *heating, int averaged, double *lengths_s,
                                   size_t most)
{
    struct lengths l = {lengths_s, 0, most, INFINITY};
    for (size_t k = 0; k < heating->time_count; k++) {
        if (!heating->times[k].is_used)
            continue;
        if (heating->times[k].kind == SOURCE_PULSES)
            add_protocol(&l, &heating->times[k].given, averaged);
        else if (heating->times[k].kind == SOURCE_TABLE)
            add_axis(&l, &heating->times[k].axis);
    }
    if (heating->points.places > 0)
        add_axis(&l, &heating->points.axis);
    if (heating->boxes.places > 0)
        add_axis(&l, &heating->boxes.axis);
    if (heating->stream)
        add_records(&l, &heating->stream->axis);
    return l;
}

size_t bioheat_heating_switches(const struct bioheat_heating *heating, int averaged, double *lengths_s,
                                size_t most)
{
    return find_lengths(heating, averaged, lengths_s, most).count;
}

double bioheat_heating_shortest_switch_s(const struct bioheat_heating *heating)
{
    return find_lengths(heating, 0, NULL, 0).shortest_s;
}
