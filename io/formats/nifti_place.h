// How a grid of cells along x, y, z lies in the NIfTI image from which it was read: the image's affine, and
// which voxel each cell is. netCDF files keep it as global attributes, so that results can be written over
// the image again (io/formats/nifti_export.h):
//
//   nifti_affine  12 numbers, 3 rows of 4 (slowest the row): x (right), y (front), z (up) in mm of voxel
//                 (i, j, k, 1) of the image
//   nifti_shape   the image's cells along i, j, k
//   nifti_axes    which axis of the image (0 i, 1 j, 2 k) runs along x, y, z
//   nifti_first   the image's index of cell (0, 0, 0), along the axes of x, y, z
//   nifti_step    voxels from a cell to the next along x, y, z; negative where the image's index descends
//   nifti_code    the image's sform_code or qform_code; 0: it states spacings alone, no position
//   nifti_forms   both codes, sform_code and qform_code
//   nifti_qform   12 numbers as nifti_affine, by the qform alone; without a qform those of nifti_affine
//
// The last two may be missing: both forms are then nifti_affine.
// All are stored as double. Independent of the values of the cells.
#ifndef FATHOM_IO_FORMATS_NIFTI_PLACE_H
#define FATHOM_IO_FORMATS_NIFTI_PLACE_H

#include "core/status.h"
#include "core/stream.h"
#include "io/netcdf/dataset.h"
#include "io/nifti.h"

#include <stdbool.h>
#include <stddef.h>

// x, y, z are 0, 1, 2 here, as in the attributes.
struct nifti_place {
    double affine[3][4];
    double shape[3], axes[3], first[3], step[3]; // whole numbers
    double code;
    double forms[2], qform[3][4]; // sform_code, qform_code
};

// Beyond this angle between slices and the axes x, y, z a program warns.
#define NIFTI_PLACE_TILT_DEGREE 0.1

// The grid of the whole image along ascending x, y, z.
void nifti_place_of(const struct nifti_info *info, struct nifti_place *place);

// The part that begins at cell `first` (x, y, z) and takes every `stride`-th.
void nifti_place_crop(struct nifti_place *place, const size_t first[3], const size_t stride[3]);

// Position (mm) of a cell of the grid along an axis that is called by its nearest direction, as the grid's
// coordinates have it, also of tilted slices; and the (positive) spacing.
double nifti_place_first_mm(const struct nifti_place *place, int axis);
double nifti_place_spacing_mm(const struct nifti_place *place, int axis);
double nifti_place_tilt_degree(const struct nifti_place *place);

// The affine of the image that has only the grid's cells, with its axes in the order and direction of the
// image: cells[a] along its axis a, of the grid's cells[x, y, z].
void nifti_place_image(const struct nifti_place *place, const size_t grid[3], size_t cells[3],
                       double affine[3][4]);
// The same by the image's qform alone.
void nifti_place_qform(const struct nifti_place *place, const size_t grid[3], double affine[3][4]);

// The unit vectors of the grid's steps along its x, y, z: direction[row][axis], rows x (right), y (front), z
// (up); and the position (mm) of the image's voxel (0, 0, 0), at which distances along the slices
// (nifti_place_first_mm) and positions are the same.
void nifti_place_directions(const struct nifti_place *place, double direction[3][3], double pivot_mm[3]);

// The largest distance (mm) between the positions of a corner of the image by its sform and by its qform; 0
// unless it has both.
double nifti_place_forms_apart_mm(const struct nifti_place *place);

// The largest deviation (degrees) of the angle between two of the image's axes from 90.
double nifti_place_shear_degree(const struct nifti_place *place);

// Whether the image can be a model's domain. STATUS_DATA: its axes are sheared by more than 1 degree, or its
// cells are not 0.01 to 100 mm long.
enum status nifti_place_check(const struct nifti_place *place, const char *path);

// What a user must know of an image's place: its orientation is unknown; sform and qform contradict each
// other; its slices are tilted. One warning each.
void nifti_place_warn(const struct nifti_place *place, const char *path);

// Whether the grid is the whole image.
bool nifti_place_is_whole(const struct nifti_place *place, const size_t grid[3]);

// The attributes, whose numbers stay in `place`. Returns how many.
enum { NIFTI_PLACE_ATTRIBUTES = 8 };
void nifti_place_attributes(const struct nifti_place *place,
                            struct stream_attribute attributes[NIFTI_PLACE_ATTRIBUTES]);

// Reads them from a file. *has is false if there are none. STATUS_DATA: some are missing, or they contradict
// each other.
enum status nifti_place_read(const struct dataset *file, struct nifti_place *place, bool *has);

#endif
