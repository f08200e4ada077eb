// The temperature at the start: see initial.h.
#include "models/bioheat/initial.h"

#include "io/formats/volume.h"
#include "io/job/units.h"
#include "io/path.h"
#include "io/units.h"
#include "models/bioheat/body/order.h"
#include "models/bioheat/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Of a uniform start: "37 K" and "310.15 degC" are mistakes.
static const double body_least_c = 0, body_most_c = 60;

struct bioheat_initial {
    const struct job *job;
    const struct bioheat_grid *grid;
    enum element precision; // of the run
    double reference_c;
    double constant_c;
    char path[PATH_BYTES]; // "": none
    const char *variable;
    int64_t record;
    struct volume *volume;
    double slope, offset; // to °C
    void *theta_k;        // [z][y][x] in the run's precision
    double *row, *values, *scratch;
};

static enum status read_units(struct bioheat_initial *initial)
{
    const struct job *job = initial->job;
    const struct volume_info *info = volume_info(initial->volume);
    const char *units = job_has(job, "initial.units") ? job_string(job, "initial.units") : info->units;
    const struct stated_units stated = {.path = info->path, .variable = info->variable, .units = info->units};
    struct units_override override = {.job = job, .key = "initial.override"};
    CHECK(job_units_check(&override, "initial.units", &stated));
    job_units_end(&override, info->path);
    if (!units[0])
        return job_fail(job, "initial.units", "%s: variable %s does not state its units: degC or K?",
                        info->path, info->variable);
    CHECK_ABOUT(units_conversion(units, "degC", &initial->slope, &initial->offset),
                "%s: variable %s: units \"%s\"", info->path, info->variable, units);
    return STATUS_OK;
}

// The origin of a uniform domain is arbitrary.
static enum status check_cells(const struct bioheat_initial *initial)
{
    const struct bioheat_grid *grid = initial->grid;
    const bool is_placed = !job_has(initial->job, "domain.uniform");
    return volume_check_grid(initial->volume, "the domain", grid->cells, grid->spacing_m,
                             is_placed ? grid->origin_m : NULL);
}

static enum status open_file(struct bioheat_initial *initial)
{
    const int64_t record = initial->record < 0 ? 0 : initial->record;
    CHECK(volume_open(initial->path, initial->variable, record, &initial->volume));
    CHECK(bioheat_order_turn(initial->job, "initial.axes", initial->grid, initial->volume));
    return check_cells(initial);
}

static enum status create(struct bioheat_initial *initial)
{
    static const char *const of_files[] = {"initial.variable", "initial.units", "initial.override",
                                           "initial.record"};
    const struct job *job = initial->job;
    const int ways =
        job_has(job, "initial.temperature") + job_has(job, "initial.file") + job_has(job, "initial.from");
    if (ways > 1)
        return job_fail(job, "initial", "needs one of temperature, file, from, not %d of them", ways);
    for (size_t k = 0; k < sizeof of_files / sizeof *of_files; k++)
        if (job_has(job, of_files[k]) && !job_has(job, "initial.file"))
            return job_fail(job, of_files[k], "has no effect without initial.file");
    initial->constant_c = job_has(job, "initial.temperature") ? job_quantity(job, "initial.temperature") : 37;
    if (!(initial->constant_c >= body_least_c && initial->constant_c <= body_most_c) &&
        !job_boolean(job, "initial.beyond_body"))
        return job_fail(
            job, "initial.temperature",
            "%s is %.6g degC, beyond that of living tissue, %g to %g degC: is its unit right? If it "
            "is meant, as of a phantom, add \"beyond_body\": true",
            job_string(job, "initial.temperature"), initial->constant_c, body_least_c, body_most_c);
    if (!job_has(job, "initial.file"))
        return STATUS_OK;
    CHECK_KEY(job, "initial.file",
              path_find(job_string(job, "initial.file"), job_directory(job), initial->path));
    initial->variable = job_string(job, "initial.variable");
    initial->record = job_has(job, "initial.record") ? job_integer(job, "initial.record") : -1;
    CHECK_KEY(job, "initial.file", open_file(initial));
    if (initial->record < 0 && volume_info(initial->volume)->records > 1)
        return job_fail(job, "initial.record", "is missing: %s has %zu records in time: which one, from 0?",
                        initial->path, volume_info(initial->volume)->records);
    return read_units(initial);
}

enum status bioheat_initial_create(const struct job *job, const struct bioheat_grid *grid,
                                   enum element precision, double reference_c,
                                   struct bioheat_initial **initial)
{
    struct bioheat_initial *made = *initial = calloc(1, sizeof *made);
    if (!made)
        return FAIL(STATUS_SYSTEM, "no memory for the initial temperature");
    made->job = job;
    made->grid = grid;
    made->precision = precision;
    made->reference_c = reference_c;
    return create(made);
}

void bioheat_initial_destroy(struct bioheat_initial *initial)
{
    if (!initial)
        return;
    volume_close(initial->volume);
    free(initial);
}

const char *bioheat_initial_path(const struct bioheat_initial *initial)
{
    return initial->path[0] ? initial->path : NULL;
}

double bioheat_initial_constant_c(const struct bioheat_initial *initial)
{
    return initial->volume || job_has(initial->job, "initial.from") ? (double)NAN : initial->constant_c;
}

enum status bioheat_initial_plan(struct bioheat_initial *initial, struct memory_plan *plan)
{
    const struct bioheat_grid *grid = initial->grid;
    const struct bioheat_planes held = bioheat_held(grid);
    const size_t ny = grid->cells[BIOHEAT_Y], nx = grid->cells[BIOHEAT_X];
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, 1, nx, (void **)&initial->row,
                          "row of initial temperature"));
    if (!initial->volume)
        return STATUS_OK;
    const size_t cache_bytes = volume_cache_bytes(initial->volume);
    CHECK(memory_plan_add_rows(plan, MEMORY_HOST, initial->precision, held.first * ny, held.end * ny, nx,
                               &initial->theta_k, "initial temperature"));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, grid->cells[BIOHEAT_Y], nx,
                          (void **)&initial->values, "plane of the initial temperature"));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, grid->cells[BIOHEAT_Y], nx,
                          (void **)&initial->scratch, "the same in the file's order"));
    return cache_bytes > 0
               ? memory_plan_add_library(plan, cache_bytes, "netCDF chunks of the initial temperature")
               : STATUS_OK;
}

enum status bioheat_initial_check_value(const struct volume_info *info, size_t z, size_t i, double value_c)
{
    const size_t nx = info->cells[VOLUME_X];
    char shown[64] = "missing or not a number";
    if (value_c >= BIOHEAT_ABSOLUTE_ZERO_C - 1e-9 && value_c <= BIOHEAT_HOTTEST_C)
        return STATUS_OK;
    if (isinf(value_c) && value_c > 0)
        snprintf(shown, sizeof shown, "%g degC is not finite", value_c);
    else if (value_c > 0)
        snprintf(shown, sizeof shown, "%.6g degC is above %g degC", value_c, BIOHEAT_HOTTEST_C);
    else if (!isnan(value_c))
        snprintf(shown, sizeof shown, "%.6g degC is below absolute zero", value_c);
    return FAIL(STATUS_DATA, "%s: variable %s: cell (%zu, %zu, %zu) of z, y, x: %s", info->path,
                info->variable, z, i / nx, i % nx, shown);
}

// Of a plane of the file, in place. Void cells need no value: they have none in Fathom's own images.
static enum status convert(const struct bioheat_initial *initial, const struct bioheat_voids *voids, size_t z,
                           double *values)
{
    const size_t plane = initial->grid->cells[BIOHEAT_Y] * initial->grid->cells[BIOHEAT_X];
    for (size_t i = 0; i < plane; i++) {
        double value_c = values[i] * initial->slope + initial->offset;
        if (isnan(value_c) && voids->is_void && voids->is_void(voids->context, z * plane + i))
            value_c = initial->constant_c;
        CHECK(bioheat_initial_check_value(volume_info(initial->volume), z, i, value_c));
        values[i] = value_c - initial->reference_c;
    }
    return STATUS_OK;
}

static enum status read_plane(const struct bioheat_initial *initial, const struct bioheat_voids *voids,
                              size_t z, double *theta_k)
{
    const size_t plane = initial->grid->cells[BIOHEAT_Y] * initial->grid->cells[BIOHEAT_X];
    double *scratch = malloc(plane * sizeof *scratch);
    if (!scratch)
        return FAIL(STATUS_SYSTEM, "no memory for a plane of %zu cells", plane);
    const enum status status = volume_read(initial->volume, z, 1, theta_k, scratch);
    free(scratch);
    CHECK(status);
    return convert(initial, voids, z, theta_k);
}

// Missing values of tissue were refused by then.
static bool may_be_void(const void *context, uint64_t index)
{
    (void)context;
    (void)index;
    return true;
}

enum status bioheat_initial_read(const struct bioheat_initial *initial, size_t z, double *theta_k)
{
    const size_t plane = initial->grid->cells[BIOHEAT_Y] * initial->grid->cells[BIOHEAT_X];
    for (size_t i = 0; i < plane && !initial->volume; i++)
        theta_k[i] = initial->constant_c - initial->reference_c;
    return initial->volume ? read_plane(initial, &(struct bioheat_voids){.is_void = may_be_void}, z, theta_k)
                           : STATUS_OK;
}

struct plane_roles {
    const uint8_t *roles;
    uint64_t first;
};

static bool is_void_in_plane(const void *context, uint64_t index)
{
    const struct plane_roles *plane = context;
    return plane->roles[index - plane->first] == BIOHEAT_VOID;
}

enum status bioheat_initial_check(const struct bioheat_initial *initial, size_t z, const uint8_t *roles,
                                  double *start_c)
{
    const size_t plane = initial->grid->cells[BIOHEAT_Y] * initial->grid->cells[BIOHEAT_X];
    const struct plane_roles context = {roles, (uint64_t)z * plane};
    CHECK(read_plane(initial, &(struct bioheat_voids){is_void_in_plane, &context}, z, start_c));
    for (size_t i = 0; i < plane; i++)
        start_c[i] += initial->reference_c;
    return STATUS_OK;
}

enum status bioheat_initial_prepare(struct bioheat_initial *initial, const struct bioheat_voids *voids)
{
    if (!initial->volume)
        return STATUS_OK;
    const struct bioheat_grid *grid = initial->grid;
    const size_t plane = grid->cells[BIOHEAT_Y] * grid->cells[BIOHEAT_X];
    const struct bioheat_planes held = bioheat_held(grid);
    for (size_t z = held.first; z < held.end; z++) {
        CHECK(volume_read(initial->volume, z, 1, initial->values, initial->scratch));
        CHECK(convert(initial, voids, z, initial->values));
        for (size_t i = 0; i < plane; i++)
            element_set(initial->precision, initial->theta_k, z * plane + i, initial->values[i]);
    }
    volume_close(initial->volume); // its chunks are given back
    initial->volume = NULL;
    return STATUS_OK;
}

enum status bioheat_initial_apply(const struct bioheat_initial *initial,
                                  const struct bioheat_backend *backend, struct solver *solver)
{
    const struct bioheat_grid *grid = initial->grid;
    const size_t ny = grid->cells[BIOHEAT_Y], nx = grid->cells[BIOHEAT_X];
    const double constant_k = initial->constant_c - initial->reference_c;
    const struct bioheat_planes held = bioheat_held(grid);
    for (size_t z = held.first; z < held.end; z++)
        for (size_t y = 0; y < ny; y++) {
            const size_t base = (z * ny + y) * nx;
            for (size_t x = 0; x < nx; x++)
                initial->row[x] = initial->theta_k
                                      ? element_get(initial->precision, initial->theta_k, base + x)
                                      : constant_k;
            backend->set(solver, z, y, 0, nx, initial->row);
        }
    return solver_touch(&backend->head, solver, false);
}
