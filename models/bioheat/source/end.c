// Whether a heat source is meant to act before the run or beyond its end: trains of a protocol, values of a
// table or of rows. A stream is read during the run, and is not judged here.
#include "models/bioheat/source/private.h"

#include <math.h>
#include <stdio.h>

// The last step ends within rounding of the run's duration.
static const double slack = 1e-9;

// The run, and times that count as its ends.
struct span {
    double begin_s, end_s, slack_s;
    size_t steps;
};

// The trains of a protocol: of the first `before` that begin before the run, the last may reach into it.
struct trains {
    double start_s, length_s, period_s, count;
    double before, whole;
    bool has_part_before, has_part_after;
};

static struct trains count_trains(const struct protocol *p, const struct span *run)
{
    const int level = p->level_count > 0 ? p->level_count - 1 : 0;
    struct trains t = {.start_s = p->start_s, .length_s = protocol_level_duration_s(p, level), .count = 1};
    t.period_s = t.length_s;
    if (p->level_count > 0 && p->levels[level].count > 1) {
        t.count = (double)p->levels[level].count;
        t.period_s = p->levels[level].period_s;
    }
    const double first_s = run->begin_s - t.start_s - run->slack_s, left_s = run->end_s - t.start_s;
    t.before = fmin(t.count, fmax(0, ceil(first_s / t.period_s)));
    const double ended = fmin(t.count, fmax(0, floor((left_s - t.length_s + run->slack_s) / t.period_s) + 1)),
                 begun = fmin(t.count, fmax(0, ceil((left_s - run->slack_s) / t.period_s)));
    t.whole = fmax(0, ended - t.before);
    t.has_part_before = t.before > 0 && begun >= t.before &&
                        (t.before - 1) * t.period_s + t.length_s > first_s + 2 * run->slack_s;
    t.has_part_after = begun > fmax(ended, t.before);
    return t;
}

static void tell_trains(const char *name, const struct trains *t, const struct span *run,
                        struct bioheat_cut *cut)
{
    const double end_s = t->start_s + (t->count - 1) * t->period_s + t->length_s;
    const size_t bytes = sizeof cut->text;
    if (t->whole == 0 && !t->has_part_before && !t->has_part_after && t->before < t->count)
        snprintf(cut->text, bytes, "protocol %s begins at %.6g s, when the run has ended", name, t->start_s);
    else if (t->whole == 0 && !t->has_part_before && !t->has_part_after)
        snprintf(cut->text, bytes, "protocol %s ends at %.6g s, before the run begins", name, end_s);
    else if (t->count == 1 && cut->is_before)
        snprintf(cut->text, bytes, "protocol %s: of the train of %.6g s, %.6g s lie in the run", name,
                 t->length_s, fmin(end_s, run->end_s) - run->begin_s);
    else if (t->count == 1)
        snprintf(cut->text, bytes, "protocol %s: the train of %.6g s is cut after %.6g s", name, t->length_s,
                 run->end_s - t->start_s);
    else
        snprintf(cut->text, bytes, "protocol %s: %.0f of %.0f trains%s%s", name, t->whole, t->count,
                 t->has_part_before ? " and a part of the one before" : "",
                 t->has_part_after ? " and a part of the next" : "");
}

static bool protocol_is_cut(const struct source_time *time, const struct span *run, struct bioheat_cut *cut)
{
    const struct protocol *p = &time->given;
    const struct trains t = count_trains(p, run);
    const double end_s = p->start_s + protocol_level_duration_s(p, p->level_count);
    cut->is_before = p->amplitude != 0 && t.before > 0;
    cut->is_after = p->amplitude != 0 && end_s > run->end_s + run->slack_s;
    if (cut->is_before || cut->is_after)
        tell_trains(time->name, &t, run, cut);
    return cut->is_before || cut->is_after;
}

// The values of record k, to be asked whether all are 0.
struct values {
    const double *first;
    size_t places;
};

static bool is_zero(const struct values *values, size_t record)
{
    for (size_t p = 0; p < values->places; p++)
        if (values->first[record * values->places + p] != 0)
            return false;
    return true;
}

// A last value that begins with its own time, and has no end: what it heats comes after a run that ends there
// or earlier. Of a line, the part that leads to it counts.
static bool last_is_cut(const struct source_axis *axis, const struct values *values, const struct span *run)
{
    const size_t last = axis->records - 1;
    const bool has_no_end = axis->time_count == axis->records && (!axis->is_linear || last == 0);
    return has_no_end && !is_zero(values, last) && axis->times_s[last] >= run->end_s - run->slack_s;
}

// Records of one step each: those that no step is left for.
static bool steps_are_cut(const struct source_axis *axis, const struct values *values, const struct span *run)
{
    for (size_t k = run->steps; k < axis->records; k++)
        if (!is_zero(values, k))
            return true;
    return false;
}

// A value that is held after the last time has no end that a run could reach; one before the first time, no
// beginning.
static bool axis_is_cut(const struct source_axis *axis, const struct values *values, const struct span *run,
                        struct bioheat_cut *cut)
{
    if (!values->first)
        return false;
    if (!axis->times_s)
        return cut->is_after = steps_are_cut(axis, values, run);
    for (size_t k = 0; k + 1 < axis->time_count; k++) {
        const bool has_next = axis->is_linear && k + 1 < axis->records;
        if (is_zero(values, k) && !(has_next && !is_zero(values, k + 1)))
            continue;
        cut->is_before |= axis->times_s[k] < run->begin_s - run->slack_s;
        cut->is_after |= axis->times_s[k + 1] > run->end_s + run->slack_s;
    }
    cut->is_after |= last_is_cut(axis, values, run);
    return cut->is_before || cut->is_after;
}

static void tell_values(const char *what, const char *verb, const struct span *run, struct bioheat_cut *cut)
{
    if (cut->is_before && cut->is_after)
        snprintf(cut->text, sizeof cut->text, "%s %s before the run's start and beyond its end at %.6g s",
                 what, verb, run->end_s);
    else if (cut->is_before)
        snprintf(cut->text, sizeof cut->text, "%s %s before the run's start", what, verb);
    else
        snprintf(cut->text, sizeof cut->text, "%s %s beyond its end at %.6g s", what, verb, run->end_s);
}

struct bioheat_cut bioheat_heating_cut(const struct bioheat_heating *heating, double begin_s, double end_s,
                                       size_t steps)
{
    const struct source_rows *const rows[] = {&heating->points, &heating->boxes};
    const struct span run = {begin_s, end_s, slack * end_s, steps};
    struct bioheat_cut cut = {0};
    for (size_t k = 0; k < heating->time_count; k++) {
        const struct source_time *time = &heating->times[k];
        if (time->is_used && time->kind == SOURCE_PULSES && protocol_is_cut(time, &run, &cut))
            return cut;
        if (!time->is_used || time->kind != SOURCE_TABLE ||
            !axis_is_cut(&time->axis, &(struct values){time->values, 1}, &run, &cut))
            continue;
        char what[sizeof time->name + 8];
        snprintf(what, sizeof what, "table %s", time->name);
        tell_values(what, "heats", &run, &cut);
        return cut;
    }
    for (size_t k = 0; k < 2; k++)
        if (rows[k]->places > 0 &&
            axis_is_cut(&rows[k]->axis, &(struct values){rows[k]->given, rows[k]->places}, &run, &cut)) {
            tell_values(rows[k]->key, "heat", &run, &cut);
            return cut;
        }
    return cut;
}
