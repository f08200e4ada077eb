// The members' forecast zones (zones.nc): all values of all members are kept, so that their statistics are
// exact. What a zone's largest elevation, arrival and threat are is models/tsunami/zones.h.
#include "models/tsunami/hazard/private.h"

#include "io/formats/zones_result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- what the members have in common

// The points of each zone. A point may lie in several.
static enum status find_points(struct hazard *h)
{
    struct hazard_zones *z = &h->zones;
    const struct points_result *points = &h->points.first;
    const size_t count = z->first.zone_count;
    size_t used = 0, room = 0;
    z->point_end = calloc(count + 1, sizeof *z->point_end);
    if (!z->point_end)
        return FAIL(STATUS_SYSTEM, "no memory for %zu zones", count);
    for (size_t k = 0; k < count; k++) {
        for (size_t p = 0; p < points->count; p++) {
            if (!zones_file_contains(&z->first, k, points->values[POINTS_LONGITUDE][p],
                                     points->values[POINTS_LATITUDE][p]))
                continue;
            if (used == room) {
                room = 2 * room + 64;
                size_t *more = realloc(z->point_of, room * sizeof *more);
                if (!more)
                    return FAIL(STATUS_SYSTEM, "no memory for the points of %zu zones", count);
                z->point_of = more;
            }
            z->point_of[used++] = p;
        }
        z->point_end[k] = used;
    }
    return STATUS_OK;
}

static enum status same_zones(const char *path, const char *first, const struct zones_file *a,
                              const struct zones_file *b)
{
    if (a->zone_count != b->zone_count)
        return FAIL(STATUS_DATA, "%s: %zu zones, %s has %zu: members must have the same zones", path,
                    a->zone_count, first, b->zone_count);
    for (size_t k = 0; k < a->zone_count; k++)
        if (strcmp(a->zones[k].name, b->zones[k].name) != 0)
            return FAIL(STATUS_DATA, "%s: zone %zu is %s, in %s %s: members must have the same zones", path,
                        k + 1, a->zones[k].name, first, b->zones[k].name);
    bool is_same = a->ring_count == b->ring_count && a->position_count == b->position_count;
    for (size_t r = 0; r < a->ring_count && is_same; r++)
        is_same = a->rings[r].count == b->rings[r].count && a->rings[r].is_hole == b->rings[r].is_hole;
    for (size_t p = 0; p < 2 * a->position_count && is_same; p++)
        is_same = a->positions[p] == b->positions[p];
    return is_same ? STATUS_OK
                   : FAIL(STATUS_DATA,
                          "%s: the outlines of its zones are not those of %s: members must have "
                          "the same zones",
                          path, first);
}

static enum status take_levels(struct hazard_zones *z, const struct result_file *file, const char *first,
                               size_t member)
{
    double levels_m[POINTS_LEVELS_MAX];
    const size_t count = result_numbers(file, NULL, "threat_levels_m", levels_m, POINTS_LEVELS_MAX);
    if (member == 0) {
        z->threat_level_count = count;
        memcpy(z->threat_levels_m, levels_m, count * sizeof *levels_m);
    }
    bool is_same = count == z->threat_level_count;
    for (size_t k = 0; k < count && is_same; k++)
        is_same = levels_m[k] == z->threat_levels_m[k];
    return is_same
               ? STATUS_OK
               : FAIL(STATUS_DATA, "%s: its threat levels are not those of %s: members must have the same",
                      result_path(file), first);
}

static enum status take_zones(struct hazard *h, const struct result_file *file, size_t member)
{
    struct hazard_zones *z = &h->zones;
    struct zones_file zones;
    char first[PATH_BYTES];
    CHECK(hazard_path(&h->request->members[0], "", "zones.nc", first));
    CHECK(take_levels(z, file, first, member));
    if (member == 0)
        CHECK(zones_result_read(file, "", &z->first));
    if (z->first.zone_count == 0)
        return FAIL(STATUS_DATA, "%s: holds no outlines of zones", result_path(file));
    if (member == 0) {
        CHECK(zones_nodes_make(&z->first, &z->nodes));
        return find_points(h);
    }
    enum status status = zones_result_read(file, "", &zones);
    if (status == STATUS_OK)
        status = same_zones(result_path(file), first, &zones, &z->first);
    zones_file_free(&zones);
    return status;
}

enum status hazard_zones_take(struct hazard *h, size_t member)
{
    char path[PATH_BYTES];
    struct result_file *file;
    CHECK(hazard_path(&h->request->members[member], "", "zones.nc", path));
    CHECK(result_open(path, &file));
    const enum status status = take_zones(h, file, member);
    result_close(file);
    return status;
}

void hazard_zones_free(struct hazard_zones *zones)
{
    zones_file_free(&zones->first);
    zones_nodes_free(&zones->nodes);
    free(zones->point_end);
    free(zones->point_of);
}

// ---- values

enum status hazard_zones_plan(struct hazard *h)
{
    static const char *const names[HAZARD_ZONE_QUANTITIES] = {"crests", "heights", "arrivals"};
    struct hazard_zones *z = &h->zones;
    const size_t zones = z->first.zone_count, members = h->request->member_count;
    if (zones == 0)
        return STATUS_OK;
    for (int q = 0; q < HAZARD_ZONE_QUANTITIES; q++)
        CHECK(memory_plan_add(h->memory, MEMORY_HOST, ELEMENT_F64, zones, members, (void **)&z->values[q],
                              "%s in zones", names[q]));
    CHECK(memory_plan_add(h->memory, MEMORY_HOST, ELEMENT_F64, zones, members, (void **)&z->reached,
                          "zones reached"));
    return memory_plan_add(h->memory, MEMORY_HOST, ELEMENT_F64, 1, zones, (void **)&z->lower_bound,
                           "lower bounds in zones");
}

// The variables of zones.nc that are evaluated.
enum { NODES, POINTS, CREST, ARRIVAL, THREAT, LOWER_BOUND, VARIABLES };

// NaN stands for the values of a zone without water and points in this member, until all are known; and for
// an arrival that nothing would have noticed, for there are no points and no output.arrival.
static void take_zone(struct hazard *h, double *const read[VARIABLES], size_t zone, size_t member)
{
    struct hazard_zones *z = &h->zones;
    const size_t members = h->request->member_count, at = zone * members + member;
    const double crest_m = read[CREST][zone], arrival_s = read[ARRIVAL][zone];
    const bool is_known = read[NODES][zone] + read[POINTS][zone] > 0;
    const bool is_timed = is_known && (h->grids[0].arrival_count > 0 || read[POINTS][zone] > 0);
    double height_m = crest_m;
    for (size_t k = zone > 0 ? z->point_end[zone - 1] : 0; k < z->point_end[zone]; k++)
        height_m = fmax(height_m, h->points.values[HAZARD_COASTAL][z->point_of[k] * members + member]);
    z->values[HAZARD_ZONE_CREST][at] = isnan(crest_m) ? crest_m : fmax(0, crest_m);
    z->values[HAZARD_ZONE_HEIGHT][at] = isnan(height_m) ? (is_known ? 0 : height_m) : fmax(0, height_m);
    z->values[HAZARD_ZONE_ARRIVAL][at] = is_timed && isnan(arrival_s) ? (double)INFINITY : arrival_s;
    z->reached[at] = !isnan(read[THREAT][zone]);
    z->lower_bound[zone] += is_known && read[LOWER_BOUND][zone] == 1 ? h->weights[member] : 0;
}

static enum status read_values(struct hazard *h, const struct result_file *file, size_t member)
{
    static const char *const names[VARIABLES] = {
        [NODES] = "nodes",     [POINTS] = "points", [CREST] = "crest",
        [ARRIVAL] = "arrival", [THREAT] = "threat", [LOWER_BOUND] = "lower_bound"};
    double *read[VARIABLES] = {0};
    enum status status = STATUS_OK;
    for (int k = 0; k < VARIABLES && status == STATUS_OK; k++) {
        size_t length;
        status = result_read_all(file, names[k], &read[k], &length);
        if (status == STATUS_OK && length != h->zones.first.zone_count)
            status = FAIL(STATUS_DATA, "%s: %s has %zu values, expected one for each of %zu zones",
                          result_path(file), names[k], length, h->zones.first.zone_count);
    }
    for (size_t zone = 0; zone < h->zones.first.zone_count && status == STATUS_OK; zone++)
        take_zone(h, read, zone, member);
    for (int k = 0; k < VARIABLES; k++)
        free(read[k]);
    return status;
}

static enum status read_member(struct hazard *h, size_t member)
{
    char path[PATH_BYTES];
    struct result_file *file;
    CHECK(hazard_path(&h->request->members[member], "", "zones.nc", path));
    CHECK(result_open(path, &file));
    const enum status status = read_values(h, file, member);
    result_close(file);
    return status;
}

// A zone that stayed dry in some members only has no wave there, as a node has; one that is dry in all has no
// values.
static void count_dry(double *values, size_t members, double value_of_dry)
{
    bool has_value = false;
    for (size_t k = 0; k < members; k++)
        has_value = has_value || !isnan(values[k]);
    for (size_t k = 0; k < members && has_value; k++)
        values[k] = isnan(values[k]) ? value_of_dry : values[k];
}

enum status hazard_zones_read(struct hazard *h)
{
    const size_t zones = h->zones.first.zone_count, members = h->request->member_count;
    for (size_t m = 0; m < members && zones > 0; m++)
        CHECK_ABOUT(read_member(h, m), "member %s", h->request->members[m].name);
    for (int q = 0; q < HAZARD_ZONE_QUANTITIES; q++)
        for (size_t z = 0; z < zones; z++)
            count_dry(h->zones.values[q] + z * members, members,
                      q == HAZARD_ZONE_ARRIVAL ? (double)INFINITY : 0);
    return STATUS_OK;
}
