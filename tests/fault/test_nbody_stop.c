// A run of many bodies that is stopped and resumed has the same bits as one without a stop: each method,
// precision, integrator and back end (those of the host; with the argument "cuda" the GPU's), stopped at any
// step.
#include "tests/support/cuda_test.h"
#include "tests/support/stopped_run.h"
#include "tests/support/test.h"

// A collapse: the order of the tree changes all the time.
static cJSON *job_of(int count, int steps)
{
    cJSON *job = cli_change(
        cli_json("{'fathom': 1, 'model': 'nbody', 'title': 'stops', 'particles': {'cold-collapse': "
                 "{}},'physics': {'softening': 0.05}, 'method': {'theta': 0.7}, 'time': {'step': "
                 "0.0078125},'output': {'fields': {'variables': ['position', 'velocity']}}}"),
        "particles.cold-collapse.count = %d; time.duration = %g; output.fields.every = %g; "
        "output.diagnostics.every = %g",
        count, steps * 0x1p-7, steps / 16 * 0x1p-7, 3 * 0x1p-7);
    return job;
}

static void each_method(const char *backend, const char *const *methods, int count, int steps)
{
    static const char *const precisions[] = {"single", "double"};
    cJSON *job = cli_change(job_of(count, steps), "backend = '%s'", backend);
    for (int m = 0; methods[m]; m++)
        for (int p = 0; p < 2; p++) {
            // The reference computes in double whatever the precision.
            if (strcmp(backend, "reference") == 0 && p != m % 2)
                continue;
            cli_change(job, "precision = '%s'; method.name = '%s'; method.integrator = '%s'", precisions[p],
                       methods[m], p == 0 ? "leapfrog" : "source");
            stopped_run(job, format_text("%s %s %s", backend, precisions[p], methods[m]), -1, NULL);
        }
}

static const char *const processor_methods[] = {"direct", "barnes-hut", NULL}, *const device_methods[] = {
                                                                                   "direct", "direct-tiled",
                                                                                   "direct-naive",
                                                                                   "barnes-hut", NULL};

TEST(test_openmp)
{
    each_method("openmp", processor_methods, 500, 96);
}

TEST(test_reference)
{
    each_method("reference", processor_methods, 200, 32);
}

// A device is fast: as many steps as make its run last longer than a stop takes.
CUDA_TEST(test_cuda)
{
    each_method("cuda", device_methods, 2000, 2400);
}

// With a check against the reference under way, too: its verdict is that of the whole run.
static void checked(const char *backend, int count, int steps)
{
    cJSON *job = cli_change(
        job_of(count, steps),
        "backend = '%s'; method.name = 'barnes-hut'; check = {'reference_steps': 6, 'tolerance': 0.01}",
        backend);
    stopped_run(job, "with a check", -1, NULL);
}

TEST(test_checked)
{
    checked("openmp", 300, 64);
}

CUDA_TEST(test_checked_on_cuda)
{
    checked("cuda", 300, 2400);
}

CUDA_TEST_MAIN(cli_setup, cli_teardown)
