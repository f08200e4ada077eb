// Divides the box evenly into cells and sorts the particles into them, by a counting sort in as many pieces
// as there are threads. The sort is stable, so its result does not depend on the pieces.
#include "models/arrays.h"
#include "models/gas/openmp_solver.h"
#include "models/team.h"

#include <string.h>

enum status gas_grid_plan(struct gas_grid *grid, size_t count, struct memory_plan *plan, const char *prefix)
{
    const size_t cells = gas_grid_cells(grid);
    const struct array_row arrays[] = {
        {ELEMENT_I32, 1, cells + 1, &grid->starts, "cells, starts"},
        {ELEMENT_I32, 1, count, &grid->cell_of, "cells of particles"},
        {ELEMENT_I32, (size_t)grid->threads, cells, &grid->heads, "cells, heads"},
        {ELEMENT_I32, 1, count, &grid->order, "cells, order"},
        {ELEMENT_I32, 1, count, &grid->spare_id, "cells, ids while sorted"},
        {ELEMENT_F64, 1, count, &grid->spare, "cells, particles while sorted"},
    };
    return ARRAYS_PLAN(plan, prefix, arrays);
}

// A particle outside, or with a non-finite position, belongs to the nearest cell.
static uint32_t cell_on(double x, double length, int cells)
{
    const double index = x / length * cells;
    return index >= cells - 1 ? (uint32_t)cells - 1 : index > 0 ? (uint32_t)index : 0;
}

struct grid_work {
    struct gas_grid *grid;
    double *const *position;
    const double *from;
    const uint32_t *from_id;
    size_t count;
};

static size_t piece_start(const struct grid_work *work, size_t item)
{
    return work->count * item / (size_t)work->grid->threads;
}

static void find_cells(void *context, size_t item)
{
    const struct grid_work *work = context;
    struct gas_grid *grid = work->grid;
    uint32_t *heads = grid->heads + item * gas_grid_cells(grid);
    memset(heads, 0, gas_grid_cells(grid) * sizeof *heads);
    for (size_t i = piece_start(work, item); i < piece_start(work, item + 1); i++) {
        const uint32_t column = cell_on(work->position[GAS_X][i], grid->box[GAS_X], grid->columns);
        const uint32_t row = cell_on(work->position[GAS_Y][i], grid->box[GAS_Y], grid->rows);
        grid->cell_of[i] = row * (uint32_t)grid->columns + column;
        heads[grid->cell_of[i]]++;
    }
}

static void find_order(void *context, size_t item)
{
    const struct grid_work *work = context;
    uint32_t *heads = work->grid->heads + item * gas_grid_cells(work->grid);
    for (size_t i = piece_start(work, item); i < piece_start(work, item + 1); i++)
        work->grid->order[heads[work->grid->cell_of[i]]++] = (uint32_t)i;
}

static void move_numbers(void *context, size_t item)
{
    const struct grid_work *work = context;
    for (size_t i = piece_start(work, item); i < piece_start(work, item + 1); i++)
        work->grid->spare[i] = work->from[work->grid->order[i]];
}

static void move_ids(void *context, size_t item)
{
    const struct grid_work *work = context;
    for (size_t i = piece_start(work, item); i < piece_start(work, item + 1); i++)
        work->grid->spare_id[i] = work->from_id[work->grid->order[i]];
}

static void for_pieces(struct grid_work *work, void (*body)(void *context, size_t item))
{
    team_for(work->grid->threads, (size_t)work->grid->threads, body, work);
}

void gas_grid_find_starts(struct gas_grid *grid, double *const *position, size_t count)
{
    struct grid_work work = {.grid = grid, .position = position, .count = count};
    const size_t cells = gas_grid_cells(grid);
    uint32_t sum = 0;
    for_pieces(&work, find_cells);
    for (size_t c = 0; c < cells; c++) {
        grid->starts[c] = sum;
        for (size_t piece = 0; piece < (size_t)grid->threads; piece++) {
            uint32_t *head = &grid->heads[piece * cells + c];
            const uint32_t there = *head;
            *head = sum;
            sum += there;
        }
    }
    grid->starts[cells] = sum;
}

static void permute(struct grid_work *work, double **numbers)
{
    if (!*numbers)
        return;
    work->from = *numbers;
    for_pieces(work, move_numbers);
    *numbers = work->grid->spare;
    work->grid->spare = (double *)(uintptr_t)work->from;
}

void gas_grid_sort(struct gas_grid *grid, struct gas_arrays *particles)
{
    struct grid_work work = {.grid = grid, .count = particles->count};
    gas_grid_find_starts(grid, particles->position, particles->count);
    for_pieces(&work, find_order);
    for (int axis = 0; axis < GAS_AXES; axis++) {
        permute(&work, &particles->position[axis]);
        permute(&work, &particles->velocity[axis]);
        permute(&work, &particles->before[axis]);
    }
    permute(&work, &particles->mass);
    uint32_t *ids = particles->id;
    work.from_id = ids;
    for_pieces(&work, move_ids);
    particles->id = grid->spare_id;
    grid->spare_id = ids;
}
