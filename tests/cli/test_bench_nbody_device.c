// fathom bench nbody with a device: its own clock is taken, it stands beside the processor, and what cannot
// be run on it is told. The device is the test's own.
#include "tests/cli/bench_report.h"

#include "models/nbody/solver.h"

#include <math.h>

// It does nothing, and by its clock a step takes 10⁻⁹ s a pair, or with the tree 10⁻⁵ s a body

static struct {
    bool is_usable, has_memory;
    size_t count;
    enum nbody_method method;
    double compute_s;
    int evaluated;
} device;

static struct nbody_backend device_backend;

static bool device_is_usable(int number, char *why, size_t bytes)
{
    (void)number;
    snprintf(why, bytes, "it is not plugged in");
    return device.is_usable;
}

static enum status device_plan(const struct nbody_setup *setup, struct memory_plan *plan, const char *prefix,
                               struct nbody_solver **solver)
{
    device.count = setup->count;
    device.method = setup->physics->method;
    if (!device.has_memory && setup->count > 20000)
        return FAIL(STATUS_SYSTEM, "its memory is full");
    return nbody_backend_openmp.plan(setup, plan, prefix, solver);
}

static enum status device_touch(struct nbody_solver *solver, bool is_loaded)
{
    (void)solver;
    (void)is_loaded;
    return STATUS_OK;
}

static enum status device_fetch(struct nbody_solver *solver)
{
    (void)solver;
    return STATUS_OK;
}

static enum status device_evaluate(struct nbody_solver *solver, bool is_direct)
{
    (void)solver;
    assert_false(is_direct);
    device.evaluated++;
    return STATUS_OK;
}

static enum status device_advance(struct nbody_solver *solver, int64_t first_step, int64_t count)
{
    (void)solver;
    (void)first_step;
    const double n = (double)device.count;
    device.compute_s += (double)count * (device.method == NBODY_BARNES_HUT ? 1e-5 * n : 1e-9 * n * n);
    return STATUS_OK;
}

static enum status device_finish(struct nbody_solver *solver, struct nbody_unsound *found)
{
    (void)solver;
    (void)found;
    return STATUS_OK;
}

static struct device_times device_times_of(const struct nbody_solver *solver)
{
    (void)solver;
    return (struct device_times){.is_measured = true, .compute_s = device.compute_s};
}

static int group_setup(void **state)
{
    (void)state;
    device_backend = nbody_backend_openmp;
    device_backend.head = (struct backend){
        .name = "device", .summary = "", .rank = 5, .has_devices = true, .is_usable = device_is_usable};
    device_backend.has_method = NULL;
    device_backend.plan = device_plan;
    device_backend.touch = device_touch;
    device_backend.fetch = device_fetch;
    device_backend.evaluate = device_evaluate;
    device_backend.advance = device_advance;
    device_backend.finish = device_finish;
    device_backend.times = device_times_of;
    backend_register(&nbody_backends, &device_backend.head);
    return 0;
}

static int setup(void **state)
{
    memset(&device, 0, sizeof device);
    return cli_setup(state);
}

static const cJSON *find_device_row(const cJSON *report, const char *method, double n)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(report, "rows"))
    {
        if (is_text(row, "backend", "device") && is_text(row, "method", method) &&
            cli_json_number(row, "n") == n)
            return row;
    }
    fail_msg("no row of %s, %g bodies", method, n);
    return NULL;
}

// Pairs go with n², what is not run with the tree with n^1.1 from 1000 bodies on: the lines meet at 1000 ·
// 10^(1/0.9).
static void a_devices_clock_is_taken(void **unused)
{
    (void)unused;
    device.is_usable = device.has_memory = true;
    cJSON *report = bench_report_of(run_in_process(
        command_bench, "bench", "nbody", "--precision", "float", "--budget", "0.001", "--table", "sizes",
        "--table", "source", "--backend", "device", "--repeat", "3", "--json", NULL));
    const cJSON *run = find_device_row(report, "direct", 1000);
    assert_near("clock", cli_json_number(run, "step_ms"), 1, 1e-9);
    assert_true(is_text(run, "clock", "device"));
    assert_true(cli_json_number(run, "steps") == 50 && device.evaluated > 0);
    assert_near("clock", cli_json_number(find_device_row(report, "barnes-hut", 1000), "step_ms"), 10, 1e-9);
    assert_near("probe", cli_json_number(find_device_row(report, "direct-naive", 100000), "step_ms"), 1e4,
                1e-6);
    assert_near("probe", cli_json_number(find_device_row(report, "direct-tiled", 500000), "step_ms"), 2.5e5,
                1e-4);
    const cJSON *crossovers = cJSON_GetObjectItem(report, "crossovers");
    assert_int_equal(cJSON_GetArraySize(crossovers), 1);
    assert_near("crossover", cli_json_number(cJSON_GetArrayItem(crossovers, 0), "from_n"),
                1000 * pow(10, 1 / 0.9), 1e-6 * 12915);
    cJSON_Delete(report);
}

static void processor_and_device_are_compared(void **unused)
{
    (void)unused;
    device.is_usable = device.has_memory = true;
    const struct cli_result *result =
        run_in_process(command_bench, "bench", "nbody", "--budget", "0.001", "--table", "sizes", "--table",
                       "source", "--backend", "openmp", "--backend", "device", "--repeat", "1", NULL);
    cli_assert_done(result);
    assert_non_null(strstr(result->output, "direct, float: device, not openmp"));
    assert_non_null(strstr(result->output, "barnes-hut, double: device, not openmp"));
    assert_non_null(strstr(result->output, "device, double: the tree, not every pair"));
    assert_non_null(strstr(result->output, "GPU, every pair, shared memory"));
    assert_non_null(strstr(result->output, "103.09"));
    assert_null(strstr(result->output, "openmp, not device"));
}

static void what_cannot_be_is_told(void **unused)
{
    (void)unused;
    device.is_usable = true;
    const struct cli_result *result =
        run_in_process(command_bench, "bench", "nbody", "--no-reference", "--size", "1000", "--size", "30000",
                       "--method", "direct-naive", "--repeat", "1", NULL);
    cli_assert_done(result);
    assert_non_null(
        strstr(result->output, "device, double, direct-naive, n = 30000: not measured: its memory is full"));
    cli_assert_error(
        run_in_process(command_bench, "bench", "nbody", "--backend", "device", "--size", "30000", NULL), 71,
        false, "its memory is full", NULL);
    device.is_usable = false;
    cli_assert_error(run_in_process(command_bench, "bench", "nbody", "--backend", "device", NULL), 71, false,
                     "not plugged in", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_devices_clock_is_taken, setup, cli_teardown),
        cmocka_unit_test_setup_teardown(processor_and_device_are_compared, setup, cli_teardown),
        cmocka_unit_test_setup_teardown(what_cannot_be_is_told, setup, cli_teardown)};
    return cmocka_run_group_tests(tests, group_setup, NULL);
}
