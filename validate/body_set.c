// Bodies of cases: memory, files and distances (see body_set.h).
#include "validate/body_set.h"

#include "io/netcdf/netcdf.h"
#include "validate/case_job.h"

#include <math.h>
#include <stdlib.h>

enum status body_set_new(struct body_set *set, size_t count)
{
    *set = (struct body_set){.count = count,
                             .position = calloc(3 * count, sizeof(double)),
                             .velocity = calloc(3 * count, sizeof(double)),
                             .mass = calloc(count, sizeof(double))};
    return set->position && set->velocity && set->mass
               ? STATUS_OK
               : FAIL(STATUS_SYSTEM, "not enough memory for %zu bodies", count);
}

void body_set_free(struct body_set *set)
{
    free(set->position);
    free(set->velocity);
    free(set->mass);
    *set = (struct body_set){0};
}

double body_length(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

double body_distance(const double a[3], const double b[3])
{
    return body_length((const double[]){a[0] - b[0], a[1] - b[1], a[2] - b[2]});
}

double body_worse(double worst, double error)
{
    return error <= worst || isnan(worst) ? worst : error;
}

// ---- files

static enum status fill_file(int ncid, const char *path, const struct body_set *set)
{
    int dims[2], position, velocity, mass;
    NC_CHECK(nc_def_dim(ncid, "body", set->count, &dims[0]), path, "creating a dimension");
    NC_CHECK(nc_def_dim(ncid, "spatial", 3, &dims[1]), path, "creating a dimension");
    NC_CHECK(nc_def_var(ncid, "position", NC_DOUBLE, 2, dims, &position), path, "creating a variable");
    NC_CHECK(nc_def_var(ncid, "velocity", NC_DOUBLE, 2, dims, &velocity), path, "creating a variable");
    NC_CHECK(nc_def_var(ncid, "mass", NC_DOUBLE, 1, dims, &mass), path, "creating a variable");
    NC_CHECK(nc_enddef(ncid), path, "writing the header");
    NC_CHECK(nc_put_var_double(ncid, position, set->position), path, "writing positions");
    NC_CHECK(nc_put_var_double(ncid, velocity, set->velocity), path, "writing velocities");
    NC_CHECK(nc_put_var_double(ncid, mass, set->mass), path, "writing masses");
    return STATUS_OK;
}

enum status body_set_write(const struct validation_run *run, const struct body_set *set, const char *file)
{
    char path[PATH_BYTES];
    int ncid;
    case_path(run, file, path);
    netcdf_prepare_thread();
    netcdf_prepare_thread();
    NC_CHECK(nc_create(path, NC_CLOBBER | NC_64BIT_OFFSET, &ncid), path, "creating the file");
    const enum status status = fill_file(ncid, path, set);
    const int closed = nc_close(ncid);
    if (status == STATUS_OK)
        NC_CHECK(closed, path, "closing the file");
    return status;
}

// One variable of final.nc, of `width` numbers a body.
static enum status read_final(const struct validation_run *run, const char *name, const char *variable,
                              size_t width, size_t *count, double **values)
{
    size_t shape[4];
    CHECK(case_read_variable(run, name, "final.nc", variable, values, shape));
    if (*count == 0)
        *count = shape[0];
    if (shape[0] == *count && (shape[1] == width || (width == 1 && shape[1] == 0)))
        return STATUS_OK;
    return FAIL(STATUS_DATA, "final.nc of the job %s: %s is %zu by %zu numbers, expected %zu by %zu", name,
                variable, shape[0], shape[1], *count, width);
}

enum status body_set_read(const struct validation_run *run, const char *name, struct body_set *set)
{
    *set = (struct body_set){0};
    CHECK(read_final(run, name, "coordinates", 3, &set->count, &set->position));
    CHECK(read_final(run, name, "velocities", 3, &set->count, &set->velocity));
    return read_final(run, name, "mass", 1, &set->count, &set->mass);
}
