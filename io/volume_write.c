// Writes one volume as CF netCDF-4: see volume_write.h.
#include "io/volume_write.h"

#include "io/netcdf/netcdf.h"
#include "io/path.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct output {
    const struct volume_write *request;
    char path[PATH_BYTES]; // temporary
    int ncid, variable;
    bool is_open;
    double minimum, maximum;
};

static nc_type type_of(const struct volume_write *request)
{
    return request->type == VOLUME_U8 ? NC_UBYTE : request->type == VOLUME_F32 ? NC_FLOAT : NC_DOUBLE;
}

static enum status put_text(const struct output *output, int variable, const char *name, const char *text)
{
    if (text)
        NC_CHECK(nc_put_att_text(output->ncid, variable, name, strlen(text), text), output->request->path,
                 "writing an attribute");
    return STATUS_OK;
}

static enum status define_axis(const struct output *output, int k, int *dimension, int *variable)
{
    const struct volume_write *request = output->request;
    const char *name = request->names[k];
    NC_CHECK(nc_def_dim(output->ncid, name, request->cells[k], dimension), request->path,
             "writing a dimension");
    NC_CHECK(nc_def_var(output->ncid, name, NC_DOUBLE, 1, dimension, variable), request->path,
             "writing an axis");
    CHECK(put_text(output, *variable, "units", "mm"));
    return strcmp(name, "z") == 0 ? put_text(output, *variable, "axis", "Z") // x and y: core/stream.h
                                  : STATUS_OK;
}

static enum status put_axis(const struct output *output, int k, int variable)
{
    const struct volume_write *request = output->request;
    for (size_t i = 0; i < request->cells[k]; i++) {
        const size_t at = request->step_mm[k] < 0 ? request->cells[k] - 1 - i : i;
        const double value = request->first_mm[k] + (double)at * request->step_mm[k];
        NC_CHECK(nc_put_var1_double(output->ncid, variable, &i, &value), request->path, "writing an axis");
    }
    return STATUS_OK;
}

// One plane a chunk: planes are what is written here and read by a run.
static enum status define_storage(const struct output *output)
{
    const struct volume_write *request = output->request;
    const size_t chunk[3] = {1, request->cells[1], request->cells[2]};
    const float fill_f = NAN;
    const double fill_d = NAN;
    NC_CHECK(nc_def_var_chunking(output->ncid, output->variable, NC_CHUNKED, chunk), request->path,
             "writing the chunk sizes");
    if (request->compress)
        NC_CHECK(nc_def_var_deflate(output->ncid, output->variable, 1, 1, 1), request->path,
                 "writing the compression");
    NC_CHECK(nc_def_var_fill(output->ncid, output->variable, request->type == VOLUME_U8 ? NC_NOFILL : NC_FILL,
                             request->type == VOLUME_F64 ? (const void *)&fill_d : &fill_f),
             request->path, "writing the fill value");
    return STATUS_OK;
}

static enum status define(struct output *output)
{
    const struct volume_write *request = output->request;
    int dimensions[3], axes[3];
    for (int k = 0; k < 3; k++)
        CHECK(define_axis(output, k, &dimensions[k], &axes[k]));
    NC_CHECK(nc_def_var(output->ncid, request->variable, type_of(request), 3, dimensions, &output->variable),
             request->path, "writing the variable");
    CHECK(define_storage(output));
    CHECK(put_text(output, output->variable, "long_name", request->long_name));
    CHECK(put_text(output, output->variable, "units", request->units));
    CHECK(put_text(output, NC_GLOBAL, "Conventions", "CF-1.8"));
    CHECK(put_text(output, NC_GLOBAL, "title", request->title));
    CHECK(put_text(output, NC_GLOBAL, "source", request->source));
    CHECK(put_text(output, NC_GLOBAL, "history", request->history));
    CHECK(put_text(output, NC_GLOBAL, "comment", request->comment));
    NC_CHECK(nc_enddef(output->ncid), request->path, "writing the header");
    for (int k = 0; k < 3; k++)
        CHECK(put_axis(output, k, axes[k]));
    return STATUS_OK;
}

static enum status check_plane(struct output *output, size_t k, const double *values)
{
    const struct volume_write *request = output->request;
    for (size_t i = 0; i < request->cells[1] * request->cells[2]; i++) {
        if (request->type == VOLUME_U8 &&
            !(values[i] >= 0 && values[i] <= 255 && values[i] == floor(values[i])))
            return FAIL(
                STATUS_DATA,
                "%s: cell (%zu, %zu, %zu) of %s, %s, %s is %g; labels are whole numbers from 0 to 255",
                request->path, k, i / request->cells[2], i % request->cells[2], request->names[0],
                request->names[1], request->names[2], values[i]);
        output->minimum = fmin(output->minimum, values[i]);
        output->maximum = fmax(output->maximum, values[i]);
    }
    return STATUS_OK;
}

static void reverse(double *values, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        const double swap = values[i];
        values[i] = values[count - 1 - i];
        values[count - 1 - i] = swap;
    }
}

// Turns the axes of a plane that descend: a plane reversed is turned along both.
static void turn_plane(const struct volume_write *request, double *values)
{
    const size_t rows = request->cells[1], columns = request->cells[2];
    if (request->step_mm[1] < 0)
        reverse(values, rows * columns);
    for (size_t row = 0; row < rows && (request->step_mm[1] < 0) != (request->step_mm[2] < 0); row++)
        reverse(values + row * columns, columns);
}

static enum status put_planes(struct output *output, double *values)
{
    const struct volume_write *request = output->request;
    output->minimum = INFINITY;
    output->maximum = -INFINITY;
    for (size_t k = 0; k < request->cells[0]; k++) {
        const size_t start[3] = {request->step_mm[0] < 0 ? request->cells[0] - 1 - k : k, 0, 0};
        const size_t count[3] = {1, request->cells[1], request->cells[2]};
        CHECK(request->plane(request->context, k, values));
        CHECK(check_plane(output, k, values));
        turn_plane(request, values);
        NC_CHECK(nc_put_vara_double(output->ncid, output->variable, start, count, values), request->path,
                 "writing a plane");
    }
    const double range[2] = {output->minimum, output->maximum};
    if (range[0] <= range[1])
        NC_CHECK(
            nc_put_att_double(output->ncid, output->variable, "actual_range", type_of(request), 2, range),
            request->path, "writing actual_range");
    return STATUS_OK;
}

static enum status write_all(struct output *output)
{
    const struct volume_write *request = output->request;
    // Opened here first: the netCDF library's own error does not tell a missing folder from a damaged file.
    FILE *probe = fopen(output->path, "wb");
    if (!probe || fclose(probe) != 0)
        return FAIL(STATUS_CANNOT_CREATE, "%s: cannot be created: %s", request->path, strerror(errno));
    netcdf_prepare_thread();
    NC_CHECK(nc_create(output->path, NC_CLOBBER | NC_NETCDF4, &output->ncid), request->path,
             "creating the file");
    output->is_open = true;
    double *values = calloc(request->cells[1] * request->cells[2], sizeof *values);
    if (!values)
        return FAIL(STATUS_SYSTEM, "%s: a plane of %zu x %zu values: out of memory", request->path,
                    request->cells[1], request->cells[2]);
    enum status status = define(output);
    if (status == STATUS_OK)
        status = put_planes(output, values);
    free(values);
    CHECK(status);
    output->is_open = false;
    NC_CHECK(nc_close(output->ncid), request->path, "closing the file");
    return path_publish(output->path, request->path);
}

enum status volume_write_netcdf(const struct volume_write *request, double range[2])
{
    struct output output = {.request = request};
    const int length =
        snprintf(output.path, sizeof output.path, "%s.partial.%ld", request->path, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof output.path)
        return FAIL(STATUS_CANNOT_CREATE, "%s: the name is too long", request->path);
    const enum status status = write_all(&output);
    if (status != STATUS_OK) {
        if (output.is_open)
            nc_close(output.ncid); // the file goes away: what happens to its rest does not matter
        unlink(output.path);
        return status;
    }
    if (range) {
        range[0] = output.minimum;
        range[1] = output.maximum;
    }
    return STATUS_OK;
}
