// Inputs that a case makes for its jobs (see case_job.h).
#include "validate/case_job.h"

#include "io/netcdf/netcdf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void case_path(const struct validation_run *run, const char *file, char path[PATH_BYTES])
{
    snprintf(path, PATH_BYTES, "%s/%.500s", run->directory, file);
}

double *case_axis_values(const struct case_axis *axis)
{
    double *values = malloc((axis->count + 1) * sizeof *values);
    for (size_t k = 0; values && k < axis->count; k++)
        values[k] = axis->first + (double)k * axis->spacing;
    return values;
}

enum status case_write_text(const struct validation_run *run, const char *name, const char *text)
{
    char path[PATH_BYTES];
    case_path(run, name, path);
    FILE *file = fopen(path, "w");
    if (!file)
        return FAIL(STATUS_CANNOT_CREATE, "%s: %s", path, strerror(errno));
    const bool is_written = fputs(text, file) >= 0;
    if (fclose(file) != 0 || !is_written)
        return FAIL(STATUS_IO, "%s: writing failed: %s", path, strerror(errno));
    return STATUS_OK;
}

enum status case_write_gauges(const struct validation_run *run, const char *file,
                              const struct case_gauge *gauges, size_t count)
{
    char text[4096];
    int length = snprintf(text, sizeof text, "{\"fathom_gauges\": 1, \"gauges\": [");
    for (size_t k = 0; k < count && (size_t)length < sizeof text; k++)
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "%s{\"name\": \"%s\", \"x\": \"%.17g m\", \"y\": \"%.17g m\"}", k > 0 ? ", " : "",
                           gauges[k].name, gauges[k].x_m, gauges[k].y_m);
    if ((size_t)length + 3 > sizeof text)
        return FAIL(STATUS_SOFTWARE, "%s: %zu gauges are too many", file, count);
    snprintf(text + length, sizeof text - (size_t)length, "]}");
    return case_write_text(run, file, text);
}

static enum status put_text(int ncid, int variable, const char *name, const char *text, const char *path)
{
    NC_CHECK(nc_put_att_text(ncid, variable, name, strlen(text), text), path, "writing an attribute");
    return STATUS_OK;
}

// Dimension and coordinate variable.
static enum status define_axis(int ncid, const char *path, const char *name, const char *unit, size_t length,
                               int *dimension, int *variable)
{
    NC_CHECK(nc_def_dim(ncid, name, length, dimension), path, "creating an axis");
    NC_CHECK(nc_def_var(ncid, name, NC_DOUBLE, 1, dimension, variable), path, "creating an axis");
    return put_text(ncid, *variable, "units", unit, path);
}

static enum status define_variables(int ncid, const char *path, const struct case_grid *grid,
                                    const int dimensions[2], int variables[CASE_VARIABLES_MAX])
{
    for (int v = 0; v < grid->variable_count; v++) {
        NC_CHECK(nc_def_var(ncid, grid->variables[v].name, NC_DOUBLE, 2, dimensions, &variables[v]), path,
                 "creating a variable");
        CHECK(put_text(ncid, variables[v], "units", grid->variables[v].unit, path));
        if (grid->variables[v].positive)
            CHECK(put_text(ncid, variables[v], "positive", grid->variables[v].positive, path));
    }
    return STATUS_OK;
}

static enum status write_rows(int ncid, const char *path, const struct case_grid *grid,
                              const int variables[CASE_VARIABLES_MAX], const double *x, const double *y,
                              double *row)
{
    for (int v = 0; v < grid->variable_count; v++)
        for (size_t j = 0; j < grid->y.count; j++) {
            for (size_t i = 0; i < grid->x.count; i++)
                row[i] = grid->value(grid->context, v, x[i], y[j]);
            const size_t start[2] = {j, 0}, count[2] = {1, grid->x.count};
            NC_CHECK(nc_put_vara_double(ncid, variables[v], start, count, row), path, "writing a row");
        }
    return STATUS_OK;
}

static enum status fill_file(int ncid, const char *path, const struct case_grid *grid, const double *x,
                             const double *y, double *row)
{
    int dimensions[2], axes[2], variables[CASE_VARIABLES_MAX];
    const bool is_geographic = grid->is_geographic;
    CHECK(define_axis(ncid, path, is_geographic ? "lat" : "y", is_geographic ? "degrees_north" : "m",
                      grid->y.count, &dimensions[0], &axes[0]));
    CHECK(define_axis(ncid, path, is_geographic ? "lon" : "x", is_geographic ? "degrees_east" : "m",
                      grid->x.count, &dimensions[1], &axes[1]));
    CHECK(define_variables(ncid, path, grid, dimensions, variables));
    NC_CHECK(nc_enddef(ncid), path, "writing the header");
    NC_CHECK(nc_put_var_double(ncid, axes[0], y), path, "writing an axis");
    NC_CHECK(nc_put_var_double(ncid, axes[1], x), path, "writing an axis");
    return write_rows(ncid, path, grid, variables, x, y, row);
}

static enum status write_file(const char *path, const struct case_grid *grid, const double *x,
                              const double *y, double *row)
{
    int ncid;
    netcdf_prepare_thread();
    NC_CHECK(nc_create(path, NC_CLOBBER | NC_64BIT_OFFSET, &ncid), path, "creating the file");
    const enum status status = fill_file(ncid, path, grid, x, y, row);
    const int closed = nc_close(ncid);
    if (status == STATUS_OK)
        NC_CHECK(closed, path, "closing the file");
    return status;
}

enum status case_write_grid(const struct validation_run *run, const char *name, const struct case_grid *grid)
{
    char path[PATH_BYTES];
    double *x = case_axis_values(&grid->x), *y = case_axis_values(&grid->y);
    double *row = malloc(grid->x.count * sizeof *row);
    case_path(run, name, path);
    const enum status status =
        x && y && row
            ? write_file(path, grid, x, y, row)
            : FAIL(STATUS_SYSTEM, "%s: not enough memory for a row of %zu nodes", path, grid->x.count);
    free(x);
    free(y);
    free(row);
    return status;
}
