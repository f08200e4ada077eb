// Every way in which an N-body job and its file of bodies can be wrong: one line, the right exit code, the file or key with the
// body and what was expected. And what looks wrong and is not: bodies at one point, and nearer to each other than a tree's key tells
// apart, run to their end and come out as the direct sum has them.
#include "tests/support/cli_fixture.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/netcdf_maker.h"

enum { CONFIGURATION = 78, DATA = 65, NO_INPUT = 66, MACHINE = 71 };
enum { BODIES = 200, AXES = 3 };

// ---- files

// What a test changes in a good file of bodies.
static struct {
    size_t count, velocity_count;
    int mode;             // of netCDF
    const char *units[3]; // of position, velocity, mass; NULL: the file does not say
    void (*change)(double *x, double *v, double *m); // [body][axis], [body][axis], [body]
} wanted;

// In a box of side 2, at no two the same place.
static void write_bodies(void)
{
    static double x[AXES * BODIES], v[AXES * BODIES], m[BODIES];
    for (size_t i = 0; i < AXES * BODIES; i++) {
        x[i] = sin(12.9898 * (double)(i + 1));
        v[i] = 0.1 * cos(78.233 * (double)(i + 1));
        m[i / AXES] = 1.0 / BODIES;
    }
    if (wanted.change)
        wanted.change(x, v, m);
    const int file = make_file(cli_path("bodies.nc"), wanted.mode);
    const int body = make_dimension(file, "body", wanted.count > 0 ? wanted.count : NC_UNLIMITED);
    const int other =
        wanted.velocity_count != wanted.count ? make_dimension(file, "other", wanted.velocity_count) : body;
    const int axis = make_dimension(file, "axis", AXES), places[] = {body, axis}, speeds[] = {other, axis};
    const int position = make_variable(file, "position", NC_DOUBLE, wanted.units[0], 2, places);
    const int velocity = make_variable(file, "velocity", NC_DOUBLE, wanted.units[1], 2, speeds);
    const int mass = make_variable(file, "mass", NC_DOUBLE, wanted.units[2], 1, &body);
    make_values(file, position, x);
    make_values(file, velocity, v);
    make_values(file, mass, m);
    NC(nc_close(file));
}

static int set_up(void **state)
{
    memset(&wanted, 0, sizeof wanted);
    wanted.count = wanted.velocity_count = BODIES;
    wanted.mode = NC_NETCDF4;
    return cli_setup(state);
}

// ---- jobs

static cJSON *job_of(const char *particles)
{
    char text[1024];
    snprintf(text, sizeof text,
             "{\"fathom\": 1, \"model\": \"nbody\", \"backend\": \"openmp\", \"particles\": %s, \"physics\": "
             "{\"softening\": 0.01}, \"time\": {\"duration\": 0.5, \"step\": 0.125}, \"output\": "
             "{\"directory\": \"out\"}}",
             particles);
    cJSON *job = cJSON_Parse(text);
    assert_non_null(job);
    return job;
}

static cJSON *plummer_job(void)
{
    return job_of("{\"plummer\": {\"count\": 100}}");
}

static cJSON *encounter_job(void)
{
    return job_of("{\"encounter\": {\"count\": 100}}");
}

static cJSON *file_job(void)
{
    write_bodies();
    return job_of("{\"file\": {\"file\": \"bodies.nc\"}}");
}

static cJSON *point_job(void)
{
    cJSON *job = file_job();
    cli_set(job, "physics.softening", "0");
    return job;
}

static cJSON *double_job(void)
{
    cJSON *job = file_job();
    cli_set(job, "precision", "\"double\"");
    return job;
}

static cJSON *si_job(void)
{
    cJSON *job = job_of("{\"plummer\": {\"count\": 100, \"mass\": \"1e4 Msun\", \"radius\": \"1 pc\"}}");
    cli_set(job, "units", "\"si\"");
    cli_set(job, "physics.softening", "\"0.01 pc\"");
    cli_set(job, "time", "{\"duration\": \"1 kyr\", \"step\": \"100 yr\"}");
    return job;
}

static cJSON *si_file_job(void)
{
    cJSON *job = si_job();
    write_bodies();
    cli_set(job, "particles", "{\"file\": {\"file\": \"bodies.nc\"}}");
    return job;
}

static const struct cli_result *run(cJSON *job)
{
    cli_write_job(job, "job.json");
    cJSON_Delete(job);
    return cli_run("run", "-q", "--restart", "job.json", NULL);
}

struct bad {
    const char *key, *json; // what is changed in the good job
    int exit_code;
    const char *fragments[4];
};

static void expect_bad(cJSON *job, const struct bad *bad)
{
    if (bad->key)
        cli_set(job, bad->key, bad->json);
    const struct cli_result *result = run(job);
    for (int k = 0; k < 4 && bad->fragments[k]; k++)
        if (!strstr(result->error, bad->fragments[k]))
            fail_msg("%s = %s: exit code %d, \"%s\" does not say \"%s\"", bad->key ? bad->key : "",
                     bad->json ? bad->json : "", result->exit_code, result->error, bad->fragments[k]);
    cli_assert_error(result, bad->exit_code, false, bad->fragments[0], NULL);
    assert_false(cli_exists("out/final.nc"));
}

static void expect_all(cJSON *(*job)(void), const struct bad *cases, size_t count)
{
    for (size_t k = 0; k < count; k++)
        expect_bad(job(), &cases[k]);
}
#define EXPECT_ALL(job, cases) expect_all((job), (cases), sizeof(cases) / sizeof *(cases))

// A file that is wrong: what is changed in it, and what is said.
struct bad_file {
    void (*change)(double *x, double *v, double *m);
    const char *fragments[4];
};

static void expect_bad_files(cJSON *(*job)(void), const struct bad_file *cases, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        struct bad bad = {NULL, NULL, DATA, {NULL}};
        memcpy(bad.fragments, cases[k].fragments, sizeof bad.fragments);
        wanted.change = cases[k].change;
        expect_bad(job(), &bad);
    }
}
#define EXPECT_BAD_FILES(job, cases) expect_bad_files((job), (cases), sizeof(cases) / sizeof *(cases))

// ---- jobs

static void the_jobs_themselves_run(void **state)
{
    (void)state;
    cli_assert_done(run(plummer_job()));
    cli_assert_done(run(encounter_job()));
    cli_assert_done(run(file_job()));
    cli_assert_done(run(point_job()));
    cli_assert_done(run(double_job()));
    cli_assert_done(run(si_job()));
    wanted.units[0] = "pc";
    wanted.units[1] = "km/s";
    wanted.units[2] = "solar_mass";
    cli_assert_done(run(si_file_job()));
}

static void counts_and_sizes(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"particles.plummer.count", "0", CONFIGURATION, {"particles.plummer.count: 0 is out of range: 2 to"}},
        {"particles.plummer.count", "1", CONFIGURATION, {"particles.plummer.count: 1 is out of range: 2 to"}},
        {"particles.plummer.count", "-5", CONFIGURATION, {"particles.plummer.count: -5 is out of range"}},
        {"particles.plummer.count", "2.5", CONFIGURATION, {"2.5 is given; a whole number is expected"}},
        {"particles.plummer.count", "1e10", CONFIGURATION, {"particles.plummer.count", "1073741824"}},
        {"particles.plummer.count", NULL, CONFIGURATION, {"particles.plummer.count: missing"}},
        {"particles.plummer.seed", "-1", CONFIGURATION, {"particles.plummer.seed: -1 is out of range"}},
        {"particles.plummer.mass",
         "0",
         CONFIGURATION,
         {"particles.plummer.mass: 0 is out of range: more than 0"}},
        {"particles.plummer.mass", "-1", CONFIGURATION, {"particles.plummer.mass: -1 is out of range"}},
        {"particles.plummer.mass",
         "1e20",
         CONFIGURATION,
         {"a total mass of up to 1e+20: at most 1e+12 in single"}},
        {"particles.plummer.mass",
         "1e-20",
         CONFIGURATION,
         {"a total mass of up to 1e-20: at least 1e-12 in single"}},
        {"particles.plummer.mass", "1e999", CONFIGURATION, {"particles"}},
        {"particles.plummer.radius",
         "1e31",
         CONFIGURATION,
         {"a position of up to 4e+32: at most 1e+12 in single precision", "of size 1"}},
        {"particles.plummer.radius",
         "1e-9",
         CONFIGURATION,
         {"particles: all bodies lie within a box of up to 8e-08: at least 1e-06"}},
        {"particles.plummer.radius", "1e999", CONFIGURATION, {"particles"}},
        {"particles.plummer.radius",
         "\"1 pc\"",
         CONFIGURATION,
         {"particles.plummer.radius: a text with a unit is given", "\"units\": \"si\""}},
        {"particles.plummer.cutoff", "0.5", CONFIGURATION, {"particles.plummer.cutoff: 0.5 is out of range"}},
        {"particles.plummer.radios",
         "1",
         CONFIGURATION,
         {"unknown key (did you mean particles.plummer.radius?)"}},
        {"particles.plumer",
         "{\"count\": 5}",
         CONFIGURATION,
         {"particles.plumer: unknown key (did you mean particles.plummer?)"}},
        {"particles.kepler", "{}", CONFIGURATION, {"particles: needs one of file, plummer", "not 2"}},
        {"particles.plummer", NULL, CONFIGURATION, {"particles: needs one of file, plummer", "not 0"}},
        {"particles", NULL, CONFIGURATION, {"particles: needs one of"}},
        {"particles", "5", CONFIGURATION, {"particles: a number is given; an object"}},
        {"particles",
         "{\"kepler\": {\"eccentricity\": 1}}",
         CONFIGURATION,
         {"particles.kepler.eccentricity: 1 is out of range"}},
        {"particles", "{\"kepler\": {\"mass_ratio\": 0}}", CONFIGURATION, {"particles.kepler.mass_ratio"}},
        {"particles",
         "{\"uniform-cube\": {\"count\": 9, \"virial_ratio\": -1}}",
         CONFIGURATION,
         {"virial_ratio: -1 is out of range"}},
    };
    EXPECT_ALL(plummer_job, cases);
    static const struct bad galaxies[] = {
        {"particles.encounter.separation",
         "0.2",
         CONFIGURATION,
         {"the galaxies start 2 scale lengths apart: more than the pericentre, 3,"}},
        {"particles.encounter.count", "15", CONFIGURATION, {"particles.encounter.count: 15 is out of range"}},
        {"particles.encounter.mass_ratio",
         "2",
         CONFIGURATION,
         {"particles.encounter.mass_ratio: 2 is out of range"}},
        {"particles.encounter.first",
         "{\"inclination\": 30}",
         CONFIGURATION,
         {"particles.encounter.first.inclination: 30 has no unit"}},
        {"particles.encounter.toomre_q", "0", CONFIGURATION, {"particles.encounter.toomre_q"}},
    };
    EXPECT_ALL(encounter_job, galaxies);
}

static void steps_methods_and_outputs(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"physics.softening", NULL, CONFIGURATION, {"physics.softening: missing; it is required"}},
        {"physics.softening", "-0.1", CONFIGURATION, {"physics.softening: -0.1 is out of range: at least 0"}},
        {"physics.softening",
         "1e-20",
         CONFIGURATION,
         {"physics.softening: 1e-20", "third power is too small for single precision"}},
        {"physics.softening", "1e20", CONFIGURATION, {"physics.softening: 1e+20", "at most"}},
        {"time.duration", NULL, CONFIGURATION, {"time.duration: missing"}},
        {"time.duration", "\"10 s\"", CONFIGURATION, {"time.duration: a text with a unit is given"}},
        {"time.duration", "0", CONFIGURATION, {"time.duration: 0 is out of range: more than 0 is expected"}},
        {"time.duration", "1e999", CONFIGURATION, {"time"}},
        {"time.step", "1", CONFIGURATION, {"time.step: is longer than the run: 1 of a duration of 0.5"}},
        {"time.step", "-1", CONFIGURATION, {"time.step: -1 is out of range"}},
        {"time.step",
         "1e-30",
         CONFIGURATION,
         {"time: a duration of 0.5 in steps of 1e-30 are more steps than can be counted"}},
        {"time.step", NULL, CONFIGURATION, {"time.step: missing"}},
        {"time.step", "\"auto\"", CONFIGURATION, {"time.step: \"auto\" does not begin with a number"}},
        {"method.name",
         "\"barneshut\"",
         CONFIGURATION,
         {"method.name: \"barneshut\" is not one of", "did you mean barnes-hut?"}},
        {"method.name", "\"direct-tiled\"", CONFIGURATION, {"method.name: openmp has no direct-tiled"}},
        {"method",
         "{\"name\": \"barnes-hut\", \"theta\": 0}",
         CONFIGURATION,
         {"method.theta: 0 is out of range: 0.01 to 2"}},
        {"method",
         "{\"name\": \"barnes-hut\", \"opening\": \"distance\"}",
         CONFIGURATION,
         {"method.distance: is missing"}},
        {"units", "\"SI\"", CONFIGURATION, {"units: \"SI\" is not one of: nbody, si"}},
        {"backend", "\"opencl\"", CONFIGURATION, {"backend", "opencl"}},
        {"output.fields",
         "{\"every\": 0.25, \"stride\": 100}",
         CONFIGURATION,
         {"output.fields.stride: of 100 bodies only the first is left"}},
        {"output.fields",
         "{\"every\": 0.25, \"variables\": [\"speed\"]}",
         CONFIGURATION,
         {"\"speed\" is not one of: position, velocity"}},
        {"gravity", "1", CONFIGURATION, {"gravity: unknown key"}},
        {"memory", "{\"host\": \"1 kB\"}", MACHINE, {"memory"}},
    };
    EXPECT_ALL(plummer_job, cases);
    // More bodies than the limit holds: refused before anything is made, with the largest arrays.
    cJSON *job = plummer_job();
    cli_set(job, "memory", "{\"host\": \"1 GB\"}");
    const struct bad absurd = {"particles.plummer.count", "1000000000", MACHINE, {"memory"}};
    expect_bad(job, &absurd);
}

static void si_wants_units(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"particles.plummer.radius",
         "1",
         CONFIGURATION,
         {"particles.plummer.radius: 1 has no unit; with units si", "\"1 m\""}},
        {"particles.plummer.radius",
         NULL,
         CONFIGURATION,
         {"particles.plummer.radius: is missing: with units si it has no default"}},
        {"particles.plummer.radius",
         "\"1 s\"",
         CONFIGURATION,
         {"particles.plummer.radius: \"1 s\": s is a time, but a length"}},
        {"particles.plummer.radius", "\"1e290 pc\"", CONFIGURATION, {"time"}},
        {"particles.plummer.mass", NULL, CONFIGURATION, {"particles.plummer.mass: is missing"}},
        {"particles.plummer.mass", "\"1 sun\"", CONFIGURATION, {"particles.plummer.mass", "sun"}},
        {"physics.softening", "0.01", CONFIGURATION, {"physics.softening: 0.01 has no unit"}},
        {"time.step", "0.01", CONFIGURATION, {"time.step: 0.01 has no unit"}},
        {"output.fields", "{\"every\": 0.01}", CONFIGURATION, {"output.fields.every: 0.01 has no unit"}},
    };
    EXPECT_ALL(si_job, cases);
}

// ---- files

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

// At an opening angle of 0.01 only cells that are small and far stand for their bodies: the tree's error is below 1e-6 of the force.
static void the_tree_is_the_direct_sum_of(void (*change)(double *x, double *v, double *m))
{
    static const char *const methods[] = {"{\"name\": \"barnes-hut\", \"theta\": 0.01}",
                                          "{\"name\": \"direct\"}"};
    double *position[2];
    size_t count;
    wanted.change = change;
    for (int k = 0; k < 2; k++) {
        cJSON *job = double_job();
        cli_set(job, "method", methods[k]);
        cli_assert_done(run(job));
        position[k] = cli_read_variable("out/final.nc", "coordinates", &count, NULL);
        assert_int_equal(count, AXES * BODIES);
    }
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(position[1][i]));
    for (size_t i = 0; i < count; i++)
        if (!(fabs(position[0][i] - position[1][i]) <= 1e-8 * largest))
            fail_msg("body %zu: %.17g with the tree, %.17g with every pair", i / AXES, position[0][i],
                     position[1][i]);
    free(position[0]);
    free(position[1]);
}

static void trees_that_end(void **state)
{
    (void)state;
    the_tree_is_the_direct_sum_of(half_at_one_point);
    the_tree_is_the_direct_sum_of(below_the_key);
    the_tree_is_the_direct_sum_of(at_the_edge_of_doubles);
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, cli_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(the_jobs_themselves_run),   WITH_FOLDER(counts_and_sizes),
        WITH_FOLDER(steps_methods_and_outputs), WITH_FOLDER(si_wants_units),
        WITH_FOLDER(files_that_cannot_be_read), WITH_FOLDER(counts_of_files),
        WITH_FOLDER(frames_of_files),           WITH_FOLDER(units_of_files),
        WITH_FOLDER(numbers_of_files),          WITH_FOLDER(what_single_precision_does_not_bear),
        WITH_FOLDER(two_at_one_point),          WITH_FOLDER(trees_that_end),
    };
    return cmocka_run_group_tests_name("nbody bad input", tests, NULL, NULL);
}
