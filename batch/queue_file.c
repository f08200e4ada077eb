// A queue file or a folder of jobs (see the header).
#include "batch/queue_file.h"

#include "batch/expand.h"
#include "io/json_file.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const struct batch_settings no_settings;

#define TEXT(key, text)                                                                                      \
    {                                                                                                        \
        .path = (key), .type = JOB_STRING, .required = true, .help = (text)                                  \
    }
#define ANY(key, text)                                                                                       \
    {                                                                                                        \
        .path = (key), .type = JOB_ANY, .help = (text)                                                       \
    }
#define LIMIT(key, kind, most, text)                                                                         \
    {                                                                                                        \
        .path = (key), .type = (kind), .minimum = 1, .maximum = (most), .help = (text)                       \
    }
#define INTEGER(key, least, most, text)                                                                      \
    {                                                                                                        \
        .path = (key), .type = JOB_INTEGER, .default_value = "0", .minimum = (least), .maximum = (most),     \
        .help = (text)                                                                                       \
    }

// Keys of "defaults" and of each entry.
#define SHARED_KEYS(prefix)                                                                                  \
    ANY(prefix "set", "job keys and their values"),                                                          \
        INTEGER(prefix "priority", -1000000, 1000000, "runs with larger numbers start first"),               \
        {.path = prefix "time_limit",                                                                        \
         .type = JOB_QUANTITY,                                                                               \
         .unit = "s",                                                                                        \
         .minimum = 1e-3,                                                                                    \
         .maximum = HUGE_VAL,                                                                                \
         .help = "wall-clock time of one attempt"},                                                          \
        INTEGER(prefix "retries", 0, BATCH_RETRIES_MAX, "attempts after the first"),                         \
        INTEGER(prefix "cores", 0, BATCH_CORES_MAX, "0: a share of the free cores"),                         \
        INTEGER(prefix "ranks", 0, BATCH_RANKS_MAX, "ranks that divide the run; 0: it is not divided"),      \
        INTEGER(prefix "devices", 0, BATCH_DEVICES_MAX, "the same, each with a device of its own"),          \
    {                                                                                                        \
        .path = prefix "pictures", .type = JOB_BOOLEAN, .default_value = "false",                            \
        .help = "draws a report after the run"                                                               \
    }

static const struct job_key queue_keys[] = {
    {.path = "fathom_batch",
     .type = JOB_INTEGER,
     .required = true,
     .minimum = 1,
     .maximum = 1,
     .help = "1, the version of the queue format"},
    {.path = "title", .type = JOB_STRING, .default_value = "", .help = "one line of text"},
    {.path = "output", .type = JOB_STRING, .help = "folder of the results"},
    {.path = "workers",
     .type = JOB_BOOLEAN,
     .default_value = "true",
     .help = "runs of one job file share processes"},
    LIMIT("limits.cores", JOB_INTEGER, BATCH_CORES_MAX, "in total"),
    LIMIT("limits.jobs", JOB_INTEGER, BATCH_JOBS_MAX, "at a time"),
    LIMIT("limits.host", JOB_BYTES, HUGE_VAL, "main memory in total"),
    LIMIT("limits.device", JOB_BYTES, HUGE_VAL, "memory of each device"),
    SHARED_KEYS("defaults."),
    {.path = "jobs", .type = JOB_ANY, .required = true, .help = "the list of jobs"},
};

static const struct job_key entry_keys[] = {
    TEXT("name", "the name of the run and of its folder"),
    TEXT("job", "job file"),
    SHARED_KEYS(""),
    ANY("sweep", "every combination of the keys' values"),
    ANY("ensemble", "lists of one length, taken together"),
    ANY("sample", "runs with weights, drawn from distributions"),
    {.path = "scenarios", .type = JOB_STRING, .help = "a table (CSV) of runs with weights"},
};

// ---- names -------------------------------------------------------------------------------------

static int compare_names(const void *a, const void *b)
{
    const struct batch_job *const *x = a, *const *y = b;
    const int order = strcmp((*x)->name, (*y)->name);
    return order != 0 ? order : (*x > *y) - (*x < *y);
}

static enum status check_names(const struct batch_queue *queue)
{
    const struct batch_job **jobs = malloc(queue->count * sizeof *jobs);
    if (!jobs)
        return FAIL(STATUS_SYSTEM, "%s: no memory to check it", queue->path);
    for (size_t k = 0; k < queue->count; k++)
        jobs[k] = &queue->jobs[k];
    qsort(jobs, queue->count, sizeof *jobs, compare_names);
    enum status status = STATUS_OK;
    for (size_t k = 1; k < queue->count && status == STATUS_OK; k++)
        if (strcmp(jobs[k - 1]->name, jobs[k]->name) == 0)
            status = FAIL(STATUS_CONFIGURATION,
                          "%s: jobs[%zu].name: \"%s\" is also the name of a run of jobs[%zu]", queue->path,
                          jobs[k]->entry, jobs[k]->name, jobs[k - 1]->entry);
    free(jobs);
    return status;
}

// ---- a queue file ------------------------------------------------------------------------------

// "friction.json" → "friction-results"; the same for the name of a folder.
static enum status name_output(const char *path, bool is_folder, char directory[PATH_BYTES])
{
    char whole[PATH_BYTES]; // of a folder, which may be "." or end with a slash
    if (!is_folder || !realpath(path, whole))
        snprintf(whole, sizeof whole, "%s", path);
    const char *slash = strrchr(whole, '/'), *stem = slash ? slash + 1 : whole;
    size_t length = strlen(stem);
    if (!is_folder && length > 5 && strcmp(stem + length - 5, ".json") == 0)
        length -= 5;
    if (snprintf(directory, PATH_BYTES, "%.*s-results", (int)length, stem) >= PATH_BYTES)
        return FAIL(STATUS_CONFIGURATION, "%s: the name is too long: the folder of results is named after it",
                    path);
    return STATUS_OK;
}

static enum status read_head(const struct job *document, struct batch_queue *queue)
{
    const char *output = job_string(document, "output");
    CHECK(name_output(queue->path, false, queue->directory));
    if (output && !output[0])
        return job_fail(document, "output", "must not be empty");
    if (output && strlen(output) >= PATH_BYTES)
        return job_fail(document, "output", "the name of the folder is too long");
    if (output)
        strcpy(queue->directory, output);
    queue->title = batch_pool_text(&queue->pool, job_string(document, "title"));
    if (!queue->title)
        return FAIL(STATUS_SYSTEM, "%s: no memory to read it", queue->path);
    queue->has_no_workers = !job_boolean(document, "workers");
    const bool has_host = job_has(document, "limits.host"), has_device = job_has(document, "limits.device");
    queue->limits = (struct batch_limits){
        .cores = (int)job_integer(document, "limits.cores"),
        .jobs = (int)job_integer(document, "limits.jobs"),
        .host_bytes = has_host ? (size_t)job_integer(document, "limits.host") : SIZE_MAX,
        .device_bytes = has_device ? (size_t)job_integer(document, "limits.device") : SIZE_MAX,
    };
    return STATUS_OK;
}

struct reading {
    struct batch_queue *queue;
    const struct job *document; // the queue file
    struct batch_settings defaults;
};

// Finds the document that holds a shared key, and the key's name in it: the entry, else "defaults".
static const struct job *owner_of(const struct reading *reading, const struct job *entry, const char *key,
                                  char name[64])
{
    snprintf(name, 64, "%s%s", job_has(entry, key) ? "" : "defaults.", key);
    return job_has(entry, key) ? entry : reading->document;
}

static double number_of(const struct reading *reading, const struct job *entry, const char *key)
{
    char name[64];
    const struct job *owner = owner_of(reading, entry, key, name);
    return job_number(owner, name);
}

static enum status read_ranks(const struct reading *reading, const struct job *entry, struct batch_job *base)
{
    const int devices = (int)number_of(reading, entry, "devices");
    base->ranks = (int)number_of(reading, entry, "ranks");
    base->has_devices = devices > 0;
    if (devices > 0 && base->ranks > 0 && devices != base->ranks)
        return job_fail(entry, "devices", "%d, but \"ranks\" is %d: each rank has one device; leave one out",
                        devices, base->ranks);
    base->ranks = devices > 0 ? devices : base->ranks;
    return STATUS_OK;
}

static void read_scheduling(const struct reading *reading, const struct job *entry, struct batch_job *base)
{
    char name[64];
    const struct job *owner = owner_of(reading, entry, "time_limit", name);
    const double limit_s = job_quantity(owner, name);
    base->time_limit_s = isnan(limit_s) ? 0 : limit_s;
    base->priority = (int)number_of(reading, entry, "priority");
    base->retries = (int)number_of(reading, entry, "retries");
    base->cores = (int)number_of(reading, entry, "cores");
    owner = owner_of(reading, entry, "pictures", name);
    base->pictures = job_boolean(owner, name);
}

// Finds the job file and computes its checksum. Consecutive entries often share one file.
static enum status find_job(const struct reading *reading, const struct job *entry, struct batch_job *base)
{
    struct batch_queue *queue = reading->queue;
    char found[PATH_BYTES];
    CHECK_KEY(entry, "job", path_find(job_string(entry, "job"), job_directory(entry), found));
    CHECK_KEY(entry, "job", path_hash(found, &base->hash));
    const char *last = queue->count > 0 ? queue->jobs[queue->count - 1].path : "";
    base->path = strcmp(last, found) == 0 ? last : batch_pool_text(&queue->pool, found);
    return base->path ? STATUS_OK : FAIL(STATUS_SYSTEM, "%s: no memory to read it", queue->path);
}

static enum status read_checked_entry(const struct reading *reading, const struct job *entry, size_t index)
{
    struct batch_job base = {.entry = index};
    struct batch_settings settings = reading->defaults;
    const char *name = job_string(entry, "name"), *mistake = batch_name_mistake(name);
    if (mistake)
        return job_fail(entry, "name", "\"%.100s\" cannot be the name of a run: %s", name, mistake);
    strcpy(base.name, name);
    read_scheduling(reading, entry, &base);
    CHECK(read_ranks(reading, entry, &base));
    CHECK(find_job(reading, entry, &base));
    CHECK(batch_settings_add(entry, "set", &reading->queue->pool, &settings));
    return batch_expand(reading->queue, entry, &base, &settings);
}

static enum status read_entry(const struct reading *reading, const cJSON *item, size_t index)
{
    const struct job_key_table table = {entry_keys, LENGTH(entry_keys)};
    char where[40];
    struct job *entry;
    snprintf(where, sizeof where, "jobs[%zu]", index);
    CHECK(job_open_member(reading->document, where, item, &entry));
    enum status status = job_check(entry, &table, 1);
    if (status == STATUS_OK)
        status = read_checked_entry(reading, entry, index);
    job_free(entry);
    return status;
}

static enum status read_document(struct job *document, struct batch_queue *queue)
{
    const struct job_key_table table = {queue_keys, LENGTH(queue_keys)};
    struct reading reading = {queue, document, no_settings};
    if (job_model(document))
        return FAIL(STATUS_CONFIGURATION,
                    "%s: a job, not a queue of jobs: use fathom run, or name it in the \"jobs\" of a queue",
                    queue->path);
    CHECK(job_check(document, &table, 1));
    CHECK(read_head(document, queue));
    CHECK(batch_settings_add(document, "defaults.set", &queue->pool, &reading.defaults));
    const cJSON *jobs = job_json(document, "jobs");
    if (!cJSON_IsArray(jobs) || !jobs->child)
        return job_fail(document, "jobs", "a list of at least one object is expected");
    size_t index = 0;
    for (const cJSON *item = jobs->child; item; item = item->next)
        CHECK(read_entry(&reading, item, index++));
    return check_names(queue);
}

static enum status read_file(const char *path, struct batch_queue *queue)
{
    struct job *document;
    CHECK(job_read_document(path, "queue of jobs", BATCH_QUEUE_BYTES_MAX, &document));
    const enum status status = read_document(document, queue);
    job_free(document);
    return status;
}

// ---- a folder ----------------------------------------------------------------------------------

static int is_candidate(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return entry->d_name[0] != '.' && length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name); // independent of the user's locale
}

// Whether a file is a job. A file that is not valid JSON counts as a job, so that its run reports the
// mistake.
static bool is_job(const char *path)
{
    cJSON *document;
    struct stat information;
    if (stat(path, &information) != 0 || !S_ISREG(information.st_mode) ||
        information.st_size > JOB_FILE_BYTES_MAX)
        return false;
    if (json_file_read(path, JOB_FILE_BYTES_MAX, &document) != STATUS_OK) {
        status_clear();
        return true;
    }
    const bool is_one = cJSON_HasObjectItem(document, "fathom") && cJSON_HasObjectItem(document, "model");
    cJSON_Delete(document);
    return is_one;
}

static enum status add_file(struct batch_queue *queue, const char *folder, const char *name, size_t index)
{
    char path[PATH_BYTES], stem[PATH_BYTES];
    struct batch_job base = {.entry = index};
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= PATH_BYTES)
        return FAIL(STATUS_CONFIGURATION, "%s: the name of a file in it is too long", folder);
    if (!is_job(path))
        return STATUS_OK;
    snprintf(stem, sizeof stem, "%.*s", (int)(strlen(name) - 5), name);
    const char *mistake = batch_name_mistake(stem);
    if (mistake)
        return FAIL(STATUS_CONFIGURATION, "%s: \"%s\" cannot be the name of a run: %s", path, stem, mistake);
    strcpy(base.name, stem);
    CHECK(path_hash(path, &base.hash));
    base.path = batch_pool_text(&queue->pool, path);
    if (!base.path)
        return FAIL(STATUS_SYSTEM, "%s: no memory to read it", path);
    return batch_expand(queue, NULL, &base, &no_settings);
}

static enum status read_folder(const char *path, struct batch_queue *queue)
{
    struct dirent **entries;
    const int count = scandir(path, &entries, is_candidate, by_name);
    if (count < 0)
        return FAIL(STATUS_NO_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    enum status status = name_output(path, true, queue->directory);
    queue->title = batch_pool_text(&queue->pool, "");
    queue->limits = (struct batch_limits){.host_bytes = SIZE_MAX, .device_bytes = SIZE_MAX};
    for (int k = 0; k < count; k++) {
        if (status == STATUS_OK)
            status = add_file(queue, path, entries[k]->d_name, queue->count);
        free(entries[k]);
    }
    free(entries);
    CHECK(status);
    if (queue->count == 0)
        return FAIL(STATUS_NO_INPUT,
                    "%s: holds no jobs: *.json files with \"fathom\" and \"model\" are expected", path);
    return STATUS_OK;
}

// ---- the queue ---------------------------------------------------------------------------------

enum status batch_queue_read(const char *path, struct batch_queue *queue)
{
    struct stat information;
    memset(queue, 0, sizeof *queue);
    queue->path = batch_pool_text(&queue->pool, path);
    if (!queue->path)
        return FAIL(STATUS_SYSTEM, "%s: no memory to read it", path);
    const bool is_folder = stat(path, &information) == 0 && S_ISDIR(information.st_mode);
    const enum status status = is_folder ? read_folder(path, queue) : read_file(path, queue);
    if (status != STATUS_OK)
        batch_queue_free(queue);
    return status;
}

void batch_queue_free(struct batch_queue *queue)
{
    free(queue->jobs);
    batch_pool_free(&queue->pool);
    memset(queue, 0, sizeof *queue);
}
