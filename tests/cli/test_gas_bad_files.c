// Every way in which a file of particles can be wrong: one line, the right exit code, the file with the
// particle and what was expected.
#include "tests/support/gas_refusals.h"
#include "tests/support/test.h"

TEST(files_that_cannot_be_read)
{
    static const struct bad cases[] = {
        BAD_AS(DATA, "particles.file.position = 'mass'", "bodies.nc: variable mass has the shape (200)"),
        BAD_AS(DATA, "particles.file.mass = 'velocity'",
               "variable velocity has 3 particles, but position has 200"),
        BAD("particles.file.particle_mass = 0", "particles.file.particle_mass: 0 is out of range"),
        BAD("particles.file.body_mass = 1", "particles.file.body_mass: unknown key"),
    };
    EXPECT_ALL(file_job, cases);
    cJSON *job = cli_change(file_job(), "particles.file.mass = 'mass'");
    EXPECT_BAD(job, CONFIGURATION, "particles.file.particle_mass = 1",
               "particles.file.particle_mass: the masses are to come from a file, too");
    job = file_job();
    EXPECT_BAD(cli_change(job, "particles.file.at_rest = true"), CONFIGURATION,
               "particles.file.temperature = 1",
               "particles.file.temperature: the particles are at rest (at_rest), too");
    expect_unreadable(file_job);
}

TEST(counts_and_units)
{
    static const char *const fragments[] = {
        "variable position has 1 particle: 2 to 1073741824 are expected",
        "variable position has no bodies",
        "variable velocity has 199 particles, but position has 200",
    };
    expect_bad_counts(file_job, fragments);
    static const char *const units[] = {"nm", "percent"};
    for (int k = 0; k < 2; k++) {
        wanted.units[1] = units[k];
        EXPECT_BAD(file_job(), DATA, NULL,
                   format_text("variable velocity is in \"%s\": numbers in reduced units", units[k]),
                   "bodies.nc");
    }
    wanted.units[0] = "angstrom";
    wanted.units[1] = "1";
    cli_assert_done(run(file_job()));
}

// A trajectory's velocities of other frames than its positions, and a frame that it has not.
TEST(frames_of_files)
{
    static double values[2 * BODIES * AXES], v[BODIES * AXES], m[BODIES];
    cJSON *job = file_job();
    make_particles(values, v, m);
    memcpy(values + BODIES * AXES, values, sizeof v);
    write_frames(values, v, m);
    EXPECT_BAD(job, DATA, NULL, "variable velocity has 0 frames, but position has 2");
    static const char at_rest[] = "{'file': {'file': 'bodies.nc', 'at_rest': true}}";
    static const char box[] = "{'size': [20, 20]}", force[] = "{'potential': {'name': 'lennard-jones'}}";
    EXPECT_BAD(job_of(at_rest, box, force), DATA, "particles.file.frame = 2",
               "variable position: frame 2 was asked for, it has 2");
    cli_assert_done(run(job_of(at_rest, box, force)));
}

static void outside(double *x, double *v, double *m)
{
    x[AXES * 3 + 1] = 20.5;
}
static void twins(double *x, double *v, double *m)
{
    memcpy(x + AXES * 90, x + AXES * 31, AXES * sizeof *x);
}
static void near_twins(double *x, double *v, double *m)
{
    twins(x, v, m);
    x[AXES * 90] += 1e-4;
}

static void too_near(double *x, double *v, double *m)
{
    twins(x, v, m);
    x[AXES * 90] += 0.05;
}

TEST(numbers_of_files)
{
    static const struct bad_file cases[] = {
        ODD_VALUE('x', 120, 1, NAN,
                  "bodies.nc: variable position: particle 120 (counted from 0), component y: missing or not "
                  "a number"),
        ODD_VALUE('x', 7, 0, -INFINITY,
                  "variable position: particle 7 (counted from 0), component x: -inf: not finite"),
        ODD_VALUE('x', 7, 0, 9.969209968386869e+36,
                  "variable position: particle 7 (counted from 0), component x: missing"),
        ODD_VALUE('v', 199, 1, NAN,
                  "variable velocity: particle 199 (counted from 0), component y: missing or not a number"),
        ODD_VALUE('m', 0, 0, INFINITY, "variable mass: particle 0 (counted from 0): inf: not finite"),
        ODD_VALUE('m', 42, 0, -1,
                  "variable mass: particle 42 (counted from 0): -1: a mass of at least 1e-12 is expected"),
        ODD_VALUE('m', 42, 0, 1e-300,
                  "variable mass: particle 42 (counted from 0): 1e-300: a mass of at least 1e-12"),
        ODD_VALUE('x', 3, 0, -1e13,
                  "variable position: particle 3 (counted from 0), component x: -1e+13: at most 1e+12"),
        ODD_VALUE('v', 3, 0, 1e13,
                  "variable velocity: particle 3 (counted from 0), component x: 1e+13: at most 1e+12"),
        CHANGED(outside, "bodies.nc: variable position: particle 3 (counted from 0), component y: 20.5 lies "
                         "outside the box, 0 to 20"),
        CHANGED(twins,
                "bodies.nc: variable position: particles 31 and 90 (counted from 0) overlap: they lie at (",
                "the force overflows"),
        CHANGED(near_twins, "particles 31 and 90 (counted from 0) overlap"),
        CHANGED(too_near,
                "bodies.nc: variable position: particles 31 and 90 (counted from 0) are too near: 0.05 "
                "apart, with an energy of 1.64e+16 that drives them",
                "within one step of 0.004; more than 0.542 apart, or a smaller time.step, is expected"),
    };
    EXPECT_BAD_FILES(file_job, cases);
}

// 0.4 apart is too near for a step of 0.004, and not for one of 0.0001.
static void near(double *x, double *v, double *m)
{
    twins(x, v, m);
    x[AXES * 90] += 0.4;
}

TEST(a_smaller_step_lets_them_be_nearer)
{
    wanted.change = near;
    cli_assert_done(run(cli_change(file_job(), "time = {'duration': 0.002, 'step': 0.0001}")));
    cli_remove("out/final.nc");
    static const struct bad_file cases[] = {CHANGED(near, "are too near: 0.4 apart")};
    EXPECT_BAD_FILES(file_job, cases);
}

// Places outside a periodic box are folded into it; beyond walls they are refused.
static void beyond_the_box(double *x, double *v, double *m)
{
    x[AXES * 3] -= 20;
    x[AXES * 17 + 1] += 60;
}

// Across a periodic side, too; and what ln r alone acts on, or nothing, may lie at one point.
static void twins_across_a_side(double *x, double *v, double *m)
{
    x[AXES * 16] = 1e-5;
    x[AXES * 31] = 20 - 1e-5;
    x[AXES * 31 + 1] = x[AXES * 16 + 1];
}
static cJSON *periodic_job(void)
{
    return cli_change(file_job(), "domain.walls = 'periodic'");
}
TEST(folded_into_a_periodic_box)
{
    static const char output[] = "{'directory': 'out', 'precision': 'double', 'fields': {'every': 1}}";
    double *start[2];
    for (int k = 0; k < 2; k++) {
        size_t count;
        wanted.change = k == 0 ? NULL : beyond_the_box;
        cJSON *job = cli_change(periodic_job(), "precision = 'double'; output = %s", output);
        cli_assert_done(run(job));
        start[k] = cli_read_variable("out/trajectory.nc", "coordinates", &count, NULL);
        assert_true(count >= AXES * BODIES);
    }
    for (size_t k = 0; k < AXES * BODIES; k++)
        assert_true(fabs(start[1][k] - start[0][k]) < 1e-13);
    cli_remove("out/final.nc");
    static const struct bad_file cases[] = {CHANGED(beyond_the_box, "lies outside the box, 0 to 20")};
    EXPECT_BAD_FILES(file_job, cases);
}

TEST(overlaps)
{
    static const struct bad_file cases[] = {
        CHANGED(twins_across_a_side, "particles 16 and 31 (counted from 0) overlap: they lie at (1e-05, ")};
    EXPECT_BAD_FILES(periodic_job, cases);
    wanted.change = twins;
    static const char *const harmless[] = {"{'name': 'log'}", "{'name': 'none'}",
                                           "{'name': 'real-gas', 'softening': 0.1}"};
    for (int k = 0; k < 3; k++) {
        cJSON *job = file_job();
        cli_set(job, "physics.potential", harmless[k]);
        cli_assert_done(run(job));
    }
}

// From the end of one run to the next: its last places are the other's first, to the bit.
TEST(a_run_starts_from_a_file)
{
    size_t count, shape[4];
    cJSON *job = cli_change(fluid_job(), "precision = 'double'");
    cli_assert_done(run(job));
    double *end = cli_read_variable("out/final.nc", "coordinates", &count, NULL);
    assert_int_equal(count, AXES * 200);
    job = job_of("{'file': {'file': 'out/final.nc'}}", "{'size': [20, 20], 'walls': 'periodic'}",
                 "{'potential': {'name': 'lennard-jones'}}");
    cli_set(job, "output",
            "{'directory': 'next', 'precision': 'double', 'fields': {'every': 0.02, 'variables': "
            "['position', 'velocity']}}");
    cli_assert_done(run(job));
    double *start = cli_read_variable("next/trajectory.nc", "coordinates", &count, shape);
    assert_int_equal(shape[0], 2);
    assert_memory_equal(start, end, AXES * 200 * sizeof *start);
    double *speeds = cli_read_variable("out/final.nc", "velocities", &count, NULL);
    double *first = cli_read_variable("next/trajectory.nc", "velocities", &count, NULL);
    assert_memory_equal(first, speeds, AXES * 200 * sizeof *first);
    // And from any frame of the trajectory.
    job = job_of("{'file': {'file': 'next/trajectory.nc', 'frame': 0}}",
                 "{'size': [20, 20], 'walls': 'periodic'}", "{'potential': {'name': 'lennard-jones'}}");
    cli_assert_done(run(job));
}

TEST_MAIN(set_up, cli_teardown)
