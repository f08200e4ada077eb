// `fathom convert` of an ensemble: GeoJSON, KML and GeoTIFF against its tables and ensemble.nc
// (tests/support/hazard_products.py).
#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"

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

TEST_SUITE(.group_setup = cli_setup, .group_teardown = cli_teardown);
