// Reading result files back (see result.h): the list of a result's variables, and their values. Uses the list
// of all variables of a file (io/netcdf/dataset.h). Maps: io/netcdf/result_map.c.
#include "io/netcdf/result_internal.h"

#include "io/netcdf/netcdf.h"
#include "io/time_units.h"
#include "io/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum status result_out_of_memory(const char *path)
{
    return FAIL(STATUS_SYSTEM, "%s: not enough memory to read it", path);
}

// Variables in groups, and those with more dimensions than any result has, are not listed.
static bool is_listed(const struct dataset_variable *variable)
{
    return variable->base_name == variable->name && variable->rank <= RESULT_RANK_MAX;
}

static enum status list_variables(struct result_file *file)
{
    file->entries = calloc(dataset_count(file->data) + 1, sizeof *file->entries);
    if (!file->entries)
        return result_out_of_memory(result_path(file));
    for (size_t k = 0; k < dataset_count(file->data); k++) {
        const struct dataset_variable *variable = dataset_at(file->data, k);
        if (!is_listed(variable))
            continue;
        struct result_entry *entry = &file->entries[file->count++];
        entry->variable = variable;
        entry->shown = (struct result_variable){.name = variable->name,
                                                .units = variable->units,
                                                .rank = variable->rank,
                                                .is_text = variable->kind == DATASET_TEXT};
        memcpy(entry->shown.lengths, variable->lengths, sizeof entry->shown.lengths);
        memcpy(entry->shown.dimensions, variable->dimension_names, sizeof entry->shown.dimensions);
    }
    return STATUS_OK;
}

enum status result_open(const char *path, struct result_file **opened)
{
    *opened = NULL;
    struct result_file *file = calloc(1, sizeof *file);
    if (!file)
        return result_out_of_memory(path);
    enum status status = dataset_open(path, &file->data);
    if (status == STATUS_OK)
        status = list_variables(file);
    if (status != STATUS_OK) {
        result_close(file);
        return status;
    }
    *opened = file;
    return STATUS_OK;
}

void result_keep_list(struct result_file *file)
{
    dataset_keep_list(file->data);
}

void result_close(struct result_file *file)
{
    if (!file)
        return;
    dataset_close(file->data);
    free(file->entries);
    free(file);
}

const char *result_path(const struct result_file *file)
{
    return dataset_path(file->data);
}

size_t result_variable_count(const struct result_file *file)
{
    return file->count;
}

const struct result_variable *result_variable_at(const struct result_file *file, size_t index)
{
    return &file->entries[index].shown;
}

static struct result_entry *find_entry(const struct result_file *file, const char *name)
{
    for (size_t k = 0; file && k < file->count; k++)
        if (strcmp(file->entries[k].shown.name, name) == 0)
            return &file->entries[k];
    return NULL;
}

const struct result_variable *result_find(const struct result_file *file, const char *name)
{
    const struct result_entry *entry = find_entry(file, name);
    return entry ? &entry->shown : NULL;
}

void result_attribute(const struct result_file *file, const char *variable, const char *name, char *text,
                      size_t bytes)
{
    const struct result_entry *entry = variable ? find_entry(file, variable) : NULL;
    text[0] = '\0';
    if (variable && !entry)
        return;
    if (dataset_text(file->data, entry ? entry->variable : NULL, name, text, bytes) != STATUS_OK)
        status_clear(); // the report then omits it
}

size_t result_numbers(const struct result_file *file, const char *variable, const char *name, double *values,
                      size_t most)
{
    const struct result_entry *entry = variable ? find_entry(file, variable) : NULL;
    if (variable && !entry)
        return 0;
    return dataset_numbers(file->data, entry ? entry->variable : NULL, name, values, most);
}

static enum status require_entry(const struct result_file *file, const char *name,
                                 struct result_entry **entry)
{
    const struct dataset_variable *unused;
    *entry = find_entry(file, name);
    if (*entry)
        return STATUS_OK;
    CHECK(dataset_require(file->data, name, NULL, &unused));
    return FAIL(STATUS_DATA, "%s: variable %s: a result has at most %d dimensions and no groups",
                result_path(file), name, RESULT_RANK_MAX);
}

enum status result_require(const struct result_file *file, const char *name, struct result_entry **found)
{
    CHECK(require_entry(file, name, found));
    struct result_entry *entry = *found;
    const struct dataset_variable *variable = entry->variable;
    if (variable->kind != DATASET_NUMBERS)
        return FAIL(STATUS_DATA, "%s: variable %s holds text, expected numbers", result_path(file), name);
    if (!entry->has_packing)
        CHECK(netcdf_packing_read(result_path(file), variable->group, variable->id, name, &entry->packing));
    entry->has_packing = true;
    return STATUS_OK;
}

// A time that counts from a date keeps it.
static enum status take_time_units(const struct result_file *file, struct result_entry *entry,
                                   const char *units)
{
    const char *stated = entry->shown.units;
    char unit[RESULT_UNITS_BYTES];
    time_units_without_date(stated, unit, sizeof unit);
    CHECK_ABOUT(units_conversion(unit, units, &entry->slope, &entry->offset), "%s: %s", result_path(file),
                entry->shown.name);
    if (entry->slope == 1 && entry->offset == 0)
        return STATUS_OK;
    if (snprintf(entry->converted, sizeof entry->converted, "%s%s", units, strstr(stated, " since ")) >=
        (int)sizeof entry->converted)
        return FAIL(STATUS_DATA, "%s: %s: its units are too long", result_path(file), entry->shown.name);
    entry->has_conversion = true;
    entry->shown.units = entry->converted;
    return STATUS_OK;
}

enum status result_take_units(struct result_file *file, const struct result_units *list)
{
    for (; list && list->variable; list++) {
        struct result_entry *entry = find_entry(file, list->variable);
        const char *stated = entry ? entry->shown.units : "";
        if (!entry || entry->shown.is_text || !stated[0] || strcmp(stated, "1") == 0 ||
            strcmp(stated, list->units) == 0)
            continue;
        if (strstr(stated, " since ")) {
            CHECK(take_time_units(file, entry, list->units));
            continue;
        }
        CHECK_ABOUT(units_conversion(stated, list->units, &entry->slope, &entry->offset), "%s: %s",
                    result_path(file), list->variable);
        entry->has_conversion = true;
        entry->shown.units = list->units;
    }
    return STATUS_OK;
}

enum status result_read_entry(const struct result_file *file, const struct result_entry *entry,
                              const size_t *start, const size_t *count, double *values)
{
    size_t length = 1;
    CHECK(dataset_read(file->data, entry->variable, &entry->packing, start, count, values));
    for (int k = 0; k < entry->shown.rank; k++)
        length *= count[k];
    for (size_t k = 0; entry->has_conversion && k < length; k++)
        values[k] = entry->slope * values[k] + entry->offset;
    return STATUS_OK;
}

enum status result_read(const struct result_file *file, const char *name, const size_t *start,
                        const size_t *count, double *values)
{
    struct result_entry *entry;
    CHECK(result_require(file, name, &entry));
    return result_read_entry(file, entry, start, count, values);
}

enum status result_read_all(const struct result_file *file, const char *name, double **values, size_t *length)
{
    static const size_t zero[RESULT_RANK_MAX];
    struct result_entry *entry;
    *values = NULL;
    *length = 0;
    CHECK(result_require(file, name, &entry));
    size_t total = 1;
    for (int k = 0; k < entry->shown.rank; k++)
        if (__builtin_mul_overflow(total, entry->shown.lengths[k], &total))
            return FAIL(STATUS_DATA, "%s: variable %s is too large to read at once", result_path(file), name);
    CHECK(netcdf_check_count(result_path(file), name, total, entry->variable->type));
    double *all = calloc(total ? total : 1, sizeof *all);
    if (!all)
        return result_out_of_memory(result_path(file));
    const enum status status = result_read(file, name, zero, entry->shown.lengths, all);
    if (status != STATUS_OK) {
        free(all);
        return status;
    }
    *values = all;
    *length = total;
    return STATUS_OK;
}

enum status result_read_texts(const struct result_file *file, const char *name, char ***texts, size_t *length)
{
    struct result_entry *entry;
    *texts = NULL;
    *length = 0;
    CHECK(require_entry(file, name, &entry));
    return dataset_read_texts(file->data, entry->variable, texts, length);
}

void result_free_texts(char **texts, size_t length)
{
    dataset_free_texts(texts, length);
}
