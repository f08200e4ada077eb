// Values of settings (see the header).
#include "batch/value.h"

#include "io/units.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- memory ------------------------------------------------------------------------------------

struct batch_pool {
    struct batch_pool *next;
    alignas(max_align_t) char bytes[];
};

void *batch_pool_take(struct batch_pool **pool, size_t bytes)
{
    struct batch_pool *block = malloc(sizeof *block + bytes);
    if (!block)
        return NULL;
    block->next = *pool;
    *pool = block;
    return block->bytes;
}

char *batch_pool_text(struct batch_pool **pool, const char *text)
{
    const size_t bytes = strlen(text) + 1;
    char *copy = batch_pool_take(pool, bytes);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

void batch_pool_free(struct batch_pool **pool)
{
    while (*pool) {
        struct batch_pool *next = (*pool)->next;
        free(*pool);
        *pool = next;
    }
}

// ---- one value ---------------------------------------------------------------------------------

const char *batch_number_text(double value, char text[static 32])
{
    static const double exact_max = 9007199254740992.0; // 2^53
    if (value != floor(value) || fabs(value) > exact_max)
        return job_number_text(value, text);
    snprintf(text, 32, "%.0f", value + 0.0); // −0 and 0 are one number
    return text;
}

static enum status fail_memory(const struct job *document, const char *where)
{
    return FAIL(STATUS_SYSTEM, "%s: %s: no memory to read it", job_path(document), where);
}

// cJSON may print 15 digits where a double needs 17 to be read back exactly.
static bool make_numbers_raw(cJSON *item)
{
    if (cJSON_IsNumber(item)) {
        char text[32];
        item->valuestring = cJSON_malloc(sizeof text);
        if (!item->valuestring)
            return false;
        strcpy(item->valuestring, batch_number_text(item->valuedouble, text));
        item->type = (item->type & ~0xFF) | cJSON_Raw;
    }
    for (cJSON *child = item->child; child; child = child->next)
        if (!make_numbers_raw(child))
            return false;
    return true;
}

enum status batch_value_text(const struct job *document, const char *where, cJSON *value,
                             struct batch_pool **pool, const char **text)
{
    char *printed = make_numbers_raw(value) ? cJSON_PrintUnformatted(value) : NULL;
    if (!printed)
        return fail_memory(document, where);
    const size_t length = strlen(printed);
    char size[24], limit[24];
    *text = length <= BATCH_VALUE_BYTES_MAX ? batch_pool_text(pool, printed) : "";
    cJSON_free(printed);
    if (length > BATCH_VALUE_BYTES_MAX)
        return job_fail(document, where, "the value is too long, by %s: the limit is %s",
                        units_format_bytes((double)(length - BATCH_VALUE_BYTES_MAX), size, sizeof size),
                        units_format_bytes(BATCH_VALUE_BYTES_MAX, limit, sizeof limit));
    return *text ? STATUS_OK : fail_memory(document, where);
}

// ---- numbers and quantities --------------------------------------------------------------------

enum status batch_quantity_read(const struct job *job, const char *key, double *value,
                                char unit[BATCH_UNIT_BYTES])
{
    const cJSON *item = job_json(job, key);
    *value = (double)NAN;
    unit[0] = '\0';
    if (!item)
        return STATUS_OK;
    if (cJSON_IsNumber(item)) {
        *value = item->valuedouble;
        return STATUS_OK;
    }
    const char *text = cJSON_GetStringValue(item);
    char *end = NULL;
    if (text)
        *value = strtod(text, &end);
    const bool is_decimal = text && end != text && isfinite(*value) && !strpbrk(text, "xX");
    if (!is_decimal)
        return job_fail(job, key, "a number, or text with a number and a unit, is expected");
    snprintf(unit, BATCH_UNIT_BYTES, "%s", end + strspn(end, " "));
    if (unit[0] == '\0')
        return job_fail(job, key, "\"%.40s\" has no unit; write a number without quotes, or add a unit",
                        text);
    double converted; // an unknown unit is found here, not by each run
    CHECK_KEY(job, key, units_parse_quantity(text, unit, &converted));
    return STATUS_OK;
}

// "the unit "km"", "no unit"
static const char *name_unit(const char *unit, char *text, size_t bytes)
{
    snprintf(text, bytes, "%s%s%s", unit[0] ? "the unit \"" : "no unit", unit, unit[0] ? "\"" : "");
    return text;
}

enum status batch_quantity_same(const struct job *job, const char *key, const char *unit,
                                const char *first_key, const char *first_unit)
{
    char mine[BATCH_UNIT_BYTES + 16], first[BATCH_UNIT_BYTES + 16];
    if (strcmp(unit, first_unit) == 0)
        return STATUS_OK;
    return job_fail(job, key, "has %s, but \"%s\" has %s; use one unit", name_unit(unit, mine, sizeof mine),
                    first_key, name_unit(first_unit, first, sizeof first));
}

enum status batch_quantity_write(const struct job *document, const char *where, double value,
                                 const char *unit, struct batch_pool **pool, const char **text)
{
    char number[32], whole[32 + BATCH_UNIT_BYTES];
    snprintf(whole, sizeof whole, "%s%s%s", batch_number_text(value, number), unit[0] ? " " : "", unit);
    cJSON *item = unit[0] ? cJSON_CreateString(whole) : cJSON_CreateRaw(whole);
    if (!item)
        return fail_memory(document, where);
    const enum status status = batch_value_text(document, where, item, pool, text);
    cJSON_Delete(item);
    return status;
}
