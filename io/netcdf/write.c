// Writing netCDF files: see write.h.
#include "io/netcdf/write.h"

#include "io/netcdf/netcdf.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum status netcdf_write_failure(int code, int error, const char *path, const char *what, const char *file,
                                 int line)
{
    // HDF5 hides errno behind its own error, but leaves it as the failed call set it; and netCDF-C returns
    // EACCES for every file that cannot be created.
    if (code == ENOSPC || error == ENOSPC)
        return status_fail(STATUS_IO, file, line, "%s: %s: no space left on device", path, what);
    if (error == EDQUOT || error == EFBIG || error == EIO)
        return status_fail(STATUS_IO, file, line, "%s: %s: %s", path, what, strerror(error));
    if (code > 0 && error > 0)
        code = error;
    return netcdf_status(code, path, what, file, line);
}

enum status netcdf_write_texts(int ncid, int id, const char *path, const struct netcdf_text *texts)
{
    for (; texts->name; texts++)
        if (texts->text && texts->text[0])
            NC_CHECK_WRITE(nc_put_att_text(ncid, id, texts->name, strlen(texts->text), texts->text), path,
                           "writing an attribute");
    return STATUS_OK;
}

enum status netcdf_write_range(int ncid, int id, nc_type type, double low, double high, const char *path)
{
    const double values[2] = {low, high};
    const float singles[2] = {(float)low, (float)high};
    if (!(low <= high))
        return STATUS_OK;
    // An infinite value is one, but netCDF-C converts none.
    NC_CHECK_WRITE(type == NC_FLOAT ? nc_put_att_float(ncid, id, "actual_range", type, 2, singles)
                                    : nc_put_att_double(ncid, id, "actual_range", type, 2, values),
                   path, "writing an actual range");
    return STATUS_OK;
}

enum status netcdf_write_axis(int ncid, const char *path, const char *name, size_t length, int *dimension,
                              int *variable)
{
    NC_CHECK_WRITE(nc_def_dim(ncid, name, length, dimension), path, "writing a dimension");
    NC_CHECK_WRITE(nc_def_var(ncid, name, NC_DOUBLE, 1, dimension, variable), path, "writing an axis");
    return STATUS_OK;
}

enum status netcdf_writer_create(struct netcdf_writer *writer, const char *path, int format)
{
    writer->is_open = false;
    writer->part[0] = '\0';
    if (snprintf(writer->path, sizeof writer->path, "%s", path) >= (int)sizeof writer->path ||
        snprintf(writer->part, sizeof writer->part, "%s.partial.%ld", path, (long)getpid()) >=
            (int)sizeof writer->part) {
        writer->part[0] = '\0';
        return FAIL(STATUS_CANNOT_CREATE, "%s: the name is too long", path);
    }
    // Opened here first: netCDF reports a missing folder as a damaged file.
    FILE *probe = fopen(writer->part, "wb");
    if (!probe || fclose(probe) != 0)
        return FAIL(STATUS_CANNOT_CREATE, "%s: cannot be created: %s", path, strerror(errno));
    netcdf_prepare_thread();
    NC_CHECK_WRITE(nc_create(writer->part, NC_CLOBBER | format, &writer->ncid), path, "creating the file");
    writer->is_open = true;
    return STATUS_OK;
}

enum status netcdf_writer_close(struct netcdf_writer *writer)
{
    if (!writer->is_open)
        return STATUS_OK;
    writer->is_open = false;
    NC_CHECK_WRITE(nc_close(writer->ncid), writer->path, "closing the file");
    return STATUS_OK;
}

enum status netcdf_writer_publish(struct netcdf_writer *writer)
{
    CHECK(netcdf_writer_close(writer));
    return path_publish(writer->part, writer->path);
}

void netcdf_writer_abandon(struct netcdf_writer *writer)
{
    if (writer->is_open)
        nc_close(writer->ncid); // the file is removed: a failure does not matter
    writer->is_open = false;
    if (writer->part[0])
        unlink(writer->part);
}
