// Which variable of a netCDF file is the grid, and which of its dimensions are x, y and time: by CF and
// COARDS attributes first (units degrees_east, standard_name, axis), by the usual names last. Reads no
// values.
#include "io/grid/netcdf.h"

#include <string.h>
#include <strings.h>

// As of a coordinate along one dimension. `positive` is left out: that of a grid states how its values count.
static struct netcdf_traits traits_of(const struct dataset_variable *variable)
{
    return (struct netcdf_traits){.name = variable->base_name,
                                  .units = variable->units,
                                  .standard_name = variable->standard_name,
                                  .axis = variable->axis,
                                  .positive = "",
                                  .rank = 1};
}

static enum netcdf_role role_of(const struct dataset_variable *variable)
{
    if (strncmp(variable->standard_name, "grid_l", 6) == 0) // rotated pole: neither degrees east nor a plane
        return NETCDF_ROLE_NONE;
    const struct netcdf_traits traits = traits_of(variable);
    const enum netcdf_role role = netcdf_role_of(&traits);
    return role == NETCDF_ROLE_Z ? NETCDF_ROLE_NONE : role; // no axis of a map
}

static enum grid_axes_kind kind_of(const struct dataset_variable *variable)
{
    const char *units = variable->units;
    if (strncasecmp(units, "deg", 3) == 0 || strncasecmp(units, "arc", 3) == 0 ||
        strncasecmp(units, "rad", 3) == 0 || strncmp(units, "°", strlen("°")) == 0)
        return GRID_AXES_GEOGRAPHIC;
    if (units[0] != '\0' && strcmp(units, "1") != 0)
        return GRID_AXES_PLANE;
    const struct netcdf_traits traits = traits_of(variable);
    return netcdf_is_longitude(&traits) || netcdf_is_latitude(&traits) ? GRID_AXES_GEOGRAPHIC
                                                                       : GRID_AXES_AS_FILE;
}

// The coordinate variable of a dimension: of the same name, or else the first one-dimensional variable along
// it that is x, y or time by its attributes.
static struct coordinate find_coordinate(const struct dataset *data, const struct dataset_variable *variable,
                                         int k)
{
    const char *name = variable->dimension_names[k];
    const struct dataset_variable *found = NULL;
    for (size_t n = 0; n < dataset_count(data); n++) {
        const struct dataset_variable *candidate = dataset_at(data, n);
        if (candidate->kind != DATASET_NUMBERS || candidate->rank != 1 ||
            candidate->dimensions[0] != variable->dimensions[k])
            continue;
        const bool is_same_name = strcmp(candidate->base_name, name) == 0;
        if (is_same_name || (!found && role_of(candidate) != NETCDF_ROLE_NONE))
            found = candidate;
        if (is_same_name)
            break;
    }
    if (!found)
        return (struct coordinate){.name = name, .units = ""};
    return (struct coordinate){.variable = found,
                               .role = role_of(found),
                               .kind = kind_of(found),
                               .name = found->base_name,
                               .units = strcmp(found->units, "1") == 0 ? "" : found->units};
}

// Finds the x, y and record dimensions of a variable; x_at or y_at is −1 where it is missing, and record_at
// −2 if more than one further dimension is longer than 1.
static struct netcdf_layout layout_of(const struct dataset *data, const struct dataset_variable *variable)
{
    struct netcdf_layout layout = {.variable = variable, .x_at = -1, .y_at = -1, .record_at = -1};
    if (variable->rank < 2 || variable->kind != DATASET_NUMBERS)
        return layout;
    for (int k = 0; k < variable->rank; k++) {
        const struct coordinate coordinate = find_coordinate(data, variable, k);
        if (coordinate.role == NETCDF_ROLE_X && layout.x_at < 0) {
            layout.x_at = k;
            layout.x = coordinate;
        } else if (coordinate.role == NETCDF_ROLE_Y && layout.y_at < 0) {
            layout.y_at = k;
            layout.y = coordinate;
        } else if (variable->lengths[k] != 1 || coordinate.role == NETCDF_ROLE_TIME) {
            layout.record_at = layout.record_at == -1 ? k : -2;
            layout.record = coordinate;
        }
    }
    return layout;
}

static bool is_grid(const struct netcdf_layout *layout)
{
    return layout->x_at >= 0 && layout->y_at >= 0 && layout->record_at != -2;
}

// Grids in groups are read if they are named.
static bool is_listed(const struct dataset_variable *variable)
{
    return variable->base_name == variable->name;
}

static size_t record_count(const struct netcdf_layout *layout)
{
    return layout->record_at < 0 ? 1 : layout->variable->lengths[layout->record_at];
}

static enum status explain(const struct dataset *data, const struct netcdf_layout *layout)
{
    const struct dataset_variable *variable = layout->variable;
    const char *path = dataset_path(data), *name = variable->name;
    if (variable->rank < 2 || variable->rank > DATASET_RANK_MAX)
        return FAIL(
            STATUS_DATA, "%s: variable %s has %d dimensions, expected 2 (y, x) or 3 (time, y, x)%s", path,
            name, variable->rank,
            variable->rank == 1 ? " (an old GMT grid of one dimension? gmt grdconvert makes a new one)" : "");
    if (variable->kind != DATASET_NUMBERS)
        return FAIL(STATUS_DATA, "%s: variable %s holds text, expected numbers", path, name);
    if (layout->x_at >= 0 && layout->y_at >= 0)
        return FAIL(STATUS_DATA,
                    "%s: variable %s has more than one dimension besides x and y, expected only time", path,
                    name);
    for (int k = variable->rank - 1; k >= 0; k--) {
        const struct coordinate coordinate = find_coordinate(data, variable, k);
        if (coordinate.role == NETCDF_ROLE_NONE && !coordinate.variable)
            return FAIL(STATUS_DATA,
                        "%s: variable %s: dimension %s has no one-dimensional coordinate variable "
                        "(curvilinear grids are not read)",
                        path, name, coordinate.name);
        if (coordinate.role == NETCDF_ROLE_NONE)
            return FAIL(STATUS_DATA,
                        "%s: variable %s: its axis %s (units \"%s\") could be x or y: expected units "
                        "degrees_east or degrees_north, or an attribute axis = \"X\" or \"Y\"",
                        path, name, coordinate.name, coordinate.units);
    }
    return FAIL(STATUS_DATA, "%s: variable %s has no %s axis", path, name, layout->x_at < 0 ? "x" : "y");
}

static bool is_listed_grid(const struct dataset_variable *variable, const void *data)
{
    const struct netcdf_layout layout = layout_of(data, variable);
    return is_listed(variable) && is_grid(&layout);
}

void grid_netcdf_list(const struct dataset *data, struct grid_variable_list *list)
{
    list->count = 0;
    for (size_t k = 0; k < dataset_count(data) && list->count < GRID_LIST_MAX; k++) {
        const char *name = dataset_at(data, k)->name;
        if (is_listed_grid(dataset_at(data, k), data) && strlen(name) < GRID_NAME_BYTES)
            memcpy(list->names[list->count++], name, strlen(name) + 1);
    }
}

static enum status fail_with_list(const struct dataset *data, const char *wanted)
{
    char names[512];
    const size_t count = dataset_list(data, is_listed_grid, data, names, sizeof names);
    if (wanted)
        return FAIL(STATUS_DATA, "%s: no variable %s; grids in this file: %s", dataset_path(data), wanted,
                    names);
    if (count == 0)
        return FAIL(STATUS_DATA,
                    "%s: no variable is a grid: expected one with dimensions (y, x) and coordinate variables",
                    dataset_path(data));
    return FAIL(STATUS_DATA, "%s: several variables are grids: name one (\"variable\"): %s",
                dataset_path(data), names);
}

// The units of what is read must be texts.
static enum status check_units(const struct dataset *data, const struct netcdf_layout *layout)
{
    const struct dataset_variable *const read[] = {layout->variable, layout->x.variable, layout->y.variable,
                                                   layout->record.variable};
    for (size_t k = 0; k < sizeof read / sizeof *read; k++)
        if (read[k])
            CHECK(dataset_check_units(data, read[k]));
    return STATUS_OK;
}

// The only grid; one without records goes before those with: a file of results may hold depth and fields over
// time.
static enum status choose(const struct dataset *data, struct netcdf_layout *layout)
{
    size_t single = 0, several = 0;
    struct netcdf_layout of_several = {.variable = NULL}, unread = {.variable = NULL};
    for (size_t k = 0; k < dataset_count(data); k++) {
        const struct dataset_variable *variable = dataset_at(data, k);
        const struct netcdf_layout candidate = layout_of(data, variable);
        if (!is_listed(variable))
            continue;
        if (!is_grid(&candidate)) { // two-dimensional longitudes are not what is missed
            if (variable->rank >= 2 && variable->kind == DATASET_NUMBERS && !unread.variable &&
                role_of(variable) == NETCDF_ROLE_NONE)
                unread = candidate;
        } else if (record_count(&candidate) == 1) {
            single++;
            *layout = candidate;
        } else {
            several++;
            of_several = candidate;
        }
    }
    if (single == 0 && several == 1)
        *layout = of_several;
    if (single == 1 || (single == 0 && several == 1))
        return STATUS_OK;
    return single + several == 0 && unread.variable ? explain(data, &unread) : fail_with_list(data, NULL);
}

enum status grid_netcdf_find(const struct dataset *data, const char *wanted, struct netcdf_layout *layout)
{
    if (wanted) {
        const struct dataset_variable *variable = dataset_find(data, wanted);
        if (!variable)
            return fail_with_list(data, wanted);
        *layout = layout_of(data, variable);
        if (!is_grid(layout))
            return explain(data, layout);
    } else {
        CHECK(choose(data, layout));
    }
    return check_units(data, layout);
}
