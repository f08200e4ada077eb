// fathom bench bioheat: every back end, precision and variant is there, and the figures of a line belong
// together. How fast anything is, is never tested.
#include "tests/cli/bench_report.h"

#define SMALL "--size", "12x18x40", "--repeat", "1", "--steps", "3"

// Bytes that one pass must move, from the variant's name.
static double expected_bytes(const char *variant, double real)
{
    double bytes = 2 * real;
    bytes += strncmp(variant, "labels", 6) == 0 ? 1 : strncmp(variant, "fields", 6) == 0 ? 3 * real : 0;
    bytes += strstr(variant, "+dose") ? 2 * real : 0;
    return bytes + (strstr(variant, "+maximum") ? real : 0);
}

static void check_row(const cJSON *row)
{
    const double rate = cli_json_number(row, "cell_steps_per_s"),
                 bytes = cli_json_number(row, "bytes_per_cell");
    const bool is_float = strcmp(text_of(row, "precision"), "float") == 0;
    assert_true(rate > 0);
    assert_near("figures", rate * cli_json_number(row, "step_ms") / 1e3 / (12 * 18 * 40), 1, 1e-9);
    assert_near("bytes", bytes, expected_bytes(text_of(row, "variant"), is_float ? 4 : 8), 0);
    assert_near("figures", cli_json_number(row, "gb_s") / (bytes * rate / 1e9), 1, 1e-9);
    assert_near("figures", cli_json_number(row, "gflop_s") / (25 * rate / 1e9), 1, 1e-9);
    assert_near("figures",
                cli_json_number(row, "of_copy") * cli_json_number(row, "copy_gb_s") /
                    cli_json_number(row, "gb_s"),
                1, 1e-9);
}

static void every_variant_has_a_line(void **unused)
{
    (void)unused;
    cJSON *report = bench_report_of(run_in_process(command_bench, "bench", "bioheat", SMALL, "--json", NULL));
    const cJSON *row;
    int of_openmp[2] = {0}, of_reference = 0;
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(report, "variants"))
    {
        check_row(row);
        if (strcmp(text_of(row, "backend"), "openmp") == 0)
            of_openmp[strcmp(text_of(row, "precision"), "float") == 0]++;
        if (strcmp(text_of(row, "backend"), "reference") == 0)
            of_reference++;
    }
    assert_int_equal(of_openmp[0], 9);
    assert_int_equal(of_openmp[1], 9);
    assert_int_equal(of_reference, 1);
    cJSON_Delete(report);
}

static void one_variant_may_be_asked_for(void **unused)
{
    (void)unused;
    const struct cli_result *result =
        run_in_process(command_bench, "bench", "bioheat", SMALL, "--variant", "fields+dose", "--precision",
                       "double", "--backend", "openmp", NULL);
    cli_assert_done(result);
    assert_non_null(strstr(result->output, "double, fields+dose"));
    const char *one = strstr(result->output, "1-D texture"), *three = strstr(result->output, "3-D texture");
    assert_true(one && three);
    assert_true(strtod(strchr(one, '*') + 1, NULL) == 95 && strtod(strchr(three, '*') + 1, NULL) == 57);
    assert_null(strstr(result->output, "labels,"));
    assert_non_null(strstr(result->output, "BabelViscoFDTD"));
}

static void mistakes_are_told(void **unused)
{
    (void)unused;
    cli_assert_error(run_in_process(command_bench, "bench", "bioheat", "--variant", "fast", NULL), 64, false,
                     "--variant", "\"fast\"", NULL);
    cli_assert_error(run_in_process(command_bench, "bench", "bioheat", "--size", "12x18", NULL), 64, false,
                     "--size", "three numbers", NULL);
    cli_assert_error(run_in_process(command_bench, "bench", "bioheat", "--backend", "abacus", NULL), 64,
                     false, "--backend", "abacus", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_variant_has_a_line, cli_setup, cli_teardown),
        cmocka_unit_test_setup_teardown(one_variant_may_be_asked_for, cli_setup, cli_teardown),
        cmocka_unit_test_setup_teardown(mistakes_are_told, cli_setup, cli_teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
