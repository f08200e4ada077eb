// A volume in a netCDF or HDF5 file: see volume.h.
#include "io/volume.h"

#include "io/netcdf.h"
#include "io/nifti.h"
#include "io/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char axis_letters[VOLUME_AXES] = {'z', 'y', 'x'};

struct volume {
    struct dataset *file;
    const struct dataset_variable *variable;
    struct netcdf_packing packing;
    struct volume_info info;
    int dimension_of[VOLUME_AXES]; // −1: the variable has no such axis
    int record_dimension;          // −1: none
    size_t record;
    bool is_reversed[VOLUME_AXES];
};

// ---- which variable

// Dimensions that are longer than one cell, or are told to be an axis.
static int long_dimensions(const struct dataset_variable *variable)
{
    int count = 0;
    for (int k = 0; k < variable->rank; k++)
        count += variable->lengths[k] > 1;
    return count;
}

static bool may_be_volume(const struct dataset_variable *variable)
{
    return variable->kind == DATASET_NUMBERS && variable->rank >= 2 && variable->rank <= DATASET_RANK_MAX &&
           !variable->is_auxiliary && long_dimensions(variable) >= 1;
}

static void list_names(const struct dataset *file, char *names, size_t bytes)
{
    size_t used = 0;
    names[0] = '\0';
    for (size_t k = 0; k < dataset_count(file) && used < bytes; k++)
        if (may_be_volume(dataset_at(file, k)))
            used += (size_t)snprintf(names + used, bytes - used, "%s%s", used ? ", " : "",
                                     dataset_at(file, k)->name);
    if (used >= bytes)
        memcpy(names + bytes - 4, "...", 4);
}

static enum status find_variable(const struct dataset *file, const char *name,
                                 const struct dataset_variable **variable)
{
    char names[256];
    list_names(file, names, sizeof names);
    *variable = NULL;
    if (name) {
        *variable = dataset_find(file, name);
        if (!*variable)
            return FAIL(STATUS_DATA, "%s: no variable \"%s\"; volumes in the file: %s", dataset_path(file),
                        name, names[0] ? names : "none");
        if ((*variable)->kind != DATASET_NUMBERS)
            return FAIL(STATUS_DATA, "%s: variable %s holds no plain numbers", dataset_path(file), name);
        return STATUS_OK;
    }
    size_t found = 0;
    for (size_t k = 0; k < dataset_count(file); k++)
        if (may_be_volume(dataset_at(file, k))) {
            *variable = dataset_at(file, k);
            found++;
        }
    if (found != 1)
        return FAIL(STATUS_DATA, "%s: %s: name the variable; volumes in the file: %s", dataset_path(file),
                    found ? "several volumes" : "no volume", found ? names : "none");
    return STATUS_OK;
}

// ---- which dimension is which

// The axis of a dimension, by its coordinate or its name; NONE if neither says.
static enum status role_of(const struct volume *volume, int k, enum netcdf_role *role)
{
    const struct dataset_variable *coordinate = dataset_coordinate(volume->file, volume->variable, k);
    char name[DATASET_NAME_BYTES];
    *role = coordinate ? coordinate->role : NETCDF_ROLE_NONE;
    if (*role != NETCDF_ROLE_NONE)
        return STATUS_OK;
    CHECK(dataset_dimension_name(volume->file, volume->variable, k, name));
    const struct netcdf_traits traits = {
        .name = name, .units = "", .standard_name = "", .axis = "", .positive = "", .rank = 1};
    *role = netcdf_role_of(&traits);
    return STATUS_OK;
}

static enum status refuse_layout(const struct volume *volume, const char *reason)
{
    char shape[160] = "";
    size_t used = 0;
    for (int k = 0; k < volume->variable->rank && used < sizeof shape; k++) {
        char name[DATASET_NAME_BYTES];
        CHECK(dataset_dimension_name(volume->file, volume->variable, k, name));
        used += (size_t)snprintf(shape + used, sizeof shape - used, "%s%.20s %zu", k ? ", " : "", name,
                                 volume->variable->lengths[k]);
    }
    return FAIL(STATUS_DATA, "%s: variable %s (%s) %s", volume->info.path, volume->variable->name, shape,
                reason);
}

static enum status take_time(struct volume *volume, int k, int64_t record)
{
    const size_t length = volume->variable->lengths[k];
    if (volume->record_dimension >= 0)
        return refuse_layout(volume, "has two time axes");
    if (record < 0 && length != 1)
        return FAIL(STATUS_DATA, "%s: variable %s has %zu records in time: say which", volume->info.path,
                    volume->variable->name, length);
    if (record >= 0 && (uint64_t)record >= length)
        return FAIL(STATUS_DATA, "%s: variable %s: record %lld was asked for, it has %zu (counted from 0)",
                    volume->info.path, volume->variable->name, (long long)record, length);
    volume->record_dimension = k;
    volume->record = record < 0 ? 0 : (size_t)record;
    return STATUS_OK;
}

// First those that say what they are; the others in the order z, y, x, from the last.
static enum status assign_axes(struct volume *volume, int64_t record)
{
    const int rank = volume->variable->rank;
    bool is_taken[DATASET_RANK_MAX] = {false};
    int open = 0;
    for (int k = 0; k < rank; k++) {
        enum netcdf_role role;
        CHECK(role_of(volume, k, &role));
        is_taken[k] = role != NETCDF_ROLE_NONE;
        open += !is_taken[k] && volume->variable->lengths[k] > 1;
        if (role == NETCDF_ROLE_TIME) {
            CHECK(take_time(volume, k, record));
        } else if (role != NETCDF_ROLE_NONE) {
            const int axis = role == NETCDF_ROLE_Z ? VOLUME_Z : role == NETCDF_ROLE_Y ? VOLUME_Y : VOLUME_X;
            if (volume->dimension_of[axis] >= 0)
                return refuse_layout(volume, "has two dimensions that are the same axis");
            volume->dimension_of[axis] = k;
        }
    }
    int axis = VOLUME_X;
    for (int k = rank - 1; k >= 0; k--) {
        if (is_taken[k] || (volume->variable->lengths[k] == 1 && (open > 0 || rank > VOLUME_AXES)))
            continue;
        while (axis >= 0 && volume->dimension_of[axis] >= 0)
            axis--;
        if (axis < 0)
            return refuse_layout(volume, "has more dimensions than a volume: expected z, y, x or y, x");
        volume->dimension_of[axis] = k;
    }
    if (volume->dimension_of[VOLUME_X] < 0 || volume->dimension_of[VOLUME_Y] < 0)
        return refuse_layout(volume, "is no volume: expected z, y, x or y, x");
    return STATUS_OK;
}

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
            return FAIL(
                STATUS_DATA,
                "%s: coordinate %s is not evenly spaced: from entry %zu to %zu it goes %g, elsewhere %g "
                "(allowed: a thousandth more or less)",
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
    volume->is_reversed[axis] = values[count - 1] < values[0];
    if (coordinate->units[0] == '\0')
        return STATUS_OK; // the values may be indices: whoever needs lengths will ask for them
    CHECK_ABOUT(units_conversion(coordinate->units, "m", &slope, &offset), "%s: coordinate %s", info->path,
                coordinate->name);
    const double first = values[volume->is_reversed[axis] ? count - 1 : 0];
    const double last = values[volume->is_reversed[axis] ? 0 : count - 1];
    info->has_origin[axis] = true;
    info->origin_m[axis] = first * slope + offset;
    info->has_spacing[axis] = count > 1;
    info->spacing_m[axis] = count > 1 ? (last - first) / (double)(count - 1) * slope : NAN;
    return STATUS_OK;
}

static enum status read_coordinate(struct volume *volume, int axis)
{
    const int k = volume->dimension_of[axis];
    const struct dataset_variable *coordinate =
        k >= 0 ? dataset_coordinate(volume->file, volume->variable, k) : NULL;
    if (!coordinate)
        return STATUS_OK;
    snprintf(volume->info.coordinate[axis], sizeof volume->info.coordinate[axis], "%.63s", coordinate->name);
    double *values;
    size_t count;
    CHECK(dataset_read_line(volume->file, coordinate, &values, &count));
    const enum status status =
        count > 0 ? settle_coordinate(volume, axis, coordinate, values, count) : STATUS_OK;
    free(values);
    return status;
}

// ---- open, close

static enum status open_volume(const char *name, int64_t record, struct volume *volume)
{
    CHECK(find_variable(volume->file, name, &volume->variable));
    struct volume_info *info = &volume->info;
    info->variable = volume->variable->name;
    info->units = volume->variable->units;
    CHECK(assign_axes(volume, record));
    for (int axis = 0; axis < VOLUME_AXES; axis++) {
        const int k = volume->dimension_of[axis];
        info->cells[axis] = k < 0 ? 1 : volume->variable->lengths[k];
        if (info->cells[axis] == 0)
            return refuse_layout(volume, "is empty");
        CHECK(read_coordinate(volume, axis));
    }
    if (info->cells[VOLUME_Z] > SIZE_MAX / 64 / info->cells[VOLUME_Y] / info->cells[VOLUME_X])
        return refuse_layout(volume, "has more cells than can be counted");
    return dataset_packing(volume->file, volume->variable, &volume->packing);
}

enum status volume_open(const char *path, const char *variable, int64_t record, struct volume **volume)
{
    *volume = NULL;
    struct volume *made = calloc(1, sizeof *made);
    if (!made)
        return FAIL(STATUS_SYSTEM, "%s: no memory to open it", path);
    made->record_dimension = -1;
    for (int axis = 0; axis < VOLUME_AXES; axis++)
        made->dimension_of[axis] = -1;
    enum status status = nifti_is(path)
                             ? FAIL(STATUS_DATA,
                                    "%s: a NIfTI-1 volume; make netCDF of it first: fathom convert IN OUT.nc "
                                    "--as label (or value)",
                                    path)
                             : dataset_open(path, &made->file);
    if (status == STATUS_OK) {
        made->info.path = dataset_path(made->file);
        status = open_volume(variable, record, made);
    }
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
    dataset_close(volume->file);
    free(volume);
}

const struct volume_info *volume_info(const struct volume *volume)
{
    return &volume->info;
}

size_t volume_cache_bytes(const struct volume *volume)
{
    return dataset_cache_bytes(volume->variable);
}

// ---- values

// Distances, in the block as it was read (the file's order), of neighbours along each axis.
static void block_strides(const struct volume *volume, const size_t *count, ptrdiff_t strides[VOLUME_AXES])
{
    for (int axis = 0; axis < VOLUME_AXES; axis++) {
        strides[axis] = 0;
        if (volume->dimension_of[axis] < 0)
            continue;
        strides[axis] = 1;
        for (int k = volume->dimension_of[axis] + 1; k < volume->variable->rank; k++)
            strides[axis] *= (ptrdiff_t)count[k];
    }
}

// Turns a block in the file's order into [z][y][x], ascending. Rows of x that lie close together in the file
// and rows of y that do not are met in tiles, so that neither side is walked across its cache lines alone.
static void turn_block(const struct volume *volume, const size_t *count, size_t planes, const double *from,
                       double *to)
{
    enum { TILE = 32 };
    ptrdiff_t strides[VOLUME_AXES];
    size_t cells[VOLUME_AXES] = {planes, volume->info.cells[VOLUME_Y], volume->info.cells[VOLUME_X]};
    block_strides(volume, count, strides);
    for (int axis = 0; axis < VOLUME_AXES; axis++)
        if (volume->is_reversed[axis]) {
            from += (ptrdiff_t)(cells[axis] - 1) * strides[axis];
            strides[axis] = -strides[axis];
        }
    for (size_t z = 0; z < planes; z++)
        for (size_t y0 = 0; y0 < cells[VOLUME_Y]; y0 += TILE)
            for (size_t x0 = 0; x0 < cells[VOLUME_X]; x0 += TILE)
                for (size_t y = y0; y < y0 + TILE && y < cells[VOLUME_Y]; y++)
                    for (size_t x = x0; x < x0 + TILE && x < cells[VOLUME_X]; x++)
                        to[(z * cells[VOLUME_Y] + y) * cells[VOLUME_X] + x] =
                            from[(ptrdiff_t)z * strides[VOLUME_Z] + (ptrdiff_t)y * strides[VOLUME_Y] +
                                 (ptrdiff_t)x * strides[VOLUME_X]];
}

static bool is_in_order(const struct volume *volume)
{
    int last = -1;
    for (int axis = 0; axis < VOLUME_AXES; axis++) {
        if (volume->is_reversed[axis] ||
            (volume->dimension_of[axis] >= 0 && volume->dimension_of[axis] < last))
            return false;
        if (volume->dimension_of[axis] >= 0)
            last = volume->dimension_of[axis];
    }
    return true;
}

enum status volume_read(struct volume *volume, size_t first, size_t count, double *values, double *scratch)
{
    size_t start[DATASET_RANK_MAX] = {0}, length[DATASET_RANK_MAX];
    for (int k = 0; k < volume->variable->rank; k++)
        length[k] = 1;
    if (volume->record_dimension >= 0)
        start[volume->record_dimension] = volume->record;
    for (int axis = VOLUME_Y; axis < VOLUME_AXES; axis++)
        length[volume->dimension_of[axis]] = volume->info.cells[axis];
    const int z = volume->dimension_of[VOLUME_Z];
    if (z >= 0) {
        start[z] = volume->is_reversed[VOLUME_Z] ? volume->info.cells[VOLUME_Z] - first - count : first;
        length[z] = count;
    }
    netcdf_prepare_thread();
    const bool in_order = is_in_order(volume);
    CHECK(dataset_read(volume->file, volume->variable, &volume->packing, start, length,
                       in_order ? values : scratch));
    if (!in_order)
        turn_block(volume, length, count, scratch, values);
    return STATUS_OK;
}

// What two grids say of an axis; NaN: nothing.
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
