// See structure.h.
#include "models/gas/structure_private.h"
#include "models/stream_rows.h"

#include "core/statistics.h"
#include "models/arrays.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { AXIS_RADIUS, AXIS_SPEED, AXIS_SIZE };

// Of the records since `from`: how many, how many of them had speeds, pairs by distance, particles by speed.
enum { SUM_SAMPLES, SUM_SPEED_SAMPLES, SUM_PAIRS };

// ---- the plan

static size_t sum_count(const struct gas_structure_analysis *a)
{
    return SUM_PAIRS + (size_t)a->wanted.bins + (size_t)a->wanted.speed_bins;
}

static void describe_stream(struct gas_structure_analysis *a)
{
    const struct stream_variable variables[] = {
        STREAM_NUMBER("clusters", "number of clusters"),
        STREAM_NUMBER("largest_cluster", "particles of the largest cluster"),
        STREAM_NUMBER("mean_cluster", "mean size of the cluster that a particle is of"),
        STREAM_NUMBER("samples", "records that the mean values are of"),
        STREAM_LINE("radial_distribution",
                    "pairs at this distance over those of evenly spread particles in this box, mean",
                    AXIS_RADIUS),
        STREAM_LINE("speed_density", "density of the reduced speeds, mean", AXIS_SPEED, .has_missing = true),
        STREAM_LINE("cluster_count", "clusters of this size and up to twice it", AXIS_SIZE),
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
        .axes = {[AXIS_RADIUS] = STREAM_AXIS("radius", "distance, middle of the bin", (size_t)a->wanted.bins),
                 [AXIS_SPEED] = STREAM_AXIS("speed", "reduced speed v sqrt(m/T), middle of the bin",
                                            (size_t)a->wanted.speed_bins),
                 [AXIS_SIZE] =
                     STREAM_AXIS("cluster_size", "particles of a cluster, the smallest of the class",
                                 (size_t)a->classes)},
        .constant_count = 1,
        .constants = {{.name = "maxwell",
                       .long_name = "Maxwell's density of the reduced speeds, mean over the bin",
                       .units = "1",
                       .axis = AXIS_SPEED}}};
    STREAM_SET_VARIABLES(&a->stream, variables);
}

enum status gas_structure_plan(struct gas_structure_analysis *a, struct memory_plan *memory)
{
    const size_t bins = (size_t)a->wanted.bins, speeds = (size_t)a->wanted.speed_bins;
    gas_structure_choose_cells(a);
    const size_t cells = a->cells[GAS_X] * a->cells[GAS_Y];
    while (a->classes < GAS_CLUSTER_CLASSES_MAX && a->count >> a->classes > 0)
        a->classes++;
    describe_stream(a);
    struct stream_axis *axes = a->stream.axes;
    if (a->is_idle)
        return memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, 1, sum_count(a), (void **)&a->sums,
                               "structure sums");
    const struct array_row arrays[] = {
        {ELEMENT_F64, a->count, GAS_AXES, &a->positions, "structure positions"},
        {ELEMENT_F64, a->count, GAS_AXES, &a->sorted, "structure positions by cell"},
        {ELEMENT_F64, 1, a->count, &a->energies, "structure energies"},
        {ELEMENT_I32, 1, a->count, &a->cell, "structure cells of particles"},
        {ELEMENT_I32, 1, cells + 1, &a->starts, "structure cells"},
        {ELEMENT_I32, 1, a->count, &a->parents, "structure clusters"},
        {ELEMENT_I32, 1, a->count, &a->sizes, "structure cluster sizes"},
        {ELEMENT_I64, (size_t)a->threads, bins + 1, &a->pairs, "structure pairs"},
        {ELEMENT_F64, 1, sum_count(a), &a->sums, "structure sums"},
        {ELEMENT_F64, 1, bins, &axes[AXIS_RADIUS].values, "structure radii"},
        {ELEMENT_F64, 1, speeds, &axes[AXIS_SPEED].values, "structure speeds"},
        {ELEMENT_F64, 1, (size_t)a->classes, &axes[AXIS_SIZE].values, "structure sizes"},
        {ELEMENT_F64, 1, speeds, &a->stream.constants[0].values, "structure Maxwell"},
    };
    return ARRAYS_PLAN(memory, "", arrays);
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
            sums[bin] += (double)a->pairs[thread * (a->wanted.bins + 1) + bin];
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
    double *distribution = record + GAS_STRUCTURE_SCALARS, *density = distribution + a->wanted.bins;
    gas_structure_find_pairs(a);
    a->sums[SUM_SAMPLES]++;
    add_pairs(a);
    add_speeds(a);
    gas_structure_count_clusters(a, record, density + a->wanted.speed_bins);
    record[GAS_STRUCTURE_SAMPLES] = a->sums[SUM_SAMPLES];
    write_means(a, distribution, density);
    if (is_before) // a record before `from` covers its own moment only
        memset(a->sums, 0, sum_count(a) * sizeof *a->sums);
}
