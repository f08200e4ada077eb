// Writes one volume as CF-1.8 netCDF-4, plane by plane. Independent of where the planes come from.
#ifndef FATHOM_IO_FORMATS_VOLUME_WRITE_H
#define FATHOM_IO_FORMATS_VOLUME_WRITE_H

#include "core/status.h"
#include "io/formats/nifti_place.h"

#include <stdbool.h>
#include <stddef.h>

enum volume_type { VOLUME_U8, VOLUME_F32, VOLUME_F64 };

struct volume_write {
    const char *path, *variable, *long_name;
    const char *units;                      // NULL: none
    const char *title;                      // NULL: none
    const char *history, *source, *comment; // NULL: none
    // The variable's dimensions in the order of `plane`, slowest first: names, lengths, and coordinates in
    // mm. Descending coordinates are reversed, so that all ascend in the file.
    const char *names[3];
    size_t cells[3];
    double first_mm[3], step_mm[3];
    const struct nifti_place *place; // of the ascending axes in an image; NULL: none
    enum volume_type type;
    bool compress; // shuffle and deflate level 1
    void *context;
    // Writes the cells[1] × cells[2] values of plane k; NaN: missing (not for VOLUME_U8). Called once for
    // each plane k = 0, 1, ..., in this order.
    enum status (*plane)(void *context, size_t k, double *values);
};

// Writes the file under a temporary name, syncs and renames it. On failure nothing is left behind, and an
// existing file stays unchanged. STATUS_DATA, with the position: a label is no whole number from 0 to 255.
// `range` (may be NULL): smallest and largest value.
enum status volume_write_netcdf(const struct volume_write *request, double range[2]);

#endif
