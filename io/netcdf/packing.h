// How a netCDF variable's numbers are stored (scale_factor, _FillValue, valid_range, _Unsigned), and their
// unpacked values. Independent of what the numbers mean.
#ifndef FATHOM_IO_NETCDF_PACKING_H
#define FATHOM_IO_NETCDF_PACKING_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { NETCDF_MISSING_MAX = 16 };

struct netcdf_packing {
    bool is_packed;                      // has a scale or an offset
    bool has_steps;                      // packed as integers: the values are multiples of `scale` apart
    double scale, add;                   // value = stored * scale + add
    double missing[NETCDF_MISSING_MAX];  // stored values that mean "missing": _FillValue (netCDF's own where
    size_t missing_count;                // there is no attribute), missing_value
    double valid_minimum, valid_maximum; // valid_range, valid_min, valid_max
    bool is_range_unpacked;              // ... which refer to unpacked values
    double unsigned_wrap;                // _Unsigned = "true": 2^bits, added to negative numbers; else 0
};

// Reads the attributes of a variable of plain numbers. `name` is for messages. scale_factor 0 or an attribute
// that is not a number → STATUS_DATA.
enum status netcdf_packing_read(const char *path, int ncid, int variable, const char *name,
                                struct netcdf_packing *packing);

// scale_factor and add_offset alone, for axes, whose values are never missing.
enum status netcdf_packing_read_scale(const char *path, int ncid, int variable, const char *name,
                                      struct netcdf_packing *packing);

// The value that a stored number stands for; NaN if it is missing, out of the valid range, or NaN.
double netcdf_unpack(const struct netcdf_packing *packing, double stored);

// The same of `count` values in place.
void netcdf_unpack_all(const struct netcdf_packing *packing, double *values, size_t count);

#endif
