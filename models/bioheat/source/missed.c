// The heat that a step misses which has the source's mean power although it changes within.
#include "models/bioheat/source/private.h"

#include <math.h>
#include <string.h>

// ---- whether a step misses any

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

// However short a pulse is, its power may be large.
static bool time_is_steady(const struct source_time *time, int64_t step)
{
    const double step_s = time->axis.step_s;
    if (time->kind != SOURCE_PULSES)
        return time->kind == SOURCE_CONSTANT || axis_is_steady(&time->axis, step);
    const double amplitude = time->protocol.amplitude,
                 mean = protocol_mean(&time->protocol, (double)step * step_s, (double)(step + 1) * step_s);
    return mean == 0 || fabs(mean - amplitude) <= 1e-9 * fabs(amplitude);
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

// ---- tables and rows: piece by piece between their times

// Values over time of one or several places: of a table, of points, of boxes.
struct listed {
    const struct source_axis *axis;
    const double *values; // [records][places]
    size_t places;
    const size_t *firsts; // of each place the one that takes its heat; NULL: itself
    bool adds;            // places may overlap
    double *numbers;      // SOURCE_LISTED_NUMBERS of each place
};

// Rates of all places where the piece begins and where it ends.
static void set_rates(const struct listed *l, const struct source_stretch *stretch, double *begin,
                      double *end)
{
    memset(begin, 0, l->places * sizeof *begin);
    memset(end, 0, l->places * sizeof *end);
    for (int k = 0; k < 2; k++) {
        if (stretch->begin[k] == 0 && stretch->end[k] == 0)
            continue;
        const double *values = l->values + (stretch->record + (size_t)k) * l->places;
        for (size_t p = 0; p < l->places; p++) {
            const size_t at = l->firsts ? l->firsts[p] : p;
            begin[at] += stretch->begin[k] * values[p];
            end[at] += stretch->end[k] * values[p];
        }
    }
}

static void set_means(const struct listed *l, const struct source_window *step, double *means, double *begin,
                      double *end)
{
    memset(means, 0, l->places * sizeof *means);
    for (double at_s = step->from_s; at_s < step->to_s;) {
        const struct source_stretch stretch = source_axis_stretch(l->axis, at_s, step->to_s);
        set_rates(l, &stretch, begin, end);
        const double share = (stretch.end_s - at_s) / (step->to_s - step->from_s);
        for (size_t p = 0; p < l->places; p++)
            means[p] += share * 0.5 * (begin[p] + end[p]);
        at_s = stretch.end_s;
    }
}

// Of a place the heat that is missed before a piece, *missed, becomes that after it; returns the largest
// size between: where a straight line passes the mean it is an extreme.
static double pass_piece(double duration_s, double begin, double end, double *missed)
{
    const double before = fabs(*missed);
    double largest = before;
    if ((begin < 0) != (end < 0) && begin != end)
        largest = fmax(largest, fabs(*missed + 0.5 * begin * begin * duration_s / (begin - end)));
    *missed += 0.5 * (begin + end) * duration_s;
    return fmax(largest, fabs(*missed));
}

// Of the place that misses most; where places may overlap, of all together.
static double listed_missed(const struct listed *l, int64_t step)
{
    double *means = l->numbers, *missed = means + l->places, *begin = missed + l->places,
           *end = begin + l->places, most = 0;
    if (l->places == 0 || axis_is_steady(l->axis, step))
        return 0;
    const struct source_window window = source_axis_window(l->axis, step);
    set_means(l, &window, means, begin, end);
    memset(missed, 0, l->places * sizeof *missed);
    for (double at_s = window.from_s; at_s < window.to_s;) {
        const struct source_stretch stretch = source_axis_stretch(l->axis, at_s, window.to_s);
        double sum = 0;
        set_rates(l, &stretch, begin, end);
        for (size_t p = 0; p < l->places; p++) {
            const double own =
                pass_piece(stretch.end_s - at_s, begin[p] - means[p], end[p] - means[p], &missed[p]);
            sum = l->adds ? sum + own : fmax(sum, own);
        }
        most = fmax(most, sum);
        at_s = stretch.end_s;
    }
    return most;
}

static double rows_missed(const struct bioheat_heating *heating, const struct source_rows *rows, int64_t step)
{
    const bool are_points = rows == &heating->points;
    const struct listed listed = {.axis = &rows->axis,
                                  .values = rows->given,
                                  .places = rows->places,
                                  .firsts = are_points ? heating->point_firsts : NULL,
                                  .adds = !are_points,
                                  .numbers = rows->numbers};
    return listed_missed(&listed, step);
}

static double table_missed(const struct source_time *table, int64_t step)
{
    double numbers[SOURCE_LISTED_NUMBERS];
    const struct listed listed = {
        .axis = &table->axis, .values = table->values, .places = 1, .numbers = numbers};
    return listed_missed(&listed, step);
}

double source_missed_listed_j_m3(const struct bioheat_heating *heating, int64_t step)
{
    double missed = 0;
    for (int k = 0; k < heating->map_count; k++)
        if (heating->maps[k].amplitude->kind == SOURCE_TABLE)
            missed += heating->maps[k].power.largest_w_m3 * table_missed(heating->maps[k].amplitude, step);
    return missed + rows_missed(heating, &heating->points, step) +
           rows_missed(heating, &heating->boxes, step);
}

// ---- pulses

// Places within a step at which the missed heat is computed: the edges of pulses, where it is largest, and
// multiples of the golden ratio, where pulses of several protocols overlap.
enum { SAMPLES = 24, PLACES_MAX = 1024 };
static const double golden = 0.61803398874989485, nearest = 1e-9; // to the ends of a step, in steps

static double pulses_missed_until(const struct bioheat_heating *heating, double from_s, double at_s,
                                  double to_s)
{
    double missed = 0;
    for (int k = 0; k < heating->map_count; k++) {
        const struct source_map *map = &heating->maps[k];
        const struct protocol *p = &map->amplitude->protocol;
        if (map->amplitude->kind == SOURCE_PULSES)
            missed += map->power.largest_w_m3 * (at_s - from_s) *
                      fabs(protocol_mean(p, from_s, at_s) - protocol_mean(p, from_s, to_s));
    }
    return missed;
}

// The edges of the protocol's pulses near both ends of a step.
static size_t add_edges(const struct protocol *p, double from_s, double to_s, double *places_s, size_t count)
{
    const double share = p->amplitude != 0 ? protocol_mean(p, from_s, to_s) / p->amplitude : 0;
    for (int end = 0; end < 2 && count + PROTOCOL_EDGES_MAX <= PLACES_MAX; end++)
        count += protocol_edges(p, end ? to_s : from_s, share, places_s + count);
    return count;
}

// Whether a pulse may be so short that its edges are one time: then places on either side of it are looked
// at.
static bool has_short_pulses(const struct bioheat_heating *heating, double step_s)
{
    for (size_t k = 0; k < heating->time_count; k++)
        if (heating->times[k].is_used && heating->times[k].kind == SOURCE_PULSES &&
            heating->times[k].protocol.on_s < 1e-6 * step_s)
            return true;
    return false;
}

// A pulse may also lie at an end of the step.
static double pulses_missed(const struct bioheat_heating *heating, int64_t step, double step_s)
{
    const double from_s = (double)step * step_s, to_s = (double)(step + 1) * step_s,
                 near_s = nearest * step_s;
    const int sides = has_short_pulses(heating, step_s);
    double places_s[PLACES_MAX], most = 0;
    size_t count = 0;
    for (int n = 1; n <= SAMPLES; n++)
        places_s[count++] = from_s + (n * golden - floor(n * golden)) * step_s;
    for (size_t k = 0; k < heating->time_count; k++)
        if (heating->times[k].is_used && heating->times[k].kind == SOURCE_PULSES)
            count = add_edges(&heating->times[k].protocol, from_s, to_s, places_s, count);
    for (size_t k = 0; k < count; k++)
        for (int side = -sides; side <= sides; side++) {
            const double at_s = fmin(fmax(places_s[k] + side * near_s, from_s + near_s), to_s - near_s);
            if (places_s[k] >= from_s && places_s[k] <= to_s && at_s > from_s && at_s < to_s)
                most = fmax(most, pulses_missed_until(heating, from_s, at_s, to_s));
        }
    return most;
}

double source_missed_j_m3(const struct bioheat_heating *heating, int64_t step, double step_s)
{
    return pulses_missed(heating, step, step_s) + source_missed_listed_j_m3(heating, step);
}
