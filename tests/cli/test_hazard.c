// `fathom hazard`: the statistics of an ensemble against their definition in exact arithmetic, and numpy's
// (tests/support/hazard_members.py); a real batch with a run that fails; what is refused; what a kill or a
// full disk leaves.
#include "tests/support/cli_fixture.h"
#include "tests/support/gnuplot.h"
#include "tests/support/report_page.h"
#include "tests/support/test.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

static const char script[] = TEST_SOURCE_DIRECTORY "/tests/support/hazard_members.py";

// The members of `kind` (members-whole, -large, -few), with these weights, in the folder made. Each kind is
// computed once, and copied for each test.
static void make_kind(const char *kind, const char *option, const char *other, const char *weights)
{
    if (!cli_exists(kind))
        cli_assert_tool(cli_run_tool("/usr/bin/python3", script, "make", cli_path(kind), option, other));
    folder_shell("rm -rf %s && cp -R %s %s", cli_path("made"), cli_path(kind), cli_path("made"));
    cli_copy(format_text("made/summary-%s.json", weights), "made/summary.json");
}

static void make(const char *weights)
{
    make_kind("members-whole", NULL, NULL, weights);
}

static void make_large(const char *weights)
{
    make_kind("members-large", "60", "few", weights);
}

// Where the numbers do not matter.
static void make_few(const char *weights)
{
    make_kind("members-few", "few", NULL, weights);
}

// Leaves only the members that other tests copy.
static int remove_results(void **state)
{
    (void)state;
    folder_shell("find %s -mindepth 1 -maxdepth 1 ! -name 'members-*' -exec rm -rf {} +", folder_root());
    return 0;
}

// ---- statistics

TEST(statistics_equal_their_definition)
{
    static const struct {
        const char *weights, *quantiles, *out;
    } rows[] = {{"equal", "exact", "exact-equal"},
                {"equal", "histogram", "binned-equal"},
                {"random", "exact", "exact-random"},
                {"random", "histogram", "binned-random"},
                {"none", "exact", "exact-none"}};
    const char *words[4 + 2 * COUNT(rows) + 1] = {"/usr/bin/python3", script, "check"};
    make("equal");
    words[3] = cli_path("made");
    for (size_t k = 0; k < COUNT(rows); k++) {
        cli_copy(format_text("made/summary-%s.json", rows[k].weights), "made/summary.json");
        cli_do("hazard made --no-html -o %s --quantiles %s", rows[k].out, rows[k].quantiles);
        const double bound = cli_run_number(rows[k].out, "hazard.percentile_relative_bound");
        assert_true(strcmp(rows[k].quantiles, "exact") == 0 ? bound == 0 : bound > 0.009 && bound < 0.01);
        words[4 + 2 * k] = rows[k].weights;
        words[5 + 2 * k] = cli_path(rows[k].out);
    }
    const struct cli_result *result = cli_run_words(words);
    size_t agreed = 0;
    for (const char *at = result->output; (at = strstr(at, "agrees 22 members")); at++)
        agreed++;
    if (result->exit_code != 0 || agreed != COUNT(rows))
        fail_msg("%s%s", result->output, result->error);
}

// Less memory makes more passes over the files, and the same bits.
TEST(a_smaller_memory_gives_the_same_bits)
{
    make_large("random");
    cli_do("hazard made --no-html -o large --quantiles histogram --threshold '0.2 m, 5 m, 40 cm'");
    const struct cli_result *result = cli_run("hazard made --no-html -o small --memory 1MB");
    cli_assert_error(result, CONFIGURATION, true, "11 members need", "1 MB are allowed", "--memory");
    assert_false(cli_exists("small"));
    // What is needed at least stands in the message; with a little more (what the process itself takes
    // differs by some MB) there are several passes.
    double least_mb = 0;
    assert_int_equal(sscanf(strstr(result->error, "need ") + 5, "%lf MB", &least_mb), 1);
    cli_do("hazard made --no-html -o small --quantiles histogram --threshold '0.2 m, 5 m, 40 cm' --memory "
           "'%g MB'",
           least_mb + 10);
    assert_true(cli_run_number("small", "memory.passes_over_maps") >
                cli_run_number("large", "memory.passes_over_maps"));
    assert_true(cli_run_number("small", "memory.planned_bytes") <= (least_mb + 10) * 1e6);
    cli_assert_same_data("small/ensemble.nc", "large/ensemble.nc");
    const double *thresholds_m = cli_read_values("small/ensemble.nc", "threshold", 3);
    assert_true(thresholds_m[0] == 0.2 && thresholds_m[1] == 0.4 && thresholds_m[2] == 5);
}

TEST(a_member_without_results_is_named_and_the_rest_reweighted)
{
    make("random");
    const struct cli_result *result = cli_do("hazard made --no-html --leave-out m-0002,m-0011");
    assert_has(result->error, "run m-0008 is left out: failed: no convergence",
               "run m-0011 is left out: left out on request");
    const cJSON *run = cli_read_json("made/hazard/run.json");
    assert_int_equal(cli_count(run, "hazard.members"), 20);
    assert_int_equal(cli_count(run, "hazard.left_out"), 3);
    assert_string_equal(cli_text(run, "hazard.left_out.1.name"), "m-0008");
    double sum = 0, rest = 0, without = 0;
    for (int k = 0; k < 20; k++) {
        sum += cli_json_number(run, format_text("hazard.members.%d.weight", k));
        rest += cli_json_number(run, format_text("hazard.members.%d.weight_of_rest", k));
    }
    for (int k = 0; k < 3; k++)
        without += cli_json_number(run, format_text("hazard.left_out.%d.weight", k));
    assert_true(fabs(rest - 1) < 1e-12 && fabs(sum + without - 1) < 1e-12);
    assert_true(fabs(cli_json_number(run, "hazard.weight_of_members") - sum) < 1e-12);
}

// ---- what does not fit

TEST(members_that_do_not_fit_together_are_refused)
{
    static const struct {
        const char *file, *what;
        int code;
        const char *fragments[4];
    } rows[] = {
        {"m-0005/maxima.nc", "shift", DATA, {"m-0005/maxima.nc: lon[3] is 171.51", "171.5", "the same lon"}},
        {"m-0005/maxima.nc", "units", DATA, {"m-0005/maxima.nc: max_eta is in \"cm\"", "expected \"m\""}},
        {"m-0004/maxima.nc", "level", DATA, {"m-0004/maxima.nc: threshold[1] is 0.5", "0.3"}},
        {"m-0006/points.nc", "name", DATA, {"m-0006/points.nc: point", "the same points"}},
        {"m-0007/gauges.nc", "name", DATA, {"m-0007/gauges.nc: gauge 1 is Qne", "one"}},
        {"m-0007/gauges.nc", "moved", DATA, {"m-0007/gauges.nc: lat[1] is 12.25", "12"}},
        {"m-0007/gauges.nc", "fewer", DATA, {"m-0007/gauges.nc", "1", "2"}},
        {"m-0009/gauges.nc", "time", DATA, {"m-0009/gauges.nc: time[3] is 181", "180"}},
        {"m-0004/zones.nc", "name", DATA, {"m-0004/zones.nc: zone 1 is Qüste, in", "Küste", "same zones"}},
        {"m-0004/zones.nc", "outline", DATA, {"m-0004/zones.nc: the outlines", "m-0001/zones.nc"}},
        {"m-0003/run.json", "model", DATA, {"m-0003/run.json: is a run of the model ising", "--entry"}},
        {"m-0005/maxima.nc", "missing", NO_INPUT, {"member m-0005", "m-0005/maxima.nc"}},
        {"m-0005/points.nc", "missing", NO_INPUT, {"member m-0005", "m-0005/points.nc"}},
        {"m-0005/zones.nc", "missing", NO_INPUT, {"member m-0005", "m-0005/zones.nc"}},
        {"m-0005/gauges.nc", "missing", NO_INPUT, {"member m-0005", "m-0005/gauges.nc"}},
        {"m-0005/run.json", "missing", NO_INPUT, {"member m-0005", "m-0005/run.json"}},
        {"m-0005/maxima.nc", "pipe", NO_INPUT, {"member m-0005", "m-0005/maxima.nc", "is a pipe"}},
        {"m-0005/run.json", "pipe", NO_INPUT, {"member m-0005", "m-0005/run.json", "is a pipe"}},
        {"m-0012/maxima.nc", "cut", DATA, {"member m-0012", "m-0012/maxima.nc"}},
        {"m-0012/points.nc", "cut", DATA, {"member m-0012", "m-0012/points.nc"}},
        {"m-0012/gauges.nc", "cut", DATA, {"member m-0012", "m-0012/gauges.nc"}},
        {"m-0012/run.json", "cut", DATA, {"member m-0012", "m-0012/run.json"}},
    };
    enum { ALTERED = 11 }; // the first rows, by the script; all at once
    const char *words[5 + 2 * ALTERED + 1] = {"/usr/bin/python3", script, "alter", cli_path("altered")};
    make_few("random");
    for (size_t k = 0; k < ALTERED; k++) {
        words[4 + 2 * k] = cli_path(format_text("made/%s", rows[k].file));
        words[5 + 2 * k] = rows[k].what;
    }
    cli_assert_done(cli_run_words(words));
    for (size_t k = 0; k < COUNT(rows); k++) {
        const char *file = format_text("made/%s", rows[k].file);
        cli_copy(file, "kept");
        if (strcmp(rows[k].what, "missing") == 0)
            cli_remove(file);
        else if (strcmp(rows[k].what, "pipe") == 0)
            folder_shell("rm %s && mkfifo %s", cli_path(file), cli_path(file));
        else if (strcmp(rows[k].what, "cut") == 0)
            cli_truncate(file, 0.6);
        else
            cli_copy(format_text("altered%zu", k), file);
        cli_assert_error_has(cli_run("hazard made --no-html"), rows[k].code, true, rows[k].fragments);
        assert_false(cli_exists("made/hazard"));
        folder_shell("rm -f %s", cli_path(file)); // into a pipe nothing can be copied
        cli_copy("kept", file);
    }
    cli_do("hazard made --no-html");
}

static void write_summary(const char *runs)
{
    cli_write_json("made/summary.json", "{'fathom_summary': 1, 'runs': [%s]}", runs);
}

#define PASSED "'state': 'passed'"

TEST(weights_are_checked)
{
    static const struct {
        const char *runs;
        const char *fragments[3];
    } rows[] = {
        {"{'name': 'm-0001', " PASSED ", 'weight': 0.5}, {'name': 'm-0002', " PASSED ", 'weight': 0.4}",
         {"the weights of 2 runs sum to 0.9: expected 1"}},
        {"{'name': 'm-0001', " PASSED
         ", 'weight': 1.5}, {'name': 'm-0002', 'state': 'failed', 'weight': 0.5}",
         {"sum to 2: expected 1"}},
        {"{'name': 'm-0001', " PASSED ", 'weight': 1}, {'name': 'm-0002', " PASSED "}",
         {"run m-0002 has no weight", "1 of 2 runs have"}},
        {"{'name': 'm-0001', " PASSED ", 'weight': 1.5}, {'name': 'm-0002', " PASSED ", 'weight': -0.5}",
         {"run m-0002: weight -0.5: expected a number of 0 or more"}},
        {"{'name': 'm-0001', " PASSED ", 'weight': 'much'}", {"run m-0001: weight: expected a number"}},
        {"{'name': 'm-0001', " PASSED ", 'settings': [1]}", {"run m-0001: settings: expected an object"}},
        {"{'name': 'm-0001', " PASSED ", 'settings': {'depth': '4 km'}}",
         {"m-0001/run.json: its run had depth: not set", "the batch's run m-0001 has \"4 km\""}},
        {"{'name': '../m-0001', " PASSED "}", {"runs[0].name is \"../m-0001\""}},
        {"{'name': 'm-0001', " PASSED ", 'weight': 0}, {'name': 'm-0002', 'state': 'failed', 'weight': 1}",
         {"the 1 members with results have no weight"}},
        {"{'name': 'm-0001', 'state': 'waiting'}", {"none of the 1 runs has results", "m-0001: waiting"}},
        {"", {"the batch has no runs"}},
    };
    make_few("none");
    for (size_t k = 0; k < COUNT(rows); k++) {
        write_summary(rows[k].runs);
        cli_assert_error_has(cli_run("hazard made --no-html"), DATA, true, rows[k].fragments);
    }
    write_summary("{'name': 'm-0001', " PASSED ", 'weight': 0.25}, {'name': 'm-0002', " PASSED
                  ", 'weight': 0.7500001}");
    cli_do("hazard made --no-html"); // rounded to seven decimals
}

// Scenarios with names of their own: a run is of the entry that the summary states.
TEST(an_entry_is_what_the_summary_states)
{
    make_few("none");
    write_summary("{'name': 'm-0001', 'entry': 'north', 'state': 'passed', 'weight': 0.5}, "
                  "{'name': 'm-0002', 'entry': 'north', 'state': 'passed', 'weight': 0.5}, "
                  "{'name': 'm-0003', 'entry': 'south', 'state': 'passed', 'weight': 1}");
    cli_do("hazard made --no-html --entry north");
    const cJSON *hazard = cJSON_GetObjectItem(cli_read_json("made/hazard/run.json"), "hazard");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(hazard, "members")), 2);
    cli_assert_error(cli_run("hazard made --no-html --entry m"), DATA, true,
                     "has no entry m (it has: north, south)");
}

TEST(mistakes_are_refused_in_one_line)
{
    static const struct cli_refusal rows[] = {
        {"hazard", USAGE, {"hazard needs one BATCH"}},
        {"hazard made made", USAGE, {"hazard needs one BATCH"}},
        {"hazard made --threshold 1", USAGE, {"--threshold"}},
        {"hazard made --threshold '1 m, 1 m'", USAGE, {"--threshold: 1 m stands twice"}},
        {"hazard made --threshold '-1 m'", USAGE, {"--threshold", "above 0"}},
        {"hazard made --quantiles some", USAGE, {"--quantiles", "some"}},
        {"hazard made --leave-out m-9", USAGE, {"--leave-out: no run is called m-9"}},
        {"hazard made --entry x", DATA, {"made: has no entry x (it has: m)"}},
        {"hazard made --leave-out m-0001 --leave-out m-0002", USAGE, {"--leave-out may be given once"}},
        {"hazard nowhere", NO_INPUT, {"nowhere"}},
        {"hazard made -o made", CANNOT_CREATE, {"made: holds other results (journal.jsonl)", "--output"}},
        {"hazard made -o made/m-0001 --leave-out m-0008", CANNOT_CREATE, {"holds other results (maxima.nc)"}},
        {"hazard made -o made/summary.json --leave-out m-0008", CANNOT_CREATE, {"made/summary.json"}},
        {"hazard stopped", NO_INPUT, {"stopped: the batch wrote no summary.json yet: give its queue"}},
    };
    make_few("equal");
    cli_write_text("made/journal.jsonl", "");
    assert_int_equal(
        folder_shell_code("mkdir %s && touch %s", cli_path("stopped"), cli_path("stopped/journal.jsonl")), 0);
    for (size_t k = 0; k < COUNT(rows); k++)
        cli_assert_error_has(cli_run_line(rows[k].line), rows[k].exit_code, true, rows[k].fragments);
}

// ---- what is left

static void sleep_s(double seconds)
{
    const struct timespec pause = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&pause, NULL);
}

TEST(a_kill_leaves_whole_files_or_none)
{
    make_few("random");
    cli_do("hazard made --no-html -o whole --quantiles histogram");
    for (int k = 0; k < 10; k++) {
        const pid_t child = cli_start("hazard made --no-html -o killed --quantiles histogram");
        sleep_s(0.006 * k);
        kill(child, SIGKILL);
        (void)cli_finish(child);
        if (cli_exists("killed/ensemble.nc"))
            cli_assert_same_data("killed/ensemble.nc", "whole/ensemble.nc");
    }
    cli_do("hazard made --no-html -o killed --quantiles histogram");
    assert_int_equal(cli_count_entries("killed"), cli_count_entries("whole")); // nothing unfinished
}

// And no file more; their page stays until other results replace them.
TEST(a_full_disk_keeps_the_earlier_results)
{
    make_few("random");
    cli_do("hazard made --no-html -o out");
    cli_copy("out/ensemble.nc", "earlier.nc");
    write_earlier_report("out", "ensemble.nc");
    const struct cli_options options = {.file_bytes_max = 30000};
    const struct cli_result *result =
        cli_run_as(&options, "hazard made --no-html -o out --quantiles histogram");
    cli_assert_error(result, 74, true, "ensemble.nc");
    cli_assert_same_data("out/ensemble.nc", "earlier.nc");
    assert_int_equal(cli_count_entries("out"), 5 + 3);
    cli_do("hazard made --no-html -o out");
    assert_report_is_gone("out", "ensemble.nc");
    assert_int_equal(cli_count_entries("out"), 5);
}

// ---- a batch

static double size_m;

// 50 m deep, and from 15 km on a slope that leaves the sea at 21 km.
static double beach(double x, double y, double time_s)
{
    (void)y, (void)time_s;
    return x < 15000 ? -50 : -50 + 50 * (x - 15000) / 6000;
}

static double hump(double x, double y, double time_s)
{
    (void)y, (void)time_s;
    return size_m * exp(-(x - 10000) * (x - 10000) / 4e6);
}

// All at the same place, each with a record of its own.
#define GAUGE(name)                                                                                          \
    "{\"name\": \"" name "\", \"x\": \"2 km\", \"y\": \"8200 m\", \"observed\": {\"file\": \"record-" name   \
    ".txt\"}}"

// Five sources of growing size in a basin whose shore moves, in two entries, and one that fails.
static void write_batch(void)
{
    static const double sizes_m[] = {0.2, 0.6, 1, 3, 6};
    struct cli_grid uplift = cli_basin, basin = cli_basin;
    cJSON *job = cli_sea_job();
    basin.variables[0].value = beach;
    cli_write_grid("basin.nc", &basin);
    uplift.variables[0] = (struct cli_variable){.name = "uplift", .units = "m", .value = hump};
    for (size_t k = 0; k < COUNT(sizes_m); k++) {
        size_m = sizes_m[k];
        cli_write_grid(format_text("uplift%zu.nc", k), &uplift);
    }
    cli_write_text("gauges.json", "{\"fathom_gauges\": 1, \"gauges\": [" GAUGE("b") ", " GAUGE(
                                      "c") ", " GAUGE("d") ", " GAUGE("e") "]}");
    cli_write_json(
        "coast.json",
        "{'type': 'FeatureCollection', 'crs': {'type': 'name', 'properties': {'name': "
        "'urn:ogc:def:crs:EPSG::32654'}}, 'features': [{'type': 'Feature', 'properties': {'name': "
        "'Strand'}, 'geometry': {'type': 'Polygon', 'coordinates': [[[15100, 3100], [23100, 3100], "
        "[23100, 9100], [15100, 9100], [15100, 3100]]]}}]}");
    cli_write_text("towns.csv", "name,x,y\nup,10100,8200\nland,23100,9000\noff,99000,9000\n");
    cli_change(job,
               "domain = {'bathymetry': {'file': 'basin.nc'}, 'edges': {'west': 'wall', 'east': 'wall', "
               "'south': 'wall', 'north': 'wall'}}; source = {'displacement': {'file': 'uplift0.nc'}}; "
               "method = 'muscl-hancock'; time.duration = '25 min'; time.step = '4 s'; output = "
               "{'directory': 'out', 'maxima': true, 'arrival': ['5 cm'], 'points': {'file': 'towns.csv', "
               "'depth': '20 m', 'search': '9 km', 'threshold': '5 cm'}, 'zones': {'file': 'coast.json'}, "
               "'threat_levels': ['0.2 m', '1 m'], 'gauges': {'file': 'gauges.json', 'every': '20 s'}}");
    cli_write_job(job, "job.json");
    cli_write_json(
        "queue.json",
        "{'fathom_batch': 1, 'title': 'Five sources', 'output': 'five', 'limits': {'cores': 2}, 'jobs': "
        "[{'name': 'small', 'job': 'job.json', 'sweep': {'source.displacement.file': ['uplift0.nc', "
        "'uplift1.nc', 'uplift2.nc']}}, {'name': 'large', 'job': 'job.json', 'sweep': "
        "{'source.displacement.file': ['uplift3.nc', 'uplift4.nc']}}, {'name': 'bad', 'job': "
        "'job.json', 'set': {'source.displacement.file': 'none.nc'}}]}");
}

static double largest_in_the_coast(const char *member)
{
    size_t count, nx, ny;
    const char *file = format_text("five/%s/maxima.nc", member);
    const double *eta = cli_read_variable(file, "max_eta", &count, NULL),
                 *x = cli_read_variable(file, "x", &nx, NULL), *y = cli_read_variable(file, "y", &ny, NULL);
    double largest_m = -INFINITY;
    for (size_t k = 0; k < count; k++)
        if (x[k % nx] > 15100 && x[k % nx] < 23100 && y[k / nx] > 3100 && y[k / nx] < 9100)
            largest_m = fmax(largest_m, eta[k]);
    return largest_m;
}

// Of five equal members percentile 5 is the smallest, 50 the third, 95 the largest.
static void check_zone(const char *folder)
{
    static const char *const members[] = {"small-0001", "small-0003", "large-0002"};
    const double *crests_m =
        cli_read_values(format_text("%s/ensemble.nc", folder), "zone_crest_percentile", 5);
    for (size_t k = 0; k < COUNT(members); k++) {
        print_message("%s: %g m in the zone\n", members[k], crests_m[2 * k]);
        assert_true(crests_m[2 * k] == largest_in_the_coast(members[k]));
    }
    assert_true(cli_run_number(folder, "hazard.zones") == 1);
}

// In uncompressed numbers nothing else shows it.
static void check_flipped(const char *name)
{
    const char *file = format_text("five/small-0002/%s", name);
    cli_copy(file, "kept");
    cli_flip_byte(file, -400);
    cli_assert_error(cli_run("hazard five --no-html -o flipped"), DATA, true, "member small-0002", file,
                     "was damaged or changed after its run");
    assert_false(cli_exists("flipped"));
    cli_copy("kept", file);
}

static void check_probabilities(void)
{
    const struct cli_result *result = cli_do("hazard queue.json --no-html -o by-queue");
    assert_has(result->error, "run bad is left out: failed", "none.nc");
    cli_do("hazard five --no-html");
    cli_assert_same_data("five/hazard/ensemble.nc", "by-queue/ensemble.nc");
    cli_do("hazard five --no-html --entry large -o large");
    assert_int_equal(cli_dimension("large/ensemble.nc", "member"), 2);
    assert_int_equal(cli_dimension("by-queue/ensemble.nc", "member"), 5);
    check_zone("by-queue");
    check_flipped("maxima.nc");
    check_flipped("points.nc");

    // The third of five equal members is the median; land that only the larger waves flood counts as 0 in the
    // others.
    size_t count;
    const double *median = cli_read_variable("by-queue/ensemble.nc", "max_eta_percentile", &count, NULL) +
                           2 * cli_basin.nx * cli_basin.ny,
                 *third = cli_read_variable("five/small-0003/maxima.nc", "max_eta", &count, NULL),
                 *fifth = cli_read_variable("five/large-0002/maxima.nc", "max_eta", &count, NULL),
                 *flow = cli_read_variable("by-queue/ensemble.nc", "flow_depth_exceedance", &count, NULL);
    size_t partly = 0, flooded = 0;
    for (size_t k = 0; k < cli_basin.nx * cli_basin.ny; k++) {
        const double expected = isnan(third[k]) ? 0 : fmax(0, third[k]);
        if (!isnan(fifth[k]))
            assert_true(median[k] == expected);
        else
            assert_true(isnan(median[k]));
        partly += isnan(third[k]) && !isnan(fifth[k]);
        flooded += flow[k] > 0 && flow[k] < 1;
    }
    print_message("%zu nodes flooded in some members only, %zu of them deeper than 0.2 m\n", partly, flooded);
    assert_true(partly > 0);
    const double *states = cli_read_values("by-queue/ensemble.nc", "threat_probability", 3 * 4);
    for (size_t k = 0; k < 3; k++) { // land, off, up; "off" lies outside
        const double sum = states[4 * k] + states[4 * k + 1] + states[4 * k + 2] + states[4 * k + 3];
        assert_true(k == 1 ? isnan(sum) : fabs(sum - 1) < 1e-12);
    }
}

// A file of the first member that is gone must not take its figures with it in silence; and tables of earlier
// results that new ones do not have must not stay.
static void check_missing(void)
{
    assert_true(cli_exists("five/hazard/hazard_zones.csv"));
    cli_copy("five/small-0001/zones.nc", "kept");
    folder_shell("rm %s", cli_path("five/small-0001/zones.nc"));
    cli_assert_error(cli_run("hazard five --no-html"), NO_INPUT, true, "zones.nc is missing");
    cli_copy("kept", "five/small-0001/zones.nc");
}

// Two members of the same shape whose folders changed names; the queue and the summary know the settings.
static void check_swapped(void)
{
    static const char *const batches[] = {"five", "queue.json"};
    const char *const swap = "cd %s && mv small-0001 x && mv small-0003 small-0001 && mv x small-0003";
    folder_shell(swap, cli_path("five"));
    for (size_t k = 0; k < COUNT(batches); k++)
        cli_assert_error(cli_run(format_text("hazard %s --no-html -o swapped", batches[k])), DATA, true,
                         "member small-0001", "five/small-0001/run.json", "source.displacement.file",
                         "uplift2.nc", "uplift0.nc", "holds another run");
    assert_false(cli_exists("swapped"));
    folder_shell(swap, cli_path("five"));
}

static void check_page(void)
{
    const char *page = folder_text("five/hazard/hazard.html");
    assert_has(page, "Five sources", "bad", "is left out", "0.8333 of all weight", "No official warning",
               "Probabilities on the map", "Exceedance curves", "Members and weights", "small-0001",
               "Forecast zones", "Strand", "forecast zones", "\"Zones\"");
    static const char *const pictures[] = {"exceedance_1", "percentile_95", "flow_depth_95",
                                           "exceedance_curves_1", "arrival_median_1"};
    for (size_t k = 0; k < COUNT(pictures); k++)
        assert_true(cli_exists(format_text("five/hazard/pictures/%s.png", pictures[k])));
    // Once more by the report of the folder, and its figures for programs.
    const cJSON *figures = cli_output_json(cli_do("report five/hazard --size 400x400 --json"));
    assert_int_equal(cli_count(figures, "points"), 3);
    assert_string_equal(cli_text(figures, "zones.0.name"), "Strand");
    assert_int_equal(cli_count(figures, "zones.0.threat_probability"), 4);
}

// A gauge's record: late the largest value of a member's series times a factor; 40 m before all waves, as of
// seismic waves.
static void write_record(const char *name, const char *member, double factor)
{
    size_t count;
    const double *eta = cli_read_variable(format_text("five/%s/gauges.nc", member), "eta", &count, NULL);
    double largest_m = 0;
    for (size_t k = 0; k < count; k++)
        largest_m = fmax(largest_m, eta[k]);
    cli_write_text(name,
                   format_text("0 40\n600 0\n1200 %.9g\n1300 nan\n1400 9999\n9000 40\n", factor * largest_m));
}

static void check_gauge(const char *page, const char *name, const char *word)
{
    const char *row = strstr(page, format_text("<th scope=\"row\">%s<", name));
    const char *end = row ? strstr(row, "</tr>") : NULL;
    if (!end)
        fail_msg("no gauge %s on the page", name);
    assert_has(format_text("%.*s", (int)(end - row), row), format_text("<td>%s", word));
}

// The members' percentiles 5 and 95 are the smallest and the largest of five. With other records the report
// of the folder, in small pictures, says the same of them as the page of hazard.
static void check_observed_maxima(void)
{
    static const struct {
        const char *gauge, *member, *word;
        double factor;
    } cases[] = {{"b", "small-0002", "within", 1},
                 {"c", "large-0002", "within", 0.99},
                 {"d", "large-0002", "above", 1.01},
                 {"e", "small-0001", "below", 0.9}};
    for (size_t k = 0; k < COUNT(cases); k++)
        write_record(format_text("record-%s.txt", cases[k].gauge), cases[k].member, cases[k].factor);
    cli_do("hazard five --observations nowhere");
    check_page();
    const char *page = folder_text("five/hazard/hazard.html");
    for (size_t k = 0; k < COUNT(cases); k++)
        check_gauge(page, cases[k].gauge, cases[k].word);
    assert_has(page, "Of 4 gauges with a record", "elevation of 2 lies");
    // One that is not within.
    for (size_t k = 0; k < COUNT(cases); k++)
        if (k != 2)
            cli_remove(format_text("record-%s.txt", cases[k].gauge));
    cli_do("report five/hazard --size 400x400");
    page = folder_text("five/hazard/report.html");
    check_gauge(page, "d", "above");
    assert_has(page, "Of 1 gauge with a record", "elevation of 0 lies");
    cli_remove("record-d.txt");
    const struct cli_result *result = cli_run("report five/hazard --size 400x400");
    assert_has(result->error, "its record record-d.txt was not found");
    assert_null(strstr(folder_text("five/hazard/report.html"), "with a record"));
}

TEST(a_batch_becomes_probabilities)
{
    write_batch();
    (void)cli_run("batch --quiet queue.json");
    check_probabilities();
    check_missing();
    check_swapped();
    need_gnuplot();
    check_observed_maxima();
}

TEST_SUITE(.group_setup = cli_setup, .group_teardown = cli_teardown, .teardown = remove_results);
