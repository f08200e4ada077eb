// fathom bench MODEL --table threads: a processor's rows with 1, 2, 4 ... all threads, and how much faster
// each is than with one thread. How fast anything is, is never tested.
#include "tests/cli/bench_report.h"
#include "tests/support/test.h"

#include <omp.h>

TEST_MAIN(cli_setup, cli_teardown)

#define QUICK "--threads 5 --table threads --repeat 1 --steps 2 --backend openmp --precision float --json"

// The threads that a row has are 1, 2, 4 and 5; the benchmark leaves as many as there were.
static void check_report(const struct cli_result *result)
{
    static const double counts[] = {1, 2, 4, 5};
    cJSON *report = bench_report_of(result);
    assert_int_equal(omp_get_max_threads(), 5);
    assert_int_equal(cJSON_GetArraySize(cli_item(report, "rows")), COUNT(counts));
    assert_int_equal(strlen(cli_text(report, "date")), strlen("2026-11-30T10:20:30Z"));
    assert_has(cli_text(report, "version"), ".");
    const double one_ms = cli_json_number(find_row(report, "threads=1"), "step_ms");
    for (size_t k = 0; k < COUNT(counts); k++) {
        const cJSON *row = find_row(report, format_text("threads=%.0f", counts[k]));
        const double speed_up = one_ms / cli_json_number(row, "step_ms");
        assert_near("speed-up", cli_json_number(row, "speed_up") / speed_up, 1, 1e-12);
        assert_near("efficiency", cli_json_number(row, "efficiency") * counts[k] / speed_up, 1, 1e-12);
    }
}

TEST(each_model_has_them)
{
    const int before = omp_get_max_threads();
    check_report(BENCH("tsunami --size 40x30 --method vtcs2 " QUICK));
    check_report(BENCH("bioheat --size 16x16x16 --variant uniform " QUICK));
    omp_set_num_threads(before);
}

// Rows of a table that alone differ in the threads say how many there are, in the table of stages too.
TEST(stages_name_their_threads)
{
    const int before = omp_get_max_threads();
    const struct cli_result *result =
        BENCH("gas --table threads --threads 2 --size 1024 --system lennard-jones "
              "--method cells --precision float --backend openmp --repeat 1");
    cli_assert_done(result);
    const char *stages = strstr(result->output, "lists, stage times of a step");
    assert_non_null(stages);
    assert_has(stages, "  threads  ", "  1024        1  ", "  1024        2  ");
    omp_set_num_threads(before);
}

TEST(what_cannot_be_had_is_refused)
{
    const struct cli_result *result =
        BENCH("tsunami --table threads --size 40x30 --method vtcs2 --backend reference");
    assert_int_equal(result->exit_code, 64);
    assert_has(result->error, "--table threads: no row is of a processor's threads");
    result = BENCH("tsunami --table threads --table variants");
    assert_int_equal(result->exit_code, 64);
    assert_has(result->error, "--table variants stands alone");
}
