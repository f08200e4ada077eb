// Helpers to write netCDF files: failures (a full disk is recognised), attributes, axes, and a file that gets
// its name when it is complete. Independent of the content.
#ifndef FATHOM_IO_NETCDF_WRITE_H
#define FATHOM_IO_NETCDF_WRITE_H

#include "core/status.h"
#include "io/path.h"

#include <errno.h>
#include <netcdf.h>
#include <stdbool.h>
#include <stddef.h>

// A failed netCDF call while writing: as netcdf_status, but a full disk is recognised by `error`, the errno
// that the call left. `what` begins with "writing", "creating" or "closing", as netcdf_status expects.
enum status netcdf_write_failure(int code, int error, const char *path, const char *what, const char *file,
                                 int line);

#define NC_CHECK_WRITE(call, path, what)                                                                     \
    do {                                                                                                     \
        errno = 0;                                                                                           \
        int write_code_ = (call);                                                                            \
        if (write_code_ != NC_NOERR)                                                                         \
            return netcdf_write_failure(write_code_, errno, (path), (what), __FILE__, __LINE__);             \
    } while (0)

// Text attributes of a variable (NC_GLOBAL: of the file); the list ends with an entry without a name. Those
// whose text is NULL or empty are not written.
struct netcdf_text {
    const char *name, *text;
};
#define NETCDF_TEXTS(...) ((const struct netcdf_text[]){__VA_ARGS__, {NULL, NULL}})
enum status netcdf_write_texts(int ncid, int id, const char *path, const struct netcdf_text *texts);

// Writes actual_range in the variable's type. low > high means that there are no values: writes nothing.
enum status netcdf_write_range(int ncid, int id, nc_type type, double low, double high, const char *path);

// Defines a dimension, and the axis of that name in double precision.
enum status netcdf_write_axis(int ncid, const char *path, const char *name, size_t length, int *dimension,
                              int *variable);

// A file that is written as PATH.partial.PID until it is complete.
struct netcdf_writer {
    char path[PATH_BYTES], part[PATH_BYTES];
    int ncid;
    bool is_open;
};

// `format`: netCDF-C's flag. STATUS_CANNOT_CREATE, STATUS_IO. After a failure here or later: abandon.
enum status netcdf_writer_create(struct netcdf_writer *writer, const char *path, int format);
enum status netcdf_writer_close(struct netcdf_writer *writer);
// Closes it if it is open, syncs it and renames it to its final name.
enum status netcdf_writer_publish(struct netcdf_writer *writer);
void netcdf_writer_abandon(struct netcdf_writer *writer); // removes the unfinished file

#endif
