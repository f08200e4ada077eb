// What a job or a queue is: see info_json.h.
#include "cli/info_json.h"

#include "cli/options.h"
#include "io/json_file.h"
#include "io/path.h"
#include "io/utf8.h"
#include "models/model.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// Of jobs and queues that people write; larger files are data.
static const size_t most_bytes = 16 << 20;
static const char job_key[] = "fathom", queue_key[] = "fathom_batch";

// By its first character, or its name: a list may be something else.
static bool begins_like_json(const char *path)
{
    char text[256];
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file); // opened for reading: closing cannot lose anything
    text[length] = '\0';
    const char *first = text + (strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0);
    first += strspn(first, " \t\r\n");
    return *first == '{' ||
           (*first == '[' && (path_ends_with(path, ".json") || path_ends_with(path, ".geojson")));
}

enum status info_json_is_for(const char *path, bool *is)
{
    struct stat about;
    cJSON *document = NULL;
    *is = false;
    if (!begins_like_json(path) || stat(path, &about) != 0 || (size_t)about.st_size > most_bytes)
        return STATUS_OK;
    CHECK(json_file_read(path, most_bytes, &document));
    *is = json_member(document, job_key) || json_member(document, queue_key);
    cJSON_Delete(document);
    return STATUS_OK;
}

// "fathom run JOB.json"; the two commands that take the file.
static cJSON *commands_for(const char *path, bool is_queue)
{
    static const char *const of_job[] = {"fathom plan", "fathom run"}, *const of_queue[] = {
                                                                           "fathom batch --list",
                                                                           "fathom batch"};
    cJSON *commands = cJSON_CreateArray();
    for (int k = 0; k < 2; k++) {
        char command[512];
        utf8_copy(command, sizeof command, is_queue ? of_queue[k] : of_job[k]);
        const size_t length = strlen(command);
        snprintf(command + length, sizeof command - length, " %.480s", path);
        cJSON_AddItemToArray(commands, cJSON_CreateString(command));
    }
    return commands;
}

static void print_model(const char *name)
{
    const struct model *model = name[0] ? model_find(name) : NULL;
    if (model)
        printf("model      %s: %s\n", model->name, model->summary);
    else if (name[0])
        printf("model      \"%s\" is unknown; this program has:", UTF8_SHOWN(name));
    else
        printf("model      missing; this program has:");
    for (const struct model *const *m = model_list(); *m && !model; m++)
        printf("%s %s%s", m == model_list() ? "" : ",", (*m)->name, m[1] ? "" : "\n");
}

static void print_text(const char *path, const cJSON *document, bool is_queue)
{
    static const char *const labels[] = {"to check", "to run"};
    cJSON *commands = commands_for(path, is_queue);
    const char *title = json_text(document, "title"), *model = json_text(document, "model");
    printf("file       %s\nformat     %s of Fathom\n", UTF8_SHOWN(path), is_queue ? "queue of jobs" : "job");
    if (title[0])
        printf("title      %s\n", UTF8_SHOWN(title));
    if (is_queue)
        printf("jobs       %d entries\n", cJSON_GetArraySize(json_member(document, "jobs")));
    else
        print_model(model);
    for (int k = 0; k < 2; k++)
        printf("%-10s %s\n", labels[k], UTF8_SHOWN(cJSON_GetStringValue(cJSON_GetArrayItem(commands, k))));
    if (!is_queue && model_find(model))
        printf("its keys   fathom run --explain %s\n", model);
    cJSON_Delete(commands);
}

static enum status print_json(const char *path, const cJSON *document, bool is_queue)
{
    cJSON *report = cJSON_CreateObject();
    cJSON_AddStringToObject(report, "file", path);
    cJSON_AddStringToObject(report, "format", is_queue ? "queue" : "job");
    cJSON_AddStringToObject(report, "title", json_text(document, "title"));
    if (!is_queue)
        cJSON_AddStringToObject(report, "model", json_text(document, "model"));
    cJSON_AddItemToObject(report, "commands", commands_for(path, is_queue));
    return options_print_json(report);
}

enum status info_json(const char *path, bool as_json)
{
    cJSON *document;
    enum status status = STATUS_OK;
    CHECK(json_file_read(path, most_bytes, &document));
    const bool is_queue = json_member(document, queue_key) != NULL;
    if (as_json)
        status = print_json(path, document, is_queue);
    else
        print_text(path, document, is_queue);
    cJSON_Delete(document);
    return status;
}
