// A variable of a netCDF file over (time,) z, y, x as a NIfTI-1 file: in the axes and the affine of the image
// of which the file was made (nifti_place.h), else of its coordinates, x to the right, y to the front, z
// up. Reads and writes plane by plane; its memory is a few planes, NIFTI_EXPORT_BYTES at most unless one
// plane is larger.
#ifndef FATHOM_IO_FORMATS_NIFTI_EXPORT_H
#define FATHOM_IO_FORMATS_NIFTI_EXPORT_H

#include "core/status.h"
#include "io/nifti_write.h"

#include <stdbool.h>
#include <stdint.h>

enum { NIFTI_EXPORT_BYTES = 32 << 20 };

struct nifti_export {
    const char *path, *output; // output ends in .nii or .nii.gz
    const char *variable;      // NULL: the only volume of the file
    const char *name;          // of the values in the header; NULL: the variable's
    const char *description;   // what made the file, in the header
    int64_t record;            // −1: all
    double time_s;             // of the record; NAN: `record` decides
    enum nifti_write_type type;
    bool chooses_type; // labels as such if the variable is called label, else single precision
};

// What was written.
struct nifti_export_result {
    char variable[64], units[64];
    size_t cells[3], records;
    double affine[3][4];
    double low, high; // of the values; low > high: all are missing
    enum nifti_write_type type;
    bool has_image; // the affine is that of an image
};

// STATUS_NO_INPUT, STATUS_DATA: as volume_open; there is no such time (the message has the nearest);
// coordinates without a unit of length. And those of nifti_write_file. `result` may be NULL.
enum status nifti_export_file(const struct nifti_export *request, struct nifti_export_result *result);

#endif
