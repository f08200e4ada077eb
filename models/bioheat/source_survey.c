// What a heat source has before the run: its largest power density, and the times at which it is switched.
#include "models/bioheat/source_private.h"

#include <math.h>
#include <stdlib.h>

// ---- the largest values

static double largest_of(const void *values, enum element element, size_t count)
{
    double most = 0;
    for (size_t k = 0; k < count; k++)
        most = fmax(most, fabs(element_get(element, values, k)));
    return most;
}

static enum status survey_map(struct bioheat_heating *heating, struct source_map *map)
{
    const struct field_file_info *info = field_file_info(map->file);
    const size_t cells = heating->grid->cells[BIOHEAT_Y] * heating->grid->cells[BIOHEAT_X],
                 planes = heating->grid->cells[BIOHEAT_Z];
    const size_t bytes = info->slab_planes * cells * element_bytes(heating->precision);
    void *values = malloc(bytes), *scratch = malloc(info->scratch_bytes + 1);
    enum status status =
        values && scratch ? STATUS_OK : FAIL(STATUS_SYSTEM, "no memory for planes of %zu cells", cells);
    map->largest_w_m3 = 0;
    for (size_t z = 0; status == STATUS_OK && z < planes; z += info->slab_planes) {
        const size_t count = z + info->slab_planes <= planes ? info->slab_planes : planes - z;
        struct field_fault fault;
        if (field_file_read_planes(map->file, 0, z, count, values, scratch, &fault))
            map->largest_w_m3 =
                fmax(map->largest_w_m3, largest_of(values, heating->precision, count * cells));
        else
            status = status_prefix(field_file_fail(map->file, &fault, (double)NAN), "%s", map->where);
    }
    free(values);
    free(scratch);
    return status;
}

enum status bioheat_heating_survey(struct bioheat_heating *heating)
{
    for (int k = 0; k < heating->map_count; k++)
        CHECK(survey_map(heating, &heating->maps[k]));
    return STATUS_OK;
}

// Mean over a step of a record's largest value: points do not add up, boxes may.
static double rows_largest(const struct source_rows *rows, bool adds, int64_t step)
{
    const struct source_window window = source_axis_window(&rows->axis, step);
    double mean = 0;
    for (size_t k = window.first; k < window.first + window.count; k++) {
        const double *values = rows->given + k * rows->places;
        double most = 0;
        for (size_t place = 0; place < rows->places; place++)
            most = adds ? most + fabs(values[place]) : fmax(most, fabs(values[place]));
        mean += fabs(source_axis_weight(&rows->axis, &window, k)) * most * rows->scale;
    }
    return mean;
}

static double largest_in_step(const struct bioheat_heating *heating, int64_t step, double step_s)
{
    double sum = 0;
    for (int k = 0; k < heating->map_count; k++)
        sum += heating->maps[k].largest_w_m3 *
               fabs(source_time_mean(heating->maps[k].amplitude, step, 0, step_s));
    sum += heating->points.places > 0 ? rows_largest(&heating->points, false, step) : 0;
    return sum + (heating->boxes.places > 0 ? rows_largest(&heating->boxes, true, step) : 0);
}

static void set_steps(struct source_axis *axis, double step_s)
{
    axis->start_s = 0;
    axis->step_s = step_s;
}

double bioheat_heating_largest_w_m3(struct bioheat_heating *heating, double step_s, int64_t steps)
{
    double most = 0;
    if (heating->stream || (heating->points.places > 0 && !heating->points.given) ||
        (heating->boxes.places > 0 && !heating->boxes.given))
        return NAN;
    for (size_t k = 0; k < heating->time_count; k++)
        set_steps(&heating->times[k].axis, step_s);
    set_steps(&heating->points.axis, step_s);
    set_steps(&heating->boxes.axis, step_s);
    for (int64_t step = 0; step < steps; step++)
        most = fmax(most, largest_in_step(heating, step, step_s));
    return most;
}

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

// From level `finest` on; the levels within it count as evenly on while they last.
static void add_protocol(struct lengths *l, const struct protocol *p, int finest)
{
    add_length(l, p->start_s);
    finest = finest < p->level_count ? finest : p->level_count;
    if (finest == 0) {
        add_length(l, p->on_s);
        add_length(l, p->ramp_up_s);
        add_length(l, p->ramp_down_s);
    } else {
        const struct protocol_level *inner = &p->levels[finest - 1];
        add_length(l, (double)inner->count * inner->period_s);
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

size_t bioheat_heating_switches(const struct bioheat_heating *heating, int finest, double *lengths_s,
                                size_t most)
{
    struct lengths l = {lengths_s, 0, most};
    for (size_t k = 0; k < heating->time_count; k++) {
        if (!heating->times[k].is_used)
            continue;
        if (heating->times[k].kind == SOURCE_PULSES)
            add_protocol(&l, &heating->times[k].protocol, finest);
        else if (heating->times[k].kind == SOURCE_TABLE)
            add_axis(&l, &heating->times[k].axis);
    }
    if (heating->points.places > 0)
        add_axis(&l, &heating->points.axis);
    if (heating->boxes.places > 0)
        add_axis(&l, &heating->boxes.axis);
    return l.count;
}
