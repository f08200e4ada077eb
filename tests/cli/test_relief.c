// Bathymetry that cannot be right, and sources that move no water: warned of or refused before the run, in
// words that ask for the sign, the unit or the depth of walls.
#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"

static const char question[] = "is domain.bathymetry.positive right?";

static double ocean_and_land(double x, double y, double time_s)
{
    return x < 143 ? 900 : -4200;
}

// Most of the land above 3500 m, but the sea is deeper.
static double plateau(double x, double y, double time_s)
{
    return x < 146 ? 4000 : -4500;
}

static double kilometres(double x, double y, double time_s)
{
    return ocean_and_land(x, y, time_s) / 1000;
}

static double shallow_shelf(double x, double y, double time_s)
{
    return x < 143 ? 900 : x < 146 ? -5 : -3000;
}

static double deep_trench(double x, double y, double time_s)
{
    return x == 145 && y == 33 ? -9500 : ocean_and_land(x, y, time_s);
}

static double on_land(double x, double y, double time_s)
{
    return x > 140.5 && x < 142 && y > 32 && y < 34 ? -2 : 0;
}

static double offshore(double x, double y, double time_s)
{
    return x > 144 && x < 145.5 && y > 32 && y < 34 ? 2 : 0;
}

static double along_the_coast(double x, double y, double time_s)
{
    return x > 140.5 && x < 144 && y > 32 && y < 34 ? 2 : 0;
}

static double bay(double x, double y, double time_s)
{
    const bool is_bay = x > 141.2 && x < 141.8 && y > 32.4 && y < 33.6;
    return is_bay ? -500 : ocean_and_land(x, y, time_s);
}

typedef double value(double x, double y, double time_s);

static void write_sea(const char *name, value *elevation, const char *units, const char *positive)
{
    struct cli_grid grid = cli_sea;
    grid.variables[0] = (struct cli_variable){"elevation", units, positive, NULL, elevation};
    cli_write_grid(name, &grid);
}

static void write_source(value *rise)
{
    struct cli_grid grid = cli_sea;
    grid.variables[0] = (struct cli_variable){"dz", "m", NULL, NULL, rise};
    cli_write_grid("dz.nc", &grid);
}

TEST(a_displacement_or_an_elevation_under_land_is_named)
{
    static const struct {
        const char *source, *key;
    } kinds[] = {{"{'displacement': {'file': 'dz.nc'}}", "job.json: source.displacement: "},
                 {"{'initial': {'file': 'dz.nc', 'eta': 'dz'}}", "job.json: source.initial: "}};
    static const struct {
        value *bottom, *rise;
        const char *positive;
        const char *text; // NULL: no warning
    } trials[] = {
        {ocean_and_land, on_land, "up", "values reach 2 m, but at most 0 m where there is water"},
        {ocean_and_land, offshore, "down", "is domain.bathymetry.positive?"}, // the wrong sign
        {ocean_and_land, offshore, "up", NULL},
        {ocean_and_land, along_the_coast, "up", NULL},
        {shallow_shelf, offshore, "up", "the water there is land by physics.wall_depth, 10 m"},
    };
    cJSON *job = cli_sea_job();
    for (size_t k = 0; k < COUNT(trials); k++)
        for (size_t i = 0; i < COUNT(kinds); i++) {
            write_sea("sea.nc", trials[k].bottom, "m", NULL);
            write_source(trials[k].rise);
            cli_set(job, "source", kinds[i].source);
            cli_assert_done(
                cli_rerun(cli_change(job, "domain.bathymetry.positive = '%s'", trials[k].positive)));
            if (cli_has_warning("out", kinds[i].key, "dz.nc: the source is under land") != !!trials[k].text ||
                (trials[k].text && !cli_has_warning("out", kinds[i].key, trials[k].text)))
                fail_msg("trial %zu, %s", k, kinds[i].key);
        }
}

static double nothing(double x, double y, double time_s)
{
    (void)x, (void)y, (void)time_s;
    return 0;
}

static double not_a_number(double x, double y, double time_s)
{
    (void)x, (void)y, (void)time_s;
    return NAN;
}

static double infinite(double x, double y, double time_s)
{
    (void)x, (void)y, (void)time_s;
    return INFINITY;
}

// A source that starts no wave is not silent: zeroes are named, and a file without a value is refused.
TEST(an_empty_source_is_named)
{
    static const char *const sources[] = {"{'displacement': {'file': 'dz.nc'}}",
                                          "{'initial': {'file': 'dz.nc', 'eta': 'dz'}}"};
    static const char *const keys[] = {"source.displacement", "source.initial"};
    cJSON *job = cli_change(cli_sea_job(), "domain.bathymetry.positive = 'up'");
    write_sea("sea.nc", ocean_and_land, "m", NULL);
    for (size_t k = 0; k < COUNT(sources); k++) {
        cli_set(job, "source", sources[k]);
        write_source(nothing);
        cli_assert_done(cli_rerun(job));
        assert_true(cli_has_warning("out", keys[k], "its values are 0 at every node of the domain"));
        write_source(offshore);
        cli_assert_done(cli_rerun(job));
        assert_false(cli_has_warning("out", keys[k], "its values are 0"));
        value *const empty[] = {not_a_number, infinite};
        for (size_t e = 0; e < COUNT(empty); e++) {
            write_source(empty[e]);
            cli_save_job(job);
            cli_assert_error(cli_run("plan job.json"), CONFIGURATION, false, keys[k], "dz has no value");
        }
    }
}

// Water that a displacement lifts in a nested grid alone counts.
TEST(a_displacement_in_a_nested_grids_bay_is_none_under_land)
{
    cJSON *job = cli_change(cli_sea_job(), "source = {'displacement': {'file': 'dz.nc'}}");
    write_sea("sea.nc", ocean_and_land, "m", "up");
    write_source(on_land);
    struct cli_grid fine = cli_sea;
    fine.nx = fine.ny = 61;
    fine.x0 = 141;
    fine.y0 = 32;
    fine.dx = fine.dy = 0.05;
    fine.variables[0] = (struct cli_variable){"elevation", "m", "up", NULL, bay};
    cli_write_grid("fine.nc", &fine);
    cli_assert_done(cli_rerun(job));
    assert_true(cli_has_warning("out", "source.displacement: ", "under land"));
    cli_assert_done(cli_rerun(cli_change(job, "nested.coast.domain.bathymetry.file = 'fine.nc'")));
    assert_false(cli_has_warning("out", "source.displacement: ", "under land"));
}

TEST(a_shelf_shallower_than_the_walls_is_not_called_land)
{
    cJSON *job = cli_change(cli_sea_job(), "source.faults.rows = [[144, 33, 10, 30, 20, 195, 14, 90, 5]]");
    write_sea("sea.nc", shallow_shelf, "m", NULL);
    cli_assert_done(cli_rerun(cli_change(job, "domain.bathymetry.positive = 'up'")));
    assert_true(cli_has_warning("out", "source.faults: 1 of 1 fault is under land",
                                "at most 5 m deep, is land by physics.wall_depth, 10 m"));
    assert_false(cli_has_warning("out", question, ""));
    cli_assert_done(cli_rerun(cli_change(job, "physics.wall_depth = '2 m'")));
    assert_false(cli_has_warning("out", "under land", ""));
}

TEST(land_and_sea_that_look_exchanged_are_asked_about)
{
    static const struct {
        value *bottom;
        const char *stated, *positive;
        bool is_asked;
    } trials[] = {
        {ocean_and_land, NULL, "down", true}, {ocean_and_land, NULL, "up", false},
        {plateau, NULL, "up", false},         {deep_trench, NULL, "up", false},
        {deep_trench, NULL, "down", true},
    };
    cJSON *job = cli_change(cli_sea_job(), "source.faults.rows = [[142, 33, 20, 300, 90, 0, 14, 90, 5]]");
    for (size_t k = 0; k < COUNT(trials); k++) {
        write_sea("sea.nc", trials[k].bottom, "m", trials[k].stated);
        cli_assert_done(cli_rerun(cli_change(job, "domain.bathymetry.positive = '%s'", trials[k].positive)));
        if (cli_has_warning("out", "domain.bathymetry: ", "km high on average") != trials[k].is_asked)
            fail_msg("trial %zu", k);
    }
    write_sea("sea.nc", ocean_and_land, "m", NULL);
    cli_assert_done(cli_rerun(cli_change(job, "domain.bathymetry.positive = 'down'")));
    assert_true(
        cli_has_warning("out",
                        "the land is 4.2 km high on average and 4.2 km at most, the sea 0.9 km deep on "
                        "average and 0.9 km at most",
                        question));
    // A sign that the file states is not asked about.
    write_sea("sea.nc", ocean_and_land, "m", "down");
    cli_assert_done(cli_rerun(cli_change(job, "delete domain.bathymetry.positive")));
    assert_false(cli_has_warning("out", "km high on average", ""));
}

TEST(a_depth_beyond_any_sea_is_refused)
{
    static const struct {
        const char *units, *text;
    } trials[] = {{"km", "the sea is 4.2e+06 m deep at (143, 30), values read as in km"},
                  {"furlong", "the sea is 844907 m deep at (143, 30), values read as in furlong"}};
    cJSON *job = cli_sea_job();
    for (size_t k = 0; k < COUNT(trials); k++) {
        write_sea("sea.nc", ocean_and_land, trials[k].units, "up");
        cli_assert_error(cli_rerun(job), DATA, false, "domain.bathymetry: ", "sea.nc: ", trials[k].text,
                         "expected at most 11500 m; is the unit right?", "\"override\": true");
    }
    write_sea("sea.nc", ocean_and_land, NULL, "up"); // the file is silent, the job wrong
    cli_assert_error(cli_rerun(cli_change(job, "domain.bathymetry.units = 'km'")), DATA, false,
                     "sea.nc: the sea is 4.2e+06 m deep", "read as in km");
    struct cli_grid plane = cli_basin;
    plane.variables[0].units = "km";
    cli_write_grid("sea.nc", &plane);
    cli_change(job, "delete domain.bathymetry.units; source = {'initial': {'file': 'sea.nc', 'eta': 'z'}}");
    cli_assert_error(cli_rerun(job), DATA, false, "sea.nc: the sea is 100000 m deep at (0, 0)",
                     "at most 12000 m");
}

TEST(a_depth_beyond_any_sea_may_be_meant)
{
    cJSON *job = cli_change(cli_sea_job(), "domain.bathymetry.override = true; time.step = '5 s'");
    write_sea("sea.nc", ocean_and_land, "fathom", "up"); // 7681 m: within the limit
    cli_assert_done(cli_rerun(job));
    assert_true(cli_has_warning("out", "domain.bathymetry.override: has no effect", "sea.nc"));
    write_sea("sea.nc", ocean_and_land, "5 m", "up"); // 21 km
    cli_assert_done(cli_rerun(job));
    assert_true(
        cli_has_warning("out", "domain.bathymetry.override: ", "a sea 21000 m deep is taken as it is"));
    assert_false(cli_has_warning("out", "has no effect", ""));
}

TEST(a_wide_sea_that_is_shallow_asks_for_its_unit)
{
    cJSON *job = cli_change(cli_sea_job(), "delete time.step");
    write_sea("sea.nc", kilometres, "m", "up");
    cli_assert_error(cli_rerun(job), DATA, false, "sea.nc: the whole domain is land",
                     "the deepest place has 4.2 m (values read as in m)", "positive right, and the unit?");
    cli_change(job, "method = 'muscl-hancock'");
    cli_assert_done(cli_rerun(job));
    assert_true(
        cli_has_warning("out", "domain.bathymetry: ", "sea.nc: the sea is at most 4.2 m deep on a grid"));
    // Less than five degrees.
    cli_assert_done(cli_rerun(cli_change(
        job,
        "domain.longitude = ['142.5 degree', '147 degree']; domain.latitude = ['31 degree', '35 degree']")));
    assert_false(cli_has_warning("out", "m deep on a grid", ""));
}

TEST(a_nested_grids_depths_are_held_against_its_parents)
{
    cJSON *job =
        cli_change(cli_sea_job(), "nested.bay.domain = {'bathymetry': {'file': 'bay.nc'}, 'longitude': "
                                  "['144 degree', '146 degree'], 'latitude': ['32 degree', '34 "
                                  "degree']}");
    write_sea("sea.nc", ocean_and_land, "m", "up");
    write_sea("bay.nc", ocean_and_land, "m", "up");
    cli_assert_done(cli_rerun(job));
    assert_false(cli_has_warning("out", "units of both", ""));
    write_sea("bay.nc", ocean_and_land, "cm", "up");
    cli_assert_done(cli_rerun(job));
    assert_true(cli_has_warning(
        "out", "nested.bay.domain.bathymetry: ", "bay.nc: the sea is 42 m deep on average where "));
    assert_true(cli_has_warning("out", "sea.nc has 4200 m: are the units of both right?", ""));
}

TEST(a_format_whose_sign_is_set_aside_is_named_by_its_block)
{
    char text[2000] = "ncols 12\nnrows 12\nxllcenter 140\nyllcenter 30\ncellsize 0.5\n";
    for (int k = 0; k < 12; k++)
        strcat(text, "1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000\n");
    cli_write_text("sea.asc", text);
    cJSON *job =
        cli_change(cli_sea_job(), "domain.bathymetry = {'file': 'sea.asc', 'positive': 'down', 'axes': "
                                  "'geographic', 'units': 'm'}");
    cli_assert_done(cli_rerun(job));
    assert_true(cli_has_warning("out", "job.json: domain.bathymetry: ", "files usually hold elevations"));
    assert_false(cli_has_warning("out", "override", ""));
}

TEST_MAIN(cli_setup, cli_teardown)
