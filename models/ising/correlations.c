// See correlations.h.
#include "models/ising/correlations.h"

#include "models/arrays.h"
#include "models/ising/jackknife.h"
#include "models/stream_rows.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// Of a block: how many lattices were added; Σ M, Σ M², Σ |Σ_i s_i e^{ikx}|² and its like of y; then Σ s s' by
// distance, of x, of y.
enum { SUM_COUNT, SUM_M, SUM_M2, SUM_WAVE_X, SUM_WAVE_Y, SUM_PAIRS };

// A record: scalars first, in the order of the stream's variables; then what depends on the distance.
enum {
    VALUE_BETA,
    VALUE_S0,
    VALUE_S0_ERROR,
    VALUE_S1,
    VALUE_S1_ERROR,
    VALUE_LENGTH_X,
    VALUE_LENGTH_Y,
    VALUE_LENGTH,
    VALUE_LENGTH_ERROR,
    VALUE_MEASUREMENTS,
    VALUE_BLOCKS,
    VALUE_CORRELATIONS
};

// Blocks are joined while neighbouring ones are correlated and at least LEAST_BLOCKS remain.
enum { LEAST_BLOCKS = 8, LEAST_LENGTH = 4 };

// ---- the plan

static const struct stream_variable variables[] = {
    STREAM_NUMBER("beta", "inverse temperature"),
    STREAM_NUMBER("structure_factor_0", "structure factor at k = 0: <M^2>/N; with a field (<M^2> - <M>^2)/N"),
    STREAM_NUMBER("structure_factor_0_error", "standard error of structure_factor_0", .has_missing = true),
    STREAM_NUMBER("structure_factor_1", "structure factor at the longest wave, mean of both axes"),
    STREAM_NUMBER("structure_factor_1_error", "standard error of structure_factor_1", .has_missing = true),
    STREAM_NUMBER("correlation_length_x", "second-moment correlation length along x in sites",
                  .has_missing = true),
    STREAM_NUMBER("correlation_length_y", "second-moment correlation length along y in sites",
                  .has_missing = true),
    STREAM_NUMBER(
        "correlation_length", "second-moment correlation length in sites, of both axes",
        .comment =
            "sqrt(S(0)/S(2 pi/L) - 1)/(2 sin(pi/L)); a length of correlations in the disordered state only",
        .has_missing = true),
    STREAM_NUMBER("correlation_length_error", "standard error of correlation_length", .has_missing = true),
    STREAM_NUMBER("measurements", "measurements of a replica"),
    STREAM_NUMBER("blocks", "blocks of the jackknife"),
    STREAM_LINE("correlation_x", "correlation <s s'> of sites apart in x", 0),
    STREAM_LINE("correlation_y", "correlation <s s'> of sites apart in y", 0),
    STREAM_LINE("correlation", "correlation <s s'>, mean of both axes", 0),
    STREAM_LINE("correlation_error", "standard error of correlation", 0, .has_missing = true),
};

static void describe_stream(struct ising_correlations *c)
{
    const struct ising_params *p = c->params;
    c->stream = (struct stream){
        .name = "correlations",
        .title = "correlations of spins at each temperature, with their errors",
        .comment = "errors by the jackknife over blocks of measurements, which are joined by two until "
                   "neighbours are independent",
        .has_records = true,
        .element = ELEMENT_F64,
        .records_per_frame = 1,
        .expected_records = p->temperatures,
        .axis_count = 1,
        .axes = {STREAM_AXIS("distance", "sites between two spins", p->distances)},
    };
    STREAM_SET_VARIABLES(&c->stream, variables);
}

// Measurements of a temperature.
static int64_t first_due(const struct ising_params *p)
{
    return p->sweeps.thermalisation >= 0 ? p->sweeps.thermalisation : p->sweeps.count / 2;
}

static size_t due_count(const struct ising_params *p)
{
    return (size_t)(p->sweeps.count / p->correlations_every - first_due(p) / p->correlations_every);
}

bool ising_correlations_is_due(const struct ising_correlations *c, int64_t sweeps)
{
    const struct ising_params *p = c->params;
    return p->correlations_every > 0 && sweeps > first_due(p) && sweeps % p->correlations_every == 0;
}

// A power of two, with several measurements each.
static size_t choose_blocks(size_t measurements, size_t most)
{
    size_t blocks = LEAST_BLOCKS;
    if (measurements < LEAST_BLOCKS || most < LEAST_BLOCKS)
        return measurements < most ? measurements : most;
    while (2 * blocks <= most && 2 * blocks * LEAST_LENGTH <= measurements)
        blocks *= 2;
    return blocks;
}

static size_t sums_length(const struct ising_params *p)
{
    return SUM_PAIRS + 2 * p->distances;
}

enum status ising_correlations_plan(struct ising_correlations *c, struct memory_plan *memory)
{
    const struct ising_lattice *lattice = &c->params->physics.lattice;
    const size_t distances = c->params->distances, length = sums_length(c->params);
    const size_t columns = (size_t)lattice->columns, rows = (size_t)lattice->rows;
    describe_stream(c);
    c->blocks = choose_blocks(due_count(c->params), c->params->analysis.blocks);
    const struct array_row arrays[] = {
        {ELEMENT_I64, (size_t)lattice->replicas, ising_correlations_length(lattice, distances), &c->measured,
         "measured correlations"},
        {ELEMENT_F64, c->blocks, length, &c->sums, "correlations"},
        {ELEMENT_F64, c->blocks + 1, length, &c->joined, "scratch correlations"},
        {ELEMENT_F64, 2, columns, &c->waves[0], "correlations waves in x"},
        {ELEMENT_F64, 2, rows, &c->waves[1], "correlations waves in y"},
        {ELEMENT_I64, 1, 1, &c->added, "correlations added"},
        {ELEMENT_F64, 1, distances, &c->stream.axes[0].values, "distances"},
    };
    return ARRAYS_PLAN(memory, "", arrays);
}

static void clear(struct ising_correlations *c)
{
    *c->added = 0;
    memset(c->sums, 0, c->blocks * sums_length(c->params) * sizeof *c->sums);
}

void ising_correlations_start(struct ising_correlations *c)
{
    const int64_t lengths[2] = {c->params->physics.lattice.columns, c->params->physics.lattice.rows};
    double *distance = (double *)c->stream.axes[0].values;
    for (size_t k = 0; k < c->params->distances; k++)
        distance[k] = (double)c->params->distance[k];
    for (int axis = 0; axis < 2; axis++)
        for (int64_t x = 0; x < lengths[axis]; x++) {
            c->waves[axis][2 * x] = cos(2 * pi * (double)x / (double)lengths[axis]);
            c->waves[axis][2 * x + 1] = sin(2 * pi * (double)x / (double)lengths[axis]);
        }
    clear(c);
}

int ising_correlations_checkpoint_arrays(struct ising_correlations *c, struct checkpoint_array *arrays)
{
    const size_t bytes = c->blocks * sums_length(c->params) * sizeof *c->sums;
    arrays[0] = (struct checkpoint_array){"correlations added", c->added, sizeof *c->added};
    arrays[1] = (struct checkpoint_array){"correlations so far", c->sums, bytes};
    return 2;
}

// ---- a measurement

// |Σ s e^{ikx}|² from the sums of the lines x = 0, 1, …
static double wave_square(const int64_t *lines, const double *waves, int64_t length)
{
    double re = 0, im = 0;
    for (int64_t x = 0; x < length; x++) {
        re += (double)lines[x] * waves[2 * x];
        im += (double)lines[x] * waves[2 * x + 1];
    }
    return re * re + im * im;
}

static void add_lattice(const struct ising_correlations *c, const int64_t *measured, double *sums)
{
    const struct ising_lattice *lattice = &c->params->physics.lattice;
    const size_t pairs = 2 * c->params->distances;
    const int64_t *rows = measured + pairs, *columns = rows + lattice->rows;
    int64_t spins = 0;
    for (int64_t y = 0; y < lattice->rows; y++)
        spins += rows[y];
    const double m = (double)spins;
    sums[SUM_COUNT]++;
    sums[SUM_M] += m;
    sums[SUM_M2] += m * m;
    sums[SUM_WAVE_X] += wave_square(columns, c->waves[0], lattice->columns);
    sums[SUM_WAVE_Y] += wave_square(rows, c->waves[1], lattice->rows);
    for (size_t k = 0; k < pairs; k++)
        sums[SUM_PAIRS + k] += (double)measured[k];
}

void ising_correlations_add(struct ising_correlations *c)
{
    const struct ising_lattice *lattice = &c->params->physics.lattice;
    const size_t length = ising_correlations_length(lattice, c->params->distances);
    const size_t block = (size_t)*c->added * c->blocks / due_count(c->params);
    for (size_t replica = 0; replica < (size_t)lattice->replicas; replica++)
        add_lattice(c, c->measured + replica * length, c->sums + block * sums_length(c->params));
    ++*c->added;
}

// ---- a record

struct derived {
    double s0, s1, length_x, length_y, length;
};

static double second_moment_length(double s0, double s1, int64_t length)
{
    return sqrt(s0 / s1 - 1) / (2 * sin(pi / (double)length));
}

static struct derived derive(const struct ising_params *p, const double *sums)
{
    const struct ising_lattice *lattice = &p->physics.lattice;
    const double all = sums[SUM_COUNT] * (double)ising_sites(lattice), m = sums[SUM_M] / sums[SUM_COUNT];
    const double x = sums[SUM_WAVE_X] / all, y = sums[SUM_WAVE_Y] / all;
    struct derived d = {.s0 = sums[SUM_M2] / all, .s1 = (x + y) / 2};
    if (p->physics.field != 0)
        d.s0 -= m * m / (double)ising_sites(lattice);
    d.length_x = second_moment_length(d.s0, x, lattice->columns);
    d.length_y = second_moment_length(d.s0, y, lattice->rows);
    d.length = lattice->columns == lattice->rows ? second_moment_length(d.s0, d.s1, lattice->columns)
                                                 : (d.length_x + d.length_y) / 2;
    return d;
}

// Whether the blocks' M² follow each other's: their correlation with the next is above its standard error.
static bool are_neighbours_alike(const double *sums, size_t blocks, size_t length)
{
    double mean = 0, squares = 0, products = 0;
    for (size_t b = 0; b < blocks; b++)
        mean += sums[b * length + SUM_M2] / sums[b * length + SUM_COUNT] / (double)blocks;
    for (size_t b = 0; b < blocks; b++) {
        const double *block = sums + b * length, *next = block + length;
        const double from_mean = block[SUM_M2] / block[SUM_COUNT] - mean;
        squares += from_mean * from_mean;
        if (b + 1 < blocks)
            products += from_mean * (next[SUM_M2] / next[SUM_COUNT] - mean);
    }
    return products > squares / sqrt((double)blocks);
}

// Into c->joined; returns how many there are.
static size_t join_blocks(struct ising_correlations *c)
{
    const size_t length = sums_length(c->params);
    size_t blocks = c->blocks;
    memcpy(c->joined, c->sums, blocks * length * sizeof *c->sums);
    while (blocks >= 2 * LEAST_BLOCKS && are_neighbours_alike(c->joined, blocks, length)) {
        blocks /= 2;
        for (size_t b = 0; b < blocks; b++)
            for (size_t k = 0; k < length; k++)
                c->joined[b * length + k] =
                    c->joined[2 * b * length + k] + c->joined[(2 * b + 1) * length + k];
    }
    return blocks;
}

// The error follows its value.
static void put(double *record, int value, struct ising_estimate estimate)
{
    record[value] = estimate.value;
    record[value + 1] = estimate.error;
}

static void put_scalars(const struct ising_params *p, const double *blocks_sums, size_t blocks,
                        const double *all, double *rest, double *record)
{
    const size_t length = sums_length(p);
    const struct derived total = derive(p, all);
    struct jackknife s0 = {.value = total.s0}, s1 = {.value = total.s1}, x = {.value = total.length_x};
    struct jackknife y = {.value = total.length_y}, both = {.value = total.length};
    for (size_t b = 0; b < blocks; b++) {
        const double *block = blocks_sums + b * length, share = block[SUM_COUNT] / all[SUM_COUNT];
        for (size_t k = 0; k < SUM_PAIRS; k++)
            rest[k] = all[k] - block[k];
        const struct derived without = derive(p, rest);
        jackknife_add(&s0, share, without.s0);
        jackknife_add(&s1, share, without.s1);
        jackknife_add(&x, share, without.length_x);
        jackknife_add(&y, share, without.length_y);
        jackknife_add(&both, share, without.length);
    }
    put(record, VALUE_S0, jackknife_estimate(&s0));
    put(record, VALUE_S1, jackknife_estimate(&s1));
    put(record, VALUE_LENGTH, jackknife_estimate(&both));
    record[VALUE_LENGTH_X] = jackknife_estimate(&x).value;
    record[VALUE_LENGTH_Y] = jackknife_estimate(&y).value;
}

static void put_correlations(const struct ising_params *p, const double *blocks_sums, size_t blocks,
                             const double *all, double *record)
{
    const size_t length = sums_length(p), distances = p->distances;
    const double sites = (double)ising_sites(&p->physics.lattice), lattices = all[SUM_COUNT];
    for (size_t k = 0; k < distances; k++) {
        const double x = all[SUM_PAIRS + k], y = all[SUM_PAIRS + distances + k];
        struct jackknife both = {.value = (x + y) / (2 * sites * lattices)};
        for (size_t b = 0; b < blocks; b++) {
            const double *block = blocks_sums + b * length;
            const double rest = x + y - block[SUM_PAIRS + k] - block[SUM_PAIRS + distances + k];
            jackknife_add(&both, block[SUM_COUNT] / lattices,
                          rest / (2 * sites * (lattices - block[SUM_COUNT])));
        }
        record[k] = x / (sites * lattices);
        record[distances + k] = y / (sites * lattices);
        record[2 * distances + k] = both.value;
        record[3 * distances + k] = jackknife_estimate(&both).error;
    }
}

void ising_correlations_record(struct ising_correlations *c, uint32_t temperature, double *record)
{
    const struct ising_params *p = c->params;
    const size_t length = sums_length(p), blocks = join_blocks(c);
    // The sums of all lie after the joined blocks; those of all but one block in the first of c->sums, which
    // is free by then.
    double *all = c->joined + c->blocks * length;
    memset(all, 0, length * sizeof *all);
    for (size_t b = 0; b < blocks; b++)
        for (size_t k = 0; k < length; k++)
            all[k] += c->joined[b * length + k];
    record[VALUE_BETA] = p->betas[temperature];
    put_scalars(p, c->joined, blocks, all, c->sums, record);
    record[VALUE_MEASUREMENTS] = (double)*c->added;
    record[VALUE_BLOCKS] = (double)blocks;
    put_correlations(p, c->joined, blocks, all, record + VALUE_CORRELATIONS);
    clear(c);
}
