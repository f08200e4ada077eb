// Heat that a source gives to cells which do not warm, of all terms but a stream: what is known of it before
// the run. See layers.c.
#include "models/bioheat/source/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- means over the run

// An axis whose only step is the run.
static struct source_axis axis_of_run(const struct source_axis *axis, double duration_s)
{
    struct source_axis whole = *axis;
    whole.start_s = 0;
    whole.step_s = duration_s;
    return whole;
}

// Of the positive and of the negative part, times the duration.
static void find_factors(const struct source_time *time, double duration_s, double factors[SOURCE_SIGNS])
{
    factors[SOURCE_WARMS] = factors[SOURCE_COOLS] = 0;
    if (time->kind == SOURCE_TABLE) {
        const struct source_axis axis = axis_of_run(&time->axis, duration_s);
        const struct source_window window = source_axis_window(&axis, 0);
        for (size_t k = window.first; k < window.first + window.count; k++)
            source_axis_add_parts(&axis, &window, k, k > 0 ? time->values[k - 1] : 0, time->values[k],
                                  factors);
    } else {
        const double mean =
            time->kind == SOURCE_CONSTANT ? time->constant : protocol_mean(&time->given, 0, duration_s);
        factors[mean < 0 ? SOURCE_COOLS : SOURCE_WARMS] = fabs(mean);
    }
    for (int sign = 0; sign < SOURCE_SIGNS; sign++)
        factors[sign] *= duration_s;
}

// The run: its steps, for rows that are one step's.
struct duration {
    double step_s, duration_s;
    int64_t steps;
};

// How row k enters the means over the run: by itself, and along the line that leads to it.
struct row_weight {
    double alone;
    struct source_line line;
};

static struct row_weight row_weight(const struct source_rows *rows, const struct duration *run, size_t k)
{
    const struct source_axis axis = axis_of_run(&rows->axis, run->duration_s);
    if (axis.times_s) {
        const struct source_window window = source_axis_window(&axis, 0);
        if (k < window.first || k >= window.first + window.count)
            return (struct row_weight){0};
        return (struct row_weight){source_axis_alone(&axis, &window, k), source_axis_line(&axis, &window, k)};
    }
    double steps = (int64_t)k < run->steps ? 1 : 0;
    if (k + 1 == axis.records && axis.after == SOURCE_HELD && run->steps > (int64_t)axis.records)
        steps += (double)(run->steps - (int64_t)axis.records);
    return (struct row_weight){.alone = steps / (double)run->steps * (axis.is_energy ? 1 / run->step_s : 1)};
}

// ---- terms

static enum status add_maps(struct bioheat_heating *heating, const struct duration *run)
{
    for (int k = 0; k < heating->map_count; k++) {
        struct source_map *map = &heating->maps[k];
        if (!map->pressure && !map->is_surveyed)
            CHECK(source_map_survey(heating, map));
        const struct source_heat heat_w = map->pressure ? source_pressure_heat_w(map->pressure) : map->heat_w;
        double factors_s[SOURCE_SIGNS];
        find_factors(map->amplitude, run->duration_s, factors_s);
        source_heat_add(&heating->known_j, &heat_w, factors_s);
    }
    return STATUS_OK;
}

// Of each point and each box: how many cells it has in each place (heat), and the largest rise of one of them
// for 1 J/m3. Points of a plane are a list.
struct counting {
    struct bioheat_heating *heating;
    struct source_heat *cells; // [points], then [boxes]
    size_t *of_plane, *next;   // SIZE_MAX: none
    struct source_tissue tissue;
};

static void count_cell(const struct counting *c, size_t z, size_t y, size_t x, struct source_heat *cells)
{
    const struct bioheat_grid *grid = c->heating->grid;
    const double warming = c->tissue.warming[y * grid->cells[BIOHEAT_X] + x];
    const enum source_place place =
        warming > 0 ? source_place_of(grid, (size_t[]){z, y, x}) : SOURCE_UNSOLVED;
    cells->heat[SOURCE_WARMS][place]++;
    if (place == SOURCE_UNSOLVED || warming <= cells->rise[SOURCE_WARMS][place])
        return;
    cells->rise[SOURCE_WARMS][place] = warming;
    if (place == SOURCE_INSIDE)
        cells->hottest[SOURCE_WARMS] = (double)bioheat_index(grid, z, y, x);
}

static void count_box(const struct counting *c, size_t z, const struct bioheat_box *box,
                      struct source_heat *cells)
{
    for (size_t y = box->first[BIOHEAT_Y]; y <= box->last[BIOHEAT_Y]; y++)
        for (size_t x = box->first[BIOHEAT_X]; x <= box->last[BIOHEAT_X]; x++)
            count_cell(c, z, y, x, cells);
}

static bool has_plane(const struct bioheat_box *box, size_t z)
{
    return z >= box->first[BIOHEAT_Z] && z <= box->last[BIOHEAT_Z];
}

static enum status count_plane(struct counting *c, size_t z)
{
    const struct bioheat_heating *heating = c->heating;
    const size_t points = heating->points.places, boxes = heating->boxes.places;
    bool is_heated = c->of_plane[z] != SIZE_MAX;
    for (size_t k = 0; k < boxes && !is_heated; k++)
        is_heated = has_plane(&heating->box_cells[k], z);
    if (!is_heated)
        return STATUS_OK;
    CHECK(source_tissue_read(heating, &c->tissue, z));
    for (size_t k = c->of_plane[z]; k != SIZE_MAX; k = c->next[k])
        count_cell(c, z, heating->point_cells[k][BIOHEAT_Y], heating->point_cells[k][BIOHEAT_X],
                   &c->cells[k]);
    for (size_t k = 0; k < boxes; k++)
        if (has_plane(&heating->box_cells[k], z))
            count_box(c, z, &heating->box_cells[k], &c->cells[points + k]);
    return STATUS_OK;
}

static enum status count_planes(struct counting *c)
{
    const struct bioheat_heating *heating = c->heating;
    const size_t planes = heating->grid->cells[BIOHEAT_Z], points = heating->points.places;
    for (size_t z = 0; z < planes; z++)
        c->of_plane[z] = SIZE_MAX;
    for (size_t k = 0; k < points; k++) {
        const size_t z = heating->point_cells[k][BIOHEAT_Z];
        c->next[k] = c->of_plane[z];
        c->of_plane[z] = k;
    }
    for (size_t z = 0; z < planes; z++)
        CHECK(count_plane(c, z));
    return STATUS_OK;
}

// What warms each place over the run, and what cools it (J/m3).
struct sums {
    double *heat_j_m3[SOURCE_SIGNS];
};

static void add_row(const struct row_weight *weight, double duration_s, const double *own,
                    const double *before, size_t places, const struct sums *sums)
{
    for (int sign = 0; sign < SOURCE_SIGNS; sign++) {
        const double turn = sign == SOURCE_WARMS ? 1 : -1;
        for (size_t p = 0; p < places; p++) {
            double mean = weight->alone * fmax(turn * own[p], 0);
            if (weight->line.part > 0)
                mean +=
                    weight->line.part * source_line_positive(&weight->line, turn * before[p], turn * own[p]);
            sums->heat_j_m3[sign][p] += duration_s * mean;
        }
    }
}

// Row by row: a file may hold more than memory does. Swaps two rows, one of them the row before.
static enum status sum_rows(const struct source_rows *rows, const struct duration *run,
                            const struct sums *sums, double *buffers[2])
{
    for (size_t k = 0; k < rows->axis.records; k++) {
        const struct row_weight weight = row_weight(rows, run, k);
        const bool has_next = k + 1 < rows->axis.records && row_weight(rows, run, k + 1).line.part > 0;
        double *own = buffers[k % 2];
        const double *before = buffers[(k + 1) % 2];
        if (weight.alone == 0 && weight.line.part == 0 && !has_next)
            continue;
        if (rows->given)
            memcpy(own, rows->given + k * rows->places, rows->places * sizeof *own);
        else
            CHECK(source_rows_read_row(rows, k, own));
        add_row(&weight, run->duration_s, own, before, rows->places, sums);
    }
    return STATUS_OK;
}

// Boxes are added, as they may overlap; of points that of the hottest cell counts.
static void add_to_known(struct bioheat_heating *heating, const struct source_heat *cells,
                         const struct sums *sums, size_t places, bool adds)
{
    static const double once[SOURCE_SIGNS] = {1, 0};
    const double volume_m3 = bioheat_cell_volume_m3(heating->grid);
    struct source_heat all = {0};
    for (size_t p = 0; p < places; p++) {
        struct source_heat own = {0};
        const struct source_heat before = all;
        source_heat_add(&own, &cells[p],
                        (const double[]){sums->heat_j_m3[SOURCE_WARMS][p], sums->heat_j_m3[SOURCE_COOLS][p]});
        source_heat_add(&all, &own, once);
        for (int sign = 0; sign < SOURCE_SIGNS && !adds; sign++)
            all.rise[sign][SOURCE_IN_LAYER] =
                fmax(before.rise[sign][SOURCE_IN_LAYER], own.rise[sign][SOURCE_IN_LAYER]);
    }
    heating->has_points_in_layers |= !adds && all.rise[SOURCE_WARMS][SOURCE_IN_LAYER] > 0;
    for (int sign = 0; sign < SOURCE_SIGNS; sign++)
        for (int place = 0; place < SOURCE_PLACES; place++)
            all.heat[sign][place] *= volume_m3;
    source_heat_add(&heating->known_j, &all, once);
}

// Of points in one cell: to the first of them.
static void gather_points(const struct bioheat_heating *heating, const struct sums *sums)
{
    for (size_t p = 0; p < heating->points.places; p++)
        for (int sign = 0; sign < SOURCE_SIGNS && heating->point_firsts[p] != p; sign++) {
            sums->heat_j_m3[sign][heating->point_firsts[p]] += sums->heat_j_m3[sign][p];
            sums->heat_j_m3[sign][p] = 0;
        }
}

static enum status add_rows(struct bioheat_heating *heating, const struct source_rows *rows,
                            const struct source_heat *cells, const struct duration *run)
{
    if (rows->places == 0)
        return STATUS_OK;
    double *memory = calloc(4 * rows->places, sizeof *memory);
    if (!memory)
        return FAIL(STATUS_SYSTEM, "%s: no memory for rows", rows->where);
    double *buffers[2] = {memory + 2 * rows->places, memory + 3 * rows->places};
    const struct sums sums = {{memory, memory + rows->places}};
    const enum status status = sum_rows(rows, run, &sums, buffers);
    if (rows == &heating->points)
        gather_points(heating, &sums);
    if (status == STATUS_OK)
        add_to_known(heating, cells, &sums, rows->places, rows == &heating->boxes);
    free(memory);
    return status;
}

static enum status add_places(struct counting *c, const struct duration *run)
{
    struct bioheat_heating *heating = c->heating;
    CHECK(count_planes(c));
    CHECK(add_rows(heating, &heating->points, c->cells, run));
    return add_rows(heating, &heating->boxes, c->cells + heating->points.places, run);
}

static enum status find_places(struct bioheat_heating *heating, const struct duration *run)
{
    const size_t places = heating->points.places + heating->boxes.places;
    struct counting c = {.heating = heating};
    if (places == 0)
        return STATUS_OK;
    c.cells = calloc(places, sizeof *c.cells);
    c.of_plane = malloc(heating->grid->cells[BIOHEAT_Z] * sizeof *c.of_plane);
    c.next = malloc(places * sizeof *c.next);
    enum status status = source_tissue_open(heating, &c.tissue);
    if (status == STATUS_OK)
        status = c.cells && c.of_plane && c.next
                     ? add_places(&c, run)
                     : FAIL(STATUS_SYSTEM, "no memory for the cells of %zu points and boxes", places);
    source_tissue_close(&c.tissue);
    free(c.cells);
    free(c.of_plane);
    free(c.next);
    return status;
}

enum status bioheat_heating_find_lost(struct bioheat_heating *heating, double step_s, int64_t steps)
{
    const struct duration run = {step_s, (double)steps * step_s, steps};
    heating->known_j = (struct source_heat){0};
    if (!source_may_lose(heating))
        return STATUS_OK;
    CHECK(add_maps(heating, &run));
    return find_places(heating, &run);
}
