// What io/netcdf/dataset.c and io/netcdf/dataset_read.c share. For these two only.
#ifndef FATHOM_IO_NETCDF_DATASET_INTERNAL_H
#define FATHOM_IO_NETCDF_DATASET_INTERNAL_H

#include "io/netcdf/dataset.h"

struct dataset {
    char *path;
    int ncid;
    size_t count, capacity;
    struct dataset_variable *variables;
};

#endif
