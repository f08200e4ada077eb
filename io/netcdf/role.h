// The role of a netCDF variable as a coordinate, by CF and COARDS: from units with a direction
// (degrees_east), standard_name, axis, positive, and last the usual names. Reads no values; independent of
// grids and data sets.
#ifndef FATHOM_IO_NETCDF_ROLE_H
#define FATHOM_IO_NETCDF_ROLE_H

#include <stdbool.h>

enum netcdf_role { NETCDF_ROLE_NONE, NETCDF_ROLE_X, NETCDF_ROLE_Y, NETCDF_ROLE_Z, NETCDF_ROLE_TIME };

// What the file states about the variable: its name without groups, its attributes ("" if absent), its rank.
struct netcdf_traits {
    const char *name, *units, *standard_name, *axis, *positive;
    int rank;
};

enum netcdf_role netcdf_role_of(const struct netcdf_traits *traits);

// Whether it is a longitude or a latitude, also of a rotated pole (grid_longitude). Units take precedence
// over names.
bool netcdf_is_longitude(const struct netcdf_traits *traits);
bool netcdf_is_latitude(const struct netcdf_traits *traits);

#endif
