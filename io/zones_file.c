// Forecast zones from GeoJSON (see the header).
#include "io/zones_file.h"

#include "core/ascending.h"
#include "core/log.h"
#include "io/geojson.h"
#include "io/json_file.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>

// Room for one more of `count` elements, doubled when it is used up.
static enum status make_room(void **array, size_t count, size_t bytes)
{
    if (count > 0 && (count & (count - 1)) != 0)
        return STATUS_OK;
    void *more = realloc(*array, (count == 0 ? 1 : 2 * count) * bytes);
    if (!more)
        return FAIL(STATUS_SYSTEM, "no memory for %zu parts of zones", count + 1);
    *array = more;
    return STATUS_OK;
}

// Counter-clockwise, and holes clockwise: RFC 7946, 3.1.6, which many programs do not keep. The area from the
// first position, so that nothing is lost where coordinates are large.
static void turn_ring(double *p, size_t count, bool is_hole)
{
    double area = 0;
    for (size_t k = 1; k + 1 < count; k++)
        area += (p[2 * k] - p[0]) * (p[2 * k + 3] - p[1]) - (p[2 * k + 2] - p[0]) * (p[2 * k + 1] - p[1]);
    if (is_hole ? area <= 0 : area >= 0)
        return;
    for (size_t a = 0, b = count - 1; a < b; a++, b--)
        for (size_t axis = 0; axis < 2; axis++) {
            const double kept = p[2 * a + axis];
            p[2 * a + axis] = p[2 * b + axis];
            p[2 * b + axis] = kept;
        }
}

static void range_of(const double *p, size_t count, double range[2])
{
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (size_t k = 0; k < count; k++) {
        range[0] = fmin(range[0], p[2 * k]);
        range[1] = fmax(range[1], p[2 * k]);
    }
}

static void shift_ring(double *p, size_t count, double shift)
{
    for (size_t k = 0; k < count; k++)
        p[2 * k] += shift;
}

// The longest side along a parallel (deg); *at: where it begins.
static double longest_side(const double *p, size_t count, size_t *at)
{
    double longest = 0;
    for (size_t k = 0; k + 1 < count; k++)
        if (fabs(p[2 * k + 2] - p[2 * k]) > longest) {
            longest = fabs(p[2 * k + 2] - p[2 * k]);
            *at = k;
        }
    return longest;
}

// The jumps of longitude from 180 to −180 taken out of a ring: its width then; and, if it is to be so, the
// ring changed.
static double unwrap(double *p, size_t count, bool is_changed)
{
    double turn = 0, before = p[0], low = p[0], high = p[0];
    for (size_t k = 1; k < count; k++) {
        const double here = p[2 * k];
        turn += here - before > 180 ? -360 : here - before < -180 ? 360 : 0;
        before = here;
        low = fmin(low, here + turn);
        high = fmax(high, here + turn);
        if (is_changed)
            p[2 * k] = here + turn;
    }
    // A ring that does not come back to its first position goes round a pole.
    return turn == 0 ? high - low : (double)INFINITY;
}

// RFC 7946 (3.1.9) wants a zone cut at the antimeridian; many programs write one ring from 177 to −178, which
// read as it stands is a belt round the Earth. A side of more than 180 degrees (but less than all of a
// parallel) is taken to go the short way.
static void cross_antimeridian(const struct geojson *g, const char *name, double *p, size_t count)
{
    size_t at = 0;
    double range[2];
    const double longest = longest_side(p, count, &at);
    if (!g->is_geographic || !(longest > 180 && longest < 360) || !(unwrap(p, count, false) < 180))
        return;
    const double from = p[2 * at], to = p[2 * at + 2];
    (void)unwrap(p, count, true);
    range_of(p, count, range);
    if (range[1] > 360 || range[0] < -360)
        shift_ring(p, count, range[1] > 360 ? -360 : 360);
    range_of(p, count, range);
    log_warning(
        "%s: zone %s has a side of %g degrees, from longitude %g to %g: it is taken to cross the "
        "antimeridian, and the zone to reach from %g to %g (RFC 7946 asks for two parts; for the zone "
        "the other way round divide the side)",
        g->about, name, longest, from, to, range[0], range[1]);
}

// A hole has the turn of longitude of the ring that it is in.
static void bring_into(const double outer[2], double *p, size_t count)
{
    double range[2];
    range_of(p, count, range);
    const double shift = range[0] > outer[1] ? -360 : range[1] < outer[0] ? 360 : 0;
    if (range[0] + shift <= outer[1] && range[1] + shift >= outer[0])
        shift_ring(p, count, shift);
}

// outer: the range of longitudes of the ring that a hole is in; set by any other ring.
static enum status read_ring(const struct geojson *g, const cJSON *list, bool is_hole, double outer[2],
                             struct zones_file *zones)
{
    struct zones_file_zone *zone = &zones->zones[zones->zone_count];
    const size_t first = zones->position_count;
    double range[2];
    CHECK(make_room((void **)&zones->rings, zones->ring_count, sizeof *zones->rings));
    for (const cJSON *item = cJSON_IsArray(list) ? list->child : NULL; item; item = item->next) {
        CHECK(make_room((void **)&zones->positions, zones->position_count, 2 * sizeof *zones->positions));
        double *p = zones->positions + 2 * zones->position_count;
        CHECK(geojson_position(g, item, &p[0], &p[1]));
        zones->position_count++;
        zone->y_range[0] = fmin(zone->y_range[0], p[1]);
        zone->y_range[1] = fmax(zone->y_range[1], p[1]);
    }
    const size_t count = zones->position_count - first;
    if (count < 4)
        return FAIL(STATUS_DATA, "%s: a ring has %zu positions, expected at least 4", g->about, count);
    double *p = zones->positions + 2 * first;
    const double *q = p + 2 * (count - 1);
    if (p[0] != q[0] || p[1] != q[1])
        return FAIL(STATUS_DATA,
                    "%s: a ring is not closed: it begins at (%.9g, %.9g) and ends at (%.9g, %.9g)", g->about,
                    p[0], p[1], q[0], q[1]);
    cross_antimeridian(g, zone->name, p, count);
    if (is_hole && g->is_geographic)
        bring_into(outer, p, count);
    range_of(p, count, range);
    zone->x_range[0] = fmin(zone->x_range[0], range[0]);
    zone->x_range[1] = fmax(zone->x_range[1], range[1]);
    if (!is_hole) {
        outer[0] = range[0];
        outer[1] = range[1];
    }
    turn_ring(p, count, is_hole);
    zones->rings[zones->ring_count++] = (struct zones_file_ring){first, count, is_hole};
    zone->ring_count++;
    return STATUS_OK;
}

static enum status read_polygon(const struct geojson *g, const cJSON *rings, struct zones_file *zones)
{
    double outer[2] = {0, 0};
    if (!cJSON_IsArray(rings) || !rings->child)
        return FAIL(STATUS_DATA, "%s: a polygon without rings", g->about);
    for (const cJSON *ring = rings->child; ring; ring = ring->next)
        CHECK(read_ring(g, ring, ring != rings->child, outer, zones));
    return STATUS_OK;
}

static enum status read_zone(const struct geojson *g, const char *name, struct zones_file *zones)
{
    static const char *const types[] = {"Polygon", "MultiPolygon", NULL};
    const cJSON *coordinates;
    size_t type;
    if (zones->zone_count == ZONES_MAX)
        return FAIL(STATUS_DATA, "%s: more than %d zones", g->path, ZONES_MAX);
    CHECK(make_room((void **)&zones->zones, zones->zone_count, sizeof *zones->zones));
    struct zones_file_zone *zone = &zones->zones[zones->zone_count];
    *zone = (struct zones_file_zone){
        .first_ring = zones->ring_count, .x_range = {INFINITY, -INFINITY}, .y_range = {INFINITY, -INFINITY}};
    CHECK(geojson_geometry(g, types, &type, &coordinates));
    CHECK(geojson_name(g, name, zone->name));
    if (type == 0) {
        CHECK(read_polygon(g, coordinates, zones));
    } else {
        for (const cJSON *polygon = coordinates->child; polygon; polygon = polygon->next)
            CHECK(read_polygon(g, polygon, zones));
    }
    if (zone->ring_count == 0)
        return FAIL(STATUS_DATA, "%s: a MultiPolygon without polygons", g->about);
    zones->zone_count++;
    return STATUS_OK;
}

static enum status read_document(const char *path, const cJSON *document, const char *name,
                                 struct zones_file *zones)
{
    struct geojson g;
    if (!geojson_is(document))
        return FAIL(STATUS_DATA, "%s: not GeoJSON: expected \"type\": \"FeatureCollection\"", path);
    CHECK(geojson_begin(&g, path, document, zones->is_geographic));
    while (geojson_next(&g))
        CHECK(read_zone(&g, name ? name : "name", zones));
    size_t same[2];
    const enum status status =
        place_check_names(path, zones->zones, zones->zone_count, sizeof *zones->zones, same);
    return status == STATUS_DATA ? status_append(status, "in features %zu and %zu", same[0] + 1, same[1] + 1)
                                 : status;
}

enum status zones_file_read(const char *path, const char *name, bool is_geographic, struct zones_file *zones)
{
    cJSON *document;
    *zones = (struct zones_file){.is_geographic = is_geographic};
    CHECK(json_file_read(path, ZONES_FILE_BYTES_MAX, &document));
    const enum status status = read_document(path, document, name, zones);
    cJSON_Delete(document);
    if (status != STATUS_OK)
        zones_file_free(zones);
    return status;
}

void zones_file_free(struct zones_file *zones)
{
    free(zones->zones);
    free(zones->rings);
    free(zones->positions);
    *zones = (struct zones_file){0};
}

// Where the side from p to p + 2 crosses a parallel: from its lower end, so that two zones, which pass a
// common side in opposite directions, have the same number.
static double crossing_of(const double *p, double y)
{
    const double *low = p[1] < p[3] ? p : p + 2, *high = p[1] < p[3] ? p + 2 : p;
    return low[0] + (y - low[1]) * (high[0] - low[0]) / (high[1] - low[1]);
}

static bool is_crossed_odd(const double *p, size_t count, double x, double y)
{
    bool is_odd = false;
    for (size_t k = 0; k + 1 < count; k++, p += 2)
        if ((p[1] > y) != (p[3] > y) && x < crossing_of(p, y))
            is_odd = !is_odd;
    return is_odd;
}

bool zones_file_contains(const struct zones_file *zones, size_t k, double x, double y)
{
    const struct zones_file_zone *zone = &zones->zones[k];
    bool is_inside = false;
    if (zones->is_geographic)
        x -= 360 * floor((x - zone->x_range[0]) / 360);
    if (x < zone->x_range[0] || y < zone->y_range[0] || y > zone->y_range[1])
        return false;
    for (; x <= zone->x_range[1]; x += 360) { // the parts of a zone may differ by a turn of longitude
        for (size_t r = 0; r < zone->ring_count; r++) {
            const struct zones_file_ring *ring = &zones->rings[zone->first_ring + r];
            is_inside ^= is_crossed_odd(zones->positions + 2 * ring->first, ring->count, x, y);
        }
        if (!zones->is_geographic)
            break;
    }
    return is_inside;
}

// A side that the row crosses at x inverts all points before it. inside[i]: whether the last of the points
// that an odd number of sides inverts so is number i.
static void cross_sides(const struct zones_file *zones, const struct zones_file_ring *ring, double y,
                        double turn, const double *x, size_t count, unsigned char *inside)
{
    const double *p = zones->positions + 2 * ring->first;
    for (size_t k = 0; k + 1 < ring->count; k++, p += 2) {
        if ((p[1] > y) == (p[3] > y))
            continue;
        const size_t below = ascending_count_below(x, count, crossing_of(p, y) + turn);
        if (below > 0)
            inside[below - 1] ^= 1;
    }
}

bool zones_file_mark_row(const struct zones_file *zones, size_t k, double y, const double *x, size_t count,
                         unsigned char *inside)
{
    const struct zones_file_zone *zone = &zones->zones[k];
    const double first = zone->x_range[0], last = zone->x_range[1];
    if (y < zone->y_range[0] || y > zone->y_range[1])
        return false;
    bool is_near = false;
    double turn = zones->is_geographic ? 360 * ceil((x[0] - last) / 360) : 0;
    for (; first + turn <= x[count - 1]; turn += 360) { // of longitude, in which the zone meets the row
        is_near = true;
        for (size_t r = 0; r < zone->ring_count; r++)
            cross_sides(zones, &zones->rings[zone->first_ring + r], y, turn, x, count, inside);
        if (!zones->is_geographic)
            break;
    }
    for (size_t i = count; i-- > 1;)
        inside[i - 1] ^= inside[i];
    return is_near;
}
