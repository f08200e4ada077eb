// Settings, sweeps and ensembles (see the header).
#include "batch/expand.h"

#include "io/job/job.h"
#include "io/units.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum {
    AXES_MAX = 32,
    ARGUMENTS_BYTES_MAX = 1000000, // of one run's settings: half of what Linux takes for a process
};

// ---- settings ----------------------------------------------------------------------------------

static enum status fail_memory(void)
{
    return FAIL(STATUS_SYSTEM, "no memory for the queue of jobs");
}

static enum status check_key(const struct job *document, const char *where, const char *key)
{
    const char *mistake = job_key_mistake(key);
    if (mistake)
        return job_fail(document, where, "%s", mistake);
    if (strcmp(key, "output.directory") == 0)
        return job_fail(document, where,
                        "cannot be set: each run has a folder of its name in the batch's output");
    return STATUS_OK;
}

static void path_of(char path[320], const char *where, const char *key)
{
    snprintf(path, 320, "%.80s.%.200s", where, key);
}

// Each key occurs once: the last value counts.
static void put(struct batch_settings *settings, const char *key, const char *value)
{
    size_t k = 0;
    while (k < settings->count && strcmp(settings->items[k].key, key) != 0)
        k++;
    if (k < settings->count) {
        settings->count--;
        memmove(&settings->items[k], &settings->items[k + 1],
                (settings->count - k) * sizeof *settings->items);
    }
    settings->items[settings->count++] = (struct batch_setting){key, value};
}

enum status batch_settings_add(const struct job *document, const char *where, struct batch_pool **pool,
                               struct batch_settings *settings)
{
    const cJSON *object = job_json(document, where);
    if (!object)
        return STATUS_OK;
    if (!cJSON_IsObject(object))
        return job_fail(document, where, "an object {\"KEY\": VALUE, ...} of job keys is expected");
    const size_t most = settings->count + (size_t)cJSON_GetArraySize(object);
    if (most > JOB_SETTINGS_MAX)
        return job_fail(document, where, "%zu settings are too many; %d are expected at most", most,
                        JOB_SETTINGS_MAX);
    struct batch_setting *items = batch_pool_take(pool, (most + 1) * sizeof *items);
    if (!items)
        return fail_memory();
    if (settings->count > 0)
        memcpy(items, settings->items, settings->count * sizeof *items);
    settings->items = items;
    for (cJSON *item = object->child; item; item = item->next) {
        char path[320];
        const char *value, *key = batch_pool_text(pool, item->string);
        path_of(path, where, item->string);
        CHECK(check_key(document, path, item->string));
        CHECK(batch_value_text(document, path, item, pool, &value));
        if (!key)
            return fail_memory();
        put(settings, key, value);
    }
    return STATUS_OK;
}

// ---- axes --------------------------------------------------------------------------------------

struct axes {
    const char *keys[AXES_MAX];
    struct batch_axis axes[AXES_MAX];
    size_t sweep_count, count; // the sweep's first, then the ensemble's
    size_t combinations, members;
};

// Whether the setting of the key `above` replaces the value of `key`.
static bool replaces(const char *above, const char *key)
{
    const size_t length = strlen(above);
    return strncmp(key, above, length) == 0 && (key[length] == '\0' || key[length] == '.');
}

static enum status add_axis(const struct job *document, const char *block, cJSON *item, size_t count_max,
                            struct batch_pool **pool, struct axes *axes)
{
    char path[320];
    path_of(path, block, item->string);
    CHECK(check_key(document, path, item->string));
    for (size_t k = 0; k < axes->count; k++)
        if (replaces(item->string, axes->keys[k]))
            return job_fail(document, path, "replaces the varied values of %s", axes->keys[k]);
    if (axes->count == AXES_MAX)
        return job_fail(document, path, "%d keys can be varied at most", AXES_MAX);
    axes->keys[axes->count] = batch_pool_text(pool, item->string);
    if (!axes->keys[axes->count])
        return fail_memory();
    CHECK(batch_sweep_read(document, path, item, count_max, pool, &axes->axes[axes->count]));
    axes->count++;
    return STATUS_OK;
}

static enum status block_of(const struct job *document, const char *block, const cJSON **object)
{
    *object = job_json(document, block);
    if (!*object)
        return STATUS_OK;
    if (!cJSON_IsObject(*object) || !(*object)->child)
        return job_fail(document, block,
                        "an object {\"KEY\": [VALUES], ...} with one key at least is expected");
    return STATUS_OK;
}

// `capacity`: the number of runs that the queue can still take; longer lists are refused.
static enum status read_axes(const struct job *document, size_t capacity, struct batch_pool **pool,
                             struct axes *axes)
{
    const cJSON *sweep, *ensemble;
    CHECK(block_of(document, "sweep", &sweep));
    CHECK(block_of(document, "ensemble", &ensemble));
    axes->combinations = axes->members = 1;
    for (cJSON *item = sweep ? sweep->child : NULL; item; item = item->next) {
        CHECK(add_axis(document, "sweep", item, capacity / axes->combinations, pool, axes));
        axes->combinations *= axes->axes[axes->count - 1].count; // ≤ capacity
    }
    axes->sweep_count = axes->count;
    for (cJSON *item = ensemble ? ensemble->child : NULL; item; item = item->next) {
        CHECK(add_axis(document, "ensemble", item, capacity / axes->combinations, pool, axes));
        const size_t count = axes->axes[axes->count - 1].count;
        char path[320];
        path_of(path, "ensemble", item->string);
        if (axes->count - 1 > axes->sweep_count && count != axes->members)
            return job_fail(document, path, "%zu values, but %s has %zu: lists of one length are expected",
                            count, axes->keys[axes->sweep_count], axes->members);
        axes->members = count;
    }
    return STATUS_OK;
}

// Sets the values of the run's keys. The ensemble varies fastest, then the sweep's last key.
static void set_varied(const struct axes *axes, size_t run, struct batch_settings *settings)
{
    const char *values[AXES_MAX];
    size_t combination = run / axes->members;
    for (size_t k = axes->sweep_count; k < axes->count; k++)
        values[k] = axes->axes[k].values[run % axes->members];
    for (size_t k = axes->sweep_count; k-- > 0;) {
        values[k] = axes->axes[k].values[combination % axes->axes[k].count];
        combination /= axes->axes[k].count;
    }
    for (size_t k = 0; k < axes->count; k++)
        put(settings, axes->keys[k], values[k]);
}

// ---- runs --------------------------------------------------------------------------------------

static size_t capacity_of(size_t count)
{
    size_t capacity = 16;
    while (capacity < count)
        capacity *= 2;
    return count > 0 ? capacity : 0;
}

static enum status reserve(struct batch_queue *queue, size_t added)
{
    const size_t capacity = capacity_of(queue->count + added);
    if (capacity == capacity_of(queue->count))
        return STATUS_OK;
    struct batch_job *grown = realloc(queue->jobs, capacity * sizeof *grown);
    if (!grown)
        return fail_memory();
    queue->jobs = grown;
    return STATUS_OK;
}

static enum status check_size(const struct job *document, const struct batch_settings *settings)
{
    size_t bytes = 0;
    char size[24], limit[24];
    for (size_t k = 0; k < settings->count; k++)
        bytes += strlen(settings->items[k].key) + strlen(settings->items[k].value) + 8;
    if (bytes > ARGUMENTS_BYTES_MAX)
        return job_fail(document, "set", "the settings of a run are too long, by %s: the limit is %s",
                        units_format_bytes((double)(bytes - ARGUMENTS_BYTES_MAX), size, sizeof size),
                        units_format_bytes(ARGUMENTS_BYTES_MAX, limit, sizeof limit));
    if (settings->count > JOB_SETTINGS_MAX)
        return job_fail(document, "set", "%zu settings are too many; %d are expected at most",
                        settings->count, JOB_SETTINGS_MAX);
    return STATUS_OK;
}

static uint64_t hash_settings(const struct batch_settings *settings, uint64_t hash)
{
    for (size_t k = 0; k < settings->count; k++) {
        const struct batch_setting *setting = &settings->items[k];
        hash = XXH3_64bits_withSeed(setting->key, strlen(setting->key) + 1, hash);
        hash = XXH3_64bits_withSeed(setting->value, strlen(setting->value) + 1, hash);
    }
    return hash;
}

static enum status name_run(const struct job *document, size_t run, size_t count, struct batch_job *job)
{
    char number[32];
    const int digits = snprintf(NULL, 0, "%zu", count);
    const size_t width = digits > 4 ? (size_t)digits : 4, length = strlen(job->name);
    if (length + 1 + width > BATCH_NAME_MAX)
        return job_fail(
            document, "name",
            "\"%s\" is too long for the names of its runs, \"%s-%0*d\"; %zu letters are expected at most",
            job->name, job->name, (int)width, 1, BATCH_NAME_MAX - 1 - width);
    snprintf(number, sizeof number, "-%0*zu", (int)width, run + 1);
    strcpy(job->name + length, number);
    return STATUS_OK;
}

// One run: its settings in the pool, its name and its hash.
static enum status append_run(struct batch_queue *queue, const struct job *document,
                              const struct batch_job *base, const struct batch_settings *settings,
                              const struct axes *axes, size_t run)
{
    struct batch_job *job = &queue->jobs[queue->count];
    struct batch_settings own = {0};
    *job = *base;
    own.items = batch_pool_take(&queue->pool, (settings->count + axes->count + 1) * sizeof *own.items);
    if (!own.items)
        return fail_memory();
    own.count = settings->count;
    if (own.count > 0)
        memcpy(own.items, settings->items, own.count * sizeof *own.items);
    set_varied(axes, run, &own);
    if (document)
        CHECK(check_size(document, &own));
    if (axes->count > 0)
        CHECK(name_run(document, run, axes->combinations * axes->members, job));
    job->settings = own.items;
    job->setting_count = own.count;
    job->varied_count = axes->count;
    job->hash = hash_settings(&own, base->hash);
    queue->count++;
    return STATUS_OK;
}

enum status batch_expand(struct batch_queue *queue, const struct job *document, const struct batch_job *base,
                         const struct batch_settings *settings)
{
    const size_t capacity = BATCH_JOBS_MAX - queue->count;
    struct axes axes = {.combinations = 1, .members = 1};
    if (capacity == 0)
        return FAIL(STATUS_CONFIGURATION, "%s: more than %d runs, the most that a queue can have",
                    queue->path, BATCH_JOBS_MAX);
    if (document)
        CHECK(read_axes(document, capacity, &queue->pool, &axes));
    const size_t count = axes.combinations * axes.members;
    if ((settings->count + axes.count) * count > BATCH_SETTINGS_MAX)
        return job_fail(document, "sweep",
                        "%zu runs of %zu settings are too many; %d settings in all are expected at most",
                        count, settings->count + axes.count, BATCH_SETTINGS_MAX);
    CHECK(reserve(queue, count));
    for (size_t run = 0; run < count; run++)
        CHECK(append_run(queue, document, base, settings, &axes, run));
    return STATUS_OK;
}
