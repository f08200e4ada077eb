// The rungs of the tsunami ladder: each against the product's reference of the same scheme (vtcs2), which
// shares no arithmetic with them, on the ladder's ocean and with an open sea; an exact solution along either
// axis; rest; and the volume of a closed sea.
#include "tests/support/test.h"

#include "bench/ladder/tsunami/rung.h"
#include "gpu/device.h"
#include "tests/support/cuda_test.h"
#include "tests/support/tsunami_fixture.h"

static bool is_device;

// ---- a rung on an ocean

struct sea {
    const struct tsunami_rung *rung;
    struct ladder_case wanted;
    void *state;
    struct ocean_state result;
};

static const char *name_of(const struct sea *sea)
{
    return format_text("%s, %s, %lld x %lld, blocks of %d x %d", sea->rung->head.name,
                       sea->wanted.precision == ELEMENT_F32 ? "single" : "double", sea->wanted.size[0],
                       sea->wanted.size[1], sea->wanted.block[0], sea->wanted.block[1]);
}

static void assert_done(enum status status)
{
    if (status != STATUS_OK)
        fail_msg("%s", status_message());
}

// *wanted says all but the size.
static struct sea sea_open(const struct tsunami_rung *rung, const struct tsunami_ladder_ocean *ocean,
                           const struct ladder_case *wanted)
{
    struct sea sea = {.rung = rung, .wanted = *wanted};
    sea.wanted.size[0] = (long long)ocean->nx;
    sea.wanted.size[1] = (long long)ocean->ny;
    sea.wanted.size[2] = 1;
    sea.result = state_new(ocean->nx, ocean->ny);
    assert_done(rung->open(&sea.wanted, ocean, &sea.state));
    return sea;
}

static void sea_read(struct sea *sea)
{
    const size_t nodes = sea->result.nx * sea->result.ny;
    double *values = array_new(3 * nodes);
    assert_int_equal(ladder_tsunami.count_values(&sea->wanted), 3 * nodes);
    assert_done(sea->rung->head.read(sea->state, values));
    memcpy(sea->result.eta, values, nodes * sizeof *values);
    memcpy(sea->result.u, values + nodes, nodes * sizeof *values);
    memcpy(sea->result.v, values + 2 * nodes, nodes * sizeof *values);
}

static void sea_advance(struct sea *sea, int steps)
{
    assert_done(sea->rung->head.step(sea->state, steps));
    sea_read(sea);
}

static void sea_close(struct sea *sea)
{
    sea->rung->head.destroy(sea->state);
    state_free(&sea->result);
}

typedef void rung_check(const struct tsunami_rung *rung, const struct ladder_case *wanted);

// The rungs of the place where the tests run, in both precisions.
static void for_all_rungs(rung_check *check)
{
    int count = 0;
    for (const struct ladder_rung *const *rung = ladder_tsunami.rungs; *rung; rung++)
        for (int precision = 0; precision < 2 && (*rung)->is_device == is_device; precision++, count++)
            check((const struct tsunami_rung *)*rung,
                  &(struct ladder_case){.precision = precision == 0 ? ELEMENT_F32 : ELEMENT_F64});
    assert_true(count > 0);
}

// ---- against the reference

static struct ocean *reference_open(const struct tsunami_ladder_ocean *ocean)
{
    const struct ocean_setup setup = {.backend = &tsunami_backend_reference,
                                      .precision = ELEMENT_F64,
                                      .method = TSUNAMI_VTCS2,
                                      .is_spherical = ocean->is_spherical,
                                      .nx = ocean->nx,
                                      .ny = ocean->ny,
                                      .x = ocean->x,
                                      .y = ocean->y,
                                      .depth_m = ocean->depth,
                                      .step_s = ocean->step_s};
    struct ocean *reference = ocean_open(&setup);
    ocean_set(reference, &(struct ocean_state){ocean->nx, ocean->ny, ocean->eta, ocean->u, ocean->v});
    return reference;
}

// In single precision a depth of some 5000 m is a multiple of 5e-4 m and an invariant of 3e-5 m/s, and every
// step rounds both; in double precision they are 2^29 times finer. The tolerances are some twice what 40 to
// 100 steps make of that, and a hundredth of the waves.
static void assert_same_state(const struct sea *sea, const struct ocean_state *expected)
{
    const bool is_single = sea->wanted.precision == ELEMENT_F32;
    const double tolerance_m = is_single ? 0.03 : 1e-10, tolerance_m_s = is_single ? 2e-3 : 1e-11;
    double difference[3];
    state_difference(&sea->result, expected, difference);
    if (!(difference[0] <= tolerance_m) || !(fmax(difference[1], difference[2]) <= tolerance_m_s))
        fail_msg("%s: eta, u, v differ from the reference by %g m, %g m/s, %g m/s", name_of(sea),
                 difference[0], difference[1], difference[2]);
}

static void compare(const struct tsunami_rung *rung, const struct tsunami_ladder_ocean *ocean,
                    const struct ladder_case *wanted, int steps)
{
    struct ocean_state expected = state_new(ocean->nx, ocean->ny);
    struct ocean *reference = reference_open(ocean);
    struct sea sea = sea_open(rung, ocean, wanted);
    ocean_advance(reference, 0, steps);
    ocean_get(reference, &expected);
    sea_advance(&sea, steps / 2);
    sea_advance(&sea, steps - steps / 2);
    assert_same_state(&sea, &expected);
    sea_close(&sea);
    ocean_close(reference);
    state_free(&expected);
}

// Sizes that are no multiples of a block's, and one that is.
static void compare_on_the_ladders_ocean(const struct tsunami_rung *rung, const struct ladder_case *wanted)
{
    static const size_t sizes[][2] = {{37, 53}, {131, 70}, {16, 48}, {3, 5}};
    for (size_t k = 0; k < COUNT(sizes); k++) {
        struct tsunami_ladder_ocean ocean;
        assert_done(tsunami_ladder_ocean_make(sizes[k][0], sizes[k][1], &ocean));
        compare(rung, &ocean, wanted, 40);
        tsunami_ladder_ocean_free(&ocean);
    }
}

TEST(rungs_agree_with_the_reference)
{
    for_all_rungs(compare_on_the_ladders_ocean);
}

// Uneven nodes, and waves that leave through all four edges.
static void compare_on_an_open_sea(const struct tsunami_rung *rung, const struct ladder_case *wanted)
{
    enum { NX = 45, NY = 35 };
    struct tsunami_ladder_ocean ocean;
    assert_done(tsunami_ladder_ocean_new(NX, NY, &ocean));
    double *x = axis_new(NX, 150, 0.1, 0.3), *y = axis_new(NY, 38, 0.08, 0.2),
           *depth = rugged_depth_new(NX, NY, true);
    memcpy(ocean.x, x, NX * sizeof *x);
    memcpy(ocean.y, y, NY * sizeof *y);
    memcpy(ocean.depth, depth, (size_t)NX * NY * sizeof *depth);
    ocean.is_spherical = true;
    ocean.step_s = 12;
    tsunami_ladder_ocean_measure(&ocean);
    struct ocean_state bell = {NX, NY, ocean.eta, ocean.u, ocean.v};
    state_add_bell(&bell, 3, 0.4, 0.6, 5);
    compare(rung, &ocean, wanted, 100);
    tsunami_ladder_ocean_free(&ocean);
}

TEST(rungs_agree_with_the_reference_on_an_open_sea)
{
    for_all_rungs(compare_on_an_open_sea);
}

static void compare_with_blocks(const struct tsunami_rung *rung, const struct ladder_case *wanted)
{
    struct tsunami_ladder_ocean ocean;
    assert_done(tsunami_ladder_ocean_make(53, 37, &ocean));
    for (const int(*shape)[LADDER_AXES] = rung->head.shapes; shape && (*shape)[0] > 0; shape++) {
        struct ladder_case with = *wanted;
        memcpy(with.block, *shape, sizeof with.block);
        compare(rung, &ocean, &with, 10);
    }
    tsunami_ladder_ocean_free(&ocean);
}

TEST(blocks_of_all_shapes_agree_with_the_reference)
{
    for_all_rungs(compare_with_blocks);
}

// ---- an exact solution

enum { CHANNEL_WIDTH = 5 };
static const double channel_depth_m = 1000, channel_length_m = 400e3, hump_at_m = 100e3, hump_width_m = 15e3,
                    hump_m_s = 0.5, channel_time_s = 1200; // the hump: of c above c0, 10 m of elevation
static const double gravity_m_s2 = 9.81;

// A simple wave along the channel: q = −2c0 everywhere, so that a value of c moves with u + c = 3c − 2c0.
static double simple_wave_c(double at_m, double time_s)
{
    const double c0 = sqrt(gravity_m_s2 * channel_depth_m);
    double c = c0;
    for (int k = 0; k < 100; k++) { // of a contraction, by some 0.1 each
        const double from = (at_m - hump_at_m - (3 * c - 2 * c0) * time_s) / hump_width_m;
        c = c0 + hump_m_s * exp(-from * from);
    }
    return c;
}

static double simple_wave_eta(double at_m, double time_s)
{
    const double c = simple_wave_c(at_m, time_s);
    return c * c / gravity_m_s2 - channel_depth_m;
}

static double simple_wave_speed(double at_m, double time_s)
{
    return 2 * (simple_wave_c(at_m, time_s) - sqrt(gravity_m_s2 * channel_depth_m));
}

// A channel between walls along either axis.
static void make_channel(size_t length, bool is_along_x, struct tsunami_ladder_ocean *ocean)
{
    const double spacing_m = channel_length_m / (double)length;
    assert_done(tsunami_ladder_ocean_new(is_along_x ? length : CHANNEL_WIDTH,
                                         is_along_x ? CHANNEL_WIDTH : length, ocean));
    for (size_t i = 0; i < ocean->nx; i++)
        ocean->x[i] = spacing_m * (double)i;
    for (size_t j = 0; j < ocean->ny; j++)
        ocean->y[j] = spacing_m * (double)j;
    tsunami_ladder_ocean_measure(ocean);
    ocean->step_s = channel_time_s / (double)length; // of an equal Courant number
    for (size_t k = 0; k < length; k++)
        for (size_t across = 0; across < CHANNEL_WIDTH; across++) {
            const size_t node = is_along_x ? across * length + k : k * CHANNEL_WIDTH + across;
            const double at_m = spacing_m * (double)k;
            ocean->depth[node] = across == 0 || across == CHANNEL_WIDTH - 1 ? -1 : channel_depth_m;
            ocean->eta[node] = simple_wave_eta(at_m, 0);
            (is_along_x ? ocean->u : ocean->v)[node] = simple_wave_speed(at_m, 0);
        }
}

// The largest error of the elevation (m); nothing moves across the channel.
static double error_in_channel(const struct tsunami_rung *rung, const struct ladder_case *wanted,
                               size_t length, bool is_along_x)
{
    struct tsunami_ladder_ocean ocean;
    make_channel(length, is_along_x, &ocean);
    struct sea sea = sea_open(rung, &ocean, wanted);
    sea_advance(&sea, (int)length);
    double error = 0;
    for (size_t k = 0; k < length; k++) {
        const size_t node = is_along_x ? 2 * length + k : k * CHANNEL_WIDTH + 2;
        const double exact = simple_wave_eta((is_along_x ? ocean.x : ocean.y)[k], channel_time_s);
        error = fmax(error, fabs(sea.result.eta[node] - exact));
        assert_true((is_along_x ? sea.result.v : sea.result.u)[node] == 0);
    }
    sea_close(&sea);
    tsunami_ladder_ocean_free(&ocean);
    return error;
}

// Better than the first order, in spite of the wave's height; within 1 % of which it stays.
static void follow_a_simple_wave(const struct tsunami_rung *rung, const struct ladder_case *wanted)
{
    for (int axis = 0; axis < 2; axis++) {
        const double coarse_m = error_in_channel(rung, wanted, 403, axis == 0),
                     fine_m = error_in_channel(rung, wanted, 806, axis == 0);
        if (!(fine_m < 0.1) || !(coarse_m > 2.5 * fine_m))
            fail_msg("%s, %s, along %s: off by %g and %g m", rung->head.name,
                     wanted->precision == ELEMENT_F32 ? "single" : "double", axis == 0 ? "x" : "y", coarse_m,
                     fine_m);
    }
}

TEST(a_simple_wave_is_followed)
{
    for_all_rungs(follow_a_simple_wave);
}

// ---- rest and volume

// What moves is the last digit of p and q (466 m/s where the sea is deepest), and of the depth.
static void stay_at_rest(const struct tsunami_rung *rung, const struct ladder_case *wanted)
{
    enum { NX = 67, NY = 59 };
    const bool is_single = wanted->precision == ELEMENT_F32;
    struct tsunami_ladder_ocean ocean;
    double speed_m_s = 0, eta_m = 0;
    assert_done(tsunami_ladder_ocean_make(NX, NY, &ocean));
    double *const fields[] = {ocean.eta, ocean.u, ocean.v};
    for (size_t k = 0; k < COUNT(fields); k++)
        memset(fields[k], 0, NX * NY * sizeof *fields[k]);
    struct sea sea = sea_open(rung, &ocean, wanted);
    sea_advance(&sea, 500);
    for (size_t k = 0; k < NX * NY; k++) {
        const bool is_wet = ocean.depth[k] > 0;
        assert_true(is_wet != isnan(sea.result.eta[k]));
        speed_m_s = fmax(speed_m_s, hypot(sea.result.u[k], sea.result.v[k]));
        eta_m = fmax(eta_m, is_wet ? fabs(sea.result.eta[k]) : 0);
    }
    if (!(eta_m < (is_single ? 3e-3 : 1e-11)) || !(speed_m_s < (is_single ? 1e-4 : 1e-12)))
        fail_msg("%s: up to %g m and %g m/s at rest", name_of(&sea), eta_m, speed_m_s);
    sea_close(&sea);
    tsunami_ladder_ocean_free(&ocean);
}

TEST(rest_stays)
{
    for_all_rungs(stay_at_rest);
}

// A bell in a basin between walls, while it crosses it. The scheme is not conservative; NOAA asks for 5 %
// (PMEL-135).
static void keep_the_volume(const struct tsunami_rung *rung, const struct ladder_case *wanted)
{
    enum { NX = 77, NY = 61 };
    struct tsunami_ladder_ocean ocean;
    double volume[2] = {0};
    assert_done(tsunami_ladder_ocean_new(NX, NY, &ocean));
    for (size_t k = 0; k < NX; k++)
        ocean.x[k] = 2000. * (double)k;
    for (size_t k = 0; k < NY; k++)
        ocean.y[k] = 2000. * (double)k;
    tsunami_ladder_ocean_measure(&ocean);
    ocean.step_s = 10;
    for (size_t j = 0; j < NY; j++)
        for (size_t i = 0; i < NX; i++)
            ocean.depth[j * NX + i] = i == 0 || j == 0 || i == NX - 1 || j == NY - 1
                                          ? -1
                                          : 1000 + 500 * sin(0.08 * (double)i) * cos(0.1 * (double)j);
    struct ocean_state bell = {NX, NY, ocean.eta, ocean.u, ocean.v};
    state_add_bell(&bell, 2, 0.5, 0.4, 6);
    struct sea sea = sea_open(rung, &ocean, wanted);
    for (int k = 0; k < 2; k++) {
        sea_advance(&sea, 200 * k);
        for (size_t n = 0; n < NX * NY; n++)
            volume[k] += isnan(sea.result.eta[n]) ? 0 : sea.result.eta[n];
    }
    if (!(fabs(volume[1] - volume[0]) < 0.02 * volume[0]))
        fail_msg("%s: %g of %g is left", name_of(&sea), volume[1], volume[0]);
    sea_close(&sea);
    tsunami_ladder_ocean_free(&ocean);
}

TEST(volume_is_kept)
{
    for_all_rungs(keep_the_volume);
}

static int begin(int argc, char **argv)
{
    is_device = wants_cuda(argc, argv);
    return cuda_begin(argc, argv);
}

TEST_SUITE(.begin = begin);
