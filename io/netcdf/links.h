// The tree of groups of an HDF5 file, looked at before netCDF-C opens it. HDF5 may link a group under several
// names, also below itself; netCDF-C follows every link, hard, soft or to another file, until the memory or
// the stack is used up. Independent of what the file holds.
#ifndef FATHOM_IO_NETCDF_LINKS_H
#define FATHOM_IO_NETCDF_LINKS_H

#include "core/status.h"

// More than these netCDF-C is not left to open: groups that it would make, each as often as links lead to it,
// and their depth.
enum { NETCDF_GROUPS_MAX = 100000, NETCDF_DEPTH_MAX = 200 };

// STATUS_DATA: a link leads to a group that contains it, or there are more groups. STATUS_OK for any file
// that HDF5 cannot open or read: netCDF-C says why.
enum status netcdf_check_links(const char *path);

#endif
