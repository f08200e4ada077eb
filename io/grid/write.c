// Writes one grid as CF-1.8 netCDF-4, row by row, under a temporary name until it is complete and on the
// disk. Knows nothing of where the rows come from.
#include "io/grid/grid.h"
#include "io/netcdf/netcdf.h"
#include "io/path.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Whole rows in a chunk of about this size; CF readers take maps in rows.
enum { CHUNK_BYTES = 2 << 20, CHUNK_BYTES_MOST = 4 << 20 };

struct output {
    const struct grid_write *request;
    char path[PATH_BYTES]; // temporary
    int ncid, x, y, variable;
    bool is_open;
    double minimum, maximum;
};

static enum status put_text(const struct output *output, int variable, const char *name, const char *text)
{
    if (text == NULL)
        return STATUS_OK;
    NC_CHECK(nc_put_att_text(output->ncid, variable, name, strlen(text), text), output->request->path,
             "writing an attribute");
    return STATUS_OK;
}

static enum status define_axis(struct output *output, bool is_x, size_t length, int *dimension, int *variable)
{
    bool is_globe = output->request->is_geographic;
    const char *name = is_globe ? (is_x ? "lon" : "lat") : (is_x ? "x" : "y");
    NC_CHECK(nc_def_dim(output->ncid, name, length, dimension), output->request->path, "writing a dimension");
    NC_CHECK(nc_def_var(output->ncid, name, NC_DOUBLE, 1, dimension, variable), output->request->path,
             "writing an axis");
    CHECK(put_text(output, *variable, "standard_name",
                   is_globe ? (is_x ? "longitude" : "latitude")
                            : (is_x ? "projection_x_coordinate" : "projection_y_coordinate")));
    CHECK(put_text(output, *variable, "long_name", is_globe ? (is_x ? "longitude" : "latitude") : name));
    CHECK(put_text(output, *variable, "units", is_globe ? (is_x ? "degrees_east" : "degrees_north") : "m"));
    // On lengths VTK takes these letters for angles on a globe (core/stream.h).
    return is_globe ? put_text(output, *variable, "axis", is_x ? "X" : "Y") : STATUS_OK;
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
    NC_CHECK(nc_def_var_chunking(output->ncid, output->variable, NC_CHUNKED, chunk), output->request->path,
             "writing the chunk sizes");
    NC_CHECK(nc_set_var_chunk_cache(output->ncid, output->variable,
                                    (across + 1) * chunk[0] * chunk[1] * value_bytes, 2 * across + 101, 1.0F),
             output->request->path, "setting the chunk cache");
    if (request->compress)
        NC_CHECK(nc_def_var_deflate(output->ncid, output->variable, 1, 1, 1), output->request->path,
                 "writing the compression");
    // Every value is written, so filling first would only write the file twice.
    float fill_f = NAN;
    double fill_d = NAN;
    const void *fill = request->is_double ? (const void *)&fill_d : (const void *)&fill_f;
    NC_CHECK(
        nc_def_var_fill(output->ncid, output->variable, request->has_missing ? NC_FILL : NC_NOFILL, fill),
        output->request->path, "writing the fill value");
    return STATUS_OK;
}

static enum status put_range(const struct output *output, double minimum, double maximum)
{
    double range[2] = {minimum, maximum};
    NC_CHECK(nc_put_att_double(output->ncid, output->variable, "actual_range",
                               output->request->is_double ? NC_DOUBLE : NC_FLOAT, 2, range),
             output->request->path, "writing actual_range");
    return STATUS_OK;
}

static enum status define(struct output *output)
{
    const struct grid_write *request = output->request;
    char comment[PATH_BYTES + 32];
    int dimensions[2];
    CHECK(define_axis(output, false, request->ny, &dimensions[0], &output->y));
    CHECK(define_axis(output, true, request->nx, &dimensions[1], &output->x));
    NC_CHECK(nc_def_var(output->ncid, request->variable, request->is_double ? NC_DOUBLE : NC_FLOAT, 2,
                        dimensions, &output->variable),
             output->request->path, "writing the variable");
    CHECK(define_storage(output));
    CHECK(put_text(output, output->variable, "standard_name", request->standard_name));
    CHECK(put_text(output, output->variable, "long_name", request->long_name));
    CHECK(put_text(output, output->variable, "units", request->units));
    CHECK(put_text(output, output->variable, "positive", request->positive));
    CHECK(put_range(output, 0, 0)); // its place; the numbers come with the rows
    CHECK(put_text(output, NC_GLOBAL, "Conventions", "CF-1.8"));
    CHECK(put_text(output, NC_GLOBAL, "title", request->title != NULL ? request->title : request->long_name));
    CHECK(put_text(output, NC_GLOBAL, "source", request->source != NULL ? request->source : "Fathom"));
    CHECK(put_text(output, NC_GLOBAL, "history", request->history));
    if (request->source_file != NULL) {
        snprintf(comment, sizeof comment, "Read from %s", request->source_file);
        CHECK(put_text(output, NC_GLOBAL, "comment", comment));
    }
    NC_CHECK(nc_enddef(output->ncid), output->request->path, "writing the header");
    NC_CHECK(nc_put_var_double(output->ncid, output->y, request->y), output->request->path,
             "writing an axis");
    NC_CHECK(nc_put_var_double(output->ncid, output->x, request->x), output->request->path,
             "writing an axis");
    return STATUS_OK;
}

static enum status note_range(struct output *output, size_t row, const double *values)
{
    const struct grid_write *request = output->request;
    for (size_t k = 0; k < request->nx; k++) {
        if (isnan(values[k]) && !request->has_missing)
            return FAIL(STATUS_DATA, "%s: the value at column %zu of row %zu is not a number", request->path,
                        k, row);
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
        NC_CHECK(nc_put_vara_double(output->ncid, output->variable, start, count, values),
                 output->request->path, "writing a row");
    }
    if (output->minimum <= output->maximum)
        return put_range(output, output->minimum, output->maximum);
    NC_CHECK(nc_del_att(output->ncid, output->variable, "actual_range"), output->request->path,
             "writing actual_range");
    return STATUS_OK;
}

static enum status write_all(struct output *output)
{
    // Opened here first: the netCDF library's own error does not tell a missing folder from a damaged file.
    FILE *probe = fopen(output->path, "wb");
    if (probe == NULL || fclose(probe) != 0)
        return FAIL(STATUS_CANNOT_CREATE, "%s: cannot be created: %s", output->request->path,
                    strerror(errno));
    netcdf_prepare_thread();
    NC_CHECK(nc_create(output->path, NC_CLOBBER | NC_NETCDF4, &output->ncid), output->request->path,
             "creating the file");
    output->is_open = true;
    double *values = malloc(output->request->nx * sizeof *values);
    if (values == NULL)
        return FAIL(STATUS_SYSTEM, "%s: a row of %zu values: out of memory", output->request->path,
                    output->request->nx);
    enum status status = define(output);
    if (status == STATUS_OK)
        status = put_rows(output, values);
    free(values);
    CHECK(status);
    output->is_open = false;
    NC_CHECK(nc_close(output->ncid), output->request->path, "closing the file");
    return path_publish(output->path, output->request->path);
}

enum status grid_write_netcdf(const struct grid_write *request)
{
    struct output output = {.request = request};
    int length = snprintf(output.path, sizeof output.path, "%s.partial.%ld", request->path, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof output.path)
        return FAIL(STATUS_CANNOT_CREATE, "%s: the name is too long", request->path);
    enum status status = write_all(&output);
    if (status != STATUS_OK) {
        if (output.is_open)
            nc_close(output.ncid); // the file goes away: what happens to its rest does not matter
        unlink(output.path);
    }
    return status;
}
