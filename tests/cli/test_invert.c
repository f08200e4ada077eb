// fathom invert, whole: unit sources are run, a wave made of two of them is recorded at three places, and its
// slips are found from two of these; from gauges, from fields and from NOAA's files; mistakes.
#include "models/tsunami/forecast/far_field.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/numbers.h"
#include "tests/support/test.h"

enum { SAMPLES = 41, GAUGES = 3 };

static const char *const gauges[GAUGES] = {"north", "south", "far"};

// Three sources in the middle of the sea, in NOAA's form.
static const char table[] =
    "# Name, File, Long, Lat, Slip, Strike, Dip, Depth, Length, Width, Rake\n"
    "testa1, http://host/te_001_a_ha.nc, 144.5, 33.5, 1.0, 195.0, 14.0, 10.0, 100.0, 50.0, 90.0\n"
    "testa2, http://host/te_002_a_ha.nc, 144.2, 32.6, 1.0, 195.0, 14.0, 10.0, 100.0, 50.0, 90.0\n"
    "testb1, http://host/te_001_b_ha.nc, 145.1, 33.3, 1.0, 195.0, 14.0, 5.0, 100.0, 50.0, 90.0\n";

// At nodes, so that fields and gauges have the same values there.
static const char gauge_list[] =
    "{'fathom_gauges': 1, 'gauges': [{'name': 'north', 'longitude': '146.5 degree', 'latitude': '35 degree', "
    "'observed': {'file': 'north.txt'}},{'name': 'south', 'longitude': '146.5 degree', 'latitude': '31.5 "
    "degree', 'observed': {'file': 'south.csv', 'time_column': 1, 'value_column': 0, 'skip_lines': "
    "1}},{'name': 'far', 'longitude': '148 degree', 'latitude': '33.25 degree', 'observed': {'file': "
    "'far.txt'}},{'name': 'silent', 'longitude': '148 degree', 'latitude': '32 degree'}]}";

static void run_source_with(const char *directory, const char *slips, const char *more)
{
    cJSON *job = cli_change(
        cli_sea_job(), "delete source.faults; source.sift = {'table': 'table.txt'}; source.sift.slips = %s",
        slips);
    cli_run_job(cli_change(job,
                           "output.fields = {'every': '1 min', 'variables': ['eta']}; output.gauges = "
                           "{'file': 'gauges.json', 'every': '1 min'}; time.duration = '40 min'; "
                           "output.maxima = false; delete output.arrival; output.directory = '%s'; %s",
                           directory, more));
}

static void run_source(const char *directory, const char *slips)
{
    run_source_with(directory, slips, "title = 'a unit source'");
}

// A record of the event at each gauge; one as a table with a heading, and one time given twice.
static void write_records(void)
{
    double *times = cli_read_values("event/gauges.nc", "time", SAMPLES);
    size_t count, shape[4];
    double *eta = cli_read_variable("event/gauges.nc", "eta", &count, shape);
    assert_true(shape[0] == SAMPLES && shape[1] >= GAUGES);
    for (size_t s = 0; s < GAUGES; s++) {
        char text[SAMPLES * 48] = "", name[16];
        size_t used = s == 1 ? (size_t)sprintf(text, "\"eta\";\"seconds\"\n") : 0;
        for (size_t k = 0; k < SAMPLES; k++) {
            const double value = eta[k * shape[1] + s];
            used += (size_t)(s == 1 ? sprintf(text + used, "%.9g;%.9g\n", value, times[k])
                                    : sprintf(text + used, "%.9g %.9g\n", times[k], value));
            if (s == 1 && k == 3)
                used += (size_t)sprintf(text + used, "%.9g;%.9g\n", value + 0.009, times[k]);
        }
        snprintf(name, sizeof name, "%s.%s", gauges[s], s == 1 ? "csv" : "txt");
        cli_write_text(name, text);
    }
}

static int make_all(void **state)
{
    if (cli_setup(state) != 0)
        return -1;
    cli_write_text("table.txt", table);
    cli_write_json("gauges.json", "%s", gauge_list);
    run_source("db/testa1", "{'testa1': 1}");
    run_source("db/testa2", "{'testa2': 1}");
    run_source("db/testb1", "{'testb1': 2}");
    run_source("event", "{'testa1': 3, 'testb1': 1.5}");
    write_records();
    return 0;
}

static void assert_slips(const char *file, double tolerance)
{
    cJSON *json = cli_read_json(file);
    assert_near("testa1", cli_json_number(json, "slips.testa1"), 3, tolerance);
    assert_near("testb1", cli_json_number(json, "slips.testb1"), 1.5, tolerance);
    const cJSON *third = cJSON_GetObjectItem(cli_item(json, "slips"), "testa2");
    assert_true(!third || third->valuedouble < tolerance);
}

// Tolerances: the wave is a few decimetres on a kilometre and more, so that what is not linear is below a
// thousandth.
TEST(slips_are_found)
{
    assert_has(cli_do("invert db --gauges gauges.json --observations . --fit north,south --forecast far "
                      "--table table.txt -o found")
                   ->output,
               "forecast", "Moment magnitude");
    assert_slips("found/slips.json", 0.01);
    cJSON *json = cli_read_json("found/slips.json");
    assert_near("variance", cli_json_number(json, "fit.variance_reduction"), 1, 1e-4);
    // Of 4e10 Pa, 5e9 m² and 4.5 m: (log10(9e20 N m) − 9.1)/1.5.
    assert_near("magnitude", cli_json_number(json, "fit.moment_magnitude"), 7.903, 0.002);
    const cJSON *stations = cJSON_GetObjectItem(cli_item(json, "fit"), "stations");
    assert_int_equal(cJSON_GetArraySize(stations), 3);
    for (int k = 0; k < 3; k++) {
        const cJSON *station = cJSON_GetArrayItem(stations, k);
        assert_true(cli_json_number(station, "variance_reduction") > 0.999);
        assert_string_equal(cli_text(station, "sources_from"), "gauges");
    }
    assert_true(cli_exists("found/series.csv"));
    assert_int_equal(cli_exists("found/series.png"), cli_run_tool("gnuplot", "--version")->exit_code == 0);
    // What it writes is what it reads.
    json = cli_output_json(cli_do("invert db --gauges gauges.json --observations . --slips found/slips.json "
                                  "--json --no-picture -o again"));
    assert_near("slips given", cli_json_number(json, "slips.testa1"), 3, 0.01);
    assert_true(cli_json_number(json, "fit.stations.2.variance_reduction") > 0.999);
    assert_false(cli_exists("again/slips.json"));
    // A station is called what it was in the fit; --fit and --forecast choose, and do not contradict it.
    assert_string_equal(cli_text(json, "fit.stations.0.role"), "fitted");
    assert_string_equal(cli_text(json, "fit.stations.2.role"), "forecast");
    json = cli_output_json(cli_do("invert db --gauges gauges.json --observations . --slips found/slips.json "
                                  "--fit south --forecast far --json --no-picture -o again"));
    assert_int_equal(cli_count(cli_item(json, "fit"), "stations"), 2);
    assert_string_equal(cli_text(json, "fit.stations.0.name"), "south");
    static const struct cli_refusal contrary[] = {
        {"invert db --gauges gauges.json --observations . --slips found/slips.json --fit far -o none",
         64,
         {"--fit: station far was forecast in the fit of", "found/slips.json: name it with --forecast"}},
        {"invert db --gauges gauges.json --observations . --slips found/slips.json --forecast north -o none",
         64,
         {"--forecast: station north was fitted", "name it with --fit"}}};
    CLI_ASSERT_REFUSED(contrary);
    // Given on the command line, and wrong.
    json = cli_output_json(cli_do(
        "invert db --gauges gauges.json --observations . --slips testa1=1 --json --no-picture -o again"));
    assert_true(cli_json_number(json, "fit.stations.0.variance_reduction") < 0.9);
    assert_string_equal(cli_text(json, "fit.stations.0.role"), "compared");
    assert_string_equal(cli_text(json, "fit.stations.2.role"), "compared");
}

// Slips of a fit are compared as they were fitted: in its windows, which those of fewer sources are not, with
// its delay and its shifts. The record at "south" comes a minute late.
#define STATIONS "--observed north.txt@146.5,35=north --observed late.txt@146.5,31.5=south --no-picture "
#define LATE     STATIONS "--json "

TEST(given_slips_are_compared_as_fitted)
{
    double *times = cli_read_values("event/gauges.nc", "time", SAMPLES);
    size_t count, shape[4];
    double *eta = cli_read_variable("event/gauges.nc", "eta", &count, shape);
    char text[SAMPLES * 48] = "";
    for (size_t k = 0; k < SAMPLES; k++)
        sprintf(text + strlen(text), "%.9g %.9g\n", times[k] + 60, eta[k * shape[1] + 1]);
    cli_write_text("late.txt", text);
    cJSON *fitted = cli_output_json(cli_do("invert db " LATE "--shift '90 s' --delay '5 s' -o shifted"));
    assert_near("shift", cli_json_number(fitted, "fit.stations.1.shift_s"), 55, 2);
    assert_near("shift", cli_json_number(fitted, "fit.stations.0.shift_s"), -5, 2);
    assert_near("bound", cli_json_number(fitted, "fit.stations.1.shift_bound_s"), 90, 0);
    assert_true(cli_json_number(fitted, "fit.stations.1.left_out.variance_reduction") < 0.999);
    assert_has(cli_do("invert db " STATIONS "--shift '90 s' --delay '5 s' -o shifted")->output, "shift",
               "Each left out in turn");
    cJSON *given = cli_output_json(cli_do("invert db " LATE "--slips shifted/slips.json -o again"));
    static const char *const same[] = {"begin_s", "end_s", "shift_s", "variance_reduction", "rms_m"};
    for (int s = 0; s < 2; s++)
        for (size_t k = 0; k < COUNT(same); k++)
            assert_near(same[k], cli_json_number(given, format_text("fit.stations.%d.%s", s, same[k])),
                        cli_json_number(fitted, format_text("fit.stations.%d.%s", s, same[k])), 1e-12);
    assert_near("delay", cli_json_number(given, "fit.delay_s"), 5, 0);
    assert_near("bound", cli_json_number(given, "fit.stations.1.shift_bound_s"), 90, 0);
    assert_has(cli_do("invert db " STATIONS "--slips shifted/slips.json -o again")->output,
               "positive where the record comes later", "fitted");
    // Options go before it.
    given = cli_output_json(
        cli_do("invert db " LATE
               "--slips shifted/slips.json --window 'north=10 min,30 min' --delay '0 s' -o again"));
    assert_near("begin", cli_json_number(given, "fit.stations.0.begin_s"), 600, 0);
    assert_near("delay", cli_json_number(given, "fit.delay_s"), 0, 0);
}

// A station of the forecast is not shifted, whether slips are fitted or given: its record has no say.
TEST(a_forecast_is_not_shifted)
{
#define LISTED                                                                                               \
    "invert db --gauges gauges.json --observations . --shift '90 s' --delay '20 s' --no-picture --json "
    cli_do(LISTED "--fit north,south --forecast far -o stay");
    cJSON *fitted = cli_read_json("stay/slips.json");
    cJSON *given = cli_output_json(cli_do(LISTED "--slips stay/slips.json -o again"));
    cJSON *named = cli_output_json(
        cli_do(LISTED "--slips testa1=3,testb1=1.5 --fit north --forecast south,far -o again"));
    for (int k = 0; k < 2; k++) {
        cJSON *json = k == 0 ? fitted : given;
        assert_true(cli_json_number(json, "fit.stations.0.shift_s") < -5);
        assert_near("shift", cli_json_number(json, "fit.stations.2.shift_s"), 0, 0);
        assert_near("bound", cli_json_number(json, "fit.stations.2.shift_bound_s"), 0, 0);
    }
    assert_true(cli_json_number(named, "fit.stations.0.shift_s") < -5);
    assert_near("shift", cli_json_number(named, "fit.stations.1.shift_s"), 0, 0);
    assert_string_equal(cli_text(named, "fit.stations.1.role"), "forecast");
}

// Records that are late by the far field's delay: with the sources' waves corrected the slips are found, as
// they were without both. A later comparison corrects by itself.
TEST(far_field)
{
    double *times = cli_read_values("event/gauges.nc", "time", SAMPLES), eta_m[SAMPLES];
    size_t count, shape[4];
    const struct far_field sea = {.depth_m = 4000};
    double *eta = cli_read_variable("event/gauges.nc", "eta", &count, shape);
    for (size_t s = 0; s < 2; s++) {
        char text[SAMPLES * 48] = "";
        for (size_t k = 0; k < SAMPLES; k++)
            eta_m[k] = eta[k * shape[1] + s];
        assert_int_equal(far_field_correct(&sea, times, eta_m, SAMPLES), STATUS_OK);
        for (size_t k = 0; k < SAMPLES; k++)
            sprintf(text + strlen(text), "%.9g %.9g\n", times[k], eta_m[k]);
        cli_write_text(s == 0 ? "far-north.txt" : "far-south.txt", text);
    }
#define FAR                                                                                                  \
    "--observed far-north.txt@146.5,35=north --observed far-south.txt@146.5,31.5=south --no-picture --json "
    cJSON *plain = cli_output_json(cli_do("invert db " FAR "-o plain"));
    cJSON *corrected = cli_output_json(cli_do("invert db " FAR "--far-field '4 km' -o corrected"));
    assert_slips("corrected/slips.json", 0.01);
    assert_near("explained", cli_json_number(corrected, "fit.variance_reduction"), 1, 1e-4);
    assert_true(cli_json_number(plain, "fit.variance_reduction") < 0.999);
    assert_near("depth", cli_json_number(corrected, "fit.far_field_depth_m"), 4000, 0);
    cJSON *given = cli_output_json(cli_do("invert db " FAR "--slips corrected/slips.json -o again"));
    assert_near("depth", cli_json_number(given, "fit.far_field_depth_m"), 4000, 0);
    assert_near("explained", cli_json_number(given, "fit.stations.0.variance_reduction"), 1, 1e-4);
}

// A record that no sum of the sources makes.
TEST(a_station_that_spoils_the_others_is_named)
{
    char text[SAMPLES * 48] = "";
    for (size_t k = 0; k < SAMPLES; k++)
        sprintf(text + strlen(text), "%zu %.9g\n", 60 * k, 5 * sin(0.05 * (double)k));
    cli_write_text("odd.txt", text);
    const struct cli_result *result =
        cli_do("invert db --observed north.txt@146.5,35=north --observed far.txt@148,33.25=far --observed "
               "odd.txt@146.5,31.5=odd --no-picture -o odd");
    assert_has(result->error, "warning: station odd spoils the fit of the others");
    assert_null(strstr(result->error, "station north"));
    cJSON *json = cli_read_json("odd/slips.json");
    assert_true(cJSON_IsTrue(cli_item(json, "fit.stations.2.left_out.spoils_others")));
}

// A time that a record gives twice with different values is reported with its line. A record of zeros
// explains nothing, and has no share.
TEST(a_contradiction_is_reported_and_zeros_have_no_share)
{
    char text[SAMPLES * 48] = "";
    for (size_t k = 0; k < SAMPLES; k++)
        sprintf(text + strlen(text), "%zu 0\n", 60 * k);
    cli_write_text("still.txt", text);
    char *record = folder_text("north.txt"), *line = strchr(record, '\n') + 1;
    cli_write_text("twice.txt", format_text("%.*s0 0.4\n%s", (int)(line - record), record, line));
    const struct cli_result *result =
        cli_do("invert db --observed twice.txt@146.5,35=north --observed far.txt@148,33.25=far --no-picture "
               "-o twice");
    assert_has(result->error, "twice.txt: line 2: the time 0 s is given again", "the first value");
    assert_slips("twice/slips.json", 0.01);
    result = cli_do("invert db --observed north.txt@146.5,35=north --observed still.txt@146.5,31.5=still "
                    "--no-picture -o still");
    assert_null(strstr(result->output, "inf"));
    assert_null(strstr(result->output, "nan"));
    assert_null(strstr(result->error, "given again"));
}

// Where the sources have no gauges, their maps do: here at a node.
TEST(from_fields)
{
    static const char *const names[3] = {"testa1", "testa2", "testb1"};
    for (int k = 0; k < 3; k++) {
        cli_run_tool("mkdir", "-p", cli_path(format_text("maps/%s", names[k])));
        cli_copy(format_text("db/%s/fields.nc", names[k]), format_text("maps/%s/fields.nc", names[k]));
        cli_copy(format_text("db/%s/run.json", names[k]), format_text("maps/%s/run.json", names[k]));
    }
    assert_has(cli_do("invert maps --observed north.txt@-213.5,35=buoy --observed far.txt@148,33.25 --json "
                      "--no-picture -o found2")
                   ->output,
               "\"fields\"");
    assert_slips("found2/slips.json", 0.01);
    // Maps that were rounded to a tenth of a millimetre serve as well.
    static const char *const slips[3] = {"{'testa1': 1}", "{'testa2': 1}", "{'testb1': 2}"};
    for (int k = 0; k < 3; k++)
        run_source_with(format_text("rounded/%s", names[k]), slips[k],
                        "delete output.gauges; output.fields.resolution.elevation = '0.1 mm'");
    cli_do("invert rounded --observed north.txt@-213.5,35=buoy --observed far.txt@148,33.25 --no-picture -o "
           "found5");
    assert_slips("found5/slips.json", 0.01);
    // With a window of the user's own, only some sources, and a weight.
    cli_do("invert db --gauges gauges.json --observations . --window 'north=10 min,35 min' --window '0.1 h,' "
           "--weight north=2 --sources test[ab]1 --no-picture -o found3");
    assert_slips("found3/slips.json", 0.01);
    cJSON *json = cli_read_json("found3/slips.json");
    const cJSON *north = cli_item(json, "fit.stations.0");
    assert_true(cli_json_number(north, "begin_s") == 600 && cli_json_number(north, "end_s") == 2100);
}

// The same in NOAA's form, in single precision and centimetres.
TEST(from_noaa_files)
{
    static const char *const names[3] = {"testa1", "testa2", "testb1"};
    cli_run_tool("mkdir", cli_path("noaa"));
    for (int k = 0; k < 3; k++)
        cli_do("combine --slips %s=1 db -o one --noaa noaa/%s", names[k], names[k]);
    cli_do("invert noaa --observed north.txt@146.5,35=north --observed far.txt@148,33.25=far --no-picture -o "
           "found4");
    assert_slips("found4/slips.json", 0.01);
}

// ---- mistakes

#define INVERT "invert -o none "
#define LIST   INVERT "db --gauges gauges.json --observations . "

TEST(wrong_command_lines)
{
    static const struct cli_refusal cases[] = {
        {INVERT "--gauges gauges.json --observations .", 64, {"one database"}},
        {INVERT "db", 64, {"needs records", "--gauges"}},
        {LIST "--fit nroth", 64, {"no gauge \"nroth\"", "did you mean north?"}},
        {LIST "--fit silent", 64, {"no record of gauge silent"}},
        {LIST "--fit north --forecast north", 64, {"named twice", "north"}},
        {INVERT "db --observed north.txt@1,2=x --fit north", 64, {"--gauges", "missing"}},
        {INVERT "db --observed north.txt", 64, {"FILE@LONGITUDE,LATITUDE=NAME"}},
        {INVERT "db --observed north.txt@1,x=y", 64, {"FILE@LONGITUDE,LATITUDE=NAME"}},
        {INVERT "db --observed north.txt@1,91=y", 64, {"FILE@LONGITUDE,LATITUDE=NAME"}},
        {LIST "--window '3600 s'", 64, {"--window", "comma"}},
        {LIST "--window 3600,4000", 64, {"--window", "unit"}},
        {LIST "--window '2 h,1 h'", 64, {"--window", "before it begins"}},
        {LIST "--window 'east=1 s,2 s'", 64, {"unknown station \"east\""}},
        {LIST "--weight north=0", 64, {"--weight", "above 0"}},
        {LIST "--damping -1", 64, {"--damping", "number"}},
        {LIST "--delay 60", 64, {"--delay"}},
        {LIST "--far-field 4", 64, {"--far-field", "unit"}},
        {LIST "--far-field '40 km'", 64, {"--far-field: 40 km", "500 to 8000 m"}},
        {LIST "--shift 60", 64, {"--shift", "unit"}},
        {LIST "--shift '0 %'", 64, {"--shift", "more than 0 % and at most 20 %"}},
        {LIST "--shift '3 h'", 64, {"--shift", "two hours"}},
        {LIST "--slips testa1=1 --sources x", 64, {"--slips fits nothing", "--sources"}},
        {LIST "--offsett", 64, {"unknown option", "--offset"}},
    };
    CLI_ASSERT_REFUSED(cases);
    assert_false(cli_exists("none/slips.json"));
}

// A limit that is too small is refused with what it is, and one that is large enough changes nothing.
TEST(memory_has_a_limit)
{
    static const struct cli_refusal cases[] = {
        {LIST "--memory '1 kB'", 78, {"3 sources at", "more than 1 kB", "--memory"}},
        {LIST "--memory nothing", 78, {"--memory", "nothing"}},
        {LIST "--memory -1", 78, {"--memory"}},
    };
    CLI_ASSERT_REFUSED(cases);
    assert_false(cli_exists("none/slips.json"));
    cli_do("invert -o memory db --gauges gauges.json --observations . --fit north,south --memory '10 kB' "
           "--no-picture");
    cli_do("invert -o usual db --gauges gauges.json --observations . --fit north,south --no-picture");
    const cJSON *one = cli_read_json("memory/slips.json"), *other = cli_read_json("usual/slips.json");
    assert_true(cli_json_number(one, "slips.testa1") == cli_json_number(other, "slips.testa1"));
}

TEST(wrong_files)
{
    static const struct cli_refusal cases[] = {
        {INVERT "nowhere --gauges gauges.json --observations .", 66, {"nowhere"}},
        {INVERT "db --gauges nolist.json", 66, {"nolist.json"}},
        {INVERT "empty --gauges gauges.json --observations .", 65, {"empty"}},
        {LIST "--sources testa3", 65, {"testa3", "did you mean"}},
        {LIST "--sources xyz*", 65, {"xyz*"}},
        {LIST "--slips badfit.json", 65, {"badfit.json", "fit: begin_s: expected a number"}},
        {LIST "--slips testa9=1", 65, {"testa9", "--slips"}},
        {LIST "--table gauges.json", 65, {"--table", "gauges.json"}},
        {INVERT "db --observed nothing.txt@146.5,35=a", 66, {"nothing.txt"}},
        {INVERT "db --observed nan.txt@146.5,35=a", 65, {"nan.txt", "line 3"}},
        {INVERT "db --observed 9999.txt@146.5,35=a", 65, {"9999.txt", "missing value"}},
        {INVERT "db --observed order.txt@146.5,35=a", 65, {"order.txt", "not after"}},
        {INVERT "db --observed north.txt@20,35=a", 65, {"station a, source testa1"}}, // outside
        {LIST "--window '2 h,3 h'", 78, {"station north", "empty"}},
        {LIST "--fit north --window '10 min,11 min'", 78, {"do not determine 3 slips"}},
        {INVERT "db --observed still.txt@146.5,35=a --damping 0.1", 65, {"all slips are 0"}},
        {"invert db --gauges gauges.json --observations . -o north.txt", 73, {"north.txt"}}, // not a folder
    };
    cli_run_tool("mkdir", cli_path("empty"));
    cli_write_json("badfit.json", "{'fathom_slips': 1, 'slips': {'testa1': 1}, 'fit': {'stations': [{'name': "
                                  "'north', 'begin_s': 'soon'}]}}");
    cli_write_text("nan.txt", "0 0\n60 0.1\n120 nan\n180 0.2\n");
    cli_write_text("9999.txt", "0 0\n60 0.1\n120 9999\n180 0.2\n");
    cli_write_text("order.txt", "0 0\n60 0.1\n30 0\n180 0.2\n");
    cli_write_text("still.txt", "0 0\n1200 0\n2400 -0.0\n1e4 0\n");
    CLI_ASSERT_REFUSED(cases);
    assert_false(cli_exists("none/slips.json"));
}

TEST_SUITE(.group_setup = make_all, .group_teardown = cli_teardown);
