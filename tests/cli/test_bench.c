// fathom bench tsunami: every back end, precision and method is there; the figures follow from a clock that
// the test holds; what cannot run is told; memory goes back between the variants; where the shore moves, all
// that is wet moves and nothing is skipped.
#include "tests/cli/bench_report.h"

#include "models/tsunami/solver.h"
#include "tests/support/device_memory.h"

#include <math.h>

// ---- a device of the test's own

static struct {
    bool is_usable;
    double step_s;         // by its clock
    long long loses_count; // intervals that its clock loses at each call
    double value;          // put into the state by each call of advance, if not 0
    double compute_s;
    long long uncounted;
    int finished;
    struct device_memory memory;
    int asked, copied, planned; // numbers of the device, the last time that each was called
    size_t columns, rows;
    bool skips_quiet_tiles;
    size_t moving; // nodes that had a velocity when the state was last fetched
    int64_t steps;
} device;

static struct tsunami_backend device_backend;
static void *device_array;

static bool device_is_usable(int number, char *why, size_t bytes)
{
    device.asked = number;
    snprintf(why, bytes, "it is not plugged in");
    return device.is_usable;
}

static enum status device_plan(const struct tsunami_setup *setup, struct memory_plan *plan,
                               const char *prefix, struct tsunami_solver **solver)
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

static enum status device_fetch(struct tsunami_solver *solver)
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

// Takes no time of the host's; its own clock goes on all the same.
static enum status device_advance(struct tsunami_solver *solver, int64_t first_step, int64_t count)
{
    (void)first_step;
    device.compute_s += device.step_s * (double)count;
    device.uncounted += device.loses_count;
    device.steps += count;
    const double zero = 0;
    if (device.value != 0)
        tsunami_backend_openmp.set(solver, 3, 2, 1, &device.value, &zero, &zero);
    return STATUS_OK;
}

static enum status device_finish(struct tsunami_solver *solver, struct tsunami_unsound *found)
{
    (void)solver;
    (void)found;
    device.finished++;
    return STATUS_OK;
}

static struct device_times device_times_of(const struct tsunami_solver *solver)
{
    (void)solver;
    return (struct device_times){
        .is_measured = true, .compute_s = device.compute_s, .uncounted = device.uncounted};
}

static enum status device_measure_copy(int number, double *bytes_per_s)
{
    if (!device.is_usable)
        return FAIL(STATUS_SYSTEM, "a library's own words");
    device.copied = number;
    *bytes_per_s = 4e12 / (1 + number);
    return STATUS_OK;
}

static int group_setup(void **state)
{
    (void)state;
    device_backend = tsunami_backend_openmp;
    device_backend.name = "device";
    device_backend.flooding = &device_backend;
    device_backend.has_devices = true;
    device_backend.is_usable = device_is_usable;
    device_backend.plan = device_plan;
    device_backend.fetch = device_fetch;
    device_backend.advance = device_advance;
    device_backend.finish = device_finish;
    device_backend.times = device_times_of;
    device_backend.measure_copy = device_measure_copy;
    tsunami_backend_register(&device_backend);
    tsunami_backend_register_absent("elsewhere", "not in this build (it is Sunday)");
    return 0;
}

static int setup(void **state)
{
    memset(&device, 0, sizeof device);
    device.is_usable = true;
    device.memory.available_bytes = SIZE_MAX;
    device.step_s = 1e-4;
    device_backend.flooding = &device_backend;
    device.asked = device.copied = device.planned = -1;
    return cli_setup(state);
}

// ---- what it says

static const struct cli_result *bench(const char *a, const char *b, const char *c, const char *d)
{
    return run_in_process(command_bench, "bench", "tsunami", "--size", "64x48", "--repeat", "3", "--json", a,
                          b, c, d, NULL);
}

static cJSON *bench_json(const char *a, const char *b, const char *c, const char *d)
{
    return bench_report_of(bench(a, b, c, d));
}

static int count_of(const cJSON *report, const char *backend, const char *variant)
{
    int count = 0;
    const cJSON *row;
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(report, "variants")) count +=
        strcmp(text_of(row, "backend"), backend) == 0 && strcmp(text_of(row, "variant"), variant) == 0;
    return count;
}

// Two methods in float, then in double, on both back ends; the reference has double alone.
static void assert_variants(const cJSON *report, const char *const variants[4])
{
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(report, "variants")), 4 + 4 + 2);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(count_of(report, "openmp", variants[k]), 1);
        assert_int_equal(count_of(report, "device", variants[k]), 1);
        assert_int_equal(count_of(report, "reference", variants[k]), k >= 2 ? 1 : 0);
    }
}

// Of a row: the time of a step, which its other figures must fit.
static double step_of(const cJSON *row)
{
    const double step_s = cli_json_number(row, "step_ms") / 1e3;
    assert_true(step_s > 0 && isfinite(step_s));
    assert_true(fabs(cli_json_number(row, "node_steps_per_s") * step_s / (64 * 48) - 1) < 1e-12);
    assert_true(cli_json_number(row, "bytes_per_node") ==
                (strstr(text_of(row, "variant"), "float") ? 28 : 56));
    return step_s;
}

static void test_every_variant_is_there_once(void **state)
{
    (void)state;
    static const char *const variants[] = {"float, vtcs2", "float, vtcs2-o2", "double, vtcs2",
                                           "double, vtcs2-o2"};
    cJSON *report = bench_json("--steps", "2", NULL, NULL);
    assert_variants(report, variants);
    const cJSON *row;
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(report, "variants"))
    {
        const double step_s = step_of(row);
        assert_true(fabs(cli_json_number(row, "seconds_for_8640_steps") / (8640 * step_s) - 1) < 1e-12);
        assert_string_equal(text_of(row, "clock"),
                            strcmp(text_of(row, "backend"), "device") == 0 ? "device" : "host");
    }
    // One copy rate for the host's memory, one for the device's.
    const cJSON *copies = cJSON_GetObjectItem(report, "copy_gb_s");
    assert_true(cli_json_number(copies, "openmp") == cli_json_number(copies, "reference"));
    assert_true(cli_json_number(copies, "device") == 4000);
    cJSON_Delete(report);
    // Each variant's memory went back before the next took its own.
    assert_int_equal(device.memory.reserved, 4);
    assert_int_equal(device.memory.released, 4);
    assert_int_equal(device.memory.most_held, 1);
}

static void test_one_method_alone(void **state)
{
    (void)state;
    cJSON *report = bench_json("--method", "vtcs2-o2", "--steps", "2");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(report, "variants")), 2 + 2 + 1);
    assert_int_equal(count_of(report, "openmp", "float, vtcs2-o2"), 1);
    assert_int_equal(count_of(report, "reference", "double, vtcs2-o2"), 1);
    assert_null(
        cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(report, "variants"), 0), "wet_nodes"));
    cJSON_Delete(report);
    assert_true(device.skips_quiet_tiles); // as in a run: nothing is quiet there
}

// ---- where the shore moves

static const struct cli_result *bench_shore(const char *a, const char *b, const char *c)
{
    return run_in_process(command_bench, "bench", "tsunami", "--size", "64x48", "--repeat", "3", "--steps",
                          "2", "--json", "--method", "muscl-hancock", a, b, c, NULL);
}

static cJSON *bench_shore_json(const char *a, const char *b, const char *c)
{
    const struct cli_result *result = bench_shore(a, b, c);
    cli_assert_done(result);
    cJSON *report = cJSON_Parse(result->output);
    assert_non_null(report);
    return report;
}

static void test_run_up_variants(void **state)
{
    (void)state;
    static const char *const variants[] = {"float, muscl-hancock", "float, vtcs2-shore",
                                           "double, muscl-hancock", "double, vtcs2-shore"};
    cJSON *report = bench_shore_json("--method", "vtcs2-shore", NULL);
    assert_variants(report, variants);
    const cJSON *row;
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(report, "variants"))
    {
        (void)step_of(row);
        // The beach's land is a fifth, 24 islands a tenth.
        assert_true(fabs(cli_json_number(row, "wet_nodes") / (64 * 48) - 0.7) < 0.02);
    }
    cJSON_Delete(report);
    assert_int_equal(device.memory.reserved, 4);
    assert_int_equal(device.memory.released, 4);
}

// The device of this test leaves the state as it began.
static void test_all_that_is_wet_moves(void **state)
{
    (void)state;
    cJSON *report = bench_shore_json("--backend", "device", NULL);
    const cJSON *rows = cJSON_GetObjectItem(report, "variants");
    assert_int_equal(cJSON_GetArraySize(rows), 2);
    assert_true(device.moving > 0);
    assert_true(cli_json_number(cJSON_GetArrayItem(rows, 1), "wet_nodes") == (double)device.moving);
    cJSON_Delete(report);
    assert_false(device.skips_quiet_tiles);
    const struct cli_result *result =
        run_in_process(command_bench, "bench", "tsunami", "--size", "64x48", "--backend", "device",
                       "--method", "muscl-hancock", NULL);
    cli_assert_done(result);
    char wet[32];
    snprintf(wet, sizeof wet, " %zu  70%%", device.moving);
    assert_non_null(strstr(result->output, "run-up grid 64 x 48"));
    assert_non_null(strstr(result->output, "wet and moving"));
    assert_non_null(strstr(result->output, wet));
}

static void test_run_up_maxima_and_friction(void **state)
{
    (void)state;
    cJSON *report = bench_shore_json("--maxima", "--manning", "0.025");
    const cJSON *row;
    int count = 0;
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(report, "variants"))
    {
        // The largest elevation and the largest depth are read.
        assert_true(cli_json_number(row, "bytes_per_node") ==
                    (strstr(text_of(row, "variant"), "float") ? 36 : 64));
        count++;
    }
    assert_int_equal(count, 2 + 2 + 1);
    cJSON_Delete(report);
}

static void test_the_run_up_step(void **state)
{
    (void)state;
    cJSON *report = bench_shore_json("--backend", "device", NULL);
    // Half a cell of 10 m at √(g h): the beach, 0.3 of 63 cells wide, is as steep as 0.1; the swell is a
    // hundredth of the sea's depth.
    const double limit_s = 0.5 * 10 / sqrt(9.81 * 0.1 * 0.3 * 630 * 1.01);
    assert_true(fabs(cli_json_number(report, "step_limit_s") / limit_s - 1) < 1e-9);
    assert_true(fabs(cli_json_number(report, "step_s") / (0.9 * limit_s) - 1) < 1e-9);
    cJSON_Delete(report);
    cli_assert_done(bench_shore("--backend", "device", "--step=0.36 s"));
    cli_assert_error(bench_shore("--step", "0.37 s", NULL), 64, false, "--step", "0.37 s is unstable", NULL);
}

static void test_an_unstable_run_up_is_no_result(void **state)
{
    (void)state;
    device.value = 60;
    cli_assert_error(bench_shore("--backend", "device", NULL), 70, false, "device", "unstable",
                     "column 2, row 3", NULL);
    assert_int_equal(device.memory.reserved, device.memory.released);
}

static void test_a_back_end_without_the_method(void **state)
{
    (void)state;
    device_backend.flooding = NULL;
    cJSON *report = bench_shore_json("--no-reference", NULL, NULL);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(report, "variants")), 2);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetArrayItem(cJSON_GetObjectItem(report, "notes"), 0)),
                        "device: not measured: it has no muscl-hancock");
    cJSON_Delete(report);
    cli_assert_error(bench_shore("--backend", "device", NULL), 64, false, "--method",
                     "back end \"device\" has no muscl-hancock", NULL);
    assert_int_equal(device.memory.reserved, 0);
}

// ---- its clock, its number, what it refuses

static void test_a_device_is_timed_by_its_own_clock(void **state)
{
    (void)state;
    cJSON *report = bench_json("--backend", "device", "--maxima", NULL);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(report, "variants")), 4);
    assert_null(cJSON_GetObjectItem(cJSON_GetObjectItem(report, "copy_gb_s"), "openmp"));
    const cJSON *row = cJSON_GetArrayItem(cJSON_GetObjectItem(report, "variants"), 0);
    // 500 steps of 0.1 ms are 50 ms.
    assert_true(cli_json_number(row, "steps") == 500);
    assert_true(fabs(cli_json_number(row, "step_ms") - 0.1) < 1e-9);
    assert_true(fabs(cli_json_number(row, "seconds_for_8640_steps") - 0.864) < 1e-8);
    assert_true(cli_json_number(row, "bytes_per_node") == 32); // 28, and the largest elevation read
    const double rate = 64 * 48 / 1e-4;
    assert_true(fabs(cli_json_number(row, "node_steps_per_s") / rate - 1) < 1e-9);
    assert_true(fabs(cli_json_number(row, "gb_s") / (32 * rate / 1e9) - 1) < 1e-9);
    assert_true(fabs(cli_json_number(row, "of_copy") / (32 * rate / 4e12) - 1) < 1e-9);
    cJSON_Delete(report);
    assert_true(device.finished >= 4 * 3); // begun steps are awaited
    const struct cli_result *result =
        run_in_process(command_bench, "bench", "tsunami", "--size", "64x48", "--backend", "device", NULL);
    cli_assert_done(result);
    assert_non_null(strstr(result->output, "8640 steps"));
    assert_non_null(strstr(result->output, "30.72 M")); // 3072 nodes in 0.1 ms
    assert_non_null(strstr(result->output, "4000.0 GB/s (read + written) in the memory of device"));
}

static void test_a_clock_with_gaps_is_not_believed(void **state)
{
    (void)state;
    device.loses_count = 1;
    cJSON *report = bench_json("--backend", "device", "--steps", "20");
    const cJSON *row = cJSON_GetArrayItem(cJSON_GetObjectItem(report, "variants"), 0);
    assert_string_equal(text_of(row, "clock"), "host");
    assert_true(cli_json_number(row, "steps") == 20);
    assert_true(fabs(cli_json_number(row, "step_ms") - 0.1) > 1e-9); // not what its own clock says
    cJSON_Delete(report);
}

static void test_what_cannot_run_is_told(void **state)
{
    (void)state;
    device.is_usable = false;
    cJSON *report = bench_json("--no-reference", "--steps", "2", NULL);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(report, "variants")), 4);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetArrayItem(cJSON_GetObjectItem(report, "notes"), 0)),
                        "device: not measured: it is not plugged in");
    cJSON_Delete(report);
    assert_int_equal(device.memory.reserved, 0);
}

// Asked for by name it is an error, and the reason is what the back end says, not what fails first.
static void test_what_was_asked_for_and_cannot_run_is_an_error(void **state)
{
    (void)state;
    device.is_usable = false;
    cli_assert_error(bench("--backend", "device", NULL, NULL), 71, false,
                     "bench tsunami: device cannot be used here: it is not plugged in", NULL);
    cli_assert_error(bench("--backend", "device:2", NULL, NULL), 71, false,
                     "bench tsunami: device:2 cannot be used here: it is not plugged in", NULL);
    assert_int_equal(device.asked, 2);
    assert_int_equal(device.memory.reserved, 0);
}

static void test_a_device_by_its_number(void **state)
{
    (void)state;
    cJSON *report = bench_json("--backend", "device:3", "--steps", "2");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(report, "variants")), 4);
    assert_int_equal(count_of(report, "device:3", "float, vtcs2"), 1);
    assert_true(cli_json_number(cJSON_GetObjectItem(report, "copy_gb_s"), "device:3") == 1000);
    cJSON_Delete(report);
    assert_true(device.asked == 3 && device.copied == 3 && device.planned == 3);
    // Two of one kind, each once, in the order in which they were asked for.
    const struct cli_result *result =
        run_in_process(command_bench, "bench", "tsunami", "--size", "64x48", "--steps", "2", "--json",
                       "--backend", "device:1", "--backend", "device", "--backend", "device:0", NULL);
    cli_assert_done(result);
    report = cJSON_Parse(result->output);
    assert_non_null(report);
    const cJSON *rows = cJSON_GetObjectItem(report, "variants"),
                *copies = cJSON_GetObjectItem(report, "copy_gb_s");
    assert_int_equal(cJSON_GetArraySize(rows), 8);
    assert_string_equal(text_of(cJSON_GetArrayItem(rows, 0), "backend"), "device:1");
    assert_string_equal(text_of(cJSON_GetArrayItem(rows, 4), "backend"), "device");
    assert_true(cli_json_number(copies, "device:1") == 2000 && cli_json_number(copies, "device") == 4000);
    assert_true(cli_json_number(cJSON_GetArrayItem(rows, 0), "copy_gb_s") == 2000);
    cJSON_Delete(report);
    assert_int_equal(device.planned, 0);
}

static void test_an_unstable_benchmark_is_no_result(void **state)
{
    (void)state;
    device.value = 60;
    cli_assert_error(bench("--backend", "device", NULL, NULL), 70, false, "device", "unstable",
                     "column 2, row 3", NULL);
    assert_int_equal(device.memory.reserved, device.memory.released);
}

static void test_the_step_is_checked_against_the_grid(void **state)
{
    (void)state;
    cJSON *report = bench_json("--backend", "device", NULL, NULL);
    assert_true(cli_json_number(report, "step_s") == 10);
    // 48 rows about the equator: cells of 4 arc-minutes, 7413 m, less the last row's cos 1.57°; √(9.81 ·
    // 6300.5) m/s.
    assert_true(
        fabs(cli_json_number(report, "step_limit_s") - 7413 * cos(1.5667 * 3.14159265 / 180) / 248.7) < 0.05);
    cJSON_Delete(report);
    cli_assert_done(bench("--backend", "device", "--step", "29 s"));
    cli_assert_error(bench("--step", "31 s", NULL, NULL), 64, false, "--step", "31 s is unstable", "limit",
                     NULL);
}

static void test_mistakes(void **state)
{
    (void)state;
    cli_assert_error(bench("--backend", "opencl", NULL, NULL), 64, false, "opencl", "openmp, reference",
                     NULL);
    cli_assert_error(bench("--backend", "auto", NULL, NULL), 64, false, "auto", NULL);
    cli_assert_error(bench("--backend", "elsewhere", NULL, NULL), 64, false, "bench tsunami: --backend: ",
                     "\"elsewhere\" is not in this build (it is Sunday), which has: ", NULL);
    cli_assert_error(bench("--backend", "device:x", NULL, NULL), 64, false, "--backend", "number of a device",
                     NULL);
    cli_assert_error(bench("--backend", "openmp:1", NULL, NULL), 64, false, "openmp has no devices", NULL);
    cli_assert_error(bench("--steps", "1", NULL, NULL), 64, false, "--steps", NULL);
    cli_assert_error(bench("--steps", "1e3", NULL, NULL), 64, false, "--steps", NULL);
    cli_assert_error(bench("--repeat", "0", NULL, NULL), 64, false, "--repeat", NULL);
    cli_assert_error(bench("--repeat", "102", NULL, NULL), 64, false, "--repeat", NULL);
    cli_assert_error(bench("--manning", "1", NULL, NULL), 64, false, "--manning", NULL);
    cli_assert_error(bench("--manning", "nan", NULL, NULL), 64, false, "--manning", NULL);
    cli_assert_error(bench("--size", "64", NULL, NULL), 64, false, "--size", NULL);
    cli_assert_error(bench("--size", "3x9", NULL, NULL), 64, false, "--size", NULL);
    cli_assert_error(bench("--step", "10", NULL, NULL), 64, false, "--step", "unit", NULL);
    cli_assert_error(bench("--step", "-1 s", NULL, NULL), 64, false, "--step", NULL);
    cli_assert_error(bench("--method", "vtcs3", NULL, NULL), 64, false, "--method", "\"vtcs3\" is none of",
                     "muscl-hancock", NULL);
    cli_assert_error(bench("--method", "vtcs2", "--method", "vtcs2-shore"), 64, false,
                     "--method: vtcs2 and vtcs2-shore", "different grids", NULL);
    cli_assert_error(bench("more", NULL, NULL, NULL), 64, false, "only options", NULL);
    assert_int_equal(bench("--nonsense", NULL, NULL, NULL)->exit_code, 64);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, cli_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_every_variant_is_there_once),
        TEST(test_one_method_alone),
        TEST(test_run_up_variants),
        TEST(test_all_that_is_wet_moves),
        TEST(test_run_up_maxima_and_friction),
        TEST(test_the_run_up_step),
        TEST(test_an_unstable_run_up_is_no_result),
        TEST(test_a_back_end_without_the_method),
        TEST(test_a_device_is_timed_by_its_own_clock),
        TEST(test_a_clock_with_gaps_is_not_believed),
        TEST(test_what_cannot_run_is_told),
        TEST(test_what_was_asked_for_and_cannot_run_is_an_error),
        TEST(test_a_device_by_its_number),
        TEST(test_an_unstable_benchmark_is_no_result),
        TEST(test_the_step_is_checked_against_the_grid),
        TEST(test_mistakes),
    };
    return cmocka_run_group_tests(tests, group_setup, NULL);
}
