// The zones' part of ensemble.nc: all members' values, and their statistics.
#include "models/tsunami/hazard/private.h"

// ---- definitions

#define DRY_IS "a member in which the zone stayed dry counts as 0; missing: dry in all members"

static enum status define_all(struct hazard *h, const struct hazard_variable *variables, int *const *ids,
                              size_t count)
{
    for (size_t k = 0; k < count; k++)
        CHECK(hazard_define(h, &variables[k], ids[k]));
    return STATUS_OK;
}

static enum status define_statistics(struct hazard *h, const struct hazard_dimensions *d,
                                     struct hazard_zone_ids *ids)
{
    static const char never[] = "no arrival counts as one after any time; missing: it is that";
    const struct hazard_variable variables[] = {
        {"zone_crest_mean",
         "weighted mean of the largest elevation in the zone",
         "m",
         NULL,
         NULL,
         DRY_IS,
         NC_DOUBLE,
         1,
         {d->zone},
         true},
        {"zone_crest_percentile",
         "weighted percentiles of the largest elevation in the zone",
         "m",
         NULL,
         NULL,
         DRY_IS,
         NC_DOUBLE,
         2,
         {d->zone, d->percentile},
         true},
        {"zone_crest_exceedance",
         "probability that the threshold is exceeded by the largest elevation in the zone",
         "1",
         NULL,
         NULL,
         DRY_IS,
         NC_DOUBLE,
         2,
         {d->zone, d->threshold},
         true},
        {"zone_arrival_percentile",
         "weighted percentiles of the earliest arrival in the zone",
         "s",
         NULL,
         NULL,
         never,
         NC_DOUBLE,
         2,
         {d->zone, d->percentile},
         true},
        {"zone_arrival_earliest",
         "earliest arrival in any member",
         "s",
         NULL,
         NULL,
         NULL,
         NC_DOUBLE,
         1,
         {d->zone},
         true},
        {"zone_arrival_probability",
         "probability of an arrival within the run",
         "1",
         NULL,
         NULL,
         NULL,
         NC_DOUBLE,
         1,
         {d->zone},
         true},
        {"zone_threat_probability",
         "probability of each state: 0: not reached yet, 1 + k: k thresholds reached",
         "1",
         NULL,
         NULL,
         "a threshold is reached by the largest elevation, or by the height at the coast of a point in the "
         "zone; not reached yet: no wave can have come within the run, or in that member the zone has no "
         "water; sums to 1",
         NC_DOUBLE,
         2,
         {d->zone, d->state},
         true},
        {"zone_lower_bound",
         "weight of the members whose heights are lower bounds",
         "1",
         NULL,
         NULL,
         NULL,
         NC_DOUBLE,
         1,
         {d->zone},
         true}};
    int *const slots[] = {&ids->heights.mean, &ids->heights.percentile, &ids->heights.exceedance,
                          &ids->arrivals,     &ids->earliest,           &ids->probability,
                          &ids->states,       &ids->lower_bound};
    return define_all(h, variables, slots, sizeof slots / sizeof *slots);
}

static enum status define_values(struct hazard *h, const struct hazard_dimensions *d,
                                 struct hazard_zone_ids *ids)
{
    const struct hazard_variable variables[] = {
        {"zone_crest_of_member",
         "largest elevation in the zone in each member",
         "m",
         NULL,
         NULL,
         DRY_IS,
         NC_DOUBLE,
         2,
         {d->zone, d->member},
         true},
        {"zone_height_of_member",
         "the larger of that and the heights at the coast of the points in the zone, in each member",
         "m",
         NULL,
         NULL,
         DRY_IS,
         NC_DOUBLE,
         2,
         {d->zone, d->member},
         true},
        {"zone_arrival_of_member",
         "earliest arrival in the zone in each member",
         "s",
         NULL,
         NULL,
         "infinite: none within the run",
         NC_DOUBLE,
         2,
         {d->zone, d->member},
         true}};
    int *const slots[HAZARD_ZONE_QUANTITIES] = {
        &ids->values[HAZARD_ZONE_CREST], &ids->values[HAZARD_ZONE_HEIGHT], &ids->values[HAZARD_ZONE_ARRIVAL]};
    return define_all(h, variables, slots, HAZARD_ZONE_QUANTITIES);
}

enum status hazard_zones_define(struct hazard *h, const struct hazard_dimensions *dimensions,
                                struct hazard_zone_ids *ids)
{
    CHECK(hazard_define_names(h, "zone_name", "name of the zone", dimensions->zone, "zone_strlen",
                              PLACE_NAME_BYTES, &ids->names));
    CHECK(define_statistics(h, dimensions, ids));
    return define_values(h, dimensions, ids);
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
    for (int q = 0; q < HAZARD_ZONE_QUANTITIES; q++)
        CHECK(hazard_put(h, ids->values[q], z->values[q]));
    for (size_t k = 0; k < z->first.zone_count; k++)
        CHECK(write_zone(h, ids, k));
    return STATUS_OK;
}
