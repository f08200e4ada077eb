// fathom bench, for all models and for the tsunami. The report has every back end, precision and method. Its
// figures agree with a clock that the test sets. Cases that cannot run are reported. Memory is released
// between the rows. With a moving shoreline all wet nodes move, and no tile is skipped.
#include "tests/cli/bench_report.h"
#include "tests/support/test.h"

#include "bench/bench.h"
#include "models/tsunami/solver.h"
#include "parallel/ranks.h"
#include "parallel/shares.h"
#include "tests/support/device_memory.h"
#include "tests/support/statuses.h"

#include <omp.h>

// ---- an imitated device

static struct {
    double step_s;         // duration of a step, by the device's clock
    long long loses_count; // intervals that its clock does not measure, at each call
    double value;          // if not 0, each call of advance writes it to the state
    int finished;
    struct device_memory memory;
    int planned; // number of the device in the last call of plan
    size_t columns, rows;
    bool skips_quiet_tiles;
    size_t moving; // nodes that had a velocity when the state was last fetched
} device;

static struct tsunami_backend device_backend;
static void *device_array;

static enum status device_plan(const struct tsunami_setup *setup, struct memory_plan *plan,
                               const char *prefix, struct solver **solver)
{
    device.planned = setup->device;
    device.columns = setup->geometry->nx;
    device.rows = setup->geometry->ny;
    device.skips_quiet_tiles = setup->skips_quiet_tiles;
    device_memory_use(&device.memory, plan);
    CHECK(
        memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_F32, 1, 1000, &device_array, "%sdevice state", prefix));
    return tsunami_backend_openmp.plan(setup, plan, prefix, solver);
}

static enum status device_fetch(struct solver *solver)
{
    device.moving = 0;
    for (size_t j = 0; j < device.rows; j++)
        for (size_t i = 0; i < device.columns; i++) {
            double eta_m, u_m_s, v_m_s;
            tsunami_backend_openmp.get(solver, j, i, 1, &eta_m, &u_m_s, &v_m_s);
            device.moving += u_m_s != 0 || v_m_s != 0;
        }
    return STATUS_OK;
}

// Takes no time on the host; the device's clock advances.
static enum status device_advance(struct solver *solver, int64_t first_step, int64_t count)
{
    const double zero = 0;
    bench_device.compute_s += device.step_s * (double)count;
    bench_device.uncounted += device.loses_count;
    if (device.value != 0)
        tsunami_backend_openmp.set(solver, 3, 2, 1, &device.value, &zero, &zero);
    return STATUS_OK;
}

static enum status device_finish(struct solver *solver, struct tsunami_invalid *found)
{
    device.finished++;
    return STATUS_OK;
}

static struct device_times device_times_of(const struct solver *solver)
{
    return bench_device_times();
}

static int group_setup(void **state)
{
    device_backend = tsunami_backend_openmp;
    device_backend.head.name = "device";
    device_backend.flooding = &device_backend;
    device_backend.staggered = NULL;
    device_backend.head.has_devices = true;
    device_backend.head.is_usable = bench_device_is_usable;
    device_backend.plan = device_plan;
    device_backend.head.fetch = device_fetch;
    device_backend.head.advance = device_advance;
    device_backend.finish = device_finish;
    device_backend.head.times = device_times_of;
    device_backend.head.measure_copy = bench_device_copy;
    backend_register(&tsunami_backends, &device_backend.head);
    backend_register_absent("elsewhere", "not in this build (it is Sunday)");
    return 0;
}

static int setup(void **state)
{
    memset(&device, 0, sizeof device);
    memset(&bench_device, 0, sizeof bench_device);
    bench_device.is_usable = true;
    bench_device.asked = bench_device.copied = device.planned = -1;
    device.memory.available_bytes = SIZE_MAX;
    device.step_s = 1e-4;
    device_backend.flooding = &device_backend;
    return cli_setup(state);
}

#define SMALL     "tsunami --size 64x48 --repeat 3 --json "
#define OCEAN     SMALL "--method vtcs2 --method vtcs2-o2 "
#define SHORE     SMALL "--steps 2 --method muscl-hancock "
#define OF_DEVICE "--backend device "

// ---- rows

// Returns the time of a step; the other figures of the row must agree with it.
static double step_of(const cJSON *report, const cJSON *row, double float_bytes, double double_bytes)
{
    const double step_s = cli_json_number(row, "step_ms") / 1e3;
    assert_true(step_s > 0 && isfinite(step_s));
    assert_near("rate", cli_json_number(row, "node_steps_per_s") * step_s / (64 * 48), 1, 1e-12);
    assert_near("forecast", cli_json_number(row, "seconds_for_8640_steps") / (8640 * step_s), 1, 1e-12);
    cli_expect_number(row, "bytes_per_node",
                      (is_text(row, "precision", "float") ? float_bytes : double_bytes));
    check_shared_figures(report, row);
    return step_s;
}

// Both back ends have all methods in float and in double, except that the device has no staggered method; the
// reference computes in double only.
TEST(test_the_report_has_every_method_once)
{
    static const struct {
        const char *method, *grid;
    } methods[] = {{"vtcs2", "ocean"},
                   {"vtcs2-o2", "ocean"},
                   {"c-grid-6", "ocean"},
                   {"muscl-hancock", "shore"},
                   {"vtcs2-shore", "shore"}};
    cJSON *report = bench_report_of(BENCH(SMALL "--steps 2"));
    assert_int_equal(cli_count(report, "rows"), 10 + 8 + 5);
    for (int k = 0; k < 5; k++) {
        static const char *const backends[] = {"openmp", "device", "reference"};
        for (int b = 0; b < 3; b++)
            for (int is_float = 0; is_float < 2; is_float++) {
                assert_int_equal(
                    count_rows(report, format_text("backend=%s method=%s grid=%s precision=%s", backends[b],
                                                   methods[k].method, methods[k].grid,
                                                   is_float ? "float" : "double")),
                    (b == 2 && is_float) || (b == 1 && k == 2) ? 0 : 1);
            }
    }
    const cJSON *row;
    cJSON_ArrayForEach(row, cli_item(report, "rows"))
    {
        (void)step_of(report, row, 28, 56);
        assert_true(is_text(row, "clock", is_text(row, "backend", "device") ? "device" : "host"));
        // A fifth of the grid is the beach's land, a tenth are 24 islands.
        if (is_text(row, "grid", "shore"))
            assert_near("wet", cli_json_number(row, "wet_nodes") / (64 * 48), 0.7, 0.02);
        else
            assert_null(cJSON_GetObjectItem(row, "wet_nodes"));
    }
    // One copy rate for the host's memory, one for the device's.
    assert_true(number_in(report, "copy_gb_s", "openmp") == number_in(report, "copy_gb_s", "reference"));
    assert_true(number_in(report, "copy_gb_s", "device") == 4000);
    // Arithmetic limits the fast back ends.
    assert_int_equal(cli_count(report, "limits"), 2);
    // The memory of each row was released before that of the next was reserved.
    assert_int_equal(device.memory.reserved, 8);
    assert_int_equal(device.memory.released, 8);
    assert_int_equal(device.memory.most_held, 1);
}

TEST(test_one_method_alone)
{
    cJSON *report = bench_report_of(BENCH(SMALL "--method vtcs2-o2 --steps 2"));
    assert_int_equal(cli_count(report, "rows"), 2 + 2 + 1);
    assert_int_equal(count_rows(report, "backend=openmp method=vtcs2-o2 precision=float"), 1);
    assert_int_equal(count_rows(report, "backend=reference method=vtcs2-o2 precision=double"), 1);
    assert_true(device.skips_quiet_tiles); // as in a run; no tile is at rest
    report = bench_report_of(BENCH(OCEAN "--size 32x32 --precision double " OF_DEVICE));
    assert_int_equal(cli_count(report, "rows"), 2 + 2);
    assert_int_equal(count_rows(report, "nx=32 ny=32 precision=double"), 2);
}

// ---- a moving shoreline

// The imitated device does not change the state.
TEST(test_all_wet_nodes_move)
{
    cJSON *report = bench_report_of(BENCH(SHORE OF_DEVICE));
    assert_int_equal(cli_count(report, "rows"), 2);
    assert_true(device.moving > 0);
    cli_expect_number(find_row(report, "precision=double"), "wet_nodes", (double)device.moving);
    assert_false(device.skips_quiet_tiles);
    const struct cli_result *result = BENCH("tsunami --size 64x48 " OF_DEVICE "--method muscl-hancock");
    cli_assert_done(result);
    const char *wet = format_text(" %zu   70", device.moving);
    assert_has(result->output, "moving shoreline\n", "64 x 48", "wet nodes", wet);
}

TEST(test_run_up_maxima_and_friction)
{
    cJSON *report = bench_report_of(BENCH(SHORE "--maxima --manning 0.025"));
    const cJSON *row;
    // The largest elevation and the largest depth are read.
    cJSON_ArrayForEach(row, cli_item(report, "rows"))(void) step_of(report, row, 36, 64);
    assert_int_equal(cli_count(report, "rows"), 2 + 2 + 1);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(report, "maxima")));
    cli_expect_number(report, "manning_n", 0.025);
}

TEST(test_the_step_is_checked_against_the_grid)
{
    cJSON *report = bench_report_of(BENCH(SMALL OF_DEVICE));
    const cJSON *ocean = find_row(report, "grid=ocean"), *shore = find_row(report, "grid=shore");
    assert_true(cli_json_number(ocean, "step_s") == 10);
    // 48 rows about the equator: cells of 4 arc-minutes, 7413 m, less the last row's cos 1.57°; √(9.81 ·
    // 6300.5) m/s.
    assert_near("limit", cli_json_number(ocean, "step_limit_s"),
                7413 * cos(1.5667 * 3.14159265 / 180) / 248.7, 0.05);
    // Half a cell of 10 m at √(g h): the beach, 0.3 of 63 cells wide, has a slope of 0.1; the swell is a
    // hundredth of the sea's depth.
    const double limit_s = 0.5 * 10 / sqrt(9.81 * 0.1 * 0.3 * 630 * 1.01);
    assert_near("limit", cli_json_number(shore, "step_limit_s") / limit_s, 1, 1e-9);
    assert_near("step", cli_json_number(shore, "step_s") / (0.9 * limit_s), 1, 1e-9);
    cli_assert_done(BENCH(OCEAN OF_DEVICE "--step '29 s'"));
    cli_assert_error(BENCH(OCEAN "--step '31 s'"), 64, false, "--step", "31 s is unstable", "limit");
    cli_assert_done(BENCH(SHORE OF_DEVICE "'--step=0.36 s'"));
    cli_assert_error(BENCH(SHORE "--step '0.37 s'"), 64, false, "--step", "0.37 s is unstable");
}

TEST(test_an_unstable_benchmark_is_an_error)
{
    device.value = 60;
    cli_assert_error(BENCH(OCEAN OF_DEVICE), 70, false, "device", "unstable", "column 2, row 3");
    cli_assert_error(BENCH(SHORE OF_DEVICE), 70, false, "device", "unstable", "column 2, row 3");
    assert_true(device.memory.reserved > 0);
    assert_int_equal(device.memory.reserved, device.memory.released);
}

TEST(test_a_back_end_without_the_method)
{
    device_backend.flooding = NULL;
    cJSON *report = bench_report_of(BENCH(SHORE "--no-reference"));
    assert_int_equal(cli_count(report, "rows"), 2);
    assert_string_equal(cli_text(report, "notes.0"), "device: not measured: it has no muscl-hancock");
    cli_assert_error(BENCH(SHORE OF_DEVICE), 64, false, "--method",
                     "back end \"device\" has no muscl-hancock");
    assert_int_equal(device.memory.reserved, 0);
    // All methods: those that it has.
    report = bench_report_of(BENCH(SMALL OF_DEVICE));
    assert_int_equal(cli_count(report, "rows"), 4);
}

// ---- the device's clock, number and errors

TEST(test_a_device_is_timed_by_its_own_clock)
{
    cJSON *report = bench_report_of(BENCH(OCEAN OF_DEVICE "--maxima"));
    assert_int_equal(cli_count(report, "rows"), 4);
    assert_null(cJSON_GetObjectItem(cli_item(report, "copy_gb_s"), "openmp"));
    const cJSON *row = find_row(report, "method=vtcs2 precision=float");
    // 500 steps of 0.1 ms are 50 ms.
    assert_true(cli_json_number(row, "steps") == 500);
    assert_near("step", cli_json_number(row, "step_ms"), 0.1, 1e-9);
    assert_near("forecast", cli_json_number(row, "seconds_for_8640_steps"), 0.864, 1e-8);
    assert_true(cli_json_number(row, "bytes_per_node") == 32); // 28, and the largest elevation read
    const double rate = 64 * 48 / 1e-4;
    assert_near("rate", cli_json_number(row, "node_steps_per_s") / rate, 1, 1e-9);
    assert_near("GB/s", cli_json_number(row, "gb_s") / (32 * rate / 1e9), 1, 1e-9);
    assert_near("of copy", cli_json_number(row, "of_copy") / (32 * rate / 4e12), 1, 1e-9);
    assert_true(cli_json_number(row, "device_bytes") >= 4000);
    assert_near("scatter", cli_json_number(row, "scatter"), 0, 1e-9);
    assert_true(device.finished >= 4 * 3); // the host waits until launched steps are done
    const struct cli_result *result = BENCH("tsunami --size 64x48 " OF_DEVICE);
    cli_assert_done(result);
    assert_has(result->output, "8640 steps", "  30.72  "); // Mnode-steps/s: 3072 nodes in 0.1 ms
    assert_has(result->output, "4000.0 GB/s (read + written) in the memory of device");
}

// A device that takes no time is faster at each size; one that takes a quarter of an hour is at none.
TEST(test_from_which_size_a_device_is_faster)
{
    for (int is_slow = 0; is_slow < 2; is_slow++) {
        device.step_s = is_slow ? 1e3 : 1e-12;
        cJSON *report = bench_report_of(
            BENCH("tsunami --table sizes --size 16x16 --size 32x16 --method vtcs2 --precision "
                  "float --steps 2 --repeat 1 --no-reference --json"));
        const cJSON *list = cli_item(report, "crossovers"), *item = cJSON_GetArrayItem(list, 0);
        assert_int_equal(cJSON_GetArraySize(list), 1);
        assert_true(is_text(item, "faster", "ocean, vtcs2, float: device rather than openmp"));
        if (is_slow)
            assert_true(cJSON_IsNull(cli_item(item, "from")));
        else
            assert_true(cli_json_number(item, "from") == 0);
    }
}

TEST(test_a_clock_with_gaps_is_not_used)
{
    device.loses_count = 1;
    cJSON *report = bench_report_of(BENCH(OCEAN OF_DEVICE "--steps 20"));
    const cJSON *row = find_row(report, "");
    assert_string_equal(cli_text(row, "clock"), "host");
    assert_true(cli_json_number(row, "steps") == 20);
    assert_true(fabs(cli_json_number(row, "step_ms") - 0.1) > 1e-9); // not the time of the device's clock
}

TEST(test_cases_that_cannot_run_are_reported)
{
    bench_device.is_usable = false;
    cJSON *report = bench_report_of(BENCH(OCEAN "--no-reference --steps 2"));
    assert_int_equal(cli_count(report, "rows"), 4);
    assert_string_equal(cli_text(report, "notes.0"), "device: not measured: it is not plugged in");
    // If the device is requested by name, this is an error; the message has the back end's own reason, not
    // the first failure.
    cli_assert_error(BENCH(OCEAN OF_DEVICE), 71, false,
                     "bench tsunami: device cannot be used here: it is not plugged in");
    cli_assert_error(BENCH(OCEAN "--backend device:2"), 71, false,
                     "bench tsunami: device:2 cannot be used here: it is not plugged in");
    assert_int_equal(bench_device.asked, 2);
    assert_int_equal(device.memory.reserved, 0);
}

TEST(test_a_device_by_its_number)
{
    cJSON *report = bench_report_of(BENCH(OCEAN "--backend device:3 --steps 2"));
    assert_int_equal(cli_count(report, "rows"), 4);
    assert_int_equal(count_rows(report, "backend=device:3 method=vtcs2 precision=float"), 1);
    assert_true(number_in(report, "copy_gb_s", "device:3") == 1000);
    assert_true(bench_device.asked == 3 && bench_device.copied == 3 && device.planned == 3);
    // Two devices of one back end: each is measured once, in the order of the options.
    report = bench_report_of(BENCH(OCEAN "--steps 2 --backend device:1 " OF_DEVICE "--backend device:0"));
    assert_int_equal(cli_count(report, "rows"), 8);
    assert_string_equal(cli_text(report, "rows.0.backend"), "device:1");
    assert_string_equal(cli_text(report, "rows.4.backend"), "device");
    assert_true(number_in(report, "copy_gb_s", "device:1") == 2000);
    assert_true(number_in(report, "copy_gb_s", "device") == 4000);
    assert_int_equal(device.planned, 0);
}

// ---- wrong options, of all models

static const struct {
    const char *model, *option, *value, *fragment;
} wrong[] = {
    {"tsunami", "--backend", "opencl", "openmp, reference"},
    {"tsunami", "--backend", "auto", "auto"},
    {"tsunami", "--backend", "elsewhere",
     "bench tsunami: --backend: \"elsewhere\" is not in this build (it is Sunday), which has: "},
    {"tsunami", "--backend", "device:x", "number of a device"},
    {"tsunami", "--backend", "openmp:1", "openmp has no devices"},
    {"tsunami", "--steps", "1", "2 to 100000"},
    {"tsunami", "--steps", "1e3", "\"1e3\""},
    {"tsunami", "--repeat", "0", "1 to 101"},
    {"tsunami", "--repeat", "102", "1 to 101"},
    {"tsunami", "--manning", "1", "0 to 0.99"},
    {"tsunami", "--manning", "nan", "\"nan\""},
    {"tsunami", "--size", "64", "two numbers"},
    {"tsunami", "--size", "3x9", "4 to 100000"},
    {"tsunami", "--step", "10", "unit"},
    {"tsunami", "--step", "-1 s", "not above 0"},
    {"tsunami", "--method", "vtcs3", "\"vtcs3\" is not one of vtcs2, vtcs2-o2, c-grid-6, muscl-hancock"},
    {"bioheat", "--variant", "fast", "\"fast\""},
    {"bioheat", "--size", "12x18", "three numbers"},
    {"bioheat", "--size", "12x18x4", "5 to 10000"},
    {"bioheat", "--backend", "abacus", "abacus"},
    {"nbody", "--size", "1", "2 to 1073741824"},
    {"nbody", "--size", "1e6", "\"1e6\""},
    {"nbody", "--table", "all", "variants, sizes"},
    {"nbody", "--method", "fast", "direct, direct-tiled, direct-naive, barnes-hut"},
    {"nbody", "--theta", "0", "0.05 to 2"},
    {"nbody", "--theta", "x", "\"x\""},
    {"nbody", "--softening", "-1", "0 to 10"},
    {"nbody", "--precision", "half", "float, double"},
    {"nbody", "--budget", "none", "0.001 to 86400"},
    {"nbody", "--repeat", "0", "1 to 101"},
    {"nbody", "--particles", "dust", "plummer, uniform-cube"},
    {"nbody", "--backend", "abacus", "abacus"},
    {"nbody", "--steps", "0", "1 to 100000"},
    {"nbody", "--threads", "no", "1 to 4096"},
    {"gas", "--size", "100", "256 to 1073741824"},
    {"gas", "--size", "1e6", "\"1e6\""},
    {"gas", "--method", "tree", "all-pairs, cells"},
    {"gas", "--system", "gas", "log, log-2500, condensing"},
    {"gas", "--skin", "0", "0.001 to 10"},
    {"gas", "--skin", "x", "\"x\""},
    {"gas", "--precision", "half", "float, double"},
    {"gas", "--budget", "none", "0.001 to 86400"},
    {"gas", "--repeat", "0", "1 to 101"},
    {"gas", "--columns", "0", "1 to 1024"},
    {"gas", "--columns", "x1", "\"x1\""},
    {"gas", "--near", "1", "1.001 to 1000"},
    {"gas", "--far", "x", "\"x\""},
    {"gas", "--far", "1.5", "less than --near"},
    {"gas", "--order", "2", "0 to 1"},
    {"gas", "--steps", "0", "1 to 100000"},
    {"gas", "--threads", "no", "1 to 4096"},
    {"gas", "--backend", "sun", "sun"},
    {"ising", "--size", "7", "even"},
    {"ising", "--size", "2", "4 to 1048576"},
    {"ising", "--size", "1e3", "\"1e3\""},
    {"ising", "--method", "ising", "metropolis, metropolis-integer"},
    {"ising", "--replicas", "0", "1 to 1048576"},
    {"ising", "--boundary", "open", "periodic, helical"},
    {"ising", "--beta", "-1", "to 1000"},
    {"ising", "--beta", "x", "\"x\""},
    {"ising", "--check-beta", "0.4", "0.48 to 2"},
    {"ising", "--every", "0", "1 to 1000"},
    {"ising", "--every", "2x", "\"2x\""},
    {"ising", "--budget", "none", "0.001 to 86400"},
    {"ising", "--repeat", "0", "1 to 101"},
    {"ising", "--steps", "0", "1 to 100000"},
    {"ising", "--threads", "no", "1 to 4096"},
    {"ising", "--backend", "moon", "moon"},
};

TEST(test_wrong_options)
{
    for (size_t k = 0; k < COUNT(wrong); k++)
        cli_assert_error(BENCH("%s %s %s", wrong[k].model, wrong[k].option, wrong[k].value), 64, false,
                         wrong[k].model, wrong[k].option, wrong[k].fragment);
    cli_assert_error(BENCH(OCEAN "more"), 64, false, "only options");
    cli_assert_error(BENCH(OCEAN "--nonsense=3"), 64, false,
                     "bench tsunami: unknown option --nonsense; see fathom bench tsunami --help");
    cli_assert_error(BENCH(OCEAN "--s=3"), 64, false, "bench tsunami: --s begins several options; see");
    cli_assert_error(BENCH(OCEAN "-q"), 64, false, "bench tsunami: unknown option -q; see");
    cli_assert_error(BENCH(OCEAN "--size"), 64, false, "bench tsunami: --size needs a value; see");
    cli_assert_error(BENCH(OCEAN "-t"), 64, false, "bench tsunami: -t needs a value; see");
    cli_assert_error(BENCH(OCEAN "--json=yes"), 64, false, "bench tsunami: --json takes no value; see");
}

TEST(test_help)
{
    static const char *const models[] = {"tsunami", "bioheat", "nbody", "gas", "ising"};
    for (int k = 0; k < 5; k++) {
        const struct cli_result *result = BENCH("%s --help", models[k]);
        cli_assert_done(result);
        assert_has(result->output, models[k], "\n      --size N            ",
                   "\n  -t, --threads N         processor cores to use (all)\n");
        assert_null(strstr(result->output, " \n"));
    }
}

// ---- several ranks, here one

// Of three repetitions, in one of which a rank was late.
TEST(test_exchange_time_is_the_median_of_the_repetitions)
{
    static struct bench bench; // large
    static struct bench_time timing = {
        .steps = 10, .repeat = 3, .waited_s = {0.01, 9, 0.02}, .exchanged_bytes = 600};
    static struct ranks one = {.count = 1};
    static const struct share all = {0, 100};
    bench.ranks = &one;
    bench.shares = &all;
    assert_ok(bench_ranks_total(&bench, &timing));
    assert_near("waited", timing.exchange_ms, 2, 1e-12);
    assert_near("sent", timing.exchanged_bytes, 20, 1e-12);
}

// On processors ranks share cores if they have more threads than there are; on devices, if one was named.
TEST(test_what_ranks_share_depends_on_the_back_end)
{
    static struct bench bench; // large
    static struct bench_row row;
    static struct ranks_place places[4];
    static struct ranks ranks = {.count = 4, .places = places};
    struct backend backend = {.name = "some"};
    struct bench_entry entry = {.backend = &backend, .label = "some"};
    const int threads = omp_get_max_threads();
    for (int r = 0; r < 4; r++)
        snprintf(places[r].host, sizeof places[r].host, "host%d", r / 2);
    bench.ranks = &ranks;
    row.entry = &entry;
    omp_set_num_threads(4096);
    assert_string_equal(bench_ranks_sharing(&bench, &row), "cores");
    backend.has_devices = true;
    assert_null(bench_ranks_sharing(&bench, &row));
    snprintf(entry.label, sizeof entry.label, "some:1");
    assert_string_equal(bench_ranks_sharing(&bench, &row), "a device");
    snprintf(places[1].host, sizeof places[1].host, "another");
    snprintf(places[3].host, sizeof places[3].host, "a fourth");
    assert_null(bench_ranks_sharing(&bench, &row));
    omp_set_num_threads(threads);
}

TEST_SUITE(.setup = setup, .teardown = cli_teardown, .group_setup = group_setup);
