// A batch in which everything goes wrong at once: a missing input, a damaged one, folders
// that cannot be made or written to, a disk too small and one that fills, a run that crashes and one that
// hangs. The others finish, the exit code states that not all passed, and the summaries state of each what
// happened.
#include "tests/support/overnight.h"
#include "tests/support/small_disk.h"
#include "tests/support/test.h"

#include <signal.h>

enum { IO = 74 };

// What is stated about a run. Those that need a file system of their own come in only where there can be
// one.
struct outcome {
    const char *name, *entry; // more of the entry in the queue
    bool has_passed;
    const char *cause;
    int code; // exit code, or signal
    const char *message;
    bool needs_disk, is_in_queue;
};

static struct outcome outcomes[] = {
    {"good-sea", "\"job\": \"sea.json\"", true, "none", 0, NULL, false, true},
    {"no-input", "\"job\": \"sea.json\", \"set\": {\"domain.bathymetry.file\": \"nowhere.nc\"}", false,
     "exit", 66, "nowhere.nc", false, true},
    {"damaged", "\"job\": \"sea.json\", \"set\": {\"domain.bathymetry.file\": \"cut.nc\"}", false, "exit", 65,
     "cut.nc", false, true},
    {"mistake", "\"job\": \"fluid.json\", \"set\": {\"domain.density\": -1}", false, "exit", 78,
     "domain.density (--set)", false, true},
    {"blocked", "\"job\": \"fluid.json\"", false, "exit", 73, "blocked", false, true},
    {"read-only", "\"job\": \"fluid.json\"", false, "exit", 73, "read-only", true, false},
    {"small", "\"job\": \"cluster.json\"", false, "exit", 74, "space", true, false},
    {"full", "\"job\": \"cluster.json\", \"set\": {\"time.duration\": 80, \"checkpoint.every_steps\": 400}",
     false, NULL, 0, "full", true, false},
    {"crash", "\"job\": \"fluid.json\", \"retries\": 1", false, "signal", SIGSEGV, "Segmentation fault",
     false, true},
    {"hang", "\"job\": \"spins.json\", \"time_limit\": \"1500 ms\"", false, "timeout", 0, "time limit", false,
     true},
    {"good-spins", "\"job\": \"spins.json\"", true, "none", 0, NULL, false, true},
    {"good-head", "\"job\": \"head.json\"", true, "none", 0, NULL, false, true},
};
enum { OUTCOMES = COUNT(outcomes) };

static void prepare_folders(void)
{
    cli_copy("sea.nc", "cut.nc");
    cli_truncate("cut.nc", 0.6);
    assert_int_equal(mkdir(cli_path("overnight"), 0755), 0);
    cli_write_text("overnight/blocked", "in the way");
    const bool can_mount = small_disk_mount("overnight/read-only", "size=4m") &&
                           small_disk_mount("overnight/small", "size=64k") &&
                           small_disk_mount("overnight/full", "size=8m");
    if (can_mount)
        small_disk_close("overnight/read-only");
    for (int k = 0; k < OUTCOMES; k++)
        outcomes[k].is_in_queue = can_mount || !outcomes[k].needs_disk;
}

static void write_queue(void)
{
    char text[4000];
    size_t length = (size_t)sprintf(text, "{\"fathom_batch\": 1, \"output\": \"overnight\", \"limits\": "
                                          "{\"cores\": 2}, \"defaults\": {\"cores\": 1}, \"jobs\": [");
    const char *separator = "";
    for (int k = 0; k < OUTCOMES; k++) {
        if (!outcomes[k].is_in_queue)
            continue;
        length += (size_t)sprintf(text + length, "%s{\"name\": \"%s\", %s}", separator, outcomes[k].name,
                                  outcomes[k].entry);
        separator = ", ";
    }
    strcpy(text + length, "]}");
    cli_write_text("overnight.json", text);
}

static int setup(void **state)
{
    if (cli_setup(state) != 0)
        return -1;
    overnight_write_jobs();
    setenv("FATHOM_TEST_FAULT", "segfault:crash,hang:hang", 1);
    return 0;
}

static int teardown(void **state)
{
    unsetenv("FATHOM_TEST_FAULT");
    return small_disk_tear_down(state);
}

static const cJSON *find_run(const cJSON *summary, const char *name)
{
    const cJSON *run;
    cJSON_ArrayForEach(run, cJSON_GetObjectItemCaseSensitive(summary, "runs"))
    {
        if (strcmp(cli_text(run, "name"), name) == 0)
            return run;
    }
    fail_msg("summary.json: there is no run %s", name);
    return NULL;
}

static void check_summary(const cJSON *summary, const struct outcome *outcome)
{
    const cJSON *run = find_run(summary, outcome->name);
    const char *state = cli_text(run, "state");
    const char *cause = cli_text(run, "cause");
    const char *message = cli_text(run, "message");
    const int code = cJSON_GetObjectItemCaseSensitive(run, "exit_code")->valueint;
    const int signal_number = cJSON_GetObjectItemCaseSensitive(run, "signal")->valueint;
    const bool is_signal = outcome->cause && strcmp(outcome->cause, "signal") == 0;
    const bool is_exit = outcome->cause && strcmp(outcome->cause, "exit") == 0;
    if (strcmp(state, outcome->has_passed ? "passed" : "failed") != 0 ||
        (outcome->cause && strcmp(cause, outcome->cause) != 0) ||
        (is_signal && signal_number != outcome->code) || (is_exit && code != outcome->code) ||
        (outcome->message && !strstr(message, outcome->message)))
        fail_msg("%s: %s, %s, exit code %d, signal %d: %s", outcome->name, state, cause, code, signal_number,
                 message);
}

// The case in junit.xml, with its failure or error; and the page names the run.
static void check_pages(const char *junit, const char *page, const struct outcome *outcome)
{
    const char *name = format_text("<testcase classname=\"%s\" name=\"%s\"", outcome->name, outcome->name);
    const char *found = strstr(junit, name);
    if (!found || !strstr(page, outcome->name))
        fail_msg("%s: not in junit.xml or index.html", outcome->name);
    const char *end = strchr(found, '>');
    assert_non_null(end);
    const bool is_closed = end[-1] == '/'; // nothing to report
    if (is_closed != outcome->has_passed)
        fail_msg("%s: junit.xml has %.200s", outcome->name, found);
    if (!outcome->has_passed)
        assert_true(strncmp(end + strcspn(end, "<"), "<failure", 8) == 0 ||
                    strncmp(end + strcspn(end, "<"), "<error", 6) == 0);
}

TEST(the_others_finish_and_the_summary_states_what_happened)
{
    prepare_folders();
    write_queue();
    cli_hold_at("overnight/full/partial/checkpoint.");
    const pid_t batch = cli_start("batch -q --grace '500 ms' overnight.json");
    cli_pace_as_usual();
    if (outcomes[7].is_in_queue) { // its disk fills while it stands still
        cli_wait_until_held(batch);
        small_disk_fill("overnight/full/filler");
        cli_let_go();
    }
    const struct cli_result *result = cli_finish(batch);
    if (result->exit_code != 1)
        fail_msg("exit code %d, signal %d: %s", result->exit_code, result->signal, result->error);
    overnight_assert_quiet(); // the one that hung is gone too
    cJSON *summary = cli_read_json("overnight/summary.json");
    const char *junit = folder_text("overnight/junit.xml"), *page = folder_text("overnight/index.html");
    for (int k = 0; k < OUTCOMES; k++) {
        if (!outcomes[k].is_in_queue)
            continue;
        check_summary(summary, &outcomes[k]);
        check_pages(junit, page, &outcomes[k]);
    }
    (void)overnight_assert_whole("overnight");
    cli_do("run -q -o alone spins.json");
    cli_assert_same_results("overnight/good-spins", "alone");
}

// The disk of the whole batch fills, and is emptied in the morning: nothing that was finished is lost, and
// the rest continues.
TEST(a_full_disk_costs_nothing_that_was_finished)
{
    overnight_write_queues(0); // a retry would wait for room, again and again
    if (!small_disk_mount("storm", "size=24m"))
        skip();
    const pid_t batch = cli_start("batch -q overnight.json");
    assert_true(cli_wait_for("storm/sea-0001/partial/checkpoint.b", batch));
    small_disk_fill("storm/filler");
    const struct cli_result *result = cli_finish(batch);
    if (result->exit_code != 1 && result->exit_code != IO)
        fail_msg("exit code %d, signal %d: %s", result->exit_code, result->signal, result->error);
    overnight_assert_quiet();
    (void)overnight_assert_whole("storm");
    cli_remove("storm/filler");
    cli_do("batch -q --resume --retry-failed overnight.json");
    cli_do("batch -q calm.json");
    for (size_t k = 0; k < overnight_run_count; k++) {
        cli_assert_same_results(format_text("storm/%s", overnight_runs[k]),
                                format_text("calm/%s", overnight_runs[k]));
    }
}

TEST_MAIN(setup, teardown)
