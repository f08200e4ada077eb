// Slips of unit sources as JSON and as text: see slips.h.
#include "models/tsunami/forecast/slips.h"

#include "io/json_file.h"
#include "io/path.h"
#include "io/suggest.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MAX = 4 << 20, FORM = 1 };

void slips_free(struct slip_list *list)
{
    free(list->slips);
    *list = (struct slip_list){0};
}

// One more slip; `about` begins the message of what is wrong with it.
static enum status add_slip(struct slip_list *list, const char *name, double slip_m, enum status wrong,
                            const char *about)
{
    if (name[0] == '\0' || strlen(name) >= SLIPS_NAME_BYTES)
        return FAIL(wrong, "%s: \"%.80s\" is not a name of a unit source: expected 1 to %d characters", about,
                    name, SLIPS_NAME_BYTES - 1);
    if (!(fabs(slip_m) <= SLIPS_LARGEST_M))
        return FAIL(wrong, "%s: %s: a slip of %g m: expected a number from %g to %g", about, name, slip_m,
                    -SLIPS_LARGEST_M, SLIPS_LARGEST_M);
    for (size_t k = 0; k < list->count; k++)
        if (strcmp(list->slips[k].name, name) == 0)
            return FAIL(wrong, "%s: %s appears twice", about, name);
    if (list->count == SLIPS_MAX)
        return FAIL(wrong, "%s: more than %d slips", about, SLIPS_MAX);
    struct slip *slip = &list->slips[list->count++];
    snprintf(slip->name, sizeof slip->name, "%s", name);
    slip->slip_m = slip_m;
    return STATUS_OK;
}

static enum status reserve(struct slip_list *list, const char *about)
{
    *list = (struct slip_list){.slips = calloc(SLIPS_MAX, sizeof(struct slip))};
    return list->slips ? STATUS_OK : FAIL(STATUS_SYSTEM, "%s: no memory for a list of slips", about);
}

// ---- JSON

static enum status check_document(const cJSON *document, const char *path)
{
    static const char *const known[] = {"fathom_slips", "title", "comment", "slips", "fit"};
    const size_t count = sizeof known / sizeof *known;
    if (!cJSON_IsObject(document))
        return FAIL(STATUS_DATA,
                    "%s: expected an object, {\"fathom_slips\": 1, \"slips\": {\"kisza26\": 26.3}}", path);
    const char *unknown = json_unknown_key(document, known, count);
    if (unknown) {
        const char *nearest = suggest_word(unknown, known, count);
        return FAIL(STATUS_DATA, "%s: unknown key \"%s\"%s%s%s", path, unknown,
                    nearest ? " (did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?)" : "");
    }
    const cJSON *form = cJSON_GetObjectItemCaseSensitive(document, "fathom_slips");
    if (!cJSON_IsNumber(form) || form->valuedouble != FORM)
        return FAIL(STATUS_DATA, "%s: expected \"fathom_slips\": %d", path, FORM);
    return STATUS_OK;
}

static enum status take_number(const cJSON *object, const char *key, const char *path, double *value)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (item && (!cJSON_IsNumber(item) || !isfinite(item->valuedouble)))
        return FAIL(STATUS_DATA, "%s: fit: %s: expected a number", path, key);
    *value = item ? item->valuedouble : 0;
    return STATUS_OK;
}

static enum status read_fit(const cJSON *fit, const char *path, struct slip_list *list)
{
    const cJSON *station;
    double shift_s = 0;
    CHECK(take_number(fit, "far_field_depth_m", path, &list->far_field_depth_m));
    CHECK(take_number(fit, "delay_s", path, &list->delay_s));
    cJSON_ArrayForEach(station, cJSON_GetObjectItemCaseSensitive(fit, "stations"))
    {
        CHECK(take_number(station, "shift_s", path, &shift_s));
        list->has_shifts |= shift_s != 0;
    }
    return STATUS_OK;
}

static enum status read_document(const cJSON *document, const char *path, struct slip_list *list)
{
    CHECK(check_document(document, path));
    const cJSON *slips = cJSON_GetObjectItemCaseSensitive(document, "slips"), *item;
    if (!cJSON_IsObject(slips) || !slips->child)
        return FAIL(STATUS_DATA,
                    "%s: \"slips\": expected an object of at least one unit source with its slip in m", path);
    CHECK(reserve(list, path));
    cJSON_ArrayForEach(item, slips)
    {
        if (!cJSON_IsNumber(item))
            return FAIL(STATUS_DATA, "%s: slips.%.80s: expected a number, the slip in m", path, item->string);
        CHECK(add_slip(list, item->string, item->valuedouble, STATUS_DATA, path));
    }
    return read_fit(cJSON_GetObjectItemCaseSensitive(document, "fit"), path, list);
}

enum status slips_read(const char *path, struct slip_list *list)
{
    cJSON *document;
    *list = (struct slip_list){0};
    CHECK(json_file_read(path, FILE_BYTES_MAX, &document));
    const enum status status = read_document(document, path, list);
    cJSON_Delete(document);
    if (status != STATUS_OK)
        slips_free(list);
    return status;
}

enum status slips_write(const char *path, const struct slip_list *list, const char *title,
                        const struct cJSON *fit)
{
    cJSON *document = cJSON_CreateObject();
    cJSON_AddNumberToObject(document, "fathom_slips", FORM);
    if (title)
        cJSON_AddStringToObject(document, "title", title);
    cJSON *slips = cJSON_AddObjectToObject(document, "slips");
    for (size_t k = 0; k < list->count; k++)
        cJSON_AddNumberToObject(slips, list->slips[k].name, list->slips[k].slip_m);
    if (fit)
        cJSON_AddItemToObject(document, "fit", cJSON_Duplicate(fit, true));
    const enum status status =
        slips && (size_t)cJSON_GetArraySize(slips) == list->count
            ? json_file_write(path, document)
            : FAIL(STATUS_SYSTEM, "%s: no memory for a list of %zu slips", path, list->count);
    cJSON_Delete(document);
    return status;
}

// ---- text

// One "NAME=SLIP", which is cut.
static enum status parse_pair(char *text, const char *about, struct slip_list *list)
{
    char *equals = strchr(text, '='), *end = NULL;
    const double slip_m = equals ? strtod(equals + 1, &end) : 0;
    if (!equals || end == equals + 1 || *end != '\0')
        return FAIL(STATUS_USAGE, "%s: \"%.80s\": expected NAME=SLIP with a number in m, as in kisza26=26.3",
                    about, text);
    *equals = '\0';
    return add_slip(list, text, slip_m, STATUS_USAGE, about);
}

enum status slips_parse(const char *text, const char *about, struct slip_list *list)
{
    *list = (struct slip_list){0};
    char *copy = strdup(text), *rest = copy;
    enum status status =
        copy ? reserve(list, about) : FAIL(STATUS_SYSTEM, "%s: no memory for a list of slips", about);
    while (status == STATUS_OK && rest)
        status = parse_pair(strsep(&rest, ","), about, list);
    free(copy);
    if (status != STATUS_OK)
        slips_free(list);
    return status;
}

enum status slips_take(const char *text, const char *about, struct slip_list *list)
{
    char path[PATH_BYTES];
    *list = (struct slip_list){0};
    if (strchr(text, '='))
        return slips_parse(text, about, list);
    CHECK_ABOUT(path_find(text, NULL, path), "%s", about);
    return slips_read(path, list);
}
