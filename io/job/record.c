// What a run was made of, written and compared (see the header). Independent of what keys mean.
#include "io/job/record.h"

#include "io/job/private.h"
#include "io/json_file.h"
#include "io/path.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/types.h>

enum { SHOWN_MAX = 4, VALUE_BYTES = 56, FORMAT = 1 };

uint64_t job_record_input_hash(const uint64_t *hashes, int count)
{
    uint64_t all = 0x9e3779b97f4a7c15u;
    for (int k = 0; k < count; k++)
        all = (all ^ hashes[k]) * 0x100000001b3u + (all >> 29);
    return all;
}

// ---- the id

enum status job_record_new_id(char id[JOB_RECORD_ID_BYTES])
{
    uint64_t number;
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        return FAIL(STATUS_SYSTEM, "the system gives no random number: %s", strerror(errno));
    snprintf(id, JOB_RECORD_ID_BYTES, "%016" PRIx64, number);
    return STATUS_OK;
}

bool job_record_read_id(const char *path, char id[JOB_RECORD_ID_BYTES])
{
    cJSON *document = NULL;
    id[0] = '\0';
    if (path_check_file(path) == STATUS_OK &&
        json_file_read(path, 2 * (size_t)JOB_FILE_BYTES_MAX, &document) == STATUS_OK) {
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(document, "run_id");
        if (cJSON_IsString(item) && strlen(item->valuestring) < JOB_RECORD_ID_BYTES)
            memcpy(id, item->valuestring, strlen(item->valuestring) + 1);
    } else {
        status_clear(); // of an earlier version, damaged, or not there
    }
    cJSON_Delete(document);
    return id[0] != '\0';
}

// ---- writing

// cJSON prints fewer digits than a double has: numbers become their own text. False without memory.
static bool spell_numbers(cJSON *item)
{
    for (cJSON *child = item->child; child; child = child->next)
        if (!spell_numbers(child))
            return false;
    if (!cJSON_IsNumber(item))
        return true;
    char number[32];
    char *text = strdup(job_number_text(item->valuedouble, number));
    if (!text)
        return false;
    item->valuestring = text;
    item->type = (item->type & ~0xff) | cJSON_Raw;
    return true;
}

// Adds a member that may be NULL, and then is nothing; it is the object's in any case.
static cJSON *adopt(cJSON *object, const char *name, cJSON *member)
{
    const bool is_in =
        name ? cJSON_AddItemToObject(object, name, member) : cJSON_AddItemToArray(object, member);
    if (!is_in)
        cJSON_Delete(member);
    return is_in ? member : NULL;
}

static bool add_input(cJSON *inputs, const char *file, uint64_t sum)
{
    char hash[32];
    snprintf(hash, sizeof hash, "%016" PRIx64, sum);
    cJSON *input = adopt(inputs, NULL, cJSON_CreateObject());
    return input && cJSON_AddStringToObject(input, "file", file) &&
           cJSON_AddStringToObject(input, "xxh3", hash);
}

static bool fill(cJSON *document, const struct job_record *record)
{
    if (!cJSON_AddNumberToObject(document, "fathom_run", FORMAT))
        return false;
    if (record->id && !cJSON_AddStringToObject(document, "run_id", record->id))
        return false;
    cJSON *job = adopt(document, "job", cJSON_Duplicate(record->identity, 1));
    cJSON *inputs = cJSON_AddArrayToObject(document, "inputs");
    bool is_whole = job && inputs && spell_numbers(job);
    for (int k = 0; k < record->count && is_whole; k++)
        is_whole = add_input(inputs, record->files[k], record->hashes[k]);
    return is_whole;
}

enum status job_record_write(const char *path, const struct job_record *record)
{
    cJSON *document = cJSON_CreateObject();
    const enum status status = document && fill(document, record)
                                   ? json_file_place(path, document)
                                   : FAIL(STATUS_SYSTEM, "%s: no memory for what the run is made of", path);
    cJSON_Delete(document);
    return status;
}

// ---- differences

// A list of differences for a message.
struct list {
    char *text;
    int count;
};

static void add(struct list *list, const char *what, const char *before, const char *now)
{
    const size_t length = strlen(list->text);
    if (list->count++ < SHOWN_MAX)
        snprintf(list->text + length, JOB_RECORD_TEXT_BYTES - length, "%s%.80s %s → %s",
                 length > 0 ? ", " : "", what, before, now);
}

static void add_rest(const struct list *list)
{
    const size_t length = strlen(list->text);
    if (list->count > SHOWN_MAX)
        snprintf(list->text + length, JOB_RECORD_TEXT_BYTES - length, " and %d more",
                 list->count - SHOWN_MAX);
}

static const char *shown(const cJSON *item, char text[VALUE_BYTES + 4])
{
    if (!item)
        return "(none)";
    cJSON *copy = cJSON_Duplicate(item, 1);
    char *json = copy && spell_numbers(copy) ? cJSON_PrintUnformatted(copy) : NULL;
    cJSON_Delete(copy);
    size_t length = json ? strlen(json) : 0, cut = length < VALUE_BYTES ? length : VALUE_BYTES - 4;
    while (cut < length && cut > 0 && ((unsigned char)json[cut] & 0xc0) == 0x80)
        cut--; // not in the middle of a character
    snprintf(text, VALUE_BYTES + 4, "%.*s%s", (int)cut, json ? json : "", cut < length ? "..." : "");
    free(json);
    return text;
}

// To the last bit: cJSON_Compare allows numbers a difference.
static bool is_same(const cJSON *a, const cJSON *b)
{
    if ((a->type & 0xff) != (b->type & 0xff))
        return false;
    if (cJSON_IsNumber(a))
        return a->valuedouble == b->valuedouble;
    if (cJSON_IsString(a))
        return strcmp(a->valuestring, b->valuestring) == 0;
    if (!cJSON_IsArray(a) && !cJSON_IsObject(a))
        return true;
    if (cJSON_GetArraySize(a) != cJSON_GetArraySize(b))
        return false;
    for (const cJSON *child = a->child, *other = b->child; child; child = child->next) {
        if (cJSON_IsObject(a))
            other = cJSON_GetObjectItemCaseSensitive(b, child->string);
        if (!other || !is_same(child, other))
            return false;
        other = cJSON_IsArray(a) ? other->next : other;
    }
    return true;
}

static void compare(const char *path, const cJSON *before, const cJSON *now, struct list *list);

// Keys of both objects, those of `before` first.
static void compare_objects(const char *path, const cJSON *before, const cJSON *now, struct list *list)
{
    char inner[JOB_PATH_BYTES];
    const char *dot = path[0] ? "." : "";
    for (const cJSON *child = before->child; child; child = child->next) {
        snprintf(inner, sizeof inner, "%.120s%s%.120s", path, dot, child->string);
        compare(inner, child, cJSON_GetObjectItemCaseSensitive(now, child->string), list);
    }
    for (const cJSON *child = now->child; child; child = child->next) {
        snprintf(inner, sizeof inner, "%.120s%s%.120s", path, dot, child->string);
        if (!cJSON_GetObjectItemCaseSensitive(before, child->string))
            compare(inner, NULL, child, list);
    }
}

static void compare(const char *path, const cJSON *before, const cJSON *now, struct list *list)
{
    char texts[2][VALUE_BYTES + 4];
    if (before && now && cJSON_IsObject(before) && cJSON_IsObject(now))
        compare_objects(path, before, now, list);
    else if (!before || !now || !is_same(before, now))
        add(list, path, shown(before, texts[0]), shown(now, texts[1]));
}

// The inputs of a record; false: not a record. `files` point into the document.
static bool read_inputs(const cJSON *document, const char **files, uint64_t *hashes, int most, int *count)
{
    const cJSON *inputs = cJSON_GetObjectItemCaseSensitive(document, "inputs"), *input;
    *count = 0;
    if (!cJSON_IsArray(inputs) || cJSON_GetArraySize(inputs) > most)
        return false;
    cJSON_ArrayForEach(input, inputs)
    {
        const char *hash = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(input, "xxh3"));
        files[*count] = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(input, "file"));
        if (!files[*count] || !hash || sscanf(hash, "%" SCNx64, &hashes[*count]) != 1)
            return false;
        ++*count;
    }
    return true;
}

static void compare_inputs(const struct job_record *before, const struct job_record *now, struct list *list)
{
    for (int k = 0; k < before->count || k < now->count; k++) {
        char texts[2][32] = {"", ""};
        const struct job_record *records[] = {before, now};
        for (int r = 0; r < 2; r++)
            if (k < records[r]->count)
                snprintf(texts[r], sizeof texts[r], "xxh3 %016" PRIx64, records[r]->hashes[k]);
        const char *was = k < before->count ? before->files[k] : "(none)",
                   *is = k < now->count ? now->files[k] : "(none)";
        if (k < before->count && k < now->count && before->hashes[k] == now->hashes[k])
            continue; // the same content under another name is the same input
        if (strcmp(was, is) == 0)
            add(list, was, texts[0], texts[1]);
        else
            add(list, "input", was, is);
    }
}

static void compare_documents(const cJSON *document, uint64_t job_hash, uint64_t input_hash,
                              const struct job_record *now, struct list *jobs, struct list *inputs)
{
    enum { INPUTS_MAX = 1024 };
    static const char *files[INPUTS_MAX];
    static uint64_t hashes[INPUTS_MAX];
    struct job_record before = {.files = files, .hashes = hashes};
    uint64_t hash;
    const cJSON *job = cJSON_GetObjectItemCaseSensitive(document, "job");
    if (!cJSON_IsObject(job) || job_hash_document(job, &hash) != STATUS_OK || hash != job_hash ||
        !read_inputs(document, files, hashes, INPUTS_MAX, &before.count) ||
        job_record_input_hash(hashes, before.count) != input_hash)
        return; // of another run, or damaged
    compare("", job, now->identity, jobs);
    compare_inputs(&before, now, inputs);
    add_rest(jobs);
    add_rest(inputs);
}

void job_record_compare(const char *path, uint64_t job_hash, uint64_t input_hash,
                        const struct job_record *now, char job_text[JOB_RECORD_TEXT_BYTES],
                        char input_text[JOB_RECORD_TEXT_BYTES])
{
    cJSON *document = NULL;
    struct list jobs = {.text = job_text}, inputs = {.text = input_text};
    job_text[0] = input_text[0] = '\0';
    if (json_file_read(path, 2 * (size_t)JOB_FILE_BYTES_MAX, &document) == STATUS_OK)
        compare_documents(document, job_hash, input_hash, now, &jobs, &inputs);
    else
        status_clear(); // the refusal goes without the details
    cJSON_Delete(document);
}
