// check.reference_file: the result file of the same name must agree with it within check.variables. And the
// report of the steps that the model repeated on the reference back end.
#include "cli/run_check.h"

#include "core/log.h"
#include "io/units.h"
#include "validate/compare/compare.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char file_key[] = "check.reference_file", variables_key[] = "check.variables";

// The run's stream whose file bears the reference file's name: "…/fields.nc" → fields.
static enum status find_stream(const struct session *s, const struct stream **stream)
{
    const char *path = job_string(s->job, file_key);
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char names[256] = "";
    for (int k = 0; k < s->plan.stream_count; k++) {
        const char *known = s->plan.streams[k]->name;
        const size_t length = strlen(known);
        if (s->plan.streams[k]->is_internal)
            continue;
        if (strncmp(name, known, length) == 0 && strcmp(name + length, ".nc") == 0) {
            *stream = s->plan.streams[k];
            return STATUS_OK;
        }
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s.nc", names[0] ? ", " : "", known);
    }
    return job_fail(s->job, file_key, "\"%s\" is not named like a result of this run (%s)", name, names);
}

static enum status read_tolerance(const struct session *s, const struct stream *stream, const cJSON *item,
                                  double *tolerance)
{
    for (int v = 0; v < stream->variable_count; v++) {
        const struct stream_variable *variable = &stream->variables[v];
        if (strcmp(variable->name, item->string) != 0)
            continue;
        // The run's units, in which files are compared, not those of the trajectory convention.
        const char *units = stream->layout == STREAM_AMBER ? stream->scales[v].units : variable->units;
        if (!cJSON_IsString(item))
            return job_fail(s->job, variables_key,
                            "the tolerance of %s must be a text with a unit, like \"1 %s\"", item->string,
                            units);
        CHECK_ABOUT(units_parse_difference(item->valuestring, units, tolerance), "%s: %s.%s",
                    job_path(s->job), variables_key, item->string);
        return *tolerance >= 0
                   ? STATUS_OK
                   : job_fail(s->job, variables_key, "the tolerance of %s is negative", item->string);
    }
    return job_fail(s->job, variables_key, "%s.nc has no variable \"%s\"", stream->name, item->string);
}

enum status run_check_plan(const struct session *s)
{
    const cJSON *variables = job_json(s->job, variables_key);
    if (!job_has(s->job, file_key))
        return variables ? job_fail(s->job, variables_key, "needs check.reference_file beside it")
                         : STATUS_OK;
    if (!cJSON_IsObject(variables) || !variables->child)
        return job_fail(s->job, file_key,
                        "needs check.variables with a tolerance for each variable, like {\"eta\": \"1 mm\"}");
    const struct stream *stream;
    CHECK(find_stream(s, &stream));
    for (const cJSON *item = variables->child; item; item = item->next) {
        double tolerance;
        CHECK(read_tolerance(s, stream, item, &tolerance));
    }
    char path[PATH_BYTES];
    CHECK_ABOUT(path_find(job_string(s->job, file_key), job_directory(s->job), path), "%s: %s",
                job_path(s->job), file_key);
    return STATUS_OK;
}

// `result_path` is read; `shown` is the name that the file will have.
static enum status compare_one(const char *result_path, const char *shown, const char *reference_path,
                               const char *name, double tolerance)
{
    struct comparison comparison;
    char place[COMPARE_PLACE_BYTES], unit[UNITS_AFTER_BYTES];
    CHECK(compare_variable(result_path, reference_path, name, &comparison));
    const struct difference *d = &comparison.difference;
    if (d->mismatched > 0)
        return FAIL(STATUS_CHECK_FAILED,
                    "%s: %s is missing in one of the files only, at %llu places, first at %s", shown, name,
                    (unsigned long long)d->mismatched, compare_place(&comparison, d->first_mismatch, place));
    if (!(d->max_abs <= tolerance))
        return FAIL(STATUS_CHECK_FAILED, "%s: %s differs from %s by %g%s at %s (allowed: %g)", shown, name,
                    reference_path, d->max_abs, units_after(comparison.units, unit),
                    compare_place(&comparison, d->max_abs_index, place), tolerance);
    log_info("check: %s agrees with %s: largest difference %g%s, rms %g, allowed %g", name, reference_path,
             d->max_abs, units_after(comparison.units, unit), difference_rms(d), tolerance);
    return STATUS_OK;
}

enum status run_check_reference_file(const struct session *s)
{
    if (!job_has(s->job, file_key))
        return STATUS_OK;
    const struct stream *stream;
    char reference_path[PATH_BYTES], directory[PATH_BYTES], result_path[PATH_BYTES + 128];
    char shown[PATH_BYTES + 128];
    CHECK(find_stream(s, &stream));
    CHECK(path_find(job_string(s->job, file_key), job_directory(s->job), reference_path));
    CHECK(output_final_directory(s->directory, directory));
    snprintf(result_path, sizeof result_path, "%s/%s.nc", directory, stream->name);
    snprintf(shown, sizeof shown, "%s/%s.nc", s->directory, stream->name);
    const cJSON *variables = job_json(s->job, variables_key);
    for (const cJSON *item = variables->child; item; item = item->next) {
        double tolerance;
        CHECK(read_tolerance(s, stream, item, &tolerance));
        CHECK(compare_one(result_path, shown, reference_path, item->string, tolerance));
    }
    return STATUS_OK;
}

const struct check_record *run_check_record(const struct session *s)
{
    for (int k = 0; k < s->checkpoint_array_count; k++) {
        const struct checkpoint_array *array = &s->checkpoint_arrays[k];
        if (strcmp(array->name, CHECK_RECORD_NAME) != 0 || array->bytes != sizeof(struct check_record))
            continue;
        const struct check_record *record = array->data;
        return record->moments > 0 ? record : NULL;
    }
    return NULL;
}

static void describe_difference(const struct check_record *record, const struct check_quantity *q, char *text,
                                size_t bytes)
{
    char judged[80] = "", place[80], unit[UNITS_AFTER_BYTES];
    if (record->places == CHECK_SITES && q->size == 0) { // nothing differs
        snprintf(text, bytes, "%s: no difference in %lld compared", q->name, (long long)record->nodes);
        return;
    }
    if (strcmp(q->units, record->units) != 0 || fabs(q->value - q->reference) != q->size)
        snprintf(judged, sizeof judged, " (judged as %.3g%s)", q->size, units_after(record->units, unit));
    if (record->places == CHECK_BODIES || record->places == CHECK_PARTICLES)
        snprintf(place, sizeof place, "%s %lld", record->places == CHECK_BODIES ? "body" : "particle",
                 (long long)q->column);
    else if (record->places == CHECK_SITES)
        snprintf(place, sizeof place, "replica %lld, column %lld, row %lld", (long long)q->plane,
                 (long long)q->column, (long long)q->row);
    else if (record->places == CHECK_VOLUME)
        snprintf(place, sizeof place, "(%g, %g, %g) m", q->x, q->y, q->z);
    else
        snprintf(place, sizeof place, "(%g, %g)", q->x, q->y);
    snprintf(text, bytes, "%s %.3g%s%s at %s after step %lld", q->name, fabs(q->value - q->reference),
             units_after(q->units, unit), judged, place, (long long)q->step);
}

// The compared objects.
static const char *const place_words[] = {[CHECK_PLANE] = "nodes",
                                          [CHECK_VOLUME] = "nodes",
                                          [CHECK_BODIES] = "bodies",
                                          [CHECK_PARTICLES] = "particles",
                                          [CHECK_SITES] = "spins"};

void run_check_report(const struct session *s)
{
    const struct check_record *record = run_check_record(s);
    if (!record)
        return;
    char text[256], unit[UNITS_AFTER_BYTES];
    const struct check_quantity *worst = &record->quantities[0];
    for (int k = 1; k < record->quantity_count; k++)
        if (record->quantities[k].size > worst->size)
            worst = &record->quantities[k];
    describe_difference(record, worst, text, sizeof text);
    log_info(
        "verified %lld steps at %lld moments against the reference: largest difference in %s, allowed %g%s",
        (long long)record->steps, (long long)record->moments, text, record->tolerance,
        units_after(record->units, unit));
    for (int k = 0; k < record->quantity_count; k++) {
        const struct check_quantity *q = &record->quantities[k];
        describe_difference(record, q, text, sizeof text);
        log_detail("verified: largest difference in %s; rms %.3g%s over %lld %s", text,
                   sqrt(q->sum_squares / (double)record->nodes), units_after(q->units, unit),
                   (long long)record->nodes, place_words[record->places]);
    }
}
