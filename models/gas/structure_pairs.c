// The pairs at one time, by distance, and their clusters: cells, and union and find. See structure.h.
#include "models/gas/structure_private.h"
#include "models/team.h"

#include <math.h>
#include <omp.h>
#include <string.h>

// Cells that a thread searches at a time; partners whose distances are computed before they are counted.
enum { CELLS_AT_A_TIME = 64, PARTNERS_AT_A_TIME = 256 };

// ---- cells

// Cells no narrower than the reach, and no more than particles. A periodic axis has at least three, so that
// each cell is met once and its image is the nearest; or one.
void gas_structure_choose_cells(struct gas_structure_analysis *a)
{
    const double reach = fmax(a->wanted.radius, a->wanted.cluster_distance);
    for (int axis = 0; axis < GAS_AXES; axis++) {
        const double most = fmin(a->physics->box[axis] / reach, (double)a->count);
        a->cells[axis] = most >= 1 ? (size_t)most : 1;
    }
    while (a->cells[GAS_X] * a->cells[GAS_Y] > a->count) {
        const int longer = a->cells[GAS_X] >= a->cells[GAS_Y] ? GAS_X : GAS_Y;
        a->cells[longer] = (a->cells[longer] + 1) / 2;
    }
    for (int axis = 0; axis < GAS_AXES; axis++)
        if (gas_is_periodic(a->physics, axis) && a->cells[axis] < 3)
            a->cells[axis] = 1;
}

// Of an axis with walls the nearest cell has what is outside.
static size_t cell_of(const struct gas_structure_analysis *a, const double *position)
{
    size_t index[GAS_AXES];
    for (int axis = 0; axis < GAS_AXES; axis++) {
        const double cell = fmax(position[axis] / a->physics->box[axis] * (double)a->cells[axis], 0);
        index[axis] = cell < (double)a->cells[axis] ? (size_t)cell : a->cells[axis] - 1;
    }
    return index[GAS_Y] * a->cells[GAS_X] + index[GAS_X];
}

void gas_structure_set(struct gas_structure_analysis *a, size_t first, size_t count,
                       const struct gas_particle *particles)
{
    for (size_t k = 0; k < count; k++) {
        const double *v = particles[k].velocity;
        double position[GAS_AXES];
        for (int axis = 0; axis < GAS_AXES; axis++) {
            const double box = a->physics->box[axis], x = particles[k].position[axis];
            position[axis] = gas_is_periodic(a->physics, axis) ? x - box * floor(x / box) : x;
            a->positions[(size_t)axis * a->count + first + k] = position[axis];
        }
        a->energies[first + k] = particles[k].mass * (v[GAS_X] * v[GAS_X] + v[GAS_Y] * v[GAS_Y]);
        a->cell[first + k] = (int32_t)cell_of(a, position);
    }
}

// A counting sort, stable: starts[c + 1] is where the next of cell c goes, and in the end where cell c + 1
// begins.
static void sort_by_cell(struct gas_structure_analysis *a)
{
    const size_t cells = a->cells[GAS_X] * a->cells[GAS_Y];
    int32_t before = 0;
    memset(a->starts, 0, (cells + 1) * sizeof *a->starts);
    for (size_t i = 0; i < a->count; i++)
        a->starts[a->cell[i] + 1]++;
    for (size_t c = 1; c <= cells; c++) {
        const int32_t length = a->starts[c];
        a->starts[c] = before;
        before += length;
    }
    for (size_t i = 0; i < a->count; i++) {
        const size_t index = (size_t)a->starts[a->cell[i] + 1]++;
        a->sorted[index] = a->positions[i];
        a->sorted[a->count + index] = a->positions[a->count + i];
    }
}

// ---- clusters. A parent is never greater than its child, and a root is its own parent. Threads may unite at
// the same time: a root changes by an exchange only, and shortening a path replaces a parent by one of its
// ancestors.

static int32_t root_of(int32_t *parents, int32_t i)
{
    for (;;) {
        const int32_t parent = __atomic_load_n(&parents[i], __ATOMIC_RELAXED);
        const int32_t grandparent = __atomic_load_n(&parents[parent], __ATOMIC_RELAXED);
        if (parent == grandparent)
            return parent;
        __atomic_store_n(&parents[i], grandparent, __ATOMIC_RELAXED);
        i = grandparent;
    }
}

static void unite(int32_t *parents, int32_t i, int32_t j)
{
    for (;;) {
        const int32_t a = root_of(parents, i), b = root_of(parents, j);
        const int32_t low = a < b ? a : b, high = a < b ? b : a;
        int32_t expected = high;
        if (low == high || __atomic_compare_exchange_n(&parents[high], &expected, low, false,
                                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return;
    }
}

void gas_structure_count_clusters(struct gas_structure_analysis *a, double *scalars, double *classes)
{
    double largest = 0, squares = 0, clusters = 0;
    memset(a->sizes, 0, a->count * sizeof *a->sizes);
    memset(classes, 0, (size_t)a->classes * sizeof *classes);
    for (size_t i = 0; i < a->count; i++)
        a->sizes[root_of(a->parents, (int32_t)i)]++;
    for (size_t i = 0; i < a->count; i++) {
        if (a->sizes[i] == 0)
            continue;
        const double size = a->sizes[i];
        clusters++;
        squares += size * size;
        largest = fmax(largest, size);
        classes[ilogb(size)]++;
    }
    scalars[GAS_STRUCTURE_CLUSTERS] = clusters;
    scalars[GAS_STRUCTURE_LARGEST] = largest;
    scalars[GAS_STRUCTURE_MEAN_SIZE] = squares / (double)a->count;
}

// ---- pairs

// The partners of a cell's particles: indices in `sorted`, shifted by whole boxes. On an axis with `wrap` =
// 1/L > 0 the nearest image is found for each pair.
struct partners {
    int32_t first, end;
    double shift[GAS_AXES], wrap[GAS_AXES];
};

// Squared distances of a particle from some others.
static void find_squares(const struct gas_structure_analysis *a, int32_t i, const struct partners *partners,
                         int32_t first, int32_t count, double *squares)
{
    memset(squares, 0, (size_t)count * sizeof *squares);
    for (int axis = 0; axis < GAS_AXES; axis++) {
        const double *coordinates = a->sorted + (size_t)axis * a->count;
        const double here = coordinates[i] - partners->shift[axis], box = a->physics->box[axis];
        if (partners->wrap[axis] > 0)
            for (int32_t k = 0; k < count; k++) {
                double d = coordinates[first + k] - here;
                d -= box * rint(d * partners->wrap[axis]);
                squares[k] += d * d;
            }
        else
            for (int32_t k = 0; k < count; k++) {
                const double d = coordinates[first + k] - here;
                squares[k] += d * d;
            }
    }
}

// All bins first: then no branch depends on a distance, except the rare one of a cluster.
static void count_partners(struct gas_structure_analysis *a, int32_t i, const struct partners *partners,
                           int64_t *pairs)
{
    const double cluster2 = a->wanted.cluster_distance * a->wanted.cluster_distance;
    const double per_bin = a->wanted.bins / a->wanted.radius, beyond = a->wanted.bins;
    for (int32_t first = partners->first; first < partners->end; first += PARTNERS_AT_A_TIME) {
        const int32_t left = partners->end - first,
                      count = left < PARTNERS_AT_A_TIME ? left : PARTNERS_AT_A_TIME;
        double squares[PARTNERS_AT_A_TIME];
        int32_t bins[PARTNERS_AT_A_TIME];
        find_squares(a, i, partners, first, count, squares);
        for (int32_t k = 0; k < count; k++) {
            const double bin = sqrt(squares[k]) * per_bin;
            bins[k] = (int32_t)(bin < beyond ? bin : beyond);
        }
        for (int32_t k = 0; k < count; k++) {
            pairs[bins[k]]++;
            if (squares[k] < cluster2)
                unite(a->parents, i, first + k);
        }
    }
}

// A neighbouring cell on an axis, and the shift by a whole box across a periodic boundary.
struct beside {
    size_t index;
    double shift;
};

// Finds the cell of this index on an axis and its neighbours, if they exist. Returns how many.
static int cells_around(const struct gas_structure_analysis *a, int axis, size_t index, struct beside *around)
{
    const size_t cells = a->cells[axis];
    const double box = a->physics->box[axis];
    const bool is_ring = gas_is_periodic(a->physics, axis) && cells > 1;
    int count = 0;
    if (index > 0 || is_ring)
        around[count++] = index > 0 ? (struct beside){index - 1, 0} : (struct beside){cells - 1, -box};
    around[count++] = (struct beside){index, 0};
    if (index + 1 < cells || is_ring)
        around[count++] = index + 1 < cells ? (struct beside){index + 1, 0} : (struct beside){0, box};
    return count;
}

static double wrap_of(const struct gas_structure_analysis *a, int axis)
{
    return gas_is_periodic(a->physics, axis) && a->cells[axis] == 1 ? 1 / a->physics->box[axis] : 0;
}

static void search_cell(struct gas_structure_analysis *a, size_t cell, int64_t *pairs)
{
    struct beside columns[3], rows[3];
    const int column_count = cells_around(a, GAS_X, cell % a->cells[GAS_X], columns);
    const int row_count = cells_around(a, GAS_Y, cell / a->cells[GAS_X], rows);
    for (int row = 0; row < row_count; row++)
        for (int column = 0; column < column_count; column++) {
            const size_t other = rows[row].index * a->cells[GAS_X] + columns[column].index;
            struct partners partners = {.first = a->starts[other],
                                        .end = a->starts[other + 1],
                                        .shift = {columns[column].shift, rows[row].shift},
                                        .wrap = {wrap_of(a, GAS_X), wrap_of(a, GAS_Y)}};
            if (other < cell) // each two of them once
                continue;
            for (int32_t i = a->starts[cell]; i < a->starts[cell + 1]; i++) {
                if (other == cell)
                    partners.first = i + 1;
                count_partners(a, i, &partners, pairs);
            }
        }
}

static void search_cells(void *context, size_t item)
{
    struct gas_structure_analysis *a = context;
    const size_t cells = a->cells[GAS_X] * a->cells[GAS_Y], first = item * CELLS_AT_A_TIME;
    const size_t end = first + CELLS_AT_A_TIME < cells ? first + CELLS_AT_A_TIME : cells;
    int64_t *pairs = a->pairs + (size_t)omp_get_thread_num() * ((size_t)a->wanted.bins + 1);
    for (size_t cell = first; cell < end; cell++)
        search_cell(a, cell, pairs);
}

void gas_structure_find_pairs(struct gas_structure_analysis *a)
{
    const size_t cells = a->cells[GAS_X] * a->cells[GAS_Y];
    sort_by_cell(a);
    memset(a->pairs, 0, (size_t)a->threads * ((size_t)a->wanted.bins + 1) * sizeof *a->pairs);
    for (size_t i = 0; i < a->count; i++)
        a->parents[i] = (int32_t)i;
    team_for(a->threads, (cells + CELLS_AT_A_TIME - 1) / CELLS_AT_A_TIME, search_cells, a);
}
