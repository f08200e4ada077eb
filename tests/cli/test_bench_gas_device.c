// fathom bench gas with a device: its own clock is taken, its rates are the limits, the regions' error is
// asked of it, the source document's variants stand beside it, and what cannot be run on it is told. The
// device is the test's own.
#include "tests/cli/bench_report.h"

#include "models/gas/solver.h"

// It moves nothing, and by its clock a step takes 10⁻⁹ s a pair, or by cells 10⁻⁶ s a particle

static struct {
    bool is_usable, has_memory, is_unsound;
    size_t count;
    enum gas_method method;
    double compute_s;
    int evaluated, fetched;
} device;

static struct gas_backend device_backend;

static bool device_is_usable(int number, char *why, size_t bytes)
{
    (void)number;
    snprintf(why, bytes, "it is not plugged in");
    return device.is_usable;
}

static enum status device_plan(const struct gas_setup *setup, struct memory_plan *plan, const char *prefix,
                               struct gas_solver **solver)
{
    device.count = setup->count;
    device.method = setup->physics->method;
    if (!device.has_memory && setup->count > 20000)
        return FAIL(STATUS_SYSTEM, "its memory is full");
    return gas_backend_openmp.plan(setup, plan, prefix, solver);
}

static enum status device_touch(struct gas_solver *solver, bool is_loaded)
{
    (void)solver;
    (void)is_loaded;
    return STATUS_OK;
}

static enum status device_fetch(struct gas_solver *solver)
{
    (void)solver;
    device.fetched++;
    return STATUS_OK;
}

static enum status device_evaluate(struct gas_solver *solver, bool is_by_pairs)
{
    (void)solver;
    assert_false(is_by_pairs);
    device.evaluated++;
    return STATUS_OK;
}

static enum status device_advance(struct gas_solver *solver, int64_t first_step, int64_t count)
{
    (void)solver;
    (void)first_step;
    const double n = (double)device.count;
    device.compute_s += (double)count * (device.method == GAS_CELLS ? 1e-6 * n : 1e-9 * n * n);
    return STATUS_OK;
}

static enum status device_finish(struct gas_solver *solver, struct gas_finding *found)
{
    (void)solver;
    *found =
        (struct gas_finding){.trouble = device.is_unsound ? GAS_TOO_FAST : GAS_SOUND, .step = 7, .id = 13};
    return STATUS_OK;
}

static struct device_times device_times_of(const struct gas_solver *solver)
{
    (void)solver;
    return (struct device_times){.is_measured = true, .compute_s = device.compute_s};
}

static enum status device_measure_copy(int number, double *bytes_per_s)
{
    (void)number;
    *bytes_per_s = 4e12;
    return STATUS_OK;
}

// Of float the multiply-adds are what limits ln r, of double the roots.
static enum status device_measure_arithmetic(int number, enum element precision, double *fma_per_s,
                                             double *rsqrt_per_s)
{
    (void)number;
    *fma_per_s = 12e9;
    *rsqrt_per_s = precision == ELEMENT_F32 ? 4e9 : 1.5e9;
    return STATUS_OK;
}

static int group_setup(void **state)
{
    (void)state;
    device_backend = gas_backend_openmp;
    device_backend.head = (struct backend){
        .name = "device", .summary = "", .rank = 5, .has_devices = true, .is_usable = device_is_usable};
    device_backend.plan = device_plan;
    device_backend.touch = device_touch;
    device_backend.fetch = device_fetch;
    device_backend.evaluate = device_evaluate;
    device_backend.advance = device_advance;
    device_backend.finish = device_finish;
    device_backend.times = device_times_of;
    device_backend.measure_copy = device_measure_copy;
    device_backend.measure_arithmetic = device_measure_arithmetic;
    backend_register(&gas_backends, &device_backend.head);
    return 0;
}

static int setup(void **state)
{
    memset(&device, 0, sizeof device);
    return cli_setup(state);
}

static const cJSON *find_device_row(const cJSON *report, const char *system, const char *method,
                                    const char *precision, double n)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(report, "rows"))
    {
        if (is_text(row, "backend", "device") && is_text(row, "system", system) &&
            is_text(row, "method", method) && is_text(row, "precision", precision) &&
            cli_json_number(row, "n") == n)
            return row;
    }
    fail_msg("no row of %s, %s, %g particles", system, method, n);
    return NULL;
}

static void a_devices_clock_is_taken(void **unused)
{
    (void)unused;
    device.is_usable = device.has_memory = true;
    cJSON *report =
        bench_report_of(run_in_process(command_bench, "bench", "gas", "--size", "1000", "--system", "log",
                                       "--backend", "device", "--repeat", "3", "--json", NULL));
    const cJSON *pairs = find_device_row(report, "log", "all-pairs", "float", 1000);
    assert_near("clock", cli_json_number(pairs, "step_ms"), 1, 1e-9);
    assert_true(is_text(pairs, "clock", "device") && cli_json_number(pairs, "steps") == 50);
    // 10⁶ − 10³ pairs in a millisecond, of 12e9/6.
    assert_near("arithmetic", cli_json_number(pairs, "of_arithmetic"), 0.999e9 / 2e9, 1e-9);
    assert_near("copy", cli_json_number(pairs, "of_copy"), 160e3 / 1e-3 / 4e12, 1e-12);
    const cJSON *exact = find_device_row(report, "log", "all-pairs", "double", 1000);
    assert_near("arithmetic", cli_json_number(exact, "of_arithmetic"), 0.999e9 / 1.5e9, 1e-9);
    assert_true(device.evaluated == 2 && device.fetched == 2); // the regions' error, in both precisions
    assert_near("clock", cli_json_number(find_device_row(report, "log", "regions", "float", 1000), "step_ms"),
                1, 1e-9);
    cJSON_Delete(report);
}

// What is too slow is not run: every pair of two million by those of 16 384.
static void the_sources_figures_stand_beside(void **unused)
{
    (void)unused;
    device.is_usable = device.has_memory = true;
    cJSON *report = bench_report_of(run_in_process(
        command_bench, "bench", "gas", "--table", "source", "--budget", "0.001", "--precision", "float",
        "--method", "all-pairs", "--backend", "device", "--repeat", "1", "--json", NULL));
    const cJSON *row = find_device_row(report, "log", "all-pairs", "float", 2097152);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(row, "is_estimate")));
    assert_near("estimate", cli_json_number(row, "step_ms") / (1e-6 * 2097152 * 2097152), 1, 1e-4);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(report, "source_document")), 18);
    cJSON_Delete(report);
    const struct cli_result *result =
        run_in_process(command_bench, "bench", "gas", "--table", "source", "--budget", "0.001", "--precision",
                       "float", "--backend", "device", "--repeat", "1", NULL);
    cli_assert_done(result);
    assert_non_null(strstr(result->output, "GPUTiled3, 2500 cells"));
    assert_non_null(strstr(result->output, "GPUTiled, the final program"));
    assert_null(strstr(result->output, "Phenom"));
}

static void what_cannot_be_is_told(void **unused)
{
    (void)unused;
    device.is_usable = true;
    const struct cli_result *result =
        run_in_process(command_bench, "bench", "gas", "--no-reference", "--size", "1000", "--size", "21000",
                       "--system", "log", "--method", "all-pairs", "--budget", "3", "--repeat", "1", NULL);
    cli_assert_done(result);
    assert_non_null(strstr(result->output,
                           "device, double, log, every pair, n = 21000: not measured: its memory is full"));
    cli_assert_error(run_in_process(command_bench, "bench", "gas", "--backend", "device", "--system", "log",
                                    "--size", "21000", "--budget", "20", NULL),
                     71, false, "its memory is full", NULL);
    device.has_memory = device.is_unsound = true;
    cli_assert_error(run_in_process(command_bench, "bench", "gas", "--backend", "device", "--system", "log",
                                    "--method", "all-pairs", "--size", "1000", NULL),
                     70, false, "unsound after step 7, particle 13", NULL);
    device.is_usable = false;
    cli_assert_error(run_in_process(command_bench, "bench", "gas", "--backend", "device", NULL), 71, false,
                     "not plugged in", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_devices_clock_is_taken, setup, cli_teardown),
        cmocka_unit_test_setup_teardown(the_sources_figures_stand_beside, setup, cli_teardown),
        cmocka_unit_test_setup_teardown(what_cannot_be_is_told, setup, cli_teardown)};
    return cmocka_run_group_tests(tests, group_setup, NULL);
}
