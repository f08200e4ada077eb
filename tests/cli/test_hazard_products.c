// `fathom convert` of an ensemble: GeoJSON, KML and GeoTIFF against its tables and ensemble.nc
// (tests/support/hazard_products.py); what `fathom convert` and `fathom report` refuse of it.
#include "tests/support/cli_fixture.h"
#include "tests/support/gnuplot.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/test.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static const char members[] = TEST_SOURCE_DIRECTORY "/tests/support/hazard_members.py",
                  script[] = TEST_SOURCE_DIRECTORY "/tests/support/hazard_products.py";

static void make(void)
{
    if (cli_exists("hazard"))
        return;
    cli_assert_tool(cli_run_tool("/usr/bin/python3", members, "make", cli_path("made"), NULL));
    cli_copy("made/summary-random.json", "made/summary.json");
    cli_do("hazard made --no-html -o hazard --threshold '0.5 m, 2 m'");
}

TEST(features_and_maps_equal_the_tables_and_the_ensemble)
{
    // The higher percentiles of these members are infinite somewhere, which no GeoTIFF holds.
    static const struct {
        const char *variable, *at, *options;
    } maps[] = {{"max_eta_percentile", "15", "--at 15"},        {"max_eta_exceedance", "2", "--at '200 cm'"},
                {"flow_depth_percentile", "95", "--at '95 %'"}, {"arrival_median", "0.3", "--at '0.3 m'"},
                {"arrival_probability", "0.03", "--record 0"},  {"flow_depth_mean", "0", ""}};
    make();
    cli_do("convert hazard all.geojson");
    cli_do("convert hazard/ensemble.nc all.kml");
    const bool has_gdal = cli_run_tool("sh", "-c", "command -v gdal_translate")->exit_code == 0;
    for (size_t k = 0; k < COUNT(maps); k++) {
        char stem[64];
        snprintf(stem, sizeof stem, "%s-%s", maps[k].variable, maps[k].at);
        cli_assert_done(cli_run_line(
            format_text("convert hazard %s.tif --variable %s %s", stem, maps[k].variable, maps[k].options)));
        if (has_gdal)
            cli_assert_done(cli_run_tool("gdal_translate", "-q", "-of", "XYZ",
                                         cli_path(format_text("%s.tif", stem)),
                                         cli_path(format_text("%s.xyz", stem))));
    }
    const struct cli_result *result = cli_run_tool("/usr/bin/python3", script, folder_root());
    cli_assert_tool(result);
    print_message("%s", result->output);
    assert_has(result->output, "10 features", has_gdal ? "6 maps agree" : "0 maps agree");
}

// The first layer is the 5th percentile, which must not stand for the wave that is to be expected.
TEST(what_does_not_fit_is_refused)
{
    static const struct {
        const char *command;
        int code;
        const char *fragments[5];
    } rows[] = {
        {"hazard x.tif", CONFIGURATION, {"max_eta_exceedance has 2 layers", "--at", "threshold 0.5 m, 2 m"}},
        {"hazard x.tif --variable max_eta_percentile",
         CONFIGURATION,
         {"5 layers", "percentile 5, 15, 50, 85, 95"}},
        {"hazard x.tif --variable max_eta_percentile --at 94",
         CONFIGURATION,
         {"no layer at \"94\"", "85, 95"}},
        {"hazard x.tif --variable max_eta_percentile --record 5",
         CONFIGURATION,
         {"none of index 5", "85, 95"}},
        {"hazard x.tif --variable max_eta_mean --at 95", CONFIGURATION, {"max_eta_mean is one map"}},
        {"hazard x.tif --at '1 kg'", CONFIGURATION, {"--at", "kg is a mass"}},
        {"hazard x.tif --variable weight", DATA, {"variable weight is no map", "max_eta_mean"}},
        {"hazard x.tif --at '1 m' --record 0", USAGE, {"--at and --record"}},
        {"hazard x.tif --variable max_eta_percentile --at ''", CONFIGURATION, {"--at"}},
        {"hazard x.tif --at '2 m' --crs EPSG:32654",
         CONFIGURATION,
         {"--crs", "EPSG:32654", "metres", "degrees"}},
        {"hazard x.csv", DATA, {"hazard_points.csv", "hazard_zones.csv"}},
        {"made x.csv", NO_INPUT, {"made: holds none of points.nc, zones.nc, gauges.nc, ensemble.nc"}},
        {"hazard x.geojson --zones made/summary.json", USAGE, {"--zones", "has the polygons of its zones"}},
        {"cut.nc x.tif --at '2 m'", DATA, {"cut.nc"}},
        {"pipe.nc x.tif", NO_INPUT, {"pipe.nc", "is a pipe"}},
        {"hazard/ensemble.nc x.csv", DATA, {"hazard_points.csv", "hazard_zones.csv"}},
        {"hazard x.geojson --at 95", USAGE, {"--at: is for GeoTIFF"}},
        {"made/m-0001/maxima.nc x.nc --at 95", USAGE, {"--at: is for a GeoTIFF of a result"}},
        {"made/m-0001/maxima.nc x.tif --variable arrival --record 2",
         CONFIGURATION,
         {"arrival has 2 layers"}},
    };
    make();
    cli_copy("hazard/ensemble.nc", "cut.nc");
    cli_truncate("cut.nc", 0.3);
    folder_shell("mkfifo %s", cli_path("pipe.nc"));
    for (size_t k = 0; k < COUNT(rows); k++) {
        cli_assert_error_has(cli_run_line(format_text("convert %s", rows[k].command)), rows[k].code, true,
                             rows[k].fragments);
        assert_false(cli_exists("x.tif") || cli_exists("x.csv") || cli_exists("x.geojson"));
    }
}

// ---- numbers that others have changed

static void put(int file, const char *variable, const size_t index[3], double value)
{
    int id;
    nc_type type;
    NC(nc_inq_varid(file, variable, &id));
    NC(nc_inq_vartype(file, id, &type));
    NC(type == NC_FLOAT ? nc_put_var1_float(file, id, index, &(float){(float)value}) // infinite ones, too
                        : nc_put_var1_double(file, id, index, &value));
}

// The ensemble without the infinite heights that its members have in one row of the map: finite.nc. And the
// folder changed, without run.json.
static void make_changed(void)
{
    int file;
    make();
    folder_shell("cd %s && mkdir -p changed && rm -f changed/run.json x.*", folder_root());
    if (cli_exists("finite.nc"))
        return;
    cli_copy("hazard/ensemble.nc", "finite.nc");
    NC(nc_open(cli_path("finite.nc"), NC_WRITE, &file));
    for (size_t k = 0; k < 8; k++) {
        put(file, "max_eta_mean", (const size_t[3]){5, k}, 1);
        for (size_t p = 0; p < 5; p++)
            put(file, "max_eta_percentile", (const size_t[3]){p, 5, k}, 1);
    }
    NC(nc_close(file));
}

// One number of a copy, in the folder changed, becomes `value`.
static void change(const char *variable, const size_t index[3], double value)
{
    int file;
    cli_copy("finite.nc", "changed/ensemble.nc");
    NC(nc_open(cli_path("changed/ensemble.nc"), NC_WRITE, &file));
    put(file, variable, index, value);
    NC(nc_close(file));
}

static void assert_refused(const char *line, const char *const *fragments)
{
    cli_assert_error_has(cli_run_line(line), DATA, true, fragments);
    assert_false(cli_exists("x.tif") || cli_exists("x.kml") || cli_exists("x.geojson") ||
                 cli_exists("changed/report.html"));
}

// Of the ensemble and of its tables.
TEST(sums_of_all_files_stand_in_run_json)
{
    make();
    const cJSON *run = cli_read_json("hazard/run.json");
    assert_int_equal(cli_count(run, "files"), 4);
    assert_int_equal(cli_count(run, "file_xxh3"), 4);
    const cJSON *sums = cJSON_GetObjectItemCaseSensitive(run, "file_xxh3");
    for (int k = 0; k < 4; k++) {
        size_t length;
        const char *name = cli_text(run, format_text("files.%d", k)),
                   *bytes = folder_read(format_text("hazard/%s", name), &length);
        assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(sums, name)),
                            format_text("%016llx", (unsigned long long)XXH3_64bits(bytes, length)));
    }
}

// A height that may well be, but is not the one that was written. Without a sum it is taken, as a run's is.
TEST(a_changed_height_is_refused)
{
    static const struct {
        const char *line, *run; // run: run.json, or NULL for that of hazard
        bool is_taken;
    } rows[] = {
        {"convert changed x.geojson", NULL, false},
        {"convert changed/ensemble.nc x.kml", NULL, false},
        {"convert changed x.tif --at '2 m'", NULL, false},
        {"convert changed/harbour.ensemble.nc x.tif --at '2 m'",
         "{'file_xxh3': {'harbour.ensemble.nc': '0123456789abcdef'}}", false},
        {"report changed", NULL, false},
        {"report changed",
         "{'model': 'tsunami-hazard', 'files': ['harbour.ensemble.nc'], "
         "'file_xxh3': {'harbour.ensemble.nc': '0123456789abcdef'}}",
         false},
        {"convert changed x.geojson", "{'file_xxh3': {'hazard_points.csv': '0123456789abcdef'}}", true},
        {"convert changed x.geojson", "{'files': ['ensemble.nc']}", true},
        {"convert changed x.geojson", "", true}};
    const bool can_draw = has_gnuplot();
    make_changed();
    change("coastal_height_percentile", (const size_t[3]){1, 4}, 1.75);
    cli_copy("changed/ensemble.nc", "changed/harbour.ensemble.nc");
    for (size_t k = 0; k < COUNT(rows); k++) {
        make_changed();
        if (!rows[k].run)
            cli_copy("hazard/run.json", "changed/run.json");
        else if (rows[k].run[0])
            cli_write_json("changed/run.json", "%s", rows[k].run);
        if (rows[k].is_taken) {
            cli_assert_done(cli_run_line(rows[k].line));
            assert_has(folder_text("x.geojson"), "\"coastal_height_p95\":1.75");
            cli_remove("x.geojson");
        } else if (can_draw || strncmp(rows[k].line, "report", 6) != 0)
            assert_refused(
                rows[k].line,
                (const char *const[]){"ensemble.nc: was damaged or changed after its run", "XXH3-64", NULL});
    }
    cli_remove("changed/harbour.ensemble.nc");
}

// By the reader of features, of maps, and of the report; in the name of the input.
TEST(numbers_that_cannot_be_are_refused)
{
    static const struct {
        const char *variable;
        size_t index[3];
        double value;
        const char *expected;
    } rows[] = {
        {"percentile", {2}, 10, "percentile[2] is 10, expected percentiles from 0 to 100, ascending"},
        {"percentile", {4}, 100.5, "percentile[4] is 100.5, expected percentiles from 0 to 100"},
        {"percentile", {0}, -1, "percentile[0] is -1, expected percentiles from 0 to 100"},
        {"threshold", {1}, 0.5, "threshold[1] is 0.5, expected heights above 0, ascending"},
        {"threshold", {0}, NAN, "threshold[0] is nan, expected heights above 0, ascending"},
        {"lat", {8}, 90.5, "lat[8] is 90.5, expected latitudes from -90 to 90"},
        {"lon", {7}, INFINITY, "lon[7] is inf, expected longitudes from -360 to 720"},
        {"lon", {7}, 1e9, "lon[7] is 1e+09, expected longitudes from -360 to 720"},
        {"point_y", {3}, -90.5, "point_x[3], point_y[3]: latitude -90.5 is beyond 90 degrees"},
        {"point_x", {1}, 360.5, "point_x[1], point_y[1]: longitude 360.5 is beyond 360 degrees"},
        {"point_x", {4}, NAN, "point_x[4], point_y[4]: the position (nan, "},
        {"station_y", {1}, 91, "station_x[1], station_y[1]: latitude 91 is beyond 90 degrees"},
        {"coastal_height_percentile",
         {1, 3},
         INFINITY,
         "coastal_height_percentile[1][3] is inf, expected a finite height, 0 or more"},
        {"crest_mean", {2}, -0.5, "crest_mean[2] is -0.5, expected a finite height, 0 or more"},
        {"zone_crest_percentile", {0, 4}, -1, "zone_crest_percentile[0][4] is -1, expected a finite height"},
        {"threat_probability", {1, 2}, 1.5, "threat_probability[1][2] is 1.5, expected a probability from 0"},
        {"series_percentile",
         {4, 2, 1},
         INFINITY,
         "series_percentile[4][2][1] is inf, expected a finite value"}};
    const bool can_draw = has_gnuplot();
    make_changed();
    for (size_t k = 0; k < COUNT(rows); k++) {
        const char *const fragments[] = {"changed/ensemble.nc: ", rows[k].expected, NULL};
        change(rows[k].variable, rows[k].index, rows[k].value);
        assert_refused("convert changed x.geojson", fragments);
        if (k % 8 != 0) // all three readers have the same limits
            continue;
        assert_refused("convert changed x.tif --variable max_eta_percentile --at 5", fragments);
        if (can_draw)
            assert_refused("report changed", fragments);
    }
}

// A node of a map, in a row that is read for the GeoTIFF; the report reads all.
TEST(heights_of_maps_that_cannot_be_are_refused)
{
    static const struct {
        const char *options, *variable;
        size_t index[3];
        double value;
        const char *expected;
    } rows[] = {{"--variable max_eta_percentile --at 15",
                 "max_eta_percentile",
                 {1, 7, 6},
                 INFINITY,
                 "max_eta_percentile[1][7][6] is inf, expected a finite height, 0 or more"},
                {"--variable flow_depth_mean",
                 "flow_depth_mean",
                 {3, 5},
                 -0.25,
                 "flow_depth_mean[3][5] is -0.25, expected a finite height, 0 or more"},
                {"--at '2 m'",
                 "max_eta_exceedance",
                 {1, 8, 7},
                 1.25,
                 "max_eta_exceedance[1][8][7] is 1.25, expected a probability from 0 to 1"},
                {"--variable arrival_median --at '0.3 m'",
                 "arrival_median",
                 {1, 0, 3},
                 INFINITY,
                 "arrival_median[1][0][3] is inf, expected a finite value"}};
    const bool can_draw = has_gnuplot();
    make_changed();
    for (size_t k = 0; k < COUNT(rows); k++) {
        const char *const fragments[] = {"changed/ensemble.nc: ", rows[k].expected, NULL};
        change(rows[k].variable, rows[k].index, rows[k].value);
        assert_refused(format_text("convert changed x.tif %s", rows[k].options), fragments);
        if (can_draw && strstr(rows[k].expected, "height"))
            assert_refused("report changed", fragments);
    }
}

// A header that states billions of places, without their numbers.
TEST(absurd_counts_are_refused)
{
    static const struct {
        const char *dimension;
        size_t length;
        const char *expected;
    } rows[] = {{"point", 20001, "crest_mean has 20001 entries along point, expected 20000 at most"},
                {"zone", 3000000000, "crest_mean has 3000000000 entries along zone, expected 5000 at most"},
                {"threshold", 17, "crest_mean has 17 entries along threshold, expected 16 at most"}};
    make_changed();
    for (size_t k = 0; k < COUNT(rows); k++) {
        const int file = make_file(cli_path("changed/ensemble.nc"), NC_NETCDF4),
                  member = make_dimension(file, "member", 2),
                  along = make_dimension(file, rows[k].dimension, rows[k].length);
        (void)make_variable(file, "member_name", NC_DOUBLE, NULL, 1, &member);
        (void)make_variable(file, "weight", NC_DOUBLE, "1", 1, &member);
        const int id = make_variable(file, "crest_mean", NC_DOUBLE, "m", 1, &along);
        NC(nc_def_var_chunking(file, id, NC_CHUNKED, &(size_t){10}));
        NC(nc_close(file));
        const char *const fragments[] = {"changed/ensemble.nc: ", rows[k].expected, NULL};
        assert_refused("convert changed x.geojson", fragments);
    }
}

// ---- several at once

// Each writes the whole file under the same name, one after the other.
TEST(conversions_into_one_file_wait_for_each_other)
{
    static const char *const names[] = {"x.geojson", "x.tif"}, *const options[] = {"", "--at=2m"};
    enum { AT_ONCE = 5 };
    make();
    for (size_t k = 0; k < COUNT(names); k++) {
        pid_t children[AT_ONCE];
        for (int n = 0; n < AT_ONCE; n++)
            children[n] = cli_start("convert hazard %s %s", names[k], options[k]);
        for (int n = 0; n < AT_ONCE; n++)
            cli_assert_done(cli_finish(children[n]));
    }
    assert_false(cli_exists("x.geojson.part") || cli_exists("x.tif.part"));
    cli_remove("x.geojson");
    cli_remove("x.tif");
}

TEST_SUITE(.group_setup = cli_setup, .group_teardown = cli_teardown);
