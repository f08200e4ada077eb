// Settings, sweeps and ensembles (see the header).
#include "batch/expand.h"

#include "batch/sample.h"
#include "batch/scenarios.h"
#include "io/job/job.h"
#include "io/units.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { ARGUMENTS_BYTES_MAX = 1000000 }; // of one run's settings: half of what Linux takes for a process

// ---- settings ----------------------------------------------------------------------------------

static enum status fail_memory(void)
{
    return FAIL(STATUS_SYSTEM, "no memory for the queue of jobs");
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
        CHECK(batch_axes_check_key(document, path, item->string));
        CHECK(batch_value_text(document, path, item, pool, &value));
        if (!key)
            return fail_memory();
        put(settings, key, value);
    }
    return STATUS_OK;
}

// ---- axes --------------------------------------------------------------------------------------

static enum status add_axis(const struct job *document, const char *block, cJSON *item, size_t count_max,
                            struct batch_pool **pool, struct batch_axes *axes)
{
    char path[320];
    struct batch_axis *axis;
    path_of(path, block, item->string);
    CHECK(batch_axes_add(document, path, item->string, pool, axes, &axis));
    return batch_sweep_read(document, path, item, count_max, pool, axis);
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

// An entry has a sweep, an ensemble or both; or one block that gives its runs weights.
static enum status read_weighted(const struct job *document, size_t capacity, struct batch_pool **pool,
                                 struct batch_axes *axes)
{
    static const char *const blocks[] = {"sweep", "ensemble", "scenarios"};
    const char *block = job_has(document, "sample") ? "sample" : "scenarios";
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        if (strcmp(blocks[k], block) != 0 && job_has(document, blocks[k]))
            return job_fail(document, blocks[k],
                            "stands beside \"%s\", which gives each run of the entry its weight; write two "
                            "entries",
                            block);
    axes->combinations = 1;
    return strcmp(block, "sample") == 0 ? batch_sample_read(document, capacity, pool, axes)
                                        : batch_scenarios_read(document, capacity, pool, axes);
}

// `capacity`: the number of runs that the queue can still take; longer lists are refused.
static enum status read_axes(const struct job *document, size_t capacity, struct batch_pool **pool,
                             struct batch_axes *axes)
{
    const cJSON *sweep, *ensemble;
    if (job_has(document, "sample") || job_has(document, "scenarios"))
        return read_weighted(document, capacity, pool, axes);
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
static void set_varied(const struct batch_axes *axes, size_t run, struct batch_settings *settings)
{
    const char *values[BATCH_AXES_MAX];
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

static enum status name_scenario(const struct job *document, const char *name, struct batch_job *job)
{
    const size_t length = strlen(job->name);
    if (length + 1 + strlen(name) > BATCH_NAME_MAX)
        return job_fail(document, "scenarios",
                        "the name \"%s-%s\" is too long; %d letters are expected at most", job->name, name,
                        BATCH_NAME_MAX);
    snprintf(job->name + length, sizeof job->name - length, "-%s", name);
    job->entry_length = length;
    return STATUS_OK;
}

// One run: its settings in the pool, its name and its hash.
static enum status append_run(struct batch_queue *queue, const struct job *document,
                              const struct batch_job *base, const struct batch_settings *settings,
                              const struct batch_axes *axes, size_t run)
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
    if (axes->names)
        CHECK(name_scenario(document, axes->names[run % axes->members], job));
    else if (axes->count > 0)
        CHECK(name_run(document, run, axes->combinations * axes->members, job));
    job->weight = axes->weights ? axes->weights[run % axes->members] : 0;
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
    struct batch_axes axes = {.combinations = 1, .members = 1};
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
