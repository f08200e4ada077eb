// Rows of values over time, of points and of boxes: a matrix [time][place] from the job or from a file, with
// its times.
#include "models/bioheat/source/private.h"

#include "io/time_units.h"
#include "io/units.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_BYTES = 64 };

static const char *key_of(const struct source_rows *rows, const char *name, char key[KEY_BYTES])
{
    snprintf(key, KEY_BYTES, "%s.%s", rows->key, name);
    return key;
}

// ---- values

static enum status read_row(const struct job *job, struct source_rows *rows, const cJSON *row, size_t number)
{
    char key[KEY_BYTES];
    key_of(rows, "values", key);
    if (!cJSON_IsArray(row) || (size_t)cJSON_GetArraySize(row) != rows->places)
        return job_fail(job, key, "row %zu has %d values, expected one for each %s, %zu", number,
                        cJSON_IsArray(row) ? cJSON_GetArraySize(row) : 0, rows->noun, rows->places);
    size_t k = 0;
    for (const cJSON *item = row->child; item; item = item->next, k++) {
        const double value = cJSON_IsNumber(item) ? item->valuedouble : (double)NAN;
        if (!isfinite(value))
            return job_fail(job, key, "row %zu, %s %zu is not a finite number", number, rows->noun, k);
        rows->given[number * rows->places + k] = value;
    }
    return STATUS_OK;
}

static enum status read_given_values(const struct job *job, struct source_rows *rows)
{
    char key[KEY_BYTES];
    const cJSON *values = job_json(job, key_of(rows, "values", key));
    if (!cJSON_IsArray(values) || cJSON_GetArraySize(values) == 0)
        return job_fail(job, key, "a list of rows, one value for each %s, is expected", rows->noun);
    rows->axis.records = (size_t)cJSON_GetArraySize(values);
    rows->given = malloc(rows->axis.records * rows->places * sizeof *rows->given);
    if (!rows->given)
        return FAIL(STATUS_SYSTEM, "%s: no memory for %zu rows of %zu values", rows->where,
                    rows->axis.records, rows->places);
    size_t number = 0;
    for (const cJSON *row = values->child; row; row = row->next)
        CHECK(read_row(job, rows, row, number++));
    rows->values = rows->given;
    return STATUS_OK;
}

static enum status find_file_values(const struct job *job, struct source_rows *rows)
{
    char key[KEY_BYTES];
    const cJSON *name = job_json(job, key_of(rows, "values", key));
    if (!cJSON_IsString(name))
        return job_fail(job, key, "the name of a variable in %s is expected", rows->path);
    rows->variable = dataset_find(rows->dataset, name->valuestring);
    if (!rows->variable)
        return job_fail(job, key, "%s has no variable %s", rows->path, name->valuestring);
    const struct dataset_variable *v = rows->variable;
    if (v->kind != DATASET_NUMBERS || v->rank != 2)
        return FAIL(STATUS_DATA, "%s: variable %s has %d dimensions, expected numbers over [time][%s]",
                    rows->path, v->name, v->rank, rows->noun);
    if (v->lengths[1] != rows->places || v->lengths[0] == 0)
        return FAIL(STATUS_DATA, "%s: variable %s is %zu x %zu, expected [time][%s] with %zu %ss", rows->path,
                    v->name, v->lengths[0], v->lengths[1], rows->noun, rows->places, rows->noun);
    rows->axis.records = v->lengths[0];
    return dataset_packing(rows->dataset, v, &rows->packing);
}

static enum status check_units(const struct job *job, const struct source_rows *rows)
{
    char key[KEY_BYTES], override_key[KEY_BYTES];
    if (!rows->variable)
        return STATUS_OK;
    const struct stated_units stated = {.path = rows->path,
                                        .variable = rows->variable->name,
                                        .units = rows->variable->units,
                                        .is_other = source_units_are_pressure(rows->variable->units)};
    struct units_override override = {.job = job, .key = key_of(rows, "override", override_key)};
    CHECK(job_units_check(&override, key_of(rows, "units", key), &stated));
    job_units_end(&override, rows->path);
    return STATUS_OK;
}

static enum status read_units(const struct job *job, struct source_rows *rows)
{
    char key[KEY_BYTES];
    const char *units = job_string(job, key_of(rows, "units", key));
    if (!units && rows->variable && rows->variable->units[0])
        units = rows->variable->units;
    if (!units)
        return job_fail(job, key, "missing: W m-3 (power) or J m-3 (energy added per row)");
    double scale;
    const enum status status = source_units_read(units, &rows->axis.is_energy, &scale);
    if (status != STATUS_OK && job_has(job, key))
        return job_blame(job, key, STATUS_CONFIGURATION);
    if (status != STATUS_OK)
        return status_prefix(status, "%s: variable %s", rows->path, rows->variable->name);
    CHECK(check_units(job, rows));
    for (size_t k = 0; rows->given && k < rows->axis.records * rows->places; k++) {
        rows->given[k] *= scale;
        if (fabs(rows->given[k]) > BIOHEAT_SOURCE_LARGEST_W_M3)
            return job_fail(job, key_of(rows, "values", key),
                            "row %zu, %s %zu is %g %s, expected at most %g in size", k / rows->places,
                            rows->noun, k % rows->places, rows->given[k],
                            rows->axis.is_energy ? "J m-3" : "W m-3", BIOHEAT_SOURCE_LARGEST_W_M3);
    }
    rows->file_scale = scale;
    return STATUS_OK;
}

// ---- times

static enum status read_given_times(const struct job *job, struct source_rows *rows)
{
    char key[KEY_BYTES];
    const cJSON *times = job_json(job, key_of(rows, "times", key));
    if (!cJSON_IsArray(times))
        return job_fail(job, key, "missing: a list of times, [\"0 s\", \"30 s\"], or rows: \"steps\"");
    rows->axis.time_count = (size_t)cJSON_GetArraySize(times);
    rows->times_s = malloc((rows->axis.time_count + 1) * sizeof *rows->times_s);
    if (!rows->times_s)
        return FAIL(STATUS_SYSTEM, "%s: no memory for its times", rows->where);
    size_t k = 0;
    for (const cJSON *item = times->child; item; item = item->next, k++) {
        if (!cJSON_IsString(item))
            return job_fail(job, key, "entry %zu: a time with its unit is expected, such as \"30 s\"", k);
        CHECK_KEY(job, key, units_parse_quantity(item->valuestring, "s", &rows->times_s[k]));
    }
    return STATUS_OK;
}

static enum status read_file_times(const struct job *job, struct source_rows *rows)
{
    char key[KEY_BYTES], unit[DATASET_TEXT_BYTES];
    double slope, offset;
    const cJSON *name = job_json(job, key_of(rows, "times", key));
    if (cJSON_IsArray(name))
        return read_given_times(job, rows);
    const struct dataset_variable *line = cJSON_IsString(name)
                                              ? dataset_find(rows->dataset, name->valuestring)
                                              : dataset_coordinate(rows->dataset, rows->variable, 0);
    if (!line)
        return job_fail(job, key, "%s has no variable %s; or give rows: \"steps\"", rows->path,
                        cJSON_IsString(name) ? name->valuestring : "with the times of the rows");
    if (line->kind != DATASET_NUMBERS || line->rank != 1)
        return FAIL(STATUS_DATA, "%s: variable %s: expected times along one dimension", rows->path,
                    line->name);
    snprintf(unit, sizeof unit, "%s", line->units);
    char *date = time_units_have_date(unit) ? strstr(unit, " since ") : NULL;
    if (date)
        *date = '\0';
    if (unit[0] == '\0')
        return FAIL(STATUS_DATA, "%s: variable %s has no units; expected those of a time, such as s",
                    rows->path, line->name);
    CHECK_ABOUT(units_conversion(unit, "s", &slope, &offset), "%s: variable %s", rows->path, line->name);
    CHECK(dataset_read_line(rows->dataset, line, &rows->times_s, &rows->axis.time_count));
    for (size_t k = 0; k < rows->axis.time_count; k++)
        rows->times_s[k] = slope * rows->times_s[k] + offset;
    return STATUS_OK;
}

static enum status check_times(const struct job *job, const struct source_rows *rows)
{
    char key[KEY_BYTES];
    const size_t times = rows->axis.time_count, records = rows->axis.records;
    const enum status wrong = rows->dataset ? STATUS_DATA : STATUS_CONFIGURATION;
    key_of(rows, "times", key);
    const size_t bad = source_axis_first_bad(rows->times_s, times);
    if (bad < times && bad > 0)
        return FAIL(wrong,
                    "%s.times: entry %zu, %g s, does not come after entry %zu, %g s: times must ascend",
                    rows->where, bad, rows->times_s[bad], bad - 1, rows->times_s[bad - 1]);
    if (bad < times)
        return FAIL(wrong, "%s.times: entry 0 is not a finite number", rows->where);
    const double farthest_s = fmax(fabs(rows->times_s[0]), fabs(rows->times_s[times - 1]));
    if (farthest_s > BIOHEAT_SOURCE_LONGEST_S)
        return FAIL(wrong, "%s.times: %g s is out of range: at most %g s are expected", rows->where,
                    farthest_s, BIOHEAT_SOURCE_LONGEST_S);
    if (times != records && (times != records + 1 || rows->axis.is_linear))
        return FAIL(wrong, "%s.times: %zu times for %zu rows: expected as many%s", rows->where, times,
                    records, rows->axis.is_linear ? "" : ", or one more (the end of the last row)");
    if (!rows->axis.is_energy)
        return STATUS_OK;
    if (rows->axis.is_linear)
        return job_fail(job, key,
                        "energies (J m-3) are added while their row lasts: between must be \"stepwise\"");
    if (times != records + 1)
        return job_fail(
            job, key,
            "%zu times for %zu rows of energies (J m-3): one time more is needed, the end of the last row",
            times, records);
    return STATUS_OK;
}

enum status source_rows_read(struct source_rows *rows, const struct job *job)
{
    char key[KEY_BYTES], before[KEY_BYTES], after[KEY_BYTES];
    CHECK(rows->dataset ? find_file_values(job, rows) : read_given_values(job, rows));
    CHECK(read_units(job, rows));
    const bool is_by_step = strcmp(job_string(job, key_of(rows, "rows", key)), "steps") == 0;
    rows->axis.is_linear = strcmp(job_string(job, key_of(rows, "between", key)), "linear") == 0;
    source_beyond_read(job, key_of(rows, "before_start", before), key_of(rows, "after_end", after),
                       &rows->axis);
    if (rows->axis.is_energy && (rows->axis.before == SOURCE_HELD || rows->axis.after == SOURCE_HELD))
        return job_fail(job, rows->axis.after == SOURCE_HELD ? after : before,
                        "an energy (J m-3) is added once, it cannot be held: \"zero\" is possible");
    if (!is_by_step) {
        CHECK(rows->dataset ? read_file_times(job, rows) : read_given_times(job, rows));
        CHECK(check_times(job, rows));
        rows->axis.times_s = rows->times_s;
        return STATUS_OK;
    }
    if (job_has(job, key_of(rows, "times", key)) || rows->axis.is_linear)
        return job_fail(job, key_of(rows, rows->axis.is_linear ? "between" : "times", key),
                        "has no meaning where rows is \"steps\": a row is one step's");
    return STATUS_OK;
}

// ---- before the run

enum status source_rows_survey(struct source_rows *rows)
{
    const size_t records = rows->axis.records, places = rows->places;
    if (places > 0 && !rows->numbers) {
        rows->numbers = malloc(SOURCE_LISTED_NUMBERS * places * sizeof *rows->numbers);
        if (!rows->numbers)
            return FAIL(STATUS_SYSTEM, "%s: no memory for %zu %ss", rows->where, places, rows->noun);
    }
    if (!rows->dataset || rows->given)
        return STATUS_OK;
    rows->given = malloc(records * places * sizeof *rows->given);
    if (!rows->given)
        return FAIL(STATUS_SYSTEM, "%s: no memory for %zu rows of %zu values, which a run keeps", rows->where,
                    records, places);
    for (size_t row = 0; row < records; row++)
        CHECK(source_rows_read_row(rows, row, rows->given + row * places));
    return STATUS_OK;
}

// ---- in a run

enum status source_rows_plan(struct source_rows *rows, struct memory_plan *plan)
{
    char name[MEMORY_NAME_MAX];
    if (!rows->dataset)
        return STATUS_OK;
    free(rows->given);
    rows->given = NULL;
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, rows->axis.records, rows->places,
                          (void **)&rows->values, "%s values", rows->key));
    snprintf(name, sizeof name, "netCDF chunks, %s", rows->key);
    const size_t cache_bytes = dataset_cache_bytes(rows->variable);
    return cache_bytes ? memory_plan_add_library(plan, cache_bytes, name) : STATUS_OK;
}

enum status source_rows_read_row(const struct source_rows *rows, size_t row, double *values)
{
    const size_t start[] = {row, 0}, count[] = {1, rows->places};
    CHECK_ABOUT(dataset_read(rows->dataset, rows->variable, &rows->packing, start, count, values),
                "%s row %zu", rows->where, row);
    for (size_t k = 0; k < rows->places; k++) {
        if (!isfinite(values[k]))
            return FAIL(STATUS_DATA, "%s: variable %s, row %zu, %s %zu: missing or no finite number",
                        rows->path, rows->variable->name, row, rows->noun, k);
        if (!(fabs(values[k]) * fmax(1, rows->file_scale) <= BIOHEAT_SOURCE_LARGEST_W_M3))
            return FAIL(STATUS_DATA, "%s: variable %s, row %zu, %s %zu: %.9g; expected at most %g in size",
                        rows->path, rows->variable->name, row, rows->noun, k, values[k],
                        BIOHEAT_SOURCE_LARGEST_W_M3 / fmax(1, rows->file_scale));
        values[k] *= rows->file_scale;
    }
    return STATUS_OK;
}

enum status source_rows_prepare(struct source_rows *rows)
{
    for (size_t row = 0; rows->dataset && row < rows->axis.records; row++)
        CHECK(source_rows_read_row(rows, row, rows->values + row * rows->places));
    return STATUS_OK;
}

void source_rows_means(const struct source_rows *rows, int64_t step, double *amplitudes)
{
    if (rows->places == 0)
        return;
    const struct source_window window = source_axis_window(&rows->axis, step);
    memset(amplitudes, 0, rows->places * sizeof *amplitudes);
    for (size_t row = window.first; row < window.first + window.count; row++) {
        const double weight = source_axis_weight(&rows->axis, &window, row);
        const double *values = rows->values + row * rows->places;
        for (size_t k = 0; k < rows->places && weight != 0; k++)
            amplitudes[k] += weight * values[k];
    }
}

void source_rows_free(struct source_rows *rows)
{
    free(rows->times_s);
    free(rows->given);
    free(rows->numbers);
    dataset_close(rows->dataset);
}
