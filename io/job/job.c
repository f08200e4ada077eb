// The values of a checked job: getters, and the small helpers that all files of io/job/ use. Uses no key by
// name but `model`, which a caller needs before it can give that model's table.
#include "io/job/private.h"

#include "core/log.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_NAME_BYTES = 2 * JOB_PATH_BYTES + 80 };

// ---- helpers -----------------------------------------------------------------------------------

const char *job_value_noun(const cJSON *item)
{
    if (cJSON_IsString(item))
        return "text";
    if (cJSON_IsNumber(item))
        return "a number";
    if (cJSON_IsBool(item))
        return "true or false";
    if (cJSON_IsArray(item))
        return "a list [...]";
    if (cJSON_IsObject(item))
        return "an object {...}";
    return "null";
}

const char *job_shown(const char *text, char shown[JOB_SHOWN_BYTES + 4])
{
    size_t length = strnlen(text, JOB_SHOWN_BYTES + 1);
    bool is_cut = length > JOB_SHOWN_BYTES;
    if (is_cut) {
        length = JOB_SHOWN_BYTES;
        while (length > 0 &&
               ((unsigned char)text[length] & 0xC0) == 0x80) // inside a character of several bytes
            length--;
    }
    memcpy(shown, text, length);
    memcpy(shown + length, is_cut ? "..." : "", is_cut ? 4 : 1);
    return shown;
}

const char *job_number_text(double value, char text[static 32])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, 32, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return text;
}

const char *job_limits_text(const struct job_key *key, char text[JOB_LIMITS_BYTES])
{
    // A tiny minimum only stands for "not zero": an open limit, which the table cannot state.
    const double tiny = 1e-9;
    char low[32], high[32];
    bool has_low = isfinite(key->minimum);
    bool has_high = isfinite(key->maximum);
    text[0] = '\0';
    job_number_text(key->minimum, low);
    job_number_text(key->maximum, high);
    if ((key->minimum == 0.0 && key->maximum == 0.0) || (!has_low && !has_high))
        return text;
    if (key->minimum == key->maximum)
        snprintf(text, JOB_LIMITS_BYTES, "%s", low);
    else if (!has_high && key->minimum > 0.0 && key->minimum <= tiny)
        snprintf(text, JOB_LIMITS_BYTES, "more than 0");
    else if (!has_high)
        snprintf(text, JOB_LIMITS_BYTES, "at least %s", low);
    else if (!has_low)
        snprintf(text, JOB_LIMITS_BYTES, "at most %s", high);
    else
        snprintf(text, JOB_LIMITS_BYTES, "%s to %s", low, high);
    return text;
}

bool job_list_add(char text[JOB_LIST_BYTES], size_t *used, const char *word)
{
    if (*used + strlen(word) + 8 > JOB_LIST_BYTES) {
        snprintf(text + *used, JOB_LIST_BYTES - *used, ", ...");
        return false;
    }
    *used += (size_t)snprintf(text + *used, JOB_LIST_BYTES - *used, "%s%s", *used > 0 ? ", " : "", word);
    return true;
}

bool job_next_choice(const char **position, char word[SUGGEST_WORD_MAX + 1])
{
    if (*position == NULL || **position == '\0')
        return false;
    size_t length = strcspn(*position, "|");
    size_t kept = length <= SUGGEST_WORD_MAX ? length : SUGGEST_WORD_MAX;
    memcpy(word, *position, kept);
    word[kept] = '\0';
    *position += length + ((*position)[length] == '|' ? 1 : 0);
    return true;
}

struct job_entry *job_find_entry(const struct job *job, const char *path)
{
    for (size_t k = 0; k < job->entry_count; k++) {
        if (strcmp(job->entries[k].key->path, path) == 0)
            return &job->entries[k];
    }
    return NULL;
}

const char *job_path_below(const char *path, const char *block)
{
    const size_t length = strlen(block);
    const bool is_within = strncmp(path, block, length) == 0 &&
                           (path[length] == '\0' || path[length] == '.' || path[length] == '[');
    return is_within ? path + length : NULL;
}

bool job_path_listed(const char *path, const char *list, bool or_above)
{
    char listed[SUGGEST_WORD_MAX + 1];
    for (const char *position = list; job_next_choice(&position, listed);) {
        if (job_path_below(path, listed) != NULL || (or_above && job_path_below(listed, path) != NULL))
            return true;
    }
    return false;
}

const cJSON *job_find_item(const cJSON *root, const char *path)
{
    const cJSON *item = root;
    while (item != NULL && *path != '\0' && *path != '[') {
        const size_t length = strcspn(path, ".[");
        const cJSON *child = item->child;
        while (child != NULL && (child->string == NULL || strncmp(child->string, path, length) != 0 ||
                                 child->string[length] != '\0'))
            child = child->next;
        item = child;
        path += length + (path[length] == '.' ? 1 : 0);
    }
    return item;
}

void job_free_entries(struct job *job)
{
    for (size_t k = 0; k < job->entry_count; k++) {
        cJSON_Delete(job->entries[k].fallback);
        free(job->entries[k].values);
    }
    free(job->entries);
    job->entries = NULL;
    job->entry_count = 0;
}

void job_free(struct job *job)
{
    if (job == NULL)
        return;
    job_free_entries(job);
    cJSON_Delete(job->root);
    free(job->path);
    free(job->directory);
    free(job->prefix);
    free(job->own_keys);
    for (size_t k = 0; k < job->set_count; k++)
        free(job->set_keys[k]);
    free(job->set_keys);
    free(job);
}

// ---- the job as a whole ------------------------------------------------------------------------

const char *job_path(const struct job *job)
{
    return job->path;
}

const char *job_directory(const struct job *job)
{
    return job->directory;
}

const char *job_model(const struct job *job)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(job->root, "model"));
}

uint64_t job_hash(const struct job *job)
{
    return job->hash;
}

// The job object that sets this key: the named part (for example a nested grid) itself, or the ancestor from
// which it inherits the key. A key that is set nowhere belongs to the part.
static const struct job *owner_of(const struct job *job, const char *key)
{
    while (job->prefix != NULL && job_find_item(job->written, key) == NULL &&
           job_find_item(job->root, key) != NULL)
        job = job->parent;
    return job;
}

static const char *prefix_of(const struct job *job)
{
    return job->prefix != NULL ? job->prefix : "";
}

// A key as messages name it: as it stands in the file, and whether it came from the command line.
static const char *name_of(const struct job *job, const char *key, char name[KEY_NAME_BYTES])
{
    const struct job *whole = job->whole != NULL ? job->whole : job;
    const int length = snprintf(name, KEY_NAME_BYTES, "%s%s", prefix_of(owner_of(job, key)), key);
    bool is_set = false;
    for (size_t k = 0; k < whole->set_count && !is_set; k++)
        is_set = job_path_below(name, whole->set_keys[k]) != NULL;
    if (is_set && length > 0 && length < KEY_NAME_BYTES)
        snprintf(name + length, KEY_NAME_BYTES - (size_t)length, " (--set)");
    return name;
}

enum status job_fail(const struct job *job, const char *key, const char *format, ...)
{
    char message[768], name[KEY_NAME_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return FAIL(STATUS_CONFIGURATION, "%s: %s: %s", job->path, name_of(job, key, name), message);
}

void job_warn(const struct job *job, const char *key, const char *format, ...)
{
    char message[768], name[KEY_NAME_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    log_warning("%s: %s: %s", job->path, name_of(job, key, name), message);
}

bool job_is_inherited(const struct job *job, const char *key)
{
    return owner_of(job, key) != job;
}

enum status job_blame(const struct job *job, const char *key, enum status status)
{
    char name[KEY_NAME_BYTES];
    return status_prefix(status, "%s: %s", job->path, name_of(job, key, name));
}

// ---- getters -----------------------------------------------------------------------------------

// The entry of a key of one of the types in `types` (bits). Anything else is a mistake in the program.
static const struct job_entry *entry_of(const struct job *job, const char *key, unsigned types)
{
    assert(job != NULL && job->entries != NULL);
    const struct job_entry *entry = job_find_entry(job, key);
    assert(entry != NULL);
    assert((types >> entry->key->type & 1u) != 0);
    return entry != NULL && (types >> entry->key->type & 1u) != 0 ? entry : NULL;
}

#define TYPE(type) (1u << (type))
#define ANY_TYPE   (~0u)

static const cJSON *item_of(const struct job_entry *entry)
{
    if (entry == NULL)
        return NULL;
    return entry->item != NULL ? entry->item : entry->fallback;
}

static double first_value(const struct job_entry *entry)
{
    return entry != NULL && entry->values != NULL && entry->count > 0 ? entry->values[0] : (double)NAN;
}

bool job_has(const struct job *job, const char *key)
{
    const struct job_entry *entry = entry_of(job, key, ANY_TYPE);
    return entry != NULL && entry->item != NULL;
}

const char *job_string(const struct job *job, const char *key)
{
    unsigned types =
        TYPE(JOB_STRING) | TYPE(JOB_CHOICE) | TYPE(JOB_QUANTITY) | TYPE(JOB_DIFFERENCE) | TYPE(JOB_BYTES);
    return cJSON_GetStringValue(item_of(entry_of(job, key, types)));
}

bool job_boolean(const struct job *job, const char *key)
{
    return cJSON_IsTrue(item_of(entry_of(job, key, TYPE(JOB_BOOLEAN))));
}

int64_t job_integer(const struct job *job, const char *key)
{
    double value = first_value(entry_of(job, key, TYPE(JOB_INTEGER) | TYPE(JOB_BYTES)));
    return isnan(value) ? 0 : (int64_t)value;
}

double job_number(const struct job *job, const char *key)
{
    return first_value(entry_of(job, key, TYPE(JOB_NUMBER) | TYPE(JOB_INTEGER)));
}

double job_quantity(const struct job *job, const char *key)
{
    return first_value(entry_of(job, key, TYPE(JOB_QUANTITY) | TYPE(JOB_DIFFERENCE)));
}

double job_reduced(const struct job *job, const char *key)
{
    return first_value(entry_of(job, key, TYPE(JOB_REDUCED)));
}

bool job_is_bare(const struct job *job, const char *key)
{
    return cJSON_IsNumber(item_of(entry_of(job, key, TYPE(JOB_REDUCED))));
}

size_t job_list_length(const struct job *job, const char *key)
{
    const struct job_entry *entry =
        entry_of(job, key, TYPE(JOB_STRING_LIST) | TYPE(JOB_QUANTITY_LIST) | TYPE(JOB_NUMBER_MAP));
    return entry != NULL ? entry->count : 0;
}

static const cJSON *child_of(const struct job_entry *entry, size_t index)
{
    assert(entry != NULL && index < entry->count);
    const cJSON *item = item_of(entry);
    const cJSON *child = item != NULL ? item->child : NULL;
    while (child != NULL && index-- > 0)
        child = child->next;
    return child;
}

static double value_at(const struct job_entry *entry, size_t index)
{
    assert(entry != NULL && index < entry->count);
    return entry != NULL && entry->values != NULL && index < entry->count ? entry->values[index]
                                                                          : (double)NAN;
}

const char *job_list_string(const struct job *job, const char *key, size_t index)
{
    return cJSON_GetStringValue(
        child_of(entry_of(job, key, TYPE(JOB_STRING_LIST) | TYPE(JOB_QUANTITY_LIST)), index));
}

double job_list_quantity(const struct job *job, const char *key, size_t index)
{
    return value_at(entry_of(job, key, TYPE(JOB_QUANTITY_LIST)), index);
}

const char *job_map_name(const struct job *job, const char *key, size_t index)
{
    const cJSON *child = child_of(entry_of(job, key, TYPE(JOB_NUMBER_MAP)), index);
    return child != NULL ? child->string : NULL;
}

double job_map_number(const struct job *job, const char *key, size_t index)
{
    return value_at(entry_of(job, key, TYPE(JOB_NUMBER_MAP)), index);
}

const void *job_json(const struct job *job, const char *key)
{
    return item_of(entry_of(job, key, ANY_TYPE));
}
