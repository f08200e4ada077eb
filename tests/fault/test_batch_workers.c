// Workers of a batch: processes that take one run after another. Their results are those of a process each,
// whatever ran before; and a run that fails, crashes, hangs or is killed costs itself alone.
//
// FATHOM_WORKER_KILLS: how many kills; FATHOM_OVERNIGHT_SEED: of their moments.
#include "core/clock.h"
#include "tests/support/bioheat_job.h"
#include "tests/support/gas_job.h"
#include "tests/support/ising_job.h"
#include "tests/support/nbody_job.h"
#include "tests/support/overnight.h"
#include "tests/support/test.h"

#include <signal.h>

static void write_queue(const char *file, const char *output, bool has_workers, const char *jobs)
{
    char text[4000];
    const int length = snprintf(text, sizeof text,
                                "{\"fathom_batch\": 1, \"output\": \"%s\", \"workers\": %s, \"defaults\": "
                                "{\"cores\": 1}, \"jobs\": [%s]}",
                                output, has_workers ? "true" : "false", jobs);
    assert_in_range(length, 1, sizeof text - 1);
    cli_write_text(file, text);
}

// kept.json with workers, results in "kept"; apart.json with a process each, in "apart".
static void write_queues(const char *jobs)
{
    write_queue("kept.json", "kept", true, jobs);
    write_queue("apart.json", "apart", false, jobs);
}

static cJSON *run_of(const char *folder, const char *name)
{
    cJSON *run;
    cJSON_ArrayForEach(run,
                       cJSON_GetObjectItem(cli_read_json(format_text("%s/summary.json", folder)),
                                           "runs")) if (strcmp(cli_text(run, "name"), name) == 0) return run;
    fail_msg("%s has no run %s", folder, name);
    return NULL;
}

// Without what depends on the clock (so does the checksum of a file with `history`), on the folder, or on
// what the process holds beside the run.
static cJSON *report_of(const char *folder, const char *name)
{
    static const char *const of_the_moment[] = {"history",  "run_id", "timings",
                                                "pipeline", "phases", "file_xxh3"};
    cJSON *report = cli_read_json(format_text("%s/%s/run.json", folder, name)),
          *memory = cJSON_GetObjectItemCaseSensitive(report, "memory");
    for (size_t k = 0; k < COUNT(of_the_moment); k++)
        cJSON_DeleteItemFromObjectCaseSensitive(report, of_the_moment[k]);
    cJSON_DeleteItemFromObjectCaseSensitive(memory, "program_bytes");
    cJSON_DeleteItemFromObjectCaseSensitive(memory, "peak_resident_bytes");
    return report;
}

static void assert_same_run(const char *name)
{
    cli_assert_same_results(format_text("kept/%s", name), format_text("apart/%s", name));
    const cJSON *kept = report_of("kept", name), *apart = report_of("apart", name);
    if (!cJSON_Compare(kept, apart, true))
        fail_msg("%s: run.json differs:\n%s\n%s", name, cJSON_PrintUnformatted(kept),
                 cJSON_PrintUnformatted(apart));
    cli_assert_tool(cli_run_tool("cmp", cli_path(format_text("kept/_logs/%s.log", name)),
                                 cli_path(format_text("apart/_logs/%s.log", name))));
}

static void write_long_job(void)
{
    cli_write_job(cli_change(ising_job(), "sweeps.count = 16000; checkpoint.every_steps = 4000"),
                  "long.json");
}

// While run 4 computes, no process was started for it: that of run 1, 2 or 3 has it.
TEST(runs_of_a_job_file_share_processes)
{
    write_long_job();
    write_queues("{\"name\": \"a\", \"job\": \"long.json\", \"sweep\": {\"method.seed\": [1, 2, 3, 4, 5]}}");
    for (int is_apart = 0; is_apart < 2; is_apart++) {
        cli_hold_at(format_text("%s/a-0004/partial/checkpoint.", is_apart ? "apart" : "kept"));
        const pid_t batch = cli_start("batch --jobs 1 %s.json", is_apart ? "apart" : "kept");
        cli_wait_until_held(batch);
        const char *command = format_text("pgrep -f -- '--output %s/[a]-0004 '", is_apart ? "apart" : "kept");
        assert_int_equal(cli_run_tool("sh", "-c", command)->exit_code == 0, is_apart);
        cli_let_go();
        cli_pace_as_usual();
        assert_int_equal(cli_finish(batch)->exit_code, 0);
    }
    for (int k = 1; k <= 5; k++)
        assert_same_run(format_text("a-%04d", k));
    overnight_assert_quiet();
}

// Runs of all five models whose sizes, precisions, outputs, warnings and mistakes differ, one after another.
TEST(results_are_those_of_a_process_each)
{
    overnight_write_jobs();
    cli_write_job(cli_change(ising_job(), "sweeps.count = 200"), "spins.json");
    cli_write_job(cli_change(nbody_job(), "time.duration = 0.5"), "cluster.json");
    cli_write_job(cli_change(gas_job(), "time.duration = 0.5"), "fluid.json");
    write_queues(
        "{\"name\": \"spins\", \"job\": \"spins.json\", \"ensemble\": {\"method.seed\": [3, 1, "
        "-1, 7, 1, 2], \"lattice.columns\": [12, 64, 12, 8, 12, 32], \"sweeps.count\": [200, 200, 200, 64, "
        "80, 400]}},"
        "{\"name\": \"sea\", \"job\": \"sea.json\", \"cores\": 2, \"ensemble\": {\"time.duration\": [\"30 "
        "min\", \"60 "
        "min\", \"20 min\", \"30 min\", \"30 min\", \"10 min\"], \"precision\": [\"double\", \"single\", "
        "\"double\", \"single\", \"double\", \"single\"], \"physics.manning_n\": [0.02, 0.03, 0.02, -3, 0.0, "
        "0.02], \"output.compress\": [true, false, false, true, true, false], \"domain.longitude\": [[\"140 "
        "degree\", \"149 degree\"], [\"140 degree\", \"147 degree\"], [\"140 degree\", \"149 degree\"], "
        "[\"140 degree\", \"149 degree\"], [\"140 degree\", \"149 degree\"], [\"141 degree\", \"149 "
        "degree\"]]}},"
        "{\"name\": \"head\", \"job\": \"head.json\", \"ensemble\": {\"time.duration\": [\"60 s\", \"120 "
        "s\", \"60 s\", \"180 s\"], \"precision\": [\"double\", \"single\", \"single\", \"double\"]}},"
        "{\"name\": \"cluster\", \"job\": \"cluster.json\", \"sweep\": {\"particles.plummer.count\": [512, "
        "64, 300]}},"
        "{\"name\": \"fluid\", \"job\": \"fluid.json\", \"ensemble\": {\"particles.lattice.seed\": [5, 1, 5]}"
        "}");
    overnight_sleep(3.2); // a grid that was written just now is not kept for the next run (io/kept.h)
    assert_int_equal(cli_run("batch -q kept.json")->exit_code, CHECK_FAILED);
    assert_int_equal(cli_run("batch -q apart.json")->exit_code, CHECK_FAILED);
    static const char *const entries[] = {"spins", "sea", "head", "cluster", "fluid"};
    static const int counts[] = {6, 6, 4, 3, 3};
    int passed = 0;
    for (size_t e = 0; e < COUNT(entries); e++)
        for (int k = 1; k <= counts[e]; k++) {
            const char *name = format_text("%s-%04d", entries[e], k);
            const cJSON *kept = run_of("kept", name), *apart = run_of("apart", name);
            assert_string_equal(cli_text(kept, "state"), cli_text(apart, "state"));
            if (strcmp(cli_text(kept, "state"), "passed") == 0) {
                assert_same_run(name);
                passed++;
            } else {
                assert_string_equal(cli_text(kept, "message"), cli_text(apart, "message"));
                print_message("%s: %s\n", name, cli_text(kept, "message"));
            }
        }
    assert_int_equal(passed, 20);
}

// A job's limit that a process keeps, but not beside what it holds of an earlier run: the later runs get
// processes of their own.
TEST(a_process_that_holds_too_much_gives_the_run_back)
{
    static const char *const parts[] = {"planned_bytes", "library_ceiling_bytes", "program_bytes"};
    // The plan counts the program in units of 4 MiB, of which a new process may need one more than another; a
    // process that has made a run needs two more.
    double bytes = 6e6;
    cli_write_job(ising_job(), "job.json");
    cli_assert_done(cli_finish(cli_start("run -q job.json"))); // a process of its own, as those of a batch
    for (size_t k = 0; k < COUNT(parts); k++)
        bytes += cli_run_number("out", format_text("memory.%s", parts[k]));
    cli_write_job(cli_change(ising_job(), "memory = {'host': '%.0f B'}", bytes), "tight.json");
    write_queues("{\"name\": \"a\", \"job\": \"tight.json\", \"sweep\": {\"method.seed\": [1, 2, 3, 4, 5, "
                 "6, 7, 8]}}");
    cli_do("batch -q --jobs 1 kept.json");
    cli_do("batch -q apart.json");
    for (int k = 1; k <= 8; k++)
        assert_same_run(format_text("a-%04d", k));
}

// Each costs its own run; the others have the results of a process each.
TEST(one_run_fails_alone)
{
    write_long_job();
    write_queues("{\"name\": \"a\", \"job\": \"long.json\", \"ensemble\": {\"method.seed\": [1, -1, 3, 4, 5, "
                 "6, 7], \"sweeps.count\": [4000, 4000, 4000, 4000, 4000, 100000000, 4000]}, \"time_limit\": "
                 "\"2 s\"}");
    assert_int_equal(setenv("FATHOM_TEST_FAULT", "segfault:a-0003,hang:a-0005", 1), 0);
    const struct cli_result *result = cli_run("batch -q --jobs 1 --grace '0.1 s' kept.json");
    assert_int_equal(unsetenv("FATHOM_TEST_FAULT"), 0);
    assert_int_equal(result->exit_code, CHECK_FAILED);
    assert_int_equal(cli_json_number(run_of("kept", "a-0002"), "exit_code"), CONFIGURATION);
    assert_int_equal(cli_json_number(run_of("kept", "a-0003"), "signal"), SIGSEGV);
    assert_string_equal(cli_text(run_of("kept", "a-0005"), "cause"), "timeout");
    assert_string_equal(cli_text(run_of("kept", "a-0006"), "cause"), "timeout");
    (void)cli_run("batch -q --grace '0.1 s' apart.json");
    static const int good[] = {1, 4, 7};
    for (size_t k = 0; k < COUNT(good); k++)
        assert_same_run(format_text("a-%04d", good[k]));
    cli_assert_tool(
        cli_run_tool("cmp", cli_path("kept/_logs/a-0002.log"), cli_path("apart/_logs/a-0002.log")));
}

// Kills workers while the batch goes on.
static long kill_some(pid_t batch, unsigned *seed, long wanted)
{
    pid_t workers[64];
    long kills = 0;
    while (kills < wanted && overnight_is_alive(batch)) {
        overnight_sleep(0.06 * overnight_random(seed));
        const int count = overnight_processes(batch, workers, 64);
        if (count == 0)
            continue;
        kill(workers[(int)(overnight_random(seed) * count)], SIGKILL);
        kills++;
    }
    return kills;
}

TEST(a_killed_worker_loses_nothing)
{
    const char *wanted = getenv("FATHOM_WORKER_KILLS"), *chosen = getenv("FATHOM_OVERNIGHT_SEED");
    long left = wanted && atol(wanted) > 0 ? atol(wanted) : 4, batches = 0, kills = 0;
    unsigned seed = chosen ? (unsigned)atol(chosen) : 20261130;
    write_long_job();
    write_queues("{\"name\": \"a\", \"job\": \"long.json\", \"retries\": 100, \"sweep\": {\"method.seed\": "
                 "{\"from\": 1, \"count\": 8}}}");
    cli_do("batch -q apart.json");
    while (left > 0) {
        const pid_t batch = cli_start("batch -q --restart --jobs 2 kept.json");
        const long done = kill_some(batch, &seed, left < 6 ? left : 6);
        const struct cli_result *result = cli_finish(batch);
        if (result->exit_code != 0)
            fail_msg("after %ld kills: %s", kills + done, result->error);
        for (int k = 1; k <= 8; k++)
            cli_assert_same_results(format_text("kept/a-%04d", k), format_text("apart/a-%04d", k));
        overnight_assert_quiet();
        left -= done;
        kills += done;
        batches++;
    }
    print_message("%ld batches, a worker killed %ld times\n", batches, kills);
}

TEST_MAIN(cli_setup, cli_teardown)
