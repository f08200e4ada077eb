// netCDF-C errors as statuses, with file and variable in the message. The only header through which io calls netCDF.
#ifndef FATHOM_IO_NETCDF_H
#define FATHOM_IO_NETCDF_H

#include "core/status.h"

#include <netcdf.h>

// Turns a netCDF-C return value into a status. ENOENT, EACCES → STATUS_NO_INPUT; not netCDF, truncated, HDF5 damage →
// STATUS_DATA; no space, write failure → STATUS_IO. `what` says what was being done ("reading variable ROSE").
enum status netcdf_status(int code, const char *path, const char *what, const char *file, int line);

#define NC_CHECK(call, path, what)                                                                           \
    do {                                                                                                     \
        int nc_code_ = (call);                                                                               \
        if (nc_code_ != NC_NOERR)                                                                            \
            return netcdf_status(nc_code_, (path), (what), __FILE__, __LINE__);                              \
    } while (0)

#endif
