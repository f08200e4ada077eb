// physics.eddy_viscosity as a user has it: in a job alone and in a nested grid's part, its bad values and
// other methods refused, its limit of the step taken or reported, described in the plan and in run.json,
// checked against the reference, and stopped and resumed to the same bits.
#include "tests/support/stopped_run.h"
#include "tests/support/test.h"

// A basin 4 m deep with a beach at its eastern end and a pier; x and y in m.
static double bottom(double x, double y, double time_s)
{
    (void)time_s;
    return x > 200 && x < 230 && y < 120 ? 3 : -4 + fmax(0, x - 450) / 20;
}

static cJSON *basin_job(const char *method)
{
    const struct cli_grid grid = CLI_PLANE(121, 41, 0, 0, 5, 5, {"z", "m", "up", NULL, bottom});
    cli_write_grid("basin.nc", &grid);
    return cli_change(
        cli_json("{'fathom': 1, 'model': 'tsunami', 'backend': 'openmp', 'precision': 'double','physics': "
                 "{'coriolis': false, 'wall_depth': '1 m'},'domain': {'bathymetry': {'file': 'basin.nc'}, "
                 "'edges': {'west': 'wall','south': 'wall', 'north': 'wall', 'east': 'wall'}},'source': "
                 "{'solitary': {'height': '1 m', 'crest': '100 m', 'toward': 'east'}},'time': {'duration': "
                 "'60 s'},'output': {'directory': 'out', 'fields': {'every': '20 s', 'variables': ['eta', "
                 "'u', 'v']}}}"),
        "method = '%s'", method);
}

static const char smagorinsky[] = "physics.eddy_viscosity = {'type': 'smagorinsky'}";

TEST(a_run_reports_its_viscosity)
{
    cJSON *job =
        cli_change(cli_change(basin_job("muscl-hancock"), "%s", smagorinsky), "check.reference_steps = 2");
    cli_save_job(job);
    assert_has(cli_do("plan --arrays job.json")->output, "eddy u", "check reference eddy u");
    cli_run_to(job, "with");
    cJSON *report = cli_read_json("with/run.json");
    assert_string_equal(cli_item(report, "physics.eddy_viscosity.type")->valuestring, "smagorinsky");
    cli_expect_number(report, "physics.eddy_viscosity.coefficient", 0.2);
    assert_true(cli_json_number(report, "reference_check.largest_difference_m") < 1e-12);
    cli_run_to(cli_change(job, "delete physics.eddy_viscosity"), "without");
    assert_null(
        cJSON_GetObjectItem(cli_item(cli_read_json("without/run.json"), "physics"), "eddy_viscosity"));
    const double changed_m_s = cli_difference("with/fields.nc", "without/fields.nc", "u");
    print_message("the viscosity changes the velocity by up to %.3f m/s\n", changed_m_s);
    assert_true(changed_m_s > 0.01 && changed_m_s < 3);
}

// One that leaves the step less than a tenth of what the waves do is likely a wrong unit.
TEST(a_viscosity_beyond_the_waves_is_reported)
{
    static const char warning[] = "physics.eddy_viscosity.value: 1e+09 m2/s holds the time step to ";
    for (int k = 0; k < 2; k++) {
        cli_save_job(cli_change(basin_job("muscl-hancock"),
                                "physics.eddy_viscosity = {'type': 'constant', 'value': '%s m2 s-1'}",
                                k == 0 ? "1e9" : "2"));
        const char *said = cli_do("plan job.json")->error;
        if (k == 0)
            assert_has(said, warning);
        else
            assert_null(strstr(said, "holds the time step"));
    }
}

TEST(what_has_no_meaning_is_refused)
{
    static const char *const methods[] = {"vtcs2", "vtcs2-o2", "vtcs2-shore", "c-grid-6"};
    for (size_t m = 0; m < COUNT(methods); m++) {
        cli_save_job(cli_change(basin_job(methods[m]), "%s", smagorinsky));
        cli_assert_error(cli_run("plan job.json"), CONFIGURATION, false, "physics.eddy_viscosity", methods[m],
                         "has none", "\"muscl-hancock\" has");
    }
    static const struct {
        const char *block, *key, *word;
    } refused[] = {
        {"{'type': 'constant'}", "physics.eddy_viscosity.value", "missing"},
        {"{'type': 'constant', 'value': '1 m'}", "physics.eddy_viscosity.value", "m2 s-1"},
        {"{'type': 'constant', 'value': '-1 m2 s-1'}", "physics.eddy_viscosity.value", "-1"},
        {"{'type': 'constant', 'value': '1 m2 s-1', 'coefficient': 0.1}",
         "physics.eddy_viscosity.coefficient", "leave one out"},
        {"{'type': 'smagorinsky', 'value': '1 m2 s-1'}", "physics.eddy_viscosity.value", "leave one out"},
        {"{'type': 'smagorinsky', 'coefficient': 1.5}", "physics.eddy_viscosity.coefficient", "1.5"},
        {"{'type': 'smagorinsky', 'coefficient': 0}", "physics.eddy_viscosity.coefficient", "0"},
        {"{'type': 'k-epsilon'}", "physics.eddy_viscosity.type", "smagorinsky"},
        {"{'coefficient': 0.2}", "physics.eddy_viscosity.type", "missing"}};
    for (size_t k = 0; k < COUNT(refused); k++) {
        cli_save_job(cli_change(basin_job("muscl-hancock"), "physics.eddy_viscosity = %s", refused[k].block));
        cli_assert_error(cli_run("plan job.json"), CONFIGURATION, false, refused[k].key, refused[k].word);
    }
}

// Spacing 5 m: at most 25/(8 ν) s, 0.15625 s, where the water's own limit is 0.36 s.
TEST(a_constant_viscosity_limits_the_step)
{
    cJSON *job = cli_change(basin_job("muscl-hancock"), "physics.eddy_viscosity = {'type': 'constant', "
                                                        "'value': '20 m2 s-1'}; time.duration = '10 s'; "
                                                        "output.fields.every = '10 s'");
    cli_save_job(job);
    assert_has(cli_do("run job.json")->error,
               "time step 0.15625 s: its limit is set by physics.eddy_viscosity.value, 20 m2/s");
    cli_save_job(cli_change(job, "time.step = '0.16 s'"));
    cli_assert_error(cli_run("plan job.json"), CONFIGURATION, false, "time.step", "0.16", "0.1562",
                     "20 m2/s");
}

// A child may have it where its parent has none, and need not take its parent's.
TEST(a_nested_grid_has_its_own)
{
    cJSON *job = cli_change(basin_job("vtcs2-o2"),
                            "source.solitary.height = '20 cm'; nested.shore = {'domain': {'bathymetry': "
                            "{'file': 'basin.nc'}, 'x': ['150 m', '550 m'], 'y': ['50 m', '150 m']}, "
                            "'method': 'muscl-hancock', 'physics': {'eddy_viscosity': {'type': 'constant', "
                            "'value': '50 m2 s-1'}}}");
    cli_run_to(job, "out"); // its step is shorter than its parent's
    assert_true(cli_run_number("out", "nested.shore.physics.eddy_viscosity.value_m2_s") == 50);
    cli_change(job, "delete nested.shore.method"); // the parent's
    cli_save_job(job);
    cli_assert_error(cli_run("plan job.json"), CONFIGURATION, false, "nested.shore.physics.eddy_viscosity",
                     "vtcs2-o2");
    cli_change(job, "delete nested.shore.physics; nested.shore.method = 'vtcs2-o2'; method = "
                    "'muscl-hancock'"); // inherited, and without meaning there
    cli_run_to(cli_change(job, "%s", smagorinsky), "other");
    // The child's type, beside its parent's coefficient.
    cli_run_to(cli_change(job, "nested.shore.method = 'muscl-hancock'; physics.eddy_viscosity.coefficient = "
                               "0.1; nested.shore.physics.eddy_viscosity = {'type': 'constant', 'value': '2 "
                               "m2 s-1'}"),
               "both");
    assert_true(cli_run_number("both", "nested.shore.physics.eddy_viscosity.value_m2_s") == 2);
}

TEST(a_run_resumed_ends_with_the_same_bits)
{
    static const char *const backends[] = {"openmp", "reference"};
    for (size_t b = 0; b < COUNT(backends); b++) {
        cJSON *job = cli_change(cli_change(basin_job("muscl-hancock"), "%s", smagorinsky), "backend = '%s'",
                                backends[b]);
        if (b == 1)
            cli_change(job, "time.duration = '20 s'");
        stopped_run_once(job, "30 ms");
    }
}

TEST_MAIN(cli_setup, cli_teardown)
