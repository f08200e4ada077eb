// What the validation's cases of waves on land are made of: tables of public data files, read strictly, and
// what is measured on maps, against values known by hand.
#include "tests/support/benchmarks.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/statuses.h"
#include "tests/support/test.h"
#include "validate/case_table.h"
#include "validate/tsunami/flood.h"

static void assert_near(double computed, double expected, double tolerance)
{
    if (!(fabs(computed - expected) <= tolerance))
        fail_msg("%.15g, expected %.15g within %g", computed, expected, tolerance);
}

// ---- tables

static void assert_table(const char *text, int columns, bool may_be_short, size_t rows)
{
    struct case_table table;
    cli_write_text("table.txt", text);
    const enum status status = case_read_table(cli_path("table.txt"), columns, may_be_short, &table);
    if (status != STATUS_OK)
        fail_msg("\"%s\": %s", text, status_message());
    assert_int_equal(table.rows, rows);
    case_table_free(&table);
}

static void assert_refused(const char *text, int columns, bool may_be_short, const char *message)
{
    struct case_table table;
    cli_write_text("table.txt", text);
    assert_failure(case_read_table(cli_path("table.txt"), columns, may_be_short, &table), STATUS_DATA,
                   message, "table.txt");
    assert_null(table.values);
}

TEST_WITH(tables_are_read, cli_setup, cli_teardown)
{
    assert_table("1 2\n3 4\n", 2, false, 2);
    assert_table("1\t2 \r\n\r\n3,4\r\n", 2, false, 2);
    // A heading may begin with a number.
    assert_table("Case A\n30 sec of data\n1 2\n3 4", 2, false, 2);
    assert_table("x,y\n1,\n,4\n", 2, false, 2);
    assert_table("1 NaN\n2 nan\n", 2, false, 2);
    assert_table("1 2 3 4\n5 6\n", 4, true, 2);
}

TEST_WITH(values_are_where_they_were, cli_setup, cli_teardown)
{
    struct case_table table;
    struct case_series series;
    cli_write_text("table.txt", "t a b\n0 1e-3 7\n1 , -2.5\n2 5\n");
    assert_int_equal(case_read_table(cli_path("table.txt"), 3, true, &table), STATUS_OK);
    assert_int_equal(table.rows, 3);
    assert_near(case_table_at(&table, 0, 1), 1e-3, 0);
    assert_true(isnan(case_table_at(&table, 2, 2)));
    assert_near(case_table_at(&table, 1, 1), -2.5, 0); // a comma between blanks is one separator
    assert_int_equal(case_table_series(&table, 0, 1, &series), STATUS_OK);
    assert_int_equal(series.count, 3);
    assert_near(series.value[2], 5, 0);
    case_series_free(&series);
    assert_int_equal(case_table_series(&table, 0, 2, &series), STATUS_OK);
    assert_int_equal(series.count, 1); // rows without a value are left out
    case_series_free(&series);
    case_table_free(&table);
}

TEST_WITH(damaged_tables_are_refused, cli_setup, cli_teardown)
{
    assert_refused("1 2\n3 4x\n", 2, false, "line 2: expected 2 numbers, found something else");
    assert_refused("1 2\n3\n", 2, false, "line 2: expected 2 numbers, found 1");
    assert_refused("1 2\n3 4 5\n", 2, true, "line 2: expected 2 numbers, found 3");
    assert_refused("only words\n", 2, false, "holds 0 lines of 2 numbers");
    assert_refused("1 2\n", 2, false, "holds 1 lines of 2 numbers");
    struct case_table table;
    struct case_series series;
    cli_write_text("table.txt", "0 1\n2 3\n1 4\n");
    assert_int_equal(case_read_table(cli_path("table.txt"), 2, false, &table), STATUS_OK);
    assert_failure(case_table_series(&table, 0, 1, &series), STATUS_DATA,
                   "table.txt: the time 1 follows on 2");
    case_table_free(&table);
    assert_failure(case_read_table(cli_path("none.txt"), 2, false, &table), STATUS_NO_INPUT, "");
}

// Each public file holds what its description states: rows, columns, first and last numbers as one sees them
// in it.
TEST(public_files_are_read)
{
    static const struct {
        const char *name;
        int columns;
        bool may_be_short;
        size_t rows;
        double first, last; // of the second column
    } files[] = {
        {"nthmp/BP01/canonical_profiles.txt", 9, false, 220, NAN, 0.00383},
        {"nthmp/BP01/canonical_ts.txt", 4, true, 1200, -6.164e-6, 1.62e-3},
        {"nthmp/BP02/ts3a.txt", 8, false, 600, 0, -0.000914},
        {"nthmp/BP02/ts3c_analytical.txt", 9, false, 301, 2.46202e-5, -5.27031e-4},
        {"nthmp/BP04/Lab_runup.txt", 3, false, 77, 0.019, 0.842},
        {"nthmp/BP04/profiles_H0.0185/Case0_0185.t=30", 2, false, 0, 0, NAN},
        {"nthmp/BP06/ts2b.txt", 9, false, 1501, 0.00149, 0.00296},
        {"nthmp/BP06/run2a.txt", 4, false, 24, 0, 337.5},
        {"nthmp/BP07/Benchmark_2_Bathymetry.txt", 3, false, 95892, 0, 3.402},
        {"nthmp/BP07/Benchmark_2_input.txt", 2, false, 451, -1.19e-5, 1.0451e-3},
        {"nthmp/BP07/output_ch5-7-9.csv", 4, false, 3992, 0.234, -0.916},
        {"nthmp/BP07/OBS_RUNUP.txt", 8, false, 3, 1.88, 2.32},
    };
    char path[BENCHMARK_PATH];
    need_benchmark(files[0].name, path);
    for (size_t k = 0; k < COUNT(files); k++) {
        struct case_table table;
        if (!has_benchmark(files[k].name, path))
            continue;
        if (case_read_table(path, files[k].columns, files[k].may_be_short, &table) != STATUS_OK)
            fail_msg("%s", status_message());
        if (files[k].rows > 0 && table.rows != files[k].rows)
            fail_msg("%s: %zu rows, expected %zu", files[k].name, table.rows, files[k].rows);
        if (!isnan(files[k].first))
            assert_near(case_table_at(&table, 0, 1), files[k].first, 1e-9);
        if (!isnan(files[k].last))
            assert_near(case_table_at(&table, table.rows - 1, 1), files[k].last, 1e-9);
        case_table_free(&table);
    }
}

// ---- maps

// A slope 1:10 that rises to the west, the shoreline at x = 0, nodes 1 m apart at half metres; wet to the
// fourth node on land, the surface rising a little towards the land.
enum { NX = 20, NY = 3 };
static double map_x[NX], map_y[NY], map_depth[NX * NY], map_eta[NX * NY];

static double slope_m(const void *context, double x_m)
{
    return 0.1 * x_m;
}

static struct flood_map slope_map(void)
{
    for (int j = 0; j < NY; j++) {
        map_y[j] = j;
        for (int i = 0; i < NX; i++) {
            map_x[i] = i - 9.5;
            map_depth[j * NX + i] = slope_m(NULL, map_x[i]);
            map_eta[j * NX + i] = map_x[i] < -4 ? (double)NAN : 0.4 - 0.02 * map_x[i];
        }
    }
    return (struct flood_map){
        .records = 1, .ny = NY, .nx = NX, .x_m = map_x, .y_m = map_y, .eta_m = map_eta, .depth_m = map_depth};
}

// The last flooded node lies at −3.5: ground 0.35, surface 0.47, 0.12 deep. The surface rises by 0.02 a node,
// the ground by 0.1: they meet after 1.5 nodes, beyond the next one, which stayed dry: its ground, 0.45, is
// the most.
TEST(runup_on_a_slope)
{
    struct flood_map map = slope_map();
    const struct flood_box land = {{-INFINITY, 0}, {-INFINITY, INFINITY}}, sea = {{0, 10}, {-1, 10}};
    struct flood_height height = flood_runup(&map, &land);
    assert_near(height.level_m, 0.47, 1e-15);
    assert_near(height.continued_m, 0.45, 1e-15);
    assert_near(height.x_m, -3.5, 0);
    assert_true(isnan(flood_runup(&map, &sea).level_m)); // nothing of it is land
    height = flood_runup_along(&map, 2.5, 1, -1, 0, 11);
    assert_near(height.level_m, 0.47, 1e-12);
    assert_near(height.continued_m, 0.45, 1e-12);
    assert_near(height.x_m, -3.5, 1e-12);
    // A surface that falls towards the land: 0.36 there, by 0.01 a node, 0.01 deep: after a eleventh of a
    // node.
    for (int k = 0; k < NX * NY; k++)
        map_eta[k] = isnan(map_eta[k]) ? (double)NAN : 0.395 + 0.01 * map_x[k % NX];
    height = flood_runup(&map, &land);
    assert_near(height.continued_m, 0.35 + 0.1 / 11, 1e-12);
    height = flood_runup_along(&map, 2.5, 0.5, -1, 0, 11);
    assert_near(height.continued_m, 0.35 + 0.1 / 11, 1e-12);
    // Too short a line, and one that begins on dry land.
    assert_true(isnan(flood_runup_along(&map, 2.5, 1, -1, 0, 3).level_m));
    assert_true(isnan(flood_runup_along(&map, -6.5, 1, -1, 0, 2).level_m));
}

TEST(profiles_stand_on_the_ground)
{
    struct flood_map map = slope_map();
    assert_near(flood_profile_m(&map, 0, slope_m, NULL, 3.5), 0.33, 1e-15);
    assert_near(flood_profile_m(&map, 0, slope_m, NULL, 3), 0.34, 1e-15); // halfway
    assert_near(flood_profile_m(&map, 0, slope_m, NULL, -6), 0.6, 1e-15); // dry: the ground
    // Between 0.47, wet, and 0.45, dry: linear, and above the ground, 0.4.
    assert_near(flood_profile_m(&map, 0, slope_m, NULL, -4), 0.46, 1e-15);
    assert_true(isnan(flood_profile_m(&map, 0, slope_m, NULL, 10)));
}

TEST(records_are_found_by_their_time)
{
    double times[] = {0, 9.9, 20.2};
    const struct flood_map map = {.records = 3, .time_s = times};
    size_t record;
    assert_int_equal(flood_record_at(&map, 10, 1, &record), STATUS_OK);
    assert_int_equal(record, 1);
    assert_failure(flood_record_at(&map, 15, 1, &record), STATUS_DATA, "no map of 15 s");
}

TEST(what_a_gauge_shows_at_rest_goes)
{
    double time[] = {0, 1, 2, 3}, value[] = {1, 3, 10, 2};
    struct case_series series = {4, time, value};
    flood_subtract_rest(&series, 2); // mean of the first two: 2
    assert_near(value[0], -1, 0);
    assert_near(value[2], 8, 0);
    flood_subtract_rest(&series, -1); // nothing is before
    assert_near(value[2], 8, 0);
}

TEST_MAIN(NULL, NULL)
