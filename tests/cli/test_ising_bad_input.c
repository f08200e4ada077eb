// Every way in which an Ising job can be wrong: one line, the right exit code, the key and what was expected.
// What is wrong with files of spins stands in test_ising_bad_files.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/ising_job.h"
#include "tests/support/refusals.h"

static cJSON *cluster_job(void)
{
    cJSON *job = ising_job();
    cli_set(job, "method", "{\"name\": \"swendsen-wang\"}");
    return job;
}

static cJSON *helical_job(void)
{
    cJSON *job = ising_job();
    cli_set(job, "lattice.boundary", "\"helical\"");
    return job;
}

static void the_jobs_themselves_run(void **state)
{
    (void)state;
    cli_assert_done(run(ising_job()));
    cli_assert_done(run(cluster_job()));
    cli_assert_done(run(helical_job()));
}

static void lattices(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"lattice", NULL, CONFIGURATION, {"lattice: missing"}},
        {"lattice", "16", CONFIGURATION, {"lattice: a number is given; an object"}},
        {"lattice.columns", NULL, CONFIGURATION, {"lattice.columns: missing; it is required: sites along x"}},
        {"lattice.columns", "0", CONFIGURATION, {"lattice.columns: 0 is out of range: 4 to 16777216"}},
        {"lattice.columns", "-8", CONFIGURATION, {"lattice.columns: -8 is out of range"}},
        {"lattice.columns", "2", CONFIGURATION, {"lattice.columns: 2 is out of range: 4 to"}},
        {"lattice.columns", "1e9", CONFIGURATION, {"lattice.columns", "16777216"}},
        {"lattice.columns", "12.5", CONFIGURATION, {"12.5 is given; a whole number is expected"}},
        {"lattice.columns", "\"12\"", CONFIGURATION, {"lattice.columns: text is given"}},
        {"lattice.columns",
         "13",
         CONFIGURATION,
         {"lattice.columns: 13: an even number is expected: spins of even and of odd x"}},
        {"lattice.rows",
         "7",
         CONFIGURATION,
         {"lattice.rows: 7 rows: method metropolis decides a periodic lattice in 2 phases and needs an even "
          "number"}},
        {"lattice.boundary",
         "\"free\"",
         CONFIGURATION,
         {"lattice.boundary: \"free\" is not one of: periodic, helical"}},
        {"lattice.replicas", "0", CONFIGURATION, {"lattice.replicas: 0 is out of range: 1 to 16777216"}},
        {"lattice",
         "{\"columns\": 16777216, \"rows\": 16777216, \"replicas\": 1000}",
         CONFIGURATION,
         {"lattice: 2.81475e+17 spins are more than the 2.81475e+14 that can be counted"}},
        {"lattice.colums",
         "12",
         CONFIGURATION,
         {"lattice.colums: unknown key (did you mean lattice.columns?)"}},
        {"lattice", "{\"columns\": 16777216}", MACHINE, {"memory"}},
    };
    EXPECT_ALL(ising_job, cases);
    static const struct bad helical[] = {
        {"lattice.rows",
         "7",
         CONFIGURATION,
         {"lattice.rows: 7 rows: method metropolis decides a helical lattice in 4 phases"}},
        {"lattice.columns", "9", CONFIGURATION, {"lattice.columns: 9: an even number is expected"}},
    };
    EXPECT_ALL(helical_job, helical);
    static const struct bad clusters[] = {
        {"lattice",
         "{\"columns\": 65536, \"rows\": 32768}",
         CONFIGURATION,
         {"lattice: 2147483648 spins: the clusters of method swendsen-wang are numbered by 31 bits: fewer "
          "than "
          "2147483648 spins"}},
        {"lattice.columns", "9", CONFIGURATION, {"lattice.columns: 9: an even number is expected"}},
    };
    EXPECT_ALL(cluster_job, clusters);
    // An odd number of rows is no trouble without phases.
    cJSON *job = cluster_job();
    cli_set(job, "lattice.rows", "7");
    cli_assert_done(run(job));
}

static void physics_and_methods(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"physics",
         "{\"coupling\": 0}",
         CONFIGURATION,
         {"physics.coupling: 0: spins that do not know of each"}},
        {"physics",
         "{\"coupling\": 1e7}",
         CONFIGURATION,
         {"physics.coupling: 10000000 is out of range: -1000000 to 1000000"}},
        {"physics", "{\"field\": \"1 T\"}", CONFIGURATION, {"physics.field: text is given"}},
        {"physics", "{\"feild\": 1}", CONFIGURATION, {"did you mean physics.field?"}},
        {"method", "{\"name\": \"glauber\"}", CONFIGURATION, {"method.name: \"glauber\" is not one of"}},
        {"method",
         "{\"name\": \"swendsenwang\"}",
         CONFIGURATION,
         {"method.name: \"swendsenwang\" is not one of", "did you mean swendsen-wang?"}},
        {"method", "{\"seed\": -1}", CONFIGURATION, {"method.seed: -1 is out of range"}},
        {"backend", "\"opencl\"", CONFIGURATION, {"backend", "opencl"}},
        {"start", "{\"kind\": \"warm\"}", CONFIGURATION, {"start.kind: \"warm\" is not one of: cold, hot"}},
        {"start",
         "{\"kind\": \"stripes\"}",
         CONFIGURATION,
         {"start.kind: stripes: on a periodic lattice method metropolis never leaves them: to turn any spin "
          "costs nothing"}},
    };
    EXPECT_ALL(ising_job, cases);
    static const struct bad clusters[] = {{"physics",
                                           "{\"field\": 0.1}",
                                           CONFIGURATION,
                                           {"physics.field: 0.1: clusters of method swendsen-wang know no "
                                            "field: 0, or metropolis or heat-bath, is expected"}}};
    EXPECT_ALL(cluster_job, clusters);
    // Whoever leaves the stripes may begin with them.
    static const char *const leaving[][2] = {{"method", "{\"name\": \"heat-bath\"}"},
                                             {"lattice.boundary", "\"helical\""},
                                             {"physics", "{\"field\": 0.1}"},
                                             {"method", "{\"name\": \"wolff\"}"}};
    for (size_t k = 0; k < sizeof leaving / sizeof *leaving; k++) {
        cJSON *job = ising_job();
        cli_set(job, "start", "{\"kind\": \"stripes\"}");
        cli_set(job, leaving[k][0], leaving[k][1]);
        cli_assert_done(run(job));
    }
}

static void temperatures(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"temperatures",
         NULL,
         CONFIGURATION,
         {"temperatures: needs one of beta, temperature and range, not 0"}},
        {"temperatures",
         "0.44",
         CONFIGURATION,
         {"temperatures: a number is given; an object {...} is expected"}},
        {"temperatures.temperature", "2", CONFIGURATION, {"temperatures: needs one of", "not 2 of them"}},
        {"temperatures.range",
         "{\"first\": 0.4, \"last\": 0.5, \"count\": 3}",
         CONFIGURATION,
         {"temperatures: needs one of", "not 2 of them"}},
        {"temperatures.beta", "[]", CONFIGURATION, {"temperatures.beta: the list is empty"}},
        {"temperatures.beta",
         "-0.4",
         CONFIGURATION,
         {"temperatures.beta: -0.4: beta from 1e-06 to 1e+06 is expected"}},
        {"temperatures.beta",
         "[0.4, 0]",
         CONFIGURATION,
         {"temperatures.beta: number 1 (counted from 0): 0: beta from"}},
        {"temperatures.beta", "1e999", CONFIGURATION, {"job.json"}},
        {"temperatures.beta",
         "[0.4, \"0.5\"]",
         CONFIGURATION,
         {"temperatures.beta: number 1 (counted from 0): a bare number above 0 is expected"}},
        {"temperatures.beta", "\"0.4\"", CONFIGURATION, {"temperatures.beta: a bare number above 0"}},
        {"temperatures.beta", "{\"first\": 1}", CONFIGURATION, {"temperatures.beta: a bare number above 0"}},
        {"temperatures.beta", "null", CONFIGURATION, {"temperatures.beta: a bare number above 0"}},
        {"temperatures.beta",
         "[0.4, 2000]",
         CONFIGURATION,
         {"temperatures: number 1 (counted from 0): beta 2000 makes beta |J| 2000", "at most 1000"}},
        {"temperatures",
         "{\"temperature\": [2, 0]}",
         CONFIGURATION,
         {"temperatures.temperature: number 1 (counted from 0): 0: a temperature from 1e-06"}},
        {"temperatures",
         "{\"temperature\": -2}",
         CONFIGURATION,
         {"temperatures.temperature: -2: a temperature from"}},
        {"temperatures",
         "{\"range\": {\"first\": 0.4, \"last\": 0.5}}",
         CONFIGURATION,
         {"temperatures.range.count: missing"}},
        {"temperatures",
         "{\"range\": {\"first\": 0, \"last\": 0.5, \"count\": 5}}",
         CONFIGURATION,
         {"temperatures.range.first: 0 is out of range"}},
        {"temperatures",
         "{\"range\": {\"first\": 0.4, \"last\": 0.5, \"count\": 1}}",
         CONFIGURATION,
         {"temperatures.range.count: 1 is out of range: 2 to 10000"}},
        {"temperatures.order",
         "\"random\"",
         CONFIGURATION,
         {"temperatures.order: \"random\" is not one of: temper, independent"}},
    };
    EXPECT_ALL(ising_job, cases);
}

static void sweeps(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"sweeps", NULL, CONFIGURATION, {"sweeps: missing"}},
        {"sweeps.count", NULL, CONFIGURATION, {"sweeps.count: missing"}},
        {"sweeps.count", "0", CONFIGURATION, {"sweeps.count: 0 is out of range"}},
        {"sweeps.count",
         "401",
         CONFIGURATION,
         {"sweeps.count: 401 is not a multiple of sweeps.every, 2: 402 would be one"}},
        {"sweeps.every", "0", CONFIGURATION, {"sweeps.every: 0 is out of range"}},
        {"sweeps.every", "7", CONFIGURATION, {"sweeps.count: 400 is not a multiple of sweeps.every, 7: 406"}},
        {"sweeps.thermalisation",
         "101",
         CONFIGURATION,
         {"sweeps.thermalisation: 101 is not a multiple of sweeps.every, 2: 102"}},
        {"sweeps.thermalisation",
         "400",
         CONFIGURATION,
         {"sweeps.thermalisation: 400 sweeps are dropped of 400: nothing would be left"}},
        {"sweeps.thermalisation", "-2", CONFIGURATION, {"sweeps.thermalisation: -2 is out of range"}},
        {"sweeps.thermalisation",
         "380",
         CONFIGURATION,
         {"sweeps: 10 measurements at a temperature after thermalisation: 16 at least are expected"}},
        {"sweeps.count",
         "60",
         CONFIGURATION,
         {"sweeps: 15 measurements at a temperature after thermalisation (which may take half of them): 16"}},
        {"sweeps.count", "4294967296", CONFIGURATION, {"sweeps.count: 4294967296 is out of range"}},
        {"sweeps.count",
         "3000000000",
         CONFIGURATION,
         {"sweeps.count: 3000000000 at each of 2 temperatures: at most 4294967295 sweeps in all"}},
        {"sweeps.counts", "400", CONFIGURATION, {"did you mean sweeps.count?"}},
    };
    EXPECT_ALL(ising_job, cases);
}

static void analysis(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"analysis", "{\"blocks\": 1}", CONFIGURATION, {"analysis.blocks: 1 is out of range: 2 to 65536"}},
        {"analysis", "{\"block_times\": 0.5}", CONFIGURATION, {"analysis.block_times: 0.5 is out of range"}},
        {"analysis", "{\"bins\": 1}", CONFIGURATION, {"analysis.bins: 1 is out of range"}},
        {"analysis",
         "{\"lags\": 101}",
         CONFIGURATION,
         {"analysis.lags: 101: of a temperature's measurements 100 may be left after thermalisation"}},
        {"analysis",
         "{\"reweighting\": {\"width\": 0.6}}",
         CONFIGURATION,
         {"analysis.reweighting.width: 0.6 is out of range"}},
        {"analysis",
         "{\"reweighting\": true}",
         CONFIGURATION,
         {"analysis.reweighting: true or false is given"}},
    };
    EXPECT_ALL(ising_job, cases);
}

static void outputs(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"output.configurations", "{}", CONFIGURATION, {"output.configurations.every: missing"}},
        {"output.configurations",
         "{\"every\": 10, \"format\": \"text\"}",
         CONFIGURATION,
         {"output.configurations.format: \"text\" is not one of: packed, bytes"}},
        {"output.configurations",
         "{\"every\": 801}",
         CONFIGURATION,
         {"output.configurations.every: 801 is more than the sweeps of the whole run, 800"}},
        {"output.correlations", "{}", CONFIGURATION, {"output.correlations.every: missing"}},
        {"output.correlations",
         "{\"every\": 5}",
         CONFIGURATION,
         {"output.correlations.every: 5 is not a multiple of sweeps.every, 2"}},
        {"output.correlations",
         "{\"every\": 200}",
         CONFIGURATION,
         {"output.correlations.every: 200: of a temperature's sweeps 200 may be left after thermalisation"}},
        {"output.correlations",
         "{\"every\": 10, \"distances\": [1, 2, 5]}",
         CONFIGURATION,
         {"output.correlations.distances: number 2 (counted from 0): 5: 3 to 4 is expected"}},
        {"output.correlations",
         "{\"every\": 10, \"distances\": [2, 2]}",
         CONFIGURATION,
         {"output.correlations.distances: number 1 (counted from 0): 2: 3 to 4 is expected"}},
        {"output.correlations",
         "{\"every\": 10, \"distances\": [0]}",
         CONFIGURATION,
         {"output.correlations.distances: number 0 (counted from 0): 0: 1 to 4"}},
        {"output.correlations",
         "{\"every\": 10, \"distances\": [1.5]}",
         CONFIGURATION,
         {"number 0 (counted from 0): a whole number of sites is expected"}},
        {"output.correlations",
         "{\"every\": 10, \"distances\": 4}",
         CONFIGURATION,
         {"output.correlations.distances: a list of 1 to 4096 whole numbers"}},
        {"output.correlations",
         "{\"every\": 10, \"distances\": []}",
         CONFIGURATION,
         {"output.correlations.distances: a list of 1 to 4096 whole numbers"}},
        {"memory", "{\"host\": \"1 kB\"}", MACHINE, {"memory"}},
    };
    EXPECT_ALL(ising_job, cases);
    cJSON *job = ising_job();
    cli_set(job, "sweeps", "{\"count\": 100000000, \"every\": 1000000}");
    const struct bad many = {
        "output.configurations",
        "{\"every\": 10}",
        CONFIGURATION,
        {"output.configurations.every: 10 makes 20000000 configurations: at most 10000000"}};
    expect_bad(job, &many);
}

// Keys that all other models share.
static void keys_of_other_models(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"time",
         "{\"duration\": 100}",
         CONFIGURATION,
         {"time: is not a key of model ising: sweeps.count says how long the run is"}},
        {"precision",
         "\"double\"",
         CONFIGURATION,
         {"precision: is not a key of model ising: spins are bits"}},
        {"output.fields",
         "{\"every\": 1}",
         CONFIGURATION,
         {"output.fields: is not a key of model ising: output.configurations writes the spins"}},
        {"output.precision", "\"double\"", CONFIGURATION, {"output.precision: is not a key of model ising"}},
        {"output.diagnostics",
         "{\"every\": 1}",
         CONFIGURATION,
         {"output.diagnostics: is not a key of model"}},
        {"check",
         "{\"reference_steps\": 1, \"tolerance\": 1}",
         CONFIGURATION,
         {"check.tolerance: is not a key of model ising: the spins of two back ends are the same"}},
    };
    EXPECT_ALL(ising_job, cases);
    const struct cli_result *result = cli_run("run", "--explain", "ising", NULL);
    assert_int_equal(result->exit_code, 0);
    assert_non_null(strstr(result->output, "sweeps.count"));
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

// What does no harm is said.
static void warnings(void **state)
{
    (void)state;
    expect_warning(ising_job(), "start", "{\"file\": \"nowhere.nc\"}",
                   "start.file: has no effect: start.kind is not file");
    expect_warning(ising_job(), "start", "{\"record\": 1}", "start.record: has no effect");
    expect_warning(ising_job(), "start", "{\"seed\": 1}",
                   "start.seed: has no effect: only a hot start draws spins");
    expect_warning(ising_job(), "temperatures", "{\"beta\": 0.4, \"order\": \"temper\"}",
                   "temperatures.order: has no effect: there is one temperature only");
    expect_warning(helical_job(), "physics", "{\"coupling\": -1}",
                   "physics.coupling: -1: neighbours want to differ, but across the seam of this lattice "
                   "(helical, 8 rows) they cannot all");
    expect_warning(ising_job(), "temperatures", "{\"beta\": [0.3, 0.001]}",
                   "method.name: metropolis turns nearly every spin in every sweep at beta 0.001");
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, cli_setup, cli_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(the_jobs_themselves_run),
        WITH_FOLDER(lattices),
        WITH_FOLDER(physics_and_methods),
        WITH_FOLDER(temperatures),
        WITH_FOLDER(sweeps),
        WITH_FOLDER(analysis),
        WITH_FOLDER(outputs),
        WITH_FOLDER(keys_of_other_models),
        WITH_FOLDER(warnings),
    };
    return cmocka_run_group_tests_name("Ising bad input", tests, NULL, NULL);
}
