// The layout of a variable of a netCDF or HDF5 file over (time,) z, y, x: the role of each dimension, the
// direction of its coordinates, and the positions of cells in planes that were read. Shared by
// io/formats/volume.h and io/netcdf/field_file.h; independent of the values and their meaning.
//
// The role of a dimension follows from CF (units, standard_name, axis) or from its name; those of unknown
// role are taken in the order (time,) z, y, x. Surplus dimensions of length 1 are ignored; a variable without
// z has one plane. Cells are counted along ascending coordinates, whichever way the file has them.
//
// Not thread-safe (netCDF-C is not).
#ifndef FATHOM_IO_NETCDF_VOLUME_LAYOUT_H
#define FATHOM_IO_NETCDF_VOLUME_LAYOUT_H

#include "core/status.h"
#include "io/netcdf/dataset.h"

#include <stdbool.h>
#include <stddef.h>

enum { VOLUME_Z, VOLUME_Y, VOLUME_X, VOLUME_AXES };

// What is expected of time: no axis, or one of length 1; any; an axis.
enum volume_time { VOLUME_WITHOUT_TIME, VOLUME_ANY_TIME, VOLUME_OVER_TIME };

struct volume_layout {
    struct dataset *file;
    const struct dataset_variable *variable;
    int time, dimension[VOLUME_AXES]; // which of the file's dimensions; −1: the variable has no such axis
    size_t cells[VOLUME_AXES];        // 1 where there is no such axis
    bool is_reversed[VOLUME_AXES];    // the coordinate descends: found by volume_layout_coordinate
};

// `variable` NULL: the only one of the file that has this shape. STATUS_NO_INPUT. STATUS_DATA: the variable
// is missing or has another shape; the message lists the variables of the file.
enum status volume_layout_open(const char *path, const char *variable, enum volume_time time,
                               struct volume_layout *layout);
void volume_layout_close(struct volume_layout *layout); // all zero, or after a failure, is fine

// The coordinates along an axis as the file has them, in a new array (free); finds out their direction.
// Without any, *coordinate and *values are NULL.
enum status volume_layout_coordinate(struct volume_layout *layout, int axis,
                                     const struct dataset_variable **coordinate, double **values,
                                     size_t *count);

// The block of a record that netCDF-C reads in one call: planes z … z + planes − 1 (counted along ascending
// coordinates), or cells start … start + count − 1 along each axis. In it, cell (z, y, x) is at first +
// z·stride[0] + y·stride[1] + x·stride[2].
struct volume_block {
    size_t start[DATASET_RANK_MAX], count[DATASET_RANK_MAX];
    ptrdiff_t first, stride[VOLUME_AXES];
};

struct volume_block volume_layout_block(const struct volume_layout *layout, size_t record, size_t z,
                                        size_t planes);
struct volume_block volume_layout_part(const struct volume_layout *layout, size_t record,
                                       const size_t start[VOLUME_AXES], const size_t count[VOLUME_AXES]);

// The order of the cells of another file, which a file without coordinates follows: axis a runs along what is
// axis from[a] by the file's own order, against it if reversed.
struct volume_turn {
    int from[VOLUME_AXES];
    bool is_reversed[VOLUME_AXES];
};

// Turns the axes of a layout so; its cells, too.
void volume_layout_turn(struct volume_layout *layout, const struct volume_turn *turn);

// Whether the cells of a block are in the order [z][y][x] as they are read.
bool volume_layout_is_plain(const struct volume_layout *layout);

#endif
