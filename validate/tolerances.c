// The file of tolerances (see tolerances.h).
#include "validate/tolerances.h"

#include "io/json_file.h"
#include "io/suggest.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MAX = 1 << 20 };

struct tolerance_table {
    char path[PATH_BYTES];
    cJSON *json; // owns the texts
    size_t count;
    struct tolerance *entries;
};

static bool read_kind(const char *text, enum validation_kind *kind)
{
    for (int k = 0; k < VALIDATION_KINDS; k++)
        if (strcmp(text, validation_kind_name((enum validation_kind)k)) == 0) {
            *kind = (enum validation_kind)k;
            return true;
        }
    return false;
}

// A text that is there and not empty.
static enum status read_member(const char *path, const cJSON *entry, const char *key, const char **text)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(entry, key);
    if (!cJSON_IsString(item) || !item->valuestring[0])
        return FAIL(STATUS_DATA, "%s: %s: needs \"%s\", a text", path, entry->string, key);
    *text = item->valuestring;
    return STATUS_OK;
}

static enum status read_entry(const char *path, const cJSON *entry, struct tolerance *tolerance)
{
    static const char *const known[] = {"kind", "value", "unit", "source"};
    const char *kind = "";
    if (!cJSON_IsObject(entry))
        return FAIL(STATUS_DATA, "%s: %s: must be an object with kind, value, unit and source", path,
                    entry->string);
    for (const cJSON *item = entry->child; item; item = item->next) {
        bool is_known = false;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            is_known |= strcmp(item->string, known[k]) == 0;
        if (!is_known)
            return FAIL(STATUS_DATA, "%s: %s: unknown key \"%s\" (known: kind, value, unit, source)", path,
                        entry->string, item->string);
    }
    tolerance->name = entry->string;
    CHECK(read_member(path, entry, "kind", &kind));
    CHECK(read_member(path, entry, "unit", &tolerance->unit));
    CHECK(read_member(path, entry, "source", &tolerance->source));
    if (!read_kind(kind, &tolerance->kind))
        return FAIL(STATUS_DATA, "%s: %s: kind \"%s\" is not one of absolute, relative, order, rms, at-least",
                    path, entry->string, kind);
    const bool has_unit = tolerance->kind == VALIDATION_ABSOLUTE || tolerance->kind == VALIDATION_AT_LEAST;
    if (!has_unit && strcmp(tolerance->unit, "1") != 0)
        return FAIL(STATUS_DATA, "%s: %s: a tolerance of the kind %s has the unit \"1\", not \"%s\"", path,
                    entry->string, kind, tolerance->unit);
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(entry, "value");
    if (!cJSON_IsNumber(value) || !isfinite(value->valuedouble) || value->valuedouble < 0)
        return FAIL(STATUS_DATA, "%s: %s: value must be a number that is not negative", path, entry->string);
    tolerance->value = value->valuedouble;
    return STATUS_OK;
}

static enum status read_entries(const cJSON *list, struct tolerance_table *table)
{
    table->entries = calloc((size_t)cJSON_GetArraySize(list), sizeof *table->entries);
    if (!table->entries)
        return FAIL(STATUS_SYSTEM, "%s: not enough memory", table->path);
    for (const cJSON *entry = list->child; entry; entry = entry->next) {
        for (size_t k = 0; k < table->count; k++)
            if (strcmp(table->entries[k].name, entry->string) == 0)
                return FAIL(STATUS_DATA, "%s: %s: is there twice", table->path, entry->string);
        CHECK(read_entry(table->path, entry, &table->entries[table->count]));
        table->count++;
    }
    return STATUS_OK;
}

static enum status parse(struct tolerance_table *table)
{
    CHECK(json_file_read(table->path, FILE_BYTES_MAX, &table->json));
    const cJSON *version = cJSON_GetObjectItemCaseSensitive(table->json, "fathom_tolerances");
    if (!cJSON_IsNumber(version) || version->valuedouble != 1)
        return FAIL(STATUS_DATA, "%s: expected a file of tolerances, with \"fathom_tolerances\": 1",
                    table->path);
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(table->json, "tolerances");
    if (!cJSON_IsObject(list) || !list->child)
        return FAIL(STATUS_DATA, "%s: \"tolerances\" must be an object with one entry for each tolerance",
                    table->path);
    return read_entries(list, table);
}

enum status tolerances_read(const char *path, struct tolerance_table **table)
{
    *table = NULL;
    struct tolerance_table *t = calloc(1, sizeof *t);
    enum status status = t ? STATUS_OK : FAIL(STATUS_SYSTEM, "%s: not enough memory", path);
    if (t) {
        snprintf(t->path, sizeof t->path, "%s", path);
        status = parse(t);
    }
    if (status != STATUS_OK) {
        tolerances_free(t);
        return status;
    }
    *table = t;
    return STATUS_OK;
}

void tolerances_free(struct tolerance_table *table)
{
    if (!table)
        return;
    cJSON_Delete(table->json);
    free(table->entries);
    free(table);
}

enum status tolerances_find(const struct tolerance_table *table, const char *name,
                            const struct tolerance **tolerance)
{
    const char **names = calloc(table->count, sizeof *names);
    for (size_t k = 0; k < table->count; k++) {
        if (names)
            names[k] = table->entries[k].name;
        if (strcmp(table->entries[k].name, name) == 0) {
            *tolerance = &table->entries[k];
            free(names);
            return STATUS_OK;
        }
    }
    const char *nearest = names ? suggest_word(name, names, table->count) : NULL;
    enum status status =
        FAIL(STATUS_DATA, "%s: there is no tolerance \"%s\"%s%s%s", table->path, name,
             nearest ? " (did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?)" : "");
    free(names);
    return status;
}
