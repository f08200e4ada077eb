// Every way in which a file of particles can be wrong: one line, the right exit code, the file with the
// particle and what was expected.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/gas_refusals.h"

static void files_that_cannot_be_read(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"particles.file.file", "\"nowhere.nc\"", NO_INPUT, {"particles.file.file", "nowhere.nc"}},
        {"particles.file.file", "\"job.json\"", DATA, {"job.json"}},
        {"particles.file.file", NULL, CONFIGURATION, {"particles.file.file: missing"}},
        {"particles.file.mass_file", "\"nowhere.nc\"", NO_INPUT, {"particles.file.mass_file", "nowhere.nc"}},
        {"particles.file.position",
         "\"posiiton\"",
         DATA,
         {"bodies.nc: no variable posiiton for the positions (it has: position, velocity, mass)"}},
        {"particles.file.position", "\"mass\"", DATA, {"bodies.nc: variable mass has the shape (200)"}},
        {"particles.file.velocity", "\"mass velocity\"", DATA, {"expected one name, or three"}},
        {"particles.file.mass",
         "\"velocity\"",
         DATA,
         {"variable velocity has 3 particles, but position has 200"}},
        {"particles.file.frame",
         "0",
         CONFIGURATION,
         {"particles.file.frame", "variable position has no frames"}},
        {"particles.file.particle_mass",
         "0",
         CONFIGURATION,
         {"particles.file.particle_mass: 0 is out of range"}},
        {"particles.file.body_mass", "1", CONFIGURATION, {"particles.file.body_mass: unknown key"}},
    };
    EXPECT_ALL(file_job, cases);
    cJSON *job = file_job();
    cli_set(job, "particles.file.mass", "\"mass\"");
    const struct bad both = {"particles.file.particle_mass",
                             "1",
                             CONFIGURATION,
                             {"particles.file.particle_mass: the masses are to come from a file, too"}};
    expect_bad(job, &both);
    job = file_job();
    cli_set(job, "particles.file.at_rest", "true");
    const struct bad rest = {"particles.file.temperature",
                             "1",
                             CONFIGURATION,
                             {"particles.file.temperature: the particles are at rest (at_rest), too"}};
    expect_bad(job, &rest);
    for (int k = 0; k < 6; k++) {
        wanted.mode = k % 2 == 0 ? NC_NETCDF4 : 0;
        job = file_job();
        cli_truncate("bodies.nc", 0.2 + 0.15 * k);
        const struct bad cut = {NULL, NULL, DATA, {"bodies.nc"}};
        expect_bad(job, &cut);
    }
}

static void counts_and_units(void **state)
{
    (void)state;
    static const struct {
        size_t count, velocity_count;
        const char *fragment;
    } cases[] = {{1, 1, "variable position has 1 particle: 2 to 1073741824 are expected"},
                 {0, 0, "variable position has no bodies"},
                 {BODIES, BODIES - 1, "variable velocity has 199 particles, but position has 200"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        wanted.count = cases[k].count;
        wanted.velocity_count = cases[k].velocity_count;
        const struct bad bad = {NULL, NULL, DATA, {cases[k].fragment, "bodies.nc"}};
        expect_bad(file_job(), &bad);
    }
    wanted.count = wanted.velocity_count = BODIES;
    static const char *const units[] = {"nm", "percent"};
    for (int k = 0; k < 2; k++) {
        char text[80];
        snprintf(text, sizeof text, "variable velocity is in \"%s\": numbers in reduced units", units[k]);
        wanted.units[1] = units[k];
        const struct bad bad = {NULL, NULL, DATA, {text, "bodies.nc"}};
        expect_bad(file_job(), &bad);
    }
    wanted.units[0] = "angstrom";
    wanted.units[1] = "1";
    cli_assert_done(run(file_job()));
}

// A trajectory's velocities of other frames than its positions, and a frame that it has not.
static void frames_of_files(void **state)
{
    (void)state;
    static double values[2 * BODIES * AXES], v[BODIES * AXES], m[BODIES];
    cJSON *job = file_job();
    make_particles(values, v, m);
    memcpy(values + BODIES * AXES, values, sizeof v);
    const int file = make_file(cli_path("bodies.nc"), NC_NETCDF4);
    const int d[] = {make_dimension(file, "frame", 2), make_dimension(file, "body", BODIES),
                     make_dimension(file, "axis", AXES)};
    make_field(file, "position", NULL, 3, d, values);
    make_field(file, "velocity", NULL, 2, d + 1, v);
    make_field(file, "mass", NULL, 1, d + 1, m);
    NC(nc_close(file));
    const struct bad frames = {NULL, NULL, DATA, {"variable velocity has 0 frames, but position has 2"}};
    expect_bad(job, &frames);
    static const char at_rest[] = "{\"file\": {\"file\": \"bodies.nc\", \"at_rest\": true}}";
    static const char box[] = "{\"size\": [20, 20]}",
                      force[] = "{\"potential\": {\"name\": \"lennard-jones\"}}";
    const struct bad last = {
        "particles.file.frame", "2", DATA, {"variable position: frame 2 was asked for, it has 2"}};
    expect_bad(job_of(at_rest, box, force), &last);
    cli_assert_done(run(job_of(at_rest, box, force)));
}

static void nan_place(double *x, double *v, double *m)
{
    (void)v, (void)m, x[AXES * 120 + 1] = NAN;
}
static void endless_place(double *x, double *v, double *m)
{
    (void)v, (void)m, x[AXES * 7] = -INFINITY;
}
static void fill_place(double *x, double *v, double *m)
{
    (void)v, (void)m, x[AXES * 7] = 9.969209968386869e+36;
}
static void nan_speed(double *x, double *v, double *m)
{
    (void)x, (void)m, v[AXES * 199 + 1] = NAN;
}
static void endless_mass(double *x, double *v, double *m)
{
    (void)x, (void)v, m[0] = INFINITY;
}
static void negative_mass(double *x, double *v, double *m)
{
    (void)x, (void)v, m[42] = -1;
}
static void tiny_mass(double *x, double *v, double *m)
{
    (void)x, (void)v, m[42] = 1e-300;
}
static void far_place(double *x, double *v, double *m)
{
    (void)v, (void)m, x[AXES * 3] = -1e13;
}
static void outside(double *x, double *v, double *m)
{
    (void)v, (void)m, x[AXES * 3 + 1] = 20.5;
}
static void fast(double *x, double *v, double *m)
{
    (void)x, (void)m, v[AXES * 3] = 1e13;
}
static void twins(double *x, double *v, double *m)
{
    (void)v, (void)m;
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

static void numbers_of_files(void **state)
{
    (void)state;
    static const struct bad_file cases[] = {
        {nan_place,
         {"bodies.nc: variable position: particle 120 (counted from 0), component y: missing or not a "
          "number"}},
        {endless_place, {"variable position: particle 7 (counted from 0), component x: -inf: not finite"}},
        {fill_place, {"variable position: particle 7 (counted from 0), component x: missing"}},
        {nan_speed,
         {"variable velocity: particle 199 (counted from 0), component y: missing or not a number"}},
        {endless_mass, {"variable mass: particle 0 (counted from 0): inf: not finite"}},
        {negative_mass,
         {"variable mass: particle 42 (counted from 0): -1: a mass of at least 1e-12 is expected"}},
        {tiny_mass, {"variable mass: particle 42 (counted from 0): 1e-300: a mass of at least 1e-12"}},
        {far_place, {"variable position: particle 3 (counted from 0), component x: -1e+13: at most 1e+12"}},
        {fast, {"variable velocity: particle 3 (counted from 0), component x: 1e+13: at most 1e+12"}},
        {outside,
         {"bodies.nc: variable position: particle 3 (counted from 0), component y: 20.5 lies outside the "
          "box, 0 to 20"}},
        {twins,
         {"bodies.nc: variable position: particles 31 and 90 (counted from 0) overlap: they lie at (",
          "the force overflows"}},
        {near_twins, {"particles 31 and 90 (counted from 0) overlap"}},
        {too_near,
         {"bodies.nc: variable position: particles 31 and 90 (counted from 0) are too near: 0.05 apart, "
          "with an energy of 1.64e+16 that drives them",
          "within one step of 0.004; more than 0.542 apart, or a smaller time.step, is expected"}},
    };
    EXPECT_BAD_FILES(file_job, cases);
}

// 0.4 apart is too near for a step of 0.004, and not for one of 0.0001.
static void near(double *x, double *v, double *m)
{
    twins(x, v, m);
    x[AXES * 90] += 0.4;
}

static void a_smaller_step_lets_them_be_nearer(void **state)
{
    (void)state;
    wanted.change = near;
    cJSON *job = file_job();
    cli_set(job, "time", "{\"duration\": 0.002, \"step\": 0.0001}");
    cli_assert_done(run(job));
    cli_remove("out/final.nc");
    static const struct bad_file cases[] = {{near, {"are too near: 0.4 apart"}}};
    EXPECT_BAD_FILES(file_job, cases);
}

// Places outside a periodic box are folded into it; beyond walls they are refused.
static void beyond_the_box(double *x, double *v, double *m)
{
    (void)v, (void)m;
    x[AXES * 3] -= 20;
    x[AXES * 17 + 1] += 60;
}

// Across a periodic side, too; and what ln r alone acts on, or nothing, may lie at one point.
static void twins_across_a_side(double *x, double *v, double *m)
{
    (void)v, (void)m;
    x[AXES * 16] = 1e-5;
    x[AXES * 31] = 20 - 1e-5;
    x[AXES * 31 + 1] = x[AXES * 16 + 1];
}
static cJSON *periodic_job(void)
{
    cJSON *job = file_job();
    cli_set(job, "domain.walls", "\"periodic\"");
    return job;
}
static void folded_into_a_periodic_box(void **state)
{
    (void)state;
    static const char output[] =
        "{\"directory\": \"out\", \"precision\": \"double\", \"fields\": {\"every\": 1}}";
    double *start[2];
    for (int k = 0; k < 2; k++) {
        size_t count;
        wanted.change = k == 0 ? NULL : beyond_the_box;
        cJSON *job = periodic_job();
        cli_set(job, "precision", "\"double\"");
        cli_set(job, "output", output);
        cli_assert_done(run(job));
        start[k] = cli_read_variable("out/trajectory.nc", "coordinates", &count, NULL);
        assert_true(count >= AXES * BODIES);
    }
    for (size_t k = 0; k < AXES * BODIES; k++)
        assert_true(fabs(start[1][k] - start[0][k]) < 1e-13);
    free(start[0]);
    free(start[1]);
    cli_remove("out/final.nc");
    static const struct bad_file cases[] = {{beyond_the_box, {"lies outside the box, 0 to 20"}}};
    EXPECT_BAD_FILES(file_job, cases);
}

static void overlaps(void **state)
{
    (void)state;
    static const struct bad_file cases[] = {
        {twins_across_a_side, {"particles 16 and 31 (counted from 0) overlap: they lie at (1e-05, "}}};
    EXPECT_BAD_FILES(periodic_job, cases);
    wanted.change = twins;
    static const char *const harmless[] = {"{\"name\": \"log\"}", "{\"name\": \"none\"}",
                                           "{\"name\": \"real-gas\", \"softening\": 0.1}"};
    for (int k = 0; k < 3; k++) {
        cJSON *job = file_job();
        cli_set(job, "physics.potential", harmless[k]);
        cli_assert_done(run(job));
    }
}

// From the end of one run to the next: its last places are the other's first, to the bit.
static void a_run_goes_on_from_a_file(void **state)
{
    (void)state;
    size_t count, shape[4];
    cJSON *job = fluid_job();
    cli_set(job, "precision", "\"double\"");
    cli_assert_done(run(job));
    double *end = cli_read_variable("out/final.nc", "coordinates", &count, NULL);
    assert_int_equal(count, AXES * 200);
    job = job_of("{\"file\": {\"file\": \"out/final.nc\"}}", "{\"size\": [20, 20], \"walls\": \"periodic\"}",
                 "{\"potential\": {\"name\": \"lennard-jones\"}}");
    cli_set(
        job, "output",
        "{\"directory\": \"next\", \"precision\": \"double\", \"fields\": {\"every\": 0.02, \"variables\": "
        "[\"position\", \"velocity\"]}}");
    cli_assert_done(run(job));
    double *start = cli_read_variable("next/trajectory.nc", "coordinates", &count, shape);
    assert_int_equal(shape[0], 2);
    assert_memory_equal(start, end, AXES * 200 * sizeof *start);
    double *speeds = cli_read_variable("out/final.nc", "velocities", &count, NULL);
    double *first = cli_read_variable("next/trajectory.nc", "velocities", &count, NULL);
    assert_memory_equal(first, speeds, AXES * 200 * sizeof *first);
    free(first);
    free(speeds);
    free(start);
    free(end);
    // And from any frame of the trajectory.
    job = job_of("{\"file\": {\"file\": \"next/trajectory.nc\", \"frame\": 0}}",
                 "{\"size\": [20, 20], \"walls\": \"periodic\"}",
                 "{\"potential\": {\"name\": \"lennard-jones\"}}");
    cli_assert_done(run(job));
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, cli_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(files_that_cannot_be_read),
        WITH_FOLDER(counts_and_units),
        WITH_FOLDER(frames_of_files),
        WITH_FOLDER(numbers_of_files),
        WITH_FOLDER(a_smaller_step_lets_them_be_nearer),
        WITH_FOLDER(folded_into_a_periodic_box),
        WITH_FOLDER(overlaps),
        WITH_FOLDER(a_run_goes_on_from_a_file),
    };
    return cmocka_run_group_tests_name("gas bad files", tests, NULL, NULL);
}
