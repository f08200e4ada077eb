// The power of the source in the tissue during a step. A layer's power per unit of amplitude is a sum over
// the whole grid: computed once for a constant layer, and again when the diagnostics need a replaced one.
#include "models/bioheat/instance.h"
#include "models/team.h"
#include "parallel/relay.h"

enum status bioheat_power_plan(struct bioheat *b, struct memory_plan *memory)
{
    const struct bioheat_source *source = bioheat_heating_source(b->heating);
    const size_t places = source->point_count + source->box_count;
    if (places == 0)
        return STATUS_OK;
    return memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, 1, places, (void **)&b->heated_cells,
                           "cells that points and boxes heat");
}

// Whether heat given to a cell changes its temperature.
static bool is_heated(const struct bioheat *b, const size_t cell[BIOHEAT_AXES])
{
    const struct bioheat_grid *grid = &b->params.body.grid;
    return bioheat_has_plane(bioheat_own(grid), cell[BIOHEAT_Z]) &&
           bioheat_is_updated(grid, BIOHEAT_Z, cell[BIOHEAT_Z]) &&
           bioheat_is_updated(grid, BIOHEAT_Y, cell[BIOHEAT_Y]) &&
           bioheat_is_updated(grid, BIOHEAT_X, cell[BIOHEAT_X]) &&
           bioheat_role_at(b, bioheat_index(grid, cell[BIOHEAT_Z], cell[BIOHEAT_Y], cell[BIOHEAT_X])) ==
               BIOHEAT_TISSUE;
}

static double count_box(const struct bioheat *b, const struct bioheat_box *box)
{
    double cells = 0;
    for (size_t z = box->first[BIOHEAT_Z]; z <= box->last[BIOHEAT_Z]; z++)
        for (size_t y = box->first[BIOHEAT_Y]; y <= box->last[BIOHEAT_Y]; y++)
            for (size_t x = box->first[BIOHEAT_X]; x <= box->last[BIOHEAT_X]; x++)
                cells += is_heated(b, (size_t[]){z, y, x}) ? 1 : 0;
    return cells;
}

// Of all ranks' planes.
enum status bioheat_power_start(struct bioheat *b)
{
    const struct bioheat_source *source = bioheat_heating_source(b->heating);
    const size_t points = source->point_count, places = points + source->box_count;
    const struct relay_part part = {b->heated_cells, places * sizeof *b->heated_cells};
    for (size_t k = 0; k < places; k++)
        b->heated_cells[k] = 0;
    CHECK(relay_take(b->base.ranks, &part, 1));
    for (size_t k = 0; k < points; k++)
        b->heated_cells[k] += is_heated(b, source->points[k]) ? 1 : 0;
    for (size_t k = 0; k < source->box_count; k++)
        b->heated_cells[points + k] += count_box(b, &source->boxes[k]);
    CHECK(relay_pass(b->base.ranks, &part, 1));
    for (int layer = 0; layer < BIOHEAT_LAYERS_MAX; layer++)
        b->layer_totals[layer].values = NULL;
    return STATUS_OK;
}

void bioheat_power_layer_changed(struct bioheat *b, int layer)
{
    b->layer_totals[layer].values = NULL;
}

struct layer_sum {
    struct bioheat *b;
    const void *values;
};

// A piece of a row, which begins at x = first and at that index.
static void add_piece(const struct layer_sum *sum, size_t first, size_t count, uint64_t index)
{
    struct bioheat *b = sum->b;
    for (size_t x = first; x < first + count; x++, index++) {
        const double value = element_get(bioheat_real(b), sum->values, index);
        if (value != 0 && bioheat_is_updated(&b->params.body.grid, BIOHEAT_X, x) &&
            bioheat_role_at(b, index) == BIOHEAT_TISSUE)
            sums_add(&b->power, index, value);
    }
}

static void add_block(void *context, size_t block)
{
    const struct layer_sum *sum = context;
    const struct bioheat_grid *grid = &sum->b->params.body.grid;
    uint64_t index, end;
    bioheat_block_range(&sum->b->power, block, &index, &end);
    while (index < end) {
        size_t cell[BIOHEAT_AXES];
        bioheat_cell_at(grid, index, cell);
        const uint64_t left = grid->cells[BIOHEAT_X] - cell[BIOHEAT_X];
        const size_t count = (size_t)(left < end - index ? left : end - index);
        if (bioheat_is_updated(grid, BIOHEAT_Z, cell[BIOHEAT_Z]) &&
            bioheat_is_updated(grid, BIOHEAT_Y, cell[BIOHEAT_Y]))
            add_piece(sum, cell[BIOHEAT_X], count, index);
        index += count;
    }
}

// A rank whose stream is further may know a total that others do not.
static enum status find_layer_total(struct bioheat *b, int layer)
{
    const void *values = *bioheat_heating_source(b->heating)->layers[layer];
    int64_t is_unknown = b->layer_totals[layer].values != values;
    double total;
    CHECK(ranks_largest(b->base.ranks, TRANSPORT_STEPS, &is_unknown, 1));
    if (!is_unknown)
        return STATUS_OK;
    sums_clear(&b->power);
    struct layer_sum sum = {b, values};
    team_for(b->threads, bioheat_block_count(&b->power), add_block, &sum);
    CHECK(sums_totals(b->base.ranks, (struct rank_sum *const[]){&b->power}, 1, &total));
    b->layer_totals[layer].values = values;
    b->layer_totals[layer].total_w = total * bioheat_cell_volume_m3(&b->params.body.grid);
    return STATUS_OK;
}

enum status bioheat_power_find(struct bioheat *b, int64_t step, double *found_w)
{
    const struct bioheat_source *source = bioheat_heating_source(b->heating);
    const double volume_m3 = bioheat_cell_volume_m3(&b->params.body.grid);
    *found_w = 0;
    if (step < 0 || b->terms == 0)
        return STATUS_OK;
    bioheat_heating_amplitudes(b->heating, step, 1, b->last_amplitudes);
    const double *amplitude = b->last_amplitudes;
    double power_w = 0;
    for (int layer = 0; layer < source->layer_count; layer++, amplitude++)
        if (*amplitude != 0) { // a layer of amplitude 0 may be being read
            CHECK(find_layer_total(b, layer));
            power_w += *amplitude * b->layer_totals[layer].total_w;
        }
    for (size_t k = 0; k < source->point_count; k++, amplitude++)
        power_w += b->heated_cells[k] > 0 ? *amplitude * volume_m3 : 0;
    for (size_t k = 0; k < source->box_count; k++, amplitude++)
        power_w += *amplitude * (volume_m3 * b->heated_cells[source->point_count + k]);
    *found_w = power_w;
    return STATUS_OK;
}
