// Every way in which a file of bodies can be wrong: one line, the right exit code, the file with the body and
// what was expected. And what looks wrong and is not: bodies at one point, and nearer to each other than a
// tree's key tells apart, run to their end and come out as the direct sum has them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/nbody_refusals.h"

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
        {"particles.file.position",
         "\"mass\"",
         DATA,
         {"bodies.nc: variable mass has the shape (200): expected (bodies, 3) or (frames, bodies, 3)"}},
        {"particles.file.velocity", "\"mass velocity\"", DATA, {"expected one name, or three"}},
        {"particles.file.mass",
         "\"velocity\"",
         DATA,
         {"variable velocity has 3 bodies, but position has 200"}},
        {"particles.file.frame",
         "0",
         CONFIGURATION,
         {"particles.file.frame", "variable position has no frames"}},
        {"particles.file.body_mass", "-1", CONFIGURATION, {"particles.file.body_mass: -1 is out of range"}},
        {"particles.file.centered", "true", CONFIGURATION, {"did you mean particles.file.centred?"}},
    };
    EXPECT_ALL(file_job, cases);
    cJSON *job = file_job();
    cli_set(job, "particles.file.mass", "\"mass\"");
    const struct bad both = {"particles.file.body_mass",
                             "1",
                             CONFIGURATION,
                             {"particles.file.body_mass: the masses are to come from a file, too"}};
    expect_bad(job, &both);
    for (int k = 0; k < 6; k++) {
        wanted.mode = k % 2 == 0 ? NC_NETCDF4 : 0;
        job = file_job();
        cli_truncate("bodies.nc", 0.2 + 0.15 * k);
        const struct bad cut = {NULL, NULL, DATA, {"bodies.nc"}};
        expect_bad(job, &cut);
    }
}

static void counts_of_files(void **state)
{
    (void)state;
    static const struct {
        size_t count, velocity_count;
        const char *fragment;
    } cases[] = {{1, 1, "variable position has 1 body: 2 to 1073741824 are expected"},
                 {0, 0, "variable position has no bodies"},
                 {BODIES, BODIES - 1, "variable velocity has 199 bodies, but position has 200"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        wanted.count = cases[k].count;
        wanted.velocity_count = cases[k].velocity_count;
        const struct bad bad = {NULL, NULL, DATA, {cases[k].fragment, "bodies.nc"}};
        expect_bad(file_job(), &bad);
    }
}

// A trajectory's velocities of other frames than its positions.
static void frames_of_files(void **state)
{
    (void)state;
    static const double values[2 * BODIES * AXES] = {0};
    cJSON *job = file_job();
    const int file = make_file(cli_path("bodies.nc"), NC_NETCDF4);
    const int d[] = {make_dimension(file, "frame", 2), make_dimension(file, "body", BODIES),
                     make_dimension(file, "axis", AXES)};
    make_field(file, "position", NULL, 3, d, values);
    make_field(file, "velocity", NULL, 2, d + 1, values);
    make_field(file, "mass", NULL, 1, d + 1, values);
    NC(nc_close(file));
    const struct bad frames = {NULL, NULL, DATA, {"variable velocity has 0 frames, but position has 2"}};
    expect_bad(job, &frames);
    job = job_of("{\"file\": {\"file\": \"bodies.nc\", \"at_rest\": true}}");
    const struct bad last = {
        "particles.file.frame", "2", DATA, {"variable position: frame 2 was asked for, it has 2"}};
    expect_bad(job, &last);
}

static void units_of_files(void **state)
{
    (void)state;
    wanted.units[0] = "kpc";
    const struct bad bare = {
        NULL,
        NULL,
        CONFIGURATION,
        {"variable position is in \"kpc\", but the job is in units nbody", "did you mean si?"}};
    expect_bad(file_job(), &bare);
    const struct bad silent = {NULL,
                               NULL,
                               CONFIGURATION,
                               {"particles.file.units.velocity", "variable velocity does not say its units"}};
    expect_bad(si_file_job(), &silent);
    wanted.units[1] = "km";
    const struct bad length = {NULL, NULL, DATA, {"variable velocity: units \"km\""}};
    expect_bad(si_file_job(), &length);
    wanted.units[1] = "kilometre per weekend";
    const struct bad unknown = {NULL, NULL, DATA, {"variable velocity: units \"kilometre per weekend\""}};
    expect_bad(si_file_job(), &unknown);
}

static void nan_place(double *x, double *v, double *m)
{
    (void)v, (void)m, x[AXES * 120 + 1] = NAN;
}
static void endless_place(double *x, double *v, double *m)
{
    (void)v, (void)m, x[AXES * 7 + 2] = -INFINITY;
}
static void fill_place(double *x, double *v, double *m)
{
    (void)v, (void)m, x[AXES * 7] = 9.969209968386869e+36;
}
static void nan_speed(double *x, double *v, double *m)
{
    (void)x, (void)m, v[AXES * 199 + 2] = NAN;
}
static void endless_mass(double *x, double *v, double *m)
{
    (void)x, (void)v, m[0] = INFINITY;
}
static void negative_mass(double *x, double *v, double *m)
{
    (void)x, (void)v, m[42] = -1e-300;
}
static void far_place(double *x, double *v, double *m)
{
    (void)v, (void)m, x[AXES * 3] = -1e31;
}
static void furthest_place(double *x, double *v, double *m)
{
    (void)v, (void)m, x[AXES * 3] = 1.7e308;
}
static void fast_body(double *x, double *v, double *m)
{
    (void)x, (void)m, v[AXES * 3] = 1e31;
}
static void no_mass(double *x, double *v, double *m)
{
    (void)x, (void)v, memset(m, 0, BODIES * sizeof *m);
}
static void one_point(double *x, double *v, double *m)
{
    (void)v, (void)m;
    for (size_t i = 0; i < AXES * BODIES; i++)
        x[i] = 0.25;
}
static void tiny_box(double *x, double *v, double *m)
{
    (void)v, (void)m;
    for (size_t i = 0; i < AXES * BODIES; i++)
        x[i] *= 1e-31;
}

static void numbers_of_files(void **state)
{
    (void)state;
    static const struct bad_file cases[] = {
        {nan_place,
         {"bodies.nc: variable position: body 120 (counted from 0), component y: missing or not a number"}},
        {endless_place, {"variable position: body 7 (counted from 0), component z: -inf: not finite"}},
        {fill_place, {"variable position: body 7 (counted from 0), component x: missing"}},
        {nan_speed, {"variable velocity: body 199 (counted from 0), component z: missing or not a number"}},
        {endless_mass, {"variable mass: body 0 (counted from 0): inf: not finite"}},
        {negative_mass, {"variable mass: body 42 (counted from 0): -1e-300: a mass below 0"}},
        {no_mass, {"bodies.nc: the masses add up to 0: a finite number above 0"}},
        {far_place, {"variable position: body 3 (counted from 0), component x: -1e+31: at most 1e+30"}},
        {furthest_place, {"variable position: body 3 (counted from 0), component x: 1.7e+308: at most"}},
        {fast_body, {"variable velocity: body 3 (counted from 0), component x: 1e+31: at most"}},
        {one_point, {"bodies.nc: variable position: all 200 bodies lie at one point, (0.25, 0.25, 0.25)"}},
        {tiny_box, {"variable position: all 200 bodies lie within a box of 1.99992e-31: at least 1e-30"}},
    };
    EXPECT_BAD_FILES(file_job, cases);
    EXPECT_BAD_FILES(double_job, cases);
    wanted.units[0] = "m";
    wanted.units[1] = "m/s";
    wanted.units[2] = "kg";
    static const struct bad_file si[] = {
        {far_place, {"component x: -1e+31 m: at most 1e+30"}},
        {furthest_place, {"component x: 1.7e+308 m: at most 1e+30"}},
        {tiny_box, {"within a box of 1.99992e-31 m: at least 1e-30"}},
    };
    EXPECT_BAD_FILES(si_file_job, si);
}

static void farther_than_floats_reach(double *x, double *v, double *m)
{
    (void)v, (void)m, x[AXES * 3 + 1] = 2e12;
}
static void twins(double *x, double *v, double *m)
{
    (void)v, (void)m;
    memcpy(x + AXES * 31, x + AXES * 90, AXES * sizeof *x);
}
// Apart in double, one in single precision; and ±0 are one place.
static void near_twins(double *x, double *v, double *m)
{
    twins(x, v, m);
    x[AXES * 31] *= 1 + 1e-12;
    for (int k = 0; k < AXES; k++) {
        x[AXES * 12 + k] = 0;
        x[AXES * 13 + k] = k == 0 ? -1e-300 : -0.0;
    }
}

static void what_single_precision_does_not_bear(void **state)
{
    (void)state;
    static const struct bad_file far[] = {
        {farther_than_floats_reach,
         {"bodies.nc: body 3 (counted from 0): a position of 2e+12: at most 1e+12 in single precision",
          "precision double"}}};
    EXPECT_BAD_FILES(file_job, far);
    cli_assert_done(run(double_job()));
}

// Without softening two bodies at one point are refused, both named; with it they are bodies like others.
static void two_at_one_point(void **state)
{
    (void)state;
    static const struct bad_file cases[] = {
        {twins,
         {"bodies.nc: bodies 31 and 90 (counted from 0) lie at one point of single precision, (",
          "without physics.softening"}}};
    EXPECT_BAD_FILES(point_job, cases);
    wanted.change = near_twins;
    const struct bad single = {
        NULL, NULL, DATA, {"bodies 12 and 13 (counted from 0) lie at one point of single precision, (0"}};
    expect_bad(point_job(), &single);
    cli_assert_done(run(file_job()));
    cJSON *job = point_job();
    cli_set(job, "precision", "\"double\"");
    cli_set(job, "time.step", "1e-6"); // they pull each other with all their might
    cli_set(job, "time.duration", "1e-6");
    const struct cli_result *result = run(job);
    if (strstr(result->error, "lie at one point"))
        fail_msg("%s", result->error);
}

// ---- nothing hangs

// Half of all at one point; a cluster far below what the tree's key tells apart, 2⁻²¹ of the box.
static void half_at_one_point(double *x, double *v, double *m)
{
    (void)v, (void)m;
    for (size_t i = 0; i < BODIES / 2; i++)
        memcpy(x + AXES * i, x, AXES * sizeof *x);
}
static void below_the_key(double *x, double *v, double *m)
{
    (void)v, (void)m;
    for (size_t i = 0; i < BODIES / 2; i++)
        for (size_t k = 0; k < AXES; k++)
            x[AXES * i + k] = 0.3 + 1e-9 * x[AXES * i + k];
}
// A box of 2e29 with two clumps in it, each at one place of the key.
static void at_the_edge_of_doubles(double *x, double *v, double *m)
{
    (void)v, (void)m;
    for (size_t i = 0; i < BODIES; i++)
        x[AXES * i] += i % 2 == 0 ? 1e29 : -1e29;
}

// The places after the run, by id; owned by the caller.
static double *run_method(const char *backend, const char *precision, const char *method)
{
    size_t count;
    cJSON *job = file_job();
    cli_set_text(job, "backend", "%s", backend);
    cli_set_text(job, "precision", "%s", precision);
    cli_set(job, "method", method);
    cli_set(job, "physics.softening", "0.3"); // at which steps of 1/8 enlarge no rounding
    cli_assert_done(run(job));
    double *places = cli_read_variable("out/final.nc", "coordinates", &count, NULL);
    assert_int_equal(count, AXES * BODIES);
    return places;
}

// At an opening angle of 0.01 only cells that are small and far stand for their bodies: the tree's error is
// below 1e-6 of the force.
static void the_tree_is_the_direct_sum_of(void (*change)(double *x, double *v, double *m), bool fits_single)
{
    static const char tree[] = "{\"name\": \"barnes-hut\", \"theta\": 0.01}";
    static const struct {
        const char *backend, *precision;
        double tolerance;
    } runs[] = {{"openmp", "double", 1e-8}, {"reference", "double", 1e-8}, {"openmp", "single", 1e-5}};
    wanted.change = change;
    double *direct = run_method("openmp", "double", "{\"name\": \"direct\"}"), largest = 0;
    for (size_t i = 0; i < AXES * BODIES; i++)
        largest = fmax(largest, fabs(direct[i]));
    for (size_t k = 0; k < (fits_single ? 3 : 2); k++) {
        double *places = run_method(runs[k].backend, runs[k].precision, tree);
        for (size_t i = 0; i < AXES * BODIES; i++)
            if (!(fabs(places[i] - direct[i]) <= runs[k].tolerance * largest))
                fail_msg("%s, %s: body %zu: %.17g with the tree, %.17g with direct summation",
                         runs[k].backend, runs[k].precision, i / AXES, places[i], direct[i]);
        free(places);
    }
    free(direct);
}

static void trees_that_end(void **state)
{
    (void)state;
    the_tree_is_the_direct_sum_of(half_at_one_point, true);
    the_tree_is_the_direct_sum_of(below_the_key, true);
    the_tree_is_the_direct_sum_of(at_the_edge_of_doubles, false);
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, cli_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(files_that_cannot_be_read), WITH_FOLDER(counts_of_files),
        WITH_FOLDER(frames_of_files),           WITH_FOLDER(units_of_files),
        WITH_FOLDER(numbers_of_files),          WITH_FOLDER(what_single_precision_does_not_bear),
        WITH_FOLDER(two_at_one_point),          WITH_FOLDER(trees_that_end),
    };
    return cmocka_run_group_tests_name("nbody bad files", tests, NULL, NULL);
}
