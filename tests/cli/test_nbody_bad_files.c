// Every way in which a file of bodies can be wrong: one line, the right exit code, the file with the body and
// what was expected. And what looks wrong and is not: bodies at one point, and nearer to each other than a
// tree's key resolves, run to their end and come out as the direct sum has them.
#include "tests/support/nbody_refusals.h"
#include "tests/support/test.h"

TEST(files_that_cannot_be_read)
{
    static const struct bad cases[] = {
        BAD_AS(DATA, "particles.file.position = 'mass'",
               "bodies.nc: variable mass has the shape (200): expected (bodies, 3) or (frames, bodies, 3)"),
        BAD_AS(DATA, "particles.file.mass = 'velocity'",
               "variable velocity has 3 bodies, but position has 200"),
        BAD("particles.file.body_mass = -1", "particles.file.body_mass: -1 is out of range"),
        BAD("particles.file.centered = true", "did you mean particles.file.centred?"),
        BAD("particles.file.mass = 'mass'; particles.file.body_mass = 1",
            "particles.file.body_mass: the masses are to come from a file, too"),
    };
    EXPECT_ALL(file_job, cases);
    expect_unreadable(file_job);
}

TEST(counts_of_files)
{
    static const char *const fragments[] = {
        "variable position has 1 body: 2 to 1073741824 are expected",
        "variable position has no bodies",
        "variable velocity has 199 bodies, but position has 200",
    };
    expect_bad_counts(file_job, fragments);
}

// A trajectory's velocities of other frames than its positions.
TEST(frames_of_files)
{
    static const double values[2 * BODIES * AXES] = {0};
    cJSON *job = file_job();
    write_frames(values, values, values);
    EXPECT_BAD(job, DATA, NULL, "variable velocity has 0 frames, but position has 2");
    job = job_of("{'file': {'file': 'bodies.nc', 'at_rest': true}}");
    EXPECT_BAD(job, DATA, "particles.file.frame = 2", "variable position: frame 2 was asked for, it has 2");
}

TEST(units_of_files)
{
    wanted.units[0] = "kpc";
    EXPECT_BAD(file_job(), CONFIGURATION, NULL,
               "variable position is in \"kpc\", but the job is in units nbody", "did you mean si?");
    EXPECT_BAD(si_file_job(), CONFIGURATION, NULL, "particles.file.units.velocity",
               "variable velocity does not say its units");
    wanted.units[1] = "km";
    EXPECT_BAD(si_file_job(), DATA, NULL, "variable velocity: units \"km\"");
    wanted.units[1] = "kilometre per weekend";
    EXPECT_BAD(si_file_job(), DATA, NULL, "variable velocity: units \"kilometre per weekend\"");
}

static void no_mass(double *x, double *v, double *m)
{
    memset(m, 0, BODIES * sizeof *m);
}
static void one_point(double *x, double *v, double *m)
{
    for (size_t i = 0; i < AXES * BODIES; i++)
        x[i] = 0.25;
}
static void tiny_box(double *x, double *v, double *m)
{
    for (size_t i = 0; i < AXES * BODIES; i++)
        x[i] *= 1e-31;
}

TEST(numbers_of_files)
{
    static const struct bad_file cases[] = {
        ODD_VALUE(
            'x', 120, 1, NAN,
            "bodies.nc: variable position: body 120 (counted from 0), component y: missing or not a number"),
        ODD_VALUE('x', 7, 2, -INFINITY,
                  "variable position: body 7 (counted from 0), component z: -inf: not finite"),
        ODD_VALUE('x', 7, 0, 9.969209968386869e+36,
                  "variable position: body 7 (counted from 0), component x: missing"),
        ODD_VALUE('v', 199, 2, NAN,
                  "variable velocity: body 199 (counted from 0), component z: missing or not a number"),
        ODD_VALUE('m', 0, 0, INFINITY, "variable mass: body 0 (counted from 0): inf: not finite"),
        ODD_VALUE('m', 42, 0, -1e-300, "variable mass: body 42 (counted from 0): -1e-300: a mass below 0"),
        CHANGED(no_mass, "bodies.nc: the masses add up to 0: a finite number above 0"),
        ODD_VALUE('x', 3, 0, -1e31,
                  "variable position: body 3 (counted from 0), component x: -1e+31: at most 1e+30"),
        ODD_VALUE('x', 3, 0, 1.7e308,
                  "variable position: body 3 (counted from 0), component x: 1.7e+308: at most"),
        ODD_VALUE('v', 3, 0, 1e31, "variable velocity: body 3 (counted from 0), component x: 1e+31: at most"),
        CHANGED(one_point,
                "bodies.nc: variable position: all 200 bodies lie at one point, (0.25, 0.25, 0.25)"),
        CHANGED(tiny_box,
                "variable position: all 200 bodies lie within a box of 1.99992e-31: at least 1e-30"),
    };
    EXPECT_BAD_FILES(file_job, cases);
    EXPECT_BAD_FILES(double_job, cases);
    wanted.units[0] = "m";
    wanted.units[1] = "m/s";
    wanted.units[2] = "kg";
    static const struct bad_file si[] = {
        ODD_VALUE('x', 3, 0, -1e31, "component x: -1e+31 m: at most 1e+30"),
        ODD_VALUE('x', 3, 0, 1.7e308, "component x: 1.7e+308 m: at most 1e+30"),
        CHANGED(tiny_box, "within a box of 1.99992e-31 m: at least 1e-30"),
    };
    EXPECT_BAD_FILES(si_file_job, si);
}

static void twins(double *x, double *v, double *m)
{
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

TEST(what_single_precision_does_not_bear)
{
    static const struct bad_file far[] = {ODD_VALUE(
        'x', 3, 1, 2e12,
        "bodies.nc: body 3 (counted from 0): a position of 2e+12: at most 1e+12 in single precision",
        "precision double")};
    EXPECT_BAD_FILES(file_job, far);
    cli_assert_done(run(double_job()));
}

// Without softening two bodies at one point are refused, both named; with it they are bodies like others.
TEST(two_at_one_point)
{
    static const struct bad_file cases[] = {
        CHANGED(twins, "bodies.nc: bodies 31 and 90 (counted from 0) lie at one point of single precision, (",
                "without physics.softening")};
    EXPECT_BAD_FILES(point_job, cases);
    wanted.change = near_twins;
    EXPECT_BAD(point_job(), DATA, NULL,
               "bodies 12 and 13 (counted from 0) lie at one point of single precision, (0");
    cli_assert_done(run(file_job()));
    cJSON *job = cli_change(
        point_job(), "precision = 'double'; time.step = 1e-6"); // they pull each other with all their might
    cli_change(job, "time.duration = 1e-6");
    const struct cli_result *result = run(job);
    if (strstr(result->error, "lie at one point"))
        fail_msg("%s", result->error);
}

// ---- nothing hangs

// Half of all at one point; a cluster far below what the tree's key resolves, 2⁻²¹ of the box.
static void half_at_one_point(double *x, double *v, double *m)
{
    for (size_t i = 0; i < BODIES / 2; i++)
        memcpy(x + AXES * i, x, AXES * sizeof *x);
}
static void below_the_key(double *x, double *v, double *m)
{
    for (size_t i = 0; i < BODIES / 2; i++)
        for (size_t k = 0; k < AXES; k++)
            x[AXES * i + k] = 0.3 + 1e-9 * x[AXES * i + k];
}
// A box of 2e29 with two clumps in it, each at one place of the key.
static void at_the_edge_of_doubles(double *x, double *v, double *m)
{
    for (size_t i = 0; i < BODIES; i++)
        x[AXES * i] += i % 2 == 0 ? 1e29 : -1e29;
}

// The places after the run, by id; owned by the caller.
static double *run_method(const char *backend, const char *precision, const char *method)
{
    size_t count;
    cJSON *job =
        cli_change(file_job(), "backend = '%s'; precision = '%s'; method = %s; physics.softening = 0.3",
                   backend, precision, method); // at which steps of 1/8 enlarge no rounding
    cli_assert_done(run(job));
    double *places = cli_read_variable("out/final.nc", "coordinates", &count, NULL);
    assert_int_equal(count, AXES * BODIES);
    return places;
}

// At an opening angle of 0.01 only cells that are small and far stand for their bodies: the tree's error is
// below 1e-6 of the force.
static void the_tree_is_the_direct_sum_of(void (*change)(double *x, double *v, double *m), bool fits_single)
{
    static const char tree[] = "{'name': 'barnes-hut', 'theta': 0.01}";
    static const struct {
        const char *backend, *precision;
        double tolerance;
    } runs[] = {{"openmp", "double", 1e-8}, {"reference", "double", 1e-8}, {"openmp", "single", 1e-5}};
    wanted.change = change;
    double *direct = run_method("openmp", "double", "{'name': 'direct'}"), largest = 0;
    for (size_t i = 0; i < AXES * BODIES; i++)
        largest = fmax(largest, fabs(direct[i]));
    for (size_t k = 0; k < (fits_single ? 3 : 2); k++) {
        double *places = run_method(runs[k].backend, runs[k].precision, tree);
        for (size_t i = 0; i < AXES * BODIES; i++)
            if (!(fabs(places[i] - direct[i]) <= runs[k].tolerance * largest))
                fail_msg("%s, %s: body %zu: %.17g with the tree, %.17g with direct summation",
                         runs[k].backend, runs[k].precision, i / AXES, places[i], direct[i]);
    }
}

TEST(trees_that_end)
{
    the_tree_is_the_direct_sum_of(half_at_one_point, true);
    the_tree_is_the_direct_sum_of(below_the_key, true);
    the_tree_is_the_direct_sum_of(at_the_edge_of_doubles, false);
}

TEST_MAIN(set_up, cli_teardown)
