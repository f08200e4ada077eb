// Pulse protocols: see protocol.h.
#include "models/bioheat/source/protocol.h"

#include <assert.h>
#include <float.h>
#include <math.h>

double protocol_level_duration_s(const struct protocol *p, int level)
{
    double duration_s = p->on_s;
    for (int k = 0; k < level; k++)
        duration_s += (double)(p->levels[k].count - 1) * p->levels[k].period_s;
    return duration_s;
}

static double level_total(const struct protocol *p, int level)
{
    double total = p->on_s - 0.5 * (p->ramp_up_s + p->ramp_down_s);
    for (int k = 0; k < level; k++)
        total *= (double)p->levels[k].count;
    return total;
}

double protocol_on_s(const struct protocol *protocol)
{
    double on_s = protocol->on_s;
    for (int k = 0; k < protocol->level_count; k++)
        on_s *= (double)protocol->levels[k].count;
    return on_s;
}

double protocol_total(const struct protocol *protocol)
{
    return protocol->amplitude * level_total(protocol, protocol->level_count);
}

enum status protocol_check(const struct protocol *p)
{
    if (!isfinite(p->start_s) || !isfinite(p->amplitude))
        return FAIL(STATUS_CONFIGURATION, "start and amplitude must be finite");
    if (!(p->on_s > 0 && isfinite(p->on_s)))
        return FAIL(STATUS_CONFIGURATION, "a pulse is on for %g s, expected more than 0 s", p->on_s);
    if (!(p->ramp_up_s >= 0 && p->ramp_down_s >= 0))
        return FAIL(STATUS_CONFIGURATION, "ramps of %g s and %g s, expected 0 s or more", p->ramp_up_s,
                    p->ramp_down_s);
    if (p->ramp_up_s + p->ramp_down_s > p->on_s * (1 + 8 * DBL_EPSILON))
        return FAIL(STATUS_CONFIGURATION, "the ramps, %g s and %g s, are longer than the pulse, %g s",
                    p->ramp_up_s, p->ramp_down_s, p->on_s);
    for (int k = 0; k < p->level_count; k++) {
        const struct protocol_level *level = &p->levels[k];
        const double inner_s = protocol_level_duration_s(p, k);
        if (level->count < 1)
            return FAIL(STATUS_CONFIGURATION, "level %d (%s): count is %lld, expected 1 or more", k,
                        level->name, (long long)level->count);
        if (level->count > 1 && !(level->period_s >= inner_s * (1 - 8 * DBL_EPSILON)))
            return FAIL(STATUS_CONFIGURATION,
                        "level %d (%s): every %g s, but what it repeats takes %g s: they would overlap", k,
                        level->name, level->period_s, inner_s);
        if (!isfinite(level->period_s))
            return FAIL(STATUS_CONFIGURATION, "level %d (%s): the period is not a finite time", k,
                        level->name);
    }
    return STATUS_OK;
}

// Part of an interval, relative to the start of a pulse or level; its length is stored, so that a shift does
// not change it by rounding.
struct part {
    double from_s, to_s, length_s;
    double near_from_s,
        near_to_s; // rounding of the two, each by its own time: an end of two steps is one time
};

static struct part cut(struct part part, double begin_s, double end_s)
{
    if (part.from_s < begin_s || part.to_s > end_s) {
        part.from_s = fmin(fmax(part.from_s, begin_s), end_s);
        part.to_s = fmin(fmax(part.to_s, begin_s), end_s);
        part.length_s = fmax(0, part.to_s - part.from_s);
    }
    return part;
}

static struct part moved(struct part part, double by_s)
{
    part.from_s -= by_s;
    part.to_s -= by_s;
    return part;
}

// Rises from 0 over ramp_up, falls to 0 over ramp_down.
static double pulse_integral(const struct protocol *p, struct part part)
{
    const double up_s = p->ramp_up_s, down_s = p->ramp_down_s;
    const double top_end_s = fmax(up_s, p->on_s - down_s); // rounding must not swap the two
    double sum = cut(part, up_s, top_end_s).length_s;
    if (up_s > 0) {
        const struct part rise = cut(part, 0, up_s);
        sum += rise.length_s * (rise.from_s + rise.to_s) / (2 * up_s);
    }
    if (down_s > 0) {
        const struct part fall = cut(part, top_end_s, p->on_s);
        sum += fall.length_s * ((p->on_s - fall.from_s) + (p->on_s - fall.to_s)) / (2 * down_s);
    }
    return sum;
}

// A time within rounding of the beginning or the end of a level is set to the nearer of the two: a step that
// begins where a pulse ends gets nothing. The nearer one, because a pulse may be shorter than the rounding of
// its time: then it lies on one side of each end of a step, and no step loses it.
static double settle(double time_s, double duration_s, double near_s)
{
    const double edge_s = fabs(time_s) <= fabs(time_s - duration_s) ? 0 : duration_s;
    return fabs(time_s - edge_s) <= near_s ? edge_s : time_s;
}

static double level_integral(const struct protocol *p, int level, struct part part);

// Of a level that is repeated: the part begins before the level's end.
static double repeated_integral(const struct protocol *p, int level, struct part part)
{
    const struct protocol_level *repeated = &p->levels[level - 1];
    const double period_s = repeated->period_s, last = (double)(repeated->count - 1),
                 inner_s = protocol_level_duration_s(p, level - 1),
                 near_from_s = fmin(part.near_from_s, 0.25 * period_s),
                 near_to_s = fmin(part.near_to_s, 0.25 * period_s);
    // The periods of the part's beginning and end; a period's end belongs to it, not to the next. The end of
    // the level is that of its last pulse, which may be shorter than the rounding of both.
    const bool has_end = part.to_s >= protocol_level_duration_s(p, level);
    const double first = fmin(floor((part.from_s + near_from_s) / period_s), last);
    const double final =
        has_end ? last : fmax(first, fmin(ceil((part.to_s - near_to_s) / period_s) - 1, last));
    struct part head = moved(part, first * period_s), tail = moved(part, final * period_s);
    if (has_end)
        tail.to_s = fmax(tail.to_s, inner_s);
    if (fabs(head.from_s) <= near_from_s)
        head.from_s = 0;
    if (first == final) {
        tail.from_s = head.from_s;
        return level_integral(p, level - 1, tail);
    }
    // Where the part is cut its end has no rounding.
    if (has_end)
        tail.to_s = INFINITY;
    head = cut(head, head.from_s, period_s);
    tail = cut(tail, 0, tail.to_s);
    head.near_to_s = tail.near_from_s = 0;
    return level_integral(p, level - 1, head) + (final - first - 1) * level_total(p, level - 1) +
           level_integral(p, level - 1, tail);
}

static double level_integral(const struct protocol *p, int level, struct part part)
{
    const double duration_s = protocol_level_duration_s(p, level);
    part.from_s = settle(part.from_s, duration_s, part.near_from_s);
    part.to_s = settle(part.to_s, duration_s, part.near_to_s);
    part = cut(part, 0, level == 0 ? duration_s : INFINITY);
    if (!(part.to_s > part.from_s) || part.from_s >= duration_s)
        return 0;
    if (level == 0)
        return pulse_integral(p, part);
    if (p->levels[level - 1].count == 1)
        return level_integral(p, level - 1, part);
    return repeated_integral(p, level, part);
}

double protocol_mean(const struct protocol *p, double from_s, double to_s)
{
    assert(to_s > from_s);
    const double most_s = 1e-6 * (to_s - from_s), start_s = fabs(p->start_s);
    const struct part part = {.from_s = from_s,
                              .to_s = to_s,
                              .length_s = to_s - from_s,
                              .near_from_s = fmin(16 * DBL_EPSILON * fmax(fabs(from_s), start_s), most_s),
                              .near_to_s = fmin(16 * DBL_EPSILON * fmax(fabs(to_s), start_s), most_s)};
    return p->amplitude * (level_integral(p, p->level_count, moved(part, p->start_s)) / (to_s - from_s));
}

// From the start of the level on. INFINITY: nothing of the level follows.
static double level_linear_until(const struct protocol *p, int level, double time_s)
{
    if (time_s < 0)
        return 0;
    if (level == 0) {
        const double ends_s[] = {p->ramp_up_s, p->on_s - p->ramp_down_s, p->on_s};
        for (int k = 0; k < 3; k++)
            if (time_s < ends_s[k])
                return ends_s[k];
        return INFINITY;
    }
    const struct protocol_level *repeated = &p->levels[level - 1];
    const double last = (double)(repeated->count - 1), here = fmin(floor(time_s / repeated->period_s), last);
    const double until_s =
        here * repeated->period_s + level_linear_until(p, level - 1, time_s - here * repeated->period_s);
    return isinf(until_s) && here < last ? (here + 1) * repeated->period_s : until_s;
}

double protocol_linear_until(const struct protocol *p, double time_s)
{
    return p->start_s + level_linear_until(p, p->level_count, time_s - p->start_s);
}

double protocol_repeats_until(const struct protocol *p, int level, double time_s)
{
    double begin_s = p->start_s;
    for (int k = p->level_count - 1; k > level; k--) {
        const struct protocol_level *outer = &p->levels[k];
        const double last = (double)(outer->count - 1);
        begin_s += fmin(fmax(floor((time_s - begin_s) / outer->period_s), 0), last) * outer->period_s;
    }
    return time_s < begin_s ? time_s : begin_s + protocol_level_duration_s(p, level + 1);
}

struct edges {
    const struct protocol *protocol;
    double share, *values_s;
    size_t count;
};

// Of the first and the last pulse of a level that begins at begin_s.
static void add_ends(struct edges *e, int level, double begin_s)
{
    const struct protocol *p = e->protocol;
    const double last_s = begin_s + protocol_level_duration_s(p, level) - p->on_s;
    for (int k = 0; k < 2; k++) {
        const double pulse_s = k == 0 ? begin_s : last_s;
        e->values_s[e->count++] = pulse_s + e->share * p->ramp_up_s;
        e->values_s[e->count++] = pulse_s + p->on_s - e->share * p->ramp_down_s;
    }
}

// Between the first and the last of a group all pulses depart by amounts on a straight line.
size_t protocol_edges(const struct protocol *p, double time_s, double share,
                      double edges_s[PROTOCOL_EDGES_MAX])
{
    struct edges edges = {p, share, edges_s, 0};
    double begin_s = p->start_s;
    add_ends(&edges, p->level_count, begin_s);
    for (int level = p->level_count; level > 0; level--) {
        const struct protocol_level *repeated = &p->levels[level - 1];
        const double last = (double)(repeated->count - 1),
                     here = fmin(fmax(floor((time_s - begin_s) / repeated->period_s), 0), last);
        for (double k = fmax(here - 1, 0); k <= fmin(here + 1, last); k++)
            add_ends(&edges, level - 1, begin_s + k * repeated->period_s);
        begin_s += here * repeated->period_s;
    }
    return edges.count;
}
