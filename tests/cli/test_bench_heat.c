// fathom bench bioheat: every back end, precision and variant is there, and the figures of a row belong
// together. How fast anything is, is never tested.
#include "tests/cli/bench_report.h"
#include "tests/support/test.h"

#define SMALL "bioheat --size 12x18x40 --repeat 1 --steps 3 "

enum { RKL2_STAGES = 7 }; // of the bench's steps

// Bytes that one pass must move, from the variant's name.
static double expected_bytes(const char *variant, const char *backend, double real)
{
    const bool is_rkl2 = strstr(variant, "rkl2") != NULL; // of a stage; its dose is that of a step
    const bool is_cuda = strcmp(backend, "cuda") == 0;    // 24 arrays of the seven stages
    double bytes = (!is_rkl2 ? 2 : is_cuda ? 24.0 / RKL2_STAGES : 5) * real;
    bytes += strncmp(variant, "labels", 6) == 0 ? 1 : strncmp(variant, "fields", 6) == 0 ? 3 * real : 0;
    bytes += !strstr(variant, "+dose") ? 0 : is_rkl2 ? (is_cuda ? 2 : 4) * real / RKL2_STAGES : 2 * real;
    return bytes + (strstr(variant, "+maximum") ? real : 0);
}

TEST(every_variant_has_a_row)
{
    cJSON *report = bench_report_of(BENCH(SMALL "--json"));
    const cJSON *row;
    cJSON_ArrayForEach(row, cli_item(report, "rows"))
    {
        const double rate = cli_json_number(row, "cell_steps_per_s"),
                     bytes = cli_json_number(row, "bytes_per_cell");
        const double real = is_text(row, "precision", "float") ? 4 : 8;
        check_shared_figures(report, row);
        assert_true(rate > 0);
        const int passes = strstr(cli_text(row, "method"), "rkl2") ? RKL2_STAGES : 1;
        if (passes > 1)
            assert_near("stages", cli_json_number(row, "stages"), passes, 0);
        else
            assert_null(cJSON_GetObjectItem(row, "stages"));
        assert_near("rate", rate * cli_json_number(row, "step_ms") / 1e3 / (12 * 18 * 40 * passes), 1, 1e-9);
        assert_near("bytes", bytes, expected_bytes(cli_text(row, "method"), cli_text(row, "backend"), real),
                    1e-12);
        assert_near("GB/s", cli_json_number(row, "gb_s") / (bytes * rate / 1e9), 1, 1e-9);
        assert_near("operations", cli_json_number(row, "flop_s") / (25 * rate), 1, 1e-9);
    }
    assert_int_equal(count_rows(report, "backend=openmp precision=float"), 12);
    assert_int_equal(count_rows(report, "backend=openmp precision=double"), 12);
    assert_int_equal(count_rows(report, "backend=reference"), 1);
    assert_int_equal(count_rows(report, "nz=12 ny=18 nx=40"), 25);
}

TEST(one_variant_may_be_asked_for)
{
    const struct cli_result *result =
        BENCH(SMALL "--variant fields+dose --precision double --backend openmp --processor-time");
    cli_assert_done(result);
    assert_has(result->output, "by processor time", "fields+dose  double  12 x 18 x 40");
    assert_null(strstr(result->output, "labels"));
    assert_null(strstr(result->output, "rkl2"));
    assert_null(strstr(result->output, "float  "));
}

TEST(the_report_names_the_clock)
{
    assert_string_equal(
        cli_text(bench_report_of(BENCH(SMALL "--variant uniform --json --processor-time")), "clock"),
        "processor");
    assert_string_equal(cli_text(bench_report_of(BENCH(SMALL "--variant uniform --json")), "clock"), "wall");
}

TEST(a_step_of_rkl2_is_told_from_its_stages)
{
    const struct cli_result *result =
        BENCH(SMALL "--variant labels,rkl2 --precision double --backend openmp");
    cli_assert_done(result);
    assert_has(result->output, "rkl2: ms a step of 7 stages; the rate counts stages");
}

TEST_MAIN(cli_setup, cli_teardown)
