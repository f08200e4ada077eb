// netCDF-C errors as statuses, with file and variable in the message. The only header through which io calls
// netCDF. Independent of grids, streams or models.
#ifndef FATHOM_IO_NETCDF_NETCDF_H
#define FATHOM_IO_NETCDF_NETCDF_H

#include "core/status.h"

#include <netcdf.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Attributes and variables of the program's own files. A variable whose units follow another program's
// convention has the run's units in run_units: its numbers times run_scale. The variable model_time is the
// quantity whose unitless numbers the axis time holds.
#define NETCDF_RUN_UNITS  "run_units"
#define NETCDF_RUN_SCALE  "run_scale"
#define NETCDF_MODEL_TIME "model_time"

// Turns a netCDF-C return value into a status. ENOENT, EACCES → STATUS_NO_INPUT; not netCDF, truncated, HDF5
// damage → STATUS_DATA; no space, write failure → STATUS_IO; out of memory → STATUS_SYSTEM. `what` is what
// was being done ("reading variable ROSE"). HDF5 keeps no reason: a failure is taken as one of writing if
// `what` starts with "writing", "creating" or "closing", and as a damaged file otherwise.
enum status netcdf_status(int code, const char *path, const char *what, const char *file, int line);

#define NC_CHECK(call, path, what)                                                                           \
    do {                                                                                                     \
        int nc_code_ = (call);                                                                               \
        if (nc_code_ != NC_NOERR)                                                                            \
            return netcdf_status(nc_code_, (path), (what), __FILE__, __LINE__);                              \
    } while (0)

// Called before a thread's first file; costs nothing later. HDF5 prints an error trace for what netCDF-C
// only tries (an attribute that may be absent) unless each thread switches that off; and its
// clean-up at the program's exit crashes on files that a full disk kept it from closing: we close ours
// ourselves.
void netcdf_prepare_thread(void);

// What netCDF-C takes for a moment while it opens a file, beside what it keeps of it: since some version
// after 4.9.0 a block of 4 MiB, into which it reads the file's first bytes to find its format. Of the library
// in use, and of a version ("4.9.0 of ..." as nc_inq_libvers has it; one that cannot be read is taken for a
// new one).
size_t netcdf_opening_bytes(void);
size_t netcdf_opening_bytes_of(const char *version);

// Opens a file for reading, after netcdf_check_length. The caller closes *ncid with nc_close.
enum status netcdf_open(const char *path, int *ncid);

// Refuses a classic file (CDF-1, CDF-2, CDF-5) that is shorter than its header promises: netCDF-C reads the
// missing part as zeros, which a program takes for a flat sea floor. Other files pass: HDF5 checks its own
// length. Cannot open → STATUS_NO_INPUT; too short or a damaged header → STATUS_DATA.
enum status netcdf_check_length(const char *path);

// Bytes of a stored number or character; 8 of a type that is not one of netCDF's own.
size_t netcdf_type_bytes(nc_type type);

// Refuses more values than a file of this length holds, before memory is taken for it: a header may state
// anything, and deflate makes at most 1032 bytes of one (zlib's technical details). Some 100 MB are let pass
// in any case: other filters pack more. `what`: "axis lon"; `count` values of the type. STATUS_DATA.
enum status netcdf_check_count(const char *path, const char *what, size_t count, nc_type type);

// The attribute "units" as netcdf_text_attribute reads it. STATUS_DATA where it is not a text (CF 3.1); the
// whole number 1 is taken for the unit "1" of what has no dimension, as many programs write it.
enum status netcdf_units_attribute(const char *path, int ncid, int varid, char *text, size_t bytes,
                                   bool *found);

// A text attribute (NC_CHAR, or a single NC_STRING) without trailing blanks; varid NC_GLOBAL for the file's.
// Absent or not text: *found is false, text is "". Longer than bytes − 1: cut.
enum status netcdf_text_attribute(const char *path, int ncid, int varid, const char *name, char *text,
                                  size_t bytes, bool *found);

// The first `capacity` numbers of a numeric attribute (or one number written as text). Absent: *count = 0.
// Text that is not a number → STATUS_DATA.
enum status netcdf_number_attribute(const char *path, int ncid, int varid, const char *name, double *values,
                                    size_t capacity, size_t *count);

#endif
