// The scripts of data/slurm on a real Slurm of one node (tests/cli/slurm_node starts Slurm, then this test).
// overnight.sbatch: a job array with a run of every model, one of which is stopped by Slurm's warning and
// queued again, and one that fails. ranks.sbatch: a run of two tasks, which is stopped so too. All end with
// the bits of a plain run.
#include "parallel/launch.h"
#include "tests/support/bioheat_job.h"
#include "tests/support/gas_job.h"
#include "tests/support/ising_job.h"
#include "tests/support/nbody_job.h"
#include "tests/support/test.h"

#include <time.h>

enum { ELEMENTS = 7, LONG = 1, BAD = 7, WAIT_S = 60 };

static const char *const names[ELEMENTS] = {"long", "sea", "head", "bodies", "fluid", "spins", "bad"};

// Held at a checkpoint until its warning has come.
static cJSON *long_job(void)
{
    cJSON *job = cli_change(ising_job(), "lattice = {'columns': 64}; sweeps = {'count': 10000, 'every': 5}; "
                                         "checkpoint.every_steps = 1000; method.name = 'swendsen-wang'");
    return job;
}

static cJSON *bad_job(void)
{
    return cli_change(ising_job(), "sweeps.count = -1");
}

static void write_queue(void)
{
    cJSON *(*const make[ELEMENTS])(void) = {long_job, cli_sea_job, bioheat_job, nbody_job,
                                            gas_job,  ising_job,   bad_job};
    cJSON *queue = cli_json("{'fathom_batch': 1, 'output': 'overnight'}"),
          *list = cJSON_AddArrayToObject(queue, "jobs");
    for (int k = 0; k < ELEMENTS; k++) {
        cJSON *job = make[k](), *entry = cJSON_CreateObject();
        const char *file = format_text("%s.json", names[k]);
        cli_write_job(job, file);
        cJSON_AddStringToObject(entry, "name", names[k]);
        cJSON_AddStringToObject(entry, "job", file);
        cJSON_AddItemToArray(list, entry);
    }
    cli_write_job(queue, "queue.json");
}

// Every run by itself, without batch and Slurm.
static void run_plainly(void)
{
    for (int k = 0; k < ELEMENTS; k++) {
        if (k + 1 != BAD)
            cli_do("run -q -t 1 -o %s %s", format_text("whole-%s", names[k]),
                   format_text("%s.json", names[k]));
    }
}

// ---- Slurm

static int submit(void)
{
    const struct cli_result *result =
        cli_run_tool("sbatch", "--parsable", "--cpus-per-task=1", "--mem=0", "--time=10",
                     format_text("--array=1-%d", ELEMENTS),
                     format_text("%s/data/slurm/overnight.sbatch", TEST_SOURCE_DIRECTORY), "queue.json");
    if (result->exit_code != 0)
        fail_msg("sbatch: %s", result->error);
    return atoi(result->output);
}

// What scontrol reports of an element: "JobState=RUNNING".
static bool is_told(int job, int element, const char *word)
{
    const struct cli_result *result =
        cli_run_tool("scontrol", "show", "job", "-o", format_text("%d_%d", job, element));
    const char *at = result->exit_code == 0 ? strstr(result->output, word) : NULL;
    return at && strchr(" \n", at[strlen(word)]) != NULL;
}

static void await(const char *what, bool (*is_so)(int job), int job)
{
    const struct timespec tenth = {.tv_nsec = 100000000};
    const time_t end = time(NULL) + WAIT_S;
    while (time(NULL) < end) {
        if (is_so(job))
            return;
        nanosleep(&tenth, NULL);
    }
    fail_msg("after a minute still not %s", what);
}

static bool is_long_under_way(int job)
{
    return is_told(job, LONG, "JobState=RUNNING") && cli_exists(".held");
}

static bool is_long_queued_again(int job)
{
    return is_told(job, LONG, "Restarts=1");
}

static bool is_empty(int job)
{
    const struct cli_result *result = cli_run_tool("squeue", "--noheader");
    return result->exit_code == 0 && result->output[0] == '\0';
}

// As --signal=B:TERM@120 does two minutes before the time limit. An element that is queued again at once
// looks to scancel as if it were in transition, and it would send the signal once more after five seconds, to
// the next attempt: so it is ended before.
static void warn_long(int job)
{
    cli_run_tool("timeout", "3", "scancel", "--batch", "--signal=TERM", format_text("%d_%d", job, LONG));
}

// ---- what came out

static void check_summary(void)
{
    assert_int_equal(cli_run("batch --summary queue.json")->exit_code, 1); // one did not pass
    cJSON *summary = cli_read_json("overnight/summary.json");
    cli_expect_number(summary, "totals.passed", ELEMENTS - 1);
    assert_true(cli_json_number(summary, "totals.failed") == 1);
    const cJSON *runs = cJSON_GetObjectItem(summary, "runs");
    for (int k = 0; k < ELEMENTS; k++) {
        const cJSON *run = cJSON_GetArrayItem(runs, k);
        assert_string_equal(cli_text(run, "name"), names[k]);
        const int attempts = k + 1 == LONG ? 2 : k + 1 == BAD ? 0 : 1; // BAD: its plan is refused
        if (cli_json_number(run, "attempts") != attempts)
            fail_msg("%s: %g attempts", names[k], cli_json_number(run, "attempts"));
    }
}

TEST(test_array)
{
    write_queue();
    run_plainly();
    cli_hold_at("overnight/long/partial/checkpoint."); // Slurm hands the environment on
    const int job = submit();
    cli_pace_as_usual();
    await("under way", is_long_under_way, job);
    warn_long(job);
    await("queued again", is_long_queued_again, job);
    assert_false(cli_exists("overnight/long/run.json"));
    await("done", is_empty, job);
    for (int k = 1; k <= ELEMENTS; k++) {
        assert_true(is_told(job, k, k == BAD ? "JobState=FAILED" : "JobState=COMPLETED"));
        assert_true(is_told(job, k, k == LONG ? "Restarts=1" : "Restarts=0"));
    }
    for (int k = 0; k < ELEMENTS; k++) {
        if (k + 1 != BAD)
            cli_assert_same_results(format_text("overnight/%s", names[k]), format_text("whole-%s", names[k]));
    }
    check_summary();
}

// ---- one run of two ranks

static bool is_run_told(int job, const char *word)
{
    const struct cli_result *result = cli_run_tool("scontrol", "show", "job", "-o", format_text("%d", job));
    const char *at = result->exit_code == 0 ? strstr(result->output, word) : NULL;
    return at && strchr(" \n", at[strlen(word)]) != NULL;
}

static bool is_run_held(int job)
{
    return is_run_told(job, "JobState=RUNNING") && cli_exists(".held");
}

static bool is_run_queued_again(int job)
{
    return is_run_told(job, "Restarts=1");
}

// Under srun --mpi=MPI, whose module is that of `library`.
static void check_two_ranks(const char *mpi, const char *library)
{
    char modules[128];
    if (!strstr(launch_modules(modules, sizeof modules), library)) {
        print_message("no module of %s: two ranks under srun --mpi=%s are not tested\n", library, mpi);
        return;
    }
    const char *folder = format_text("two-%s", mpi);
    cli_hold_at(format_text("%s/partial/checkpoint.", folder));
    assert_int_equal(setenv("FATHOM_SRUN_MPI", mpi, 1), 0);
    const struct cli_result *result = cli_run_tool(
        "sbatch", "--parsable", "--ntasks=2", "--cpus-per-task=1", "--mem-per-cpu=0", "--time=10",
        format_text("%s/data/slurm/ranks.sbatch", TEST_SOURCE_DIRECTORY), "two.json", "-q", "-o", folder);
    cli_pace_as_usual();
    if (result->exit_code != 0)
        fail_msg("sbatch: %s", result->error);
    const int job = atoi(result->output);
    await("held", is_run_held, job);
    cli_run_tool("timeout", "3", "scancel", "--batch", "--signal=TERM", format_text("%d", job));
    await("queued again", is_run_queued_again, job);
    assert_false(cli_exists(format_text("%s/run.json", folder)));
    await("done", is_empty, job);
    if (!is_run_told(job, "JobState=COMPLETED"))
        fail_msg("%s: not completed: %s", mpi, cli_run_tool("sh", "-c", "cat fathom-ranks-*.log")->output);
    cli_assert_same_results(folder, "one");
    const cJSON *report = cli_read_json(format_text("%s/run.json", folder));
    cli_expect_number(report, "parallel.ranks", 2);
    assert_true(
        strncmp(cli_text(cJSON_GetObjectItem(report, "parallel"), "library"), library, strlen(library)) == 0);
}

TEST(test_two_ranks)
{
    cli_write_job(cli_change(ising_job(), "lattice = {'columns': 64}; sweeps = {'count': 6000, 'every': 5}; "
                                          "checkpoint.every_steps = 1000; method.name = 'heat-bath'"),
                  "two.json");
    cli_do("run -q -t 1 -o one two.json");
    check_two_ranks("pmix", "Open MPI");
    check_two_ranks("pmi2", "MPICH");
}

TEST_MAIN(cli_setup, cli_teardown)
