// Checkpoints that are damaged, cut short or of another run: refused wherever the damage is, the older one
// used, which is reported, and the results then have the bits of a run that nothing happened to. Of each
// model.
#include "io/checkpoint.h"
#include "io/output/output.h"
#include "tests/support/bioheat_job.h"
#include "tests/support/gas_job.h"
#include "tests/support/ising_job.h"
#include "tests/support/nbody_job.h"
#include "tests/support/test.h"

#include <fcntl.h>
#include <signal.h>

// ---- a run that was stopped twice

static cJSON *tsunami_job(void)
{
    cJSON *job = cli_change(
        cli_sea_job(), "backend = 'auto'"); // the program looks twice at what is there, and reports it once
    cli_change(job, "time.duration = '6000 s'; output.diagnostics.every = '300 s'");
    return job;
}

// Stops as soon as there are more steps than before, by a clock that advances with each reading; returns how
// many there are.
static long long stop(const char *how, long long before)
{
    cli_tick_clock(100);
    for (double limit_ms = 0.2; limit_ms < 1000; limit_ms *= 2) {
        long long step = 0;
        const char *limit = format_text("%g ms", limit_ms);
        const struct cli_result *result = cli_run("run -q %s --time-limit %s -o out job.json", how, limit);
        cli_assert_error(result, STOPPED, false, "stopped by");
        assert_int_equal(sscanf(strstr(result->error, "after step "), "after step %lld", &step), 1);
        if (step > before) {
            cli_pace_as_usual();
            return step;
        }
        how = "--resume";
    }
    fail_msg("it makes no step in ten thousand looks at the clock");
    return 0;
}

// The number grows with every checkpoint of a run; −1: no checkpoint.
static int64_t segment_of(char which)
{
    struct checkpoint_header header = {.segment = -1};
    const char *name = format_text("out/partial/checkpoint.%c", which);
    if (cli_exists(name))
        assert_int_equal(checkpoint_verify(cli_path(name), &header), STATUS_OK);
    return header.segment;
}

static char newer[64], older[64];

// Leaves the whole results in "whole", and in "out" a run with both its checkpoints.
static void stop_twice(cJSON *job)
{
    cli_run_to(job, "whole");
    const long long first = stop("--restart", 0);
    stop("--resume", first);
    const bool is_a = segment_of('a') > segment_of('b');
    snprintf(older, sizeof older, "out/partial/checkpoint.%c", is_a ? 'b' : 'a');
    snprintf(newer, sizeof newer, "out/partial/checkpoint.%c", is_a ? 'a' : 'b');
    assert_true(cli_exists(newer) && cli_exists(older));
    folder_shell("cp -r %s %s", cli_path("out"), cli_path("kept"));
}

static void restore(void)
{
    cli_remove("out");
    folder_shell("cp -r %s %s", cli_path("kept"), cli_path("out"));
}

// Resumes from the older one: reported on the terminal and in the log, once; and no result shows
// it.
static void assert_older_is_used(void)
{
    const struct cli_result *result = cli_do("run -q --resume -o out job.json");
    if (!strstr(result->error, "fathom: warning: ") || !strstr(result->error, newer) ||
        !strstr(strstr(result->error, "going on from "), older))
        fail_msg("it is not said that %s is used and not %s: %s", older, newer, result->error);
    char *log = folder_text("out/run.log");
    const char *said = strstr(log, "going on from ");
    assert_non_null(said);
    assert_null(strstr(said + 1, "going on from "));
    cli_assert_same_results("out", "whole");
}

static long size_of(const char *name)
{
    size_t length;
    folder_read(name, &length);
    return (long)length;
}

// In the front, the table, the arrays, the checksum; and short by a byte, and by all but the front.
static void damage_each_part(cJSON *job)
{
    stop_twice(job);
    const long bytes = size_of(newer), places[] = {9, 1000, bytes / 2, -1};
    for (size_t k = 0; k < COUNT(places); k++) {
        restore();
        cli_flip_byte(newer, places[k]);
        assert_older_is_used();
    }
    const long lengths[] = {31, bytes - 1};
    for (size_t k = 0; k < COUNT(lengths); k++) {
        restore();
        assert_int_equal(truncate(cli_path(newer), lengths[k]), 0);
        assert_older_is_used();
    }
}

TEST(test_tsunami)
{
    damage_each_part(tsunami_job());
}

TEST(test_bioheat)
{
    damage_each_part(bioheat_job());
}

TEST(test_nbody)
{
    damage_each_part(nbody_job());
}

TEST(test_gas)
{
    damage_each_part(gas_job());
}

TEST(test_ising)
{
    damage_each_part(ising_job());
}

// ---- foreign ones

// Of another model, of the same job with another number in it, and of other input files.
TEST(test_foreign)
{
    cli_write_gauges("gauges.json");
    cJSON *others[] = {ising_job(), tsunami_job(), tsunami_job()};
    cli_set(others[1], "physics.manning_n", "0.02");
    cJSON *job = cli_change(tsunami_job(), "output.gauges = {'file': 'gauges.json', 'every': '90 s'}");
    cli_set(others[2], "output.gauges", "{'file': 'gauges.json', 'every': '90 s'}");
    stop_twice(job);
    cli_copy("job.json", "mine.json");
    for (size_t k = 0; k < 3; k++) {
        if (k == 2) // the same job, and a gauge elsewhere
            cli_write_json("gauges.json", "{'fathom_gauges': 1, 'gauges': [{'name': 'west', 'longitude': "
                                          "'143 degree', 'latitude': '33.4 degree'}]}");
        cli_write_job(others[k], "job.json");
        cli_remove("out");
        for (long long stops = 0, step = 0; stops < 4; stops++) // more than the run's own: a higher segment
            step = stop(stops == 0 ? "--restart" : "--resume", step);
        const char *name = format_text("foreign.%zu", k);
        cli_copy(segment_of('a') > segment_of('b') ? "out/partial/checkpoint.a" : "out/partial/checkpoint.b",
                 name);
        cli_write_gauges("gauges.json");
        cli_copy("mine.json", "job.json");
        restore();
        cli_copy(name, newer);
        assert_older_is_used();
    }
    // Nothing but foreign ones: refused, nothing thrown away.
    restore();
    cli_copy("foreign.0", newer);
    cli_copy("foreign.1", older);
    cli_assert_error(cli_run("run -q --resume -o out job.json"), CONFIGURATION, false,
                     "belongs to another job");
    assert_true(cli_exists(newer) && cli_exists(older));
}

// ---- both

TEST(test_both_damaged)
{
    stop_twice(ising_job());
    cli_flip_byte(newer, 100);
    cli_truncate(older, 0.5);
    cli_assert_error(cli_run("run -q --resume -o out job.json"), DATA, true, newer, older, "checksum",
                     "truncated");
    assert_false(cli_exists("out/results.nc"));
    assert_true(cli_exists(newer) && cli_exists(older));
}

// ---- what a checkpoint needs beside it

// Leaves in "out" a run that was killed as it had written its second checkpoint, with two segments, and in
// "whole" its results.
static void kill_at_second_checkpoint(void)
{
    cli_run_to(cli_change(ising_job(), "checkpoint.every_steps = 100"), "whole");
    const struct cli_result *stopped =
        cli_stop_at("out/partial/checkpoint.b", SIGKILL, "run -q -o out job.json");
    assert_int_equal(stopped->signal, SIGKILL);
    snprintf(newer, sizeof newer, "out/partial/checkpoint.b");
    snprintf(older, sizeof older, "out/partial/checkpoint.a");
    assert_true(cli_exists(newer) && cli_exists(older) && cli_exists("out/partial/series.0000.nc") &&
                cli_exists("out/partial/series.0001.nc"));
    folder_shell("cp -r %s %s", cli_path("out"), cli_path("kept"));
}

TEST(test_lost_segment)
{
    kill_at_second_checkpoint();
    // The last one: the older checkpoint does not need it.
    cli_remove("out/partial/series.0001.nc");
    cli_assert_error(cli_run("run -q -o out job.json"), CANNOT_CREATE, true, "holds a stopped run (step 100,",
                     "--resume");
    assert_older_is_used();
    restore();
    folder_shell("printf x > %s", cli_path("out/partial/series.0001.nc")); // a disk's damage
    assert_older_is_used();
    // The first one: neither can be used. Both commands report it, and the second's advice is right.
    restore();
    cli_remove("out/partial/series.0000.nc");
    const struct cli_result *result = cli_run("run -q -o out job.json");
    cli_assert_error(result, CANNOT_CREATE, false, "cannot be resumed", "series.0000.nc is missing",
                     "--restart");
    assert_null(strstr(result->error, "--resume"));
    cli_assert_error(cli_run("run -q --resume -o out job.json"), DATA, false, older, newer,
                     "series.0000.nc is missing", "--restart starts again");
    assert_true(cli_exists("out/partial/series.0001.nc") && cli_exists(newer) && cli_exists(older));
    cli_do("run -q --restart -o out job.json");
    cli_assert_same_results("out", "whole");
}

// netCDF-C reads zeros where a file in the classic format was cut.
TEST(test_cut_trajectory)
{
    stop_twice(nbody_job());
    cli_truncate("out/partial/trajectory.0000.nc", 0.95);
    cli_assert_error(cli_run("run -q --resume -o out job.json"), DATA, false, older, newer,
                     "trajectory.0000.nc", "truncated", "--restart starts again");
    cli_do("run -q --restart -o out job.json");
    cli_assert_same_results("out", "whole");
}

// A batch takes the older one, too, or begins again.
TEST(test_lost_segment_in_a_batch)
{
    kill_at_second_checkpoint();
    cli_write_json("queue.json",
                   "{'fathom_batch': 1, 'output': 'overnight', 'jobs': [{'name': 'a', 'job': 'job.json'}]}");
    for (int segment = 0; segment < 2; segment++) {
        cli_do("batch --quiet --restart queue.json");
        folder_shell("sed -i '/\"ended\"/d; /\"closed\"/d' %s", cli_path("overnight/journal.jsonl"));
        folder_shell("rm -r %s; cp -r %s %s; rm %s/partial/series.000%d.nc", cli_path("overnight/a"),
                     cli_path("kept"), cli_path("overnight/a"), cli_path("overnight/a"), segment);
        cli_do("batch --quiet --resume queue.json");
        cli_assert_same_results("overnight/a", "whole");
    }
}

// ---- every byte

// Bits in turn through the whole file, and lengths; each time the older one is found. (In this process: there
// are many.)
TEST(test_every_part_of_the_file)
{
    stop_twice(ising_job());
    size_t length;
    char path[PATH_BYTES], *bytes = folder_read(newer, &length);
    const char *expected = format_text("%s", cli_path(older)); // its buffer does not last
    const int terminal = dup(STDERR_FILENO),
              file = open(cli_path("warnings"), O_WRONLY | O_CREAT | O_APPEND, 0644);
    assert_true(terminal >= 0 && file >= 0 && dup2(file, STDERR_FILENO) >= 0);
    int tries = 0, wrong = 0;
    for (size_t k = 0; k < length; k += k < 1200 || length - k < 64 ? 1 : 61, tries++) {
        bytes[k] ^= (char)(1 << (k % 8));
        folder_write(newer, bytes, length);
        bytes[k] ^= (char)(1 << (k % 8));
        wrong += output_find_checkpoint(cli_path("out"), path) != STATUS_OK || strcmp(path, expected) != 0;
    }
    for (size_t k = 0; k < length; k += 97, tries++) {
        folder_write(newer, bytes, k);
        wrong += output_find_checkpoint(cli_path("out"), path) != STATUS_OK || strcmp(path, expected) != 0;
    }
    assert_true(dup2(terminal, STDERR_FILENO) >= 0);
    close(terminal);
    close(file);
    assert_int_equal(wrong, 0);
    int lines = 0;
    char *warnings = folder_text("warnings");
    for (const char *at = warnings; (at = strstr(at, "going on from ")); at++)
        lines++;
    assert_int_equal(lines, tries);
    folder_write(newer, bytes, length); // whole again: the newer one
    assert_int_equal(output_find_checkpoint(cli_path("out"), path), STATUS_OK);
    assert_string_equal(path, cli_path(newer));
}

// ---- what differs

// A refusal names keys, values and files; without the record beside the checkpoints it is what it was
// without.
TEST(test_differences_are_reported)
{
    cli_write_gauges("gauges.json");
    cJSON *job = cli_change(
        tsunami_job(), "output.gauges = {'file': 'gauges.json', 'every': '90 s'}; physics.manning_n = 0.03");
    cJSON *stopped = cJSON_Duplicate(job, 1);
    stop_twice(stopped);
    cJSON_Delete(stopped);
    cli_copy("gauges.json", "gauges-before.json");
    cli_write_json("gauges.json", "{'fathom_gauges': 1, 'gauges': [{'name': 'west', 'longitude': '143 "
                                  "degree', 'latitude': '33.4 degree'}]}");
    cli_assert_error(cli_run("run -q --resume -o out job.json"), CONFIGURATION, false, "other input files",
                     "gauges.json xxh3 ", " → xxh3 ", "--restart");
    cli_copy("gauges-before.json", "gauges.json");
    cli_save_job(cli_change(
        job, "physics.manning_n = 0.025; time.step = '20 s'; title = 'not said: it changes nothing'"));
    cli_assert_error(cli_run("run -q --resume -o out job.json"), CONFIGURATION, false, "another job",
                     "(time.step \"30 s\" → \"20 s\", physics.manning_n 0.03 → 0.025)");
    cli_truncate("out/partial/job.json", 0.5);
    cli_assert_error(cli_run("run -q --resume -o out job.json"), CONFIGURATION, false,
                     "another job: job.json was changed since; use --restart");
    cli_remove("out/partial/job.json");
    cli_assert_error(cli_run("run -q --resume -o out job.json"), CONFIGURATION, false,
                     "another job: job.json was changed since; use --restart");
    cli_save_job(cli_change(job, "physics.manning_n = 0.03; time.step = '30 s'"));
    cli_do("run -q --resume -o out job.json");
    cli_assert_same_results("out", "whole");
    assert_false(cli_exists("out/partial"));
}

TEST_MAIN(cli_setup, cli_teardown)
