// Volumes in NIfTI-1 files (.nii, .nii.gz), as magnetic resonance scanners and segmentation programs write
// them: header, axes, and values one plane after another. Independent of what the values mean.
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
    // Where cell (0, 0, 0) lies, and the way to the next cell, in mm: x to the right, y to the front, z up
    // (of the patient).
    const char *placed_by;         // "sform", "qform", or "pixdim": spacings alone, the place not known
    double origin_mm[3];           // x, y, z
    double step_mm[NIFTI_AXES][3]; // x, y, z of a step along i, j, k
    int axis[NIFTI_AXES];          // which of x, y, z a step mostly goes along: 0, 1, 2, each once
    double spacing_mm[NIFTI_AXES]; // length of the step, negative if it goes towards smaller x, y, z
    double largest_angle_degree;   // between a step and its axis: not 0 where slices were tilted
};

// Whether the file begins as a NIfTI-1 file does, compressed or not. A file that cannot be opened does not.
bool nifti_is(const char *path);

// Opens the file, reads and checks the header. STATUS_NO_INPUT; STATUS_DATA: no such file, one of two parts
// (.hdr and .img), numbers of a kind that is not supported, impossible sizes.
enum status nifti_open(const char *path, struct nifti **file);
void nifti_close(struct nifti *file); // NULL: does nothing
const struct nifti_info *nifti_info(const struct nifti *file);

// Goes to a record (0 is where the file is opened), from which planes are then read. STATUS_DATA: the file
// ends before it.
enum status nifti_select(struct nifti *file, size_t record);

// The next plane k, values [j][i], scaled by the header. STATUS_DATA: the file ends in it, or is
// damaged.
enum status nifti_read_plane(struct nifti *file, double *values);

#endif
