// The runs of a batch as members of an ensemble (see the header).
#include "batch/members.h"

#include "batch/journal.h"
#include "batch/queue_file.h"
#include "batch/summary.h"
#include "core/clock.h"
#include "io/json_file.h"
#include "io/path.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const double weight_tolerance = 1e-6;

// ---- which runs

// Of a summary without entries, of an earlier version: NAME of NAME or NAME-0001.
static void guess_entry(struct batch_member *member)
{
    snprintf(member->entry, sizeof member->entry, "%s", member->name);
    char *hyphen = strrchr(member->entry, '-');
    if (hyphen && strlen(hyphen) > 4 && strspn(hyphen + 1, "0123456789") == strlen(hyphen + 1))
        *hyphen = '\0';
}

static enum status no_entry(const char *path, const char *entry, const struct batch_members *all)
{
    char names[256] = "";
    const char *last = "";
    size_t used = 0;
    for (size_t k = 0; k < all->count && used < sizeof names - BATCH_NAME_MAX - 8; k++) {
        const char *name = all->list[k].entry;
        if (strcmp(name, last) != 0)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", name);
        last = name;
    }
    return FAIL(STATUS_DATA, "%s: has no entry %.80s (it has: %s)", path, entry, names);
}

static enum status keep_entry(const char *path, const char *entry, struct batch_members *members)
{
    size_t kept = 0;
    for (size_t k = 0; k < members->count; k++)
        kept += strcmp(members->list[k].entry, entry) == 0;
    if (kept == 0)
        return no_entry(path, entry, members);
    kept = 0;
    for (size_t k = 0; k < members->count; k++)
        if (strcmp(members->list[k].entry, entry) == 0)
            members->list[kept++] = members->list[k];
        else
            cJSON_free(members->list[k].settings);
    members->count = kept;
    return STATUS_OK;
}

static enum status reserve(struct batch_members *members, size_t count)
{
    members->list = calloc(count ? count : 1, sizeof *members->list);
    members->count = count;
    return members->list ? STATUS_OK : FAIL(STATUS_SYSTEM, "no memory for %zu members", count);
}

// ---- the weights

// The weight that the queue gives a run; NaN: none.
static double weight_of_job(const struct batch_job *job)
{
    return job->weight > 0 ? job->weight : NAN;
}

static enum status check_weights(const char *path, struct batch_members *members)
{
    size_t stated = 0;
    double sum = 0;
    for (size_t k = 0; k < members->count; k++) {
        const struct batch_member *member = &members->list[k];
        if (isnan(member->weight))
            continue;
        if (!(member->weight >= 0) || isinf(member->weight))
            return FAIL(STATUS_DATA, "%s: run %s: weight %g: expected a number of 0 or more", path,
                        member->name, member->weight);
        stated++;
        sum += member->weight;
    }
    members->has_weights = stated > 0;
    for (size_t k = 0; k < members->count && stated < members->count; k++) {
        if (stated > 0 && isnan(members->list[k].weight))
            return FAIL(
                STATUS_DATA,
                "%s: run %s has no weight, and %zu of %zu runs have: expected all or none, or one entry "
                "of the queue (--entry)",
                path, members->list[k].name, stated, members->count);
        members->list[k].weight = 1.0 / (double)members->count;
    }
    if (stated > 0 && !(fabs(sum - 1) <= weight_tolerance))
        return FAIL(
            STATUS_DATA,
            "%s: the weights of %zu runs sum to %.9g: expected 1, as those of one entry of a queue do "
            "(--entry)",
            path, members->count, sum);
    return STATUS_OK;
}

// ---- from a queue

static void take_run(const struct batch *batch, size_t run, struct batch_member *member)
{
    char text[BATCH_MESSAGE_BYTES + 128];
    const struct batch_job *job = &batch->queue->jobs[run];
    const enum batch_state state = batch->runs[run].state;
    snprintf(member->name, sizeof member->name, "%s", job->name);
    batch_entry_name(job, member->entry);
    member->weight = weight_of_job(job);
    member->has_results = state == BATCH_PASSED;
    batch_describe(batch, run, text, sizeof text);
    if (!member->has_results)
        snprintf(member->reason, sizeof member->reason, "%s%s%.200s", batch_state_word(state),
                 text[0] ? ": " : "", text);
}

static enum status keep_settings(const cJSON *settings, struct batch_member *member)
{
    member->settings = cJSON_PrintUnformatted(settings);
    return member->settings ? STATUS_OK : FAIL(STATUS_SYSTEM, "no memory for the settings of a member");
}

static enum status keep_job_settings(const struct batch_job *job, struct batch_member *member)
{
    cJSON *settings = batch_summary_settings(job->settings, job->setting_count);
    const enum status status = keep_settings(settings, member);
    cJSON_Delete(settings);
    return status;
}

static enum status take_queue(const struct batch_queue *queue, struct batch_members *members)
{
    struct batch batch;
    CHECK(batch_begin(queue, SIZE_MAX, &batch));
    snprintf(members->directory, sizeof members->directory, "%s", queue->directory);
    snprintf(members->title, sizeof members->title, "%s", queue->title ? queue->title : "");
    enum status status = batch_journal_read(&batch);
    if (status == STATUS_OK)
        status = reserve(members, queue->count);
    for (size_t k = 0; k < queue->count && status == STATUS_OK; k++) {
        take_run(&batch, k, &members->list[k]);
        status = keep_job_settings(&queue->jobs[k], &members->list[k]);
    }
    batch_end(&batch);
    return status;
}

static enum status read_queue(const char *path, struct batch_members *members)
{
    struct batch_queue queue = {0};
    enum status status = batch_queue_read(path, &queue);
    if (status == STATUS_OK)
        status = take_queue(&queue, members);
    batch_queue_free(&queue);
    return status;
}

// ---- from a summary

// As in a queue: letters, digits, points, hyphens, underscores; no path leads out of the folder.
static bool is_name(const char *text)
{
    if (text[0] == '\0' || text[0] == '.' || strlen(text) > BATCH_NAME_MAX)
        return false;
    for (const char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("._-", *c))
            return false;
    return true;
}

static enum status take_item(const char *path, const cJSON *item, size_t k, struct batch_member *member)
{
    const char *name = json_text(item, "name"), *entry = json_text(item, "entry"),
               *state = json_text(item, "state"), *message = json_text(item, "message");
    const cJSON *weight = json_member(item, "weight"), *settings = json_member(item, "settings");
    if (!is_name(name))
        return FAIL(STATUS_DATA, "%s: runs[%zu].name is \"%.80s\": expected the name of a run", path, k,
                    name);
    if (weight && !cJSON_IsNumber(weight))
        return FAIL(STATUS_DATA, "%s: run %s: weight: expected a number", path, name);
    if (settings && !cJSON_IsObject(settings))
        return FAIL(STATUS_DATA, "%s: run %s: settings: expected an object", path, name);
    snprintf(member->name, sizeof member->name, "%s", name);
    snprintf(member->entry, sizeof member->entry, "%.*s", BATCH_NAME_MAX, entry);
    if (entry[0] == '\0')
        guess_entry(member);
    member->weight = weight ? weight->valuedouble : (double)NAN;
    member->has_results = strcmp(state, "passed") == 0;
    if (!member->has_results)
        snprintf(member->reason, sizeof member->reason, "%s%s%.200s", state[0] ? state : "of unknown state",
                 message[0] ? ": " : "", message);
    return settings ? keep_settings(settings, member) : STATUS_OK;
}

static enum status take_summary(const char *path, const cJSON *summary, struct batch_members *members)
{
    const cJSON *runs = json_member(summary, "runs"), *item;
    if (!cJSON_IsNumber(json_member(summary, "fathom_summary")) || !cJSON_IsArray(runs))
        return FAIL(STATUS_DATA, "%s: is not the summary of a batch (no fathom_summary, no list of runs)",
                    path);
    CHECK(reserve(members, (size_t)cJSON_GetArraySize(runs)));
    snprintf(members->title, sizeof members->title, "%s", json_text(summary, "title"));
    size_t k = 0;
    cJSON_ArrayForEach(item, runs)
    {
        CHECK(take_item(path, item, k, &members->list[k]));
        k++;
    }
    return STATUS_OK;
}

static enum status read_summary(const char *path, struct batch_members *members)
{
    enum { SUMMARY_BYTES_MAX = 1 << 30 };
    cJSON *summary = NULL;
    CHECK(json_file_read(path, SUMMARY_BYTES_MAX, &summary));
    const enum status status = take_summary(path, summary, members);
    cJSON_Delete(summary);
    return status;
}

// ---- all

static enum status read_any(const char *path, struct batch_members *members)
{
    char file[PATH_BYTES + 32];
    struct stat about;
    snprintf(file, sizeof file, "%s/summary.json", path);
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
        if (snprintf(members->directory, PATH_BYTES, "%s", path) >= PATH_BYTES)
            return FAIL(STATUS_NO_INPUT, "%.80s...: the path is too long", path);
        if (access(file, F_OK) == 0)
            return read_summary(file, members);
        snprintf(file, sizeof file, "%s/journal.jsonl", path);
        if (access(file, F_OK) == 0)
            return FAIL(STATUS_NO_INPUT,
                        "%s: the batch wrote no summary.json yet: give its queue instead of its folder",
                        path);
    }
    return read_queue(path, members);
}

enum status batch_members_read(const char *path, const char *entry, struct batch_members *members)
{
    memset(members, 0, sizeof *members);
    CHECK(read_any(path, members));
    if (members->count == 0)
        return FAIL(STATUS_DATA, "%s: the batch has no runs", path);
    if (entry)
        CHECK(keep_entry(path, entry, members));
    return check_weights(path, members);
}

void batch_members_free(struct batch_members *members)
{
    for (size_t k = 0; k < members->count; k++)
        cJSON_free(members->list[k].settings);
    free(members->list);
    members->list = NULL;
    members->count = 0;
}
