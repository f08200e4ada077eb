// A volume in a netCDF or HDF5 file: see volume.h.
#include "io/volume.h"

#include "io/netcdf/netcdf.h"
#include "io/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char axis_letters[VOLUME_AXES] = {'z', 'y', 'x'};

struct volume {
    struct volume_layout layout;
    struct netcdf_packing packing;
    struct volume_info info;
    size_t record;
};

// ---- coordinates

static enum status check_even(const struct volume *volume, const char *name, const double *values,
                              size_t count)
{
    const double spacing = (values[count - 1] - values[0]) / (double)(count - 1);
    for (size_t k = 0; k < count; k++) {
        if (!isfinite(values[k]))
            return FAIL(STATUS_DATA, "%s: coordinate %s: entry %zu is not a finite number", volume->info.path,
                        name, k);
        if (k > 0 && !(fabs(values[k] - values[k - 1] - spacing) <= VOLUME_EVEN_TOLERANCE * fabs(spacing)))
            return FAIL(STATUS_DATA,
                        "%s: coordinate %s is not evenly spaced: from entry %zu to %zu the step is %g, "
                        "elsewhere %g (allowed: a thousandth more or less)",
                        volume->info.path, name, k - 1, k, values[k] - values[k - 1], spacing);
    }
    if (count > 1 && spacing == 0)
        return FAIL(STATUS_DATA, "%s: coordinate %s does not change along its axis", volume->info.path, name);
    return STATUS_OK;
}

static enum status settle_coordinate(struct volume *volume, int axis,
                                     const struct dataset_variable *coordinate, const double *values,
                                     size_t count)
{
    struct volume_info *info = &volume->info;
    double slope, offset;
    CHECK(check_even(volume, coordinate->name, values, count));
    if (coordinate->units[0] == '\0')
        return STATUS_OK; // the values may be indices; a caller that needs lengths refuses them
    CHECK_ABOUT(units_conversion(coordinate->units, "m", &slope, &offset), "%s: coordinate %s", info->path,
                coordinate->name);
    if (slope <= 0) // "-1 m": the units would reverse the cells
        return FAIL(STATUS_DATA,
                    "%s: coordinate %s: units \"%s\" reverse it, expected m, mm or a similar unit",
                    info->path, coordinate->name, coordinate->units);
    const double first = fmin(values[0], values[count - 1]), last = fmax(values[0], values[count - 1]);
    info->has_origin[axis] = true;
    info->origin_m[axis] = first * slope + offset;
    info->has_spacing[axis] = count > 1;
    info->spacing_m[axis] = count > 1 ? (last - first) / (double)(count - 1) * slope : NAN;
    return STATUS_OK;
}

static enum status read_coordinate(struct volume *volume, int axis)
{
    const struct dataset_variable *coordinate;
    double *values;
    size_t count;
    CHECK(volume_layout_coordinate(&volume->layout, axis, &coordinate, &values, &count));
    if (!coordinate)
        return STATUS_OK;
    snprintf(volume->info.coordinate[axis], sizeof volume->info.coordinate[axis], "%.63s", coordinate->name);
    const enum status status =
        count > 0 ? settle_coordinate(volume, axis, coordinate, values, count) : STATUS_OK;
    free(values);
    return status;
}

// ---- open, close

static enum status choose_record(struct volume *volume, int64_t record)
{
    const struct volume_layout *layout = &volume->layout;
    const size_t length = layout->time >= 0 ? layout->variable->lengths[layout->time] : 1;
    if (record < 0 && length != 1)
        return FAIL(STATUS_DATA, "%s: variable %s has %zu records in time: choose one", volume->info.path,
                    volume->info.variable, length);
    if (layout->time >= 0 && record >= 0 && (uint64_t)record >= length)
        return FAIL(STATUS_DATA, "%s: variable %s: record %lld was asked for, it has %zu (counted from 0)",
                    volume->info.path, volume->info.variable, (long long)record, length);
    volume->record = record < 0 ? 0 : (size_t)record;
    return STATUS_OK;
}

static enum status open_volume(const char *path, const char *name, int64_t record, struct volume *volume)
{
    struct volume_layout *layout = &volume->layout;
    struct volume_info *info = &volume->info;
    CHECK(volume_layout_open(path, name, VOLUME_ANY_TIME, layout));
    info->path = dataset_path(layout->file);
    info->variable = layout->variable->name;
    info->units = layout->variable->units;
    memcpy(info->cells, layout->cells, sizeof info->cells);
    CHECK(choose_record(volume, record));
    for (int axis = 0; axis < VOLUME_AXES; axis++)
        CHECK(read_coordinate(volume, axis));
    return dataset_packing(layout->file, layout->variable, &volume->packing);
}

enum status volume_open(const char *path, const char *variable, int64_t record, struct volume **volume)
{
    *volume = NULL;
    struct volume *made = calloc(1, sizeof *made);
    if (!made)
        return FAIL(STATUS_SYSTEM, "%s: no memory to open it", path);
    const enum status status = open_volume(path, variable, record, made);
    if (status != STATUS_OK) {
        volume_close(made);
        return status;
    }
    *volume = made;
    return STATUS_OK;
}

void volume_close(struct volume *volume)
{
    if (!volume)
        return;
    volume_layout_close(&volume->layout);
    free(volume);
}

const struct volume_info *volume_info(const struct volume *volume)
{
    return &volume->info;
}

size_t volume_cache_bytes(const struct volume *volume)
{
    return dataset_cache_bytes(volume->layout.variable);
}

// ---- values

// Turns a block in the file's order into [z][y][x], ascending. Rows of x that lie close together in the file
// and rows of y that do not are met in tiles, so that neither side is walked across its cache lines alone.
static void turn_block(const struct volume_block *block, const size_t cells[VOLUME_AXES], const double *from,
                       double *to)
{
    enum { TILE = 32 };
    const ptrdiff_t *stride = block->stride;
    from += block->first;
    for (size_t z = 0; z < cells[VOLUME_Z]; z++)
        for (size_t y0 = 0; y0 < cells[VOLUME_Y]; y0 += TILE)
            for (size_t x0 = 0; x0 < cells[VOLUME_X]; x0 += TILE)
                for (size_t y = y0; y < y0 + TILE && y < cells[VOLUME_Y]; y++)
                    for (size_t x = x0; x < x0 + TILE && x < cells[VOLUME_X]; x++)
                        to[(z * cells[VOLUME_Y] + y) * cells[VOLUME_X] + x] =
                            from[(ptrdiff_t)z * stride[VOLUME_Z] + (ptrdiff_t)y * stride[VOLUME_Y] +
                                 (ptrdiff_t)x * stride[VOLUME_X]];
}

enum status volume_read(struct volume *volume, size_t first, size_t count, double *values, double *scratch)
{
    const struct volume_layout *layout = &volume->layout;
    const size_t cells[VOLUME_AXES] = {count, layout->cells[VOLUME_Y], layout->cells[VOLUME_X]};
    const struct volume_block block = volume_layout_block(layout, volume->record, first, count);
    const bool is_plain = volume_layout_is_plain(layout);
    netcdf_prepare_thread();
    CHECK(dataset_read(layout->file, layout->variable, &volume->packing, block.start, block.count,
                       is_plain ? values : scratch));
    if (!is_plain)
        turn_block(&block, cells, scratch, values);
    return STATUS_OK;
}

// Spacing and origin of an axis; NaN: unknown.
static double spacing_of(const struct volume_info *info, int axis)
{
    return info->has_spacing[axis] ? info->spacing_m[axis] : NAN;
}

static double origin_of(const struct volume_info *info, int axis)
{
    return info->has_origin[axis] ? info->origin_m[axis] : NAN;
}

enum status volume_check_grid(const struct volume *volume, const char *name, const size_t cells[VOLUME_AXES],
                              const double spacing_m[VOLUME_AXES], const double *origin_m)
{
    const struct volume_info *info = &volume->info;
    if (memcmp(info->cells, cells, sizeof info->cells) != 0)
        return FAIL(STATUS_DATA, "%s: variable %s has %zu x %zu x %zu cells (z, y, x), %s %zu x %zu x %zu",
                    info->path, info->variable, info->cells[0], info->cells[1], info->cells[2], name,
                    cells[0], cells[1], cells[2]);
    for (int axis = 0; axis < VOLUME_AXES; axis++) {
        const double own_m = spacing_of(info, axis), first_m = origin_of(info, axis);
        if (fabs(own_m - spacing_m[axis]) > VOLUME_EVEN_TOLERANCE * spacing_m[axis])
            return FAIL(STATUS_DATA, "%s: variable %s has a spacing of %g mm along %c, %s %g mm", info->path,
                        info->variable, own_m * 1e3, axis_letters[axis], name, spacing_m[axis] * 1e3);
        const double about_m = isnan(spacing_m[axis]) ? own_m : spacing_m[axis];
        if (origin_m && fabs(first_m - origin_m[axis]) > 0.1 * about_m)
            return FAIL(STATUS_DATA, "%s: variable %s begins at %c = %g mm, %s at %g mm", info->path,
                        info->variable, axis_letters[axis], first_m * 1e3, name, origin_m[axis] * 1e3);
    }
    return STATUS_OK;
}

enum status volume_check_alike(const struct volume *volume, const struct volume *other)
{
    char name[DATASET_NAME_BYTES + 2];
    double spacing_m[VOLUME_AXES], origin_m[VOLUME_AXES];
    for (int axis = 0; axis < VOLUME_AXES; axis++) {
        spacing_m[axis] = spacing_of(&other->info, axis);
        origin_m[axis] = origin_of(&other->info, axis);
    }
    snprintf(name, sizeof name, "%s", other->info.variable);
    return volume_check_grid(volume, name, other->info.cells, spacing_m, origin_m);
}
