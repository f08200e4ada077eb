// Writes a map as GeoTIFF: one band of float32, in tiles, deflated, missing values NaN (stated as GDAL's no-
// data value). A pixel is the cell around a node: its centre is the node. Independent of models.
#ifndef FATHOM_IO_GEO_GEOTIFF_H
#define FATHOM_IO_GEO_GEOTIFF_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

struct geo_tiff {
    const char *path;
    size_t nx, ny;
    // Of the south-western node, and the spacings (above 0): degrees, or metres on a plane.
    double x_first, x_step, y_first, y_step;
    bool is_geographic;                         // EPSG:4326 unless `crs` says another
    int crs;                                    // EPSG code; 0: none on a plane
    const char *description, *units, *software; // each may be NULL
    void *context;
    // Provides row `row` (0 = southernmost): nx values. Called for the northernmost first.
    enum status (*row)(void *context, size_t row, double *values);
};

// Writes under another name, syncs, renames. On failure nothing is left behind and an existing file is
// unchanged. STATUS_CANNOT_CREATE: the file cannot be created, or a build without GeoTIFF; STATUS_IO: writing
// failed; STATUS_DATA: a value is infinite. Memory: one row of tiles.
enum status geo_tiff_write(const struct geo_tiff *map);

// Most bytes of the file on the disk, and of memory while it is written.
double geo_tiff_file_bytes(size_t nx, size_t ny);

#endif
