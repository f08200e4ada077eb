// Every way in which an N-body job can be wrong: one line, the right exit code, the key and what was
// expected. What is wrong with files of bodies stands in test_nbody_bad_files.c.
#include "tests/support/nbody_refusals.h"
#include "tests/support/test.h"

TEST(the_jobs_themselves_run)
{
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

TEST(counts_and_sizes)
{
    static const struct bad cases[] = {
        BAD("particles.plummer.count = 0", "particles.plummer.count: 0 is out of range: 2 to"),
        BAD("particles.plummer.count = 1", "particles.plummer.count: 1 is out of range: 2 to"),
        BAD("particles.plummer.count = -5", "particles.plummer.count: -5 is out of range"),
        BAD("particles.plummer.count = 2.5", "2.5 is given; a whole number is expected"),
        BAD("particles.plummer.count = 1e10", "particles.plummer.count", "1073741824"),
        BAD("delete particles.plummer.count", "particles.plummer.count: missing"),
        BAD("particles.plummer.seed = -1", "particles.plummer.seed: -1 is out of range"),
        BAD("particles.plummer.mass = 0", "particles.plummer.mass: 0 is out of range: more than 0"),
        BAD("particles.plummer.mass = -1", "particles.plummer.mass: -1 is out of range"),
        BAD("particles.plummer.mass = 1e20", "a total mass of up to 1e+20: at most 1e+12 in single"),
        BAD("particles.plummer.mass = 1e-20", "a total mass of up to 1e-20: at least 1e-12 in single"),
        BAD("particles.plummer.mass = 1e999", "particles"),
        BAD("particles.plummer.radius = 1e31", "a position of up to 4e+32: at most 1e+12 in single precision",
            "of size 1"),
        BAD("particles.plummer.radius = 1e-9",
            "particles: all bodies lie within a box of up to 8e-08: at least 1e-06"),
        BAD("particles.plummer.radius = 1e999", "particles"),
        BAD("particles.plummer.radius = '1 pc'", "particles.plummer.radius: a text with a unit is given",
            "\"units\": \"si\""),
        BAD("particles.plummer.cutoff = 0.5", "particles.plummer.cutoff: 0.5 is out of range"),
        BAD("particles.plummer.radios = 1", "unknown key (did you mean particles.plummer.radius?)"),
        BAD("particles.plumer = {'count': 5}",
            "particles.plumer: unknown key (did you mean particles.plummer?)"),
        BAD("particles.kepler = {}", "particles: needs one of file, plummer", "not 2"),
        BAD("delete particles.plummer", "particles: needs one of file, plummer", "not 0"),
        BAD("delete particles", "particles: needs one of"),
        BAD("particles = 5", "particles: a number is given; an object"),
        BAD("particles = {'kepler': {'eccentricity': 1}}",
            "particles.kepler.eccentricity: 1 is out of range"),
        BAD("particles = {'kepler': {'mass_ratio': 0}}", "particles.kepler.mass_ratio"),
        BAD("particles = {'uniform-cube': {'count': 9, 'virial_ratio': -1}}",
            "virial_ratio: -1 is out of range"),
    };
    EXPECT_ALL(plummer_job, cases);
}

TEST(encounters)
{
    static const struct bad cases[] = {
        BAD("particles.encounter.separation = 0.2",
            "the galaxies start 2 scale lengths apart: more than the pericentre, 3,"),
        BAD("particles.encounter.count = 15", "particles.encounter.count: 15 is out of range"),
        BAD("particles.encounter.mass_ratio = 2", "particles.encounter.mass_ratio: 2 is out of range"),
        BAD("particles.encounter.first = {'inclination': 30}",
            "particles.encounter.first.inclination: 30 has no unit"),
        BAD("particles.encounter.toomre_q = 0", "particles.encounter.toomre_q"),
    };
    EXPECT_ALL(encounter_job, cases);
}

TEST(steps_methods_and_outputs)
{
    static const struct bad cases[] = {
        BAD("delete physics.softening", "physics.softening: missing; it is required"),
        BAD("physics.softening = -0.1", "physics.softening: -0.1 is out of range: at least 0"),
        BAD("physics.softening = 1e-20", "physics.softening: 1e-20",
            "third power is too small for single precision"),
        BAD("physics.softening = 1e20", "physics.softening: 1e+20", "at most"),
        BAD("time.duration = '10 s'", "time.duration: a text with a unit is given"),
        BAD("time.duration = 0", "time.duration: 0 is out of range: more than 0 is expected"),
        BAD("time.step = 'auto'", "time.step: \"auto\" does not begin with a number"),
        BAD("time.step = 1e-30", "time.step: 0.5 in steps of 1e-30 would take 1e29 steps; at most 1e+15 are "
                                 "possible, with steps of 5e-16 or more"),
        BAD("time.step = 1e-300", "time.step: 0.5 in steps of 1e-300 would take 1e299 steps"),
        BAD("method.name = 'barneshut'", "method.name: \"barneshut\" is not one of",
            "did you mean barnes-hut?"),
        BAD("method.name = 'direct-tiled'", "method.name: openmp has no direct-tiled"),
        BAD("method = {'name': 'barnes-hut', 'theta': 0}", "method.theta: 0 is out of range: 0.01 to 2"),
        BAD("method = {'name': 'barnes-hut', 'opening': 'distance'}", "method.distance: is missing"),
        BAD("units = 'SI'", "units: \"SI\" is not one of: nbody, si"),
        BAD("output.fields = {'every': 0.25, 'stride': 100}",
            "output.fields.stride: of 100 bodies only the first is left"),
        BAD("output.fields = {'every': 0.25, 'variables': ['speed']}",
            "\"speed\" is not one of: position, velocity, acceleration"),
        BAD("gravity = 1", "gravity: unknown key"),
        // More bodies than the limit holds: refused before anything is made, with the largest arrays.
        BAD_AS(SYSTEM, "memory = {'host': '1 GB'}; particles.plummer.count = 1000000000", "memory"),
    };
    EXPECT_ALL(plummer_job, cases);
}

TEST(si_wants_units)
{
    static const struct bad cases[] = {
        BAD("particles.plummer.radius = 1", "particles.plummer.radius: 1 has no unit; with units si",
            "\"1 m\""),
        BAD("delete particles.plummer.radius",
            "particles.plummer.radius: is missing: with units si it has no default"),
        BAD("particles.plummer.radius = '1 s'",
            "particles.plummer.radius: \"1 s\": s is a time, but a length"),
        BAD("particles.plummer.radius = '1e290 pc'", "time"),
        BAD("delete particles.plummer.mass", "particles.plummer.mass: is missing"),
        BAD("particles.plummer.mass = '1 sun'", "particles.plummer.mass", "sun"),
        BAD("physics.softening = 0.01", "physics.softening: 0.01 has no unit"),
        BAD("time.step = 0.01", "time.step: 0.01 has no unit"),
        BAD("output.fields = {'every': 0.01}", "output.fields.every: 0.01 has no unit"),
    };
    EXPECT_ALL(si_job, cases);
}

TEST_MAIN(set_up, cli_teardown)
