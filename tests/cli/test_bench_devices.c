// fathom bench nbody, gas and ising with a device: its own clock is taken, its rates are the limits, it is
// compared with the processor, what it measures comes by records, and what cannot be run on it is reported.
// The devices are the test's own.
#include "tests/cli/bench_report.h"
#include "tests/support/test.h"

#include "models/gas/solver.h"
#include "models/ising/solver.h"
#include "models/nbody/solver.h"

enum { RECORDS_MOST = 64, FULL = 20000 }; // bodies, particles that a device without memory refuses

static struct {
    double n; // bodies, particles; spins of a lattice
    int method, evaluated, fetched, finished, sent;
    bool is_invalid; // gas: what it computes
    int64_t bias;    // ising: what it gets wrong of each replica's bonds
    struct ising_measure records[RECORDS_MOST];
} device;

static enum status take(double n, double most, int method)
{
    device.n = n;
    device.method = method;
    return bench_device.has_memory || n <= most ? STATUS_OK : FAIL(STATUS_SYSTEM, "its memory is full");
}

// The rest of the head stays that of the processor's back end.
static void take_head(struct backend *head)
{
    head->name = "device";
    head->summary = "";
    head->rank = 5;
    head->has_devices = true;
    head->is_usable = bench_device_is_usable;
}

static enum status device_touch(struct solver *solver, bool is_loaded)
{
    return STATUS_OK;
}

static enum status device_fetch(struct solver *solver)
{
    device.fetched++;
    return STATUS_OK;
}

static enum status device_evaluate(struct solver *solver, bool is_by_pairs)
{
    assert_false(is_by_pairs);
    device.evaluated++;
    return STATUS_OK;
}

static struct device_times device_times_of(const struct solver *solver)
{
    return bench_device_times();
}

// ---- nbody: does nothing, and by its clock a step takes 10⁻⁹ s a pair, or with the tree 10⁻⁵ s a body

static struct nbody_backend nbody_device;

static enum status nbody_plan(const struct nbody_setup *setup, struct memory_plan *plan, const char *prefix,
                              struct solver **solver)
{
    CHECK(take((double)setup->count, FULL, setup->physics->method));
    return nbody_backend_openmp.plan(setup, plan, prefix, solver);
}

static enum status nbody_advance(struct solver *solver, int64_t first_step, int64_t count)
{
    bench_device.compute_s +=
        (double)count * (device.method == NBODY_BARNES_HUT ? 1e-5 * device.n : 1e-9 * device.n * device.n);
    return STATUS_OK;
}

static enum status nbody_finish(struct solver *solver, struct nbody_nonfinite *found)
{
    return STATUS_OK;
}

static void register_nbody(void)
{
    nbody_device = nbody_backend_openmp;
    take_head(&nbody_device.head);
    nbody_device.has_method = NULL;
    nbody_device.plan = nbody_plan;
    nbody_device.head.touch = device_touch;
    nbody_device.head.fetch = device_fetch;
    nbody_device.evaluate = device_evaluate;
    nbody_device.head.advance = nbody_advance;
    nbody_device.finish = nbody_finish;
    nbody_device.head.times = device_times_of;
    backend_register(&nbody_backends, &nbody_device.head);
}

// ---- gas: moves nothing, and by its clock a step takes 10⁻⁹ s a pair, or by cells 10⁻⁶ s a particle

static struct gas_backend gas_device;

static enum status gas_plan(const struct gas_setup *setup, struct memory_plan *plan, const char *prefix,
                            struct solver **solver)
{
    CHECK(take((double)setup->count, FULL, setup->physics->method));
    return gas_backend_openmp.plan(setup, plan, prefix, solver);
}

static enum status gas_advance(struct solver *solver, int64_t first_step, int64_t count)
{
    bench_device.compute_s +=
        (double)count * (device.method == GAS_CELLS ? 1e-6 * device.n : 1e-9 * device.n * device.n);
    return STATUS_OK;
}

static enum status gas_finish(struct solver *solver, struct gas_finding *found)
{
    *found =
        (struct gas_finding){.error = device.is_invalid ? GAS_TOO_FAST : GAS_NO_ERROR, .step = 7, .id = 13};
    return STATUS_OK;
}

// In float multiply-adds limit ln r, in double the roots.
static enum status gas_arithmetic(int number, enum element precision, double *fma_per_s, double *rsqrt_per_s)
{
    *fma_per_s = 12e9;
    *rsqrt_per_s = precision == ELEMENT_F32 ? 4e9 : 1.5e9;
    return STATUS_OK;
}

static void register_gas(void)
{
    gas_device = gas_backend_openmp;
    take_head(&gas_device.head);
    gas_device.plan = gas_plan;
    gas_device.head.touch = device_touch;
    gas_device.head.fetch = device_fetch;
    gas_device.evaluate = device_evaluate;
    gas_device.head.advance = gas_advance;
    gas_device.finish = gas_finish;
    gas_device.head.times = device_times_of;
    gas_device.head.measure_copy = bench_device_copy;
    gas_device.head.measure_arithmetic = gas_arithmetic;
    backend_register(&gas_backends, &gas_device.head);
}

// ---- ising: the processor with another clock, by which a spin takes 10⁻³ ns

static struct ising_backend ising_device;

static bool ising_has_method(const struct ising_setup *setup, char *why, size_t bytes)
{
    snprintf(why, bytes, "it does one spin after the other");
    return setup->physics->method != ISING_METROPOLIS_RANDOM;
}

static enum status ising_plan(const struct ising_setup *setup, struct memory_plan *plan, const char *prefix,
                              struct solver **solver)
{
    CHECK(take((double)ising_sites(&setup->physics->lattice), 1000, setup->physics->method));
    return ising_backend_openmp.plan(setup, plan, prefix, solver);
}

static enum status ising_plan_results(struct solver *solver, const struct ising_wanted *wanted,
                                      struct memory_plan *plan, const char *prefix)
{
    assert_true(wanted->slots == 1 && wanted->frame_records <= RECORDS_MOST);
    return STATUS_OK;
}

static enum status ising_advance(struct solver *solver, int64_t first_sweep, int64_t count)
{
    bench_device.compute_s += 1e-12 * (double)count * device.n;
    return ising_backend_openmp.head.advance(solver, first_sweep, count);
}

static enum status ising_measure_device(struct solver *solver, struct ising_measure *measures)
{
    CHECK(ising_backend_openmp.measure(solver, measures));
    measures[0].bonds += device.bias;
    return STATUS_OK;
}

static enum status ising_capture(struct solver *solver, int slot, size_t record)
{
    assert_true(slot == 0 && record < RECORDS_MOST);
    return ising_backend_openmp.measure(solver, &device.records[record]);
}

static enum status ising_send(struct solver *solver, int result, int slot, size_t records, void *to)
{
    memcpy(to, device.records, records * sizeof *device.records);
    device.sent += (int)records;
    return STATUS_OK;
}

static enum status ising_await(struct solver *solver, int slot)
{
    return STATUS_OK;
}

static enum status ising_finish(struct solver *solver)
{
    device.finished++;
    return STATUS_OK;
}

static enum status ising_draws(int number, double *words_per_s)
{
    *words_per_s = 5e12;
    return STATUS_OK;
}

static void register_ising(void)
{
    ising_device = ising_backend_openmp;
    take_head(&ising_device.head);
    ising_device.has_method = ising_has_method;
    ising_device.plan = ising_plan;
    ising_device.plan_results = ising_plan_results;
    ising_device.head.advance = ising_advance;
    ising_device.measure = ising_measure_device;
    ising_device.capture = ising_capture;
    ising_device.head.send = ising_send;
    ising_device.await = ising_await;
    ising_device.finish = ising_finish;
    ising_device.head.times = device_times_of;
    ising_device.head.measure_copy = bench_device_copy;
    ising_device.measure_draws = ising_draws;
    backend_register(&ising_backends, &ising_device.head);
}

static int group_setup(void **state)
{
    register_nbody();
    register_gas();
    register_ising();
    return 0;
}

static int setup(void **state)
{
    memset(&device, 0, sizeof device);
    memset(&bench_device, 0, sizeof bench_device);
    bench_device.is_usable = bench_device.has_memory = true;
    return cli_setup(state);
}

static double step_of(const cJSON *report, const char *wanted)
{
    return cli_json_number(find_row(report, wanted), "step_ms");
}

// ---- its clock

// Pairs go with n², what is not run with the tree with n^1.1 from 1000 bodies on: the lines meet at 1000 ·
// 10^(1/0.9).
TEST(nbody_by_its_clock)
{
    cJSON *report =
        bench_report_of(BENCH("nbody --precision float --budget 0.001 --backend device --repeat 3 --json"));
    const cJSON *run = find_row(report, "method=direct n=1000");
    assert_near("clock", cli_json_number(run, "step_ms"), 1, 1e-9);
    assert_true(is_text(run, "clock", "device"));
    assert_true(cli_json_number(run, "steps") == 50 && device.evaluated > 0);
    assert_near("clock", step_of(report, "method=barnes-hut n=1000"), 10, 1e-9);
    assert_near("row before", step_of(report, "method=direct-naive n=524288"), 1e-6 * 524288 * 524288, 1e-3);
    assert_near("row before", step_of(report, "method=direct-tiled n=8388608"), 1e-6 * 8388608 * 8388608, 1);
    const cJSON *crossovers = cJSON_GetObjectItem(report, "crossovers");
    assert_int_equal(cJSON_GetArraySize(crossovers), 1);
    assert_near("crossover", cli_json_number(crossovers, "0.from"), 1000 * pow(10, 1 / 0.9), 1e-6 * 12915);
    // Beside the processor.
    const struct cli_result *result =
        BENCH("nbody --budget 0.001 --table sizes --backend openmp --backend device --repeat 1");
    cli_assert_done(result);
    assert_has(result->output, "direct, float: device rather than openmp",
               "barnes-hut, double: device rather than openmp",
               "device, double: barnes-hut rather than direct");
    assert_null(strstr(result->output, "openmp rather than device"));
}

TEST(gas_by_its_clock)
{
    cJSON *report = bench_report_of(BENCH("gas --size 1000 --system log --backend device --repeat 3 --json"));
    const cJSON *pairs = find_row(report, "method=all-pairs precision=float n=1000");
    assert_near("clock", cli_json_number(pairs, "step_ms"), 1, 1e-9);
    assert_true(is_text(pairs, "clock", "device") && cli_json_number(pairs, "steps") == 50);
    // 10⁶ − 10³ pairs in a millisecond, of 12e9/6.
    assert_near("arithmetic", cli_json_number(pairs, "of_arithmetic"), 0.999e9 / 2e9, 1e-9);
    assert_near("copy", cli_json_number(pairs, "of_copy"), 160e3 / 1e-3 / 4e12, 1e-12);
    assert_near("arithmetic",
                cli_json_number(find_row(report, "method=all-pairs precision=double"), "of_arithmetic"),
                0.999e9 / 1.5e9, 1e-9);
    assert_true(device.evaluated == 2 && device.fetched == 2); // the regions' error, in both precisions
    assert_near("clock", step_of(report, "method=regions precision=float"), 1, 1e-9);
    // What is too slow is not run: all pairs of two million by those of 16 384.
    report = bench_report_of(BENCH("gas --size 2097152 --system log --budget 0.001 --precision float "
                                   "--method all-pairs --backend device --repeat 1 --json"));
    assert_int_equal(cli_count(report, "rows"), 1);
    assert_true(is_estimate(find_row(report, "n=2097152")));
    assert_near("estimate", step_of(report, "n=2097152") / (1e-6 * 2097152 * 2097152), 1, 1e-4);
}

TEST(ising_by_its_clock)
{
    cJSON *report = bench_report_of(
        BENCH("ising --size 64 --method heat-bath --backend device --repeat 2 --steps 700 --json"));
    assert_int_equal(cli_count(report, "rows"), 1);
    const cJSON *row = find_row(report, "clock=device steps=700");
    assert_near("rate", cli_json_number(row, "flips_per_ns"), 1000, 1e-6);
    assert_near("arithmetic", cli_json_number(row, "of_arithmetic"),
                cli_json_number(row, "words_per_flip") * 1e12 / 5e12, 1e-9);
    assert_near("copy", cli_json_number(row, "of_copy"), cli_json_number(row, "bytes") / (4096e-12 * 4e12),
                1e-9);
    // Each is sent, also those that fill no frame of 64, before the clock stops.
    assert_true(device.finished >= 3 && device.sent >= 3 * 70);
}

// Of the integer chain a device has an int and a byte a spin.
TEST(both_plain_variants_are_there)
{
    cJSON *report = bench_report_of(BENCH("ising --size 16 --method metropolis-integer --method "
                                          "metropolis-random --backend device --repeat 1 --steps 10 --json"));
    assert_int_equal(cli_count(report, "rows"), 2);
    assert_true(cli_json_number(find_row(report, "spin=int"), "bytes") >
                3.9 * cli_json_number(find_row(report, "spin=byte"), "bytes"));
    assert_int_equal(cli_count(report, "notes"), 1);
    assert_has(cli_text(report, "notes.0"), "one spin after the other");
}

// ---- what it refuses

TEST(what_cannot_run_is_reported)
{
    bench_device.has_memory = false;
    static const struct {
        const char *model, *small, *large, *method, *note;
    } cases[] = {
        {"nbody", "1000", "30000", "direct-naive",
         "device, double, direct-naive, n = 30000: not measured: its memory is full"},
        {"gas", "1000", "21000", "all-pairs",
         "device, double, log, all-pairs, n = 21000: not measured: its memory is full"},
        {"ising", "16", "64", "metropolis", "device, metropolis, 64 x 64: not measured: its memory is full"},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        const char *model = cases[k].model, *large = cases[k].large, *method = cases[k].method;
        // Few steps, and no gas but ln r.
        const char *option = strcmp(model, "gas") == 0 ? "--system" : "--steps";
        const char *value = strcmp(model, "gas") == 0 ? "log" : "10";
        const struct cli_result *result =
            BENCH("%s --no-reference --size %s --size %s --method %s %s %s --budget 3 --repeat 1", model,
                  cases[k].small, large, method, option, value);
        cli_assert_done(result);
        assert_has(result->output, cases[k].note);
        cli_assert_error(BENCH("%s --backend device --size %s --method %s %s %s --budget 20", model, large,
                               method, option, value),
                         71, false, "its memory is full");
        bench_device.is_usable = false;
        cli_assert_error(BENCH("%s --backend device", model), 71, false, "not plugged in");
        bench_device.is_usable = true;
    }
}

TEST(what_is_wrong_fails)
{
    device.is_invalid = true;
    cli_assert_error(BENCH("gas --backend device --system log --method all-pairs --size 1000"), 70, false,
                     "invalid after step 7, particle 13");
    device.bias = 2 * 64 * 64 / 20; // a bond in twenty
    cli_assert_error(BENCH("ising --backend device --method metropolis --size 64 --steps 10 --repeat 1"), 70,
                     true, "standard errors apart");
}

TEST_SUITE(.setup = setup, .teardown = cli_teardown, .group_setup = group_setup);
