// A run of heat in tissue that is stopped and resumed has the same bits as one without a stop: each method,
// precision and back end (those of the host; with the argument "cuda" the GPU's), stopped at any step, while
// it is heated and while it cools, and with a source that is streamed from its file.
#include "tests/support/bioheat_job.h"
#include "tests/support/cuda_test.h"
#include "tests/support/stopped_run.h"
#include "tests/support/test.h"

// What the steps have missed of a stream in all legs.
static void compare_missed(const char *what)
{
    static const char key[] = "physics.switch_error_estimate_k";
    const double whole_k = cli_run_number("whole", key), legs_k = cli_run_number("out", key);
    if (legs_k != whole_k || !(whole_k > 0))
        fail_msg("%s: switches cost %.17g K after stops, %.17g K without", what, legs_k, whole_k);
}

// `steps` of 0.2 s, the second half without heating.
static void compare(cJSON *job, const char *backend, const char *precision, const char *method, int steps)
{
    cli_change(job, "backend = '%s'; precision = '%s'; method = '%s'; time.step = '0.1 s'", backend,
               precision, method); // stable for all methods
    cli_change(job, "time.duration = '%d s'; output.fields.every = '%d s'", steps / 10, steps / 40);
    const bool has_boxes = cJSON_GetObjectItem(cli_item(job, "source"), "boxes") != NULL;
    if (has_boxes)
        cli_change(job, "source.boxes.times = ['0 s', '%d s']", steps / 20);
    stopped_run(job, format_text("%s %s %s, cooling", backend, precision, method), steps / 2,
                has_boxes ? NULL : compare_missed);
}

static const char *const precisions[] = {"single", "double"};
static const char *const methods[] = {"euler", "euler-in-place", "three-colour", "source-three-colour",
                                      "rkl2"};

static void each_method(const char *backend, int steps)
{
    cJSON *job = bioheat_job();
    for (size_t m = 0; m < COUNT(methods); m++)
        for (size_t p = 0; p < 2; p++) {
            // A checkpoint holds arrays of a precision, whatever the method: each method once is enough. (The
            // reference's state is in double whatever the precision, which is the media's then.)
            if (p != m % 2)
                continue;
            cli_set_text(job, "dose.definition", "%s", m == 0 ? "iso" : m == 1 ? "none" : "kwave");
            compare(job, backend, precisions[p], methods[m], steps);
        }
}

TEST(test_openmp)
{
    each_method("openmp", 400);
}

TEST(test_reference)
{
    each_method("reference", 40);
}

// A device is fast: as many steps as make its run last longer than a stop takes.
enum { DEVICE_STEPS = 4000 };

CUDA_TEST(test_cuda)
{
    each_method("cuda", DEVICE_STEPS);
}

// 4-D source: records of 1.73 s, so that they begin within steps; the checks against the reference see it
// too.
static void streamed(const char *backend, int steps)
{
    static const char *const betweens[] = {"linear", "stepwise"};
    for (size_t k = 0; k < 2; k++) {
        cJSON *job = bioheat_job();
        bioheat_job_write_stream((size_t)(steps / 10 / 1.73) + 2, 1.73);
        cli_change(job,
                   "source = {'stream': {'file': 'heating.nc', 'variable': 'q'}}; source.stream.between = "
                   "'%s'; source.stream.after_end = 'last'; check = {'reference_steps': 6}",
                   betweens[k]);
        compare(job, backend, "single", k == 0 ? "euler" : "rkl2", steps);
    }
}

TEST(test_streamed_source)
{
    streamed("openmp", 400);
    streamed("reference", 40);
}

CUDA_TEST(test_streamed_source_on_cuda)
{
    streamed("cuda", DEVICE_STEPS);
}

// One that starts from another's end is stopped too.
static void chained(const char *backend, int steps)
{
    cJSON *job = cli_change(bioheat_job(), "backend = '%s'; output.directory = 'first'", backend);
    cli_run_job(job);
    cli_change(job, "initial = {'from': 'first'}");
    compare(job, backend, "single", "euler", steps);
}

TEST(test_chained)
{
    chained("openmp", 400);
}

CUDA_TEST(test_chained_on_cuda)
{
    chained("cuda", DEVICE_STEPS);
}

CUDA_TEST_MAIN(cli_setup, cli_teardown)
