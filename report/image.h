// Images for pages, as data URIs of lossless WebP (libwebp): a map's values with one pixel each, and pictures
// (PNG, read by libpng), of which WebP needs little more than half the bytes. Independent of what is shown.
#ifndef FATHOM_REPORT_IMAGE_H
#define FATHOM_REPORT_IMAGE_H

#include "core/status.h"

#include <stddef.h>
#include <stdint.h>

enum { WEB_IMAGE_COLOURS_MAX = 128 };

// Colours as 0xAARRGGBB; colour 0 is transparent.
struct image_palette {
    size_t count; // with colour 0
    uint32_t argb[WEB_IMAGE_COLOURS_MAX];
};

// A palette of `steps` colours between those of a list ("#rrggbb", as in report/style.h), at equal steps;
// colour 0 precedes them. steps < WEB_IMAGE_COLOURS_MAX.
struct image_palette image_palette_of(const char *const *colours, size_t count, size_t steps);

// Writes the image of nx × ny colours, indices[j·nx + i], j from south to north as in struct result_map, as
// "data:image/webp;base64,…" to *uri (free). STATUS_SYSTEM: no memory; STATUS_SOFTWARE: libwebp refuses (more
// than 16383 pixels a side).
enum status image_uri(const unsigned char *indices, size_t nx, size_t ny, const struct image_palette *palette,
                      char **uri);

// The same of a PNG file. STATUS_IO: it cannot be read or is damaged.
enum status image_of_png(const char *path, char **uri);

// Pixels of a PNG file, 0xAARRGGBB, rows from the top (free). STATUS_IO, STATUS_SYSTEM.
enum status image_read_png(const char *path, uint32_t **argb, int *width_px, int *height_px);

#endif
