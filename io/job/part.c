// Parts of a job: named objects that are jobs of their own, with missing keys taken from their parents; and
// objects of other documents, which are checked in the same way. Holds the rules of inheritance, and uses no
// key by name.
#include "io/job/private.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const cJSON *part_item(const struct job *job, const char *key, size_t index)
{
    const struct job_entry *entry = job_find_entry(job, key);
    assert(entry != NULL && entry->key->type == JOB_PARTS);
    const cJSON *child = entry->item != NULL ? entry->item->child : NULL;
    while (child != NULL && index-- > 0)
        child = child->next;
    return child;
}

size_t job_part_count(const struct job *job, const char *key)
{
    size_t count = 0;
    for (const cJSON *child = part_item(job, key, 0); child != NULL; child = child->next)
        count++;
    return count;
}

const char *job_part_name(const struct job *job, const char *key, size_t index)
{
    const cJSON *item = part_item(job, key, index);
    return item != NULL ? item->string : NULL;
}

enum status job_part_text(const struct job *job, const char *key, size_t index, const char *name,
                          const char **text)
{
    const cJSON *part = part_item(job, key, index);
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(part, name);
    char path[JOB_PATH_BYTES];
    *text = cJSON_GetStringValue(item);
    if (item == NULL || *text != NULL)
        return STATUS_OK;
    snprintf(path, sizeof path, "%s.%s.%s", key, part->string, name);
    return job_fail(job, path, "%s is given; text in double quotes is expected", job_value_noun(item));
}

// ---- the part's document -----------------------------------------------------------------------

static enum status fail_memory(const struct job *job)
{
    return FAIL(STATUS_SYSTEM, "%s: no memory for a part of it", job->path);
}

static const char *join(char path[JOB_PATH_BYTES], const char *block, const char *name)
{
    // Cutting a long path is harmless: all that is compared with it is short.
    snprintf(path, JOB_PATH_BYTES, "%.120s%s%.120s", block, block[0] != '\0' ? "." : "", name);
    return path;
}

// Copies what the rules let a part inherit. As deep as the tables are.
static enum status inherit(const struct job *job, const struct job_part_rules *rules, const cJSON *from,
                           const char *block, cJSON *to)
{
    for (const cJSON *child = from->child; child != NULL; child = child->next) {
        char path[JOB_PATH_BYTES];
        join(path, block, child->string);
        if (!job_path_listed(path, rules->inherited, true) || job_path_listed(path, rules->left_out, false))
            continue;
        if (cJSON_IsObject(child)) {
            cJSON *object = cJSON_AddObjectToObject(to, child->string);
            if (object == NULL)
                return fail_memory(job);
            CHECK(inherit(job, rules, child, path, object));
            continue;
        }
        cJSON *copy = job_path_listed(path, rules->inherited, false) ? cJSON_Duplicate(child, 1) : NULL;
        if (copy == NULL && job_path_listed(path, rules->inherited, false))
            return fail_memory(job);
        if (copy != NULL && !cJSON_AddItemToObject(to, child->string, copy)) {
            cJSON_Delete(copy);
            return fail_memory(job);
        }
    }
    return STATUS_OK;
}

// Merges the part's keys into the inherited ones: objects key by key, null takes away.
static enum status overlay(const struct job *job, const cJSON *written, cJSON *to)
{
    for (const cJSON *child = written->child; child != NULL; child = child->next) {
        cJSON *present = cJSON_GetObjectItemCaseSensitive(to, child->string);
        if (cJSON_IsObject(child) && cJSON_IsObject(present)) {
            CHECK(overlay(job, child, present));
            continue;
        }
        cJSON_DeleteItemFromObjectCaseSensitive(to, child->string);
        if (cJSON_IsNull(child))
            continue;
        // An object with nothing to lie over may hold null, too.
        cJSON *copy = cJSON_IsObject(child) ? cJSON_CreateObject() : cJSON_Duplicate(child, 1);
        if (copy == NULL || !cJSON_AddItemToObject(to, child->string, copy)) {
            cJSON_Delete(copy);
            return fail_memory(job);
        }
        if (cJSON_IsObject(child))
            CHECK(overlay(job, child, copy));
    }
    return STATUS_OK;
}

// ---- the part's keys ---------------------------------------------------------------------------

// Keys that stand in the tables as "KEY.NAME.rest" are those of a part alone: as "rest". Then those that a
// part may hold.
static enum status collect_writable(struct job *part, const char *key, const char *writable)
{
    const struct job *job = part->whole;
    char block[JOB_PATH_BYTES];
    size_t own = 0;
    snprintf(block, sizeof block, "%s.NAME", key);
    for (size_t k = 0; k < job->entry_count; k++) {
        const char *rest = job_path_below(job->entries[k].key->path, block);
        if (rest == NULL || rest[0] != '.')
            continue;
        part->own_keys[own] = *job->entries[k].key;
        part->own_keys[own].path = rest + 1;
        CHECK(job_add_entry(part, &part->own_keys[own++]));
    }
    for (size_t k = 0; k < job->entry_count; k++) {
        if (job_path_listed(job->entries[k].key->path, writable, false))
            CHECK(job_add_entry(part, job->entries[k].key));
    }
    return STATUS_OK;
}

static enum status collect_inherited(struct job *part, const struct job_part_rules *rules)
{
    const struct job *job = part->whole;
    for (size_t k = 0; k < job->entry_count; k++) {
        const struct job_key *key = job->entries[k].key;
        if (job_find_entry(part, key->path) == NULL && job_path_listed(key->path, rules->inherited, false) &&
            !job_path_listed(key->path, rules->left_out, false))
            CHECK(job_add_entry(part, key));
    }
    return STATUS_OK;
}

static enum status open_part(struct job *part, const char *key, const char *name,
                             const struct job_part_rules *rules)
{
    const struct job *job = part->whole;
    char prefix[JOB_PATH_BYTES];
    snprintf(prefix, sizeof prefix, "%s.%s.", key, name);
    part->path = strdup(job->path);
    part->directory = strdup(job->directory);
    part->prefix = strdup(prefix);
    part->root = cJSON_CreateObject();
    part->entries = calloc(job->entry_count + 1, sizeof *part->entries);
    part->own_keys = calloc(job->entry_count + 1, sizeof *part->own_keys);
    if (part->path == NULL || part->directory == NULL || part->prefix == NULL || part->root == NULL ||
        part->entries == NULL || part->own_keys == NULL)
        return fail_memory(job);
    CHECK(collect_writable(part, key, job_find_entry(job, key)->key->choices));
    // What is written first: an unknown key must be named before a missing one is reported.
    CHECK(job_check_document(part, part->written));
    CHECK(collect_inherited(part, rules));
    CHECK(inherit(job, rules, part->parent->root, "", part->root));
    CHECK(overlay(job, part->written, part->root));
    CHECK(job_check_document(part, part->root));
    return job_check_required(part);
}

enum status job_part_open(const struct job *job, const char *key, size_t index, const struct job *parent,
                          const struct job_part_rules *rules, struct job **part)
{
    const cJSON *item = part_item(job, key, index);
    assert(item != NULL && parent != NULL && job->prefix == NULL);
    *part = NULL;
    struct job *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return fail_memory(job);
    fresh->whole = job;
    fresh->parent = parent;
    fresh->written = item;
    fresh->may_inherit = rules->inherited[0] != '\0';
    enum status status = open_part(fresh, key, item->string, rules);
    if (status != STATUS_OK) {
        job_free(fresh);
        return status;
    }
    *part = fresh;
    return STATUS_OK;
}

// ---- members: objects of a document that is not a job -------------------------------------------------

enum status job_open_member(const struct job *document, const char *where, const cJSON *object,
                            struct job **member)
{
    *member = NULL;
    if (!cJSON_IsObject(object))
        return job_fail(document, where, "%s is given; an object {...} is expected", job_value_noun(object));
    struct job *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return fail_memory(document);
    char prefix[JOB_PATH_BYTES];
    snprintf(prefix, sizeof prefix, "%s%.120s.", document->prefix != NULL ? document->prefix : "", where);
    fresh->path = strdup(document->path);
    fresh->directory = strdup(document->directory);
    fresh->prefix = strdup(prefix);
    fresh->root = cJSON_Duplicate(object, 1);
    fresh->written = fresh->root;
    if (fresh->path == NULL || fresh->directory == NULL || fresh->prefix == NULL || fresh->root == NULL) {
        job_free(fresh);
        return fail_memory(document);
    }
    *member = fresh;
    return STATUS_OK;
}
