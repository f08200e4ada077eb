// The polygons of zones for maps, as geometries of GeoJSON (RFC 7946): from the outlines that zones.nc holds,
// or from a file of zones. Longitudes lie in −180 … 180: what reaches across the antimeridian is cut there,
// into several polygons (3.1.9).
#include "models/tsunami/export/private.h"

#include "io/zones_result.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Positions, each once.
struct ring {
    double (*points)[2]; // owned
    size_t count;
};

// The part of a ring on one side of a meridian (Sutherland & Hodgman 1974, CACM 17, 32–42). What leaves it
// and comes back runs along the meridian. to->points: room for twice as many.
static void clip(const struct ring *from, double meridian, bool is_east, struct ring *to)
{
    const double sign = is_east ? 1 : -1;
    to->count = 0;
    for (size_t k = 0; k < from->count; k++) {
        const double *here = from->points[k], *next = from->points[(k + 1) % from->count];
        const double d = sign * (here[0] - meridian), e = sign * (next[0] - meridian);
        if (d >= 0)
            memcpy(to->points[to->count++], here, sizeof *to->points);
        if ((d > 0 && e < 0) || (d < 0 && e > 0)) {
            to->points[to->count][0] = meridian;
            to->points[to->count++][1] = here[1] + (next[1] - here[1]) * d / (d - e);
        }
    }
}

static bool has_area(const struct ring *ring)
{
    for (size_t k = 1; k < ring->count; k++)
        if (ring->points[k][0] != ring->points[0][0])
            return ring->count >= 3;
    return false;
}

static void add_ring(cJSON *polygon, const struct ring *ring, double shift)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t k = 0; k <= ring->count; k++) {
        const double *at = ring->points[k % ring->count];
        cJSON_AddItemToArray(list, cJSON_CreateDoubleArray((const double[2]){at[0] - shift, at[1]}, 2));
    }
    cJSON_AddItemToArray(polygon, list);
}

// A ring within one turn of the Earth, added to the polygon if anything of it is there.
static enum status add_part(const struct zones_file *zones, const struct zones_file_ring *ring, double turn,
                            cJSON *polygon)
{
    struct ring rings[3] = {{.count = ring->count - 1}};
    enum status status = STATUS_OK;
    for (size_t k = 0; k < 3; k++) {
        rings[k].points = calloc(4 * ring->count, sizeof *rings[k].points);
        if (!rings[k].points)
            status = FAIL(STATUS_SYSTEM, "no memory for a polygon of %zu positions", ring->count);
    }
    if (status == STATUS_OK) {
        memcpy(rings[0].points, zones->positions + 2 * ring->first, rings[0].count * sizeof *rings[0].points);
        clip(&rings[0], 360 * turn - 180, true, &rings[1]);
        clip(&rings[1], 360 * turn + 180, false, &rings[2]);
        if (has_area(&rings[2]))
            add_ring(polygon, &rings[2], 360 * turn);
    }
    for (size_t k = 0; k < 3; k++)
        free(rings[k].points);
    return status;
}

// A ring and its holes, in each turn in which the zone lies. *next: the ring after them.
static enum status add_polygon(const struct zones_file *zones, const struct zones_file_zone *zone,
                               size_t first, size_t *next, cJSON *polygons)
{
    const size_t end = zone->first_ring + zone->ring_count;
    for (*next = first + 1; *next < end && zones->rings[*next].is_hole;)
        ++*next;
    for (double turn = floor((zone->x_range[0] + 180) / 360); 360 * turn - 180 < zone->x_range[1]; turn++) {
        cJSON *polygon = cJSON_CreateArray();
        enum status status = STATUS_OK;
        for (size_t r = first; r < *next && status == STATUS_OK && (r == first || polygon->child); r++)
            status = add_part(zones, &zones->rings[r], turn, polygon);
        if (status == STATUS_OK && polygon->child)
            cJSON_AddItemToArray(polygons, polygon);
        else
            cJSON_Delete(polygon);
        CHECK(status);
    }
    return STATUS_OK;
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
                            char *const *names, size_t count, cJSON **geometries)
{
    const bool has_file = product->zones_file && product->zones_file[0];
    const char *property = product->zones_name && product->zones_name[0] ? product->zones_name : "name";
    struct zones_file zones = {0};
    enum status status = has_file ? zones_file_read(product->zones_file, property, true, &zones)
                                  : zones_result_read(file, &zones);
    for (size_t k = 0; k < count && status == STATUS_OK; k++) {
        const struct zones_file_zone *zone = find_zone(&zones, names[k]);
        if (zone)
            status = make_geometry(&zones, zone, &geometries[k]);
    }
    zones_file_free(&zones);
    return status;
}
