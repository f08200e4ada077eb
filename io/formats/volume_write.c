// Writes one volume as CF netCDF-4: see volume_write.h.
#include "io/formats/volume_write.h"

#include "io/netcdf/write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct output {
    const struct volume_write *request;
    struct netcdf_writer file;
    int variable;
    nc_type type;
    double minimum, maximum;
};

static enum status define_axis(const struct output *output, int k, int *dimension, int *variable)
{
    const struct volume_write *request = output->request;
    const char *name = request->names[k];
    CHECK(netcdf_write_axis(output->file.ncid, request->path, name, request->cells[k], dimension, variable));
    return netcdf_write_texts(output->file.ncid, *variable, request->path,
                              NETCDF_TEXTS({"units", "mm"}, // letters of x and y: core/stream.h
                                           {"axis", strcmp(name, "z") == 0 ? "Z" : NULL}));
}

static enum status put_axis(const struct output *output, int k, int variable)
{
    const struct volume_write *request = output->request;
    for (size_t i = 0; i < request->cells[k]; i++) {
        const size_t at = request->step_mm[k] < 0 ? request->cells[k] - 1 - i : i;
        const double value = request->first_mm[k] + (double)at * request->step_mm[k];
        NC_CHECK_WRITE(nc_put_var1_double(output->file.ncid, variable, &i, &value), request->path,
                       "writing an axis");
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
    const int ncid = output->file.ncid, id = output->variable;
    NC_CHECK_WRITE(nc_def_var_chunking(ncid, id, NC_CHUNKED, chunk), request->path,
                   "writing the chunk sizes");
    if (request->compress)
        NC_CHECK_WRITE(nc_def_var_deflate(ncid, id, 1, 1, 1), request->path, "writing the compression");
    NC_CHECK_WRITE(nc_def_var_fill(ncid, id, request->type == VOLUME_U8 ? NC_NOFILL : NC_FILL,
                                   request->type == VOLUME_F64 ? (const void *)&fill_d : &fill_f),
                   request->path, "writing the fill value");
    return STATUS_OK;
}

static enum status put_place(const struct output *output)
{
    const struct volume_write *request = output->request;
    struct stream_attribute attributes[NIFTI_PLACE_ATTRIBUTES];
    if (!request->place)
        return STATUS_OK;
    nifti_place_attributes(request->place, attributes);
    for (int k = 0; k < NIFTI_PLACE_ATTRIBUTES; k++)
        NC_CHECK_WRITE(nc_put_att_double(output->file.ncid, NC_GLOBAL, attributes[k].name, NC_DOUBLE,
                                         attributes[k].count, attributes[k].values),
                       request->path, "writing an attribute");
    return STATUS_OK;
}

static enum status define(struct output *output)
{
    const struct volume_write *request = output->request;
    const int ncid = output->file.ncid;
    int dimensions[3], axes[3];
    for (int k = 0; k < 3; k++)
        CHECK(define_axis(output, k, &dimensions[k], &axes[k]));
    NC_CHECK_WRITE(nc_def_var(ncid, request->variable, output->type, 3, dimensions, &output->variable),
                   request->path, "writing the variable");
    CHECK(define_storage(output));
    CHECK(netcdf_write_texts(ncid, output->variable, request->path,
                             NETCDF_TEXTS({"long_name", request->long_name}, {"units", request->units})));
    CHECK(netcdf_write_texts(ncid, NC_GLOBAL, request->path,
                             NETCDF_TEXTS({"Conventions", "CF-1.8"}, {"title", request->title},
                                          {"source", request->source}, {"history", request->history},
                                          {"comment", request->comment})));
    CHECK(put_place(output));
    NC_CHECK_WRITE(nc_enddef(ncid), request->path, "writing the header");
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
        NC_CHECK_WRITE(nc_put_vara_double(output->file.ncid, output->variable, start, count, values),
                       request->path, "writing a plane");
    }
    return netcdf_write_range(output->file.ncid, output->variable, output->type, output->minimum,
                              output->maximum, request->path);
}

static enum status write_all(struct output *output)
{
    const struct volume_write *request = output->request;
    CHECK(netcdf_writer_create(&output->file, request->path, NC_NETCDF4));
    double *values = calloc(request->cells[1] * request->cells[2], sizeof *values);
    if (!values)
        return FAIL(STATUS_SYSTEM, "%s: a plane of %zu x %zu values: out of memory", request->path,
                    request->cells[1], request->cells[2]);
    enum status status = define(output);
    if (status == STATUS_OK)
        status = put_planes(output, values);
    free(values);
    CHECK(status);
    return netcdf_writer_publish(&output->file);
}

enum status volume_write_netcdf(const struct volume_write *request, double range[2])
{
    struct output output = {.request = request,
                            .type = request->type == VOLUME_U8    ? NC_UBYTE
                                    : request->type == VOLUME_F32 ? NC_FLOAT
                                                                  : NC_DOUBLE};
    const enum status status = write_all(&output);
    if (status != STATUS_OK) {
        netcdf_writer_abandon(&output.file);
        return status;
    }
    if (range) {
        range[0] = output.minimum;
        range[1] = output.maximum;
    }
    return STATUS_OK;
}
