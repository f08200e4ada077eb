// The example jobs of N bodies: each can be planned as it stands; the two bodies run as they stand, a smaller
// sphere and a shorter encounter of fewer bodies do what their titles state.
#include "tests/support/example_job.h"
#include "tests/support/test.h"

static const double pi = 3.14159265358979323846, kpc_m = 3.0856775814913673e19;

TEST(each_can_be_planned)
{
    static const struct example_plan jobs[] = {{"kepler.json", 40000},
                                               {"plummer.json", 2560},
                                               {"galaxy-encounter.json", 1200},
                                               {"three-bodies.json", 50000}};
    expect_plans(jobs, COUNT(jobs));
}

static double largest(const double *values, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs(values[i]));
    return most;
}

// The leapfrog's energy error swings with each orbit and does not grow: in the last ten of 100 orbits it is
// what it was in the first ten. The ellipse turns by the same angle in each orbit, and its axes stay.
TEST(the_ellipse_stays)
{
    enum { ORBIT = 40, TEN = 10 * ORBIT };
    size_t count, numbers;
    run(example("kepler.json"));
    double *error = cli_read_variable("out/diagnostics.nc", "energy_error", &count, NULL);
    double *spin = cli_read_variable("out/diagnostics.nc", "angular_momentum", &numbers, NULL);
    double *place = cli_read_variable("out/trajectory.nc", "coordinates", &numbers, NULL);
    assert_int_equal(count, 100 * ORBIT + 1);
    assert_int_equal(numbers, count * 2 * 3);
    const double early = largest(error, TEN), late = largest(error + count - TEN, TEN);
    print_message("energy error: %.3g at first, %.3g at last\n", early, late);
    assert_true(early > 1e-5 && early < 1e-3);
    assert_true(fabs(late / early - 1) < 0.02);
    double furthest = 0, nearest = 10;
    for (size_t i = 0; i < count; i++) {
        // m₁m₂ √(a(1 − e²)) of masses 0.8 and 0.2, to rounding: the force is central.
        assert_true(fabs(spin[3 * i + 2] / (0.16 * sqrt(0.75)) - 1) < 1e-12);
        const double *x = place + 6 * i;
        const double apart = hypot(x[3] - x[0], x[4] - x[1]);
        furthest = fmax(furthest, apart);
        nearest = fmin(nearest, apart);
    }
    assert_true(fabs(furthest - 1.5) < 1e-3 && fabs(nearest - 0.5) < 1e-3);
}

// After each period, 50 records, the bodies are back where they began, and after a third of it each is where
// another was. The orbit is stable: the error of the start's eight digits stays what it is.
TEST(the_three_bodies_return)
{
    enum { PERIOD = 50, PERIODS = 10 };
    size_t count, numbers;
    run(example("three-bodies.json"));
    double *error = cli_read_variable("out/diagnostics.nc", "energy_error", &count, NULL);
    double *place = cli_read_variable("out/trajectory.nc", "coordinates", &numbers, NULL);
    assert_int_equal(count, PERIOD * PERIODS + 1);
    assert_int_equal(numbers, count * 3 * 3);
    assert_true(largest(error, count) < 1e-5);
    for (size_t period = 1; period <= PERIODS; period++)
        for (size_t k = 0; k < 9; k++)
            assert_true(fabs(place[period * PERIOD * 9 + k] - place[k]) < 2e-4);
    double away = 0;
    for (size_t i = 0; i < 3 * count; i++)
        away = fmax(away, hypot(place[3 * i], place[3 * i + 1]));
    assert_true(away > 1.07 && away < 1.09);
}

// Half of Plummer's mass lies within a/√(2^(2/3) − 1).
TEST(the_sphere_stands)
{
    size_t count, numbers;
    cJSON *job = cli_change(example("plummer.json"), "particles.plummer.count = 2048"); // of 8192
    cli_change(job, "time.duration = 1");                                               // of 10
    run(job);
    double *error = cli_read_variable("out/diagnostics.nc", "energy_error", &count, NULL);
    double *virial = cli_read_variable("out/diagnostics.nc", "virial_ratio", &count, NULL);
    double *radii = cli_read_variable("out/diagnostics.nc", "lagrangian_radius", &numbers, NULL);
    assert_int_equal(count, 17);
    assert_true(largest(error, count) < 2e-5);
    for (size_t i = 0; i < count; i++) {
        assert_true(fabs(virial[i] - 1) < 0.06); // of 2048 bodies: a deviation of 0.02
        const double half = radii[7 * i + 3];
        assert_true(fabs(half / (3 * pi / 16 / sqrt(cbrt(4) - 1)) - 1) < 0.05);
    }
}

// The middle of the discs' bodies, in kpc. The first of each galaxy are its disc's.
static void middle_of(const double *places_m, size_t first, size_t count, double middle_kpc[3])
{
    for (int axis = 0; axis < 3; axis++) {
        middle_kpc[axis] = 0;
        for (size_t i = first; i < first + count; i++)
            middle_kpc[axis] += places_m[3 * i + (size_t)axis] / kpc_m / (double)count;
    }
}

static double apart_kpc(const double *places_m)
{
    double a[3], b[3];
    middle_of(places_m, 0, 1000, a);
    middle_of(places_m, 2000, 1000, b);
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

// 15 scale lengths of 3.5 kpc apart at the start; points would be 10.5 kpc apart after 106 Myr, galaxies pull
// each other less once their haloes overlap. Then they part again, to meet once more.
TEST(the_galaxies_meet)
{
    size_t numbers, shape[4];
    cJSON *job =
        cli_change(example("galaxy-encounter.json"), "particles.encounter.count = 4000"); // of 40 000
    run(cli_change(job, "time = {'duration': '180 Myr', 'step': '1 Myr'}; output.fields.every = '60 Myr'"));
    double *places_m = cli_read_variable("out/trajectory.nc", "coordinates", &numbers, shape);
    const double scale_m = cli_number_attribute("out/trajectory.nc", "coordinates", "run_scale", 0);
    assert_int_equal(shape[0], 4);
    assert_int_equal(shape[1], 4000);
    for (size_t k = 0; k < numbers; k++)
        places_m[k] *= scale_m;
    double way_kpc[4];
    for (size_t frame = 0; frame < 4; frame++)
        way_kpc[frame] = apart_kpc(places_m + frame * 4000 * 3);
    print_message("apart: %.1f %.1f %.1f %.1f kpc\n", way_kpc[0], way_kpc[1], way_kpc[2], way_kpc[3]);
    assert_true(fabs(way_kpc[0] - 52.5) < 2); // a galaxy's centre of mass is not its disc's, of so few bodies
    assert_true(way_kpc[1] > 25 && way_kpc[1] < 35);
    assert_true(way_kpc[2] > 8 && way_kpc[2] < 20);
    assert_true(way_kpc[3] > way_kpc[2] + 10);
    double *error = cli_read_variable("out/diagnostics.nc", "energy_error", &numbers, NULL);
    print_message("energy error: %.3g\n", largest(error, numbers));
    assert_true(largest(error, numbers) < 1e-3);
}

TEST_MAIN(cli_setup, cli_teardown)
