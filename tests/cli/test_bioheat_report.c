// The report of a run of heat in tissue: which pictures there are for which results, what the page and the
// JSON say, and results that are missing, cropped or infinite.
#include "tests/support/bioheat_job.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/gnuplot.h"
#include "tests/support/report_page.h"

static void run(cJSON *job)
{
    cli_write_job(job, "job.json");
    cli_assert_done(cli_run("run", "-q", "job.json", NULL));
}

static void test_whole_report(void **state)
{
    (void)state;
    if (!has_gnuplot())
        skip();
    static const char *const names[] = {"slices", "snapshots", "sensors", "diagnostics"};
    cJSON *job = bioheat_job();
    run(job);
    cJSON_Delete(job);
    const struct cli_result *result = cli_run("report", "out", "--json", NULL);
    cli_assert_done(result);
    cJSON *said = cJSON_Parse(result->output);
    assert_non_null(said);
    assert_pictures(names, 4);
    // The hottest cell is that of maxima.nc.
    size_t count, best = 0;
    double *maximum = cli_read_variable("out/maxima.nc", "max_temperature", &count, NULL);
    for (size_t k = 1; k < count; k++)
        best = maximum[k] > maximum[best] || isnan(maximum[best]) ? k : best;
    assert_true(cli_json_number(said, "largest_temperature_c") == maximum[best]);
    assert_true(fabs(cli_json_number(said, "largest_place_mm.x") - (double)(best % BIOHEAT_JOB_X)) < 1e-9);
    assert_true(fabs(cli_json_number(said, "largest_place_mm.z") -
                     (double)(best / BIOHEAT_JOB_X / BIOHEAT_JOB_Y)) < 1e-9);
    free(maximum);
    cJSON_Delete(said);
    char *page = read_page();
    static const char *const words[] = {"a piece of head", "Results for each tissue", "cortical bone",
                                        "ITRUSST",         "Largest temperature",     "largest dose (CEM43)",
                                        "Sensors",         "Heat and extremes"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (!strstr(page, words[k]))
            fail_msg("the page does not say \"%s\"", words[k]);
    assert_null(strstr(page, "elevation"));
    assert_null(strstr(page, "Snapshots of the sea surface"));
    free(page);
}

// A small focus in a larger volume: the part that got warm has a picture of its own.
static void test_closer_look(void **state)
{
    (void)state;
    if (!has_gnuplot())
        skip();
    cJSON *job = bioheat_job();
    cli_set(job, "domain",
            "{\"uniform\": {\"tissue\": \"brain\", \"cells\": {\"x\": 60, \"y\": 50, \"z\": 40}, "
            "\"spacing\": \"1 mm\"}}");
    cli_set(job, "tissues", NULL);
    run(job);
    cli_assert_done(cli_run("report", "out", NULL));
    static const char *const names[] = {"slices", "slices_close", "snapshots", "sensors", "diagnostics"};
    assert_pictures(names, 5);
    cJSON_Delete(job);
}

static void test_what_is_missing_is_left_out(void **state)
{
    (void)state;
    if (!has_gnuplot())
        skip();
    static const char *const names[] = {"slices", "snapshots", "diagnostics"};
    cJSON *job = bioheat_job();
    cli_set(job, "output.sensors", NULL);
    cli_set(job, "output.state", NULL);
    cli_set(job, "output.maxima", "false");
    cli_set(job, "dose", NULL);
    cli_set(job, "output.fields", "{\"every\": \"4 s\", \"x\": [\"6 mm\", \"16 mm\"], \"stride\": 2}");
    run(job);
    cJSON_Delete(job);
    cli_assert_done(cli_run("report", "out", NULL)); // the last frame stands for the largest temperatures
    assert_pictures(names, 3);
    // Without run.json the model is told by the files.
    cli_remove("out/run.json");
    cli_remove("out/pictures");
    cli_assert_done(cli_run("report", "out", "--no-html", NULL));
    assert_pictures(names, 3);
}

// ISO's dose is infinite above 57 °C.
static void test_infinite_dose(void **state)
{
    (void)state;
    if (!has_gnuplot())
        skip();
    cJSON *job = bioheat_job();
    cli_set_text(job, "dose.definition", "iso");
    cli_set(job, "source.boxes.values", "[[1.5e7], [0]]");
    run(job);
    cJSON_Delete(job);
    cli_assert_done(cli_run("report", "out", NULL));
    char *page = read_page();
    assert_non_null(strstr(page, "∞"));
    free(page);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, cli_setup, cli_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_whole_report),
        TEST(test_closer_look),
        TEST(test_what_is_missing_is_left_out),
        TEST(test_infinite_dose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
