// Keys that a job gives and that change nothing: one warning each, in the log and in run.json, and none for a
// key that does something, be it in one nested grid only. And the warning of a rotation that long steps of a
// method turn into growth.
#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"

// The basin, a plane, with a solitary wave; the sea, on the sphere, with a fault.
static cJSON *basin_job(void)
{
    cli_write_grid("basin.nc", &cli_basin);
    return cli_json("{'fathom': 1, 'model': 'tsunami', 'backend': 'openmp','domain': {'bathymetry': {'file': "
                    "'basin.nc'}},'source': {'solitary': {'height': '1 m', 'crest': '3 km', 'toward': "
                    "'east'}},'time': {'duration': '10 s'}, 'output': {'directory': 'out'}}");
}

// How many of the run's warnings are about a key without effect; the one of `key` must be there, or not.
static int warnings_of(cJSON *job, const char *key, bool is_expected)
{
    int count = 0;
    bool is_there = false;
    cli_save_job(job);
    const struct cli_result *result = cli_run("run -q --restart job.json");
    if (result->exit_code != 0)
        fail_msg("%s", result->error);
    cJSON *report = cli_read_json("out/run.json");
    const cJSON *item, *list = cJSON_GetObjectItemCaseSensitive(report, "warnings");
    assert_true(cJSON_IsArray(list));
    const char *words = format_text("job.json: %s: has no effect: ", key);
    cJSON_ArrayForEach(item, list)
    {
        const bool is_this = strstr(item->valuestring, words) != NULL;
        count += strstr(item->valuestring, "has no effect") != NULL;
        is_there |= is_this;
        if (is_this)
            assert_has(result->error, item->valuestring); // on the terminal too, in the same words
    }
    if (is_there != is_expected)
        fail_msg("%s: %s in %s", key, is_expected ? "expected" : "not expected", cJSON_Print(list));
    return count;
}

static const struct trial {
    bool is_sea;
    const char *method, *key, *value, *idle; // idle: the key that is warned of, NULL for none
} trials[] = {
    {false, "vtcs2-o2", "physics.minimum_depth", "\"1 mm\"", "physics.minimum_depth"},
    {false, "muscl-hancock", "physics.minimum_depth", "\"1 mm\"", NULL},
    {false, "muscl-hancock", "physics.wall_depth", "\"5 m\"", "physics.wall_depth"},
    {false, "vtcs2-shore", "physics.wall_depth", "\"5 m\"", "physics.wall_depth"},
    {false, "vtcs2", "physics.wall_depth", "\"5 m\"", NULL},
    {false, "muscl-hancock", "physics.steepness_limit", "3", "physics.steepness_limit"},
    {false, "vtcs2-o2", "physics.steepness_limit", "3", NULL},
    {false, "vtcs2-o2", "physics.coriolis", "true", "physics.coriolis"},
    {false, "vtcs2-o2", "physics.coriolis", "false", NULL},
    {false, "vtcs2-o2", "physics", "{'coriolis': true, 'coriolis_parameter': '1e-4 s-1'}", NULL},
    {false, "vtcs2-o2", "physics", "{'coriolis': false, 'coriolis_parameter': '1e-4 s-1'}",
     "physics.coriolis_parameter"},
    {false, "vtcs2-o2", "physics.curvature", "true", "physics.curvature"},
    {false, "vtcs2-o2", "physics.earth_radius", "\"6370 km\"", "physics.earth_radius"},
    {false, "vtcs2-o2", "physics.rotation_rate", "\"7e-5 s-1\"", "physics.rotation_rate"},
    {true, "vtcs2-o2", "physics",
     "{'curvature': true, 'coriolis': true, 'earth_radius': '6370 km', 'rotation_rate': '7e-5 s-1'}", NULL},
    {true, "vtcs2-o2", "physics", "{'coriolis': false, 'rotation_rate': '7e-5 s-1'}",
     "physics.rotation_rate"},
    {false, "vtcs2-o2", "source.extent", "\"100 km\"", "source.extent"},
    {false, "vtcs2-o2", "source.horizontal", "true", "source.horizontal"},
    {true, "vtcs2-o2", "source.extent", "\"1000 km\"", NULL},
    {true, "vtcs2-o2", "source.horizontal", "true", NULL},
    {false, "vtcs2-o2", "check.tolerance", "\"1 mm\"", "check.tolerance"},
    {false, "vtcs2-o2", "check", "{'reference_steps': 1, 'tolerance': '1 mm'}", NULL},
};

TEST(a_key_without_effect_is_warned_of)
{
    for (size_t k = 0; k < COUNT(trials); k++) {
        const struct trial *t = &trials[k];
        cJSON *job = cli_change(t->is_sea ? cli_sea_job() : basin_job(), "method = '%s'", t->method);
        cli_set(job, t->key, t->value);
        cli_change(job, "time.duration = '10 s'");
        const int count = warnings_of(job, t->idle ? t->idle : t->key, t->idle != NULL);
        if (count != (t->idle != NULL))
            fail_msg("%s, %s: %d warnings", t->method, t->key, count);
    }
}

// A key at the top may be meant for the grids within; one in a grid's own part is its own.
TEST(nested_grids_count)
{
    cJSON *job =
        cli_change(basin_job(), "physics.minimum_depth = '1 mm'; physics.wall_depth = '5 m'; nested = "
                                "{'bay': {'method': 'muscl-hancock', 'domain': {'bathymetry': {'file': "
                                "'basin.nc'}, 'x': ['5 km', '10 km'], 'y': ['5 km', '10 km']}}}");
    assert_int_equal(warnings_of(job, "physics.minimum_depth", false), 0);
    cli_change(job, "nested.bay.physics.wall_depth = '5 m'");
    assert_int_equal(warnings_of(job, "nested.bay.physics.wall_depth", true), 1);
    cli_change(job, "delete nested.bay.physics; nested.bay.method = 'vtcs2-o2'");
    assert_int_equal(warnings_of(job, "physics.minimum_depth", true), 1);
}

// The bound is that of docs/c-grid.md: exp(0.24 (f step)² steps).
TEST(long_steps_in_a_fast_rotation_are_warned_of)
{
    static const char *const methods[] = {"c-grid-6", "c-grid-6", "vtcs2-o2"};
    static const char *const parameters[] = {"0.01 s-1", "1e-4 s-1", "0.01 s-1"};
    for (int k = 0; k < 3; k++) {
        cli_save_job(cli_change(
            basin_job(),
            "method = '%s'; physics.coriolis_parameter = '%s'; time = {'duration': '2000 s', 'step': '4 s'}",
            methods[k], parameters[k]));
        const struct cli_result *result = cli_run("plan job.json");
        const bool is_named =
            strstr(result->error, "multiply the energy of waves of a few nodes by up to 1.21") ||
            strstr(result->output, "multiply the energy of waves of a few nodes by up to 1.21");
        if (result->exit_code != 0 || is_named != (k == 0))
            fail_msg("%s, f = %s: %s", methods[k], parameters[k], result->error);
    }
}

TEST_MAIN(cli_setup, cli_teardown)
