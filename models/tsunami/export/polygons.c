// The polygons of zones for maps, as geometries of GeoJSON (RFC 7946): from the outlines that zones.nc holds,
// or from a file of zones. Longitudes lie in −180 … 180: what reaches across the antimeridian is cut there,
// into several polygons (3.1.9); a hole that is cut with its zone becomes a notch of each part.
#include "models/tsunami/export/private.h"

#include "io/formats/zones_result.h"
#include "io/geo/clip.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

static void add_ring(cJSON *polygon, const struct geo_ring *ring, double shift)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t k = 0; k <= ring->count; k++) {
        const double *at = ring->points[k % ring->count];
        cJSON_AddItemToArray(list, cJSON_CreateDoubleArray((const double[2]){at[0] - shift, at[1]}, 2));
    }
    cJSON_AddItemToArray(polygon, list);
}

// Each ring that is counter-clockwise, with the holes in it, as a polygon of its own.
static void add_polygons(const struct geo_rings *rings, double shift, cJSON *polygons)
{
    for (size_t k = 0; k < rings->count; k++) {
        const struct geo_ring *outer = &rings->rings[k];
        if (!(geo_ring_area(outer) > 0))
            continue;
        cJSON *polygon = cJSON_CreateArray();
        add_ring(polygon, outer, shift);
        for (size_t h = 0; h < rings->count; h++)
            if (geo_ring_area(&rings->rings[h]) < 0 && geo_ring_has(outer, rings->rings[h].points[0]))
                add_ring(polygon, &rings->rings[h], shift);
        cJSON_AddItemToArray(polygons, polygon);
    }
}

// What of rings lies in one turn of longitude.
static enum status add_turn(const struct geo_rings *rings, double turn, cJSON *polygons)
{
    struct geo_rings eastern = {0}, within = {0};
    enum status status = geo_rings_clip(rings, 360 * turn - 180, true, &eastern);
    if (status == STATUS_OK)
        status = geo_rings_clip(&eastern, 360 * turn + 180, false, &within);
    if (status == STATUS_OK)
        add_polygons(&within, 360 * turn, polygons);
    geo_rings_free(&eastern);
    geo_rings_free(&within);
    return status;
}

// A ring and its holes, in each turn in which the zone lies. *next: the ring after them.
static enum status add_polygon(const struct zones_file *zones, const struct zones_file_zone *zone,
                               size_t first, size_t *next, cJSON *polygons)
{
    const size_t end = zone->first_ring + zone->ring_count;
    struct geo_rings rings = {0};
    enum status status = STATUS_OK;
    for (*next = first; *next < end && (*next == first || zones->rings[*next].is_hole); ++*next) {
        const struct zones_file_ring *ring = &zones->rings[*next];
        const double *p = zones->positions + 2 * ring->first;
        if (status == STATUS_OK) // without the last position, which is the first again
            status = geo_rings_add(&rings, (const double(*)[2])(const void *)p, ring->count - 1);
    }
    for (double turn = floor((zone->x_range[0] + 180) / 360);
         360 * turn - 180 < zone->x_range[1] && status == STATUS_OK; turn++)
        status = add_turn(&rings, turn, polygons);
    geo_rings_free(&rings);
    return status;
}

// Polygon or MultiPolygon; NULL if nothing of it has an area.
static enum status make_geometry(const struct zones_file *zones, const struct zones_file_zone *zone,
                                 cJSON **geometry)
{
    cJSON *polygons = cJSON_CreateArray();
    enum status status = STATUS_OK;
    for (size_t r = zone->first_ring; r < zone->first_ring + zone->ring_count && status == STATUS_OK;)
        status = add_polygon(zones, zone, r, &r, polygons);
    if (status != STATUS_OK || !polygons->child) {
        cJSON_Delete(polygons);
        return status;
    }
    const bool is_one = !polygons->child->next;
    *geometry = cJSON_CreateObject();
    cJSON_AddStringToObject(*geometry, "type", is_one ? "Polygon" : "MultiPolygon");
    cJSON_AddItemToObject(*geometry, "coordinates",
                          is_one ? cJSON_DetachItemFromArray(polygons, 0) : polygons);
    if (is_one)
        cJSON_Delete(polygons);
    return STATUS_OK;
}

static const struct zones_file_zone *find_zone(const struct zones_file *zones, const char *name)
{
    for (size_t k = 0; k < zones->zone_count; k++)
        if (strcmp(zones->zones[k].name, name) == 0)
            return &zones->zones[k];
    return NULL;
}

enum status export_polygons(const struct result_file *file, const struct tsunami_export *product,
                            const char *prefix, char *const *names, size_t count, cJSON **geometries)
{
    const bool has_file = product->zones_file && product->zones_file[0];
    const char *property = product->zones_name && product->zones_name[0] ? product->zones_name : "name";
    struct zones_file zones = {0};
    enum status status = has_file ? zones_file_read(product->zones_file, property, true, &zones)
                                  : zones_result_read(file, prefix, &zones);
    for (size_t k = 0; k < count && status == STATUS_OK; k++) {
        const struct zones_file_zone *zone = find_zone(&zones, names[k]);
        if (zone)
            status = make_geometry(&zones, zone, &geometries[k]);
    }
    zones_file_free(&zones);
    return status;
}
