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

double *case_axis(size_t count, double first, double spacing)
{
    double *axis = malloc(count * sizeof *axis);
    for (size_t k = 0; axis && k < count; k++)
        axis[k] = first + (double)k * spacing;
    return axis;
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
                              const int variables[CASE_VARIABLES_MAX], double *row)
{
    for (int v = 0; v < grid->variable_count; v++)
        for (size_t j = 0; j < grid->ny; j++) {
            for (size_t i = 0; i < grid->nx; i++)
                row[i] = grid->value(grid->context, v, grid->x[i], grid->y[j]);
            const size_t start[2] = {j, 0}, count[2] = {1, grid->nx};
            NC_CHECK(nc_put_vara_double(ncid, variables[v], start, count, row), path, "writing a row");
        }
    return STATUS_OK;
}

static enum status fill_file(int ncid, const char *path, const struct case_grid *grid)
{
    int dimensions[2], axes[2], variables[CASE_VARIABLES_MAX];
    const bool is_geographic = grid->is_geographic;
    CHECK(define_axis(ncid, path, is_geographic ? "lat" : "y", is_geographic ? "degrees_north" : "m",
                      grid->ny, &dimensions[0], &axes[0]));
    CHECK(define_axis(ncid, path, is_geographic ? "lon" : "x", is_geographic ? "degrees_east" : "m", grid->nx,
                      &dimensions[1], &axes[1]));
    CHECK(define_variables(ncid, path, grid, dimensions, variables));
    NC_CHECK(nc_enddef(ncid), path, "writing the header");
    NC_CHECK(nc_put_var_double(ncid, axes[0], grid->y), path, "writing an axis");
    NC_CHECK(nc_put_var_double(ncid, axes[1], grid->x), path, "writing an axis");
    double *row = malloc(grid->nx * sizeof *row);
    if (!row)
        return FAIL(STATUS_SYSTEM, "%s: not enough memory for a row of %zu nodes", path, grid->nx);
    enum status status = write_rows(ncid, path, grid, variables, row);
    free(row);
    return status;
}

enum status case_write_grid(const struct validation_run *run, const char *name, const struct case_grid *grid)
{
    char path[PATH_BYTES];
    int ncid;
    if (!grid->x || !grid->y)
        return FAIL(STATUS_SYSTEM, "%s: not enough memory for its axes", name);
    case_path(run, name, path);
    netcdf_prepare_thread();
    netcdf_prepare_thread();
    NC_CHECK(nc_create(path, NC_CLOBBER | NC_64BIT_OFFSET, &ncid), path, "creating the file");
    enum status status = fill_file(ncid, path, grid);
    const int closed = nc_close(ncid);
    if (status == STATUS_OK)
        NC_CHECK(closed, path, "closing the file");
    return status;
}
