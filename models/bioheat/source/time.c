// Reads factors over time from a job: numbers, tables, pulse protocols. The arithmetic is in protocol.c and
// axis.c.
#include "models/bioheat/source/private.h"

#include "io/formats/series.h"
#include "io/units.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct job_part_rules nothing_inherited = {.inherited = "", .left_out = ""};

void source_beyond_read(const struct job *job, const char *before, const char *after,
                        struct source_axis *axis)
{
    const char *first = job_string(job, before), *last = job_string(job, after);
    axis->before = !first ? SOURCE_REFUSED : strcmp(first, "zero") == 0 ? SOURCE_ZERO : SOURCE_HELD;
    axis->after = !last ? SOURCE_REFUSED : strcmp(last, "zero") == 0 ? SOURCE_ZERO : SOURCE_HELD;
}

// ---- protocols

static enum status read_level_time(const struct job *part, const char *where, const cJSON *item,
                                   const char *name, double *time_s)
{
    char key[96];
    snprintf(key, sizeof key, "%s.%s", where, name);
    if (!cJSON_IsString(item))
        return job_fail(part, key, "a time with its unit is expected, such as \"100 ms\"");
    return job_blame(part, key, units_parse_quantity(item->valuestring, "s", time_s));
}

static enum status read_level(const struct job *part, const cJSON *item, int index,
                              struct protocol_level *level)
{
    static const char *const known[] = {"name", "period", "count", "duration"};
    char where[48];
    snprintf(where, sizeof where, "levels[%d]", index);
    if (!cJSON_IsObject(item))
        return job_fail(part, where, "an object {\"name\", \"period\", \"count\"} is expected");
    for (const cJSON *child = item->child; child; child = child->next) {
        bool is_known = false;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            is_known |= strcmp(child->string, known[k]) == 0;
        const char *nearest = suggest_word(child->string, known, sizeof known / sizeof *known);
        if (!is_known)
            return job_fail(part, where, "unknown key %.40s (%s%s)", child->string,
                            nearest ? "did you mean " : "known are name, period, count, duration",
                            nearest ? nearest : "");
    }
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(item, "name");
    const cJSON *count = cJSON_GetObjectItemCaseSensitive(item, "count");
    const cJSON *duration = cJSON_GetObjectItemCaseSensitive(item, "duration");
    snprintf(level->name, sizeof level->name, "%s", cJSON_IsString(name) ? name->valuestring : "no name");
    CHECK(read_level_time(part, where, cJSON_GetObjectItemCaseSensitive(item, "period"), "period",
                          &level->period_s));
    if (!(level->period_s > 0 && level->period_s <= BIOHEAT_SOURCE_LONGEST_S))
        return job_fail(part, where, "the period is %g s, expected more than 0 s and at most %g s",
                        level->period_s, BIOHEAT_SOURCE_LONGEST_S);
    if (!count == !duration)
        return job_fail(part, where, "%s",
                        count ? "count and duration both give the length: give only one of them"
                              : "count (or duration) is missing: how often it comes");
    double times = cJSON_IsNumber(count) ? count->valuedouble : (double)NAN;
    if (duration) {
        double duration_s;
        CHECK(read_level_time(part, where, duration, "duration", &duration_s));
        times = nearbyint(duration_s / level->period_s);
        if (!(fabs(times * level->period_s - duration_s) <= 1e-9 * duration_s))
            return job_fail(part, where, "a duration of %g s is not a whole number of periods of %g s",
                            duration_s, level->period_s);
    }
    if (!(times >= 1 && times <= 1e15 && times == floor(times)))
        return job_fail(part, where, "count: a whole number from 1 on is expected");
    level->count = (int64_t)times;
    return STATUS_OK;
}

static enum status read_protocol(const struct job *part, struct source_time *time)
{
    struct protocol *p = &time->given;
    time->kind = SOURCE_PULSES;
    p->start_s = job_quantity(part, "start");
    p->amplitude = job_number(part, "amplitude");
    if (source_pulses_are_given(part)) {
        CHECK(source_pulses_read(part, time));
        CHECK_ABOUT(protocol_check(p), "%s", time->where);
        return STATUS_OK;
    }
    if (!job_has(part, "on"))
        return job_fail(part, "on", "missing: how long a pulse is on, such as \"30 s\"");
    p->on_s = job_quantity(part, "on");
    p->ramp_up_s = job_quantity(part, "ramp_up");
    p->ramp_down_s = job_quantity(part, "ramp_down");
    const cJSON *levels = job_json(part, "levels");
    if (levels && !cJSON_IsArray(levels))
        return job_fail(part, "levels", "a list of levels, innermost first, is expected");
    if (cJSON_GetArraySize(levels) > PROTOCOL_LEVELS_MAX)
        return job_fail(part, "levels", "%d levels, at most %d are possible", cJSON_GetArraySize(levels),
                        PROTOCOL_LEVELS_MAX);
    for (const cJSON *item = levels ? levels->child : NULL; item; item = item->next, p->level_count++)
        CHECK(read_level(part, item, p->level_count, &p->levels[p->level_count]));
    CHECK_ABOUT(protocol_check(p), "%s", time->where);
    return STATUS_OK;
}

// ---- tables

static enum status read_series(const struct job *part, struct source_time *time)
{
    struct series *series = NULL;
    CHECK_ABOUT(path_find(job_string(part, "file"), job_directory(part), time->path), "%s.file", time->where);
    const struct series_request request = {.path = time->path,
                                           .time = {.unit = job_string(part, "time_unit"),
                                                    .target = "s",
                                                    .key = "times",
                                                    .unit_key = "time_unit"},
                                           .values = {{.variable = job_string(part, "variable"),
                                                       .unit = "1", // the values are factors
                                                       .target = "1",
                                                       .key = "values"}},
                                           .value_count = 1,
                                           .overrides = job_boolean(part, "override"),
                                           .skip_lines = (int)job_integer(part, "skip_lines")};
    CHECK_ABOUT(series_open(&request, &series), "%s.file", time->where);
    if (series_info(series)->set_aside[0])
        job_warn(part, "override", "%s: %s", time->path, series_info(series)->set_aside);
    else if (request.overrides)
        job_warn(part, "override", "has no effect: nothing that is given beside it contradicts %s",
                 time->path);
    const size_t samples = series_info(series)->samples;
    time->axis.records = time->axis.time_count = samples;
    time->times_s = malloc(samples * sizeof *time->times_s);
    time->values = malloc(samples * sizeof *time->values);
    enum status status =
        time->times_s && time->values
            ? series_read(series, time->times_s, (double *const[SERIES_VALUES_MAX]){time->values})
            : FAIL(STATUS_SYSTEM, "no memory for %zu samples", samples);
    series_close(series);
    for (size_t k = 0; k < samples && status == STATUS_OK; k++)
        if (!(fabs(time->values[k]) <= BIOHEAT_SOURCE_LARGEST_FACTOR))
            status = FAIL(STATUS_DATA, "%s: sample %zu is %g, expected at most %g in size", time->path, k,
                          time->values[k], BIOHEAT_SOURCE_LARGEST_FACTOR);
    return status == STATUS_OK ? status : status_prefix(status, "%s.file", time->where);
}

static enum status read_listed(const struct job *part, struct source_time *time)
{
    const cJSON *values = job_json(part, "values");
    const size_t times = job_list_length(part, "times");
    if (times == 0 || !cJSON_IsArray(values))
        return job_fail(part, times == 0 ? "times" : "values",
                        "missing: times and values, two lists, or a file");
    const size_t count = (size_t)cJSON_GetArraySize(values);
    time->axis.time_count = times;
    time->axis.records = count;
    time->times_s = malloc(times * sizeof *time->times_s);
    time->values = malloc((count + 1) * sizeof *time->values);
    if (!time->times_s || !time->values)
        return FAIL(STATUS_SYSTEM, "%s: no memory for a table of %zu values", time->where, count);
    for (size_t k = 0; k < times; k++)
        time->times_s[k] = job_list_quantity(part, "times", k);
    size_t k = 0;
    for (const cJSON *item = values->child; item; item = item->next, k++) {
        time->values[k] = cJSON_IsNumber(item) ? item->valuedouble : (double)NAN;
        if (!isfinite(time->values[k]))
            return job_fail(part, "values", "entry %zu is not a finite number", k);
        if (fabs(time->values[k]) > BIOHEAT_SOURCE_LARGEST_FACTOR)
            return job_fail(part, "values", "entry %zu is %g, expected at most %g in size", k,
                            time->values[k], BIOHEAT_SOURCE_LARGEST_FACTOR);
    }
    const size_t bad = source_axis_first_bad(time->times_s, times);
    if (bad < times)
        return job_fail(part, "times",
                        "entry %zu, %g s, does not come after entry %zu, %g s: times must ascend", bad,
                        time->times_s[bad], bad - 1, time->times_s[bad - 1]);
    if (count == times || (count + 1 == times && !time->axis.is_linear))
        return STATUS_OK;
    return job_fail(part, "values", "%zu values for %zu times: expected as many%s", count, times,
                    time->axis.is_linear ? "" : ", or one time more (the end of the last value)");
}

static enum status read_table(const struct job *part, struct source_time *time)
{
    static const char *const of_file[] = {"variable", "time_unit", "override", "skip_lines"};
    time->kind = SOURCE_TABLE;
    time->axis.is_linear = strcmp(job_string(part, "between"), "linear") == 0;
    source_beyond_read(part, "before_start", "after_end", &time->axis);
    const bool has_file = job_has(part, "file");
    for (size_t k = 0; k < sizeof of_file / sizeof *of_file && !has_file; k++)
        if (job_has(part, of_file[k]))
            return job_fail(part, of_file[k], "is about a file, and none is given");
    if (has_file && (job_has(part, "times") || job_has(part, "values")))
        return job_fail(part, "file", "given beside times or values: one of the two");
    CHECK(has_file ? read_series(part, time) : read_listed(part, time));
    time->axis.times_s = time->times_s;
    return STATUS_OK;
}

// ---- protocols and tables together

static enum status read_parts(struct bioheat_heating *heating, const struct job *job, const char *key,
                              enum status (*read)(const struct job *part, struct source_time *time))
{
    for (size_t k = 0; k < job_part_count(job, key); k++) {
        struct source_time *time = &heating->times[heating->time_count];
        snprintf(time->name, sizeof time->name, "%s", job_part_name(job, key, k));
        snprintf(time->where, sizeof time->where, "%.400s: %s.%s", job_path(job), key, time->name);
        for (size_t other = 0; other < heating->time_count; other++)
            if (strcmp(heating->times[other].name, time->name) == 0)
                return job_fail(job, key, "%s: source.protocols and source.tables both have this name",
                                time->name);
        heating->time_count++;
        struct job *part;
        CHECK(job_part_open(job, key, k, job, &nothing_inherited, &part));
        const enum status status = read(part, time);
        job_free(part);
        CHECK(status);
    }
    return STATUS_OK;
}

enum status source_times_read(struct bioheat_heating *heating, const struct job *job)
{
    const size_t count = job_part_count(job, "source.protocols") + job_part_count(job, "source.tables");
    heating->times = calloc(count + 1, sizeof *heating->times);
    if (!heating->times)
        return FAIL(STATUS_SYSTEM, "no memory for %zu factors over time", count);
    CHECK(read_parts(heating, job, "source.protocols", read_protocol));
    return read_parts(heating, job, "source.tables", read_table);
}

static enum status find_time(struct bioheat_heating *heating, const struct job *job, const char *key,
                             const char *name, struct source_time **found)
{
    const char *names[64];
    size_t count = 0;
    for (size_t k = 0; k < heating->time_count; k++) {
        if (strcmp(heating->times[k].name, name) == 0) {
            *found = &heating->times[k];
            (*found)->is_used = true;
            return STATUS_OK;
        }
        if (count < sizeof names / sizeof *names)
            names[count++] = heating->times[k].name;
    }
    const char *nearest = suggest_word(name, names, count);
    return job_fail(job, key, "\"%.40s\" is not one of source.protocols and source.tables%s%s%s", name,
                    nearest ? " (did you mean " : "", nearest ? nearest : "", nearest ? "?)" : "");
}

enum status source_amplitude_read(struct bioheat_heating *heating, const struct job *job, const char *key,
                                  struct source_time *constant, struct source_time **amplitude)
{
    const cJSON *item = job_json(job, key);
    if (cJSON_IsString(item))
        return find_time(heating, job, key, item->valuestring, amplitude);
    if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble))
        return job_fail(job, key,
                        "a number, or the name of one of source.protocols or source.tables, is expected");
    if (fabs(item->valuedouble) > BIOHEAT_SOURCE_LARGEST_FACTOR)
        return job_fail(job, key, "%g is out of range: expected at most %g in size", item->valuedouble,
                        BIOHEAT_SOURCE_LARGEST_FACTOR);
    *constant = (struct source_time){.kind = SOURCE_CONSTANT, .constant = item->valuedouble, .is_used = true};
    *amplitude = constant;
    return STATUS_OK;
}

enum status source_time_fit(const struct bioheat_heating *heating, struct source_time *time)
{
    source_pulses_fit(heating, time, heating->step_s);
    if (time->kind != SOURCE_TABLE || !time->is_used)
        return STATUS_OK;
    CHECK_ABOUT(source_axis_fit(&time->axis, heating->start_s, heating->step_s, heating->steps), "%s",
                time->where);
    return source_last_check_table(time, heating->steps);
}

double source_time_mean(const struct source_time *time, int64_t step, double start_s, double step_s)
{
    if (time->kind == SOURCE_CONSTANT)
        return time->constant;
    if (time->kind == SOURCE_PULSES)
        return protocol_mean(&time->protocol, start_s + (double)step * step_s,
                             start_s + (double)(step + 1) * step_s);
    const struct source_window window = source_axis_window(&time->axis, step);
    double mean = 0;
    for (size_t k = window.first; k < window.first + window.count; k++)
        mean += source_axis_weight(&time->axis, &window, k) * time->values[k];
    return mean;
}

double source_time_largest(const struct source_time *time)
{
    double largest = time->kind == SOURCE_PULSES ? time->given.amplitude : time->constant;
    for (size_t k = 0; k < time->axis.records && time->kind == SOURCE_TABLE; k++)
        largest = k == 0 ? time->values[0] : fmax(largest, time->values[k]);
    return largest;
}

double source_time_duty(const struct source_time *time)
{
    const struct protocol *p = &time->given;
    if (time->kind != SOURCE_PULSES || p->level_count == 0 || p->levels[0].count == 1 ||
        (time->is_planned && p->level_count == 1))
        return time->kind == SOURCE_TABLE ? (double)NAN : 1;
    return (p->on_s - 0.5 * (p->ramp_up_s + p->ramp_down_s)) / p->levels[0].period_s;
}

void source_time_free(struct source_time *time)
{
    free(time->times_s);
    free(time->values);
}
