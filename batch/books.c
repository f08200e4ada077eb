// The journal of a batch: what happened to its runs, each line on the disk before the batch goes on; and back
// from it after a kill. The form of the records stands in docs/batch.md. Knows nothing of processes.
#include "batch/batch.h"

#include "batch/figures.h"
#include "batch/journal.h"
#include "batch/restore.h"
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

enum { JOURNAL_FORMAT = 1, FILE_BYTES = PATH_BYTES + 300, NAMES_SAID_MAX = 5 };

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
    add_seconds(record, "elapsed_s", clock_now_s() - batch->begun_s);
    return record;
}

static void add_needs(cJSON *record, const struct batch_needs *needs)
{
    if (!needs->model[0])
        return;
    cJSON *object = cJSON_AddObjectToObject(record, "needs");
    cJSON_AddStringToObject(object, "model", needs->model);
    cJSON_AddStringToObject(object, "backend", needs->backend);
    cJSON_AddStringToObject(object, "title", needs->title);
    cJSON_AddNumberToObject(object, "steps", (double)needs->steps);
    cJSON_AddNumberToObject(object, "host_bytes", (double)needs->host_bytes);
    cJSON_AddNumberToObject(object, "device_bytes", (double)needs->device_bytes);
    cJSON_AddNumberToObject(object, "disk_bytes", needs->disk_bytes);
    cJSON_AddNumberToObject(object, "estimated_s", needs->estimated_s);
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
    add_needs(record, &run->needs);
    return record;
}

static enum status append(const struct batch *batch, cJSON *record)
{
    const enum status status = batch->journal ? journal_append(batch->journal, record) : STATUS_OK;
    cJSON_Delete(record);
    return status;
}

enum status batch_books_started(struct batch *batch, size_t run)
{
    return append(batch, new_run_record(batch, run, "started"));
}

enum status batch_books_ended(struct batch *batch, size_t number)
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
    return append(batch, record);
}

static enum status append_begun(const struct batch *batch)
{
    char host[128] = "";
    (void)gethostname(host, sizeof host - 1);
    cJSON *record = new_record(batch, "begun");
    if (!batch->is_resumed) // the batch's begin, to the millisecond
        cJSON_ReplaceItemInObjectCaseSensitive(record, "time", cJSON_CreateString(batch->begun_at));
    cJSON_AddNumberToObject(record, "journal", JOURNAL_FORMAT);
    cJSON_AddStringToObject(record, "program", "Fathom " FATHOM_VERSION);
    cJSON_AddStringToObject(record, "machine", host);
    cJSON_AddStringToObject(record, "queue", batch->queue->path ? batch->queue->path : "");
    cJSON_AddNumberToObject(record, "runs", (double)batch->queue->count);
    return append(batch, record);
}

enum status batch_books_alive(struct batch *batch)
{
    return append(batch, new_record(batch, "alive"));
}

enum status batch_books_close(struct batch *batch)
{
    if (!batch->journal)
        return STATUS_OK;
    const enum status status = append(batch, new_record(batch, "closed"));
    journal_close(batch->journal);
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

// Calls take(context, path) for the batch's journal and those of array elements. An element has its own
// alone: others' are being written at the same time.
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

// To be begun, or gone on with: what its attempts cost stays known.
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

// What is passed counts only with its results.
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

// Those whose process passed and whose results exceed a safety level: done, but not passed.
static size_t count_exceeded(const struct batch *batch)
{
    size_t count = 0;
    for (size_t k = 0; k < batch->queue->count; k++)
        count += batch->runs[k].state == BATCH_PASSED && batch_run_exceeded(batch, k);
    return count;
}

static void say_changed(const struct batch *batch, const struct batch_restored *restored)
{
    char names[NAMES_SAID_MAX * (BATCH_NAME_MAX + 2) + 8] = "";
    size_t changed = 0, fresh = 0, used = 0;
    for (size_t k = 0; k < batch->queue->count; k++) {
        fresh += !restored->traces[k].is_known;
        if (!restored->traces[k].is_changed)
            continue;
        if (changed++ < NAMES_SAID_MAX)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "",
                                     batch->queue->jobs[k].name);
    }
    if (changed > 0)
        log_info("%zu changed since they were run, and are run again: %s%s", changed, names,
                 changed > NAMES_SAID_MAX ? ", ..." : "");
    if (fresh > 0)
        log_info("%zu not begun before", fresh);
    if (restored->vanished > 0)
        log_info("%zu of the earlier runs are no longer in the queue; their results stay",
                 restored->vanished);
}

// From what the journals tell to what is to be done.
static void settle(struct batch *batch, const struct batch_restored *restored, bool retries_failures)
{
    const size_t lost = forget_lost_results(batch);
    size_t again = 0;
    for (size_t k = 0; k < batch->queue->count; k++) {
        struct batch_run *run = &batch->runs[k];
        // What had no room never began: there may be room now.
        const bool has_failed = run->state == BATCH_FAILED && run->cause != BATCH_CAUSE_ROOM;
        if (run->state == BATCH_PASSED || (has_failed && !retries_failures))
            continue;
        if (restored->traces[k].is_known)
            make_waiting(run, run->has_leftover);
        again += run->has_leftover;
    }
    const size_t failed = count_state(batch, BATCH_FAILED);
    const size_t exceeded = count_exceeded(batch);
    char said[64] = "";
    if (exceeded > 0)
        snprintf(said, sizeof said, ", %zu EXCEEDED a safety level", exceeded);
    log_info("%s goes on: %zu of %zu passed before%s, %zu to run, %zu of them begun before%s",
             batch->queue->directory, count_state(batch, BATCH_PASSED) - exceeded, batch->queue->count, said,
             count_state(batch, BATCH_WAITING), again, lost > 0 ? "; the results of some are gone" : "");
    if (lost > 0)
        log_warning("%zu had passed, but run.json is not in their folders any more: they are run again",
                    lost);
    if (failed > 0)
        log_info("%zu failed for good before; --retry-failed runs them again", failed);
    say_changed(batch, restored);
}

// ---- the calls

// A batch was begun here: nothing of it is touched without being asked for.
static enum status refuse(struct batch *batch, const char *path)
{
    struct restore restore = {.batch = batch};
    const enum status status = restore_all(&restore);
    const size_t passed = count_state(batch, BATCH_PASSED) - count_exceeded(batch),
                 failed = count_state(batch, BATCH_FAILED);
    if (status == STATUS_OK)
        batch_restored_free(&restore.restored);
    status_clear();
    if (status != STATUS_OK)
        return FAIL(STATUS_CANNOT_CREATE,
                    "%s: a batch was begun here before (its journal cannot be read); --restart begins "
                    "again, another --output leaves it alone",
                    path);
    return FAIL(STATUS_CANNOT_CREATE,
                "%s: a batch was begun here before: %zu of %zu passed, %zu failed; --resume goes on with it, "
                "--restart "
                "begins again",
                path, passed, batch->queue->count, failed);
}

// What a batch leaves behind here, with no journal to tell of it: the first such path. The journal is made
// before any of it, so that a batch that was killed as it began has none.
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

// A night's script may always say --resume.
static enum status begin_without_journal(const struct batch *batch, enum batch_begin *begin)
{
    char remains[FILE_BYTES];
    if (has_remains(batch, remains))
        return FAIL(STATUS_NO_INPUT,
                    "%s: has results (%s), but no journal of a batch to go on with; leave --resume out to "
                    "begin one, which replaces each run's results when it passes",
                    batch->queue->directory, remains);
    log_info("%s: there is nothing to go on from, no journal and no results: the batch begins",
             batch->queue->directory);
    *begin = BATCH_BEGIN_NEW;
    return STATUS_OK;
}

static enum status note_existing(void *context, const char *path)
{
    snprintf(context, FILE_BYTES, "%s", path);
    return STATUS_OK;
}

static enum status delete_journal(void *context, const char *path)
{
    const char *own = context; // is replaced by an empty one at once, and is never gone
    return strcmp(path, own) == 0 || unlink(path) == 0 || errno == ENOENT
               ? STATUS_OK
               : FAIL(STATUS_CANNOT_CREATE, "%s: cannot be deleted, to begin again: %s", path,
                      strerror(errno));
}

static enum status restore_and_settle(struct batch *batch, bool retries_failures)
{
    struct restore restore = {.batch = batch};
    CHECK(restore_all(&restore));
    settle(batch, &restore.restored, retries_failures);
    batch->is_resumed = true;
    batch->earlier_s = restore.restored.elapsed_s;
    if (restore.restored.begun_at[0])
        snprintf(batch->begun_at, sizeof batch->begun_at, "%s", restore.restored.begun_at);
    batch_restored_free(&restore.restored);
    return STATUS_OK;
}

enum status batch_books_open(struct batch *batch, enum batch_begin begin, bool retries_failures)
{
    char path[FILE_BYTES], existing[FILE_BYTES] = "";
    if (!batch->begun_at[0])
        utc_now(batch->begun_at);
    journal_path(batch, path);
    CHECK(journal_check_place(path));
    CHECK(for_each_journal(batch, note_existing, existing));
    // Slurm may begin an element again that it stopped: one journal, one run, nothing to mistake.
    if (begin == BATCH_BEGIN_NEW && batch->only != SIZE_MAX && existing[0])
        begin = BATCH_BEGIN_RESUME;
    else if (begin == BATCH_BEGIN_RESUME && batch->only != SIZE_MAX && !existing[0])
        begin = BATCH_BEGIN_NEW;
    if (begin == BATCH_BEGIN_NEW && existing[0])
        return refuse(batch, existing);
    if (begin == BATCH_BEGIN_RESUME && !existing[0])
        CHECK(begin_without_journal(batch, &begin));
    if (begin == BATCH_BEGIN_RESUME)
        CHECK(restore_and_settle(batch, retries_failures));
    else if (begin == BATCH_BEGIN_RESTART)
        CHECK(for_each_journal(batch, delete_journal, path));
    CHECK(journal_open(path, begin != BATCH_BEGIN_RESUME, &batch->journal));
    return append_begun(batch);
}

enum status batch_books_read(struct batch *batch)
{
    struct restore restore = {.batch = batch};
    CHECK(restore_all(&restore));
    const size_t journals = restore.restored.journals;
    forget_lost_results(batch);
    for (size_t k = 0; k < batch->queue->count; k++)
        if (batch->runs[k].state == BATCH_STOPPED && !restore.restored.traces[k].is_ended)
            snprintf(batch->runs[k].message, BATCH_MESSAGE_BYTES,
                     "begun, and its end not told: it runs, or was killed with its batch");
    batch->earlier_s = restore.restored.elapsed_s;
    snprintf(batch->begun_at, sizeof batch->begun_at, "%s", restore.restored.begun_at);
    batch_restored_free(&restore.restored);
    return journals > 0 ? STATUS_OK
                        : FAIL(STATUS_NO_INPUT, "%s: holds no journal of a batch", batch->queue->directory);
}
