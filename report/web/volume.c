// Volumes of the page: see volume.h.
#include "report/web/volume.h"

#include "io/json_file.h"
#include "report/html.h"

#include <math.h>
#include <stdlib.h>
#include <zlib.h>

uint16_t web_volume_code_of(const struct web_volume_code *code, double value)
{
    const double last = WEB_VOLUME_CODE_INFINITE - 1;
    if (isnan(value))
        return 0;
    if (code->kind == WEB_VOLUME_WHOLE)
        return (uint16_t)fmax(0, fmin(255, round(value)));
    if (isinf(value) && value > 0)
        return WEB_VOLUME_CODE_INFINITE;
    if (code->kind == WEB_VOLUME_LINEAR)
        return (uint16_t)fmax(1, fmin(last, 1 + round((value - code->low) / code->step)));
    if (!(value >= code->low))
        return 1;
    return (uint16_t)fmin(last, 2 + round(log(value / code->low) / code->step));
}

cJSON *web_volume_add(cJSON *data, const char *id)
{
    cJSON *volumes = cJSON_GetObjectItem(data, "volumes");
    if (!volumes)
        volumes = cJSON_AddArrayToObject(data, "volumes");
    cJSON *volume = json_append_object(volumes);
    cJSON_AddStringToObject(volume, "id", id);
    return volume;
}

// To a millionth of a millimetre, so that the text is short.
static void add_lengths(cJSON *field, const char *name, const double lengths_mm[3])
{
    cJSON *list = cJSON_AddArrayToObject(field, name);
    for (int axis = 0; axis < 3; axis++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber(round(1e6 * lengths_mm[axis]) / 1e6));
}

void web_volume_describe(cJSON *field, const struct web_volume_grid *grid, const struct web_volume_code *code)
{
    static const char *const kinds[] = {"linear", "logarithmic", "whole"};
    cJSON *cells = cJSON_AddArrayToObject(field, "cells");
    for (int axis = 0; axis < 3; axis++)
        cJSON_AddItemToArray(cells, cJSON_CreateNumber((double)grid->cells[axis]));
    add_lengths(field, "first_mm", grid->first_mm);
    add_lengths(field, "step_mm", grid->step_mm);
    cJSON *codes = cJSON_AddObjectToObject(field, "code");
    cJSON_AddStringToObject(codes, "kind", kinds[code->kind]);
    if (code->kind == WEB_VOLUME_WHOLE)
        return;
    cJSON_AddNumberToObject(codes, "low", code->low);
    cJSON_AddNumberToObject(codes, "step", code->step);
}

// ---- compression

static void split(const struct web_volume_code *code, const float *values, size_t count, unsigned char *bytes)
{
    uint16_t before = 0;
    for (size_t k = 0; k < count; k++) {
        const uint16_t now = web_volume_code_of(code, (double)values[k]);
        const uint16_t difference = (uint16_t)(now - before);
        // 0, −1, 1, −2, … become 0, 1, 2, 3, …: small differences then have no high byte.
        const uint16_t sign = difference & 0x8000u ? 0xffffu : 0;
        const uint16_t word = (uint16_t)((unsigned)difference << 1 ^ sign);
        bytes[k] = (unsigned char)(word & 255);
        bytes[count + k] = (unsigned char)(word >> 8);
        before = now;
    }
}

enum status web_volume_text(const struct web_volume_code *code, const float *values, size_t count,
                            char **text)
{
    enum { EFFORT = 6 };
    uLongf packed_bytes = compressBound((uLong)(2 * count));
    unsigned char *bytes = malloc(2 * count + 1), *packed = malloc(packed_bytes);
    *text = NULL;
    if (bytes && packed) {
        split(code, values, count, bytes);
        if (compress2(packed, &packed_bytes, bytes, (uLong)(2 * count), EFFORT) == Z_OK)
            *text = malloc(html_base64_bytes(packed_bytes) + 1);
    }
    if (*text)
        (*text)[html_base64(packed, packed_bytes, *text)] = '\0';
    free(bytes);
    free(packed);
    return *text ? STATUS_OK
                 : FAIL(STATUS_SYSTEM, "report: not enough memory for %zu cells of the page", count);
}
