// Sets keys of a job from the command line, before the job is checked. Reads no key but `fathom`, the version
// of the job format.
#include "io/job/private.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *job_key_mistake(const char *key)
{
    if (strlen(key) >= JOB_PATH_BYTES)
        return "the key is too long";
    if (key[0] == '\0' || key[0] == '.' || key[strlen(key) - 1] == '.' || strstr(key, "..") != NULL)
        return "a key without a name; expected, for instance, physics.manning_n";
    if (strpbrk(key, "[]") != NULL)
        return "a key cannot name one entry of a list: set the whole list";
    return strpbrk(key, "=\" ") != NULL ? "a key must not contain a blank, a quote or an equals sign" : NULL;
}

// Sets `key` to `item`, which this function then owns. Creates the missing objects along the key's path.
static enum status set_item(struct job *job, const char *key, cJSON *item)
{
    char path[JOB_PATH_BYTES];
    assert(strlen(key) < sizeof path && job->entries == NULL);
    strcpy(path, key);
    cJSON *object = job->root;
    char *rest = path;
    for (char *dot = strchr(rest, '.'); dot != NULL; rest = dot + 1, dot = strchr(rest, '.')) {
        *dot = '\0';
        cJSON *next = cJSON_GetObjectItemCaseSensitive(object, rest);
        if (next == NULL)
            next = cJSON_AddObjectToObject(object, rest);
        if (!cJSON_IsObject(next)) {
            cJSON_Delete(item);
            return job_fail(job, key, "cannot be set, \"%s\" is not an object", rest);
        }
        object = next;
    }
    cJSON_DeleteItemFromObjectCaseSensitive(object, rest);
    if (item == NULL || !cJSON_AddItemToObject(object, rest, item)) {
        cJSON_Delete(item);
        return FAIL(STATUS_SYSTEM, "%s: %s: no memory to set it", job->path, key);
    }
    return job_hash_document(job->root, &job->hash);
}

// Removes a key, and keys below it, from the list of set keys.
static void forget(struct job *job, const char *key)
{
    size_t kept = 0;
    for (size_t k = 0; k < job->set_count; k++) {
        if (job_path_below(job->set_keys[k], key) != NULL)
            free(job->set_keys[k]);
        else
            job->set_keys[kept++] = job->set_keys[k];
    }
    job->set_count = kept;
}

enum status job_set_string(struct job *job, const char *key, const char *text)
{
    forget(job, key);
    return set_item(job, key, cJSON_CreateString(text));
}

enum status job_set_integer(struct job *job, const char *key, int64_t number)
{
    static const int64_t largest_exact = 9007199254740991; // 2^53 − 1: what JSON holds exactly
    if (number > largest_exact || number < -largest_exact)
        return job_fail(job, key, "%lld is too large: whole numbers are exact up to %lld only",
                        (long long)number, (long long)largest_exact);
    forget(job, key);
    return set_item(job, key, cJSON_CreateNumber((double)number));
}

static enum status remember(struct job *job, const char *key)
{
    char **grown = realloc(job->set_keys, (job->set_count + 1) * sizeof *grown);
    if (grown == NULL)
        return FAIL(STATUS_SYSTEM, "%s: %s: no memory to set it", job->path, key);
    job->set_keys = grown;
    grown[job->set_count] = strdup(key);
    if (grown[job->set_count] == NULL)
        return FAIL(STATUS_SYSTEM, "%s: %s: no memory to set it", job->path, key);
    job->set_count++;
    return STATUS_OK;
}

// Whether a text that is not JSON looks like a number: +3, .5, 0x10.
static bool resembles_number(const char *text)
{
    char *end;
    const char *digit = text + strspn(text, "+-.");
    if (!isdigit((unsigned char)*digit))
        return false;
    (void)strtod(text, &end);
    return end != text && end[strspn(end, " \t\r\n")] == '\0';
}

enum status job_set_json(struct job *job, const char *key, const char *text)
{
    char shown[JOB_SHOWN_BYTES + 4], path[JOB_PATH_BYTES];
    const char *mistake = job_key_mistake(key);
    if (mistake != NULL)
        return FAIL(STATUS_CONFIGURATION, "--set %s: %s", job_shown(key, shown), mistake);
    forget(job, key);
    CHECK(remember(job, key));
    const char *const first = text + strspn(text, " \t\r\n");
    cJSON *item = cJSON_ParseWithOpts(text, NULL, 1);
    if (item == NULL && *first != '\0' && strchr("{[\"", *first) != NULL)
        return job_fail(job, key, "%s is not valid JSON", job_shown(text, shown));
    if (item != NULL ? job_find_bad_number(text) != NULL : resembles_number(first)) {
        cJSON_Delete(item);
        return job_fail(
            job, key,
            "%s is not a number of JSON, such as 0.5, -12 or 1e-3; a text of digits needs double quotes",
            job_shown(text, shown));
    }
    if (item == NULL)
        item = cJSON_CreateString(text);
    if (item == NULL)
        return FAIL(STATUS_SYSTEM, "%s: %s: no memory to set it", job->path, key);
    snprintf(path, sizeof path, "%s", key);
    const enum status status = job_check_plain(job->path, item, path);
    if (status != STATUS_OK) {
        cJSON_Delete(item);
        return status_append(status, "given with --set");
    }
    CHECK(set_item(job, key, item));
    return job_check_version(job->path, job->root);
}

enum status job_remove(struct job *job, const char *key)
{
    char path[JOB_PATH_BYTES];
    snprintf(path, sizeof path, "%s", key);
    for (;;) {
        char *dot = strrchr(path, '.');
        if (dot != NULL)
            *dot = '\0';
        // The job owns the document, so that `const` may be cast away.
        cJSON *object = dot != NULL ? (cJSON *)(uintptr_t)job_find_item(job->root, path) : job->root;
        cJSON_DeleteItemFromObjectCaseSensitive(object, dot != NULL ? dot + 1 : path);
        if (dot == NULL || object == NULL || object->child != NULL)
            return job_hash_document(job->root, &job->hash);
    }
}

const char *job_setting(const struct job *job, size_t index, const cJSON **value)
{
    if (index >= job->set_count)
        return NULL;
    *value = job_find_item(job->root, job->set_keys[index]);
    return job->set_keys[index];
}
