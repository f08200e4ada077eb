// The domains that `fathom forecast` chooses: over the antimeridian, the whole Pacific, the whole Earth, and
// no farther north than a grid of longitudes and latitudes reaches.
#include "tests/support/cli_fixture.h"
#include "tests/support/great_earthquakes.h"
#include "tests/support/numbers.h"
#include "tests/support/test.h"

#include <cjson/cJSON.h>
#include <unistd.h>

static double deep(double x, double y, double time_s)
{
    (void)x, (void)y, (void)time_s;
    return -4000;
}

// Round the antimeridian, in a file that ends there, and the whole Earth.
TEST(domains_cross_the_antimeridian)
{
    const struct cli_grid globe = CLI_GLOBE(180, 76, -179, -75, 2, 2, {"z", "m", "up", NULL, deep});
    cli_write_grid("sea.nc", &globe);
    cli_write_text("towns.csv", "name,longitude,latitude\nWest,176,-16\nEast,-176,-20\n");
#define TONGA                                                                                                \
    "--magnitude 8 --longitude -173 --latitude -18 --depth 20 --strike 190 --dip 20 --rake 90 --bathymetry " \
    "sea.nc --points towns.csv -b openmp -q"
    const cJSON *report = cli_output_json(cli_do("forecast " TONGA " --json --hours 1 --spacing 30"));
    const cJSON *longitude = cli_item(report, "choices.longitude");
    const double west = cJSON_GetArrayItem(longitude, 0)->valuedouble,
                 east = cJSON_GetArrayItem(longitude, 1)->valuedouble;
    assert_true(east - west < 25 && east > west);
    assert_int_equal(cli_count(report, "points"), 2);
    const cJSON *point;
    cJSON_ArrayForEach(point, cJSON_GetObjectItem(report, "points"))
        assert_true(cli_json_number(point, "distance") < 60e3 && cli_json_number(point, "crest") > 0);
    cli_write_text("towns.csv", "name,longitude,latitude\nA,-71.6,-33\nB,18,-34\nC,115,-32\nD,-9,38\n");
    report = cli_output_json(cli_do("forecast " TONGA " --json --hours 0.5 --spacing 120"));
    assert_true(cJSON_IsTrue(cli_item(report, "choices.is_globe")));
    const cJSON *run = cli_read_json("forecast/run.json");
    assert_near("columns", cli_json_number(run, "grid.nx"), 180, 0);
}

// The bathymetry that ./quickstart installs: Tohoku and a coast of Chile need the whole Pacific, on two cores
// at 8 arc-minutes or so; the wave takes some 22 hours.
TEST(the_pacific_is_whole)
{
    if (access("/usr/share/ferret-vis/data/etopo5.cdf", R_OK) != 0)
        skip_because("ferret-datasets is not installed");
    cli_write_text("tohoku.ndk", great_tohoku_ndk);
    cli_write_text("towns.csv", "name,longitude,latitude\nTalcahuano,-73.1,-36.7\nHilo,-155.05,19.75\n");
    const cJSON *report =
        cli_output_json(cli_do("forecast tohoku.ndk --points towns.csv --dry-run --json -b openmp -t 2"));
    assert_string_equal(cJSON_GetStringValue(cli_item(report, "choices.ocean")), "the Pacific");
    assert_string_equal(cJSON_GetStringValue(cli_item(report, "choices.last_point")), "Talcahuano");
    assert_near("h", cli_json_number(report, "choices.last_arrival_s") / 3600, 21.7, 0.7);
    assert_near("hours", cli_json_number(report, "choices.hours"), 26, 0.5);
    const double arcmin = cli_json_number(report, "choices.spacing_arcmin");
    assert_true(arcmin >= 6 && arcmin <= 10);
    const cJSON *plan = cli_output_json(cli_do("plan --json -b openmp forecast/forecast.json"));
    // The estimates of nodes and steps are those of the plan.
    assert_near("nodes", cli_json_number(plan, "grid.nx") * cli_json_number(plan, "grid.ny"),
                cli_json_number(report, "choices.nodes"), 1);
    const double longest_s =
        3600 * cli_json_number(report, "choices.hours") / cli_json_number(plan, "step_s");
    assert_near("steps", cli_json_number(report, "choices.steps"), longest_s, 0.1 * longest_s);
}

// A domain ends at 85 degrees, whatever the bathymetry has: the message names that limit.
TEST(the_farthest_north)
{
    const struct cli_grid grid = CLI_GLOBE(61, 21, -30, 70, 1, 1, {"z", "m", "up", NULL, deep});
    cli_write_grid("arctic.nc", &grid);
    cli_write_text("arctic.csv", "name,longitude,latitude\nLongyearbyen,15.6,78.2\n");
    cli_assert_error(
        cli_run("forecast --magnitude 8 --longitude 5 --latitude 86 --depth 20 --strike 10 --dip 20 "
                "--rake 90 --points arctic.csv --bathymetry arctic.nc --dry-run"),
        DATA, false, "lies outside the forecast's domain", "to 85)", "beyond 85 degrees");
}

TEST_MAIN(cli_setup, cli_teardown)
