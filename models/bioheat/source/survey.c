// What a heat source gives at most, before the run: its power density, and the heat that steps miss.
#include "models/bioheat/source/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- the largest values

// Planes of a map one after the other: a slab, and the two before it.
enum { KEPT = 2 };
struct slab {
    struct bioheat_heating *heating;
    struct source_map *map;
    char *planes; // [KEPT + slab_planes][y][x]
    size_t plane_bytes;
};

static double value_at(const struct slab *s, size_t plane, size_t i)
{
    return element_get(s->heating->precision, s->planes + plane * s->plane_bytes, i);
}

static bool is_wall(const struct bioheat_grid *grid, int axis, bool is_first, bool is_last)
{
    const struct bioheat_face *faces = grid->faces[axis];
    return grid->cells[axis] > 1 && ((is_first && faces[0].kind == BIOHEAT_CONVECTIVE) ||
                                     (is_last && faces[1].kind == BIOHEAT_CONVECTIVE));
}

// Whether one of the cells first … last lies at a convective face.
static bool has_wall(const struct bioheat_grid *grid, const size_t first[BIOHEAT_AXES],
                     const size_t last[BIOHEAT_AXES])
{
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        if (is_wall(grid, axis, first[axis] == 0, last[axis] + 1 == grid->cells[axis]))
            return true;
    return false;
}

// Plane number `at` of the slab; those beside it where the map has them.
static void survey_plane(const struct slab *s, size_t at, bool has_before, bool has_after)
{
    const size_t *n = s->heating->grid->cells, nx = n[BIOHEAT_X], ny = n[BIOHEAT_Y];
    const int axes = (n[BIOHEAT_Z] > 1) + (ny > 1) + (nx > 1);
    const struct bioheat_grid *grid = s->heating->grid;
    const bool is_plane_wall = is_wall(grid, BIOHEAT_Z, !has_before, !has_after);
    struct bioheat_power *power = &s->map->power;
    for (size_t y = 0; y < ny; y++) {
        const bool is_row_wall = is_plane_wall || is_wall(grid, BIOHEAT_Y, y == 0, y + 1 == ny);
        for (size_t x = 0; x < nx; x++) {
            const size_t i = y * nx + x;
            const double here = value_at(s, at, i);
            double sum = has_before ? value_at(s, at - 1, i) - here : 0;
            sum += has_after ? value_at(s, at + 1, i) - here : 0;
            sum += y > 0 ? value_at(s, at, i - nx) - here : 0;
            sum += y + 1 < ny ? value_at(s, at, i + nx) - here : 0;
            sum += x > 0 ? value_at(s, at, i - 1) - here : 0;
            sum += x + 1 < nx ? value_at(s, at, i + 1) - here : 0;
            power->largest_w_m3 = fmax(power->largest_w_m3, fabs(here));
            power->rough_w_m3 = fmax(power->rough_w_m3, axes > 0 ? fabs(sum) / (2 * axes) : fabs(here));
            if (is_row_wall || is_wall(grid, BIOHEAT_X, x == 0, x + 1 == nx))
                power->wall_w_m3 = fmax(power->wall_w_m3, fabs(here));
        }
    }
}

// Planes z … z + count − 1 of a map; of a pressure, one.
static enum status read_slab(const struct slab *s, size_t z, size_t count, void *scratch)
{
    struct field_fault fault;
    struct source_map *map = s->map;
    char *planes = s->planes + KEPT * s->plane_bytes;
    if (map->pressure) {
        uint8_t *labels = scratch;
        const size_t cells = s->heating->grid->cells[BIOHEAT_Y] * s->heating->grid->cells[BIOHEAT_X];
        double *doubles = (double *)(void *)((char *)scratch + source_label_bytes(cells));
        CHECK(bioheat_domain_read_labels(map->pressure->domain, z, labels, doubles));
        CHECK_ABOUT(source_pressure_heat(s->heating, map->pressure, z, labels, planes), "%s", map->where);
        return STATUS_OK;
    }
    if (!field_file_read_planes(map->file, 0, z, count, planes, scratch, &fault))
        return status_prefix(field_file_fail(map->file, &fault, (double)NAN), "%s", map->where);
    return STATUS_OK;
}

// Heat of the planes z … z + count − 1 that were read last: of means, that of the file.
static enum status add_heat(const struct slab *s, struct source_tissue *tissue, size_t z, size_t count)
{
    for (size_t p = 0; p < count; p++) {
        const struct source_cells cells = {.real = s->heating->precision,
                                           .values = s->planes + (KEPT + p) * s->plane_bytes,
                                           .warming = tissue->warming};
        CHECK(source_tissue_read(s->heating, tissue, z + p));
        source_add_plane(s->heating->grid, &cells, z + p, 0, &s->map->heat_w);
    }
    return STATUS_OK;
}

// tissue NULL: the heat is not wanted.
static enum status survey_slabs(const struct slab *s, void *scratch, struct source_tissue *tissue)
{
    const struct source_map *map = s->map;
    const size_t planes = s->heating->grid->cells[BIOHEAT_Z],
                 most = map->pressure ? 1 : field_file_info(map->file)->slab_planes;
    for (size_t z = 0, count; z < planes; z += count) {
        count = z + most <= planes ? most : planes - z;
        CHECK(read_slab(s, z, count, scratch));
        if (tissue)
            CHECK(add_heat(s, tissue, z, count));
        // The last plane waits for the one after it.
        for (size_t p = z > 0 ? z - 1 : 0; p + 1 < z + count; p++)
            survey_plane(s, KEPT + p - z, p > 0, true);
        if (z + count == planes)
            survey_plane(s, KEPT + count - 1, planes > 1, false);
        memmove(s->planes, s->planes + count * s->plane_bytes, KEPT * s->plane_bytes);
    }
    return STATUS_OK;
}

static enum status survey_values(const struct slab *slab, void *scratch)
{
    struct bioheat_heating *heating = slab->heating;
    struct source_tissue tissue;
    if (slab->map->pressure || !source_may_lose(heating))
        return survey_slabs(slab, scratch, NULL);
    enum status status = source_tissue_open(heating, &tissue);
    if (status == STATUS_OK)
        status = survey_slabs(slab, scratch, &tissue);
    source_tissue_close(&tissue);
    return status;
}

enum status source_map_survey(struct bioheat_heating *heating, struct source_map *map)
{
    const size_t cells = heating->grid->cells[BIOHEAT_Y] * heating->grid->cells[BIOHEAT_X];
    const struct field_file_info *info = map->pressure ? NULL : field_file_info(map->file);
    struct slab slab = {
        .heating = heating, .map = map, .plane_bytes = cells * element_bytes(heating->precision)};
    void *scratch =
        malloc(info ? info->scratch_bytes + 1 : source_label_bytes(cells) + 2 * cells * sizeof(double));
    slab.planes = malloc((KEPT + (info ? info->slab_planes : 1)) * slab.plane_bytes);
    map->power = (struct bioheat_power){0};
    map->heat_w = (struct source_heat){0};
    map->is_surveyed = true;
    enum status status = slab.planes && scratch
                             ? STATUS_OK
                             : FAIL(STATUS_SYSTEM, "no memory for planes of %zu bytes", slab.plane_bytes);
    if (status == STATUS_OK && map->pressure)
        status = source_pressure_hold(heating, map->pressure);
    if (status == STATUS_OK)
        status = survey_values(&slab, scratch);
    if (map->pressure)
        source_pressure_let_go(map->pressure);
    free(slab.planes);
    free(scratch);
    return status;
}

enum status bioheat_heating_survey(struct bioheat_heating *heating)
{
    for (int k = 0; k < heating->map_count; k++)
        CHECK(source_map_survey(heating, &heating->maps[k]));
    CHECK(source_rows_survey(&heating->points));
    return source_rows_survey(&heating->boxes);
}

// The largest of |values|, those of points in one cell together.
static double largest_point(const struct bioheat_heating *heating, const double *values)
{
    const size_t count = heating->points.places;
    double *sums = heating->point_sums, most = 0;
    memset(sums, 0, count * sizeof *sums);
    for (size_t p = 0; p < count; p++) {
        double *sum = &sums[heating->point_firsts[p]];
        *sum += fabs(values[p]);
        most = fmax(most, *sum);
    }
    return most;
}

static double sum_of_boxes(const double *values, size_t count)
{
    double sum = 0;
    for (size_t p = 0; p < count; p++)
        sum += fabs(values[p]);
    return sum;
}

// Mean over a step of a record's largest value: points of different cells do not add up, boxes may.
static double rows_largest(const struct bioheat_heating *heating, const struct source_rows *rows,
                           int64_t step)
{
    const struct source_window window = source_axis_window(&rows->axis, step);
    double mean = 0;
    for (size_t k = window.first; k < window.first + window.count; k++) {
        const double *values = rows->given + k * rows->places;
        const double most =
            rows == &heating->points ? largest_point(heating, values) : sum_of_boxes(values, rows->places);
        mean += fabs(source_axis_weight(&rows->axis, &window, k)) * most;
    }
    return mean;
}

static bool has_wall_points(const struct bioheat_heating *heating)
{
    for (size_t p = 0; p < heating->points.places; p++)
        if (has_wall(heating->grid, heating->point_cells[p], heating->point_cells[p]))
            return true;
    return false;
}

static bool has_wall_boxes(const struct bioheat_heating *heating)
{
    for (size_t p = 0; p < heating->boxes.places; p++)
        if (has_wall(heating->grid, heating->box_cells[p].first, heating->box_cells[p].last))
            return true;
    return false;
}

static struct bioheat_power power_in_step(const struct bioheat_heating *heating, int64_t step, double step_s)
{
    struct bioheat_power power = {0};
    for (int k = 0; k < heating->map_count; k++) {
        const double amplitude = fabs(source_time_mean(heating->maps[k].amplitude, step, 0, step_s));
        power.largest_w_m3 += heating->maps[k].power.largest_w_m3 * amplitude;
        power.wall_w_m3 += heating->maps[k].power.wall_w_m3 * amplitude;
        power.rough_w_m3 += heating->maps[k].power.rough_w_m3 * amplitude;
    }
    const double points = heating->points.places > 0 ? rows_largest(heating, &heating->points, step) : 0,
                 boxes = heating->boxes.places > 0 ? rows_largest(heating, &heating->boxes, step) : 0;
    power.largest_w_m3 += points + boxes;
    power.wall_w_m3 += (has_wall_points(heating) ? points : 0) + (has_wall_boxes(heating) ? boxes : 0);
    power.rough_w_m3 += points + boxes; // a box may be one cell
    return power;
}

static void set_steps(struct source_axis *axis, double step_s)
{
    axis->start_s = 0;
    axis->step_s = step_s;
}

// So many of the steps in which the source changes are searched for the heat that they miss of pulses, of the
// others each THINNED-th. Of tables and rows, which need not be regular, all are.
enum { INSPECTED = 512, THINNED = 17 };

// Steps that follow `step` and lie, with a margin for rounding, in a stretch of time in which every term is
// constant or a straight line, without the last of them. A sum of absolute values of such terms is largest at
// one end of the stretch, and its steps miss the same heat.
static int64_t count_alike(const struct bioheat_heating *heating, int64_t step, double step_s, int64_t steps)
{
    const double time_s = (double)step * step_s;
    double until_s = INFINITY;
    for (size_t k = 0; k < heating->time_count; k++) {
        const struct source_time *time = &heating->times[k];
        if (time->is_used && time->kind == SOURCE_PULSES)
            until_s = fmin(until_s, protocol_linear_until(&time->protocol, time_s));
        else if (time->is_used && time->kind == SOURCE_TABLE)
            until_s = fmin(until_s, source_axis_linear_until(&time->axis, time_s));
    }
    if (heating->points.places > 0)
        until_s = fmin(until_s, source_axis_linear_until(&heating->points.axis, time_s));
    if (heating->boxes.places > 0)
        until_s = fmin(until_s, source_axis_linear_until(&heating->boxes.axis, time_s));
    const double last = fmin(until_s / step_s - 3, (double)(steps - 1));
    return last >= (double)step + 2 ? (int64_t)last - step - 1 : 0;
}

// Of the steps that follow, the first that is inspected (0: the next), after so many in which the source
// changes.
static int64_t first_inspected(int64_t changing)
{
    return THINNED - 1 - changing % THINNED;
}

// The steps of a run, looked at for what a source gives at most.
struct look {
    const struct bioheat_heating *heating;
    double step_s;
    int64_t changing; // so far
    struct bioheat_power most;
    struct source_repeats repeats;
};

static void look_for_missed(struct look *look, int64_t step)
{
    look->most.missed_j_m3 =
        fmax(look->most.missed_j_m3, source_missed_j_m3(look->heating, step, look->step_s));
}

// Looks at `step`, and leaves out those that are alike, before `end`; returns the next.
static int64_t look_at(struct look *look, int64_t step, int64_t end)
{
    const struct bioheat_power power = power_in_step(look->heating, step, look->step_s);
    const bool is_steady = source_is_steady(look->heating, step);
    look->most.largest_w_m3 = fmax(look->most.largest_w_m3, power.largest_w_m3);
    look->most.wall_w_m3 = fmax(look->most.wall_w_m3, power.wall_w_m3);
    look->most.rough_w_m3 = fmax(look->most.rough_w_m3, power.rough_w_m3);
    if (!is_steady && (look->changing++ < INSPECTED || look->changing % THINNED == 0))
        look_for_missed(look, step);
    else if (!is_steady)
        look->most.missed_j_m3 = fmax(look->most.missed_j_m3, source_missed_listed_j_m3(look->heating, step));
    const int64_t alike = count_alike(look->heating, step, look->step_s, end),
                  next = first_inspected(look->changing);
    if (alike == 0 || source_is_steady(look->heating, step + alike) != is_steady ||
        (!is_steady && look->changing < INSPECTED))
        return step + 1;
    if (!is_steady && next < alike)
        look_for_missed(look, step + 1 + next);
    look->changing += is_steady ? 0 : alike;
    return step + 1 + alike;
}

// Of blocks that repeat, the first and the last, with the shorter periods in them.
static void look_between(struct look *look, int64_t step, int64_t end, size_t first_period)
{
    while (step < end) {
        struct source_repeat repeat;
        if (!source_repeats_at(look->heating, &look->repeats, first_period, step, end, &repeat)) {
            step = look_at(look, step, end);
            continue;
        }
        const int64_t last = step + repeat.steps * (repeat.times - 1);
        look->changing = 0; // few steps stand for all
        look_between(look, step, step + repeat.steps, repeat.next);
        look_between(look, last, last + repeat.steps, repeat.next);
        step = last + repeat.steps;
    }
}

struct bioheat_power bioheat_heating_power(struct bioheat_heating *heating, double step_s, int64_t steps)
{
    struct look look = {.heating = heating, .step_s = step_s};
    for (size_t k = 0; k < heating->time_count; k++) {
        source_pulses_fit(heating, &heating->times[k], step_s);
        set_steps(&heating->times[k].axis, step_s);
    }
    set_steps(&heating->points.axis, step_s);
    set_steps(&heating->boxes.axis, step_s);
    source_repeats_find(heating, step_s, &look.repeats);
    look_between(&look, 0, steps, 0);
    look.most.hidden_j_m3 = source_pulses_hidden_j_m3(heating);
    if (heating->stream)
        look.most.largest_w_m3 = look.most.wall_w_m3 = look.most.rough_w_m3 = NAN;
    return look.most;
}

// ---- what no run can have

// A map that was not read for another reason is read for this only if its factor is so large that a plan may
// have it by mistake.
static enum status check_map(struct bioheat_heating *heating, struct source_map *map, double most_w_m3)
{
    static const double doubtful = 1e3;
    double factor = fabs(source_time_largest(map->amplitude));
    for (size_t k = 0; map->amplitude->kind == SOURCE_TABLE && k < map->amplitude->axis.records; k++)
        factor = fmax(factor, fabs(map->amplitude->values[k]));
    if (!map->is_surveyed && factor > doubtful)
        CHECK(source_map_survey(heating, map));
    if (map->is_surveyed && map->power.largest_w_m3 * factor > most_w_m3)
        return FAIL(STATUS_CONFIGURATION,
                    "%s.amplitude: a factor of %g on up to %.3g W m-3: expected at most %.3g W m-3",
                    map->where, factor, map->power.largest_w_m3, most_w_m3);
    return STATUS_OK;
}

// Energies of records shorter than a step are given off in a step.
static enum status check_rows(const struct source_rows *rows, double step_s, double most_w_m3)
{
    const struct source_axis *axis = &rows->axis;
    for (size_t k = 0; rows->places > 0 && rows->given && k < axis->records; k++) {
        double largest = 0, over_s = 1;
        for (size_t p = 0; p < rows->places; p++)
            largest = fmax(largest, fabs(rows->given[k * rows->places + p]));
        if (axis->is_energy)
            over_s = axis->times_s ? fmax(step_s, axis->times_s[k + 1] - axis->times_s[k]) : step_s;
        if (largest / over_s > most_w_m3)
            return FAIL(STATUS_CONFIGURATION,
                        "%s.values: row %zu heats with up to %.3g W m-3: expected at most %.3g", rows->where,
                        k, largest / over_s, most_w_m3);
    }
    return STATUS_OK;
}

enum status bioheat_heating_check(struct bioheat_heating *heating, double step_s, double heat_j_m3_k)
{
    const double most_w_m3 = BIOHEAT_SOURCE_LARGEST_W_M3 * fmin(1, heat_j_m3_k / step_s);
    for (int k = 0; k < heating->map_count; k++)
        CHECK(check_map(heating, &heating->maps[k], most_w_m3));
    CHECK(check_rows(&heating->points, step_s, most_w_m3));
    return check_rows(&heating->boxes, step_s, most_w_m3);
}

bool bioheat_heating_changes(const struct bioheat_heating *heating)
{
    bool does = heating->points.places > 0 || heating->boxes.places > 0 || heating->stream;
    for (size_t k = 0; k < heating->time_count; k++)
        does |= heating->times[k].is_used;
    return does;
}
