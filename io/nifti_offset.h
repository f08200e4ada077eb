// Where the cells of one NIfTI image lie among those of another. Independent of values.
#ifndef FATHOM_IO_NIFTI_OFFSET_H
#define FATHOM_IO_NIFTI_OFFSET_H

#include "io/nifti.h"

// Between slices that are turned against each other by more, the cells of one do not lie along the other's.
#define NIFTI_SAME_DIRECTION_DEGREE 0.1

// Unit vectors along ascending x, y, z (direction[axis][row]), and the position (mm) of the first cell in
// that order.
struct nifti_frame {
    double direction[3][3], corner_mm[3];
};

// Of each image those cells are meant that ascend along x, y, z, its axes named by the nearest direction.
// *angle_degree: the largest between an axis of one and the same of the other. offset_mm: how far the first
// cell of `image` lies from that of `base` along the axes of `base`, in the order x, y, z.
void nifti_offset(const struct nifti_info *image, const struct nifti_info *base, double offset_mm[3],
                  double *angle_degree);

// The same for files. STATUS_NO_INPUT, STATUS_DATA as nifti_open.
enum status nifti_offset_of_files(const char *image, const char *base, double offset_mm[3],
                                  double *angle_degree);

// The same of a file against the cells of a grid that lies so in the scanner.
enum status nifti_offset_of_file(const char *image, const struct nifti_frame *base, double offset_mm[3],
                                 double *angle_degree);

// The angle (degree) between the axes of an image and x, y, z.
enum status nifti_tilt_of_file(const char *path, double *angle_degree);

#endif
