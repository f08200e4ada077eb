// fathom bench nbody: every table has its rows, the figures of a row belong together, errors are those of the
// method, and what was not run follows from what was. How fast anything is, is never tested.
#include "tests/cli/bench_report.h"
#include "tests/support/test.h"

// So little time that only the smallest numbers of bodies are run.
#define BRIEF "--repeat 1 --steps 1 --backend openmp --json "

static const double sizes[] = {1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6};
enum { SIZES = COUNT(sizes) };

static double error_of(const cJSON *row, const char *which)
{
    return number_in(row, "relative_error", which);
}

static const cJSON *row_of(const cJSON *report, const char *method, const char *precision, double n)
{
    return find_row(report, format_text("method=%s precision=%s n=%.0f", method, precision, n));
}

// ---- figures that belong together

static double limit_of(const cJSON *report, const char *precision)
{
    const cJSON *limit;
    cJSON_ArrayForEach(limit, cJSON_GetObjectItem(report, "limits"))
    {
        if (is_text(limit, "precision", precision)) {
            const double fma = cli_json_number(limit, "fma_per_s");
            assert_true(fma > 0 && cli_json_number(limit, "rsqrt_per_s") > 0);
            assert_true(cli_json_number(report, "operations_per_pair") == 13);
            return fma / 13;
        }
    }
    fail_msg("no limit of %s", precision);
    return 0;
}

static void check_direct(const cJSON *report, const cJSON *row)
{
    const double n = cli_json_number(row, "n"), rate = cli_json_number(row, "interactions_per_s");
    const char *precision = cli_text(row, "precision");
    assert_near("pairs", rate * cli_json_number(row, "step_ms") / 1e3 / (n * n), 1, 1e-9);
    assert_near("operations", cli_json_number(row, "flop_s") / (20 * rate), 1, 1e-9);
    assert_near("share", cli_json_number(row, "of_arithmetic") * limit_of(report, precision) / rate, 1, 1e-9);
    assert_true(error_of(row, "largest") <= (is_text(row, "precision", "float") ? 1e-5 : 1e-12));
    assert_true(error_of(row, "median") > 0);
}

static void check_tree(const cJSON *row)
{
    const double n = cli_json_number(row, "n"), seconds = cli_json_number(row, "step_ms") / 1e3;
    const double cells = n * cli_json_number(row, "cell_interactions_per_body");
    const double bodies = n * cli_json_number(row, "body_interactions_per_body");
    const cJSON *stages = cJSON_GetObjectItem(row, "phase_ms"), *stage;
    assert_true(bodies >= n && cells + bodies < n * n);
    assert_near("interactions", cli_json_number(row, "interactions_per_s") * seconds / (cells + bodies), 1,
                1e-9);
    assert_near("operations", cli_json_number(row, "flop_s") * seconds / (52 * cells + 20 * bodies), 1, 1e-9);
    assert_true(error_of(row, "p99") < 1.3e-3 && error_of(row, "median") < 3e-4);
    assert_true(cli_json_number(row, "leaves") <= cli_json_number(row, "cells"));
    assert_true(cli_json_number(row, "cells") <= cli_json_number(row, "cells_planned"));
    cJSON_ArrayForEach(stage, stages) assert_true(stage->valuedouble >= 0);
    assert_int_equal(cJSON_GetArraySize(stages), 6);
}

static void check_row(const cJSON *report, const cJSON *row)
{
    assert_true(cli_json_number(row, "step_ms") > 0);
    if (is_estimate(row))
        return;
    check_shared_figures(report, row);
    assert_true(error_of(row, "median") <= error_of(row, "p90"));
    assert_true(error_of(row, "p90") <= error_of(row, "p99"));
    assert_true(error_of(row, "p99") <= error_of(row, "largest"));
    if (is_text(row, "method", "barnes-hut"))
        check_tree(row);
    else
        check_direct(report, row);
}

// Of direct summation what was not run goes with the square of the number.
static void check_estimates(const cJSON *report, const char *precision)
{
    const cJSON *known = NULL, *row;
    int estimates = 0;
    cJSON_ArrayForEach(row, cli_item(report, "rows"))
    {
        if (!is_text(row, "method", "direct") || !is_text(row, "precision", precision))
            continue;
        if (!is_estimate(row)) {
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

// The method that should be faster on either side of a crossover is.
static void check_crossover(const cJSON *report, const cJSON *crossover, const char *precision)
{
    const cJSON *from = cJSON_GetObjectItem(crossover, "from");
    double slow = 0; // the largest number at which the tree is not faster
    for (int k = 0; k < SIZES; k++)
        if (cli_json_number(row_of(report, "barnes-hut", precision, sizes[k]), "step_ms") >=
            cli_json_number(row_of(report, "direct", precision, sizes[k]), "step_ms"))
            slow = sizes[k];
    if (slow == 1e6) {
        assert_true(cJSON_IsNull(from));
        return;
    }
    assert_true(cJSON_IsNumber(from) && from->valuedouble >= slow);
    assert_true(from->valuedouble <= fmax(2.5 * slow, 0));
}

TEST(every_table_has_its_rows)
{
    static const char *const precisions[] = {"float", "double"};
    cJSON *report = bench_report_of(BENCH("nbody --budget 0.001 " BRIEF));
    const cJSON *row, *crossovers = cJSON_GetObjectItem(report, "crossovers");
    cJSON_ArrayForEach(row, cli_item(report, "rows")) check_row(report, row);
    assert_int_equal(cJSON_GetArraySize(crossovers), 2);
    for (int p = 0; p < 2; p++) {
        for (int k = 0; k < SIZES; k++) {
            (void)row_of(report, "direct", precisions[p], sizes[k]);
            (void)row_of(report, "barnes-hut", precisions[p], sizes[k]);
        }
        (void)row_of(report, "direct", precisions[p], 16384);
        (void)row_of(report, "barnes-hut", precisions[p], 1048576);
        assert_false(is_estimate(row_of(report, "direct", precisions[p], 1000)));
        check_estimates(report, precisions[p]);
        check_crossover(report, cJSON_GetArrayItem(crossovers, p), precisions[p]);
    }
}

// ---- options do what they say

static double tree_error(const char *theta, const char *particles)
{
    cJSON *report = bench_report_of(
        BENCH("nbody --size 3000 --theta %s --particles %s --method barnes-hut --precision double " BRIEF,
              theta, particles));
    assert_int_equal(cli_count(report, "rows"), 1);
    assert_true(is_text(report, "particles", particles));
    const double error = error_of(row_of(report, "barnes-hut", "double", 3000), "median");
    return error;
}

TEST(errors_follow_the_opening)
{
    const double error = tree_error("0.6", "plummer");
    assert_true(tree_error("0.3", "plummer") < 0.3 * error);
    assert_true(error < 0.5 * tree_error("1", "plummer"));
    assert_true(tree_error("0.6", "uniform-cube") != error);
}

TEST(the_reference_has_one_size)
{
    cJSON *report = bench_report_of(BENCH("nbody --size 300 --size 400 --repeat 1 --steps 1 --json"));
    assert_int_equal(count_rows(report, "backend=reference"), 2);
    assert_int_equal(count_rows(report, "backend=reference n=300 precision=double"), 2);
    assert_true(error_of(find_row(report, "backend=reference method=direct"), "largest") <= 1e-13);
}

TEST(a_table_alone)
{
    const struct cli_result *result =
        BENCH("nbody --table sizes --budget 0.001 --repeat 1 --steps 1 --backend openmp");
    cli_assert_done(result);
    assert_has(result->output, "direct summation\n", "stage times of a step",
               "openmp, double: barnes-hut rather than direct");
    assert_null(strstr(result->output, "16384"));
}

// The tables of Pavlović (2016) have his numbers of bodies; here all times are estimates.
TEST(sizes_are_those_asked_for)
{
    cJSON *report = bench_report_of(BENCH("nbody --table sizes --size 300 --size 200 --precision double "
                                          "--no-reference --repeat 1 --steps 1 --backend openmp --json"));
    assert_int_equal(cli_count(report, "rows"), 4);
    assert_int_equal(count_rows(report, "n=200") + count_rows(report, "n=300"), 4);
    assert_int_equal(cJSON_GetArraySize(cli_item(report, "crossovers")), 1);
    const struct cli_result *result = BENCH("nbody --table phases --size 300 --size 200 --backend openmp");
    assert_int_equal(result->exit_code, 64);
    assert_has(result->error, "--table source and --table phases have one size");
}

TEST(tables_of_the_source)
{
    cJSON *report =
        bench_report_of(BENCH("nbody --table source --table phases --precision double --budget 0.001 "
                              "--repeat 1 --steps 1 --backend openmp --json"));
    assert_int_equal(count_rows(report, "n=100000"), 2);
    assert_int_equal(count_rows(report, "n=500000"), 2);
    assert_int_equal(count_rows(report, "n=150000 method=barnes-hut"), 1);
    assert_int_equal(count_rows(report, "n=150000"), 1);
}

#ifdef FATHOM_LADDERS
// His figure for an algorithm stands beside the row that corresponds to it, in his unit; times of another
// number of bodies have no ratio.
TEST(figures_of_the_source_beside_ours)
{
    cJSON *report = bench_report_of(BENCH("nbody --table source --precision double --budget 0.001 --repeat 1 "
                                          "--steps 1 --backend openmp --json"));
    const cJSON *his = cJSON_GetArrayItem(cli_item(cJSON_GetArrayItem(cli_item(report, "tables"), 0), "rows"),
                                          0),
                *row = find_row(report, "n=100000 method=direct");
    const double ours_s = cli_json_number(row, "step_ms") / 1e3;
    assert_true(is_text(his, "rung", "cpu-direct") && cli_json_number(his, "value") == 758.57);
    assert_near("ours", cli_json_number(his, "ours") / ours_s, 1, 1e-12);
    assert_near("ratio", cli_json_number(his, "ratio") * ours_s / 758.57, 1, 1e-12);
    assert_true(is_estimate(his) && is_text(his, "ours_is", "openmp, double, direct, n = 100000"));
    report = bench_report_of(BENCH("nbody --table phases --size 300 --precision double --repeat 1 --steps 1 "
                                   "--backend openmp --json"));
    his = cJSON_GetArrayItem(cli_item(cJSON_GetArrayItem(cli_item(report, "tables"), 2), "rows"), 4);
    row = find_row(report, "n=300 method=barnes-hut");
    assert_true(is_text(his, "rung", "force") && cli_json_number(his, "value") == 2355);
    assert_near("ms", cli_json_number(his, "ours") / number_in(row, "phase_ms", "force"), 1, 1e-12);
    assert_true(cJSON_IsNull(cli_item(his, "ratio")));
}

// Of 150 000 bodies in 1 ms no processor makes a step.
TEST(stages_that_are_not_timed_are_told)
{
    const struct cli_result *result = BENCH("nbody --table phases --precision double --budget 0.001 "
                                            "--repeat 1 --steps 1 --backend openmp");
    cli_assert_done(result);
    assert_has(result->output, "longer than 0.001 s (--budget)", "and no times of stages",
               "not measured: a step of openmp takes about ", "summarise",
               "(a) the author's: bodies are inserted");
    assert_null(strstr(result->output, "times-100000"));
    assert_null(strstr(result->output, "cpu-direct"));
}

// Of sizes, for a picture: whole steps alone.
TEST(the_authors_times_go_with_the_sizes)
{
    const cJSON *peer;
    cJSON *report = bench_report_of(
        BENCH("nbody --table sizes --budget 0.001 --repeat 1 --steps 1 --backend openmp --json"));
    assert_int_equal(cJSON_GetArraySize(cli_item(report, "peers")), 10);
    cJSON_ArrayForEach(peer, cli_item(report, "peers"))
        assert_true(cli_json_number(peer, "step_s") >= 2 && !is_text(peer, "rung", "force"));
}
#endif

TEST_MAIN(cli_setup, cli_teardown)
