// A run of the Ising model that is stopped and goes on has the bits of one in a piece: each method, boundary,
// order of temperatures and back end (those of the host; with the argument "cuda" the GPU's), stopped at any
// sweep, with a temperature's measurements half made.
#include "tests/support/cuda_test.h"
#include "tests/support/ising_job.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/stopped_run.h"

struct system {
    const char *method, *boundary, *order, *start;
    int columns, rows, replicas;
    double field;
    bool is_of_hosts; // no device has the method
};

static const struct system systems[] = {
    {"metropolis", "periodic", "temper", "cold", 24, 16, 1, 0, false},
    {"metropolis", "helical", "independent", "hot", 12, 10, 3, 0.2, false},
    {"heat-bath", "periodic", "independent", "stripes", 64, 8, 2, 0, false},
    {"wolff", "periodic", "temper", "hot", 16, 16, 2, 0, false},
    {"swendsen-wang", "helical", "independent", "cold", 12, 14, 2, 0, false},
    {"metropolis-integer", "periodic", "independent", "hot", 12, 12, 2, 0, false},
    {"metropolis-random", "helical", "temper", "cold", 10, 12, 1, 0.1, true},
};

static cJSON *job_of(const struct system *system, int sweeps)
{
    char text[160];
    cJSON *job = ising_job();
    snprintf(text, sizeof text, "{\"columns\": %d, \"rows\": %d, \"replicas\": %d, \"boundary\": \"%s\"}",
             system->columns, system->rows, system->replicas, system->boundary);
    cli_set(job, "lattice", text);
    snprintf(text, sizeof text, "{\"field\": %g}", system->field);
    cli_set(job, "physics", text);
    cli_set_text(job, "method.name", "%s", system->method);
    cli_set_text(job, "start.kind", "%s", system->start);
    cli_set(job, "temperatures.beta", "[0.3, 0.44, 0.42]");
    cli_set_text(job, "temperatures.order", "%s", system->order);
    snprintf(text, sizeof text, "{\"count\": %d, \"every\": 2}", sweeps);
    cli_set(job, "sweeps", text);
    snprintf(text, sizeof text, "{\"every\": %d}", sweeps / 8);
    cli_set(job, "output.configurations", text);
    cli_set(job, "output.correlations", "{\"every\": 20, \"distances\": [1, 2, 4]}");
    cli_set(job, "analysis.reweighting", "{\"points\": 5}");
    // With a check against the reference under way, too: its verdict is that of the whole run.
    cli_set(job, "check", "{\"reference_steps\": 9}");
    return job;
}

// What run.json says of the temperatures before a stop is not lost.
static void compare_tables(const char *what)
{
    cJSON *out = cli_read_json("out/run.json"), *whole = cli_read_json("whole/run.json");
    const cJSON *is = cJSON_GetObjectItem(out, "temperatures"),
                *should = cJSON_GetObjectItem(whole, "temperatures");
    assert_int_equal(cJSON_GetArraySize(should), 3);
    if (!cJSON_Compare(is, should, true))
        fail_msg("%s: run.json has other temperatures than in one piece", what);
    assert_true(cli_json_number(out, "unreliable_temperatures") ==
                cli_json_number(whole, "unreliable_temperatures"));
    cJSON_Delete(out);
    cJSON_Delete(whole);
}

static void each_system(const char *backend, int sweeps)
{
    char what[128];
    for (size_t s = 0; s < sizeof systems / sizeof *systems; s++) {
        if (systems[s].is_of_hosts && strcmp(backend, "cuda") == 0)
            continue;
        cJSON *job = job_of(&systems[s], sweeps);
        cli_set_text(job, "backend", "%s", backend);
        cli_set(job, "output.series", s % 2 == 0 ? "true" : "false"); // measured all the same
        cli_write_job(job, "job.json");
        cJSON_Delete(job);
        snprintf(what, sizeof what, "%s, %s", backend, systems[s].method);
        stopped_run_compare(what, 2);
        compare_tables(what);
        stopped_run_remove();
    }
}

static void test_openmp(void **state)
{
    (void)state;
    each_system("openmp", 800);
}

static void test_reference(void **state)
{
    (void)state;
    each_system("reference", 400);
}

// Killed with a checkpoint between two temperatures, whose second begins from the start: neither is lost, nor
// the start.
static void test_killed_at_a_temperatures_end(void **state)
{
    (void)state;
    enum { SWEEPS = 160, TEMPERATURES = 8 };
    char text[32];
    const struct system system = {"metropolis", "periodic", "independent", "hot", 64, 64, 1, 0, true};
    cJSON *job = job_of(&system, SWEEPS);
    cli_set_text(job, "backend", "reference");
    cli_set(job, "temperatures.beta", "[0.3, 0.31, 0.32, 0.33, 0.34, 0.35, 0.36, 0.37]");
    snprintf(text, sizeof text, "%d", SWEEPS);
    cli_set(job, "checkpoint.every_steps", text);
    cli_write_job(job, "job.json");
    cJSON_Delete(job);
    cli_assert_done(cli_run("run", "-q", "-o", "whole", "job.json", NULL));
    cli_hold_at("out/partial/checkpoint.");
    const pid_t child = cli_start("run", "-q", "-o", "out", "job.json", NULL);
    cli_wait_until_held(child);
    cli_pace_as_usual();
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(cli_finish(child)->signal, SIGKILL);
    cli_assert_done(cli_run("run", "-q", "--resume", "-o", "out", "job.json", NULL));
    const double first = cli_run_number("out", "timings.first_step");
    assert_true(first >= SWEEPS && first < TEMPERATURES * SWEEPS && fmod(first, SWEEPS) == 0);
    cli_assert_same_results("out", "whole");
}

// As many sweeps as make more than one batch of steps on a device.
static void test_cuda(void **state)
{
    (void)state;
    each_system("cuda", 16000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, cli_setup, cli_teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {TEST(test_openmp), TEST(test_reference),
                                       TEST(test_killed_at_a_temperatures_end)};
    const struct CMUnitTest on_cuda[] = {TEST(test_cuda)};
    if (!wants_cuda(argc, argv))
        return cmocka_run_group_tests(tests, NULL, NULL);
    return has_cuda() ? cmocka_run_group_tests(on_cuda, NULL, NULL) : EXIT_SKIPPED;
}
