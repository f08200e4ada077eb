// The rungs of the heat ladder, each against loops in double that are written here: in all points, with sizes
// that are no multiple of a block's; against the exact decay of a mode; and against fields that the
// fourth-order differences leave as they are. The colourings are another iteration, held against colours in
// double. Rungs of the same iteration have the same bits.
#include "tests/support/test.h"

#include "bench/ladder/bioheat/heat.h"
#include "bench/ladder/bioheat/host.h"
#include "bench/ladder/figures.h"
#include "tests/support/cuda_test.h"
#include "tests/support/statuses.h"

static bool is_device;

static int begin(int argc, char **argv)
{
    is_device = wants_cuda(argc, argv);
    return cuda_begin(argc, argv);
}

TEST_SUITE(.begin = begin);

// ---- fields

struct field {
    struct ladder_case wanted;
    size_t points;
    float *temperature, *coefficient; // [z][y][x]
};

static struct field make_field(long long planes, long long rows, long long columns)
{
    struct field f = {.wanted = {.size = {planes, rows, columns}, .precision = ELEMENT_F32}};
    f.points = heat_ladder_points(&f.wanted);
    f.temperature = owned_zeros(f.points, sizeof(float));
    f.coefficient = owned_zeros(f.points, sizeof(float));
    return f;
}

// Sets each point from its place; the coefficient is at most 0.8 of the stable one.
static void fill(struct field *f, double (*temperature)(const double at[3], const long long size[3]),
                 double (*coefficient)(const double at[3], const long long size[3]))
{
    const long long *n = f->wanted.size;
    size_t k = 0;
    for (long long z = 0; z < n[0]; z++)
        for (long long y = 0; y < n[1]; y++)
            for (long long x = 0; x < n[2]; x++, k++) {
                const double at[3] = {(double)z, (double)y, (double)x};
                f->temperature[k] = (float)temperature(at, n);
                f->coefficient[k] = (float)coefficient(at, n);
            }
}

static uint32_t noise;

static double any_number(void)
{
    noise = noise * 1664525u + 1013904223u;
    return (double)(noise >> 8) / (1 << 24);
}

static double any_temperature(const double at[3], const long long size[3])
{
    return 37 + 10 * any_number();
}

static double any_coefficient(const double at[3], const long long size[3])
{
    return (0.04 + 0.06 * any_number()) / 12;
}

static double even_coefficient(const double at[3], const long long size[3])
{
    return 0.08 / 12;
}

// ---- the loops

static double change_of(const double *t, const struct field *f, size_t at)
{
    const size_t distance[3] = {1, (size_t)f->wanted.size[2],
                                (size_t)f->wanted.size[1] * (size_t)f->wanted.size[2]};
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        const size_t d = distance[axis];
        sum += -t[at - 2 * d] + 16 * t[at - d] - 30 * t[at] + 16 * t[at + d] - t[at + 2 * d];
    }
    return f->coefficient[at] * sum;
}

// Advances the points of one colour, or (−1) all, from `from` to `to`, which may be the same for a colour.
static void advance_points(const struct field *f, const double *from, double *to, int colour)
{
    const long long *n = f->wanted.size;
    for (long long z = 2; z < n[0] - 2; z++)
        for (long long y = 2; y < n[1] - 2; y++)
            for (long long x = 2; x < n[2] - 2; x++) {
                const size_t at = (size_t)((z * n[1] + y) * n[2] + x);
                if (colour < 0 || (x + y + z) % 3 == colour)
                    to[at] = from[at] + change_of(from, f, at);
            }
}

static double *advance_in_double(const struct field *f, bool has_colours, int steps)
{
    double *now = owned_zeros(f->points, sizeof *now), *next = owned_zeros(f->points, sizeof *next);
    for (size_t k = 0; k < f->points; k++)
        now[k] = next[k] = f->temperature[k];
    for (int step = 0; step < steps; step++) {
        for (int colour = 0; has_colours && colour < 3; colour++)
            advance_points(f, now, now, colour);
        if (has_colours)
            continue;
        double *const other = next;
        advance_points(f, now, next, -1);
        next = now;
        now = other;
    }
    return now;
}

// ---- rungs

static bool has_colours(const struct ladder_rung *rung)
{
    return strstr(rung->name, "colours") != NULL;
}

// The field after `steps` steps of a rung.
static double *advance_rung(const struct ladder_rung *rung, const struct field *f, const int block[3],
                            int steps)
{
    struct ladder_case wanted = f->wanted;
    void *state = NULL;
    double *values = owned_zeros(f->points, sizeof *values);
    memcpy(wanted.block, block, sizeof wanted.block);
    assert_ok(rung->create(&wanted, &state));
    assert_ok(heat_ladder_set(rung, state, f->temperature, f->coefficient));
    assert_ok(rung->step(state, steps));
    assert_ok(rung->read(state, values));
    rung->destroy(state);
    return values;
}

// In float a step's rounding is at most some 1e-5 K of temperatures up to 47 °C; a weight that is wrong by 1
// changes a point by 0.1 K and more.
static const double tolerance_k = 1e-4;

static void assert_near(const struct ladder_rung *rung, const int block[3], const struct field *f,
                        const double *values, const double *expected, long long margin)
{
    const long long *n = f->wanted.size;
    size_t k = 0;
    for (long long z = 0; z < n[0]; z++)
        for (long long y = 0; y < n[1]; y++)
            for (long long x = 0; x < n[2]; x++, k++) {
                const bool is_inside = z >= margin && z < n[0] - margin && y >= margin && y < n[1] - margin &&
                                       x >= margin && x < n[2] - margin;
                if (is_inside && !(fabs(values[k] - expected[k]) < tolerance_k))
                    fail_msg("%s, blocks of %d x %d x %d, %lld x %lld x %lld points: (%lld, %lld, %lld) is "
                             "%.7f, expected %.7f",
                             rung->name, block[0], block[1], block[2], n[0], n[1], n[2], z, y, x, values[k],
                             expected[k]);
            }
}

// The layers that are never computed.
static void assert_borders_are_kept(const struct field *f, const double *values)
{
    const long long *n = f->wanted.size;
    size_t k = 0;
    for (long long z = 0; z < n[0]; z++)
        for (long long y = 0; y < n[1]; y++)
            for (long long x = 0; x < n[2]; x++, k++)
                if (z < 2 || z >= n[0] - 2 || y < 2 || y >= n[1] - 2 || x < 2 || x >= n[2] - 2)
                    assert_true(values[k] == f->temperature[k]);
}

// Calls check(rung, block) for each rung that is tested here, with each of its shapes and with one more.
static void for_each_rung(void (*check)(const struct ladder_rung *rung, const int block[3]))
{
    static const int odd[3] = {7, 5, 3};
    for (const struct ladder_rung *const *rung = ladder_bioheat.rungs; *rung; rung++) {
        if ((*rung)->is_device != is_device)
            continue;
        check(*rung, (*rung)->block);
        if (is_device)
            check(*rung, odd);
        for (const int(*shape)[3] = (*rung)->shapes; shape && (*shape)[0] > 0; shape++)
            check(*rung, *shape);
    }
}

static void compare_with_loops(const struct ladder_rung *rung, const int block[3])
{
    static const long long sizes[][3] = {{5, 5, 5},    {6, 9, 7},  {20, 20, 20}, {13, 22, 71},
                                         {43, 36, 25}, {71, 6, 7}, {6, 5, 519}};
    static const int steps[] = {1, 2, 3, 7};
    static const int none[3];
    for (size_t s = 0; s < COUNT(sizes); s++) {
        struct field f = make_field(sizes[s][0], sizes[s][1], sizes[s][2]);
        fill(&f, any_temperature, any_coefficient);
        for (size_t k = 0; k < COUNT(steps); k++) {
            const double *values = advance_rung(rung, &f, block, steps[k]);
            assert_near(rung, block, &f, values, advance_in_double(&f, has_colours(rung), steps[k]), 0);
            assert_borders_are_kept(&f, values);
            const struct ladder_rung *same = has_colours(rung) ? &heat_ladder_colours : &heat_ladder_serial;
            assert_memory_equal(values, advance_rung(same, &f, none, steps[k]), f.points * sizeof *values);
        }
    }
}

TEST(rungs_compute_what_loops_in_double_do)
{
    for_each_rung(compare_with_loops);
}

// ---- exact

static const double wave[3] = {0.5, 0.7, 0.4}; // radians a point, along z, y, x

static double mode(const double at[3], const long long size[3])
{
    return 42 + 5 * cos(wave[0] * at[0]) * cos(wave[1] * at[1]) * cos(wave[2] * at[2]);
}

// In a step the borders change points that are 2 from them: further inside a mode decays as without borders,
// by 1 − c Σ (30 − 32 cos k + 2 cos 2k), along the axes.
static void decay_as_a_mode(const struct ladder_rung *rung, const int block[3])
{
    enum { STEPS = 4 };
    if (has_colours(rung))
        return;
    struct field f = make_field(30, 27, 41);
    fill(&f, mode, even_coefficient);
    double factor = 1, *expected = owned_zeros(f.points, sizeof *expected);
    for (int axis = 0; axis < 3; axis++)
        factor -= (double)f.coefficient[0] * (30 - 32 * cos(wave[axis]) + 2 * cos(2 * wave[axis]));
    for (size_t k = 0; k < f.points; k++)
        expected[k] = 42 + pow(factor, STEPS) * (f.temperature[k] - 42);
    assert_near(rung, block, &f, advance_rung(rung, &f, block, STEPS), expected, 2 + 2 * STEPS);
}

TEST(a_mode_decays_exactly)
{
    for_each_rung(decay_as_a_mode);
}

// Harmonic polynomials of fifth and fourth degree: the differences are exact for them.
static double harmonic(const double at[3], const long long size[3])
{
    double u[3];
    for (int axis = 0; axis < 3; axis++)
        u[axis] = (at[axis] - (double)size[axis] / 2) / 20;
    const double x = u[2], y = u[1], z = u[0];
    return 40 + 2 * (pow(x, 5) - 10 * pow(x, 3) * y * y + 5 * x * pow(y, 4)) +
           3 * z * (pow(y, 3) - 3 * y * x * x) + x * y * z;
}

static void keep_a_harmonic_field(const struct ladder_rung *rung, const int block[3])
{
    struct field f = make_field(22, 27, 39);
    fill(&f, harmonic, any_coefficient);
    double *expected = owned_zeros(f.points, sizeof *expected);
    for (size_t k = 0; k < f.points; k++)
        expected[k] = f.temperature[k];
    assert_near(rung, block, &f, advance_rung(rung, &f, block, 7), expected, 0);
}

TEST(harmonic_fields_stay_as_they_are)
{
    for_each_rung(keep_a_harmonic_field);
}

static double long_mode(const double at[3], const long long size[3])
{
    double product = 5;
    for (int axis = 0; axis < 3; axis++) {
        const double length = (double)size[axis] - 3;
        const bool is_border = at[axis] < 2 || at[axis] > length;
        product *= is_border ? 0 : sin(M_PI * (at[axis] - 1) / length);
    }
    return 42 + product;
}

// The colouring converges to another diffusivity, larger by 1/(1 − 3.75 μ), μ = Δt D/h² (docs/bioheat.md).
// The borders, which are two points wide, shift the mode's length by part of a point in 60.
static void decay_too_fast(const struct ladder_rung *rung, const int block[3])
{
    enum { SIDE = 64, BEGIN = 20, STEPS = 100 };
    if (!has_colours(rung) || block != rung->block)
        return;
    struct field f = make_field(SIDE, SIDE, SIDE);
    fill(&f, long_mode, even_coefficient);
    const size_t middle = (size_t)((SIDE / 2 * SIDE + SIDE / 2) * SIDE + SIDE / 2);
    const double begin_k = advance_rung(rung, &f, block, BEGIN)[middle] - 42,
                 end_k = advance_rung(rung, &f, block, BEGIN + STEPS)[middle] - 42;
    const double mu = 12 * (double)f.coefficient[0], k = M_PI / (SIDE - 3);
    const double ratio = log(begin_k / end_k) / (STEPS * mu * 3 * k * k), expected = 1 / (1 - 3.75 * mu);
    if (!(fabs(ratio / expected - 1) < 0.05))
        fail_msg("%s: the diffusivity is multiplied by %.3f, expected %.3f", rung->name, ratio, expected);
}

TEST(colourings_have_the_diffusivity_that_is_known)
{
    for_each_rung(decay_too_fast);
}

// ---- the start, counts, refusals

static void begin_as_the_others(const struct ladder_rung *rung, const int block[3])
{
    struct field f = make_field(11, 12, 13);
    float *temperature, *coefficient;
    void *state = NULL;
    double *values = owned_zeros(f.points, sizeof *values);
    memcpy(f.wanted.block, block, sizeof f.wanted.block);
    assert_ok(heat_ladder_make_start(&f.wanted, &temperature, &coefficient));
    assert_ok(rung->create(&f.wanted, &state));
    assert_ok(rung->read(state, values));
    for (size_t k = 0; k < f.points; k++) {
        assert_true(values[k] == temperature[k]);
        assert_true(temperature[k] >= 37 && temperature[k] <= 47);
        assert_true(coefficient[k] > 0 && coefficient[k] < 1. / 96);
    }
    rung->destroy(state);
    free(temperature);
    free(coefficient);
}

TEST(all_rungs_have_the_same_start)
{
    for_each_rung(begin_as_the_others);
}

// Two blocks of 8 points along each axis: of the three steps fused they compute, along an axis, 2 × 12,
// 2 × 10 and 2 × 8 points.
TEST_ON_HOST(counts_are_of_computed_points)
{
    const struct ladder_case wanted = {.size = {20, 20, 20}, .block = {8, 8, 8}};
    struct ladder_counts counts;
    ladder_count(&ladder_bioheat, &heat_ladder_openmp, &wanted, &counts);
    assert_true(counts.work == 16 * 16 * 16);
    assert_true(counts.operations == 25 * counts.work && counts.bytes == 12 * counts.work);
    const struct ladder_rung *fused = ladder_find_rung(&ladder_bioheat, "gpu-fused");
    if (!fused)
        return; // without CUDA
    ladder_count(&ladder_bioheat, fused, &wanted, &counts);
    assert_true(counts.work == 16 * 16 * 16);
    assert_true(fabs(counts.operations - 25. * (24 * 24 * 24 + 20 * 20 * 20 + 16 * 16 * 16) / 3) < 1e-6);
}

static void refuse(const struct ladder_rung *rung, const struct ladder_case *wanted, const char *said)
{
    void *state = NULL;
    assert_failure(rung->create(wanted, &state), STATUS_SYSTEM, said);
    if (state)
        rung->destroy(state);
}

static void refuse_small_grids(const struct ladder_rung *rung, const int block[3])
{
    const struct ladder_case small = {.size = {5, 4, 5}, .block = {8, 8, 8}};
    refuse(rung, &small, "5 points along each axis, not 4");
}

TEST(small_grids_are_refused)
{
    for_each_rung(refuse_small_grids);
}

TEST(blocks_that_a_device_has_not_are_refused)
{
    if (!is_device)
        return;
    const struct ladder_case large = {.size = {60, 60, 60}, .block = {32, 8, 4}},
                             many = {.size = {60, 60, 60}, .block = {32, 8, 8}},
                             flat = {.size = {60, 60, 60}, .block = {32, 8, 1}};
    refuse(ladder_find_rung(&ladder_bioheat, "gpu-fused-colours"), &large, "bytes of shared memory");
    refuse(ladder_find_rung(&ladder_bioheat, "gpu-naive"), &many, "too many for a block");
    refuse(ladder_find_rung(&ladder_bioheat, "gpu-shared"), &flat, "no blocks of 32 x 8 x 1");
}

// ---- the author's figures

static const struct ladder_figure *figure_of(const struct ladder_figures *figures, int table,
                                             const char *rung)
{
    for (int k = 0; k < figures->tables[table].row_count; k++)
        if (strcmp(figures->tables[table].rows[k].rung, rung) == 0)
            return &figures->tables[table].rows[k];
    fail_msg("no figure of %s", rung);
    return NULL;
}

TEST_ON_HOST(figures_of_the_author_can_be_read)
{
    struct ladder_figures figures;
    assert_ok(ladder_figures_read(TEST_SOURCE_DIRECTORY "/data/ladders/bioheat.json", &figures));
    assert_int_equal(figures.year, 2013);
    assert_true(figure_of(&figures, 0, "gpu-texture-1d")->value == 95);
    assert_true(figure_of(&figures, 0, "gpu-texture-3d")->value == 57);
    for (int table = 0; table < figures.table_count; table++)
        for (int k = 0; k < figures.tables[table].row_count; k++) {
            const char *rung = figures.tables[table].rows[k].rung;
            const bool is_here = ladder_find_rung(&ladder_bioheat, rung) != NULL;
            const bool is_of_device = strncmp(rung, "gpu-", 4) == 0;
            if (!is_here && strcmp(rung, "nvidia-fdtd") != 0 && !(is_of_device && !gpu_is_compiled()))
                fail_msg("%s: no rung has this name", rung);
        }
    ladder_figures_free(&figures);
}
