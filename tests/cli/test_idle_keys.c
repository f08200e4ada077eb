// Keys that a job gives and that change nothing: one warning each, in the log and in run.json, and none for a
// key that does something, be it in one nested grid only.
#include "tests/support/cli_fixture.h"

#include <cjson/cJSON.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// The basin, a plane, with a solitary wave; the sea, on the sphere, with a fault.
static cJSON *basin_job(void)
{
    cli_write_grid("basin.nc", &cli_basin);
    cJSON *job = cJSON_Parse(
        "{\"fathom\": 1, \"model\": \"tsunami\", \"backend\": \"openmp\","
        "\"domain\": {\"bathymetry\": {\"file\": \"basin.nc\"}},"
        "\"source\": {\"solitary\": {\"height\": \"1 m\", \"crest\": \"3 km\", \"toward\": \"east\"}},"
        "\"time\": {\"duration\": \"10 s\"}, \"output\": {\"directory\": \"out\"}}");
    assert_non_null(job);
    return job;
}

// How many of the run's warnings say that a key has no effect; the one of `key` must be there, or not.
static int warnings_of(cJSON *job, const char *key, bool is_expected)
{
    char words[160];
    int count = 0;
    bool is_there = false;
    cli_write_job(job, "job.json");
    const struct cli_result *result = cli_run("run", "-q", "--restart", "job.json", NULL);
    if (result->exit_code != 0)
        fail_msg("%s", result->error);
    cJSON *report = cli_read_json("out/run.json");
    const cJSON *item, *list = cJSON_GetObjectItemCaseSensitive(report, "warnings");
    assert_true(cJSON_IsArray(list));
    snprintf(words, sizeof words, "job.json: %s: has no effect: ", key);
    cJSON_ArrayForEach(item, list)
    {
        const bool is_this = strstr(item->valuestring, words) != NULL;
        count += strstr(item->valuestring, "has no effect") != NULL;
        is_there |= is_this;
        if (is_this)
            assert_non_null(
                strstr(result->error, item->valuestring)); // on the terminal too, in the same words
    }
    if (is_there != is_expected)
        fail_msg("%s: %s in %s", key, is_expected ? "expected" : "not expected", cJSON_Print(list));
    cJSON_Delete(report);
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
    {false, "vtcs2-o2", "physics", "{\"coriolis\": true, \"coriolis_parameter\": \"1e-4 s-1\"}", NULL},
    {false, "vtcs2-o2", "physics", "{\"coriolis\": false, \"coriolis_parameter\": \"1e-4 s-1\"}",
     "physics.coriolis_parameter"},
    {false, "vtcs2-o2", "physics.curvature", "true", "physics.curvature"},
    {false, "vtcs2-o2", "physics.earth_radius", "\"6370 km\"", "physics.earth_radius"},
    {false, "vtcs2-o2", "physics.rotation_rate", "\"7e-5 s-1\"", "physics.rotation_rate"},
    {true, "vtcs2-o2", "physics",
     "{\"curvature\": true, \"coriolis\": true, \"earth_radius\": \"6370 km\", \"rotation_rate\": \"7e-5 "
     "s-1\"}",
     NULL},
    {true, "vtcs2-o2", "physics", "{\"coriolis\": false, \"rotation_rate\": \"7e-5 s-1\"}",
     "physics.rotation_rate"},
    {false, "vtcs2-o2", "source.extent", "\"100 km\"", "source.extent"},
    {false, "vtcs2-o2", "source.horizontal", "true", "source.horizontal"},
    {true, "vtcs2-o2", "source.extent", "\"1000 km\"", NULL},
    {true, "vtcs2-o2", "source.horizontal", "true", NULL},
    {false, "vtcs2-o2", "check.tolerance", "\"1 mm\"", "check.tolerance"},
    {false, "vtcs2-o2", "check", "{\"reference_steps\": 1, \"tolerance\": \"1 mm\"}", NULL},
};

static void a_key_without_effect_is_warned_of(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof trials / sizeof *trials; k++) {
        const struct trial *t = &trials[k];
        char method[32];
        cJSON *job = t->is_sea ? cli_sea_job() : basin_job();
        snprintf(method, sizeof method, "\"%s\"", t->method);
        cli_set(job, "method", method);
        cli_set(job, t->key, t->value);
        cli_set(job, "time.duration", "\"10 s\"");
        const int count = warnings_of(job, t->idle ? t->idle : t->key, t->idle != NULL);
        if (count != (t->idle != NULL))
            fail_msg("%s, %s: %d warnings", t->method, t->key, count);
        cJSON_Delete(job);
    }
}

// A key at the top may be meant for the grids within; one in a grid's own part is its own.
static void nested_grids_count(void **state)
{
    (void)state;
    cJSON *job = basin_job();
    cli_set(job, "physics.minimum_depth", "\"1 mm\"");
    cli_set(job, "physics.wall_depth", "\"5 m\"");
    cli_set(
        job, "nested",
        "{\"bay\": {\"method\": \"muscl-hancock\", \"domain\": {\"bathymetry\": {\"file\": \"basin.nc\"}, "
        "\"x\": [\"5 km\", \"10 km\"], \"y\": [\"5 km\", \"10 km\"]}}}");
    assert_int_equal(warnings_of(job, "physics.minimum_depth", false), 0);
    cli_set(job, "nested.bay.physics.wall_depth", "\"5 m\"");
    assert_int_equal(warnings_of(job, "nested.bay.physics.wall_depth", true), 1);
    cli_set(job, "nested.bay.physics", NULL);
    cli_set(job, "nested.bay.method", "\"vtcs2-o2\"");
    assert_int_equal(warnings_of(job, "physics.minimum_depth", true), 1);
    cJSON_Delete(job);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, cli_setup, cli_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_key_without_effect_is_warned_of),
        TEST(nested_grids_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
