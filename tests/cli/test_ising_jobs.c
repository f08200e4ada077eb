// The example job of the Ising model and those of the source document's production study: each can be planned
// as it stands; shortened, each does what its title states.
#include "models/ising/exact.h"
#include "tests/support/example_job.h"
#include "tests/support/test.h"

enum { STUDY_TEMPERATURES = 27 };

// The program that writes the study's jobs, with these arguments.
static const struct cli_result *generate(const char *a, const char *b, const char *c, const char *d)
{
    return cli_run_tool("sh", format_text("%s/data/generate-ising-study", TEST_SOURCE_DIRECTORY), a, b, c, d);
}

static void expect_plan(const char *job, double steps)
{
    const struct cli_result *result = cli_run("plan --json -b openmp %s", job);
    if (result->exit_code != 0)
        fail_msg("%s: exit code %d: %s", job, result->exit_code, result->error);
    cJSON *plan = cli_output_json(result);
    if (cli_json_number(plan, "steps") != steps || !(cli_json_number(plan, "output_bytes") < 120e6))
        fail_msg("%s: %g sweeps, %g bytes", job, cli_json_number(plan, "steps"),
                 cli_json_number(plan, "output_bytes"));
}

TEST(each_can_be_planned)
{
    (void)example("ising-critical.json");
    expect_plan("job.json", 18000);
    assert_int_equal(generate("study", NULL, NULL, NULL)->exit_code, 0);
    assert_int_equal(cli_count_entries("study"), 9);
    for (int side = 8; side <= 2048; side *= 2) {
        expect_plan(format_text("study/ising-L%d.json", side), 27e6);
    }
}

TEST(the_generator_has_a_help_text)
{
    static const char *const wrong[][2] = {
        {NULL, NULL}, {"--size", "8"}, {"study", "other"}, {"study", "--sweeps"}, {"--sweeps", "1e6"}};
    for (size_t k = 0; k < COUNT(wrong); k++) {
        const struct cli_result *result = generate(wrong[k][0], wrong[k][1], NULL, NULL);
        assert_int_equal(result->exit_code, 64);
        assert_has(result->error, "data/generate-ising-study DIR");
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
    return sum / (double)temperatures;
}

TEST(through_the_critical_point)
{
    size_t count, shape[4];
    cJSON *job = cli_change(example("ising-critical.json"),
                            "sweeps = {'count': 400, 'thermalisation': 50}"); // of 2000
    run(cli_change(job, "output.configurations.every = 400"));
    print_message("chi2 of energies: %.2f\n", expect_energies(64, 9, 0));
    double *binder = cli_read_variable("out/results.nc", "binder_cumulant", &count, NULL);
    assert_true(binder[0] < 0.2 && binder[8] > 0.6 && binder[8] < 2.0 / 3);
    (void)cli_read_variable("out/configurations.nc", "spins_packed", &count, shape);
    assert_int_equal(shape[0], 9);
    (void)cli_read_variable("out/correlations.nc", "correlation", &count, shape);
    assert_int_equal(shape[0], 9);
    (void)cli_read_variable("out/reweighted.nc", "energy", &count, shape);
    assert_int_equal(count, 9 * 41);
}

TEST(the_study_in_small)
{
    assert_int_equal(generate("study", "--sweeps", "2000", NULL)->exit_code, 0); // of 1 000 000
    run(cli_read_json("study/ising-L16.json"));
    print_message("chi2 of energies: %.2f\n", expect_energies(16, STUDY_TEMPERATURES, 2e-3));
    // Each temperature has random numbers of its own, and so have lattices of other sizes.
    cJSON *small = cli_read_json("study/ising-L8.json"), *large = cli_read_json("study/ising-L2048.json");
    assert_true(cli_json_number(small, "method.seed") != cli_json_number(large, "method.seed"));
    assert_string_equal(cli_text(small, "temperatures.order"), "independent");
}

// As the source document's serial program runs: helical, sites at random.
TEST(the_source_program_in_small)
{
    assert_int_equal(generate("study", "--method", "metropolis-random", NULL)->exit_code, 0);
    cJSON *job = cli_change(
        cli_read_json("study/ising-L8.json"),
        "lattice.boundary = 'helical'; backend = 'reference'; sweeps = {'count': 1200}"); // of 1 000 000
    cli_run_job(cli_change(job, "delete analysis; output.directory = 'out'"));
    // The two boundaries differ by less than 2e-4 in the energy per site.
    print_message("chi2 of energies: %.2f\n", expect_energies(8, STUDY_TEMPERATURES, 2e-3));
}

TEST_MAIN(cli_setup, cli_teardown)
