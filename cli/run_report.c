// run.json. Called when the run is over and its memory released: it may allocate.
#include "cli/run_report.h"

#include "cli/run_check.h"
#include "cli/run_ranks.h"
#include "core/log.h"
#include "io/json_file.h"
#include "io/output/finished.h"
#include "version.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

static void add_hash(cJSON *object, const char *name, uint64_t hash)
{
    char text[20];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    cJSON_AddStringToObject(object, name, text);
}

// Whether the run was on a device; if so, the device's name and its times, by its own clock.
static bool device_times_of(const struct session *s, const char **name, struct device_times *times)
{
    return model_device(s->instance, name, times);
}

void run_report_add_step(cJSON *report, const struct session *s)
{
    cJSON_AddNumberToObject(report, s->plan.time_unit ? "step" : "step_s", s->plan.step_s);
    if (s->plan.time_unit)
        cJSON_AddStringToObject(report, "time_unit", "1");
}

void run_report_add_settings(cJSON *report, const struct job *job)
{
    const cJSON *value;
    cJSON *settings = job_setting(job, 0, &value) ? cJSON_AddObjectToObject(report, "settings") : NULL;
    const char *key;
    for (size_t k = 0; settings && (key = job_setting(job, k, &value)) != NULL; k++)
        cJSON_AddItemToObject(settings, key, value ? cJSON_Duplicate(value, 1) : cJSON_CreateNull());
}

static void add_identity(cJSON *report, const struct session *s, const struct run_outcome *o)
{
    cJSON_AddStringToObject(report, "program", "Fathom " FATHOM_VERSION);
    cJSON_AddStringToObject(report, "title", s->title);
    cJSON_AddStringToObject(report, "model", s->model->name);
    cJSON_AddStringToObject(report, "job", job_path(s->job));
    cJSON_AddStringToObject(report, "history", s->history);
    cJSON_AddStringToObject(report, "run_id", o->run_id);
    add_hash(report, "job_xxh3", o->job_hash);
    run_report_add_settings(report, s->job);
    cJSON *inputs = cJSON_AddArrayToObject(report, "inputs");
    for (int k = 0; k < s->plan.input_count; k++) {
        cJSON *input = json_append_object(inputs);
        cJSON_AddStringToObject(input, "file", s->plan.input_files[k]);
        add_hash(input, "xxh3", o->input_hashes[k]);
    }
    cJSON *files = cJSON_AddArrayToObject(report, "files");
    for (int k = 0; k < s->plan.stream_count; k++) {
        char name[80];
        if (s->plan.streams[k]->is_internal)
            continue;
        snprintf(name, sizeof name, "%s.nc", s->plan.streams[k]->name);
        cJSON_AddItemToArray(files, cJSON_CreateString(name));
    }
    if (o->awaited_products)
        cJSON_AddArrayToObject(report, "products");
    cJSON_AddStringToObject(report, "backend", s->plan.backend);
    cJSON_AddStringToObject(report, "instruction_set", s->plan.instruction_set);
    const char *device = "host";
    struct device_times times;
    (void)device_times_of(s, &device, &times);
    cJSON_AddStringToObject(report, "device", device);
    cJSON_AddStringToObject(report, "precision", s->plan.precision);
    cJSON_AddNumberToObject(report, "threads", o->threads);
    run_report_add_step(report, s);
    cJSON_AddNumberToObject(report, "steps", (double)s->plan.steps);
    cJSON_AddNumberToObject(report, "steps_run", (double)o->result.steps_run);
    cJSON_AddBoolToObject(report, "resumed", o->is_resumed);
}

// Whether nothing in the file of a stream shows damage: what is compressed has checksums of its own.
static bool is_plain(const struct session *s, const struct stream *stream)
{
    bool is_rounded = stream->variable_count > 0;
    for (int v = 0; v < stream->variable_count; v++)
        is_rounded = is_rounded && stream->variables[v].resolution > 0;
    return stream->layout == STREAM_CF && !is_rounded && !job_boolean(s->job, "output.compress");
}

// Of a run's state, from which another may start; and of files that other commands compute with: what is
// written at the end, series at places, and fields that are not compressed.
static enum status add_hash_of(cJSON *report, const struct session *s, const struct stream *stream,
                               const char *directory)
{
    static const char start_stream[] = "state";
    char name[80];
    snprintf(name, sizeof name, "%s.nc", stream->name);
    if (strcmp(stream->name, start_stream) == 0)
        return output_finished_add_sum(report, directory, name);
    return !stream->is_internal && (!stream->has_records || stream->is_time_series || is_plain(s, stream))
               ? output_finished_add_small_sum(report, directory, name)
               : STATUS_OK;
}

// Of the files in `directory`.
static enum status add_file_hashes(cJSON *report, const struct session *s, const char *directory)
{
    for (int k = 0; k < s->plan.stream_count; k++)
        CHECK(add_hash_of(report, s, s->plan.streams[k], directory));
    return STATUS_OK;
}

// For a device the host's clock measures only the time to launch the work.
static void add_device_times(cJSON *report, const struct device_times *times)
{
    cJSON *object = cJSON_AddObjectToObject(report, "device_times");
    cJSON_AddNumberToObject(object, "compute_s", times->compute_s);
    cJSON_AddNumberToObject(object, "results_s", times->results_s);
    cJSON_AddNumberToObject(object, "copy_s", times->copy_s);
    cJSON_AddNumberToObject(object, "copied_bytes", times->copied_bytes);
    if (times->copy_s > 0)
        cJSON_AddNumberToObject(object, "copy_inside_compute", times->overlap_s / times->copy_s);
    cJSON_AddNumberToObject(object, "uncounted", (double)times->uncounted);
    cJSON_AddStringToObject(
        object, "note",
        "by the device's clock: steps; computing records and checking for non-finite values; copying frames "
        "to the host, and the part of that time that overlaps the other two");
}

static void add_timings(cJSON *report, const struct session *s, const struct run_outcome *o)
{
    const char *device;
    struct device_times times;
    const bool is_measured = device_times_of(s, &device, &times) && times.is_measured;
    const double compute_s = is_measured ? times.compute_s : o->result.advance_s;
    if (is_measured)
        add_device_times(report, &times);
    cJSON *timings = cJSON_AddObjectToObject(report, "timings");
    cJSON_AddNumberToObject(timings, "prepare_s", o->prepare_s);
    cJSON_AddNumberToObject(timings, "compute_s", compute_s);
    cJSON_AddNumberToObject(timings, "advance_s", o->result.advance_s);
    cJSON_AddNumberToObject(timings, "capture_s", o->result.capture_s);
    cJSON_AddNumberToObject(timings, "guard_s", o->result.guard_s);
    cJSON_AddNumberToObject(timings, "reference_check_s", o->result.check_s);
    cJSON_AddNumberToObject(timings, "await_s", o->pipeline.await_s);
    cJSON_AddNumberToObject(timings, "write_s", o->pipeline.write_s);
    cJSON_AddNumberToObject(timings, "stall_s", o->pipeline.stall_s);
    cJSON_AddNumberToObject(timings, "checkpoint_s", o->pipeline.checkpoint_s);
    cJSON_AddNumberToObject(timings, "finish_s", o->finish_s);
    cJSON_AddNumberToObject(timings, "total_s", o->total_s);
    cJSON_AddNumberToObject(timings, "first_step", (double)o->first_step);
    cJSON_AddStringToObject(
        timings, "note",
        "since the start or the last resume of the run, at first_step; the rate counts the full work of "
        "each step, including skipped work (land and undisturbed water of a grid)");
    if (compute_s > 0) {
        const double work = (double)(o->result.steps_done - o->first_step) * s->plan.work_per_step;
        cJSON_AddNumberToObject(timings, "rate_per_s", work / compute_s);
        cJSON_AddStringToObject(timings, "rate_unit", s->plan.work_unit);
        if (s->plan.bytes_per_work > 0)
            cJSON_AddNumberToObject(timings, "memory_gb_per_s",
                                    work * s->plan.bytes_per_work / compute_s / 1e9);
    }
    cJSON *pipeline = cJSON_AddObjectToObject(report, "pipeline");
    cJSON_AddNumberToObject(pipeline, "frames", (double)o->pipeline.frames);
    cJSON_AddNumberToObject(pipeline, "checkpoints", (double)o->pipeline.checkpoints);
    cJSON_AddNumberToObject(pipeline, "bytes", o->pipeline.bytes);
    cJSON_AddNumberToObject(pipeline, "deepest_queue", o->pipeline.deepest_queue);
}

static void add_memory(cJSON *report, const struct session *s, const struct run_outcome *o)
{
    cJSON *memory = cJSON_AddObjectToObject(report, "memory");
    cJSON_AddNumberToObject(memory, "planned_bytes", (double)o->planned_bytes);
    cJSON_AddNumberToObject(memory, "used_bytes", (double)o->used_bytes);
    cJSON_AddNumberToObject(memory, "library_ceiling_bytes", (double)s->memory.total[MEMORY_LIBRARY]);
    if (s->memory.total[MEMORY_DEVICE_LIBRARY] > 0)
        cJSON_AddNumberToObject(memory, "device_library_ceiling_bytes",
                                (double)s->memory.total[MEMORY_DEVICE_LIBRARY]);
    cJSON_AddNumberToObject(memory, "program_bytes", (double)s->memory.total[MEMORY_PROGRAM]);
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        cJSON_AddNumberToObject(memory, "peak_resident_bytes", (double)usage.ru_maxrss * 1024);
}

static void add_place(cJSON *item, const struct check_record *record, const struct check_quantity *q)
{
    const bool is_site = record->places == CHECK_SITES;
    const bool is_node = record->places == CHECK_PLANE || record->places == CHECK_VOLUME || is_site;
    cJSON_AddNumberToObject(item,
                            is_node                          ? "column"
                            : record->places == CHECK_BODIES ? "body"
                                                             : "particle",
                            (double)q->column);
    if (is_node)
        cJSON_AddNumberToObject(item, "row", (double)q->row);
    if (record->places == CHECK_VOLUME)
        cJSON_AddNumberToObject(item, "plane", (double)q->plane);
    if (is_site) {
        cJSON_AddNumberToObject(item, "replica", (double)q->plane);
        return;
    }
    cJSON_AddNumberToObject(item, "x", q->x);
    cJSON_AddNumberToObject(item, "y", q->y);
    if (record->places == CHECK_PLANE)
        cJSON_AddNumberToObject(item, "depth_m", q->depth_m);
    else if (record->places != CHECK_PARTICLES)
        cJSON_AddNumberToObject(item, "z", q->z);
}

// The result of the steps repeated on the reference, by quantity. A difference that is NaN is null.
static void add_check_record(cJSON *report, const struct session *s)
{
    const struct check_record *record = run_check_record(s);
    if (!record)
        return;
    cJSON *check = cJSON_GetObjectItem(report, "reference_check");
    if (!check)
        check = cJSON_AddObjectToObject(report, "reference_check");
    cJSON_AddNumberToObject(check, "repeated_steps", (double)record->steps);
    cJSON_AddNumberToObject(check, "compared_nodes", (double)record->nodes);
    cJSON *list = cJSON_AddArrayToObject(check, "quantities");
    for (int k = 0; k < record->quantity_count; k++) {
        const struct check_quantity *q = &record->quantities[k];
        cJSON *item = json_append_object(list);
        cJSON_AddStringToObject(item, "name", q->name);
        cJSON_AddStringToObject(item, "units", q->units);
        cJSON_AddNumberToObject(item, "largest_difference", fabs(q->value - q->reference));
        cJSON_AddNumberToObject(item, "judged_as", q->size);
        cJSON_AddStringToObject(item, "judged_units", record->units);
        cJSON_AddNumberToObject(item, "value", q->value);
        cJSON_AddNumberToObject(item, "reference", q->reference);
        cJSON_AddNumberToObject(item, "repeated_from_step", (double)q->from_step);
        cJSON_AddNumberToObject(item, "after_step", (double)q->step);
        add_place(item, record, q);
        cJSON_AddNumberToObject(item, "rms_difference", sqrt(q->sum_squares / (double)record->nodes));
    }
}

static void add_verdict(cJSON *report, const struct run_outcome *o)
{
    cJSON *checks = cJSON_AddArrayToObject(report, "checks");
    cJSON *check = json_append_object(checks);
    cJSON_AddStringToObject(check, "verdict", o->verdict);
    cJSON_AddStringToObject(check, "against_reference", o->reference_verdict);
    cJSON_AddNumberToObject(check, "exit_code", o->exit_code);
    if (o->verdict_message)
        cJSON_AddStringToObject(check, "message", o->verdict_message);
    if (o->awaited_products) {
        cJSON *pending = cJSON_AddObjectToObject(report, output_finished_pending);
        cJSON_AddItemToObject(pending, "files", cJSON_Duplicate(o->awaited_products, 1));
        cJSON_AddItemToObject(pending, "check", cJSON_Duplicate(check, 1));
    }
    run_report_set_warnings(report);
}

void run_report_set_warnings(cJSON *report)
{
    cJSON_DeleteItemFromObject(report, "warnings");
    cJSON *warnings = cJSON_AddArrayToObject(report, "warnings");
    for (size_t k = 0; k < log_warning_kept(); k++)
        cJSON_AddItemToArray(warnings, cJSON_CreateString(log_warning_text(k)));
}

enum status run_report_write(const struct session *session, const struct run_outcome *outcome)
{
    char directory[PATH_BYTES], path[PATH_BYTES + 16];
    CHECK(output_final_directory(session->directory, directory));
    cJSON *report = cJSON_CreateObject();
    add_identity(report, session, outcome);
    if (cJSON_GetArraySize(outcome->removed) > 0)
        cJSON_AddItemToObject(report, output_removed, cJSON_Duplicate(outcome->removed, true));
    enum status status = add_file_hashes(report, session, directory);
    session->model->describe(session->instance, report);
    add_check_record(report, session);
    add_timings(report, session, outcome);
    run_ranks_report(report, session, outcome->ranks, outcome->result.steps_done - outcome->first_step);
    add_memory(report, session, outcome);
    add_verdict(report, outcome);
    snprintf(path, sizeof path, "%s/run.json", directory);
    if (status == STATUS_OK)
        status = json_file_write(path, report);
    cJSON_Delete(report);
    return status == STATUS_OK
               ? STATUS_OK
               : status_append(status, "the results are complete in %s, without their report", directory);
}

enum status run_report_print(const struct session *s)
{
    char path[PATH_BYTES + 16], *text;
    size_t length;
    snprintf(path, sizeof path, "%s/run.json", s->directory);
    CHECK(text_file_read(path, OUTPUT_REPORT_BYTES_MAX, &text, &length));
    fputs(text, stdout);
    free(text);
    return STATUS_OK;
}
