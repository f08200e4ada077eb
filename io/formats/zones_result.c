// Outlines of forecast zones in results: see zones_result.h.
#include "io/formats/zones_result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const zones_result_names[2][ZONES_RESULT_PARTS] = {
    {"node_count", "ring_node_count", "interior_ring", "node_x", "node_y"},
    {"node_count", "ring_node_count", "interior_ring", "node_longitude", "node_latitude"}};

const char *const zones_result_long_names[ZONES_RESULT_PARTS] = {
    [ZONES_RESULT_NODES] = "number of nodes of a zone's polygons",
    [ZONES_RESULT_RING_NODES] = "number of nodes of a ring, of which the last is the first again",
    [ZONES_RESULT_HOLES] = "whether a ring is a hole",
    [ZONES_RESULT_X] = "nodes of the zones' polygons",
    [ZONES_RESULT_Y] = "nodes of the zones' polygons"};

const char *zones_result_units(enum zones_result_part part, bool is_geographic)
{
    if (part != ZONES_RESULT_X && part != ZONES_RESULT_Y)
        return "1";
    if (!is_geographic)
        return "m";
    return part == ZONES_RESULT_X ? "degrees_east" : "degrees_north";
}

// ---- made

static void add_ring(const struct zones_file *zones, const struct zones_file_ring *ring,
                     struct zones_nodes *nodes)
{
    const double *p = zones->positions + 2 * ring->first;
    nodes->parts[ZONES_RESULT_RING_NODES][nodes->ring_count] = (double)ring->count;
    nodes->parts[ZONES_RESULT_HOLES][nodes->ring_count++] = ring->is_hole;
    for (size_t k = 0; k < ring->count; k++) {
        nodes->parts[ZONES_RESULT_X][nodes->node_count] = p[2 * k];
        nodes->parts[ZONES_RESULT_Y][nodes->node_count++] = p[2 * k + 1];
    }
}

enum status zones_nodes_make(const struct zones_file *zones, struct zones_nodes *nodes)
{
    const size_t counts[ZONES_RESULT_PARTS] = {zones->zone_count, zones->ring_count, zones->ring_count,
                                               zones->position_count, zones->position_count};
    *nodes = (struct zones_nodes){0};
    for (int k = 0; k < ZONES_RESULT_PARTS; k++) {
        nodes->parts[k] = calloc(counts[k] + 1, sizeof *nodes->parts[k]);
        if (!nodes->parts[k])
            return FAIL(STATUS_SYSTEM, "no memory for %zu nodes of zones", counts[k]);
    }
    for (size_t z = 0; z < zones->zone_count; z++) {
        const size_t before = nodes->node_count;
        for (size_t r = 0; r < zones->zones[z].ring_count; r++)
            add_ring(zones, &zones->rings[zones->zones[z].first_ring + r], nodes);
        nodes->parts[ZONES_RESULT_NODES][z] = (double)(nodes->node_count - before);
    }
    return STATUS_OK;
}

void zones_nodes_free(struct zones_nodes *nodes)
{
    for (int k = 0; k < ZONES_RESULT_PARTS; k++)
        free(nodes->parts[k]);
    *nodes = (struct zones_nodes){0};
}

// ---- read back

struct outlines {
    const char *path;
    double *parts[ZONES_RESULT_PARTS];
    size_t counts[ZONES_RESULT_PARTS];
};

static bool is_count(double value, double least, size_t most)
{
    return value >= least && value <= (double)most && value == floor(value);
}

static enum status contradiction(const struct outlines *o, const char *what, size_t number)
{
    return FAIL(STATUS_DATA,
                "%s: the outlines of its zones contradict themselves: %s %zu is not whole and closed",
                o->path, what, number);
}

// The next ring of all; false if its numbers contradict each other.
static bool take_ring(const struct outlines *o, struct zones_file_zone *zone, struct zones_file *zones)
{
    const size_t r = zones->ring_count, first = zones->position_count,
                 left = o->counts[ZONES_RESULT_X] - first;
    if (r == o->counts[ZONES_RESULT_RING_NODES] || !is_count(o->parts[ZONES_RESULT_RING_NODES][r], 4, left))
        return false;
    const size_t count = (size_t)o->parts[ZONES_RESULT_RING_NODES][r];
    const bool is_hole = o->parts[ZONES_RESULT_HOLES][r] != 0;
    if (is_hole && zone->ring_count == 0)
        return false;
    for (size_t k = first; k < first + count; k++) {
        double *p = zones->positions + 2 * k;
        p[0] = o->parts[ZONES_RESULT_X][k];
        p[1] = o->parts[ZONES_RESULT_Y][k];
        zone->x_range[0] = fmin(zone->x_range[0], p[0]);
        zone->x_range[1] = fmax(zone->x_range[1], p[0]);
        zone->y_range[0] = fmin(zone->y_range[0], p[1]);
        zone->y_range[1] = fmax(zone->y_range[1], p[1]);
    }
    const double *p = zones->positions + 2 * first, *q = p + 2 * (count - 1);
    if (p[0] != q[0] || p[1] != q[1])
        return false;
    zones->rings[zones->ring_count++] = (struct zones_file_ring){first, count, is_hole};
    zones->position_count += count;
    zone->ring_count++;
    return true;
}

// Rings of a zone, until its nodes are used up.
static enum status take_zone(const struct outlines *o, size_t z, struct zones_file *zones)
{
    struct zones_file_zone *zone = &zones->zones[z];
    const size_t first = zones->position_count;
    const double nodes = o->parts[ZONES_RESULT_NODES][z];
    zone->first_ring = zones->ring_count;
    zone->x_range[0] = zone->y_range[0] = INFINITY;
    zone->x_range[1] = zone->y_range[1] = -INFINITY;
    while ((double)(zones->position_count - first) < nodes)
        if (!take_ring(o, zone, zones))
            return contradiction(o, "ring", zones->ring_count + 1);
    return zone->ring_count > 0 && (double)(zones->position_count - first) == nodes
               ? STATUS_OK
               : contradiction(o, "zone", z + 1);
}

static enum status take_zones(const struct outlines *o, char *const *names, struct zones_file *zones)
{
    const size_t count = o->counts[ZONES_RESULT_NODES], rings = o->counts[ZONES_RESULT_RING_NODES],
                 nodes = o->counts[ZONES_RESULT_X];
    if (o->counts[ZONES_RESULT_HOLES] != rings || o->counts[ZONES_RESULT_Y] != nodes)
        return FAIL(STATUS_DATA,
                    "%s: the outlines of its zones have %zu rings and %zu marks of holes, %zu x and "
                    "%zu y",
                    o->path, rings, o->counts[ZONES_RESULT_HOLES], nodes, o->counts[ZONES_RESULT_Y]);
    zones->zones = calloc(count + 1, sizeof *zones->zones);
    zones->rings = calloc(rings + 1, sizeof *zones->rings);
    zones->positions = calloc(nodes + 1, 2 * sizeof *zones->positions);
    if (!zones->zones || !zones->rings || !zones->positions)
        return FAIL(STATUS_SYSTEM, "%s: no memory for the outlines of %zu zones", o->path, count);
    for (size_t z = 0; z < count; z++) {
        snprintf(zones->zones[z].name, sizeof zones->zones[z].name, "%s", names[z]);
        CHECK(take_zone(o, z, zones));
        zones->zone_count++;
    }
    return zones->ring_count == rings && zones->position_count == nodes ? STATUS_OK
                                                                        : contradiction(o, "zone", count);
}

static const char *prefixed(const char *prefix, const char *name, char text[ZONES_RESULT_NAME_BYTES])
{
    snprintf(text, ZONES_RESULT_NAME_BYTES, "%s%s", prefix, name);
    return text;
}

static enum status check_nodes(const struct outlines *o, const char *name, enum zones_result_part part,
                               bool is_geographic)
{
    // Two turns of longitude; once round the Earth in metres.
    const double most = !is_geographic ? 4e7 : part == ZONES_RESULT_X ? 720 : 90;
    for (size_t k = 0; k < o->counts[part]; k++)
        if (!(fabs(o->parts[part][k]) <= most))
            return FAIL(STATUS_DATA, "%s: %s[%zu] is %g, expected -%g to %g %s", o->path, name, k,
                        o->parts[part][k], most, most, zones_result_units(part, is_geographic));
    return STATUS_OK;
}

static enum status read_parts(const struct result_file *file, const char *prefix, bool is_geographic,
                              struct outlines *o)
{
    char name[ZONES_RESULT_NAME_BYTES];
    for (int k = 0; k < ZONES_RESULT_PARTS; k++) {
        prefixed(prefix, zones_result_names[is_geographic][k], name);
        CHECK(result_read_all(file, name, &o->parts[k], &o->counts[k]));
        if (k == ZONES_RESULT_X || k == ZONES_RESULT_Y)
            CHECK(check_nodes(o, name, k, is_geographic));
    }
    return STATUS_OK;
}

enum status zones_result_read(const struct result_file *file, const char *prefix, struct zones_file *zones)
{
    struct outlines o = {.path = result_path(file)};
    char name[ZONES_RESULT_NAME_BYTES];
    const bool is_geographic =
        result_find(file, prefixed(prefix, zones_result_names[1][ZONES_RESULT_X], name)) != NULL;
    char **names = NULL;
    size_t count = 0;
    *zones = (struct zones_file){.is_geographic = is_geographic};
    if (!result_find(file, prefixed(prefix, zones_result_names[is_geographic][ZONES_RESULT_X], name)))
        return STATUS_OK;
    enum status status = read_parts(file, prefix, is_geographic, &o);
    if (status == STATUS_OK)
        status = result_read_texts(file, prefixed(prefix, "name", name), &names, &count);
    if (status == STATUS_OK)
        status = count == o.counts[ZONES_RESULT_NODES]
                     ? take_zones(&o, names, zones)
                     : FAIL(STATUS_DATA, "%s: has %zu names of zones and %zu outlines", o.path, count,
                            o.counts[ZONES_RESULT_NODES]);
    result_free_texts(names, count);
    for (int k = 0; k < ZONES_RESULT_PARTS; k++)
        free(o.parts[k]);
    return status;
}
