// A document against the tables: every key known, of the right type, unit and range, and none missing.
// Knows the rules of the tables, and no key by name. The first mistake, in the order of the file, ends the
// check.
#include "io/job_private.h"

#include "io/units.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_BYTES = 320 };

static const double integer_max = 9007199254740991.0; // 2^53 - 1: each whole number up to it is a double

// ---- single values -----------------------------------------------------------------------------

// One value on its way through the check: the rules, the value, and its path for messages
// ("output.arrival[1]").
struct subject {
    const struct job *job;
    const struct job_key *key;
    const cJSON *item;
    const char *where;
};

static enum status fail_type(const struct subject *subject, const char *expected)
{
    return job_fail(subject->job, subject->where, "%s is given; %s is expected",
                    job_value_noun(subject->item), expected);
}

// "single, double", or "one of ..." for a list of choices, cut with "..." if it is long.
static const char *choice_list(const char *choices, char text[LIST_BYTES])
{
    char word[JOB_WORD_MAX + 1];
    size_t used = 0;
    text[0] = '\0';
    for (const char *position = choices; job_next_choice(&position, word);) {
        if (used + strlen(word) + 8 > LIST_BYTES) {
            snprintf(text + used, LIST_BYTES - used, ", ...");
            break;
        }
        used += (size_t)snprintf(text + used, LIST_BYTES - used, "%s%s", used > 0 ? ", " : "", word);
    }
    return text;
}

static bool is_choice(const char *choices, const char *text)
{
    char word[JOB_WORD_MAX + 1];
    for (const char *position = choices; job_next_choice(&position, word);) {
        if (strcmp(word, text) == 0)
            return true;
    }
    return false;
}

// Fails with the nearest choice, or with all of them.
static enum status fail_choice(const struct subject *subject, const char *expected)
{
    enum { CHOICES_MAX = 64 };
    char words[CHOICES_MAX][JOB_WORD_MAX + 1];
    const char *pointers[CHOICES_MAX];
    size_t count = 0;
    for (const char *position = subject->key->choices;
         count < CHOICES_MAX && job_next_choice(&position, words[count]); count++)
        pointers[count] = words[count];
    char shown[JOB_SHOWN_BYTES + 4];
    char list[LIST_BYTES];
    const char *nearest = job_nearest_word(subject->item->valuestring, pointers, count);
    job_shown(subject->item->valuestring, shown);
    choice_list(subject->key->choices, list);
    if (nearest != NULL)
        return job_fail(subject->job, subject->where, "\"%s\" is not %s: %s (did you mean %s?)", shown,
                        expected, list, nearest);
    return job_fail(subject->job, subject->where, "\"%s\" is not %s: %s", shown, expected, list);
}

static enum status check_range(const struct subject *subject, double value, const char *shown)
{
    const struct job_key *key = subject->key;
    bool is_limited = key->minimum != 0.0 || key->maximum != 0.0;
    if (!is_limited || (value >= key->minimum && value <= key->maximum))
        return STATUS_OK;
    char limits[JOB_LIMITS_BYTES];
    bool has_unit = key->unit != NULL && strcmp(key->unit, "1") != 0;
    const char *unit = has_unit ? key->unit : key->type == JOB_BYTES ? "byte" : "";
    return job_fail(subject->job, subject->where, "%s is out of range: %s%s%s is expected", shown,
                    job_limits_text(key, limits), unit[0] != '\0' ? " " : "", unit);
}

static enum status check_string(const struct subject *subject)
{
    if (!cJSON_IsString(subject->item))
        return fail_type(subject, "text in double quotes");
    if (subject->item->valuestring[0] == '\0' && subject->key->required)
        return job_fail(subject->job, subject->where, "the text is empty");
    if (subject->key->choices != NULL && !is_choice(subject->key->choices, subject->item->valuestring))
        return fail_choice(subject, "one of");
    return STATUS_OK;
}

static enum status check_boolean(const struct subject *subject)
{
    if (cJSON_IsBool(subject->item))
        return STATUS_OK;
    const char *text = cJSON_GetStringValue(subject->item);
    if (text != NULL && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0))
        return fail_type(subject, "true or false, without quotes,");
    return fail_type(subject, "true or false");
}

static enum status check_number(const struct subject *subject, double *value)
{
    bool is_integer = subject->key->type == JOB_INTEGER;
    const char *noun = is_integer ? "a whole number" : "a number";
    const char *text = cJSON_GetStringValue(subject->item);
    char *end = NULL;
    if (text != NULL && isdigit((unsigned char)text[text[0] == '-' ? 1 : 0]) &&
        isfinite(strtod(text, &end)) && *end == '\0')
        return job_fail(subject->job, subject->where,
                        "text is given; %s is expected: write %.40s without quotes", noun, text);
    if (!cJSON_IsNumber(subject->item))
        return fail_type(subject, noun);
    char shown[32];
    *value = subject->item->valuedouble;
    job_number_text(*value, shown);
    if (is_integer && *value != floor(*value))
        return job_fail(subject->job, subject->where, "%s is given; a whole number is expected", shown);
    if (is_integer && fabs(*value) > integer_max)
        return job_fail(subject->job, subject->where,
                        "%s is too large: whole numbers are exact up to 9007199254740991 (2^53 - 1) only",
                        shown);
    return check_range(subject, *value, shown);
}

static enum status check_quantity(const struct subject *subject, double *value)
{
    const struct job_key *key = subject->key;
    const char *text = cJSON_GetStringValue(subject->item);
    char number[32];
    if (text != NULL && key->choices != NULL && is_choice(key->choices, text)) {
        *value = (double)NAN;
        return STATUS_OK;
    }
    if (cJSON_IsNumber(subject->item))
        text = job_number_text(subject->item->valuedouble,
                               number); // refused by units, with the reason, unless "1"
    else if (text == NULL)
        return fail_type(subject, "text with a number and a unit");
    else if (key->choices != NULL && isalpha((unsigned char)text[0]))
        return fail_choice(subject, "a quantity with a unit nor one of");
    CHECK_ABOUT(units_parse_quantity(text, key->unit, value), "%s: %s", subject->job->path, subject->where);
    char shown[JOB_SHOWN_BYTES + 4];
    return check_range(subject, *value, job_shown(text, shown));
}

static const struct {
    const char *name;
    double bytes;
} byte_units[] = {
    {"B", 1},
    {"bytes", 1},
    {"byte", 1},
    {"kB", 1e3},
    {"KB", 1e3},
    {"MB", 1e6},
    {"GB", 1e9},
    {"TB", 1e12},
    {"PB", 1e15},
    {"KiB", 1024.0},
    {"kiB", 1024.0},
    {"MiB", 1048576.0},
    {"GiB", 1073741824.0},
    {"TiB", 1099511627776.0},
    {"PiB", 1125899906842624.0},
};

enum { BYTE_UNITS = sizeof byte_units / sizeof *byte_units };

static enum status fail_byte_unit(const struct subject *subject, const char *unit)
{
    const char *names[BYTE_UNITS];
    for (size_t k = 0; k < BYTE_UNITS; k++)
        names[k] = byte_units[k].name;
    const char *nearest = job_nearest_word(unit, names, BYTE_UNITS);
    char shown[JOB_SHOWN_BYTES + 4];
    job_shown(unit, shown);
    if (nearest != NULL)
        return job_fail(subject->job, subject->where, "unknown unit of memory %s (did you mean %s?)", shown,
                        nearest);
    return job_fail(subject->job, subject->where,
                    "unknown unit of memory %s; kB, MB, GB, TB or KiB, MiB, GiB, TiB are "
                    "expected",
                    shown);
}

static enum status check_bytes(const struct subject *subject, double *value)
{
    const char *text = cJSON_GetStringValue(subject->item);
    char number[32];
    if (cJSON_IsNumber(subject->item))
        return job_fail(subject->job, subject->where,
                        "%s has no unit; write for instance \"2 GB\" or \"512 MiB\"",
                        job_number_text(subject->item->valuedouble, number));
    if (text == NULL)
        return fail_type(subject, "text with a number and a unit, as in \"2 GB\" or \"512 MiB\",");
    char shown[JOB_SHOWN_BYTES + 4];
    job_shown(text, shown);
    text += strspn(text, " ");
    // Only what starts like a decimal number: strtod also takes inf, nan and hexadecimals.
    bool is_decimal =
        isdigit((unsigned char)text[0]) && !(text[0] == '0' && tolower((unsigned char)text[1]) == 'x');
    char *end = NULL;
    double count = is_decimal ? strtod(text, &end) : (double)NAN;
    if (!isfinite(count))
        return job_fail(subject->job, subject->where,
                        "\"%s\" is not an amount of memory; write for instance \"2 GB\" or "
                        "\"512 MiB\"",
                        shown);
    char unit[JOB_SHOWN_BYTES + 4];
    job_shown(end + strspn(end, " "), unit);
    for (size_t length = strlen(unit); length > 0 && unit[length - 1] == ' '; length--)
        unit[length - 1] = '\0';
    if (unit[0] == '\0')
        return job_fail(subject->job, subject->where,
                        "%s has no unit; write for instance \"2 GB\" or \"512 MiB\"", shown);
    for (size_t k = 0; k < BYTE_UNITS; k++) {
        if (strcmp(unit, byte_units[k].name) != 0)
            continue;
        *value = round(count * byte_units[k].bytes);
        if (*value > integer_max)
            return job_fail(subject->job, subject->where, "\"%s\" is too large: at most 9 PB are expected",
                            shown);
        return check_range(subject, *value, shown);
    }
    return fail_byte_unit(subject, unit);
}

// ---- lists and maps ----------------------------------------------------------------------------

static enum status check_entry_of_list(const struct subject *subject, double *value)
{
    switch (subject->key->type) {
    case JOB_STRING_LIST:
        return check_string(subject);
    case JOB_QUANTITY_LIST:
        return check_quantity(subject, value);
    default:
        return check_number(subject, value);
    }
}

static enum status check_list(const struct subject *subject, struct job_entry *entry)
{
    bool is_map = subject->key->type == JOB_NUMBER_MAP;
    if (is_map && !cJSON_IsObject(subject->item))
        return fail_type(subject, "an object of names and numbers, as in {\"name\": 1.5},");
    if (!is_map && cJSON_IsString(subject->item))
        return fail_type(subject, "a list of texts, in [...],");
    if (!is_map && !cJSON_IsArray(subject->item))
        return fail_type(subject, "a list of texts, as in [\"one\", \"two\"],");
    size_t count = (size_t)cJSON_GetArraySize(subject->item);
    entry->values = calloc(count + 1, sizeof *entry->values);
    if (entry->values == NULL)
        return FAIL(STATUS_SYSTEM, "%s: %s: no memory to check it", subject->job->path, subject->where);
    entry->count = count;
    size_t index = 0;
    for (const cJSON *child = subject->item->child; child != NULL; child = child->next, index++) {
        char where[JOB_PATH_BYTES + JOB_SHOWN_BYTES + 8];
        char shown[JOB_SHOWN_BYTES + 4];
        if (is_map)
            snprintf(where, sizeof where, "%s.%s", subject->where, job_shown(child->string, shown));
        else
            snprintf(where, sizeof where, "%s[%zu]", subject->where, index);
        struct subject inner = {subject->job, subject->key, child, where};
        CHECK(check_entry_of_list(&inner, &entry->values[index]));
    }
    return STATUS_OK;
}

// Checks `item` (of the document, or a default) against the entry's key, and keeps its numbers in the entry.
static enum status check_value(const struct job *job, struct job_entry *entry, const cJSON *item)
{
    struct subject subject = {job, entry->key, item, entry->key->path};
    double value = (double)NAN;
    free(entry->values);
    entry->values = NULL;
    entry->count = 0;
    switch (entry->key->type) {
    case JOB_STRING:
    case JOB_CHOICE:
        return check_string(&subject);
    case JOB_BOOLEAN:
        return check_boolean(&subject);
    case JOB_INTEGER:
    case JOB_NUMBER:
        CHECK(check_number(&subject, &value));
        break;
    case JOB_QUANTITY:
        CHECK(check_quantity(&subject, &value));
        break;
    case JOB_BYTES:
        CHECK(check_bytes(&subject, &value));
        break;
    case JOB_STRING_LIST:
    case JOB_QUANTITY_LIST:
    case JOB_NUMBER_MAP:
        return check_list(&subject, entry);
    case JOB_OBJECT:
        return cJSON_IsObject(item) ? STATUS_OK : fail_type(&subject, "an object {...}");
    case JOB_ANY:
        return STATUS_OK;
    }
    entry->values = malloc(sizeof *entry->values);
    if (entry->values == NULL)
        return FAIL(STATUS_SYSTEM, "%s: %s: no memory to check it", job->path, entry->key->path);
    entry->values[0] = value;
    entry->count = 1;
    return STATUS_OK;
}

// ---- unknown keys ------------------------------------------------------------------------------

typedef char word_buffer[JOB_WORD_MAX + 1];

// The known names directly under `prefix` ("" = the top), each once, in the order of the tables. Room for one
// per entry.
static size_t collect_children(const struct job *job, const char *prefix, word_buffer *names)
{
    size_t prefix_length = strlen(prefix);
    size_t count = 0;
    for (size_t k = 0; k < job->entry_count; k++) {
        const char *path = job->entries[k].key->path;
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

static const char *last_part(const char *path)
{
    const char *point = strrchr(path, '.');
    return point != NULL ? point + 1 : path;
}

// Writes the path of the known key nearest to the unknown `name` under `prefix`: a sibling, else a key of
// that name elsewhere, else the nearest whole path. False if nothing is near.
static bool suggest_key(const struct job *job, const char *prefix, const char *name, const char *path,
                        word_buffer *names, const char **pointers, char suggestion[JOB_PATH_BYTES])
{
    size_t count = collect_children(job, prefix, names);
    for (size_t k = 0; k < count; k++)
        pointers[k] = names[k];
    const char *nearest = job_nearest_word(name, pointers, count);
    if (nearest != NULL) {
        snprintf(suggestion, JOB_PATH_BYTES, "%s%s%s", prefix, prefix[0] != '\0' ? "." : "", nearest);
        return true;
    }
    for (size_t k = 0; k < job->entry_count; k++)
        pointers[k] = last_part(job->entries[k].key->path);
    nearest = job_nearest_word(name, pointers, job->entry_count);
    if (nearest == NULL) {
        for (size_t k = 0; k < job->entry_count; k++)
            pointers[k] = job->entries[k].key->path;
        nearest = job_nearest_word(path, pointers, job->entry_count);
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
static void list_known(const word_buffer *names, size_t count, char text[LIST_BYTES])
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t k = 0; k < count; k++) {
        if (used + strlen(names[k]) + 8 > LIST_BYTES) {
            snprintf(text + used, LIST_BYTES - used, ", ...");
            return;
        }
        used += (size_t)snprintf(text + used, LIST_BYTES - used, "%s%s", used > 0 ? ", " : "", names[k]);
    }
}

static enum status fail_unknown(const struct job *job, const char *prefix, const char *name, const char *path)
{
    word_buffer *names = calloc(job->entry_count + 1, sizeof *names);
    const char **pointers = calloc(job->entry_count + 1, sizeof *pointers);
    char suggestion[JOB_PATH_BYTES];
    char known[LIST_BYTES];
    enum status status;
    if (names == NULL || pointers == NULL) {
        status = job_fail(job, path, "unknown key");
    } else if (suggest_key(job, prefix, name, path, names, pointers, suggestion)) {
        status = job_fail(job, path, "unknown key (did you mean %s?)", suggestion);
    } else {
        list_known(names, collect_children(job, prefix, names), known);
        status = job_fail(job, path, "unknown key (known here: %s)", known);
    }
    free(pointers);
    free(names);
    return status;
}

// ---- the document ------------------------------------------------------------------------------

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

static enum status fail_not_a_block(const struct job *job, const char *path, const cJSON *item)
{
    word_buffer *names = calloc(job->entry_count + 1, sizeof *names);
    char known[LIST_BYTES] = "";
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
        if (entry != NULL) {
            entry->item = child;
            CHECK(check_value(job, entry, child));
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

static enum status check_required(const struct job *job)
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
    bool is_quantity = key->type == JOB_QUANTITY || key->type == JOB_QUANTITY_LIST;
    if (is_quantity && key->unit == NULL)
        return FAIL(STATUS_SOFTWARE, "table of job keys: %s: a quantity needs a unit", key->path);
    if (key->type == JOB_CHOICE && key->choices == NULL)
        return FAIL(STATUS_SOFTWARE, "table of job keys: %s: a choice needs its choices", key->path);
    if (!(key->minimum <= key->maximum))
        return FAIL(STATUS_SOFTWARE, "table of job keys: %s: the minimum is above the maximum", key->path);
    return STATUS_OK;
}

// The default as JSON: texts stand in the tables as they are, everything else as it would be in the file.
static enum status read_default(const struct job *job, struct job_entry *entry)
{
    const char *text = entry->key->default_value;
    if (text == NULL)
        return STATUS_OK;
    enum job_type type = entry->key->type;
    bool is_text = type == JOB_STRING || type == JOB_CHOICE || type == JOB_QUANTITY || type == JOB_BYTES;
    entry->fallback = is_text ? cJSON_CreateString(text) : cJSON_Parse(text);
    if (entry->fallback == NULL)
        return FAIL(STATUS_SOFTWARE, "table of job keys: %s: the default %s is not JSON", entry->key->path,
                    text);
    enum status status = check_value(job, entry, entry->fallback);
    return status == STATUS_OK
               ? status
               : status_prefix(STATUS_SOFTWARE, "table of job keys: %s: its default", entry->key->path);
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

enum status job_check(struct job *job, const struct job_key_table *tables, size_t table_count)
{
    assert(job != NULL && tables != NULL);
    CHECK(collect_entries(job, tables, table_count));
    CHECK(check_block(job, job->root, ""));
    return check_required(job);
}
