// Writes a volume, or volumes over time, as a NIfTI-1 file (.nii, or .nii.gz through zlib), plane by plane.
// Independent of where the planes come from.
//
// The affine is written as sform, and as qform too where it is a rotation with spacings (a quaternion holds
// no shear); or both forms are written as they are given. Lengths are in mm, times in s; the numbers are
// little-endian; the header is that of the format's description (nifti1.h, R. W. Cox et al., 2003;
// https://nifti.nimh.nih.gov/nifti-1).
#ifndef FATHOM_IO_NIFTI_WRITE_H
#define FATHOM_IO_NIFTI_WRITE_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

enum nifti_write_type {
    NIFTI_WRITE_U8,  // labels: whole numbers from 0 to 255, not scaled; missing: 0
    NIFTI_WRITE_F32, // missing: NaN
    NIFTI_WRITE_I16  // a value is intercept + slope · a whole number; missing: the value 0
};

struct nifti_write {
    const char *path;    // ends in .nii or .nii.gz
    size_t cells[3];     // along i, j, k: 1 … 32767 each
    size_t records;      // in time, 1 … 32767; 1: no time axis
    double affine[3][4]; // x (right), y (front), z (up) in mm of cell (i, j, k, 1)
    int code;            // sform_code and qform_code (1: scanner); 0: spacings alone, no position
    bool has_forms;      // the codes differ, or the qform is another: they take the place of `code`
    int sform_code, qform_code;
    double qform[3][4];     // at right angles
    double first_s, step_s; // times of the records; for records > 1
    enum nifti_write_type type;
    double slope, intercept; // of NIFTI_WRITE_I16: nifti_write_scale
    const char *name;        // of the values, and ...
    const char *description; // what made them; both are cut to the header's fields
    void *context;
    // Fills in the cells[0] × cells[1] values [j][i] of plane k of a record; NaN: missing. Called once for
    // each plane of each record, in order.
    enum status (*plane)(void *context, size_t record, size_t k, double *values);
};

// Whether a name ends in .nii or .nii.gz, in any case.
bool nifti_write_is_name(const char *path);

// The scale of NIFTI_WRITE_I16 for values from `low` to `high` and 0, which stands for missing ones.
void nifti_write_scale(double low, double high, double *slope, double *intercept);

// Writes PATH.part, syncs and renames it; on failure nothing is left behind, and an existing file stays.
// STATUS_CONFIGURATION: more cells than the format has numbers for. STATUS_DATA, with the position: a value
// that the type cannot hold. STATUS_CANNOT_CREATE, STATUS_IO (a full disk).
enum status nifti_write_file(const struct nifti_write *request);

#endif
