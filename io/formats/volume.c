// A volume in a netCDF or HDF5 file: see volume.h.
#include "io/formats/volume.h"

#include "core/log.h"
#include "io/netcdf/netcdf.h"
#include "io/time_units.h"
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
    struct nifti *image;      // NULL: netCDF or HDF5
    struct nifti_place place; // of the image
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
        return FAIL(STATUS_DATA, "%s: variable %s has %zu records in time: expected one volume",
                    volume->info.path, volume->info.variable, length);
    if (layout->time >= 0 && record >= 0 && (uint64_t)record >= length)
        return FAIL(STATUS_DATA, "%s: variable %s: record %lld was asked for, it has %zu (counted from 0)",
                    volume->info.path, volume->info.variable, (long long)record, length);
    volume->record = record < 0 ? 0 : (size_t)record;
    volume->info.records = length;
    return STATUS_OK;
}

// ---- a NIfTI image

// x, y, z of NIfTI, as axes of a volume.
static const int axes_of_image[3] = {VOLUME_X, VOLUME_Y, VOLUME_Z};

static enum status open_image(const char *path, const char *name, int64_t record, struct volume *volume)
{
    struct nifti_place *place = &volume->place;
    struct volume_info *info = &volume->info;
    CHECK(nifti_open(path, &volume->image));
    const struct nifti_info *image = nifti_info(volume->image);
    if (name)
        return FAIL(STATUS_DATA, "%s: a NIfTI image has no variables: leave out \"%.40s\"", path, name);
    if (record < 0 && image->records != 1)
        return FAIL(STATUS_DATA, "%s: has %zu records in time: expected one volume", path, image->records);
    if (record > 0)
        CHECK(nifti_select(volume->image, (size_t)record));
    nifti_place_of(image, place);
    CHECK(nifti_place_check(place, path));
    CHECK(nifti_hold(volume->image));
    info->path = image->path;
    info->variable = "image";
    info->units = "";
    info->records = image->records;
    for (int x = 0; x < 3; x++) {
        const int axis = axes_of_image[x];
        info->cells[axis] = image->cells[(int)place->axes[x]];
        info->has_origin[axis] = info->has_spacing[axis] = true;
        info->origin_m[axis] = 1e-3 * nifti_place_first_mm(place, x);
        info->spacing_m[axis] = 1e-3 * nifti_place_spacing_mm(place, x);
        snprintf(info->coordinate[axis], sizeof info->coordinate[axis], "%c", axis_letters[axis]);
    }
    return STATUS_OK;
}

static void read_image(const struct volume *volume, const size_t start[VOLUME_AXES],
                       const size_t count[VOLUME_AXES], double *values)
{
    const struct nifti_info *image = nifti_info(volume->image);
    const size_t strides[NIFTI_AXES] = {1, image->cells[0], image->cells[0] * image->cells[1]};
    const struct nifti_place *place = &volume->place;
    ptrdiff_t stride[VOLUME_AXES], first = 0;
    for (int x = 0; x < 3; x++) {
        const int axis = axes_of_image[x], a = (int)place->axes[x];
        stride[axis] = (ptrdiff_t)strides[a] * (ptrdiff_t)place->step[x];
        first += (ptrdiff_t)place->first[x] * (ptrdiff_t)strides[a] + (ptrdiff_t)start[axis] * stride[axis];
    }
    for (size_t z = 0; z < count[VOLUME_Z]; z++)
        for (size_t y = 0; y < count[VOLUME_Y]; y++)
            nifti_held_values(
                volume->image,
                (size_t)(first + (ptrdiff_t)z * stride[VOLUME_Z] + (ptrdiff_t)y * stride[VOLUME_Y]),
                stride[VOLUME_X], count[VOLUME_X], values + (z * count[VOLUME_Y] + y) * count[VOLUME_X]);
}

bool volume_is_image(const struct volume *volume)
{
    return volume->image != NULL;
}

// ---- the order of its cells

bool volume_is_placed(const struct volume *volume)
{
    bool has_any = false;
    for (int axis = 0; axis < VOLUME_AXES; axis++)
        has_any |= volume->info.has_origin[axis];
    return has_any && !(volume->image && volume->place.code == 0);
}

void volume_order(const struct volume *volume, struct volume_turn *turn)
{
    for (int x = 0; x < 3; x++) {
        const int axis = axes_of_image[x];
        turn->from[axis] = volume->image ? axes_of_image[(int)volume->place.axes[x]] : axis;
        turn->is_reversed[axis] =
            volume->image ? volume->place.step[x] < 0 : volume->layout.is_reversed[axis];
    }
}

static void turn_info(const struct volume_info *old, const struct volume_turn *turn, struct volume_info *info)
{
    for (int axis = 0; axis < VOLUME_AXES; axis++) {
        const int from = turn->from[axis];
        info->cells[axis] = old->cells[from];
        info->has_origin[axis] = false;
        info->has_spacing[axis] = old->has_spacing[from];
        info->spacing_m[axis] = old->spacing_m[from];
        memcpy(info->coordinate[axis], old->coordinate[from], sizeof info->coordinate[axis]);
    }
}

void volume_turn(struct volume *volume, const struct volume_turn *turn)
{
    const struct volume_info old = volume->info;
    struct nifti_place *place = &volume->place;
    if (!volume->image) {
        volume_layout_turn(&volume->layout, turn);
        turn_info(&old, turn, &volume->info);
        return;
    }
    const struct nifti_info *image = nifti_info(volume->image);
    for (int x = 0; x < 3; x++) {
        const int axis = axes_of_image[x], a = axes_of_image[2] == turn->from[axis]   ? 2
                                               : axes_of_image[1] == turn->from[axis] ? 1
                                                                                      : 0;
        place->axes[x] = a;
        place->step[x] = turn->is_reversed[axis] ? -1 : 1;
        place->first[x] = turn->is_reversed[axis] ? (double)image->cells[a] - 1 : 0;
        volume->info.cells[axis] = image->cells[a];
        volume->info.has_origin[axis] = false;
        volume->info.spacing_m[axis] = 1e-3 * nifti_place_spacing_mm(place, x);
    }
}

// Whether the grid of a place is that of the volume, by its cells and coordinates.
static bool fits(const struct volume_info *info, const struct nifti_place *place)
{
    for (int x = 0; x < 3; x++) {
        const int axis = axes_of_image[x];
        const double last = place->first[x] + place->step[x] * (double)(info->cells[axis] - 1);
        const double spacing_m = 1e-3 * nifti_place_spacing_mm(place, x);
        if (last < 0 || last >= place->shape[(int)place->axes[x]] || !info->has_origin[axis] ||
            !(fabs(info->origin_m[axis] - 1e-3 * nifti_place_first_mm(place, x)) <= 0.01 * spacing_m))
            return false;
        if (info->has_spacing[axis] &&
            !(fabs(info->spacing_m[axis] - spacing_m) <= VOLUME_EVEN_TOLERANCE * spacing_m))
            return false;
    }
    return true;
}

bool volume_place(const struct volume *volume, struct nifti_place *place)
{
    bool has;
    if (volume->image) {
        *place = volume->place;
        return true;
    }
    if (nifti_place_read(volume->layout.file, place, &has) != STATUS_OK) {
        log_warning("%s; it is left aside", status_message());
        status_clear();
        return false;
    }
    if (has && !fits(&volume->info, place)) {
        log_warning("%s: its attributes nifti_... no longer fit its coordinates, and are left aside: was it "
                    "cut or moved?",
                    volume->info.path);
        return false;
    }
    return has;
}

static enum status open_volume(const char *path, const char *name, int64_t record, struct volume *volume)
{
    struct volume_layout *layout = &volume->layout;
    struct volume_info *info = &volume->info;
    if (nifti_is(path))
        return open_image(path, name, record, volume);
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
    nifti_close(volume->image);
    free(volume);
}

const struct volume_info *volume_info(const struct volume *volume)
{
    return &volume->info;
}

size_t volume_cache_bytes(const struct volume *volume)
{
    return volume->image ? nifti_held_bytes(volume->image) : dataset_cache_bytes(volume->layout.variable);
}

enum status volume_times(struct volume *volume, double **times_s)
{
    const struct volume_layout *layout = &volume->layout;
    char unit[DATASET_TEXT_BYTES];
    double slope, offset;
    size_t count;
    *times_s = NULL;
    const struct dataset_variable *time =
        volume->image || layout->time < 0 ? NULL
                                          : dataset_coordinate(layout->file, layout->variable, layout->time);
    if (!time)
        return STATUS_OK;
    time_units_without_date(time->units, unit, sizeof unit);
    CHECK_ABOUT(units_conversion(unit, "s", &slope, &offset), "%s: coordinate %s", volume->info.path,
                time->name);
    CHECK(dataset_read_line(layout->file, time, times_s, &count));
    for (size_t k = 0; k < count; k++)
        (*times_s)[k] = (*times_s)[k] * slope + offset;
    return STATUS_OK;
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

enum status volume_read_part(struct volume *volume, size_t record, const size_t start[VOLUME_AXES],
                             const size_t count[VOLUME_AXES], double *values, double *scratch)
{
    const struct volume_layout *layout = &volume->layout;
    if (volume->image) {
        read_image(volume, start, count, values);
        return STATUS_OK;
    }
    const struct volume_block block = volume_layout_part(layout, record, start, count);
    const bool is_plain = volume_layout_is_plain(layout);
    netcdf_prepare_thread();
    CHECK(dataset_read(layout->file, layout->variable, &volume->packing, block.start, block.count,
                       is_plain ? values : scratch));
    if (!is_plain)
        turn_block(&block, count, scratch, values);
    return STATUS_OK;
}

enum status volume_read(struct volume *volume, size_t first, size_t count, double *values, double *scratch)
{
    const size_t *cells = volume->info.cells;
    const size_t start[VOLUME_AXES] = {first, 0, 0},
                 counts[VOLUME_AXES] = {count, cells[VOLUME_Y], cells[VOLUME_X]};
    return volume_read_part(volume, volume->record, start, counts, values, scratch);
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
