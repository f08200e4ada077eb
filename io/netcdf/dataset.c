// What is in a netCDF file (see dataset.h): variables of all groups, their meaning by CF, and which belong
// together. Reads no values.
#include "io/netcdf/dataset_internal.h"

#include "io/netcdf/netcdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP_DEPTH_MAX = 16 };

// ---- meaning

// Units that are not a text do not refuse a file of which another variable is read. run_units are those of
// what dataset_read gives (io/netcdf/packing.c).
static enum status read_units(const struct dataset *file, struct dataset_variable *variable)
{
    char run_units[DATASET_TEXT_BYTES];
    bool found;
    const enum status status = netcdf_units_attribute(file->path, variable->group, variable->id,
                                                      variable->units, sizeof variable->units, &found);
    variable->has_bad_units = status == STATUS_DATA;
    if (variable->has_bad_units)
        status_clear();
    else
        CHECK(status);
    CHECK(netcdf_text_attribute(file->path, variable->group, variable->id, NETCDF_RUN_UNITS, run_units,
                                sizeof run_units, &found));
    if (found)
        memcpy(variable->units, run_units, sizeof run_units);
    return STATUS_OK;
}

enum status dataset_check_units(const struct dataset *file, const struct dataset_variable *variable)
{
    char units[DATASET_TEXT_BYTES];
    bool found;
    return variable->has_bad_units ? netcdf_units_attribute(file->path, variable->group, variable->id, units,
                                                            sizeof units, &found)
                                   : STATUS_OK;
}

static enum status read_attributes(const struct dataset *file, struct dataset_variable *variable)
{
    char role[64], mapping[64];
    const struct {
        const char *name;
        char *text;
        size_t bytes;
    } wanted[] = {{"standard_name", variable->standard_name, sizeof variable->standard_name},
                  {"cell_methods", variable->cell_methods, sizeof variable->cell_methods},
                  {"calendar", variable->calendar, sizeof variable->calendar},
                  {"coordinates", variable->coordinates, sizeof variable->coordinates},
                  {"axis", variable->axis, sizeof variable->axis},
                  {"positive", variable->positive, sizeof variable->positive},
                  {"cf_role", role, sizeof role},
                  {"grid_mapping_name", mapping, sizeof mapping}};
    bool found;
    CHECK(read_units(file, variable));
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        CHECK(netcdf_text_attribute(file->path, variable->group, variable->id, wanted[k].name, wanted[k].text,
                                    wanted[k].bytes, &found));
    const struct netcdf_traits traits = {.name = variable->base_name,
                                         .units = variable->units,
                                         .standard_name = variable->standard_name,
                                         .axis = variable->axis,
                                         .positive = variable->positive,
                                         .rank = variable->rank};
    variable->role = netcdf_role_of(&traits);
    variable->is_longitude = variable->role == NETCDF_ROLE_X && netcdf_is_longitude(&traits);
    const size_t length = strlen(role);
    variable->is_label =
        variable->kind == DATASET_TEXT && length > 3 && strcmp(role + length - 3, "_id") == 0;
    variable->is_auxiliary = mapping[0] != '\0';
    return STATUS_OK;
}

// ---- listing

// A dimension of the file, by its id (unique in all groups).
static enum status find_dimension(struct dataset *file, int group, int id,
                                  const struct dataset_dimension **found)
{
    for (size_t k = 0; k < file->dimension_count; k++)
        if (file->dimensions[k].id == id) {
            *found = &file->dimensions[k];
            return STATUS_OK;
        }
    char name[NC_MAX_NAME + 1];
    struct dataset_dimension *longer =
        realloc(file->dimensions, (file->dimension_count + 1) * sizeof *longer);
    if (!longer)
        return FAIL(STATUS_SYSTEM, "%s: out of memory for the list of dimensions", file->path);
    file->dimensions = longer;
    struct dataset_dimension *dimension = &longer[file->dimension_count];
    *dimension = (struct dataset_dimension){.id = id};
    NC_CHECK(nc_inq_dim(group, id, name, &dimension->length), file->path, "reading a dimension");
    dimension->name = strdup(name);
    if (!dimension->name)
        return FAIL(STATUS_SYSTEM, "%s: out of memory for the list of dimensions", file->path);
    file->dimension_count++;
    *found = dimension;
    return STATUS_OK;
}

static enum status read_dimensions(struct dataset *file, struct dataset_variable *variable)
{
    if (variable->rank > DATASET_RANK_MAX)
        return STATUS_OK;
    NC_CHECK(nc_inq_vardimid(variable->group, variable->id, variable->dimensions), file->path,
             variable->name);
    for (int k = 0; k < variable->rank; k++) {
        const struct dataset_dimension *dimension = NULL;
        CHECK(find_dimension(file, variable->group, variable->dimensions[k], &dimension));
        variable->dimension_names[k] = dimension->name;
        variable->lengths[k] = dimension->length;
    }
    return STATUS_OK;
}

static enum status reserve_variable(struct dataset *file)
{
    if (file->count < file->capacity)
        return STATUS_OK;
    const size_t capacity = file->capacity ? 2 * file->capacity : 32;
    struct dataset_variable *longer = realloc(file->variables, capacity * sizeof *longer);
    if (!longer)
        return FAIL(STATUS_SYSTEM, "%s: out of memory for a list of %zu variables", file->path, capacity);
    file->variables = longer;
    file->capacity = capacity;
    return STATUS_OK;
}

static enum status add_variable(struct dataset *file, int group, int id, const char *prefix)
{
    CHECK(reserve_variable(file));
    struct dataset_variable *variable = &file->variables[file->count];
    memset(variable, 0, sizeof *variable);
    char name[NC_MAX_NAME + 1];
    nc_type type;
    NC_CHECK(nc_inq_varname(group, id, name), file->path, "reading a variable's name");
    NC_CHECK(nc_inq_vartype(group, id, &type), file->path, name);
    NC_CHECK(nc_inq_varndims(group, id, &variable->rank), file->path, name);
    variable->group = group;
    variable->id = id;
    variable->type = type;
    if (snprintf(variable->name, sizeof variable->name, "%s%s", prefix, name) >= (int)sizeof variable->name)
        return FAIL(STATUS_DATA, "%s: variable %s: its name and its groups' are longer than %d characters",
                    file->path, name, DATASET_NAME_BYTES - 1);
    variable->kind = variable->rank > DATASET_RANK_MAX               ? DATASET_OTHER
                     : type == NC_CHAR || type == NC_STRING          ? DATASET_TEXT
                     : type >= NC_BYTE && type <= NC_MAX_ATOMIC_TYPE ? DATASET_NUMBERS
                                                                     : DATASET_OTHER;
    CHECK(read_dimensions(file, variable));
    file->count++;
    return STATUS_OK;
}

static enum status list_group(struct dataset *file, int group, const char *prefix, int depth)
{
    int count, groups = 0;
    if (depth > GROUP_DEPTH_MAX)
        return FAIL(STATUS_DATA, "%s: group %s: groups within groups deeper than %d", file->path, prefix,
                    GROUP_DEPTH_MAX);
    NC_CHECK(nc_inq_varids(group, &count, NULL), file->path, "listing the variables");
    NC_CHECK(nc_inq_grps(group, &groups, NULL), file->path, "listing the groups");
    int *ids = calloc((size_t)(count > groups ? count : groups) + 1, sizeof *ids);
    if (!ids)
        return FAIL(STATUS_SYSTEM, "%s: out of memory for a list of %d variables", file->path, count);
    int code = NC_READING(nc_inq_varids(group, &count, ids), file->path);
    enum status status = STATUS_OK;
    for (int k = 0; code == NC_NOERR && k < count && status == STATUS_OK; k++)
        status = add_variable(file, group, ids[k], prefix);
    if (code == NC_NOERR)
        code = NC_READING(nc_inq_grps(group, &groups, ids), file->path);
    if (code != NC_NOERR && status == STATUS_OK)
        status = netcdf_status(code, file->path, "listing the groups", __FILE__, __LINE__);
    for (int k = 0; k < groups && status == STATUS_OK; k++) {
        char name[NC_MAX_NAME + 1] = "", longer[DATASET_NAME_BYTES];
        code = NC_READING(nc_inq_grpname(ids[k], name), file->path);
        if (code != NC_NOERR)
            status = netcdf_status(code, file->path, "reading a group's name", __FILE__, __LINE__);
        else if (snprintf(longer, sizeof longer, "%s%s/", prefix, name) >= (int)sizeof longer)
            status = FAIL(STATUS_DATA, "%s: group %s: the names of the groups are longer than %d characters",
                          file->path, name, DATASET_NAME_BYTES - 1);
        else
            status = list_group(file, ids[k], longer, depth + 1);
    }
    free(ids);
    return status;
}

// Marks what a list of names in an attribute means.
static void mark_auxiliary(struct dataset *file, const struct dataset_variable *from, const char *names)
{
    char name[DATASET_TEXT_BYTES];
    for (const char *c = names + strspn(names, " "); *c != '\0'; c += strspn(c, " ")) {
        const size_t length = strcspn(c, " ");
        snprintf(name, sizeof name, "%.*s", (int)length, c);
        const struct dataset_variable *meant = dataset_find_from(file, from, name);
        if (meant && meant != from)
            file->variables[meant - file->variables].is_auxiliary = true;
        c += length;
    }
}

static enum status find_auxiliary(struct dataset *file)
{
    static const char *const attributes[] = {"bounds", "climatology"};
    for (size_t k = 0; k < file->count; k++) {
        struct dataset_variable *variable = &file->variables[k];
        mark_auxiliary(file, variable, variable->coordinates);
        for (size_t a = 0; a < sizeof attributes / sizeof *attributes; a++) {
            char text[DATASET_TEXT_BYTES];
            CHECK(dataset_text(file, variable, attributes[a], text, sizeof text));
            mark_auxiliary(file, variable, text);
        }
        if (variable->kind == DATASET_NUMBERS && variable->rank == 1 &&
            strcmp(variable->dimension_names[0], variable->base_name) == 0)
            variable->is_auxiliary = true;
        if (variable->kind == DATASET_NUMBERS && variable->rank == 0 && variable->role == NETCDF_ROLE_TIME)
            variable->is_auxiliary = true; // the moment that the file is about
    }
    return STATUS_OK;
}

// A time axis of the program's own holds bare numbers; its units are those of model_time beside it.
static void find_model_time(struct dataset *file)
{
    struct dataset_variable *axis = NULL, *quantity = NULL;
    for (size_t k = 0; k < file->count; k++) {
        struct dataset_variable *variable = &file->variables[k];
        if (variable->kind == DATASET_NUMBERS && variable->rank == 1 && strcmp(variable->name, "time") == 0)
            axis = variable;
        if (variable->kind == DATASET_NUMBERS && variable->rank == 1 &&
            strcmp(variable->name, NETCDF_MODEL_TIME) == 0)
            quantity = variable;
    }
    if (!axis || !quantity || axis->dimensions[0] != quantity->dimensions[0])
        return;
    quantity->is_auxiliary = true;
    if (!axis->units[0])
        memcpy(axis->units, quantity->units, sizeof axis->units);
}

static enum status describe(struct dataset *file)
{
    CHECK(list_group(file, file->ncid, "", 0));
    for (size_t k = 0; k < file->count; k++) {
        struct dataset_variable *variable = &file->variables[k];
        const char *slash = strrchr(variable->name, '/');
        variable->base_name = slash ? slash + 1 : variable->name; // the list grows no more: it stays there
        CHECK(read_attributes(file, variable));
    }
    find_model_time(file);
    return find_auxiliary(file);
}

enum status dataset_open(const char *path, struct dataset **opened)
{
    *opened = NULL;
    struct dataset *file = calloc(1, sizeof *file);
    if (!file || !(file->path = strdup(path))) {
        free(file);
        return FAIL(STATUS_SYSTEM, "%s: out of memory while opening it", path);
    }
    enum status status = netcdf_open(path, &file->ncid);
    file->is_open = status == STATUS_OK;
    if (file->is_open)
        status = describe(file);
    if (status != STATUS_OK) {
        dataset_close(file);
        return status;
    }
    *opened = file;
    return STATUS_OK;
}

void dataset_keep_list(struct dataset *file)
{
    if (file->is_open)
        (void)NC_READING(nc_close(file->ncid), file->path); // opened for reading only: nothing can be lost
    file->is_open = false;
}

void dataset_close(struct dataset *file)
{
    if (!file)
        return;
    dataset_keep_list(file);
    for (size_t k = 0; k < file->dimension_count; k++)
        free(file->dimensions[k].name);
    free(file->dimensions);
    free(file->variables);
    free(file->path);
    free(file);
}

// ---- finding variables

const char *dataset_path(const struct dataset *file)
{
    return file->path;
}

size_t dataset_count(const struct dataset *file)
{
    return file->count;
}

const struct dataset_variable *dataset_at(const struct dataset *file, size_t index)
{
    return &file->variables[index];
}

const struct dataset_variable *dataset_find(const struct dataset *file, const char *name)
{
    name += name[0] == '/';
    for (size_t k = 0; k < file->count; k++)
        if (strcmp(file->variables[k].name, name) == 0)
            return &file->variables[k];
    return NULL;
}

const struct dataset_variable *dataset_find_from(const struct dataset *file,
                                                 const struct dataset_variable *from, const char *name)
{
    char path[2 * DATASET_NAME_BYTES];
    size_t length = (size_t)(from->base_name - from->name); // of the groups, with the slash
    if (name[0] == '/')
        return dataset_find(file, name);
    for (;;) {
        snprintf(path, sizeof path, "%.*s%s", (int)length, from->name, name);
        const struct dataset_variable *found = dataset_find(file, path);
        if (found || length == 0)
            return found;
        length--; // the slash
        while (length > 0 && from->name[length - 1] != '/')
            length--;
    }
}

size_t dataset_list(const struct dataset *file, dataset_filter *filter, const void *context, char *names,
                    size_t bytes)
{
    static const char more[] = ", ...";
    size_t used = 0, count = 0;
    bool is_cut = false;
    snprintf(names, bytes, "none");
    for (size_t k = 0; k < file->count; k++) {
        const char *name = file->variables[k].name;
        if (filter && !filter(&file->variables[k], context))
            continue;
        count++;
        if (!is_cut && used + strlen(name) + 2 + sizeof more <= bytes) {
            used += (size_t)snprintf(names + used, bytes - used, "%s%s", used > 0 ? ", " : "", name);
        } else if (!is_cut) {
            is_cut = true;
            snprintf(names + used, bytes - used, "%s", used > 0 ? more : more + 2);
        }
    }
    return count;
}

enum status dataset_require(const struct dataset *file, const char *name, const char *use,
                            const struct dataset_variable **variable)
{
    char names[DATASET_LIST_BYTES];
    *variable = dataset_find(file, name);
    if (*variable)
        return STATUS_OK;
    dataset_list(file, NULL, NULL, names, sizeof names);
    return FAIL(STATUS_DATA, "%s: no variable %.80s%s (it has: %s)", file->path, name, use ? use : "", names);
}

enum status dataset_text(const struct dataset *file, const struct dataset_variable *variable,
                         const char *name, char *text, size_t bytes)
{
    bool found;
    return netcdf_text_attribute(file->path, variable ? variable->group : file->ncid,
                                 variable ? variable->id : NC_GLOBAL, name, text, bytes, &found);
}

size_t dataset_numbers(const struct dataset *file, const struct dataset_variable *variable, const char *name,
                       double *values, size_t most)
{
    enum { NUMBERS_MAX = 256 };
    const int group = variable ? variable->group : file->ncid, id = variable ? variable->id : NC_GLOBAL;
    double all[NUMBERS_MAX];
    nc_type type;
    size_t count;
    if (NC_READING(nc_inq_att(group, id, name, &type, &count), file->path) != NC_NOERR || type == NC_CHAR ||
        type > NC_UINT64 || count > NUMBERS_MAX ||
        NC_READING(nc_get_att_double(group, id, name, all), file->path) != NC_NOERR)
        return 0;
    count = count < most ? count : most;
    memcpy(values, all, count * sizeof *values);
    return count;
}

const struct dataset_variable *dataset_coordinate(const struct dataset *file,
                                                  const struct dataset_variable *variable, int k)
{
    const char *name = variable->dimension_names[k];
    const struct dataset_variable *only = NULL;
    int candidates = 0;
    for (size_t n = 0; n < file->count; n++) {
        const struct dataset_variable *candidate = &file->variables[n];
        if (candidate->kind != DATASET_NUMBERS || candidate->rank != 1 ||
            candidate->dimensions[0] != variable->dimensions[k])
            continue;
        if (strcmp(candidate->base_name, name) == 0)
            return candidate;
        if (candidate->role != NETCDF_ROLE_NONE) {
            only = candidate;
            candidates++;
        }
    }
    return candidates == 1 && only != variable ? only : NULL;
}

const struct dataset_variable *dataset_labels(const struct dataset *file,
                                              const struct dataset_variable *variable, int k)
{
    const char *name = variable->dimension_names[k];
    const struct dataset_variable *named = NULL;
    for (size_t n = 0; n < file->count; n++) {
        const struct dataset_variable *candidate = &file->variables[n];
        const bool is_list = (candidate->type == NC_STRING && candidate->rank == 1) ||
                             (candidate->type == NC_CHAR && candidate->rank == 2);
        if (candidate->kind != DATASET_TEXT || !is_list ||
            candidate->dimensions[0] != variable->dimensions[k])
            continue;
        if (candidate->is_label)
            return candidate;
        if (strcmp(candidate->base_name, name) == 0)
            named = candidate;
    }
    return named;
}
