// Heat jobs of the validation (see heat_job.h).
#include "validate/bioheat/heat_job.h"

#include "io/netcdf/netcdf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const axis_names[3] = {"z", "y", "x"};
static const double start_c = 37;

size_t heat_job_cells(const struct heat_job *job)
{
    return job->cells[0] * job->cells[1] * job->cells[2];
}

static double *new_array(const struct heat_job *job)
{
    return calloc(heat_job_cells(job) + 1, sizeof(double));
}

void heat_job_add(struct heat_job *job, double **array)
{
    *array = new_array(job);
    if (*array)
        return;
    job->status = FAIL(STATUS_SYSTEM, "not enough memory for a box of cells");
    memset(job->cells, 0, sizeof job->cells);
}

void heat_job_new(struct heat_job *job, size_t nz, size_t ny, size_t nx, double spacing_m)
{
    *job = (struct heat_job){.cells = {nz, ny, nx},
                             .spacing_m = {spacing_m, spacing_m, spacing_m},
                             .tissue_count = 1,
                             .faces = "{\"all\": {\"kind\": \"periodic\"}}"};
    heat_job_add(job, &job->theta_k);
}

void heat_job_free(struct heat_job *job)
{
    free(job->label);
    free(job->conductivity);
    free(job->theta_k);
    free(job->source_w_m3);
    free(job->velocity_m_s);
    *job = (struct heat_job){0};
}

void heat_job_place(const struct heat_job *job, size_t cell, double at_m[3])
{
    const size_t nx = job->cells[2], ny = job->cells[1];
    const size_t index[3] = {cell / nx / ny, cell / nx % ny, cell % nx};
    for (int axis = 0; axis < 3; axis++)
        at_m[axis] = ((double)index[axis] + 0.5) * job->spacing_m[axis];
}

double heat_job_limit_s(const struct heat_job *job)
{
    double diffusivity = 0, perfusion = 0, sum = 0;
    for (int t = 1; t <= job->tissue_count; t++) {
        const struct heat_job_tissue *tissue = &job->tissues[t];
        const double capacity = tissue->density_kg_m3 * tissue->specific_heat_j_kg_k;
        diffusivity = fmax(diffusivity, tissue->conductivity_w_m_k / capacity);
        perfusion = fmax(perfusion, tissue->perfusion_w_m3_k / capacity);
    }
    for (int axis = 0; axis < 3; axis++)
        if (job->cells[axis] > 1)
            sum += 16.0 / 3 * diffusivity / (job->spacing_m[axis] * job->spacing_m[axis]);
    return 2 / (sum + perfusion);
}

double heat_worst(double worst, double error)
{
    return error <= worst || isnan(worst) ? worst : error;
}

// ---- inputs

static enum status write_axis(int ncid, const char *path, const struct heat_job *job, int axis, int variable)
{
    double *middles = case_axis_values(
        &(struct case_axis){job->cells[axis], 0.5 * job->spacing_m[axis], job->spacing_m[axis]});
    if (!middles)
        return FAIL(STATUS_SYSTEM, "%s: not enough memory for an axis", path);
    const int code = nc_put_var_double(ncid, variable, middles);
    free(middles);
    NC_CHECK(code, path, "writing an axis");
    return STATUS_OK;
}

struct volume {
    const char *name, *unit;
    const double *values;
    int type;
};
enum { VOLUMES_MAX = 8 };

static int volumes_of(const struct heat_job *job, double *celsius, struct volume volumes[VOLUMES_MAX])
{
    const struct volume all[] = {
        {"temperature", "degC", celsius, NC_DOUBLE},
        {"label", "1", job->label, NC_SHORT},
        {"source", "W m-3", job->source_w_m3, NC_DOUBLE},
        {"conductivity", "W m-1 K-1", job->conductivity, NC_DOUBLE},
        {"velocity", "m s-1", job->velocity_m_s, NC_DOUBLE},
    };
    int count = 0;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k].values)
            volumes[count++] = all[k];
    return count;
}

// Density, specific heat and perfusion beside a field of conductivity: constants, but files have them as
// fields.
static enum status write_constants(int ncid, const char *path, const struct heat_job *job, const int dims[3])
{
    static const char *const names[] = {"density", "specific_heat", "perfusion"};
    static const char *const units[] = {"kg m-3", "J kg-1 K-1", "W m-3 K-1"};
    const struct heat_job_tissue *tissue = &job->tissues[1];
    const double values[] = {tissue->density_kg_m3, tissue->specific_heat_j_kg_k, tissue->perfusion_w_m3_k};
    double *field = new_array(job);
    if (!field)
        return FAIL(STATUS_SYSTEM, "%s: not enough memory for a field", path);
    int code = NC_NOERR;
    for (int k = 0; k < 3 && code == NC_NOERR; k++) {
        int variable;
        for (size_t cell = 0; cell < heat_job_cells(job); cell++)
            field[cell] = values[k];
        code = nc_def_var(ncid, names[k], NC_DOUBLE, 3, dims, &variable);
        if (code == NC_NOERR)
            code = nc_put_att_text(ncid, variable, "units", strlen(units[k]), units[k]);
        if (code == NC_NOERR)
            code = nc_put_var_double(ncid, variable, field);
    }
    free(field);
    NC_CHECK(code, path, "writing a constant field");
    return STATUS_OK;
}

static enum status fill_file(int ncid, const char *path, const struct heat_job *job, double *celsius)
{
    struct volume volumes[VOLUMES_MAX];
    int dims[3], axes[3];
    const int count = volumes_of(job, celsius, volumes);
    for (int axis = 0; axis < 3; axis++) {
        NC_CHECK(nc_def_dim(ncid, axis_names[axis], job->cells[axis], &dims[axis]), path, "creating an axis");
        NC_CHECK(nc_def_var(ncid, axis_names[axis], NC_DOUBLE, 1, &dims[axis], &axes[axis]), path,
                 "creating an axis");
        NC_CHECK(nc_put_att_text(ncid, axes[axis], "units", 1, "m"), path, "writing an attribute");
        CHECK(write_axis(ncid, path, job, axis, axes[axis]));
    }
    for (int v = 0; v < count; v++) {
        int variable;
        NC_CHECK(nc_def_var(ncid, volumes[v].name, volumes[v].type, 3, dims, &variable), path,
                 "creating a variable");
        NC_CHECK(nc_put_att_text(ncid, variable, "units", strlen(volumes[v].unit), volumes[v].unit), path,
                 "writing an attribute");
        NC_CHECK(nc_put_var_double(ncid, variable, volumes[v].values), path, "writing a variable");
    }
    return job->conductivity ? write_constants(ncid, path, job, dims) : STATUS_OK;
}

static enum status write_volumes(const struct validation_run *run, const struct heat_job *job,
                                 const char *name)
{
    char path[PATH_BYTES];
    int ncid;
    double *celsius = new_array(job);
    if (!celsius)
        return FAIL(STATUS_SYSTEM, "%s: not enough memory for the start", name);
    for (size_t cell = 0; cell < heat_job_cells(job); cell++)
        celsius[cell] = start_c + job->theta_k[cell];
    case_path(run, name, path);
    netcdf_prepare_thread();
    const int code = nc_create(path, NC_CLOBBER | NC_NETCDF4, &ncid);
    if (code != NC_NOERR) {
        free(celsius);
        NC_CHECK(code, path, "creating the file");
    }
    enum status status = fill_file(ncid, path, job, celsius);
    free(celsius);
    const int closed = nc_close(ncid);
    if (status == STATUS_OK)
        NC_CHECK(closed, path, "closing the file");
    return status;
}

// ---- the job

static void set_uniform(struct case_job *json, const struct heat_job *job)
{
    const struct heat_job_tissue *tissue = &job->tissues[1];
    case_job_set(
        json, "domain.uniform",
        "{\"density\": \"%.17g kg m-3\", \"specific_heat\": \"%.17g J kg-1 K-1\", \"conductivity\": \"%.17g "
        "W m-1 K-1\", \"perfusion\": \"%.17g W m-3 K-1\", \"cells\": {\"x\": %zu, \"y\": %zu, \"z\": %zu}, "
        "\"spacing\": {\"x\": \"%.17g m\", \"y\": \"%.17g m\", \"z\": \"%.17g m\"}}",
        tissue->density_kg_m3, tissue->specific_heat_j_kg_k, tissue->conductivity_w_m_k,
        tissue->perfusion_w_m3_k, job->cells[2], job->cells[1], job->cells[0], job->spacing_m[2],
        job->spacing_m[1], job->spacing_m[0]);
}

static void set_labels(struct case_job *json, const struct heat_job *job, const char *file)
{
    bool has_void = false;
    for (size_t cell = 0; cell < heat_job_cells(job); cell++)
        has_void = has_void || job->label[cell] == 0;
    case_job_set(json, "domain.labels", "{\"file\": \"%s\", \"variable\": \"label\"}", file);
    if (has_void)
        case_job_set(json, "tissues.void", "[0]");
    for (int t = 1; t <= job->tissue_count; t++) {
        char key[32];
        const struct heat_job_tissue *tissue = &job->tissues[t];
        snprintf(key, sizeof key, "tissues.labels.%d", t);
        case_job_set(json, key,
                     "{\"name\": \"tissue %d\", \"density\": \"%.17g kg m-3\", \"specific_heat\": \"%.17g J "
                     "kg-1 K-1\", \"conductivity\": \"%.17g W m-1 K-1\", \"perfusion\": \"%.17g W m-3 K-1\"}",
                     t, tissue->density_kg_m3, tissue->specific_heat_j_kg_k, tissue->conductivity_w_m_k,
                     tissue->perfusion_w_m3_k);
    }
}

static void set_domain(struct case_job *json, const struct heat_job *job, const char *file)
{
    if (job->label)
        set_labels(json, job, file);
    else if (job->conductivity)
        case_job_set(json, "domain.fields", "{\"file\": \"%s\", \"perfusion\": \"perfusion\"}", file);
    else
        set_uniform(json, job);
    // In a file an axis of one cell defines no spacing.
    if (job->label || job->conductivity)
        case_job_set(json, "domain.spacing", "{\"x\": \"%.17g m\", \"y\": \"%.17g m\", \"z\": \"%.17g m\"}",
                     job->spacing_m[2], job->spacing_m[1], job->spacing_m[0]);
    if (job->velocity_m_s)
        case_job_set(json, "domain.velocity", "{\"file\": \"%s\", \"x\": \"velocity\"}", file);
    case_job_set(json, "domain.faces", "%s", job->faces);
}

static struct case_job make_job(const struct heat_job *job, const char *file)
{
    struct case_job made =
        case_job_parse("{\"fathom\": 1, \"model\": \"bioheat\", \"title\": \"Validation\", \"domain\": {}, "
                       "\"time\": {}, \"output\": {\"precision\": \"double\", \"state\": true}}");
    struct case_job *json = &made;
    set_domain(json, job, file);
    case_job_set(json, "initial", "{\"file\": \"%s\", \"variable\": \"temperature\"}", file);
    if (job->arterial_c != 0)
        case_job_set(json, "physics.arterial_temperature", "\"%.17g degC\"", job->arterial_c);
    if (job->method)
        case_job_set(json, "method", "\"%s\"", job->method);
    if (job->dose)
        case_job_set(json, "dose.definition", "\"%s\"", job->dose);
    if (job->source)
        case_job_set(json, "source", "%s", job->source);
    else if (job->source_w_m3)
        case_job_set(json, "source.maps.heating", "{\"file\": \"%s\", \"variable\": \"source\"}", file);
    case_job_set(json, "time.step", "\"%.17g s\"", job->step_s);
    case_job_set(json, "time.duration", "\"%.17g s\"", job->step_s * (double)job->steps);
    return made;
}

enum status heat_job_run(struct validation_run *run, struct heat_job *job, const char *name)
{
    char file[VALIDATION_NAME_BYTES];
    double *rise;
    CHECK(job->status);
    snprintf(file, sizeof file, "%s.nc", name);
    CHECK(write_volumes(run, job, file));
    struct case_job made = make_job(job, file);
    CHECK(case_job_run_once(run, &made, name, job->backend, job->precision ? job->precision : "double"));
    CHECK(heat_job_read(run, job, name, "state.nc", "rise", &rise));
    free(job->theta_k);
    job->theta_k = rise;
    return STATUS_OK;
}

enum status heat_job_error(struct validation_run *run, struct heat_job *job, const char *name,
                           heat_error *error, const void *context, double *largest_k)
{
    const enum status status = heat_job_run(run, job, name);
    *largest_k = 0;
    for (size_t cell = 0; cell < heat_job_cells(job) && status == STATUS_OK; cell++) {
        double at_m[3];
        heat_job_place(job, cell, at_m);
        *largest_k = heat_worst(*largest_k, fabs(error(context, at_m, job->theta_k[cell])));
    }
    heat_job_free(job);
    return status;
}

enum status heat_job_read(const struct validation_run *run, const struct heat_job *job, const char *name,
                          const char *file, const char *variable, double **values)
{
    size_t shape[4];
    CHECK(case_read_variable(run, name, file, variable, values, shape));
    for (int axis = 0; axis < 3; axis++)
        if (shape[axis] != job->cells[axis]) {
            free(*values);
            *values = NULL;
            return FAIL(STATUS_DATA, "%s of %s, %s: %zu cells along %s, expected %zu", variable, name, file,
                        shape[axis], axis_names[axis], job->cells[axis]);
        }
    return STATUS_OK;
}
