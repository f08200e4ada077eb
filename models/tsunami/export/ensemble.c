// The points and zones of an ensemble (ensemble.nc of fathom hazard) as tables with the columns of
// hazard_points.csv and hazard_zones.csv.
#include "models/tsunami/export/private.h"
#include "models/tsunami/export/threat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES_MAX = 64 };
static const double beyond = 0.05; // the weight that colours a zone

// A variable along the points or zones. Of two dimensions it gives a column for each entry of the second.
struct source {
    const char *variable, *column;
};

static const struct source point_sources[] = {{"point_name", "name"},
                                              {"point_x", "longitude"},
                                              {"point_y", "latitude"},
                                              {"weight_of_members", "weight_of_members"},
                                              {"crest_mean", "crest_mean"},
                                              {"crest_percentile", "crest"},
                                              {"crest_exceedance", "crest"},
                                              {"coastal_height_mean", "coastal_height_mean"},
                                              {"coastal_height_percentile", "coastal_height"},
                                              {"coastal_height_exceedance", "coastal_height"},
                                              {"arrival_earliest_at_point", "arrival_earliest"},
                                              {"arrival_median_at_point", "arrival_median"},
                                              {"arrival_probability_at_point", "arrival_probability"},
                                              {"threat_probability", ""},
                                              {"lower_bound", "lower_bound"},
                                              {"unfinished", "unfinished"}},
                           zone_sources[] = {{"zone_name", "name"},
                                             {"zone_crest_mean", "crest_mean"},
                                             {"zone_crest_percentile", "crest"},
                                             {"zone_crest_exceedance", "crest"},
                                             {"zone_arrival_earliest", "arrival_earliest"},
                                             {"zone_arrival_percentile", "arrival"},
                                             {"zone_arrival_probability", "arrival_probability"},
                                             {"zone_threat_probability", ""},
                                             {"zone_lower_bound", "lower_bound"}};

// ---- the level of threat

int export_threat_of_point(double height_m, const double *thresholds_m, size_t count, bool may_be_higher)
{
    size_t level = 0;
    while (level < count && height_m >= thresholds_m[level])
        level++;
    return isnan(height_m) || (level == 0 && may_be_higher) ? -1 : (int)level;
}

int export_threat_of_zone(const double *shares, size_t count, bool may_be_higher)
{
    size_t level = count;
    for (double sum = shares[1 + level]; level > 0 && !(sum > beyond); sum += shares[1 + level])
        level--;
    return isnan(shares[0]) || (level == 0 && may_be_higher) ? -1 : (int)level;
}

// ---- columns

// The name of a column for the entry `index` of the second dimension, whose value is `value`.
static void name_column(const struct source *source, const char *dimension, size_t index, double value,
                        char name[64])
{
    if (strcmp(dimension, "percentile") == 0)
        snprintf(name, 64, "%s_p%g", source->column, value);
    else if (strcmp(dimension, "threshold") == 0)
        snprintf(name, 64, "%s_above_%g_m", source->column, value);
    else if (index == 0)
        snprintf(name, 64, "not_reached");
    else
        snprintf(name, 64, "threat_%zu", index - 1);
}

// The table owns `values` and `texts`, whatever happens.
static enum status add(const struct result_file *file, struct export_table *table, const char *name,
                       const char *units, double *values, char **texts)
{
    struct geo_column *column = &table->columns[table->table.column_count++];
    *column =
        (struct geo_column){.name = strdup(name), .units = strdup(units), .values = values, .texts = texts};
    return column->name && column->units && (values || texts) ? STATUS_OK : export_no_memory(file);
}

// The entries of one column out of [rows][second]; infinite ones (never) are missing.
static double *pick(const double *all, size_t rows, size_t second, size_t index)
{
    double *values = malloc((rows + 1) * sizeof *values);
    for (size_t row = 0; values && row < rows; row++) {
        const double value = all[row * second + index];
        values[row] = isfinite(value) ? value : (double)NAN;
    }
    return values;
}

static enum status check_length(const struct result_file *file, const char *variable, size_t length,
                                size_t expected)
{
    return length == expected ? STATUS_OK
                              : FAIL(STATUS_DATA, "%s: %s has %zu entries, expected %zu", result_path(file),
                                     variable, length, expected);
}

static enum status add_texts(const struct result_file *file, const struct source *source,
                             struct export_table *table)
{
    char **texts;
    size_t length;
    CHECK(result_read_texts(file, source->variable, &texts, &length));
    const enum status status = check_length(file, source->variable, length, table->table.rows);
    if (status != STATUS_OK) {
        result_free_texts(texts, length);
        return status;
    }
    table->table.name_column = table->table.column_count;
    return add(file, table, source->column, "", NULL, texts);
}

static enum status add_numbers(const struct result_file *file, const struct result_variable *variable,
                               const struct source *source, struct export_table *table)
{
    const size_t rows = table->table.rows, second = variable->rank == 2 ? variable->lengths[1] : 1;
    const bool has_axis = variable->rank == 2 && strcmp(variable->dimensions[1], "state") != 0;
    double *all = NULL, *axis = NULL;
    size_t length = 0, axis_length = second;
    enum status status = result_read_all(file, source->variable, &all, &length);
    if (status == STATUS_OK && has_axis)
        status = result_read_all(file, variable->dimensions[1], &axis, &axis_length);
    if (status == STATUS_OK)
        status = check_length(file, source->variable, length, rows * second);
    if (status == STATUS_OK && has_axis)
        status = check_length(file, variable->dimensions[1], axis_length, second);
    for (size_t k = 0; status == STATUS_OK && k < second; k++) {
        char name[64];
        if (variable->rank == 2)
            name_column(source, variable->dimensions[1], k, has_axis ? axis[k] : 0, name);
        else
            snprintf(name, sizeof name, "%s", source->column);
        status = add(file, table, name, variable->units, pick(all, rows, second, k), NULL);
    }
    free(all);
    free(axis);
    return status;
}

// Of a place without a node in any member nothing is known, not even that its heights are no lower bounds.
static void clear_unknown(struct export_table *table)
{
    static const char *const names[] = {"lower_bound", "unfinished"};
    const double *shares = export_table_values(table, "not_reached");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        double *values = (double *)export_table_values(table, names[k]);
        for (size_t row = 0; values && shares && row < table->table.rows; row++)
            if (isnan(shares[row]))
                values[row] = NAN;
    }
}

// ---- places

// A point lies at its position; a zone is its polygon, and no point where it has none.
static enum status find_places(const struct result_file *file, bool is_zones, struct export_table *table)
{
    struct geo_table *t = &table->table;
    const struct result_variable *x = result_find(file, "point_x");
    const bool is_plane = is_zones ? result_find(file, "zone_node_x") || result_find(file, "x")
                                   : strncmp(x->units, "degrees_e", 9) != 0;
    if (is_plane)
        return STATUS_OK;
    if (!is_zones) {
        double *longitudes = (double *)export_table_values(table, "longitude");
        for (size_t row = 0; row < t->rows; row++)
            longitudes[row] = geo_longitude(longitudes[row]);
        t->x = longitudes;
        t->y = export_table_values(table, "latitude");
        return STATUS_OK;
    }
    table->places = malloc((t->rows + 1) * sizeof *table->places);
    if (!table->places)
        return export_no_memory(file);
    for (size_t row = 0; row < t->rows; row++)
        table->places[row] = NAN;
    t->x = t->y = table->places;
    return STATUS_OK;
}

static double share_of(const struct export_table *table, const char *name, size_t row)
{
    const double *values = export_table_values(table, name);
    return values ? values[row] : 0;
}

static enum status find_levels(const struct result_file *file, bool is_zones, struct export_table *table)
{
    const double *heights_m = export_table_values(table, "coastal_height_p95");
    double *thresholds_m;
    size_t count;
    table->levels = malloc((table->table.rows + 1) * sizeof *table->levels);
    table->table.levels = table->levels;
    if (!table->levels)
        return export_no_memory(file);
    CHECK(result_read_all(file, "threshold", &thresholds_m, &count));
    double *shares = calloc(count + 2, sizeof *shares);
    for (size_t row = 0; shares && row < table->table.rows; row++) {
        const bool may_be_higher = share_of(table, "not_reached", row) > 0 ||
                                   share_of(table, "lower_bound", row) > 0 ||
                                   share_of(table, "unfinished", row) > 0;
        shares[0] = share_of(table, "not_reached", row);
        for (size_t k = 0; k <= count; k++) {
            char name[32];
            snprintf(name, sizeof name, "threat_%zu", k);
            shares[1 + k] = share_of(table, name, row);
        }
        const int level = is_zones ? export_threat_of_zone(shares, count, may_be_higher)
                                   : export_threat_of_point(heights_m ? heights_m[row] : (double)NAN,
                                                            thresholds_m, count, may_be_higher);
        table->levels[row] = level < 0 ? (double)NAN : level;
    }
    const bool has_memory = shares != NULL;
    free(shares);
    free(thresholds_m);
    return has_memory ? STATUS_OK : export_no_memory(file);
}

// ---- all of it

// Checks that the variable lies along the points or zones, and counts its columns.
static enum status count_columns(const struct result_file *file, const char *name, const char *along,
                                 size_t *columns)
{
    const struct result_variable *variable = result_find(file, name);
    const bool is_name = strstr(name, "_name") != NULL;
    if (!variable || variable->rank < 1 || variable->rank > 2 ||
        strcmp(variable->dimensions[0], along) != 0 || variable->is_text != is_name)
        return FAIL(STATUS_DATA, "%s: has no %s of %s over %s: it is no result of fathom hazard",
                    result_path(file), name, is_name ? "texts" : "numbers", along);
    const size_t entries = variable->rank == 2 && !is_name ? variable->lengths[1] : 1;
    if (entries > ENTRIES_MAX)
        return FAIL(STATUS_DATA, "%s: %s has %zu entries along %s, expected %d at most", result_path(file),
                    name, entries, variable->dimensions[1], ENTRIES_MAX);
    *columns += entries;
    return STATUS_OK;
}

enum status export_ensemble_read(const struct result_file *file, const struct tsunami_export *product,
                                 bool is_zones, struct export_table *table)
{
    const struct source *sources = is_zones ? zone_sources : point_sources;
    const size_t count =
        is_zones ? sizeof zone_sources / sizeof *zone_sources : sizeof point_sources / sizeof *point_sources;
    size_t columns = 0;
    const bool has_outlines = result_find(file, "zone_node_count") != NULL;
    *table = (struct export_table){
        .table = {.title = is_zones ? "Forecast zones" : "Forecast points", .name_column = -1}};
    if (is_zones && has_outlines && product->zones_file)
        return FAIL(STATUS_USAGE, "--zones: %s has the polygons of its zones", result_path(file));
    for (size_t k = 0; k < count; k++)
        CHECK(count_columns(file, sources[k].variable, is_zones ? "zone" : "point", &columns));
    table->table.rows = result_find(file, sources[0].variable)->lengths[0];
    table->columns = calloc(columns, sizeof *table->columns);
    if (!table->columns)
        return export_no_memory(file);
    table->table.columns = table->columns;
    for (size_t k = 0; k < count; k++) {
        const struct result_variable *variable = result_find(file, sources[k].variable);
        CHECK(variable->is_text ? add_texts(file, &sources[k], table)
                                : add_numbers(file, variable, &sources[k], table));
    }
    clear_unknown(table);
    CHECK(find_places(file, is_zones, table));
    CHECK(find_levels(file, is_zones, table));
    return is_zones ? export_table_polygons(file, product, "zone_", table) : STATUS_OK;
}
