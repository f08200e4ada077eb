// A run of heat in tissue that is stopped and goes on has the bits of one in a piece: each method, precision
// and back end (those of the host; with the argument "cuda" the GPU's), stopped at any step, while it is
// heated and while it cools, and with a source that is streamed from its file.
#include "tests/support/bioheat_job.h"
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

// `steps` of 0.2 s, the second half without heating.
static void compare(cJSON *job, const char *backend, const char *precision, const char *method, int steps)
{
    char text[32], what[128];
    cli_set_text(job, "backend", "%s", backend);
    cli_set_text(job, "precision", "%s", precision);
    cli_set_text(job, "method", "%s", method);
    cli_set_text(job, "time.step", "0.1 s"); // stable for all methods
    cli_set_text(job, "time.duration", "%d s", steps / 10);
    cli_set_text(job, "output.fields.every", "%d s", steps / 40);
    snprintf(text, sizeof text, "%d s", steps / 20);
    if (cJSON_GetObjectItem(cJSON_GetObjectItem(job, "source"), "boxes"))
        cJSON_SetValuestring(
            cJSON_GetArrayItem(cJSON_GetObjectItem(
                                   cJSON_GetObjectItem(cJSON_GetObjectItem(job, "source"), "boxes"), "times"),
                               1),
            text);
    cli_write_job(job, "job.json");
    snprintf(what, sizeof what, "%s %s %s, cooling", backend, precision, method);
    stopped_run_compare(what, steps / 2);
    stopped_run_remove();
}

static const char *const precisions[] = {"single", "double"};
static const char *const methods[] = {"euler", "euler-in-place", "three-colour", "source-three-colour"};

static void each_method(const char *backend, int steps)
{
    cJSON *job = bioheat_job();
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (size_t p = 0; p < 2; p++) {
            // The reference's state is in double whatever the precision, which is the media's then: each once
            // is enough.
            if (strcmp(backend, "reference") == 0 && p != m % 2)
                continue;
            cli_set_text(job, "dose.definition", "%s", m == 0 ? "iso" : m == 1 ? "none" : "kwave");
            compare(job, backend, precisions[p], methods[m], steps);
        }
    cJSON_Delete(job);
}

static void test_openmp(void **state)
{
    (void)state;
    each_method("openmp", 400);
}

static void test_reference(void **state)
{
    (void)state;
    each_method("reference", 80);
}

// A device is fast: as many steps as make its run last longer than a stop takes.
enum { DEVICE_STEPS = 4000 };

static void test_cuda(void **state)
{
    (void)state;
    each_method("cuda", DEVICE_STEPS);
}

// 4-D source: records of 1.7 s, so that they begin within steps; the checks against the reference see it too.
static void streamed(const char *backend, int steps)
{
    static const char *const betweens[] = {"linear", "stepwise"};
    for (size_t k = 0; k < 2; k++) {
        cJSON *job = bioheat_job();
        bioheat_job_write_stream((size_t)(steps / 10 / 1.7) + 2, 1.7);
        cli_set(job, "source", "{\"stream\": {\"file\": \"heating.nc\", \"variable\": \"q\"}}");
        cli_set_text(job, "source.stream.between", "%s", betweens[k]);
        cli_set_text(job, "source.stream.after_end", "last");
        cli_set(job, "check", "{\"reference_steps\": 6}");
        compare(job, backend, "single", "euler", steps);
        cJSON_Delete(job);
    }
}

static void test_streamed_source(void **state)
{
    (void)state;
    streamed("openmp", 400);
    streamed("reference", 80);
}

static void test_streamed_source_on_cuda(void **state)
{
    (void)state;
    streamed("cuda", DEVICE_STEPS);
}

// One that goes on from another's end is stopped too.
static void chained(const char *backend, int steps)
{
    cJSON *job = bioheat_job();
    cli_set_text(job, "backend", "%s", backend);
    cli_set_text(job, "output.directory", "first");
    cli_write_job(job, "job.json");
    cli_assert_done(cli_run("run", "-q", "job.json", NULL));
    cli_set(job, "initial", "{\"from\": \"first\"}");
    compare(job, backend, "single", "euler", steps);
    cJSON_Delete(job);
}

static void test_chained(void **state)
{
    (void)state;
    chained("openmp", 400);
}

static void test_chained_on_cuda(void **state)
{
    (void)state;
    chained("cuda", DEVICE_STEPS);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, cli_setup, cli_teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(test_openmp),
        TEST(test_reference),
        TEST(test_streamed_source),
        TEST(test_chained),
    };
    const struct CMUnitTest on_cuda[] = {
        TEST(test_cuda),
        TEST(test_streamed_source_on_cuda),
        TEST(test_chained_on_cuda),
    };
    if (!wants_cuda(argc, argv))
        return cmocka_run_group_tests(tests, NULL, NULL);
    return has_cuda() ? cmocka_run_group_tests(on_cuda, NULL, NULL) : EXIT_SKIPPED;
}
