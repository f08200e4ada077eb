// How a grid lies in a netCDF file: which variable, which of its dimensions is which. Between
// netcdf_layout.c, which works it out, and netcdf.c, which reads.
#ifndef FATHOM_IO_GRID_NETCDF_H
#define FATHOM_IO_GRID_NETCDF_H

#include "io/grid/internal.h"
#include "io/netcdf/netcdf.h"
#include "io/netcdf/role.h"

enum { GRID_RANK_MAX = 8 };

struct coordinate {
    int variable;             // −1: the dimension has none
    enum netcdf_role role;    // never Z
    enum grid_axes_kind kind; // of x and y: GEOGRAPHIC, PLANE, or AS_FILE where the file does not say
    char name[NC_MAX_NAME + 1];
    char units[GRID_NAME_BYTES]; // "" = none
};

struct netcdf_layout {
    int variable;
    nc_type type;
    char name[NC_MAX_NAME + 1];
    int rank;
    size_t lengths[GRID_RANK_MAX];
    int x_at, y_at; // positions among the dimensions
    int record_at;  // of the dimension that counts records, or −1; every other dimension has length 1
    struct coordinate x, y, record;
};

// Finds `wanted`, or the only grid variable if wanted is NULL. STATUS_DATA: none or several (lists them), or
// the wanted one is not a grid (says why).
enum status grid_netcdf_find(const char *path, int ncid, const char *wanted, struct netcdf_layout *layout);
enum status grid_netcdf_list(const char *path, int ncid, struct grid_variable_list *list);

#endif
