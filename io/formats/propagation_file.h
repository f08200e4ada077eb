// One quantity of a propagating tsunami over time, latitude and longitude: eta, u or v of the program's own
// fields.nc, or HA, UA, VA as in the files of NOAA's propagation database (one quantity a file: NAME_ha.nc,
// NAME_ua.nc, NAME_va.nc). Independent of unit sources. Not thread-safe (netCDF-C is not).
//
// NOAA's files, and others like them, have this form: netCDF classic, TIME unlimited, HA(TIME, LAT, LON) in
// CENTIMETERS, UA and VA in CENTIMETERS/SECOND, TIME in SECONDS since the event without a date, LON from 0 to
// 360 degrees_east, LAT with uneven spacing, missing_value -1e34 on land. A file that is read may have any
// stated unit of length, speed and time, TIME with a date (which then is the event's) or without a unit
// (seconds), latitudes in either order, and dimensions of one entry beside the three.
#ifndef FATHOM_IO_FORMATS_PROPAGATION_FILE_H
#define FATHOM_IO_FORMATS_PROPAGATION_FILE_H

#include "core/status.h"
#include "io/netcdf/packing.h"
#include "io/path.h"

#include <stdbool.h>
#include <stddef.h>

enum propagation_quantity { PROPAGATION_ETA, PROPAGATION_U, PROPAGATION_V, PROPAGATION_QUANTITIES };

const char *propagation_name(enum propagation_quantity quantity);        // "eta"
const char *propagation_noaa_name(enum propagation_quantity quantity);   // "HA"
const char *propagation_noaa_suffix(enum propagation_quantity quantity); // "_ha.nc"
const char *propagation_units(enum propagation_quantity quantity);       // "m", "m s-1"

// Returns whether a variable's name is one of NOAA's (in any case); *quantity: of which quantity.
bool propagation_is_noaa(const char *variable, enum propagation_quantity *quantity);

// Adds NOAA's -1e34 to the missing values, because some copies lack the attribute.
void propagation_add_missing(struct netcdf_packing *packing, bool is_single);

// ---- reading

struct propagation_file;

struct propagation_info {
    const char *path, *variable;
    bool is_noaa;   // by the variable's name
    bool is_double; // stored in double precision
    // Stored as integers (io/output/pack.h): their distance, and the largest error, in m or m/s. 0: not.
    double resolution, rounding;
    size_t records, rows, columns; // each ≥ 1; rows, columns ≥ 2
    const double *times_s;         // [records] since the event, ascending
    const double *latitudes;       // [rows] degrees, ascending, whatever the order in the file
    const double *longitudes;      // [columns] degrees east, ascending, in the file's range
    const char *date;              // of "UNIT since DATE", "" if the times have none
};

// Opens `quantity` under the program's name or NOAA's. STATUS_NO_INPUT: the file is missing. STATUS_DATA: it
// is damaged, it has no such variable (the message lists its variables), its dimensions are not (time,
// latitude, longitude), its axes have no numbers or are not in order, or units are missing or measure another
// quantity.
enum status propagation_open(const char *path, enum propagation_quantity quantity,
                             struct propagation_file **file);
void propagation_close(struct propagation_file *file); // NULL: does nothing
const struct propagation_info *propagation_info(const struct propagation_file *file);

// Finds out whether a file has the quantity. STATUS_NO_INPUT, STATUS_DATA.
enum status propagation_has(const char *path, enum propagation_quantity quantity, bool *has);

// The largest number of bytes of the open file's chunks that netCDF-C keeps.
size_t propagation_cache_bytes(const struct propagation_file *file);

// A range of records, rows (from the southernmost) and columns (from the westernmost): first and number of
// each.
struct propagation_block {
    size_t record, records;
    size_t row, rows;
    size_t column, columns;
};
// Reads a block into values [records][rows][columns], in m or m/s; missing → NaN. A value beyond 1e7 in the
// file's units, which no wave reaches, → STATUS_DATA, with its position.
enum status propagation_read(struct propagation_file *file, const struct propagation_block *block,
                             double *values);

// ---- writing NOAA's form: the files of a source, STEM_ha.nc, STEM_ua.nc, STEM_va.nc

struct propagation_write {
    const char *stem; // made under other names, and renamed by propagation_finish
    enum propagation_quantity quantity;
    size_t rows, columns;
    const double *latitudes, *longitudes; // ascending, degrees; longitudes are written in 0 … 360
    const char *title, *history, *source; // NULL = left out
};

struct propagation_writer;

// STEM_ha.nc, ... STATUS_CANNOT_CREATE: too long.
enum status propagation_noaa_path(const char *stem, enum propagation_quantity quantity,
                                  char path[PATH_BYTES]);

// Called before anything is read or written. STATUS_CANNOT_CREATE if one of the stem's three files is `input`
// itself, under any name, because it would be replaced or removed.
enum status propagation_check_input(const char *stem, const char *input);

// Longitudes east of Greenwich continue beyond 360, so that they ascend. STATUS_CANNOT_CREATE, also if a file
// exists whose name differs from one of the three only in upper and lower case, because readers could take it
// for a part of this source; STATUS_IO.
enum status propagation_create(const struct propagation_write *request, struct propagation_writer **writer);

// One record, times ascending: values [rows][columns] in m or m/s from south to north, NaN = missing.
enum status propagation_append(struct propagation_writer *writer, double time_s, const double *values);

// Closes the files of one stem and gives them their names. A writer may be NULL, but not all. Files of an
// earlier source under the three names are removed first, and the elevations get their name last. So the
// files of two sources are never together under one stem, even after a kill or a loss of power. The writers
// are released and NULL in any case. STATUS_IO.
enum status propagation_finish(struct propagation_writer *writers[PROPAGATION_QUANTITIES]);
void propagation_abandon(struct propagation_writer *writer); // removes the unfinished file; NULL is fine

#endif
