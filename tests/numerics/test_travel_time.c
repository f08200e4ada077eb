// Travel times by fast marching against closed forms: circles on even depth, with errors of the second order,
// a sloping bottom, great circles, sources of many nodes; and their symmetry.
#include "tests/support/test.h"

#include "models/tsunami/travel_time.h"
#include "tests/support/basin.h"

static const struct ocean_variant variant = {&tsunami_backend_reference, ELEMENT_F64, TSUNAMI_VTCS2};

struct sea {
    struct basin basin;
    struct ocean *ocean;
    struct tsunami_march march;
};

// The geometry and the depth of a solver that is made from the basin.
static void open_sea(struct sea *s)
{
    basin_use_own(&s->basin);
    s->ocean = basin_start(&s->basin);
    const size_t nodes = s->basin.setup.nx * s->basin.setup.ny;
    s->march = (struct tsunami_march){.geometry = ocean_geometry(s->ocean),
                                      .depth_m = ocean_depth_m(s->ocean),
                                      .wall_depth_m = 10,
                                      .time_s = owned_zeros(nodes, sizeof(float)),
                                      .place = owned_zeros(nodes, sizeof(uint32_t)),
                                      .heap = owned_zeros(nodes, sizeof(uint64_t))};
    tsunami_march_clear(&s->march);
}

static double time_at(const struct sea *s, size_t i, size_t j)
{
    return (double)s->march.time_s[j * s->march.geometry->nx + i];
}

static double speed_of(double depth_m)
{
    return sqrt(OCEAN_GRAVITY_M_S2 * depth_m);
}

// The largest error, in seconds, outside a disc of 50 km in which the exact times are given.
static double circle_error(size_t n)
{
    const double spacing = 400e3 / (double)(n - 1), c = speed_of(1000);
    struct sea s = {.basin = basin_grid(&variant, n, n, -200e3, -200e3, spacing, 0, TSUNAMI_EDGE_WALL)};
    s.basin.setup.step_s = 1;
    basin_fill_depth(&s.basin, 1000);
    open_sea(&s);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            if (hypot(s.basin.x[i], s.basin.y[j]) <= 50e3)
                tsunami_march_begin(&s.march, i, j, hypot(s.basin.x[i], s.basin.y[j]) / c);
    tsunami_march_run(&s.march);
    double largest = 0;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            largest = fmax(largest, fabs(time_at(&s, i, j) - hypot(s.basin.x[i], s.basin.y[j]) / c));
    ocean_close(s.ocean);
    basin_free(&s.basin);
    return largest;
}

TEST(circles_on_even_depth_are_of_second_order)
{
    const double coarse = circle_error(81), fine = circle_error(161);
    const double order = log2(coarse / fine);
    print_message("largest errors %.3g s and %.3g s of 2856 s: order %.2f\n", coarse, fine, order);
    assert_true(coarse < 0.002 * 283e3 / speed_of(1000));
    assert_true(order > 1.6);
}

// From a block of nodes at 0: beside it the way is straight, and the times are exact, because the time from
// node to node is a whole number and single precision holds it. Round the block's corners the way is the
// distance to a corner, and the error that of a start from one node, of first order. Errors relative to the
// time in which a wave passes half the sea.
static double block_error(size_t n, double *straight)
{
    enum { STEP_S = 64 };
    const size_t refined = (n - 1) / 80, begin = 36 * refined, end = 44 * refined; // ± 4 of ± 40 coarse nodes
    const double c = speed_of(1000), spacing = c * STEP_S / (double)refined;
    const double edge = 4 * c * STEP_S;
    struct sea s = {.basin = basin_grid(&variant, n, n, -40 * c * STEP_S, -40 * c * STEP_S, spacing, 0,
                                        TSUNAMI_EDGE_WALL)};
    s.basin.setup.step_s = 1;
    basin_fill_depth(&s.basin, 1000);
    open_sea(&s);
    for (size_t k = 0; k < n * n; k++)
        if (k % n >= begin && k % n <= end && k / n >= begin && k / n <= end)
            tsunami_march_begin(&s.march, k % n, k / n, 0);
    tsunami_march_run(&s.march);
    double largest = 0;
    for (size_t k = 0; k < n * n; k++) {
        const double x = fmax(0, fabs(s.basin.x[k % n]) - edge), y = fmax(0, fabs(s.basin.y[k / n]) - edge);
        const double error_s = fabs(time_at(&s, k % n, k / n) - hypot(x, y) / c);
        // The nodes of the edge may lie beyond it by the coordinates' rounding.
        double *kind = x < spacing / 2 || y < spacing / 2 ? straight : &largest;
        *kind = fmax(*kind, error_s / (40 * STEP_S));
    }
    ocean_close(s.ocean);
    basin_free(&s.basin);
    return largest;
}

TEST(beside_a_block_the_times_are_exact)
{
    double straight = 0;
    const double coarse = block_error(81, &straight), fine = block_error(161, &straight);
    print_message("beside the block %.2g of the longest way; round its corners %.3g and %.3g: order %.2f\n",
                  straight, coarse, fine, log2(coarse / fine));
    assert_true(straight < 1e-12);
    assert_true(coarse < 0.01 && log2(coarse / fine) > 0.7);
}

// Depth s x: the time from x0 to x is 2(sqrt(x) - sqrt(x0))/sqrt(g s). The relative error of the largest time
// from a source of the outermost eighth of the sea.
static double slope_error(size_t n)
{
    enum { NY = 5 };
    const double slope = 0.01;
    struct sea s = {.basin =
                        basin_grid(&variant, n, NY, 20e3, 0, 160e3 / (double)(n - 1), 0, TSUNAMI_EDGE_WALL)};
    s.basin.setup.step_s = 1;
    for (size_t k = 0; k < n * NY; k++)
        s.basin.depth[k] = slope * s.basin.x[k % n];
    open_sea(&s);
    const size_t first = (n - 1) / 8 * 7;
    for (size_t k = 0; k < n * NY; k++)
        if (k % n >= first)
            tsunami_march_begin(&s.march, k % n, k / n, 0);
    tsunami_march_run(&s.march);
    const double expected =
        2 / sqrt(OCEAN_GRAVITY_M_S2 * slope) * (sqrt(s.basin.x[first]) - sqrt(s.basin.x[0]));
    const double error = fabs(time_at(&s, 0, 2) / expected - 1);
    ocean_close(s.ocean);
    return error;
}

TEST(a_wide_source_on_a_slope_is_of_second_order)
{
    const double coarse = slope_error(81), fine = slope_error(161);
    print_message("errors %.3g and %.3g: order %.2f\n", coarse, fine, log2(coarse / fine));
    assert_true(coarse < 1e-3 && log2(coarse / fine) > 1.8);
}

// The largest error, relative to the time for 30 degrees, from a block of 2 by 60 degrees on the sphere: on
// its meridians; and in *aside where the shortest way from its eastern side, a meridian, begins within 20
// degrees of the equator, at a right angle to it: there sin(way/R) = cos(latitude) sin(longitude from it).
static double sphere_error(size_t per_degree, double *aside)
{
    const size_t nx = 33 * per_degree + 1, ny = 80 * per_degree + 1;
    const double radian = acos(-1.0) / 180, longest_rad = 30 * radian;
    struct sea s = {
        .basin = basin_on_sphere(&variant, nx, ny, 100, -40, 1 / (double)per_degree, 0, TSUNAMI_EDGE_WALL)};
    s.basin.setup.step_s = 1;
    basin_fill_depth(&s.basin, 4000);
    open_sea(&s);
    const size_t east = 3 * per_degree, west = per_degree, south = 10 * per_degree, north = 70 * per_degree;
    for (size_t k = 0; k < nx * ny; k++)
        if (k % nx >= west && k % nx <= east && k / nx >= south && k / nx <= north)
            tsunami_march_begin(&s.march, k % nx, k / nx, 0);
    tsunami_march_run(&s.march);
    double along = 0;
    for (size_t k = 0; k < nx * ny; k++) {
        const double b = s.basin.y[k / nx] * radian;
        const double l = (s.basin.x[k % nx] - s.basin.x[east]) * radian;
        const double found_rad = time_at(&s, k % nx, k / nx) * speed_of(4000) / OCEAN_RADIUS_M;
        if (k % nx >= west && k % nx <= east && fabs(b) > 30 * radian)
            along = fmax(along, fabs(found_rad - (fabs(b) - 30 * radian)));
        else if (l > 0 && atan(tan(fabs(b)) / cos(l)) < 20 * radian)
            *aside = fmax(*aside, fabs(found_rad - asin(cos(b) * sin(l))) / longest_rad);
    }
    ocean_close(s.ocean);
    return along / longest_rad;
}

TEST(beside_a_block_on_the_sphere_the_times_are_of_second_order)
{
    double coarse = 0, fine = 0;
    const double along = fmax(sphere_error(1, &coarse), sphere_error(2, &fine));
    print_message("along meridians %.2g of the longest way; beside them %.3g and %.3g: order %.2f\n", along,
                  coarse, fine, log2(coarse / fine));
    assert_true(along < 1e-6); // of sums in single precision
    assert_true(coarse < 1e-3 && log2(coarse / fine) > 1.8);
}

// Depth s x: the time from x0 to x is 2(sqrt(x) - sqrt(x0))/sqrt(g s).
TEST(a_sloping_bottom_has_its_closed_form)
{
    enum { NX = 401, NY = 5 };
    const double slope = 0.01, spacing = 500;
    struct sea s = {.basin = basin_grid(&variant, NX, NY, 10e3, 0, spacing, 0, TSUNAMI_EDGE_WALL)};
    s.basin.setup.step_s = 1;
    for (size_t j = 0; j < NY; j++)
        for (size_t i = 0; i < NX; i++)
            s.basin.depth[j * NX + i] = slope * s.basin.x[i];
    open_sea(&s);
    for (size_t j = 0; j < NY; j++)
        tsunami_march_begin(&s.march, NX - 1, j, 0);
    tsunami_march_run(&s.march);
    const double scale = 2 / sqrt(OCEAN_GRAVITY_M_S2 * slope);
    for (size_t i = 0; i < NX; i += 10) {
        const double expected = scale * (sqrt(s.basin.x[NX - 1]) - sqrt(s.basin.x[i]));
        if (fabs(time_at(&s, i, 2) - expected) > 2e-4 * expected + 0.02)
            fail_msg("at %g m: %g s, expected %g s", s.basin.x[i], time_at(&s, i, 2), expected);
    }
    ocean_close(s.ocean);
}

// From a node on the sphere: the distance along the great circle over the speed. A march from one node begins
// with the error of a few nodes.
TEST(times_on_the_sphere_are_great_circles)
{
    enum { NX = 181, NY = 161 };
    struct sea s = {.basin = basin_on_sphere(&variant, NX, NY, 130, -40, 0.5, 0, TSUNAMI_EDGE_WALL)};
    s.basin.setup.step_s = 1;
    basin_fill_depth(&s.basin, 4000);
    open_sea(&s);
    const size_t i0 = 20, j0 = 140; // 140 E, 30 N
    tsunami_march_begin(&s.march, i0, j0, 0);
    tsunami_march_run(&s.march);
    const double radian = acos(-1.0) / 180, c = speed_of(4000);
    double largest = 0;
    for (size_t j = 0; j < NY; j++)
        for (size_t i = 0; i < NX; i++) {
            const double a = s.basin.y[j0] * radian, b = s.basin.y[j] * radian,
                         l = (s.basin.x[i] - s.basin.x[i0]) * radian;
            const double way = acos(fmin(1, sin(a) * sin(b) + cos(a) * cos(b) * cos(l))) * OCEAN_RADIUS_M;
            if (way > 2000e3)
                largest = fmax(largest, fabs(time_at(&s, i, j) / (way / c) - 1));
        }
    print_message("largest relative error beyond 2000 km: %.2g\n", largest);
    assert_true(largest < 0.01);
    ocean_close(s.ocean);
}

// Behind a wall with a gap the way leads through the gap; behind one without there is none.
TEST(waves_go_round_land_and_not_through_it)
{
    enum { N = 101 };
    struct sea s = {.basin = basin_grid(&variant, N, N, 0, 0, 1000, 0, TSUNAMI_EDGE_WALL)};
    s.basin.setup.step_s = 1;
    basin_fill_depth(&s.basin, 1000);
    for (size_t k = 0; k < N; k++) {
        s.basin.depth[k * N + 50] = k < 10 ? 1000 : 5; // a wall at x = 50 km, open below y = 10 km
        s.basin.depth[90 * N + k] = -20;               // land along y = 90 km
    }
    open_sea(&s);
    tsunami_march_begin(&s.march, 10, 60, 0);
    tsunami_march_run(&s.march);
    // Round the corner at (50, 9) km.
    const double way = hypot(40e3, 51e3) + hypot(30e3, 51e3);
    const double found = time_at(&s, 80, 60) * speed_of(1000);
    if (!(fabs(found / way - 1) < 0.03))
        fail_msg("a way of %g m, expected %g m", found, way);
    assert_true(isinf(time_at(&s, 50, 60)) && isinf(time_at(&s, 20, 95)));
    ocean_close(s.ocean);
}

// The same bits in a mirror and with x and y exchanged.
TEST(times_are_symmetric)
{
    enum { N = 41 };
    struct sea s = {.basin = basin_grid(&variant, N, N, -20e3, -20e3, 1000, 0, TSUNAMI_EDGE_WALL)};
    s.basin.setup.step_s = 1;
    for (size_t j = 0; j < N; j++)
        for (size_t i = 0; i < N; i++)
            s.basin.depth[j * N + i] =
                200 + 1e-6 * (s.basin.x[i] * s.basin.x[i] + s.basin.y[j] * s.basin.y[j]);
    open_sea(&s);
    tsunami_march_begin(&s.march, N / 2, N / 2, 0);
    tsunami_march_run(&s.march);
    for (size_t j = 0; j < N; j++)
        for (size_t i = 0; i < N; i++) {
            const double t = time_at(&s, i, j);
            assert_true(t == time_at(&s, N - 1 - i, j) && t == time_at(&s, i, N - 1 - j));
            assert_true(fabs(t - time_at(&s, j, i)) <= 1e-6 * t);
        }
    ocean_close(s.ocean);
}
