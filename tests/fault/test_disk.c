// A disk that is too small or runs full: refused before the start, or ended with one line in the middle;
// earlier results stay as they were, and what was saved can be resumed when there is room again.
#include "tests/support/bioheat_job.h"
#include "tests/support/gas_job.h"
#include "tests/support/ising_job.h"
#include "tests/support/nbody_job.h"
#include "tests/support/small_disk.h"
#include "tests/support/test.h"

#include <signal.h>
#include <sys/statvfs.h>
#include <sys/wait.h>

enum { IO = 74 };

static void mount_disk(const char *options)
{
    if (!small_disk_mount("disk", options))
        skip();
}

// Thousands of steps with records enough to need some megabytes.
static cJSON *long_job(void)
{
    cJSON *job =
        cli_change(cli_sea_job(),
                   "time.duration = '120000 s'; output.fields.every = '900 s'; checkpoint.every_steps = 800");
    return job;
}

// Results of a short run in a folder, with a copy to compare with.
static void make_earlier_results(const char *directory)
{
    cli_write_job(cli_sea_job(), "short.json");
    cli_do("run -q -o %s short.json", directory);
    cli_copy(format_text("%s/run.json", directory), "earlier.json");
    cli_do("run -q -o earlier short.json");
}

static void assert_earlier_results_survive(const char *directory)
{
    cli_assert_same_results(directory, "earlier");
    cJSON *before = cli_read_json("earlier.json"),
          *now = cli_read_json(format_text("%s/run.json", directory));
    assert_true(cJSON_Compare(before, now, true));
}

// Runs job.json on the disk as far as this file, and stops it in its tracks, so that the disk can be filled.
static pid_t start_and_stop_at(const char *file)
{
    cli_hold_at(file);
    const pid_t child = cli_start("run -q -o disk/out job.json");
    cli_wait_until_held(child);
    cli_pace_as_usual();
    assert_int_equal(kill(child, SIGSTOP), 0);
    assert_int_equal(waitpid(child, NULL, WUNTRACED), child);
    return child;
}

static void go_on(pid_t child)
{
    cli_let_go();
    assert_int_equal(kill(child, SIGCONT), 0);
}

TEST(test_refused_when_it_cannot_fit)
{
    mount_disk("size=16m");
    make_earlier_results("disk/out");
    cJSON *job = cli_change(long_job(), "output.fields.every = '30 s'"); // 4001 records of 14400 bytes
    cli_save_job(job);
    cli_assert_error(cli_run("plan -o disk/out job.json"), IO, false, "disk/out", "not enough space", "MB");
    cli_assert_error(cli_run("run -o disk/out job.json"), IO, false, "disk/out", "not enough space", "MB");
    cli_assert_error(cli_run("run -o disk/new/deeper job.json"), IO, false, "disk/new/deeper",
                     "not enough space");
    assert_false(cli_exists("disk/new"));
    assert_false(cli_exists("disk/out/partial"));
    assert_earlier_results_survive("disk/out");
}

// The space that a run reports as needed, in bytes, on a disk with next to nothing; there it leaves nothing
// behind.
static double needed_bytes(const char *checkpoint)
{
    double size = 0;
    char unit[8] = "";
    mount_disk("size=64k");
    const struct cli_result *result = cli_run("run -q --set %s -o disk/out job.json", checkpoint);
    cli_assert_error(result, IO, false, "disk/out: not enough space", "need up to ", "65.5 kB free");
    assert_int_equal(sscanf(strstr(result->error, "need up to ") + 11, "%lf %7[A-Za-z]", &size, unit), 2);
    assert_int_equal(cli_count_entries("disk"), 0);
    small_disk_unmount();
    return size * (strcmp(unit, "MB") == 0 ? 1e6 : 1e3);
}

// However small the job: headers, coordinates and chunks, run.json and the log take their room. With as much
// as is asked for, to its three digits, the run gets through.
TEST(test_tiny_disk)
{
    cJSON *jobs[] = {cli_sea_job(), bioheat_job(), nbody_job(), gas_job(), ising_job()};
    static const char *const checkpoints[] = {"checkpoint.every_steps=1000000", "checkpoint.every_steps=10"};
    for (size_t k = 0; k < COUNT(jobs); k++) {
        cli_write_job(jobs[k], "job.json");
        for (size_t c = 0; c < COUNT(checkpoints); c++) {
            mount_disk(format_text("size=%.0fk", 1.005 * needed_bytes(checkpoints[c]) / 1024 + 4));
            cli_do("run -q --set %s -o disk/out job.json", checkpoints[c]);
            small_disk_unmount();
        }
    }
}

TEST(test_runs_full_and_is_resumed)
{
    mount_disk("size=40m");
    make_earlier_results("disk/out");
    cli_save_job(long_job());
    const pid_t child = start_and_stop_at("disk/out/partial/checkpoint.b");
    small_disk_fill("disk/filler");
    go_on(child);
    // A look at the disk may come before the write that fails, and warn.
    cli_assert_error(cli_finish(child), IO, true, "disk/out/", "no space left on device");
    assert_earlier_results_survive("disk/out");
    assert_true(cli_exists("disk/out/partial/checkpoint.a") && cli_exists("disk/out/partial/checkpoint.b"));
    cli_remove("disk/filler");
    cli_do("run -q --resume -o disk/out job.json");
    cli_do("run -q -o whole job.json");
    cli_assert_same_results("disk/out", "whole");
    assert_false(cli_exists("disk/out/partial"));
}

// Takes all of a file system but so much.
static void fill_all_but(const char *name, double left_bytes)
{
    struct statvfs disk;
    assert_int_equal(statvfs(cli_path("disk"), &disk), 0);
    const double bytes = (double)disk.f_bavail * (double)disk.f_frsize - left_bytes;
    const int file = open(cli_path(name), O_WRONLY | O_CREAT, 0644);
    assert_true(file >= 0 && bytes > 0);
    assert_int_equal(posix_fallocate(file, 0, (off_t)bytes), 0);
    close(file);
}

// Nearly full, while the run goes: it stops with a checkpoint as long as there is room for one, reports it
// with numbers, and continues when there is more.
TEST(test_stops_before_it_is_full)
{
    mount_disk("size=60m");
    cJSON *job = cli_change(long_job(), "time.duration = '240000 s'; output.fields.every = '600 s'");
    cli_save_job(job);
    cli_tick_clock(10000); // the disk is looked at each quarter of a second: after some looks at the clock
    const pid_t child = start_and_stop_at("disk/out/partial/checkpoint.");
    fill_all_but("disk/filler", 8e6);
    go_on(child);
    cli_assert_error(cli_finish(child), STOPPED, false, "stopped by a nearly full disk (", " free, up to ",
                     "a checkpoint is saved", "when there is space on the disk, with: fathom run --resume");
    assert_false(cli_exists("disk/out/fields.nc"));
    // Not yet: missing space is reported before anything is started.
    cli_assert_error(cli_run("run -q --resume -o disk/out job.json"), IO, false, "not enough space");
    cli_remove("disk/filler");
    cli_do("run -q --resume -o disk/out job.json");
    assert_false(cli_exists("disk/out/partial"));
}

// Full before there was any checkpoint: nothing is left but the earlier results.
TEST(test_full_from_the_start)
{
    mount_disk("size=40m");
    make_earlier_results("disk/out");
    cli_save_job(cli_change(long_job(), "delete checkpoint"));
    const pid_t child = start_and_stop_at("disk/out/partial/job.json");
    small_disk_fill("disk/filler");
    go_on(child);
    cli_assert_error(cli_finish(child), IO, true, "disk/out/", "no space left on device"); // as above
    assert_earlier_results_survive("disk/out");
    assert_false(cli_exists("disk/out/partial"));
}

// Of a GeoTIFF not even the first bytes are written, and nothing is left of it.
TEST(test_converting_to_a_full_disk)
{
    cli_run_job(cli_change(cli_sea_job(), "output.maxima = true"));
    mount_disk("size=64k");
    small_disk_fill("disk/filler");
    cli_assert_error(cli_run("convert --variable max_eta out/maxima.nc disk/x.tif"), IO, false, "disk/x.tif",
                     "no space left on device");
    assert_int_equal(cli_count_entries("disk"), 1);
}

// A limit on the size of a file, such as a batch system sets, needs no superuser: an error with a name, not a
// death by signal.
TEST(test_file_size_limit)
{
    make_earlier_results("out");
    cli_save_job(cli_change(long_job(), "delete checkpoint"));
    const struct cli_options limited = {.file_bytes_max = 400000};
    cli_assert_error(cli_run_as(&limited, "run -q -o out job.json"), IO, false, "out/partial/");
    assert_earlier_results_survive("out");
    assert_false(cli_exists("out/partial"));
}

// The same while a checkpoint is there: it stays, and is enough to resume from.
TEST(test_file_size_limit_after_a_checkpoint)
{
    make_earlier_results("out");
    cJSON *job = cli_change(long_job(), "checkpoint.every_steps = 1500; output.fields.every = '300 s'");
    cli_save_job(job);
    // A segment holds 151 records of 14400 bytes at most, the joined file 401.
    const struct cli_options limited = {.file_bytes_max = 4500000};
    cli_assert_error(cli_run_as(&limited, "run -q -o out job.json"), IO, false, "out/partial/");
    assert_earlier_results_survive("out");
    assert_true(cli_exists("out/partial/checkpoint.a"));
    cli_do("run -q --resume -o out job.json");
    cli_do("run -q -o whole job.json");
    cli_assert_same_results("out", "whole");
}

TEST_MAIN(cli_setup, small_disk_tear_down)
