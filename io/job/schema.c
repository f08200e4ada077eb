// The tables of job keys as a JSON Schema (draft-07, which editors know best): types, words, ranges, defaults
// and meaning of each key, and no other key. Uses the tables, and no job and no key by name but the version
// and the model.
//
// What a schema cannot say stays with the job's own check: whether a unit measures the right thing, whether a
// quantity lies in its range (the description states it), and which keys exclude each other.
#include "io/job/private.h"

#include "io/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char draft[] = "http://json-schema.org/draft-07/schema#";
// A number and a unit, as io/units.h reads them: "1e5" is a number, not one of a unit e5. %s: what the unit
// must not be.
static const char quantity_pattern[] =
    "^\\s*[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?\\s*(?![eE][-+]?[0-9])%s([^-+0-9.,\\s]|1/).*$";
static const char bytes_pattern[] =
    "^ *[0-9]+\\.?[0-9]*([eE][-+]?[0-9]+)? *(B|bytes?|[kK]B|[MGTP]B|[kKMGTP]iB) *$";
static const char part_name_pattern[] = "^[A-Za-z][A-Za-z0-9_-]{0,23}$";

// Kinds of quantities, as definitions to which keys refer. All units that measure a kind are far too many for
// a pattern (prefixes, compounds): the commonest ones of the other kinds are refused.
static const struct kind {
    const char *name, *unit, *words;
} kinds[] = {
    {"time", "s", "s|sec|seconds?|min|mins|minutes?|h|hr|hrs|hours?|d|days?|ms"},
    {"length", "m", "m|km|cm|mm|met(re|er)s?|kilomet(re|er)s?|ft|nmi"},
    {"angle", "degree", "degrees?|degs?|arcmin|arcsec|arcminutes?|arcseconds?"},
    {"quantity", NULL, NULL},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

// One key of an object in the making: its path within that object.
struct row {
    const char *path;
    const struct job_key *key;
};

struct rows {
    struct row *rows;
    size_t count;
    bool may_inherit; // null takes a value away
};

// ---- small pieces

static cJSON *typed(const char *type)
{
    cJSON *schema = cJSON_CreateObject();
    cJSON_AddStringToObject(schema, "type", type);
    return schema;
}

static cJSON *words_of(const char *choices)
{
    char word[SUGGEST_WORD_MAX + 1];
    cJSON *schema = cJSON_CreateObject(), *words = cJSON_AddArrayToObject(schema, "enum");
    for (const char *position = choices; job_next_choice(&position, word);)
        cJSON_AddItemToArray(words, cJSON_CreateString(word));
    return schema;
}

static cJSON *any_of(cJSON *first, cJSON *second)
{
    cJSON *schema = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(schema, "anyOf");
    cJSON_AddItemToArray(list, first);
    cJSON_AddItemToArray(list, second);
    return schema;
}

static cJSON *number_of(const struct job_key *key, const char *type)
{
    cJSON *schema = typed(type);
    const bool is_limited = key->minimum != 0.0 || key->maximum != 0.0;
    if (is_limited && key->minimum == key->maximum) {
        cJSON_AddNumberToObject(schema, "const", key->minimum);
        return schema;
    }
    if (is_limited && isfinite(key->minimum))
        cJSON_AddNumberToObject(schema, "minimum", key->minimum);
    if (is_limited && isfinite(key->maximum))
        cJSON_AddNumberToObject(schema, "maximum", key->maximum);
    return schema;
}

static cJSON *text_of(const struct job_key *key)
{
    if (key->choices != NULL)
        return words_of(key->choices);
    cJSON *schema = typed("string");
    if (key->required)
        cJSON_AddNumberToObject(schema, "minLength", 1);
    return schema;
}

// A reference to the kind that a unit belongs to. In a list, so that a key may have a description beside it.
static cJSON *kind_of(const char *unit)
{
    size_t k = 0;
    char reference[48];
    while (k + 1 < KINDS && (unit == NULL || strcmp(unit, kinds[k].unit) != 0))
        k++;
    snprintf(reference, sizeof reference, "#/definitions/%s", kinds[k].name);
    cJSON *schema = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(schema, "allOf"),
          *entry = cJSON_CreateObject();
    cJSON_AddStringToObject(entry, "$ref", reference);
    cJSON_AddItemToArray(list, entry);
    return schema;
}

static void add_kinds(cJSON *definitions)
{
    for (size_t k = 0; k < KINDS; k++) {
        char others[400] = "", pattern[800];
        for (size_t j = 0; j + 1 < KINDS; j++)
            if (j != k && kinds[k].unit != NULL)
                snprintf(others + strlen(others), sizeof others - strlen(others), "(?!(%s)\\s*$)",
                         kinds[j].words);
        snprintf(pattern, sizeof pattern, quantity_pattern, others);
        cJSON *kind = cJSON_AddObjectToObject(definitions, kinds[k].name);
        cJSON_AddStringToObject(kind, "type", "string");
        cJSON_AddStringToObject(kind, "pattern", pattern);
    }
}

static cJSON *quantity_of(const struct job_key *key)
{
    cJSON *schema = kind_of(key->unit);
    if (key->unit != NULL && strcmp(key->unit, "1") == 0)
        schema = any_of(number_of(key, "number"), schema);
    return key->choices != NULL ? any_of(words_of(key->choices), schema) : schema;
}

static cJSON *list_of(cJSON *entry)
{
    cJSON *schema = typed("array");
    cJSON_AddItemToObject(schema, "items", entry);
    return schema;
}

// A key whose owner checks it: its forms, "text|object".
static cJSON *forms_of(const struct job_key *key)
{
    static const struct {
        const char *form, *type;
    } types[] = {{"text", "string"}, {"number", "number"}, {"integer", "integer"},
                 {"list", "array"},  {"object", "object"}, {"quantity", NULL}};
    char word[SUGGEST_WORD_MAX + 1];
    cJSON *schema = cJSON_CreateObject();
    if (key->choices == NULL)
        return schema;
    cJSON *list = cJSON_AddArrayToObject(schema, "anyOf");
    for (const char *position = key->choices; job_next_choice(&position, word);) {
        for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
            if (strcmp(types[k].form, word) != 0)
                continue;
            cJSON_AddItemToArray(list, types[k].type != NULL ? typed(types[k].type) : kind_of(NULL));
        }
    }
    return schema;
}

static cJSON *value_of(const struct job_key *key)
{
    cJSON *schema;
    switch (key->type) {
    case JOB_STRING:
    case JOB_CHOICE:
        return text_of(key);
    case JOB_BOOLEAN:
        return typed("boolean");
    case JOB_INTEGER:
        return number_of(key, "integer");
    case JOB_NUMBER:
        return number_of(key, "number");
    case JOB_QUANTITY:
    case JOB_DIFFERENCE:
        return quantity_of(key);
    case JOB_REDUCED:
        return any_of(number_of(key, "number"), quantity_of(key));
    case JOB_STRING_LIST:
        return list_of(text_of(key));
    case JOB_QUANTITY_LIST:
        return list_of(quantity_of(key));
    case JOB_NUMBER_MAP:
        schema = typed("object");
        cJSON_AddItemToObject(schema, "additionalProperties", number_of(key, "number"));
        return schema;
    case JOB_BYTES:
        schema = typed("string");
        cJSON_AddStringToObject(schema, "pattern", bytes_pattern);
        return schema;
    default:
        return forms_of(key);
    }
}

// ---- what an editor shows

static void add_examples(cJSON *schema, const char *unit)
{
    static const struct {
        const char *unit, *examples[2];
    } common[] = {{"s", {"10 s", "24 h"}}, {"m", {"10 m", "5 km"}}, {"degree", {"30 degree", "4 arcmin"}}};
    char text[64];
    cJSON *examples = cJSON_AddArrayToObject(schema, "examples");
    for (size_t k = 0; k < sizeof common / sizeof *common; k++)
        for (size_t j = 0; j < 2 && strcmp(unit, common[k].unit) == 0; j++)
            cJSON_AddItemToArray(examples, cJSON_CreateString(common[k].examples[j]));
    snprintf(text, sizeof text, "1 %s", unit);
    if (cJSON_GetArraySize(examples) == 0)
        cJSON_AddItemToArray(examples, cJSON_CreateString(text));
}

static void describe(cJSON *schema, const struct job_key *key)
{
    const bool is_bare = key->type == JOB_INTEGER || key->type == JOB_NUMBER,
               has_unit = key->unit != NULL && strcmp(key->unit, "1") != 0;
    char limits[JOB_LIMITS_BYTES], text[1200];
    job_limits_text(key, limits);
    const char *comma = has_unit && limits[0] != '\0' ? ": " : "";
    if (has_unit || (limits[0] != '\0' && !is_bare))
        snprintf(text, sizeof text, "%s [%s%s%s%s]", key->help != NULL ? key->help : "",
                 has_unit ? "quantity in " : "", has_unit ? key->unit : "", comma, limits);
    else
        snprintf(text, sizeof text, "%s", key->help != NULL ? key->help : "");
    cJSON_AddStringToObject(schema, "description", text);
    if (has_unit && (key->type == JOB_QUANTITY || key->type == JOB_DIFFERENCE))
        add_examples(schema, key->unit);
}

static void add_default(cJSON *schema, const struct job_key *key)
{
    const enum job_type type = key->type;
    const bool is_text = type == JOB_STRING || type == JOB_CHOICE || type == JOB_QUANTITY ||
                         type == JOB_DIFFERENCE || type == JOB_BYTES;
    if (key->default_value != NULL)
        cJSON_AddItemToObject(schema, "default",
                              is_text ? cJSON_CreateString(key->default_value)
                                      : cJSON_Parse(key->default_value));
}

// ---- objects

static bool fill_object(cJSON *schema, const struct rows *all, const char *prefix, const struct job_key *key);

// The named objects of a key of type JOB_PARTS: keys of the whole job that a part may have, and its own.
static cJSON *parts_of(const struct rows *all, const struct job_key *key)
{
    const size_t length = strlen(key->path);
    struct rows within = {calloc(all->count + 1, sizeof(struct row)), 0, key->choices[0] != '\0'};
    cJSON *schema = typed("object"), *names = cJSON_AddObjectToObject(schema, "propertyNames");
    cJSON_AddStringToObject(names, "pattern", part_name_pattern);
    for (size_t k = 0; k < all->count && within.rows != NULL; k++) {
        const char *path = all->rows[k].key->path, *below = job_path_below(path, key->path);
        if (below != NULL && strncmp(below, ".NAME.", 6) == 0)
            within.rows[within.count++] = (struct row){path + length + 6, all->rows[k].key};
        else if (job_path_listed(path, key->choices, false))
            within.rows[within.count++] = (struct row){path, all->rows[k].key};
    }
    (void)fill_object(cJSON_AddObjectToObject(schema, "additionalProperties"), &within, "", NULL);
    free(within.rows);
    return schema;
}

static bool is_known(const cJSON *properties, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(properties, name) != NULL;
}

static const struct job_key *key_at(const struct rows *all, const char *path)
{
    for (size_t k = 0; k < all->count; k++)
        if (strcmp(all->rows[k].path, path) == 0)
            return all->rows[k].key;
    return NULL;
}

static cJSON *member_of(const struct rows *all, const char *path, bool *is_required)
{
    const struct job_key *key = key_at(all, path);
    const bool is_block = key == NULL || key->type == JOB_OBJECT;
    cJSON *schema = is_block                 ? cJSON_CreateObject()
                    : key->type == JOB_PARTS ? parts_of(all, key)
                                             : value_of(key);
    *is_required = is_block ? fill_object(schema, all, path, key) : key->required;
    if (all->may_inherit)
        schema = any_of(schema, typed("null"));
    if (!is_block) {
        describe(schema, key);
        add_default(schema, key);
    }
    return schema;
}

// The object at `prefix` ("": the top). Returns whether a job must have it: a block that is not in the tables
// itself is required if one of its keys is.
static bool fill_object(cJSON *schema, const struct rows *all, const char *prefix, const struct job_key *key)
{
    const size_t length = strlen(prefix);
    cJSON_AddStringToObject(schema, "type", "object");
    if (key != NULL)
        describe(schema, key);
    cJSON *properties = cJSON_AddObjectToObject(schema, "properties"), *required = cJSON_CreateArray();
    for (size_t k = 0; k < all->count; k++) {
        const char *below = length == 0 ? all->rows[k].path : job_path_below(all->rows[k].path, prefix);
        char path[JOB_PATH_BYTES], name[SUGGEST_WORD_MAX + 1];
        below = below != NULL && *below == '.' ? below + 1 : below;
        if (below == NULL || *below == '\0' || strstr(below, "NAME.") != NULL)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(below, "."), below);
        if (is_known(properties, name))
            continue;
        bool needs_it = false;
        snprintf(path, sizeof path, "%s%s%s", prefix, length > 0 ? "." : "", name);
        cJSON_AddItemToObject(properties, name, member_of(all, path, &needs_it));
        if (needs_it && !all->may_inherit)
            cJSON_AddItemToArray(required, cJSON_CreateString(name));
    }
    const bool has_required = cJSON_GetArraySize(required) > 0;
    if (has_required)
        cJSON_AddItemToObject(schema, "required", required);
    else
        cJSON_Delete(required);
    cJSON_AddItemToObject(cJSON_AddObjectToObject(schema, "patternProperties"), JOB_COMMENT_PATTERN,
                          cJSON_CreateBool(1));
    cJSON_AddBoolToObject(schema, "additionalProperties", 0);
    return key != NULL ? key->required : has_required;
}

// ---- the whole

static void fill_model(cJSON *schema, const struct job_schema_model *model)
{
    size_t count = 0;
    struct rows all = {0};
    for (size_t t = 0; t < model->table_count; t++)
        count += model->tables[t].count;
    all.rows = calloc(count + 1, sizeof *all.rows);
    for (size_t t = 0; t < model->table_count && all.rows != NULL; t++) {
        for (size_t k = 0; k < model->tables[t].count; k++) {
            const struct job_key *key = job_row_to_show(model->tables, model->table_count, t, k);
            if (key != NULL)
                all.rows[all.count++] = (struct row){key->path, key};
        }
    }
    (void)fill_object(schema, &all, "", NULL);
    cJSON *properties = cJSON_GetObjectItemCaseSensitive(schema, "properties"),
          *name = cJSON_GetObjectItemCaseSensitive(properties, "model"),
          *editor = cJSON_AddObjectToObject(properties, "$schema");
    cJSON_AddStringToObject(name, "const", model->name);
    cJSON_AddStringToObject(editor, "type", "string");
    cJSON_AddStringToObject(editor, "description", "this schema, for the editor; the program ignores it");
    free(all.rows);
}

// The schema of all models: which one a job has to follow depends on its `model`.
static void fill_choice(cJSON *root, cJSON *definitions, const struct job_schema_model *models, size_t count)
{
    cJSON_AddStringToObject(root, "type", "object");
    cJSON *properties = cJSON_AddObjectToObject(root, "properties"),
          *name = cJSON_AddObjectToObject(properties, "model"), *words = cJSON_AddArrayToObject(name, "enum"),
          *required = cJSON_AddArrayToObject(root, "required"),
          *cases = cJSON_AddArrayToObject(root, "allOf");
    cJSON_AddItemToArray(required, cJSON_CreateString("fathom"));
    cJSON_AddItemToArray(required, cJSON_CreateString("model"));
    for (size_t k = 0; k < count; k++) {
        char reference[80];
        cJSON *one = cJSON_CreateObject(), *condition = cJSON_AddObjectToObject(one, "if"),
              *then = cJSON_AddObjectToObject(one, "then"),
              *tested = cJSON_AddObjectToObject(condition, "properties"),
              *value = cJSON_AddObjectToObject(tested, "model");
        snprintf(reference, sizeof reference, "#/definitions/%s", models[k].name);
        cJSON_AddItemToArray(words, cJSON_CreateString(models[k].name));
        cJSON_AddStringToObject(value, "const", models[k].name);
        cJSON_AddStringToObject(then, "$ref", reference);
        cJSON_AddItemToArray(cases, one);
        fill_model(cJSON_AddObjectToObject(definitions, models[k].name), &models[k]);
    }
}

enum status job_schema(FILE *stream, const struct job_schema_model *models, size_t count)
{
    cJSON *root = cJSON_CreateObject();
    char title[80];
    snprintf(title, sizeof title, "Fathom: a job%s%s", count == 1 ? " of the model " : "",
             count == 1 ? models[0].name : "");
    cJSON_AddStringToObject(root, "$schema", draft);
    cJSON_AddStringToObject(root, "title", title);
    cJSON *definitions = cJSON_CreateObject();
    add_kinds(definitions);
    if (count == 1)
        fill_model(root, &models[0]);
    else
        fill_choice(root, definitions, models, count);
    cJSON_AddItemToObject(root, "definitions", definitions);
    char *text = utf8_print_json(root);
    cJSON_Delete(root);
    if (text == NULL)
        return FAIL(STATUS_SYSTEM, "no memory for the schema of a job");
    fprintf(stream, "%s\n", text);
    cJSON_free(text);
    return STATUS_OK;
}
