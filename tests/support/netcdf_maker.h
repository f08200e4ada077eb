// netCDF files written by a test in a few lines, through netCDF-C itself. Paths are the caller's. What goes
// wrong in here fails the running test.
#ifndef FATHOM_TESTS_SUPPORT_NETCDF_MAKER_H
#define FATHOM_TESTS_SUPPORT_NETCDF_MAKER_H

#include "tests/support/asserts.h"

#include <netcdf.h>

#define NC(call)                                                                                             \
    do {                                                                                                     \
        const int nc_status_ = (call);                                                                       \
        if (nc_status_ != NC_NOERR)                                                                          \
            fail_msg("%s:%d: netCDF: %s", __FILE__, __LINE__, nc_strerror(nc_status_));                      \
    } while (0)

static inline int make_file(const char *path, int mode)
{
    int file;
    NC(nc_create(path, mode | NC_CLOBBER, &file));
    return file;
}

static inline void make_text(int file, int variable, const char *name, const char *text)
{
    if (text)
        NC(nc_put_att_text(file, variable, name, strlen(text), text));
}

// A dimension, without a coordinate variable.
static inline int make_dimension(int file, const char *name, size_t length)
{
    int dimension;
    NC(nc_def_dim(file, name, length, &dimension));
    return dimension;
}

// A variable without values; `units` may be NULL.
static inline int make_variable(int file, const char *name, nc_type type, const char *units, int rank,
                                const int *dimensions)
{
    int variable;
    const int code = nc_redef(file); // netCDF-3 wants it
    if (code != NC_NOERR && code != NC_EINDEFINE)
        NC(code);
    NC(nc_def_var(file, name, type, rank, dimensions, &variable));
    make_text(file, variable, "units", units);
    return variable;
}

static inline void make_values(int file, int variable, const double *values)
{
    const int code = nc_enddef(file);
    if (code != NC_NOERR && code != NC_ENOTINDEFINE)
        NC(code);
    NC(nc_put_var_double(file, variable, values));
}

// A dimension with its coordinate variable.
static inline int make_axis(int file, const char *name, const char *units, size_t length,
                            const double *values)
{
    const int code = nc_redef(file);
    if (code != NC_NOERR && code != NC_EINDEFINE)
        NC(code);
    const int dimension = make_dimension(file, name, length);
    make_values(file, make_variable(file, name, NC_DOUBLE, units, 1, &dimension), values);
    return dimension;
}

// A variable of doubles with its values.
static inline int make_field(int file, const char *name, const char *units, int rank, const int *dimensions,
                             const double *values)
{
    const int variable = make_variable(file, name, NC_DOUBLE, units, rank, dimensions);
    make_values(file, variable, values);
    return variable;
}

// A trajectory in Amber's form: so many frames of atoms, [frame][atom][axis], at these times.
static inline void make_trajectory(const char *path, size_t frames, size_t atoms, const double *times,
                                   const double *x)
{
    enum { AXES_OF_SPACE = 3 };
    const int file = make_file(path, NC_64BIT_OFFSET);
    const int frame = make_dimension(file, "frame", NC_UNLIMITED), atom = make_dimension(file, "atom", atoms),
              spatial = make_dimension(file, "spatial", AXES_OF_SPACE);
    const int time = make_variable(file, "time", NC_DOUBLE, "1", 1, &frame);
    const int coordinates =
        make_variable(file, "coordinates", NC_DOUBLE, "1", 3, (const int[]){frame, atom, spatial});
    NC(nc_enddef(file));
    NC(nc_put_vara_double(file, time, (const size_t[]){0}, &frames, times));
    NC(nc_put_vara_double(file, coordinates, (const size_t[]){0, 0, 0},
                          (const size_t[]){frames, atoms, AXES_OF_SPACE}, x));
    NC(nc_close(file));
}

#endif
