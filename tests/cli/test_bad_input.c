// The program against mistakes: each ends with its exit code and one line that names the file, the key and
// the value, and leaves no results behind.
#include "tests/support/cli_fixture.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cmocka.h>

enum { USAGE = 64, DATA = 65, NO_INPUT = 66, SYSTEM = 71, CANNOT_CREATE = 73, CONFIGURATION = 78 };

// Writes the job and runs it: nothing may be there afterwards, not even the folder.
static const struct cli_result *run_bad(cJSON *job)
{
    cli_write_job(job, "job.json");
    cJSON_Delete(job);
    const struct cli_result *result = cli_run("run", "job.json", NULL);
    assert_false(cli_exists("out"));
    return result;
}

// The usual job with one key changed.
static const struct cli_result *run_with(const char *key, const char *json)
{
    cJSON *job = cli_sea_job();
    cli_set(job, key, json);
    return run_bad(job);
}

// The usual job on another sea.
static const struct cli_result *run_on(const struct cli_grid *grid)
{
    cJSON *job = cli_sea_job();
    cli_write_grid("sea.nc", grid);
    return run_bad(job);
}

// ---- the bathymetry

static void test_missing_file(void **state)
{
    (void)state;
    cli_assert_error(run_with("domain.bathymetry.file", "\"no-such-sea.nc\""), NO_INPUT, false, "job.json",
                     "domain.bathymetry.file", "no-such-sea.nc", NULL);
    cli_assert_error(run_with("domain.bathymetry.file", "\"/nowhere/no-such-sea.nc\""), NO_INPUT, false,
                     "/nowhere/no-such-sea.nc", "no such file", NULL);
}

static void test_file_is_a_folder(void **state)
{
    (void)state;
    assert_int_equal(mkdir(cli_path("folder"), 0755), 0);
    cli_assert_error(run_with("domain.bathymetry.file", "\"folder\""), NO_INPUT, false, "folder", NULL);
}

static void test_truncated_netcdf(void **state)
{
    (void)state;
    cJSON *job = cli_sea_job();
    cli_truncate("sea.nc", 0.4);
    cli_assert_error(run_bad(job), DATA, false, "sea.nc", NULL);
}

static void test_file_of_another_kind(void **state)
{
    (void)state;
    cJSON *job = cli_sea_job();
    cli_write_text("sea.nc", "these are no depths\n");
    cli_assert_error(run_bad(job), DATA, false, "sea.nc", NULL);
}

static void test_wrong_variable_names_those_there(void **state)
{
    (void)state;
    const struct cli_result *result = run_with("domain.bathymetry.variable", "\"depht\"");
    assert_true(result->exit_code == DATA || result->exit_code == CONFIGURATION);
    cli_assert_error(result, result->exit_code, false, "sea.nc", "depht", "elevation", NULL);
}

static void test_missing_direction_is_asked_for(void **state)
{
    (void)state;
    struct cli_grid grid = cli_sea;
    grid.variables[0].positive = NULL;
    const struct cli_result *result = run_on(&grid);
    assert_true(result->exit_code == DATA || result->exit_code == CONFIGURATION);
    cli_assert_error(result, result->exit_code, false, "sea.nc", "elevation", "positive", "up", "down", NULL);
    // Said in the job, it runs.
    cJSON *job = cli_sea_job();
    cli_write_grid("sea.nc", &grid);
    cli_set(job, "domain.bathymetry.positive", "\"up\"");
    cli_write_job(job, "job.json");
    cJSON_Delete(job);
    cli_assert_done(cli_run("run", "-q", "job.json", NULL));
}

static void test_wrong_units_of_the_grid(void **state)
{
    (void)state;
    struct cli_grid grid = cli_sea;
    grid.variables[0].units = "kelvin";
    cli_assert_error(run_on(&grid), DATA, false, "sea.nc", "kelvin", NULL);
}

static double hole(double x, double y, double time_s)
{
    const bool is_hole = fabs(x - 146) < 0.1 && fabs(y - 34) < 0.1;
    return is_hole ? NAN : cli_sea.variables[0].value(x, y, time_s);
}

static void test_nan_names_its_place_or_takes_what_the_job_says(void **state)
{
    (void)state;
    struct cli_grid grid = cli_sea;
    grid.variables[0].value = hole;
    cli_assert_error(run_on(&grid), DATA, false, "sea.nc", "146, 34", "domain.bathymetry", "missing", NULL);
    cJSON *job = cli_sea_job();
    cli_write_grid("sea.nc", &grid);
    cli_set(job, "domain.bathymetry.missing", "\"-10 m\"");
    cli_write_job(job, "job.json");
    cJSON_Delete(job);
    cli_assert_done(cli_run("run", "-q", "job.json", NULL));
}

static double dry(double x, double y, double time_s)
{
    (void)x;
    (void)y;
    (void)time_s;
    return 100;
}

static void test_all_land(void **state)
{
    (void)state;
    struct cli_grid grid = cli_sea;
    grid.variables[0].value = dry;
    cli_assert_error(run_on(&grid), DATA, false, "sea.nc", "land", "wall_depth", "positive", NULL);
}

// 351 001 by 261 001 nodes: too many for any machine's memory, and for reading: the answer comes before the
// first row.
static void test_far_too_many_nodes(void **state)
{
    (void)state;
    cJSON *job = cli_sea_job();
    cli_set(job, "domain.spacing", "\"0.1 arcsec\"");
    cli_write_job(job, "job.json");
    static const char *const commands[] = {"run", "plan"};
    for (int k = 0; k < 2; k++)
        cli_assert_error(cli_run(commands[k], "job.json", NULL), SYSTEM, false,
                         "job.json: domain: ", "351001 x 261001 nodes are 9.16e+10",
                         "of memory; this machine has ", "domain.spacing of about ", NULL);
    // In a nested grid; and by the job's own limit, of what a machine may well have.
    cli_set(job, "domain.spacing", NULL);
    cli_set(job, "nested",
            "{\"bay\": {\"domain\": {\"bathymetry\": {\"file\": \"sea.nc\"}, \"spacing\": \"0.1 arcsec\"}}}");
    cli_write_job(job, "job.json");
    cli_assert_error(cli_run("plan", "job.json", NULL), SYSTEM, false,
                     "job.json: nested.bay.domain: ", "351001 x 261001 nodes", NULL);
    cli_set(job, "nested", NULL);
    cli_set(job, "domain.spacing", "\"2.7 arcsec\"");
    cli_set(job, "memory.host", "\"1 GB\"");
    cli_write_job(job, "job.json");
    cli_assert_error(cli_run("plan", "job.json", NULL), SYSTEM, false,
                     "job.json: domain: ", "nodes are 1.26e+08", "memory.host allows 1 GB", NULL);
    cJSON_Delete(job);
    assert_false(cli_exists("out"));
}

static void test_far_too_many_nodes_to_convert(void **state)
{
    (void)state;
    struct statvfs disk;
    cli_write_grid("sea.nc", &cli_sea);
    assert_int_equal(statvfs(cli_path("sea.nc"), &disk), 0);
    if ((double)disk.f_bavail * (double)disk.f_frsize > 8 * 9e10) {
        print_message("skipped: the disk has room for 9e10 nodes\n");
        skip();
    }
    cli_assert_error(cli_run("convert", "sea.nc", "fine.nc", "--spacing", "0.1 arcsec", "--double", NULL), 74,
                     false, "fine.nc", "351001 × 261001 nodes are 9.16e+10", "on the disk", "--spacing",
                     NULL);
    assert_false(cli_exists("fine.nc"));
}

static void test_trillion_nodes(void **state)
{
    (void)state;
    cli_assert_error(run_with("domain.spacing", "\"0.0000085 degree\""), CONFIGURATION, false, "job.json",
                     "domain", "nodes", "spacing", NULL); // 1.15e6 × 0.85e6
    cli_assert_error(run_with("domain.spacing", "\"1e-12 degree\""), CONFIGURATION, false, "nodes", NULL);
    cli_assert_error(run_with("domain.spacing", "\"-1 arcmin\""), CONFIGURATION, false, "domain.spacing",
                     NULL);
    cli_assert_error(run_with("domain.spacing", "\"500 m\""), CONFIGURATION, false, "domain.spacing",
                     "degree", NULL);
}

static void test_domain_outside_the_file(void **state)
{
    (void)state;
    cli_assert_error(run_with("domain.latitude", "[\"50 degree\", \"60 degree\"]"), CONFIGURATION, false,
                     "latitude", "sea.nc", "50", "60", NULL);
    cli_assert_error(run_with("domain.x", "[\"0 m\", \"1000 m\"]"), CONFIGURATION, false, "domain.x",
                     "domain.longitude", NULL);
    cli_assert_error(run_with("domain.latitude", "[\"31 degree\"]"), CONFIGURATION, false, "domain.latitude",
                     "two", NULL);
}

static void test_edges_that_do_not_fit(void **state)
{
    (void)state;
    cli_assert_error(run_with("domain.edges.west", "\"periodic\""), CONFIGURATION, false, "domain.edges.west",
                     "opposite", NULL);
    cJSON *job = cli_sea_job();
    cli_set(job, "domain.edges.west", "\"periodic\"");
    cli_set(job, "domain.edges.east", "\"periodic\"");
    cli_assert_error(run_bad(job), CONFIGURATION, false, "domain.edges.west", "round the Earth", NULL);
}

// ---- the source

static void test_source_outside_the_grid(void **state)
{
    (void)state;
    // The sign of the longitude forgotten the other way round.
    cli_assert_error(run_with("source.faults.rows", "[[-144.5, 33.5, 20, 150, 80, 195, 14, 90, 8]]"),
                     CONFIGURATION, false, "source", "fault 1", "-144.5", "outside", "140", NULL);
    // A whole turn is the same place.
    cJSON *job = cli_sea_job();
    cli_set(job, "source.faults.rows", "[[-215.5, 33.5, 20, 150, 80, 195, 14, 90, 8]]");
    cli_write_job(job, "job.json");
    cJSON_Delete(job);
    cli_assert_done(cli_run("run", "-q", "job.json", NULL));
}

// The other way round the Earth: the fault lies in the rest of the turn.
static void test_longitudes_swapped(void **state)
{
    (void)state;
    const struct cli_grid grid = {.nx = 72,
                                  .ny = 30,
                                  .x0 = 0,
                                  .y0 = 30,
                                  .dx = 5,
                                  .dy = 0.25,
                                  .variable_count = 1,
                                  .variables = {cli_sea.variables[0]}};
    cJSON *job = cli_sea_job();
    cli_write_grid("sea.nc", &grid);
    cli_set(job, "domain.longitude", "[\"290 degree\", \"120 degree\"]");
    cli_assert_error(run_bad(cJSON_Duplicate(job, true)), CONFIGURATION, false,
                     "fault 1 at (144.5, 33.5) lies outside the domain (290 to 480,",
                     "; the domain runs eastward from 290 to 480: are the two longitudes swapped?", NULL);
    // North of it, and in a domain that ascends, nothing was swapped.
    cli_set(job, "source.faults.rows", "[[144.5, 60, 20, 150, 80, 195, 14, 90, 8]]");
    const struct cli_result *result = run_bad(cJSON_Duplicate(job, true));
    assert_int_equal(result->exit_code, CONFIGURATION);
    assert_null(strstr(result->error, "swapped"));
    cli_set(job, "source.faults.rows", "[[144.5, 33.5, 20, 150, 80, 195, 14, 90, 8]]");
    cli_set(job, "domain.longitude", "[\"290 degree\", \"350 degree\"]");
    result = run_bad(job);
    assert_int_equal(result->exit_code, CONFIGURATION);
    assert_null(strstr(result->error, "swapped"));
}

static void test_no_source(void **state)
{
    (void)state;
    cli_assert_error(run_with("source", NULL), CONFIGURATION, false, "source", "nothing starts a wave", NULL);
}

static void test_fault_above_the_ground(void **state)
{
    (void)state;
    cli_assert_error(run_with("source.faults.rows", "[[144.5, 33.5, 2, 150, 80, 195, 14, 90, 8]]"), DATA,
                     false, "row 1", "above the surface", NULL);
    cli_assert_error(run_with("source.faults", "\"no-faults.json\""), NO_INPUT, false, "source.faults",
                     "no-faults.json", NULL);
    cli_assert_error(run_with("source.faults.rows", "[[144.5, 33.5, 20]]"), DATA, false, "row 1", "9", NULL);
}

static void test_sift_without_its_parts(void **state)
{
    (void)state;
    cli_assert_error(run_with("source.sift", "{\"slips\": {\"acsza1\": 2}}"), CONFIGURATION, false,
                     "source.sift", "table", NULL);
}

// ---- gauges

static const struct cli_result *run_with_gauges(const char *gauges)
{
    cJSON *job = cli_sea_job();
    char text[512];
    snprintf(text, sizeof text, "{\"fathom_gauges\": 1, \"gauges\": [%s]}", gauges);
    cli_write_text("gauges.json", text);
    cli_set(job, "output.gauges", "{\"file\": \"gauges.json\", \"every\": \"1 min\"}");
    return run_bad(job);
}

static void test_gauge_on_land(void **state)
{
    (void)state;
    // The nearest water is more than three nodes away only where the land is wide: make it so.
    struct cli_grid grid = cli_sea;
    grid.x0 = 137;
    grid.nx = 52;
    cJSON *job = cli_sea_job();
    cli_write_grid("sea.nc", &grid);
    cli_write_text("gauges.json",
                   "{\"fathom_gauges\": 1, \"gauges\": [{\"name\": \"inland\", \"longitude\": \"138 degree\","
                   " \"latitude\": \"33 degree\"}]}");
    cli_set(job, "output.gauges", "{\"file\": \"gauges.json\"}");
    cli_assert_error(run_bad(job), CONFIGURATION, false, "gauges.json", "inland", "138", "33", "land", NULL);
}

static void test_all_gauges_outside(void **state)
{
    (void)state;
    cli_assert_error(
        run_with_gauges("{\"name\": \"far\", \"longitude\": \"10 degree\", \"latitude\": \"33 degree\"}"),
        CONFIGURATION, false, "gauges.json", "no gauge", "domain", NULL);
}

static void test_gauges_wrongly_written(void **state)
{
    (void)state;
    cli_assert_error(run_with_gauges("{\"name\": \"a\", \"longitude\": 145, \"latitude\": \"33 degree\"}"),
                     DATA, false, "gauges.json", "gauge a", "longitude", "unit", NULL);
    cli_assert_error(
        run_with_gauges("{\"name\": \"a\", \"longitude\": \"145 km\", \"latitude\": \"33 degree\"}"),
        CONFIGURATION, false, "gauges.json", "gauge a", "longitude", "km", NULL);
    cli_assert_error(run_with_gauges("{\"nam\": \"a\"}"), DATA, false, "gauges.json", "nam", "did you mean",
                     "name", NULL);
    cli_assert_error(run_with("output.gauges", "{\"file\": \"no-gauges.json\"}"), NO_INPUT, false,
                     "output.gauges.file", "no-gauges.json", NULL);
}

// ---- the job

static void test_no_such_date(void **state)
{
    (void)state;
    static const char *const dates[] = {"2011-13-45", "2011-02-29", "2011-03-11 25:00:00", "11 March 2011"};
    for (size_t k = 0; k < sizeof dates / sizeof *dates; k++) {
        char json[48];
        snprintf(json, sizeof json, "\"%s\"", dates[k]);
        cli_assert_error(run_with("time.origin", json), CONFIGURATION, false, "job.json: time.origin: ", json,
                         "expected \"YEAR-MONTH-DAY", NULL);
    }
    cJSON *job = cli_sea_job();
    cli_set(job, "time.origin", "\"2012-02-29T05:46:24Z\"");
    cli_write_job(job, "job.json");
    cli_assert_done(cli_run("run", "-q", "job.json", NULL));
    // `plan` says it too, and the key that was set on the command line.
    const struct cli_result *result =
        cli_run("plan", "job.json", "--set", "time.origin=\"2011-13-45\"", NULL);
    cli_assert_error(result, CONFIGURATION, false, "job.json: time.origin (--set): ", "2011-13-45", NULL);
    cJSON_Delete(job);
}

static void test_unknown_key_with_the_nearest(void **state)
{
    (void)state;
    cli_assert_error(run_with("time.duratoin", "\"1 h\""), CONFIGURATION, false, "job.json", "time.duratoin",
                     "unknown key", "did you mean time.duration", NULL);
    cli_assert_error(run_with("physics.maning_n", "0.02"), CONFIGURATION, false,
                     "did you mean physics.manning_n", NULL);
    // A word of another block must be nearer than any long word is to some other: domain.longitude is none.
    cli_assert_error(run_with("source.magnitude", "9.1"), CONFIGURATION, false, "source.magnitude",
                     "unknown key (known here: faults, ", NULL);
}

static void test_duplicate_key(void **state)
{
    (void)state;
    cli_write_text(
        "job.json",
        "{\"fathom\": 1, \"model\": \"tsunami\", \"time\": {\"step\": \"1 s\", \"step\": \"2 s\"}}");
    cli_assert_error(cli_run("run", "job.json", NULL), CONFIGURATION, false, "job.json", "time.step", NULL);
}

static void test_quantities_without_or_with_wrong_units(void **state)
{
    (void)state;
    cli_assert_error(run_with("time.duration", "\"3600\""), CONFIGURATION, false, "time.duration", "3600",
                     "unit", NULL);
    cli_assert_error(run_with("time.duration", "3600"), CONFIGURATION, false, "time.duration", "unit", NULL);
    cli_assert_error(run_with("time.duration", "\"5 km\""), CONFIGURATION, false, "time.duration", "km",
                     NULL);
    cli_assert_error(run_with("physics.wall_depth", "\"10 s\""), CONFIGURATION, false, "physics.wall_depth",
                     "s", NULL);
    cli_assert_error(run_with("output.fields.every", "\"soon\""), CONFIGURATION, false, "output.fields.every",
                     "soon", NULL);
    cli_assert_error(run_with("output.arrival", "[\"1 cm\", 10]"), CONFIGURATION, false, "output.arrival",
                     NULL);
}

static void test_values_out_of_range(void **state)
{
    (void)state;
    cli_assert_error(run_with("time.duration", "\"-1 h\""), CONFIGURATION, false, "time.duration", "-1 h",
                     NULL);
    cli_assert_error(run_with("time.duration", "\"0 s\""), CONFIGURATION, false, "time.duration", NULL);
    cli_assert_error(run_with("time.duration", NULL), CONFIGURATION, false, "time.duration", "missing", NULL);
    cli_assert_error(run_with("physics.manning_n", "-0.1"), CONFIGURATION, false, "physics.manning_n", "-0.1",
                     NULL);
    cli_assert_error(run_with("output.fields.stride", "0"), CONFIGURATION, false, "output.fields.stride",
                     NULL);
    cli_assert_error(run_with("output.fields.variables", "[\"eta\", \"w\"]"), CONFIGURATION, false,
                     "output.fields.variables", "w", NULL);
    cli_assert_error(run_with("output.arrival", "[\"10 cm\", \"1 cm\"]"), CONFIGURATION, false,
                     "output.arrival", "ascend", NULL);
    cli_assert_error(run_with("output.fields.latitude", "[\"-10 degree\", \"-5 degree\"]"), CONFIGURATION,
                     false, "output.fields.latitude", "no node", NULL);
    cli_assert_error(run_with("backend", "\"opencl\""), CONFIGURATION, false, "backend", "opencl", "openmp",
                     NULL);
}

static void test_unstable_step_names_the_limit_and_its_place(void **state)
{
    (void)state;
    // 4500 m deep: √(g d) = 210.1 m/s; at 37.25 N a quarter of a degree is 22128 m: 105.3 s.
    cli_assert_error(run_with("time.step", "\"106 s\""), CONFIGURATION, false, "time.step", "106 s", "105.3",
                     "4500 m", "37.25", NULL);
    cli_assert_error(run_with("time.step", "\"1e-300 s\""), CONFIGURATION, false,
                     "job.json: time.step: ", "s in steps of 1e-300 s would take 1e30",
                     "steps; at most 1e+15 are possible", "s or more", NULL);
    cJSON *job = cli_sea_job();
    cli_set(job, "time.step", "\"105.2 s\"");
    cli_write_job(job, "job.json");
    cJSON_Delete(job);
    cli_assert_done(cli_run("plan", "job.json", NULL));
}

static void test_unknown_model(void **state)
{
    (void)state;
    cli_assert_error(run_with("model", "\"tsunammi\""), CONFIGURATION, false, "model", "tsunammi", "tsunami",
                     NULL);
    cli_assert_error(run_with("model", NULL), CONFIGURATION, false, "model", "missing", NULL);
    cli_assert_error(run_with("fathom", "2"), CONFIGURATION, false, "fathom", "1", NULL);
}

static void test_job_that_is_none(void **state)
{
    (void)state;
    assert_int_equal(mkdir(cli_path("folder"), 0755), 0);
    cli_assert_error(cli_run("run", "folder", NULL), NO_INPUT, false, "folder", NULL);
    cli_assert_error(cli_run("run", "no-job.json", NULL), NO_INPUT, false, "no-job.json", NULL);
    cli_write_text("job.json", "{\"fathom\": 1,\n \"model\": }\n");
    cli_assert_error(cli_run("run", "job.json", NULL), CONFIGURATION, false, "job.json", "line 2", NULL);
    cli_write_text("job.json", "");
    cli_assert_error(cli_run("run", "job.json", NULL), CONFIGURATION, false, "job.json", NULL);
}

// ---- the command line

static void test_command_line(void **state)
{
    (void)state;
    cli_assert_error(cli_run("run", NULL), USAGE, false, "one job file", NULL);
    cli_assert_error(cli_run("run", "a.json", "b.json", NULL), USAGE, false, "one job file", NULL);
    cli_assert_error(cli_run("run", "--resume", "--restart", "a.json", NULL), USAGE, false, "at most one of",
                     NULL);
    cli_assert_error(cli_run("run", "--threads", "0", "a.json", NULL), USAGE, false, "--threads", "0", NULL);
    cli_assert_error(cli_run("run", "--time-limit", "5", "a.json", NULL), USAGE, false, "--time-limit", NULL);
    cli_assert_error(cli_run("run", "--time-limit", "-5 s", "a.json", NULL), USAGE, false, "--time-limit",
                     NULL);
    cli_assert_error(cli_run("run", "--explain", "tides", NULL), USAGE, false, "tides", NULL);
    cli_assert_error(cli_run("plan", NULL), USAGE, false, "one job file", NULL);
    cli_assert_error(cli_run("rnu", "a.json", NULL), USAGE, false, "unknown command \"rnu\"",
                     "(did you mean run?)", "fathom --help", NULL);
    cli_assert_error(cli_run("zzzzzz", NULL), USAGE, false, "unknown command \"zzzzzz\"; see", NULL);
    assert_int_equal(cli_run(NULL, NULL)->exit_code, USAGE);
}

static void test_options_of_every_command(void **state)
{
    (void)state;
    static const char *const commands[] = {"run", "plan", "info", "convert", "compare", "report", "validate"};
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        char begin[40], end[40];
        snprintf(begin, sizeof begin, "fathom: %s: ", commands[k]);
        snprintf(end, sizeof end, "; see fathom %s --help\n", commands[k]);
        cli_assert_error(cli_run(commands[k], "a", "--jsno", NULL), USAGE, false, begin,
                         "unknown option --jsno (did you mean --json?)", end, NULL);
        cli_assert_error(cli_run(commands[k], "a", "-jZ", NULL), USAGE, false, begin, "unknown option -j",
                         end, NULL);
        cli_assert_error(cli_run(commands[k], "a", "--json=3", NULL), USAGE, false, begin,
                         "--json takes no value", end, NULL);
    }
    cli_assert_error(cli_run("run", "--re", "a", NULL), USAGE, false, "--re may be --resume or --restart",
                     NULL);
    cli_assert_error(cli_run("run", "a", "--threads", NULL), USAGE, false, "--threads needs a value", NULL);
    cli_assert_error(cli_run("run", "a", "-qo", NULL), USAGE, false, "-o needs a value", NULL);
    cli_assert_error(cli_run("run", "a", "--verfiy=3", NULL), USAGE, false,
                     "--verfiy=3 (did you mean --verify?)", NULL);
}

// ---- memory and folders

// What the program itself holds differs a little from one start to the next, and is rounded up to 4 MiB. The
// limit to the byte is tested in unit.memory_plan.
static void test_memory_limit(void **state)
{
    (void)state;
    enum { UNIT_BYTES = 4 << 20 };
    cJSON *job = cli_sea_job();
    cli_write_job(job, "job.json");
    const struct cli_result *result = cli_run("plan", "--json", "job.json", NULL);
    cli_assert_done(result);
    cJSON *plan = cJSON_Parse(result->output);
    assert_non_null(plan);
    const double planned = cli_json_number(plan, "host_bytes");
    double program = 0;
    const cJSON *array;
    cJSON_ArrayForEach(array, cJSON_GetObjectItem(plan, "arrays"))
    {
        if (strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(array, "kind")), "program") == 0)
            program += cli_json_number(array, "bytes");
    }
    cJSON_Delete(plan);
    assert_true(program >= UNIT_BYTES &&
                fmod(program, UNIT_BYTES) == 0); // no program is smaller than this one's libraries
    char limit[40];
    double needed, more;
    snprintf(limit, sizeof limit, "\"%.0f byte\"", planned - program); // room for the arrays alone
    cli_set(job, "memory.host", limit);
    cli_write_job(job, "job.json");
    result = cli_run("run", "job.json", NULL);
    cli_assert_error(result, SYSTEM, true, "of host memory", "memory.host", "largest", NULL);
    assert_int_equal(
        sscanf(strstr(result->error, "needs "), "needs %*f %*2s of host memory (%lf bytes)", &needed), 1);
    more = needed - (planned - program);
    assert_non_null(strstr(result->error, "B more than"));
    assert_true(more > 0 && fmod(more, UNIT_BYTES) == 0);
    assert_false(cli_exists("out/run.json"));
    assert_false(cli_exists("out/partial"));
    assert_false(cli_exists("out/fields.nc"));
    snprintf(limit, sizeof limit, "\"%.0f byte\"", planned + 4 * UNIT_BYTES);
    cli_set(job, "memory.host", limit);
    cli_write_job(job, "job.json");
    cJSON_Delete(job);
    cli_assert_done(cli_run("run", "-q", "job.json", NULL));
    assert_true(cli_exists("out/fields.nc"));
}

static void test_unwritable_folder(void **state)
{
    (void)state;
    cJSON *job = cli_sea_job();
    cli_write_job(job, "job.json");
    cJSON_Delete(job);
    if (geteuid() != 0) {
        print_message("skipped: only the superuser can run the program under another user\n");
        skip();
    }
    const struct cli_options nobody = {.as_nobody = true};
    assert_int_equal(mkdir(cli_path("out"), 0755), 0); // root's
    cli_assert_error(cli_run_as(&nobody, "run", "job.json", NULL), CANNOT_CREATE, false, "out", "ermission",
                     NULL);
    assert_int_equal(cli_count_entries("out"), 0);
    // And where it may not even make the folder.
    cli_assert_error(cli_run_as(&nobody, "run", "-o", "new/deeper", "job.json", NULL), CANNOT_CREATE, false,
                     "new", "ermission", NULL);
    assert_false(cli_exists("new"));
}

static void test_output_is_a_file(void **state)
{
    (void)state;
    cJSON *job = cli_sea_job();
    cli_write_job(job, "job.json");
    cJSON_Delete(job);
    cli_write_text("out", "somebody's text\n");
    cli_assert_error(cli_run("run", "job.json", NULL), CANNOT_CREATE, false, "out", NULL);
    cli_assert_error(cli_run("run", "-o", "", "job.json", NULL), CONFIGURATION, false, "output.directory",
                     NULL);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, cli_setup, cli_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_missing_file),
        TEST(test_file_is_a_folder),
        TEST(test_truncated_netcdf),
        TEST(test_file_of_another_kind),
        TEST(test_wrong_variable_names_those_there),
        TEST(test_missing_direction_is_asked_for),
        TEST(test_wrong_units_of_the_grid),
        TEST(test_nan_names_its_place_or_takes_what_the_job_says),
        TEST(test_all_land),
        TEST(test_far_too_many_nodes),
        TEST(test_far_too_many_nodes_to_convert),
        TEST(test_trillion_nodes),
        TEST(test_domain_outside_the_file),
        TEST(test_edges_that_do_not_fit),
        TEST(test_source_outside_the_grid),
        TEST(test_longitudes_swapped),
        TEST(test_no_source),
        TEST(test_fault_above_the_ground),
        TEST(test_sift_without_its_parts),
        TEST(test_gauge_on_land),
        TEST(test_all_gauges_outside),
        TEST(test_gauges_wrongly_written),
        TEST(test_no_such_date),
        TEST(test_unknown_key_with_the_nearest),
        TEST(test_duplicate_key),
        TEST(test_quantities_without_or_with_wrong_units),
        TEST(test_values_out_of_range),
        TEST(test_unstable_step_names_the_limit_and_its_place),
        TEST(test_unknown_model),
        TEST(test_job_that_is_none),
        TEST(test_command_line),
        TEST(test_options_of_every_command),
        TEST(test_memory_limit),
        TEST(test_unwritable_folder),
        TEST(test_output_is_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
