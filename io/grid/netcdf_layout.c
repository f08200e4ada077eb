// Which variable of a netCDF file is the grid, and which of its dimensions are x, y and time: by CF and
// COARDS attributes first (units degrees_east, standard_name, axis), by the usual names last. Reads no
// values.
#include "io/grid/netcdf.h"

#include <string.h>
#include <strings.h>

// What a variable says of itself, in texts of its own.
struct texts {
    char name[NC_MAX_NAME + 1];
    char units[GRID_NAME_BYTES], standard_name[GRID_NAME_BYTES], axis[GRID_NAME_BYTES];
};

static enum status read_texts(const char *path, int ncid, int variable, struct texts *texts)
{
    bool found;
    NC_CHECK(nc_inq_varname(ncid, variable, texts->name), path, "reading a variable's name");
    CHECK(netcdf_units_attribute(path, ncid, variable, texts->units, sizeof texts->units, &found));
    CHECK(netcdf_text_attribute(path, ncid, variable, "standard_name", texts->standard_name,
                                sizeof texts->standard_name, &found));
    return netcdf_text_attribute(path, ncid, variable, "axis", texts->axis, sizeof texts->axis, &found);
}

// As of a coordinate along one dimension. `positive` is left out: that of a grid says how its values count.
static struct netcdf_traits traits_of(const struct texts *texts)
{
    return (struct netcdf_traits){.name = texts->name,
                                  .units = texts->units,
                                  .standard_name = texts->standard_name,
                                  .axis = texts->axis,
                                  .positive = "",
                                  .rank = 1};
}

static enum netcdf_role role_of(const struct texts *texts)
{
    if (strncmp(texts->standard_name, "grid_l", 6) == 0) // rotated pole: neither degrees east nor a plane
        return NETCDF_ROLE_NONE;
    const struct netcdf_traits traits = traits_of(texts);
    const enum netcdf_role role = netcdf_role_of(&traits);
    return role == NETCDF_ROLE_Z ? NETCDF_ROLE_NONE : role; // no axis of a map
}

static enum grid_axes_kind kind_of(const struct texts *texts)
{
    if (strncasecmp(texts->units, "deg", 3) == 0 || strncasecmp(texts->units, "arc", 3) == 0 ||
        strncasecmp(texts->units, "rad", 3) == 0 || strncmp(texts->units, "°", strlen("°")) == 0)
        return GRID_AXES_GEOGRAPHIC;
    if (texts->units[0] != '\0' && strcmp(texts->units, "1") != 0)
        return GRID_AXES_PLANE;
    const struct netcdf_traits traits = traits_of(texts);
    return netcdf_is_longitude(&traits) || netcdf_is_latitude(&traits) ? GRID_AXES_GEOGRAPHIC
                                                                       : GRID_AXES_AS_FILE;
}

// Character and string variables and user-defined types hold no grid.
static bool is_numeric(nc_type type)
{
    return type != NC_CHAR && type >= NC_BYTE && type <= NC_UINT64;
}

static enum status take_coordinate(const char *path, int ncid, int variable, struct coordinate *coordinate)
{
    struct texts texts;
    CHECK(read_texts(path, ncid, variable, &texts));
    coordinate->variable = variable;
    coordinate->role = role_of(&texts);
    coordinate->kind = kind_of(&texts);
    memcpy(coordinate->name, texts.name, sizeof texts.name);
    memcpy(coordinate->units, texts.units, sizeof texts.units);
    if (strcmp(texts.units, "1") == 0) // a bare number: no unit
        coordinate->units[0] = '\0';
    return STATUS_OK;
}

// The coordinate variable of a dimension: of the same name, or else the first one-dimensional variable along
// it that can be told to be x, y or time.
static enum status find_coordinate(const char *path, int ncid, int dimension, struct coordinate *coordinate)
{
    char name[NC_MAX_NAME + 1];
    int count;
    *coordinate = (struct coordinate){.variable = -1};
    NC_CHECK(nc_inq_dimname(ncid, dimension, name), path, "reading a dimension's name");
    memcpy(coordinate->name, name, sizeof name);
    NC_CHECK(nc_inq_nvars(ncid, &count), path, "counting the variables");
    for (int variable = 0; variable < count; variable++) {
        struct coordinate candidate = {.variable = -1};
        int rank, along;
        nc_type type;
        NC_CHECK(nc_inq_varndims(ncid, variable, &rank), path, "reading a variable's rank");
        NC_CHECK(nc_inq_vartype(ncid, variable, &type), path, "reading a variable's type");
        if (rank != 1 || !is_numeric(type))
            continue;
        NC_CHECK(nc_inq_vardimid(ncid, variable, &along), path, "reading a variable's dimension");
        if (along != dimension)
            continue;
        CHECK(take_coordinate(path, ncid, variable, &candidate));
        bool is_same_name = strcmp(candidate.name, name) == 0;
        if (is_same_name || (candidate.role != NETCDF_ROLE_NONE && coordinate->variable < 0))
            *coordinate = candidate;
        if (is_same_name)
            break;
    }
    return STATUS_OK;
}

// Reads the variable's shape and finds its x, y and record dimensions; x_at or y_at is −1 where there is
// none, and record_at −2 if more than one further dimension is longer than 1.
static enum status read_layout(const char *path, int ncid, int variable, struct netcdf_layout *layout)
{
    int dimensions[NC_MAX_VAR_DIMS];
    *layout = (struct netcdf_layout){.variable = variable, .x_at = -1, .y_at = -1, .record_at = -1};
    NC_CHECK(nc_inq_var(ncid, variable, layout->name, &layout->type, &layout->rank, dimensions, NULL), path,
             "reading a variable's shape");
    if (layout->rank > GRID_RANK_MAX || layout->rank < 2 || !is_numeric(layout->type))
        return STATUS_OK;
    for (int k = 0; k < layout->rank; k++) {
        struct coordinate coordinate;
        NC_CHECK(nc_inq_dimlen(ncid, dimensions[k], &layout->lengths[k]), path,
                 "reading a dimension's length");
        CHECK(find_coordinate(path, ncid, dimensions[k], &coordinate));
        if (coordinate.role == NETCDF_ROLE_X && layout->x_at < 0) {
            layout->x_at = k;
            layout->x = coordinate;
        } else if (coordinate.role == NETCDF_ROLE_Y && layout->y_at < 0) {
            layout->y_at = k;
            layout->y = coordinate;
        } else if (layout->lengths[k] != 1 || coordinate.role == NETCDF_ROLE_TIME) {
            layout->record_at = layout->record_at == -1 ? k : -2;
            layout->record = coordinate;
        }
    }
    return STATUS_OK;
}

static bool is_grid(const struct netcdf_layout *layout)
{
    return layout->x_at >= 0 && layout->y_at >= 0 && layout->record_at != -2;
}

static size_t record_count(const struct netcdf_layout *layout)
{
    return layout->record_at < 0 ? 1 : layout->lengths[layout->record_at];
}

static enum status explain(const char *path, int ncid, const struct netcdf_layout *layout)
{
    if (!is_numeric(layout->type))
        return FAIL(STATUS_DATA, "%s: variable %s holds text, expected numbers", path, layout->name);
    if (layout->rank < 2 || layout->rank > GRID_RANK_MAX)
        return FAIL(STATUS_DATA, "%s: variable %s has %d dimensions, expected 2 (y, x) or 3 (time, y, x)%s",
                    path, layout->name, layout->rank,
                    layout->rank == 1 ? " (an old GMT grid of one dimension? gmt grdconvert makes a new one)"
                                      : "");
    if (layout->x_at >= 0 && layout->y_at >= 0)
        return FAIL(STATUS_DATA,
                    "%s: variable %s has more than one dimension besides x and y, expected only time", path,
                    layout->name);
    int dimensions[NC_MAX_VAR_DIMS];
    NC_CHECK(nc_inq_vardimid(ncid, layout->variable, dimensions), path, "reading a variable's dimensions");
    for (int k = layout->rank - 1; k >= 0; k--) {
        struct coordinate coordinate;
        CHECK(find_coordinate(path, ncid, dimensions[k], &coordinate));
        if (coordinate.role == NETCDF_ROLE_NONE && coordinate.variable < 0)
            return FAIL(STATUS_DATA,
                        "%s: variable %s: dimension %s has no one-dimensional coordinate variable "
                        "(curvilinear grids are "
                        "not read)",
                        path, layout->name, coordinate.name);
        if (coordinate.role == NETCDF_ROLE_NONE)
            return FAIL(
                STATUS_DATA,
                "%s: variable %s: cannot tell whether its axis %s (units \"%s\") is x or y: expected units "
                "degrees_east or degrees_north, or an attribute axis = \"X\" or \"Y\"",
                path, layout->name, coordinate.name, coordinate.units);
    }
    return FAIL(STATUS_DATA, "%s: variable %s has no %s axis", path, layout->name,
                layout->x_at < 0 ? "x" : "y");
}

enum status grid_netcdf_list(const char *path, int ncid, struct grid_variable_list *list)
{
    int count;
    list->count = 0;
    NC_CHECK(nc_inq_nvars(ncid, &count), path, "counting the variables");
    for (int variable = 0; variable < count && list->count < GRID_LIST_MAX; variable++) {
        struct netcdf_layout layout;
        CHECK(read_layout(path, ncid, variable, &layout));
        if (is_grid(&layout) && strlen(layout.name) < GRID_NAME_BYTES)
            memcpy(list->names[list->count++], layout.name, strlen(layout.name) + 1);
    }
    return STATUS_OK;
}

static enum status fail_with_list(const char *path, int ncid, const char *wanted)
{
    struct grid_variable_list list;
    char names[512] = "";
    CHECK(grid_netcdf_list(path, ncid, &list));
    for (size_t k = 0; k < list.count; k++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", k > 0 ? ", " : "", list.names[k]);
    }
    if (wanted != NULL)
        return FAIL(STATUS_DATA, "%s: there is no variable %s; grids in this file: %s", path, wanted,
                    list.count > 0 ? names : "none");
    if (list.count == 0)
        return FAIL(STATUS_DATA,
                    "%s: no variable is a grid: expected one with dimensions (y, x) and coordinate variables",
                    path);
    return FAIL(STATUS_DATA, "%s: several variables are grids: say which (\"variable\"): %s", path, names);
}

enum status grid_netcdf_find(const char *path, int ncid, const char *wanted, struct netcdf_layout *layout)
{
    int count, variable;
    if (wanted != NULL) {
        if (nc_inq_varid(ncid, wanted, &variable) != NC_NOERR)
            return fail_with_list(path, ncid, wanted);
        CHECK(read_layout(path, ncid, variable, layout));
        return is_grid(layout) ? STATUS_OK : explain(path, ncid, layout);
    }
    // A grid without records stands before those with: a file of results may hold depth and fields over time.
    struct netcdf_layout candidate;
    size_t single = 0, several = 0;
    struct netcdf_layout of_several = {.variable = -1}, unread = {.variable = -1};
    NC_CHECK(nc_inq_nvars(ncid, &count), path, "counting the variables");
    for (variable = 0; variable < count; variable++) {
        CHECK(read_layout(path, ncid, variable, &candidate));
        if (!is_grid(&candidate)) {
            struct texts texts;
            CHECK(read_texts(path, ncid, variable, &texts));
            if (candidate.rank >= 2 && is_numeric(candidate.type) && unread.variable < 0 &&
                role_of(&texts) == NETCDF_ROLE_NONE) // two-dimensional longitudes are not what is missed
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
    if (single + several == 0 && unread.variable >= 0)
        return explain(path, ncid, &unread);
    return fail_with_list(path, ncid, NULL);
}
