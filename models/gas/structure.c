// See structure.h.
#include "models/gas/structure.h"

#include "core/statistics.h"
#include "models/team.h"

#include <math.h>
#include <omp.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// In the order of the stream's variables.
enum scalar { SCALAR_CLUSTERS, SCALAR_LARGEST, SCALAR_MEAN_SIZE, SCALAR_SAMPLES, SCALARS };
enum { AXIS_RADIUS, AXIS_SPEED, AXIS_SIZE };

// Of the records since `from`: how many, how many of them had speeds, pairs by distance, particles by speed.
enum { SUM_SAMPLES, SUM_SPEED_SAMPLES, SUM_PAIRS };

// Cells that a thread searches at a time.
enum { CELLS_AT_A_TIME = 64 };

// ---- the plan

static size_t sum_count(const struct gas_structure_analysis *a)
{
    return SUM_PAIRS + (size_t)a->wanted.bins + (size_t)a->wanted.speed_bins;
}

static double reach_of(const struct gas_structure_analysis *a)
{
    return fmax(a->wanted.radius, a->wanted.cluster_distance);
}

// Cells no narrower than the reach, and no more than particles. Of a periodic axis three at least, so that no cell is met twice, or
// one.
static void choose_cells(struct gas_structure_analysis *a)
{
    for (int axis = 0; axis < GAS_AXES; axis++) {
        const double most = fmin(a->physics->box[axis] / reach_of(a), (double)a->count);
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

static void describe_stream(struct gas_structure_analysis *a)
{
    const struct stream_variable variables[] = {
        {.name = "clusters", .long_name = "number of clusters", .units = "1"},
        {.name = "largest_cluster", .long_name = "particles of the largest cluster", .units = "1"},
        {.name = "mean_cluster", .long_name = "mean size of the cluster that a particle is of", .units = "1"},
        {.name = "samples", .long_name = "records that the mean values are of", .units = "1"},
        {.name = "radial_distribution",
         .long_name = "pairs at this distance over those of evenly spread particles in this box, mean",
         .units = "1",
         .rank = 1,
         .axes = {AXIS_RADIUS}},
        {.name = "speed_density",
         .long_name = "density of the reduced speeds, mean",
         .units = "1",
         .rank = 1,
         .axes = {AXIS_SPEED},
         .has_missing = true},
        {.name = "cluster_count",
         .long_name = "clusters of this size and up to twice it",
         .units = "1",
         .rank = 1,
         .axes = {AXIS_SIZE}},
    };
    a->stream = (struct stream){
        .name = "structure",
        .title = "radial distribution, speeds and clusters",
        .comment = "mean values are of the records since the job's output.structure.from; those before it, "
                   "and clusters, are the record's own",
        .has_records = true,
        .element = ELEMENT_F64,
        .records_per_frame = 1,
        .axis_count = 3,
        .axes = {[AXIS_RADIUS] = {.name = "radius",
                                  .long_name = "distance, middle of the bin",
                                  .units = "1",
                                  .length = (size_t)a->wanted.bins},
                 [AXIS_SPEED] = {.name = "speed",
                                 .long_name = "reduced speed v sqrt(m/T), middle of the bin",
                                 .units = "1",
                                 .length = (size_t)a->wanted.speed_bins},
                 [AXIS_SIZE] = {.name = "cluster_size",
                                .long_name = "particles of a cluster, the smallest of the class",
                                .units = "1",
                                .length = (size_t)a->classes}},
        .variable_count = sizeof variables / sizeof *variables,
        .constant_count = 1,
        .constants = {{.name = "maxwell",
                       .long_name = "Maxwell's density of the reduced speeds, mean over the bin",
                       .units = "1",
                       .axis = AXIS_SPEED}}};
    memcpy(a->stream.variables, variables, sizeof variables);
}

enum status gas_structure_plan(struct gas_structure_analysis *a, struct memory_plan *memory)
{
    const size_t bins = (size_t)a->wanted.bins, speeds = (size_t)a->wanted.speed_bins;
    choose_cells(a);
    const size_t cells = a->cells[GAS_X] * a->cells[GAS_Y];
    while (a->classes < GAS_CLUSTER_CLASSES_MAX && a->count >> a->classes > 0)
        a->classes++;
    describe_stream(a);
    struct stream_axis *axes = a->stream.axes;
    const struct {
        enum element element;
        size_t rows, columns;
        void **pointer;
        const char *name;
    } arrays[] = {
        {ELEMENT_F64, a->count, GAS_AXES, (void **)&a->positions, "structure positions"},
        {ELEMENT_F64, a->count, GAS_AXES, (void **)&a->sorted, "structure positions by cell"},
        {ELEMENT_F64, 1, a->count, (void **)&a->energies, "structure energies"},
        {ELEMENT_I32, 1, a->count, (void **)&a->cell, "structure cells of particles"},
        {ELEMENT_I32, 1, cells + 1, (void **)&a->starts, "structure cells"},
        {ELEMENT_I32, 1, a->count, (void **)&a->parents, "structure clusters"},
        {ELEMENT_I32, 1, a->count, (void **)&a->sizes, "structure cluster sizes"},
        {ELEMENT_I64, (size_t)a->threads, bins, (void **)&a->pairs, "structure pairs"},
        {ELEMENT_F64, 1, sum_count(a), (void **)&a->sums, "structure sums"},
        {ELEMENT_F64, 1, bins, (void **)&axes[AXIS_RADIUS].values, "structure radii"},
        {ELEMENT_F64, 1, speeds, (void **)&axes[AXIS_SPEED].values, "structure speeds"},
        {ELEMENT_F64, 1, (size_t)a->classes, (void **)&axes[AXIS_SIZE].values, "structure sizes"},
        {ELEMENT_F64, 1, speeds, (void **)&a->stream.constants[0].values, "structure Maxwell"},
    };
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        CHECK(memory_plan_add(memory, MEMORY_HOST, arrays[k].element, arrays[k].rows, arrays[k].columns,
                              arrays[k].pointer, "%s", arrays[k].name));
    return STATUS_OK;
}

static void fill_middles(double *values, int count, double width)
{
    for (int k = 0; k < count; k++)
        values[k] = (k + 0.5) * width;
}

static double speed_width(const struct gas_structure_analysis *a)
{
    return (double)GAS_SPEED_RANGE / a->wanted.speed_bins;
}

void gas_structure_start(struct gas_structure_analysis *a)
{
    struct stream_axis *axes = a->stream.axes;
    double *sizes = (double *)axes[AXIS_SIZE].values, *maxwell = (double *)a->stream.constants[0].values;
    const double width = speed_width(a);
    fill_middles((double *)axes[AXIS_RADIUS].values, a->wanted.bins, a->wanted.radius / a->wanted.bins);
    fill_middles((double *)axes[AXIS_SPEED].values, a->wanted.speed_bins, width);
    for (int k = 0; k < a->classes; k++)
        sizes[k] = ldexp(1, k);
    for (int k = 0; k < a->wanted.speed_bins; k++) {
        const double low = k * width, high = (k + 1) * width;
        maxwell[k] = (exp(-low * low / 2) - exp(-high * high / 2)) / width;
    }
}

struct checkpoint_array gas_structure_checkpoint(struct gas_structure_analysis *a)
{
    return (struct checkpoint_array){"structure so far", a->sums, sum_count(a) * sizeof *a->sums};
}

// ---- cells

// Taken into the box of a periodic axis; of one with walls the nearest cell has what is outside.
static size_t cell_of(const struct gas_structure_analysis *a, const double *position)
{
    size_t place[GAS_AXES];
    for (int axis = 0; axis < GAS_AXES; axis++) {
        const double box = a->physics->box[axis];
        double x = position[axis];
        if (gas_is_periodic(a->physics, axis))
            x -= box * floor(x / box);
        const double cell = fmax(x / box * (double)a->cells[axis], 0);
        place[axis] = cell < (double)a->cells[axis] ? (size_t)cell : a->cells[axis] - 1;
    }
    return place[GAS_Y] * a->cells[GAS_X] + place[GAS_X];
}

void gas_structure_set(struct gas_structure_analysis *a, size_t first, size_t count,
                       const struct gas_particle *particles)
{
    for (size_t k = 0; k < count; k++) {
        const double *v = particles[k].velocity;
        double *position = a->positions + (first + k) * GAS_AXES;
        memcpy(position, particles[k].position, sizeof particles[k].position);
        a->energies[first + k] = particles[k].mass * (v[GAS_X] * v[GAS_X] + v[GAS_Y] * v[GAS_Y]);
        a->cell[first + k] = (int32_t)cell_of(a, position);
    }
}

// A counting sort, stable: starts[c + 1] is where the next of cell c goes, and in the end where cell c + 1 begins.
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
        const size_t place = (size_t)a->starts[a->cell[i] + 1]++;
        memcpy(a->sorted + place * GAS_AXES, a->positions + i * GAS_AXES, GAS_AXES * sizeof(double));
    }
}

// ---- clusters. A parent is never greater than its child, and a root is its own parent. Threads may unite at once: a root changes by
// an exchange only, and shortening a path replaces a parent by one of its own ancestors.

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

static void count_clusters(struct gas_structure_analysis *a, double *scalars, double *classes)
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
    scalars[SCALAR_CLUSTERS] = clusters;
    scalars[SCALAR_LARGEST] = largest;
    scalars[SCALAR_MEAN_SIZE] = squares / (double)a->count;
}

// ---- pairs

static double distance2(const struct gas_physics *physics, const double *from, const double *to)
{
    double sum = 0;
    for (int axis = 0; axis < GAS_AXES; axis++) {
        double d = from[axis] - to[axis];
        if (gas_is_periodic(physics, axis))
            d -= physics->box[axis] * rint(d / physics->box[axis]);
        sum += d * d;
    }
    return sum;
}

// Pairs of a cell's particles with those of another (or of its own) that come later.
static void search_pairs(struct gas_structure_analysis *a, size_t cell, size_t other, int64_t *pairs)
{
    const double cluster2 = a->wanted.cluster_distance * a->wanted.cluster_distance;
    const double radius2 = a->wanted.radius * a->wanted.radius, per_bin = a->wanted.bins / a->wanted.radius;
    for (int32_t i = a->starts[cell]; i < a->starts[cell + 1]; i++) {
        const int32_t first = other == cell ? i + 1 : a->starts[other];
        for (int32_t j = first; j < a->starts[other + 1]; j++) {
            const double r2 =
                distance2(a->physics, a->sorted + (size_t)i * GAS_AXES, a->sorted + (size_t)j * GAS_AXES);
            if (r2 < cluster2)
                unite(a->parents, i, j);
            if (r2 >= radius2)
                continue;
            const int bin = (int)(sqrt(r2) * per_bin);
            pairs[bin < a->wanted.bins ? bin : a->wanted.bins - 1]++;
        }
    }
}

// The cells −1, 0, 1 from a place on an axis, of those that there are; returns how many.
static int cells_around(const struct gas_structure_analysis *a, int axis, size_t place, size_t *around)
{
    const size_t cells = a->cells[axis];
    const bool is_ring = gas_is_periodic(a->physics, axis) && cells > 1;
    int count = 0;
    if (place > 0 || is_ring)
        around[count++] = (place + cells - 1) % cells;
    around[count++] = place;
    if (place + 1 < cells || is_ring)
        around[count++] = (place + 1) % cells;
    return count;
}

static void search_cell(struct gas_structure_analysis *a, size_t cell, int64_t *pairs)
{
    size_t columns[3], rows[3];
    const int column_count = cells_around(a, GAS_X, cell % a->cells[GAS_X], columns);
    const int row_count = cells_around(a, GAS_Y, cell / a->cells[GAS_X], rows);
    for (int row = 0; row < row_count; row++)
        for (int column = 0; column < column_count; column++) {
            const size_t other = rows[row] * a->cells[GAS_X] + columns[column];
            if (other >= cell) // each two of them once
                search_pairs(a, cell, other, pairs);
        }
}

static void search_cells(void *context, size_t item)
{
    struct gas_structure_analysis *a = context;
    const size_t cells = a->cells[GAS_X] * a->cells[GAS_Y], first = item * CELLS_AT_A_TIME;
    const size_t end = first + CELLS_AT_A_TIME < cells ? first + CELLS_AT_A_TIME : cells;
    int64_t *pairs = a->pairs + (size_t)omp_get_thread_num() * (size_t)a->wanted.bins;
    for (size_t cell = first; cell < end; cell++)
        search_cell(a, cell, pairs);
}

static void find_pairs(struct gas_structure_analysis *a)
{
    const size_t cells = a->cells[GAS_X] * a->cells[GAS_Y];
    memset(a->pairs, 0, (size_t)a->threads * (size_t)a->wanted.bins * sizeof *a->pairs);
    for (size_t i = 0; i < a->count; i++)
        a->parents[i] = (int32_t)i;
    team_for(a->threads, (cells + CELLS_AT_A_TIME - 1) / CELLS_AT_A_TIME, search_cells, a);
}

// ---- a record

// Share of the pairs of independent, evenly spread particles that are nearer than r.
static double share_within(const struct gas_physics *physics, double r)
{
    const double area = physics->box[GAS_X] * physics->box[GAS_Y];
    double b[GAS_AXES];
    for (int axis = 0; axis < GAS_AXES; axis++)
        b[axis] = gas_is_periodic(physics, axis) ? 0 : 1 / physics->box[axis];
    return 2 * pi / area * r * r *
           (0.5 - 2 * r / (3 * pi) * (b[GAS_X] + b[GAS_Y]) + r * r / (4 * pi) * b[GAS_X] * b[GAS_Y]);
}

static void add_pairs(struct gas_structure_analysis *a)
{
    double *sums = a->sums + SUM_PAIRS;
    for (int thread = 0; thread < a->threads; thread++)
        for (int bin = 0; bin < a->wanted.bins; bin++)
            sums[bin] += (double)a->pairs[thread * a->wanted.bins + bin];
}

static void add_speeds(struct gas_structure_analysis *a)
{
    double *sums = a->sums + SUM_PAIRS + a->wanted.bins;
    const double kinetic = statistics_block_sum(a->energies, a->count) / 2;
    const double temperature = a->physics->thermostat == GAS_NO_THERMOSTAT
                                   ? 2 * kinetic / gas_degrees(a->physics, a->count)
                                   : a->physics->temperature;
    if (!(temperature > 0))
        return; // all are at rest: there are no reduced speeds
    a->sums[SUM_SPEED_SAMPLES]++;
    for (size_t i = 0; i < a->count; i++) {
        const double bin = sqrt(a->energies[i] / temperature) / speed_width(a);
        if (bin < a->wanted.speed_bins)
            sums[(int)bin]++;
    }
}

static void write_means(const struct gas_structure_analysis *a, double *distribution, double *density)
{
    const int bins = a->wanted.bins;
    const double *pairs = a->sums + SUM_PAIRS, *speeds = pairs + bins;
    const double count = (double)a->count, all_pairs = a->sums[SUM_SAMPLES] * count * (count - 1) / 2;
    for (int bin = 0; bin < bins; bin++) {
        const double low = a->wanted.radius * bin / bins, high = a->wanted.radius * (bin + 1) / bins;
        const double share = share_within(a->physics, high) - share_within(a->physics, low);
        distribution[bin] = pairs[bin] / (all_pairs * share);
    }
    const double particles = a->sums[SUM_SPEED_SAMPLES] * count;
    for (int bin = 0; bin < a->wanted.speed_bins; bin++)
        density[bin] = particles > 0 ? speeds[bin] / (particles * speed_width(a)) : NAN;
}

void gas_structure_measure(struct gas_structure_analysis *a, double time, double *record)
{
    // Times are multiples of the step, rounded: half a step is certainly between two of them.
    const bool is_before = time < a->wanted.from - a->physics->step / 2;
    double *distribution = record + SCALARS, *density = distribution + a->wanted.bins;
    sort_by_cell(a);
    find_pairs(a);
    a->sums[SUM_SAMPLES]++;
    add_pairs(a);
    add_speeds(a);
    count_clusters(a, record, density + a->wanted.speed_bins);
    record[SCALAR_SAMPLES] = a->sums[SUM_SAMPLES];
    write_means(a, distribution, density);
    if (is_before) // a record before `from` is of its own moment, and no later one knows of it
        memset(a->sums, 0, sum_count(a) * sizeof *a->sums);
}
