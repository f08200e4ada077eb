// Variables of a file of the ensemble: definitions and values.
#include "models/tsunami/hazard/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum status hazard_define(struct hazard *h, const struct hazard_variable *v, int *id)
{
    const int file = h->writer.ncid;
    const char *path = h->writer.path;
    static const float missing_single = NAN;
    static const double missing = NAN;
    NC_CHECK_WRITE(nc_def_var(file, v->name, v->type, v->rank, v->dimensions, id), path,
                   "writing a definition");
    if (v->has_fill)
        NC_CHECK_WRITE(nc_def_var_fill(file, *id, NC_FILL,
                                       v->type == NC_FLOAT ? (const void *)&missing_single : &missing),
                       path, "writing a definition");
    return netcdf_write_texts(file, *id, path,
                              NETCDF_TEXTS({"standard_name", v->standard_name}, {"long_name", v->long_name},
                                           {"units", v->units}, {"coordinates", v->coordinates},
                                           {"comment", v->comment}));
}

enum status hazard_define_axis(struct hazard *h, const char *name, const char *long_name, const char *units,
                               size_t length, int *dimension, int *id)
{
    CHECK(netcdf_write_axis(h->writer.ncid, h->writer.path, name, length, dimension, id));
    return netcdf_write_texts(h->writer.ncid, *id, h->writer.path,
                              NETCDF_TEXTS({"long_name", long_name}, {"units", units}));
}

enum status hazard_define_names(struct hazard *h, const char *name, const char *long_name, int dimension,
                                const char *strlen_name, size_t bytes, int *id)
{
    int dimensions[2] = {dimension, 0};
    NC_CHECK_WRITE(nc_def_dim(h->writer.ncid, strlen_name, bytes, &dimensions[1]), h->writer.path,
                   "writing a dimension");
    const struct hazard_variable variable = {.name = name,
                                             .long_name = long_name,
                                             .type = NC_CHAR,
                                             .rank = 2,
                                             .dimensions = {dimension, dimensions[1]}};
    CHECK(hazard_define(h, &variable, id));
    return netcdf_write_texts(h->writer.ncid, *id, h->writer.path, NETCDF_TEXTS({"_Encoding", "utf-8"}));
}

enum status hazard_put(struct hazard *h, int id, const double *values)
{
    NC_CHECK_WRITE(nc_put_var_double(h->writer.ncid, id, values), h->writer.path, "writing values");
    return STATUS_OK;
}

enum status hazard_put_block(struct hazard *h, int id, const size_t *start, const size_t *count,
                             const float *values)
{
    NC_CHECK_WRITE(nc_put_vara_float(h->writer.ncid, id, start, count, values), h->writer.path,
                   "writing values");
    return STATUS_OK;
}

enum status hazard_put_names(struct hazard *h, int id, size_t count, size_t bytes, const char *names,
                             size_t stride)
{
    char *text = calloc(count + 1, bytes);
    if (!text)
        return FAIL(STATUS_SYSTEM, "%s: no memory for %zu names", h->writer.path, count);
    for (size_t k = 0; k < count; k++)
        memcpy(text + k * bytes, names + k * stride, strnlen(names + k * stride, bytes));
    errno = 0;
    const int code = nc_put_var_text(h->writer.ncid, id, text);
    const int error = errno;
    free(text);
    return code == NC_NOERR
               ? STATUS_OK
               : netcdf_write_failure(code, error, h->writer.path, "writing names", __FILE__, __LINE__);
}
