// Every way in which a gas job can be wrong: one line, the right exit code, the key and what was expected.
// What is wrong with files of particles stands in test_gas_bad_files.c.
#include "tests/support/gas_refusals.h"
#include "tests/support/test.h"

TEST(the_jobs_themselves_run)
{
    cli_assert_done(run(fluid_job()));
    cli_assert_done(run(thermostat_job()));
    cli_assert_done(run(condensing_job()));
    cli_assert_done(run(file_job()));
}

TEST(particles)
{
    static const struct bad cases[] = {
        BAD("particles.lattice.count = 1", "particles.lattice.count: 1 is out of range: 2 to"),
        BAD("particles.lattice.count = -5", "particles.lattice.count: -5 is out of range"),
        BAD("particles.lattice.count = 2.5", "2.5 is given; a whole number is expected"),
        BAD("particles.lattice.count = 1e10", "particles.lattice.count", "1073741824"),
        BAD("delete particles.lattice.count", "particles.lattice.count: missing"),
        BAD("particles.lattice.mass = 0", "particles.lattice.mass: 0 is out of range"),
        BAD("delete particles.lattice.temperature",
            "particles.lattice.temperature: is missing: there is no thermostat to take it from"),
        BAD("particles.lattice.temperature = -1", "particles.lattice.temperature: -1 is out of range"),
        BAD("particles.lattice.temperature = '300 K'", "particles.lattice.temperature"),
        BAD("particles.lattice.jitter = 0.3", "particles.lattice.jitter: 0.3 is out of range: 0 to 0.25"),
        BAD("particles.lattice.kind = 'hexagonal'",
            "particles.lattice.kind: \"hexagonal\" is not one of: square, triangular"),
        BAD("particles.lattice.seed = -1", "particles.lattice.seed: -1 is out of range"),
        BAD("particles.latice = {'count': 5}",
            "particles.latice: unknown key (did you mean particles.lattice?)"),
        BAD("particles.random = {'count': 5}",
            "particles: needs one of lattice, random and file, not 2 of them"),
        BAD("delete particles.lattice", "particles: needs one of lattice, random and file, not 0"),
        BAD("delete particles", "particles: needs one of"),
        BAD("particles = 5", "particles: a number is given; an object"),
        BAD("particles = {'random': {'count': 400, 'temperature': 1}}",
            "particles.random.distance: 400 discs of diameter 0.9 cover 0.636 of the box: at most 0.5"),
    };
    EXPECT_ALL(fluid_job, cases);
}

TEST(boxes_and_boundaries)
{
    static const struct bad cases[] = {
        BAD("domain.size = [20]", "domain.size: a list of two numbers, [x, y], is expected"),
        BAD("domain.size = 20", "domain.size: a list of two numbers"),
        BAD("domain.size = [20, '20']", "domain.size: number 2 of the two is not a number"),
        BAD("domain.size = [20, 0]", "domain.size: 0 is out of range: 1e-08 to 1e+08"),
        BAD("domain.size = [20, 1e9]", "domain.size: 1e+09 is out of range"),
        BAD("delete domain.size", "domain: one of size and density is expected, not none"),
        BAD("domain.density = 1", "domain: one of size and density is expected, not both"),
        BAD("domain = {'density': 0}", "domain.density: 0 is out of range"),
        BAD("domain = {'density': 1e-12, 'aspect': 1000}", "domain.density: 1e-12 makes a box of"),
        BAD("domain.size = [20, 4.9]",
            "domain: periodic in y, the box is 4.9 long: two cut-offs, 5, are expected at least"),
        BAD("domain.size = [8, 20]", "method.name: cells: periodic in x, the box is 8 long: three times "
                                     "cut-off and skin, 9, are expected"),
        BAD("domain.walls = {'left': 'periodic'}",
            "domain.walls: only one of the two sides of x is periodic: both or none are expected"),
        BAD("domain.walls = {'top': 'rubber'}",
            "domain.walls.top: \"rubber\" is not a kind of wall: one of reflect"),
        BAD("domain.walls = 'refelct'", "domain.walls: \"refelct\" is not a kind of wall",
            "did you mean reflect?"),
        BAD("domain.walls = {'north': 'reflect'}",
            "domain.walls.north: unknown side: left, right, bottom and top are expected"),
        BAD("domain.walls = 3", "domain.walls: no text is given"),
        BAD("domain.walls = ['reflect']", "domain.walls: no text is given"),
        BAD("domain.walls = 'damped'", "domain.damping: is missing"),
        BAD("domain.walls = 'soft'", "domain.stiffness: is missing"),
        BAD("domain.damping = 1.5", "domain.damping: 1.5 is out of range: 0 to 1"),
        BAD("physics.gravity = [0, -1]",
            "physics.gravity: -1 along y, which is periodic: what falls without end"),
    };
    EXPECT_ALL(fluid_job, cases);
}

TEST(forces)
{
    static const struct bad cases[] = {
        BAD("delete physics", "physics.potential: missing"),
        BAD("physics.potential = 'log'", "physics.potential: text is given; an object"),
        BAD("delete physics.potential.name", "physics.potential.name: missing"),
        BAD("physics.potential.name = 'lenard-jones'",
            "physics.potential.name: \"lenard-jones\" is not one of", "did you mean lennard-jones?"),
        BAD("physics.potential.cut_off = 0", "physics.potential.cut_off: 0 is out of range"),
        BAD("physics.potential.cutoff = 2", "did you mean physics.potential.cut_off?"),
        BAD("physics.potential.diameter = -1", "physics.potential.diameter: -1 is out of range"),
        BAD("physics.potential.name = 'log'", "domain.walls: periodic in x, but the potential's ln r has no "
                                              "end: walls, or attraction 0, are expected"),
        BAD("physics.potential = {'name': 'real-gas', 'attraction': 0, 'repulsion': 1, "
            "'repulsion_everywhere': true}",
            "domain.walls: periodic in x, but the potential's repulsion has no end"),
        BAD("physics.potential.name = 'none'", "method.name: cells: without a pair force cells have no use"),
        BAD("physics.potential.diameter = 1e-7",
            "physics.potential.diameter: 1e-07: its sixth power is too small for single precision"),
        BAD("physics.gravity = 1", "physics.gravity: a list of two numbers"),
        BAD("physics.limiters = {'mean_energy': 0.5}", "physics.limiters.mean_energy: 0.5: more than 1"),
        BAD("physics.limiters = {'speed_jump': 1}", "physics.limiters.speed_jump: 1: more than 1"),
    };
    EXPECT_ALL(fluid_job, cases);
    static const struct bad thermostats[] = {
        BAD("physics.thermostat.temperature = 0",
            "physics.thermostat.temperature: 0: a thermostat needs a temperature above 0"),
        BAD("delete physics.thermostat.temperature", "physics.thermostat.temperature: missing"),
        BAD("physics.thermostat.name = 'nose-hoover'",
            "physics.thermostat.name: \"nose-hoover\" is not one of: langevin, bussi"),
        BAD("delete physics.thermostat.name", "physics.thermostat.name: missing"),
        BAD("physics.thermostat.relaxation_time = 0", "relaxation_time: 0 is out of range"),
        BAD("particles.lattice.temperature = 0",
            "particles.lattice.temperature: the particles are at rest, and thermostat bussi"),
        BAD("method.integrator = 'symplectic-euler'",
            "physics.thermostat: belongs to integrator leapfrog; symplectic-euler runs without"),
    };
    EXPECT_ALL(thermostat_job, thermostats);
}

TEST(cells)
{
    static const struct bad cases[] = {
        BAD("domain.walls = 'periodic'", "domain.walls: periodic in x, but the potential's ln r"),
        BAD("physics.potential.cut_off = 4.5", "method.regions: the cut-off, 4.5, is larger than a cell of "
                                               "10 columns and 10 rows, whose shorter side is 4"),
        BAD("physics.potential.repulsion_everywhere = true",
            "method.name: cells: a repulsion everywhere goes beyond the near cells"),
        BAD("method.regions.near = 1.2", "method.regions.near: 1.2 leaves out the cells at a cell's corners"),
        BAD("method.regions.far = 1.5", "method.regions.far: 1.5 is less than near, 2"),
        BAD("method.regions.order = 2", "method.regions.order: 2 is out of range: 0 to 1"),
        BAD("delete method.regions.rows", "method.regions: expected both columns and rows, or neither"),
        BAD("method.regions.columns = 0", "method.regions.columns: 0 is out of range"),
        BAD("method.regions = {'columns': 32768, 'rows': 32768}",
            "method.regions: 32768 by 32768 cells are more than the 67108864 that can be counted"),
        BAD("method.neighbours = 0", "method.neighbours: 0 is out of range"),
        BAD("method.skin = -0.1", "method.skin: -0.1 is out of range"),
        BAD("method.name = 'cell'", "method.name: \"cell\" is not one of", "did you mean cells?"),
    };
    EXPECT_ALL(condensing_job, cases);
    cJSON *job = cli_change(condensing_job(), "domain.walls = 'field-corrected'");
    EXPECT_BAD(job, CONFIGURATION, "method.integrator = 'symplectic-euler'",
               "domain.walls: field-corrected walls need the parabola of integrator leapfrog");
    job = condensing_job();
    EXPECT_BAD(cli_change(job, "domain.walls = 'field-corrected'"), CONFIGURATION,
               "physics.thermostat = {'name': 'langevin', 'temperature': 1}",
               "domain.walls: field-corrected walls exclude noise");
}

TEST(steps_and_outputs)
{
    static const struct bad cases[] = {
        BAD("time = {'duration': 1e12, 'step': 1e-12}",
            "time.step: 1e+12 in steps of 1e-12 would take 1e24 steps; at most 1e+15 are possible"),
        BAD("units = 'si'", "units: unknown key"),
        BAD("output.fields = {'every': 0.01, 'stride': 200}",
            "output.fields.stride: of 200 particles only the first is left"),
        BAD("output.fields = {'every': 0.01, 'variables': ['force']}",
            "\"force\" is not one of: position, velocity"),
        BAD("output.structure = {}", "output.structure.every: missing"),
        BAD("output.structure = {'every': 0.01, 'from': 1}",
            "output.structure.from: 1 comes after the end of the run, 0.02"),
        BAD("output.structure = {'every': 0.01, 'radius': 11}",
            "output.structure.radius: 11 is more than half the shorter side of the box, 10"),
        BAD("output.structure = {'every': 0.01, 'cluster_distance': 11}",
            "output.structure.cluster_distance: 11 is more than half the shorter side of the box, 10"),
    };
    EXPECT_ALL(fluid_job, cases);
    // More particles than the limit holds: refused before anything is made, with the largest arrays.
    cJSON *job =
        cli_change(fluid_job(), "memory = {'host': '1 GB'}; domain = {'density': 0.5, 'walls': 'periodic'}");
    EXPECT_BAD(job, SYSTEM, "particles.lattice.count = 1000000000", "memory");
    // Without a core there is no natural distance of neighbours.
    job = job_of("{'lattice': {'count': 9, 'temperature': 1}}", "{'size': [20, 20]}",
                 "{'potential': {'name': 'log'}}");
    EXPECT_BAD(job, CONFIGURATION, "output.structure = {'every': 0.01}",
               "output.structure.cluster_distance: is missing: this potential has no core");
}

// What goes wrong in a run is named with its step and particle, and states what may help.
TEST(runs_that_cannot_continue)
{
    static const char *const backends[] = {"openmp", "reference"};
    for (int b = 0; b < 2; b++) {
        cJSON *job = cli_change(fluid_job(), "backend = '%s'", backends[b]);
        EXPECT_BAD(job, DATA, "time = {'duration': 30, 'step': 2}", "after step 1 (time 2) particle ",
                   "went further in one step than a cell or the cut-off is wide: it is at (", "velocity (",
                   "a smaller time.step may help");
    }
    cJSON *job = cli_change(fluid_job(), "delete method");
    EXPECT_BAD(
        job, CONFIGURATION, "domain = {'size': [0.002, 0.002]}",
        "particles.lattice: neighbouring sites are too near: 0.000146772 apart, with an energy of 4e+46",
        "more than 0.553 apart, or a smaller time.step, is expected");
    EXPECT_BAD(fluid_job(), DATA, "method.neighbours = 4", "after step 0 (time 0) particle ",
               "has more neighbours than its list holds: it is at (",
               "a larger method.neighbours or a smaller method.skin may help");
}

// A key without effect is reported once, and the run continues.
TEST(keys_without_effect)
{
    static const struct {
        cJSON *(*job)(void);
        const char *key, *json, *fragment; // NULL: it does something
    } cases[] = {
        {fluid_job, "physics.potential.attraction", "2", "only log, real-gas and condensing have it"},
        {fluid_job, "physics.potential.softening", "0.1", "only log, real-gas and condensing have it"},
        {fluid_job, "physics.potential.smooth", "true", "only real-gas and condensing have it"},
        {fluid_job, "physics.potential.well_depth", "2", NULL},
        {fluid_job, "method.regions", "{'columns': 4, 'rows': 4}",
         "only method cells of a potential with ln r"},
        {fluid_job, "method.neighbours", "60", NULL},
        {fluid_job, "domain.damping", "0.5", "no wall is damped"},
        {fluid_job, "domain.stiffness", "5", "no wall is soft"},
        {fluid_job, "domain.aspect", "2", "domain.size is given"},
        {fluid_job, "output.fields", "{'stride': 2}", "no trajectory is written without output.fields.every"},
        {fluid_job, "check", "{'tolerance': 1}", "no steps are checked without check.reference_steps"},
        {thermostat_job, "physics.thermostat.friction", "2", "only langevin has it"},
        {thermostat_job, "physics.thermostat.relaxation_time", "2", NULL},
        {condensing_job, "physics.potential.well_depth", "2", "only Lennard-Jones has it"},
        {condensing_job, "method.neighbours", "60", "only method cells of a potential that ends has lists"},
        {condensing_job, "physics.potential.attraction2", "9", NULL},
        {file_job, "particles.file.seed", "9", "only with particles.file.temperature numbers are drawn"},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
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

TEST(a_box_too_wide_for_single_precision)
{
    static const char warning[] =
        "precision: of all pairs in single precision, places in so wide a box are rounded";
    static const struct {
        const char *size, *precision;
        bool is_warned;
    } cases[] = {{"[9000, 20]", "\"single\"", false},
                 {"[20, 20000]", "\"single\"", true},
                 {"[20, 20000]", "\"double\"", false}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        cJSON *job = cli_change(fluid_job(), "method.name = 'all-pairs'; domain.size = %s; precision = %s",
                                cases[k].size, cases[k].precision);
        const struct cli_result *result = run(job);
        assert_int_equal(result->exit_code, 0);
        assert_true((strstr(result->error, warning) != NULL) == cases[k].is_warned);
    }
}

TEST_MAIN(set_up, cli_teardown)
