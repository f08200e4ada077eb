// Every way in which a gas job can be wrong: one line, the right exit code, the key and what was expected.
// What is wrong with files of particles stands in test_gas_bad_files.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/gas_refusals.h"

static void the_jobs_themselves_run(void **state)
{
    (void)state;
    cli_assert_done(run(fluid_job()));
    cli_assert_done(run(thermostat_job()));
    cli_assert_done(run(condensing_job()));
    cli_assert_done(run(file_job()));
}

static void particles(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"particles.lattice.count", "1", CONFIGURATION, {"particles.lattice.count: 1 is out of range: 2 to"}},
        {"particles.lattice.count", "-5", CONFIGURATION, {"particles.lattice.count: -5 is out of range"}},
        {"particles.lattice.count", "2.5", CONFIGURATION, {"2.5 is given; a whole number is expected"}},
        {"particles.lattice.count", "1e10", CONFIGURATION, {"particles.lattice.count", "1073741824"}},
        {"particles.lattice.count", NULL, CONFIGURATION, {"particles.lattice.count: missing"}},
        {"particles.lattice.mass", "0", CONFIGURATION, {"particles.lattice.mass: 0 is out of range"}},
        {"particles.lattice.temperature",
         NULL,
         CONFIGURATION,
         {"particles.lattice.temperature: is missing: there is no thermostat to take it from"}},
        {"particles.lattice.temperature",
         "-1",
         CONFIGURATION,
         {"particles.lattice.temperature: -1 is out of range"}},
        {"particles.lattice.temperature", "\"300 K\"", CONFIGURATION, {"particles.lattice.temperature"}},
        {"particles.lattice.jitter",
         "0.3",
         CONFIGURATION,
         {"particles.lattice.jitter: 0.3 is out of range: 0 to 0.25"}},
        {"particles.lattice.kind",
         "\"hexagonal\"",
         CONFIGURATION,
         {"particles.lattice.kind: \"hexagonal\" is not one of: square, triangular"}},
        {"particles.lattice.seed", "-1", CONFIGURATION, {"particles.lattice.seed: -1 is out of range"}},
        {"particles.latice",
         "{\"count\": 5}",
         CONFIGURATION,
         {"particles.latice: unknown key (did you mean particles.lattice?)"}},
        {"particles.random",
         "{\"count\": 5}",
         CONFIGURATION,
         {"particles: needs one of lattice, random and file, not 2 of them"}},
        {"particles.lattice",
         NULL,
         CONFIGURATION,
         {"particles: needs one of lattice, random and file, not 0"}},
        {"particles", NULL, CONFIGURATION, {"particles: needs one of"}},
        {"particles", "5", CONFIGURATION, {"particles: a number is given; an object"}},
        {"particles",
         "{\"random\": {\"count\": 400, \"temperature\": 1}}",
         CONFIGURATION,
         {"particles.random.distance: 400 discs of diameter 0.9 cover 0.636 of the box: at most 0.5"}},
    };
    EXPECT_ALL(fluid_job, cases);
}

static void boxes_and_walls(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"domain.size", "[20]", CONFIGURATION, {"domain.size: a list of two numbers, [x, y], is expected"}},
        {"domain.size", "20", CONFIGURATION, {"domain.size: a list of two numbers"}},
        {"domain.size", "[20, \"20\"]", CONFIGURATION, {"domain.size: number 2 of the two is none"}},
        {"domain.size", "[20, 0]", CONFIGURATION, {"domain.size: 0 is out of range: 1e-08 to 1e+08"}},
        {"domain.size", "[20, 1e9]", CONFIGURATION, {"domain.size: 1e+09 is out of range"}},
        {"domain.size", NULL, CONFIGURATION, {"domain: one of size and density is expected, not none"}},
        {"domain.density", "1", CONFIGURATION, {"domain: one of size and density is expected, not both"}},
        {"domain", "{\"density\": 0}", CONFIGURATION, {"domain.density: 0 is out of range"}},
        {"domain",
         "{\"density\": 1e-12, \"aspect\": 1000}",
         CONFIGURATION,
         {"domain.density: 1e-12 makes a box of"}},
        {"domain.size",
         "[20, 4.9]",
         CONFIGURATION,
         {"domain: periodic in y, the box is 4.9 long: two cut-offs, 5, are expected at least"}},
        {"domain.size",
         "[8, 20]",
         CONFIGURATION,
         {"method.name: cells: periodic in x, the box is 8 long: three times cut-off and skin, 9, are "
          "expected"}},
        {"domain.walls",
         "{\"left\": \"periodic\"}",
         CONFIGURATION,
         {"domain.walls: only one of the two sides of x is periodic: both or none are expected"}},
        {"domain.walls",
         "{\"top\": \"rubber\"}",
         CONFIGURATION,
         {"domain.walls.top: \"rubber\" is not a kind of wall: one of reflect"}},
        {"domain.walls",
         "\"refelct\"",
         CONFIGURATION,
         {"domain.walls: \"refelct\" is not a kind of wall", "did you mean reflect?"}},
        {"domain.walls",
         "{\"north\": \"reflect\"}",
         CONFIGURATION,
         {"domain.walls.north: unknown side: left, right, bottom and top are expected"}},
        {"domain.walls", "3", CONFIGURATION, {"domain.walls: no text is given"}},
        {"domain.walls", "[\"reflect\"]", CONFIGURATION, {"domain.walls: no text is given"}},
        {"domain.walls", "\"damped\"", CONFIGURATION, {"domain.damping: is missing"}},
        {"domain.walls", "\"soft\"", CONFIGURATION, {"domain.stiffness: is missing"}},
        {"domain.damping", "1.5", CONFIGURATION, {"domain.damping: 1.5 is out of range: 0 to 1"}},
        {"physics.gravity",
         "[0, -1]",
         CONFIGURATION,
         {"physics.gravity: -1 along y, which is periodic: what falls without end"}},
    };
    EXPECT_ALL(fluid_job, cases);
}

static void forces(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"physics", NULL, CONFIGURATION, {"physics.potential: missing"}},
        {"physics.potential", "\"log\"", CONFIGURATION, {"physics.potential: text is given; an object"}},
        {"physics.potential.name", NULL, CONFIGURATION, {"physics.potential.name: missing"}},
        {"physics.potential.name",
         "\"lenard-jones\"",
         CONFIGURATION,
         {"physics.potential.name: \"lenard-jones\" is not one of", "did you mean lennard-jones?"}},
        {"physics.potential.cut_off", "0", CONFIGURATION, {"physics.potential.cut_off: 0 is out of range"}},
        {"physics.potential.cutoff", "2", CONFIGURATION, {"did you mean physics.potential.cut_off?"}},
        {"physics.potential.diameter",
         "-1",
         CONFIGURATION,
         {"physics.potential.diameter: -1 is out of range"}},
        {"physics.potential.name",
         "\"log\"",
         CONFIGURATION,
         {"domain.walls: periodic in x, but the potential's ln r has no end: walls, or attraction 0, are "
          "expected"}},
        {"physics.potential",
         "{\"name\": \"real-gas\", \"attraction\": 0, \"repulsion\": 1, \"repulsion_everywhere\": true}",
         CONFIGURATION,
         {"domain.walls: periodic in x, but the potential's repulsion has no end"}},
        {"physics.potential.name",
         "\"none\"",
         CONFIGURATION,
         {"method.name: cells: without a pair force there is nothing to look for in cells"}},
        {"physics.potential.diameter",
         "1e-7",
         CONFIGURATION,
         {"physics.potential.diameter: 1e-07: its sixth power is too small for single precision"}},
        {"physics.gravity", "1", CONFIGURATION, {"physics.gravity: a list of two numbers"}},
        {"physics.limiters",
         "{\"mean_energy\": 0.5}",
         CONFIGURATION,
         {"physics.limiters.mean_energy: 0.5: more than 1"}},
        {"physics.limiters",
         "{\"speed_jump\": 1}",
         CONFIGURATION,
         {"physics.limiters.speed_jump: 1: more than 1"}},
    };
    EXPECT_ALL(fluid_job, cases);
    static const struct bad thermostats[] = {
        {"physics.thermostat.temperature",
         "0",
         CONFIGURATION,
         {"physics.thermostat.temperature: 0: a thermostat needs a temperature above 0"}},
        {"physics.thermostat.temperature", NULL, CONFIGURATION, {"physics.thermostat.temperature: missing"}},
        {"physics.thermostat.name",
         "\"nose-hoover\"",
         CONFIGURATION,
         {"physics.thermostat.name: \"nose-hoover\" is not one of: langevin, bussi"}},
        {"physics.thermostat.name", NULL, CONFIGURATION, {"physics.thermostat.name: missing"}},
        {"physics.thermostat.relaxation_time", "0", CONFIGURATION, {"relaxation_time: 0 is out of range"}},
        {"particles.lattice.temperature",
         "0",
         CONFIGURATION,
         {"particles.lattice.temperature: the particles are at rest, and thermostat bussi"}},
        {"method.integrator",
         "\"symplectic-euler\"",
         CONFIGURATION,
         {"physics.thermostat: belongs to integrator leapfrog; symplectic-euler runs without"}},
    };
    EXPECT_ALL(thermostat_job, thermostats);
}

static void cells(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"domain.walls",
         "\"periodic\"",
         CONFIGURATION,
         {"domain.walls: periodic in x, but the potential's ln r"}},
        {"physics.potential.cut_off",
         "4.5",
         CONFIGURATION,
         {"method.regions: the cut-off, 4.5, is larger than a cell of 10 columns and 10 rows, whose shorter "
          "side is 4"}},
        {"physics.potential.repulsion_everywhere",
         "true",
         CONFIGURATION,
         {"method.name: cells: a repulsion everywhere goes beyond the near cells"}},
        {"method.regions.near",
         "1.2",
         CONFIGURATION,
         {"method.regions.near: 1.2 leaves out the cells at a cell's corners"}},
        {"method.regions.far", "1.5", CONFIGURATION, {"method.regions.far: 1.5 is less than near, 2"}},
        {"method.regions.order", "2", CONFIGURATION, {"method.regions.order: 2 is out of range: 0 to 1"}},
        {"method.regions.rows",
         NULL,
         CONFIGURATION,
         {"method.regions: columns and rows are expected together"}},
        {"method.regions.columns", "0", CONFIGURATION, {"method.regions.columns: 0 is out of range"}},
        {"method.regions",
         "{\"columns\": 32768, \"rows\": 32768}",
         CONFIGURATION,
         {"method.regions: 32768 by 32768 cells are more than the 67108864 that can be counted"}},
        {"method.neighbours", "0", CONFIGURATION, {"method.neighbours: 0 is out of range"}},
        {"method.skin", "-0.1", CONFIGURATION, {"method.skin: -0.1 is out of range"}},
        {"method.name",
         "\"cell\"",
         CONFIGURATION,
         {"method.name: \"cell\" is not one of", "did you mean cells?"}},
    };
    EXPECT_ALL(condensing_job, cases);
    cJSON *job = condensing_job();
    cli_set(job, "domain.walls", "\"field-corrected\"");
    const struct bad euler = {
        "method.integrator",
        "\"symplectic-euler\"",
        CONFIGURATION,
        {"domain.walls: field-corrected walls know the parabola of integrator leapfrog"}};
    expect_bad(job, &euler);
    job = condensing_job();
    cli_set(job, "domain.walls", "\"field-corrected\"");
    const struct bad noise = {"physics.thermostat",
                              "{\"name\": \"langevin\", \"temperature\": 1}",
                              CONFIGURATION,
                              {"domain.walls: field-corrected walls know no noise"}};
    expect_bad(job, &noise);
}

static void steps_and_outputs(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"time.duration", NULL, CONFIGURATION, {"time.duration: missing"}},
        {"time.duration", "\"10 s\"", CONFIGURATION, {"time.duration"}},
        {"time.duration", "0", CONFIGURATION, {"time.duration: 0 is out of range"}},
        {"time.duration", "1e999", CONFIGURATION, {"time"}},
        {"time.step", "1", CONFIGURATION, {"time.step: is longer than the run: 1 of a duration of 0.02"}},
        {"time.step", "-1", CONFIGURATION, {"time.step: -1 is out of range"}},
        {"time.step", NULL, CONFIGURATION, {"time.step: missing"}},
        {"time.step", "\"auto\"", CONFIGURATION, {"time.step"}},
        {"time",
         "{\"duration\": 1e12, \"step\": 1e-12}",
         CONFIGURATION,
         {"time.step: 1e+12 in steps of 1e-12 would take 1e24 steps; at most 1e+15 are possible"}},
        {"backend", "\"opencl\"", CONFIGURATION, {"backend", "opencl"}},
        {"units", "\"si\"", CONFIGURATION, {"units: unknown key"}},
        {"output.fields",
         "{\"every\": 0.01, \"stride\": 200}",
         CONFIGURATION,
         {"output.fields.stride: of 200 particles only the first is left"}},
        {"output.fields",
         "{\"every\": 0.01, \"variables\": [\"force\"]}",
         CONFIGURATION,
         {"\"force\" is not one of: position, velocity"}},
        {"output.structure", "{}", CONFIGURATION, {"output.structure.every: missing"}},
        {"output.structure",
         "{\"every\": 0.01, \"from\": 1}",
         CONFIGURATION,
         {"output.structure.from: 1 comes after the end of the run, 0.02"}},
        {"output.structure",
         "{\"every\": 0.01, \"radius\": 11}",
         CONFIGURATION,
         {"output.structure.radius: 11 is more than half the shorter side of the box, 10"}},
        {"output.structure",
         "{\"every\": 0.01, \"cluster_distance\": 11}",
         CONFIGURATION,
         {"output.structure.cluster_distance: 11 is more than half the shorter side of the box, 10"}},
        {"memory", "{\"host\": \"1 kB\"}", MACHINE, {"memory"}},
    };
    EXPECT_ALL(fluid_job, cases);
    // More particles than the limit holds: refused before anything is made, with the largest arrays.
    cJSON *job = fluid_job();
    cli_set(job, "memory", "{\"host\": \"1 GB\"}");
    cli_set(job, "domain", "{\"density\": 0.5, \"walls\": \"periodic\"}");
    const struct bad absurd = {"particles.lattice.count", "1000000000", MACHINE, {"memory"}};
    expect_bad(job, &absurd);
    // Without a core nobody knows who is near.
    job = job_of("{\"lattice\": {\"count\": 9, \"temperature\": 1}}", "{\"size\": [20, 20]}",
                 "{\"potential\": {\"name\": \"log\"}}");
    const struct bad near = {"output.structure",
                             "{\"every\": 0.01}",
                             CONFIGURATION,
                             {"output.structure.cluster_distance: is missing: this potential has no core"}};
    expect_bad(job, &near);
}

// What goes wrong in a run is named with its step and particle, and says what may help.
static void runs_that_cannot_go_on(void **state)
{
    (void)state;
    static const struct bad leap = {
        "time",
        "{\"duration\": 30, \"step\": 2}",
        DATA,
        {"after step 1 (time 2) particle ",
         "went further in one step than a cell or the cut-off is wide: it is at (", "velocity (",
         "a smaller time.step may help"}};
    static const char *const backends[] = {"openmp", "reference"};
    for (int b = 0; b < 2; b++) {
        cJSON *job = fluid_job();
        cli_set_text(job, "backend", "%s", backends[b]);
        expect_bad(job, &leap);
    }
    cJSON *job = fluid_job();
    cli_set(job, "method", NULL);
    const struct bad overlap = {
        "domain",
        "{\"size\": [0.002, 0.002]}",
        CONFIGURATION,
        {"particles.lattice: neighbouring sites are too near: 0.000146772 apart, with an energy of 4e+46",
         "more than 0.553 apart, or a smaller time.step, is expected"}};
    expect_bad(job, &overlap);
    static const struct bad crowded = {"method.neighbours",
                                       "4",
                                       DATA,
                                       {"after step 0 (time 0) particle ",
                                        "has more neighbours than its list holds: it is at (",
                                        "a larger method.neighbours or a smaller method.skin may help"}};
    expect_bad(fluid_job(), &crowded);
}

// What changes nothing is said, once, and the run goes on.
static void keys_in_vain(void **state)
{
    (void)state;
    static const struct {
        cJSON *(*job)(void);
        const char *key, *json, *fragment; // NULL: it does something
    } cases[] = {
        {fluid_job, "physics.potential.attraction", "2", "only log, real-gas and condensing have it"},
        {fluid_job, "physics.potential.softening", "0.1", "only log, real-gas and condensing have it"},
        {fluid_job, "physics.potential.smooth", "true", "only real-gas and condensing have it"},
        {fluid_job, "physics.potential.well_depth", "2", NULL},
        {fluid_job, "method.regions", "{\"columns\": 4, \"rows\": 4}",
         "only method cells of a potential with ln r"},
        {fluid_job, "method.neighbours", "60", NULL},
        {fluid_job, "domain.damping", "0.5", "no wall is damped"},
        {fluid_job, "domain.stiffness", "5", "no wall is soft"},
        {fluid_job, "domain.aspect", "2", "domain.size is given"},
        {fluid_job, "output.fields", "{\"stride\": 2}",
         "no trajectory is written without output.fields.every"},
        {fluid_job, "check", "{\"tolerance\": 1}", "no steps are checked without check.reference_steps"},
        {thermostat_job, "physics.thermostat.friction", "2", "only langevin has it"},
        {thermostat_job, "physics.thermostat.relaxation_time", "2", NULL},
        {condensing_job, "physics.potential.well_depth", "2", "only Lennard-Jones has it"},
        {condensing_job, "method.neighbours", "60", "only method cells of a potential that ends has lists"},
        {condensing_job, "physics.potential.attraction2", "9", NULL},
        {file_job, "particles.file.seed", "9", "only with particles.file.temperature numbers are drawn"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cJSON *job = cases[k].job();
        cli_set(job, cases[k].key, cases[k].json);
        const struct cli_result *result = run(job);
        const char *said = strstr(result->error, "has no effect: ");
        if (result->exit_code != 0 || !said != !cases[k].fragment ||
            (said && strncmp(said + 15, cases[k].fragment, strlen(cases[k].fragment)) != 0) ||
            (said && strstr(said + 1, "has no effect")))
            fail_msg("%s = %s: exit code %d, \"%s\"", cases[k].key, cases[k].json, result->exit_code,
                     result->error);
    }
}

static void a_box_too_wide_for_single_precision(void **state)
{
    (void)state;
    static const char warning[] =
        "precision: of all pairs in single precision, places in so wide a box are rounded";
    static const struct {
        const char *size, *precision;
        bool is_warned;
    } cases[] = {{"[9000, 20]", "\"single\"", false},
                 {"[20, 20000]", "\"single\"", true},
                 {"[20, 20000]", "\"double\"", false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cJSON *job = fluid_job();
        cli_set(job, "method.name", "\"all-pairs\"");
        cli_set(job, "domain.size", cases[k].size);
        cli_set(job, "precision", cases[k].precision);
        const struct cli_result *result = run(job);
        assert_int_equal(result->exit_code, 0);
        assert_true((strstr(result->error, warning) != NULL) == cases[k].is_warned);
    }
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, cli_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(the_jobs_themselves_run),
        WITH_FOLDER(particles),
        WITH_FOLDER(boxes_and_walls),
        WITH_FOLDER(forces),
        WITH_FOLDER(cells),
        WITH_FOLDER(steps_and_outputs),
        WITH_FOLDER(runs_that_cannot_go_on),
        WITH_FOLDER(keys_in_vain),
        WITH_FOLDER(a_box_too_wide_for_single_precision),
    };
    return cmocka_run_group_tests_name("gas bad input", tests, NULL, NULL);
}
