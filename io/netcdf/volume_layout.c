// How a variable lies over time, z, y, x: see volume_layout.h.
#include "io/netcdf/volume_layout.h"

#include "io/netcdf/role.h"
#include "io/nifti.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Indices of the axes of a layout, and behind them that of time.
enum { TIME = VOLUME_AXES, UNKNOWN };

// ---- which dimension is which

static int axis_of_role(enum netcdf_role role)
{
    switch (role) {
    case NETCDF_ROLE_TIME:
        return TIME;
    case NETCDF_ROLE_Z:
        return VOLUME_Z;
    case NETCDF_ROLE_Y:
        return VOLUME_Y;
    case NETCDF_ROLE_X:
        return VOLUME_X;
    case NETCDF_ROLE_NONE:
        break;
    }
    return UNKNOWN;
}

static int axis_of_dimension(const struct volume_layout *layout, int k)
{
    const struct dataset_variable *coordinate = dataset_coordinate(layout->file, layout->variable, k);
    if (coordinate && coordinate->role != NETCDF_ROLE_NONE)
        return axis_of_role(coordinate->role);
    const struct netcdf_traits traits = {.name = layout->variable->dimension_names[k],
                                         .units = "",
                                         .standard_name = "",
                                         .axis = "",
                                         .positive = "",
                                         .rank = 1};
    return axis_of_role(netcdf_role_of(&traits));
}

// Dimensions whose role is known. Returns a reason to refuse the variable, or NULL.
static const char *assign_known(struct volume_layout *layout, bool is_taken[DATASET_RANK_MAX])
{
    for (int k = 0; k < layout->variable->rank; k++) {
        const int axis = axis_of_dimension(layout, k);
        is_taken[k] = axis != UNKNOWN;
        if (!is_taken[k])
            continue;
        int *dimension = axis == TIME ? &layout->time : &layout->dimension[axis];
        if (*dimension >= 0)
            return axis == TIME ? "has two time axes" : "has two dimensions that are the same axis";
        *dimension = k;
    }
    return NULL;
}

// The others from the fastest on: x, y, z, then time. Lengths of 1 go where there are too many.
static const char *assign_others(struct volume_layout *layout, bool over_time,
                                 bool is_taken[DATASET_RANK_MAX])
{
    const struct dataset_variable *variable = layout->variable;
    const bool wants_time = over_time && layout->time < 0;
    int left = 0, wanted = wants_time;
    for (int k = 0; k < variable->rank; k++)
        left += !is_taken[k];
    for (int axis = 0; axis < VOLUME_AXES; axis++)
        wanted += layout->dimension[axis] < 0;
    for (int k = 0; k < variable->rank && left > wanted; k++)
        if (!is_taken[k] && variable->lengths[k] == 1) {
            is_taken[k] = true;
            left--;
        }
    if (left > wanted)
        return over_time ? "has more dimensions than expected: time, z, y, x"
                         : "has more dimensions than a volume: expected z, y, x or y, x";
    int axis = VOLUME_X;
    for (int k = variable->rank - 1; k >= 0; k--) {
        if (is_taken[k])
            continue;
        // Without a plane of its own a field over time has time as its slowest axis.
        while (axis >= 0 && (layout->dimension[axis] >= 0 || (axis == VOLUME_Z && left == 1 && wants_time)))
            axis--;
        *(axis < 0 ? &layout->time : &layout->dimension[axis]) = k;
        left--;
    }
    return NULL;
}

// Settles the layout of layout->variable. Returns a reason to refuse it, or NULL.
static const char *settle(struct volume_layout *layout, enum volume_time time)
{
    const struct dataset_variable *variable = layout->variable;
    const bool over_time = time == VOLUME_OVER_TIME;
    bool is_taken[DATASET_RANK_MAX] = {false};
    layout->time = -1;
    for (int axis = 0; axis < VOLUME_AXES; axis++)
        layout->dimension[axis] = -1;
    const char *reason = assign_known(layout, is_taken);
    if (!reason)
        reason = assign_others(layout, over_time, is_taken);
    if (reason)
        return reason;
    if (over_time && layout->time < 0)
        return "has no time axis: expected time, z, y, x";
    if (time == VOLUME_WITHOUT_TIME && layout->time >= 0 && variable->lengths[layout->time] != 1)
        return "has records in time: expected z, y, x alone";
    if (layout->dimension[VOLUME_X] < 0 || layout->dimension[VOLUME_Y] < 0)
        return over_time ? "is not a field over time, z, y, x" : "is not a volume: expected z, y, x or y, x";
    for (int axis = 0; axis < VOLUME_AXES; axis++) {
        layout->cells[axis] = layout->dimension[axis] < 0 ? 1 : variable->lengths[layout->dimension[axis]];
        if (layout->cells[axis] == 0)
            return "is empty";
    }
    if (over_time && variable->lengths[layout->time] == 0)
        return "has no records";
    if (layout->cells[VOLUME_Z] > SIZE_MAX / 64 / layout->cells[VOLUME_Y] / layout->cells[VOLUME_X])
        return "has more cells than can be counted";
    return NULL;
}

// ---- which variable

static bool is_candidate(const struct dataset_variable *variable, enum volume_time time)
{
    bool is_long = false;
    for (int k = 0; variable->kind == DATASET_NUMBERS && k < variable->rank; k++)
        is_long |= variable->lengths[k] > 1;
    return is_long && !variable->is_auxiliary && variable->rank >= (time == VOLUME_OVER_TIME ? 3 : 2);
}

static bool is_listed(const struct dataset_variable *variable, const void *time)
{
    return is_candidate(variable, *(const enum volume_time *)time);
}

// The only one that has the shape; one that is alone is settled in any case, so that the message names its
// own fault.
static enum status choose_variable(struct volume_layout *layout, enum volume_time time)
{
    const struct dataset *file = layout->file;
    const struct dataset_variable *only = NULL, *fitting = NULL;
    char names[DATASET_LIST_BYTES];
    size_t candidates = 0, found = 0;
    for (size_t k = 0; k < dataset_count(file); k++) {
        layout->variable = dataset_at(file, k);
        if (!is_candidate(layout->variable, time))
            continue;
        only = layout->variable;
        candidates++;
        if (!settle(layout, time)) {
            fitting = layout->variable;
            found++;
        }
    }
    layout->variable = candidates == 1 ? only : fitting;
    if (candidates == 1 || found == 1)
        return STATUS_OK;
    dataset_list(file, is_listed, &time, names, sizeof names);
    return FAIL(STATUS_DATA, "%s: %s: name the variable; volumes in the file: %s%s", dataset_path(file),
                found ? "several volumes" : "no volume", names,
                candidates == 0 ? " (of complex numbers write the modulus)" : "");
}

static enum status find_variable(struct volume_layout *layout, const char *name, enum volume_time time)
{
    char names[DATASET_LIST_BYTES];
    if (!name)
        return choose_variable(layout, time);
    layout->variable = dataset_find(layout->file, name);
    if (!layout->variable) {
        dataset_list(layout->file, is_listed, &time, names, sizeof names);
        return FAIL(STATUS_DATA, "%s: no variable \"%s\"; volumes in the file: %s",
                    dataset_path(layout->file), name, names);
    }
    if (layout->variable->kind != DATASET_NUMBERS)
        return FAIL(STATUS_DATA, "%s: variable %s holds no plain numbers", dataset_path(layout->file), name);
    return STATUS_OK;
}

static enum status refuse(const struct volume_layout *layout, const char *reason)
{
    const struct dataset_variable *variable = layout->variable;
    char shape[160] = "";
    size_t used = 0;
    for (int k = 0; k < variable->rank && used < sizeof shape; k++)
        used += (size_t)snprintf(shape + used, sizeof shape - used, "%s%.20s %zu", k ? ", " : "",
                                 variable->dimension_names[k], variable->lengths[k]);
    return FAIL(STATUS_DATA, "%s: variable %s (%s) %s", dataset_path(layout->file), variable->name, shape,
                reason);
}

// ---- open, close

enum status volume_layout_open(const char *path, const char *variable, enum volume_time time,
                               struct volume_layout *layout)
{
    *layout = (struct volume_layout){0};
    if (nifti_is(path))
        return FAIL(
            STATUS_DATA,
            "%s: a NIfTI-1 volume; make netCDF of it first: fathom convert IN OUT.nc --as label (or value)",
            path);
    CHECK(dataset_open(path, &layout->file));
    CHECK(find_variable(layout, variable, time));
    const char *reason = settle(layout, time);
    return reason ? refuse(layout, reason) : STATUS_OK;
}

void volume_layout_close(struct volume_layout *layout)
{
    dataset_close(layout->file);
    layout->file = NULL;
}

enum status volume_layout_coordinate(struct volume_layout *layout, int axis,
                                     const struct dataset_variable **coordinate, double **values,
                                     size_t *count)
{
    const int k = layout->dimension[axis];
    *values = NULL;
    *count = 0;
    *coordinate = k >= 0 ? dataset_coordinate(layout->file, layout->variable, k) : NULL;
    if (!*coordinate)
        return STATUS_OK;
    CHECK(dataset_read_line(layout->file, *coordinate, values, count));
    layout->is_reversed[axis] = *count > 1 && (*values)[*count - 1] < (*values)[0];
    return STATUS_OK;
}

void volume_layout_turn(struct volume_layout *layout, const struct volume_turn *turn)
{
    const struct volume_layout old = *layout;
    for (int axis = 0; axis < VOLUME_AXES; axis++) {
        const int from = turn->from[axis];
        layout->dimension[axis] = old.dimension[from];
        layout->cells[axis] = old.cells[from];
        layout->is_reversed[axis] = old.is_reversed[from] != turn->is_reversed[axis];
    }
}

// ---- blocks

struct volume_block volume_layout_part(const struct volume_layout *layout, size_t record,
                                       const size_t start[VOLUME_AXES], const size_t count[VOLUME_AXES])
{
    const int rank = layout->variable->rank;
    struct volume_block block = {0};
    for (int k = 0; k < rank; k++)
        block.count[k] = 1;
    if (layout->time >= 0)
        block.start[layout->time] = record;
    for (int axis = 0; axis < VOLUME_AXES; axis++) {
        const int k = layout->dimension[axis];
        if (k < 0)
            continue;
        block.start[k] =
            layout->is_reversed[axis] ? layout->cells[axis] - start[axis] - count[axis] : start[axis];
        block.count[k] = count[axis];
    }
    for (int axis = 0; axis < VOLUME_AXES; axis++) {
        if (layout->dimension[axis] < 0)
            continue;
        ptrdiff_t stride = 1;
        for (int k = layout->dimension[axis] + 1; k < rank; k++)
            stride *= (ptrdiff_t)block.count[k];
        if (layout->is_reversed[axis])
            block.first += (ptrdiff_t)(count[axis] - 1) * stride;
        block.stride[axis] = layout->is_reversed[axis] ? -stride : stride;
    }
    return block;
}

struct volume_block volume_layout_block(const struct volume_layout *layout, size_t record, size_t z,
                                        size_t planes)
{
    const size_t start[VOLUME_AXES] = {z, 0, 0},
                 count[VOLUME_AXES] = {planes, layout->cells[VOLUME_Y], layout->cells[VOLUME_X]};
    return volume_layout_part(layout, record, start, count);
}

bool volume_layout_is_plain(const struct volume_layout *layout)
{
    int last = -1;
    for (int axis = 0; axis < VOLUME_AXES; axis++) {
        if (layout->is_reversed[axis] || (layout->dimension[axis] >= 0 && layout->dimension[axis] < last))
            return false;
        if (layout->dimension[axis] >= 0)
            last = layout->dimension[axis];
    }
    return true;
}
