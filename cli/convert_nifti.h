// `fathom convert IN.nii[.gz] OUT.nc`: a volume of labels or of values from NIfTI-1 to CF netCDF-4. Uses io
// only.
#ifndef FATHOM_CLI_CONVERT_NIFTI_H
#define FATHOM_CLI_CONVERT_NIFTI_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

struct convert_nifti {
    const char *path, *output;
    const char *variable; // name in OUT.nc; NULL: "label" or "value"
    const char *units;    // NULL: none
    const char *history;
    int64_t record; // −1: there must be only one
    bool is_label, is_double, compress, as_json;
};

enum status convert_nifti(const struct convert_nifti *request);

#endif
