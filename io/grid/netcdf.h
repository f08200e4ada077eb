// How a grid lies in a netCDF file: which variable, which of its dimensions is which. Between
// netcdf_layout.c, which works it out, and netcdf.c, which reads.
#ifndef FATHOM_IO_GRID_NETCDF_H
#define FATHOM_IO_GRID_NETCDF_H

#include "io/grid/internal.h"
#include "io/netcdf/dataset.h"

struct coordinate {
    const struct dataset_variable *variable; // NULL: the dimension has none
    enum netcdf_role role;                   // never Z
    enum grid_axes_kind kind; // of x and y: GEOGRAPHIC, PLANE, or AS_FILE where the file leaves it open
    const char *name;
    const char *units; // "" = none
};

struct netcdf_layout {
    const struct dataset_variable *variable;
    int x_at, y_at; // positions among the dimensions
    int record_at;  // of the dimension that counts records, or −1; every other dimension has length 1
    struct coordinate x, y, record;
};

// Finds `wanted`, or the only grid variable if wanted is NULL. STATUS_DATA: none or several (lists them), or
// the wanted one is not a grid (with the reason).
enum status grid_netcdf_find(const struct dataset *data, const char *wanted, struct netcdf_layout *layout);
void grid_netcdf_list(const struct dataset *data, struct grid_variable_list *list);

#endif
