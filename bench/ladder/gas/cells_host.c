// See cells_engine.h: on the processor, as the author's CPUTiled1, 2 and 3. He left them without the
// optimisations of his other programs there: nothing is unrolled or in lanes, and a division a pair.
#include "bench/ladder/gas/cells_engine.h"

static void force(const struct gas_cells_way *way, const struct gas_cells_view *view, int id)
{
    switch (way->program) {
    case GAS_CELLS_TILED1:
        gas_cells_searched(view, id, false, false);
        break;
    case GAS_CELLS_TILED11:
        gas_cells_searched(view, id, true, false);
        break;
    case GAS_CELLS_TILED2:
        gas_cells_searched(view, id, false, true);
        break;
    case GAS_CELLS_FULL:
        gas_cells_listed(view, id, true, false);
        break;
    default:
        gas_cells_listed(view, id, false, false);
    }
}

static void find_far(const struct gas_cells_way *way, const struct gas_cells_view *view, int cell)
{
    switch (2 * (int)way->tables + way->is_unrolled) {
    case 2 * GAS_CELLS_COMPUTED:
        gas_cells_far(view, cell, GAS_CELLS_COMPUTED, false);
        break;
    case 2 * GAS_CELLS_COMPUTED + 1:
        gas_cells_far(view, cell, GAS_CELLS_COMPUTED, true);
        break;
    case 2 * GAS_CELLS_SQUARES:
        gas_cells_far(view, cell, GAS_CELLS_SQUARES, false);
        break;
    case 2 * GAS_CELLS_SQUARES + 1:
        gas_cells_far(view, cell, GAS_CELLS_SQUARES, true);
        break;
    default:
        gas_cells_far(view, cell, GAS_CELLS_PULLS, false);
    }
}

static const char *open(struct gas_cells *cells, int threads, int device, void **own)
{
    (void)device;
    *own = NULL;
    cells->chunk = threads;
    return NULL;
}

static const char *run(void *own, struct gas_cells *cells, enum gas_cells_stage stage)
{
    const struct gas_cells_view view = gas_cells_look(cells);
    (void)own;
    if (stage == GAS_CELLS_STAGE_FAR) {
#pragma omp parallel for schedule(dynamic, cells->chunk) num_threads(cells->threads)
        for (int cell = 0; cell < GAS_CELLS; cell++)
            find_far(&cells->way, &view, cell);
    } else {
#pragma omp parallel for schedule(dynamic, cells->chunk) num_threads(cells->threads)
        for (int id = 0; id < view.particles; id++)
            force(&cells->way, &view, id);
#pragma omp parallel for num_threads(cells->threads)
        for (int id = 0; id < view.particles; id++)
            for (int axis = 0; axis < 2; axis++)
                gas_ladder_move(&view.at[axis][id], &view.velocity[axis][id]);
    }
    return NULL;
}

static const char *wait(void *own)
{
    (void)own;
    return NULL;
}

static const char *read_far(void *own, struct gas_cells *cells)
{
    (void)own, (void)cells;
    return NULL;
}

static void close(void *own, struct gas_cells *cells)
{
    (void)own, (void)cells;
}

const struct gas_cells_engine gas_cells_host = {
    .open = open, .run = run, .wait = wait, .read_far = read_far, .close = close};
