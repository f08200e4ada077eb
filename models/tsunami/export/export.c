// Products of finished results: see export.h.
#include "models/tsunami/export/ensemble_check.h"
#include "models/tsunami/export/private.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

const char *const tsunami_format_names[TSUNAMI_FORMATS] = {"csv", "geojson", "kml", "geotiff"};

enum tsunami_format tsunami_format_of(const char *path)
{
    static const struct {
        const char *suffix;
        enum tsunami_format format;
    } suffixes[] = {{".csv", TSUNAMI_CSV}, {".geojson", TSUNAMI_GEOJSON}, {".json", TSUNAMI_GEOJSON},
                    {".kml", TSUNAMI_KML}, {".tif", TSUNAMI_GEOTIFF},     {".tiff", TSUNAMI_GEOTIFF}};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    for (size_t k = 0; dot && dot > name && k < sizeof suffixes / sizeof *suffixes; k++)
        if (strcasecmp(dot, suffixes[k].suffix) == 0)
            return suffixes[k].format;
    return TSUNAMI_NO_FORMAT;
}

// ---- what a file holds

static bool has_dimension(const struct result_file *file, const char *dimension)
{
    for (size_t k = 0; k < result_variable_count(file); k++) {
        const struct result_variable *variable = result_variable_at(file, k);
        if (variable->rank >= 1 && strcmp(variable->dimensions[0], dimension) == 0)
            return true;
    }
    return false;
}

static const struct result_variable *first_map(const struct result_file *file)
{
    static const char *const known[] = {"max_eta", "arrival", "travel_time", "max_eta_exceedance",
                                        "flow_depth_exceedance"};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const struct result_variable *variable = result_find(file, known[k]);
        if (variable && export_is_map(file, variable))
            return variable;
    }
    return NULL;
}

enum tsunami_result_kind tsunami_result_kind_of(const struct result_file *file)
{
    const struct result_variable *eta = result_find(file, "eta"), *name = result_find(file, "name");
    if (result_find(file, "member_name") && result_find(file, "weight"))
        return TSUNAMI_RESULT_ENSEMBLE;
    if (has_dimension(file, "point") && name)
        return TSUNAMI_RESULT_POINTS;
    if (has_dimension(file, "zone") && name)
        return TSUNAMI_RESULT_ZONES;
    if (eta && eta->rank == 2 && name && strcmp(eta->dimensions[0], "time") == 0)
        return TSUNAMI_RESULT_GAUGES;
    return first_map(file) ? TSUNAMI_RESULT_MAPS : TSUNAMI_RESULT_OTHER;
}

bool tsunami_export_is_of(const char *path)
{
    struct result_file *file = NULL;
    const enum status status = result_open(path, &file);
    const bool is_result = status == STATUS_OK && tsunami_result_kind_of(file) != TSUNAMI_RESULT_OTHER;
    result_close(file);
    if (status != STATUS_OK)
        status_clear();
    return is_result;
}

// ---- one product

struct work {
    const struct tsunami_export *product;
    struct result_file *files[TSUNAMI_EXPORT_INPUTS_MAX];
    struct export_table tables[TSUNAMI_EXPORT_INPUTS_MAX];
    int table_count;
    struct export_lines lines;
    struct export_notes notes;
};

// What GeoJSON and KML need.
static enum status check_places(const struct result_file *file, const struct export_table *table)
{
    return table->table.x && table->table.y
               ? STATUS_OK
               : FAIL(STATUS_DATA,
                      "%s: lies on a plane in metres: GeoJSON and KML need longitudes and latitudes; tables "
                      "(CSV) do not",
                      result_path(file));
}

static enum status add_ensemble(struct work *work, const struct result_file *file)
{
    static const char *const along[2] = {"point", "zone"};
    const int before = work->table_count;
    for (int k = 0; k < 2; k++) {
        struct export_table *table = &work->tables[work->table_count];
        if (!has_dimension(file, along[k]))
            continue;
        work->table_count++;
        CHECK(export_ensemble_read(file, work->product, k == 1, table));
        CHECK(check_places(file, table));
    }
    return work->table_count > before ? STATUS_OK
                                      : FAIL(STATUS_DATA,
                                             "%s: has neither points nor zones for %s: a name that ends in "
                                             ".tif writes one of its maps",
                                             result_path(file), work->product->output);
}

static enum status add_input(struct work *work, const struct result_file *file)
{
    const enum tsunami_result_kind kind = tsunami_result_kind_of(file);
    if (kind == TSUNAMI_RESULT_ENSEMBLE)
        return add_ensemble(work, file);
    if (kind == TSUNAMI_RESULT_MAPS)
        return export_lines_read(file, &work->lines);
    if (kind != TSUNAMI_RESULT_POINTS && kind != TSUNAMI_RESULT_ZONES)
        return FAIL(STATUS_DATA, "%s: has neither points nor zones nor maps for %s%s", result_path(file),
                    work->product->output,
                    kind == TSUNAMI_RESULT_GAUGES ? ": a name that ends in .csv writes its series" : "");
    struct export_table *table = &work->tables[work->table_count++];
    CHECK(export_table_read(file, work->product, table));
    return check_places(file, table);
}

static enum status write_features(struct work *work)
{
    const struct tsunami_export *product = work->product;
    const struct geo_table *tables[TSUNAMI_EXPORT_INPUTS_MAX + 1] = {0};
    for (int k = 0; k < TSUNAMI_EXPORT_INPUTS_MAX; k++)
        if (work->files[k]) {
            CHECK(add_input(work, work->files[k]));
            export_notes_read(work->files[k], &work->notes);
        }
    for (int k = 0; k < work->table_count; k++)
        tables[k] = &work->tables[k].table;
    const struct geo_about about = {product->title, product->source, work->notes.notes, work->notes.count};
    return (product->format == TSUNAMI_GEOJSON ? geo_json_write : geo_kml_write)(
        product->output, &about, tables, work->lines.sets, work->lines.count);
}

static enum status write_table(struct work *work)
{
    const struct result_file *file = work->files[0];
    const enum tsunami_result_kind kind = tsunami_result_kind_of(file);
    if (kind == TSUNAMI_RESULT_GAUGES)
        return export_series_write(file, work->product->output);
    if (kind == TSUNAMI_RESULT_ENSEMBLE)
        return FAIL(STATUS_DATA,
                    "%s: its tables are hazard_points.csv and hazard_zones.csv, which fathom hazard wrote "
                    "beside it",
                    result_path(file));
    if (kind != TSUNAMI_RESULT_POINTS && kind != TSUNAMI_RESULT_ZONES)
        return FAIL(STATUS_DATA,
                    "%s: %s cannot be a table: a CSV is made of points.nc, zones.nc and gauges.nc, a GeoTIFF "
                    "of maps",
                    result_path(file), kind == TSUNAMI_RESULT_MAPS ? "maps" : "what it holds");
    CHECK(export_table_read(file, work->product, &work->tables[work->table_count++]));
    export_notes_read(file, &work->notes);
    const struct geo_about about = {work->product->title, work->product->source, work->notes.notes,
                                    work->notes.count};
    return geo_csv_write(work->product->output, &about, &work->tables[0].table);
}

// The maps of a file, for a message.
static const char *list_maps(const struct result_file *file, char *text, size_t bytes)
{
    text[0] = '\0';
    for (size_t k = 0; k < result_variable_count(file); k++)
        if (export_is_map(file, result_variable_at(file, k))) {
            const size_t used = strlen(text);
            snprintf(text + used, bytes - used, "%s%s", used > 0 ? ", " : "",
                     result_variable_at(file, k)->name);
        }
    return text[0] ? text : "none";
}

static enum status write_map(struct work *work)
{
    const struct tsunami_export *product = work->product;
    const struct result_file *file = work->files[0];
    const struct result_variable *variable =
        product->variable ? result_find(file, product->variable) : first_map(file);
    char names[400];
    if (!variable || !export_is_map(file, variable))
        return FAIL(STATUS_DATA, "%s: %s%s is no map (it has: %s)", result_path(file),
                    product->variable ? "variable " : "", product->variable ? product->variable : "it",
                    list_maps(file, names, sizeof names));
    struct export_map map;
    size_t layer;
    CHECK(export_map_layer(file, variable, product, &layer));
    enum status status = export_map_open(file, variable, layer, &map);
    if (status == STATUS_OK)
        status = export_map_write(&map, product);
    export_map_close(&map);
    return status;
}

static enum status open_input(const char *path, struct result_file **file)
{
    CHECK(result_open(path, file));
    return tsunami_result_kind_of(*file) == TSUNAMI_RESULT_ENSEMBLE ? export_ensemble_check(*file)
                                                                    : STATUS_OK;
}

enum status tsunami_export_write(const struct tsunami_export *product)
{
    struct work *work = calloc(1, sizeof *work);
    if (!work)
        return FAIL(STATUS_SYSTEM, "%s: not enough memory", product->output);
    work->product = product;
    enum status status = STATUS_OK;
    for (int k = 0; k < TSUNAMI_EXPORT_INPUTS_MAX && status == STATUS_OK; k++)
        if (product->inputs[k])
            status = open_input(product->inputs[k], &work->files[k]);
    if (status == STATUS_OK)
        status = product->format == TSUNAMI_CSV       ? write_table(work)
                 : product->format == TSUNAMI_GEOTIFF ? write_map(work)
                                                      : write_features(work);
    for (int k = 0; k < work->table_count; k++)
        export_table_free(&work->tables[k]);
    export_lines_free(&work->lines);
    for (int k = 0; k < TSUNAMI_EXPORT_INPUTS_MAX; k++)
        result_close(work->files[k]);
    free(work);
    return status;
}

// ---- all products of a folder

// The results, and what is made of each.
static const struct {
    const char *result;
    bool makes[TSUNAMI_FORMATS];
} table[] = {
    {"points", {[TSUNAMI_CSV] = true, [TSUNAMI_GEOJSON] = true, [TSUNAMI_KML] = true}},
    {"zones", {[TSUNAMI_CSV] = true, [TSUNAMI_GEOJSON] = true, [TSUNAMI_KML] = true}},
    {"gauges", {[TSUNAMI_CSV] = true}},
    {"maxima", {[TSUNAMI_GEOJSON] = true, [TSUNAMI_KML] = true, [TSUNAMI_GEOTIFF] = true}},
    {"travel_time", {[TSUNAMI_GEOJSON] = true, [TSUNAMI_KML] = true, [TSUNAMI_GEOTIFF] = true}},
};
static const char *const suffixes[TSUNAMI_FORMATS] = {"csv", "geojson", "kml", "tif"};

struct set {
    const struct tsunami_exports *products;
    const char *grid; // "" or its name
    struct cJSON *names;
};

// Writes one and notes its name.
static enum status write_one(const struct set *set, struct tsunami_export *product, const char *stem)
{
    char name[160], path[PATH_BYTES];
    const bool is_nested = set->grid[0] != '\0';
    snprintf(name, sizeof name, "%.60s%s%.64s.%s", set->grid, is_nested ? "." : "", stem,
             suffixes[product->format]);
    if (snprintf(path, sizeof path, "%s/%s", set->products->directory, name) >= (int)sizeof path)
        return FAIL(STATUS_CANNOT_CREATE, "%.80s...: the path is too long", path);
    product->output = path;
    if (!set->products->only_names)
        CHECK(tsunami_export_write(product));
    cJSON_AddItemToArray(set->names, cJSON_CreateString(name));
    return STATUS_OK;
}

// A GeoTIFF of each map.
static enum status write_maps(const struct set *set, struct tsunami_export *product)
{
    struct result_file *file = NULL;
    enum status status = result_open(product->inputs[0], &file);
    for (size_t k = 0; status == STATUS_OK && k < result_variable_count(file); k++) {
        const struct result_variable *variable = result_variable_at(file, k);
        const size_t layers = variable->rank == 3 ? variable->lengths[0] : 1;
        for (size_t layer = 0; status == STATUS_OK && export_is_map(file, variable) && layer < layers;
             layer++) {
            struct export_map map;
            char stem[64];
            status = export_map_open(file, variable, layer, &map);
            if (status == STATUS_OK)
                export_map_stem(&map, stem);
            export_map_close(&map);
            product->variable = variable->name;
            product->layer = layer;
            product->has_layer = true;
            if (status == STATUS_OK)
                status = write_one(set, product, stem);
        }
    }
    result_close(file);
    return status;
}

static enum status write_result(const struct set *set, size_t row)
{
    const struct tsunami_exports *p = set->products;
    char input[PATH_BYTES];
    const bool is_nested = set->grid[0] != '\0';
    snprintf(input, sizeof input, "%s/%s%s%s.nc", p->directory, set->grid, is_nested ? "." : "",
             table[row].result);
    if (access(input, F_OK) != 0)
        return STATUS_OK;
    for (int format = 0; format < TSUNAMI_FORMATS; format++) {
        struct tsunami_export product = {.inputs = {input},
                                         .format = (enum tsunami_format)format,
                                         .crs = p->crs,
                                         .title = p->title,
                                         .source = p->source};
        if (!p->wanted[format] || !table[row].makes[format])
            continue;
        CHECK(format == TSUNAMI_GEOTIFF ? write_maps(set, &product)
                                        : write_one(set, &product, table[row].result));
    }
    return STATUS_OK;
}

enum status tsunami_exports_write(const struct tsunami_exports *products, struct cJSON *names)
{
    for (size_t g = 0; g <= products->grid_count; g++) {
        const struct set set = {products, g == 0 ? "" : products->grids[g - 1], names};
        for (size_t row = 0; row < sizeof table / sizeof *table; row++)
            CHECK(write_result(&set, row));
    }
    return STATUS_OK;
}

bool tsunami_exports_may_write(const bool *wanted, const char *name)
{
    const char *dot = strrchr(name, '.');
    for (int format = 0; dot && format < TSUNAMI_FORMATS; format++)
        if (wanted[format] && strcmp(dot + 1, suffixes[format]) == 0) {
            if (format == TSUNAMI_GEOTIFF)
                return true; // named after variables
            for (size_t row = 0; row < sizeof table / sizeof *table; row++) {
                const size_t length = strlen(table[row].result), before = (size_t)(dot - name);
                if (before >= length && strncmp(dot - length, table[row].result, length) == 0 &&
                    (before == length || dot[-(ptrdiff_t)length - 1] == '.'))
                    return true;
            }
        }
    return false;
}
