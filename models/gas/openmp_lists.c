// THE LISTS of state.h: neighbours within the cut-off and a skin, for groups of PAIR_GROUP consecutive
// particles, found through cells.
#include "models/arrays.h"
#include "models/gas/method.h"
#include "models/gas/openmp_pairs_isa.h"
#include "models/gas/openmp_sweeps_isa.h"
#include "models/team.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct gas_neighbours {
    struct gas_setup setup;
    const struct pair_functions *functions;
    const struct sweep_functions *sweep;
    struct gas_grid grid;
    double *positions[GAS_AXES]; // at the sort
    int32_t *neighbours; // [group][≤ most][PAIR_GROUP]; those of a piece of groups follow each other closely
    int32_t *starts;     // [group]: where its lists begin, in PAIR_GROUPs from its piece's beginning
    int32_t *lengths, *edges; // [group]: of the longest list; whether images may be needed
    int32_t *totals;          // [group]: neighbours of all
    size_t groups;
    struct particles_range own; // groups of the rank's particles
    int most, threads;
    double reach_square;
    struct pair_position *fixed; // as of the last sum, in float; NULL in double
    double range[GAS_AXES];      // 2³² units of `fixed`
    _Atomic int64_t crowded;     // the first by id, or INT64_MAX
    _Atomic int is_stale;
};

// The range of 2³² units of a position: the box's side, or an equal part of it of at least four reaches. A
// narrow box between walls has a range larger than its side: particles there may be further apart than half
// of the side, and have no closer images.
static double range_on(const struct gas_physics *physics, int axis)
{
    const double least = 4 * gas_lists_reach(physics), parts = floor(physics->box[axis] / least);
    if (parts < 1)
        return gas_is_periodic(physics, axis) ? physics->box[axis] : least;
    return physics->box[axis] / fmin(parts, 65536);
}

static enum status plan_lists(struct gas_neighbours *l, struct memory_plan *plan, const char *prefix)
{
    const size_t count = l->setup.count, fixed = l->setup.precision == ELEMENT_F32 ? count : 0;
    const struct array_row arrays[] = {
        {ELEMENT_F64, 1, count, &l->positions[GAS_X], "lists, positions x"},
        {ELEMENT_F64, 1, count, &l->positions[GAS_Y], "lists, positions y"},
        {ELEMENT_I32, l->groups, (size_t)l->most * PAIR_GROUP, &l->neighbours, "lists"},
        {ELEMENT_I32, 1, l->groups, &l->lengths, "lists, lengths"},
        {ELEMENT_I32, fixed, sizeof *l->fixed / sizeof(int32_t), &l->fixed, "lists, fixed-point positions"},
        {ELEMENT_I32, 1, l->groups, &l->starts, "lists, starts"},
        {ELEMENT_I32, 1, l->groups, &l->edges, "lists, edges"},
        {ELEMENT_I32, 1, l->groups, &l->totals, "lists, totals"},
    };
    return ARRAYS_PLAN(plan, prefix, arrays);
}

enum status gas_lists_plan(const struct gas_setup *setup, int threads, struct memory_plan *plan,
                           const char *prefix, struct gas_neighbours **lists)
{
    struct gas_neighbours *l = calloc(1, sizeof *l);
    *lists = l;
    if (!l)
        return FAIL(STATUS_SYSTEM, "no memory for the lists of neighbours");
    const double reach = gas_lists_reach(setup->physics);
    l->setup = *setup;
    l->functions = ISA_TABLE(pair_functions);
    l->sweep = ISA_TABLE(sweep_functions);
    l->threads = l->grid.threads = threads;
    l->most = setup->physics->lists.neighbours;
    l->reach_square = reach * reach;
    l->groups = (setup->count + PAIR_GROUP - 1) / PAIR_GROUP;
    l->grid.columns = gas_lists_cells(setup->physics, setup->count, GAS_X);
    l->grid.rows = gas_lists_cells(setup->physics, setup->count, GAS_Y);
    for (int axis = 0; axis < GAS_AXES; axis++) {
        l->grid.box[axis] = setup->physics->box[axis];
        l->range[axis] = range_on(setup->physics, axis);
        if (gas_is_periodic(setup->physics, axis) && gas_lists_cells(setup->physics, setup->count, axis) < 3)
            return FAIL(STATUS_CONFIGURATION,
                        "a periodic box of %g on axis %d has no three cells of the cut-off and the skin, %g",
                        setup->physics->box[axis], axis, reach);
    }
    CHECK(plan_lists(l, plan, prefix));
    return gas_grid_plan(&l->grid, setup->count, plan, prefix);
}

double *gas_lists_positions(const struct gas_neighbours *lists, int axis)
{
    return lists->positions[axis];
}

// The cells of the new order.
static void note_cells(void *context, size_t item)
{
    const struct gas_neighbours *l = context;
    for (size_t c = item * GAS_PIECE; c < gas_piece_end(gas_grid_cells(&l->grid), item); c++)
        for (size_t i = l->grid.starts[c]; i < l->grid.starts[c + 1]; i++)
            l->grid.cell_of[i] = (uint32_t)c;
}

void gas_lists_sort(struct gas_neighbours *lists, struct gas_arrays *particles, bool is_loaded)
{
    if (is_loaded) {
        gas_grid_find_starts(&lists->grid, lists->positions, particles->count);
        return;
    }
    gas_grid_sort(&lists->grid, particles);
    gas_for_pieces(lists->threads, gas_grid_cells(&lists->grid), note_cells, lists);
    for (int axis = 0; axis < GAS_AXES; axis++)
        memcpy(lists->positions[axis], particles->position[axis],
               particles->count * sizeof *lists->positions[axis]);
}

// ---- neighbours

// Index of a neighbouring row or column: wrapped where the axis is periodic, else −1 beyond the end.
static int cell_beside(int index, int cells, bool is_periodic)
{
    if (index >= 0 && index < cells)
        return index;
    return is_periodic ? (index + cells) % cells : -1;
}

// The cells of a cell's own row and of the rows beside it, in this order; each row may be in three parts.
struct near_ranges {
    struct near_range parts[9];
    int count;
    size_t cell, particles;
};

static void add_cells(const struct gas_neighbours *l, int row, int first, int last, double shift_x,
                      double shift_y, struct near_ranges *ranges)
{
    const struct gas_grid *grid = &l->grid;
    const size_t start = (size_t)row * (size_t)grid->columns;
    const struct pair_range range = {grid->starts[start + (size_t)first],
                                     grid->starts[start + (size_t)last + 1]};
    ranges->parts[ranges->count++] = (struct near_range){range, {shift_x, shift_y}};
    ranges->particles += range.end - range.first;
}

static void find_ranges(const struct gas_neighbours *l, size_t cell, struct near_ranges *ranges)
{
    const struct gas_grid *grid = &l->grid;
    const struct gas_physics *physics = l->setup.physics;
    const int row = (int)cell / grid->columns, column = (int)cell % grid->columns, end = grid->columns - 1;
    const bool wraps = gas_is_periodic(physics, GAS_X);
    ranges->count = 0;
    ranges->particles = 0;
    ranges->cell = cell;
    for (int dy = -1; dy <= 1; dy++) {
        const int other = cell_beside(row + dy, grid->rows, gas_is_periodic(physics, GAS_Y));
        const double shift = (row + dy < 0 ? 1 : row + dy >= grid->rows ? -1 : 0) * physics->box[GAS_Y];
        if (other < 0)
            continue;
        if (column == 0 && wraps)
            add_cells(l, other, end, end, physics->box[GAS_X], shift, ranges);
        add_cells(l, other, column > 0 ? column - 1 : 0, column < end ? column + 1 : end, 0, shift, ranges);
        if (column == end && wraps)
            add_cells(l, other, 0, 0, -physics->box[GAS_X], shift, ranges);
    }
}

enum { CANDIDATES = 512 }; // at once

// Adds the particles of a few ranges (CANDIDATES at most) that are near particle i to its list, which is
// every PAIR_GROUP-th entry and has `count` already. Returns the new count, of which at most l->most are
// stored.
static int add_near(const struct gas_neighbours *l, size_t i, const struct near_range *ranges,
                    int range_count, int32_t *list, int count)
{
    const double *const positions[GAS_AXES] = {l->positions[GAS_X], l->positions[GAS_Y]};
    const double at[GAS_AXES] = {positions[GAS_X][i], positions[GAS_Y][i]};
    int32_t near[CANDIDATES + NEAR_ROOM];
    const int found = l->functions->find_near(positions, ranges, range_count, at, l->reach_square, i, near);
    const int room = l->most > count ? l->most - count : 0, end = found < room ? found : room;
    for (int k = 0; k < end; k++)
        list[(count + k) * PAIR_GROUP] = near[k];
    return count + found;
}

static int find_neighbours(const struct gas_neighbours *l, size_t i, const struct near_ranges *ranges,
                           int32_t *list)
{
    int count = 0;
    if (ranges->particles <= CANDIDATES)
        return add_near(l, i, ranges->parts, ranges->count, list, 0);
    for (int part = 0; part < ranges->count; part++) {
        struct near_range piece = ranges->parts[part];
        const size_t end = piece.range.end;
        for (; piece.range.first < end; piece.range.first += CANDIDATES) {
            piece.range.end = piece.range.first + CANDIDATES < end ? piece.range.first + CANDIDATES : end;
            count = add_near(l, i, &piece, 1, list, count);
        }
    }
    return count;
}

// Whether this particle may have a pair across a periodic side before the next sort.
static bool is_at_edge(const struct gas_neighbours *l, size_t i)
{
    const struct gas_physics *physics = l->setup.physics;
    const double reach = physics->cut_off + 3 * physics->lists.skin;
    for (int axis = 0; axis < GAS_AXES; axis++)
        if (gas_is_periodic(physics, axis) &&
            !(l->positions[axis][i] > reach && l->positions[axis][i] < physics->box[axis] - reach))
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

enum { GROUPS_AT_ONCE = GAS_PIECE / PAIR_GROUP }; // a piece of groups

static int32_t *lists_of(const struct gas_neighbours *l, size_t group)
{
    const size_t first = group - (group - l->own.first) % GROUPS_AT_ONCE;
    return l->neighbours + (first * (size_t)l->most + (size_t)l->starts[group]) * PAIR_GROUP;
}

// The groups of a piece come one after the other.
static void build_group(void *context, size_t group)
{
    const struct list_work *work = context;
    struct gas_neighbours *l = work->lists;
    const bool begins_piece = (group - l->own.first) % GROUPS_AT_ONCE == 0;
    const size_t first = group * PAIR_GROUP, count = l->setup.count;
    struct near_ranges ranges = {.cell = SIZE_MAX};
    int lengths[PAIR_GROUP] = {0};
    l->lengths[group] = l->edges[group] = l->totals[group] = 0;
    l->starts[group] = begins_piece ? 0 : l->starts[group - 1] + l->lengths[group - 1];
    int32_t *list = lists_of(l, group);
    for (size_t i = first; i < first + PAIR_GROUP && i < count; i++) {
        if (l->grid.cell_of[i] != ranges.cell)
            find_ranges(l, l->grid.cell_of[i], &ranges);
        int length = find_neighbours(l, i, &ranges, list + (i - first));
        if (length > l->most) {
            note_crowded(l, work->id[i]);
            length = l->most;
        }
        lengths[i - first] = length;
        l->totals[group] += length;
        l->lengths[group] = length > l->lengths[group] ? length : l->lengths[group];
        l->edges[group] |= is_at_edge(l, i);
    }
    for (size_t k = 0; k < PAIR_GROUP; k++) // unused entries
        for (int n = lengths[k]; n < l->lengths[group]; n++)
            list[(size_t)n * PAIR_GROUP + k] = (int32_t)(first + k < count ? first + k : count - 1);
}

struct group_work {
    void (*body)(void *context, size_t group);
    void *context;
    struct particles_range own;
};

static void work_on_groups(void *context, size_t item)
{
    const struct group_work *work = context;
    const size_t first = work->own.first + item * GROUPS_AT_ONCE;
    for (size_t g = first; g < first + GROUPS_AT_ONCE && g < work->own.end; g++)
        work->body(work->context, g);
}

static void for_groups(const struct gas_neighbours *l, void (*body)(void *context, size_t group),
                       void *context)
{
    struct group_work work = {body, context, l->own};
    gas_for_pieces(l->threads, (l->own.end - l->own.first) * PAIR_GROUP, work_on_groups, &work);
}

void gas_lists_build(struct gas_neighbours *l, const struct gas_arrays *particles, int64_t *crowded)
{
    struct list_work work = {l, particles->id};
    l->own = (struct particles_range){particles->own.first / PAIR_GROUP,
                                      (particles->own.end + PAIR_GROUP - 1) / PAIR_GROUP};
    l->crowded = INT64_MAX;
    for_groups(l, build_group, &work);
    *crowded = l->crowded == INT64_MAX ? -1 : l->crowded;
}

// ---- stale lists

struct displacement_work {
    struct gas_neighbours *lists;
    const struct gas_arrays *particles;
};

static void check_displacements(void *context, size_t item)
{
    const struct displacement_work *work = context;
    struct gas_neighbours *l = work->lists;
    const struct gas_physics *physics = l->setup.physics;
    const double half = physics->lists.skin / 2;
    struct sweep_displacement displacement = {.most_square = half * half};
    for (int axis = 0; axis < GAS_AXES; axis++) {
        displacement.position[axis] = work->particles->position[axis];
        displacement.at_sort[axis] = l->positions[axis];
        displacement.length[axis] = gas_is_periodic(physics, axis) ? physics->box[axis] : 0;
    }
    const struct particles_range piece = gas_piece(work->particles->own, item);
    if (l->sweep->is_stale(&displacement, piece.first, piece.end))
        l->is_stale = 1;
}

bool gas_lists_are_stale(struct gas_neighbours *lists, const struct gas_arrays *particles)
{
    struct displacement_work work = {lists, particles};
    const struct particles_range own = particles->own;
    lists->is_stale = 0;
    gas_for_pieces(lists->threads, own.end - own.first, check_displacements, &work);
    return lists->is_stale;
}

// ---- forces

struct sum_work {
    const struct gas_neighbours *lists;
    struct pair_view view;
    void (*sum)(const struct pair_view *view, size_t first, const struct pair_list *list,
                struct pair_sums *sums);
    double *x, *y;
    struct particles_range fixed; // particles whose positions are fixed
};

static void fix_positions(void *context, size_t item)
{
    const struct sum_work *work = context;
    const struct gas_neighbours *l = work->lists;
    const struct particles_range piece = gas_piece(work->fixed, item);
    const size_t first = piece.first, count = piece.end - first;
    for (int axis = 0; axis < GAS_AXES; axis++)
        l->sweep->to_fixed_point(count, work->view.particles->position[axis] + first, 0x1p32 / l->range[axis],
                                 &l->fixed[first].at[axis]);
}

static void sum_group(void *context, size_t group)
{
    const struct sum_work *work = context;
    const struct gas_neighbours *l = work->lists;
    const size_t first = group * PAIR_GROUP;
    const struct pair_list list = {lists_of(l, group), l->lengths[group], l->edges[group] != 0};
    struct pair_sums sums; // set by `sum`
    work->sum(&work->view, first, &list, &sums);
    for (size_t i = first; i < first + PAIR_GROUP && i < l->setup.count; i++) {
        work->x[i] = sums.x[i - first];
        work->y[i] = sums.y[i - first];
    }
}

void gas_lists_sum(const struct gas_neighbours *l, const struct gas_law *law,
                   const struct gas_arrays *particles, bool has_energy)
{
    const struct pair_functions *functions = l->functions;
    struct sum_work work = {.lists = l,
                            .view = {.law = law, .particles = particles},
                            .sum = has_energy
                                       ? functions->sum_list_energy
                                       : functions->sum_list[l->setup.precision == ELEMENT_F64 ? 1 : 0],
                            .x = has_energy ? particles->potential : particles->force[GAS_X],
                            .y = has_energy ? particles->virial : particles->force[GAS_Y]};
    for (int axis = 0; axis < GAS_AXES; axis++) {
        work.view.periodic[axis] = gas_is_periodic(l->setup.physics, axis) ? l->setup.physics->box[axis] : 0;
        work.view.unit[axis] = l->range[axis] * 0x1p-32;
    }
    work.view.fixed_positions = l->fixed;
    const struct allgather_need need = gas_lists_need(l, particles->own);
    for (int k = 0; k < ALLGATHER_RANGES && l->fixed && !has_energy; k++) {
        work.fixed = (struct particles_range){(size_t)need.ranges[k].first, (size_t)need.ranges[k].end};
        gas_for_pieces(l->threads, work.fixed.end - work.fixed.first, fix_positions, &work);
    }
    for_groups(l, sum_group, &work);
}

void gas_lists_count(const struct gas_neighbours *l, struct gas_counts *counts)
{
    int64_t total = 0, largest = 0;
    for (size_t g = l->own.first; g < l->own.end; g++) {
        total += l->totals[g];
        largest = l->lengths[g] > largest ? l->lengths[g] : largest;
    }
    counts->largest_list = largest;
    counts->pairs = (double)total;
}

// ---- several ranks

// The rows of cells from that before the first particle's to that behind the last one's.
struct allgather_need gas_lists_need(const struct gas_neighbours *l, struct particles_range range)
{
    const struct gas_grid *grid = &l->grid;
    const int64_t columns = grid->columns, all = (int64_t)l->setup.count;
    const bool wraps = gas_is_periodic(l->setup.physics, GAS_Y);
    const int64_t first = grid->cell_of[range.first] / columns - 1,
                  end = grid->cell_of[range.end - 1] / columns + 2;
    if (range.end - range.first == l->setup.count || end - first >= grid->rows)
        return (struct allgather_need){{{0, all}}};
    const int64_t low = first < 0 ? 0 : first, high = end > grid->rows ? grid->rows : end;
    struct allgather_need need = {{{grid->starts[low * columns], grid->starts[high * columns]}}};
    if (wraps && first < 0)
        need.ranges[1] = (struct share){grid->starts[(grid->rows - 1) * columns], all};
    if (wraps && end > grid->rows)
        need.ranges[1] = (struct share){0, grid->starts[columns]};
    return need;
}

// The time of a particle without neighbours, where one in the cells around it takes 1: about, with AVX-512.
enum { PARTICLE_WORK = 10 };

struct find_work {
    const struct gas_neighbours *lists;
    double *work; // [group]
};

static void add_work(void *context, size_t item)
{
    const struct find_work *find = context;
    const struct gas_neighbours *l = find->lists;
    const struct particles_range piece = gas_piece((struct particles_range){0, l->setup.count}, item);
    struct near_ranges ranges = {.cell = SIZE_MAX};
    for (size_t i = piece.first; i < piece.end; i++) {
        if (l->grid.cell_of[i] != ranges.cell)
            find_ranges(l, l->grid.cell_of[i], &ranges);
        find->work[i / PARTICLES_GROUP] += (double)(PARTICLE_WORK + ranges.particles);
    }
}

void gas_lists_find_work(const struct gas_neighbours *l, double *work)
{
    struct find_work find = {l, work};
    gas_for_pieces(l->threads, l->setup.count, add_work, &find);
}
