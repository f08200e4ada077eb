// The key `limiter` as a user has it: in a job alone and in a nested grid's part, refused where no slopes are
// limited, described in run.json, checked against the reference.
#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"

static double bottom(double x, double y, double time_s)
{
    return -20 + fmax(0, x - 400) / 10 + 5 * exp(-pow((x - 300) / 60, 2) - pow((y - 100) / 60, 2));
}

static cJSON *channel_job(const char *method)
{
    const struct cli_grid grid = CLI_PLANE(81, 21, 0, 0, 10, 10, {"z", "m", "up", NULL, bottom});
    cli_write_grid("channel.nc", &grid);
    return cli_change(
        cli_json(
            "{'fathom': 1, 'model': 'tsunami', 'backend': 'openmp', 'precision': 'double', 'domain': "
            "{'bathymetry': {'file': 'channel.nc'}}, 'source': {'solitary': {'height': '2 m', 'crest': "
            "'200 m', 'toward': 'east'}}, 'time': {'duration': '20 s'}, 'check': {'reference_steps': 4}, "
            "'output': {'directory': 'out', 'fields': {'every': '10 s'}}}"),
        "method = '%s'", method);
}

TEST(every_limiter_runs_and_is_described)
{
    static const char *const limiters[] = {"van-leer", "mc", "third-order"};
    double highest[COUNT(limiters)];
    for (size_t k = 0; k < COUNT(limiters); k++) {
        cli_run_to(cli_change(channel_job("muscl-hancock"), "limiter = '%s'", limiters[k]), limiters[k]);
        cJSON *report = cli_read_json(format_text("%s/run.json", limiters[k]));
        assert_string_equal(cJSON_GetObjectItem(cli_item(report, "physics"), "limiter")->valuestring,
                            limiters[k]);
        assert_true(cli_json_number(report, "reference_check.largest_difference_m") < 1e-12);
        size_t count;
        double *most = cli_read_variable(format_text("%s/maxima.nc", limiters[k]), "max_eta", &count, NULL);
        highest[k] = most[count / 2];
    }
    assert_true(highest[0] != highest[1] && highest[1] != highest[2]);
    cli_run_to(channel_job("muscl-hancock"), "default");
    cli_assert_same_results("default", "van-leer");
}

TEST(other_methods_refuse_it)
{
    static const char *const methods[] = {"vtcs2", "vtcs2-o2", "vtcs2-shore"};
    for (size_t m = 0; m < COUNT(methods); m++) {
        cli_save_job(cli_change(channel_job(methods[m]), "limiter = 'mc'"));
        cli_assert_error(cli_run("plan job.json"), CONFIGURATION, false, "limiter", methods[m],
                         "\"muscl-hancock\" does");
    }
    cli_save_job(cli_change(channel_job("muscl-hancock"), "limiter = 'minmod'"));
    cli_assert_error(cli_run("plan job.json"), CONFIGURATION, false, "limiter", "minmod", "van-leer");
}

// A child may have its own where its parent has none; an inherited one is no mistake where it has no meaning.
TEST(a_nested_grid_has_its_own)
{
    cJSON *job = cli_change(channel_job("vtcs2-o2"),
                            "source.solitary.height = '20 cm'; physics.wall_depth = '1 m'; nested.shore = "
                            "{'domain': {'bathymetry': {'file': 'channel.nc'}, 'x': ['350 m', '700 m'], 'y': "
                            "['50 m', '150 m']}, 'method': 'muscl-hancock', 'limiter': 'third-order'}");
    cli_run_to(job, "out");
    cli_change(job, "delete nested.shore.method"); // the parent's
    cli_save_job(job);
    cli_assert_error(cli_run("plan job.json"), CONFIGURATION, false, "nested.shore.limiter", "vtcs2-o2");
    cli_run_to(
        cli_change(job,
                   "delete nested.shore.limiter; delete physics; nested.shore.method = 'vtcs2-o2'; method = "
                   "'muscl-hancock'; limiter = 'mc'"),
        "other");
}

TEST_MAIN(cli_setup, cli_teardown)
