// Back from the journals of a batch to what is known of its runs (see restore.h). Knows the records'
// keys, which books.c writes; decides nothing.
#include "batch/restore.h"

#include "batch/journal.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const state_words[BATCH_STATES] = {
    [BATCH_WAITING] = "waiting", [BATCH_PLANNING] = "waiting", [BATCH_PLANNED] = "waiting",
    [BATCH_RUNNING] = "running", [BATCH_DRAWING] = "passed",   [BATCH_PASSED] = "passed",
    [BATCH_FAILED] = "failed",   [BATCH_STOPPED] = "stopped",
};
static const char *const cause_words[] = {
    [BATCH_CAUSE_NONE] = "none",       [BATCH_CAUSE_EXIT] = "exit", [BATCH_CAUSE_SIGNAL] = "signal",
    [BATCH_CAUSE_TIMEOUT] = "timeout", [BATCH_CAUSE_STOP] = "stop", [BATCH_CAUSE_ROOM] = "room",
};
enum { CAUSES = sizeof cause_words / sizeof *cause_words };

const char *batch_restore_state_word(enum batch_state state)
{
    return state_words[state];
}

const char *batch_restore_cause_word(enum batch_cause cause)
{
    return cause_words[cause];
}

static const struct batch *sorted_batch; // qsort has no context

static int compare_names(const void *a, const void *b)
{
    const struct batch_job *jobs = sorted_batch->queue->jobs;
    return strcmp(jobs[*(const size_t *)a].name, jobs[*(const size_t *)b].name);
}

enum status batch_restored_make(const struct batch *batch, struct batch_restored *restored)
{
    const size_t count = batch->queue->count;
    *restored = (struct batch_restored){.traces = calloc(count + 1, sizeof *restored->traces),
                                        .by_name = calloc(count + 1, sizeof *restored->by_name),
                                        .open = calloc(count + 1, sizeof *restored->open)};
    if (!restored->traces || !restored->by_name || !restored->open) {
        batch_restored_free(restored);
        return FAIL(STATUS_SYSTEM, "no memory to read the journal of %zu runs", count);
    }
    for (size_t k = 0; k < count; k++)
        restored->by_name[k] = k;
    sorted_batch = batch;
    qsort(restored->by_name, count, sizeof *restored->by_name, compare_names);
    return STATUS_OK;
}

void batch_restored_free(struct batch_restored *restored)
{
    free(restored->traces);
    free(restored->by_name);
    free(restored->open);
    *restored = (struct batch_restored){0};
}

// Index of the run of that name; SIZE_MAX if the queue has none.
static size_t find_run(const struct batch *batch, const struct batch_restored *restored, const char *name)
{
    size_t low = 0, high = batch->queue->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2, run = restored->by_name[middle];
        const int order = strcmp(name, batch->queue->jobs[run].name);
        if (order == 0)
            return run;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return SIZE_MAX;
}

// ---- what a record holds; a key that is absent is 0, "" or false: later versions may write less

static double number_of(const cJSON *record, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(record, key);
    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

// A count: 0 … INT_MAX/2, whatever the file holds.
static int count_of(const cJSON *record, const char *key)
{
    return (int)fmin(fmax(number_of(record, key), 0), 1e9);
}

static size_t bytes_of(const cJSON *record, const char *key)
{
    return (size_t)fmin(fmax(number_of(record, key), 0), 0x1p62);
}

static const char *text_of(const cJSON *record, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(record, key);
    return cJSON_IsString(item) ? item->valuestring : "";
}

static size_t word_of(const char *const *words, size_t count, const char *text, size_t otherwise)
{
    for (size_t k = 0; k < count; k++)
        if (strcmp(words[k], text) == 0)
            return k;
    return otherwise;
}

static void take_needs(struct batch_run *run, const cJSON *record)
{
    const cJSON *needs = cJSON_GetObjectItemCaseSensitive(record, "needs");
    if (!cJSON_IsObject(needs))
        return;
    run->needs = (struct batch_needs){.host_bytes = bytes_of(needs, "host_bytes"),
                                      .device_bytes = bytes_of(needs, "device_bytes"),
                                      .disk_bytes = number_of(needs, "disk_bytes"),
                                      .estimated_s = number_of(needs, "estimated_s"),
                                      .steps = (int64_t)fmin(fmax(number_of(needs, "steps"), 0), 0x1p62)};
    snprintf(run->needs.model, sizeof run->needs.model, "%s", text_of(needs, "model"));
    snprintf(run->needs.backend, sizeof run->needs.backend, "%s", text_of(needs, "backend"));
    snprintf(run->needs.title, sizeof run->needs.title, "%s", text_of(needs, "title"));
}

static void take_place(struct batch_run *run, const cJSON *record)
{
    const cJSON *device = cJSON_GetObjectItemCaseSensitive(record, "device");
    run->attempts = count_of(record, "attempt");
    run->cores = count_of(record, "cores");
    run->device = cJSON_IsNumber(device) ? (int)fmin(fmax(device->valuedouble, -1), 1e6) : -1;
    take_needs(run, record);
}

static void take_started(struct batch_run *run, struct batch_trace *trace, const cJSON *record)
{
    take_place(run, record);
    trace->was_begun = true;
    trace->is_ended = false;
    trace->begun_s = number_of(record, "elapsed_s");
    run->state = BATCH_STOPPED;
    run->cause = BATCH_CAUSE_NONE;
    run->has_leftover = true;
    run->has_report = false;
    run->exit_code = run->signal = 0;
    run->message[0] = '\0';
}

static void take_ended(struct batch_run *run, struct batch_trace *trace, const cJSON *record)
{
    take_place(run, record);
    trace->is_ended = true;
    const size_t word = word_of(state_words, BATCH_STATES, text_of(record, "state"), BATCH_WAITING);
    run->state = word == BATCH_DRAWING ? BATCH_PASSED : (enum batch_state)word;
    run->cause = (enum batch_cause)word_of(cause_words, CAUSES, text_of(record, "cause"), BATCH_CAUSE_NONE);
    run->has_leftover = trace->was_begun && run->state != BATCH_PASSED;
    run->has_report = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(record, "has_report"));
    run->exit_code = count_of(record, "exit_code");
    run->signal = count_of(record, "signal");
    run->attempt_s = number_of(record, "attempt_s");
    run->total_s = number_of(record, "total_s");
    snprintf(run->message, sizeof run->message, "%s", text_of(record, "message"));
}

struct visit {
    struct batch *batch;
    struct batch_restored *restored;
};

// A part is over: what was begun in it and not ended was cut off with its batch, not before the last line.
static void close_part(struct visit *visit)
{
    struct batch_restored *restored = visit->restored;
    for (size_t k = 0; k < restored->open_count; k++) {
        struct batch_run *run = &visit->batch->runs[restored->open[k]];
        struct batch_trace *trace = &restored->traces[restored->open[k]];
        trace->is_open = false;
        if (!trace->was_begun || trace->is_ended)
            continue;
        run->attempt_s = fmax(0, restored->part_s - trace->begun_s);
        run->total_s += run->attempt_s;
    }
    restored->open_count = 0;
}

static void take_part(struct visit *visit, const cJSON *record)
{
    struct batch_restored *restored = visit->restored;
    const char *time = text_of(record, "time");
    close_part(visit);
    restored->parts++;
    restored->file_s += restored->part_s;
    restored->part_s = 0;
    if (!restored->begun_at[0] || strcmp(time, restored->begun_at) < 0)
        snprintf(restored->begun_at, sizeof restored->begun_at, "%s", time);
}

// Within a file the order of the lines is the order of events; between files their times are.
static bool is_older(const struct batch_restored *restored, const struct batch_trace *trace, const char *time)
{
    return trace->at[0] && trace->journal != restored->journals && strcmp(time, trace->at) < 0;
}

static void take_run(struct visit *visit, const cJSON *record, bool is_start)
{
    struct batch_restored *restored = visit->restored;
    const char *time = text_of(record, "time");
    const size_t number = find_run(visit->batch, restored, text_of(record, "run"));
    if (number == SIZE_MAX) {
        restored->vanished += is_start && count_of(record, "attempt") <= 1;
        return;
    }
    struct batch_run *run = &visit->batch->runs[number];
    struct batch_trace *trace = &restored->traces[number];
    if (is_older(restored, trace, time))
        return;
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, visit->batch->queue->jobs[number].hash);
    const bool is_same = strcmp(hash, text_of(record, "hash")) == 0;
    // What is known of another job under this name says nothing of this one.
    if (!is_same || trace->is_changed) {
        *run = (struct batch_run){.device = -1, .fraction = NAN, .remaining_s = NAN};
        *trace = (struct batch_trace){.is_changed = !is_same, .is_open = trace->is_open};
    }
    trace->is_known = true;
    trace->journal = restored->journals;
    snprintf(trace->at, sizeof trace->at, "%s", time);
    if (is_same && is_start) {
        take_started(run, trace, record);
        if (!trace->is_open)
            restored->open[restored->open_count++] = number;
        trace->is_open = true;
    } else if (is_same)
        take_ended(run, trace, record);
}

static enum status take_record(void *context, const struct cJSON *record, size_t line)
{
    (void)line;
    struct visit *visit = context;
    const char *event = text_of(record, "event");
    if (strcmp(event, "begun") == 0)
        take_part(visit, record);
    else if (strcmp(event, "started") == 0 || strcmp(event, "ended") == 0)
        take_run(visit, record, strcmp(event, "started") == 0);
    // Events of later versions are passed over.
    visit->restored->part_s = fmax(visit->restored->part_s, number_of(record, "elapsed_s"));
    return STATUS_OK;
}

enum status batch_restore_file(struct batch *batch, const char *path, struct batch_restored *restored)
{
    struct visit visit = {batch, restored};
    restored->journals++;
    restored->file_s = restored->part_s = 0;
    CHECK(journal_read(path, take_record, &visit));
    close_part(&visit);
    restored->elapsed_s = fmax(restored->elapsed_s, restored->file_s + restored->part_s);
    return STATUS_OK;
}
