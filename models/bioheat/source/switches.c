// When a heat source changes: the times at which it is switched, and the heat that a step misses which has
// the source's mean power although it changes within.
#include "models/bioheat/source/private.h"

#include <math.h>
#include <string.h>

// ---- switch times

struct lengths {
    double *values_s;
    size_t count, most;
};

static void add_length(struct lengths *l, double length_s)
{
    if (!(length_s > 0))
        return;
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

// Stepwise: all times; linear: the ends, where the values jump to zero.
static void add_axis(struct lengths *l, const struct source_axis *axis)
{
    if (!axis->times_s)
        return;
    for (size_t k = 0; k < axis->time_count; k++)
        if (!axis->is_linear || k == 0 || k + 1 == axis->time_count)
            add_length(l, axis->times_s[k]);
}

// A length that is there is not taken again: a stream has thousands of records, mostly evenly spaced.
static void add_new_length(struct lengths *l, double length_s)
{
    for (size_t k = 0; k < l->count && k < l->most; k++)
        if (fabs(l->values_s[k] - length_s) <= 1e-12 * length_s)
            return;
    add_length(l, length_s);
}

// Stepwise: where its first record begins, and how long each lasts; linear: the ends where it jumps to zero.
static void add_stream(struct lengths *l, const struct source_axis *axis)
{
    if (!axis->times_s)
        return; // a record is one step's
    const double *times_s = axis->times_s;
    const size_t last = axis->time_count - 1;
    if (!axis->is_linear || axis->before == SOURCE_ZERO)
        add_new_length(l, fabs(times_s[0]));
    if (axis->is_linear && axis->after == SOURCE_ZERO)
        add_new_length(l, fabs(times_s[last]));
    for (size_t k = 0; k < last && !axis->is_linear; k++)
        add_new_length(l, times_s[k + 1] - times_s[k]);
}

size_t bioheat_heating_switches(const struct bioheat_heating *heating, int averaged, double *lengths_s,
                                size_t most)
{
    struct lengths l = {lengths_s, 0, most};
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
        add_stream(&l, &heating->stream->axis);
    return l.count;
}

// ---- missed heat

// Places within a step at which the missed heat is computed: of pulses, their edges, where it is largest; of
// tables and rows, multiples of the golden ratio: of one switch the largest is found to some 5 %.
enum { SAMPLES = 24, PLACES_MAX = 1024 };
static const double golden = 0.61803398874989485;

static struct source_axis axis_of_part(const struct source_axis *axis, double from_s, double to_s)
{
    struct source_axis part = *axis;
    part.start_s = from_s;
    part.step_s = to_s - from_s;
    return part;
}

static double mean_between(const struct source_time *time, double from_s, double to_s)
{
    if (time->kind == SOURCE_CONSTANT)
        return time->constant;
    if (time->kind == SOURCE_PULSES)
        return protocol_mean(&time->protocol, from_s, to_s);
    const struct source_axis part = axis_of_part(&time->axis, from_s, to_s);
    const struct source_window window = source_axis_window(&part, 0);
    double mean = 0;
    for (size_t k = window.first; k < window.first + window.count; k++)
        mean += source_axis_weight(&part, &window, k) * time->values[k];
    return mean;
}

// Stepwise: one record, or none, acts throughout; linear: none.
static bool axis_is_steady(const struct source_axis *axis, int64_t step)
{
    if (!axis->times_s)
        return true;
    const struct source_window window = source_axis_window(axis, step);
    const double *times_s = axis->times_s;
    const size_t k = window.first;
    if (window.count == 0)
        return true;
    if (window.count > 1 || axis->is_linear)
        return false;
    return (k == 0 && window.to_s <= times_s[0]) ||
           (window.from_s >= times_s[k] && (k + 1 >= axis->time_count || window.to_s <= times_s[k + 1]));
}

static bool time_is_steady(const struct source_time *time, int64_t step)
{
    const double step_s = time->axis.step_s;
    if (time->kind != SOURCE_PULSES)
        return time->kind == SOURCE_CONSTANT || axis_is_steady(&time->axis, step);
    const double amplitude = time->protocol.amplitude,
                 mean = protocol_mean(&time->protocol, (double)step * step_s, (double)(step + 1) * step_s);
    return fabs(mean) <= 1e-9 * fabs(amplitude) || fabs(mean - amplitude) <= 1e-9 * fabs(amplitude);
}

bool source_is_steady(const struct bioheat_heating *heating, int64_t step)
{
    bool is_steady = true;
    for (size_t k = 0; k < heating->time_count && is_steady; k++)
        is_steady = !heating->times[k].is_used || time_is_steady(&heating->times[k], step);
    if (is_steady && heating->points.places > 0)
        is_steady = axis_is_steady(&heating->points.axis, step);
    if (is_steady && heating->boxes.places > 0)
        is_steady = axis_is_steady(&heating->boxes.axis, step);
    return is_steady;
}

// A part of a step and the whole, on the axis of rows.
struct step_part {
    struct source_axis part, whole;
    struct source_window given, all;
    double duration_s;
};

static struct step_part part_of_step(const struct source_rows *rows, double from_s, double at_s, double to_s)
{
    struct step_part p = {.part = axis_of_part(&rows->axis, from_s, at_s),
                          .whole = axis_of_part(&rows->axis, from_s, to_s),
                          .duration_s = at_s - from_s};
    p.given = source_axis_window(&p.part, 0);
    p.all = source_axis_window(&p.whole, 0);
    return p;
}

// J/m3 that the part has more than its share of the whole.
static double place_missed(const struct source_rows *rows, size_t place, const struct step_part *p)
{
    double difference = 0;
    for (size_t k = p->given.first; k < p->given.first + p->given.count; k++)
        difference += source_axis_weight(&p->part, &p->given, k) * rows->given[k * rows->places + place];
    for (size_t k = p->all.first; k < p->all.first + p->all.count; k++)
        difference -= source_axis_weight(&p->whole, &p->all, k) * rows->given[k * rows->places + place];
    return difference * p->duration_s;
}

// Of the cell that misses most: its points add up, those of other cells do not.
static double points_missed(const struct bioheat_heating *heating, double from_s, double at_s, double to_s)
{
    const struct source_rows *rows = &heating->points;
    double most = 0;
    if (rows->places == 0 || !rows->axis.times_s)
        return 0;
    const struct step_part part = part_of_step(rows, from_s, at_s, to_s);
    memset(heating->point_sums, 0, rows->places * sizeof *heating->point_sums);
    for (size_t p = 0; p < rows->places; p++)
        heating->point_sums[heating->point_firsts[p]] += place_missed(rows, p, &part);
    for (size_t p = 0; p < rows->places; p++)
        most = fmax(most, fabs(heating->point_sums[p]));
    return most;
}

// Boxes may overlap.
static double boxes_missed(const struct bioheat_heating *heating, double from_s, double at_s, double to_s)
{
    const struct source_rows *rows = &heating->boxes;
    double sum = 0;
    if (rows->places == 0 || !rows->axis.times_s)
        return 0;
    const struct step_part part = part_of_step(rows, from_s, at_s, to_s);
    for (size_t p = 0; p < rows->places; p++)
        sum += fabs(place_missed(rows, p, &part));
    return sum;
}

static double missed_until(const struct bioheat_heating *heating, double from_s, double at_s, double to_s)
{
    double missed = 0;
    for (int k = 0; k < heating->map_count; k++) {
        const struct source_map *map = &heating->maps[k];
        missed +=
            map->power.largest_w_m3 * (at_s - from_s) *
            fabs(mean_between(map->amplitude, from_s, at_s) - mean_between(map->amplitude, from_s, to_s));
    }
    return missed + points_missed(heating, from_s, at_s, to_s) + boxes_missed(heating, from_s, at_s, to_s);
}

// The edges of the protocol's pulses near both ends of a step.
static size_t add_edges(const struct protocol *p, double from_s, double to_s, double *places_s, size_t count)
{
    const double share = p->amplitude != 0 ? protocol_mean(p, from_s, to_s) / p->amplitude : 0;
    for (int end = 0; end < 2 && count + PROTOCOL_EDGES_MAX <= PLACES_MAX; end++)
        count += protocol_edges(p, end ? to_s : from_s, share, places_s + count);
    return count;
}

double source_missed_j_m3(const struct bioheat_heating *heating, int64_t step, double step_s)
{
    const double from_s = (double)step * step_s, to_s = (double)(step + 1) * step_s;
    double places_s[PLACES_MAX], most = 0;
    size_t count = 0;
    for (int n = 1; n <= SAMPLES; n++)
        places_s[count++] = from_s + (n * golden - floor(n * golden)) * step_s;
    for (size_t k = 0; k < heating->time_count; k++)
        if (heating->times[k].is_used && heating->times[k].kind == SOURCE_PULSES)
            count = add_edges(&heating->times[k].protocol, from_s, to_s, places_s, count);
    for (size_t k = 0; k < count; k++)
        if (places_s[k] > from_s + 1e-9 * step_s && places_s[k] < to_s - 1e-9 * step_s)
            most = fmax(most, missed_until(heating, from_s, places_s[k], to_s));
    return most;
}
