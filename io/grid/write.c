// Writes one grid as CF-1.8 netCDF-4, row by row, under a temporary name until it is complete and on the
// disk. Independent of where the rows come from.
#include "io/netcdf/write.h"
#include "io/grid/grid.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Whole rows in a chunk of about this size; CF readers take maps in rows.
enum { CHUNK_BYTES = 2 << 20, CHUNK_BYTES_MOST = 4 << 20 };

struct output {
    const struct grid_write *request;
    struct netcdf_writer file;
    int x, y, variable;
    nc_type type;
    double minimum, maximum;
};

static enum status define_axis(struct output *output, bool is_x, size_t length, int *dimension, int *variable)
{
    // No `axis` attribute on a plane: VTK would interpret X and Y as longitude and latitude.
    static const struct {
        const char *name, *standard_name, *long_name, *units, *axis;
    } axes[2][2] = {
        {{"y", "projection_y_coordinate", "y", "m", NULL}, {"x", "projection_x_coordinate", "x", "m", NULL}},
        {{"lat", "latitude", "latitude", "degrees_north", "Y"},
         {"lon", "longitude", "longitude", "degrees_east", "X"}}};
    const int kind = output->request->is_geographic;
    const char *path = output->request->path;
    CHECK(netcdf_write_axis(output->file.ncid, path, axes[kind][is_x].name, length, dimension, variable));
    return netcdf_write_texts(output->file.ncid, *variable, path,
                              NETCDF_TEXTS({"standard_name", axes[kind][is_x].standard_name},
                                           {"long_name", axes[kind][is_x].long_name},
                                           {"units", axes[kind][is_x].units},
                                           {"axis", axes[kind][is_x].axis}));
}

// Chunks of whole rows, or parts of one row where a row is too long, and a cache that holds one row of
// chunks: rows are written in order, so no chunk is touched again.
static enum status define_storage(const struct output *output)
{
    const struct grid_write *request = output->request;
    size_t value_bytes = request->is_double ? sizeof(double) : sizeof(float);
    size_t chunk[2] = {1, request->nx};
    if (request->nx * value_bytes > CHUNK_BYTES_MOST)
        chunk[1] = CHUNK_BYTES / value_bytes;
    else
        chunk[0] = CHUNK_BYTES / (request->nx * value_bytes);
    if (chunk[0] < 1)
        chunk[0] = 1;
    if (chunk[0] > request->ny)
        chunk[0] = request->ny;
    size_t across = (request->nx + chunk[1] - 1) / chunk[1];
    const int ncid = output->file.ncid, id = output->variable;
    NC_CHECK_WRITE(nc_def_var_chunking(ncid, id, NC_CHUNKED, chunk), request->path,
                   "writing the chunk sizes");
    NC_CHECK_WRITE(nc_set_var_chunk_cache(ncid, id, (across + 1) * chunk[0] * chunk[1] * value_bytes,
                                          2 * across + 101, 1.0F),
                   request->path, "writing the size of the chunk cache");
    if (request->compress)
        NC_CHECK_WRITE(nc_def_var_deflate(ncid, id, 1, 1, 1), request->path, "writing the compression");
    // Every value is written, so filling first would only write the file twice.
    const float fill_f = NAN;
    const double fill_d = NAN;
    const void *fill = request->is_double ? (const void *)&fill_d : (const void *)&fill_f;
    NC_CHECK_WRITE(nc_def_var_fill(ncid, id, request->has_missing ? NC_FILL : NC_NOFILL, fill), request->path,
                   "writing the fill value");
    return STATUS_OK;
}

static enum status define(struct output *output)
{
    const struct grid_write *request = output->request;
    const int ncid = output->file.ncid;
    const char *path = request->path;
    char comment[PATH_BYTES + 32] = "";
    int dimensions[2];
    CHECK(define_axis(output, false, request->ny, &dimensions[0], &output->y));
    CHECK(define_axis(output, true, request->nx, &dimensions[1], &output->x));
    NC_CHECK_WRITE(nc_def_var(ncid, request->variable, output->type, 2, dimensions, &output->variable), path,
                   "writing the variable");
    CHECK(define_storage(output));
    CHECK(netcdf_write_texts(ncid, output->variable, path,
                             NETCDF_TEXTS({"standard_name", request->standard_name},
                                          {"long_name", request->long_name}, {"units", request->units},
                                          {"positive", request->positive})));
    // Reserves actual_range in the header; its values are written after the rows.
    CHECK(netcdf_write_range(ncid, output->variable, output->type, 0, 0, path));
    if (request->source_file)
        snprintf(comment, sizeof comment, "Read from %s", request->source_file);
    CHECK(netcdf_write_texts(ncid, NC_GLOBAL, path,
                             NETCDF_TEXTS({"Conventions", "CF-1.8"},
                                          {"title", request->title ? request->title : request->long_name},
                                          {"source", request->source ? request->source : "Fathom"},
                                          {"history", request->history}, {"comment", comment})));
    NC_CHECK_WRITE(nc_enddef(ncid), path, "writing the header");
    NC_CHECK_WRITE(nc_put_var_double(ncid, output->y, request->y), path, "writing an axis");
    NC_CHECK_WRITE(nc_put_var_double(ncid, output->x, request->x), path, "writing an axis");
    return STATUS_OK;
}

static enum status note_range(struct output *output, size_t row, const double *values)
{
    const struct grid_write *request = output->request;
    for (size_t k = 0; k < request->nx; k++) {
        if (isnan(values[k]) && !request->has_missing)
            return FAIL(STATUS_DATA, "%s: the value at column %zu of row %zu is not a number", request->path,
                        k, row);
        if (!request->is_double && fabs(values[k]) > FLT_MAX)
            return FAIL(STATUS_DATA,
                        "%s: the value at column %zu of row %zu is %g, beyond single precision: write it in "
                        "double precision",
                        request->path, k, row, values[k]);
        output->minimum = fmin(output->minimum, values[k]); // fmin and fmax pass over NaN
        output->maximum = fmax(output->maximum, values[k]);
    }
    return STATUS_OK;
}

static enum status put_rows(struct output *output, double *values)
{
    const struct grid_write *request = output->request;
    output->minimum = INFINITY;
    output->maximum = -INFINITY;
    for (size_t row = 0; row < request->ny; row++) {
        size_t start[2] = {row, 0}, count[2] = {1, request->nx};
        CHECK(request->row(request->context, row, values));
        CHECK(note_range(output, row, values));
        NC_CHECK_WRITE(nc_put_vara_double(output->file.ncid, output->variable, start, count, values),
                       request->path, "writing a row");
    }
    if (output->minimum <= output->maximum)
        return netcdf_write_range(output->file.ncid, output->variable, output->type, output->minimum,
                                  output->maximum, request->path);
    NC_CHECK_WRITE(nc_del_att(output->file.ncid, output->variable, "actual_range"), request->path,
                   "writing actual_range");
    return STATUS_OK;
}

static enum status write_all(struct output *output)
{
    const struct grid_write *request = output->request;
    CHECK(netcdf_writer_create(&output->file, request->path, NC_NETCDF4));
    double *values = malloc(request->nx * sizeof *values);
    if (!values)
        return FAIL(STATUS_SYSTEM, "%s: a row of %zu values: out of memory", request->path, request->nx);
    enum status status = define(output);
    if (status == STATUS_OK)
        status = put_rows(output, values);
    free(values);
    CHECK(status);
    return netcdf_writer_publish(&output->file);
}

enum status grid_write_netcdf(const struct grid_write *request)
{
    struct output output = {.request = request, .type = request->is_double ? NC_DOUBLE : NC_FLOAT};
    const enum status status = write_all(&output);
    if (status != STATUS_OK)
        netcdf_writer_abandon(&output.file);
    return status;
}
