// Positions of faults on the plane and the sphere: reference points, strike, the antimeridian, and the
// distance beyond which the displacement is negligible. Uses only models/tsunami/earthquake/okada.h.
#include "tests/support/test.h"

#include "models/tsunami/earthquake/okada.h"
#include "tests/support/numbers.h"

static const double pi = 3.14159265358979323846;
static const double degree = 3.14159265358979323846 / 180.0;

static const struct fault example = {.longitude_deg = 2e4,
                                     .latitude_deg = -3e4,
                                     .depth_m = 12e3,
                                     .length_m = 100e3,
                                     .width_m = 50e3,
                                     .strike_deg = 0,
                                     .dip_deg = 20,
                                     .rake_deg = 90,
                                     .slip_m = 4,
                                     .reference = FAULT_BOTTOM_CENTRE};

static void assert_displacement(struct fault_displacement got, struct fault_displacement expected,
                                double tolerance)
{
    assert_near("east", got.east_m, expected.east_m, tolerance);
    assert_near("north", got.north_m, expected.north_m, tolerance);
    assert_near("up", got.up_m, expected.up_m, tolerance);
}

// Strike north: Okada's x is north from the fault's southern end, his y is west.
TEST(test_frame_of_a_fault_that_strikes_north)
{
    struct fault f = example;
    f.depth_m = 30e3;
    for (int rake = 0; rake <= 180; rake += 45) {
        f.rake_deg = rake;
        struct okada_result u = okada_surface(70e3, 15e3, 30e3, 20 * degree, 100e3, 50e3,
                                              4 * cos(rake * degree), 4 * sin(rake * degree), 0.25);
        struct fault_displacement got = fault_displacement_plane(&f, 2e4 - 15e3, -3e4 + 20e3);
        assert_displacement(got, (struct fault_displacement){-u.uy, u.ux, u.uz}, 1e-12);
    }
}

// A shallow thrust that dips east lifts the ground above its upper (western) part and lowers the ground
// beyond its lower edge. The hanging wall moves west, over the foot wall.
TEST(test_a_thrust_lifts_its_hanging_wall)
{
    struct fault f = example;
    f.reference = FAULT_TOP_CENTRE;
    f.depth_m = 1e3;
    struct fault_displacement above = fault_displacement_plane(&f, 2e4 + 10e3, -3e4);
    struct fault_displacement beyond = fault_displacement_plane(&f, 2e4 + 70e3, -3e4);
    assert_true(above.up_m > 1.0 && above.east_m < -1.0);
    assert_true(beyond.up_m < -0.05);
    f.rake_deg = 0; // left-lateral: seen from the west, the far side goes to the left, north
    struct fault_displacement east_side = fault_displacement_plane(&f, 2e4 + 10e3, -3e4);
    struct fault_displacement west_side = fault_displacement_plane(&f, 2e4 - 10e3, -3e4);
    assert_true(east_side.north_m > 0.5 && west_side.north_m < 0.0);
}

// The same fault with each of the five kinds of reference point. The test computes the points from strike and
// dip.
TEST(test_reference_points)
{
    struct fault f = example;
    f.strike_deg = 35;
    f.rake_deg = 70;
    f.depth_m = 30e3;
    double out = 50e3 * cos(20 * degree), down = 50e3 * sin(20 * degree);
    double left_east = -cos(35 * degree), left_north = sin(35 * degree); // up dip, horizontally
    double along_east = sin(35 * degree), along_north = cos(35 * degree);
    struct fault kinds[5] = {f, f, f, f, f};
    kinds[1].reference = FAULT_CENTRE;
    kinds[1].longitude_deg += 0.5 * out * left_east;
    kinds[1].latitude_deg += 0.5 * out * left_north;
    kinds[1].depth_m -= 0.5 * down;
    kinds[2].reference = FAULT_TOP_CENTRE;
    kinds[2].longitude_deg += out * left_east;
    kinds[2].latitude_deg += out * left_north;
    kinds[2].depth_m -= down;
    kinds[3].reference = FAULT_SIFT;
    kinds[3].depth_m -= down;
    kinds[4].reference = FAULT_TOP_CORNER;
    kinds[4].longitude_deg += out * left_east - 50e3 * along_east;
    kinds[4].latitude_deg += out * left_north - 50e3 * along_north;
    kinds[4].depth_m -= down;
    uint64_t seed = 5;
    for (int k = 0; k < 5; k++) {
        assert_near("top depth", fault_top_depth_m(&kinds[k]), 30e3 - down, 1e-8);
        for (int n = 0; n < 50; n++) {
            double x = next_uniform(&seed, -2e5, 2e5), y = next_uniform(&seed, -2e5, 2e5);
            assert_displacement(fault_displacement_plane(&kinds[k], x, y), fault_displacement_plane(&f, x, y),
                                1e-11);
        }
    }
}

TEST(test_turning_strike_turns_the_field)
{
    uint64_t seed = 6;
    for (int n = 0; n < 200; n++) {
        struct fault f = example;
        f.depth_m = 30e3;
        f.rake_deg = next_uniform(&seed, -180, 180);
        double east = next_uniform(&seed, -2e5, 2e5), north = next_uniform(&seed, -2e5, 2e5);
        struct fault_displacement u = fault_displacement_plane(&f, 2e4 + east, -3e4 + north);
        f.strike_deg = next_uniform(&seed, 0, 360);
        double c = cos(f.strike_deg * degree), s = sin(f.strike_deg * degree); // clockwise
        struct fault_displacement turned =
            fault_displacement_plane(&f, 2e4 + c * east + s * north, -3e4 - s * east + c * north);
        assert_displacement(
            turned,
            (struct fault_displacement){c * u.east_m + s * u.north_m, -s * u.east_m + c * u.north_m, u.up_m},
            1e-11);
    }
}

TEST(test_sphere)
{
    const double radius = 6371e3, metres_per_degree = radius * degree;
    struct fault sphere = example, plane = example;
    sphere.longitude_deg = 143.0;
    sphere.latitude_deg = 38.0;
    plane.longitude_deg = plane.latitude_deg = 0.0;
    sphere.depth_m = plane.depth_m = 30e3;
    uint64_t seed = 66;
    for (int n = 0; n < 200; n++) {
        // If the reference point is the middle of the lower edge, the offsets are exactly x = R cos φ Δλ, y =
        // R Δφ.
        double dlon = next_uniform(&seed, -2, 2), dlat = next_uniform(&seed, -2, 2);
        double x = metres_per_degree * cos((38.0 + dlat) * degree) * dlon, y = metres_per_degree * dlat;
        struct fault_displacement got = fault_displacement_sphere(&sphere, 143.0 + dlon, 38.0 + dlat, radius);
        assert_displacement(got, fault_displacement_plane(&plane, x, y), 1e-9);
        // A difference of 360° in longitude has no effect.
        struct fault west = sphere;
        west.longitude_deg = 143.0 - 360.0;
        assert_displacement(fault_displacement_sphere(&west, 143.0 + dlon, 38.0 + dlat, radius), got, 1e-9);
        assert_displacement(fault_displacement_sphere(&sphere, 143.0 + dlon - 360.0, 38.0 + dlat, radius),
                            got, 1e-9);
    }
}

// The offset from the reference point to the middle of the lower edge is x = R cos φ0 Δλ, y = R Δφ, where φ0
// is the latitude of the reference point.
TEST(test_reference_points_on_the_sphere)
{
    const double metres_per_degree = 6371e3 * degree;
    struct fault centre = example, corner = example, bottom = example;
    centre.longitude_deg = corner.longitude_deg = 143.0;
    centre.latitude_deg = corner.latitude_deg = 57.0;
    centre.strike_deg = corner.strike_deg = bottom.strike_deg = 235.0;
    centre.depth_m = corner.depth_m = 20e3;
    double out = 50e3 * cos(20 * degree), down = 50e3 * sin(20 * degree);
    double right_east = cos(235 * degree), right_north = -sin(235 * degree); // down dip, horizontally

    centre.reference = FAULT_CENTRE;
    bottom.longitude_deg = 143.0 + 0.5 * out * right_east / (metres_per_degree * cos(57 * degree));
    bottom.latitude_deg = 57.0 + 0.5 * out * right_north / metres_per_degree;
    bottom.depth_m = 20e3 + 0.5 * down;
    assert_displacement(fault_displacement_sphere(&centre, 142.3, 56.6, 6371e3),
                        fault_displacement_sphere(&bottom, 142.3, 56.6, 6371e3), 1e-10);

    corner.reference = FAULT_TOP_CORNER;
    double east = out * right_east + 50e3 * sin(235 * degree);
    double north = out * right_north + 50e3 * cos(235 * degree);
    bottom.longitude_deg = 143.0 + east / (metres_per_degree * cos(57 * degree));
    bottom.latitude_deg = 57.0 + north / metres_per_degree;
    bottom.depth_m = 20e3 + down;
    assert_displacement(fault_displacement_sphere(&corner, 142.3, 56.6, 6371e3),
                        fault_displacement_sphere(&bottom, 142.3, 56.6, 6371e3), 1e-10);
}

TEST(test_across_the_antimeridian)
{
    struct fault f = example, g = example;
    f.reference = g.reference = FAULT_CENTRE;
    f.strike_deg = g.strike_deg = 75;
    f.latitude_deg = g.latitude_deg = 51.0;
    f.longitude_deg = 179.9;
    g.longitude_deg = 150.0; // the same fault at another longitude
    for (double d = -1.0; d <= 1.0; d += 0.1) {
        double wrapped = 179.9 + d > 180.0 ? 179.9 + d - 360.0 : 179.9 + d;
        assert_displacement(fault_displacement_sphere(&f, wrapped, 51.3, 6371e3),
                            fault_displacement_sphere(&g, 150.0 + d, 51.3, 6371e3), 1e-9);
    }
}

TEST(test_reach_is_a_bound)
{
    uint64_t seed = 77;
    double largest = 0.0;
    for (int n = 0; n < 3000; n++) {
        struct fault f = {.length_m = next_uniform(&seed, 1e3, 5e5),
                          .width_m = next_uniform(&seed, 1e3, 2e5),
                          .strike_deg = next_uniform(&seed, 0, 360),
                          .dip_deg = next_uniform(&seed, 0, 90),
                          .rake_deg = next_uniform(&seed, -180, 180),
                          .slip_m = next_uniform(&seed, 0.1, 50),
                          .reference = (enum fault_reference)(n % 5)};
        f.depth_m = f.width_m * sin(f.dip_deg * degree) + next_uniform(&seed, 0, 5e4);
        double tolerance = pow(10.0, next_uniform(&seed, -6, 0)), reach = fault_reach_m(&f, tolerance);
        for (int a = 0; a < 24; a++) {
            double distance = reach * next_uniform(&seed, 1.0, 1.5), angle = next_uniform(&seed, 0, 2 * pi);
            struct fault_displacement u =
                fault_displacement_plane(&f, distance * cos(angle), distance * sin(angle));
            double size = fmax(fabs(u.east_m), fmax(fabs(u.north_m), fabs(u.up_m)));
            largest = fmax(largest, size / tolerance);
            assert_true(size <= tolerance);
        }
    }
    assert_true(largest > 0.1); // the bound is not too large to be useful
}
