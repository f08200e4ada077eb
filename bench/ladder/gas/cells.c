// See cells.h.
#include "bench/ladder/gas/cells.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static const double cell_length = (double)GAS_LADDER_BOX / GAS_CELLS_SIDE;
static const double second_radius = 10; // in cells

// ---- arrays

static bool allocate(size_t count, size_t bytes, void *array)
{
    void *const made = calloc(count, bytes);
    memcpy(array, &made, sizeof made);
    return made != NULL;
}

static bool has_lists(const struct gas_cells_way *way)
{
    return way->program == GAS_CELLS_TILED3 || way->program == GAS_CELLS_FULL;
}

bool gas_cells_has_far(const struct gas_cells_way *way)
{
    return way->program != GAS_CELLS_TILED1 && way->program != GAS_CELLS_TILED11 &&
           way->program != GAS_CELLS_SORT;
}

static bool reserve(struct gas_cells *cells)
{
    const size_t n = cells->particles.count, table = (size_t)GAS_CELLS * GAS_CELLS;
    const enum gas_cells_tables tables = cells->way.tables;
    bool is_there = allocate(n, sizeof(uint32_t), &cells->placed) &&
                    allocate(n, sizeof(uint32_t), &cells->spare_placed) &&
                    allocate(n, sizeof(int), &cells->cell_of) &&
                    allocate(GAS_CELLS + 2, sizeof(int), &cells->begin) &&
                    allocate((size_t)cells->threads * GAS_CELLS, sizeof(int), &cells->counts);
    for (int axis = 0; axis < 2; axis++)
        is_there = is_there && allocate(GAS_CELLS, sizeof(float), &cells->centre[axis]) &&
                   allocate(GAS_CELLS, sizeof(float), &cells->far_kick[axis]) &&
                   (tables != GAS_CELLS_PULLS || allocate(table, sizeof(float), &cells->pull[axis]));
    return is_there && (tables == GAS_CELLS_COMPUTED || allocate(table, sizeof(float), &cells->square));
}

// ---- regions

static double first_radius(const struct gas_cells_way *way)
{
    return way->near_cells == 1 ? 1 : 2;
}

// Lists of a cell those others whose distance, in cells, is `least` to below `most`; returns how many. With a
// `list` of NULL it counts.
static int list_cells_of(int own, double least, double most, int *list)
{
    const int column = own % GAS_CELLS_SIDE, row = own / GAS_CELLS_SIDE, reach = (int)most;
    int count = 0;
    for (int down = -reach; down <= reach; down++)
        for (int across = -reach; across <= reach; across++) {
            const double away_sq = (double)across * across + (double)down * down;
            if (away_sq < least * least || away_sq >= most * most || column + across < 0 ||
                column + across >= GAS_CELLS_SIDE || row + down < 0 || row + down >= GAS_CELLS_SIDE)
                continue;
            if (list)
                list[count] = own + GAS_CELLS_SIDE * down + across;
            count++;
        }
    return count;
}

// Makes the lists of all cells, of one length, which the longest needs with its end.
static bool make_list(double least, double most, int *length, int **list)
{
    *length = 0;
    for (int own = 0; own < GAS_CELLS; own++) {
        const int count = list_cells_of(own, least, most, NULL);
        *length = count >= *length ? count + 1 : *length;
    }
    if (!allocate((size_t)GAS_CELLS * (size_t)*length, sizeof(int), list))
        return false;
    for (int own = 0; own < GAS_CELLS; own++) {
        int *const mine = *list + (size_t)own * (size_t)*length;
        mine[list_cells_of(own, least, most, mine)] = GAS_CELLS;
    }
    return true;
}

static bool make_lists(struct gas_cells *cells)
{
    const double first = first_radius(&cells->way);
    return make_list(0, first, &cells->near_length, &cells->near) &&
           make_list(first, second_radius, &cells->middle_length, &cells->middle);
}

static void make_tables(struct gas_cells *cells)
{
    const struct gas_cells_view view = gas_cells_look(cells);
    for (int own = 0; own < GAS_CELLS; own++)
        for (int cell = 0; cell < GAS_CELLS; cell++) {
            const int at = own * GAS_CELLS + cell;
            const float square = gas_cells_distance_sq(&view, own, cell);
            cells->square[at] = square;
            for (int axis = 0; axis < 2 && cells->pull[0] && square >= view.second_sq; axis++)
                cells->pull[axis][at] = (1 / square) * (cells->centre[axis][own] - cells->centre[axis][cell]);
        }
}

// ---- the sort: cells' numbers and counts, places from the counts, copies

static int cell_on_axis(float at)
{
    const int cell = (int)(at / (float)cell_length);
    return cell < 0 ? 0 : cell >= GAS_CELLS_SIDE ? GAS_CELLS_SIDE - 1 : cell;
}

// A thread's part of the particles.
static size_t part_begin(const struct gas_cells *cells, int thread)
{
    return cells->particles.count * (size_t)thread / (size_t)cells->threads;
}

static void count_part(struct gas_cells *cells, int thread)
{
    const struct gas_ladder_particles *from = &cells->particles;
    int *const counts = cells->counts + (size_t)thread * GAS_CELLS;
    memset(counts, 0, GAS_CELLS * sizeof *counts);
    for (size_t id = part_begin(cells, thread); id < part_begin(cells, thread + 1); id++) {
        const int cell = cell_on_axis(from->at[1][id]) * GAS_CELLS_SIDE + cell_on_axis(from->at[0][id]);
        cells->cell_of[id] = cell;
        counts[cell]++;
    }
}

// Makes of each thread's counts the place of its first particle in each cell.
static void add_up_counts(struct gas_cells *cells)
{
    int begin = 0;
    for (int cell = 0; cell < GAS_CELLS; cell++) {
        cells->begin[cell] = begin;
        for (int thread = 0; thread < cells->threads; thread++) {
            int *const counts = cells->counts + (size_t)thread * GAS_CELLS;
            const int here = counts[cell];
            counts[cell] = begin;
            begin += here;
        }
    }
    cells->begin[GAS_CELLS] = cells->begin[GAS_CELLS + 1] = begin;
}

static void copy_part(struct gas_cells *cells, int thread)
{
    const struct gas_ladder_particles *from = &cells->particles, *to = &cells->spare;
    int *const next = cells->counts + (size_t)thread * GAS_CELLS;
    for (size_t id = part_begin(cells, thread); id < part_begin(cells, thread + 1); id++) {
        const int place = next[cells->cell_of[id]]++;
        for (int axis = 0; axis < 2; axis++) {
            to->at[axis][place] = from->at[axis][id];
            to->velocity[axis][place] = from->velocity[axis][id];
        }
        cells->spare_placed[place] = cells->placed[id];
    }
}

void gas_cells_sort(struct gas_cells *cells)
{
#pragma omp parallel for num_threads(cells->threads)
    for (int thread = 0; thread < cells->threads; thread++)
        count_part(cells, thread);
    add_up_counts(cells);
#pragma omp parallel for num_threads(cells->threads)
    for (int thread = 0; thread < cells->threads; thread++)
        copy_part(cells, thread);
    const struct gas_ladder_particles particles = cells->particles;
    uint32_t *const placed = cells->placed;
    cells->particles = cells->spare;
    cells->placed = cells->spare_placed;
    cells->spare = particles;
    cells->spare_placed = placed;
}

// ---- the whole

enum status gas_cells_open(const struct gas_cells_way *way, const struct ladder_case *wanted,
                           struct gas_cells *cells)
{
    *cells = (struct gas_cells){.way = *way, .threads = omp_get_max_threads()};
    CHECK(gas_ladder_place(wanted, 2, &cells->particles));
    CHECK(gas_ladder_place(wanted, 2, &cells->spare));
    if (!reserve(cells) || (has_lists(way) && !make_lists(cells)))
        return FAIL(STATUS_SYSTEM, "no memory for %zu particles in cells", cells->particles.count);
    for (int cell = 0; cell < GAS_CELLS; cell++) {
        cells->centre[0][cell] = (float)((cell % GAS_CELLS_SIDE + 0.5) * cell_length);
        cells->centre[1][cell] = (float)((cell / GAS_CELLS_SIDE + 0.5) * cell_length);
    }
    for (size_t id = 0; id < cells->particles.count; id++)
        cells->placed[id] = (uint32_t)id;
    if (cells->square)
        make_tables(cells);
    gas_cells_sort(cells);
    return STATUS_OK;
}

void gas_cells_free(struct gas_cells *cells)
{
    void *const arrays[] = {cells->placed,      cells->spare_placed, cells->cell_of,   cells->begin,
                            cells->counts,      cells->centre[0],    cells->centre[1], cells->near,
                            cells->middle,      cells->square,       cells->pull[0],   cells->pull[1],
                            cells->far_kick[0], cells->far_kick[1]};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        free(arrays[k]);
    gas_ladder_free(&cells->particles);
    gas_ladder_free(&cells->spare);
    *cells = (struct gas_cells){0};
}

struct gas_cells_view gas_cells_look(const struct gas_cells *cells)
{
    const float attraction = gas_ladder_attraction(cells->particles.count, 2);
    const double first = first_radius(&cells->way) * cell_length, second = second_radius * cell_length;
    struct gas_cells_view view = {.particles = (int)cells->particles.count,
                                  .kick = attraction * GAS_LADDER_STEP,
                                  .repulsion = GAS_LADDER_REPULSION / attraction,
                                  .attraction2 = GAS_LADDER_ATTRACTION2 / attraction,
                                  .first_sq = (float)(first * first),
                                  .second_sq = (float)(second * second),
                                  .begin = cells->begin,
                                  .near = cells->near,
                                  .middle = cells->middle,
                                  .near_length = cells->near_length,
                                  .middle_length = cells->middle_length,
                                  .square = cells->square};
    for (int axis = 0; axis < 2; axis++) {
        view.at[axis] = cells->particles.at[axis];
        view.velocity[axis] = cells->particles.velocity[axis];
        view.centre[axis] = cells->centre[axis];
        view.pull[axis] = cells->pull[axis];
        view.far_kick[axis] = cells->far_kick[axis];
    }
    return view;
}

void gas_cells_read(const struct gas_cells *cells, double *values)
{
    const struct gas_ladder_particles *particles = &cells->particles;
    memset(values, 0, 2 * LADDER_AXES * particles->count * sizeof *values);
    for (int axis = 0; axis < 2; axis++)
        for (size_t id = 0; id < particles->count; id++) {
            const size_t at = (size_t)axis * particles->count + cells->placed[id];
            values[at] = particles->at[axis][id];
            values[at + LADDER_AXES * particles->count] = particles->velocity[axis][id];
        }
}

// ---- counts

void gas_cells_count(const struct gas_cells_way *way, const struct ladder_case *wanted, bool is_device,
                     struct ladder_counts *counts)
{
    enum { SEARCH = 5, CENTRE = 15, ADD = 8 };
    const double n = (double)wanted->size[0], k = GAS_CELLS, k1 = way->near_cells;
    const int full = is_device ? GAS_LADDER_THREE_FORCES : GAS_LADDER_THREE_FORCES - 1;
    const double pair = way->program == GAS_CELLS_FULL ? full
                        : is_device                    ? GAS_LADDER_ROOT
                                                       : GAS_LADDER_DIVIDED;
    const bool is_searched = way->program == GAS_CELLS_TILED1 || way->program == GAS_CELLS_TILED11 ||
                             way->program == GAS_CELLS_TILED2;
    // With both, 305 cells are closer than the second radius; the author counts 304.
    const double k2 = gas_cells_has_far(way) ? 305 - k1 : k - k1;
    const double k3 = k - k1 - k2;
    // Of a pair of cells: the always, and of far ones.
    const double always = way->tables == GAS_CELLS_COMPUTED ? 6 : way->tables == GAS_CELLS_SQUARES ? 3 : 1;
    const double of_far = way->tables == GAS_CELLS_PULLS ? 4 : 8;
    const double far = gas_cells_has_far(way) ? k * (always * k + of_far * k3) : 0;
    counts->operations = far;
    if (way->program == GAS_CELLS_FAR || way->program == GAS_CELLS_SORT)
        return;
    counts->operations += n * ((is_searched ? SEARCH * k : 0) + pair * k1 * n / k + CENTRE * k2 +
                               (gas_cells_has_far(way) ? ADD : 0));
}
