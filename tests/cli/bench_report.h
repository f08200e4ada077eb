// Shared by the tests of `fathom bench MODEL`: reads its report as JSON, and imitates a device, as far as
// this is the same for all models. Use it with in_process.h. Header only.
#ifndef FATHOM_TESTS_CLI_BENCH_REPORT_H
#define FATHOM_TESTS_CLI_BENCH_REPORT_H

#include "tests/cli/in_process.h"

#include "cli/commands.h"
#include "core/device_times.h"
#include "models/backend.h"
#include "tests/support/numbers.h"

// `fathom bench` with these arguments.
#define BENCH(...) run_in_process(command_bench, "bench " __VA_ARGS__)

static inline cJSON *bench_report_of(const struct cli_result *result)
{
    cli_assert_done(result);
    return cli_output_json(result);
}

static inline bool is_text(const cJSON *item, const char *name, const char *text)
{
    return strcmp(cli_text(item, name), text) == 0;
}

// ---- rows

// Whether the row has all values of `wanted`, for example "backend=device method=direct n=1000".
static inline bool is_row(const cJSON *row, const char *wanted)
{
    while (*wanted != '\0') {
        char key[64], value[64];
        int length = 0;
        assert_int_equal(sscanf(wanted, "%63[^=]=%63s%n", key, value, &length), 2);
        const cJSON *item = cJSON_GetObjectItem(row, key);
        const bool is_it = cJSON_IsString(item)
                               ? strcmp(item->valuestring, value) == 0
                               : cJSON_IsNumber(item) && item->valuedouble == strtod(value, NULL);
        if (!is_it)
            return false;
        wanted += length;
        wanted += strspn(wanted, " ");
    }
    return true;
}

static inline int count_rows(const cJSON *report, const char *wanted)
{
    const cJSON *row;
    int count = 0;
    cJSON_ArrayForEach(row, cli_item(report, "rows")) count += is_row(row, wanted);
    return count;
}

// The first row with all values of `wanted`.
static inline const cJSON *find_row(const cJSON *report, const char *wanted)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, cli_item(report, "rows"))
    {
        if (is_row(row, wanted))
            return row;
    }
    fail_msg("no row has %s", wanted);
    return NULL;
}

static inline double number_in(const cJSON *item, const char *object, const char *name)
{
    return cli_json_number(cli_item(item, object), name);
}

static inline bool is_estimate(const cJSON *row)
{
    return cJSON_IsTrue(cJSON_GetObjectItem(row, "is_estimate"));
}

// Checks that the figures common to all models agree with each other.
static inline void check_shared_figures(const cJSON *report, const cJSON *row)
{
    const double seconds = cli_json_number(row, "step_ms") / 1e3;
    assert_true(seconds > 0);
    assert_true(is_text(row, "clock", "host") || is_text(row, "clock", "device"));
    if (!cJSON_GetObjectItem(row, "bytes"))
        return;
    const double copy = 1e9 * number_in(report, "copy_gb_s", cli_text(row, "backend"));
    const double bytes_per_s = cli_json_number(row, "bytes") / seconds;
    assert_near("GB/s", cli_json_number(row, "gb_s") * 1e9 / bytes_per_s, 1, 1e-9);
    assert_near("of copy", cli_json_number(row, "of_copy") * copy / bytes_per_s, 1, 1e-9);
}

// ---- an imitated device

static struct {
    bool is_usable, has_memory;
    double compute_s;    // time by the device's clock
    long long uncounted; // intervals that the device's clock did not measure
    int asked, copied;   // device number of the last call of bench_device_is_usable, bench_device_copy
} bench_device;

static inline bool bench_device_is_usable(int number, char *why, size_t bytes)
{
    bench_device.asked = number;
    snprintf(why, bytes, "it is not plugged in");
    return bench_device.is_usable;
}

static inline struct device_times bench_device_times(void)
{
    return (struct device_times){
        .is_measured = true, .compute_s = bench_device.compute_s, .uncounted = bench_device.uncounted};
}

static inline enum status bench_device_copy(int number, double *bytes_per_s)
{
    if (!bench_device.is_usable)
        return FAIL(STATUS_SYSTEM, "a library's own words");
    bench_device.copied = number;
    *bytes_per_s = 4e12 / (1 + number);
    return STATUS_OK;
}

#endif
