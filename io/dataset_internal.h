// What io/dataset.c and io/dataset_read.c share. For these two only.
#ifndef FATHOM_IO_DATASET_INTERNAL_H
#define FATHOM_IO_DATASET_INTERNAL_H

#include "io/dataset.h"

struct dataset {
    char *path;
    int ncid;
    size_t count, capacity;
    struct dataset_variable *variables;
};

#endif
