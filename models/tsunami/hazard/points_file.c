// The points' part of ensemble.nc: all members' values, and their statistics.
#include "models/tsunami/hazard/private.h"

#include <math.h>
#include <stdlib.h>

static const char *const names[2] = {"crest", "coastal_height"};

// ---- definitions

static enum status define_statistics(struct hazard *h, const struct hazard_dimensions *d,
                                     struct hazard_point_ids *ids, int q)
{
    static const char *const texts[2] = {"largest height", "largest height at the coast by Green's law"};
    static const char *const ends[4] = {"mean", "percentile", "exceedance", "curve"};
    static const char *const begins[4] = {"weighted mean of the ", "weighted percentiles of the ",
                                          "probability that the threshold is exceeded by the ",
                                          "probability that curve_height is exceeded by the "};
    const int seconds[4] = {0, d->percentile, d->threshold, d->curve};
    int *const slots[4] = {&ids->heights[q].mean, &ids->heights[q].percentile, &ids->heights[q].exceedance,
                           &ids->curve[q]};
    for (int k = 0; k < 4; k++) {
        char name[64], text[128];
        snprintf(name, sizeof name, "%s_%s", names[q], ends[k]);
        snprintf(text, sizeof text, "%s%s", begins[k], texts[q]);
        const struct hazard_variable v = {
            name,      text,           k < 2 ? "m" : "1",      NULL, "point_x point_y", NULL,
            NC_DOUBLE, k == 0 ? 1 : 2, {d->point, seconds[k]}, true};
        CHECK(hazard_define(h, &v, slots[k]));
    }
    return STATUS_OK;
}

static enum status define_values(struct hazard *h, const struct hazard_dimensions *d,
                                 struct hazard_point_ids *ids)
{
    static const struct {
        const char *name, *text, *units, *comment;
    } all[HAZARD_QUANTITIES] = {
        {"crest_of_member", "largest height in each member", "m", "missing: the point has no node there"},
        {"coastal_height_of_member", "largest height at the coast in each member", "m",
         "0 where no wave reached the threshold of arrival; missing: the point has no node there"},
        {"arrival_of_member", "arrival in each member", "s",
         "infinite: none within the run; missing: the point has no node there"}};
    for (int q = 0; q < HAZARD_QUANTITIES; q++) {
        const struct hazard_variable v = {
            all[q].name, all[q].text, all[q].units,          NULL, "point_x point_y", all[q].comment,
            NC_DOUBLE,   2,           {d->point, d->member}, true};
        CHECK(hazard_define(h, &v, &ids->values[q]));
    }
    return STATUS_OK;
}

static enum status define_rest(struct hazard *h, const struct hazard_dimensions *d,
                               struct hazard_point_ids *ids)
{
    const char *x = h->points.first.is_geographic ? "degrees_east" : "m",
               *y = h->points.first.is_geographic ? "degrees_north" : "m";
    const struct {
        const char *name, *text, *units, *comment;
        int *id;
    } all[] = {
        {"point_x", "position as given", x, NULL, &ids->x},
        {"point_y", "position as given", y, NULL, &ids->y},
        {"node_x", "position of the node in the first member", x, NULL, &ids->node_x},
        {"node_y", "position of the node in the first member", y, NULL, &ids->node_y},
        {"node_depth", "still depth at that node", "m", NULL, &ids->depth},
        {"weight_of_members", "weight of the members in which the point has a node", "1",
         "the point's statistics are theirs alone", &ids->weight},
        {"lower_bound", "weight of the members whose heights are lower bounds", "1", NULL, &ids->lower_bound},
        {"unfinished", "weight of the members in which higher waves may follow", "1", NULL, &ids->unfinished},
        {"arrival_earliest_at_point", "earliest arrival in any member", "s", NULL, &ids->earliest},
        {"arrival_median_at_point", "weighted median of the arrivals", "s",
         "no arrival counts as one after any time; missing: half of the weight or more has none",
         &ids->median},
        {"arrival_probability_at_point", "probability of an arrival within the run", "1", NULL,
         &ids->probability}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const struct hazard_variable v = {all[k].name, all[k].text, all[k].units, NULL, NULL, all[k].comment,
                                          NC_DOUBLE,   1,           {d->point},   true};
        CHECK(hazard_define(h, &v, all[k].id));
    }
    const struct hazard_variable states = {
        "threat_probability",
        "probability of each state: 0: not reached yet, 1 + k: k thresholds reached",
        "1",
        NULL,
        "point_x point_y",
        "a threshold is reached by a height at the coast of the same size or more; not reached yet: no wave "
        "can "
        "have come within the run, and later ones are unknown; sums to 1",
        NC_DOUBLE,
        2,
        {d->point, d->state},
        true};
    return hazard_define(h, &states, &ids->states);
}

enum status hazard_points_define(struct hazard *h, const struct hazard_dimensions *dimensions,
                                 struct hazard_point_ids *ids)
{
    CHECK(hazard_define_names(h, "point_name", "name of the point", dimensions->point, "point_strlen",
                              HAZARD_NAME_BYTES, &ids->names));
    CHECK(define_rest(h, dimensions, ids));
    for (int q = 0; q < 2; q++)
        CHECK(define_statistics(h, dimensions, ids, q));
    return define_values(h, dimensions, ids);
}

// ---- values

static const double *values_of(const struct hazard *h, enum hazard_quantity quantity, size_t point)
{
    return h->points.values[quantity] + point * h->request->member_count;
}

static enum status write_heights(struct hazard *h, const struct hazard_point_ids *ids, enum hazard_quantity q,
                                 size_t point)
{
    double row[HAZARD_CURVE];
    const size_t count = hazard_entries(h, values_of(h, q, point), h->entries);
    for (size_t k = 0; k < HAZARD_CURVE; k++)
        row[k] = weighted_share_above(h->entries, count, h->curve_m[k]);
    CHECK(hazard_put_row(h, ids->curve[q], point, HAZARD_CURVE, row));
    return hazard_put_heights(h, &ids->heights[q], point, values_of(h, q, point));
}

static enum status write_states(struct hazard *h, const struct hazard_point_ids *ids, size_t point)
{
    double shares[HAZARD_THRESHOLDS_MAX + 2];
    const double sum = hazard_states(h, values_of(h, HAZARD_COASTAL, point),
                                     h->points.reached + point * h->request->member_count, shares);
    CHECK(hazard_put_row(h, ids->weight, point, 1, &sum));
    return hazard_put_states(h, ids->states, point, shares, sum);
}

static enum status write_arrivals(struct hazard *h, const struct hazard_point_ids *ids, size_t point)
{
    const struct hazard_arrival arrival = hazard_arrival_of(h, values_of(h, HAZARD_ARRIVAL, point));
    CHECK(hazard_put_row(h, ids->earliest, point, 1, &arrival.earliest_s));
    CHECK(hazard_put_row(h, ids->median, point, 1, &arrival.median_s));
    return hazard_put_row(h, ids->probability, point, 1, &arrival.probability);
}

enum status hazard_points_write(struct hazard *h, const struct hazard_point_ids *ids)
{
    const struct hazard_points *p = &h->points;
    CHECK(hazard_put_names(h, ids->names, p->first.count, HAZARD_NAME_BYTES, p->first.names[0],
                           sizeof *p->first.names));
    const struct {
        int id;
        const double *values;
    } all[] = {{ids->x, p->first.values[POINTS_LONGITUDE]},
               {ids->y, p->first.values[POINTS_LATITUDE]},
               {ids->node_x, p->first.values[POINTS_NODE_LONGITUDE]},
               {ids->node_y, p->first.values[POINTS_NODE_LATITUDE]},
               {ids->depth, p->first.values[POINTS_DEPTH]},
               {ids->lower_bound, p->lower_bound},
               {ids->unfinished, p->unfinished}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        CHECK(hazard_put(h, all[k].id, all[k].values));
    for (int q = 0; q < HAZARD_QUANTITIES; q++)
        CHECK(hazard_put(h, ids->values[q], p->values[q]));
    for (size_t k = 0; k < p->first.count; k++) {
        CHECK(write_heights(h, ids, HAZARD_CREST, k));
        CHECK(write_heights(h, ids, HAZARD_COASTAL, k));
        CHECK(write_states(h, ids, k));
        CHECK(write_arrivals(h, ids, k));
    }
    return STATUS_OK;
}
