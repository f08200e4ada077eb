// Reads the values of the medium's files by planes, checks them, and stores them in the arrays of the
// solvers.
#include "models/bioheat/body/domain_private.h"
#include "models/bioheat/body/frame.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *domain_place(const struct bioheat_grid *grid, size_t cell, char text[static MEDIA_PLACE_BYTES])
{
    size_t at[BIOHEAT_AXES];
    double at_m[BIOHEAT_AXES];
    bioheat_cell_at(grid, cell, at);
    bioheat_cell_scanner_m(grid, at, at_m);
    snprintf(text, MEDIA_PLACE_BYTES,
             "cell (%zu, %zu, %zu) of z, y, x, at (%.5g, %.5g, %.5g) mm of x, y, z%s", at[0], at[1], at[2],
             1e3 * at_m[BIOHEAT_X], 1e3 * at_m[BIOHEAT_Y], 1e3 * at_m[BIOHEAT_Z], bioheat_frame_name(grid));
    return text;
}

// Far beyond all matter, and small enough for products of them in single precision.
static const double largest = 1e12, largest_specific_heat = 1e25;

// Returns the reason why a value is invalid for its quantity; NULL: it is valid.
static const char *objection(int kind, double value)
{
    if (isnan(value))
        return "has no value (missing or not a number)";
    switch (kind) {
    case INPUT_LABELS:
        return value >= 0 && value < BIOHEAT_LABELS && value == floor(value)
                   ? NULL
                   : "expected a whole number from 0 to 255";
    case INPUT_DENSITY:
        return value > 0 && value <= largest ? NULL : "expected more than 0, and at most 1e12";
    case INPUT_SPECIFIC_HEAT: // infinite: the cell keeps its temperature
        return value > 0 && (value <= largest_specific_heat || isinf(value))
                   ? NULL
                   : "expected more than 0, and at most 1e25, or infinity for a fixed temperature";
    case INPUT_CONDUCTIVITY: // 0: void
    case INPUT_PERFUSION:
        return value >= 0 && value <= largest ? NULL : "expected 0 or more, and at most 1e12";
    default:
        return fabs(value) <= largest ? NULL : "expected a finite number of at most 1e12 in size";
    }
}

static enum status refuse_value(const struct bioheat_domain *d, int kind, size_t cell, double value)
{
    const struct volume_info *info = volume_info(d->inputs[kind].volume);
    char place[MEDIA_PLACE_BYTES], number[32] = "";
    if (!isnan(value))
        snprintf(number, sizeof number, "%.9g: ", value);
    return FAIL(STATUS_DATA, "%s: variable %s: %s: %s%s", info->path, info->variable,
                domain_place(&d->body->grid, cell, place), number, objection(kind, value));
}

enum status domain_read_input(struct bioheat_domain *d, int kind, size_t first, size_t count, double *values,
                              double *scratch)
{
    const struct domain_input *input = &d->inputs[kind];
    if (d->has_ct && kind >= INPUT_DENSITY && kind <= INPUT_PERFUSION)
        return domain_read_ct(d, kind, first, count, values, scratch);
    const size_t cells = count * domain_plane_cells(d), base = first * domain_plane_cells(d);
    CHECK(volume_read(input->volume, first, count, values, scratch));
    // Labels are checked without a branch; values are converted and checked one by one.
    size_t good = 0;
    for (size_t i = 0; i < cells && kind == INPUT_LABELS; i++)
        good += values[i] >= 0 && values[i] < BIOHEAT_LABELS && values[i] == floor(values[i]);
    for (size_t i = 0; i < cells && good < cells; i++) {
        values[i] = values[i] * input->slope + input->offset;
        if (objection(kind, values[i]))
            return refuse_value(d, kind, base + i, values[i]);
    }
    return STATUS_OK;
}

void domain_heat_capacity(const double *density, const double *specific_heat, size_t count, double *capacity)
{
    for (size_t i = 0; i < count; i++)
        capacity[i] = density[i] * specific_heat[i];
}

void domain_perfusion(const struct bioheat_domain *d, const double *density, double *perfusion, size_t count)
{
    const struct bioheat_body *body = d->body;
    for (size_t i = 0; i < count; i++)
        perfusion[i] = bioheat_perfusion_heat(d->perfusion_kind, perfusion[i], density ? density[i] : NAN,
                                              body->blood_density_kg_m3, body->blood_specific_heat_j_kg_k);
}

// ---- the plan

// Planes read at once: a few megabytes, so that a file with other axes is not read through once per plane.
static size_t planes_at_once(const struct bioheat_grid *grid)
{
    static const size_t wanted_bytes = (size_t)8 << 20;
    const size_t plane = grid->cells[BIOHEAT_Y] * grid->cells[BIOHEAT_X] * sizeof(double);
    const size_t planes = plane < wanted_bytes ? wanted_bytes / plane : 1;
    return planes < grid->cells[BIOHEAT_Z] ? planes : grid->cells[BIOHEAT_Z];
}

static enum status plan_reading(struct bioheat_domain *d, struct memory_plan *plan)
{
    size_t cache_bytes = 0, image_bytes = 0;
    bool has_files = false;
    domain_close_inputs(d); // frees their chunks; reopened now, because nothing is opened after the seal
    for (int k = 0; k < INPUTS; k++)
        if (domain_has(d, k)) {
            CHECK(domain_open_input(d, k));
            if (!d->inputs[k].volume) // it follows from another
                continue;
            const size_t own = volume_cache_bytes(d->inputs[k].volume);
            if (volume_is_image(d->inputs[k].volume))
                image_bytes += own;
            else
                cache_bytes = own > cache_bytes ? own : cache_bytes;
            has_files = true;
        }
    if (!has_files)
        return STATUS_OK;
    d->block_planes = planes_at_once(&d->body->grid);
    const size_t rows = d->block_planes * d->body->grid.cells[BIOHEAT_Y], nx = d->body->grid.cells[BIOHEAT_X];
    static const char *const names[] = {"planes of the medium's files", "planes of a second file"};
    for (int k = 0; k < (d->kind == DOMAIN_FIELDS ? 2 : 1); k++)
        CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, rows, nx, (void **)&d->values[k], "%s",
                              names[k]));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, rows, nx, (void **)&d->scratch,
                          "planes in the file's order"));
    // A cache is filled only while its file is read. At most two are in use: that of the density and another.
    if (cache_bytes > 0)
        CHECK(memory_plan_add_library(plan, 2 * cache_bytes, "netCDF chunks of the medium"));
    if (image_bytes > 0)
        CHECK(memory_plan_add_library(plan, image_bytes, "NIfTI image of the medium"));
    return STATUS_OK;
}

enum status bioheat_domain_plan(struct bioheat_domain *d, struct memory_plan *plan)
{
    const struct bioheat_grid *grid = &d->body->grid;
    const struct bioheat_planes around = bioheat_around(grid);
    const size_t ny = grid->cells[BIOHEAT_Y], nx = grid->cells[BIOHEAT_X], first = around.first * ny,
                 end = around.end * ny;
    const enum element real = d->body->precision;
    static const char *const velocities[BIOHEAT_AXES] = {"velocity z", "velocity y", "velocity x"};
    if (d->media.has_labels) {
        CHECK(memory_plan_add_rows(plan, MEMORY_HOST, ELEMENT_U8, first, end, nx, (void **)&d->labels,
                                   "labels"));
    } else {
        CHECK(
            memory_plan_add_rows(plan, MEMORY_HOST, real, first, end, nx, &d->conductivity, "conductivity"));
        CHECK(memory_plan_add_rows(plan, MEMORY_HOST, real, first, end, nx, &d->heat_capacity,
                                   "heat capacity"));
        if (d->media.perfusion)
            CHECK(memory_plan_add_rows(plan, MEMORY_HOST, real, first, end, nx, &d->perfusion, "perfusion"));
    }
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        if (d->media.velocity_m_s[axis])
            CHECK(memory_plan_add_rows(plan, MEMORY_HOST, real, first, end, nx, &d->velocity[axis], "%s",
                                       velocities[axis]));
    return plan_reading(d, plan);
}

// ---- reading into the arrays

// Where the first cell of a plane that is read goes.
static void *cells_at(const struct bioheat_domain *d, void *field, size_t plane, size_t element)
{
    return (void *)((uintptr_t)field + (plane + d->shift) * domain_plane_cells(d) * element);
}

static uint8_t *labels_at(const struct bioheat_domain *d, size_t plane)
{
    return cells_at(d, d->labels, plane, sizeof *d->labels);
}

static void store(const struct bioheat_domain *d, const double *values, size_t first, size_t planes,
                  void *field)
{
    const enum element real = d->body->precision;
    void *to = cells_at(d, field, first, element_bytes(real));
    for (size_t i = 0; i < planes * domain_plane_cells(d); i++)
        element_set(real, to, i, values[i]);
}

static enum status read_labels(struct bioheat_domain *d, size_t first, size_t planes)
{
    const size_t cells = planes * domain_plane_cells(d), base = first * domain_plane_cells(d);
    uint8_t *labels = labels_at(d, first);
    CHECK(domain_read_input(d, INPUT_LABELS, first, planes, d->values[0], d->scratch));
    for (size_t i = 0; i < cells; i++) {
        const uint8_t label = (uint8_t)d->values[0][i];
        if (!d->media.is_used[label]) {
            char place[MEDIA_PLACE_BYTES];
            return FAIL(STATUS_DATA, "%s: %s: label %d was not in the file before: the file has changed",
                        d->inputs[INPUT_LABELS].path, domain_place(&d->body->grid, base + i, place), label);
        }
        labels[i] = label;
    }
    return STATUS_OK;
}

static enum status read_capacity(struct bioheat_domain *d, size_t first, size_t planes)
{
    const size_t cells = planes * domain_plane_cells(d);
    CHECK(domain_read_input(d, INPUT_DENSITY, first, planes, d->values[0], d->scratch));
    CHECK(domain_read_input(d, INPUT_SPECIFIC_HEAT, first, planes, d->values[1], d->scratch));
    domain_heat_capacity(d->values[0], d->values[1], cells, d->values[1]);
    store(d, d->values[1], first, planes, d->heat_capacity);
    return STATUS_OK;
}

static enum status read_perfusion(struct bioheat_domain *d, size_t first, size_t planes)
{
    const size_t cells = planes * domain_plane_cells(d);
    const bool needs_density = d->perfusion_kind == BIOHEAT_PERFUSION_PER_MASS;
    if (needs_density)
        CHECK(domain_read_input(d, INPUT_DENSITY, first, planes, d->values[0], d->scratch));
    CHECK(domain_read_input(d, INPUT_PERFUSION, first, planes, d->values[1], d->scratch));
    domain_perfusion(d, needs_density ? d->values[0] : NULL, d->values[1], cells);
    store(d, d->values[1], first, planes, d->perfusion);
    return STATUS_OK;
}

static enum status read_plain(struct bioheat_domain *d, int kind, void *field, size_t first, size_t planes)
{
    CHECK(domain_read_input(d, kind, first, planes, d->values[0], d->scratch));
    store(d, d->values[0], first, planes, field);
    return STATUS_OK;
}

static enum status read_block(struct bioheat_domain *d, int array, size_t first, size_t planes)
{
    switch (array) {
    case INPUT_LABELS:
        return read_labels(d, first, planes);
    case INPUT_SPECIFIC_HEAT:
        return read_capacity(d, first, planes);
    case INPUT_CONDUCTIVITY:
        return read_plain(d, INPUT_CONDUCTIVITY, d->conductivity, first, planes);
    case INPUT_PERFUSION:
        return read_perfusion(d, first, planes);
    default:
        return read_plain(d, array, d->velocity[array - INPUT_VELOCITY], first, planes);
    }
}

// Planes first … end − 1 of the file to those `shift` further on.
static enum status read_planes(struct bioheat_domain *d, int array, size_t first, size_t end, size_t shift)
{
    d->shift = shift;
    for (size_t z = first; z < end; z += d->block_planes)
        CHECK(read_block(d, array, z, z + d->block_planes < end ? d->block_planes : end - z));
    return STATUS_OK;
}

// With those of a ring's other end, in the file's order.
static enum status read_array(struct bioheat_domain *d, int array)
{
    const struct bioheat_grid *grid = &d->body->grid;
    const struct bioheat_planes held = bioheat_held(grid), around = bioheat_around(grid);
    const size_t nz = grid->cells[BIOHEAT_Z];
    CHECK(read_planes(d, array, 0, around.end - held.end, nz));
    CHECK(read_planes(d, array, held.first, held.end, 0));
    return read_planes(d, array, nz - (held.first - around.first), nz, 0 - nz);
}

// Array by array, so that few caches are in use at once.
enum status bioheat_domain_prepare(struct bioheat_domain *d)
{
    const struct bioheat_planes around = bioheat_around(&d->body->grid);
    d->shift = 0;
    if (d->kind == DOMAIN_UNIFORM)
        memset(labels_at(d, around.first), 1, (around.end - around.first) * domain_plane_cells(d));
    for (int array = 0; array < INPUTS; array++) {
        if (!domain_has(d, array) || array == INPUT_DENSITY) // read with the fields that need it
            continue;
        CHECK(read_array(d, array));
        volume_close(d->inputs[array].volume);
        d->inputs[array].volume = NULL;
    }
    domain_close_inputs(d);
    return STATUS_OK;
}
