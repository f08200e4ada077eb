// fathom bench nbody: every table has its rows, the figures of a row belong together, errors are those of the
// method, and what was not run follows from what was. How fast anything is, is never tested.
#include "tests/cli/bench_report.h"

#include <math.h>

// So little time that only the smallest numbers of bodies are run.
#define BRIEF "--repeat", "1", "--steps", "1", "--backend", "openmp", "--json"

static double error_of(const cJSON *row, const char *which)
{
    return cli_json_number(cJSON_GetObjectItem(row, "relative_error"), which);
}

// The row, or NULL.
static const cJSON *find_row(const cJSON *report, const char *method, const char *precision, double n)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(report, "rows"))
    {
        if (is_text(row, "method", method) && is_text(row, "precision", precision) &&
            cli_json_number(row, "n") == n)
            return row;
    }
    return NULL;
}

static bool is_for_table(const cJSON *row, const char *table)
{
    const cJSON *name;
    cJSON_ArrayForEach(name, cJSON_GetObjectItem(row, "tables"))
    {
        if (strcmp(name->valuestring, table) == 0)
            return true;
    }
    return false;
}

// ---- figures that belong together

static double limit_of(const cJSON *report, const char *precision)
{
    const cJSON *limit;
    cJSON_ArrayForEach(limit, cJSON_GetObjectItem(report, "limits"))
    {
        if (is_text(limit, "precision", precision)) {
            const double fma = cli_json_number(limit, "fma_per_s"),
                         rsqrt = cli_json_number(limit, "rsqrt_per_s");
            assert_true(fma > 0 && rsqrt > 0);
            assert_near("limit", cli_json_number(limit, "interactions_per_s") / (fma / 13), 1, 1e-9);
            return cli_json_number(limit, "interactions_per_s");
        }
    }
    fail_msg("no limit of %s", precision);
    return 0;
}

static void check_direct(const cJSON *report, const cJSON *row)
{
    const double n = cli_json_number(row, "n"), rate = cli_json_number(row, "interactions_per_s");
    const bool is_float = is_text(row, "precision", "float");
    assert_near("pairs", rate * cli_json_number(row, "step_ms") / 1e3 / (n * n), 1, 1e-9);
    assert_near("operations", cli_json_number(row, "flop_s") / (20 * rate), 1, 1e-9);
    assert_near("share",
                cli_json_number(row, "of_limit") * limit_of(report, text_of(row, "precision")) / rate, 1,
                1e-9);
    assert_true(error_of(row, "largest") <= (is_float ? 1e-5 : 1e-12));
    assert_true(error_of(row, "median") > 0);
}

static void check_tree(const cJSON *row)
{
    const double n = cli_json_number(row, "n"), seconds = cli_json_number(row, "step_ms") / 1e3;
    const double cells = n * cli_json_number(row, "cell_interactions_per_body");
    const double bodies = n * cli_json_number(row, "body_interactions_per_body");
    const cJSON *phase;
    int phases = 0;
    assert_true(bodies >= n && cells + bodies < n * n);
    assert_near("interactions", cli_json_number(row, "interactions_per_s") * seconds / (cells + bodies), 1,
                1e-9);
    assert_near("operations", cli_json_number(row, "flop_s") * seconds / (52 * cells + 20 * bodies), 1, 1e-9);
    assert_true(error_of(row, "p99") < 1.3e-3 && error_of(row, "median") < 3e-4);
    assert_true(cli_json_number(row, "leaves") <= cli_json_number(row, "cells"));
    assert_true(cli_json_number(row, "cells") <= cli_json_number(row, "cells_planned"));
    cJSON_ArrayForEach(phase, cJSON_GetObjectItem(row, "phase_ms"))
    {
        assert_true(phase->valuedouble >= 0);
        phases++;
    }
    assert_int_equal(phases, 6);
}

static void check_row(const cJSON *report, const cJSON *row)
{
    assert_true(cli_json_number(row, "step_ms") > 0);
    if (cJSON_IsTrue(cJSON_GetObjectItem(row, "is_estimate")))
        return;
    assert_true(error_of(row, "median") <= error_of(row, "p90"));
    assert_true(error_of(row, "p90") <= error_of(row, "p99"));
    assert_true(error_of(row, "p99") <= error_of(row, "largest"));
    if (is_text(row, "method", "barnes-hut"))
        check_tree(row);
    else
        check_direct(report, row);
}

// What was not run with every pair, to the square of the number.
static void check_estimates(const cJSON *report, const char *precision)
{
    const cJSON *known = NULL, *row;
    int estimates = 0;
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(report, "rows"))
    {
        if (!is_text(row, "method", "direct") || !is_text(row, "precision", precision))
            continue;
        if (!cJSON_IsTrue(cJSON_GetObjectItem(row, "is_estimate"))) {
            known = row;
            continue;
        }
        assert_non_null(known);
        const double ratio = cli_json_number(row, "n") / cli_json_number(known, "n");
        assert_near("estimate",
                    cli_json_number(row, "step_ms") / (cli_json_number(known, "step_ms") * ratio * ratio), 1,
                    1e-9);
        estimates++;
    }
    assert_true(estimates > 0);
}

// On each side of a crossover the one is faster that should be.
static void check_crossover(const cJSON *report, const cJSON *crossover, const char *precision)
{
    static const double sizes[] = {1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6};
    const cJSON *from = cJSON_GetObjectItem(crossover, "from_n");
    double slow = 0; // the largest number at which the tree is not faster
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        if (cli_json_number(find_row(report, "barnes-hut", precision, sizes[k]), "step_ms") >=
            cli_json_number(find_row(report, "direct", precision, sizes[k]), "step_ms"))
            slow = sizes[k];
    if (slow == 1e6) {
        assert_true(cJSON_IsNull(from));
        return;
    }
    assert_true(cJSON_IsNumber(from) && from->valuedouble >= slow);
    assert_true(from->valuedouble <= fmax(2.5 * slow, 0));
}

static void every_table_has_its_rows(void **unused)
{
    (void)unused;
    static const char *const precisions[] = {"float", "double"};
    static const double sizes[] = {1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000};
    cJSON *report =
        bench_report_of(run_in_process(command_bench, "bench", "nbody", "--budget", "0.001", BRIEF, NULL));
    const cJSON *row;
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(report, "rows")) check_row(report, row);
    for (int p = 0; p < 2; p++) {
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            assert_true(is_for_table(find_row(report, "direct", precisions[p], sizes[k]), "sizes"));
            assert_true(is_for_table(find_row(report, "barnes-hut", precisions[p], sizes[k]), "sizes"));
        }
        assert_true(is_for_table(find_row(report, "direct", precisions[p], 100000), "source"));
        assert_true(is_for_table(find_row(report, "barnes-hut", precisions[p], 500000), "source"));
        assert_true(is_for_table(find_row(report, "barnes-hut", precisions[p], 150000), "phases"));
        assert_true(is_for_table(find_row(report, "direct", precisions[p], 16384), "variants"));
        assert_false(cJSON_IsTrue(
            cJSON_GetObjectItem(find_row(report, "direct", precisions[p], 1000), "is_estimate")));
        check_estimates(report, precisions[p]);
        check_crossover(report, cJSON_GetArrayItem(cJSON_GetObjectItem(report, "crossovers"), p),
                        precisions[p]);
    }
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(report, "crossovers")), 2);
    assert_near("source",
                cli_json_number(
                    cJSON_GetObjectItem(cJSON_GetObjectItem(report, "source_document"), "phase_ms"), "build"),
                3400, 0);
    cJSON_Delete(report);
}

// ---- options do what they say

static double tree_error(const char *theta, const char *particles)
{
    cJSON *report = bench_report_of(run_in_process(command_bench, "bench", "nbody", "--size", "3000",
                                                   "--theta", theta, "--particles", particles, "--method",
                                                   "barnes-hut", "--precision", "double", BRIEF, NULL));
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(report, "rows")), 1);
    const double error = error_of(find_row(report, "barnes-hut", "double", 3000), "median");
    cJSON_Delete(report);
    return error;
}

static void errors_follow_the_opening(void **unused)
{
    (void)unused;
    assert_true(tree_error("0.3", "plummer") < 0.3 * tree_error("0.6", "plummer"));
    assert_true(tree_error("0.6", "plummer") < 0.5 * tree_error("1", "plummer"));
    assert_true(tree_error("0.6", "uniform-cube") != tree_error("0.6", "plummer"));
}

static void the_reference_has_one_size(void **unused)
{
    (void)unused;
    cJSON *report = bench_report_of(run_in_process(command_bench, "bench", "nbody", "--size", "300", "--size",
                                                   "400", "--repeat", "1", "--steps", "1", "--json", NULL));
    const cJSON *row;
    int rows = 0;
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(report, "rows"))
    {
        if (!is_text(row, "backend", "reference"))
            continue;
        assert_true(cli_json_number(row, "n") == 300 && is_text(row, "precision", "double"));
        assert_true(is_text(row, "method", "barnes-hut") || error_of(row, "largest") <= 1e-13);
        rows++;
    }
    assert_int_equal(rows, 2);
    cJSON_Delete(report);
}

static void the_sources_figures_stand_beside(void **unused)
{
    (void)unused;
    const struct cli_result *result =
        run_in_process(command_bench, "bench", "nbody", "--table", "source", "--table", "phases", "--budget",
                       "0.001", "--repeat", "1", "--steps", "1", "--backend", "openmp", NULL);
    cli_assert_done(result);
    assert_non_null(strstr(result->output, "758.57"));
    assert_non_null(strstr(result->output, "77.15"));
    assert_non_null(strstr(result->output, "2355"));
    assert_null(strstr(result->output, "GPU")); // no device was asked for
    assert_null(strstr(result->output, "ECL-BH"));
}

static void mistakes_are_told(void **unused)
{
    (void)unused;
    static const char *const wrong[][2] = {
        {"--size", "1"},      {"--size", "1e6"},   {"--table", "all"},      {"--method", "fast"},
        {"--theta", "0"},     {"--theta", "x"},    {"--softening", "-1"},   {"--precision", "half"},
        {"--budget", "none"}, {"--repeat", "0"},   {"--particles", "dust"}, {"--backend", "abacus"},
        {"--steps", "0"},     {"--threads", "no"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        cli_assert_error(run_in_process(command_bench, "bench", "nbody", wrong[k][0], wrong[k][1], NULL), 64,
                         false, "nbody", wrong[k][0], NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_table_has_its_rows, cli_setup, cli_teardown),
        cmocka_unit_test_setup_teardown(errors_follow_the_opening, cli_setup, cli_teardown),
        cmocka_unit_test_setup_teardown(the_reference_has_one_size, cli_setup, cli_teardown),
        cmocka_unit_test_setup_teardown(the_sources_figures_stand_beside, cli_setup, cli_teardown),
        cmocka_unit_test_setup_teardown(mistakes_are_told, cli_setup, cli_teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
