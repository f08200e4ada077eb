// physics.dispersion as a user has it: in a job alone and in a nested grid's part, refused where nothing
// computes it, described in the plan and in run.json, checked against the reference, and stopped and resumed
// to the same bits.
#include "tests/support/stopped_run.h"
#include "tests/support/test.h"

// A basin 20 m deep with a beach 1 in 20 at its eastern end and an island; x and y in m.
static double bottom(double x, double y, double time_s)
{
    return -20 + fmax(0, x - 600) / 20 + 24 * exp(-pow((x - 500) / 40, 2) - pow((y - 100) / 40, 2));
}

static cJSON *basin_job(const char *method)
{
    const struct cli_grid grid = CLI_PLANE(251, 41, 0, 0, 5, 5, {"z", "m", "up", NULL, bottom});
    cli_write_grid("basin.nc", &grid);
    return cli_change(
        cli_json("{'fathom': 1, 'model': 'tsunami', 'backend': 'openmp', 'precision': 'double','physics': "
                 "{'coriolis': false, 'manning_n': 0.02, 'wall_depth': '1 m'},'domain': {'bathymetry': "
                 "{'file': 'basin.nc'}, 'edges': {'west': 'wall','south': 'wall', 'north': 'wall', 'east': "
                 "'wall'}},'source': {'solitary': {'height': '3 m', 'crest': '200 m', 'toward': "
                 "'east'}},'time': {'duration': '60 s'},'output': {'directory': 'out', 'fields': {'every': "
                 "'20 s', 'variables': ['eta', 'u', 'v']}}}"),
        "method = '%s'", method);
}

// Largest difference of a variable between two results.
static double difference(const char *file, const char *other, const char *variable)
{
    size_t count, other_count;
    double *a = cli_read_variable(file, variable, &count, NULL);
    double *b = cli_read_variable(other, variable, &other_count, NULL), largest = 0;
    assert_int_equal(count, other_count);
    for (size_t k = 0; k < count; k++)
        if (isfinite(a[k]) && isfinite(b[k]))
            largest = fmax(largest, fabs(a[k] - b[k]));
    return largest;
}

TEST(a_run_reports_its_dispersion)
{
    cJSON *job =
        cli_change(basin_job("muscl-hancock"), "physics.dispersion = true; check.reference_steps = 2");
    cli_save_job(job);
    assert_has(cli_do("plan --arrays job.json")->output, "dispersion x", "check reference u before");
    cli_run_to(job, "with");
    cJSON *report = cli_read_json("with/run.json");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(cli_item(report, "physics"), "dispersion")));
    assert_true(cli_json_number(report, "reference_check.largest_difference_m") < 1e-12);
    cli_run_to(cli_change(job, "physics.dispersion = false"), "without");
    const double changed_m = difference("with/fields.nc", "without/fields.nc", "eta");
    print_message("dispersion changes the surface by up to %.3f m\n", changed_m);
    assert_true(changed_m > 0.1 && changed_m < 6);
}

TEST(other_methods_refuse_it)
{
    static const char *const methods[] = {"vtcs2", "vtcs2-o2", "vtcs2-shore", "c-grid-6"};
    for (size_t m = 0; m < COUNT(methods); m++) {
        cli_save_job(cli_change(basin_job(methods[m]), "physics.dispersion = true"));
        cli_assert_error(cli_run("plan job.json"), CONFIGURATION, false, "physics.dispersion", methods[m],
                         "has none", "\"muscl-hancock\" has");
    }
}

// A child may have it where its parent has none, and need not take its parent's.
TEST(a_nested_grid_has_its_own)
{
    cJSON *job = cli_change(basin_job("vtcs2-o2"),
                            "source.solitary.height = '20 cm'; nested.shore = {'domain': {'bathymetry': "
                            "{'file': 'basin.nc'}, 'x': ['350 m', '1100 m'], 'y': ['50 m', '150 m']}, "
                            "'method': 'muscl-hancock', 'physics': {'dispersion': true}}");
    cli_run_to(job, "out");
    cli_change(job, "delete nested.shore.method"); // the parent's
    cli_save_job(job);
    cli_assert_error(cli_run("plan job.json"), CONFIGURATION, false, "nested.shore.physics.dispersion",
                     "vtcs2-o2");
    cli_change(job, "delete nested.shore.physics; nested.shore.method = 'vtcs2-o2'; method = "
                    "'muscl-hancock'; physics.dispersion = true"); // inherited, and without meaning there
    cli_run_to(job, "other");
}

TEST(a_run_resumed_ends_with_the_same_bits)
{
    static const char *const backends[] = {"openmp", "reference"};
    for (size_t b = 0; b < COUNT(backends); b++) {
        cJSON *job = cli_change(
            basin_job("muscl-hancock"),
            "physics.dispersion = true; backend = '%s'; time.duration = '5 s'; output.fields.every = '2.5 s'",
            backends[b]);
        stopped_run_once(job, "30 ms");
    }
}

TEST_MAIN(cli_setup, cli_teardown)
