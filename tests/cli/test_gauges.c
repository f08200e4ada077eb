// Lists of gauges against a domain: those on land and those outside are left out, each with a line, and the
// run continues; required ones are an error; how far a wet node may be is the job's. Where a gauge takes its
// values: bilinear between wet nodes, or from the nearest one.
#include "models/tsunami/results.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/cli_results.h"
#include "tests/support/numbers.h"
#include "tests/support/test.h"

// The sea with more land in the west: nodes of 0.25 degree from 137 E, the first wet one at 140.75 E.
static cJSON *wide_job(const char *gauges)
{
    struct cli_grid grid = cli_sea;
    grid.x0 = 137;
    grid.nx = 52;
    cJSON *job = cli_sea_job();
    cli_write_grid("sea.nc", &grid);
    cli_write_text("gauges.json", format_text("{\"fathom_gauges\": 1, \"gauges\": [%s]}", gauges));
    cli_change(job, "output.gauges = {'file': 'gauges.json', 'every': '1 min'}");
    return job;
}

#define GAUGE(name, x, y, more)                                                                              \
    "{\"name\": \"" name "\", \"longitude\": \"" x " degree\", \"latitude\": \"" y " degree\"" more "}"
#define SEA GAUGE("sea", "144.5", "33.5", "")

// Lines of run.json's warnings with both fragments.
static int count_warnings(const char *first, const char *second)
{
    cJSON *report = cli_read_json("out/run.json");
    const cJSON *item, *list = cJSON_GetObjectItemCaseSensitive(report, "warnings");
    int count = 0;
    cJSON_ArrayForEach(item, list)
    {
        count += strstr(item->valuestring, first) && strstr(item->valuestring, second);
    }
    return count;
}

TEST(gauges_on_land_and_outside_are_left_out)
{
    cli_assert_done(cli_rerun(wide_job(
        GAUGE("inland", "138", "33", "") "," SEA "," GAUGE("far", "10", "33", ", \"required\": false"))));
    assert_int_equal(cli_dimension("out/gauges.nc", "station"), 1);
    assert_int_equal(count_warnings("gauge inland at (138, 33) is left out", "on land"), 1);
    assert_int_equal(count_warnings("gauge far at ", "outside the domain"), 1);
    cJSON *report = cli_read_json("out/run.json");
    const cJSON *left_out = cJSON_GetObjectItemCaseSensitive(report, "gauges_left_out");
    assert_int_equal(cJSON_GetArraySize(left_out), 2);
    assert_int_equal(cli_count(report, "gauges"), 1);
    const cJSON *outside = cJSON_GetArrayItem(left_out, 0), *inland = cJSON_GetArrayItem(left_out, 1);
    assert_string_equal(cli_text(outside, "name"), "far");
    assert_string_equal(cli_text(outside, "reason"), "outside the domain");
    assert_string_equal(cli_text(inland, "name"), "inland");
    assert_string_equal(cli_text(inland, "reason"), "on land");
}

// Of many the warning names as many as its line holds, and counts the rest.
TEST(a_long_list_of_gauges_left_out_is_cut_with_a_count)
{
    char gauges[8000];
    size_t used = (size_t)snprintf(gauges, sizeof gauges, "{\"fathom_gauges\": 1, \"gauges\": [%s", SEA);
    for (int k = 1; k <= 36; k++)
        used += (size_t)snprintf(gauges + used, sizeof gauges - used, ",%s",
                                 format_text(GAUGE("left%02d", "10", "33", ""), k));
    snprintf(gauges + used, sizeof gauges - used, "]}");
    cJSON *job = wide_job(SEA);
    cli_write_text("gauges.json", gauges);
    cli_assert_done(cli_rerun(job));
    assert_int_equal(count_warnings("36 gauges are left out", "left01, left02"), 1);
    assert_int_equal(count_warnings("left24, left25, and 11 more", ""), 1);
}

TEST(required_gauges_are_not_left_out)
{
    cJSON *job = wide_job(SEA "," GAUGE("inland", "138", "33", ", \"required\": true"));
    cli_assert_error(cli_rerun(job), CONFIGURATION, false, "gauges.json",
                     "gauge inland at (138, 33) is required", "on land", "3 nodes", "output.gauges.search");
    job = wide_job(SEA "," GAUGE("far", "10", "33", ", \"required\": true"));
    cli_assert_error(cli_rerun(job), CONFIGURATION, false, "gauges.json", "gauge far at ", "is required",
                     "outside the domain");
    job = wide_job(GAUGE("sea", "144.5", "33.5", ", \"required\": true"));
    cli_assert_done(cli_rerun(job));
    job = wide_job(GAUGE("sea", "144.5", "33.5", ", \"required\": \"yes\""));
    cli_assert_error(cli_rerun(job), DATA, false, "gauge sea: \"required\" must be true or false");
}

TEST(a_list_of_which_none_is_left_is_an_error)
{
    cli_assert_error(cli_rerun(wide_job(GAUGE("inland", "138", "33", "") "," GAUGE(
                         "hill", "139", "34", "") "," GAUGE("far", "10", "33", ""))),
                     CONFIGURATION, false, "gauges.json", "no gauge is left",
                     "all 2 in the domain lie on land", "inland at (138, 33)");
}

// 138 E, 33 N: eleven nodes or 257 km (2.75 degrees of longitude at 33 N) from the first wet node; both sides
// of both limits.
TEST(the_search_is_the_jobs)
{
    static const struct {
        const char *search;
        int stations;
    } trials[] = {{"10", 1},         {"11", 2},         {"\"11 nodes\"", 2}, {"\"10 nodes\"", 1},
                  {"\"256 km\"", 1}, {"\"258 km\"", 2}, {"\"1 m\"", 0},      {"0", 0}};
    cJSON *job = wide_job(GAUGE("sea", "140.8", "33.05", "") "," GAUGE("inland", "138", "33", ""));
    for (size_t k = 0; k < COUNT(trials); k++) {
        cli_set(job, "output.gauges.search", trials[k].search);
        const struct cli_result *result = cli_rerun(job);
        if (trials[k].stations == 0 && strcmp(trials[k].search, "0") != 0) {
            cli_assert_error(result, CONFIGURATION, false, "no gauge is left", "no wet node within 1 m");
            continue;
        }
        if (result->exit_code != 0)
            fail_msg("search %s: %s", trials[k].search, result->error);
        const int expected =
            trials[k].stations > 0 ? trials[k].stations : 1; // 0 nodes: the nearest one, which is wet
        if ((int)cli_dimension("out/gauges.nc", "station") != expected)
            fail_msg("search %s: %d stations", trials[k].search,
                     (int)cli_dimension("out/gauges.nc", "station"));
        double *distance = cli_read_variable("out/gauges.nc", "distance", NULL, NULL);
        if (expected == 2)
            assert_true(fabs(distance[1] - 256.4e3) < 500);
    }
    static const char *const wrong[][2] = {{"\"3 bananas\"", "banana"},
                                           {"-1", "-1 nodes: a whole number from 0 to 1000"},
                                           {"2.5", "2.5 nodes: a whole number"},
                                           {"\"0 km\"", "0 m is not more than 0"},
                                           {"true", "must be a number of nodes, or a text"}};
    for (size_t k = 0; k < COUNT(wrong); k++) {
        cli_set(job, "output.gauges.search", wrong[k][0]);
        cli_assert_error(cli_rerun(job), CONFIGURATION, false,
                         "job.json: output.gauges.search: ", wrong[k][1]);
    }
}

// Of many, one warning, so that others keep their place in the report; each has its line in the log and its
// entry.
TEST(many_are_counted)
{
    char gauges[2048] = SEA;
    for (int k = 0; k < 12; k++)
        snprintf(gauges + strlen(gauges), sizeof gauges - strlen(gauges),
                 ", {\"name\": \"far%d\", \"longitude\": \"%d degree\", \"latitude\": \"3 degree\"}", k,
                 10 + k);
    cJSON *job = wide_job(gauges);
    const struct cli_result *result = cli_rerun(job);
    cli_assert_done(result);
    assert_int_equal(count_warnings("left out", ""), 1);
    assert_int_equal(count_warnings("12 gauges are left out", "far0, far1"), 1);
    // Quiet means warnings and errors only: one line, and run.json has each of them (gauges_left_out).
    assert_null(strstr(result->error, "is left out"));
    assert_has(result->error, "12 gauges are left out");
    assert_int_equal(cli_count(cli_read_json("out/run.json"), "gauges_left_out"), 12);
}

// A list that a nested grid takes over from its parent: what lies outside it, or on land in it, is the
// parent's.
TEST(a_nested_grid_reports_its_own_list_only)
{
    cJSON *job =
        cli_change(wide_job(SEA "," GAUGE("inland", "138", "33", "") "," GAUGE("coast", "141", "33", "")),
                   "nested = {'bay': {'domain': {'bathymetry': {'file': 'sea.nc'}, 'longitude': ['144 "
                   "degree', '146 degree'], 'latitude': ['32 degree', '34 degree']}}}");
    cli_assert_done(cli_rerun(job));
    assert_int_equal(cli_dimension("out/gauges.nc", "station"), 2);
    assert_int_equal(cli_dimension("out/bay.gauges.nc", "station"), 1);
    assert_int_equal(count_warnings("left out", ""), 1);
    cli_change(job, "nested.bay.output = {'gauges': {'file': 'own.json'}}");
    cli_write_text("own.json", "{\"fathom_gauges\": 1, \"gauges\": [" SEA
                               "," GAUGE("west", "141", "33", ", \"required\": true") "]}");
    cli_assert_error(cli_rerun(job), CONFIGURATION, false,
                     "job.json: nested.bay.output.gauges.file: ", "gauge west at (141, 33) is required",
                     "outside the domain");
}

// ---- where the values come from

// A plane with land in the east (x > 22.2 km) and a single rock at (10 km, 8 km), on nodes of 500 m.
static double rocky(double x, double y, double time_s)
{
    return x > 22200 || hypot(x - 10000, y - 8000) < 1 ? 5 : -100 - 1e-3 * x;
}

// Bilinear interpolation reproduces it; the nearest node does not. In dyadic numbers, which the file's single
// precision holds exactly.
static double tilted(double x, double y, double time_s)
{
    return 0.125 + 0x1p-16 * x - 0x1p-15 * y;
}

static double flat(double x, double y, double time_s)
{
    return -100;
}

struct place {
    const char *name;
    double x, y;
};

static cJSON *tilted_job(const struct place *places, size_t count)
{
    struct cli_grid grid = cli_basin;
    char list[2048] = "";
    grid.variables[0].value = rocky;
    cli_write_grid("rocky.nc", &grid);
    grid.variables[0] = (struct cli_variable){.name = "surface", .units = "m", .value = tilted};
    cli_write_grid("start.nc", &grid);
    for (size_t k = 0; k < count; k++)
        snprintf(list + strlen(list), sizeof list - strlen(list),
                 "%s{'name': '%s', 'x': '%.17g m', 'y': '%.17g m'}", k ? ", " : "", places[k].name,
                 places[k].x, places[k].y);
    cli_write_json("gauges.json", "{'fathom_gauges': 1, 'gauges': [%s]}", list);
    return cli_change(cli_sea_job(),
                      "domain = {'bathymetry': {'file': 'rocky.nc'}}; source = {'initial': {'file': "
                      "'start.nc', 'eta': 'surface'}}; time = {'duration': '1 min', 'step': '5 s'}; "
                      "precision = 'double'; physics.steepness_limit = 0; output = {'directory': 'out', "
                      "'precision': 'double', 'gauges': {'file': 'gauges.json', 'every': '1 min'}}");
}

// The values at the start, each against its own.
static void assert_surface(const cJSON *job, const struct place *places, const double *expected, size_t count)
{
    cli_run_job(job);
    size_t values, shape[4];
    const double *eta = cli_read_variable("out/gauges.nc", "eta", &values, shape);
    assert_int_equal(shape[1], count);
    for (size_t k = 0; k < count; k++)
        assert_near(places[k].name, eta[k], expected[k], 1e-13);
}

#define OFF_NODES                                                                                            \
    {"inside", 4321, 9876}, {"on a node", 5000, 6500}, {"on a line", 7250, 3000},                            \
    {                                                                                                        \
        "by the last row", 3210, 15490                                                                       \
    }

// Rounding alone: 1e-13 m of values up to half a metre.
TEST(a_tilted_surface_is_exact_between_nodes)
{
    static const struct place places[] = {OFF_NODES};
    static const char *const methods[] = {"vtcs2-o2", "muscl-hancock"};
    double expected[COUNT(places)], depths[COUNT(places)];
    cJSON *job = tilted_job(places, COUNT(places));
    for (size_t k = 0; k < COUNT(places); k++) {
        expected[k] = tilted(places[k].x, places[k].y, 0);
        depths[k] = -rocky(places[k].x, places[k].y, 0);
    }
    for (size_t m = 0; m < COUNT(methods); m++)
        for (int is_fast = 0; is_fast <= 1; is_fast++) {
            cli_change(job, "method = '%s'; backend = '%s'", methods[m], is_fast ? "openmp" : "reference");
            assert_surface(job, places, expected, COUNT(places));
            const double *depth = cli_read_values("out/gauges.nc", "depth", COUNT(places));
            for (size_t k = 0; k < COUNT(places); k++)
                assert_near(places[k].name, depth[k], depths[k], 1e-5); // the file's are single
        }
}

// Beside land the wet nodes alone, by their weights; half a cell beyond the last row that row; where the
// nearest wet node is no neighbour, it.
TEST(beside_land_wet_nodes_count)
{
    static const struct place places[] = {{"coast", 22100, 4200},
                                          {"behind the coast", 22600, 4200},
                                          {"rock", 9900, 8100},
                                          {"beyond", 1300, 15700}};
    const double corners[3] = {tilted(9500, 8000, 0), tilted(9500, 8500, 0), tilted(10000, 8500, 0)};
    const double expected[] = {tilted(22000, 4200, 0), tilted(22000, 4000, 0),
                               (0.2 * 0.8 * corners[0] + 0.2 * 0.2 * corners[1] + 0.8 * 0.2 * corners[2]) /
                                   (0.2 * 0.8 + 0.2 * 0.2 + 0.8 * 0.2),
                               tilted(1300, 15500, 0)};
    cJSON *job = tilted_job(places, COUNT(places));
    assert_surface(job, places, expected, COUNT(places));
    cJSON *report = cli_read_json("out/run.json");
    for (int k = 0; k < (int)COUNT(places); k++)
        assert_int_equal(cJSON_IsTrue(cli_item(report, format_text("gauges.%d.is_interpolated", k))), k != 1);
}

TEST(the_nearest_node_is_a_choice)
{
    static const struct place places[] = {OFF_NODES};
    const double expected[] = {tilted(4500, 10000, 0), tilted(5000, 6500, 0), tilted(7000, 3000, 0),
                               tilted(3000, 15500, 0)};
    cJSON *job = cli_change(tilted_job(places, COUNT(places)), "output.gauges.interpolation = 'nearest'");
    assert_surface(job, places, expected, COUNT(places));
    cli_change(job, "output.gauges.interpolation = 'linear'");
    cli_assert_error(cli_rerun(job), CONFIGURATION, false,
                     "job.json: output.gauges.interpolation: ", "bilinear", "nearest");
}

// Between the last column of a periodic plane and the first.
TEST(neighbours_across_a_periodic_edge)
{
    static const struct place places[] = {{"east", 23600, 1000}, {"west", -100, 1000}};
    const double first = tilted(0, 1000, 0), last = tilted(23500, 1000, 0);
    const double expected[] = {0.8 * last + 0.2 * first, 0.2 * last + 0.8 * first};
    cJSON *job = tilted_job(places, COUNT(places));
    struct cli_grid grid = cli_basin;
    grid.variables[0].value = flat;
    cli_write_grid("rocky.nc", &grid);
    cli_change(job, "domain.edges = {'west': 'periodic', 'east': 'periodic'}");
    assert_surface(job, places, expected, COUNT(places));
}

// Where the shore moves a gauge is dry with its nearest node, and other dry nodes do not count.
TEST(dry_nodes_do_not_count)
{
    static const double weights[TSUNAMI_CORNERS] = {0.5, 0.25, 0.25, 0};
    struct tsunami_node corners[TSUNAMI_CORNERS];
    for (int c = 0; c < TSUNAMI_CORNERS; c++)
        corners[c] = (struct tsunami_node){0.1 * c, 1 + c, 2 - c, 1 + c, 0.01};
    const struct tsunami_node all = tsunami_gauge_node(corners, weights, 0);
    assert_near("all", tsunami_field_value(TSUNAMI_ETA, all), 0.075, 1e-15);
    assert_near("speed", tsunami_field_value(TSUNAMI_U, all), 1.75, 1e-15);
    corners[2].eta_m = -2.995; // half a centimetre of water
    const struct tsunami_node some = tsunami_gauge_node(corners, weights, 0);
    assert_near("one dry", tsunami_field_value(TSUNAMI_ETA, some), 0.1 / 3, 1e-15);
    assert_near("still depth", some.depth_m, (0.5 * 1 + 0.25 * 2) / 0.75, 1e-15);
    corners[0].eta_m = -0.995;
    assert_true(isnan(tsunami_field_value(TSUNAMI_ETA, tsunami_gauge_node(corners, weights, 0))));
    corners[0].eta_m = NAN; // a state that failed must be seen
    assert_true(isnan(tsunami_field_value(TSUNAMI_ETA, tsunami_gauge_node(corners, weights, 1))));
}

TEST_MAIN(cli_setup, cli_teardown)
