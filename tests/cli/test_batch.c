// `fathom batch` from the outside: what it runs, in which order, what it makes of runs that fail, crash, hang
// or have no room, and how it continues after a stop and after a kill.
#include "tests/support/ising_job.h"
#include "tests/support/test.h"

#include <signal.h>
#include <sys/resource.h>
#include <time.h>

// "small" is soon done, "long" is stopped in the middle (or by a time limit, "endless"); all keep
// checkpoints.
static int setup(void **state)
{
    if (cli_setup(state) != 0)
        return -1;
    cJSON *job = ising_job();
    cli_write_job(job, "small.json");
    cli_write_job(cli_change(job, "sweeps.count = 40000; checkpoint.every_steps = 4000"), "long.json");
    cli_write_job(cli_change(job, "sweeps = {'count': 100000000, 'every': 100000}"), "endless.json");
    return 0;
}

static void write_queue(const char *jobs)
{
    cli_write_text("queue.json", format_text("{\"fathom_batch\": 1, \"output\": \"overnight\", \"limits\": "
                                             "{\"host\": \"300 MB\"}, \"jobs\": [%s]}",
                                             jobs));
}

// ---- what the summary states

static const char *text_of(const char *name, const char *key)
{
    static char text[2048];
    cJSON *summary = cli_read_json("overnight/summary.json");
    const cJSON *run;
    text[0] = '\0';
    cJSON_ArrayForEach(run, cJSON_GetObjectItem(summary, "runs"))
    {
        const cJSON *value = cJSON_GetObjectItem(run, key);
        if (strcmp(cli_text(run, "name"), name) == 0 && cJSON_IsString(value))
            snprintf(text, sizeof text, "%s", value->valuestring);
    }
    return text;
}

static int number_of(const char *name, const char *key)
{
    int number = -1;
    cJSON *summary = cli_read_json("overnight/summary.json");
    const cJSON *run;
    cJSON_ArrayForEach(run, cJSON_GetObjectItem(summary, "runs"))
    {
        const cJSON *value = cJSON_GetObjectItem(run, key);
        if (strcmp(cli_text(run, "name"), name) == 0 && cJSON_IsNumber(value))
            number = value->valueint;
    }
    return number;
}

static int count_states(const char *state)
{
    int count = 0;
    cJSON *summary = cli_read_json("overnight/summary.json");
    const cJSON *run;
    cJSON_ArrayForEach(run, cJSON_GetObjectItem(summary, "runs")) count +=
        strcmp(cli_text(run, "state"), state) == 0;
    return count;
}

// Lines of the journal with a fragment of text; `position`: of the first one, by bytes.
static int journal_lines(const char *fragment, long *position)
{
    char line[8192];
    int count = 0;
    FILE *file = fopen(cli_path("overnight/journal.jsonl"), "r");
    if (!file)
        return 0;
    for (long at = 0; fgets(line, sizeof line, file); at = ftell(file))
        if (strstr(line, fragment) && count++ == 0 && position)
            *position = at;
    fclose(file);
    return count;
}

static int begun(const char *name)
{
    return journal_lines(format_text("\"run\":\"%s\",\"hash\"", name), NULL);
}

// Begins the batch, and waits until its run "a" has saved a checkpoint, where it stands still until it is
// told to stop.
static pid_t begin_and_hold(void)
{
    cli_hold_at("overnight/a/partial/checkpoint.");
    const pid_t batch = cli_start("batch queue.json");
    cli_wait_until_held(batch);
    cli_pace_as_usual();
    return batch;
}

static void assert_same(const char *name, const char *job)
{
    cli_do("run --quiet --output alone %s", job);
    cli_assert_same_results(format_text("overnight/%s", name), "alone");
    cli_remove("alone");
}

// ---- a batch without accidents, and with one mistake

TEST(test_all_pass)
{
    write_queue("{\"name\": \"one\", \"job\": \"small.json\"},{\"name\": \"seeds\", \"job\": \"small.json\", "
                "\"priority\": 1, \"sweep\": {\"method.seed\": [0, 5]}}");
    cli_do("batch --jobs 1 queue.json");
    assert_int_equal(count_states("passed"), 3);
    assert_same("one", "small.json");
    long first = 0, last = 0;
    (void)journal_lines("\"event\":\"started\"", NULL);
    (void)journal_lines("\"run\":\"seeds-0001\"", &first);
    (void)journal_lines("\"run\":\"one\"", &last);
    assert_true(first > 0 && last > first); // by priority
    assert_int_equal(cli_count_entries("overnight/_logs"), 3);
    // What passed is not run again, and a second batch does not begin where one was.
    cli_assert_error(cli_run("batch queue.json"), 73, true, "--resume", "3 of 3 passed");
    cli_do("batch --resume queue.json");
    assert_int_equal(begun("one"), 2); // started and ended, once
    cli_assert_error(cli_run("batch --array-task 4 queue.json"), 64, true, "--array-task 4", "3 runs");
}

// Runs with warnings pass, and the batch says how many there are.
TEST(test_warnings_of_the_runs_are_counted)
{
    write_queue(
        "{\"name\": \"plain\", \"job\": \"small.json\"}, {\"name\": \"doubtful\", \"job\": "
        "\"small.json\", \"set\": {\"lattice\": {\"columns\": 64}, \"temperatures.beta\": [0.4406868, "
        "0.45], \"sweeps\": {\"count\": 64, \"every\": 2, \"thermalisation\": 0}, \"start.kind\": "
        "\"hot\"}}");
    assert_has(cli_do("batch --restart queue.json")->error, "doubtful passed in ", "; 2 warnings\n",
               "0 failed, 1 with warnings; ");
    cJSON *summary = cli_read_json("overnight/summary.json");
    assert_int_equal(cli_count(summary, "runs.0.warnings"), 0);
    assert_int_equal(cli_count(summary, "runs.1.warnings"), 2);
    assert_has(cli_text(summary, "runs.1.warnings.0"), "not reliable");
    assert_int_equal(count_states("passed"), 2);
}

TEST(test_some_fail)
{
    write_queue("{\"name\": \"good\", \"job\": \"small.json\"},{\"name\": \"mistaken\", \"job\": "
                "\"small.json\", \"set\": {\"method.seed\": -1}, \"retries\": 3},{\"name\": \"vast\", "
                "\"job\": \"small.json\", \"set\": {\"lattice.columns\": 60000, \"lattice.rows\": "
                "60000}},{\"name\": \"crashing\", \"job\": \"small.json\", \"retries\": 1},{\"name\": "
                "\"hanging\", \"job\": \"small.json\", \"time_limit\": \"1 h\"}");
    assert_int_equal(setenv("FATHOM_TEST_FAULT", "segfault:crashing,hang:hanging", 1), 0);
    cli_leap_at("later");
    const pid_t batch = cli_start("batch --grace '0.1 s' queue.json");
    assert_int_equal(unsetenv("FATHOM_TEST_FAULT"), 0);
    assert_true(cli_wait_for_text("overnight/_logs/hanging.log", "the run hangs", batch));
    cli_write_text("later", "");
    cli_pace_as_usual();
    const struct cli_result *result = cli_finish(batch);
    assert_int_equal(result->exit_code, 1);
    assert_has(result->error, "fathom: 4 of 5 runs failed\n");
    assert_string_equal(text_of("good", "state"), "passed");
    assert_int_equal(number_of("mistaken", "exit_code"), 78);
    assert_has(text_of("mistaken", "message"), "method.seed");
    assert_int_equal(journal_lines("\"run\":\"mistaken\"", NULL), 1); // no retry would help
    assert_string_equal(text_of("vast", "cause"), "room");
    assert_has(text_of("vast", "message"), "more than the 300 MB that the batch may use");
    assert_int_equal(number_of("crashing", "signal"), SIGSEGV);
    assert_int_equal(number_of("crashing", "attempts"), 2);
    assert_string_equal(text_of("hanging", "cause"), "timeout");
    assert_int_equal(number_of("hanging", "signal"), SIGKILL);
    assert_same("good", "small.json");
    // The hook is gone, and they pass; the mistake stays one.
    assert_int_equal(cli_run("batch --resume --retry-failed queue.json")->exit_code, 1);
    assert_int_equal(count_states("passed"), 3);
    assert_same("crashing", "small.json");
}

// execve(2) takes a quarter of the stack's limit, so that this run's settings are too long for it.
TEST(test_program_that_cannot_be_executed)
{
    enum { SETTINGS = 3, SETTING_BYTES = 95000 };
    char *text = owned_zeros(1, SETTINGS * SETTING_BYTES + 1000), *at = text;
    struct rlimit usual, low;
    at = stpcpy(at,
                "{\"fathom_batch\": 1, \"output\": \"overnight\", \"jobs\": [{\"name\": \"good\", \"job\": "
                "\"small.json\"}, {\"name\": \"long\", \"job\": \"small.json\", \"retries\": 1, \"set\": {");
    for (int k = 0; k < SETTINGS; k++) {
        at += sprintf(at, "%s\"%c\": \"", k > 0 ? "," : "", 'a' + k);
        memset(at, 'x', SETTING_BYTES);
        at = stpcpy(at + SETTING_BYTES, "\"");
    }
    stpcpy(at, "}}]}");
    cli_write_text("queue.json", text);
    assert_int_equal(getrlimit(RLIMIT_STACK, &usual), 0);
    low = (struct rlimit){.rlim_cur = 1 << 20, .rlim_max = usual.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_STACK, &low), 0);
    const struct cli_result *result = cli_run("batch queue.json");
    assert_int_equal(setrlimit(RLIMIT_STACK, &usual), 0);
    assert_int_equal(result->exit_code, 1);
    assert_has(result->error, "long is retried: the program cannot be executed: ",
               "long failed: the program cannot be executed: Argument list too long\n");
    assert_int_equal(number_of("long", "exit_code"), 127);
    assert_string_equal(text_of("good", "state"), "passed");
}

// ---- stops, kills, and what comes after

static void write_long_queue(void)
{
    write_queue("{\"name\": \"a\", \"job\": \"long.json\"}, {\"name\": \"b\", \"job\": "
                "\"long.json\"},{\"name\": \"c\", \"job\": \"small.json\"}");
}

TEST(test_stop_and_resume)
{
    write_long_queue();
    const pid_t batch = begin_and_hold();
    cli_assert_error(cli_run("batch --restart queue.json"), 73, true, "in use");
    assert_int_equal(kill(batch, SIGTERM), 0);
    const struct cli_result *result = cli_finish(batch);
    assert_int_equal(result->exit_code, 75);
    assert_has(result->error, "fathom batch --resume");
    assert_string_equal(text_of("a", "state"), "stopped");
    assert_true(cli_exists("overnight/a/partial"));
    cli_do("batch --resume queue.json");
    assert_int_equal(count_states("passed"), 3);
    assert_int_equal(number_of("a", "attempts"), 2);
    assert_true(cli_run_number("overnight/a", "timings.first_step") > 0); // it was resumed, not started again
    assert_same("a", "long.json");
    assert_same("b", "long.json");
}

TEST(test_time_limit_of_the_batch)
{
    write_queue("{\"name\": \"a\", \"job\": \"endless.json\"}, {\"name\": \"b\", \"job\": \"endless.json\"}");
    const struct cli_result *result = cli_run("batch --time-limit '0.3 s' -q queue.json");
    assert_int_equal(result->exit_code, 75);
    assert_has(result->error, "stopped by its time limit");
}

// Started with nohup(1), the batch ignores a closed terminal; otherwise it stops, and a second Ctrl-C does
// not wait.
TEST(test_hangup_and_second_interrupt)
{
    write_long_queue();
    assert_true(signal(SIGHUP, SIG_IGN) != SIG_ERR);
    pid_t batch = cli_start("batch queue.json");
    assert_true(signal(SIGHUP, SIG_DFL) != SIG_ERR);
    assert_true(cli_wait_for_checkpoint("overnight/a", 0, batch));
    assert_int_equal(kill(batch, SIGHUP), 0);
    assert_int_equal(cli_finish(batch)->exit_code, 0);
    assert_int_equal(setenv("FATHOM_TEST_FAULT", "hang:a", 1), 0);
    batch = cli_start("batch --restart --grace '1 h' queue.json");
    assert_int_equal(unsetenv("FATHOM_TEST_FAULT"), 0);
    assert_true(cli_wait_for_text("overnight/_logs/a.log", "the run hangs", batch));
    assert_int_equal(kill(batch, SIGHUP), 0);
    assert_true(cli_wait_for_text(".error", "SIGHUP: the runs save checkpoints and stop", batch));
    assert_int_equal(kill(batch, SIGINT), 0);
    assert_int_equal(cli_finish(batch)->exit_code, 75);
    assert_string_equal(text_of("a", "state"), "stopped");
    assert_int_equal(number_of("a", "signal"), SIGKILL);
}

// Its children die with it, at once: two processes must never write to one folder.
TEST(test_kill_and_resume)
{
    write_long_queue();
    const pid_t batch = begin_and_hold();
    assert_int_equal(kill(batch, SIGKILL), 0);
    assert_int_equal(cli_finish(batch)->signal, SIGKILL);
    const char *command = format_text("! pgrep -f -- '--output overnight/[abc] -- %s'", "[l]ong.json");
    const struct timespec pause = {.tv_nsec = 20000000};
    bool has_children = true;
    for (int k = 0; k < 3000 && has_children; k++) {
        nanosleep(&pause, NULL);
        has_children = cli_run_tool("sh", "-c", command)->exit_code != 0;
    }
    assert_false(has_children);
    assert_true(cli_exists("overnight/a/partial") &&
                !cli_exists("overnight/a/run.json")); // killed, not left to end
    cli_do("batch --resume queue.json");
    assert_int_equal(count_states("passed"), 3);
    assert_same("a", "long.json");
    assert_same("b", "long.json");
}

// Killed before it had a journal, or a script that always gives --resume: it begins. Results without a
// journal are left alone.
TEST(test_resume_of_nothing)
{
    write_queue("{\"name\": \"one\", \"job\": \"small.json\"}");
    assert_has(cli_do("batch --resume queue.json")->error, "nothing to resume");
    assert_int_equal(count_states("passed"), 1);
    assert_int_equal(unlink(cli_path("overnight/journal.jsonl")), 0);
    cli_assert_error(cli_run("batch --resume queue.json"), 66, true, "no journal of a batch");
}

// Damaged checkpoints are no reason to give up: the run begins again.
TEST(test_damaged_checkpoints)
{
    write_long_queue();
    const pid_t batch = begin_and_hold();
    assert_int_equal(kill(batch, SIGTERM), 0);
    assert_int_equal(cli_finish(batch)->exit_code, 75);
    const char *const checkpoints[] = {"overnight/a/partial/checkpoint.a",
                                       "overnight/a/partial/checkpoint.b"};
    for (size_t k = 0; k < 2; k++)
        if (cli_exists(checkpoints[k]))
            cli_flip_byte(checkpoints[k], 100);
    assert_has(cli_do("batch --resume queue.json")->error, "warning: a starts again: ");
    assert_same("a", "long.json");
}

// ---- elements of an array

TEST(test_array_tasks)
{
    write_queue("{\"name\": \"seeds\", \"job\": \"small.json\", \"sweep\": {\"method.seed\": [0, "
                "5]}},{\"name\": \"bad\", \"job\": \"small.json\", \"set\": {\"sweeps.count\": 0}}");
    const pid_t first = cli_start("batch --array-task 1 queue.json");
    assert_int_equal(cli_finish(first)->exit_code, 0);
    assert_int_equal(cli_run("batch --array-task 3 queue.json")->exit_code, 1);
    assert_false(cli_exists("overnight/summary.json") || cli_exists("overnight/seeds-0002"));
    // Not all have run: the summary states it, and more may come.
    assert_int_equal(cli_run("batch --summary queue.json")->exit_code, 1);
    assert_int_equal(count_states("passed"), 1);
    assert_int_equal(count_states("waiting"), 1);
    cli_do("batch --array-task 2 queue.json");
    const struct cli_result *result = cli_run("batch --summary --json queue.json");
    assert_int_equal(result->exit_code, 1);
    assert_int_equal(count_states("passed"), 2);
    (void)cli_output_json(result);
    // Begun again by its scheduler, an element that has passed has nothing to do.
    cli_do("batch --array-task 1 queue.json");
}

// A run that asks for more cores than there are gets all, or as many as the command line allows.
TEST(test_more_cores_than_there_are)
{
    const int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    write_queue(format_text("{\"name\": \"one\", \"job\": \"small.json\", \"cores\": %d}", cores + 3));
    cli_do("batch --restart queue.json");
    assert_in_range(number_of("one", "cores"), 1, cores);
    cli_do("batch --restart --cores %d queue.json", cores + 2);
    assert_int_equal(number_of("one", "cores"), cores + 2);
}

TEST(test_command_line)
{
    const struct {
        const char *option, *value, *fragment;
    } cases[] = {
        {"--jobs", "0", "--jobs 0: expected a whole number from 1 to 100000"},
        {"--cores", "two", "--cores two: expected a whole number"},
        {"--time-limit", "5", "--time-limit"},
        {"--grace", "-1 s", "--grace"},
        {"--array-task", "1.5", "--array-task 1.5: expected a whole number"},
        {"--resume", "--restart", "not both"},
        {"--retry-failed", "-q", "--retry-failed needs --resume"},
        {"--summary", "--resume", "--summary runs nothing"},
    };
    write_queue("{\"name\": \"one\", \"job\": \"small.json\"}");
    for (size_t k = 0; k < COUNT(cases); k++)
        cli_assert_error(cli_run("batch %s %s queue.json", cases[k].option, cases[k].value), 64, false,
                         cases[k].fragment);
    cli_assert_error(cli_run("batch"), 64, false, "one queue file");
    cli_assert_error(cli_run("run --control 7 small.json"), 64, false, "--control 7");
}

TEST_MAIN(setup, cli_teardown)
