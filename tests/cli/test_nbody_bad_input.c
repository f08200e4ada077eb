// Every way in which an N-body job can be wrong: one line, the right exit code, the key and what was
// expected. What is wrong with files of bodies stands in test_nbody_bad_files.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/nbody_refusals.h"

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
}

static void encounters(void **state)
{
    (void)state;
    static const struct bad cases[] = {
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
    EXPECT_ALL(encounter_job, cases);
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
         {"time.step: 0.5 in steps of 1e-30 would take 1e29 steps; at most 1e+15 are possible, with steps of "
          "5e-16 "
          "or more"}},
        {"time.step", "1e-300", CONFIGURATION, {"time.step: 0.5 in steps of 1e-300 would take 1e299 steps"}},
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
         {"\"speed\" is not one of: position, velocity, acceleration"}},
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

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, cli_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(the_jobs_themselves_run),   WITH_FOLDER(counts_and_sizes), WITH_FOLDER(encounters),
        WITH_FOLDER(steps_methods_and_outputs), WITH_FOLDER(si_wants_units),
    };
    return cmocka_run_group_tests_name("nbody bad input", tests, NULL, NULL);
}
