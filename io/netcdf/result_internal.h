// Shared by io/netcdf/result.c and io/netcdf/result_map.c only.
#ifndef FATHOM_IO_NETCDF_RESULT_INTERNAL_H
#define FATHOM_IO_NETCDF_RESULT_INTERNAL_H

#include "io/netcdf/dataset.h"
#include "io/netcdf/result.h"

struct result_entry {
    struct result_variable shown;
    const struct dataset_variable *variable;
    bool has_packing; // read with the first values
    struct netcdf_packing packing;
    bool has_conversion; // numbers are slope times the file's, plus offset (result_take_units)
    double slope, offset;
    char converted[RESULT_UNITS_BYTES]; // of a time that counts from a date: what it is read in
};

struct result_file {
    struct dataset *data;
    size_t count;
    struct result_entry *entries;
};

enum status result_out_of_memory(const char *path);

// Finds the numeric variable of that name, and its packing. STATUS_DATA if the file has none.
enum status result_require(const struct result_file *file, const char *name, struct result_entry **found);

// Reads a block of such a variable, as result_read does.
enum status result_read_entry(const struct result_file *file, const struct result_entry *entry,
                              const size_t *start, const size_t *count, double *values);

#endif
