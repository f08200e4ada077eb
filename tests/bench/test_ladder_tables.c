// fathom bench MODEL --table source: the authors' figures are printed with their places; a rung that is not
// here is told; tables that cannot be had are refused.
#include "tests/cli/bench_report.h"
#include "tests/support/test.h"

#include <omp.h>

#define QUICK "--size 16x12 --repeat 1 --steps 2 --backend openmp "

static int prepare(void **state)
{
    assert_int_equal(cli_setup(state), 0);
    folder_shell("mkdir -p '%s'", folder_path("ladders"));
    folder_write_json("ladders/tsunami.json",
                      "{'source': {'authors': 'A. Author', 'year': 2010, 'title': 'On waves'}, 'tables': [{"
                      "'id': 'table-9', 'place': 'table 9', 'quantity': 'time of a step', 'unit': 's',"
                      " 'grid': [2581, 2879], 'rows': [{'rung': 'by-hand', 'machine': 'an abacus',"
                      " 'value': 1234, 'bound': 'at most', 'differs': 'only on paper'}]},"
                      "{'id': 't', 'place': 'p', 'quantity': 'q', 'unit': 's', 'precision': 'single', 'rows':"
                      " [{'rung': 'openmp', 'machine': 'm', 'value': 2, 'threads': 1000}]},"
                      "{'id': 'a', 'place': 'p', 'quantity': 'q', 'unit': '%%', 'of': 'serial', 'rows':"
                      " [{'rung': 'serial', 'machine': 'm', 'value': 10}]},"
                      "{'id': 'b', 'place': 'p', 'quantity': 'q', 'unit': '%%', 'measures': 'share', 'rows':"
                      " [{'rung': 'serial', 'machine': 'm', 'value': 40, 'stage': 'solver'},"
                      " {'rung': 'serial', 'machine': 'm', 'value': 60, 'stage': 'no stage'}]}]}");
    setenv("FATHOM_DATA", folder_root(), 1);
    return 0;
}

static int leave(void **state)
{
    unsetenv("FATHOM_DATA");
    return cli_teardown(state);
}

TEST_MAIN(prepare, leave)

// Row k of a table of the report.
static const cJSON *row_of(const cJSON *report, int table, int k)
{
    return cJSON_GetArrayItem(cli_item(cJSON_GetArrayItem(cli_item(report, "tables"), table), "rows"), k);
}

TEST(figures_are_printed_with_their_places)
{
    const struct cli_result *result = BENCH("tsunami --table source " QUICK);
    cli_assert_done(result);
    assert_has(result->output, "A. Author: On waves, 2010", "table 9: time of a step (s); 2581x2879 nodes\n",
               "not measured: no program of it here. The author's: an abacus: by-hand at most 1234 (a)\n",
               "(a) the author's: only on paper\n", "of a step: transposes", "solver, 16x12, double (a)\n",
               "16x12, float, ", "(a) ours: an ocean by a formula");
    assert_null(strstr(result->output, "; ours"));
    assert_null(strstr(result->output, "single"));
}

// The column in which the last text of a line begins.
static long column_of(const char *output, const char *text)
{
    const char *at = strstr(output, text), *begin = at;
    assert_non_null(at);
    while (begin > output && begin[-1] != '\n')
        begin--;
    return at - begin;
}

// A table of one row, or of more that end with a row of `rung`.
static const char *table_of(const char *unit, const char *more, const char *rung)
{
    return format_text("{'id': 't', 'place': 'p', 'quantity': 'q', 'unit': '%s', 'precision': 'single', %s"
                       "{'rung': '%s', 'machine': 'm', 'value': 8, 'threads': 1}]}",
                       unit, more, rung);
}

static void write_gas(void)
{
    static const char long_names[] = "'rows': [{'rung': 'MTIFissionFusionMemUnroll', 'machine': "
                                     "'a machine whose name is long, too', 'value': 7, 'threads': 1},",
                      alone[] = "'rows': [{'rung': 'GPU-none-either', 'machine': 'm', 'value': 2},";
    char text[6][1024];
    snprintf(text[0], sizeof text[0], "%s", table_of("frames/s", long_names, "MTI"));
    snprintf(text[1], sizeof text[1], "%s", table_of("ms", "'rows': [", "CPUTiled2k"));
    snprintf(text[2], sizeof text[2], "%s",
             table_of("1", "'of': 'sort', 'of_threads': 1, 'rows': [", "sort"));
    snprintf(text[3], sizeof text[3], "%s",
             table_of("%", "'measures': 'more', 'of': 'MTI', 'rows': [", "MTI"));
    snprintf(text[4], sizeof text[4], "%s", table_of("s", alone, "GPU-none"));
    snprintf(text[5], sizeof text[5], "%s",
             table_of("1", "'measures': 'nothing', 'not_measured': 'it was counted', 'rows': [", "MTI"));
    folder_write_json("ladders/gas.json",
                      "{'source': {'authors': 'A. Author', 'year': 2016, 'title': 'On gas'},"
                      " 'tables': [%s, %s, %s, %s, %s, %s]}",
                      text[0], text[1], text[2], text[3], text[4], text[5]);
}

// Of names that are longer than usual; figures that stand alone share a line, with the reason.
TEST(columns_are_as_wide_as_their_rows)
{
    write_gas();
    const char *const output =
        BENCH("gas --table source --size 256 --repeat 1 --steps 1 --backend openmp")->output;
    const long what = column_of(output, "what was timed here");
    assert_int_equal(column_of(output, "256, float, 1 thread\n"), what);
    assert_int_equal(column_of(strstr(output, "MTI   "), "256, float, 1 thread\n"), what);
    assert_null(strstr(output, "1 threads"));
    assert_null(strstr(output, "blocks of"));
    assert_has(output, ", 64 at a time\n", "q (frames/s); float\n", "q; against the rung sort; float\n",
               "ratio -: none of percentages", "not measured: it was counted. The author's: m: MTI 8\n",
               "not measured: no ", "The author's: m: GPU-none-either 2,", "GPU-none 8\n");
}

// The ratios of a rung to itself: nothing depends on how fast it is.
TEST(rungs_are_compared_with_themselves)
{
    write_gas();
    cJSON *report =
        bench_report_of(BENCH("gas --table source --size 256 --repeat 1 --steps 1 --backend openmp --json"));
    const cJSON *frames = row_of(report, 0, 1);
    const double step_s = cli_json_number(frames, "step_s");
    assert_near("frames/s", cli_json_number(frames, "ours"), 1 / step_s, 1e-9 / step_s);
    assert_near("ratio", cli_json_number(frames, "ratio"), 1 / step_s / 8, 1e-9 / step_s);
    assert_true(cli_json_number(row_of(report, 2, 0), "ours") == 1);
    assert_true(cli_json_number(row_of(report, 3, 0), "ours") == 0);
    assert_has(cli_text(row_of(report, 4, 0), "not_measured"), "no device");
    assert_true(is_text(row_of(report, 5, 0), "not_measured", "it was counted"));
}

// 200 000 particles of MTI are 4.4e11 operations, which no processor makes in 20 ms.
TEST(long_steps_are_estimated)
{
    folder_write_json("ladders/gas.json",
                      "{'source': {'authors': 'A. Author', 'year': 2016, 'title': 'On gas'}, 'tables': [%s]}",
                      table_of("s", "'grid': [200000], 'rows': [", "MTI"));
    cJSON *report =
        bench_report_of(BENCH("gas --table source --budget 0.001 --repeat 1 --backend openmp --json"));
    const cJSON *row = row_of(report, 0, 0);
    assert_true(cJSON_IsTrue(cli_item(row, "is_estimate")) && cli_json_number(row, "ours") > 0.02);
    assert_null(cJSON_GetObjectItem(row, "step_s"));
}

// Of the rungs here; nothing depends on how fast they are.
static void check_measures(const cJSON *report)
{
    const cJSON *openmp = row_of(report, 1, 0), *serial = row_of(report, 3, 0);
    const cJSON *stage, *stages = cli_item(serial, "stage_s");
    const double step_s = cli_json_number(openmp, "step_s");
    double total_s = 0;
    cJSON_ArrayForEach(stage, stages) total_s += stage->valuedouble;
    assert_true(step_s > 0 && total_s > 0);
    assert_near("ours", cli_json_number(openmp, "ours"), step_s, 1e-12 * step_s);
    assert_near("ratio", cli_json_number(openmp, "ratio"), 2 / step_s, 1e-11 / step_s);
    assert_true(cli_json_number(openmp, "threads") == omp_get_max_threads());
    assert_true(is_text(openmp, "precision", "single"));
    // A rung saves nothing of its own time.
    assert_true(cli_json_number(row_of(report, 2, 0), "ours") == 0);
    assert_near("share", cli_json_number(serial, "ours"), 100 * cli_json_number(stages, "solver") / total_s,
                1e-9);
    assert_true(cJSON_IsNull(cli_item(row_of(report, 3, 1), "ours")));
}

TEST(the_report_has_them)
{
    cJSON *report = bench_report_of(BENCH("tsunami --table source --json " QUICK));
    const cJSON *table = cJSON_GetArrayItem(cli_item(report, "tables"), 0),
                *row = cJSON_GetArrayItem(cli_item(table, "rows"), 0);
    assert_true(is_text(cli_item(report, "source"), "authors", "A. Author"));
    assert_true(is_text(table, "place", "table 9") && is_text(row, "rung", "by-hand"));
    assert_true(cli_json_number(row, "value") == 1234 && is_text(row, "bound", "at most"));
    assert_true(cJSON_IsFalse(cli_item(row, "has_rung")) && cJSON_IsNull(cli_item(row, "ours")));
    check_measures(report);
}

// What a figure follows from: the time of a step, by the work, the operations and the rung that is compared.
TEST(rungs_of_heat_stand_beside_figures)
{
    enum { CELLS = 8 * 9 * 10 };
    folder_write_json("ladders/bioheat.json",
                      "{'source': {'authors': 'A. Author', 'year': 2013, 'title': 'On heat'}, 'tables': ["
                      "{'id': 'o', 'place': 'p', 'quantity': 'q', 'unit': 'GFLOP/s', 'rows':"
                      " [{'rung': 'openmp', 'machine': 'm', 'value': 27}]},"
                      "{'id': 'f', 'place': 'p', 'quantity': 'q', 'unit': '1', 'of': 'openmp', 'rows':"
                      " [{'rung': 'openmp', 'machine': 'm', 'value': 50}]}]}");
    cJSON *report = bench_report_of(BENCH("bioheat --table source --json --size 12x13x14 --repeat 1 --steps 2"
                                          " --backend openmp"));
    const cJSON *tables = cli_item(report, "tables"),
                *rate = cJSON_GetArrayItem(cli_item(cJSON_GetArrayItem(tables, 0), "rows"), 0),
                *faster = cJSON_GetArrayItem(cli_item(cJSON_GetArrayItem(tables, 1), "rows"), 0);
    const double expected = 25. * CELLS / cli_json_number(rate, "step_s") / 1e9;
    assert_true(is_text(rate, "precision", "single"));
    assert_true(fabs(cli_json_number(rate, "ours") / expected - 1) < 1e-11);
    assert_true(cli_json_number(faster, "ours") == 1 && cli_json_number(faster, "ratio") == 1. / 50);
}

TEST(what_cannot_be_had_is_refused)
{
    const struct cli_result *result = BENCH("gas --table source --table variants --backend openmp");
    assert_int_equal(result->exit_code, 64);
    assert_has(result->error, "--table variants stands alone");
    result = BENCH("bioheat --table source --size 10000x10000x10000 --backend openmp");
    assert_int_equal(result->exit_code, 71);
    assert_has(result->error, "--size 10000x10000x10000: a rung needs 12 TB of memory or more, and ");
    result = BENCH("gas --table source --size 256 --size 512 --backend openmp");
    assert_int_equal(result->exit_code, 64);
    assert_has(result->error, "have one size");
    folder_write_text("ladders/gas.json", "{");
    result = BENCH("gas --table source --backend openmp");
    assert_int_equal(result->exit_code, 65);
    assert_has(result->error, "ladders/gas.json");
}

// Where rows are the rungs, figures that cannot be read are found before the rows are timed and printed.
TEST(figures_are_read_before_rows_are_timed)
{
    folder_write_text("ladders/nbody.json", "{");
    const struct cli_result *result = BENCH("nbody --table source --size 1000 --backend openmp");
    assert_int_equal(result->exit_code, 65);
    assert_has(result->error, "ladders/nbody.json");
    assert_string_equal(result->output, "");
}

// Of --table sizes the author's figures are an addition: times that were measured are not lost for them.
TEST(times_are_reported_without_figures)
{
    folder_write_text("ladders/gas.json", "{");
    cJSON *report =
        bench_report_of(BENCH("gas --table sizes --size 256 --system lennard-jones --repeat 1 --steps 2 "
                              "--backend openmp --json"));
    assert_true(cJSON_GetArraySize(cli_item(report, "rows")) > 0);
    assert_null(cJSON_GetObjectItem(report, "peers"));
    assert_has(cJSON_GetArrayItem(cli_item(report, "notes"), 0)->valuestring, "the authors' figures",
               "ladders/gas.json");
}
