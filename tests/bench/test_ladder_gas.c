// The processor's rungs of the gas' ladder that sum all pairs: velocities and positions against direct
// summation in double precision, written here from the equations; momentum; the operations of a step against
// the author's own rates.
#include "tests/support/test.h"

#include "bench/ladder/figures.h"
#include "bench/ladder/gas/gas_common.h"
#include "bench/ladder/gas/host_pairs.h"

#include <math.h>

// What a rung sums.
struct kind {
    const struct ladder_rung *rung;
    int axes, stride;
};

static const struct kind kinds[] = {
    {&gas_host_basic, 2, 1},
    {&gas_host_mti, 2, 1},
    {&gas_host_mtj_array, 2, 1},
    {&gas_host_mtj, 2, 1},
    {&gas_host_mtij, 2, 1},
    {&gas_host_mtj_wide, 2, 1},
    {&gas_host_mtj_fission, 2, 1},
    {&gas_host_mtj_wide_fission, 2, 1},
    {&gas_host_mtj_wide_fission_mem, 2, 1},
    {&gas_host_mtij_wide_fission_mem, 2, 1},
    {&gas_host_mtij_wide_fission_fusion_mem, 2, 1},
    {&gas_host_mti_fission_mem, 2, 1},
    {&gas_host_mti_fission_fusion_mem, 2, 1},
    {&gas_host_mti_fission_fusion_mem_unroll, 2, 1},
    {&gas_host_mti_blocked, 2, 1},
    {&gas_host_mtj_skipping[0], 2, 2},
    {&gas_host_mtj_skipping[1], 2, 3},
    {&gas_host_mtj_skipping[2], 2, 4},
    {&gas_host_mtj_skipping[3], 2, 5},
    {&gas_host_mtj_skipping[4], 2, 6},
    {&gas_host_mtj_skipping[5], 2, 7},
    {&gas_host_mtj_skipping[6], 2, 8},
    {&gas_host_mti_u2, 2, 1},
    {&gas_host_mti_root, 2, 1},
    {&gas_host_mti_3d, 3, 1},
    {&gas_host_mti_3d_vectors, 3, 1},
};

enum { COUNT_MAX = 301 };

// x, y, z, v_x, v_y, v_z, as the rungs give them.
typedef double state[2 * LADDER_AXES][COUNT_MAX];

static struct ladder_case case_of(size_t count, int threads)
{
    return (struct ladder_case){
        .size = {(long long)count, 1, 1}, .precision = ELEMENT_F32, .threads = threads};
}

static void read_state(const struct kind *kind, void *of, size_t count, state values)
{
    double numbers[2 * LADDER_AXES * COUNT_MAX];
    assert_int_equal(kind->rung->read(of, numbers), STATUS_OK);
    for (size_t row = 0; row < 2 * LADDER_AXES; row++)
        memcpy(values[row], numbers + row * count, count * sizeof *numbers);
}

// ---- the reference

// a_i = A Σ_j d/s^p, p = 1 in two dimensions (equation 8), 3/2 in three (13); J's skipping updates only those
// i that are multiples of the stride.
static void add_forces(const struct kind *kind, size_t count, state values)
{
    const double constant = kind->axes == 2 ? -0.4 / (double)count : -1500. / (double)count;
    for (size_t i = 0; i < count; i += (size_t)kind->stride)
        for (size_t j = 0; j < count; j++) {
            double d[LADDER_AXES], square = 1; // ε²
            for (int axis = 0; axis < kind->axes; axis++) {
                d[axis] = values[axis][i] - values[axis][j];
                square += d[axis] * d[axis];
            }
            for (int axis = 0; axis < kind->axes; axis++)
                values[LADDER_AXES + axis][i] +=
                    constant * d[axis] / pow(square, kind->axes == 2 ? 1 : 1.5) * 0.5; // Δt
        }
}

static void make_step(const struct kind *kind, size_t count, state values)
{
    add_forces(kind, count, values);
    for (int axis = 0; axis < kind->axes; axis++)
        for (size_t i = 0; i < count; i++) {
            double *const at = &values[axis][i], *const velocity = &values[LADDER_AXES + axis][i];
            if (*at + *velocity * 0.5 < 0 || *at + *velocity * 0.5 > 5000)
                *velocity = -*velocity;
            *at += *velocity * 0.5;
        }
}

// ---- comparisons

// What the steps added to the velocities, within 5e-4 of its root mean square: a typical pair of 301 adds ten
// times as much, the roundings of J's updates, one for each pair, less than half.
static void compare_velocities(const char *name, const struct kind *kind, size_t count, state before,
                               state after, state expected)
{
    double square = 0, largest = 0, sum = 0, modulus = 0;
    for (int row = LADDER_AXES; row < LADDER_AXES + kind->axes; row++)
        for (size_t i = 0; i < count; i++) {
            const double gain = expected[row][i] - before[row][i];
            square += gain * gain;
            modulus += fabs(gain);
            sum += after[row][i] - before[row][i];
            largest = fmax(largest, fabs(after[row][i] - expected[row][i]));
        }
    const double rms = sqrt(square / ((double)count * kind->axes));
    if (!(largest <= 5e-4 * rms))
        fail_msg("%s: velocities differ by up to %g from the reference, which gained %g", name, largest, rms);
    if (kind->stride == 1 && !(fabs(sum) <= 1e-5 * modulus)) // no particle met a wall
        fail_msg("%s: the momentum changed by %g, the velocities by %g", name, sum, modulus);
}

// Positions are floats that moved by the velocity that the rung has now.
static void compare_moves(const char *name, const struct kind *kind, size_t count, state before, state after)
{
    for (int axis = 0; axis < LADDER_AXES; axis++)
        for (size_t i = 0; i < count; i++) {
            const float next = (float)before[axis][i] + (float)after[LADDER_AXES + axis][i] * 0.5f;
            if (after[axis][i] != (double)next || (axis >= kind->axes && after[axis][i] != 0))
                fail_msg("%s: axis %d of particle %zu is %.9g, not %.9g", name, axis, i, after[axis][i],
                         (double)next);
        }
}

// One step, then two at once: what a step leaves behind would show.
static void compare(const struct kind *kind, const struct ladder_case *wanted)
{
    static state first, start, after, expected;
    void *of = NULL;
    const size_t count = (size_t)wanted->size[0];
    const char *name = format_text("%s, %zu particles, %d threads, blocks %d x %d", kind->rung->name, count,
                                   wanted->threads, wanted->block[0], wanted->block[1]);
    assert_int_equal(kind->rung->create(wanted, &of), STATUS_OK);
    read_state(kind, of, count, first);
    memcpy(start, first, sizeof start);
    for (int steps = 1; steps <= 2; steps++) {
        memcpy(expected, start, sizeof expected);
        for (int step = 0; step < steps; step++)
            make_step(kind, count, expected);
        assert_int_equal(kind->rung->step(of, steps), STATUS_OK);
        read_state(kind, of, count, after);
        if (count > 2)
            compare_velocities(name, kind, count, start, after, expected);
        if (steps == 1)
            compare_moves(name, kind, count, start, after);
        memcpy(start, after, sizeof start);
    }
    kind->rung->destroy(of);
}

TEST(rungs_agree_with_direct_summation)
{
    static const struct {
        size_t count;
        int threads;
    } cases[] = {{2, 1}, {97, 1}, {256, 1}, {COUNT_MAX, 1}, {2, 2}, {COUNT_MAX, 2}, {97, 3}, {3, 5}, {97, 5}};
    for (size_t k = 0; k < COUNT(kinds); k++)
        for (size_t c = 0; c < COUNT(cases); c++) {
            const struct ladder_case wanted = case_of(cases[c].count, cases[c].threads);
            if (kinds[k].rung->has_threads || wanted.threads == 1)
                compare(&kinds[k], &wanted);
        }
}

TEST(blocks_need_not_divide_the_particles)
{
    static const int blocks[][2] = {{1, 1}, {7, 11}, {100, 100}, {64, 1024}, {301, 3}};
    const struct kind kind = {&gas_host_mti_blocked, 2, 1};
    for (size_t k = 0; k < COUNT(blocks); k++)
        for (int threads = 1; threads <= 3; threads++) {
            struct ladder_case wanted = case_of(COUNT_MAX, threads);
            memcpy(wanted.block, blocks[k], sizeof blocks[k]);
            compare(&kind, &wanted);
        }
}

// ε² makes the force of a particle on itself zero.
TEST(a_particle_alone_keeps_its_velocity)
{
    static state before, after;
    for (size_t k = 0; k < COUNT(kinds); k++) {
        const struct ladder_case wanted = case_of(1, kinds[k].rung->has_threads ? 2 : 1);
        void *of = NULL;
        assert_int_equal(kinds[k].rung->create(&wanted, &of), STATUS_OK);
        read_state(&kinds[k], of, 1, before);
        assert_int_equal(kinds[k].rung->step(of, 3), STATUS_OK);
        read_state(&kinds[k], of, 1, after);
        for (int row = LADDER_AXES; row < 2 * LADDER_AXES; row++)
            assert_true(after[row][0] == before[row][0]);
        kinds[k].rung->destroy(of);
    }
}

TEST(walls_turn_a_particle_before_it_leaves)
{
    static const struct {
        float at, velocity, next, turned;
    } cases[] = {{10, -4, 8, -4},      {1, -4, 3, 4},      {4999, 4, 4997, -4},
                 {4999, -4, 4997, -4}, {4998, 4, 5000, 4}, {0, 0, 0, 0}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        float at = cases[k].at, velocity = cases[k].velocity;
        gas_ladder_move(&at, &velocity);
        assert_true(at == cases[k].next && velocity == cases[k].turned);
    }
}

// ---- the author's figures

// The author's time of a frame and rate are those of the operations that the rung counts.
TEST(operations_are_those_of_the_author)
{
    static const struct {
        const char *rung;
        long long size;
        double seconds, rate, tolerance;
    } authors[] = {{"MTI", 65536, 4.83, 9.78e9, 1e-3},
                   {"CPUMTI_U2", 65536, 4.504, 10.49e9, 1e-3},
                   {"MTJwideFission", 16384, 0.202, 23.92e9, 1e-3},
                   {"MTJwideFission", 16384, 0.072, 67.1e9, 1e-3},
                   {"MTI-3D", 4096, 1. / 21, 7.13e9, 0.02}, // a whole number of frames a second
                   {"MTI-3D-vectors", 4096, 1. / 48, 16.3e9, 0.02}};
    for (size_t k = 0; k < COUNT(authors); k++) {
        const struct ladder_rung *rung = ladder_find_rung(&ladder_gas, authors[k].rung);
        const struct ladder_case wanted = case_of((size_t)authors[k].size, 4);
        struct ladder_counts counts;
        assert_non_null(rung);
        ladder_count(&ladder_gas, rung, &wanted, &counts);
        assert_true(counts.work == (double)(authors[k].size * authors[k].size));
        assert_true(fabs(counts.operations / authors[k].seconds / authors[k].rate - 1) <
                    authors[k].tolerance);
    }
}

TEST(figures_of_processors_have_their_rungs)
{
    struct ladder_figures figures;
    int found = 0;
    assert_int_equal(ladder_figures_read(TEST_SOURCE_DIRECTORY "/data/ladders/gas.json", &figures),
                     STATUS_OK);
    assert_int_equal(figures.year, 2016);
    for (int t = 0; t < figures.table_count; t++)
        for (int k = 0; k < figures.tables[t].row_count; k++) {
            const struct ladder_figure *figure = &figures.tables[t].rows[k];
            const bool is_processor = strstr(figure->machine, "Phenom") || strstr(figure->machine, "i5");
            if (is_processor && figures.tables[t].measure != LADDER_NOTHING &&
                !ladder_find_rung(&ladder_gas, figure->rung))
                fail_msg("%s: no rung has this name", figure->rung);
            found += is_processor;
        }
    assert_in_range(found, 40, 1000);
    ladder_figures_free(&figures);
}

TEST_SUITE(.limit_s = 0);
