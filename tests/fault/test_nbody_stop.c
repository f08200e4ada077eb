// A run of many bodies that is stopped and goes on has the bits of one in a piece: each method, precision,
// integrator and back end (those of the host; with the argument "cuda" the GPU's), stopped at any step.
#include "tests/support/cli_fixture.h"
#include "tests/support/cuda_test.h"

#include <cjson/cJSON.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/stopped_run.h"

// A collapse: the order of the tree changes all the time.
static cJSON *job_of(int count, int steps)
{
    cJSON *job = cJSON_Parse(
        "{\"fathom\": 1, \"model\": \"nbody\", \"title\": \"stops\", \"particles\": {\"cold-collapse\": {}},"
        "\"physics\": {\"softening\": 0.05}, \"method\": {\"theta\": 0.7}, \"time\": {\"step\": 0.0078125},"
        "\"output\": {\"fields\": {\"variables\": [\"position\", \"velocity\"]}}}");
    assert_non_null(job);
    char text[32];
    snprintf(text, sizeof text, "%d", count);
    cli_set(job, "particles.cold-collapse.count", text);
    snprintf(text, sizeof text, "%g", steps * 0x1p-7);
    cli_set(job, "time.duration", text);
    snprintf(text, sizeof text, "%g", steps / 16 * 0x1p-7);
    cli_set(job, "output.fields.every", text);
    snprintf(text, sizeof text, "%g", 3 * 0x1p-7);
    cli_set(job, "output.diagnostics.every", text);
    return job;
}

static void compare(const cJSON *job, const char *what)
{
    cli_write_job(job, "job.json");
    stopped_run_compare(what, -1);
    stopped_run_remove();
}

static void each_method(const char *backend, const char *const *methods, int count, int steps)
{
    static const char *const precisions[] = {"single", "double"};
    char what[128];
    cJSON *job = job_of(count, steps);
    cli_set_text(job, "backend", "%s", backend);
    for (int m = 0; methods[m]; m++)
        for (int p = 0; p < 2; p++) {
            // The reference computes in double whatever the precision.
            if (strcmp(backend, "reference") == 0 && p != m % 2)
                continue;
            snprintf(what, sizeof what, "%s %s %s", backend, precisions[p], methods[m]);
            cli_set_text(job, "precision", "%s", precisions[p]);
            cli_set_text(job, "method.name", "%s", methods[m]);
            cli_set_text(job, "method.integrator", p == 0 ? "leapfrog" : "source");
            compare(job, what);
        }
    cJSON_Delete(job);
}

static const char *const processor_methods[] = {"direct", "barnes-hut", NULL}, *const device_methods[] = {
                                                                                   "direct", "direct-tiled",
                                                                                   "direct-naive",
                                                                                   "barnes-hut", NULL};

static void test_openmp(void **state)
{
    (void)state;
    each_method("openmp", processor_methods, 500, 96);
}

static void test_reference(void **state)
{
    (void)state;
    each_method("reference", processor_methods, 200, 32);
}

// A device is fast: as many steps as make its run last longer than a stop takes.
static void test_cuda(void **state)
{
    (void)state;
    each_method("cuda", device_methods, 2000, 2400);
}

// With a check against the reference under way, too: its verdict is that of the whole run.
static void checked(const char *backend, int count, int steps)
{
    cJSON *job = job_of(count, steps);
    cli_set_text(job, "backend", "%s", backend);
    cli_set(job, "method.name", "\"barnes-hut\"");
    cli_set(job, "check", "{\"reference_steps\": 6, \"tolerance\": 0.01}");
    compare(job, "with a check");
    cJSON_Delete(job);
}

static void test_checked(void **state)
{
    (void)state;
    checked("openmp", 300, 64);
}

static void test_checked_on_cuda(void **state)
{
    (void)state;
    checked("cuda", 300, 2400);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, cli_setup, cli_teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(test_openmp),
        TEST(test_reference),
        TEST(test_checked),
    };
    const struct CMUnitTest on_cuda[] = {
        TEST(test_cuda),
        TEST(test_checked_on_cuda),
    };
    if (!wants_cuda(argc, argv))
        return cmocka_run_group_tests(tests, NULL, NULL);
    return has_cuda() ? cmocka_run_group_tests(on_cuda, NULL, NULL) : EXIT_SKIPPED;
}
