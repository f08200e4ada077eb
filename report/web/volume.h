// A volume of the page in a form that its script (volume.js) draws in three planes: fields of whole numbers
// ("codes") with stated precision, compressed, as JSON. Axes are x, y, z; positions are in mm. Independent of
// what is shown. The form of the JSON: docs/report.md, "The page's data".
#ifndef FATHOM_REPORT_WEB_VOLUME_H
#define FATHOM_REPORT_WEB_VOLUME_H

#include "core/status.h"

#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdint.h>

// The cells of a field: cell (i, j, k) has its middle at first_mm + (i, j, k) · step_mm; x runs fastest.
struct web_volume_grid {
    size_t cells[3];
    double first_mm[3], step_mm[3];
};

// How values become codes. Code 0: no value (NaN).
//   LINEAR: value = low + step (code − 1), rounded to the nearest code
//   LOG:    value = low · exp(step (code − 2)), the same; code 1: anything below low
//   WHOLE:  value = code (labels, grey levels), 0 … 255; NaN is 0
// Code 65535 of the first two: an infinite value; a finite one beyond the codes has the last but one.
enum web_volume_kind { WEB_VOLUME_LINEAR, WEB_VOLUME_LOG, WEB_VOLUME_WHOLE };
struct web_volume_code {
    enum web_volume_kind kind;
    double low, step; // step > 0; LOG: low > 0
};
enum { WEB_VOLUME_CODE_INFINITE = 65535 };
uint16_t web_volume_code_of(const struct web_volume_code *code, double value);

// Adds a volume to data.volumes and returns it. `id` names its place in the page.
cJSON *web_volume_add(cJSON *data, const char *id);

// Adds the grid and the code of a field to its object.
void web_volume_describe(cJSON *field, const struct web_volume_grid *grid,
                         const struct web_volume_code *code);

// The values as text (free): codes as differences from the code before (the first: from 0), modulo 65536,
// with the sign in the lowest bit; the low bytes of all, then the high bytes; deflated (zlib, RFC 1950);
// base64. STATUS_SYSTEM: no memory.
enum status web_volume_text(const struct web_volume_code *code, const float *values, size_t count,
                            char **text);

#endif
