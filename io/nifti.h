// Volumes in NIfTI-1 files (.nii, .nii.gz), as magnetic resonance scanners and segmentation programs write
// them: header, axes, and values one plane after another. Independent of the meaning of the values.
//
// Facts of the format: its public header description (nifti1.h, R. W. Cox et al., 2003;
// https://nifti.nimh.nih.gov/nifti-1).
#ifndef FATHOM_IO_NIFTI_H
#define FATHOM_IO_NIFTI_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

struct nifti;

enum { NIFTI_I, NIFTI_J, NIFTI_K, NIFTI_AXES };

struct nifti_info {
    const char *path;
    size_t cells[NIFTI_AXES]; // i runs fastest in the file
    size_t records;           // volumes one after another (the fourth dimension)
    const char *type;         // "uint8", "float32"
    bool is_integer;          // whole numbers as stored, and not scaled
    // The position of cell (0, 0, 0), and the step to the next cell, in mm: x to the patient's right, y to
    // the front, z up.
    // "sform", "qform", or "pixdim": spacings alone, without position and orientation. Then i is taken to run
    // to the left, j to the front, k up, about the middle of the image, as nibabel does.
    const char *placed_by;
    int code;                       // sform_code or qform_code: 1 scanner, 2 aligned, 3, 4 atlases; 0: pixdim
    double origin_mm[3];            // x, y, z
    double step_mm[NIFTI_AXES][3];  // x, y, z of a step along i, j, k
    int axis[NIFTI_AXES];           // the axis x, y, z nearest to each step: 0, 1, 2, each once
    double spacing_mm[NIFTI_AXES];  // length of the step; negative towards smaller x, y, z
    int sform_code, qform_code;     // as the header has them; 0: none
    double qform_mm[3][4];          // rows x, y, z of (i, j, k, 1) by the qform; without one the image's own
    double largest_angle_degree;    // between a step and its axis: not 0 if slices were tilted
    char name[17], description[81]; // of the values and of the file, as the header has them; "": none
};

// Whether the file begins like a NIfTI-1 file, compressed or not; false if it cannot be opened.
bool nifti_is(const char *path);

// Opens the file, reads and checks the header. STATUS_NO_INPUT. STATUS_DATA: it is no NIfTI-1 file, or one of
// two parts (.hdr and .img), its type of numbers is not supported, or its sizes are impossible.
enum status nifti_open(const char *path, struct nifti **file);
void nifti_close(struct nifti *file); // NULL: does nothing
const struct nifti_info *nifti_info(const struct nifti *file);

// Moves to a record (after nifti_open: 0), from which planes are then read. STATUS_DATA: the file ends before
// it.
enum status nifti_select(struct nifti *file, size_t record);

// Reads the next plane k, values [j][i], scaled by the header. STATUS_DATA: the file ends in it, or is
// damaged; after a record's last plane also if gzip's checksum, which ends the file, is missing or wrong.
enum status nifti_read_plane(struct nifti *file, double *values);

// Reads the selected record as it is stored into memory of its own, nifti_held_bytes, until nifti_close, so
// that its values can be read in any order. STATUS_DATA as nifti_read_plane; STATUS_SYSTEM: no memory.
enum status nifti_hold(struct nifti *file);
size_t nifti_held_bytes(const struct nifti *file);

// After nifti_hold: the values at count cells of the record, cell `first` + n·`stride` of [k][j][i], scaled.
void nifti_held_values(const struct nifti *file, size_t first, ptrdiff_t stride, size_t count,
                       double *values);

#endif
