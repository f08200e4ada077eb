// Checks a document against the tables: every key must be known, its value must keep its rules (value.c),
// and none may be missing. Uses the rules of the tables, and no key by name. The first error, in the order
// of the file, ends the check.
#include "io/job/private.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { ELSEWHERE_DISTANCE = 4 /* in half edits */ };

// ---- unknown keys ------------------------------------------------------------------------------

typedef char word_buffer[SUGGEST_WORD_MAX + 1];

// The known names directly under `prefix` ("" = the top), each once, in the order of the tables. Room for one
// per entry.
static size_t collect_children(const struct job *job, const char *prefix, word_buffer *names)
{
    size_t prefix_length = strlen(prefix);
    size_t count = 0;
    for (size_t k = 0; k < job->entry_count; k++) {
        const char *path = job->entries[k].key->path;
        if (job->entries[k].key->type == JOB_ABSENT)
            continue;
        if (prefix_length > 0) {
            if (strncmp(path, prefix, prefix_length) != 0 || path[prefix_length] != '.')
                continue;
            path += prefix_length + 1;
        }
        snprintf(names[count], sizeof names[count], "%.*s", (int)strcspn(path, "."), path);
        bool is_new = true;
        for (size_t j = 0; j < count && is_new; j++)
            is_new = strcmp(names[j], names[count]) != 0;
        count += is_new ? 1 : 0;
    }
    return count;
}

// A path to suggest. For a key that the model does not have it is "", which is near to no word.
static const char *known_path(const struct job_key *key)
{
    return key->type == JOB_ABSENT ? "" : key->path;
}

static const char *last_part(const char *path)
{
    const char *point = strrchr(path, '.');
    return point != NULL ? point + 1 : path;
}

// As suggest_word, for words of other blocks. These are so many that one of them always resembles a
// long word, so at most two letters may differ.
static const char *nearest_elsewhere(const char *word, const char *const *words, size_t count)
{
    const char *nearest = suggest_word(word, words, count);
    return nearest != NULL && suggest_distance(word, nearest) <= ELSEWHERE_DISTANCE ? nearest : NULL;
}

// Writes the path of the known key nearest to the unknown `name` under `prefix`: a sibling, else a key of
// that name elsewhere, else the nearest whole path. False if nothing is near.
static bool suggest_key(const struct job *job, const char *prefix, const char *name, const char *path,
                        word_buffer *names, const char **pointers, char suggestion[JOB_PATH_BYTES])
{
    size_t count = collect_children(job, prefix, names);
    for (size_t k = 0; k < count; k++)
        pointers[k] = names[k];
    const char *nearest = suggest_word(name, pointers, count);
    if (nearest != NULL) {
        snprintf(suggestion, JOB_PATH_BYTES, "%s%s%s", prefix, prefix[0] != '\0' ? "." : "", nearest);
        return true;
    }
    for (size_t k = 0; k < job->entry_count; k++)
        pointers[k] = last_part(known_path(job->entries[k].key));
    nearest = nearest_elsewhere(name, pointers, job->entry_count);
    if (nearest == NULL) {
        for (size_t k = 0; k < job->entry_count; k++)
            pointers[k] = known_path(job->entries[k].key);
        nearest = nearest_elsewhere(path, pointers, job->entry_count);
    }
    for (size_t k = 0; k < job->entry_count && nearest != NULL; k++) {
        if (pointers[k] == nearest) {
            snprintf(suggestion, JOB_PATH_BYTES, "%s", job->entries[k].key->path);
            return true;
        }
    }
    return false;
}

// "known here: duration, step": what may stand where an unknown key does.
static void list_known(const word_buffer *names, size_t count, char text[JOB_LIST_BYTES])
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t k = 0; k < count && job_list_add(text, &used, names[k]); k++)
        continue;
}

// Whether known keys lie under `path`.
static bool is_block(const struct job *job, const char *path)
{
    size_t length = strlen(path);
    for (size_t k = 0; k < job->entry_count; k++) {
        if (strncmp(job->entries[k].key->path, path, length) == 0 && job->entries[k].key->path[length] == '.')
            return true;
    }
    return false;
}

static enum status fail_unknown(const struct job *job, const char *prefix, const char *name, const char *path)
{
    word_buffer *names = calloc(job->entry_count + 1, sizeof *names);
    const char **pointers = calloc(job->entry_count + 1, sizeof *pointers);
    char suggestion[JOB_PATH_BYTES];
    char known[JOB_LIST_BYTES];
    enum status status;
    if (names == NULL || pointers == NULL) {
        status = job_fail(job, path, "unknown key");
    } else if (job->whole != NULL &&
               (job_find_entry(job->whole, path) != NULL || is_block(job->whole, path))) {
        list_known(names, collect_children(job, "", names), known);
        status = job_fail(job, path, "belongs to the whole job, at its top (known here: %s)", known);
    } else if (suggest_key(job, prefix, name, path, names, pointers, suggestion)) {
        status = job_fail(job, path, "unknown key (did you mean %s%s?)", job->prefix ? job->prefix : "",
                          suggestion);
    } else {
        list_known(names, collect_children(job, prefix, names), known);
        status = job_fail(job, path, "unknown key (known here: %s)", known);
    }
    free(pointers);
    free(names);
    return status;
}

// ---- the document ------------------------------------------------------------------------------

static enum status fail_not_a_block(const struct job *job, const char *path, const cJSON *item)
{
    word_buffer *names = calloc(job->entry_count + 1, sizeof *names);
    char known[JOB_LIST_BYTES] = "";
    if (names != NULL)
        list_known(names, collect_children(job, path, names), known);
    free(names);
    return job_fail(job, path, "%s is given; an object {...} is expected, with the keys %s",
                    job_value_noun(item), known);
}

// Checks the keys of one object, whose path is `prefix`. As deep as the tables are.
static enum status check_block(const struct job *job, const cJSON *object, const char *prefix)
{
    for (const cJSON *child = object->child; child != NULL; child = child->next) {
        char path[JOB_PATH_BYTES];
        char shown[JOB_SHOWN_BYTES + 4];
        int length =
            snprintf(path, sizeof path, "%s%s%s", prefix, prefix[0] != '\0' ? "." : "", child->string);
        if (child->string[0] == '\0')
            return job_fail(job, prefix[0] != '\0' ? prefix : "top level", "a key without a name");
        if (strchr(child->string, '.') != NULL)
            return job_fail(
                job, prefix[0] != '\0' ? prefix : "top level",
                "unknown key \"%s\" (keys do not contain points: nest them, {\"time\": {\"step\": ...}})",
                job_shown(child->string, shown));
        if (length < 0 || (size_t)length >= sizeof path)
            return job_fail(job, job_shown(child->string, shown), "unknown key");
        struct job_entry *entry = job_find_entry(job, path);
        if (job->may_inherit && cJSON_IsNull(child) && (entry != NULL || is_block(job, path)))
            continue; // removes what a part would inherit
        if (job->whole != NULL && !job->may_inherit && cJSON_IsNull(child) && entry != NULL)
            return job_fail(job, path, "null is given; leave the key out: nothing is inherited here");
        if (entry != NULL) {
            entry->item = child;
            CHECK(job_check_value(job, entry, child));
        }
        if (entry != NULL && entry->key->type != JOB_OBJECT)
            continue;
        if (entry == NULL && !is_block(job, path))
            return fail_unknown(job, prefix, child->string, path);
        if (!cJSON_IsObject(child))
            return fail_not_a_block(job, path, child);
        CHECK(check_block(job, child, path));
    }
    return STATUS_OK;
}

// Whether the key lies in an optional block of the tables that the job does not have.
static bool is_excused(const struct job *job, const char *path)
{
    for (const char *point = strchr(path, '.'); point != NULL; point = strchr(point + 1, '.')) {
        char block[JOB_PATH_BYTES];
        snprintf(block, sizeof block, "%.*s", (int)(point - path), path);
        const struct job_entry *entry = job_find_entry(job, block);
        if (entry != NULL && entry->key->type == JOB_OBJECT && !entry->key->required && entry->item == NULL)
            return true;
    }
    return false;
}

enum status job_check_required(const struct job *job)
{
    for (size_t k = 0; k < job->entry_count; k++) {
        const struct job_key *key = job->entries[k].key;
        if (key->required && job->entries[k].item == NULL && !is_excused(job, key->path))
            return job_fail(job, key->path, "missing; it is required: %s",
                            key->help != NULL ? key->help : "");
    }
    return STATUS_OK;
}

// ---- the tables --------------------------------------------------------------------------------

static enum status check_row(const struct job_key *key)
{
    if (key->path == NULL || key->path[0] == '\0' || strlen(key->path) >= JOB_PATH_BYTES)
        return FAIL(STATUS_SOFTWARE,
                    "a table of job keys has a row without a path, or with one that is too long");
    bool is_quantity = key->type == JOB_QUANTITY || key->type == JOB_DIFFERENCE ||
                       key->type == JOB_QUANTITY_LIST || key->type == JOB_REDUCED;
    if (is_quantity && key->unit == NULL)
        return FAIL(STATUS_SOFTWARE, "table of job keys: %s: a quantity needs a unit", key->path);
    if (key->type == JOB_CHOICE && key->choices == NULL)
        return FAIL(STATUS_SOFTWARE, "table of job keys: %s: a choice needs its choices", key->path);
    if (!(key->minimum <= key->maximum))
        return FAIL(STATUS_SOFTWARE, "table of job keys: %s: the minimum is above the maximum", key->path);
    return STATUS_OK;
}

// Reads the default as JSON. The tables hold texts as they are, and everything else as it would be in the
// file.
static enum status read_default(const struct job *job, struct job_entry *entry)
{
    const char *text = entry->key->default_value;
    if (text == NULL)
        return STATUS_OK;
    enum job_type type = entry->key->type;
    bool is_text = type == JOB_STRING || type == JOB_CHOICE || type == JOB_QUANTITY ||
                   type == JOB_DIFFERENCE || type == JOB_BYTES;
    entry->fallback = is_text ? cJSON_CreateString(text) : cJSON_Parse(text);
    if (entry->fallback == NULL)
        return FAIL(STATUS_SOFTWARE, "table of job keys: %s: the default %s is not JSON", entry->key->path,
                    text);
    enum status status = job_check_value(job, entry, entry->fallback);
    return status == STATUS_OK
               ? status
               : status_prefix(STATUS_SOFTWARE, "table of job keys: %s: its default", entry->key->path);
}

enum status job_add_entry(struct job *job, const struct job_key *key)
{
    struct job_entry *entry = &job->entries[job->entry_count++];
    entry->key = key;
    return read_default(job, entry);
}

enum status job_check_document(struct job *job, const cJSON *document)
{
    for (size_t k = 0; k < job->entry_count; k++)
        job->entries[k].item = NULL;
    return check_block(job, document, "");
}

// One entry per path; a later table replaces an earlier one's row.
static enum status collect_entries(struct job *job, const struct job_key_table *tables, size_t table_count)
{
    size_t rows = 0;
    for (size_t t = 0; t < table_count; t++)
        rows += tables[t].count;
    job_free_entries(job);
    job->entries = calloc(rows + 1, sizeof *job->entries);
    if (job->entries == NULL)
        return FAIL(STATUS_SYSTEM, "%s: no memory to check it", job->path);
    for (size_t t = 0; t < table_count; t++) {
        for (size_t k = 0; k < tables[t].count; k++) {
            const struct job_key *key = &tables[t].keys[k];
            CHECK(check_row(key));
            struct job_entry *entry = job_find_entry(job, key->path);
            if (entry == NULL)
                entry = &job->entries[job->entry_count++];
            entry->key = key;
        }
    }
    for (size_t k = 0; k < job->entry_count; k++)
        CHECK(read_default(job, &job->entries[k]));
    return STATUS_OK;
}

// Whether the command line's null at a key removes it: a key of the tables, a block, or an entry of a map.
// In a part, and in a value that its owner checks, the null is kept (in a part it removes what the part
// inherits).
static bool null_removes(const struct job *job, const char *key)
{
    if (job_find_entry(job, key) != NULL || is_block(job, key))
        return true;
    for (size_t k = 0; k < job->entry_count; k++) {
        const struct job_key *row = job->entries[k].key;
        if (row->type == JOB_NUMBER_MAP && job_path_below(key, row->path) != NULL)
            return true;
    }
    return false;
}

static enum status remove_nulls(struct job *job)
{
    for (size_t k = 0; k < job->set_count; k++) {
        const cJSON *item = job_find_item(job->root, job->set_keys[k]);
        if (item != NULL && cJSON_IsNull(item) && null_removes(job, job->set_keys[k]))
            CHECK(job_remove(job, job->set_keys[k]));
    }
    return STATUS_OK;
}

enum status job_check(struct job *job, const struct job_key_table *tables, size_t table_count)
{
    assert(job != NULL && tables != NULL);
    CHECK(collect_entries(job, tables, table_count));
    CHECK(remove_nulls(job));
    CHECK(job_check_document(job, job->root));
    return job_check_required(job);
}
