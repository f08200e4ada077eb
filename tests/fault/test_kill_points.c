// A run that is killed at any of its calls that change a folder, from its first to its last: what is left can
// be resumed, and ends with the bits of an undisturbed run. All five models. The calls are
// counted by tests/support/kill_shim.c.
#include "tests/support/bioheat_job.h"
#include "tests/support/gas_job.h"
#include "tests/support/ising_job.h"
#include "tests/support/nbody_job.h"
#include "tests/support/test.h"

#include <signal.h>
#include <sys/stat.h>

enum { POINTS_MAX = 400 };
// Steps from one kill to the next: before the end of the run, where many are alike, and at its end. The files
// are the same code for all models: with MANY the run is killed at every call of its end, with FEW at every
// third, and models begin at different ones.
enum density { FEW, MANY };
static const struct {
    int early_step, late_step;
} densities[] = {[FEW] = {24, 3}, [MANY] = {20, 1}};

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

// NULL: there is no folder.
static void take_copy(const char *from)
{
    if (cli_exists("out"))
        cli_remove("out");
    if (from)
        folder_shell("cp -r %s %s", cli_path(from), cli_path("out"));
}

// ---- one kill

// Kills a run of the job before that call; 0: at none.
static const struct cli_result *run_job_until(int call, const char *how, const char *job)
{
    setenv("FATHOM_TEST_KILL_AT", format_text("%d", call), 1);
    setenv("LD_PRELOAD", FATHOM_TEST_SHIM, 1);
    const pid_t child = cli_start("run -q %s --output=out %s", how, job);
    unsetenv("LD_PRELOAD");
    unsetenv("FATHOM_TEST_KILL_AT");
    return cli_finish(child);
}

static const struct cli_result *run_until(int call, const char *how)
{
    return run_job_until(call, how, "job.json");
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

static const char record[] = "out/partial/final/run.json"; // while results get their names

static const char *run_id_of(const char *name)
{
    return cli_text(cli_read_json(name), "run_id");
}

// Going on after a kill: from a checkpoint if there is one, to a clean-up if all is done. Nothing is computed
// again once the record is there. Returns whether it was a clean-up.
static bool resume(int call, int exit_code)
{
    const char *recorded = cli_exists(record) ? run_id_of(record) : NULL;
    char *before = cli_exists("out/run.json") ? folder_text("out/run.json") : NULL;
    const bool had_checkpoint =
        cli_exists("out/partial/checkpoint.a") || cli_exists("out/partial/checkpoint.b");
    const struct cli_result *result = run_until(0, "--resume");
    if (result->exit_code == NO_INPUT && !had_checkpoint &&
        !recorded) { // killed before the first: nothing is lost by beginning again
        assert_has(result->error, "no checkpoint to resume from");
        result = run_until(0, "--quiet");
    }
    assert_ended(result, exit_code, call);
    if (recorded)
        assert_string_equal(run_id_of("out/run.json"), recorded);
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

// The final files are not being made yet, and the results are those of the earlier run.
static bool is_before_end(void)
{
    if (cli_exists("out/partial/final") || !cli_exists("out/run.json"))
        return false;
    return strcmp(folder_text("out/run.json"), folder_text("earlier/run.json")) == 0;
}

// What reads results: each says that they may be of two runs, and shows nothing of them.
static void assert_no_reader(int turn)
{
    static const char *const readers[] = {"info --json out",
                                          "report out",
                                          "compare whole/final.nc out/final.nc",
                                          "run -q --restart -o next next.json",
                                          "info out/series.nc",
                                          "convert out/series.nc series.csv"};
    const struct cli_result *result = cli_run_line(readers[turn % (int)COUNT(readers)]);
    cli_assert_error(result, NO_INPUT, false, "files of two runs may lie here: fathom run --resume");
    assert_string_equal(result->output, "");
}

// For programs that look for nothing else: beside run.json lie the results that it describes.
static void assert_no_false_report(void)
{
    static const char *const names[] = {"final", "series", "results", "distributions", "correlations"};
    for (size_t k = 0; cli_exists("out/run.json") && k < COUNT(names); k++)
        cli_assert_same_data(format_text("out/%s.nc", names[k]), format_text("earlier/%s.nc", names[k]));
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
        if (density == MANY && cli_exists(record)) {
            assert_no_reader(call);
            assert_no_false_report();
        }
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
    cli_do("run -q -o whole job.json");
    cli_write_job(cli_change(ising_job(), "start = {'kind': 'file', 'file': 'out/final.nc'}"), "next.json");
    // The earlier run wrote a file more, and has a report: there before, gone after, wherever the kill was.
    cli_do("run -q --set method.seed=7 --set 'output.correlations={\"every\": 10}' -o earlier job.json");
    assert_true(cli_exists("earlier/correlations.nc"));
    cli_write_text("earlier/report.html", "of the earlier results");
    cli_write_text("earlier/report.files.json", "{\"fathom_report\": 1, \"pages\": [\"report.html\"]}");
    kill_everywhere("earlier", "--restart", 0, MANY, 1);
}

// ---- results that get their names

// Kills a run that begins with a copy of `from` (NULL: without a folder) at calls between the record and the
// last name; resumes.
static void kill_while_names_are_given(const char *from, int step)
{
    enum { EARLY_STEP = 4 }; // until the final files are made, of which there are as many
    int turns = 0;
    for (int call = 2 * EARLY_STEP;;) {
        assert_in_range(call, 1, POINTS_MAX);
        take_copy(from);
        assert_int_equal(run_until(call, "--restart")->signal, SIGKILL);
        if (cli_exists(record)) {
            assert_false(resume(call, 0));
            turns++;
            call += step;
        } else if (turns > 0) {
            break;
        } else {
            call += cli_exists("out/partial/final") ? 1 : EARLY_STEP;
        }
    }
    assert_in_range(turns, 5 / step, POINTS_MAX); // a name for each file
}

// Kills a first run when that file has got its name, and not all have.
static void kill_after_name(const char *job, const char *name)
{
    enum { FIRST = 14 }; // near the end of a run without a checkpoint
    for (int call = FIRST; !cli_exists(record) || !cli_exists(name); call++) {
        take_copy(NULL);
        assert_int_equal(run_job_until(call, "--restart", job)->signal, SIGKILL);
    }
}

// Of a first run, without a checkpoint.
TEST(test_names)
{
    skip_without_shim();
    WRITE_JOB(ising_job(), {"sweeps.count", "100"});
    cli_do("run -q -o whole job.json");
    kill_while_names_are_given(NULL, 1);
}

// Files in parts over whole ones, and whole ones over parts.
TEST(test_names_of_parts)
{
    skip_without_shim();
    static const char *const joins[] = {"false", "true"};
    for (size_t k = 0; k < COUNT(joins); k++) {
        cJSON *job = ising_job();
        cli_set(job, "sweeps.count", "100");
        cli_set(job, "checkpoint.every_steps", "90");
        cli_set(job, "output.join", joins[k]);
        cli_save_job(job);
        cli_do("run -q -o whole job.json");
        cli_do("run -q --set method.seed=7 --set output.join=%s -o earlier job.json", joins[1 - k]);
        assert_true(cli_exists(k == 0 ? "whole/series.0001.nc" : "earlier/series.0001.nc"));
        kill_while_names_are_given("earlier", 5);
        cli_remove("whole");
        cli_remove("earlier");
    }
}

// Whatever begins in the folder, the results that were to get their names get them first: a run of another
// job then knows which of them it replaces.
TEST(test_names_before_another_run)
{
    skip_without_shim();
    WRITE_JOB(ising_job(), {"sweeps.count", "100"});
    cli_do("run -q -o whole job.json");
    cli_write_job(cli_change(ising_job(), "sweeps.count = 100; output.correlations = {'every': 10}"),
                  "more.json");
    kill_after_name("more.json", "out/correlations.nc");
    folder_shell("cp -r %s %s", cli_path("out"), cli_path("killed"));
    assert_ended(run_until(0, "--restart"), 0, 0);
    take_copy("killed");
    assert_ended(run_until(0, "--quiet"), 0, 0);
    take_copy("killed"); // which is whole even if the new run fails
    const char *id = run_id_of(record);
    assert_int_not_equal(run_until(0, "--resume")->exit_code, 0); // of another job
    assert_string_equal(run_id_of("out/run.json"), id);
    assert_false(cli_exists(record));
}

// What others did to the folder of a killed run. Files behind a link stay where they are; a pipe is not read;
// names that no file can have keep no result from its name.
TEST(test_names_in_a_changed_folder)
{
    skip_without_shim();
    WRITE_JOB(ising_job(), {"sweeps.count", "100"});
    cli_do("run -q -o whole job.json");
    kill_after_name("job.json", "out/series.nc");
    folder_shell("cp -r %s %s", cli_path("out"), cli_path("killed"));
    folder_shell("mv %s %s && ln -s %s %s", cli_path("out/partial/final"), cli_path("away"), cli_path("away"),
                 cli_path("out/partial/final"));
    const int files = cli_count_entries("away");
    cli_assert_error(run_until(0, "--resume"), CANNOT_CREATE, true, "out/partial/final: is a symbolic link");
    assert_int_equal(cli_count_entries("away"), files);
    assert_false(cli_exists("out/run.json"));
    take_copy("killed");
    cli_remove("out/partial/job.json");
    assert_int_equal(mkfifo(cli_path("out/partial/job.json"), 0600), 0);
    assert_ended(run_until(0, "--restart"), 0, 0);
    take_copy("killed");
    cJSON *changed = cli_read_json(record);
    char names[5010]; // of a path longer than any
    snprintf(names, sizeof names, "[\"%05000d\"]", 0);
    cli_set(changed, "removed", names);
    cli_write_job(changed, record);
    assert_ended(run_until(0, "--resume"), 0, 0);
    assert_true(cli_exists("out/run.json"));
    cli_remove("away");
}

// ---- others

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
    kill_everywhere("stopped", "--resume", 0, FEW, 1);
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
    if (!FATHOM_TEST_SHIM[0])
        return;
    // While they got their names: the batch goes on with the run, which has nothing to compute.
    folder_shell("sed -i '/\"ended\"/d; /\"closed\"/d' %s", cli_path("overnight/journal.jsonl"));
    folder_shell("mv %s %s", cli_path("overnight/a"), cli_path("whole"));
    kill_after_name("job.json", "out/series.nc");
    const char *recorded = run_id_of(record);
    folder_shell("mv %s %s", cli_path("out"), cli_path("overnight/a"));
    cli_do("batch --quiet --resume queue.json");
    assert_string_equal(run_id_of("overnight/a/run.json"), recorded);
    cli_assert_same_results("overnight/a", "whole");
    assert_false(cli_exists("overnight/a/partial"));
}

TEST_MAIN(cli_setup, cli_teardown)
