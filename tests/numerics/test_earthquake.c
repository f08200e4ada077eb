// Scaling relations against their papers, moment tensors against published planes, and the plane that a
// magnitude and a mechanism make.
#include "tests/support/test.h"

#include "models/tsunami/earthquake/plane.h"
#include "tests/support/interface_earthquake.h"
#include "tests/support/numbers.h"
#include "tests/support/statuses.h"

#include <math.h>

#define SIZE(relation, magnitude, style)                                                                     \
    earthquake_relation_size(EARTHQUAKE_##relation, (magnitude), EARTHQUAKE_##style, 2)

// Lengths and widths in km, worked by hand from the printed coefficients, log10 in the comments.
static const struct {
    enum earthquake_relation relation;
    enum earthquake_style style;
    double magnitude, length_km, width_km;
} examples[] = {
    {EARTHQUAKE_STRASSER_INTERFACE, EARTHQUAKE_REVERSE, 8.0, 159.588, 84.333},   // 2.203, 1.926
    {EARTHQUAKE_STRASSER_INTRASLAB, EARTHQUAKE_NORMAL, 7.0, 38.371, 27.164},     // 1.584, 1.434
    {EARTHQUAKE_BLASER, EARTHQUAKE_REVERSE, 9.0, 575.440, 190.546},              // 2.76, 2.28
    {EARTHQUAKE_BLASER, EARTHQUAKE_STRIKE_SLIP, 7.1, 71.4496, 16.7109},          // 1.854, 1.223
    {EARTHQUAKE_BLASER, EARTHQUAKE_REVERSE, 7.1, 47.5335, 25.4683},              // 1.677, 1.406
    {EARTHQUAKE_BLASER, EARTHQUAKE_NORMAL, 7.1, 60.5341, 22.6986},               // 1.782, 1.356
    {EARTHQUAKE_LEONARD, EARTHQUAKE_REVERSE, 8.0, 180.117, 55.5195},             // 3.76/1.667; 4.00 − that
    {EARTHQUAKE_LEONARD, EARTHQUAKE_STRIKE_SLIP, 7.5, 169.824, 19.0546},         // 2.23; 1.28
    {EARTHQUAKE_LEONARD, EARTHQUAKE_STRIKE_SLIP, 6.5, 24.988, 12.9502},          // 2.33/1.667; 2.51 − that
    {EARTHQUAKE_WELLS_COPPERSMITH, EARTHQUAKE_STRIKE_SLIP, 7.0, 58.884, 13.490}, // 1.77, 1.13
    {EARTHQUAKE_WELLS_COPPERSMITH, EARTHQUAKE_REVERSE, 7.0, 43.652, 18.197},     // 1.64, 1.26
    {EARTHQUAKE_WELLS_COPPERSMITH, EARTHQUAKE_NORMAL, 7.0, 41.687, 20.417},      // 1.62, 1.31
    {EARTHQUAKE_THINGBAIJAM_INTERFACE, EARTHQUAKE_REVERSE, 9.0, 683.912, 259.418}, // 2.835, 2.414
    {EARTHQUAKE_THINGBAIJAM, EARTHQUAKE_STRIKE_SLIP, 7.0, 66.681, 19.231},         // 1.824, 1.284
};

TEST(worked_examples)
{
    for (size_t k = 0; k < COUNT(examples); k++) {
        const struct earthquake_size size =
            earthquake_relation_size(examples[k].relation, examples[k].magnitude, examples[k].style, 2);
        assert_near("length", 1e-3 * size.length_m, examples[k].length_km, 5e-5 * examples[k].length_km);
        assert_near("width", 1e-3 * size.width_m, examples[k].width_km, 5e-5 * examples[k].width_km);
    }
}

// Thingbaijam et al. print the area's law too: log10 A = a + b Mw of their table 1, which L·W must give.
TEST(thingbaijams_areas)
{
    static const struct {
        enum earthquake_relation relation;
        enum earthquake_style style;
        double a, b;
    } laws[] = {{EARTHQUAKE_THINGBAIJAM, EARTHQUAKE_REVERSE, -4.362, 1.049},
                {EARTHQUAKE_THINGBAIJAM_INTERFACE, EARTHQUAKE_REVERSE, -3.292, 0.949},
                {EARTHQUAKE_THINGBAIJAM, EARTHQUAKE_NORMAL, -2.551, 0.808},
                {EARTHQUAKE_THINGBAIJAM, EARTHQUAKE_STRIKE_SLIP, -3.486, 0.942}};
    for (size_t k = 0; k < COUNT(laws); k++)
        for (double magnitude = 6; magnitude < 9; magnitude += 0.5) {
            const struct earthquake_size size =
                earthquake_relation_size(laws[k].relation, magnitude, laws[k].style, 2);
            assert_near("log10 A", log10(1e-6 * size.length_m * size.width_m),
                        laws[k].a + laws[k].b * magnitude, 1e-12);
        }
}

// Murotani et al. give the average slip, too: D = 1.66e-7 M0^(1/3) m; S and D together imply their rigidity,
// 45 GPa.
TEST(murotanis_area_and_slip)
{
    const struct earthquake_size size =
        earthquake_relation_size(EARTHQUAKE_MUROTANI, 9.0, EARTHQUAKE_REVERSE, 2);
    assert_near("aspect", size.length_m / size.width_m, 2, 1e-12);
    assert_near("area", 1e-6 * size.length_m * size.width_m, 156232.5, 0.6); // 1.34e-10 · (10^22.6)^(2/3)
    for (double magnitude = 7; magnitude < 9.3; magnitude += 0.4) {
        const struct earthquake_size other =
            earthquake_relation_size(EARTHQUAKE_MUROTANI, magnitude, EARTHQUAKE_REVERSE, 3);
        const double moment = earthquake_moment_n_m(magnitude), area_m2 = other.length_m * other.width_m;
        assert_near("rigidity", moment / area_m2 / (1.66e-7 * cbrt(moment)), 4.496e10, 2e7);
        assert_near("aspect", other.length_m / other.width_m, 3, 1e-12);
    }
}

// The printed deviations; where a style or a magnitude has no data it is said.
TEST(deviations_and_ranges)
{
    static const struct {
        enum earthquake_relation relation;
        enum earthquake_style style;
        double length, width, area; // NaN: the paper has none
    } sigmas[] = {{EARTHQUAKE_STRASSER_INTERFACE, EARTHQUAKE_REVERSE, 0.180, 0.173, 0.304},
                  {EARTHQUAKE_STRASSER_INTRASLAB, EARTHQUAKE_REVERSE, 0.146, 0.067, 0.184},
                  {EARTHQUAKE_BLASER, EARTHQUAKE_STRIKE_SLIP, 0.18, 0.15, NAN},
                  {EARTHQUAKE_BLASER, EARTHQUAKE_REVERSE, 0.18, 0.17, NAN},
                  {EARTHQUAKE_BLASER, EARTHQUAKE_NORMAL, 0.18, 0.16, NAN},
                  {EARTHQUAKE_LEONARD, EARTHQUAKE_REVERSE, NAN, NAN, 0.30},
                  {EARTHQUAKE_WELLS_COPPERSMITH, EARTHQUAKE_STRIKE_SLIP, 0.15, 0.14, 0.22},
                  {EARTHQUAKE_WELLS_COPPERSMITH, EARTHQUAKE_REVERSE, 0.16, 0.15, 0.26},
                  {EARTHQUAKE_WELLS_COPPERSMITH, EARTHQUAKE_NORMAL, 0.17, 0.12, 0.22},
                  {EARTHQUAKE_THINGBAIJAM_INTERFACE, EARTHQUAKE_REVERSE, 0.107, 0.099, 0.150},
                  {EARTHQUAKE_THINGBAIJAM, EARTHQUAKE_STRIKE_SLIP, 0.151, 0.105, 0.184},
                  {EARTHQUAKE_THINGBAIJAM, EARTHQUAKE_REVERSE, 0.083, 0.087, 0.121},
                  {EARTHQUAKE_THINGBAIJAM, EARTHQUAKE_NORMAL, 0.128, 0.128, 0.181}};
    for (size_t k = 0; k < COUNT(sigmas); k++) {
        const struct earthquake_size size =
            earthquake_relation_size(sigmas[k].relation, 7, sigmas[k].style, 2);
        assert_true(size.sigma_length == sigmas[k].length ||
                    (isnan(size.sigma_length) && isnan(sigmas[k].length)));
        assert_true(size.sigma_width == sigmas[k].width ||
                    (isnan(size.sigma_width) && isnan(sigmas[k].width)));
        assert_true(size.sigma_area == sigmas[k].area || (isnan(size.sigma_area) && isnan(sigmas[k].area)));
    }
    assert_near("sigma", SIZE(MUROTANI, 9, REVERSE).sigma_area, log10(1.54), 1e-15);
    assert_true(isnan(SIZE(MUROTANI, 9, REVERSE).sigma_length));
    assert_true(SIZE(STRASSER_INTERFACE, 9.1, REVERSE).is_in_range);
    assert_false(SIZE(STRASSER_INTRASLAB, 9.1, REVERSE).is_in_range);
    assert_false(SIZE(WELLS_COPPERSMITH, 9.1, REVERSE).is_in_range);
    assert_false(SIZE(STRASSER_INTERFACE, 8, STRIKE_SLIP).is_of_style);
    assert_true(SIZE(BLASER, 8, STRIKE_SLIP).is_of_style);
}

// Leonard's strike-slip ruptures grow in length alone once the plate is broken through: both lines meet.
TEST(leonards_break)
{
    const double step = 1e-6;
    for (double magnitude = 5; magnitude < 9; magnitude += step * 1e5) {
        const struct earthquake_size a = SIZE(LEONARD, magnitude, STRIKE_SLIP),
                                     b = SIZE(LEONARD, magnitude + step, STRIKE_SLIP);
        assert_true(b.length_m > a.length_m && b.length_m < 1.001 * a.length_m);
        assert_near("Mw", 3.99 + log10(1e-6 * a.length_m * a.width_m), magnitude, 1e-9);
    }
    assert_near("width", SIZE(LEONARD, 8.2, STRIKE_SLIP).width_m, SIZE(LEONARD, 7.6, STRIKE_SLIP).width_m,
                1e-6);
}

TEST(moments_and_magnitudes)
{
    assert_near("Tohoku", earthquake_magnitude(5.312e22), 9.0835, 1e-4);
    assert_near("moment", earthquake_moment_n_m(9.0), 3.98107e22, 1e17);
    for (double magnitude = 4; magnitude < 9.6; magnitude += 0.1)
        assert_near("Mw", earthquake_magnitude(earthquake_moment_n_m(magnitude)), magnitude, 1e-13);
}

// ---- tensors

static struct earthquake_solution solve(const struct earthquake_tensor *tensor)
{
    struct earthquake_solution solution;
    assert_ok(earthquake_tensor_solve(tensor, "a test", &solution));
    return solution;
}

static void assert_angle(const char *what, double got, double expected, double tolerance)
{
    assert_near(what, remainder(got - expected, 360), 0, tolerance);
}

static void assert_plane(const struct earthquake_mechanism *got, double strike, double dip, double rake,
                         double tolerance)
{
    assert_angle("strike", got->strike_deg, strike, tolerance);
    assert_angle("dip", got->dip_deg, dip, tolerance);
    assert_angle("rake", got->rake_deg, rake, tolerance);
}

// As published, in whole degrees; and by another program's eigenvectors (numpy's eigh) to 0.1 degree.
TEST(great_thrusts)
{
    // Global CMT M201103110546A, Tohoku 2011, 1e22 N m: 203/10/88 and 25/80/90, moment 5.312.
    const struct earthquake_tensor tohoku = {1.730e22, -0.281e22, -1.450e22, 2.120e22, 4.550e22, -0.657e22};
    const struct earthquake_solution a = solve(&tohoku);
    assert_plane(&a.planes[0], 203, 10, 88, 0.51);
    assert_plane(&a.planes[1], 25, 80, 90, 0.51);
    assert_plane(&a.planes[0], 203.3864, 9.5487, 88.4696, 0.001);
    assert_plane(&a.planes[1], 24.9383, 80.4548, 90.2574, 0.001);
    assert_near("moment", 1e-22 * a.moment_n_m, 5.312, 5e-4);
    assert_near("T", 1e-22 * a.eigenvalues_n_m[0], 5.305, 1e-3);
    assert_near("P", 1e-22 * a.eigenvalues_n_m[2], -5.319, 1e-3);
    // Global CMT C201002270634A, Maule 2010: 19/18/116 and 172/74/82, moment 1.86.
    const struct earthquake_tensor maule = {1.04e22, -0.039e22, -1.00e22, 0.304e22, -1.52e22, -0.119e22};
    const struct earthquake_solution b = solve(&maule);
    assert_plane(&b.planes[0], 19, 18, 116, 0.51);
    assert_plane(&b.planes[1], 172, 74, 82, 0.51);
    assert_plane(&b.planes[0], 18.8308, 18.2263, 115.5606, 0.001);
    assert_near("moment", 1e-22 * b.moment_n_m, 1.858, 1e-3);
}

// Tensors that the USGS published of point sources on planes that it published, too: 2016 off Sumatra, strike
// 274, dip 84 (strike-slip), and 1995 off Antofagasta, strike 6, dip 22 (finite faults us10004u1y and
// usp000714t).
TEST(tensors_on_known_planes)
{
    const struct earthquake_tensor sumatra = {8.489e17, -1.931e18, 1.082e18, -3.927e18, 1.097e18, -7.669e18};
    const struct earthquake_solution a = solve(&sumatra);
    assert_angle("strike", a.planes[1].strike_deg, 274, 0.1);
    assert_angle("dip", a.planes[1].dip_deg, 84, 0.1);
    assert_int_equal(earthquake_style_of(a.planes[1].rake_deg), EARTHQUAKE_STRIKE_SLIP);
    const struct earthquake_tensor antofagasta = {1.808e19, 2.265e17,  -1.831e19,
                                                  3.064e18, -1.915e19, 1.155e17};
    const struct earthquake_solution b = solve(&antofagasta);
    assert_angle("strike", b.planes[0].strike_deg, 6, 0.1);
    assert_angle("dip", b.planes[0].dip_deg, 22, 0.1);
}

// A plane's tensor gives the plane and its other one, the moment, no trace and no other part.
TEST(planes_and_back)
{
    for (double strike = 0; strike < 360; strike += 27)
        for (double dip = 1; dip < 90; dip += 11)
            for (double rake = -179; rake < 180; rake += 23) {
                const struct earthquake_mechanism plane = {strike, dip, rake};
                const struct earthquake_mechanism other = earthquake_other_plane(&plane);
                const struct earthquake_tensor tensor = earthquake_tensor_of(&plane, 3e20);
                const struct earthquake_solution solution = solve(&tensor);
                const bool is_first = fabs(remainder(solution.planes[0].strike_deg - strike, 360)) < 1e-3 &&
                                      fabs(solution.planes[0].dip_deg - dip) < 1e-3;
                assert_plane(&solution.planes[is_first ? 0 : 1], strike, dip, rake, 1e-6);
                assert_plane(&solution.planes[is_first ? 1 : 0], other.strike_deg, other.dip_deg,
                             other.rake_deg, 1e-6);
                assert_near("moment", solution.moment_n_m, 3e20, 1e9);
                assert_near("clvd", solution.clvd, 0, 1e-10);
                const struct earthquake_mechanism again = earthquake_other_plane(&other);
                assert_plane(&again, strike, dip, rake, 1e-6);
            }
}

// Conventions: a thrust lifts (rr > 0); left-lateral slip on a vertical plane that runs north moves its
// eastern side north, tp = −M (Aki & Richards: Mxy = M, tp = −Mxy).
TEST(signs_of_components)
{
    const struct earthquake_mechanism thrust = {0, 45, 90}, lateral = {0, 90, 0};
    const struct earthquake_tensor a = earthquake_tensor_of(&thrust, 1e20),
                                   b = earthquake_tensor_of(&lateral, 1e20);
    assert_near("rr", a.rr, 1e20, 1e6);
    assert_near("pp", a.pp, -1e20, 1e6);
    assert_near("tt", a.tt, 0, 1e6);
    assert_near("tp", b.tp, -1e20, 1e6);
    assert_near("rr", b.rr, 0, 1e6);
}

TEST(tensors_refused)
{
    struct earthquake_solution s;
    const struct earthquake_tensor blast = {1e20, 1e20, 1e20, 0, 0, 0}, none = {0},
                                   trace = {1.1e20, 0, -1e20, 0, 0, 0},
                                   rounded = {1.01e20, 0, -1e20, 0, 0, 0}, large = {1e30, 0, -1e30, 0, 0, 0},
                                   small = {1e10, 0, -1e10, 0, 0, 0}, nan = {NAN, 0, 1, 0, 0, 0};
    assert_failure(earthquake_tensor_solve(&blast, "x", &s), STATUS_DATA, "x: ", "trace");
    assert_failure(earthquake_tensor_solve(&trace, "x", &s), STATUS_DATA, "trace", "change of volume");
    assert_failure(earthquake_tensor_solve(&none, "x", &s), STATUS_DATA, "zero");
    assert_failure(earthquake_tensor_solve(&large, "x", &s), STATUS_DATA, "Mw 13.9", "exponent");
    assert_failure(earthquake_tensor_solve(&small, "x", &s), STATUS_DATA, "exponent");
    assert_failure(earthquake_tensor_solve(&nan, "x", &s), STATUS_DATA, "not a finite number");
    status_clear();
    assert_ok(earthquake_tensor_solve(&rounded, "x", &s));
}

// ---- the plane

static struct earthquake_request request_of(double magnitude)
{
    return interface_earthquake(magnitude, 142.37, 38.3, 29000, (struct earthquake_mechanism){203, 10, 88});
}

static struct earthquake_plane plane_of(const struct earthquake_request *request)
{
    struct earthquake_plane plane;
    assert_ok(earthquake_plane_of(request, "a test", &plane));
    return plane;
}

// The moment closes whatever is given.
TEST(slip_closes_the_moment)
{
    for (int relation = 0; relation < EARTHQUAKE_RELATIONS; relation++)
        for (int given = 0; given < 4; given++) {
            struct earthquake_request request = request_of(9.1);
            request.relation = (enum earthquake_relation)relation;
            request.length_m = given & 1 ? 4.5e5 : NAN;
            request.width_m = given & 2 ? 2e5 : NAN;
            request.rigidity_pa = 3e10;
            const struct earthquake_plane plane = plane_of(&request);
            const struct fault *f = &plane.fault;
            assert_near("moment", 3e10 * f->length_m * f->width_m * f->slip_m / request.moment_n_m, 1, 1e-12);
            assert_near("Mw", earthquake_magnitude(plane.moment_n_m), 9.1, 1e-12);
            assert_true(!(given & 1) || f->length_m == 4.5e5);
            assert_true(!(given & 2) || f->width_m == 2e5);
            assert_true(plane.is_scaled == (given != 3));
        }
}

TEST(a_slip_that_contradicts)
{
    struct earthquake_plane plane;
    struct earthquake_request request = request_of(9.0);
    request.length_m = 5e5;
    request.width_m = 2e5;
    request.slip_m = request.moment_n_m / 4e10 / 5e5 / 2e5;
    assert_ok(earthquake_plane_of(&request, "x", &plane));
    request.slip_m *= 1.005;
    assert_ok(earthquake_plane_of(&request, "x", &plane));
    assert_near("moment", plane.moment_n_m, 4e10 * 5e5 * 2e5 * request.slip_m, 1e10);
    request.slip_m *= 2;
    assert_failure(earthquake_plane_of(&request, "x", &plane), STATUS_CONFIGURATION, "x: ", "Mw 9.20",
                   "magnitude is 9.00", "leave out slip");
    status_clear();
    request.moment_n_m = NAN;
    assert_ok(earthquake_plane_of(&request, "x", &plane));
    assert_near("Mw", earthquake_magnitude(plane.moment_n_m), 9.2020, 1e-3);
    request.slip_m = NAN;
    assert_failure(earthquake_plane_of(&request, "x", &plane), STATUS_CONFIGURATION,
                   "neither magnitude nor moment");
}

// The hypocentre is the point of the plane that was asked for: from the centre back along strike and dip.
TEST(where_the_point_lies)
{
    const double degree = 3.14159265358979323846 / 180, metres_per_degree = 6371e3 * degree;
    for (double along = 0; along <= 1; along += 0.25)
        for (double down = 0; down <= 1; down += 0.5) {
            struct earthquake_request request = request_of(7.5);
            request.mechanism = (struct earthquake_mechanism){30, 25, 90};
            request.along_strike = along;
            request.down_dip = down;
            request.depth_m = 60000;
            const struct earthquake_plane plane = plane_of(&request);
            double east_m, north_m;
            // fault_place: from the middle of the lower edge, along strike and to its left, where the upper
            // edge lies.
            fault_place(&plane.fault, (along - 0.5) * plane.fault.length_m,
                        (1 - down) * plane.fault.width_m * cos(25 * degree), &east_m, &north_m);
            assert_near("latitude", plane.fault.latitude_deg + north_m / metres_per_degree, 38.3, 1e-9);
            assert_near("longitude",
                        plane.fault.longitude_deg + east_m / (metres_per_degree * cos(38.3 * degree)), 142.37,
                        3e-3);
            assert_near("depth",
                        fault_top_depth_m(&plane.fault) + down * plane.fault.width_m * sin(25 * degree),
                        60000, 1e-6);
            assert_near("moved", plane.moved_down_m, 0, 0);
        }
}

// A plane that would break the sea floor touches it instead, and keeps its moment.
TEST(moved_down_to_the_sea_floor)
{
    struct earthquake_request request = request_of(9.1);
    request.depth_m = 12000;
    const struct earthquake_plane plane = plane_of(&request);
    const double half_m = 0.5 * plane.fault.width_m * sin(10 * 3.14159265358979323846 / 180);
    assert_near("moved", plane.moved_down_m, half_m - 12000, 1e-6);
    assert_near("top", fault_top_depth_m(&plane.fault), 0, 1e-6);
    assert_near("Mw", earthquake_magnitude(plane.moment_n_m), 9.1, 1e-12);
    request.depth_m = 29000;
    assert_near("deep enough", plane_of(&request).moved_down_m, 0, 0);
}
