// Signs and units of grids: a job that contradicts what its file states is refused, in words that name both,
// unless it states deliberately that the file is wrong; and faults under land, which make no wave, are named.
#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"

// The sea as GEBCO gives it: elevations in m, with the attributes of one of its editions.
static void write_gebco(const char *name, const char *positive, const char *standard_name)
{
    struct cli_grid grid = cli_sea;
    grid.variables[0].positive = positive;
    grid.variables[0].standard_name = standard_name;
    cli_write_grid(name, &grid);
}

static const struct edition {
    const char *positive, *standard_name, *statement;
} editions[] = {
    {"up", NULL, "positive = \"up\" (elevations)"},
    {NULL, "height_above_mean_sea_level", "standard_name = \"height_above_mean_sea_level\" (elevations)"},
    {NULL, "height_above_reference_ellipsoid",
     "standard_name = \"height_above_reference_ellipsoid\" (elevations)"},
    {"up", "height_above_mean_sea_level",
     "positive = \"up\" and standard_name = \"height_above_mean_sea_level\" (elevations)"},
};

TEST(a_sign_against_the_file_is_refused)
{
    cJSON *job = cli_change(cli_sea_job(), "domain.bathymetry.positive = 'down'");
    for (size_t k = 0; k < COUNT(editions); k++) {
        write_gebco("sea.nc", editions[k].positive, editions[k].standard_name);
        cli_assert_error(cli_rerun(job), CONFIGURATION, false, "job.json: domain.bathymetry: ", "sea.nc",
                         "variable elevation", "\"positive\": \"down\" (depths)", editions[k].statement,
                         "\"override\": true");
        assert_false(cli_exists("out"));
        // A statement repeated in a file is no contradiction.
        cli_assert_done(cli_rerun(cli_change(job, "domain.bathymetry.positive = 'up'")));
        cli_remove("out");
        cli_change(job, "domain.bathymetry.positive = 'down'");
    }
}

// In the nested grid alone.
TEST(a_nested_grids_sign_is_held_against_its_file)
{
    cli_assert_error(
        cli_rerun(cli_change(
            cli_sea_job(),
            "nested = {'bay': {'domain': {'bathymetry': {'file': 'sea.nc', 'positive': 'down'}, 'longitude': "
            "['144 degree', '146 degree'], 'latitude': ['32 degree', '34 degree']}}}")),
        CONFIGURATION, false, "job.json: nested.bay.domain.bathymetry: ", "\"positive\": \"down\" (depths)",
        "positive = \"up\" (elevations)");
}

// The values of the sea's file are elevations; a file that calls them depths is wrong.
TEST(a_wrong_file_is_set_right_deliberately)
{
    cJSON *job = cli_sea_job();
    cli_assert_done(cli_rerun(job));
    assert_int_equal(rename(cli_path("out"), cli_path("right")), 0);
    write_gebco("sea.nc", "down", NULL);
    cli_assert_error(cli_rerun(cli_change(job, "domain.bathymetry.positive = 'up'")), CONFIGURATION, false,
                     "positive = \"down\" (depths)");
    cli_assert_done(cli_rerun(cli_change(job, "domain.bathymetry.override = true")));
    assert_true(cli_has_warning("out", "domain.bathymetry.override: ", "positive = \"down\" (depths)"));
    cli_assert_same_data("out/maxima.nc", "right/maxima.nc");
    // Nothing to override: the key reports it.
    write_gebco("sea.nc", "up", NULL);
    cli_assert_done(cli_rerun(job));
    assert_true(cli_has_warning("out", "domain.bathymetry.override: has no effect", "sea.nc"));
}

TEST(units_against_the_file_are_refused)
{
    cJSON *job = cli_change(cli_sea_job(), "domain.bathymetry.units = 'cm'");
    cli_assert_error(cli_rerun(job), CONFIGURATION, false,
                     "job.json: domain.bathymetry: ", "variable elevation", "\"units\": \"cm\"",
                     "units = \"m\"", "\"override\": true");
    cli_change(job, "domain.bathymetry.units = 'metres'"); // another word for the same
    cli_assert_done(cli_rerun(job));
    cli_assert_done(
        cli_rerun(cli_change(job, "domain.bathymetry.units = 'dm'; domain.bathymetry.override = true")));
    assert_true(cli_has_warning("out", "domain.bathymetry.override: ", "read in dm"));
    assert_true(cli_run_number("out", "grid.deepest_m") > 100 &&
                cli_run_number("out", "grid.deepest_m") < 460);
}

static double uplift(double x, double y, double time_s)
{
    return x > 144 && x < 146 && y > 32 && y < 34 ? 1 : 0;
}

// Uplifts and elevations have no key for their sign: it is up.
TEST(a_source_grid_that_counts_down_is_refused)
{
    struct cli_grid grid = cli_sea;
    grid.variables[0] = (struct cli_variable){"dz", "m", "down", NULL, uplift};
    static const char *const sources[][3] = {
        {"{'displacement': {'file': 'dz.nc'}}",
         "job.json: source.displacement: ", "source.displacement.override"},
        {"{'initial': {'file': 'dz.nc', 'eta': 'dz'}}",
         "job.json: source.initial.eta: ", "source.initial.override"}};
    cJSON *job = cli_sea_job();
    cli_write_grid("dz.nc", &grid);
    for (int k = 0; k < 2; k++) {
        cli_set(job, "source", sources[k][0]);
        cli_assert_error(cli_rerun(job), CONFIGURATION, false, sources[k][1],
                         "variable dz states positive = \"down\"", "\"override\": true");
        cli_set(job, sources[k][2], "true");
        cli_assert_done(cli_rerun(job));
        assert_true(cli_has_warning("out", sources[k][2], "positive = \"down\""));
    }
    cli_assert_error(
        cli_rerun(cli_change(
            job, "source = {'displacement': {'file': 'dz.nc', 'units': 'km', 'override': false}}")),
        CONFIGURATION, false, "job.json: source.displacement: ", "\"units\": \"km\"", "units = \"m\"");
}

TEST(convert_holds_its_options_against_the_file)
{
    write_gebco("sea.nc", NULL, "height_above_mean_sea_level");
    cli_assert_error(cli_run("convert sea.nc copy.nc --positive down"), CONFIGURATION, false, "sea.nc",
                     "\"positive\": \"down\" (depths)", "standard_name = \"height_above_mean_sea_level\"",
                     "--override");
    cli_assert_error(cli_run("convert sea.nc copy.nc --units cm"), CONFIGURATION, false, "sea.nc",
                     "\"units\": \"cm\"", "units = \"m\"", "--override");
    assert_false(cli_exists("copy.nc"));
    assert_has(cli_do("convert sea.nc copy.nc --positive down --override")->error, "warning: ");
    assert_true(cli_exists("copy.nc"));
}

// ---- faults under land

#define FAULTS(rows)                                                                                         \
    "{\"fathom_faults\": 1, \"reference\": \"centre\", \"columns\": [\"longitude\", \"latitude\", "          \
    "\"depth\", "                                                                                            \
    "\"length\", \"width\", \"strike\", \"dip\", \"rake\", \"slip\"], \"units\": [\"degree\", \"degree\", "  \
    "\"km\", "                                                                                               \
    "\"km\", \"km\", \"degree\", \"degree\", \"degree\", \"m\"], \"rows\": [" rows "]}"

// West of 143 E all is land.
static double half_land(double x, double y, double time_s)
{
    return x < 143 ? 200 : -3000;
}

TEST(a_fault_under_land_is_named)
{
    struct cli_grid grid = cli_sea;
    grid.variables[0].value = half_land;
    cJSON *job = cli_sea_job();
    cli_write_grid("sea.nc", &grid);
    static const struct {
        const char *faults, *first, *second; // NULL: no warning of faults
    } trials[] = {
        {FAULTS("[141, 33, 10, 30, 20, 195, 14, 90, 5]"), "1 of 1 fault is under land",
         "fault 1; is the bathymetry right"},
        {FAULTS("[141, 33, 10, 30, 20, 0, 90, 90, 5]"), "1 of 1 fault is under land", "fault 1;"}, // vertical
        {FAULTS("[144, 33, 10, 30, 20, 195, 14, 90, 5], [141, 33, 10, 30, 20, 195, 14, 90, 5]"),
         "1 of 2 faults are under land", "fault 2"},
        // 30 km from the sea, as wide as that and 25 km deep: it lifts the sea floor, too.
        {FAULTS("[142.6, 33, 25, 60, 30, 0, 10, 90, 5]"), "the whole source is under land", "fault 1"},
        {FAULTS("[142.6, 33, 25, 60, 30, 0, 10, 90, 5], [144, 33, 10, 30, 20, 195, 14, 90, 5]"), NULL, NULL},
        {FAULTS("[141, 33, 10, 30, 20, 195, 14, 90, 0], [144, 33, 10, 30, 20, 195, 14, 90, 5]"), NULL, NULL},
        {FAULTS("[-216, 33, 10, 30, 20, 195, 14, 90, 5]"), NULL, NULL}, // on another turn
    };
    for (size_t k = 0; k < COUNT(trials); k++) {
        cli_set(job, "source.faults", trials[k].faults);
        const struct cli_result *result = cli_rerun(job);
        if (result->exit_code != 0)
            fail_msg("trial %zu: %s", k, result->error);
        if (cli_has_warning("out", trials[k].first ? trials[k].first : "under land",
                            trials[k].second ? trials[k].second : "") != (trials[k].first != NULL))
            fail_msg("trial %zu: %s", k, result->error);
        if (trials[k].first) // on the terminal too
            assert_has(result->error, trials[k].first);
    }
}

// What no earthquake had is reported, once for each quantity, with the first such fault; and a great
// earthquake is not.
TEST(a_fault_beyond_any_on_record_is_named)
{
    static const struct {
        const char *faults, *first, *second;
    } trials[] = {
        {FAULTS("[144, 33, 20, 100, 50, 0, 10, 90, 60]"), NULL, NULL},
        {FAULTS("[144, 33, 20, 100, 50, 0, 10, 90, 5], [144, 33, 20, 100, 50, 0, 10, 90, 500], [144, 33, 20, "
                "100, 50, 0, 10, 90, -80]"),
         "source.faults: fault 2: slip 500 m, in 2 of 3 faults more than 70 m", "Tohoku 2011"},
        {FAULTS("[144, 33, 20, 3000, 50, 0, 10, 90, 5]"), "fault 1: length 3000 km", "Sumatra 2004"},
        {FAULTS("[144, 33, 200, 100, 500, 0, 10, 90, 5]"), "fault 1: width 500 km", "another unit"},
        {FAULTS("[144, 33, 900, 100, 50, 0, 10, 90, 5]"), "fault 1: depth 900 km", "about 700 km"},
        {FAULTS("[144, 33, 20, 0.1, 0.05, 0, 10, 90, 20]"), "a slip of 20 m on a fault of 100 m by 50 m",
         "in km"},
    };
    cJSON *job = cli_sea_job();
    cli_write_grid("sea.nc", &cli_sea);
    for (size_t k = 0; k < COUNT(trials); k++) {
        cli_set(job, "source.faults", trials[k].faults);
        cli_assert_done(cli_rerun(job));
        const bool is_named = cli_has_warning("out", trials[k].first ? trials[k].first : "on record",
                                              trials[k].second ? trials[k].second : "");
        if (is_named != (trials[k].first != NULL))
            fail_msg("trial %zu", k);
    }
}

// An ocean whose elevations are taken as depths is land, and the other way round: the gauges and the faults
// stand there.
TEST(a_sign_is_asked_about_where_most_is_on_land)
{
    static const char question[] = "is domain.bathymetry.positive right?";
    struct cli_grid grid = cli_sea;
    grid.variables[0].value = half_land;
    grid.variables[0].positive = NULL; // the file is silent
    cJSON *job = cli_sea_job();
    cli_write_grid("sea.nc", &grid);
    cli_write_json("gauges.json",
                   "{'fathom_gauges': 1, 'gauges': [{'name': 'a', 'longitude': '145 degree', 'latitude': '33 "
                   "degree'},{'name': 'b', 'longitude': '146 degree', 'latitude': '33 degree'},{'name': 'c', "
                   "'longitude': '147 degree', 'latitude': '33 degree'},{'name': 'd', 'longitude': '141 "
                   "degree', 'latitude': '33 degree'}]}");
    cli_change(job, "output.gauges = {'file': 'gauges.json', 'every': '1 min'}; source.faults = %s",
               FAULTS("[145, 33, 10, 30, 20, 195, 14, 90, 5], [146, 33, 10, 30, 20, 195, 14, 90, 5], [141, "
                      "33, 10, 30, 20, 195, 14, 90, 5]"));
    cli_save_job(cli_change(job, "domain.bathymetry.positive = 'down'"));
    assert_has(cli_do("plan job.json")->error, "2 of 3 faults are under land",
               "domain.bathymetry: 3 of 4 gauges lie on land, and 2 of 3 faults lie under land: is");
    cli_assert_done(cli_rerun(job));
    assert_true(cli_has_warning("out", "2 of 3 faults are under land", "fault 1, 2"));
    assert_true(
        cli_has_warning("out", "domain.bathymetry: 3 of 4 gauges lie on land, and 2 of 3 faults", question));
    // As it should be: one of four, one of three.
    cli_assert_done(cli_rerun(cli_change(job, "domain.bathymetry.positive = 'up'")));
    assert_true(cli_has_warning("out", "1 of 3 faults are under land", ""));
    assert_false(cli_has_warning("out", question, ""));
}

// A grid too coarse for a bay has no water where the fault is; the nested one has.
static double hidden_bay(double x, double y, double time_s)
{
    const bool is_bay = x > 140.9 && x < 141.1 && y > 32.9 && y < 33.1;
    return is_bay ? -500 : half_land(x, y, time_s);
}

TEST(water_of_a_nested_grid_counts)
{
    struct cli_grid fine = {
        .nx = 81, .ny = 41, .x0 = 140, .y0 = 32, .dx = 0.05, .dy = 0.05, .variable_count = 1};
    struct cli_grid grid = cli_sea;
    grid.variables[0].value = half_land;
    fine.variables[0] = grid.variables[0];
    fine.variables[0].value = hidden_bay;
    cJSON *job = cli_sea_job();
    cli_write_grid("sea.nc", &grid);
    cli_write_grid("fine.nc", &fine);
    cli_set(job, "source.faults", FAULTS("[141, 33, 10, 30, 20, 195, 14, 90, 5]"));
    cli_assert_done(cli_rerun(job));
    assert_true(cli_has_warning("out", "fault is under land", ""));
    cli_assert_done(cli_rerun(cli_change(job, "nested.coast.domain.bathymetry.file = 'fine.nc'")));
    assert_false(cli_has_warning("out", "fault is under land", ""));
}

TEST_MAIN(cli_setup, cli_teardown)
