// THE LISTS of state.h: neighbours within the cut-off and a skin, for groups of PAIR_GROUP particles side by side, found through cells. Knows
// no step.
#include "models/gas/method.h"
#include "models/gas/openmp_pairs_isa.h"
#include "models/team.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct gas_neighbours {
    struct gas_setup setup;
    struct gas_grid grid;
    double *places[GAS_AXES]; // at the sort
    int32_t *neighbours;      // [group][most][PAIR_GROUP]
    int32_t *lengths, *edges; // [group]: of the longest list; whether images may be needed
    int32_t *totals;          // [group]: neighbours of all
    size_t groups;
    int most, threads;
    double reach_square;
    _Atomic int64_t crowded; // the first by id, or INT64_MAX
    _Atomic int is_worn;
};

enum status gas_lists_plan(const struct gas_setup *setup, int threads, struct memory_plan *plan,
                           const char *prefix, struct gas_neighbours **lists)
{
    struct gas_neighbours *l = calloc(1, sizeof *l);
    *lists = l;
    if (!l)
        return FAIL(STATUS_SYSTEM, "no memory for the lists of neighbours");
    const double reach = gas_lists_reach(setup->physics);
    l->setup = *setup;
    l->threads = l->grid.threads = threads;
    l->most = setup->physics->lists.neighbours;
    l->reach_square = reach * reach;
    l->groups = (setup->count + PAIR_GROUP - 1) / PAIR_GROUP;
    l->grid.columns = gas_lists_cells(setup->physics, setup->count, GAS_X);
    l->grid.rows = gas_lists_cells(setup->physics, setup->count, GAS_Y);
    for (int axis = 0; axis < GAS_AXES; axis++) {
        l->grid.box[axis] = setup->physics->box[axis];
        if (gas_is_periodic(setup->physics, axis) && gas_lists_cells(setup->physics, setup->count, axis) < 3)
            return FAIL(STATUS_CONFIGURATION,
                        "a periodic box of %g on axis %d has no three cells of the cut-off and the skin, %g",
                        setup->physics->box[axis], axis, reach);
        CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, 1, setup->count, (void **)&l->places[axis],
                              "%slists, places %c", prefix, "xy"[axis]));
    }
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_I32, l->groups, (size_t)l->most * PAIR_GROUP,
                          (void **)&l->neighbours, "%slists", prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_I32, 1, l->groups, (void **)&l->lengths,
                          "%slists, lengths", prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_I32, 1, l->groups, (void **)&l->edges, "%slists, edges",
                          prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_I32, 1, l->groups, (void **)&l->totals,
                          "%slists, totals", prefix));
    return gas_grid_plan(&l->grid, setup->count, plan, prefix);
}

void gas_lists_destroy(struct gas_neighbours *lists)
{
    free(lists);
}

double *gas_lists_places(const struct gas_neighbours *lists, int axis)
{
    return lists->places[axis];
}

void gas_lists_sort(struct gas_neighbours *lists, struct gas_arrays *particles)
{
    gas_grid_sort(&lists->grid, particles);
    for (int axis = 0; axis < GAS_AXES; axis++)
        memcpy(lists->places[axis], particles->position[axis],
               particles->count * sizeof *lists->places[axis]);
}

// ---- neighbours

// Index of a neighbouring row or column: wrapped where the axis is periodic, else −1 beyond the end.
static int cell_beside(int index, int cells, bool is_periodic)
{
    if (index >= 0 && index < cells)
        return index;
    return is_periodic ? (index + cells) % cells : -1;
}

static double image(const struct gas_physics *physics, int axis, double r)
{
    const double length = physics->box[axis];
    return !gas_is_periodic(physics, axis) ? r
           : r > length / 2                ? r - length
           : r < -length / 2               ? r + length
                                           : r;
}

// Adds particle i's neighbours among those of one cell; returns how many it has then, at most l->most.
static int add_neighbours(const struct gas_neighbours *l, size_t i, size_t cell, int32_t *list, int count)
{
    const struct gas_physics *physics = l->setup.physics;
    const double x = l->places[GAS_X][i], y = l->places[GAS_Y][i];
    for (size_t j = l->grid.starts[cell]; j < l->grid.starts[cell + 1]; j++) {
        const double rx = image(physics, GAS_X, x - l->places[GAS_X][j]);
        const double ry = image(physics, GAS_Y, y - l->places[GAS_Y][j]);
        if (rx * rx + ry * ry >= l->reach_square || j == i)
            continue;
        if (count < l->most)
            list[count * PAIR_GROUP] = (int32_t)j;
        count++;
    }
    return count;
}

static int find_neighbours(const struct gas_neighbours *l, size_t i, int32_t *list)
{
    const struct gas_grid *grid = &l->grid;
    const struct gas_physics *physics = l->setup.physics;
    const int row = (int)grid->cell_of[i] / grid->columns, column = (int)grid->cell_of[i] % grid->columns;
    int count = 0;
    for (int dy = -1; dy <= 1; dy++) {
        const int other_row = cell_beside(row + dy, grid->rows, gas_is_periodic(physics, GAS_Y));
        for (int dx = -1; dx <= 1 && other_row >= 0; dx++) {
            const int other = cell_beside(column + dx, grid->columns, gas_is_periodic(physics, GAS_X));
            if (other >= 0)
                count = add_neighbours(l, i, (size_t)other_row * (size_t)grid->columns + (size_t)other, list,
                                       count);
        }
    }
    return count;
}

// Whether pairs of this particle may be across a periodic side before the next sort.
static bool is_at_edge(const struct gas_neighbours *l, size_t i)
{
    const struct gas_physics *physics = l->setup.physics;
    const double reach = physics->cut_off + 3 * physics->lists.skin;
    for (int axis = 0; axis < GAS_AXES; axis++)
        if (gas_is_periodic(physics, axis) &&
            !(l->places[axis][i] > reach && l->places[axis][i] < physics->box[axis] - reach))
            return true;
    return false;
}

struct list_work {
    struct gas_neighbours *lists;
    const uint32_t *id;
};

static void note_crowded(struct gas_neighbours *l, int64_t id)
{
    int64_t first = l->crowded;
    while (id < first && !atomic_compare_exchange_weak(&l->crowded, &first, id))
        ;
}

static void build_group(void *context, size_t group)
{
    const struct list_work *work = context;
    struct gas_neighbours *l = work->lists;
    const size_t first = group * PAIR_GROUP, count = l->setup.count;
    int32_t *list = l->neighbours + group * (size_t)l->most * PAIR_GROUP;
    int lengths[PAIR_GROUP] = {0};
    l->lengths[group] = l->edges[group] = l->totals[group] = 0;
    for (size_t i = first; i < first + PAIR_GROUP && i < count; i++) {
        int length = find_neighbours(l, i, list + (i - first));
        if (length > l->most) {
            note_crowded(l, work->id[i]);
            length = l->most;
        }
        lengths[i - first] = length;
        l->totals[group] += length;
        l->lengths[group] = length > l->lengths[group] ? length : l->lengths[group];
        l->edges[group] |= is_at_edge(l, i);
    }
    for (size_t k = 0; k < PAIR_GROUP; k++) // empty places
        for (int n = lengths[k]; n < l->lengths[group]; n++)
            list[(size_t)n * PAIR_GROUP + k] = (int32_t)(first + k < count ? first + k : count - 1);
}

struct group_work {
    void (*body)(void *context, size_t group);
    void *context;
    size_t groups;
};

enum { GROUPS_AT_ONCE = GAS_PIECE / PAIR_GROUP };

static void work_on_groups(void *context, size_t item)
{
    const struct group_work *work = context;
    for (size_t g = item * GROUPS_AT_ONCE; g < (item + 1) * GROUPS_AT_ONCE && g < work->groups; g++)
        work->body(work->context, g);
}

static void for_groups(const struct gas_neighbours *l, void (*body)(void *context, size_t group),
                       void *context)
{
    struct group_work work = {body, context, l->groups};
    gas_for_pieces(l->threads, l->setup.count, work_on_groups, &work);
}

void gas_lists_build(struct gas_neighbours *l, const struct gas_arrays *particles, bool is_loaded,
                     int64_t *crowded)
{
    struct list_work work = {l, particles->id};
    if (is_loaded)
        gas_grid_find_starts(&l->grid, l->places, l->setup.count);
    else // the cells of the new order
        for (size_t c = 0; c < gas_grid_cells(&l->grid); c++)
            for (size_t i = l->grid.starts[c]; i < l->grid.starts[c + 1]; i++)
                l->grid.cell_of[i] = (uint32_t)c;
    l->crowded = INT64_MAX;
    for_groups(l, build_group, &work);
    *crowded = l->crowded == INT64_MAX ? -1 : l->crowded;
}

// ---- wear

struct wear_work {
    struct gas_neighbours *lists;
    const struct gas_arrays *particles;
};

static void look_for_wear(void *context, size_t item)
{
    const struct wear_work *work = context;
    struct gas_neighbours *l = work->lists;
    const double half = l->setup.physics->lists.skin / 2;
    int is_worn = 0;
    for (size_t i = item * GAS_PIECE; i < gas_piece_end(l->setup.count, item); i++) {
        const double x =
            image(l->setup.physics, GAS_X, work->particles->position[GAS_X][i] - l->places[GAS_X][i]);
        const double y =
            image(l->setup.physics, GAS_Y, work->particles->position[GAS_Y][i] - l->places[GAS_Y][i]);
        is_worn |= x * x + y * y > half * half;
    }
    if (is_worn)
        l->is_worn = 1;
}

bool gas_lists_are_worn(struct gas_neighbours *lists, const struct gas_arrays *particles)
{
    struct wear_work work = {lists, particles};
    lists->is_worn = 0;
    gas_for_pieces(lists->threads, lists->setup.count, look_for_wear, &work);
    return lists->is_worn;
}

// ---- forces

struct sum_work {
    const struct gas_neighbours *lists;
    struct pair_view view;
    void (*sum)(const struct pair_view *view, size_t first, const struct pair_list *list,
                struct pair_sums *sums);
    double *x, *y;
};

static void sum_group(void *context, size_t group)
{
    const struct sum_work *work = context;
    const struct gas_neighbours *l = work->lists;
    const size_t first = group * PAIR_GROUP;
    const struct pair_list list = {l->neighbours + group * (size_t)l->most * PAIR_GROUP, l->lengths[group],
                                   l->edges[group] != 0};
    struct pair_sums sums = {{0}, {0}};
    work->sum(&work->view, first, &list, &sums);
    for (size_t i = first; i < first + PAIR_GROUP && i < l->setup.count; i++) {
        work->x[i] = sums.x[i - first];
        work->y[i] = sums.y[i - first];
    }
}

void gas_lists_sum(const struct gas_neighbours *l, const struct gas_law *law,
                   const struct gas_arrays *particles, bool has_energy)
{
    const struct pair_functions *functions = gas_pair_functions();
    struct sum_work work = {.lists = l,
                            .view = {.law = law, .particles = particles},
                            .sum = has_energy
                                       ? functions->sum_list_energy
                                       : functions->sum_list[l->setup.precision == ELEMENT_F64 ? 1 : 0],
                            .x = has_energy ? particles->potential : particles->force[GAS_X],
                            .y = has_energy ? particles->virial : particles->force[GAS_Y]};
    for (int axis = 0; axis < GAS_AXES; axis++)
        work.view.periodic[axis] = gas_is_periodic(l->setup.physics, axis) ? l->setup.physics->box[axis] : 0;
    for_groups(l, sum_group, &work);
}

void gas_lists_count(const struct gas_neighbours *l, struct gas_counts *counts)
{
    int64_t total = 0;
    for (size_t g = 0; g < l->groups; g++) {
        total += l->totals[g];
        counts->largest_list = l->lengths[g] > counts->largest_list ? l->lengths[g] : counts->largest_list;
    }
    counts->neighbours = (double)total / (double)l->setup.count;
    counts->pairs = (double)total;
}
