// Lists and ranges of a queue (see the header). Ranges are computed in decimal numbers, so that rounding
// errors do not accumulate from value to value.
#include "batch/sweep.h"

#include "batch/queue.h"
#include "io/units.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum status fail_memory(const struct job *document, const char *where)
{
    return FAIL(STATUS_SYSTEM, "%s: %s: no memory to read it", job_path(document), where);
}

static enum status allocate(const struct job *document, const char *where, struct batch_pool **pool,
                            struct batch_axis *axis)
{
    axis->values = batch_pool_take(pool, axis->count * sizeof *axis->values);
    return axis->values ? STATUS_OK : fail_memory(document, where);
}

static enum status read_list(const struct job *document, const char *where, cJSON *list, size_t count_max,
                             struct batch_pool **pool, struct batch_axis *axis)
{
    axis->count = (size_t)cJSON_GetArraySize(list);
    if (axis->count == 0)
        return job_fail(document, where, "the list is empty; expected at least one value");
    if (axis->count > count_max)
        return job_fail(document, where,
                        "%zu values are too many; the queue has capacity for %zu (%d runs in total)",
                        axis->count, count_max, BATCH_JOBS_MAX);
    CHECK(allocate(document, where, pool, axis));
    size_t k = 0;
    for (cJSON *item = list->child; item; item = item->next, k++) {
        char place[320];
        snprintf(place, sizeof place, "%.280s[%zu]", where, k);
        CHECK(batch_value_text(document, place, item, pool, &axis->values[k]));
    }
    return STATUS_OK;
}

// ---- ranges ------------------------------------------------------------------------------------

static const struct job_key range_keys[] = {
    {.path = "from", .type = JOB_ANY, .required = true, .help = "the first value"},
    {.path = "to", .type = JOB_ANY, .help = "the last value"},
    {.path = "step", .type = JOB_ANY, .help = "from one value to the next"},
    {.path = "count", .type = JOB_INTEGER, .minimum = 1, .maximum = 1e9, .help = "how many values"},
    {.path = "scale",
     .type = JOB_CHOICE,
     .default_value = "linear",
     .choices = "linear|log",
     .help = "equal differences, or equal ratios"},
};

struct range {
    double from, to, step; // NaN: not given
    size_t count;          // 0: not given
    bool is_log;
    char unit[BATCH_UNIT_BYTES]; // "" for numbers
    // from, to and step as whole numbers times 10^exponent; if they cannot be, is_decimal is false.
    bool is_decimal;
    int64_t from_mantissa, to_mantissa, step_mantissa;
    int exponent;
};

static enum status read_bounds(const struct job *job, struct range *range)
{
    static const char *const keys[] = {"from", "to", "step"};
    double *const values[] = {&range->from, &range->to, &range->step};
    for (int k = 0; k < 3; k++) {
        char unit[BATCH_UNIT_BYTES];
        CHECK(batch_quantity_read(job, keys[k], values[k], unit));
        if (k == 0)
            snprintf(range->unit, sizeof range->unit, "%s", unit);
        else if (!isnan(*values[k]))
            CHECK(batch_quantity_same(job, keys[k], unit, "from", range->unit));
    }
    range->count = job_has(job, "count") ? (size_t)job_integer(job, "count") : 0;
    range->is_log = strcmp(job_string(job, "scale"), "log") == 0;
    return STATUS_OK;
}

// Writes a double as the shortest decimal that reads back: units · 10^exponent.
static void split_decimal(double value, int64_t *units, int *exponent)
{
    char text[32];
    const char *c = job_number_text(value, text);
    const bool is_negative = *c == '-';
    *units = 0;
    *exponent = 0;
    bool is_fraction = false;
    for (; *c && *c != 'e'; c++) {
        if (*c == '.')
            is_fraction = true;
        if (!isdigit((unsigned char)*c))
            continue;
        *units = 10 * *units + (*c - '0'); // 17 digits at most
        *exponent -= is_fraction ? 1 : 0;
    }
    if (*c == 'e')
        *exponent += (int)strtol(c + 1, NULL, 10);
    *units = is_negative ? -*units : *units;
}

static bool scale_decimal(double value, int exponent, int64_t *units)
{
    int own = 0;
    *units = 0;
    if (isnan(value) || value == 0)
        return true;
    split_decimal(value, units, &own);
    for (; own > exponent; own--)
        if (__builtin_mul_overflow(*units, 10, units))
            return false;
    return true;
}

static void make_decimal(struct range *range)
{
    const double values[] = {range->from, range->to, range->step};
    range->exponent = 0;
    for (int k = 0; k < 3; k++) {
        int64_t units;
        int exponent = 0;
        if (!isnan(values[k]) && values[k] != 0)
            split_decimal(values[k], &units, &exponent);
        range->exponent = exponent < range->exponent ? exponent : range->exponent;
    }
    range->is_decimal = scale_decimal(range->from, range->exponent, &range->from_mantissa) &&
                        scale_decimal(range->to, range->exponent, &range->to_mantissa) &&
                        scale_decimal(range->step, range->exponent, &range->step_mantissa);
}

static double decimal_value(int64_t units, int exponent)
{
    char text[48];
    snprintf(text, sizeof text, "%llde%d", (long long)units, exponent);
    return strtod(text, NULL); // the nearest double
}

// from + k · step.
static double stepped(const struct range *range, size_t k)
{
    int64_t units;
    if (range->is_decimal && !__builtin_mul_overflow((int64_t)k, range->step_mantissa, &units) &&
        !__builtin_add_overflow(range->from_mantissa, units, &units))
        return decimal_value(units, range->exponent);
    return (double)((long double)range->from + (long double)k * (long double)range->step);
}

// from + k/(count − 1) · (to − from).
static double divided(const struct range *range, size_t k)
{
    const int64_t parts = (int64_t)range->count - 1;
    int64_t low, high, units;
    if (range->is_decimal && !__builtin_mul_overflow(parts - (int64_t)k, range->from_mantissa, &low) &&
        !__builtin_mul_overflow((int64_t)k, range->to_mantissa, &high) &&
        !__builtin_add_overflow(low, high, &units))
        return units % parts == 0 ? decimal_value(units / parts, range->exponent)
                                  : (double)((long double)units / (long double)parts *
                                             powl(10, (long double)range->exponent));
    const long double part = (long double)k / (long double)parts;
    return (double)((1 - part) * (long double)range->from + part * (long double)range->to);
}

static double value_at(const struct range *range, size_t k)
{
    if (k == 0)
        return range->from;
    if (!isnan(range->to) && k == range->count - 1) {
        const double last = isnan(range->step) ? range->to : stepped(range, k);
        return isnan(range->step) || fabs(last - range->to) <= 1e-9 * fabs(range->step) ? range->to : last;
    }
    if (range->is_log)
        return (double)((long double)range->from * powl((long double)range->to / (long double)range->from,
                                                        (long double)k / (long double)(range->count - 1)));
    return isnan(range->step) ? divided(range, k) : stepped(range, k);
}

// Returns the number of values of {from, to, step}, as a double because it may be very large.
static double count_steps(const struct range *range)
{
    if (range->is_decimal) {
        int64_t span;
        if (!__builtin_sub_overflow(range->to_mantissa, range->from_mantissa, &span)) {
            const int64_t whole = span / range->step_mantissa, left = span % range->step_mantissa;
            const long double lacking = 1 - (long double)left / (long double)range->step_mantissa;
            return (double)whole + 1 + (left != 0 && lacking <= 1e-9L ? 1 : 0);
        }
    }
    return floor((range->to - range->from) / range->step + 1e-9) + 1;
}

static enum status check_log(const struct job *job, const struct range *range)
{
    if (isnan(range->to) || range->count == 0 || !isnan(range->step))
        return job_fail(job, "scale", "a logarithmic range has from, to and count");
    if (range->from > 0 && range->to > 0)
        return STATUS_OK;
    return job_fail(job, range->from > 0 ? "to" : "from", "a logarithmic range has values above 0 only");
}

// Checks the keys, and computes the number of values.
static enum status settle(const struct job *job, struct range *range, size_t count_max)
{
    const bool has_to = !isnan(range->to), has_step = !isnan(range->step), has_count = range->count > 0;
    if (range->is_log)
        CHECK(check_log(job, range));
    if (has_to + has_step + has_count == 3)
        return job_fail(job, "count", "expected two of to, step and count, not all three");
    if (!has_to && !has_count)
        return job_fail(job, "from", "a range needs \"count\", or \"to\" with \"step\" or \"count\"");
    if (has_to && !has_step && !has_count)
        return job_fail(job, "to", "a range with an end needs \"step\" or \"count\"");
    if (!has_to && !has_step && range->unit[0])
        return job_fail(job, "count", "a range of quantities needs \"step\" or \"to\" beside it");
    if (!has_to && !has_step)
        range->step = 1;
    if (range->step == 0)
        return job_fail(job, "step", "must not be 0");
    if (has_to && has_step && (range->to - range->from) * (range->step > 0 ? 1 : -1) < 0)
        return job_fail(job, "step", "has the wrong sign: it leads away from \"to\"");
    if (has_to && range->count == 1 && range->to != range->from)
        return job_fail(job, "count", "one value does not reach from \"from\" to \"to\"");
    make_decimal(range);
    const double count = has_count ? (double)range->count : count_steps(range);
    if (!(count <= (double)count_max))
        return job_fail(job, has_count ? "count" : "step",
                        "%.6g values are too many; the queue has capacity for %zu (%d runs in total)", count,
                        count_max, BATCH_JOBS_MAX);
    range->count = (size_t)count;
    return STATUS_OK;
}

static enum status write_range(const struct job *document, const char *where, const struct range *range,
                               struct batch_pool **pool, struct batch_axis *axis)
{
    axis->count = range->count;
    CHECK(allocate(document, where, pool, axis));
    for (size_t k = 0; k < axis->count; k++) {
        const double value = value_at(range, k);
        if (!isfinite(value))
            return job_fail(document, where, "value %zu of the range is too large", k + 1);
        CHECK(batch_quantity_write(document, where, value, range->unit, pool, &axis->values[k]));
    }
    return STATUS_OK;
}

static enum status read_range(const struct job *job, size_t count_max, struct range *range)
{
    CHECK(read_bounds(job, range));
    return settle(job, range, count_max);
}

enum status batch_sweep_read(const struct job *document, const char *where, cJSON *value, size_t count_max,
                             struct batch_pool **pool, struct batch_axis *axis)
{
    const struct job_key_table table = {range_keys, sizeof range_keys / sizeof *range_keys};
    struct range range = {0};
    struct job *job;
    if (cJSON_IsArray(value))
        return read_list(document, where, value, count_max, pool, axis);
    if (!cJSON_IsObject(value))
        return job_fail(document, where, "a list [...] or a range {\"from\": ..., ...} is expected");
    CHECK(job_open_member(document, where, value, &job));
    enum status status = job_check(job, &table, 1);
    if (status == STATUS_OK)
        status = read_range(job, count_max, &range);
    job_free(job);
    return status == STATUS_OK ? write_range(document, where, &range, pool, axis) : status;
}
