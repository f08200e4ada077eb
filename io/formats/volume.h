// A volume in a netCDF or HDF5 file (MATLAB's v7.3 too): one variable over z, y, x in any order, or over y,
// x. Its coordinates give the positions of the cells. It is read plane by plane as [z][y][x]. Independent of
// the meaning of the values. io/netcdf/volume_layout.h finds which dimension is which.
//
// Or a NIfTI-1 image (io/nifti.h): its axes are named by their nearest directions, x to the right, y to the
// front, z up. It is held in memory in its own type of numbers (volume_cache_bytes) from volume_open on,
// because its planes need not lie along z, and a compressed file cannot be read in any order.
//
// Coordinates may descend: planes are returned as if they ascended. They must be even to
// VOLUME_EVEN_TOLERANCE of their spacing.
//
// Not thread-safe (netCDF-C is not).
#ifndef FATHOM_IO_FORMATS_VOLUME_H
#define FATHOM_IO_FORMATS_VOLUME_H

#include "core/status.h"
#include "io/formats/nifti_place.h"
#include "io/netcdf/volume_layout.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VOLUME_EVEN_TOLERANCE 1e-3

struct volume;

struct volume_info {
    const char *path, *variable;
    const char *units; // of the values, "" = the file states none
    size_t cells[VOLUME_AXES];
    size_t records; // in time; 1 without a time axis
    // From the coordinates, in m. False for an axis without a coordinate or without units, and for the
    // spacing of an axis with a single cell.
    bool has_origin[VOLUME_AXES], has_spacing[VOLUME_AXES];
    double origin_m[VOLUME_AXES], spacing_m[VOLUME_AXES];
    char coordinate[VOLUME_AXES][64]; // their names; "" without one
};

// Opens the file and reads the header and the coordinates. `variable` NULL: the only volume in it. `record`
// −1: a time axis must have length 1. STATUS_NO_INPUT. STATUS_DATA: the variable is missing or is no volume
// (the message lists the variables of the file); the coordinates are uneven (with the index), not finite, or
// in units that are no lengths; an image has sheared axes, or cells of an impossible size
// (nifti_place_check).
enum status volume_open(const char *path, const char *variable, int64_t record, struct volume **volume);
void volume_close(struct volume *volume); // NULL: does nothing
const struct volume_info *volume_info(const struct volume *volume);

// The memory that netCDF may use for the file's chunks while it is read, or that holds the image.
size_t volume_cache_bytes(const struct volume *volume);
bool volume_is_image(const struct volume *volume);

// Whether anything says which way its axes run: an image's sform or qform, coordinates with a unit of length.
bool volume_is_placed(const struct volume *volume);

// The order of its cells in its file, from the grid's; of an image by its voxels i, j, k.
void volume_order(const struct volume *volume, struct volume_turn *turn);

// Of one that is not placed: its cells in another order than ascending. An image counts as i along x, j along
// y, k along z before.
void volume_turn(struct volume *volume, const struct volume_turn *turn);

// How the volume lies in the NIfTI image that it is, or of which it was made (nifti_place.h). False: it
// was not made of one, or what the file says of it does not fit its coordinates (then a warning says so).
bool volume_place(const struct volume *volume, struct nifti_place *place);

// The times of the records in s, as differences from the date that the units state, in a new array (free) of
// info.records entries. NULL: no time coordinate. STATUS_DATA: it has no units of time.
enum status volume_times(struct volume *volume, double **times_s);

// Reads the planes z = first … first + count − 1 into values [count][y][x]; `scratch` has the same size.
// Values are unpacked. Those that are missing or outside the valid range become NaN; infinite values are
// kept, and the caller decides about them. Allocates nothing itself.
enum status volume_read(struct volume *volume, size_t first, size_t count, double *values, double *scratch);

// The same of another record, cells start … start + count − 1 along z, y, x.
enum status volume_read_part(struct volume *volume, size_t record, const size_t start[VOLUME_AXES],
                             const size_t count[VOLUME_AXES], double *values, double *scratch);

// STATUS_DATA unless the two have the same cells, and the same positions where both state them.
enum status volume_check_alike(const struct volume *volume, const struct volume *other);

// The same for a grid; `origin_m` NULL: it may lie anywhere. `name` is the grid's, for the message: "the
// domain".
enum status volume_check_grid(const struct volume *volume, const char *name, const size_t cells[VOLUME_AXES],
                              const double spacing_m[VOLUME_AXES], const double *origin_m);

#endif
