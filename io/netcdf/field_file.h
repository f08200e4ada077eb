// A field over z, y, x, and over time if it has records, in a netCDF or HDF5 file. It is read record by
// record into a dense array [z][y][x] of single or double precision. Independent of what the field means. Not
// thread-safe (netCDF-C is not). Opening allocates; reading does not, except netCDF-C's chunk cache
// (cache_bytes).
//
// io/netcdf/volume_layout.h decides which dimension of the file is z, y, x or time.
#ifndef FATHOM_IO_NETCDF_FIELD_FILE_H
#define FATHOM_IO_NETCDF_FIELD_FILE_H

#include "core/element.h"
#include "core/status.h"
#include "io/netcdf/volume_layout.h"

#include <stdbool.h>
#include <stddef.h>

enum field_axis { FIELD_TIME, FIELD_Z, FIELD_Y, FIELD_X, FIELD_AXES };

struct field_file_info {
    const char *path, *variable;
    const char *units;          // "" where the file states none
    size_t lengths[FIELD_AXES]; // time: number of records, 1 where there is no such axis
    bool is_slow;               // x is not the file's fastest axis: read plane by plane, with strides
    size_t slab_planes;         // planes read at a time: whole chunks, if these are compressed
    size_t cache_bytes;         // most that netCDF-C keeps of its chunks and converts at a time: for the plan
    size_t scratch_bytes;       // of field_file_read's argument `scratch`; 0 = none
    size_t records_a_chunk;     // above 1 and compressed: a chunk may be read so many times
    bool is_cache_short;        // ... because so many records do not fit into the largest cache
};

struct field_file;

// `variable` NULL: the only one of the file that has these axes. `element`: the type of the array into which
// it will be read, ELEMENT_F32 or ELEMENT_F64. Missing → STATUS_NO_INPUT; damaged, no such variable, other
// axes, not plain numbers → STATUS_DATA.
enum status field_file_open(const char *path, const char *variable, bool has_records, enum element element,
                            struct field_file **file);
// Whether a coordinate with a unit of length says which way an axis runs; if none does, another order of its
// cells (io/netcdf/volume_layout.h). STATUS_IO, ...: as field_file_open.
bool field_file_is_placed(const struct field_file *file);
enum status field_file_turn(struct field_file *file, const struct volume_turn *turn);

void field_file_close(struct field_file *file); // NULL: does nothing
const struct field_file_info *field_file_info(const struct field_file *file);

// Multiplies all values that are read from now on by `scale`, after the file's own scale_factor and
// add_offset. 1 unless set.
void field_file_set_scale(struct field_file *file, double scale);

// Reads the numbers along one axis into a new array (free), in `unit` ("s", "m"; of "UNIT since DATE" the
// UNIT): those of `variable`, or if that is NULL, of the coordinate variable. *values is NULL if there is
// none. `unit_given`, if not NULL, replaces the unit that the file states.
enum status field_file_line(const struct field_file *file, enum field_axis axis, const char *variable,
                            const char *unit_given, const char *unit, double **values, size_t *count);

// The name of that variable and the units that the file states, each "" if the file has none. The texts
// belong to `file`.
enum status field_file_line_units(const struct field_file *file, enum field_axis axis, const char *variable,
                                  const char **name, const char **units);

// What was wrong with a record. Reading fails without a message: a caller that reads ahead reports the
// failure when the record is needed.
struct field_fault {
    enum { FIELD_VALID, FIELD_SHORT, FIELD_UNREADABLE, FIELD_INVALID } kind;
    int code; // netCDF-C's
    size_t record, z, y, x;
    double value;
    long long bytes, bytes_expected; // of a file that has become shorter
};

// Reads a record into values [z][y][x]. Every value must be finite, not missing, within the file's
// valid range, and not beyond 1e30 in size. False: see `fault`.
bool field_file_read(struct field_file *file, size_t record, void *values, void *scratch,
                     struct field_fault *fault);

// The same for planes z … z + planes − 1 alone, planes ≤ info.slab_planes; values [planes][y][x].
bool field_file_read_planes(struct field_file *file, size_t record, size_t z, size_t planes, void *values,
                            void *scratch, struct field_fault *fault);

// Fails with the message of the fault: STATUS_DATA, or the status of netCDF-C's code. `time_s` NaN: the
// records have no times.
enum status field_file_fail(const struct field_file *file, const struct field_fault *fault, double time_s);

#endif
