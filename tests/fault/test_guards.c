// Runs that become invalid, of each model and method on the host's back ends: found within one output
// interval, reported with place and time, no result under a final name, and the last sound state kept and
// named. And limits of what the physics keeps, in one piece and resumed.
#include "tests/support/bioheat_job.h"
#include "tests/support/gas_job.h"
#include "tests/support/ising_job.h"
#include "tests/support/nbody_job.h"
#include "tests/support/test.h"

static const char *const backends[] = {"openmp", "reference"};

// ---- runs that become invalid

// No file but the log, and what a resume needs.
static void assert_no_results(void)
{
    assert_int_equal(cli_count_entries("out"), 2); // run.log and partial
    assert_true(cli_exists("out/partial/checkpoint.a") || cli_exists("out/partial/checkpoint.b"));
    assert_true(cli_exists("out/partial/job.json"));
}

// The number after a word of the message.
static double number_after(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    if (!at)
        fail_msg("\"%s\" is not in \"%s\"", word, text);
    return strtod(at + strlen(word), NULL);
}

// Fails between `first` and `last` (model time), where an output interval lies at most; the state that is
// kept is one of before, and the same job can be resumed, to the same end.
static void assert_found(cJSON *job, const char *time_word, double first, double last, const char *what)
{
    const struct cli_result *result = cli_try(job);
    if (result->exit_code != DATA)
        fail_msg("exit code %d, expected %d: %s", result->exit_code, DATA, result->error);
    const char *failure = strstr(result->error, "fathom: "), *next;
    while ((next = strstr(failure + 1, "\nfathom: "))) // warnings before it
        failure = next + 1;
    const char *error = format_text("%s", failure);
    if (!strstr(error, what) || !strstr(error, "the state of step "))
        fail_msg("expected \"%s\": %s", what, result->error);
    const double at = number_after(error, time_word);
    if (!(at >= first && at <= last))
        fail_msg("found at %g, expected %g to %g: %s", at, first, last, error);
    assert_true(number_after(error, "the state of step ") >= 1);
    assert_no_results();
    result = cli_run("run -q --resume job.json");
    assert_int_equal(result->exit_code, DATA);
    if (!strstr(result->error, what))
        fail_msg("it went otherwise after a resume: %s", result->error);
    assert_no_results();
    cli_remove("out");
}

static double mountain(double x, double y, double time_s)
{
    return x > 143 && x < 146 && y > 32 && y < 35 ? 12000 : 0;
}

// The sea floor rises by more than the depth, so that waves outrun the step.
TEST(test_tsunami)
{
    static const char *const methods[] = {"vtcs2", "vtcs2-o2", "muscl-hancock", "vtcs2-shore", "c-grid-6"};
    struct cli_grid uplift = cli_sea;
    uplift.variables[0] = (struct cli_variable){.name = "uplift", .units = "m", .value = mountain};
    cli_write_grid("uplift.nc", &uplift);
    for (size_t m = 0; m < COUNT(methods); m++)
        for (size_t b = 0; b < 2; b++) {
            cJSON *job = cli_change(
                cli_sea_job(),
                "source = {'displacement': {'file': 'uplift.nc', 'start': '600 s'}}; time.step = %s; "
                "output.fields.every = '5 min'; checkpoint.every_steps = 1; method = '%s'; backend = '%s'",
                m < 2 ? "\"100 s\"" : "\"50 s\"", methods[m], backends[b]);
            assert_found(job, "(", 600, 1200, "depth");
        }
}

TEST(test_bioheat)
{
    for (size_t b = 0; b < 2; b++) {
        cJSON *job = bioheat_job();
        // From 4 s on it is cooled by far more than its heat. (What is not finite: cli.bioheat.)
        cli_change(job,
                   "source.boxes.values = [[0], [-1e29]]; delete output.sensors; source.boxes.times = ['0 "
                   "s', '4 s']; checkpoint.every_steps = 1; backend = '%s'",
                   backends[b]);
        assert_found(job, "after ", 4, 5, "below absolute zero");
    }
}

// Steps so long that distances, squared, leave the numbers of a precision.
TEST(test_nbody)
{
    static const struct {
        const char *method, *backend, *precision;
        double step;
    } cases[] = {
        {"direct", "openmp", "single", 1e9},
        {"barnes-hut", "openmp", "single", 1e9},
        // The reference's, whose numbers do not depend on the processor: distances beyond the largest
        // number after a few steps; the squares of distances.
        {"direct", "reference", "double", 3e153},
        {"barnes-hut", "reference", "double", 1e77}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        const double step = cases[k].step;
        cJSON *job =
            cli_change(nbody_job(),
                       "particles.plummer.count = 100; method.name = '%s'; backend = '%s'; precision = '%s'",
                       cases[k].method, cases[k].backend, cases[k].precision);
        const struct {
            const char *key;
            double value;
        } times[] = {{"time.step", step},
                     {"time.duration", 100 * step},
                     {"output.fields.every", 4 * step},
                     {"output.diagnostics.every", 100 * step}};
        for (size_t t = 0; t < COUNT(times); t++) {
            cli_set(job, times[t].key, format_text("%.17g", times[t].value));
        }
        cli_change(job, "checkpoint.every_steps = 1");
        assert_found(job, "(time ", 2 * step, 40 * step, "became non-finite");
    }
}

TEST(test_gas)
{
    static const char *const methods[] = {"all-pairs", "cells"};
    for (size_t m = 0; m < 2; m++)
        for (size_t b = 0; b < 2; b++) {
            cJSON *job =
                cli_change(gas_job(),
                           "method.name = '%s'; backend = '%s'; time = {'duration': 40, 'step': 0.1}; delete "
                           "output.fields; output.diagnostics.every = 10; checkpoint.every_steps = 1",
                           methods[m], backends[b]);
            assert_found(job, "(time ", 0.2, 10, "a smaller time.step may help");
        }
}

// A number that the results' precision cannot hold is none, though the state is sound.
TEST(test_results_alone)
{
    cJSON *job = cli_change(
        nbody_job(),
        "particles.plummer.count = 100; time = {'duration': 2e41, 'step': 1e40}; output.precision = "
        "'single'; output.fields.every = 2e40; output.diagnostics.every = 1e41; checkpoint.every_steps = 1");
    assert_found(job, "at time ", 2e40, 2e40,
                 "trajectory: coordinates at atom 0, spatial 0 became non-finite");
}

// ---- limits

// A fluid whose energy drifts with the step: where it passes half of what a whole run shows, it fails; and
// above, it does not.
TEST(test_energy_of_a_gas)
{
    static const char key[] = "limits.energy_change=";
    size_t count;
    cli_run_to(cli_change(gas_job(), "checkpoint.every_steps = 3"), "whole");
    double *change = cli_read_variable("whole/diagnostics.nc", "energy_change", &count, NULL);
    double largest = 0;
    size_t passed = 0;
    for (size_t k = 0; k < count; k++)
        largest = fmax(largest, fabs(change[k]));
    for (passed = 0; passed < count && fabs(change[passed]) <= 0.5 * largest; passed++)
        ;
    assert_true(largest > 0 && passed > 0 && passed < count);
    const char *tight = format_text("%s%.17g", key, 0.5 * largest);
    const struct cli_result *result = cli_run("run -q --set %s job.json", tight);
    cli_assert_error(result, CHECK_FAILED, false, "limits.energy_change: the change of the energy", "beyond",
                     "after raising the limit, with: fathom run --resume");
    assert_true(fabs(number_after(result->error, "at time ") - 0.03125 * (double)passed) < 1e-6);
    assert_no_results();
    // With the same limit it fails again, though the part that is resumed begins near it; with the larger one
    // it ends.
    cli_assert_error(cli_run("run -q --resume --set %s job.json", tight), CHECK_FAILED, false,
                     "limits.energy_change");
    cli_do("run -q --resume --set %s job.json", format_text("%s%.17g", key, largest));
    cli_assert_same_results("out", "whole");
}

TEST(test_energy_of_bodies)
{
    cJSON *job = cli_change(nbody_job(), "limits.energy_error = 0");
    cli_assert_error(cli_try(job), CHECK_FAILED, false,
                     "limits.energy_error: the relative change of the energy", "at time 0.0625", "beyond 0");
    assert_false(cli_exists("out/partial"));
    cli_run_job(cli_change(job, "limits.energy_error = 0.1"));
}

// Water that runs out through open edges, after a stop too: what is first is what was there when the source
// had ended, not what is there when the run is resumed.
TEST(test_volume_and_energy_of_water)
{
    size_t count;
    char limit[32];
    cJSON *job = cli_change(
        cli_sea_job(),
        "time.duration = '20000 s'; output.diagnostics.every = '500 s'; checkpoint.every_steps = 100");
    cli_run_to(job, "whole");
    double *mass = cli_read_variable("whole/diagnostics.nc", "mass", &count, NULL);
    size_t passed = 0;
    while (passed < count && fabs(mass[passed] / mass[0] - 1) <= 0.5)
        passed++;
    assert_true(passed > 2 && passed < count); // with a stop before it
    // Stopped after its second record, without a limit; resumed with one. The clock advances with each
    // reading.
    cli_tick_clock(100);
    const struct cli_result *result = cli_run("run -q --time-limit '0.2 ms' job.json");
    for (double limit_ms = 0.2;
         result->exit_code == STOPPED && number_after(result->error, "after step ") < 20;) {
        snprintf(limit, sizeof limit, "%g ms", limit_ms *= 1.5);
        result = cli_run("run -q --resume --time-limit %s job.json", limit);
    }
    cli_pace_as_usual();
    assert_int_equal(result->exit_code, STOPPED);
    result = cli_run("run -q --resume --set limits.volume_drift=0.5 job.json");
    cli_assert_error(result, CHECK_FAILED, false, "limits.volume_drift: ", "beyond 0.5");
    assert_true(fabs(number_after(result->error, "at time ") - 500.0 * (double)passed) <= 15); // half a step
    assert_true(fabs(number_after(result->error, "first ") / mass[0] - 1) < 1e-5);
    assert_no_results();
    cli_do("run -q --resume --set limits.energy_growth=0.01 job.json");
    cli_assert_same_results("out", "whole");
}

static void assert_refused(const char *setting, const char *what)
{
    cli_assert_error(cli_run("plan --set %s job.json", setting), CONFIGURATION, false, "limits", what);
}

// Where a limit makes no sense it is refused, with the reason; and it is no part of what a checkpoint belongs
// to.
TEST(test_refused_limits)
{
    cJSON *job = cli_sea_job();
    cli_save_job(job);
    assert_refused("limits.volume_drift=-1", "at least 0");
    assert_refused("limits.energy_error=1", "unknown key");
    job = gas_job();
    cli_save_job(cli_change(job, "physics.thermostat = {'name': 'langevin', 'temperature': 1}"));
    assert_refused("limits.energy_change=0.1", "thermostat");
    job = ising_job();
    cli_save_job(job);
    assert_refused("limits={}", "bath");
    job = bioheat_job();
    cli_save_job(job);
    assert_refused("limits.heat=1", "limits");
}

TEST_MAIN(cli_setup, cli_teardown)
