// The report of a run of heat in tissue: the pictures for each kind of result, the content of the page and of
// the JSON, and missing, cropped and infinite results.
#include "tests/support/bioheat_job.h"
#include "tests/support/gnuplot.h"
#include "tests/support/report_page.h"
#include "tests/support/test.h"

TEST(test_whole_report)
{
    need_gnuplot();
    cli_run_job(bioheat_job());
    cJSON *report = cli_output_json(cli_do("report out --json --size 500x400"));
    assert_pictures("slices", "snapshots", "sensors", "diagnostics");
    // The hottest cell is that of maxima.nc.
    size_t count, best = 0;
    double *maximum = cli_read_variable("out/maxima.nc", "max_temperature", &count, NULL);
    for (size_t k = 1; k < count; k++)
        best = maximum[k] > maximum[best] || isnan(maximum[best]) ? k : best;
    cli_expect_number(report, "largest_temperature_c", maximum[best]);
    assert_true(fabs(cli_json_number(report, "largest_place_mm.x") - (double)(best % BIOHEAT_JOB_X)) < 1e-9);
    assert_true(fabs(cli_json_number(report, "largest_place_mm.z") -
                     (double)(best / BIOHEAT_JOB_X / BIOHEAT_JOB_Y)) < 1e-9);
    char *page = read_page();
    static const char *const words[] = {"a piece of head", "Results for each tissue", "cortical bone",
                                        "ITRUSST",         "Largest temperature",     "largest dose (CEM43)",
                                        "Sensors",         "Heat and extremes"};
    for (size_t k = 0; k < COUNT(words); k++)
        if (!strstr(page, words[k]))
            fail_msg("the page does not say \"%s\"", words[k]);
    assert_null(strstr(page, "elevation"));
    assert_null(strstr(page, "Snapshots of the sea surface"));
}

// A verdict on safety is not a numerical check: the tile of checks shows those that were made, and their
// outcome.
TEST(test_a_verdict_is_no_numerical_check)
{
    static const struct {
        const char *power, *check, *tile;
        int exit_code;
    } rows[] = {
        {"1e5", "{'itrusst': true}", "not checked</b><span>against the reference", 0},
        {"1.2e7", "{'itrusst': true}", "not checked</b><span>against the reference", CHECK_FAILED},
        {"1.2e7", "{'itrusst': true, 'reference_steps': 2}",
         "✓ agrees</b><span>numerical check against the reference", CHECK_FAILED},
        {"1e5", "{'itrusst': true, 'reference_steps': 2, 'tolerance': '1e-30 K'}",
         "✗ differs</b><span>numerical check against the reference", CHECK_FAILED},
    };
    need_gnuplot();
    for (size_t k = 0; k < COUNT(rows); k++) {
        cJSON *job = cli_change(bioheat_job(),
                                "check = %s; source.boxes.values = [[%s], [0]]; delete "
                                "output.fields; delete output.sensors",
                                rows[k].check, rows[k].power);
        cli_change(job, "dose = {'definitions': ['cem43', 'cem43-from-39']}");
        assert_int_equal(cli_rerun(job)->exit_code, rows[k].exit_code);
        cli_do("report out");
        assert_has(read_page(), rows[k].tile);
    }
}

// The larger of two doses decides: the table has both, and marks it.
TEST(test_the_table_shows_both_doses)
{
    need_gnuplot();
    cJSON *job = cli_change(bioheat_job(), "source.boxes.values = [[6e6], [0]]; delete output.fields; delete "
                                           "output.sensors; dose = {'definitions': ['cem43', "
                                           "'cem43-from-39']}");
    cli_assert_done(cli_rerun(job));
    cli_do("report out");
    char *page = read_page();
    assert_has(page, "Dose<br>(CEM43, min)", "Dose from 39 °C<br>(CEM43, min)",
               "<th>Tissue</th><th>Thermal safety</th>", "<th scope=\"row\">brain</th><td class=\"long ");
    cJSON *run = cli_read_json("out/run.json"), *tissue;
    cJSON_ArrayForEach(tissue, cJSON_GetObjectItem(cli_item(run, "thermal_safety"), "tissues"))
    {
        const double first_min = cli_json_number(tissue, "largest_dose_min"),
                     second_min = cli_json_number(tissue, "largest_second_dose_min");
        const char *decider = cli_text(tissue, "decided_by");
        if (strcmp(decider, "temperature") != 0)
            assert_string_equal(decider, second_min > first_min ? "second dose" : "dose");
        assert_has(page,
                   format_text(strcmp(decider, "dose") == 0 ? "<td><b>%.3g</b><small>decides" : "<td>%.3g",
                               first_min));
        assert_has(page, format_text(strcmp(decider, "second dose") == 0 ? "<td><b>%.3g</b><small>decides"
                                                                         : "<td>%.3g",
                                     second_min));
    }
}

// A small focus in a larger volume: the heated part has its own picture.
TEST(test_close_up)
{
    need_gnuplot();
    cJSON *job = cli_change(bioheat_job(), "domain = {'uniform': {'tissue': 'brain', 'cells': {'x': 60, 'y': "
                                           "50, 'z': 40}, 'spacing': '1 mm'}}; delete tissues");
    cli_run_job(job);
    cli_do("report out --size 500x400");
    assert_pictures("slices", "slices_close", "snapshots", "sensors", "diagnostics");
}

TEST(test_missing_results_are_omitted)
{
    need_gnuplot();
    cJSON *job = cli_change(bioheat_job(),
                            "delete output.sensors; delete output.state; output.maxima = false; delete dose; "
                            "output.fields = {'every': '4 s', 'x': ['6 mm', '16 mm'], 'stride': 2}");
    cli_run_job(job);
    cli_do("report out --size 500x400"); // the last frame replaces the largest temperatures
    assert_pictures("slices", "snapshots", "diagnostics");
    // Without run.json the model is recognised from the files.
    cli_remove("out/run.json");
    cli_remove("out/pictures");
    cli_do("report out --no-html --size 500x400");
    assert_pictures("slices", "snapshots", "diagnostics");
}

// ISO's dose is infinite above 57 °C.
TEST(test_infinite_dose)
{
    need_gnuplot();
    cJSON *job = cli_change(bioheat_job(), "dose.definition = 'iso'; source.boxes.values = [[1.5e7], [0]]");
    cli_run_job(job);
    cli_do("report out --size 500x400");
    char *page = read_page();
    assert_has(page, "∞");
}

TEST_MAIN(cli_setup, cli_teardown)
