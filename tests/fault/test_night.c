// Nights that are killed: a batch over all five models, ended by SIGKILL at moments nobody chose, the batch
// itself or one of its runs, and gone on with until it is done. Every result is then that of a calm night,
// bit for bit; and after each kill everything that bears a final name is whole.
//
// FATHOM_NIGHT_KILLS: how many kills in all, over as many nights as that takes; FATHOM_NIGHT_SEED: of their
// moments; FATHOM_NIGHT_PICTURES: reports are drawn, too (each takes longer than its run).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/clock.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/night.h"

#include <cjson/cJSON.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KILLS = 5, PROCESSES_MAX = 64, PARTS_MAX = 1000 };

static struct {
    unsigned seed;
    long wanted, batch_kills, run_kills, nights, resumed;
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
    night_write_jobs();
    night_write_queues(100);
    return 0;
}

// Sleeps until a moment of the storm's choosing; false if the batch ended before it.
static bool wait_for_the_moment(pid_t batch)
{
    const double end_s = clock_now_s() + 0.5 * storm.calm_s * night_random(&storm.seed);
    while (clock_now_s() < end_s) {
        if (!night_is_alive(batch))
            return false;
        night_sleep(0.002);
    }
    return night_is_alive(batch);
}

// Kills the batch, but each third time one of its runs, if there is one. True if the batch was killed.
static bool strike(pid_t batch)
{
    pid_t runs[PROCESSES_MAX];
    const int count = night_processes(batch, runs, PROCESSES_MAX);
    if (count > 0 && kills() % 3 == 1) {
        kill(runs[(int)(night_random(&storm.seed) * count)], SIGKILL);
        storm.run_kills++;
        (void)night_assert_whole("storm"); // while the others go on
        return false;
    }
    kill(batch, SIGKILL);
    return true;
}

// One part of a night: from a start, or a resume where the batch lived long enough to have a journal, to the
// batch's end. True if that was the end of the night.
static bool run_part(void)
{
    const pid_t batch = cli_exists("storm/journal.jsonl")
                            ? cli_start("batch", "-q", "--resume", "night.json", NULL)
                            : cli_start("batch", "-q", "night.json", NULL);
    bool is_killed = false;
    while (kills() < storm.wanted && !is_killed && wait_for_the_moment(batch))
        is_killed = strike(batch);
    const struct cli_result *result = cli_finish(batch);
    if (is_killed && result->signal == SIGKILL) {
        storm.batch_kills++;
        night_assert_quiet(); // its runs go with it
        (void)night_assert_whole("storm");
        return false;
    }
    if (result->exit_code != 0) // killed or not: a batch that ends by itself has done its work
        fail_msg("after %ld kills: exit code %d, signal %d: %s", kills(), result->exit_code, result->signal,
                 result->error);
    return true;
}

static void assert_as_calm(void)
{
    for (size_t k = 0; k < night_run_count; k++) {
        char calm[80], found[80], partial[96], report[96];
        snprintf(calm, sizeof calm, "calm/%s", night_runs[k]);
        snprintf(found, sizeof found, "storm/%s", night_runs[k]);
        snprintf(partial, sizeof partial, "%s/partial", found);
        snprintf(report, sizeof report, "%s/run.json", found);
        cli_assert_same_results(found, calm);
        assert_false(cli_exists(partial)); // nothing is left lying about
        cJSON *json = cli_read_json(report);
        storm.resumed += cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(json, "resumed"));
        cJSON_Delete(json);
    }
}

static void kills_leave_the_results_of_a_calm_night(void **state)
{
    (void)state;
    const double begin_s = clock_now_s();
    storm.wanted = from_environment("FATHOM_NIGHT_KILLS", KILLS);
    storm.seed = (unsigned)from_environment("FATHOM_NIGHT_SEED", 20261122);
    cli_assert_done(cli_run("batch", "-q", "calm.json", NULL));
    storm.calm_s = clock_now_s() - begin_s;
    assert_true(night_assert_whole("calm") >= (int)night_run_count);
    while (kills() < storm.wanted) {
        int parts = 0;
        storm.nights++;
        if (cli_exists("storm"))
            cli_remove("storm");
        while (!run_part())
            assert_in_range(++parts, 1, PARTS_MAX);
        assert_true(night_assert_whole("storm") >= (int)night_run_count);
        assert_as_calm();
    }
    print_message("%ld nights of %zu runs (%.1f s if calm): the batch killed %ld times, a run %ld times; %ld "
                  "runs had gone "
                  "on from a checkpoint\n",
                  storm.nights, night_run_count, storm.calm_s, storm.batch_kills, storm.run_kills,
                  storm.resumed);
    assert_true(storm.resumed > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(kills_leave_the_results_of_a_calm_night, setup, cli_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
