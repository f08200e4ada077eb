// One value of a job against its key's rules: type, unit, range, choices; to numbers in the key's unit.
// Independent of the names of keys and of the document around the value.
#include "io/job/private.h"

#include "io/units.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
static const char *choice_list(const char *choices, char text[JOB_LIST_BYTES])
{
    char word[SUGGEST_WORD_MAX + 1];
    size_t used = 0;
    text[0] = '\0';
    for (const char *position = choices; job_next_choice(&position, word) && job_list_add(text, &used, word);)
        continue;
    return text;
}

static bool is_choice(const char *choices, const char *text)
{
    char word[SUGGEST_WORD_MAX + 1];
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
    char words[CHOICES_MAX][SUGGEST_WORD_MAX + 1];
    const char *pointers[CHOICES_MAX];
    size_t count = 0;
    for (const char *position = subject->key->choices;
         count < CHOICES_MAX && job_next_choice(&position, words[count]); count++)
        pointers[count] = words[count];
    char shown[JOB_SHOWN_BYTES + 4];
    char list[JOB_LIST_BYTES];
    const char *nearest = suggest_word(subject->item->valuestring, pointers, count);
    job_shown(subject->item->valuestring, shown);
    choice_list(subject->key->choices, list);
    if (nearest != NULL)
        return job_fail(subject->job, subject->where, "\"%s\" is not %s: %s (did you mean %s?)", shown,
                        expected, list, nearest);
    return job_fail(subject->job, subject->where, "\"%s\" is not %s: %s", shown, expected, list);
}

// The key with its limits in the unit that the job gives, where only a factor lies between it and the key's:
// "800 km is out of range: 0 to 750 km".
static struct job_key in_given_unit(const struct subject *subject)
{
    struct job_key key = *subject->key;
    const char *text = cJSON_GetStringValue(subject->item);
    double *const limits[] = {&key.minimum, &key.maximum};
    double slope, offset;
    char *unit = NULL, shown[32];
    if (!text || !key.unit || key.type == JOB_BYTES)
        return key;
    (void)strtod(text, &unit);
    unit += strspn(unit, " ");
    if (!unit[0] || strcmp(unit, key.unit) == 0)
        return key;
    if (units_conversion(unit, key.unit, &slope, &offset) != STATUS_OK)
        status_clear();
    else if (offset == 0 && slope > 0) {
        for (size_t k = 0; k < 2; k++) {
            snprintf(shown, sizeof shown, "%.6g", *limits[k] / slope);
            *limits[k] = strtod(shown, NULL);
        }
        key.unit = unit;
    }
    return key;
}

static enum status check_range(const struct subject *subject, double value, const char *shown)
{
    const struct job_key *key = subject->key;
    bool is_limited = key->minimum != 0.0 || key->maximum != 0.0;
    if (!is_limited || (value >= key->minimum && value <= key->maximum))
        return STATUS_OK;
    char limits[JOB_LIMITS_BYTES];
    const struct job_key given = in_given_unit(subject);
    const bool is_bare = key->type == JOB_REDUCED && cJSON_IsNumber(subject->item);
    bool has_unit = given.unit != NULL && strcmp(given.unit, "1") != 0 && !is_bare;
    const char *unit = has_unit ? given.unit : key->type == JOB_BYTES ? "byte" : "";
    // The least of most keys is shown as "more than 0", which would not be true of a value between.
    job_limits_text(&given, limits);
    if (value > 0 && value < key->minimum && strncmp(limits, "more than 0", 11) == 0)
        snprintf(limits, sizeof limits, "at least %g", given.minimum);
    return job_fail(subject->job, subject->where, "%s is out of range: %s%s%s is expected", shown, limits,
                    unit[0] != '\0' ? " " : "", unit);
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

// A number from 0 to 1 may be written as "30 %".
static bool is_share(const struct job_key *key)
{
    return key->type == JOB_NUMBER && key->minimum == 0 && key->maximum == 1;
}

static bool is_percentage(const char *text)
{
    return isdigit((unsigned char)text[0]) && (strchr(text, '%') || strstr(text, "percent"));
}

static enum status check_number(const struct subject *subject, double *value)
{
    bool is_integer = subject->key->type == JOB_INTEGER;
    const char *noun = is_integer ? "a whole number" : "a number";
    const char *text = cJSON_GetStringValue(subject->item);
    char *end = NULL;
    if (text != NULL && isdigit((unsigned char)text[text[0] == '-' ? 1 : 0]) &&
        isfinite(strtod(text, &end)) && *end == '\0') {
        const double given = strtod(text, NULL);
        if (is_share(subject->key) && given > 1 && given <= 100)
            return job_fail(
                subject->job, subject->where,
                "text is given; a number from 0 to 1 is expected: write \"%.40s %%\", or %g without "
                "quotes",
                text, given / 100);
        return job_fail(subject->job, subject->where,
                        "text is given; %s is expected: write %.40s without quotes", noun, text);
    }
    if (text != NULL && is_share(subject->key) && is_percentage(text)) {
        char percent[JOB_SHOWN_BYTES + 4];
        CHECK_KEY(subject->job, subject->where, units_parse_quantity(text, "1", value));
        return check_range(subject, *value, job_shown(text, percent));
    }
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
        return fail_type(subject, key->type == JOB_REDUCED ? "a number, or text with a number and a unit,"
                                                           : "text with a number and a unit");
    else if (key->choices != NULL && isalpha((unsigned char)text[0]))
        return fail_choice(subject, "a quantity with a unit nor one of");
    CHECK_KEY(subject->job, subject->where,
              key->type == JOB_DIFFERENCE ? units_parse_difference(text, key->unit, value)
                                          : units_parse_quantity(text, key->unit, value));
    char shown[JOB_SHOWN_BYTES + 4];
    return check_range(subject, *value, job_shown(text, shown));
}

static enum status check_reduced(const struct subject *subject, double *value)
{
    char shown[32];
    if (!cJSON_IsNumber(subject->item))
        return check_quantity(subject, value);
    *value = subject->item->valuedouble;
    return check_range(subject, *value, job_number_text(*value, shown));
}

static enum status check_bytes(const struct subject *subject, double *value)
{
    const char *text = cJSON_GetStringValue(subject->item);
    char number[32], shown[JOB_SHOWN_BYTES + 4];
    if (cJSON_IsNumber(subject->item))
        return job_fail(subject->job, subject->where,
                        "%s has no unit; write for instance \"2 GB\" or \"512 MiB\"",
                        job_number_text(subject->item->valuedouble, number));
    if (text == NULL)
        return fail_type(subject, "text with a number and a unit, as in \"2 GB\" or \"512 MiB\",");
    job_shown(text, shown);
    CHECK_KEY(subject->job, subject->where, units_parse_bytes(text, value));
    return check_range(subject, *value, shown);
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

// Names become parts of file names, hence what they may hold. The content of a part is checked when it is
// opened.
static enum status check_parts(const struct subject *subject)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char others[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    char shown[JOB_SHOWN_BYTES + 4];
    if (!cJSON_IsObject(subject->item))
        return fail_type(subject, "an object of named objects, {\"NAME\": {...}},");
    for (const cJSON *child = subject->item->child; child != NULL; child = child->next) {
        const size_t length = strlen(child->string);
        job_shown(child->string, shown);
        if (length == 0 || length > JOB_PART_NAME_MAX || strchr(letters, child->string[0]) == NULL ||
            strspn(child->string, others) != length)
            return job_fail(
                subject->job, subject->where,
                "\"%s\" is not a name: a letter, then letters, digits, - and _, %d in all at most", shown,
                JOB_PART_NAME_MAX);
        if (!cJSON_IsObject(child))
            return job_fail(subject->job, subject->where, "%s: %s is given; an object {...} is expected",
                            shown, job_value_noun(child));
    }
    return STATUS_OK;
}

enum status job_check_value(const struct job *job, struct job_entry *entry, const cJSON *item)
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
    case JOB_DIFFERENCE:
        CHECK(check_quantity(&subject, &value));
        break;
    case JOB_REDUCED:
        CHECK(check_reduced(&subject, &value));
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
    case JOB_PARTS:
        return check_parts(&subject);
    case JOB_ANY:
        return STATUS_OK;
    case JOB_ABSENT:
        return job_fail(job, subject.where, "is not a key of model %s: %s", job_model(job), entry->key->help);
    }
    entry->values = malloc(sizeof *entry->values);
    if (entry->values == NULL)
        return FAIL(STATUS_SYSTEM, "%s: %s: no memory to check it", job->path, entry->key->path);
    entry->values[0] = value;
    entry->count = 1;
    return STATUS_OK;
}
