// Every way in which an Ising job can be wrong: one line, the right exit code, the key and what was expected.
// What is wrong with files of spins stands in test_ising_bad_files.c.
#include "tests/support/ising_job.h"
#include "tests/support/refusals.h"
#include "tests/support/test.h"

static cJSON *cluster_job(void)
{
    return cli_change(ising_job(), "method = {'name': 'swendsen-wang'}");
}

static cJSON *helical_job(void)
{
    return cli_change(ising_job(), "lattice.boundary = 'helical'");
}

TEST(the_jobs_themselves_run)
{
    cli_assert_done(run(ising_job()));
    cli_assert_done(run(cluster_job()));
    cli_assert_done(run(helical_job()));
}

TEST(lattices)
{
    static const struct bad cases[] = {
        BAD("delete lattice", "lattice: missing"),
        BAD("lattice = 16", "lattice: a number is given; an object"),
        BAD("delete lattice.columns", "lattice.columns: missing; it is required: sites along x"),
        BAD("lattice.columns = 0", "lattice.columns: 0 is out of range: 4 to 16777216"),
        BAD("lattice.columns = -8", "lattice.columns: -8 is out of range"),
        BAD("lattice.columns = 2", "lattice.columns: 2 is out of range: 4 to"),
        BAD("lattice.columns = 1e9", "lattice.columns", "16777216"),
        BAD("lattice.columns = 12.5", "12.5 is given; a whole number is expected"),
        BAD("lattice.columns = '12'", "lattice.columns: text is given"),
        BAD("lattice.columns = 13",
            "lattice.columns: 13: an even number is expected: spins of even and of odd x"),
        BAD("lattice.rows = 7", "lattice.rows: 7 rows: method metropolis decides a periodic lattice in 2 "
                                "phases and needs an even number"),
        BAD("lattice.boundary = 'free'", "lattice.boundary: \"free\" is not one of: periodic, helical"),
        BAD("lattice.replicas = 0", "lattice.replicas: 0 is out of range: 1 to 16777216"),
        BAD("lattice = {'columns': 16777216, 'rows': 16777216, 'replicas': 1000}",
            "lattice: 2.81475e+17 spins are more than the 2.81475e+14 that can be counted"),
        BAD("lattice.colums = 12", "lattice.colums: unknown key (did you mean lattice.columns?)"),
        BAD_AS(SYSTEM, "lattice = {'columns': 16777216}", "memory"),
    };
    EXPECT_ALL(ising_job, cases);
    static const struct bad helical[] = {
        BAD("lattice.rows = 7",
            "lattice.rows: 7 rows: method metropolis decides a helical lattice in 4 phases"),
        BAD("lattice.columns = 9", "lattice.columns: 9: an even number is expected"),
    };
    EXPECT_ALL(helical_job, helical);
    static const struct bad clusters[] = {
        BAD("lattice = {'columns': 65536, 'rows': 32768}",
            "lattice: 2147483648 spins: the clusters of method swendsen-wang are numbered by 31 bits: fewer "
            "than 2147483648 spins"),
        BAD("lattice.columns = 9", "lattice.columns: 9: an even number is expected"),
    };
    EXPECT_ALL(cluster_job, clusters);
    // Without sublattices an odd number of rows is valid.
    cli_assert_done(run(cli_change(cluster_job(), "lattice.rows = 7")));
}

TEST(physics_and_methods)
{
    static const struct bad cases[] = {
        BAD("physics = {'coupling': 0}", "physics.coupling: 0: independent spins need no simulation"),
        BAD("physics = {'coupling': 1e7}", "physics.coupling: 10000000 is out of range: -1000000 to 1000000"),
        BAD("physics = {'field': '1 T'}", "physics.field: text is given"),
        BAD("physics = {'feild': 1}", "did you mean physics.field?"),
        BAD("method = {'name': 'glauber'}", "method.name: \"glauber\" is not one of"),
        BAD("method = {'name': 'swendsenwang'}", "method.name: \"swendsenwang\" is not one of",
            "did you mean swendsen-wang?"),
        BAD("method = {'seed': -1}", "method.seed: -1 is out of range"),
        BAD("start = {'kind': 'warm'}", "start.kind: \"warm\" is not one of: cold, hot"),
        BAD("start = {'kind': 'stripes'}", "start.kind: stripes: on a periodic lattice method metropolis "
                                           "never leaves them: flipping any spin costs nothing"),
    };
    EXPECT_ALL(ising_job, cases);
    static const struct bad clusters[] = {BAD("physics = {'field': 0.1}",
                                              "physics.field: 0.1: method swendsen-wang needs a field of 0; "
                                              "with a field use method metropolis or heat-bath")};
    EXPECT_ALL(cluster_job, clusters);
    // A method that leaves the stripes may start with them.
    static const char *const leaving[][2] = {{"method", "{'name': 'heat-bath'}"},
                                             {"lattice.boundary", "\"helical\""},
                                             {"physics", "{'field': 0.1}"},
                                             {"method", "{'name': 'wolff'}"}};
    for (size_t k = 0; k < COUNT(leaving); k++) {
        cJSON *job = cli_change(ising_job(), "start = {'kind': 'stripes'}");
        cli_set(job, leaving[k][0], leaving[k][1]);
        cli_assert_done(run(job));
    }
}

TEST(temperatures)
{
    static const struct bad cases[] = {
        BAD("delete temperatures", "temperatures: needs one of beta, temperature and range, not 0"),
        BAD("temperatures = 0.44", "temperatures: a number is given; an object {...} is expected"),
        BAD("temperatures.temperature = 2", "temperatures: needs one of", "not 2 of them"),
        BAD("temperatures.range = {'first': 0.4, 'last': 0.5, 'count': 3}", "temperatures: needs one of",
            "not 2 of them"),
        BAD("temperatures.beta = []", "temperatures.beta: the list is empty"),
        BAD("temperatures.beta = -0.4", "temperatures.beta: -0.4: beta from 1e-06 to 1e+06 is expected"),
        BAD("temperatures.beta = [0.4, 0]", "temperatures.beta: number 1 (counted from 0): 0: beta from"),
        BAD("temperatures.beta = 1e999", "job.json"),
        BAD("temperatures.beta = [0.4, '0.5']",
            "temperatures.beta: number 1 (counted from 0): a bare number above 0 is expected"),
        BAD("temperatures.beta = '0.4'", "temperatures.beta: a bare number above 0"),
        BAD("temperatures.beta = {'first': 1}", "temperatures.beta: a bare number above 0"),
        BAD("temperatures.beta = null", "temperatures.beta: a bare number above 0"),
        BAD("temperatures.beta = [0.4, 2000]",
            "temperatures: number 1 (counted from 0): beta 2000 makes beta |J| 2000", "at most 1000"),
        BAD("temperatures = {'temperature': [2, 0]}",
            "temperatures.temperature: number 1 (counted from 0): 0: a temperature from 1e-06"),
        BAD("temperatures = {'temperature': -2}", "temperatures.temperature: -2: a temperature from"),
        BAD("temperatures = {'range': {'first': 0.4, 'last': 0.5}}", "temperatures.range.count: missing"),
        BAD("temperatures = {'range': {'first': 0, 'last': 0.5, 'count': 5}}",
            "temperatures.range.first: 0 is out of range"),
        BAD("temperatures = {'range': {'first': 0.4, 'last': 0.5, 'count': 1}}",
            "temperatures.range.count: 1 is out of range: 2 to 10000"),
        BAD("temperatures.order = 'random'",
            "temperatures.order: \"random\" is not one of: temper, independent"),
    };
    EXPECT_ALL(ising_job, cases);
}

TEST(sweeps)
{
    static const struct bad cases[] = {
        BAD("delete sweeps", "sweeps: missing"),
        BAD("delete sweeps.count", "sweeps.count: missing"),
        BAD("sweeps.count = 0", "sweeps.count: 0 is out of range"),
        BAD("sweeps.count = 401", "sweeps.count: 401 is not a multiple of sweeps.every, 2: 402 would be one"),
        BAD("sweeps.every = 0", "sweeps.every: 0 is out of range"),
        BAD("sweeps.every = 7", "sweeps.count: 400 is not a multiple of sweeps.every, 7: 406"),
        BAD("sweeps.thermalisation = 101",
            "sweeps.thermalisation: 101 is not a multiple of sweeps.every, 2: 102"),
        BAD("sweeps.thermalisation = 400",
            "sweeps.thermalisation: 400 sweeps are dropped of 400: nothing would be left"),
        BAD("sweeps.thermalisation = -2", "sweeps.thermalisation: -2 is out of range"),
        BAD("sweeps.thermalisation = 380",
            "sweeps: 10 measurements at a temperature after thermalisation: 16 at least are expected"),
        BAD("sweeps.count = 60", "sweeps: 15 measurements at a temperature after thermalisation (which may "
                                 "take half of them): 16"),
        BAD("sweeps.count = 4294967296", "sweeps.count: 4294967296 is out of range"),
        BAD("sweeps.count = 3000000000",
            "sweeps.count: 3000000000 at each of 2 temperatures: at most 4294967295 sweeps in all"),
        BAD("sweeps.counts = 400", "did you mean sweeps.count?"),
    };
    EXPECT_ALL(ising_job, cases);
}

TEST(analysis)
{
    static const struct bad cases[] = {
        BAD("analysis = {'blocks': 1}", "analysis.blocks: 1 is out of range: 2 to 65536"),
        BAD("analysis = {'block_times': 0.5}", "analysis.block_times: 0.5 is out of range"),
        BAD("analysis = {'bins': 1}", "analysis.bins: 1 is out of range"),
        BAD("analysis = {'lags': 101}",
            "analysis.lags: 101: of a temperature's measurements 100 may be left after thermalisation"),
        BAD("analysis = {'reweighting': {'width': 0.6}}", "analysis.reweighting.width: 0.6 is out of range"),
        BAD("analysis = {'reweighting': true}", "analysis.reweighting: true or false is given"),
    };
    EXPECT_ALL(ising_job, cases);
}

TEST(outputs)
{
    static const struct bad cases[] = {
        BAD("output.configurations = {}", "output.configurations.every: missing"),
        BAD("output.configurations = {'every': 10, 'format': 'text'}",
            "output.configurations.format: \"text\" is not one of: packed, bytes"),
        BAD("output.configurations = {'every': 801}",
            "output.configurations.every: 801 is more than the sweeps of the whole run, 800"),
        BAD("output.correlations = {}", "output.correlations.every: missing"),
        BAD("output.correlations = {'every': 5}",
            "output.correlations.every: 5 is not a multiple of sweeps.every, 2"),
        BAD("output.correlations = {'every': 200}",
            "output.correlations.every: 200: of a temperature's sweeps 200 may be left after thermalisation"),
        BAD("output.correlations = {'every': 10, 'distances': [1, 2, 5]}",
            "output.correlations.distances: number 2 (counted from 0): 5: 3 to 4 is expected"),
        BAD("output.correlations = {'every': 10, 'distances': [2, 2]}",
            "output.correlations.distances: number 1 (counted from 0): 2: 3 to 4 is expected"),
        BAD("output.correlations = {'every': 10, 'distances': [0]}",
            "output.correlations.distances: number 0 (counted from 0): 0: 1 to 4"),
        BAD("output.correlations = {'every': 10, 'distances': [1.5]}",
            "number 0 (counted from 0): a whole number of sites is expected"),
        BAD("output.correlations = {'every': 10, 'distances': 4}",
            "output.correlations.distances: a list of 1 to 4096 whole numbers"),
        BAD("output.correlations = {'every': 10, 'distances': []}",
            "output.correlations.distances: a list of 1 to 4096 whole numbers"),
        BAD("sweeps = {'count': 100000000, 'every': 1000000}; output.configurations = {'every': 10}",
            "output.configurations.every: 10 makes 20000000 configurations: at most 10000000"),
    };
    EXPECT_ALL(ising_job, cases);
}

// Keys that all other models share.
TEST(keys_of_other_models)
{
    static const struct bad cases[] = {
        BAD("time = {'duration': 100}",
            "time: is not a key of model ising: sweeps.count gives the length of the run"),
        BAD("precision = 'double'", "precision: is not a key of model ising: spins are bits"),
        BAD("output.fields = {'every': 1}",
            "output.fields: is not a key of model ising: output.configurations writes the spins"),
        BAD("output.precision = 'double'", "output.precision: is not a key of model ising"),
        BAD("output.diagnostics = {'every': 1}", "output.diagnostics: is not a key of model"),
        BAD("check = {'reference_steps': 1, 'tolerance': 1}",
            "check.tolerance: is not a key of model ising: the spins of two back ends are the same"),
    };
    EXPECT_ALL(ising_job, cases);
    const struct cli_result *result = cli_do("run --explain ising");
    assert_has(result->output, "sweeps.count");
    assert_null(strstr(result->output, "time.duration"));
    assert_null(strstr(result->output, "check.tolerance"));
}

static void expect_warning(cJSON *job, const char *key, const char *json, const char *fragment)
{
    cli_set(job, key, json);
    const struct cli_result *result = run(job);
    cli_assert_done(result);
    if (!strstr(result->error, fragment))
        fail_msg("%s = %s: \"%s\" does not say \"%s\"", key, json, result->error, fragment);
}

// Harmless mistakes are reported.
TEST(warnings)
{
    expect_warning(ising_job(), "start", "{'file': 'nowhere.nc'}",
                   "start.file: has no effect: start.kind is not file");
    expect_warning(ising_job(), "start", "{'record': 1}", "start.record: has no effect");
    expect_warning(ising_job(), "start", "{'seed': 1}",
                   "start.seed: has no effect: only a hot start draws spins");
    expect_warning(ising_job(), "temperatures", "{'beta': 0.4, 'order': 'temper'}",
                   "temperatures.order: has no effect: there is one temperature only");
    expect_warning(helical_job(), "physics", "{'coupling': -1}",
                   "physics.coupling: -1: neighbours tend to differ, but across the seam of this lattice "
                   "(helical, 8 rows) they cannot all");
    expect_warning(ising_job(), "temperatures", "{'beta': [0.3, 0.001]}",
                   "method.name: metropolis flips nearly every spin in every sweep at beta 0.001");
}

TEST_MAIN(cli_setup, cli_teardown)
