// netCDF-C errors as statuses, with file and variable in the message. The only header through which io calls
// netCDF. Independent of grids, streams or models.
#ifndef FATHOM_IO_NETCDF_NETCDF_H
#define FATHOM_IO_NETCDF_NETCDF_H

#include "core/library_call.h"
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

// Converts a netCDF-C return value to a status. ENOENT, EACCES → STATUS_NO_INPUT; not netCDF, truncated, HDF5
// damage → STATUS_DATA; no space, write failure → STATUS_IO; out of memory → STATUS_SYSTEM. `what`: the
// operation ("reading variable ROSE"). HDF5 gives no reason for a failure: it counts as a failure of writing
// if `what` begins with "writing", "creating" or "closing", and as a damaged file otherwise.
enum status netcdf_status(int code, const char *path, const char *what, const char *file, int line);

// A call that reads the file: the value of the call. HDF5 may crash on a damaged file.
#define NC_READING(call, path) (library_call_begin("netCDF", (path)), library_call_end(call))

#define NC_CHECK(call, path, what)                                                                           \
    do {                                                                                                     \
        int nc_code_ = NC_READING(call, path);                                                               \
        if (nc_code_ != NC_NOERR)                                                                            \
            return netcdf_status(nc_code_, (path), (what), __FILE__, __LINE__);                              \
    } while (0)

// Call it before a thread's first file; later calls do nothing. It switches off two things of HDF5: the error
// trace that each thread prints when netCDF-C asks for an attribute that may be absent, and the clean-up at
// the exit of the program, which crashes on files that could not be closed because the disk was full. The
// program closes its files itself.
void netcdf_prepare_thread(void);

// Memory that netCDF-C allocates temporarily while it opens a file: since some version after 4.9.0 a block of
// 4 MiB, into which it reads the file's first bytes to find the format. For the library in use; and for a
// version as nc_inq_libvers gives it ("4.9.0 of ..."; an unreadable text counts as a new version).
size_t netcdf_opening_bytes(void);
size_t netcdf_opening_bytes_of(const char *version);

// Opens a file for reading, after netcdf_check_length. The caller closes *ncid with nc_close.
enum status netcdf_open(const char *path, int *ncid);

// Refuses a classic file (CDF-1, CDF-2, CDF-5) that is shorter than its header states: netCDF-C reads the
// missing part as zeros, for example as a flat sea floor. Other files pass: HDF5 checks their length. Cannot
// open → STATUS_NO_INPUT; too short or a damaged header → STATUS_DATA.
enum status netcdf_check_length(const char *path);

// Bytes of a stored number or character; 8 of a type that is not one of netCDF's own.
size_t netcdf_type_bytes(nc_type type);

// Refuses more values than a file of this length can hold, before memory is allocated for them: the header
// may be wrong. Deflate expands one byte to at most 1032 (zlib's technical details). Up to some 100 MB are
// always accepted, because other filters compress more. `what`: "axis lon"; `count` values of the type.
// STATUS_DATA.
enum status netcdf_check_count(const char *path, const char *what, size_t count, nc_type type);

// Reads the attribute "units" like netcdf_text_attribute. STATUS_DATA if it is not a text (CF 3.1); but the
// integer 1, which many programs write, is read as "1" (dimensionless).
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
