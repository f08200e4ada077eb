// Nested grids that cannot be: each is refused with one line that names the grid, the key and what is wrong.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/nested_fixture.h"

enum { DATA = 65, NO_INPUT = 66, CONFIGURATION = 78 };

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
    (void)x, (void)y, (void)time_s;
    return -4000;
}

static void write_grid(const char *name, double (*value)(double x, double y, double time_s))
{
    const struct cli_grid grid = {.nx = 73,
                                  .ny = 55,
                                  .dx = 1000,
                                  .dy = 1000,
                                  .is_plane = true,
                                  .variable_count = 1,
                                  .variables = {{"z", "m", "up", NULL, value}}};
    cli_write_grid(name, &grid);
}

// A job with one nested grid that is right, changed by key and JSON text pairs (NULL at the end); the line
// must hold the fragments.
struct refusal {
    const char *keys[4][2];
    const char *fragments[3];
};

static void expect_refusals(const struct refusal *refusals, size_t count, int code)
{
    for (size_t k = 0; k < count; k++) {
        const struct refusal *r = &refusals[k];
        cJSON *job = sea_job("openmp", "vtcs2-o2", 1000, "12 s");
        nest(job, "bay", 500, NULL, NULL, NULL);
        for (int c = 0; c < 4 && r->keys[c][0]; c++)
            cli_set(job, r->keys[c][0], r->keys[c][1]);
        cli_set_text(job, "output.directory", "out");
        cli_write_job(job, "job.json");
        cJSON_Delete(job);
        cli_assert_error(cli_run("plan", "job.json", NULL), code, true, "job.json: nested.", r->fragments[0],
                         r->fragments[1] ? r->fragments[1] : "job.json",
                         r->fragments[2] ? r->fragments[2] : "job.json", NULL);
    }
}

static void a_grid_must_lie_in_its_parent(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {{{"domain.x", "[\"40 km\", \"72 km\"]"}},
         {"nested.bay.domain: ", "beyond its parent",
          "western edge, at 32000 m, by 8000 m (the parent's is at 40000)"}},
        {{{"domain.x", "[\"0 km\", \"50 km\"]"}},
         {"eastern edge, at 52000 m, by 2000 m (the parent's is at 50000)"}},
        {{{"domain.y", "[\"20 km\", \"54 km\"]"}}, {"southern edge, at 16000 m, by 4000 m"}},
        {{{"domain.y", "[\"0 km\", \"30 km\"]"}}, {"northern edge, at 36000 m, by 6000 m"}},
        {{{"nested.quay", "{\"parent\": \"bay\", \"domain\": {\"bathymetry\": {\"file\": \"floor.nc\"}, "
                          "\"x\": [\"30 km\", \"40 km\"], "
                          "\"y\": [\"20 km\", \"30 km\"]}}"}},
         {"nested.quay.domain: ", "beyond its parent bay", "western edge, at 30000 m, by 2000 m"}},
    };
    write_sea();
    expect_refusals(refusals, sizeof refusals / sizeof *refusals, CONFIGURATION);
}

static void a_grid_must_not_be_coarser_than_its_parent(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {{{"nested.bay.domain.spacing", "\"1250 m\""}},
         {"nested.bay.domain: ", "coarser than its parent",
          "its spacing in x is 1250 m, the parent's there 1000 m"}},
        {{{"domain.spacing", "\"250 m\""}, {"time.step", "\"3 s\""}},
         {"its spacing in x is 500 m, the parent's there 250 m"}},
    };
    write_sea();
    expect_refusals(refusals, sizeof refusals / sizeof *refusals, CONFIGURATION);
}

static void parents_must_be_there_and_lead_to_the_outermost_grid(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {{{"nested.bay.parent", "\"ocean\""}},
         {"nested.bay.parent: there is no nested grid \"ocean\"",
          "the outermost grid is the parent where nothing"}},
        {{{"nested.quay", "{\"parent\": \"bya\", \"domain\": {\"bathymetry\": {\"file\": \"floor.nc\"}}}"}},
         {"nested.quay.parent: there is no nested grid \"bya\" (did you mean bay?)"}},
        {{{"nested.bay.parent", "\"bay\""}}, {"nested.bay.parent: a grid cannot lie in itself"}},
        {{{"nested.bay.parent", "\"quay\""},
          {"nested.quay", "{\"parent\": \"bay\", \"domain\": {\"bathymetry\": {\"file\": \"floor.nc\"}}}"}},
         {"nested.bay.parent: bay and quay lie in each other"}},
        {{{"nested.bay.parent", "7"}}, {"nested.bay.parent: a number is given"}},
    };
    write_sea();
    expect_refusals(refusals, sizeof refusals / sizeof *refusals, CONFIGURATION);
}

static void a_run_has_so_many_grids_at_most(void **state)
{
    (void)state;
    write_sea();
    cJSON *job = sea_job("openmp", "vtcs2-o2", 1000, "12 s");
    char name[8];
    for (int k = 0; k < 15; k++) {
        snprintf(name, sizeof name, "g%d", k);
        nest(job, name, 1000, NULL, NULL, NULL);
        if (k > 0) { // each in the one before
            char key[32];
            snprintf(key, sizeof key, "nested.g%d.parent", k);
            cli_set_text(job, key, "g%d", k - 1);
        }
    }
    cli_set_text(job, "output.directory", "out");
    cli_write_job(job, "job.json");
    cli_assert_done(cli_run("plan", "job.json", NULL)); // sixteen, one in the other
    nest(job, "one-more", 1000, NULL, NULL, NULL);
    cli_write_job(job, "job.json");
    cJSON_Delete(job);
    cli_assert_error(cli_run("plan", "job.json", NULL), CONFIGURATION, false,
                     "job.json: nested: 16 nested grids; with the outermost one a run has 16 at most", NULL);
}

static void both_bottoms_must_mean_the_same(void **state)
{
    (void)state;
    // As depths, heights of a sea floor are land, and all of this one is.
    static const struct refusal all = {
        {{"nested.bay.domain.bathymetry.file", "\"turned.nc\""}, {"nested.bay.method", "\"muscl-hancock\""}},
        {"nested.bay.domain.bathymetry: ", "whole domain lies above the sea", "positive"}};
    static const struct refusal most = {
        {{"nested.bay.domain.bathymetry.file", "\"half-turned.nc\""},
         {"nested.bay.method", "\"muscl-hancock\""}},
        {"nested.bay.domain.bathymetry: ", "of the grid's 1681 nodes are water where",
         "\"positive\" right in both"}};
    write_sea();
    write_grid("turned.nc", upside_down);
    write_grid("half-turned.nc", half_turned);
    expect_refusals(&all, 1, DATA);
    expect_refusals(&most, 1, CONFIGURATION);
}

static void water_must_come_in(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {{{"nested.bay.domain.bathymetry.file", "\"half.nc\""},
          {"nested.bay.domain.x", "[\"40 km\", \"51 km\"]"},
          {"nested.bay.domain.edges", "{\"west\": \"wall\", \"south\": \"wall\", \"north\": \"wall\"}"}},
         {"nested.bay.domain: no wave can come in", "a node with water in both grids"}},
        {{{"nested.bay.domain.edges",
           "{\"west\": \"wall\", \"south\": \"open\", \"north\": \"wall\", \"east\": \"open\"}"}},
         {"nested.bay.domain.edges: no edge is left to be given by the parent"}},
        {{{"nested.bay.domain.edges", "{\"west\": \"periodic\", \"east\": \"periodic\"}"}},
         {"nested.bay.domain.edges.west: a nested grid cannot be periodic"}},
    };
    write_sea();
    write_grid("half.nc", half_land);
    expect_refusals(refusals, sizeof refusals / sizeof *refusals, CONFIGURATION);
    // One dry edge is no mistake: an island's grid has some. It is said, once.
    cJSON *job = sea_job("openmp", "vtcs2-o2", 1000, "12 s");
    nest(job, "bay", 500, NULL, NULL, NULL);
    cli_set(job, "nested.bay.domain.bathymetry.file", "\"half.nc\"");
    cli_set_text(job, "output.directory", "out");
    cli_write_job(job, "job.json");
    cJSON_Delete(job);
    const struct cli_result *run = cli_run("run", "job.json", NULL);
    assert_int_equal(run->exit_code, 0);
    assert_non_null(strstr(run->error, "nested grid bay: its whole eastern edge lies on land"));
}

static void steps_must_divide_and_be_stable(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {{{"nested.bay.time.step", "\"5 s\""}},
         {"nested.bay.time.step: 5 s does not divide its parent's step, 12 s", "4 s would"}},
        {{{"nested.bay.time.step", "\"24 s\""}}, {"nested.bay.time.step: 24 s is unstable: the limit is"}},
        {{{"nested.bay.method", "\"muscl-hancock\""}, {"nested.bay.time.step", "\"6 s\""}},
         {"nested.bay.time.step: 6 s is unstable: the limit is 5.", "half of what a wave takes"}},
    };
    write_sea();
    expect_refusals(refusals, sizeof refusals / sizeof *refusals, CONFIGURATION);
}

static void keys_are_named_with_their_whole_path(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {{{"nested.bay.physics", "{\"manning\": 0.02}"}},
         {"nested.bay.physics.manning: unknown key (did you mean nested.bay.physics.manning_n?)"}},
        {{{"nested.bay.physics", "{\"manning_n\": -0.02}"}},
         {"nested.bay.physics.manning_n: -0.02 is out of range: 0 to 1 is expected"}},
        {{{"nested.bay.source", "{\"faults\": \"a.json\"}"}},
         {"nested.bay.source: belongs to the whole job"}},
        {{{"nested.bay.time.duration", "\"1 h\""}}, {"nested.bay.time.duration: belongs to the whole job"}},
        {{{"nested.bay.domain.longitude", "[\"1 degree\", \"2 degree\"]"}},
         {"nested.bay.domain.longitude: the grid", "has x and y in metres; use domain.x"}},
        {{{"nested.bay.output.fields", "{\"x\": [\"0 km\", \"10 km\"]}"}},
         {"nested.bay.output.fields.x: 0 to 10000 holds no node of the domain (32000 to 52000)"}},
        {{{"nested.bay.output.gauges", "{\"file\": \"gauges.json\"}"}},
         {"nested.bay.output.gauges.file: ", "no gauge lies in the domain"}},
    };
    write_sea();
    cli_write_text("gauges.json",
                   "{\"fathom_gauges\": 1, \"gauges\": [{\"name\": \"west\", \"x\": \"10 km\", \"y\": "
                   "\"25 km\"}]}");
    expect_refusals(refusals, sizeof refusals / sizeof *refusals, CONFIGURATION);
}

static void a_missing_file_is_named(void **state)
{
    (void)state;
    write_sea();
    cJSON *job = sea_job("openmp", "vtcs2-o2", 1000, "12 s");
    nest(job, "bay", 500, NULL, NULL, NULL);
    cli_set(job, "nested.bay.domain.bathymetry.file", "\"harbour.nc\"");
    cli_set_text(job, "output.directory", "out");
    cli_write_job(job, "job.json");
    cJSON_Delete(job);
    cli_assert_error(cli_run("run", "job.json", NULL), NO_INPUT, false,
                     "job.json: nested.bay.domain.bathymetry.file: ", "harbour.nc", NULL);
}

// Degrees in metres; and a place that the parent's columns cannot hold.
static void grids_must_speak_of_the_same_earth(void **state)
{
    (void)state;
    const struct cli_grid ocean = {.nx = 180,
                                   .ny = 60,
                                   .x0 = 0,
                                   .y0 = -30,
                                   .dx = 2,
                                   .dy = 1,
                                   .variable_count = 1,
                                   .variables = {{"z", "m", "up", NULL, round_earth}}};
    const struct cli_grid hill = {.nx = 180,
                                  .ny = 60,
                                  .x0 = 0,
                                  .y0 = -30,
                                  .dx = 2,
                                  .dy = 1,
                                  .variable_count = 1,
                                  .variables = {{"eta", "m", NULL, NULL, hump}}};
    write_sea();
    cli_write_grid("ocean.nc", &ocean);
    cli_write_grid("hill.nc", &hill);
    cJSON *job = sea_job("openmp", "vtcs2-o2", 1000, "auto");
    cli_set(job, "domain",
            "{\"bathymetry\": {\"file\": \"ocean.nc\"}, \"edges\": {\"west\": \"periodic\", \"east\": "
            "\"periodic\"}}");
    cli_set(job, "source.initial.file", "\"hill.nc\"");
    cli_set_text(job, "output.directory", "out");
    nest(job, "bay", 500, NULL, NULL, NULL);
    cli_write_job(job, "job.json");
    cli_assert_error(cli_run("plan", "job.json", NULL), CONFIGURATION, true,
                     "nested.bay.domain.bathymetry: this grid is in metres, its parent in degrees", NULL);
    cli_set(job, "nested.bay.domain",
            "{\"bathymetry\": {\"file\": \"ocean.nc\"}, \"longitude\": [\"350 degree\", \"370 degree\"], "
            "\"latitude\": [\"-5 degree\", \"5 degree\"], \"spacing\": \"0.5 degree\"}");
    cli_write_job(job, "job.json");
    cli_assert_error(
        cli_run("plan", "job.json", NULL), CONFIGURATION, true,
        "nested.bay.domain: this grid lies across the seam of its parent, between 358 and 360 degrees "
        "east",
        NULL);
    cJSON_Delete(job);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, cli_setup, cli_teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_grid_must_lie_in_its_parent),
        TEST(a_grid_must_not_be_coarser_than_its_parent),
        TEST(parents_must_be_there_and_lead_to_the_outermost_grid),
        TEST(a_run_has_so_many_grids_at_most),
        TEST(both_bottoms_must_mean_the_same),
        TEST(water_must_come_in),
        TEST(steps_must_divide_and_be_stable),
        TEST(keys_are_named_with_their_whole_path),
        TEST(a_missing_file_is_named),
        TEST(grids_must_speak_of_the_same_earth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
