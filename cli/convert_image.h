// `fathom convert VOLUME.nc OUT.nii[.gz]`: a variable over z, y, x, or over time as well, from netCDF to
// NIfTI-1, in the image's axes where the file was made of one. Uses io only.
#ifndef FATHOM_CLI_CONVERT_IMAGE_H
#define FATHOM_CLI_CONVERT_IMAGE_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

struct convert_image {
    const char *path, *output;
    const char *variable; // NULL: there must be only one volume
    const char *time;     // "30 s": of the record; NULL: `record` decides
    int64_t record;       // −1: all of them
    bool is_label, is_value, is_int16, as_json;
};

enum status convert_image(const struct convert_image *request);

#endif
