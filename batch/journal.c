// The journal of a batch (see the header): writes its records, and determines from them what a resumed batch
// runs. Independent of processes.
#include "batch/journal.h"

#include "batch/figures.h"
#include "batch/journal_file.h"
#include "batch/needs.h"
#include "batch/restore.h"
#include "batch/totals.h"
#include "core/clock.h"
#include "core/log.h"
#include "version.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { JOURNAL_FORMAT = 1, FILE_BYTES = PATH_BYTES + 300, NAMES_LISTED_MAX = 5 };

static const char main_journal[] = "journal.jsonl", element_journals[] = "journal-[0-9]*.jsonl";

// ---- writing

static void utc_now(char text[32])
{
    struct timespec now;
    struct tm utc;
    char date[24];
    text[0] = '\0';
    if (clock_gettime(CLOCK_REALTIME, &now) != 0 || !gmtime_r(&now.tv_sec, &utc))
        return;
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(text, 32, "%s.%03dZ", date, (int)(now.tv_nsec / 1000000));
}

// Milliseconds are enough, and keep the lines short.
static void add_seconds(cJSON *object, const char *key, double seconds)
{
    cJSON_AddNumberToObject(object, key, isfinite(seconds) ? round(seconds * 1e3) / 1e3 : 0);
}

static cJSON *new_record(const struct batch *batch, const char *event)
{
    char now[32];
    cJSON *record = cJSON_CreateObject();
    utc_now(now);
    cJSON_AddStringToObject(record, "event", event);
    cJSON_AddStringToObject(record, "time", now);
    add_seconds(record, "elapsed_s", clock_now_s() - batch->started_s);
    return record;
}

static cJSON *new_run_record(const struct batch *batch, size_t number, const char *event)
{
    const struct batch_run *run = &batch->runs[number];
    const struct batch_job *job = &batch->queue->jobs[number];
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, job->hash);
    cJSON *record = new_record(batch, event);
    cJSON_AddStringToObject(record, "run", job->name);
    cJSON_AddStringToObject(record, "hash", hash);
    cJSON_AddNumberToObject(record, "attempt", run->attempts);
    cJSON_AddNumberToObject(record, "cores", run->cores);
    cJSON_AddNumberToObject(record, "device", run->device);
    if (job->ranks > 1)
        cJSON_AddNumberToObject(record, "ranks", job->ranks);
    batch_needs_add_devices(record, run->devices);
    if (run->needs.model[0])
        batch_needs_add(cJSON_AddObjectToObject(record, "needs"), &run->needs);
    return record;
}

static enum status append(const struct batch *batch, cJSON *record)
{
    const enum status status = batch->journal ? journal_file_append(batch->journal, record) : STATUS_OK;
    cJSON_Delete(record);
    return status;
}

enum status batch_journal_started(struct batch *batch, size_t run)
{
    return append(batch, new_run_record(batch, run, "started"));
}

enum status batch_journal_ended(struct batch *batch, size_t number)
{
    const struct batch_run *run = &batch->runs[number];
    cJSON *record = new_run_record(batch, number, "ended");
    cJSON_AddStringToObject(record, "state", batch_restore_state_word(run->state));
    cJSON_AddStringToObject(record, "cause", batch_restore_cause_word(run->cause));
    cJSON_AddNumberToObject(record, "exit_code", run->exit_code);
    cJSON_AddNumberToObject(record, "signal", run->signal);
    add_seconds(record, "attempt_s", run->attempt_s);
    add_seconds(record, "total_s", run->total_s);
    if (run->has_report)
        cJSON_AddTrueToObject(record, "has_report");
    if (run->message[0])
        cJSON_AddStringToObject(record, "message", run->message);
    const enum status status = batch->journal ? journal_file_write(batch->journal, record) : STATUS_OK;
    cJSON_Delete(record);
    return status;
}

enum status batch_journal_sync(struct batch *batch)
{
    return batch->journal ? journal_file_sync(batch->journal) : STATUS_OK;
}

static enum status append_start(const struct batch *batch)
{
    char host[128] = "";
    (void)gethostname(host, sizeof host - 1);
    cJSON *record = new_record(batch, "begun");
    if (!batch->is_resumed) // the start of the batch
        cJSON_ReplaceItemInObjectCaseSensitive(record, "time", cJSON_CreateString(batch->started_at));
    cJSON_AddNumberToObject(record, "journal", JOURNAL_FORMAT);
    cJSON_AddStringToObject(record, "program", "Fathom " FATHOM_VERSION);
    cJSON_AddStringToObject(record, "machine", host);
    cJSON_AddStringToObject(record, "queue", batch->queue->path ? batch->queue->path : "");
    cJSON_AddNumberToObject(record, "runs", (double)batch->queue->count);
    return append(batch, record);
}

enum status batch_journal_alive(struct batch *batch)
{
    return append(batch, new_record(batch, "alive"));
}

enum status batch_journal_close(struct batch *batch)
{
    if (!batch->journal)
        return STATUS_OK;
    const enum status status = append(batch, new_record(batch, "closed"));
    journal_file_close(batch->journal);
    batch->journal = NULL;
    return status;
}

// ---- reading back

static void journal_path(const struct batch *batch, char path[FILE_BYTES])
{
    if (batch->only == SIZE_MAX)
        snprintf(path, FILE_BYTES, "%s/%s", batch->queue->directory, main_journal);
    else
        snprintf(path, FILE_BYTES, "%s/journal-%zu.jsonl", batch->queue->directory, batch->only + 1);
}

// Calls take(context, path) for the journal of the batch and for those of its array elements. An array
// element reads only its own journal, because other elements may be writing theirs.
static enum status for_each_journal(const struct batch *batch,
                                    enum status (*take)(void *context, const char *path), void *context)
{
    char path[FILE_BYTES];
    journal_path(batch, path);
    if (access(path, F_OK) == 0)
        CHECK(take(context, path));
    DIR *folder = batch->only == SIZE_MAX ? opendir(batch->queue->directory) : NULL;
    enum status status = STATUS_OK;
    for (const struct dirent *entry; folder && status == STATUS_OK && (entry = readdir(folder));) {
        if (fnmatch(element_journals, entry->d_name, 0) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", batch->queue->directory, entry->d_name);
        status = take(context, path);
    }
    if (folder)
        closedir(folder);
    return status;
}

struct restore {
    struct batch *batch;
    struct batch_restored restored;
};

static enum status restore_one(void *context, const char *path)
{
    struct restore *restore = context;
    return batch_restore_file(restore->batch, path, &restore->restored);
}

static enum status restore_all(struct restore *restore)
{
    CHECK(batch_restored_make(restore->batch, &restore->restored));
    const enum status status = for_each_journal(restore->batch, restore_one, restore);
    if (status != STATUS_OK)
        batch_restored_free(&restore->restored);
    return status;
}

static bool has_results(const struct batch *batch, size_t run)
{
    char path[FILE_BYTES];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s/run.json", batch->queue->directory, batch->queue->jobs[run].name);
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

// Sets a run to waiting: it will be started, or resumed if has_leftover. Keeps the number and the duration of
// its attempts.
static void make_waiting(struct batch_run *run, bool has_leftover)
{
    *run = (struct batch_run){.attempts = run->attempts,
                              .total_s = run->total_s,
                              .needs = run->needs,
                              .has_leftover = has_leftover,
                              .device = -1,
                              .fraction = NAN,
                              .remaining_s = NAN};
}

// A run that passed counts as passed only while its results exist.
static size_t forget_lost_results(struct batch *batch)
{
    size_t lost = 0;
    for (size_t k = 0; k < batch->queue->count; k++) {
        struct batch_run *run = &batch->runs[k];
        if (run->state == BATCH_PASSED && !has_results(batch, k)) {
            make_waiting(run, false);
            lost++;
        }
    }
    return lost;
}

static size_t count_state(const struct batch *batch, enum batch_state state)
{
    size_t count = 0;
    for (size_t k = 0; k < batch->queue->count; k++)
        count += batch->runs[k].state == state;
    return count;
}

// Of the runs whose process passed: those whose results exceed a safety level, and those whose rule could not
// be evaluated, do not count as passed. Other elements of an array, too.
static struct batch_totals count_earlier(const struct batch *batch)
{
    struct batch_totals earlier = {0};
    for (size_t k = 0; k < batch->queue->count; k++) {
        const bool has_passed = batch->runs[k].state == BATCH_PASSED,
                   has_exceeded = has_passed && batch_run_exceeded(batch, k),
                   is_unjudged = has_passed && batch_run_unjudged(batch, k);
        earlier.exceeded += has_exceeded;
        earlier.unjudged += is_unjudged;
        earlier.passed += has_passed && !has_exceeded && !is_unjudged;
    }
    return earlier;
}

static void log_changes(const struct batch *batch, const struct batch_restored *restored)
{
    char names[NAMES_LISTED_MAX * (BATCH_NAME_MAX + 2) + 8] = "";
    size_t changed = 0, fresh = 0, used = 0;
    for (size_t k = 0; k < batch->queue->count; k++) {
        fresh += !restored->traces[k].is_known;
        if (!restored->traces[k].is_changed)
            continue;
        if (changed++ < NAMES_LISTED_MAX)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "",
                                     batch->queue->jobs[k].name);
    }
    if (changed > 0)
        log_info("%zu runs changed since they were run, and are run again: %s%s", changed, names,
                 changed > NAMES_LISTED_MAX ? ", ..." : "");
    if (fresh > 0)
        log_info("%zu runs were not started before", fresh);
    if (restored->vanished > 0)
        log_info("%zu of the earlier runs are no longer in the queue; their results stay",
                 restored->vanished);
}

// Determines from the journals which runs must still be run, and logs how many.
static void choose_runs(struct batch *batch, const struct batch_restored *restored, bool retries_failures)
{
    const size_t lost = forget_lost_results(batch);
    size_t again = 0;
    for (size_t k = 0; k < batch->queue->count; k++) {
        struct batch_run *run = &batch->runs[k];
        // A run that did not fit was never started: it may fit now.
        const bool has_failed = run->state == BATCH_FAILED && run->cause != BATCH_CAUSE_RESOURCES;
        if (run->state == BATCH_PASSED || (has_failed && !retries_failures))
            continue;
        if (restored->traces[k].is_known)
            make_waiting(run, run->has_leftover);
        again += run->has_leftover;
    }
    const size_t failed = count_state(batch, BATCH_FAILED);
    const struct batch_totals earlier = count_earlier(batch);
    char note[BATCH_OTHERS_BYTES];
    log_info("%s is resumed: %zu of %zu passed before%s, %zu to run, %zu of them started before%s",
             batch->queue->directory, earlier.passed, batch->queue->count,
             batch_totals_others(&earlier, note), count_state(batch, BATCH_WAITING), again,
             lost > 0 ? "; the results of some are missing" : "");
    if (lost > 0)
        log_warning("%zu runs had passed, but run.json is missing in their folders: they are run again",
                    lost);
    if (failed > 0)
        log_info("%zu failed before; --retry-failed runs them again", failed);
    log_changes(batch, restored);
}

// ---- public functions

// The folder has a journal: its batch is continued or replaced only on request.
static enum status refuse(struct batch *batch, const char *path)
{
    struct restore restore = {.batch = batch};
    const enum status status = restore_all(&restore);
    const struct batch_totals earlier = count_earlier(batch);
    const size_t failed = count_state(batch, BATCH_FAILED);
    char note[BATCH_OTHERS_BYTES];
    if (status == STATUS_OK)
        batch_restored_free(&restore.restored);
    status_clear();
    if (status != STATUS_OK)
        return FAIL(STATUS_CANNOT_CREATE,
                    "%s: a batch was started here before (its journal cannot be read); --restart replaces "
                    "it, another --output keeps it",
                    path);
    return FAIL(
        STATUS_CANNOT_CREATE,
        "%s: a batch was started here before: %zu of %zu passed%s, %zu failed; --resume continues it, "
        "--restart replaces it",
        path, earlier.passed, batch->queue->count, batch_totals_others(&earlier, note), failed);
}

// Whether the folder holds files of a batch without a journal: the first such path. The journal is created
// before any of them, so a batch that was killed at its start has none.
static bool has_remains(const struct batch *batch, char path[FILE_BYTES])
{
    static const char *const names[] = {"_logs", "_pictures", "summary.json", "junit.xml", "index.html"};
    enum { NAMES = sizeof names / sizeof *names };
    for (size_t k = 0; k < NAMES + batch->queue->count; k++) {
        snprintf(path, FILE_BYTES, "%s/%s", batch->queue->directory,
                 k < NAMES ? names[k] : batch->queue->jobs[k - NAMES].name);
        if (access(path, F_OK) == 0)
            return true;
    }
    return false;
}

// --resume is permitted without a journal, so that a script can always use it.
static enum status start_without_journal(const struct batch *batch, enum batch_mode *mode)
{
    char remains[FILE_BYTES];
    if (has_remains(batch, remains))
        return FAIL(STATUS_NO_INPUT,
                    "%s: holds results (%s), but no journal of a batch to resume; without --resume a new "
                    "batch starts here and replaces the results of each run that passes",
                    batch->queue->directory, remains);
    log_info("%s: nothing to resume, neither journal nor results: the batch starts", batch->queue->directory);
    *mode = BATCH_NEW;
    return STATUS_OK;
}

static enum status note_existing(void *context, const char *path)
{
    snprintf(context, FILE_BYTES, "%s", path);
    return STATUS_OK;
}

static enum status delete_journal(void *context, const char *path)
{
    const char *own = context; // is later replaced atomically by an empty one
    return strcmp(path, own) == 0 || unlink(path) == 0 || errno == ENOENT
               ? STATUS_OK
               : FAIL(STATUS_CANNOT_CREATE, "%s: cannot be deleted for the restart: %s", path,
                      strerror(errno));
}

static enum status restore_and_choose(struct batch *batch, bool retries_failures)
{
    struct restore restore = {.batch = batch};
    CHECK(restore_all(&restore));
    choose_runs(batch, &restore.restored, retries_failures);
    batch->is_resumed = true;
    batch->earlier_s = restore.restored.elapsed_s;
    if (restore.restored.started_at[0])
        snprintf(batch->started_at, sizeof batch->started_at, "%s", restore.restored.started_at);
    batch_restored_free(&restore.restored);
    return STATUS_OK;
}

enum status batch_journal_open(struct batch *batch, enum batch_mode mode, bool retries_failures)
{
    char path[FILE_BYTES], existing[FILE_BYTES] = "";
    if (!batch->started_at[0])
        utc_now(batch->started_at);
    journal_path(batch, path);
    CHECK(journal_file_check(path));
    CHECK(for_each_journal(batch, note_existing, existing));
    // Slurm may start a stopped array element again. Its journal, if it exists, describes only its own run,
    // so the element resumes without --resume.
    if (mode == BATCH_NEW && batch->only != SIZE_MAX && existing[0])
        mode = BATCH_RESUME;
    else if (mode == BATCH_RESUME && batch->only != SIZE_MAX && !existing[0])
        mode = BATCH_NEW;
    if (mode == BATCH_NEW && existing[0])
        return refuse(batch, existing);
    if (mode == BATCH_RESUME && !existing[0])
        CHECK(start_without_journal(batch, &mode));
    if (mode == BATCH_RESUME)
        CHECK(restore_and_choose(batch, retries_failures));
    else if (mode == BATCH_RESTART)
        CHECK(for_each_journal(batch, delete_journal, path));
    CHECK(journal_file_open(path, mode != BATCH_RESUME, &batch->journal));
    return append_start(batch);
}

enum status batch_journal_read(struct batch *batch)
{
    struct restore restore = {.batch = batch};
    CHECK(restore_all(&restore));
    const size_t journals = restore.restored.journals;
    forget_lost_results(batch);
    for (size_t k = 0; k < batch->queue->count; k++)
        if (batch->runs[k].state == BATCH_STOPPED && !restore.restored.traces[k].is_ended)
            snprintf(batch->runs[k].message, BATCH_MESSAGE_BYTES,
                     "started, but its end is not recorded: it is running, or was killed with its batch");
    batch->earlier_s = restore.restored.elapsed_s;
    snprintf(batch->started_at, sizeof batch->started_at, "%s", restore.restored.started_at);
    batch_restored_free(&restore.restored);
    return journals > 0
               ? STATUS_OK
               : FAIL(STATUS_NO_INPUT, "%s: no journal of a batch in this folder", batch->queue->directory);
}
