// Overnight batches that are killed: over all five models, ended by SIGKILL at arbitrary moments, the batch
// itself or one of its runs, and resumed until it is done. Every result is then that of an undisturbed batch,
// bit for bit; and after each kill everything that bears a final name is whole.
//
// FATHOM_OVERNIGHT_KILLS: how many kills in all, over as many batches as that takes; FATHOM_OVERNIGHT_SEED:
// of their moments; FATHOM_OVERNIGHT_PICTURES: reports are drawn, too (each takes longer than its run).
#include "core/clock.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/overnight.h"
#include "tests/support/test.h"

#include <signal.h>

enum { KILLS = 5, PROCESSES_MAX = 64, LEGS_MAX = 1000 };

static struct {
    unsigned seed;
    long wanted, batch_kills, run_kills, batches, resumed;
    double calm_s;
} storm;

static long from_environment(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text && atol(text) > 0 ? atol(text) : otherwise;
}

static long kills(void)
{
    return storm.batch_kills + storm.run_kills;
}

static int setup(void **state)
{
    if (cli_setup(state) != 0)
        return -1;
    overnight_write_jobs();
    overnight_write_queues(100);
    return 0;
}

// Sleeps until a moment of the storm's choosing; false if the batch ended before it.
static bool wait_for_the_moment(pid_t batch)
{
    const double end_s = clock_now_s() + 0.5 * storm.calm_s * overnight_random(&storm.seed);
    while (clock_now_s() < end_s) {
        if (!overnight_is_alive(batch))
            return false;
        overnight_sleep(0.002);
    }
    return overnight_is_alive(batch);
}

// Kills the batch, but each third time one of its runs, if there is one. True if the batch was killed.
static bool strike(pid_t batch)
{
    pid_t runs[PROCESSES_MAX];
    const int count = overnight_processes(batch, runs, PROCESSES_MAX);
    if (count > 0 && kills() % 3 == 1) {
        kill(runs[(int)(overnight_random(&storm.seed) * count)], SIGKILL);
        storm.run_kills++;
        (void)overnight_assert_whole("storm"); // while the others go on
        return false;
    }
    kill(batch, SIGKILL);
    return true;
}

// One leg of a batch: from a start, or a resume where the batch lived long enough to have a journal, to the
// batch's end. True if that was the end of the batch.
static bool run_leg(void)
{
    const pid_t batch = cli_exists("storm/journal.jsonl") ? cli_start("batch -q --resume overnight.json")
                                                          : cli_start("batch -q overnight.json");
    bool is_killed = false;
    while (kills() < storm.wanted && !is_killed && wait_for_the_moment(batch))
        is_killed = strike(batch);
    const struct cli_result *result = cli_finish(batch);
    if (is_killed && result->signal == SIGKILL) {
        storm.batch_kills++;
        overnight_assert_quiet(); // its runs go with it
        (void)overnight_assert_whole("storm");
        return false;
    }
    if (result->exit_code != 0) // killed or not: a batch that ends by itself has done its work
        fail_msg("after %ld kills: exit code %d, signal %d: %s", kills(), result->exit_code, result->signal,
                 result->error);
    return true;
}

static void assert_as_calm(void)
{
    for (size_t k = 0; k < overnight_run_count; k++) {
        const char *found = format_text("storm/%s", overnight_runs[k]);
        cli_assert_same_results(found, format_text("calm/%s", overnight_runs[k]));
        assert_false(cli_exists(format_text("%s/partial", found))); // nothing is left lying about
        storm.resumed += cJSON_IsTrue(
            cJSON_GetObjectItemCaseSensitive(cli_read_json(format_text("%s/run.json", found)), "resumed"));
    }
}

TEST(kills_leave_the_results_of_an_undisturbed_batch)
{
    const double begin_s = clock_now_s();
    storm.wanted = from_environment("FATHOM_OVERNIGHT_KILLS", KILLS);
    storm.seed = (unsigned)from_environment("FATHOM_OVERNIGHT_SEED", 20261122);
    cli_do("batch -q calm.json");
    storm.calm_s = clock_now_s() - begin_s;
    assert_true(overnight_assert_whole("calm") >= (int)overnight_run_count);
    while (kills() < storm.wanted) {
        int legs = 0;
        storm.batches++;
        if (cli_exists("storm"))
            cli_remove("storm");
        while (!run_leg())
            assert_in_range(++legs, 1, LEGS_MAX);
        assert_true(overnight_assert_whole("storm") >= (int)overnight_run_count);
        assert_as_calm();
    }
    print_message("%ld batches of %zu runs (%.1f s if calm): the batch killed %ld times, a run %ld times; "
                  "%ld runs had gone on from a checkpoint\n",
                  storm.batches, overnight_run_count, storm.calm_s, storm.batch_kills, storm.run_kills,
                  storm.resumed);
    assert_true(storm.resumed > 0);
}

TEST_MAIN(setup, cli_teardown)
