// What a netCDF variable is as a coordinate, by CF and COARDS: units that name a direction (degrees_east),
// standard_name, axis, positive, and the usual names last. Reads no values; independent of grids and data
// sets.
#ifndef FATHOM_IO_NETCDF_ROLE_H
#define FATHOM_IO_NETCDF_ROLE_H

#include <stdbool.h>

enum netcdf_role { NETCDF_ROLE_NONE, NETCDF_ROLE_X, NETCDF_ROLE_Y, NETCDF_ROLE_Z, NETCDF_ROLE_TIME };

// What the file states of the variable: its name without groups, its attributes ("" where absent), its rank.
struct netcdf_traits {
    const char *name, *units, *standard_name, *axis, *positive;
    int rank;
};

enum netcdf_role netcdf_role_of(const struct netcdf_traits *traits);

// An angle that comes round, and the other one; rotated poles' (grid_longitude) too. Units decide before
// names.
bool netcdf_is_longitude(const struct netcdf_traits *traits);
bool netcdf_is_latitude(const struct netcdf_traits *traits);

#endif
