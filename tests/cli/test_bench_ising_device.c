// fathom bench ising with a device: its own clock is taken, its rates are the limits, its measurements come
// by records, and what cannot be run on it is told. The device is the test's own: the processor with another
// clock.
#include "tests/cli/bench_report.h"

#include "models/ising/solver.h"

// By its clock a spin takes 10⁻³ ns. `bias`: what it gets wrong of each replica's bonds.

enum { RECORDS_MOST = 64 };

static struct {
    bool is_usable, has_memory;
    int64_t sites, bias;
    double compute_s;
    int finished, sent;
    struct ising_measure records[RECORDS_MOST];
} device;

static struct ising_backend device_backend;

static bool device_is_usable(int number, char *why, size_t bytes)
{
    (void)number;
    snprintf(why, bytes, "it is not plugged in");
    return device.is_usable;
}

static bool device_has_method(const struct ising_setup *setup, char *why, size_t bytes)
{
    snprintf(why, bytes, "it does one spin after the other");
    return setup->physics->method != ISING_METROPOLIS_RANDOM;
}

static enum status device_plan(const struct ising_setup *setup, struct memory_plan *plan, const char *prefix,
                               struct ising_solver **solver)
{
    device.sites = (int64_t)ising_sites(&setup->physics->lattice);
    if (!device.has_memory && device.sites > 1000)
        return FAIL(STATUS_SYSTEM, "its memory is full");
    return ising_backend_openmp.plan(setup, plan, prefix, solver);
}

static enum status device_plan_results(struct ising_solver *solver, const struct ising_wanted *wanted,
                                       struct memory_plan *plan, const char *prefix)
{
    (void)solver;
    (void)plan;
    (void)prefix;
    assert_true(wanted->slots == 1 && wanted->frame_records <= RECORDS_MOST);
    return STATUS_OK;
}

static enum status device_advance(struct ising_solver *solver, int64_t first_sweep, int64_t count)
{
    device.compute_s += 1e-12 * (double)(count * device.sites);
    return ising_backend_openmp.advance(solver, first_sweep, count);
}

static enum status device_measure(struct ising_solver *solver, struct ising_measure *measures)
{
    CHECK(ising_backend_openmp.measure(solver, measures));
    measures[0].bonds += device.bias;
    return STATUS_OK;
}

static enum status device_capture(struct ising_solver *solver, int slot, size_t record)
{
    assert_true(slot == 0 && record < RECORDS_MOST);
    return ising_backend_openmp.measure(solver, &device.records[record]);
}

static enum status device_send(struct ising_solver *solver, int slot, size_t records,
                               struct ising_measure *to)
{
    (void)solver;
    (void)slot;
    memcpy(to, device.records, records * sizeof *to);
    device.sent += (int)records;
    return STATUS_OK;
}

static enum status device_await(struct ising_solver *solver, int slot)
{
    (void)solver;
    (void)slot;
    return STATUS_OK;
}

static enum status device_finish(struct ising_solver *solver)
{
    (void)solver;
    device.finished++;
    return STATUS_OK;
}

static struct device_times device_times_of(const struct ising_solver *solver)
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

static enum status device_measure_draws(int number, double *words_per_s)
{
    (void)number;
    *words_per_s = 5e12;
    return STATUS_OK;
}

static int group_setup(void **state)
{
    (void)state;
    device_backend = ising_backend_openmp;
    device_backend.head = (struct backend){
        .name = "device", .summary = "", .rank = 5, .has_devices = true, .is_usable = device_is_usable};
    device_backend.has_method = device_has_method;
    device_backend.plan = device_plan;
    device_backend.plan_results = device_plan_results;
    device_backend.advance = device_advance;
    device_backend.measure = device_measure;
    device_backend.capture = device_capture;
    device_backend.send = device_send;
    device_backend.await = device_await;
    device_backend.finish = device_finish;
    device_backend.times = device_times_of;
    device_backend.measure_copy = device_measure_copy;
    device_backend.measure_draws = device_measure_draws;
    backend_register(&ising_backends, &device_backend.head);
    return 0;
}

static int setup(void **state)
{
    memset(&device, 0, sizeof device);
    return cli_setup(state);
}

static const cJSON *only_row(const cJSON *report)
{
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(report, "rows")), 1);
    return cJSON_GetArrayItem(cJSON_GetObjectItem(report, "rows"), 0);
}

static void a_devices_clock_is_taken(void **unused)
{
    (void)unused;
    device.is_usable = device.has_memory = true;
    cJSON *report = bench_report_of(run_in_process(command_bench, "bench", "ising", "--size", "64",
                                                   "--method", "heat-bath", "--backend", "device", "--repeat",
                                                   "2", "--steps", "700", "--json", NULL));
    const cJSON *row = only_row(report);
    assert_true(is_text(row, "clock", "device") && cli_json_number(row, "steps") == 700);
    assert_near("rate", cli_json_number(row, "flips_per_ns"), 1000, 1e-6);
    assert_near("arithmetic", cli_json_number(row, "of_arithmetic"),
                cli_json_number(row, "words_per_flip") * 1e12 / 5e12, 1e-9);
    assert_near("copy", cli_json_number(row, "of_copy"), cli_json_number(row, "bytes") / (4096e-12 * 4e12),
                1e-9);
    // Each is sent, also those that fill no frame of 64, before the clock stops.
    assert_true(device.finished >= 3 && device.sent >= 3 * 70);
    cJSON_Delete(report);
}

// Of the integer chain a device has an int and a byte a spin.
static void both_plain_variants_are_there(void **unused)
{
    (void)unused;
    device.is_usable = device.has_memory = true;
    cJSON *report = bench_report_of(run_in_process(
        command_bench, "bench", "ising", "--size", "16", "--method", "metropolis-integer", "--method",
        "metropolis-random", "--backend", "device", "--repeat", "1", "--steps", "10", "--json", NULL));
    const cJSON *rows = cJSON_GetObjectItem(report, "rows");
    assert_int_equal(cJSON_GetArraySize(rows), 2);
    const cJSON *bytes = cJSON_GetArrayItem(rows, 0), *ints = cJSON_GetArrayItem(rows, 1);
    assert_true(is_text(bytes, "spin", "byte") && is_text(ints, "spin", "int"));
    assert_true(cli_json_number(ints, "bytes") > 3.9 * cli_json_number(bytes, "bytes"));
    const cJSON *notes = cJSON_GetObjectItem(report, "notes");
    assert_int_equal(cJSON_GetArraySize(notes), 1);
    assert_non_null(strstr(cJSON_GetArrayItem(notes, 0)->valuestring, "one spin after the other"));
    cJSON_Delete(report);
}

static void what_cannot_be_is_told(void **unused)
{
    (void)unused;
    device.is_usable = true;
    const struct cli_result *result =
        run_in_process(command_bench, "bench", "ising", "--no-reference", "--size", "16", "--size", "64",
                       "--method", "metropolis", "--steps", "10", "--repeat", "1", NULL);
    cli_assert_done(result);
    assert_non_null(strstr(result->output, "device, metropolis, 64 x 64: not measured: its memory is full"));
    cli_assert_error(run_in_process(command_bench, "bench", "ising", "--backend", "device", "--method",
                                    "metropolis", "--size", "64", NULL),
                     71, false, "its memory is full", NULL);
    device.is_usable = false;
    cli_assert_error(run_in_process(command_bench, "bench", "ising", "--backend", "device", NULL), 71, false,
                     "not plugged in", NULL);
}

// A bond in twenty.
static void a_wrong_energy_fails(void **unused)
{
    (void)unused;
    device.is_usable = device.has_memory = true;
    device.bias = 2 * 64 * 64 / 20;
    cli_assert_error(run_in_process(command_bench, "bench", "ising", "--backend", "device", "--method",
                                    "metropolis", "--size", "64", "--steps", "10", "--repeat", "1", NULL),
                     70, true, "standard errors apart", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_devices_clock_is_taken, setup, cli_teardown),
        cmocka_unit_test_setup_teardown(both_plain_variants_are_there, setup, cli_teardown),
        cmocka_unit_test_setup_teardown(what_cannot_be_is_told, setup, cli_teardown),
        cmocka_unit_test_setup_teardown(a_wrong_energy_fails, setup, cli_teardown)};
    return cmocka_run_group_tests(tests, group_setup, NULL);
}
