// Shared by io/netcdf/dataset.c and io/netcdf/dataset_read.c only.
#ifndef FATHOM_IO_NETCDF_DATASET_INTERNAL_H
#define FATHOM_IO_NETCDF_DATASET_INTERNAL_H

#include "io/netcdf/dataset.h"

struct dataset_dimension {
    int id;
    size_t length;
    char *name;
};

struct dataset {
    char *path;
    int ncid;
    bool is_open;
    size_t count, capacity;
    struct dataset_variable *variables;
    size_t dimension_count;
    struct dataset_dimension *dimensions;
};

#endif
