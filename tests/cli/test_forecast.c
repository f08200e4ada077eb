// `fathom forecast`: from an earthquake to the table of points in one command. The choices, the job that it
// writes, its repetition by `fathom run`, the magnitudes of great earthquakes, and what it refuses.
#include "tests/support/forecast_fixture.h"
#include "tests/support/gnuplot.h"
#include "tests/support/numbers.h"
#include "tests/support/test.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <sys/stat.h>
#include <time.h>

#define TOHOKU_OPTIONS                                                                                       \
    "--magnitude 9.08 --longitude 142.37 --latitude 38.3 --depth 29 --strike 203 --dip 10 --rake 88"
#define MAULE_OPTIONS                                                                                        \
    "--magnitude 8.8 --longitude -72.9 --latitude -36.12 --depth '23 km' --strike 19 --dip 18 --rake 116"

static double magnitude_of(double moment_n_m)
{
    return (log10(moment_n_m) - 9.1) / 1.5;
}

// (a) Magnitude and mechanism, (b) the Global CMT solution, (c) a finite fault: the magnitude of the table,
// and of the run, is that of the input.
TEST(magnitudes_of_great_earthquakes_are_kept)
{
    const struct {
        bool is_maule;
        const char *event;
        double magnitude;
    } rows[] = {
        {false, TOHOKU_OPTIONS, 9.08}, {false, "tohoku.ndk", 9.08}, {false, "a.param", 0},
        {true, MAULE_OPTIONS, 8.8},    {true, "maule.cmt", 8.78},   {true, "a.param", 0},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        forecast_write_sea(rows[k].is_maule);
        const double moment = rows[k].is_maule ? great_write_maule("a.param") : great_write_tohoku("a.param");
        const double expected = rows[k].magnitude > 0 ? rows[k].magnitude : magnitude_of(moment);
        const cJSON *report = cli_output_json(cli_run_line(
            format_text("forecast %s " SEA " --hours 0.5 --spacing 30 -q --json", rows[k].event)));
        assert_near(rows[k].event, cli_json_number(report, "event.magnitude"), expected, 0.01);
        const cJSON *run = cli_read_json("forecast/run.json");
        assert_near("of the run", cli_json_number(run, "source.moment_magnitude"), expected, 0.01);
        assert_int_equal(cli_count(report, "points"), rows[k].is_maule ? 2 : 3);
    }
}

static double number_of(const cJSON *point, const char *key)
{
    const cJSON *item = cJSON_GetObjectItem(point, key);
    return cJSON_IsNumber(item) ? item->valuedouble : (double)NAN;
}

// Sorted by arrival, whose date and time is that of the earthquake and the arrival; the same numbers as the
// file of the results.
TEST(points_are_sorted_by_arrival)
{
    forecast_write_sea(false);
    const cJSON *report =
        cli_output_json(cli_do("forecast tohoku.ndk " SEA " --hours 3 --spacing 30 -q --json -o out"));
    const cJSON *points = cJSON_GetObjectItem(report, "points"), *point;
    double before_s = 0;
    cJSON_ArrayForEach(point, points)
    {
        const double arrival_s = number_of(point, "arrival");
        const char *utc = cJSON_GetStringValue(cJSON_GetObjectItem(point, "arrival_utc"));
        int hours, minutes, seconds;
        assert_true(arrival_s >= before_s);
        before_s = arrival_s;
        assert_non_null(utc);
        assert_int_equal(sscanf(utc, "2011-03-11T%d:%d:%dZ", &hours, &minutes, &seconds), 3);
        // The event's 05:46:23, to the nearest second.
        assert_near("arrival", 3600.0 * (hours - 5) + 60.0 * (minutes - 46) + seconds - 23, arrival_s, 0.5);
        assert_true(number_of(point, "coastal_height") > number_of(point, "crest"));
        assert_true(number_of(point, "threat") >= 1);
    }
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetArrayItem(points, 2), "name")),
                        "Far");
    // The table has the same order, and hours of another zone.
    const struct cli_result *table =
        cli_do("forecast tohoku.ndk " SEA " --hours 3 --spacing 30 -q -o out --utc-offset 9");
    const char *last = strstr(table->output, "\nFar ");
    assert_non_null(last);
    assert_true(strstr(table->output, "\nMiyako ") < last && strstr(table->output, "\nŌfunato ") < last);
    assert_non_null(strstr(table->output, "UTC+9"));
    assert_non_null(strstr(table->output, "03-11 14:"));
    assert_null(strchr(table->output, '\033')); // no colours where there is no terminal
}

// The job that it writes is the forecast: repeated by `fathom run`, it has the same results, bit for bit.
TEST(the_job_repeats_the_forecast)
{
    forecast_write_sea(true);
    cli_do("forecast maule.cmt " SEA " --hours 1 --spacing 30 -q -o out");
    cli_do("run -q -o again out/forecast.json");
    cli_assert_same_results("out", "again");
    // A second forecast in the folder replaces the first; what a report drew of the first one goes with it,
    // and files of others stay.
    cli_do("report out --size 500x400");
    cli_write_text("out/pictures/mine.txt", "kept");
    assert_true(cli_exists("out/report.html") && cli_exists("out/pictures/maximum.png"));
    cli_do("forecast maule.cmt " SEA " --hours 1 --spacing 60 -q -o out --origin '2010-02-27 06:34:15'");
    assert_false(cli_exists("out/report.html") || cli_exists("out/pictures/maximum.png") ||
                 cli_exists("out/report.files.json"));
    assert_true(cli_exists("out/pictures/mine.txt"));
    const cJSON *job = cli_read_json("out/forecast.json");
    assert_string_equal(cJSON_GetStringValue(cli_item(job, "domain.spacing")), "60 arcmin");
    assert_string_equal(cJSON_GetStringValue(cli_item(job, "time.origin")), "2010-02-27 06:34:15");
    // A page that no report wrote is somebody's; it is said that it shows other results.
    cli_write_text("out/report.html", "mine");
    assert_non_null(strstr(cli_do("forecast maule.cmt " SEA " --hours 1 --spacing 60 -q -o out")->error,
                           "report.html shows other results"));
    assert_string_equal(folder_text("out/report.html"), "mine");
}

// No wave can have come to the far point in a quarter of an hour: no threat level, in the table and for
// programs.
TEST(points_not_reached_have_no_threat_level)
{
    forecast_write_sea(false);
    const char *table = cli_do("forecast tohoku.ndk " SEA " --hours 0.25 --spacing 30 -q -o out")->output;
    const char *far = strstr(table, "\nFar ");
    assert_non_null(far);
    const char *threat = strstr(far, "  not reached ");
    assert_true(threat && threat < far + 1 + strcspn(far + 1, "\n"));
    assert_non_null(strstr(table, "not reached: at 1 of them"));
    cli_do("report out --size 500x400");
    assert_non_null(strstr(folder_text("out/report.html"), "not reached</td>"));
}

// The time of the earthquake's file dates the results of a job that gives none; the job's own key wins.
TEST(the_file_of_the_earthquake_dates_the_results)
{
    forecast_write_sea(false);
    cli_do("forecast tohoku.ndk " SEA " --hours 0.1 --spacing 30 -q --dry-run -o out");
    cJSON *job = cli_own_json(cJSON_Duplicate(cli_read_json("out/forecast.json"), true));
    cli_change(job, "delete time.origin; output.directory = 'dated'; output.gauges = {'file': 'gauges.json', "
                    "'every': '1 min'}");
    cli_write_json("out/gauges.json",
                   "{'fathom_gauges': 1, 'gauges': [{'name': 'A', 'longitude': '143 degree', "
                   "'latitude': '38 degree'}]}");
    cli_write_job(job, "out/dated.json");
    cli_do("run -q -o dated out/dated.json");
    assert_string_equal(cli_attribute("dated/points.nc", NULL, "time_origin"), "2011-03-11 05:46:23");
    assert_string_equal(cli_attribute("dated/gauges.nc", "time", "units"),
                        "seconds since 2011-03-11 05:46:23");
    assert_string_equal(cli_text(cli_read_json("dated/run.json"), "time_origin"), "2011-03-11 05:46:23");
    cli_change(job, "time.origin = '2011-03-11 05:47:00'");
    cli_write_job(job, "out/dated.json");
    // 37 s are another catalogue's; a day is a mistake.
    static const char warning[] = "states 2011-03-11 05:46:23 for the earthquake";
    assert_null(strstr(cli_do("run -q -o own out/dated.json")->error, "for the earthquake"));
    assert_string_equal(cli_attribute("own/points.nc", NULL, "time_origin"), "2011-03-11 05:47:00");
    cli_change(job, "time.origin = '2011-03-12 05:47:00'");
    cli_write_job(job, "out/dated.json");
    assert_has(cli_do("run -q -o own out/dated.json")->error, "time.origin: 2011-03-12", warning);
    assert_has(cli_do("forecast tohoku.ndk " SEA " --hours 0.1 --spacing 30 -q --dry-run -o out "
                      "--origin '2011-03-12 05:46:23'")
                   ->error,
               "--origin: 2011-03-12", warning);
}

// The relation follows the mechanism, unless it is given; plan and forecast have one estimate of the time.
TEST(the_relation_follows_the_mechanism)
{
#define STRIKE_SLIP                                                                                          \
    "forecast --magnitude 8.2 --longitude 142 --latitude 35 --depth 15 --strike 20 --dip 88 --rake 5 " SEA   \
    " --hours 1 --spacing 10 --dry-run -o dry"
    forecast_write_sea(false);
    const struct cli_result *result = cli_do(STRIKE_SLIP);
    assert_has(result->output, "relation blaser (--relation): the mechanism is strike-slip");
    assert_null(strstr(result->error, "moved down"));
    const cJSON *job = cli_read_json("dry/forecast.json");
    assert_string_equal(cli_text(job, "source.earthquake.relation"), "blaser");
    const double chosen_s =
        cli_json_number(cli_output_json(cli_do(STRIKE_SLIP " --json")), "choices.estimate_s");
    const cJSON *plan = cli_output_json(cli_do("plan --json dry/forecast.json"));
    const double planned_s = cli_json_number(plan, "estimated_s") - cli_json_number(plan, "beside_steps_s");
    assert_near("estimate", planned_s / chosen_s, 1, 0.2); // the step is estimated, too
    result = cli_do(STRIKE_SLIP " --relation strasser-interface");
    assert_null(strstr(result->output, "--relation"));
    assert_has(result->error, "99.1 km wide, which does not fit", "moved down by 34.5 km");
    cli_do("forecast tohoku.ndk " SEA " --hours 1 --spacing 30 --dry-run -o dry");
    assert_null(cJSON_GetObjectItemCaseSensitive(
        cli_item(cli_read_json("dry/forecast.json"), "source.earthquake"), "relation"));
}

// Any other zone than UTC is refused, on the command line and in a job: readers of netCDF would take it for
// UTC, or not read it at all. What is accepted has one form in the job and in the results.
TEST(the_time_of_the_earthquake_is_in_utc)
{
    static const struct {
        const char *given, *kept; // NULL: refused
    } rows[] = {{"2010-02-27T03:34:11Z", "2010-02-27 03:34:11"},
                {"2010-02-27 03:34:11 UTC", "2010-02-27 03:34:11"},
                {"2010-2-27 3:34", "2010-02-27 03:34:00"},
                {"2010-02-27 03:34:11.250", "2010-02-27 03:34:11.25"},
                {"2010-02-27 03:34:11.0", "2010-02-27 03:34:11"},
                {"2010-02-27T00:34:11-03:00", NULL},
                {"2010-02-27T12:34:11+0900", NULL},
                {"2010-02-27 12:34:11 JST", NULL},
                {"2010-02-27 12:34:11 +9", NULL},
                {"2010-02-27 03:34:11.", NULL},
                {"2010-02-27 03:34:61", NULL},
                {"2010-02-27", NULL}};
    forecast_write_sea(true);
    cli_do("forecast maule.cmt " SEA " --hours 0.1 --spacing 60 -q --dry-run -o jobs");
    cJSON *job = cli_own_json(cJSON_Duplicate(cli_read_json("jobs/forecast.json"), true));
    for (size_t k = 0; k < COUNT(rows); k++) {
        const struct cli_result *result = cli_run_line(format_text(
            "forecast maule.cmt " SEA " --hours 0.1 --spacing 60 -q --dry-run -o dry%zu --origin '%s'", k,
            rows[k].given));
        cli_change(job, format_text("time.origin = '%s'; output.directory = 'results'", rows[k].given));
        cli_write_job(job, "job.json");
        if (!rows[k].kept) {
            cli_assert_error(result, USAGE, false, "--origin: ", rows[k].given, "to UTC");
            cli_assert_error(cli_run("run job.json"), CONFIGURATION, false,
                             "job.json: time.origin: ", rows[k].given, "to UTC");
            continue;
        }
        assert_int_equal(result->exit_code, 0);
        const cJSON *chosen = cli_read_json(format_text("dry%zu/forecast.json", k));
        assert_string_equal(cJSON_GetStringValue(cli_item(chosen, "time.origin")), rows[k].kept);
        cli_do("run -q job.json");
        assert_string_equal(cli_attribute("results/points.nc", NULL, "time_origin"), rows[k].kept);
    }
}

static const cJSON *point_named(const cJSON *report, const char *name)
{
    const cJSON *point;
    cJSON_ArrayForEach(point, cJSON_GetObjectItem(report, "points"))
    {
        if (strcmp(cli_text(point, "name"), name) == 0)
            return point;
    }
    fail_msg("no point %s", name);
    return NULL;
}

static bool is_true(const cJSON *object, const char *key)
{
    return cJSON_IsTrue(cJSON_GetObjectItem(object, key));
}

// The earliest possible time is rounded down: to the second in JSON and tables, to the minute on the page.
static void assert_rounded_down(const cJSON *report, const char *name, bool has_page)
{
    const double moment_s = 1299822383 + number_of(point_named(report, name), "earliest"); // 05:46:23 UTC
    const time_t second = (time_t)floor(moment_s);
    struct tm date;
    char expected[40];
    gmtime_r(&second, &date);
    strftime(expected, sizeof expected, "%Y-%m-%dT%H:%M:%SZ", &date);
    assert_string_equal(cli_text(point_named(report, name), "earliest_utc"), expected);
    assert_non_null(strstr(folder_text("out/points.csv"), expected));
    assert_non_null(strstr(folder_text("out/points.geojson"), "coastal_height is above that level where"));
    if (!has_page)
        return;
    sprintf(expected, "data-t=\"%.0f\"", 60 * floor(moment_s / 60));
    assert_non_null(strstr(folder_text("out/report.html"), expected));
}

TEST(earliest_times_are_rounded_down)
{
    forecast_write_sea(false);
    cli_write_text("towns.csv", "name,lon,lat\nA,148,31\nB,147,31\nC,148.5,32\nD,148,33\nE,149,30\n");
    const cJSON *report =
        cli_output_json(cli_do("forecast tohoku.ndk " SEA " --hours 1 --spacing 30 -o out -q --json"));
    if (has_gnuplot())
        cli_do("report out --size 500x400");
    static const char *const names[] = {"A", "B", "C", "D", "E"};
    for (size_t k = 0; k < COUNT(names); k++)
        assert_rounded_down(report, names[k], has_gnuplot());
}

// No town of the list is lost: one inland has its row with the reason. Points in the source are marked, and
// those whose largest wave the run's end cuts short; what makes the table doubtful stands below it.
TEST(every_point_has_its_row)
{
    forecast_write_sea(false);
    cli_write_text("towns.csv", "name,lon,lat\nInland,135,38\nFar,149,30\nMid,143,38\nMiyako,141.4,39.6\n");
#define ROWS "forecast tohoku.ndk " SEA " --hours 1.25 --spacing 30 -o out"
    const cJSON *report = cli_output_json(cli_do(ROWS " -q --json")), *inland = cli_item(report, "points.3");
    assert_string_equal(cli_text(inland, "name"), "Inland");
    assert_string_equal(cli_text(inland, "skipped"), "no water");
    assert_true(isnan(number_of(inland, "crest")) && number_of(inland, "longitude") == 135);
    assert_true(is_true(point_named(report, "Mid"), "is_in_source"));
    assert_false(is_true(point_named(report, "Far"), "is_in_source"));
    assert_null(cJSON_GetObjectItem(point_named(report, "Far"), "skipped"));
    assert_true(is_true(point_named(report, "Far"), "is_unfinished"));
    assert_true(is_true(point_named(report, "Miyako"), "is_lower_bound"));
    assert_near("level", cli_json_number(report, "meaning.threat_levels_m.1"), 1, 0);
    assert_string_equal(cJSON_GetStringValue(cli_item(report, "meaning.crests_and_troughs_above")),
                        "source_level");
    assert_non_null(strstr(cJSON_GetStringValue(cli_item(report, "notice")), "No official warning"));
    // In the source at once; elsewhere not after the wave that was found.
    assert_string_equal(cli_text(point_named(report, "Mid"), "earliest_utc"), "2011-03-11T05:46:23Z");
    assert_true(number_of(point_named(report, "Far"), "earliest") <=
                number_of(point_named(report, "Far"), "arrival"));
    assert_true(cli_count(report, "warnings") >= 2);
    assert_true(cli_has_warning("out", "source.earthquake: the source is about 3 nodes across", "too low"));
    assert_true(cli_has_warning("out", "points the run ended so early", "time.duration"));
    const struct cli_result *result = cli_do(ROWS);
    assert_non_null(strstr(result->error, "travel times of the first wave, h:min: Miyako 0:0"));
    const char *table = result->output;
    static const char *const rows[] = {"\nInland  skipped: no water of the grid",
                                       "  source  ",
                                       "\nskipped: ",
                                       "\n+: at ",
                                       "\nsource: 1 of 3",
                                       "\nwarning: source.earthquake: the source",
                                       "travel: of a long",
                                       "\nearliest: ",
                                       "\n+: the grid has too few nodes across the source",
                                       "0+ is no all-clear",
                                       "how many of the levels 0.3, 1, 3 m coast",
                                       "\nNo official warning"};
    for (size_t k = 0; k < COUNT(rows); k++)
        if (!strstr(table, rows[k]))
            fail_msg("\"%s\" is not in: %s", rows[k], table);
    assert_true(strstr(table, "\nInland ") > strstr(table, "\nFar "));
    const char *map = folder_text("out/points.geojson");
    assert_has(map, "\"skipped\":\"no water\"", "\"lower_bound\":1", "\"threat_levels_m\":[0.3,1,3]",
               "\"depth\":\"m\"", "\"notice\":\"No official warning");
    assert_has(folder_text("out/points.csv"), ",lower_bound,event,origin_utc,", ",0.3 1 3,",
               ",No official warning");
    assert_has(folder_text("out/points.kml"), "threat_levels_m: 0.3 1 3", "notice: No official warning");
    cli_do("report out --size 500x400");
    const char *page = folder_text("out/report.html");
    assert_non_null(strstr(page, "skipped: no water deep enough near it"));
    assert_non_null(strstr(page, "in the source</small>"));
    assert_has(page, "<small>a lower bound</small>", "No official warning", "Level of<br>the source");
}

// Land between 71 and 60 W, north of 43 S, in a map of the whole Earth.
static double with_continent(double x, double y, double time_s)
{
    (void)time_s;
    return x > -71 && x < -60 && y > -43 ? 200 : -4000;
}

#define CHILE                                                                                                \
    "--magnitude 8.8 --depth 23 --strike 19 --dip 18 --rake 116 -b openmp --dry-run --bathymetry sea.nc "
#define CHILE_PLACE "--longitude -72.9 --latitude -36.12 "

// Towns that would lie at coasts with longitude and latitude exchanged, and lie in the open sea as they are;
// an epicentre far from all towns that would lie beside them.
TEST(exchanged_coordinates_are_found)
{
    static const struct cli_grid earth =
        CLI_GLOBE(360, 151, -179.5, -75, 1, 1, {"z", "m", "up", NULL, with_continent});
    static const struct {
        const char *place, *fragment;
    } doubtful[] = {{"--longitude -36.12 --latitude -72.9", "longitude and latitude exchanged"},
                    {"--longitude -72.9 --latitude 36.12", "another sign"},
                    {"--longitude 72.9 --latitude -36.12", "another sign"}};
    cli_write_grid("sea.nc", &earth);
    cli_write_text("good.csv", "name,lat,lon\nA,-36.7,-71.5\nB,-33,-71.4\nC,-30,-71.3\n");
    cli_write_text("bad.csv", "name,lon,lat\nA,-36.7,-71.5\nB,-33,-71.4\nC,-30,-71.3\n");
    cli_write_text("open.csv", "name,lon,lat\nA,-36.7,-41.5\nB,-33,-41.4\nC,-30,-41.3\n");
    cli_assert_error(cli_run("forecast " CHILE CHILE_PLACE "--points bad.csv"), DATA, false, "bad.csv",
                     "seem to be exchanged: \"A\"", "--as-given");
    cli_do("forecast " CHILE CHILE_PLACE "--points bad.csv --as-given");
    cli_do("forecast " CHILE CHILE_PLACE "--points open.csv");
    assert_string_equal(cli_do("forecast " CHILE CHILE_PLACE "--points good.csv")->error, "");
    for (size_t k = 0; k < COUNT(doubtful); k++) {
        const struct cli_result *result =
            cli_run_line(format_text("forecast " CHILE "%s --points good.csv", doubtful[k].place));
        assert_int_equal(result->exit_code, 0);
        if (!strstr(result->error, "the source lies ") || !strstr(result->error, doubtful[k].fragment))
            fail_msg("%s: %s", doubtful[k].place, result->error);
    }
    forecast_write_sea(true); // a file of the region, which holds none of them as they are
    cli_assert_error(cli_run("forecast " CHILE CHILE_PLACE "--points bad.csv"), DATA, false, "bad.csv",
                     "outside the bathymetry", "are longitude and latitude exchanged?");
}

// What is likely a mistake is a warning of the run, with its numbers.
TEST(doubtful_earthquakes_are_warnings)
{
    static const struct {
        const char *options, *first, *second; // second NULL: no warning has `first`
    } rows[] = {
        {"--magnitude 8.8 --longitude 143 --latitude 38 --depth 700 --dip 20",
         "source.earthquake.depth: 700 km", "hardly moves the sea floor"},
        {"--magnitude 8 --longitude 143 --latitude 38 --depth 2 --dip 60", "was moved down by",
         "are depth, dip and width right?"},
        {"--magnitude 9.6 --longitude 143 --latitude 38 --depth 40 --dip 20", "lies outside the data of",
         "Mw 6.3 to 9.4"},
        {"--magnitude 5 --longitude 143 --latitude 38 --depth 60 --dip 20", "moves hardly any water",
         "at most"},
        {"--magnitude 7.2 --longitude 140.3 --latitude 38 --depth 20 --dip 20", "almost wholly under land",
         "signs"},
        {"--magnitude 8.8 --longitude 143 --latitude 38 --depth 30 --dip 20", "was moved", NULL},
        {"--magnitude 8.8 --longitude 143 --latitude 38 --depth 30 --dip 20", "under land", NULL},
    };
    forecast_write_sea(false);
    for (size_t k = 0; k < COUNT(rows); k++) {
        const struct cli_result *result = cli_run_line(format_text(
            "forecast %s --strike 200 --rake 90 " SEA " --hours 0.1 --spacing 30 -q", rows[k].options));
        cli_assert_done(result);
        if (cli_has_warning("forecast", rows[k].first, rows[k].second ? rows[k].second : "") !=
            !!rows[k].second)
            fail_msg("%s: %s", rows[k].options, result->error);
        const char *said = strstr(result->error, rows[k].first); // by the run alone
        if (said && strstr(said + 1, rows[k].first))
            fail_msg("said twice: %s", result->error);
    }
}

// A file of the bathymetry that lacks what its axes and values mean, or has it wrong: as in a job.
TEST(what_the_bathymetry_lacks_is_given)
{
    enum { NODES = 21, BYTES = NODES * NODES * 6 + 200 };
    char text[BYTES];
    forecast_write_sea(false);
    size_t used = (size_t)snprintf(text, sizeof text,
                                   "ncols %d\nnrows %d\nxllcenter 130\nyllcenter 28\ncellsize 1\n"
                                   "nodata_value -9999\n",
                                   NODES, NODES);
    for (int k = 0; k < NODES * NODES; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s ",
                                 k == 0           ? "-9999"
                                 : k % NODES < 11 ? "200"
                                                  : "-4000");
    cli_write_text("sea.asc", text);
#define ASC                                                                                                  \
    "forecast tohoku.ndk --bathymetry sea.asc --points towns.csv -b openmp --hours 0.1 --spacing 60 -q "
    cli_assert_error(cli_run(ASC "--positive up"), DATA, false, "sea.asc", "--axes geographic");
    cli_do(ASC "--positive up --units m --axes geographic --missing -100");
    const cJSON *job = cli_read_json("forecast/forecast.json");
    assert_string_equal(cli_text(job, "domain.bathymetry.axes"), "geographic");
    assert_string_equal(cli_text(job, "domain.bathymetry.units"), "m");
    assert_string_equal(cli_text(job, "domain.bathymetry.missing"), "-100 m");
    // A file that says the opposite of what is true.
    cli_assert_error(cli_run("forecast tohoku.ndk " SEA " --positive down --dry-run"), CONFIGURATION, false,
                     "sea.nc", "positive", "--override");
    cli_assert_error(cli_run("forecast tohoku.ndk " SEA " --axes plane"), USAGE, false, "--axes plane",
                     "degrees");
    cli_assert_error(cli_run("forecast tohoku.ndk --points towns.csv --override"), USAGE, false,
                     "--override");
    cli_run("forecast tohoku.ndk " SEA " --positive up --override --dry-run -o dry");
    assert_true(cJSON_IsTrue(cli_item(cli_read_json("dry/forecast.json"), "domain.bathymetry.override")));
}

// What a command prints is its result: nowhere to print it is a failure.
TEST(standard_output_must_be_open)
{
    forecast_write_sea(false);
    const struct cli_options closed = {.has_closed_output = true};
    cli_assert_error(cli_run_as(&closed, SHORT " -o out"), 74, true, "standard output is closed");
    cli_assert_error(cli_run_as(&closed, SHORT " --dry-run -o dry"), 74, false, "standard output is closed");
    cli_assert_error(cli_run_as(&closed, "--version"), 74, false, "standard output is closed");
    assert_true(cli_exists("out/run.json"));
    const struct cli_options full = {.has_full_output = true};
    cli_assert_error(cli_run_as(&full, SHORT " --dry-run -o full"), 74, true,
                     "cannot be written: No space left");
}

// The rules, in numbers: the duration from the travel time over a flat bottom, 4000 m deep, and hours of
// waves; the domain cut to the file; the spacing about the file's.
TEST(choices_follow_the_rules)
{
    forecast_write_sea(false);
    const cJSON *report =
        cli_output_json(cli_do("forecast tohoku.ndk " SEA " --dry-run --json --after 2 -o out"));
    assert_string_equal(cJSON_GetStringValue(cli_item(report, "choices.last_point")), "Far");
    const double last_s = cli_json_number(report, "choices.last_arrival_s");
    assert_true(last_s > 1000 && last_s < 5000);
    assert_near("h", cli_json_number(report, "choices.hours"), 0.5 * ceil(2 * (last_s / 3600 + 2)), 0);
    assert_near("spacing", cli_json_number(report, "choices.spacing_arcmin"), 20, 0);
    assert_false(cli_exists("out/run.json"));
    // The box of source and points, at least 3 degrees wider, in whole degrees.
    const cJSON *job = cli_read_json("out/forecast.json");
    const cJSON *latitude = cli_item(job, "domain.latitude");
    assert_string_equal(cJSON_GetStringValue(cJSON_GetArrayItem(latitude, 1)), "44 degree");
    cli_do("plan -b openmp out/forecast.json");
    report = cli_output_json(cli_do("forecast tohoku.ndk " SEA " --dry-run --json --domain 139,150,29,43 "
                                    "--hours 7 --spacing 15 --method vtcs2-o2"));
    assert_near("west", cJSON_GetArrayItem(cli_item(report, "choices.longitude"), 0)->valuedouble, 139, 0);
    assert_near("h", cli_json_number(report, "choices.hours"), 7, 0);
    assert_near("spacing", cli_json_number(report, "choices.spacing_arcmin"), 15, 0);
    cli_do("plan -b openmp forecast/forecast.json");
    // What was chosen, and why.
    const struct cli_result *text = cli_do("forecast tohoku.ndk " SEA " --dry-run");
    static const char *const lines[] = {
        "event      Mw 9.08",   "NEAR EAST COAST OF HONSH",         "domain     ", "cut to the bathymetry",
        "spacing    20 arcmin", "about as fine as the bathymetry",  "duration   ", "comes to Far last",
        "method     c-grid-6",  "job        forecast/forecast.json"};
    for (size_t k = 0; k < COUNT(lines); k++)
        if (!strstr(text->output, lines[k]))
            fail_msg("\"%s\" is not in: %s", lines[k], text->output);
}

// In the words of the command line, and before anything is computed.
TEST(mistakes_in_options)
{
    forecast_write_sea(false);
    folder_shell(
        "cd '%s' && sed -e 's/M201103110546A/M201103110546B/' tohoku.ndk | cat tohoku.ndk - > two.ndk",
        folder_root());
    cli_write_text("body.json",
                   "{\"type\": \"Feature\", \"properties\": {\"mag\": 7.1, \"magType\": \"mb\"}, "
                   "\"geometry\": {\"coordinates\": [143, 38, 20]}, \"id\": \"x\"}");
    static const struct cli_refusal rows[] = {
        {"forecast tohoku.ndk " SEA " --depth 24100", USAGE, {"--depth: ", "out of range"}},
        {"forecast tohoku.ndk " SEA " --relation foo", USAGE, {"--relation: ", "foo"}},
        {"forecast tohoku.ndk " SEA " --plane foo", USAGE, {"--plane: ", "foo"}},
        {"forecast tohoku.ndk " SEA " --origin now", USAGE, {"--origin: ", "now"}},
        {"forecast tohoku.ndk " SEA " -o ''", USAGE, {"--output"}},
        {"forecast two.ndk " SEA, DATA, {"2 solutions: give the name of one as --event"}},
        {"forecast body.json " SEA " --strike 200 --dip 10 --rake 90",
         USAGE,
         {"--magnitude: missing", "7.1 of ", "is mb, not a moment magnitude"}},
        {"forecast tohoku.ndk " SEA " --dry-run --threat nan,-1", USAGE, {"--threat"}},
        {"forecast tohoku.ndk " SEA " --dry-run --threat 3,1,0.3", USAGE, {"--threat"}},
        {"forecast tohoku.ndk " SEA " --dry-run --method foo", USAGE, {"--method: ", "foo"}},
        {"forecast tohoku.ndk --bathymetry sea.nc --points towns.csv --dry-run -b foo",
         CONFIGURATION,
         {"foo"}},
        {"forecast tohoku.ndk " SEA " --dry-run --time-limit -5", USAGE, {"--time-limit"}}};
    CLI_ASSERT_REFUSED(rows);
}

TEST(mistakes_are_one_line)
{
    forecast_write_sea(false);
    great_write_tohoku("a.param");
    cli_write_text("empty.txt", "nothing of an earthquake\n");
    cli_write_text("dry.csv", "name,longitude,latitude\nInland,133,38\n");
    cli_write_text("outside.csv", "name,longitude,latitude\nHilo,-155,20\nLima,-77,-12\n");
    cli_write_text("bad.csv", "name,longitude\nX,1\n");
    cli_write_text("empty.fsp", "");
#define QUICK " -b openmp --dry-run"
    static const struct cli_refusal rows[] = {
        {"forecast empty.txt " SEA, DATA, {"empty.txt", "moment tensor", "or a finite fault"}},
        {"forecast empty.fsp " SEA, DATA, {"empty.fsp: the file is empty"}},
        {"forecast --magnitude 9 --longitude 142 --latitude 38 --depth 800 --strike 0 --dip 9 --rake 90 " SEA,
         USAGE,
         {"--depth", "800 km is out of range", "0 to 750 km"}},
        {"forecast nowhere.ndk " SEA, NO_INPUT, {"nowhere.ndk"}},
        {"forecast tohoku.ndk", USAGE, {"--points FILE"}},
        {"forecast --points towns.csv --magnitude 9", USAGE, {"file of an earthquake", "--magnitude"}},
        {"forecast tohoku.ndk maule.cmt " SEA, USAGE, {"one file of an earthquake"}},
        {"forecast a.param --magnitude 9 " SEA, USAGE, {"--magnitude has no effect", "finite fault"}},
        {"forecast tohoku.ndk --magnitude 9 " SEA, USAGE, {"--magnitude", "has no effect"}},
        {"forecast --magnitude nine --longitude 142 --latitude 38 --depth 9 --strike 0 --dip 9 --rake "
         "90 " SEA,
         USAGE,
         {"--magnitude", "\"nine\""}},
        {"forecast --magnitude 9 --longitude 142 --latitude 38 --depth '9 kg' --strike 0 --dip 9 --rake "
         "90 " SEA,
         USAGE,
         {"--depth", "9 kg"}},
        // On land, far from the sea.
        {"forecast --magnitude 7 --longitude 134 --latitude 38 --depth 9 --strike 0 --dip 30 --rake 90 " SEA,
         DATA,
         {"lies on land", "sea.nc"}},
        {"forecast tohoku.ndk --bathymetry sea.nc --points dry.csv" QUICK,
         DATA,
         {"dry.csv", "no point in water: \"Inland\"", "are the places of points and source right?"}},
        {"forecast tohoku.ndk --bathymetry sea.nc --points outside.csv" QUICK,
         DATA,
         {"\"Hilo\"", "outside the bathymetry", "sea.nc", "1 more"}},
        {"forecast tohoku.ndk --bathymetry sea.nc --points bad.csv" QUICK, DATA, {"bad.csv"}},
        {"forecast tohoku.ndk --bathymetry sea.nc --points nowhere.csv" QUICK, NO_INPUT, {"nowhere.csv"}},
        {"forecast tohoku.ndk --bathymetry nowhere.nc --points towns.csv" QUICK, NO_INPUT, {"nowhere.nc"}},
        {"forecast maule.cmt " SEA " --dry-run", DATA, {"the source", "outside the bathymetry", "sea.nc"}},
        {"forecast tohoku.ndk " SEA " --origin yesterday --dry-run", USAGE, {"yesterday"}},
        {"forecast tohoku.ndk " SEA " --domain 1,2,3", USAGE, {"--domain", "west,east,south,north"}},
        {"forecast tohoku.ndk " SEA " --hours 0", USAGE, {"--hours"}},
        {"forecast tohoku.ndk " SEA " --utc-offset 99", USAGE, {"--utc-offset"}},
        {"forecast tohoku.ndk --points towns.csv --variable z", USAGE, {"--bathymetry"}},
    };
    CLI_ASSERT_REFUSED(rows);
    assert_false(cli_exists("forecast"));
    assert_int_equal(symlink("nowhere", cli_path("dangling")), 0);
    cli_assert_error(cli_run("forecast tohoku.ndk " SEA " -o dangling"), CANNOT_CREATE, true, "dangling",
                     "a symbolic link whose target is missing");
}

TEST_MAIN(cli_setup, cli_teardown)
