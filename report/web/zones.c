// Outlines of forecast zones on a page's map: see zones.h.
#include "report/web/zones.h"

#include "report/web/map.h"

#include <math.h>

static int colour_of(int level)
{
    if (level < 0)
        return WEB_MAP_LEVEL_UNKNOWN;
    return level < WEB_MAP_LEVEL_UNKNOWN ? level : WEB_MAP_LEVEL_UNKNOWN - 1;
}

static enum status add_ring(const cJSON *map, const struct zones_file *zones,
                            const struct zones_file_ring *ring, struct contour_points *lines)
{
    const double *p = zones->positions + 2 * ring->first, shift = web_map_x(map, p[0]) - p[0];
    for (size_t k = 0; k < ring->count; k++)
        CHECK(contour_append(lines, p[2 * k] + shift, p[2 * k + 1]));
    return contour_append(lines, NAN, NAN);
}

// The zones of one colour.
static enum status add_colour(cJSON *map, const struct zones_file *zones, web_zones_level *level_of,
                              const void *context, int colour)
{
    const struct web_map_line line = {
        "Zones", web_map_levels[colour], 2.2, 1, colour == WEB_MAP_LEVEL_UNKNOWN, false, 0};
    struct contour_points lines = {0};
    enum status status = STATUS_OK;
    for (size_t k = 0; k < zones->zone_count; k++) {
        const struct zones_file_zone *zone = &zones->zones[k];
        if (colour_of(level_of(context, zones, k)) != colour)
            continue;
        for (size_t r = 0; r < zone->ring_count && status == STATUS_OK; r++)
            status = add_ring(map, zones, &zones->rings[zone->first_ring + r], &lines);
    }
    if (status == STATUS_OK)
        status = web_map_lines(map, &line, &lines, NULL);
    contour_free(&lines);
    return status;
}

enum status web_zones_add(cJSON *map, const struct zones_file *zones, web_zones_level *level_of,
                          const void *context)
{
    for (int colour = 0; colour < WEB_MAP_LEVELS; colour++)
        CHECK(add_colour(map, zones, level_of, context, colour));
    return STATUS_OK;
}
