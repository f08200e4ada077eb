// The zones' part of ensemble.nc: all members' values, and their statistics.
#include "models/tsunami/hazard/private.h"

#include <stdio.h>

// ---- definitions

static const char dry_is[] = "a member in which the zone stayed dry counts as 0; missing: dry in all members";

static const char container[] = "zone_outline"; // of CF's geometry

enum { ONE = -1 }; // a single number for each zone

static enum status define(struct hazard *h, int zone, int second, int *id, const char *name, const char *text,
                          const char *units, const char *comment)
{
    const struct hazard_variable v = {.name = name,
                                      .long_name = text,
                                      .units = units,
                                      .comment = comment,
                                      .type = NC_DOUBLE,
                                      .rank = second == ONE ? 1 : 2,
                                      .dimensions = {zone, second},
                                      .has_fill = true};
    CHECK(hazard_define(h, &v, id));
    return netcdf_write_texts(h->writer.ncid, *id, h->writer.path, NETCDF_TEXTS({"geometry", container}));
}

static enum status define_heights(struct hazard *h, const struct hazard_dimensions *d,
                                  struct hazard_height_ids *ids)
{
    CHECK(define(h, d->zone, ONE, &ids->mean, "zone_crest_mean",
                 "weighted mean of the largest elevation in the zone", "m", dry_is));
    CHECK(define(h, d->zone, d->percentile, &ids->percentile, "zone_crest_percentile",
                 "weighted percentiles of the largest elevation in the zone", "m", dry_is));
    return define(h, d->zone, d->threshold, &ids->exceedance, "zone_crest_exceedance",
                  "probability that the threshold is exceeded by the largest elevation in the zone", "1",
                  dry_is);
}

static enum status define_rest(struct hazard *h, const struct hazard_dimensions *d,
                               struct hazard_zone_ids *ids)
{
    CHECK(define(h, d->zone, d->percentile, &ids->arrivals, "zone_arrival_percentile",
                 "weighted percentiles of the earliest arrival in the zone", "s",
                 "no arrival counts as one after any time; missing: it is that"));
    CHECK(define(h, d->zone, ONE, &ids->earliest, "zone_arrival_earliest", "earliest arrival in any member",
                 "s", NULL));
    CHECK(define(h, d->zone, ONE, &ids->probability, "zone_arrival_probability",
                 "probability of an arrival within the run", "1", NULL));
    CHECK(define(h, d->zone, d->state, &ids->states, "zone_threat_probability",
                 "probability of each state: 0: not reached yet, 1 + k: k thresholds reached", "1",
                 "a threshold is reached by the largest elevation, or by the height at the coast of a point "
                 "in the zone; not reached yet: no wave can have come within the run, or in that member the "
                 "zone has no water; sums to 1"));
    return define(h, d->zone, ONE, &ids->lower_bound, "zone_lower_bound",
                  "weight of the members whose heights are lower bounds", "1", NULL);
}

static enum status define_values(struct hazard *h, const struct hazard_dimensions *d,
                                 int ids[HAZARD_ZONE_QUANTITIES])
{
    CHECK(define(h, d->zone, d->member, &ids[HAZARD_ZONE_CREST], "zone_crest_of_member",
                 "largest elevation in the zone in each member", "m", dry_is));
    CHECK(define(h, d->zone, d->member, &ids[HAZARD_ZONE_HEIGHT], "zone_height_of_member",
                 "the larger of that and the heights at the coast of the points in the zone, in each member",
                 "m", dry_is));
    return define(h, d->zone, d->member, &ids[HAZARD_ZONE_ARRIVAL], "zone_arrival_of_member",
                  "earliest arrival in the zone in each member", "s", "infinite: none within the run");
}

// The polygons, by CF-1.8, 7.5, with the names of zones.nc behind "zone_".
static enum status define_outlines(struct hazard *h, int zone, int ids[ZONES_RESULT_PARTS])
{
    const bool is_geographic = h->zones.first.is_geographic;
    const char *const path = h->writer.path;
    const int file = h->writer.ncid;
    char names[ZONES_RESULT_PARTS][ZONES_RESULT_NAME_BYTES], nodes[2 * ZONES_RESULT_NAME_BYTES];
    int ring, node, id;
    NC_CHECK_WRITE(nc_def_dim(file, "zone_ring", h->zones.nodes.ring_count, &ring), path,
                   "writing a dimension");
    NC_CHECK_WRITE(nc_def_dim(file, "zone_node", h->zones.nodes.node_count, &node), path,
                   "writing a dimension");
    for (int k = 0; k < ZONES_RESULT_PARTS; k++) {
        const bool is_place = k == ZONES_RESULT_X || k == ZONES_RESULT_Y;
        snprintf(names[k], sizeof names[k], "zone_%s", zones_result_names[is_geographic][k]);
        const struct hazard_variable v = {.name = names[k],
                                          .long_name = zones_result_long_names[k],
                                          .units = zones_result_units(k, is_geographic),
                                          .type = is_place ? NC_DOUBLE : NC_INT,
                                          .rank = 1,
                                          .dimensions = {is_place                  ? node
                                                         : k == ZONES_RESULT_NODES ? zone
                                                                                   : ring}};
        CHECK(hazard_define(h, &v, &ids[k]));
        if (is_place)
            CHECK(netcdf_write_texts(file, ids[k], path,
                                     NETCDF_TEXTS({"axis", k == ZONES_RESULT_X ? "X" : "Y"})));
    }
    snprintf(nodes, sizeof nodes, "%s %s", names[ZONES_RESULT_X], names[ZONES_RESULT_Y]);
    NC_CHECK_WRITE(nc_def_var(file, container, NC_INT, 0, NULL, &id), path, "writing a definition");
    return netcdf_write_texts(
        file, id, path,
        NETCDF_TEXTS({"geometry_type", "polygon"}, {"node_count", names[ZONES_RESULT_NODES]},
                     {"node_coordinates", nodes}, {"part_node_count", names[ZONES_RESULT_RING_NODES]},
                     {"interior_ring", names[ZONES_RESULT_HOLES]}));
}

enum status hazard_zones_define(struct hazard *h, const struct hazard_dimensions *dimensions,
                                struct hazard_zone_ids *ids)
{
    CHECK(hazard_define_names(h, "zone_name", "name of the zone", dimensions->zone, "zone_strlen",
                              PLACE_NAME_BYTES, &ids->names));
    CHECK(define_heights(h, dimensions, &ids->heights));
    CHECK(define_rest(h, dimensions, ids));
    CHECK(define_outlines(h, dimensions->zone, ids->outlines));
    return define_values(h, dimensions, ids->values);
}

// ---- values

static enum status write_zone(struct hazard *h, const struct hazard_zone_ids *ids, size_t zone)
{
    const struct hazard_zones *z = &h->zones;
    const size_t row = zone * h->request->member_count;
    double shares[HAZARD_THRESHOLDS_MAX + 2];
    CHECK(hazard_put_heights(h, &ids->heights, zone, z->values[HAZARD_ZONE_CREST] + row));
    const struct hazard_arrival arrival = hazard_arrival_of(h, z->values[HAZARD_ZONE_ARRIVAL] + row);
    CHECK(hazard_put_row(h, ids->arrivals, zone, HAZARD_PERCENTILES, arrival.percentiles_s));
    CHECK(hazard_put_row(h, ids->earliest, zone, 1, &arrival.earliest_s));
    CHECK(hazard_put_row(h, ids->probability, zone, 1, &arrival.probability));
    const double sum = hazard_states(h, z->values[HAZARD_ZONE_HEIGHT] + row, z->reached + row, shares);
    return hazard_put_states(h, ids->states, zone, shares, sum);
}

enum status hazard_zones_write(struct hazard *h, const struct hazard_zone_ids *ids)
{
    const struct hazard_zones *z = &h->zones;
    CHECK(hazard_put_names(h, ids->names, z->first.zone_count, PLACE_NAME_BYTES, z->first.zones[0].name,
                           sizeof *z->first.zones));
    CHECK(hazard_put(h, ids->lower_bound, z->lower_bound));
    for (int k = 0; k < ZONES_RESULT_PARTS; k++)
        CHECK(hazard_put(h, ids->outlines[k], z->nodes.parts[k]));
    for (int q = 0; q < HAZARD_ZONE_QUANTITIES; q++)
        CHECK(hazard_put(h, ids->values[q], z->values[q]));
    for (size_t k = 0; k < z->first.zone_count; k++)
        CHECK(write_zone(h, ids, k));
    return STATUS_OK;
}
