// fathom bench bioheat: every back end, precision and variant is there, and the figures of a row belong
// together. How fast anything is, is never tested.
#include "tests/cli/bench_report.h"

#define SMALL "bioheat", "--size", "12x18x40", "--repeat", "1", "--steps", "3"

// Bytes that one pass must move, from the variant's name.
static double expected_bytes(const char *variant, double real)
{
    double bytes = 2 * real;
    bytes += strncmp(variant, "labels", 6) == 0 ? 1 : strncmp(variant, "fields", 6) == 0 ? 3 * real : 0;
    bytes += strstr(variant, "+dose") ? 2 * real : 0;
    return bytes + (strstr(variant, "+maximum") ? real : 0);
}

static void every_variant_has_a_row(void **unused)
{
    (void)unused;
    cJSON *report = bench_report_of(BENCH(SMALL, "--json"));
    const cJSON *row;
    cJSON_ArrayForEach(row, rows_of(report))
    {
        const double rate = cli_json_number(row, "cell_steps_per_s"),
                     bytes = cli_json_number(row, "bytes_per_cell");
        const double real = is_text(row, "precision", "float") ? 4 : 8;
        check_shared_figures(report, row);
        assert_true(rate > 0);
        assert_near("rate", rate * cli_json_number(row, "step_ms") / 1e3 / (12 * 18 * 40), 1, 1e-9);
        assert_near("bytes", bytes, expected_bytes(text_of(row, "method"), real), 0);
        assert_near("GB/s", cli_json_number(row, "gb_s") / (bytes * rate / 1e9), 1, 1e-9);
        assert_near("operations", cli_json_number(row, "flop_s") / (25 * rate), 1, 1e-9);
    }
    assert_int_equal(count_rows(report, "backend=openmp precision=float"), 9);
    assert_int_equal(count_rows(report, "backend=openmp precision=double"), 9);
    assert_int_equal(count_rows(report, "backend=reference"), 1);
    assert_int_equal(count_rows(report, "nz=12 ny=18 nx=40"), 19);
    cJSON_Delete(report);
}

static void one_variant_may_be_asked_for(void **unused)
{
    (void)unused;
    const struct cli_result *result = BENCH(SMALL, "--variant", "fields+dose", "--precision", "double",
                                            "--backend", "openmp", "--processor-time");
    cli_assert_done(result);
    assert_prints(result, "by processor time");
    assert_prints(result, "fields+dose  double  12 x 18 x 40");
    assert_null(strstr(result->output, "labels"));
    assert_null(strstr(result->output, "float  "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_variant_has_a_row, cli_setup, cli_teardown),
        cmocka_unit_test_setup_teardown(one_variant_may_be_asked_for, cli_setup, cli_teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
