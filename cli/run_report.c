// run.json. Called when the run is over and its memory released: it may allocate.
#include "cli/run_report.h"

#include "core/log.h"
#include "gpu/device.h"
#include "version.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static void add_hash(cJSON *object, const char *name, uint64_t hash)
{
    char text[20];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    cJSON_AddStringToObject(object, name, text);
}

static void add_identity(cJSON *report, const struct session *s, const struct run_outcome *o)
{
    cJSON_AddStringToObject(report, "program", "Fathom " FATHOM_VERSION);
    cJSON_AddStringToObject(report, "title", s->title);
    cJSON_AddStringToObject(report, "model", s->model->name);
    cJSON_AddStringToObject(report, "job", job_path(s->job));
    cJSON_AddStringToObject(report, "history", s->history);
    add_hash(report, "job_xxh3", o->job_hash);
    cJSON *inputs = cJSON_AddArrayToObject(report, "inputs");
    for (int k = 0; k < s->plan.input_count; k++) {
        cJSON *input = cJSON_CreateObject();
        cJSON_AddStringToObject(input, "file", s->plan.input_files[k]);
        add_hash(input, "xxh3", o->input_hashes[k]);
        cJSON_AddItemToArray(inputs, input);
    }
    cJSON *files = cJSON_AddArrayToObject(report, "files");
    for (int k = 0; k < s->plan.stream_count; k++) {
        char name[80];
        snprintf(name, sizeof name, "%s.nc", s->plan.streams[k]->name);
        cJSON_AddItemToArray(files, cJSON_CreateString(name));
    }
    cJSON_AddStringToObject(report, "backend", s->plan.backend);
    cJSON_AddStringToObject(report, "instruction_set", s->plan.instruction_set);
    char device[512] = "host";
    if (strcmp(s->plan.backend, "cuda") == 0)
        (void)gpu_describe(device, sizeof device);
    cJSON_AddStringToObject(report, "device", device);
    cJSON_AddStringToObject(report, "precision", s->plan.precision);
    cJSON_AddNumberToObject(report, "threads", o->threads);
    cJSON_AddNumberToObject(report, "step_s", s->plan.step_s);
    cJSON_AddNumberToObject(report, "steps", (double)s->plan.steps);
    cJSON_AddNumberToObject(report, "steps_run", (double)o->result.steps_run);
    cJSON_AddBoolToObject(report, "resumed", o->is_resumed);
}

static void add_timings(cJSON *report, const struct session *s, const struct run_outcome *o)
{
    cJSON *timings = cJSON_AddObjectToObject(report, "timings");
    cJSON_AddNumberToObject(timings, "prepare_s", o->prepare_s);
    cJSON_AddNumberToObject(timings, "compute_s", o->result.advance_s);
    cJSON_AddNumberToObject(timings, "capture_s", o->result.capture_s);
    cJSON_AddNumberToObject(timings, "guard_s", o->result.guard_s);
    cJSON_AddNumberToObject(timings, "reference_check_s", o->result.check_s);
    cJSON_AddNumberToObject(timings, "write_s", o->pipeline.write_s);
    cJSON_AddNumberToObject(timings, "stall_s", o->pipeline.stall_s);
    cJSON_AddNumberToObject(timings, "checkpoint_s", o->pipeline.checkpoint_s);
    cJSON_AddNumberToObject(timings, "finish_s", o->finish_s);
    cJSON_AddNumberToObject(timings, "total_s", o->total_s);
    cJSON_AddNumberToObject(timings, "first_step", (double)o->first_step);
    cJSON_AddStringToObject(
        timings, "note",
        "of this part of the run, from first_step on; the rate counts every node of the grid, land and "
        "quiet water that were skipped included");
    if (o->result.advance_s > 0) {
        const double work = (double)(o->result.steps_done - o->first_step) * s->plan.work_per_step;
        cJSON_AddNumberToObject(timings, "rate_per_s", work / o->result.advance_s);
        cJSON_AddStringToObject(timings, "rate_unit", s->plan.work_unit);
        if (s->plan.bytes_per_work > 0)
            cJSON_AddNumberToObject(timings, "memory_gb_per_s",
                                    work * s->plan.bytes_per_work / o->result.advance_s / 1e9);
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
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        cJSON_AddNumberToObject(memory, "peak_resident_bytes", (double)usage.ru_maxrss * 1024);
}

static void add_verdict(cJSON *report, const struct run_outcome *o)
{
    cJSON *checks = cJSON_AddArrayToObject(report, "checks");
    cJSON *check = cJSON_CreateObject();
    cJSON_AddStringToObject(check, "verdict", o->verdict);
    if (o->verdict_message)
        cJSON_AddStringToObject(check, "message", o->verdict_message);
    cJSON_AddItemToArray(checks, check);
    cJSON *warnings = cJSON_AddArrayToObject(report, "warnings");
    for (size_t k = 0; k < log_warning_kept(); k++)
        cJSON_AddItemToArray(warnings, cJSON_CreateString(log_warning_text(k)));
}

static enum status store(const char *directory, const char *text)
{
    char path[PATH_BYTES + 16], temporary[PATH_BYTES + 16];
    snprintf(path, sizeof path, "%s/run.json", directory);
    snprintf(temporary, sizeof temporary, "%s/run.json.tmp", directory);
    FILE *file = fopen(temporary, "w");
    if (!file)
        return FAIL(STATUS_CANNOT_CREATE, "%s: cannot be created: %s", temporary, strerror(errno));
    const bool is_written = fputs(text, file) >= 0 && fputc('\n', file) != EOF && fflush(file) == 0;
    const int error = errno;
    if (fclose(file) != 0 || !is_written) {
        remove(temporary);
        return FAIL(STATUS_IO, "%s: cannot be written: %s", temporary, strerror(error));
    }
    return path_publish(temporary, path);
}

enum status run_report_write(const struct session *session, const struct run_outcome *outcome, bool print)
{
    cJSON *report = cJSON_CreateObject();
    add_identity(report, session, outcome);
    session->model->describe(session->instance, report);
    add_timings(report, session, outcome);
    add_memory(report, session, outcome);
    add_verdict(report, outcome);
    char *text = cJSON_Print(report);
    cJSON_Delete(report);
    if (!text)
        return FAIL(STATUS_SYSTEM, "no memory for run.json");
    enum status status = store(session->directory, text);
    if (status == STATUS_OK && print)
        puts(text);
    free(text);
    return status;
}
