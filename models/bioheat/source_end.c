// Whether a heat source is meant to act beyond the end of the run: trains of a protocol, values of a table or
// of listed rows. What a file of rows or a stream holds is read during the run, and is not judged here.
#include "models/bioheat/source_private.h"

#include <math.h>
#include <stdio.h>

// The last step ends within rounding of the run's duration.
static const double slack = 1e-9;

static bool protocol_lasts(const struct source_time *time, double end_s, char *text, size_t bytes)
{
    const struct protocol *p = &time->given;
    const int level = p->level_count > 0 ? p->level_count - 1 : 0;
    const double duration_s = protocol_level_duration_s(p, p->level_count),
                 train_s = protocol_level_duration_s(p, level), beyond_s = slack * fmax(end_s, duration_s);
    if (p->amplitude == 0 || p->start_s + duration_s <= end_s + beyond_s)
        return false;
    const double trains = p->level_count > 0 ? (double)p->levels[level].count : 1,
                 period_s = p->level_count > 0 && trains > 1 ? p->levels[level].period_s : duration_s,
                 left_s = end_s - p->start_s + beyond_s;
    const double whole = fmax(0, fmin(trains, floor((left_s - train_s) / period_s) + 1)),
                 begun = fmax(0, fmin(trains, ceil((left_s - 2 * beyond_s) / period_s)));
    if (begun == 0)
        snprintf(text, bytes, "protocol %s begins at %.6g s, when the run has ended", time->name, p->start_s);
    else if (trains == 1)
        snprintf(text, bytes, "protocol %s: the train of %.6g s is cut after %.6g s", time->name, train_s,
                 end_s - p->start_s);
    else
        snprintf(text, bytes, "protocol %s: %.0f of %.0f trains%s", time->name, whole, trains,
                 begun > whole ? " and a part of the next" : "");
    return true;
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

// A value that is held after the last time has no end that a run could reach.
static bool axis_lasts(const struct source_axis *axis, const struct values *values, double end_s)
{
    if (!axis->times_s || !values->first)
        return false;
    const double reach_s = end_s * (1 + slack);
    for (size_t k = 0; k + 1 < axis->time_count; k++) {
        const bool has_next = axis->is_linear && k + 1 < axis->records;
        if (axis->times_s[k + 1] > reach_s && (!is_zero(values, k) || (has_next && !is_zero(values, k + 1))))
            return true;
    }
    return false;
}

bool bioheat_heating_lasts(const struct bioheat_heating *heating, double end_s, char *text, size_t bytes)
{
    const struct source_rows *const rows[] = {&heating->points, &heating->boxes};
    for (size_t k = 0; k < heating->time_count; k++) {
        const struct source_time *time = &heating->times[k];
        if (time->is_used && time->kind == SOURCE_PULSES && protocol_lasts(time, end_s, text, bytes))
            return true;
        if (!time->is_used || time->kind != SOURCE_TABLE ||
            !axis_lasts(&time->axis, &(struct values){time->values, 1}, end_s))
            continue;
        snprintf(text, bytes, "table %s heats beyond its end at %.6g s", time->name, end_s);
        return true;
    }
    for (size_t k = 0; k < 2; k++)
        if (rows[k]->places > 0 &&
            axis_lasts(&rows[k]->axis, &(struct values){rows[k]->given, rows[k]->places}, end_s)) {
            snprintf(text, bytes, "%s heat beyond its end at %.6g s", rows[k]->key, end_s);
            return true;
        }
    return false;
}
