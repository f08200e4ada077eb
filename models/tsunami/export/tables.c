// Points and zones as tables: every variable over the one dimension is a column, in the order of the file,
// and arrivals and the times of crests also in UTC where the file states the run's origin.
#include "models/tsunami/export/private.h"

#include "io/date.h"
#include "io/formats/zones_result.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum status export_no_memory(const struct result_file *file)
{
    return FAIL(STATUS_SYSTEM, "%s: not enough memory for its table", result_path(file));
}

// ---- times

bool export_origin(const struct result_file *file, const char *variable, double *origin_s)
{
    char text[128];
    result_attribute(file, NULL, "time_origin", text, sizeof text);
    if (date_epoch(text, origin_s))
        return true;
    result_attribute(file, variable, "units", text, sizeof text);
    const char *since = strstr(text, " since ");
    // Without an origin in the job results count from 1970: that date says nothing.
    return since && date_epoch(since + 7, origin_s) && *origin_s != 0;
}

void export_utc(double moment, char text[EXPORT_UTC_BYTES])
{
    struct tm date;
    const double moment_s = floor(moment);
    const time_t whole = isfinite(moment_s) && fabs(moment_s) < 1e12 ? (time_t)moment_s : 0;
    text[0] = '\0';
    if (isfinite(moment_s) && gmtime_r(&whole, &date))
        strftime(text, EXPORT_UTC_BYTES, "%Y-%m-%dT%H:%M:%SZ", &date);
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

// A moment of the run, not a length of time.
static bool is_moment(const struct result_variable *variable)
{
    const bool is_second = strcmp(variable->units, "s") == 0 || strstr(variable->units, " since ") != NULL;
    return is_second && strcmp(variable->name, "travel_time") != 0 &&
           (ends_with(variable->name, "_time") || ends_with(variable->name, "arrival") ||
            strcmp(variable->name, "earliest") == 0);
}

// ---- columns

static bool is_column(const struct result_variable *variable, const struct result_variable *first)
{
    const bool is_along = variable->rank >= 1 && strcmp(variable->dimensions[0], first->dimensions[0]) == 0;
    if (strcmp(variable->name, zones_result_names[0][ZONES_RESULT_NODES]) == 0)
        return false; // of the outlines
    return is_along && (variable->is_text ? variable->rank <= 2 : variable->rank == 1);
}

static enum status add_times(const struct result_file *file, const struct result_variable *variable,
                             struct export_table *table, const double *times_s)
{
    double origin_s;
    if (!is_moment(variable) || !export_origin(file, variable->name, &origin_s))
        return STATUS_OK;
    struct geo_column *column = &table->columns[table->table.column_count];
    char *name = malloc(strlen(variable->name) + 5);
    char **texts = calloc(table->table.rows + 1, sizeof *texts);
    column->name = name;
    column->texts = texts;
    table->table.column_count++;
    if (!name || !texts)
        return export_no_memory(file);
    sprintf(name, "%s_utc", variable->name);
    const bool is_earliest = strcmp(variable->name, "earliest") == 0;
    for (size_t row = 0; row < table->table.rows; row++) {
        texts[row] = malloc(EXPORT_UTC_BYTES);
        if (!texts[row])
            return export_no_memory(file);
        // To the nearest second; the time by which to be ready is rounded down.
        export_utc(origin_s + times_s[row] + (is_earliest ? 0 : 0.5), texts[row]);
    }
    return STATUS_OK;
}

static enum status add_column(const struct result_file *file, const struct result_variable *variable,
                              struct export_table *table)
{
    struct geo_table *t = &table->table;
    struct geo_column *column = &table->columns[t->column_count];
    char *name = strdup(variable->name), *units = strdup(variable->units);
    double *values = NULL;
    char **texts = NULL;
    size_t length = 0;
    *column = (struct geo_column){.name = name, .units = units};
    const int index = t->column_count++;
    if (!name || !units)
        return export_no_memory(file);
    if (variable->is_text)
        CHECK(result_read_texts(file, variable->name, &texts, &length));
    else
        CHECK(result_read_all(file, variable->name, &values, &length));
    if (length != t->rows) {
        free(values);
        if (texts)
            result_free_texts(texts, length);
        return FAIL(STATUS_DATA, "%s: %s has %zu entries, expected %zu", result_path(file), variable->name,
                    length, t->rows);
    }
    column->texts = texts;
    column->values = values;
    if (t->name_column < 0 && texts)
        t->name_column = index;
    for (size_t row = 0; values && strncmp(units, "degrees_e", 9) == 0 && row < length; row++)
        values[row] = geo_longitude(values[row]);
    if (!t->x && strncmp(units, "degrees_e", 9) == 0)
        t->x = values;
    if (!t->y && strncmp(units, "degrees_n", 9) == 0)
        t->y = values;
    return values ? add_times(file, variable, table, values) : STATUS_OK;
}

const double *export_table_values(const struct export_table *table, const char *name)
{
    for (int c = 0; c < table->table.column_count; c++)
        if (strcmp(table->columns[c].name, name) == 0)
            return table->columns[c].values;
    return NULL;
}

// The threat, as far as it is known. Where waves may be higher than computed, it is no all-clear that they
// reach no level.
static enum status find_levels(const struct result_file *file, struct export_table *table)
{
    const double *threat = export_table_values(table, "threat"),
                 *bound = export_table_values(table, "lower_bound"),
                 *unfinished = export_table_values(table, "unfinished");
    if (!threat)
        return STATUS_OK;
    table->levels = malloc((table->table.rows + 1) * sizeof *table->levels);
    if (!table->levels)
        return export_no_memory(file);
    for (size_t row = 0; row < table->table.rows; row++) {
        const bool may_be_higher = (bound && bound[row] == 1) || (unfinished && unfinished[row] == 1);
        table->levels[row] = threat[row] == 0 && may_be_higher ? (double)NAN : threat[row];
    }
    table->table.levels = table->levels;
    return STATUS_OK;
}

// Why nothing is known of a zone, as the points have it.
static enum status add_skipped(const struct result_file *file, struct export_table *table)
{
    const double *nodes = export_table_values(table, "nodes"), *points = export_table_values(table, "points");
    if (!nodes || !points)
        return STATUS_OK;
    char **texts = calloc(table->table.rows + 1, sizeof *texts);
    table->columns[table->table.column_count++] =
        (struct geo_column){.name = strdup("skipped"), .texts = texts};
    if (!texts || !table->columns[table->table.column_count - 1].name)
        return export_no_memory(file);
    for (size_t row = 0; row < table->table.rows; row++) {
        texts[row] = strdup(nodes[row] == 0 && points[row] == 0 ? "no water" : "");
        if (!texts[row])
            return export_no_memory(file);
    }
    return STATUS_OK;
}

// ---- polygons

enum status export_table_polygons(const struct result_file *file, const struct tsunami_export *product,
                                  const char *prefix, struct export_table *table)
{
    struct geo_table *t = &table->table;
    const bool is_drawn = product->format == TSUNAMI_GEOJSON || product->format == TSUNAMI_KML;
    if (!is_drawn || t->name_column < 0 || !t->x || !t->y) // zones on a plane are refused
        return STATUS_OK;
    table->geometries = calloc(t->rows + 1, sizeof *table->geometries);
    if (!table->geometries)
        return export_no_memory(file);
    t->geometries = (const struct cJSON *const *)table->geometries;
    return export_polygons(file, product, prefix, t->columns[t->name_column].texts, t->rows,
                           table->geometries);
}

// ---- all of it

static const struct result_variable *first_along(const struct result_file *file, const char *dimension)
{
    for (size_t k = 0; k < result_variable_count(file); k++) {
        const struct result_variable *variable = result_variable_at(file, k);
        if (variable->rank >= 1 && strcmp(variable->dimensions[0], dimension) == 0)
            return variable;
    }
    return NULL;
}

enum status export_table_read(const struct result_file *file, const struct tsunami_export *product,
                              struct export_table *table)
{
    const bool is_zones = tsunami_result_kind_of(file) == TSUNAMI_RESULT_ZONES;
    const struct result_variable *first = first_along(file, is_zones ? "zone" : "point");
    *table = (struct export_table){
        .table = {.title = is_zones ? "Forecast zones" : "Forecast points", .name_column = -1}};
    if (!first)
        return FAIL(STATUS_DATA, "%s: has no points and no zones", result_path(file));
    table->table.rows = first->lengths[0];
    table->columns = calloc(2 * result_variable_count(file) + 2, sizeof *table->columns);
    if (!table->columns)
        return export_no_memory(file);
    table->table.columns = table->columns;
    for (size_t k = 0; k < result_variable_count(file); k++)
        if (is_column(result_variable_at(file, k), first))
            CHECK(add_column(file, result_variable_at(file, k), table));
    CHECK(find_levels(file, table));
    if (!is_zones)
        return STATUS_OK;
    CHECK(add_skipped(file, table));
    return export_table_polygons(file, product, "", table);
}

void export_table_free(struct export_table *table)
{
    for (int c = 0; table->columns && c < table->table.column_count; c++) {
        struct geo_column *column = &table->columns[c];
        free((void *)column->name);
        free((void *)column->units);
        free((void *)column->values);
        if (column->texts)
            result_free_texts((char **)column->texts, table->table.rows);
    }
    free(table->columns);
    free(table->levels);
    free(table->places);
    for (size_t row = 0; table->geometries && row < table->table.rows; row++)
        cJSON_Delete(table->geometries[row]);
    free(table->geometries);
    *table = (struct export_table){0};
}
