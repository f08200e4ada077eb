// Maps of the results, and as GeoTIFF: every variable of maxima.nc and travel_time.nc over the grid.
#include "models/tsunami/export/private.h"

#include "io/geo/geotiff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool export_is_map(const struct result_file *file, const struct result_variable *variable)
{
    const int rank = variable->rank;
    if (variable->is_text || rank < 2 || rank > 3 || strcmp(variable->name, "depth") == 0)
        return false;
    if (rank == 3 && strcmp(variable->dimensions[0], "threshold") != 0)
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
    *map = (struct export_map){.file = file, .variable = variable, .leading = leading, .threshold = NAN};
    result_attribute(file, variable->name, "long_name", map->long_name, sizeof map->long_name);
    map->is_geographic = strncmp(x->units, "degree", 6) == 0;
    if (rank == 3) {
        const size_t start[1] = {leading}, count[1] = {1};
        CHECK(result_read(file, variable->dimensions[0], start, count, &map->threshold));
    }
    CHECK(result_read_all(file, variable->dimensions[rank - 1], &map->x, &map->nx));
    CHECK(result_read_all(file, variable->dimensions[rank - 2], &map->y, &map->ny));
    CHECK(check_axis(map, variable->dimensions[rank - 1], map->x, map->nx));
    CHECK(check_axis(map, variable->dimensions[rank - 2], map->y, map->ny));
    for (size_t i = map->nx; map->is_geographic && map->x[0] >= 180 && i-- > 0;)
        map->x[i] -= 360; // from the last: the first decides
    return STATUS_OK;
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
        snprintf(stem, 64, "%.40s_%gm", name, map->threshold);
}

enum status export_map_row(void *context, size_t row, double *values)
{
    const struct export_map *map = context;
    const bool is_layered = map->variable->rank == 3;
    const size_t start[3] = {is_layered ? map->leading : row, is_layered ? row : 0, 0},
                 count[3] = {1, is_layered ? 1 : map->nx, map->nx};
    return result_read(map->file, map->variable->name, start, count, values);
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
    if (!isnan(map->threshold))
        snprintf(description, sizeof description, "%.150s, threshold %g m",
                 map->long_name[0] ? map->long_name : map->variable->name, map->threshold);
    CHECK(spacing_of(map, map->is_geographic ? "longitude" : "x", map->x, map->nx, &tiff.x_step));
    CHECK(spacing_of(map, map->is_geographic ? "latitude" : "y", map->y, map->ny, &tiff.y_step));
    return geo_tiff_write(&tiff);
}
