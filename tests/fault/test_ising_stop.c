// A run of the Ising model that is stopped and resumed has the same bits as one without a stop: each method,
// boundary, order of temperatures and back end (those of the host; with the argument "cuda" the GPU's),
// stopped at any sweep, with a temperature's measurements half made.
#include "tests/support/cuda_test.h"
#include "tests/support/ising_job.h"
#include "tests/support/stopped_run.h"
#include "tests/support/test.h"

#include <signal.h>

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
    cJSON *job = cli_change(
        ising_job(),
        "lattice = {'columns': %d, 'rows': %d, 'replicas': %d, 'boundary': '%s'}; physics = {'field': %g}; "
        "method.name = '%s'; start.kind = '%s'; temperatures.beta = [0.3, 0.44, 0.42]; temperatures.order = "
        "'%s'; sweeps = {'count': %d, 'every': 2}; output.configurations = {'every': %d}; "
        "output.correlations = {'every': 20, 'distances': [1, 2, 4]}; analysis.reweighting = {'points': 5}",
        system->columns, system->rows, system->replicas, system->boundary, system->field, system->method,
        system->start, system->order, sweeps, sweeps / 8);
    // With a check against the reference under way, too: its verdict is that of the whole run.
    cli_change(job, "check = {'reference_steps': 9}");
    return job;
}

// What run.json states about the temperatures before a stop is not lost.
static void compare_tables(const char *what)
{
    cJSON *out = cli_read_json("out/run.json"), *whole = cli_read_json("whole/run.json");
    const cJSON *actual = cJSON_GetObjectItem(out, "temperatures"),
                *expected = cJSON_GetObjectItem(whole, "temperatures");
    assert_int_equal(cJSON_GetArraySize(expected), 3);
    if (!cJSON_Compare(actual, expected, true))
        fail_msg("%s: run.json has other temperatures than in one piece", what);
    assert_true(cli_json_number(out, "unreliable_temperatures") ==
                cli_json_number(whole, "unreliable_temperatures"));
}

static void each_system(const char *backend, int sweeps)
{
    for (size_t s = 0; s < COUNT(systems); s++) {
        if (systems[s].is_of_hosts && strcmp(backend, "cuda") == 0)
            continue;
        cJSON *job = cli_change(job_of(&systems[s], sweeps), "backend = '%s'; output.series = %s", backend,
                                s % 2 == 0 ? "true" : "false"); // measured all the same
        stopped_run(job, format_text("%s, %s", backend, systems[s].method), 2, compare_tables);
    }
}

TEST(test_openmp)
{
    each_system("openmp", 400);
}

TEST(test_reference)
{
    each_system("reference", 200);
}

// Killed with a checkpoint between two temperatures, whose second begins from the start: neither is lost, nor
// the start.
TEST(test_killed_at_a_temperatures_end)
{
    enum { SWEEPS = 160, TEMPERATURES = 8 };
    const struct system system = {"metropolis", "periodic", "independent", "hot", 64, 64, 1, 0, true};
    cJSON *job = cli_change(job_of(&system, SWEEPS),
                            "backend = 'reference'; temperatures.beta = [0.3, 0.31, 0.32, 0.33, 0.34, 0.35, "
                            "0.36, 0.37]; checkpoint.every_steps = %d",
                            SWEEPS);
    cli_run_to(job, "whole");
    const struct cli_result *stopped =
        cli_stop_at("out/partial/checkpoint.", SIGKILL, "run -q -o out job.json");
    assert_int_equal(stopped->signal, SIGKILL);
    cli_do("run -q --resume -o out job.json");
    const double first = cli_run_number("out", "timings.first_step");
    assert_true(first >= SWEEPS && first < TEMPERATURES * SWEEPS && fmod(first, SWEEPS) == 0);
    cli_assert_same_results("out", "whole");
}

// As many sweeps as make more than one batch of steps on a device.
CUDA_TEST(test_cuda)
{
    each_system("cuda", 16000);
}

CUDA_TEST_MAIN(cli_setup, cli_teardown)
