// The example job of the Ising model and those of Karkoulis' (2010) production study: each can be planned
// as it stands; shortened, each does what its title says.
#include "models/ising/exact.h"
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

enum { STUDY_TEMPERATURES = 27 };

static cJSON *example(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/data/jobs/%s", TEST_SOURCE_DIRECTORY, name);
    assert_int_equal(cli_run_tool("cp", path, "job.json", NULL)->exit_code, 0);
    return cli_read_json("job.json");
}

// The program that writes the study's jobs, with these arguments.
static const struct cli_result *generate(const char *a, const char *b, const char *c, const char *d)
{
    char path[512];
    snprintf(path, sizeof path, "%s/data/generate-ising-study", TEST_SOURCE_DIRECTORY);
    return cli_run_tool("sh", path, a, b, c, d, NULL);
}

static void run(cJSON *job)
{
    cli_set(job, "output.directory", "\"out\"");
    cli_write_job(job, "job.json");
    cJSON_Delete(job);
    cli_assert_done(cli_run("run", "-q", "--restart", "-b", "openmp", "job.json", NULL));
}

static void expect_plan(const char *job, double steps)
{
    const struct cli_result *result = cli_run("plan", "--json", "-b", "openmp", job, NULL);
    if (result->exit_code != 0)
        fail_msg("%s: exit code %d: %s", job, result->exit_code, result->error);
    cJSON *plan = cJSON_Parse(result->output);
    assert_non_null(plan);
    if (cli_json_number(plan, "steps") != steps || !(cli_json_number(plan, "output_bytes") < 120e6))
        fail_msg("%s: %g sweeps, %g bytes", job, cli_json_number(plan, "steps"),
                 cli_json_number(plan, "output_bytes"));
    cJSON_Delete(plan);
}

static void each_can_be_planned(void **state)
{
    (void)state;
    cJSON_Delete(example("ising-critical.json"));
    expect_plan("job.json", 18000);
    assert_int_equal(generate("study", NULL, NULL, NULL)->exit_code, 0);
    assert_int_equal(cli_count_entries("study"), 9);
    for (int side = 8; side <= 2048; side *= 2) {
        char name[64];
        snprintf(name, sizeof name, "study/ising-L%d.json", side);
        expect_plan(name, 27e6);
    }
}

static void the_generator_says_how_it_is_used(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {NULL, NULL}, {"--size", "8"}, {"study", "other"}, {"study", "--sweeps"}, {"--sweeps", "1e6"}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const struct cli_result *result = generate(wrong[k][0], wrong[k][1], NULL, NULL);
        assert_int_equal(result->exit_code, 64);
        assert_non_null(strstr(result->error, "data/generate-ising-study DIR"));
        assert_false(cli_exists("study"));
    }
}

// Energies per site against Kaufman's, 5 standard errors and `more`. Returns χ² per temperature.
static double expect_energies(int side, size_t temperatures, double more)
{
    size_t count;
    double *beta = cli_read_variable("out/results.nc", "beta", &count, NULL);
    assert_int_equal(count, temperatures);
    double *energy = cli_read_variable("out/results.nc", "energy", &count, NULL);
    double *error = cli_read_variable("out/results.nc", "energy_error", &count, NULL);
    double sum = 0;
    for (size_t k = 0; k < temperatures; k++) {
        const double exact = ising_exact_periodic(side, side, beta[k]).energy;
        if (!(fabs(energy[k] - exact) <= 5 * error[k] + more))
            fail_msg("beta %g: energy %.5f(%.5f), exactly %.5f", beta[k], energy[k], error[k], exact);
        sum += pow((energy[k] - exact) / (error[k] + more), 2);
    }
    free(error);
    free(energy);
    free(beta);
    return sum / (double)temperatures;
}

static void through_the_critical_point(void **state)
{
    (void)state;
    size_t count, shape[4];
    cJSON *job = example("ising-critical.json");
    cli_set(job, "sweeps", "{\"count\": 400, \"thermalisation\": 50}"); // of 2000
    cli_set(job, "output.configurations.every", "400");
    run(job);
    print_message("chi2 of energies: %.2f\n", expect_energies(64, 9, 0));
    double *binder = cli_read_variable("out/results.nc", "binder_cumulant", &count, NULL);
    assert_true(binder[0] < 0.2 && binder[8] > 0.6 && binder[8] < 2.0 / 3);
    free(binder);
    free(cli_read_variable("out/configurations.nc", "spins_packed", &count, shape));
    assert_int_equal(shape[0], 9);
    free(cli_read_variable("out/correlations.nc", "correlation", &count, shape));
    assert_int_equal(shape[0], 9);
    free(cli_read_variable("out/reweighted.nc", "energy", &count, shape));
    assert_int_equal(count, 9 * 41);
}

static void the_study_in_small(void **state)
{
    (void)state;
    assert_int_equal(generate("study", "--sweeps", "2000", NULL)->exit_code, 0); // of 1 000 000
    run(cli_read_json("study/ising-L16.json"));
    print_message("chi2 of energies: %.2f\n", expect_energies(16, STUDY_TEMPERATURES, 2e-3));
    // Each temperature has random numbers of its own, and so have lattices of other sizes.
    cJSON *small = cli_read_json("study/ising-L8.json"), *large = cli_read_json("study/ising-L2048.json");
    assert_true(cli_json_number(small, "method.seed") != cli_json_number(large, "method.seed"));
    const cJSON *temperatures = cJSON_GetObjectItem(small, "temperatures");
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(temperatures, "order")), "independent");
    cJSON_Delete(large);
    cJSON_Delete(small);
}

// As Karkoulis' (2010) serial program runs: helical, sites at random.
static void the_source_program_in_small(void **state)
{
    (void)state;
    assert_int_equal(generate("study", "--method", "metropolis-random", NULL)->exit_code, 0);
    cJSON *job = cli_read_json("study/ising-L8.json");
    cli_set(job, "lattice.boundary", "\"helical\"");
    cli_set(job, "backend", "\"reference\"");
    cli_set(job, "sweeps", "{\"count\": 1200}"); // of 1 000 000
    cli_set(job, "analysis", NULL);
    cli_set(job, "output.directory", "\"out\"");
    cli_write_job(job, "job.json");
    cJSON_Delete(job);
    cli_assert_done(cli_run("run", "-q", "job.json", NULL));
    // The two boundaries differ by less than 2e-4 in the energy per site.
    print_message("chi2 of energies: %.2f\n", expect_energies(8, STUDY_TEMPERATURES, 2e-3));
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, cli_setup, cli_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(each_can_be_planned),         WITH_FOLDER(the_generator_says_how_it_is_used),
        WITH_FOLDER(through_the_critical_point),  WITH_FOLDER(the_study_in_small),
        WITH_FOLDER(the_source_program_in_small),
    };
    return cmocka_run_group_tests_name("Ising jobs", tests, NULL, NULL);
}
