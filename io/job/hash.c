// A job's identity: the checksum of its canonical form, by which a checkpoint is known to belong to the job.
// Leaves out the keys that cannot change a number in the results; independent of the meaning of the others.
#include "io/job/private.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const char *const left_out[] = {"title", "output.directory", "checkpoint", "memory", "check",
                                       "limits"};

static enum status put(XXH3_state_t *state, const char *bytes, size_t length)
{
    if (XXH3_64bits_update(state, bytes, length) != XXH_OK)
        return FAIL(STATUS_SOFTWARE, "the checksum of the job failed");
    return STATUS_OK;
}

static enum status put_text(XXH3_state_t *state, const char *text)
{
    CHECK(put(state, "\"", 1));
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            CHECK(put(state, "\\", 1));
        CHECK(put(state, c, 1));
    }
    return put(state, "\"", 1);
}

static bool is_left_out(const char *path)
{
    for (size_t k = 0; k < sizeof left_out / sizeof *left_out; k++) {
        if (strcmp(path, left_out[k]) == 0)
            return true;
    }
    return false;
}

static int compare_items(const void *a, const void *b)
{
    return strcmp((*(const cJSON *const *)a)->string, (*(const cJSON *const *)b)->string);
}

static enum status put_value(XXH3_state_t *state, const cJSON *item, const char *path, int depth);

// `depth`: 0 in the document, 1 in one of its blocks. No deeper key is left out, so no longer paths are
// needed.
static enum status put_members(XXH3_state_t *state, const cJSON **items, size_t count, const char *path,
                               int depth)
{
    CHECK(put(state, "{", 1));
    bool is_first = true;
    for (size_t k = 0; k < count; k++) {
        char inner[JOB_PATH_BYTES] = "";
        // A long path may be cut: it is compared with short ones only.
        if (depth < 2)
            snprintf(inner, sizeof inner, "%.100s%s%.100s", path, depth > 0 ? "." : "", items[k]->string);
        // A key that contains a point, such as "output.directory" at the top, is not the path of that name.
        if (depth < 2 && strchr(items[k]->string, '.') == NULL && is_left_out(inner))
            continue;
        if (!is_first)
            CHECK(put(state, ",", 1));
        is_first = false;
        CHECK(put_text(state, items[k]->string));
        CHECK(put(state, ":", 1));
        CHECK(put_value(state, items[k], inner, depth + 1));
    }
    return put(state, "}", 1);
}

static enum status put_object(XXH3_state_t *state, const cJSON *object, const char *path, int depth)
{
    size_t count = (size_t)cJSON_GetArraySize(object);
    const cJSON **items = malloc((count + 1) * sizeof *items);
    if (items == NULL)
        return FAIL(STATUS_SYSTEM, "no memory for the checksum of the job");
    size_t k = 0;
    for (const cJSON *child = object->child; child != NULL; child = child->next)
        items[k++] = child;
    qsort(items, count, sizeof *items, compare_items);
    enum status status = put_members(state, items, count, path, depth);
    free(items);
    return status;
}

static enum status put_array(XXH3_state_t *state, const cJSON *array, int depth)
{
    CHECK(put(state, "[", 1));
    for (const cJSON *child = array->child; child != NULL; child = child->next) {
        if (child != array->child)
            CHECK(put(state, ",", 1));
        CHECK(put_value(state, child, "", depth + 2)); // no key within a list is left out
    }
    return put(state, "]", 1);
}

static enum status put_value(XXH3_state_t *state, const cJSON *item, const char *path, int depth)
{
    if (cJSON_IsObject(item))
        return put_object(state, item, path, depth);
    if (cJSON_IsArray(item))
        return put_array(state, item, depth);
    if (cJSON_IsString(item))
        return put_text(state, item->valuestring);
    if (cJSON_IsNumber(item)) {
        char number[32];
        int length =
            snprintf(number, sizeof number, "%.17g", item->valuedouble + 0.0); // -0 and 0 are one number
        return put(state, number, (size_t)length);
    }
    const char *word = cJSON_IsTrue(item) ? "true" : cJSON_IsFalse(item) ? "false" : "null";
    return put(state, word, strlen(word));
}

enum status job_identity(const struct job *job, cJSON **identity)
{
    *identity = cJSON_Duplicate(job->root, 1);
    if (*identity == NULL)
        return FAIL(STATUS_SYSTEM, "no memory for a copy of the job");
    for (size_t k = 0; k < sizeof left_out / sizeof *left_out; k++) {
        const char *dot = strchr(left_out[k], '.');
        char block[JOB_PATH_BYTES];
        snprintf(block, sizeof block, "%.*s", dot ? (int)(dot - left_out[k]) : 0, left_out[k]);
        cJSON *object = dot ? cJSON_GetObjectItemCaseSensitive(*identity, block) : *identity;
        cJSON_DeleteItemFromObjectCaseSensitive(object, dot ? dot + 1 : left_out[k]);
    }
    return STATUS_OK;
}

enum status job_hash_document(const cJSON *root, uint64_t *hash)
{
    XXH3_state_t *state = XXH3_createState();
    enum status status = state != NULL && XXH3_64bits_reset(state) == XXH_OK
                             ? put_value(state, root, "", 0)
                             : FAIL(STATUS_SYSTEM, "no memory for the checksum of the job");
    if (status == STATUS_OK)
        *hash = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    return status;
}
