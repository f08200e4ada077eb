// Which back end a run gets: by name, by "auto", with a device's number; and a device whose memory is short
// by one byte. The devices are the test's own, in ordinary memory; where this build and machine have a GPU,
// it is asked too.
#include "cli/commands.h"
#include "gpu/device.h"
#include "models/tsunami/solver.h"
#include "tests/cli/in_process.h"
#include "tests/support/device_memory.h"
#include "tests/support/test.h"

#include <signal.h>

// ---- back ends

static struct {
    bool is_usable, is_absent, refuses;
    const char *why;
    struct device_memory memory;
    int device;
    int64_t stop_after_step; // sends itself SIGTERM; −1: never
} fast;

// The processor's solver beside an array in "device memory", as fast as can be.
static struct tsunami_backend fast_backend;
static void *device_array;

static bool fast_is_usable(int device, char *why, size_t bytes)
{
    assert_int_equal(device, 0); // "auto" means the first
    snprintf(why, bytes, "%s", fast.why);
    return fast.is_usable;
}

static bool fast_is_absent(void)
{
    return fast.is_absent;
}

static enum status fast_plan(const struct tsunami_setup *setup, struct memory_plan *plan, const char *prefix,
                             struct solver **solver)
{
    fast.device = setup->device;
    if (fast.refuses)
        return FAIL(STATUS_SYSTEM, "the fast device cannot be used: it is being repaired");
    device_memory_use(&fast.memory, plan);
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_F32, setup->geometry->ny, setup->geometry->pitch,
                          &device_array, "%sdevice state", prefix));
    return tsunami_backend_openmp.plan(setup, plan, prefix, solver);
}

static enum status fast_advance(struct solver *solver, int64_t first_step, int64_t count)
{
    CHECK(tsunami_backend_openmp.head.advance(solver, first_step, count));
    if (fast.stop_after_step >= first_step && fast.stop_after_step < first_step + count)
        raise(SIGTERM);
    return STATUS_OK;
}

static int group_setup(void **state)
{
    gpu_register();
    fast_backend = tsunami_backend_openmp;
    fast_backend.head.name = "fast";
    fast_backend.head.rank = 100;
    fast_backend.head.has_devices = true;
    fast_backend.head.is_usable = fast_is_usable;
    fast_backend.head.is_absent = fast_is_absent;
    fast_backend.plan = fast_plan;
    fast_backend.head.advance = fast_advance;
    backend_register(&tsunami_backends, &fast_backend.head);
    backend_register_absent("elsewhere", "not in this build (it is Sunday)");
    return 0;
}

static int setup(void **state)
{
    memset(&fast, 0, sizeof fast);
    fast.is_usable = true;
    fast.why = "";
    fast.memory.available_bytes = SIZE_MAX;
    fast.device = -1;
    fast.stop_after_step = -1;
    return cli_setup(state);
}

// ---- jobs

static cJSON *job_on(const char *backend)
{
    cJSON *job =
        cli_change(cli_sea_job(), "output.directory = '%s'; backend = '%s'", cli_path("out"), backend);
    return job;
}

static const struct cli_result *run_on(const char *backend)
{
    cli_save_job(job_on(backend));
    return run_in_process(command_run, "run %s", cli_path("job.json"));
}

static void assert_backend(const char *expected)
{
    assert_string_equal(cli_text(cli_read_json("out/run.json"), "backend"), expected);
}

static bool has_log_line(const char *fragment)
{
    bool is_there = false;
    for (char *log = folder_text("out/run.log"), *line; (line = strsep(&log, "\n"));)
        is_there |= strstr(line, "warning") && strstr(line, fragment);
    return is_there;
}

// Bytes of the device's memory that the job's plan states.
static size_t planned_device_bytes(const char *backend)
{
    cli_save_job(job_on(backend));
    const struct cli_result *result = run_in_process(command_plan, "plan --json %s", cli_path("job.json"));
    cli_assert_done(result);
    const double bytes = cli_json_number(cli_output_json(result), "device_bytes");
    return (size_t)bytes;
}

static void write_limited_job(const char *backend, size_t bytes)
{
    cli_save_job(cli_change(job_on(backend), "memory.device = '%zu B'", bytes));
}

// ---- by name

TEST(test_unknown_names)
{
    cli_assert_error(run_on("opencl"), 78, false, "job.json", "backend",
                     "\"opencl\" is not in this build, which has: ", "openmp", "reference", "fast");
    cli_assert_error(run_on(""), 78, false, "backend", "which has: ");
    cli_assert_error(run_on("elsewhere"), 78, false, "job.json: backend: ",
                     "\"elsewhere\" is not in this build (it is Sunday), which has: ", "openmp, reference");
    cli_assert_error(run_on("elsewhere:1"), 78, false, "\"elsewhere\" is not in this build (it is Sunday)");
    assert_null(strstr(backend_names(&tsunami_backends), "elsewhere"));
    assert_false(cli_exists("out"));
}

TEST(test_cuda_in_a_build_or_on_a_machine_without_it)
{
    char devices[1024];
    if (gpu_describe(devices, sizeof devices) > 0) {
        skip_because("there is a usable device: %s", devices);
    }
    const struct cli_result *result = run_on("cuda");
    if (!gpu_is_compiled())
        cli_assert_error(result, 78, false, "backend",
                         "\"cuda\" is not in this build (FATHOM_CUDA=OFF, or no nvcc when it was "
                         "configured), which has: openmp, reference");
    else
        cli_assert_error(result, 71, false, "the GPU cannot be used: ");
    assert_false(cli_exists("out"));
    // Another back end on the same device: not called by the first one's name.
    result = run_on("cuda-plain");
    assert_int_equal(result->exit_code, gpu_is_compiled() ? 71 : 78);
    assert_null(strstr(result->error, "cuda back end"));
    result = run_in_process(command_bench, "bench tsunami --backend cuda:1");
    if (!gpu_is_compiled())
        cli_assert_error(result, 64, false,
                         "bench tsunami: --backend: \"cuda\" is not in this build (FATHOM_CUDA");
    else
        cli_assert_error(result, 71, false, "bench tsunami: cuda:1 cannot be used here: no NVIDIA ");
    assert_int_equal(run_in_process(command_plan, "plan -b cuda:1 %s", cli_path("job.json"))->exit_code,
                     gpu_is_compiled() ? 71 : 78);
}

TEST(test_device_numbers)
{
    cli_assert_done(run_on("fast:3"));
    assert_int_equal(fast.device, 3);
    assert_backend("fast");
    cli_remove("out");
    cli_assert_done(run_on("fast"));
    assert_int_equal(fast.device, 0);
    cli_remove("out");
    static const char *const wrong[] = {"fast:",   "fast:x",   "fast:-1",   "fast:1x",
                                        "fast: 1", "fast:1:2", "fast:99999"};
    for (size_t k = 0; k < COUNT(wrong); k++)
        cli_assert_error(run_on(wrong[k]), 78, false, "backend", wrong[k], "number of a device, from 0",
                         "fast:1");
    cli_assert_error(run_on("openmp:1"), 78, false, "backend", "openmp has no devices to choose from");
    cli_assert_error(run_on("auto:1"), 78, false, "backend", "auto has no devices to choose from");
    assert_false(cli_exists("out"));
}

// ---- auto

TEST(test_auto_takes_the_fastest_that_can_run)
{
    cli_assert_done(run_on("auto"));
    assert_backend("fast");
    assert_true(fast.memory.reserved == 1 && fast.memory.released == 1);
    cli_remove("out");
    fast.is_usable = false;
    fast.is_absent = true; // no device at all: nothing to tell
    fast.why = "there is none";
    const struct cli_result *result = run_on("auto");
    cli_assert_done(result);
    if (gpu_describe((char[64]){0}, 64) == 0)
        assert_backend("openmp");
    assert_null(strstr(result->error, "fast"));
    assert_null(strstr(result->error, "warning"));
    cli_remove("out");
    fast.is_absent = false; // it is there
    fast.why = "the driver is from last year";
    result = run_on("auto");
    cli_assert_done(result);
    char warning[160]; // where this machine has a GPU, that is the next fastest
    snprintf(
        warning, sizeof warning,
        "fathom: warning: back end auto: %s, because fast cannot be used here: the driver is from last year",
        gpu_describe((char[64]){0}, 64) > 0 ? "cuda" : "openmp");
    assert_has(result->error, warning);
    assert_true(cli_has_warning("out", "fast cannot be used here: the driver is from last year", ""));
    assert_true(has_log_line("because fast cannot be used here: the driver is from last year"));
    assert_true(fast.memory.reserved == 1);
}

TEST(test_auto_goes_back_to_the_processor_where_the_run_does_not_fit)
{
    const size_t bytes = planned_device_bytes("fast");
    assert_true(bytes > 0);
    write_limited_job("auto", bytes);
    cli_assert_done(run_in_process(command_run, "run %s", cli_path("job.json")));
    assert_backend("fast");
    assert_false(cli_has_warning("out", "back end auto", ""));
    cli_remove("out");
    write_limited_job("auto", bytes - 1);
    cli_assert_done(run_in_process(command_run, "run %s", cli_path("job.json")));
    assert_backend("openmp");
    assert_true(cli_has_warning("out", "back end auto: openmp, because on fast the run needs", ""));
    assert_true(cli_has_warning("out", "1 byte more than memory.device allows", ""));
    cli_remove("out");
    fast.memory.available_bytes = bytes - 1;
    cli_assert_done(run_on("auto"));
    assert_backend("openmp");
    assert_true(cli_has_warning("out", "1 byte more than the device has free", ""));
    const struct cli_result *result = run_in_process(command_plan, "plan %s", cli_path("job.json"));
    cli_assert_done(result);
    assert_has(result->output, "openmp back end", "because on fast");
}

// Of several ranks, which the fast device cannot divide.
TEST(test_auto_takes_for_several_ranks_what_can_divide_the_run)
{
    fast_backend.least_rows = NULL;
    cli_save_job(job_on("auto"));
    const struct cli_result *result = run_in_process(command_plan, "plan --ranks 2 %s", cli_path("job.json"));
    fast_backend.least_rows = tsunami_backend_openmp.least_rows;
    cli_assert_done(result);
    assert_has(result->output, "openmp back end", "back end auto: openmp, because ", "fast cannot divide");
    cli_save_job(job_on("fast"));
    fast_backend.least_rows = NULL;
    result = run_in_process(command_plan, "plan --ranks 2 %s", cli_path("job.json"));
    fast_backend.least_rows = tsunami_backend_openmp.least_rows;
    cli_assert_error(result, 78, false, "backend",
                     "fast cannot divide a run with \"vtcs2-o2\" among ranks yet (2 were started)");
}

// A run that started on one back end continues there, whatever "auto" would choose today.
static void stop_and_resume(bool was_usable)
{
    cli_save_job(cli_change(job_on("auto"), "checkpoint = {'every_steps': 10}"));
    fast.is_usable = was_usable;
    fast.stop_after_step = was_usable ? 25 : -1;
    if (was_usable)
        cli_assert_error(run_in_process(command_run, "run %s", cli_path("job.json")), 75, true, "--resume");
    else // openmp has nothing that could raise a signal: a limit that is over at once
        cli_assert_error(run_in_process(command_run, "run --time-limit '1 ns' %s", cli_path("job.json")), 75,
                         true, "--resume");
    fast.stop_after_step = -1;
    fast.is_usable = !was_usable;
    cli_assert_done(run_in_process(command_run, "run --resume %s", cli_path("job.json")));
    assert_backend(was_usable ? "fast" : "openmp");
    cli_remove("out");
}

TEST(test_auto_resumes_on_the_back_end_that_began)
{
    stop_and_resume(true);
    if (gpu_describe((char[64]){0}, 64) == 0)
        stop_and_resume(false);
}

// Where that back end cannot be had, the message names the checkpoint as the reason for the choice.
TEST(test_auto_names_the_checkpoint_that_needs_a_back_end)
{
    cli_save_job(cli_change(job_on("auto"), "checkpoint = {'every_steps': 10}"));
    fast.stop_after_step = 25;
    cli_assert_error(run_in_process(command_run, "run %s", cli_path("job.json")), 75, true, "--resume");
    fast.is_usable = false;
    fast.is_absent = fast.refuses = true;
    cli_assert_error(run_in_process(command_run, "run --resume %s", cli_path("job.json")), 71, false,
                     cli_path("out/partial/"),
                     " was made on the back end fast: the fast device cannot be used: it is being repaired");
    // The run can still be resumed.
    fast.is_usable = true;
    fast.refuses = false;
    cli_assert_done(run_in_process(command_run, "run --resume %s", cli_path("job.json")));
    assert_backend("fast");
}

// ---- memory

// By name there is no way back: refused with the three largest, before anything is reserved.
static void assert_refused_by_one_byte(const char *backend, size_t bytes)
{
    const char *needs = format_text("B of device memory (%zu bytes), 1 byte more than", bytes);
    write_limited_job(backend, bytes - 1);
    cli_assert_error(run_in_process(command_run, "run %s", cli_path("job.json")), 71, false, needs,
                     "memory.device", "largest: ", "device", " MB)");
    assert_false(cli_exists("out"));
    const struct cli_result *result = run_in_process(command_plan, "plan --arrays %s", cli_path("job.json"));
    assert_int_equal(result->exit_code, 71);
    assert_has(result->output, "total"); // the table comes all the same
    assert_has(result->error, needs);
    write_limited_job(backend, bytes);
    cli_assert_done(run_in_process(command_run, "run -q %s", cli_path("job.json")));
    cli_remove("out");
}

TEST(test_device_memory_short_by_one_byte)
{
    const size_t bytes = planned_device_bytes("fast");
    write_limited_job("fast", bytes - 1);
    assert_int_equal(run_in_process(command_run, "run -q %s", cli_path("job.json"))->exit_code, 71);
    assert_int_equal(fast.memory.reserved, 0);
    assert_refused_by_one_byte("fast", bytes);
    assert_true(fast.memory.reserved == 1 && fast.memory.released == 1);
    fast.memory.available_bytes = bytes - 1; // the device's own, not the job's limit
    cli_assert_error(run_on("fast"), 71, false, "1 byte more than the device has free", "largest: ");
    assert_int_equal(fast.memory.reserved, 1);
}

TEST(test_gpu_memory_short_by_one_byte)
{
    char devices[1024];
    if (gpu_describe(devices, sizeof devices) == 0) {
        skip_because("no GPU to ask: %s", devices);
    }
    assert_refused_by_one_byte("cuda", planned_device_bytes("cuda"));
}

TEST(test_plan_shows_the_device)
{
    cli_save_job(job_on("fast"));
    const struct cli_result *result = run_in_process(command_plan, "plan --arrays %s", cli_path("job.json"));
    cli_assert_done(result);
    assert_has(result->output, "fast back end", " kB on the device", "device state");
    // 60 steps of 1200 nodes are nothing to a device: the least time of a step, 10 µs, counts.
    const cJSON *plan = cli_output_json(run_in_process(command_plan, "plan --json %s", cli_path("job.json")));
    assert_true(fabs(cli_json_number(plan, "estimated_s") - cli_json_number(plan, "beside_steps_s") -
                     60 * 1e-5) < 1e-12);
    assert_int_equal(fast.memory.reserved, 0); // a plan reserves nothing
}

TEST_SUITE(.setup = setup, .teardown = cli_teardown, .group_setup = group_setup);
