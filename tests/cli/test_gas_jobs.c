// The example jobs of the gas: each can be planned as it stands; shortened, each does what its title states.
#include "tests/support/example_job.h"
#include "tests/support/test.h"

TEST(each_can_be_planned)
{
    static const struct example_plan jobs[] = {{"gas-condensation.json", 30000},
                                               {"gas-energy-euler.json", 10000},
                                               {"gas-energy-leapfrog.json", 10000},
                                               {"gas-lj-fluid.json", 500000},
                                               {"gas-source.json", 200},
                                               {"gas-walls-a-priori.json", 10000},
                                               {"gas-walls-corrected.json", 10000}};
    expect_plans(jobs, COUNT(jobs));
}

// ---- walls

enum { FALLING = 4000, BINS = 40 };
static const double side = 100, gravity = 0.5, end = 2000;

// Where x comes to that meets no force.
static double unfolded(double x, double v)
{
    const double way = fmod(fmod(x + v * end, 2 * side) + 2 * side, 2 * side);
    return way < side ? way : 2 * side - way;
}

// Height of a particle that falls, bounces and never meets the ceiling; NaN if it does.
static double fallen(double y, double v)
{
    const double speed = sqrt(v * v + 2 * gravity * y), period = 2 * speed / gravity;
    if (speed * speed >= 2 * gravity * side)
        return NAN;
    const double since = fmod(end + (speed - v) / gravity, period); // since it was on the floor
    return since * (speed - gravity * since / 2);
}

// Places and velocities at both ends of the run, [particle][axis].
struct fall {
    double *places, *velocities;
};

static struct fall fall_of(const char *name)
{
    size_t count, shape[4];
    cJSON *job = cli_change(example(name), "particles.random.count = 4000"); // of 20 000
    cli_change(job, "time.duration = 2000");                                 // of 10 000
    run(cli_change(job, "output.fields.every = 2000; output.precision = 'double'"));
    struct fall fall = {cli_read_variable("out/trajectory.nc", "coordinates", &count, shape),
                        cli_read_variable("out/trajectory.nc", "velocities", &count, NULL)};
    assert_int_equal(shape[0], 2);
    assert_int_equal(shape[1], FALLING);
    return fall;
}

// χ² over the bins of the heights at the end against those of the exact motion, and the furthest that one is
// off.
static double false_bands(const char *name, double *furthest)
{
    double bins[2][BINS] = {{0}}, sum = 0;
    const struct fall fall = fall_of(name);
    *furthest = 0;
    for (size_t i = 0; i < FALLING; i++) {
        const double *x = fall.places + 3 * i, *v = fall.velocities + 3 * i, *last = x + (size_t)3 * FALLING;
        const double height = fallen(x[1], v[1]);
        if (isnan(height))
            continue;
        *furthest = fmax(*furthest, hypot(last[0] - unfolded(x[0], v[0]), last[1] - height));
        bins[0][(int)(last[1] / side * BINS)]++;
        bins[1][(int)(height / side * BINS)]++;
    }
    for (int k = 0; k < BINS; k++)
        sum += pow(bins[0][k] - bins[1][k], 2) / fmax(bins[1][k], 1);
    return sum;
}

// With the bounce that is corrected for the field each particle is where it ought to be; the a-priori bounce
// makes every period a whole number of steps, and so bands in which particles stay together.
TEST(walls_that_leave_bands)
{
    double furthest[2];
    const double corrected = false_bands("gas-walls-corrected.json", &furthest[0]);
    const double a_priori = false_bands("gas-walls-a-priori.json", &furthest[1]);
    print_message("chi2 of %d bins: corrected %.3g (furthest %.2g), a-priori %.3g (%.2g)\n", BINS, corrected,
                  furthest[0], a_priori, furthest[1]);
    assert_true(furthest[0] < 1e-6 && corrected < 0.5);
    assert_true(furthest[1] > 10 && a_priori > 5 * BINS);
}

// ---- integrators

// Change of the whole energy of a particle in 4000 of the 10 000 steps.
static double energy_change_of(const char *name)
{
    size_t count;
    run(cli_change(example(name), "time.duration = 200; check.reference_steps = 0")); // of 500
    const double *kinetic = cli_read_variable("out/diagnostics.nc", "energy_kinetic", &count, NULL);
    const double *potential = cli_read_variable("out/diagnostics.nc", "energy_potential", &count, NULL);
    assert_int_equal(count, 201);
    return (kinetic[count - 1] + potential[count - 1] - kinetic[0] - potential[0]) / 400;
}

// The Euler's velocity is that of half a step before its position. A bounce that turns it round changes the
// energy by −v a Δt; a, the pull of all others, points inwards, so that each bounce adds some. The leapfrog's
// velocity and position are those of one time: there such a bounce is the way back.
TEST(walls_that_give_energy_to_the_euler)
{
    const double leapfrog = energy_change_of("gas-energy-leapfrog.json");
    const double euler = energy_change_of("gas-energy-euler.json");
    print_message("change of the energy: leapfrog %.2g, Euler %.2g\n", leapfrog, euler);
    assert_true(fabs(leapfrog) < 1e-4 && euler > 0.007 && euler < 0.03);
}

// ---- fluid, condensation, the source's program

static double mean_from(const double *values, size_t first, size_t count)
{
    double sum = 0;
    for (size_t i = first; i < count; i++)
        sum += values[i] / (double)(count - first);
    return sum;
}

// Independent Monte Carlo of this state: U/N −1.24846(64), P 0.62635(151); of 19 time units a mean is off by
// 0.01 to 0.02.
TEST(a_fluid_at_its_state_point)
{
    size_t count;
    cJSON *job = cli_change(example("gas-lj-fluid.json"), "time.duration = 25"); // of 1000
    run(cli_change(job, "output.structure.from = 10"));
    double *u = cli_read_variable("out/diagnostics.nc", "energy_potential", &count, NULL);
    double *pressure = cli_read_variable("out/diagnostics.nc", "pressure", &count, NULL);
    double *temperature = cli_read_variable("out/diagnostics.nc", "temperature", &count, NULL);
    const double energy = mean_from(u, count / 4, count) / 400, p = mean_from(pressure, count / 4, count);
    print_message("U/N %.4f, P %.4f, T %.4f\n", energy, p, mean_from(temperature, count / 4, count));
    assert_true(fabs(energy + 1.24846) < 0.06 && fabs(p - 0.62635) < 0.09);
    assert_true(fabs(mean_from(temperature, count / 4, count) - 1) < 0.07);
}

// Of all pairs in single precision, the wider the box, the further places are rounded: what is allowed knows
// that.
TEST(a_wide_box_in_single_precision)
{
    run(cli_change(example("gas-lj-fluid.json"),
                   "precision = 'single'; method = {'name': 'all-pairs'}; particles.lattice = "
                   "{'count': 1600, 'temperature': 4}; physics.thermostat.temperature = 4; "
                   "domain.density = 0.7; time.duration = 0.4; delete output.structure"));
    cJSON *report = cli_read_json("out/run.json");
    const double difference = cli_json_number(report, "reference_check.largest_difference");
    const double tolerance = cli_json_number(report, "reference_check.tolerance");
    print_message("all pairs in single precision: %.2g of %.2g\n", difference, tolerance);
    assert_true(difference > 5e-7 && difference < tolerance / 2 && tolerance < 2e-4);
}

// The largest cluster grows: eight to thirteen times in five runs of other seeds.
TEST(a_gas_condenses)
{
    size_t count;
    cJSON *job = cli_change(example("gas-condensation.json"), "particles.lattice.count = 600"); // of 2500
    cli_change(job, "time.duration = 400");                                                     // of 1200
    run(job);
    double *largest = cli_read_variable("out/structure.nc", "largest_cluster", &count, NULL);
    double *temperature = cli_read_variable("out/diagnostics.nc", "temperature", &count, NULL);
    assert_int_equal(count, 201);
    print_message("largest cluster: %g, %g at the end; temperature %.3g\n", largest[1], largest[40],
                  temperature[200]);
    assert_true(largest[1] > 1 && largest[40] >= 5 * largest[1]);
    assert_true(temperature[200] < 0.5 * temperature[0]);
}

TEST(the_source_program_in_small)
{
    cJSON *job = cli_change(example("gas-source.json"), "particles.random.count = 8192"); // of 262 144
    cli_change(job, "time.duration = 1");                                                 // of 20
    run(cli_change(job, "output.fields.every = 1"));
    cJSON *report = cli_read_json("out/run.json");
    assert_true(cli_json_number(report, "regions.columns") == 50);
    assert_true(cli_json_number(report, "regions.force_error.rms") < 1e-3);
    assert_true(cli_json_number(report, "regions.force_error.rms") > 0);
}

TEST_MAIN(cli_setup, cli_teardown)
