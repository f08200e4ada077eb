// Products of a run and of finished results (docs/products.md), read back by other programs
// (tests/support/read_products.py); GeoTIFF as a job's grid; and what is refused.
#include "tests/support/cli_fixture.h"
#include "tests/support/netcdf_maker.h"
#include "tests/support/numbers.h"
#include "tests/support/test.h"

#include "io/geo/crs.h"

#include <sys/stat.h>

static const char script[] = TEST_SOURCE_DIRECTORY "/tests/support/read_products.py";

// Reads products back; skips the test where a program is not installed.
static void read_back(const char *what, const char *folder)
{
    const struct cli_result *result = cli_run_tool("/usr/bin/python3", script, what, cli_path(folder));
    if (result->exit_code == 77) {
        print_message("skipped: %s\n", result->output);
        skip();
    }
    if (result->exit_code != 0)
        fail_msg("%s: %s", what, result->error);
}

static void need_geotiff(void)
{
    if (geo_missing()[0]) {
        print_message("skipped: this build is without GeoTIFF\n");
        skip();
    }
}

TEST_SUITE(.setup = cli_setup, .teardown = cli_teardown);

// All products of a run, by their names in run.json; every number and place of the maps and lines.
TEST(test_of_a_run)
{
    static const char *const expected[] = {"gauges.csv", "maxima.geojson", "maxima.kml", "max_eta.tif",
                                           "arrival.tif"};
    need_geotiff();
    cJSON *job = cli_change(cli_sea_job(),
                            "output.products = ['csv', 'geojson', 'kml', 'geotiff']; "
                            "output.arrival = ['1 mm', '1 cm']; output.gauges = {'file': 'gauges.json'}");
    cli_write_gauges("gauges.json");
    cli_run_job(job);
    const char *report = folder_text("out/run.json");
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        char path[64];
        snprintf(path, sizeof path, "out/%s", expected[k]);
        assert_true(cli_exists(path));
        assert_non_null(strstr(report, expected[k]));
    }
    read_back("maps+lines", "out");
    assert_int_equal(strncmp(folder_text("out/gauges.csv"), "time_s,", 7), 0);
    // Fewer products the next time: what is left of the others would be another run's.
    cli_change(job, "output.products = ['csv']");
    cli_save_job(job);
    cli_do("run --quiet --restart job.json");
    assert_true(cli_exists("out/gauges.csv"));
    assert_false(cli_exists("out/max_eta.tif") || cli_exists("out/maxima.kml"));
    cli_change(job, "delete output.products");
    cli_save_job(job);
    cli_do("run --quiet --restart job.json");
    assert_false(cli_exists("out/gauges.csv"));
}

// A product that cannot be written fails the run's command, not its results.
TEST(test_failure_keeps_results)
{
    cJSON *job = cli_change(cli_sea_job(),
                            "output.products = ['csv', 'kml']; output.gauges = {'file': 'gauges.json'}");
    cli_write_gauges("gauges.json");
    cli_save_job(job);
    folder_shell("mkdir -p '%s'", cli_path("out/maxima.kml/full"));
    const struct cli_result *result = cli_run("run --quiet job.json");
    cli_assert_error(result, 74, true, "maxima.kml", "the netCDF results in out are complete");
    assert_true(cli_exists("out/maxima.nc") && cli_exists("out/run.json") && cli_exists("out/gauges.csv"));
    assert_false(cli_exists("out/maxima.kml.part") || cli_exists("out/partial"));
    cli_do("convert out out.kml");
    assert_true(cli_exists("out.kml"));
}

// Points and zones, in the layout of points.nc and zones.nc, by fathom convert.
TEST(test_points_and_zones)
{
    read_back("make", ".");
    static const char *const formats[] = {"csv", "geojson", "kml"};
    for (int k = 0; k < 3; k++)
        cli_do("convert points.nc points.%s", formats[k]);
    cli_do("convert zones.nc zones.geojson --zones zones.json --zone-name AREA");
    cli_do("convert zones.nc zones.kml --zones zones.json --zone-name AREA");
    read_back("points+zones", ".");
}

// Points, zones with their polygons, one of which has no water, and travel times. The results hold the
// polygons: a folder that was moved has the same products, though the file of the zones is gone.
TEST(test_places_of_a_run)
{
    cJSON *job =
        cli_change(cli_sea_job(), "output.products = ['csv', 'geojson', 'kml']; output.travel_time = true; "
                                  "output.points = {'file': 'towns.csv', 'search': '200 km'}; "
                                  "output.zones = {'file': 'zones.json', 'name': 'AREA'}");
    cli_write_text("towns.csv", "name,longitude,latitude\nKuji,145,33\n\"Miyako, port\",146,34\n");
    cli_write_json("zones.json",
                   "{'type': 'FeatureCollection', 'features': [{'type': 'Feature', "
                   "'properties': {'AREA': 'north'}, 'geometry': {'type': 'Polygon', "
                   "'coordinates': [[[144, 32], [147, 32], [147, 35], [144, 35], [144, 32]]]}}, {'type': "
                   "'Feature', 'properties': {'AREA': 'far'}, 'geometry': {'type': 'Polygon', "
                   "'coordinates': [[[4, 32], [7, 32], [7, 35], [4, 35], [4, 32]]]}}]}");
    cli_run_job(job);
    // A zone without water of the grid is not one that no wave reached.
    const double *threat = cli_read_values("out/zones.nc", "threat", 2);
    assert_true(threat[0] >= 0 && threat[1] == -127);
    assert_true(cli_has_warning("out", "1 of 2 zones have no water of the grid (far)", "zones.json"));
    assert_non_null(strstr(folder_text("out/zones.csv"), "far,0,0,,,,,,0,no water,"));
    cli_do("report out --size 500x400");
    assert_non_null(strstr(folder_text("out/report.html"), "no water of the grid in this zone"));
    assert_non_null(strstr(folder_text("out/points.csv"), "\"Miyako, port\",146,34,"));
    assert_non_null(strstr(folder_text("out/zones.geojson"), "\"Polygon\""));
    assert_true(cli_exists("out/travel_time.kml"));
    cli_remove("zones.json");
    folder_shell("mkdir '%s' && mv '%s' '%s'", cli_path("elsewhere"), cli_path("out"), cli_path("elsewhere"));
    cli_do("convert elsewhere/out/zones.nc again.geojson");
    char *again = owned_take(strdup(folder_text("again.geojson")));
    assert_string_equal(again, folder_text("elsewhere/out/zones.geojson"));
    cli_do("convert elsewhere/out whole.kml");
    assert_non_null(strstr(folder_text("whole.kml"), "<Polygon>"));
}

// Zones with a hole, of two parts, clockwise, across the antimeridian, with a hole there, and as a ring that
// was not cut there: their areas in zones.nc, as GDAL reads CF's geometries, and in the products, and what
// RFC 7946 and the KML of OGC say of rings.
TEST(test_outlines)
{
    struct cli_grid grid = cli_sea;
    cJSON *job =
        cli_change(cli_sea_job(), "source.faults.rows = [[179.5, 33.5, 20, 150, 80, 195, 14, 90, 8]]; "
                                  "output.products = ['geojson', 'kml']; output.zones.file = 'zones.json'");
    cli_write_json(
        "zones.json",
        "{'type': 'FeatureCollection', 'features': [{'type': 'Feature', 'properties': {'name': 'hole'}, "
        "'geometry': {'type': 'Polygon', 'coordinates': [[[175, 30], [175, 34], [179, 34], [179, 30], [175, "
        "30]], [[176, 31], [177, 31], [177, 32], [176, 32], [176, 31]]]}}, {'type': 'Feature', 'properties': "
        "{'name': 'two'}, 'geometry': {'type': 'MultiPolygon', 'coordinates': [[[[176, 35], [177, 35], [177, "
        "36], [176, 36], [176, 35]]], [[[-179, 35], [-177, 35], [-177, 36], [-179, 36], [-179, 35]]]]}}, "
        "{'type': 'Feature', 'properties': {'name': 'across'}, 'geometry': {'type': 'Polygon', "
        "'coordinates': [[[178, 30], [183, 30], [183, 33], [178, 33], [178, 30]]]}}, {'type': 'Feature', "
        "'properties': {'name': 'arms'}, 'geometry': {'type': 'Polygon', 'coordinates': [[[179, 30], [182, "
        "30], [182, 31], [179.5, 31], [179.5, 32], [182, 32], [182, 33], [179, 33], [179, 30]]]}}, "
        "{'type': 'Feature', 'properties': {'name': 'pierced'}, 'geometry': {'type': 'Polygon', "
        "'coordinates': [[[178, 34], [182, 34], [182, 36], [178, 36], [178, 34]], [[179, 34.5], [179, 35.5], "
        "[181, 35.5], [181, 34.5], [179, 34.5]]]}}, {'type': 'Feature', 'properties': {'name': 'unsplit'}, "
        "'geometry': {'type': 'Polygon', 'coordinates': [[[179, 30], [-179, 30], [-179, 31], [179, 31], "
        "[179, "
        "30]]]}}]}");
    grid.x0 = 175;
    cli_write_grid("sea.nc", &grid);
    cli_run_job(job);
    read_back("outlines", "out");
}

// A copy of the result: one number of a variable is another, or the variable has another name.
static void change_outlines(const char *copy, const char *name, size_t index, double value,
                            const char *other_name)
{
    int file, variable;
    cli_copy("out/zones.nc", copy);
    NC(nc_open(cli_path(copy), NC_WRITE, &file));
    NC(nc_inq_varid(file, name, &variable));
    if (other_name)
        NC(nc_rename_var(file, variable, other_name));
    else
        NC(nc_put_var1_double(file, variable, &index, &value));
    NC(nc_close(file));
}

static void assert_no_outlines(const char *name, size_t index, double value, const char *other_name,
                               const char *fragment)
{
    change_outlines("broken.nc", name, index, value, other_name);
    cli_assert_error(cli_run("convert broken.nc broken.kml"), DATA, false, "broken.nc", fragment);
    assert_false(cli_exists("broken.kml"));
}

// Outlines of a damaged result are refused, those of another program's file without any are points.
TEST(test_outlines_are_checked)
{
    cJSON *job = cli_change(cli_sea_job(), "output.zones.file = 'zones.json'");
    cli_write_json("zones.json",
                   "{'type': 'FeatureCollection', 'features': [{'type': 'Feature', "
                   "'properties': {'name': 'north'}, 'geometry': {'type': 'Polygon', "
                   "'coordinates': [[[144, 32], [147, 32], [147, 35], [144, 35], [144, 32]]]}}]}");
    cli_run_job(job);
    assert_no_outlines("node_count", 0, 4, NULL, "zone 1 is not whole and closed");
    assert_no_outlines("ring_node_count", 0, 2, NULL, "ring 1 is not whole and closed");
    assert_no_outlines("ring_node_count", 0, 2e9, NULL, "ring 1 is not whole and closed");
    assert_no_outlines("node_latitude", 4, 33, NULL, "ring 1 is not whole and closed");
    assert_no_outlines("interior_ring", 0, 1, NULL, "ring 1 is not whole and closed");
    assert_no_outlines("node_longitude", 1, NAN, NULL, "node_longitude[1] is nan, expected -720 to 720");
    assert_no_outlines("node_latitude", 2, 90.5, NULL, "node_latitude[2] is 90.5, expected -90 to 90");
    assert_no_outlines("node_latitude", 0, 0, "lat", "node_latitude");
    change_outlines("others.nc", "node_longitude", 0, 0, "lon");
    cli_do("convert others.nc points.kml");
    assert_non_null(strstr(folder_text("points.kml"), "<Point>"));
    cli_flip_byte("out/zones.nc", -400); // its checksum stands in run.json
    cli_assert_error(cli_run("convert out flipped.kml"), DATA, false, "out/zones.nc",
                     "was damaged or changed after its run");
    assert_false(cli_exists("flipped.kml"));
}

// A bathymetry as GeoTIFF gives the depths of the netCDF that it was made of, bit for bit, and its waves.
TEST(test_bathymetry)
{
    need_geotiff();
    cJSON *job = cli_sea_job();
    cli_run_job(job);
    cli_do("convert sea.nc sea.tif --as elevation");
    cli_change(job, "domain.bathymetry = {'file': 'sea.tif', 'positive': 'up'}; output.directory = 'tiff'");
    cli_run_job(job);
    size_t count, same;
    const double *depth = cli_read_variable("out/maxima.nc", "depth", &count, NULL),
                 *other = cli_read_variable("tiff/maxima.nc", "depth", &same, NULL);
    assert_int_equal(count, same);
    assert_memory_equal(depth, other, count * sizeof *depth);
    cli_do("compare out/maxima.nc tiff/maxima.nc");
    cli_save_job(cli_change(job, "domain.bathymetry = {'file': 'sea.tif'}"));
    cli_assert_error(cli_run("plan job.json"), DATA, false, "does not state whether it is an elevation");
    cli_do("info sea.tif");
}

// Keys that refer to numbers which are not there: libgeotiff's own words become part of the one line.
TEST(test_damaged_keys)
{
    static const unsigned char doubles[] = {0xB0, 0x87, 12,
                                            0}; // the tag of the keys' numbers, and their type
    size_t length;
    need_geotiff();
    cli_write_grid("sea.nc", &cli_sea);
    cli_do("convert sea.nc sea.tif --as elevation");
    if (cli_run_tool("sh", "-c", "command -v gdal_translate")->exit_code != 0)
        skip_because("gdal_translate is not installed");
    cli_run_tool("gdal_translate", "-q", cli_path("sea.tif"), cli_path("keys.tif"));
    char *bytes = folder_read("keys.tif", &length), *tag = memmem(bytes, length, doubles, sizeof doubles);
    assert_non_null(tag);
    tag[0] = (char)0xE8; // 65000 is no tag of anybody's
    tag[1] = (char)0xFD;
    folder_write("keys.tif", bytes, length);
    cli_assert_error(cli_run("info keys.tif"), DATA, false, "keys.tif: its GeoTIFF keys cannot be read",
                     "GeogSemiMajorAxis");
}

// A plane with a coordinate system: stated by the job, written into every map.
TEST(test_plane)
{
    need_geotiff();
    cli_write_grid("basin.nc", &cli_basin);
    cJSON *job = cli_change(cli_sea_job(),
                            "domain = {'bathymetry': {'file': 'basin.nc'}, 'crs': 'EPSG:32654'}; "
                            "delete output.arrival; delete output.fields; time = {'duration': '1 min'}; "
                            "source = {'solitary': {'height': '1 m', 'crest': '8 km', 'toward': 'east'}}; "
                            "output.products = ['geotiff']");
    cli_run_job(job);
    read_back("maps", "out");
    const struct cli_result *result = cli_run_tool("gdalinfo", cli_path("out/max_eta.tif"));
    assert_non_null(strstr(result->output, "WGS 84 / UTM zone 54N"));
    cli_do("convert out again.tif");
    result = cli_run_tool("cmp", cli_path("out/max_eta.tif"), cli_path("again.tif"));
    assert_int_equal(result->exit_code, 0);
    static const struct {
        const char *change;
        const char *fragments[2];
    } rows[] = {
        {"output.products = ['kml']", {"output.products", "geojson and kml need longitudes and latitudes"}},
        {"domain.crs = 'EPSG:4326'", {"domain.crs", "is in degrees, but the grid"}},
        {"domain.crs = 'EPSG:99999'", {"domain.crs", "EPSG:99999 is no coordinate system"}},
        {"domain.crs = 'UTM'", {"domain.crs", "expected an EPSG code"}},
        {"output.maxima = false", {"output.products", "needs \"maxima\": true"}},
        {"output.products = ['shapefile']", {"output.products", "shapefile"}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        cJSON *bad = cJSON_Duplicate(job, true);
        cli_save_job(cli_change(bad, "%s", rows[k].change));
        cJSON_Delete(bad);
        const struct cli_result *refused = cli_run("plan job.json");
        if (refused->exit_code == 0 || !strstr(refused->error, rows[k].fragments[0]) ||
            !strstr(refused->error, rows[k].fragments[1]))
            fail_msg("%s: exit code %d: %s", rows[k].change, refused->exit_code, refused->error);
    }
}

// A list of gauges that lies where gauges.csv would be written is never replaced.
TEST(test_input_is_kept)
{
    cJSON *job = cli_change(cli_sea_job(), "output.products = ['csv']; output.directory = '.'");
    cli_write_gauges("gauges.csv");
    cli_save_job(cli_change(job, "output.gauges = {'file': 'gauges.csv'}"));
    cli_assert_error(cli_run("run --quiet job.json"), CONFIGURATION, false, "output.products",
                     "would replace the job's own input");
}

// Nor are other inputs, which lie where a result, run.json or run.log would be written; a link neither.
TEST(inputs_are_kept_from_results)
{
    static const char *const names[] = {"maxima.nc", "maxima.0003.nc"};
    cJSON *job =
        cli_change(cli_sea_job(), "output.maxima = true; output.products = ['csv']; output.directory = 'in'");
    assert_int_equal(mkdir(cli_path("in"), 0755), 0);
    for (size_t k = 0; k < COUNT(names); k++) {
        folder_shell("cp '%s' '%s'", cli_path("sea.nc"), cli_path(format_text("in/%s", names[k])));
        cli_save_job(cli_change(job, "domain.bathymetry.file = 'in/%s'", names[k]));
        cli_assert_error(cli_run("run --quiet job.json"), CONFIGURATION, false, names[k],
                         "would replace the job's own input");
        folder_shell("cmp '%s' '%s'", cli_path("sea.nc"), cli_path(format_text("in/%s", names[k])));
    }
    cli_change(job, "domain.bathymetry.file = 'sea.nc'");
    folder_shell(
        "cd '%s' && ln -s ../g.csv in/run.json && mv in/run.json in/run.log && ln -s ../g.csv in/run.json",
        folder_root());
    cli_write_gauges("g.csv");
    for (int k = 0; k < 2; k++) {
        cli_save_job(cli_change(job, "output.gauges = {'file': 'in/run.%s'}", k == 0 ? "json" : "log"));
        cli_assert_error(cli_run("run --quiet job.json"), CONFIGURATION, false, "in/run.",
                         "would replace the job's own input");
    }
    // A name that the run does not write is no reason to refuse.
    folder_shell("mv '%s' '%s'", cli_path("in/maxima.0003.nc"), cli_path("in/maxima.sea.nc"));
    cli_save_job(
        cli_change(job, "domain.bathymetry.file = 'in/maxima.sea.nc'; output.gauges = {'file': 'g.csv'}"));
    cli_do("plan job.json");
}

TEST(test_refused)
{
    static const struct cli_refusal rows[] = {
        {"convert out out.shp", USAGE, {"out.shp", ".csv, .geojson or .kml"}},
        {"convert out/maxima.nc a.csv", DATA, {"maxima.nc", "cannot be a table"}},
        {"convert out/gauges.nc a.kml", DATA, {"gauges.nc", "ends in .csv"}},
        {"convert out/diagnostics.nc a.geojson",
         DATA,
         {"diagnostics.nc", "neither points nor zones nor maps"}},
        {"convert sea.nc a.kml", DATA, {"sea.nc", "neither points nor zones nor maps"}},
        {"convert out a.kml --variable eta", USAGE, {"--variable", "GeoTIFF"}},
        {"convert out a.kml --spacing 1", USAGE, {"--spacing", "has no meaning"}},
        {"convert out a.csv --crs EPSG:4326", USAGE, {"--crs"}},
        {"convert sea.nc a.nc --crs EPSG:4326", USAGE, {"--crs", "GeoTIFF"}},
        {"convert empty a.kml", 66, {"empty", "holds none of points.nc"}},
        {"convert out none/a.kml", 73, {"none/a.kml: cannot be created"}},
        {"convert out out/run.json", 73, {"out/run.json", "a file of the run"}},
        {"convert out/maxima.nc out/maxima.nc --variable max_eta --as value",
         73,
         {"out/maxima.nc", "is the input"}},
        {"convert sea.nc out/maxima.nc", 73, {"out/maxima.nc", "a file of the run"}},
        {"convert sea.nc ./sea.nc", 73, {"./sea.nc", "is the input"}},
    };
    static const struct cli_refusal of_maps[] = {
        {"convert out/maxima.nc a.tif --variable depths", DATA, {"depths", "max_eta, time_of_max"}},
        {"convert out/maxima.nc a.tif --variable arrival --record 7", CONFIGURATION, {"maxima.nc"}},
        {"convert sea.nc a.tif --as elevation --double", USAGE, {"--double", "single precision"}},
        {"convert sea.nc a.tif --as elevation --crs EPSG:32654", CONFIGURATION, {"EPSG:32654", "metres"}},
        {"convert sea.nc a.tif --as elevation --zones x.json", USAGE, {"--zones"}},
    };
    cli_write_gauges("gauges.json");
    cli_run_job(cli_change(cli_sea_job(), "output.gauges = {'file': 'gauges.json'}"));
    mkdir(cli_path("empty"), 0777);
    CLI_ASSERT_REFUSED(rows);
    if (!geo_missing()[0])
        CLI_ASSERT_REFUSED(of_maps);
    assert_false(cli_exists("a.csv") || cli_exists("a.kml") || cli_exists("a.tif"));
}

// A window of a grid, resampled.
TEST(test_window)
{
    need_geotiff();
    cli_write_grid("sea.nc", &cli_sea);
    cli_do("convert sea.nc part.tif --as elevation --longitude '142 degree,144 degree' --latitude "
           "'31 degree,33 degree' --spacing '0.5 degree'");
    cli_do("convert part.tif part.nc --as value");
    cli_do("convert sea.nc same.nc --as elevation --longitude '142 degree,144 degree' --latitude "
           "'31 degree,33 degree' --spacing '0.5 degree'");
    size_t count, same;
    const double *part = cli_read_variable("part.nc", "band_1", &count, NULL),
                 *whole = cli_read_variable("same.nc", "elevation", &same, NULL);
    assert_int_equal(count, 25);
    assert_int_equal(same, 25);
    assert_memory_equal(part, whole, 25 * sizeof *part);
}
