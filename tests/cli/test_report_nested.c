// `fathom report` of runs with nested grids and with a moving shore: a hump of water in a channel runs up a
// beach, computed by the program itself. What the report states is held against the result files, read by
// other means.
#include "tests/support/cli_fixture.h"
#include "tests/support/gnuplot.h"
#include "tests/support/test.h"

// ---- the run

// 40 m deep in the west, the shore at x = 4 km, rising to 20 m.
static double ground(double x, double y, double time_s)
{
    return -40 + 0.01 * x;
}

static double hump(double x, double y, double time_s)
{
    return 2 * exp(-pow((x - 1500) / 400, 2));
}

static cJSON *channel_job(void)
{
    const struct cli_grid channel = {
        .nx = 61,
        .ny = 7,
        .dx = 100,
        .dy = 100,
        .is_plane = true,
        .variable_count = 2,
        .variables = {{"z", "m", "up", NULL, ground}, {"surface", "m", NULL, NULL, hump}}};
    cli_write_grid("channel.nc", &channel);
    cli_write_json("gauges.json", "{'fathom_gauges': 1, 'gauges': [{'name': 'deep', 'x': '1 km', 'y': '300 "
                                  "m'},{'name': 'shore', 'x': '3.51 km', 'y': '310 m'}]}");
    return cli_json(
        "{'fathom': 1, 'model': 'tsunami', 'title': 'A beach', 'backend': 'openmp','domain': {'bathymetry': "
        "{'file': 'channel.nc', 'variable': 'z'}, 'edges': {'north': 'wall', 'south': 'wall'}},'physics': "
        "{'wall_depth': '3 m'},'source': {'initial': {'file': 'channel.nc', 'eta': 'surface'}},'time': "
        "{'duration': '6 min', 'step': 'auto'},'output': {'directory': 'out', 'maxima': true, 'fields': "
        "{'every': '2 min'}, 'gauges': {'file': 'gauges.json', 'every': '5 s'}}}");
}

static void nest_beach(cJSON *job)
{
    cli_write_json("beach.json", "{'fathom_gauges': 1, 'gauges': [{'name': 'hill', 'x': '5.5 km', 'y': '300 "
                                 "m'},{'name': 'shore', 'x': '3.51 km', 'y': '310 m'}]}");
    cli_set(job, "nested",
            "{'beach': {'method': 'muscl-hancock', 'domain': {'bathymetry': {'file': 'channel.nc', "
            "'variable': 'z'}, 'x': ['3 km', '6 km'], 'y': ['100 m', '500 m'], 'spacing': '25 m'}, 'output': "
            "{'gauges': {'file': 'beach.json'}}}}");
}

// What `fathom report --json` prints; free with cJSON_Delete.
static cJSON *report(void)
{
    cJSON *json = cli_output_json(cli_do("report --json out --size 500x400"));
    return json;
}

// ---- looking at it

static const char *text_of(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    assert_non_null(text);
    return text;
}

// The entry of a list with that name.
static const cJSON *named(const cJSON *json, const char *list, const char *name)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(json, list))
    {
        if (strcmp(text_of(item, "name"), name) == 0)
            return item;
    }
    fail_msg("%s: no \"%s\" in it", list, name);
    return NULL;
}

// A picture's caption; NULL if it was not drawn.
static const char *caption_of(const cJSON *json, const char *file)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(json, "pictures"))
    {
        const char *slash = strrchr(text_of(item, "file"), '/');
        if (strcmp(slash ? slash + 1 : text_of(item, "file"), file) == 0) {
            assert_true(folder_has(format_text("out/pictures/%s", file)));
            return text_of(item, "caption");
        }
    }
    return NULL;
}

static void assert_page_has(const char *text)
{
    char *page = folder_text("out/report.html");
    if (!strstr(page, text))
        fail_msg("the page lacks \"%s\"", text);
}

// The largest of a variable over the nodes on the land's side (sign −1) or the sea's of the shore at rest, or
// over all (0).
static double largest_in(const char *file, const char *variable, int side)
{
    size_t count, depths;
    double *values = cli_read_variable(file, variable, &count, NULL), *depth = NULL, largest = -INFINITY;
    if (side != 0) {
        depth = cli_read_variable(file, "depth", &depths, NULL);
        assert_int_equal(depths, count);
    }
    for (size_t k = 0; k < count; k++)
        if (isfinite(values[k]) && (side == 0 || (side < 0) == (depth[k] <= 0)))
            largest = fmax(largest, values[k]);
    assert_true(isfinite(largest));
    return largest;
}

// The largest elevation of a gauge in a file of gauges.
static double largest_at(const char *file, const char *name)
{
    size_t shape[2], count;
    double *eta = cli_read_variable(file, "eta", &count, shape), largest = -INFINITY;
    const struct cli_result *names = cli_run_tool("ncdump", "-v", "name", file);
    cli_assert_done(names);
    // Its place in the list of names that ncdump prints.
    const char *list = strstr(names->output, " name =");
    assert_non_null(list);
    const char *found = strstr(list, name);
    assert_non_null(found);
    size_t station = 0;
    for (const char *c = list; c < found; c++)
        station += *c == ',';
    for (size_t r = 0; r < shape[0]; r++)
        if (isfinite(eta[r * shape[1] + station]))
            largest = fmax(largest, eta[r * shape[1] + station]);
    return largest;
}

static bool has_ncdump(void)
{
    if (folder_shell_code("command -v ncdump >/dev/null 2>&1") == 0)
        return true;
    print_message("skipped: ncdump (package netcdf-bin) is not installed\n");
    return false;
}

// ---- tests

TEST(nested_grids_are_drawn_and_described)
{
    need_gnuplot();
    cJSON *job = channel_job();
    nest_beach(job);
    cli_run_job(job);
    cJSON *json = report(), *run = cli_read_json("out/run.json");
    assert_int_equal(cli_count(json, "grids"), 2);
    const cJSON *beach = named(json, "grids", "beach");
    assert_string_equal(text_of(beach, "parent"), "");
    // The wave reaches land, and the report has the values of the files and of run.json.
    const double run_up_m = cli_json_number(named(run, "nested", "beach"), "run_up.highest_m");
    assert_true(run_up_m > 0.5);
    cli_expect_number(beach, "run_up_m", run_up_m);
    cli_expect_number(beach, "largest_flow_depth_m", largest_in("out/beach.maxima.nc", "max_depth", -1));
    cli_expect_number(beach, "largest_elevation_m", largest_in("out/beach.maxima.nc", "max_eta", 0));
    cli_expect_number(named(json, "grids", ""), "largest_elevation_m",
                      largest_in("out/maxima.nc", "max_eta", 0));
    assert_null(
        cJSON_GetObjectItemCaseSensitive(named(json, "grids", ""), "run_up_m")); // its shore is a wall
    static const char *const drawn[] = {"maximum.png", "beach_maximum.png", "beach_speed.png",
                                        "beach_flow_depth.png"};
    for (size_t k = 0; k < COUNT(drawn); k++)
        if (!caption_of(json, drawn[k]))
            fail_msg("%s was not drawn", drawn[k]);
    assert_null(caption_of(json, "flow_depth.png"));
    assert_page_has("<h2>Nested grids</h2>");
    assert_page_has("<small>in the outermost</small>");
    assert_page_has("reflecting wall at the shore");
    assert_page_has("highest run-up");
}

// A gauge in several grids is shown from the finest.
TEST(gauges_are_the_finest_grids)
{
    if (!has_gnuplot() || !has_ncdump())
        skip();
    cJSON *job = channel_job();
    nest_beach(job);
    cli_run_job(job);
    cJSON *json = report();
    assert_int_equal(cli_count(json, "gauges"), 3); // none twice
    const cJSON *deep = named(json, "gauges", "deep"), *shore = named(json, "gauges", "shore");
    assert_string_equal(text_of(deep, "grid"), "");
    assert_string_equal(text_of(shore, "grid"), "beach");
    cli_expect_number(deep, "maximum_m", largest_at("out/gauges.nc", "deep"));
    const double fine_m = largest_at("out/beach.gauges.nc", "shore"),
                 coarse_m = largest_at("out/gauges.nc", "shore");
    assert_true(fine_m != coarse_m);
    cli_expect_number(shore, "maximum_m", fine_m);
    assert_true(cli_json_number(shore, "distance_m") < 15); // in the other it is √(10² + 10²) m away
    // On land, above all water: no figures, but a place in the list.
    const cJSON *hill = named(json, "gauges", "hill");
    assert_true(cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(hill, "maximum_m")));
}

// Results whose run.json is lost: the grids are found by the names of the files.
TEST(grids_are_found_without_a_record)
{
    need_gnuplot();
    cJSON *job = channel_job();
    nest_beach(job);
    cli_run_job(job);
    cli_remove("out/run.json");
    cJSON *json = report();
    const cJSON *beach = named(json, "grids", "beach");
    cli_expect_number(beach, "largest_flow_depth_m", largest_in("out/beach.maxima.nc", "max_depth", -1));
    assert_true(cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(beach, "run_up_m")));
    assert_non_null(caption_of(json, "beach_flow_depth.png"));
    assert_string_equal(text_of(named(json, "gauges", "shore"), "grid"), "beach");
}

// One grid, on which the shore moves.
TEST(one_grid_may_flood_too)
{
    need_gnuplot();
    cli_run_job(cli_change(channel_job(), "method = 'muscl-hancock'; delete physics"));
    cJSON *json = report(), *run = cli_read_json("out/run.json");
    const cJSON *grid = named(json, "grids", "");
    cli_expect_number(grid, "run_up_m", cli_json_number(run, "run_up.highest_m"));
    assert_true(cli_json_number(grid, "flooded_area_m2") > 0);
    assert_non_null(caption_of(json, "flow_depth.png"));
    assert_page_has("<h2>Water on land</h2>");
}

TEST_MAIN(cli_setup, cli_teardown)
