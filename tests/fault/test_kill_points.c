// A run that is killed at any of its calls that change a folder, from its first to its last: what is left can
// be resumed, and ends with the bits of an undisturbed run. All five models. The calls are
// counted by tests/support/kill_shim.c.
#include "tests/support/bioheat_job.h"
#include "tests/support/gas_job.h"
#include "tests/support/ising_job.h"
#include "tests/support/nbody_job.h"
#include "tests/support/test.h"

#include <dirent.h>
#include <signal.h>

enum { POINTS_MAX = 400 };
// Steps from one kill to the next: before the end of the run, where many are alike, and at its end. The files
// are the same code for all models: with MANY the run is killed at every call of its end, with SOME at every
// second, with FEW at every third, and models begin at different ones.
enum density { FEW, SOME, MANY };
static const struct {
    int early_step, late_step;
} densities[] = {[FEW] = {24, 3}, [SOME] = {15, 2}, [MANY] = {10, 1}};

#ifndef FATHOM_TEST_SHIM // under a sanitizer, whose library wants to be the first
#define FATHOM_TEST_SHIM ""
#endif

static void skip_without_shim(void)
{
    if (FATHOM_TEST_SHIM[0])
        return;
    skip_because("calls cannot be counted under a sanitizer");
}

// ---- jobs of a few steps, with a checkpoint or two

static void write_job(cJSON *job, const char *const (*settings)[2], size_t count)
{
    for (size_t k = 0; k < count; k++)
        cli_set(job, settings[k][0], settings[k][1]);
    cli_save_job(job);
}
#define WRITE_JOB(job, ...)                                                                                  \
    do {                                                                                                     \
        static const char *const settings_[][2] = {__VA_ARGS__};                                             \
        write_job(job, settings_, COUNT(settings_));                                                         \
    } while (0)

// The whole results in "whole"; in "earlier" those of another run, which the killed ones find in their
// folder.
static void make_results(const char *other)
{
    cli_do("run -q -o whole job.json");
    cli_do("run -q --set %s -o earlier job.json", other);
}

static void take_copy(const char *from)
{
    if (cli_exists("out"))
        cli_remove("out");
    folder_shell("cp -r %s %s", cli_path(from), cli_path("out"));
}

// ---- one kill

// Kills before that call; 0: at none.
static const struct cli_result *run_until(int call, const char *how)
{
    setenv("FATHOM_TEST_KILL_AT", format_text("%d", call), 1);
    setenv("LD_PRELOAD", FATHOM_TEST_SHIM, 1);
    const pid_t child = cli_start("run -q %s --output=out job.json", how);
    unsetenv("LD_PRELOAD");
    unsetenv("FATHOM_TEST_KILL_AT");
    return cli_finish(child);
}

static const char *hash_of(const char *name)
{
    if (!cli_exists(name))
        return "none";
    return cli_text(cli_read_json(name), "job_xxh3"); // whole, whenever it is there
}

// The products have the same bytes, and nothing else lies there: none of an earlier run, and no part of one.
static void assert_same_files(int call)
{
    if (folder_shell_code("diff -rq --exclude='*.nc' --exclude='run.*' %s %s >&2", cli_path("whole"),
                          cli_path("out")) != 0)
        fail_msg("call %d: the folder's files are not those of the undisturbed run", call);
}

// As it must be at the end, whatever happened before.
static void assert_ended(const struct cli_result *result, int exit_code, int call)
{
    if (result->exit_code != exit_code)
        fail_msg("call %d: exit code %d, expected %d: %s", call, result->exit_code, exit_code, result->error);
    cli_assert_same_results("out", "whole");
    assert_string_equal(hash_of("out/run.json"), hash_of("whole/run.json"));
    if (cli_exists("out/partial"))
        fail_msg("call %d: something is left in out/partial", call);
    assert_same_files(call);
    assert_null(strstr(folder_text("out/run.json"), "products_pending"));
}

// Going on, after a kill: from a checkpoint if there is one, to a clean-up if all is done. Returns whether it
// was the latter.
static bool resume(int call, int exit_code)
{
    char *before = cli_exists("out/run.json") ? folder_text("out/run.json") : NULL;
    const bool had_checkpoint =
        cli_exists("out/partial/checkpoint.a") || cli_exists("out/partial/checkpoint.b");
    const struct cli_result *result = run_until(0, "--resume");
    if (result->exit_code == NO_INPUT &&
        !had_checkpoint) { // killed before the first: nothing is lost by beginning again
        assert_has(result->error, "no checkpoint to resume from");
        result = run_until(0, "--quiet");
    }
    assert_ended(result, exit_code, call);
    char *after = folder_text("out/run.json");
    return before && strcmp(before, after) == 0;
}

// A plain run after a kill: it starts again, or reports that a stopped run lies there and how to resume it.
static void run_again(int call, int exit_code)
{
    const struct cli_result *result = run_until(0, "--quiet");
    if (result->exit_code != CANNOT_CREATE) {
        assert_ended(result, exit_code, call);
        return;
    }
    if (!strstr(result->error, "holds a stopped run (step ") || !strstr(result->error, "use --resume"))
        fail_msg("call %d: %s", call, result->error);
}

static bool has_final_file(void)
{
    DIR *folder = opendir(cli_path("out/partial"));
    bool is_found = false;
    for (const struct dirent *entry; folder && !is_found && (entry = readdir(folder));)
        is_found = strstr(entry->d_name, ".final.") != NULL;
    if (folder)
        closedir(folder);
    return is_found;
}

// The final files are not being made yet, and the results are those of the earlier run.
static bool is_before_end(void)
{
    if (has_final_file() || !cli_exists("out/run.json"))
        return false;
    return strcmp(folder_text("out/run.json"), folder_text("earlier/run.json")) == 0;
}

// Kills a run that begins with a copy of `from` from its call `first` on, at as many as `density` says;
// resumes; and, in a copy of what is left, runs plainly.
static void kill_everywhere(const char *from, const char *how, int exit_code, enum density density, int first)
{
    int call = first, cleaned = 0;
    for (;;) {
        assert_in_range(call, 1, POINTS_MAX);
        take_copy(from);
        const struct cli_result *result = run_until(call, how);
        if (result->signal == 0) {
            assert_ended(result, exit_code, call);
            break;
        }
        assert_int_equal(result->signal, SIGKILL);
        const bool is_early = is_before_end();
        if (is_early)
            cli_assert_same_results("out", from); // all of them
        const bool tries_plainly = density == MANY && cli_exists("out/run.json") && cli_exists("out/partial");
        if (tries_plainly)
            folder_shell("rm -rf %s; cp -r %s %s", cli_path("killed"), cli_path("out"), cli_path("killed"));
        cleaned += resume(call, exit_code);
        if (tries_plainly) {
            take_copy("killed");
            run_again(call, exit_code);
        }
        call += is_early ? densities[density].early_step : densities[density].late_step;
    }
    assert_in_range(call, 20, POINTS_MAX);
    // The checkpoints, the segments, the record, the folder.
    assert_true(cleaned >= 3 / densities[density].late_step);
}

// ---- the models

// With images and tables, of which the earlier run had others.
TEST(test_bioheat)
{
    skip_without_shim();
    WRITE_JOB(bioheat_job(), {"time.duration", "\"10 s\""}, {"checkpoint.every_steps", "20"},
              {"output.products", "[\"csv\"]"}, {"output.nifti", "[\"dose\", \"temperature\"]"});
    make_results("output.nifti=[\"dose\",\"labels\"]");
    assert_true(cli_exists("earlier/labels.nii.gz") && cli_exists("whole/exposures.csv"));
    kill_everywhere("earlier", "--restart", 0, FEW, 2);
}

TEST(test_tsunami)
{
    skip_without_shim();
    cli_write_gauges("gauges.json");
    WRITE_JOB(cli_sea_job(), {"time.duration", "\"300 s\""}, {"output.fields.every", "\"150 s\""},
              {"checkpoint.every_steps", "4"}, {"output.gauges.file", "\"gauges.json\""},
              {"output.fields.resolution", "{\"elevation\": \"0.1 mm\"}"}, // compressed by threads
              {"output.products", "[\"csv\", \"geotiff\"]"});
    make_results("output.products=[\"csv\",\"geojson\"]");
    kill_everywhere("earlier", "--restart", 0, FEW, 3);
}

// A product that cannot be written fails the run; what it computed stays, and once the obstacle is gone a
// resumed run makes the products of it. In a batch too.
TEST(test_failed_product)
{
    WRITE_JOB(bioheat_job(), {"time.duration", "\"10 s\""}, {"output.nifti", "[\"dose\", \"temperature\"]"});
    cli_do("run -q -o whole job.json");
    cli_do("run -q -o out job.json");
    folder_shell("rm %s; mkdir -p %s", cli_path("out/dose.nii.gz"), cli_path("out/dose.nii.gz/full"));
    for (int k = 0; k < 2; k++) { // a second time it fails again
        cli_assert_error(cli_run("run -q %s -o out job.json", k == 0 ? "--restart" : "--resume"), 74, false,
                         "dose.nii.gz", "netCDF results in out are complete", "--resume");
        cJSON *report = cli_read_json("out/run.json");
        assert_true(cli_item(report, "checks.0.exit_code")->valuedouble == 74);
        assert_string_equal(cli_text(report, "products_pending.files.1"), "dose.nii.gz");
    }
    folder_shell("rm -r %s", cli_path("out/dose.nii.gz"));
    cli_do("run -q --resume -o out job.json");
    assert_ended(cli_run("run -q --resume -o out job.json"), 0, 0);
    assert_string_equal(cli_text(cli_read_json("out/run.json"), "checks.0.verdict"), "not asked for");

    cli_write_json("queue.json",
                   "{'fathom_batch': 1, 'output': 'night', 'jobs': [{'name': 'a', 'job': 'job.json'}]}");
    folder_shell("mkdir -p %s", cli_path("night/a/dose.nii.gz/full"));
    assert_int_not_equal(cli_run("batch --quiet queue.json")->exit_code, 0);
    assert_true(cli_exists("night/a/run.json"));
    folder_shell("rm -r %s", cli_path("night/a/dose.nii.gz"));
    char *before = folder_text("night/a/run.json");
    cli_do("batch --quiet --resume --retry-failed queue.json");
    folder_shell("cmp %s %s", cli_path("night/a/dose.nii.gz"), cli_path("whole/dose.nii.gz"));
    const char *rate = strstr(before, "\"rate_per_s\""); // of the run that was not made again
    assert_non_null(rate);
    assert_non_null(strstr(folder_text("night/a/run.json"), format_text("%.30s", rate)));
}

TEST(test_nbody)
{
    skip_without_shim();
    WRITE_JOB(nbody_job(), {"particles.plummer.count", "64"}, {"checkpoint.every_steps", "12"});
    make_results("particles.plummer.seed=7");
    kill_everywhere("earlier", "--restart", 0, FEW, 3);
}

TEST(test_gas)
{
    skip_without_shim();
    WRITE_JOB(gas_job(), {"checkpoint.every_steps", "12"});
    make_results("particles.lattice.seed=7");
    kill_everywhere("earlier", "--restart", 0, FEW, 1);
}

TEST(test_ising)
{
    skip_without_shim();
    WRITE_JOB(ising_job(), {"sweeps.count", "100"}, {"checkpoint.every_steps", "90"});
    make_results("method.seed=7");
    // The earlier run wrote a file more, which is there before and gone after, wherever the kill was.
    cli_do("run -q --set method.seed=7 --set 'output.correlations={\"every\": 10}' -o earlier job.json");
    assert_true(cli_exists("earlier/correlations.nc"));
    kill_everywhere("earlier", "--restart", 0, MANY, 1);
}

// A part that went on from a checkpoint, and a run that throws a stopped one away.
TEST(test_later_parts)
{
    skip_without_shim();
    WRITE_JOB(ising_job(), {"sweeps.count", "100"}, {"checkpoint.every_steps", "90"});
    make_results("method.seed=7");
    take_copy("earlier");
    while (!cli_exists("out/partial/checkpoint.b")) {
        static int call = 1;
        take_copy("earlier");
        assert_int_equal(run_until(call++, "--restart")->signal, SIGKILL);
    }
    folder_shell("mv %s %s", cli_path("out"), cli_path("stopped"));
    kill_everywhere("stopped", "--resume", 0, SOME, 1);
    for (int call = 1; call < 16; call += 2) { // as the stopped run is removed
        take_copy("stopped");
        assert_int_equal(run_until(call, "--restart")->signal, SIGKILL);
        resume(call, 0);
    }
}

// The verdict of a run is not forgotten: one that failed its check fails again, without computing anything.
TEST(test_failed_check)
{
    skip_without_shim();
    cJSON *job = cli_change(ising_job(), "sweeps.count = 100; checkpoint.every_steps = 90");
    cli_save_job(job);
    cli_do("run -q --set method.seed=7 -o reference job.json");
    cli_save_job(
        cli_change(job, "check = {'reference_file': 'reference/series.nc', 'variables': {'energy': '0'}}"));
    assert_int_equal(cli_run("run -q -o whole job.json")->exit_code, CHECK_FAILED);
    folder_shell("cp -r %s %s", cli_path("whole"), cli_path("earlier"));
    kill_everywhere("earlier", "--restart", CHECK_FAILED, FEW, 2);
    const struct cli_result *result = cli_run("run -q --resume -o out job.json");
    assert_int_equal(result->exit_code, CHECK_FAILED);
    assert_has(result->error, "energy");
}

// A batch whose run had published everything when both were killed: the run is not made again, and nothing is
// left of it.
TEST(test_batch)
{
    char id[64];
    WRITE_JOB(ising_job(), {"sweeps.count", "100"});
    cli_write_json("queue.json",
                   "{'fathom_batch': 1, 'output': 'overnight', 'jobs': [{'name': 'a', 'job': 'job.json'}]}");
    cli_do("batch --quiet queue.json");
    char *before = folder_text("overnight/a/run.json");
    assert_int_equal(sscanf(strstr(before, "\"run_id\":") + 9, " \"%16s", id), 1);
    folder_shell("sed -i '/\"ended\"/d; /\"closed\"/d' %s", cli_path("overnight/journal.jsonl"));
    folder_shell("mkdir %s; cp %s %s", cli_path("overnight/a/partial"), cli_path("overnight/a/series.nc"),
                 cli_path("overnight/a/partial/series.0000.nc"));
    cli_write_text("overnight/a/partial/job.json",
                   format_text("{\"fathom_run\": 1, \"run_id\": \"%s\", \"job\": {}, \"inputs\": []}", id));
    cli_do("batch --quiet --resume queue.json");
    assert_string_equal(before, folder_text("overnight/a/run.json"));
    assert_false(cli_exists("overnight/a/partial"));
}

TEST_MAIN(cli_setup, cli_teardown)
