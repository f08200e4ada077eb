// Mistakes in the input: each ends the program with its exit code and one line that states the file, the key
// and the value, and no results are written.
#include "tests/support/refusals.h"
#include "tests/support/test.h"

#include <sys/stat.h>
#include <sys/statvfs.h>

static int set_up(void **state)
{
    is_refused_at_once = true;
    return cli_setup(state);
}

// The usual job with another bathymetry.
static cJSON *job_on(const struct cli_grid *grid)
{
    cJSON *job = cli_sea_job();
    cli_write_grid("sea.nc", grid);
    return job;
}

// ---- the bathymetry

TEST(test_missing_file)
{
    static const struct bad cases[] = {
        BAD_AS(NO_INPUT, "domain.bathymetry.file = 'no-such-sea.nc'", "job.json", "domain.bathymetry.file",
               "no-such-sea.nc"),
        BAD_AS(NO_INPUT, "domain.bathymetry.file = '/nowhere/no-such-sea.nc'", "/nowhere/no-such-sea.nc",
               "no such file"),
    };
    EXPECT_ALL(cli_sea_job, cases);
}

TEST(test_file_is_a_folder)
{
    assert_int_equal(mkdir(cli_path("folder"), 0755), 0);
    EXPECT_BAD(cli_sea_job(), NO_INPUT, "domain.bathymetry.file = 'folder'", "folder");
}

TEST(test_truncated_netcdf)
{
    cJSON *job = cli_sea_job();
    cli_truncate("sea.nc", 0.4);
    EXPECT_BAD(job, DATA, NULL, "sea.nc");
}

TEST(test_file_of_another_kind)
{
    cJSON *job = cli_sea_job();
    cli_write_text("sea.nc", "these are no depths\n");
    EXPECT_BAD(job, DATA, NULL, "sea.nc");
}

TEST(test_wrong_variable_lists_the_variables_of_the_file)
{
    EXPECT_BAD(cli_sea_job(), DATA, "domain.bathymetry.variable = 'depht'", "sea.nc", "depht", "elevation");
}

TEST(test_missing_direction_is_asked_for)
{
    struct cli_grid grid = cli_sea;
    grid.variables[0].positive = NULL;
    EXPECT_BAD(job_on(&grid), DATA, NULL, "sea.nc", "elevation", "positive", "up", "down");
    // With the direction in the job, it runs.
    cli_run_job(cli_change(job_on(&grid), "domain.bathymetry.positive = 'up'"));
}

TEST(test_wrong_units_of_the_grid)
{
    struct cli_grid grid = cli_sea;
    grid.variables[0].units = "kelvin";
    EXPECT_BAD(job_on(&grid), DATA, NULL, "sea.nc", "kelvin");
}

static double hole(double x, double y, double time_s)
{
    const bool is_hole = fabs(x - 146) < 0.1 && fabs(y - 34) < 0.1;
    return is_hole ? NAN : cli_sea.variables[0].value(x, y, time_s);
}

TEST(test_nan_is_located_or_replaced_by_the_job)
{
    struct cli_grid grid = cli_sea;
    grid.variables[0].value = hole;
    EXPECT_BAD(job_on(&grid), DATA, NULL, "sea.nc", "146, 34", "domain.bathymetry", "missing");
    cli_run_job(cli_change(job_on(&grid), "domain.bathymetry.missing = '-10 m'"));
}

static double dry(double x, double y, double time_s)
{
    return 100;
}

TEST(test_all_land)
{
    struct cli_grid grid = cli_sea;
    grid.variables[0].value = dry;
    EXPECT_BAD(job_on(&grid), DATA, NULL, "sea.nc", "land", "wall_depth", "positive");
}

// 351 001 × 261 001 nodes are too many for the memory of any machine, and take long to read: the error comes
// before the first row is read.
TEST(test_too_many_nodes)
{
    cJSON *job = cli_change(cli_sea_job(), "domain.spacing = '0.1 arcsec'");
    cli_save_job(job);
    static const char *const commands[] = {"run", "plan"};
    for (int k = 0; k < 2; k++)
        cli_assert_error(cli_run("%s job.json", commands[k]), SYSTEM, false,
                         "job.json: domain: ", "351001 x 261001 nodes are 9.16e+10",
                         "of memory; this machine has ", "domain.spacing of about ");
    // Also in a nested grid; and with the limit of the job, if the machine has enough memory.
    cli_save_job(cli_change(job, "delete domain.spacing; nested = {'bay': {'domain': {'bathymetry': {'file': "
                                 "'sea.nc'}, 'spacing': '0.1 arcsec'}}}"));
    cli_assert_error(cli_run("plan job.json"), SYSTEM, false,
                     "job.json: nested.bay.domain: ", "351001 x 261001 nodes");
    cli_save_job(cli_change(job, "delete nested; domain.spacing = '2.7 arcsec'; memory.host = '1 GB'"));
    cli_assert_error(cli_run("plan job.json"), SYSTEM, false, "job.json: domain: ", "nodes are 1.26e+08",
                     "memory.host allows 1 GB");
    assert_false(cli_exists("out"));
}

TEST(test_too_many_nodes_to_convert)
{
    struct statvfs disk;
    cli_write_grid("sea.nc", &cli_sea);
    assert_int_equal(statvfs(cli_path("sea.nc"), &disk), 0);
    if ((double)disk.f_bavail * (double)disk.f_frsize > 8 * 9e10) {
        skip_because("the disk has room for 9e10 nodes");
    }
    cli_assert_error(cli_run("convert sea.nc fine.nc --spacing '0.1 arcsec' --double"), 74, false, "fine.nc",
                     "351001 × 261001 nodes are 9.16e+10", "on the disk", "--spacing");
    assert_false(cli_exists("fine.nc"));
}

TEST(test_trillion_nodes)
{
    static const struct bad cases[] = {
        // 1.15e6 × 0.85e6
        BAD("domain.spacing = '0.0000085 degree'", "job.json", "domain", "nodes", "spacing"),
        BAD("domain.spacing = '1e-12 degree'", "nodes"),
        BAD("domain.spacing = '-1 arcmin'", "domain.spacing"),
        BAD("domain.spacing = '500 m'", "domain.spacing", "degree"),
    };
    EXPECT_ALL(cli_sea_job, cases);
}

TEST(test_domain_outside_the_file)
{
    static const struct bad cases[] = {
        BAD("domain.latitude = ['50 degree', '60 degree']", "latitude", "sea.nc", "50", "60"),
        BAD("domain.x = ['0 m', '1000 m']", "domain.x", "domain.longitude"),
        BAD("domain.latitude = ['31 degree']", "domain.latitude", "two"),
    };
    EXPECT_ALL(cli_sea_job, cases);
}

TEST(test_edges_that_do_not_fit)
{
    EXPECT_BAD(cli_sea_job(), CONFIGURATION, "domain.edges.west = 'periodic'", "domain.edges.west",
               "opposite");
    cJSON *job = cli_change(cli_sea_job(), "domain.edges.west = 'periodic'; domain.edges.east = 'periodic'");
    EXPECT_BAD(job, CONFIGURATION, NULL, "domain.edges.west", "round the Earth");
}

// ---- the source

TEST(test_source_outside_the_grid)
{
    // A longitude with the wrong sign.
    EXPECT_BAD(cli_sea_job(), CONFIGURATION,
               "source.faults.rows = [[-144.5, 33.5, 20, 150, 80, 195, 14, 90, 8]]", "source", "fault 1",
               "-144.5", "outside", "140");
    // A longitude that differs by 360 degrees is the same place.
    cli_run_job(
        cli_change(cli_sea_job(), "source.faults.rows = [[-215.5, 33.5, 20, 150, 80, 195, 14, 90, 8]]"));
}

// The other way round the Earth: the fault lies in the rest of the turn.
TEST(test_longitudes_swapped)
{
    const struct cli_grid grid = CLI_GLOBE(72, 30, 0, 30, 5, 0.25, cli_sea.variables[0]);
    cJSON *job = cli_change(job_on(&grid), "domain.longitude = ['290 degree', '120 degree']");
    EXPECT_BAD(job, CONFIGURATION, NULL, "fault 1 at (144.5, 33.5) lies outside the domain (290 to 480,",
               "; the domain runs eastward from 290 to 480: are the two longitudes swapped?");
    // If the fault lies north of the domain, or the longitudes ascend, the message does not ask this.
    static const char *const others[] = {"domain.longitude = ['290 degree', '120 degree']; "
                                         "source.faults.rows = [[144.5, 60, 20, 150, 80, 195, 14, 90, 8]]",
                                         "domain.longitude = ['290 degree', '350 degree']; "
                                         "source.faults.rows = [[144.5, 33.5, 20, 150, 80, 195, 14, 90, 8]]"};
    for (size_t k = 0; k < COUNT(others); k++) {
        job = job_on(&grid);
        cli_change(job, "%s", others[k]);
        const struct cli_result *result = run(job);
        assert_int_equal(result->exit_code, CONFIGURATION);
        assert_null(strstr(result->error, "swapped"));
        assert_false(cli_exists("out"));
    }
}

TEST(test_no_source)
{
    EXPECT_BAD(cli_sea_job(), CONFIGURATION, "delete source", "source", "nothing starts a wave");
}

TEST(test_fault_above_the_ground)
{
    static const struct bad cases[] = {
        BAD_AS(DATA, "source.faults.rows = [[144.5, 33.5, 2, 150, 80, 195, 14, 90, 8]]", "row 1",
               "above the surface"),
        BAD_AS(NO_INPUT, "source.faults = 'no-faults.json'", "source.faults", "no-faults.json"),
        BAD_AS(DATA, "source.faults.rows = [[144.5, 33.5, 20]]", "row 1", "9"),
    };
    EXPECT_ALL(cli_sea_job, cases);
}

TEST(test_sift_without_its_parts)
{
    EXPECT_BAD(cli_sea_job(), CONFIGURATION, "source.sift = {'slips': {'acsza1': 2}}", "source.sift",
               "table");
}

// ---- gauges

static cJSON *gauges_job(const char *gauges)
{
    cJSON *job = cli_sea_job(), *list = cli_json("{'fathom_gauges': 1, 'gauges': [%s]}", gauges);
    cli_write_job(list, "gauges.json");
    cli_change(job, "output.gauges = {'file': 'gauges.json', 'every': '1 min'}");
    return job;
}

TEST(test_gauge_on_land)
{
    // The nearest water is more than three nodes away only where the land is wide: make it so.
    struct cli_grid grid = cli_sea;
    grid.x0 = 137;
    grid.nx = 52;
    cJSON *job = gauges_job("{'name': 'inland', 'longitude': '138 degree', 'latitude': '33 degree'}");
    cli_write_grid("sea.nc", &grid);
    EXPECT_BAD(job, CONFIGURATION, NULL, "gauges.json", "inland", "138", "33", "land");
}

TEST(test_gauges)
{
    static const struct {
        const char *gauges;
        struct bad bad;
    } cases[] = {
        {"{'name': 'far', 'longitude': '10 degree', 'latitude': '33 degree'}",
         BAD(NULL, "gauges.json", "no gauge", "domain")},
        {"{'name': 'a', 'longitude': 145, 'latitude': '33 degree'}",
         BAD_AS(DATA, NULL, "gauges.json", "gauge a", "longitude", "unit")},
        {"{'name': 'a', 'longitude': '145 km', 'latitude': '33 degree'}",
         BAD(NULL, "gauges.json", "gauge a", "longitude", "km")},
        {"{'nam': 'a'}", BAD_AS(DATA, NULL, "gauges.json", "nam", "did you mean", "name")},
    };
    for (size_t k = 0; k < COUNT(cases); k++)
        expect_bad(gauges_job(cases[k].gauges), &cases[k].bad);
    EXPECT_BAD(cli_sea_job(), NO_INPUT, "output.gauges = {'file': 'no-gauges.json'}", "output.gauges.file",
               "no-gauges.json");
}

// ---- the job

TEST(test_no_such_date)
{
    static const char *const dates[] = {"2011-13-45", "2011-02-29", "2011-03-11 25:00:00", "11 March 2011",
                                        "2011-03-11"};
    for (size_t k = 0; k < COUNT(dates); k++) {
        EXPECT_BAD(cli_sea_job(), CONFIGURATION, format_text("time.origin = '%s'", dates[k]),
                   "job.json: time.origin: ", format_text("\"%s\"", dates[k]), "expected \"YEAR-MONTH-DAY");
    }
    cli_run_job(cli_change(cli_sea_job(), "time.origin = '2012-02-29T05:46:24Z'"));
    // `plan` gives the same error, and states that the key was set on the command line.
    cli_assert_error(cli_run("plan job.json --set time.origin=\"2011-13-45\""), CONFIGURATION, false,
                     "job.json: time.origin (--set): ", "2011-13-45");
}

TEST(test_unknown_key_with_the_nearest)
{
    static const struct bad cases[] = {
        BAD("time.duratoin = '1 h'", "job.json", "time.duratoin", "unknown key",
            "did you mean time.duration"),
        BAD("physics.maning_n = 0.02", "did you mean physics.manning_n"),
        // A key of another block is suggested only if it is similar.
        BAD("source.brightness = 9.1", "source.brightness", "unknown key (known here: "),
        BAD("source.magnitude = 9.1", "did you mean source.earthquake.magnitude"),
    };
    EXPECT_ALL(cli_sea_job, cases);
}

TEST(test_duplicate_key)
{
    cli_write_text(
        "job.json",
        "{\"fathom\": 1, \"model\": \"tsunami\", \"time\": {\"step\": \"1 s\", \"step\": \"2 s\"}}");
    cli_assert_error(cli_run("run job.json"), CONFIGURATION, false, "job.json", "time.step");
}

TEST(test_quantities_without_or_with_wrong_units)
{
    static const struct bad cases[] = {
        BAD("time.duration = '3600'", "time.duration", "3600", "unit"),
        BAD("physics.wall_depth = '10 s'", "physics.wall_depth", "s"),
        BAD("output.fields.every = 'soon'", "output.fields.every", "soon"),
        BAD("output.arrival = ['1 cm', 10]", "output.arrival"),
    };
    EXPECT_ALL(cli_sea_job, cases);
}

TEST(test_values_out_of_range)
{
    static const struct bad cases[] = {
        BAD("time.duration = '-1 h'", "time.duration", "-1 h"),
        BAD("physics.manning_n = -0.1", "physics.manning_n", "-0.1"),
        BAD("output.fields.stride = 0", "output.fields.stride"),
        BAD("output.fields.variables = ['eta', 'w']", "output.fields.variables", "w"),
        BAD("output.arrival = ['10 cm', '1 cm']", "output.arrival", "ascend"),
        BAD("output.fields.latitude = ['-10 degree', '-5 degree']", "output.fields.latitude", "no node"),
    };
    EXPECT_ALL(cli_sea_job, cases);
}

TEST(test_unstable_step_names_the_limit_and_the_node)
{
    // 4500 m deep: √(g d) = 210.1 m/s; at 37.25 N a quarter of a degree is 22128 m: 105.3 s.
    static const struct bad cases[] = {
        BAD("time.step = '106 s'", "time.step", "106 s", "105.3", "4500 m", "37.25"),
        BAD("time.step = '1e-300 s'", "job.json: time.step: ", "s in steps of 1e-300 s would take 1e30",
            "steps; at most 1e+15 are possible", "s or more"),
    };
    EXPECT_ALL(cli_sea_job, cases);
    cli_save_job(cli_change(cli_sea_job(), "time.step = '105.2 s'"));
    cli_do("plan job.json");
}

static double deep(double x, double y, double time_s)
{
    return 100;
}

static double at_rest(double x, double y, double time_s)
{
    return 0;
}

static double fast(double x, double y, double time_s)
{
    return 150;
}

// A start that outruns the automatic step: the message gives a step that holds.
TEST(test_a_start_too_fast_for_the_step_names_one)
{
    const struct cli_grid sea = CLI_PLANE(20, 16, 0, 0, 500, 500, {"d", "m", "down", NULL, deep});
    struct cli_grid start = CLI_PLANE(20, 16, 0, 0, 500, 500, {"eta", "m", NULL, NULL, at_rest});
    start.variable_count = 3;
    start.variables[1] = (struct cli_variable){"u", "m/s", NULL, NULL, fast};
    start.variables[2] = (struct cli_variable){"v", "m/s", NULL, NULL, at_rest};
    cli_write_grid("sea.nc", &sea);
    cli_write_grid("start.nc", &start);
    cJSON *job = cli_json(
        "{'fathom': 1, 'model': 'tsunami', 'method': 'vtcs2-o2', 'domain': {'bathymetry': {'file': "
        "'sea.nc'}, "
        "'edges': {'west': 'periodic', 'east': 'periodic', 'south': 'periodic', 'north': 'periodic'}}, "
        "'source': "
        "{'initial': {'file': 'start.nc', 'eta': 'eta', 'u': 'u', 'v': 'v'}}, 'time': {'duration': '60 s'}, "
        "'output': {'directory': 'out'}}");
    cli_save_job(job);
    const struct cli_result *result = cli_run("run -q job.json");
    static const char words[] = "give a time.step of ";
    cli_assert_error(result, DATA, false, "too long for the wave at the start", words, "s or less");
    const double step_s = strtod(strstr(result->error, words) + strlen(words), NULL);
    assert_true(step_s > 1.5 && step_s < 500 / (150 + sqrt(9.81 * 100)));
    cli_save_job(cli_change(job, "time.step = '%g s'", step_s));
    cli_do("run -q --restart job.json");
}

TEST(test_water_at_a_pole_is_refused)
{
    const struct cli_grid globe = CLI_GLOBE(24, 19, 0, 0, 15, 5, {"d", "m", "down", NULL, deep});
    cJSON *job = cli_change(cli_sea_job(), "domain = {'bathymetry': {'file': 'globe.nc'}}");
    cli_write_grid("globe.nc", &globe);
    EXPECT_BAD(job, CONFIGURATION, "title = 'pole'", "domain.latitude", "north pole", "85 degree");
    cli_save_job(cli_change(job, "domain.latitude = ['0 degree', '85 degree']"));
    cli_do("plan job.json");
}

TEST(test_invalid_job)
{
    assert_int_equal(mkdir(cli_path("folder"), 0755), 0);
    cli_assert_error(cli_run("run folder"), NO_INPUT, false, "folder");
    cli_assert_error(cli_run("run no-job.json"), NO_INPUT, false, "no-job.json");
    cli_write_text("job.json", "{\"fathom\": 1,\n \"model\": }\n");
    cli_assert_error(cli_run("run job.json"), CONFIGURATION, false, "job.json", "line 2");
    cli_write_text("job.json", "");
    cli_assert_error(cli_run("run job.json"), CONFIGURATION, false, "job.json");
}

// ---- the command line

TEST(test_command_line)
{
    static const struct cli_refusal cases[] = {
        {"run", USAGE, {"one job file"}},
        {"run a.json b.json", USAGE, {"one job file"}},
        {"run --resume --restart a.json", USAGE, {"at most one of"}},
        {"run --threads 0 a.json", USAGE, {"--threads", "0"}},
        {"run --time-limit 5 a.json", USAGE, {"--time-limit"}},
        {"run --time-limit '-5 s' a.json", USAGE, {"--time-limit"}},
        {"run --explain tides", USAGE, {"tides"}},
        {"plan", USAGE, {"one job file"}},
        {"rnu a.json", USAGE, {"unknown command \"rnu\"", "(did you mean run?)", "fathom --help"}},
        {"zzzzzz", USAGE, {"unknown command \"zzzzzz\"; see"}},
        {"run --re a", USAGE, {"--re may be --resume or --restart"}},
        {"run a --threads", USAGE, {"--threads needs a value"}},
        {"run a -qo", USAGE, {"-o needs a value"}},
        {"run a --verfiy=3", USAGE, {"--verfiy=3 (did you mean --verify?)"}},
    };
    CLI_ASSERT_REFUSED(cases);
    assert_int_equal(cli_run(" ")->exit_code, USAGE);
}

TEST(test_options_of_every_command)
{
    static const char *const commands[] = {"run", "plan", "info", "convert", "compare", "report", "validate"};
    for (size_t k = 0; k < COUNT(commands); k++) {
        const char *begin = format_text("fathom: %s: ", commands[k]);
        const char *end = format_text("; see fathom %s --help\n", commands[k]);
        cli_assert_error(cli_run("%s a --jsno", commands[k]), USAGE, false, begin,
                         "unknown option --jsno (did you mean --json?)", end);
        cli_assert_error(cli_run("%s a -jZ", commands[k]), USAGE, false, begin, "unknown option -j", end);
        cli_assert_error(cli_run("%s a --json=3", commands[k]), USAGE, false, begin, "--json takes no value",
                         end);
    }
}

// ---- memory and folders

// The memory of the program itself varies a little from start to start, and is rounded up to 4 MiB.
// unit.memory_plan tests the limit to the byte.
TEST(test_memory_limit)
{
    enum { UNIT_BYTES = 4 << 20 };
    cJSON *job = cli_sea_job();
    cli_save_job(job);
    cJSON *plan = cli_output_json(cli_do("plan --json job.json"));
    const double planned = cli_json_number(plan, "host_bytes");
    double program = 0;
    const cJSON *array;
    cJSON_ArrayForEach(array, cJSON_GetObjectItem(plan, "arrays"))
    {
        if (strcmp(cli_text(array, "kind"), "program") == 0)
            program += cli_json_number(array, "bytes");
    }
    assert_true(program >= UNIT_BYTES &&
                fmod(program, UNIT_BYTES) == 0); // no program is smaller than this one's libraries
    double needed, more;
    const char *limit = format_text("\"%.0f byte\"", planned - program); // room for the arrays alone
    cli_set(job, "memory.host", limit);
    cli_save_job(job);
    const struct cli_result *result = cli_run("run job.json");
    cli_assert_error(result, SYSTEM, true, "of host memory", "memory.host", "largest");
    assert_int_equal(
        sscanf(strstr(result->error, "needs "), "needs %*f %*2s of host memory (%lf bytes)", &needed), 1);
    more = needed - (planned - program);
    assert_has(result->error, "B more than");
    assert_true(more > 0 && fmod(more, UNIT_BYTES) == 0);
    assert_false(cli_exists("out/run.json"));
    assert_false(cli_exists("out/partial"));
    assert_false(cli_exists("out/fields.nc"));
    cli_run_job(cli_change(job, "memory.host = '%.0f byte'", planned + 4 * UNIT_BYTES));
    assert_true(cli_exists("out/fields.nc"));
}

TEST(test_unwritable_folder)
{
    cli_save_job(cli_sea_job());
    if (geteuid() != 0) {
        skip_because("only the superuser can run the program under another user");
    }
    const struct cli_options nobody = {.as_nobody = true};
    assert_int_equal(mkdir(cli_path("out"), 0755), 0); // root's
    cli_assert_error(cli_run_as(&nobody, "run job.json"), CANNOT_CREATE, false, "out", "ermission");
    assert_int_equal(cli_count_entries("out"), 0);
    // Also if the user may not make the folder.
    cli_assert_error(cli_run_as(&nobody, "run -o new/deeper job.json"), CANNOT_CREATE, false, "new",
                     "ermission");
    assert_false(cli_exists("new"));
}

TEST(test_output_is_a_file)
{
    cli_save_job(cli_sea_job());
    cli_write_text("out", "somebody's text\n");
    cli_assert_error(cli_run("run job.json"), CANNOT_CREATE, false, "out");
    cli_assert_error(cli_run("run -o '' job.json"), CONFIGURATION, false, "output.directory");
    cli_assert_error(cli_run("plan job.json"), CANNOT_CREATE, false, "out exists, but is not a directory");
    cli_assert_error(cli_run("plan -o out/below job.json"), CANNOT_CREATE, false,
                     "out/below cannot be created: a part of the path is not a directory");
    cli_assert_done(cli_run("plan -o new/below job.json"));
    assert_false(cli_exists("new"));
}

// Longer than the system takes: a mistake of the job, found before anything is made.
TEST(test_output_of_a_name_too_long)
{
    char name[3900];
    memset(name, 'n', sizeof name);
    for (size_t k = 200; k < sizeof name; k += 200)
        name[k] = '/'; // each part by itself is short enough
    name[sizeof name - 1] = '\0';
    cli_save_job(cli_change(cli_sea_job(), "output.directory = '%.256s'", format_text("%0256d", 7)));
    for (int k = 0; k < 2; k++)
        cli_assert_error(cli_run("%s job.json", k ? "plan" : "run"), CONFIGURATION, false,
                         "output.directory: its part \"0000", "has 256 bytes, expected at most 255");
    cli_save_job(cli_change(cli_sea_job(), "output.directory = 'deep/%.255s'", format_text("%0255d", 7)));
    cli_assert_done(cli_run("plan job.json"));
    cJSON *job = cli_sea_job();
    cJSON_ReplaceItemInObject(cJSON_GetObjectItem(job, "output"), "directory", cJSON_CreateString(name));
    cli_save_job(job);
    cli_assert_error(cli_run("run job.json"), CONFIGURATION, false, "output.directory: \"nnnn",
                     "has 3899 bytes, expected at most 3796");
}

TEST_MAIN(set_up, cli_teardown)
