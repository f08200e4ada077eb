// Maps of the results, and as GeoTIFF: every variable of maxima.nc and travel_time.nc over the grid.
#include "models/tsunami/export/ensemble_check.h"
#include "models/tsunami/export/private.h"

#include "io/geo/geotiff.h"
#include "io/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const layer_axes[] = {"threshold", "percentile", "arrival_threshold"};

static bool is_layer_axis(const char *dimension)
{
    for (size_t k = 0; k < sizeof layer_axes / sizeof *layer_axes; k++)
        if (strcmp(dimension, layer_axes[k]) == 0)
            return true;
    return false;
}

bool export_is_map(const struct result_file *file, const struct result_variable *variable)
{
    const int rank = variable->rank;
    if (variable->is_text || rank < 2 || rank > 3 || strcmp(variable->name, "depth") == 0)
        return false;
    if (rank == 3 && !is_layer_axis(variable->dimensions[0]))
        return false;
    const struct result_variable *y = result_find(file, variable->dimensions[rank - 2]),
                                 *x = result_find(file, variable->dimensions[rank - 1]);
    return x && y && x->rank == 1 && y->rank == 1 && variable->lengths[rank - 1] > 1 &&
           variable->lengths[rank - 2] > 1;
}

static enum status check_axis(const struct export_map *map, const char *name, const double *values,
                              size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (!isfinite(values[k]) || (k > 0 && !(values[k] > values[k - 1])))
            return FAIL(STATUS_DATA, "%s: the axis %s does not ascend at index %zu", result_path(map->file),
                        name, k);
    return STATUS_OK;
}

enum status export_map_open(const struct result_file *file, const struct result_variable *variable,
                            size_t leading, struct export_map *map)
{
    const int rank = variable->rank;
    const struct result_variable *x = result_find(file, variable->dimensions[rank - 1]);
    *map = (struct export_map){.file = file, .variable = variable, .leading = leading, .layer_value = NAN};
    result_attribute(file, variable->name, "long_name", map->long_name, sizeof map->long_name);
    map->is_geographic = strncmp(x->units, "degree", 6) == 0;
    if (rank == 3) {
        const size_t start[1] = {leading}, count[1] = {1};
        map->axis = variable->dimensions[0];
        CHECK(result_read(file, variable->dimensions[0], start, count, &map->layer_value));
    }
    CHECK(result_read_all(file, variable->dimensions[rank - 1], &map->x, &map->nx));
    CHECK(result_read_all(file, variable->dimensions[rank - 2], &map->y, &map->ny));
    CHECK(check_axis(map, variable->dimensions[rank - 1], map->x, map->nx));
    CHECK(check_axis(map, variable->dimensions[rank - 2], map->y, map->ny));
    for (size_t i = map->nx; map->is_geographic && map->x[0] >= 180 && i-- > 0;)
        map->x[i] -= 360; // from the last: the first decides
    return STATUS_OK;
}

// "percentile 5, 15, 50, 85, 95".
static void list_layers(const char *axis, const double *values, size_t count, char *text, size_t bytes)
{
    const bool is_percentile = strcmp(axis, "percentile") == 0;
    snprintf(text, bytes, "%s", is_percentile ? "percentile" : "threshold");
    for (size_t k = 0; k < count; k++) {
        const size_t used = strlen(text);
        snprintf(text + used, bytes - used, "%s%g%s", k > 0 ? ", " : " ", values[k],
                 is_percentile ? "" : " m");
    }
}

// A percentile may be a bare number.
static enum status parse_layer(const char *at, const char *axis, double *value)
{
    const bool is_percentile = strcmp(axis, "percentile") == 0;
    char *end;
    *value = strtod(at, &end);
    if (is_percentile && end > at && *end == '\0' && isfinite(*value))
        return STATUS_OK;
    const enum status status = units_parse_quantity(at, is_percentile ? "percent" : "m", value);
    return status == STATUS_OK ? STATUS_OK : status_prefix(status, "--at");
}

static enum status choose_layer(const struct result_variable *variable, const char *path, bool is_ensemble,
                                const struct tsunami_export *product, const double *values, size_t count,
                                size_t *layer)
{
    char layers[400];
    list_layers(variable->dimensions[0], values, count, layers, sizeof layers);
    *layer = product->layer;
    if (!product->at && !product->has_layer && is_ensemble && count > 1)
        return FAIL(STATUS_CONFIGURATION, "%s: %s has %zu layers: choose one by --at (%s)", path,
                    variable->name, count, layers);
    if (!product->at && *layer >= count)
        return FAIL(STATUS_CONFIGURATION, "%s: %s has %zu layers, and none of index %zu (%s)", path,
                    variable->name, count, *layer, layers);
    double value;
    if (!product->at)
        return STATUS_OK;
    CHECK(parse_layer(product->at, variable->dimensions[0], &value));
    for (*layer = 0; *layer < count && !(fabs(values[*layer] - value) <= 1e-6 * fabs(value));)
        ++*layer;
    return *layer < count ? STATUS_OK
                          : FAIL(STATUS_CONFIGURATION, "%s: %s has no layer at \"%s\" (it has: %s)", path,
                                 variable->name, product->at, layers);
}

enum status export_map_layer(const struct result_file *file, const struct result_variable *variable,
                             const struct tsunami_export *product, size_t *layer)
{
    double *values = NULL;
    size_t count = 0;
    const bool is_ensemble = tsunami_result_kind_of(file) == TSUNAMI_RESULT_ENSEMBLE;
    *layer = 0;
    if (variable->rank < 3)
        return product->at || product->layer > 0
                   ? FAIL(STATUS_CONFIGURATION, "%s: %s is one map, without layers to choose from",
                          result_path(file), variable->name)
                   : STATUS_OK;
    CHECK(result_read_all(file, variable->dimensions[0], &values, &count));
    const enum status status =
        choose_layer(variable, result_path(file), is_ensemble, product, values, count, layer);
    free(values);
    return status;
}

void export_map_close(struct export_map *map)
{
    free(map->x);
    free(map->y);
    map->x = map->y = NULL;
}

void export_map_stem(const struct export_map *map, char stem[64])
{
    const char *name = strcmp(map->variable->name, "max_depth") == 0 ? "flow_depth" : map->variable->name;
    if (map->leading == 0)
        snprintf(stem, 64, "%.60s", name);
    else
        snprintf(stem, 64, "%.40s_%gm", name, map->layer_value);
}

enum status export_map_row(void *context, size_t row, double *values)
{
    const struct export_map *map = context;
    const bool is_layered = map->variable->rank == 3;
    const size_t start[3] = {is_layered ? map->leading : row, is_layered ? row : 0, 0},
                 count[3] = {1, is_layered ? 1 : map->nx, map->nx};
    CHECK(result_read(map->file, map->variable->name, start, count, values));
    return export_values_check(map->file, map->variable->name, (map->leading * map->ny + row) * map->nx,
                               values, map->nx);
}

// GeoTIFF has one spacing along each axis.
static enum status spacing_of(const struct export_map *map, const char *name, const double *values,
                              size_t count, double *spacing)
{
    *spacing = (values[count - 1] - values[0]) / (double)(count - 1);
    for (size_t k = 0; k < count; k++)
        if (fabs(values[k] - values[0] - *spacing * (double)k) > 1e-6 * *spacing)
            return FAIL(STATUS_DATA,
                        "%s: the nodes of %s are not evenly spaced, which a GeoTIFF needs: resample the map "
                        "by fathom convert --spacing",
                        result_path(map->file), name);
    return STATUS_OK;
}

enum status export_map_write(struct export_map *map, const struct tsunami_export *product)
{
    if (product->crs && product->crs_is_geographic != map->is_geographic)
        return FAIL(STATUS_CONFIGURATION, "--crs: EPSG:%d is in %s, but %s in %s", product->crs,
                    product->crs_is_geographic ? "degrees" : "metres", result_path(map->file),
                    map->is_geographic ? "degrees" : "metres");
    char description[240];
    struct geo_tiff tiff = {.path = product->output,
                            .nx = map->nx,
                            .ny = map->ny,
                            .x_first = map->x[0],
                            .y_first = map->y[0],
                            .is_geographic = map->is_geographic,
                            .crs = product->crs,
                            .description = description,
                            .units = map->variable->units,
                            .software = product->source,
                            .context = map,
                            .row = export_map_row};
    snprintf(description, sizeof description, "%s", map->long_name[0] ? map->long_name : map->variable->name);
    if (!isnan(map->layer_value))
        snprintf(description, sizeof description,
                 strcmp(map->axis, "percentile") == 0 ? "%.150s, percentile %g" : "%.150s, threshold %g m",
                 map->long_name[0] ? map->long_name : map->variable->name, map->layer_value);
    CHECK(spacing_of(map, map->is_geographic ? "longitude" : "x", map->x, map->nx, &tiff.x_step));
    CHECK(spacing_of(map, map->is_geographic ? "latitude" : "y", map->y, map->ny, &tiff.y_step));
    return geo_tiff_write(&tiff);
}
