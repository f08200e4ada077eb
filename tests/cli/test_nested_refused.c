// Nested grids that cannot be: each is refused with one line that names the grid, the key and what is wrong.
#include "tests/support/nested_fixture.h"
#include "tests/support/refusals.h"
#include "tests/support/test.h"

static double upside_down(double x, double y, double time_s)
{
    return -sea_floor(x, y, time_s);
}

// Water in the west, land east of 46 km.
static double half_land(double x, double y, double time_s)
{
    return x > 46000 ? 50 : sea_floor(x, y, time_s);
}

static double half_turned(double x, double y, double time_s)
{
    return x > 46000 ? sea_floor(x, y, time_s) : -sea_floor(x, y, time_s);
}

static double round_earth(double x, double y, double time_s)
{
    return -4000;
}

static void write_grid(const char *name, double (*value)(double x, double y, double time_s))
{
    const struct cli_grid grid = CLI_PLANE(73, 55, 0, 0, 1000, 1000, {"z", "m", "up", NULL, value});
    cli_write_grid(name, &grid);
}

// Of a job with one nested grid that is right, changed.
static void expect_refusals(const struct bad *refusals, size_t count, int code)
{
    for (size_t k = 0; k < count; k++) {
        cJSON *job = sea_job("openmp", "vtcs2-o2", 1000, "12 s");
        nest(job, "bay", 500, NULL, NULL, NULL);
        cli_save_job(cli_change(job, "%s; output.directory = 'out'", refusals[k].changes));
        const struct cli_result *result = cli_run("plan job.json");
        cli_assert_error(result, code, true, "job.json: nested.");
        for (int f = 0; f < FRAGMENTS_MAX && refusals[k].fragments[f]; f++)
            cli_assert_error(result, code, true, refusals[k].fragments[f]);
    }
}

TEST(a_grid_must_lie_in_its_parent)
{
    static const struct bad refusals[] = {
        BAD("domain.x = ['40 km', '72 km']", "nested.bay.domain: ", "beyond its parent",
            "western edge, at 32000 m, by 8000 m (the parent's is at 40000)"),
        BAD("domain.x = ['0 km', '50 km']", "eastern edge, at 52000 m, by 2000 m (the parent's is at 50000)"),
        BAD("domain.y = ['20 km', '54 km']", "southern edge, at 16000 m, by 4000 m"),
        BAD("domain.y = ['0 km', '30 km']", "northern edge, at 36000 m, by 6000 m"),
        BAD("nested.quay = {'parent': 'bay', 'domain': {'bathymetry': {'file': 'floor.nc'}, 'x': ['30 km', "
            "'40 km'], 'y': ['20 km', '30 km']}}",
            "nested.quay.domain: ", "beyond its parent bay", "western edge, at 30000 m, by 2000 m"),
    };
    write_sea();
    expect_refusals(refusals, COUNT(refusals), CONFIGURATION);
}

TEST(a_nested_grid_cannot_be_staggered)
{
    static const struct bad refusals[] = {
        BAD("nested.bay.method = 'c-grid-6'",
            "nested.bay.method: \"c-grid-6\" has no edges at which a nested "
            "grid takes its parent's waves",
            "choose \"vtcs2-o2\" or a method whose shore moves"),
    };
    write_sea();
    expect_refusals(refusals, COUNT(refusals), CONFIGURATION);
}

TEST(a_grid_must_not_be_coarser_than_its_parent)
{
    static const struct bad refusals[] = {
        BAD("nested.bay.domain.spacing = '1250 m'", "nested.bay.domain: ", "coarser than its parent",
            "its spacing in x is 1250 m, the parent's there 1000 m"),
        BAD("domain.spacing = '250 m'; time.step = '3 s'",
            "its spacing in x is 500 m, the parent's there 250 m"),
    };
    write_sea();
    expect_refusals(refusals, COUNT(refusals), CONFIGURATION);
}

TEST(parents_must_be_there_and_lead_to_the_outermost_grid)
{
    static const struct bad refusals[] = {
        BAD("nested.bay.parent = 'ocean'", "nested.bay.parent: there is no nested grid \"ocean\"",
            "the outermost grid is the parent where nothing"),
        BAD("nested.quay = {'parent': 'bya', 'domain': {'bathymetry': {'file': 'floor.nc'}}}",
            "nested.quay.parent: there is no nested grid \"bya\" (did you mean bay?)"),
        BAD("nested.bay.parent = 'bay'", "nested.bay.parent: a grid cannot lie in itself"),
        BAD("nested.bay.parent = 'quay'; nested.quay = {'parent': 'bay', 'domain': {'bathymetry': {'file': "
            "'floor.nc'}}}",
            "nested.bay.parent: bay and quay lie in each other"),
        BAD("nested.bay.parent = 7", "nested.bay.parent: a number is given"),
    };
    write_sea();
    expect_refusals(refusals, COUNT(refusals), CONFIGURATION);
}

TEST(a_run_has_so_many_grids_at_most)
{
    write_sea();
    cJSON *job = sea_job("openmp", "vtcs2-o2", 1000, "12 s");
    for (int k = 0; k < 15; k++) {
        nest(job, format_text("g%d", k), 1000, NULL, NULL, NULL);
        if (k > 0) { // each in the one before
            cli_set_text(job, format_text("nested.g%d.parent", k), "g%d", k - 1);
        }
    }
    cli_save_job(cli_change(job, "output.directory = 'out'"));
    cli_do("plan job.json"); // sixteen, one in the other
    nest(job, "one-more", 1000, NULL, NULL, NULL);
    cli_save_job(job);
    cli_assert_error(cli_run("plan job.json"), CONFIGURATION, false,
                     "job.json: nested: 16 nested grids; with the outermost one a run has 16 at most");
}

TEST(both_bottoms_must_mean_the_same)
{
    // As depths, heights of a sea floor are land, and all of this one is.
    static const struct bad all =
        BAD("nested.bay.domain.bathymetry.file = 'turned.nc'; nested.bay.method = 'muscl-hancock'",
            "nested.bay.domain.bathymetry: ", "whole domain lies above the sea", "positive");
    static const struct bad most =
        BAD("nested.bay.domain.bathymetry.file = 'half-turned.nc'; nested.bay.method = 'muscl-hancock'",
            "nested.bay.domain.bathymetry: ", "of the grid's 1681 nodes are water where",
            "\"positive\" right in both");
    write_sea();
    write_grid("turned.nc", upside_down);
    write_grid("half-turned.nc", half_turned);
    expect_refusals(&all, 1, DATA);
    expect_refusals(&most, 1, CONFIGURATION);
}

TEST(water_must_come_in)
{
    static const struct bad refusals[] = {
        BAD("nested.bay.domain.bathymetry.file = 'half.nc'; nested.bay.domain.x = ['40 km', '51 km']; "
            "nested.bay.domain.edges = {'west': 'wall', 'south': 'wall', 'north': 'wall'}",
            "nested.bay.domain: no wave can come in", "a node with water in both grids"),
        BAD("nested.bay.domain.edges = {'west': 'wall', 'south': 'open', 'north': 'wall', 'east': 'open'}",
            "nested.bay.domain.edges: no edge is left to be given by the parent"),
        BAD("nested.bay.domain.edges = {'west': 'periodic', 'east': 'periodic'}",
            "nested.bay.domain.edges.west: a nested grid cannot be periodic"),
    };
    write_sea();
    write_grid("half.nc", half_land);
    expect_refusals(refusals, COUNT(refusals), CONFIGURATION);
    // One dry edge is no mistake: an island's grid has some. It is reported, once.
    cJSON *job = sea_job("openmp", "vtcs2-o2", 1000, "12 s");
    nest(job, "bay", 500, NULL, NULL, NULL);
    cli_save_job(cli_change(job, "nested.bay.domain.bathymetry.file = 'half.nc'; output.directory = 'out'"));
    assert_has(cli_do("run job.json")->error, "nested grid bay: its whole eastern edge lies on land");
}

TEST(steps_must_divide_and_be_stable)
{
    static const struct bad refusals[] = {
        BAD("nested.bay.time.step = '5 s'",
            "nested.bay.time.step: 5 s does not divide its parent's step, 12 s", "4 s would"),
        BAD("nested.bay.time.step = '24 s'", "nested.bay.time.step: 24 s is unstable: the limit is"),
        BAD("nested.bay.method = 'muscl-hancock'; nested.bay.time.step = '6 s'",
            "nested.bay.time.step: 6 s is unstable: the limit is 5.", "half of what a wave takes"),
    };
    write_sea();
    expect_refusals(refusals, COUNT(refusals), CONFIGURATION);
}

TEST(keys_are_named_with_their_whole_path)
{
    static const struct bad refusals[] = {
        BAD("nested.bay.physics = {'manning': 0.02}",
            "nested.bay.physics.manning: unknown key (did you mean nested.bay.physics.manning_n?)"),
        BAD("nested.bay.physics = {'manning_n': -0.02}",
            "nested.bay.physics.manning_n: -0.02 is out of range: 0 to 1 is expected"),
        BAD("nested.bay.source = {'faults': 'a.json'}", "nested.bay.source: belongs to the whole job"),
        BAD("nested.bay.time.duration = '1 h'", "nested.bay.time.duration: belongs to the whole job"),
        BAD("nested.bay.domain.longitude = ['1 degree', '2 degree']", "nested.bay.domain.longitude: the grid",
            "has x and y in metres; use domain.x"),
        BAD("nested.bay.output.fields = {'x': ['0 km', '10 km']}",
            "nested.bay.output.fields.x: 0 to 10000 holds no node of the domain (32000 to 52000)"),
        BAD("nested.bay.output.gauges = {'file': 'gauges.json'}",
            "nested.bay.output.gauges.file: ", "no gauge lies in the domain"),
    };
    write_sea();
    cli_write_json("gauges.json",
                   "{'fathom_gauges': 1, 'gauges': [{'name': 'west', 'x': '10 km', 'y': '25 km'}]}");
    expect_refusals(refusals, COUNT(refusals), CONFIGURATION);
}

TEST(a_missing_file_is_named)
{
    write_sea();
    cJSON *job = sea_job("openmp", "vtcs2-o2", 1000, "12 s");
    nest(job, "bay", 500, NULL, NULL, NULL);
    cli_save_job(
        cli_change(job, "nested.bay.domain.bathymetry.file = 'harbour.nc'; output.directory = 'out'"));
    cli_assert_error(cli_run("run job.json"), NO_INPUT, false,
                     "job.json: nested.bay.domain.bathymetry.file: ", "harbour.nc");
}

// Degrees in metres; and a place that the parent's columns cannot hold.
TEST(grids_must_share_one_coordinate_system)
{
    const struct cli_grid ocean = CLI_GLOBE(180, 60, 0, -30, 2, 1, {"z", "m", "up", NULL, round_earth});
    const struct cli_grid hill = CLI_GLOBE(180, 60, 0, -30, 2, 1, {"eta", "m", NULL, NULL, hump});
    write_sea();
    cli_write_grid("ocean.nc", &ocean);
    cli_write_grid("hill.nc", &hill);
    cJSON *job =
        cli_change(sea_job("openmp", "vtcs2-o2", 1000, "auto"),
                   "domain = {'bathymetry': {'file': 'ocean.nc'}, 'edges': {'west': 'periodic', 'east': "
                   "'periodic'}}; source.initial.file = 'hill.nc'; output.directory = 'out'");
    nest(job, "bay", 500, NULL, NULL, NULL);
    cli_save_job(job);
    cli_assert_error(cli_run("plan job.json"), CONFIGURATION, true,
                     "nested.bay.domain.bathymetry: this grid is in metres, its parent in degrees");
    cli_save_job(cli_change(
        job, "nested.bay.domain = {'bathymetry': {'file': 'ocean.nc'}, 'longitude': ['350 degree', '370 "
             "degree'], 'latitude': ['-5 degree', '5 degree'], 'spacing': '0.5 degree'}"));
    cli_assert_error(
        cli_run("plan job.json"), CONFIGURATION, true,
        "nested.bay.domain: this grid lies across the seam of its parent, between 358 and 360 degrees east");
}

TEST_MAIN(cli_setup, cli_teardown)
