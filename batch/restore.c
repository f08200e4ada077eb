// Restores the states of a batch's runs from its journals (see the header). The keys of the records are those
// that journal.c writes.
#include "batch/restore.h"

#include "batch/journal_file.h"
#include "batch/needs.h"
#include "io/json_file.h"

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
    [BATCH_CAUSE_TIMEOUT] = "timeout", [BATCH_CAUSE_STOP] = "stop", [BATCH_CAUSE_RESOURCES] = "room",
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
        return FAIL(STATUS_SYSTEM, "not enough memory to read the journal of %zu runs", count);
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

// ---- one record. A missing key is 0, "" or false, because another version may write fewer keys

// Returns a count, limited to 0 … INT_MAX/2.
static int count_of(const cJSON *record, const char *key)
{
    return (int)fmin(fmax(batch_needs_number(record, key), 0), 1e9);
}

static size_t word_of(const char *const *words, size_t count, const char *text, size_t otherwise)
{
    for (size_t k = 0; k < count; k++)
        if (strcmp(words[k], text) == 0)
            return k;
    return otherwise;
}

static void take_slot(struct batch_run *run, const cJSON *record)
{
    const cJSON *device = json_member(record, "device"), *needs = json_member(record, "needs");
    run->attempts = count_of(record, "attempt");
    run->cores = count_of(record, "cores");
    run->device = cJSON_IsNumber(device) ? (int)fmin(fmax(device->valuedouble, -1), 1e6) : -1;
    const cJSON *of_rank;
    run->devices = 0;
    cJSON_ArrayForEach(of_rank, json_member(record, "devices"))
    {
        if (cJSON_IsNumber(of_rank) && of_rank->valuedouble >= 0 && of_rank->valuedouble < 32)
            run->devices |= 1u << (int)of_rank->valuedouble;
    }
    if (cJSON_IsObject(needs))
        batch_needs_read(needs, &run->needs);
}

static void take_started(struct batch_run *run, struct batch_trace *trace, const cJSON *record)
{
    take_slot(run, record);
    trace->was_started = true;
    trace->is_ended = false;
    trace->started_s = batch_needs_number(record, "elapsed_s");
    run->state = BATCH_STOPPED;
    run->cause = BATCH_CAUSE_NONE;
    run->has_leftover = true;
    run->has_report = false;
    run->exit_code = run->signal = 0;
    run->message[0] = '\0';
}

static void take_ended(struct batch_run *run, struct batch_trace *trace, const cJSON *record)
{
    take_slot(run, record);
    trace->is_ended = true;
    const size_t word = word_of(state_words, BATCH_STATES, json_text(record, "state"), BATCH_WAITING);
    run->state = word == BATCH_DRAWING ? BATCH_PASSED : (enum batch_state)word;
    run->cause = (enum batch_cause)word_of(cause_words, CAUSES, json_text(record, "cause"), BATCH_CAUSE_NONE);
    run->has_leftover = trace->was_started && run->state != BATCH_PASSED;
    run->has_report = cJSON_IsTrue(json_member(record, "has_report"));
    run->exit_code = count_of(record, "exit_code");
    run->signal = count_of(record, "signal");
    run->attempt_s = batch_needs_number(record, "attempt_s");
    run->total_s = batch_needs_number(record, "total_s");
    snprintf(run->message, sizeof run->message, "%s", json_text(record, "message"));
}

struct visit {
    struct batch *batch;
    struct batch_restored *restored;
};

// At the end of a part of the journal: attempts that were started in it and did not end were interrupted with
// the batch, after the last line of the part.
static void close_part(struct visit *visit)
{
    struct batch_restored *restored = visit->restored;
    for (size_t k = 0; k < restored->open_count; k++) {
        struct batch_run *run = &visit->batch->runs[restored->open[k]];
        struct batch_trace *trace = &restored->traces[restored->open[k]];
        trace->is_open = false;
        if (!trace->was_started || trace->is_ended)
            continue;
        run->attempt_s = fmax(0, restored->part_s - trace->started_s);
        run->total_s += run->attempt_s;
    }
    restored->open_count = 0;
}

static void take_part(struct visit *visit, const cJSON *record)
{
    struct batch_restored *restored = visit->restored;
    const char *time = json_text(record, "time");
    close_part(visit);
    restored->parts++;
    restored->file_s += restored->part_s;
    restored->part_s = 0;
    if (!restored->started_at[0] || strcmp(time, restored->started_at) < 0)
        snprintf(restored->started_at, sizeof restored->started_at, "%s", time);
}

// Within a file, lines are in the order of the events; lines of different files are ordered by their times.
static bool is_older(const struct batch_restored *restored, const struct batch_trace *trace, const char *time)
{
    return trace->at[0] && trace->journal != restored->journals && strcmp(time, trace->at) < 0;
}

static void take_run(struct visit *visit, const cJSON *record, bool is_start)
{
    struct batch_restored *restored = visit->restored;
    const char *time = json_text(record, "time");
    const size_t number = find_run(visit->batch, restored, json_text(record, "run"));
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
    const bool is_same = strcmp(hash, json_text(record, "hash")) == 0;
    // Records of another job with the same name are ignored.
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
    const char *event = json_text(record, "event");
    if (strcmp(event, "begun") == 0)
        take_part(visit, record);
    else if (strcmp(event, "started") == 0 || strcmp(event, "ended") == 0)
        take_run(visit, record, strcmp(event, "started") == 0);
    // Unknown events, of later versions, are ignored.
    visit->restored->part_s = fmax(visit->restored->part_s, batch_needs_number(record, "elapsed_s"));
    return STATUS_OK;
}

enum status batch_restore_file(struct batch *batch, const char *path, struct batch_restored *restored)
{
    struct visit visit = {batch, restored};
    restored->journals++;
    restored->file_s = restored->part_s = 0;
    CHECK(journal_file_read(path, take_record, &visit));
    close_part(&visit);
    restored->elapsed_s = fmax(restored->elapsed_s, restored->file_s + restored->part_s);
    return STATUS_OK;
}
