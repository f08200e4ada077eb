// The files that a batch writes: summary.json, junit.xml and index.html, for all kinds of messages and files
// of its runs.
#include "batch/page.h"
#include "batch/summary.h"
#include "batch/table.h"
#include "batch/totals.h"
#include "core/clock.h"
#include "tests/support/folder.h"
#include "tests/support/gnuplot.h"
#include "tests/support/statuses.h"
#include "tests/support/test.h"
#include "tests/support/test_clock.h"

#include <cjson/cJSON.h>
#include <signal.h>
#include <sys/stat.h>

enum { PASSED_1, PASSED_2, PASSED_3, ALONE, NO, CRASHED, HUNG, ROOM, STOPPED, WAITING, RUNS };

static struct batch_setting settings[4][2];
static struct batch_job jobs[RUNS];
static struct batch_run runs[RUNS];
static struct batch_queue queue;
static struct batch batch;

static const char nasty[] = "\"key\": <script>alert('&')</script> \033[2J \xff]]> ä\nend";

static void set_run(size_t number, const char *name, size_t entry, enum batch_state state,
                    enum batch_cause cause)
{
    snprintf(jobs[number].name, sizeof jobs[number].name, "%s", name);
    jobs[number].path = "jobs/a&b.json";
    jobs[number].entry = entry;
    jobs[number].hash = 77 + number;
    runs[number] = (struct batch_run){.state = state,
                                      .cause = cause,
                                      .device = -1,
                                      .cores = 2,
                                      .attempts = state != BATCH_WAITING,
                                      .attempt_s = 2,
                                      .total_s = state == BATCH_WAITING ? 0 : 2.5,
                                      .fraction = NAN,
                                      .remaining_s = NAN};
    runs[number].needs.host_bytes = 1000000;
    snprintf(runs[number].needs.model, sizeof runs[number].needs.model, "gas");
    snprintf(runs[number].needs.backend, sizeof runs[number].needs.backend, "openmp");
    snprintf(runs[number].needs.title, sizeof runs[number].needs.title, "A <gas>");
}

static void write_run_json(size_t number, const char *text)
{
    (void)mkdir(folder_path("%s", jobs[number].name), 0777);
    folder_write_text(format_text("%.*s/run.json", BATCH_NAME_MAX, jobs[number].name), text);
}

static void make_sweep(void)
{
    static const char *const values[] = {"\"1 km\"", "\"2 km\"", "\"4 km\""};
    for (size_t k = 0; k < 3; k++) {
        set_run(k, format_text("sweep-%04zu", k + 1), 0, BATCH_PASSED, BATCH_CAUSE_EXIT);
        settings[k][0] = (struct batch_setting){.key = "precision", .value = "\"double\""};
        settings[k][1] = (struct batch_setting){.key = "physics.depth", .value = values[k]};
        jobs[k].settings = settings[k];
        jobs[k].setting_count = 2;
        jobs[k].varied_count = 1;
        write_run_json(
            k, format_text("{\"diagnostics\":{\"start\":{\"energy\":%zu},\"end\":{\"energy\":%zu.5,\"mass\":"
                           "1,\"place\":[1,2,3]},\"drift\":-%zu},\"checks\":[{\"verdict\":\"passed\"}]}",
                           k, k + 7, k + 1));
    }
}

static void make_batch(void)
{
    folder_clear();
    memset(jobs, 0, sizeof jobs);
    queue = (struct batch_queue){
        .path = "queue<1>.json", .title = "Day & night <b>", .jobs = jobs, .count = RUNS};
    queue.limits.host_bytes = queue.limits.device_bytes = SIZE_MAX;
    snprintf(queue.directory, sizeof queue.directory, "%s", folder_root());
    make_sweep();
    set_run(ALONE, "alone", 1, BATCH_PASSED, BATCH_CAUSE_EXIT);
    write_run_json(ALONE, "{\"temperatures\":[{\"beta\":0.4,\"energy\":[-1.5,0.01]}],\"checks\":[{"
                          "\"verdict\":\"not asked for\"}]}");
    runs[ALONE].has_report = true;
    set_run(NO, "no", 2, BATCH_FAILED, BATCH_CAUSE_EXIT);
    runs[NO].exit_code = 78;
    snprintf(runs[NO].message, sizeof runs[NO].message, "%s", nasty);
    set_run(CRASHED, "crashed", 3, BATCH_FAILED, BATCH_CAUSE_SIGNAL);
    runs[CRASHED].signal = SIGSEGV;
    set_run(HUNG, "hung", 4, BATCH_FAILED, BATCH_CAUSE_TIMEOUT);
    runs[HUNG].signal = SIGKILL;
    jobs[HUNG].time_limit_s = 7200;
    set_run(ROOM, "room", 5, BATCH_FAILED, BATCH_CAUSE_RESOURCES);
    snprintf(runs[ROOM].message, sizeof runs[ROOM].message,
             "needs 3 TB of main memory, the batch may use 2 GB");
    set_run(STOPPED, "stopped", 6, BATCH_STOPPED, BATCH_CAUSE_STOP);
    set_run(WAITING, "waiting", 7, BATCH_WAITING, BATCH_CAUSE_NONE);
    batch = (struct batch){
        .queue = &queue, .runs = runs, .started_s = clock_now_s() - 60, .earlier_s = 3600, .only = SIZE_MAX};
    snprintf(batch.started_at, sizeof batch.started_at, "2026-11-22T20:00:00.000Z");
    status_clear();
}

static const cJSON *item(const cJSON *object, const char *key)
{
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!found)
        fail_msg("there is no \"%s\"", key);
    return found;
}

static double number(const cJSON *object, const char *key)
{
    assert_true(cJSON_IsNumber(item(object, key)));
    return item(object, key)->valuedouble;
}

static const char *text(const cJSON *object, const char *key)
{
    assert_true(cJSON_IsString(item(object, key)));
    return item(object, key)->valuestring;
}

static cJSON *read_summary(const char *name)
{
    char *content = folder_text(name);
    cJSON *summary = cJSON_Parse(content);
    assert_non_null(summary);
    return summary;
}

static char *written_page(void)
{
    assert_int_equal(batch_page_write(&batch), STATUS_OK);
    return folder_text("index.html");
}

static void assert_before(const char *page, const char *first, const char *second)
{
    const char *place = strstr(page, first);
    assert_true(place && place < strstr(page, second));
}

TEST(test_summary_states_what_happened)
{
    make_batch();
    assert_int_equal(batch_summary_write(&batch), STATUS_OK);
    assert_false(folder_has("summary.json.part"));
    cJSON *summary = read_summary("summary.json");
    const cJSON *totals = item(summary, "totals"), *list = item(summary, "runs");
    assert_int_equal(number(summary, "fathom_summary"), 1);
    assert_string_equal(text(summary, "begun_at"), "2026-11-22T20:00:00.000Z");
    assert_int_equal(strlen(text(summary, "written_at")), strlen("2026-11-22T20:00:00Z"));
    assert_int_equal(number(totals, "runs"), RUNS);
    assert_int_equal(number(totals, "passed"), 4);
    assert_int_equal(number(totals, "failed"), 4);
    assert_int_equal(number(totals, "stopped"), 1);
    assert_int_equal(number(totals, "waiting"), 1);
    assert_true(cJSON_IsFalse(item(summary, "complete")) && cJSON_IsFalse(item(summary, "passed")));
    assert_in_range((uint64_t)number(summary, "elapsed_s"), 3659, 3661);
    assert_int_equal(cJSON_GetArraySize(list), RUNS);
    const cJSON *run = cJSON_GetArrayItem(list, PASSED_2);
    assert_string_equal(text(run, "name"), "sweep-0002");
    assert_string_equal(text(run, "state"), "passed");
    assert_string_equal(text(run, "message"), "");
    assert_string_equal(text(item(run, "settings"), "precision"), "double");
    assert_string_equal(text(item(run, "varied"), "physics.depth"), "2 km");
    assert_int_equal(cJSON_GetArraySize(item(run, "varied")), 1);
    assert_string_equal(text(run, "verdict"), "passed");
    assert_float_equal(number(item(run, "figures"), "end.energy"), 8.5, 0);
    assert_float_equal(number(item(run, "figures"), "drift"), -2, 0);
    run = cJSON_GetArrayItem(list, ALONE);
    assert_float_equal(number(item(run, "figures"), "energy"), -1.5, 0);
    assert_float_equal(number(item(run, "figures"), "energy_error"), 0.01, 0);
    assert_string_equal(text(run, "report"), "alone/report.html");
    run = cJSON_GetArrayItem(list, NO);
    assert_int_equal(number(run, "exit_code"), 78);
    assert_string_equal(text(run, "cause"), "exit");
    assert_string_equal(text(run, "message"), "\"key\": <script>alert('&')</script>  [2J ?]]> ä end");
    run = cJSON_GetArrayItem(list, CRASHED);
    assert_string_equal(text(run, "message"), "crashed: Segmentation fault (signal 11)");
    run = cJSON_GetArrayItem(list, HUNG);
    assert_string_equal(text(run, "message"),
                        "stopped at its time limit of 2 h, killed: it did not end when it was asked to");
    run = cJSON_GetArrayItem(list, ROOM);
    assert_string_equal(text(run, "message"), "needs 3 TB of main memory, the batch may use 2 GB");
    cJSON_Delete(summary);
}

TEST(test_results_of_another_time_are_not_shown)
{
    make_batch();
    // A run.json that is damaged, a folder, or not an object: the summary is written without its figures.
    write_run_json(PASSED_1, "{\"diagnostics\":{\"end\":");
    folder_delete("sweep-0002/run.json");
    assert_int_equal(mkdir(folder_path("sweep-0002/run.json"), 0777), 0);
    write_run_json(PASSED_3, "[1e999]");
    // This run failed before it wrote run.json, so the file is that of an earlier attempt.
    write_run_json(NO, "{\"diagnostics\":{\"x\":1},\"checks\":[{\"verdict\":\"passed\"}]}");
    assert_int_equal(batch_summary_write(&batch), STATUS_OK);
    assert_int_equal(batch_page_write(&batch), STATUS_OK);
    assert_string_equal(status_message(), "");
    cJSON *summary = read_summary("summary.json");
    const size_t without[] = {PASSED_1, PASSED_2, PASSED_3, NO, WAITING};
    for (size_t k = 0; k < COUNT(without); k++)
        assert_null(
            cJSON_GetObjectItem(cJSON_GetArrayItem(item(summary, "runs"), (int)without[k]), "figures"));
    cJSON_Delete(summary);
    // A run whose check failed has figures.
    write_run_json(NO, "{\"diagnostics\":{\"x\":1},\"checks\":[{\"verdict\":\"failed\"}]}");
    assert_int_equal(batch_summary_write(&batch), STATUS_OK);
    summary = read_summary("summary.json");
    assert_float_equal(number(item(cJSON_GetArrayItem(item(summary, "runs"), NO), "figures"), "x"), 1, 0);
    cJSON_Delete(summary);
}

static size_t count_of(const char *content, const char *what)
{
    size_t count = 0;
    for (const char *at = content; (at = strstr(at, what)); at += strlen(what))
        count++;
    return count;
}

TEST(test_junit_is_what_its_readers_expect)
{
    make_batch();
    assert_int_equal(batch_summary_write(&batch), STATUS_OK);
    char *content = folder_text("junit.xml");
    assert_has(
        content,
        "<testsuites name=\"Day &amp; night &lt;b&gt;\" tests=\"10\" failures=\"2\" errors=\"2\" time=\"",
        "<testsuite name=\"sweep\" tests=\"3\" failures=\"0\" errors=\"0\" time=\"7.500\" skipped=\"0\" "
        "timestamp=\"2026-11-22T20:00:00\">",
        "<testcase classname=\"sweep\" name=\"sweep-0003\" time=\"2.500\"/>");
    assert_int_equal(count_of(content, "<testsuite "), 8);
    assert_int_equal(count_of(content, "<testcase "), RUNS);
    assert_int_equal(count_of(content, "<failure "), 2);
    assert_int_equal(count_of(content, "<error "), 2);
    assert_int_equal(count_of(content, "<skipped "), 2);
    assert_has(content, "type=\"exit code 78\">&quot;key&quot;: &lt;script&gt;",
               "<error message=\"crashed: Segmentation fault (signal 11)\" type=\"signal 11\">");
    for (const char *at = content; *at; at++)
        assert_true((unsigned char)*at >= 0x20 || *at == '\n');
    if (folder_shell_code("command -v /usr/bin/python3 > /dev/null") == 0)
        folder_shell("/usr/bin/python3 -c 'import sys, xml.etree.ElementTree as e; e.parse(sys.argv[1])' %s",
                     folder_path("junit.xml"));
}

// A PNG of one pixel.
static void make_picture(const char *name)
{
    static const unsigned char png[] = {
        0x89, 'P',  'N',  'G',  '\r', '\n', 0x1A, '\n', 0,    0,    0,    13,  'I',  'H',  'D',  'R',  0,
        0,    0,    1,    0,    0,    0,    1,    8,    0,    0,    0,    0,   0x3A, 0x7E, 0x9B, 0x55, 0,
        0,    0,    10,   'I',  'D',  'A',  'T',  0x78, 0x9C, 0x63, 0x60, 0,   0,    0,    2,    0,    1,
        0x48, 0xAF, 0xA4, 0x71, 0,    0,    0,    0,    'I',  'E',  'N',  'D', 0xAE, 0x42, 0x60, 0x82};
    folder_write(name, png, sizeof png);
}

TEST(test_the_page_shows_all_and_runs_nothing)
{
    make_batch();
    assert_int_equal(mkdir(folder_path("alone/pictures"), 0777), 0);
    make_picture("alone/pictures/other.png");
    make_picture("alone/pictures/maximum.png");
    folder_write_text("alone/pictures/broken.png", "no picture");
    runs[WAITING].state = BATCH_FAILED; // no run is still to come, so curves are drawn
    runs[STOPPED].state = BATCH_FAILED;
    assert_int_equal(batch_page_write(&batch), STATUS_OK);
    assert_string_equal(status_message(), "");
    assert_false(folder_has("index.html.part"));
    char *page = folder_text("index.html");
    assert_has(page, "<h1>Day &amp; night &lt;b&gt;</h1>");
    assert_null(strstr(page, "<script"));
    assert_has(page, "&lt;script&gt;alert('&amp;')&lt;/script&gt;");
    // Failures come first. The sweep's table has the varied setting and the figures in which its runs differ.
    assert_true(strstr(page, "<h2>Failed</h2>") < strstr(page, "<h2>sweep</h2>"));
    assert_has(
        page,
        "<th>physics.depth</th><th>state</th><th>wall-clock</th><th>check</th><th>energy at the "
        "end</th><th>drift</th></tr>",
        "<td>4 km</td><td class=\"good\">passed</td><td>2.5 s</td><td>passed</td><td>9.5</td><td>-3</td>",
        "<a href=\"alone/report.html\">alone</a>");
    // One picture of the run; with gnuplot also the curves.
    const size_t pictures = has_gnuplot() ? 2 : 1;
    assert_int_equal(count_of(page, "src=\"data:image/png;base64,iVBORw0KGgo"), pictures);
    assert_int_equal(folder_has("_pictures"), pictures == 2);
    assert_int_equal(count_of(page, "<table"), count_of(page, "</table>"));
    assert_int_equal(count_of(page, "<div"), count_of(page, "</div>"));
    assert_int_equal(count_of(page, "<figure>"), count_of(page, "</figure>"));
    // Nothing is fetched from elsewhere.
    assert_null(strstr(page, "http"));
}

// A dose that is infinite in all runs has no curve; the others have.
TEST(test_an_infinite_dose_takes_no_curve_from_others)
{
    need_gnuplot();
    make_batch();
    for (size_t k = PASSED_1; k <= PASSED_3; k++)
        write_run_json(k, format_text("{\"diagnostics\":{\"run\":{\"largest_temperature_degC\":%zu.25,"
                                      "\"largest_dose_min\":null}},\"checks\":[{\"verdict\":\"passed\"}]}",
                                      60 + k));
    runs[WAITING].state = BATCH_FAILED;
    runs[STOPPED].state = BATCH_FAILED;
    assert_int_equal(batch_page_write(&batch), STATUS_OK);
    assert_true(folder_has("_pictures/sweep.png"));
}

// Runs that differ only in their seed: 7.5, 8.5 and 9.5 have the mean 8.5 and the standard deviation 1.
TEST(test_samples_have_a_mean)
{
    make_batch();
    for (size_t k = 0; k < 3; k++)
        settings[k][1] = (struct batch_setting){.key = "method.seed",
                                                .value = k == 0   ? "1"
                                                         : k == 1 ? "2"
                                                                  : "3"};
    assert_int_equal(batch_page_write(&batch), STATUS_OK);
    assert_has(
        folder_text("index.html"),
        "<tr><th>mean of 3 runs</th><td></td><td></td><td></td><td></td><td>8.5</td><td>-2</td></tr>",
        "<tr><th>standard deviation of 3 runs</th><td></td><td></td><td></td><td></td><td>1</td><td>1</td>");
    // Of two, one of which was not judged; the third failed its check.
    runs[0].state = BATCH_FAILED;
    runs[0].cause = BATCH_CAUSE_EXIT;
    write_run_json(0, "{\"diagnostics\":{\"end\":{\"energy\":100},\"drift\":1},\"checks\":[{\"verdict\":"
                      "\"failed\"}]}");
    write_run_json(1,
                   "{\"diagnostics\":{\"end\":{\"energy\":6},\"drift\":-2},\"checks\":[{\"verdict\":"
                   "\"passed\"}],\"findings\":[{\"rule\":\"safety\",\"verdict\":\"not judged\",\"message\":"
                   "\"no dose\"}]}");
    runs[0].finding_known = runs[1].finding_known = false;
    assert_int_equal(batch_page_write(&batch), STATUS_OK);
    assert_has(folder_text("index.html"), "<th>mean of 2 runs, 1 of them not judged</th>", "<td>7.75</td>",
               "<th>standard deviation of 2 runs, 1 of them not judged</th>");
}

// Percentiles say of which runs they are: those that were not judged are members, and are not silently so.
TEST(test_percentiles_say_how_many_were_judged)
{
    static const char *const verdicts[] = {"passed", "not judged", "exceeded"};
    make_batch();
    for (size_t k = 0; k < 3; k++)
        write_run_json(k,
                       format_text("{\"diagnostics\":{},\"checks\":[{\"verdict\":\"passed\"}],\"findings\":[{"
                                   "\"rule\":\"safety\",\"verdict\":\"%s\",\"message\":\"brain\"}],"
                                   "\"distributions\":{\"tissues\":{\"brain\":{\"dose_min\":%zu}}}}",
                                   verdicts[k], k + 1));
    assert_int_equal(batch_summary_write(&batch), STATUS_OK);
    cJSON *summary = read_summary("summary.json");
    const cJSON *entry = cJSON_GetArrayItem(item(summary, "entries"), 0);
    assert_float_equal(number(entry, "members"), 3, 0);
    assert_float_equal(number(entry, "not_judged"), 1, 0);
    assert_float_equal(number(entry, "exceeded"), 1, 0);
    assert_float_equal(number(entry, "failed"), 0, 0);
    assert_float_equal(number(item(item(item(entry, "tissues"), "brain"), "dose_min"), "p50"), 2, 1e-12);
    cJSON_Delete(summary);
    assert_int_equal(batch_page_write(&batch), STATUS_OK);
    assert_has(folder_text("index.html"), "spread over 3 runs, 1 EXCEEDED, 1 not judged</th>");
}

// The figures are the largest values of the run, not those of its last record. An exceeded rule is reported
// first, in words, and its run does not count as passed.
TEST(test_exceeded_rules_come_first)
{
    static const char finding[] =
        "thermal safety (ITRUSST) EXCEEDED: brain: 45.30 degC (level 39 degC), 2.62 CEM43 (level 2)";
    make_batch();
    for (size_t k = 0; k < 3; k++) {
        const char *json = format_text(
            "{\"diagnostics\":{\"run\":{\"largest_temperature_degC\":%s,\"largest_dose_min\":%zu.62},"
            "\"start\":{\"largest_temperature_degC\":37},\"end\":{\"largest_temperature_degC\":39.%zu,\"heat_"
            "J\":%zu}},\"checks\":[{\"verdict\":\"not asked for\"}],\"findings\":[{\"rule\":\"thermal safety "
            "(ITRUSST)\",\"verdict\":\"%s\",\"message\":\"brain: 45.30 degC (level 39 degC), 2.62 CEM43 "
            "(level 2)\"}]}",
            k == 1 ? "45.3" : "38.5", k + 1, k, k, k == 1 ? "exceeded" : "passed");
        write_run_json(k, json);
    }
    assert_int_equal(batch_summary_write(&batch), STATUS_OK);
    char *page = written_page();
    assert_before(page, "<b class=\"bad\">1 EXCEEDED</b>", "passed<span>of 10 runs");
    assert_has(page, "<b class=\"\">3</b>passed<span>of 10 runs", "<h2 class=\"bad\">EXCEEDED</h2>");
    assert_true(strstr(page, "EXCEEDED</h2>") < strstr(page, "<h2>Failed</h2>"));
    assert_has(
        page, "brain: 45.30&nbsp;degC (level 39&nbsp;degC), 2.62 CEM43 (level 2)",
        "<td>2 km</td><td class=\"bad\"><b>EXCEEDED</b></td>", "<td>1 km</td><td class=\"good\">passed</td>",
        "<th>largest_<wbr>temperature_<wbr>degC</th><th>largest_dose_min</th><th>heat_J at the end</th></tr>",
        "<td class=\"long\">EXCEEDED; other checks: not asked for</td><td>45.3</td><td>2.62</td><td>1</td>");
    assert_null(strstr(page, "39.1"));
    cJSON *summary = read_summary("summary.json");
    const cJSON *run = cJSON_GetArrayItem(item(summary, "runs"), PASSED_2);
    assert_true(cJSON_IsTrue(item(run, "exceeded")));
    assert_string_equal(text(run, "state"), "exceeded");
    assert_string_equal(text(run, "verdict"), "exceeded");
    assert_string_equal(text(run, "finding"), finding);
    assert_float_equal(number(item(run, "figures"), "run.largest_temperature_degC"), 45.3, 0);
    assert_null(cJSON_GetObjectItem(item(run, "figures"), "end.largest_temperature_degC"));
    run = cJSON_GetArrayItem(item(summary, "runs"), PASSED_1);
    assert_true(cJSON_IsFalse(item(run, "exceeded")));
    assert_string_equal(text(run, "verdict"), "not asked for");
    assert_int_equal(number(item(summary, "totals"), "exceeded"), 1);
    assert_int_equal(number(item(summary, "totals"), "passed"), 3);
    assert_true(cJSON_IsFalse(item(summary, "passed")));
    cJSON_Delete(summary);
    const struct batch_totals totals = batch_count(&batch);
    assert_int_equal(totals.passed, 3);
    assert_int_equal(totals.exceeded, 1);
    assert_int_equal(totals.runs - totals.failed - totals.stopped - totals.waiting - totals.passed, 1);
    assert_has(folder_text("junit.xml"), "tests=\"10\" failures=\"3\" errors=\"2\"",
               "type=\"EXCEEDED\">thermal safety (ITRUSST) EXCEEDED: brain");
}

// A run that exceeds two rules shows both, on the page and in the files that programs read.
TEST(test_all_exceeded_rules_are_listed)
{
    static const char both[] =
        "thermal safety (ITRUSST) EXCEEDED: brain: 45.30 degC; mechanical safety (ITRUSST) "
        "EXCEEDED: mechanical index 2.31 (level 1.9)";
    make_batch();
    write_run_json(1,
                   "{\"checks\":[{\"verdict\":\"not asked for\"}],\"findings\":[{\"rule\":\"thermal safety "
                   "(ITRUSST)\",\"verdict\":\"exceeded\",\"message\":\"brain: 45.30 degC\"},{\"rule\":"
                   "\"mechanical safety (ITRUSST)\",\"verdict\":\"exceeded\",\"message\":\"mechanical "
                   "index 2.31 (level 1.9)\"},{\"rule\":\"other\",\"verdict\":\"passed\",\"message\":"
                   "\"no\"}]}");
    assert_int_equal(batch_summary_write(&batch), STATUS_OK);
    assert_has(written_page(), "brain: 45.30&nbsp;degC", "mechanical index 2.31 (level 1.9)");
    cJSON *summary = read_summary("summary.json");
    assert_string_equal(text(cJSON_GetArrayItem(item(summary, "runs"), PASSED_2), "finding"), both);
    cJSON_Delete(summary);
    assert_has(folder_text("junit.xml"), both);
}

// If a rule could not be evaluated, the run is marked as not judged in words and counts, and its cell is not
// green.
TEST(test_unjudged_runs_are_listed)
{
    static const char reason[] = "thermal safety (ITRUSST) not judged: brain: no dose was kept";
    make_batch();
    queue.count = ALONE + 1;
    write_run_json(ALONE,
                   "{\"checks\":[{\"verdict\":\"passed\"}],\"findings\":[{\"rule\":\"thermal safety "
                   "(ITRUSST)\",\"verdict\":\"not judged\",\"message\":\"brain: no dose was kept\"}]}");
    assert_int_equal(batch_summary_write(&batch), STATUS_OK);
    char *page = written_page();
    assert_has(page, "<b class=\"warned\">1 not judged</b>", "<b class=\"\">3</b>passed<span>of 4 runs",
               "<td><b class=\"warned\">not judged</b></td>", reason);
    assert_int_equal(count_of(page, "<td class=\"good\">passed</td>"), 3);
    cJSON *summary = read_summary("summary.json");
    const cJSON *run = cJSON_GetArrayItem(item(summary, "runs"), ALONE);
    assert_true(cJSON_IsFalse(item(run, "judged")) && cJSON_IsFalse(item(run, "exceeded")));
    assert_string_equal(text(run, "finding"), reason);
    assert_int_equal(number(item(summary, "totals"), "not_judged"), 1);
    assert_int_equal(number(item(summary, "totals"), "passed"), 3);
    assert_true(cJSON_IsFalse(item(summary, "passed")));
    assert_string_equal(text(run, "state"), "not judged");
    assert_string_equal(text(run, "verdict"), "not judged");
    cJSON_Delete(summary);
    assert_has(folder_text("junit.xml"), "tests=\"4\" failures=\"0\" errors=\"0\"",
               "<system-out>thermal safety (ITRUSST) not judged: brain");
}

// Tables of many columns have a small font; wider ones can be scrolled, also with the keyboard.
TEST(test_wide_tables_are_scrolled)
{
    make_batch();
    char *page = written_page();
    assert_before(page, ".compact{font-size:", "@media print{");
    assert_has(page, ".scroll{overflow-x:auto}",
               "<div class=\"card scroll\" tabindex=\"0\"><table class=\"runs");
}

// Exceeded rules are also red in print.
TEST(test_exceeded_rules_are_red_in_print)
{
    make_batch();
    char *page = written_page();
    const char *paper = strstr(page, "@media print{"), *end = strstr(page, "</style>");
    assert_non_null(paper);
    const char *bad = strstr(paper, "--bad:");
    assert_true(bad && bad < end);
    assert_memory_not_equal(bad, "--bad:#000", strlen("--bad:#000"));
}

// A run.json of a run that passed, or failed its check, with warnings: a list in JSON.
static void write_warned(size_t number_of_run, const char *verdict, const char *warnings)
{
    char *text_of_run = owned_zeros(strlen(warnings) + 128, 1);
    sprintf(text_of_run,
            "{\"diagnostics\":{\"end\":{\"energy\":1}},\"checks\":[{\"verdict\":\"%s\"}],"
            "\"warnings\":%s}",
            verdict, warnings);
    write_run_json(number_of_run, text_of_run);
}

static int count_warnings(const cJSON *summary, int run)
{
    const cJSON *list = item(cJSON_GetArrayItem(item(summary, "runs"), run), "warnings");
    assert_true(cJSON_IsArray(list));
    return cJSON_GetArraySize(list);
}

static void make_warned_batch(void)
{
    char *many = owned_zeros(1, 100 * 640), *end = many;
    for (int k = 0; k < 100; k++)
        end += sprintf(end, "%s\"no. %03d %0600d\"", k == 0 ? "[" : ",", k, 0);
    strcpy(end, "]");
    make_batch();
    write_warned(PASSED_2, "passed", "[\"no wave reached this <grid>\", \"a fault\\nis under land\"]");
    write_warned(PASSED_3, "passed", many);
    write_warned(ALONE, "not asked for", "[1, null, {}, \"one text\"]");
    write_warned(NO, "failed", "[\"coarse\"]");
    write_warned(CRASHED, "passed", "[\"of an earlier run\"]");
}

// A warning changes neither a run's state nor the number of passed runs. All three files have its text.
TEST(test_warnings_are_kept)
{
    static const char sentence[] = "no wave reached this <grid>";
    make_warned_batch();
    assert_int_equal(batch_summary_write(&batch), STATUS_OK);
    cJSON *summary = read_summary("summary.json");
    assert_int_equal(number(item(summary, "totals"), "with_warnings"), 4);
    assert_int_equal(number(item(summary, "totals"), "passed"), 4);
    assert_int_equal(count_warnings(summary, PASSED_1), 0);
    assert_int_equal(count_warnings(summary, PASSED_2), 2);
    assert_int_equal(count_warnings(summary, PASSED_3), 100);
    assert_int_equal(count_warnings(summary, ALONE), 1);
    assert_int_equal(count_warnings(summary, NO), 1);
    assert_int_equal(count_warnings(summary, CRASHED), 0);
    assert_int_equal(count_warnings(summary, WAITING), 0);
    const cJSON *run = cJSON_GetArrayItem(item(summary, "runs"), PASSED_2);
    assert_string_equal(text(run, "state"), "passed");
    assert_string_equal(item(run, "warnings")->child->valuestring, sentence);
    assert_string_equal(item(run, "warnings")->child->next->valuestring, "a fault is under land");
    cJSON_Delete(summary);
    char *junit = folder_text("junit.xml");
    assert_has(junit, "tests=\"10\" failures=\"2\" errors=\"2\"",
               "<system-out>warning: no wave reached this &lt;grid&gt;\nwarning: a fault is under "
               "land</system-out>\n    </testcase>",
               "</failure>\n      <system-out>warning: coarse</system-out>\n    </testcase>",
               "name=\"sweep-0001\" time=\"2.500\"/>");
    assert_int_equal(count_of(junit, "warning: no. "), 100);
    assert_null(strstr(junit, "of an earlier run"));
    if (folder_shell_code("command -v /usr/bin/python3 > /dev/null") == 0)
        folder_shell("/usr/bin/python3 -c 'import sys, xml.etree.ElementTree as e; e.parse(sys.argv[1])' %s",
                     folder_path("junit.xml"));
    char counts[256];
    assert_has(batch_table_format_counts(&batch, clock_now_s(), counts, sizeof counts),
               "4 failed, 4 with warnings, 1 stopped; ");
}

TEST(test_the_page_shows_warnings)
{
    make_warned_batch();
    char *page = written_page();
    assert_before(page, "<b class=\"warned\">4 with warnings</b>", "<h2>Failed</h2>");
    // Each row has the number of warnings; the texts are below the table.
    assert_has(page, "<td>1 km</td><td class=\"good\">passed</td>",
               "<td>2 km</td><td class=\"good\">passed<br><a class=\"warned\" href=\"#warnings\">2 "
               "warnings</a></td>",
               ">100 warnings</a></td>", "<td class=\"bad\">failed<br><a class=\"warned\"",
               ">1 warning</a></td>", "<h2 id=\"warnings\">Warnings</h2>",
               "<p>no wave reached this &lt;grid&gt;</p><p>a fault is");
    assert_int_equal(count_of(page, "<td class=\"good\">passed<br><a class=\"warned\""), 3);
    // Ten of a hundred texts are shown.
    assert_int_equal(count_of(page, "<p>no. 0"), 10);
    assert_has(page, "and 90 more: <a href=\"summary.json\">");
    assert_null(strstr(page, "of an earlier run"));
    // Without warnings the page has no such section.
    make_batch();
    page = written_page();
    assert_null(strstr(page, "class=\"warned\""));
    assert_null(strstr(page, "<h2 id=\"warnings\">"));
    assert_has(page, "<td class=\"good\">passed</td>");
}

// The largest elevation occurs in the nested grid, and before the end of the run.
TEST(test_nested_grids_have_their_figures)
{
    make_batch();
    write_run_json(ALONE,
                   "{\"diagnostics\":{\"run\":{\"max_eta_m\":1.25},\"end\":{\"max_eta_m\":0.5,\"volume_m3\":"
                   "7}},\"nested\":[{\"name\":\"harbour\",\"diagnostics\":{\"run\":{\"max_eta_m\":8.5},"
                   "\"end\":{\"max_eta_m\":0.75}}}],\"checks\":[{\"verdict\":\"not asked for\"}]}");
    assert_int_equal(batch_summary_write(&batch), STATUS_OK);
    assert_int_equal(batch_page_write(&batch), STATUS_OK);
    cJSON *summary = read_summary("summary.json");
    const cJSON *figures = item(cJSON_GetArrayItem(item(summary, "runs"), ALONE), "figures");
    assert_int_equal(cJSON_GetArraySize(figures), 3);
    assert_float_equal(number(figures, "run.max_eta_m"), 1.25, 0);
    assert_float_equal(number(figures, "run.harbour.max_eta_m"), 8.5, 0);
    assert_float_equal(number(figures, "end.volume_m3"), 7, 0);
    cJSON_Delete(summary);
    assert_has(folder_text("index.html"), "<td>max_eta_m 1.25<br>harbour.max_eta_m 8.5</td>");
}

// If the outermost grid has many figures, those of the nested grids are still shown: in the row of a single
// run and in the columns of a sweep.
TEST(test_nested_grids_are_not_crowded_out)
{
    static const char outer[] = "\"run\":{\"max_eta_m\":%d,\"b_m\":%d,\"c_m\":%d,\"d_m\":%d,\"e_m\":%d,"
                                "\"f_m\":%d,\"g_m\":%d}",
                      nested[] = "{\"name\":\"%s\",\"diagnostics\":{\"run\":{\"max_eta_m\":%d,\"b_m\":%d}}}";
    make_batch();
    for (int k = 0; k <= ALONE; k++) {
        char all[512], coast[128], harbour[128];
        snprintf(all, sizeof all, outer, k, k, k, k, k, k, k);
        snprintf(coast, sizeof coast, nested, "coast", 10 + k, k);
        snprintf(harbour, sizeof harbour, nested, "harbour", 20 + k, k);
        write_run_json((size_t)k, format_text("{\"diagnostics\":{%s},\"nested\":[%s,%s],\"checks\":[{"
                                              "\"verdict\":\"passed\"}]}",
                                              all, coast, harbour));
    }
    assert_int_equal(batch_page_write(&batch), STATUS_OK);
    assert_has(
        folder_text("index.html"),
        "<td>max_eta_m 3<br>b_m 3<br>c_m 3<br>d_m 3<br>coast.max_eta_m 13<br>harbour.max_eta_m 23</td>",
        "<th>check</th><th>max_eta_m</th><th>coast.max_eta_m</th><th>harbour.<wbr>max_<wbr>eta_m</"
        "th><th>b_m</th>",
        "<td>2</td><td>12</td><td>22</td><td>2</td>");
}

TEST(test_an_array_element_writes_no_summary)
{
    make_batch();
    batch.only = CRASHED;
    assert_int_equal(batch_summary_write(&batch), STATUS_OK);
    assert_int_equal(batch_page_write(&batch), STATUS_OK);
    assert_int_equal(folder_count(""), 4); // the runs' folders
}

TEST(test_unwritable_files_are_reported)
{
    make_batch();
    assert_int_equal(batch_summary_write(&batch), STATUS_OK);
    assert_int_equal(batch_page_write(&batch), STATUS_OK);
    size_t length, now;
    char *before = folder_read("index.html", &length);
    // A folder has the temporary name: the old page must stay.
    assert_int_equal(mkdir(folder_path("index.html.part"), 0777), 0);
    assert_failure(batch_page_write(&batch), STATUS_CANNOT_CREATE, "index.html");
    char *after = folder_read("index.html", &now);
    assert_int_equal(now, length);
    assert_memory_equal(after, before, length);
    status_clear();
    assert_int_equal(mkdir(folder_path("summary.json.part"), 0777), 0);
    assert_failure(batch_summary_write(&batch), STATUS_CANNOT_CREATE, "");
}

TEST(test_clean_text)
{
    static const struct {
        const char *given, *expected;
    } cases[] = {{"plain ä € 🌊", "plain ä € 🌊"},
                 {"a\tb\nc\x7f", "a b c "},
                 {"\xff\xfe", "??"},
                 {"cut \xe2\x82", "cut ??"},
                 {"\xc0\xaf", "??"},           // overlong
                 {"\xed\xa0\x80", "???"},      // half a surrogate pair
                 {"\xf5\x80\x80\x80", "????"}, // beyond U+10FFFF
                 {"\xc2\x9b"
                  "2J",
                  "??2J"}, // a terminal's control sequence in one character
                 {"", ""}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        assert_string_equal(batch_clean_text(format_text("%s", cases[k].given)), cases[k].expected);
    }
}

TEST_SUITE(.group_setup = folder_make, .group_teardown = folder_remove);
