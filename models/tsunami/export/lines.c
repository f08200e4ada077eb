// Contours of the largest elevation, and isochrones: of the first arrival over each threshold, and of the
// travel time.
#include "models/tsunami/export/private.h"

#include "core/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEIGHTS_MOST = 8, TIMES_MOST = 24 };

static enum status largest_of(struct export_map *map, double *largest)
{
    double *values = malloc(map->nx * sizeof *values);
    *largest = NAN;
    if (!values)
        return FAIL(STATUS_SYSTEM, "%s: not enough memory for a row", result_path(map->file));
    enum status status = STATUS_OK;
    for (size_t row = 0; row < map->ny && status == STATUS_OK; row++) {
        status = export_map_row(map, row, values);
        for (size_t i = 0; status == STATUS_OK && i < map->nx; i++)
            *largest = fmax(*largest, values[i]); // passes over NaN
    }
    free(values);
    return status;
}

static enum status trace(struct export_map *map, const double *levels, int count, struct geo_lines *lines)
{
    const struct geo_field field = {
        .nx = map->nx, .ny = map->ny, .x = map->x, .y = map->y, .context = map, .row = export_map_row};
    CHECK(geo_contour_trace(&field, levels, count, lines));
    for (int k = 0; k < count; k++) {
        CHECK(geo_lines_wrap(&lines[k]));
        if (lines[k].is_left_out)
            log_warning("%s: %s: the lines of %g %s are left out: they have more than %d pieces",
                        result_path(map->file), map->variable->name, levels[k], map->variable->units,
                        GEO_PIECES_MAX);
    }
    return STATUS_OK;
}

// The new set owns `lines`, whatever happens.
static enum status add_set(struct export_map *map, const char *what, bool is_time, struct export_lines *lines)
{
    double levels[GEO_LEVELS_MAX], largest;
    CHECK(largest_of(map, &largest));
    const int count = is_time ? geo_time_levels(largest, TIMES_MOST, levels)
                              : geo_height_levels(largest, HEIGHTS_MOST, levels);
    if (count == 0 || lines->count == EXPORT_SETS_MAX)
        return STATUS_OK;
    struct geo_lines *traced = calloc((size_t)count, sizeof *traced);
    if (!traced)
        return FAIL(STATUS_SYSTEM, "%s: not enough memory for its lines", result_path(map->file));
    char *title = lines->titles[lines->count];
    if (isnan(map->layer_value))
        snprintf(title, sizeof lines->titles[0], "%s", what);
    else
        snprintf(title, sizeof lines->titles[0], "%s of %g m", what, map->layer_value);
    lines->sets[lines->count++] = (struct geo_line_set){.title = title,
                                                        .name = map->variable->name,
                                                        .units = map->variable->units,
                                                        .shown_factor = is_time ? 1.0 / 60 : 1,
                                                        .shown_as = is_time ? "min" : "m",
                                                        .lines = traced,
                                                        .count = count};
    return trace(map, levels, count, traced);
}

enum status export_lines_read(const struct result_file *file, struct export_lines *lines)
{
    static const struct {
        const char *name, *title;
        bool is_time;
    } kinds[] = {{"max_eta", "Largest elevation", false},
                 {"arrival", "First arrival", true},
                 {"travel_time", "Travel time", true}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const struct result_variable *variable = result_find(file, kinds[k].name);
        if (!variable || !export_is_map(file, variable))
            continue;
        for (size_t layer = 0; layer < (variable->rank == 3 ? variable->lengths[0] : 1); layer++) {
            struct export_map map;
            enum status status = export_map_open(file, variable, layer, &map);
            if (status == STATUS_OK && !map.is_geographic)
                status = FAIL(STATUS_DATA,
                              "%s: lies on a plane in metres: GeoJSON and KML need longitudes and latitudes; "
                              "GeoTIFF and CSV do not",
                              result_path(file));
            if (status == STATUS_OK)
                status = add_set(&map, kinds[k].title, kinds[k].is_time, lines);
            export_map_close(&map);
            CHECK(status);
        }
    }
    return STATUS_OK;
}

void export_lines_free(struct export_lines *lines)
{
    for (int s = 0; s < lines->count; s++) {
        struct geo_lines *traced = (struct geo_lines *)lines->sets[s].lines;
        for (int k = 0; k < lines->sets[s].count; k++)
            geo_lines_free(&traced[k]);
        free(traced);
    }
    lines->count = 0;
}
