// The runs of a queue listed (see the header).
#include "cli/batch_list.h"

#include "cli/options.h"
#include "io/units.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

// How the run is scheduled; default values are left out.
static void print_scheduling(const struct batch_job *job)
{
    char duration[32];
    if (job->weight > 0)
        printf(", weight %.9g", job->weight);
    if (job->priority != 0)
        printf(", priority %d", job->priority);
    if (job->time_limit_s > 0)
        printf(", time limit %s", units_format_duration(job->time_limit_s, duration, sizeof duration));
    if (job->retries > 0)
        printf(", %d %s", job->retries, job->retries == 1 ? "retry" : "retries");
    if (job->cores > 0)
        printf(", %d %s", job->cores, job->cores == 1 ? "core" : "cores");
    if (job->ranks > 1)
        printf(", %d %s", job->ranks, job->has_devices ? "devices" : "ranks");
    if (job->pictures)
        printf(", pictures");
    putchar('\n');
}

static void print_text(const struct batch_queue *queue)
{
    if (queue->title[0])
        printf("%s\n", queue->title);
    printf("%zu %s, results in %s\n", queue->count, queue->count == 1 ? "run" : "runs", queue->directory);
    for (size_t k = 0; k < queue->count; k++) {
        const struct batch_job *job = &queue->jobs[k];
        printf("%6zu  %-24s %s", k + 1, job->name, job->path);
        print_scheduling(job);
        for (size_t s = 0; s < job->setting_count; s++) {
            const bool is_varied = s >= job->setting_count - job->varied_count;
            printf("        %c %s = %s\n", is_varied ? '*' : ' ', job->settings[s].key,
                   job->settings[s].value);
        }
    }
}

static void add_settings(cJSON *object, const char *name, const struct batch_setting *settings, size_t count)
{
    cJSON *item = cJSON_AddObjectToObject(object, name);
    for (size_t k = 0; k < count; k++)
        cJSON_AddRawToObject(item, settings[k].key, settings[k].value);
}

static cJSON *describe(const struct batch_job *job, size_t index)
{
    cJSON *object = cJSON_CreateObject();
    const size_t fixed = job->setting_count - job->varied_count;
    char hash[20];
    cJSON_AddNumberToObject(object, "number", (double)(index + 1)); // of --array-task
    cJSON_AddStringToObject(object, "name", job->name);
    cJSON_AddStringToObject(object, "job", job->path);
    add_settings(object, "set", job->settings, fixed);
    add_settings(object, "varied", job->settings + fixed, job->varied_count);
    if (job->weight > 0)
        cJSON_AddNumberToObject(object, "weight", job->weight);
    cJSON_AddNumberToObject(object, "priority", job->priority);
    if (job->time_limit_s > 0)
        cJSON_AddNumberToObject(object, "time_limit_s", job->time_limit_s);
    cJSON_AddNumberToObject(object, "retries", job->retries);
    cJSON_AddNumberToObject(object, "cores", job->cores);
    if (job->ranks > 1)
        cJSON_AddNumberToObject(object, job->has_devices ? "devices" : "ranks", job->ranks);
    cJSON_AddBoolToObject(object, "pictures", job->pictures);
    snprintf(hash, sizeof hash, "%016" PRIx64, job->hash);
    cJSON_AddStringToObject(object, "xxh3", hash);
    return object;
}

static enum status print_json(const struct batch_queue *queue)
{
    cJSON *document = cJSON_CreateObject();
    cJSON_AddStringToObject(document, "queue", queue->path);
    cJSON_AddStringToObject(document, "title", queue->title);
    cJSON_AddStringToObject(document, "output", queue->directory);
    cJSON_AddNumberToObject(document, "count", (double)queue->count);
    cJSON *runs = cJSON_AddArrayToObject(document, "runs");
    for (size_t k = 0; k < queue->count; k++)
        cJSON_AddItemToArray(runs, describe(&queue->jobs[k], k));
    return options_print_json(document);
}

enum status batch_list_print(const struct batch_queue *queue, bool as_json)
{
    if (as_json)
        CHECK(print_json(queue));
    else
        print_text(queue);
    if (fflush(stdout) != 0)
        return FAIL(STATUS_IO, "the list of the queue cannot be written");
    return STATUS_OK;
}
