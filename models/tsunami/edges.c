// Given edges on the host: interpolation in time, and the parent's state at the links.
#include "models/tsunami/edges.h"

#include "parallel/ranks.h"

#include <math.h>

enum { LINK_NODES = 4 };

struct tsunami_edge_time tsunami_edge_time(const struct tsunami_given_edge *edge, int64_t step, double moment)
{
    const int64_t record = step / edge->steps_per_record, sub_step = step % edge->steps_per_record;
    const int64_t slots = (int64_t)edge->slots;
    return (struct tsunami_edge_time){.slot_before = (size_t)(record % slots),
                                      .slot_after = (size_t)((record + 1) % slots),
                                      .place = ((double)sub_step + moment) / (double)edge->steps_per_record,
                                      .moment = moment};
}

static double rise_of(const struct tsunami_given_edge *edge, double moment, size_t field, size_t node)
{
    const double before = edge->rise[field * edge->side_nodes + node];
    const double after = edge->rise[(TSUNAMI_FIELDS + field) * edge->side_nodes + node];
    return before + moment * (after - before);
}

struct tsunami_edge_value tsunami_edge_value(const struct tsunami_given_edge *edge,
                                             struct tsunami_edge_time time, size_t node)
{
    const size_t k = edge->nodes == 1 ? 0 : node;
    double values[TSUNAMI_FIELDS];
    for (size_t f = 0; f < TSUNAMI_FIELDS; f++) {
        const double before = edge->values[(time.slot_before * TSUNAMI_FIELDS + f) * edge->nodes + k];
        const double after = edge->values[(time.slot_after * TSUNAMI_FIELDS + f) * edge->nodes + k];
        values[f] = before + time.place * (after - before);
        if (edge->has_rise)
            values[f] += rise_of(edge, time.moment, f, node);
    }
    struct tsunami_edge_value value = {.is_given = !isnan(values[0]),
                                       .has_velocity = edge->has_velocity,
                                       .keeps_discharge = edge->keeps_discharge};
    if (value.is_given)
        value.eta_m = values[0];
    if (value.is_given && value.has_velocity) {
        value.u_m_s = values[1];
        value.v_m_s = values[2];
    }
    return value;
}

// Weighted over the parent's wet nodes among the four.
static void gather_link(const struct tsunami_link *link, const struct tsunami_setup *parent,
                        const struct solver *solver, tsunami_get *get, double values[TSUNAMI_FIELDS])
{
    const struct tsunami_geometry *g = parent->geometry;
    const bool floods = tsunami_method_floods(parent->physics->method);
    double weights = 0, sums[TSUNAMI_FIELDS] = {0};
    for (size_t k = 0; k < LINK_NODES; k++) {
        // On periodic edges the first column follows the last.
        const size_t column = (link->column + k % 2) % g->nx, row = (link->row + k / 2) % g->ny;
        if (!(link->weights[k] > 0))
            continue;
        double eta, u, v;
        get(solver, row, column, 1, &eta, &u, &v);
        const double depth = (*parent->depth_m)[row * g->pitch + column] + eta;
        if (isnan(eta) || (floods && !(depth > parent->physics->minimum_depth_m)))
            continue;
        weights += link->weights[k];
        sums[0] += link->weights[k] * eta;
        sums[1] += link->weights[k] * u;
        sums[2] += link->weights[k] * v;
    }
    for (size_t f = 0; f < TSUNAMI_FIELDS; f++)
        values[f] = weights > 0 ? sums[f] / weights : f == 0 ? NAN : 0;
}

// The values of all edges of one slot, joined, as many at a time as fit: an edge alone has few.
static enum status join_edges(const struct tsunami_setup *setup, struct ranks *ranks, size_t slot)
{
    enum { AT_ONCE = 4096 };
    double packed[AT_ONCE], *places[AT_ONCE];
    size_t count = 0;
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const struct tsunami_given_edge *edge = tsunami_edge_of(setup, (enum tsunami_side)side);
        const size_t values = edge ? TSUNAMI_FIELDS * edge->nodes : 0;
        for (size_t k = 0; k < values; k++) {
            places[count] = &edge->values[slot * values + k];
            packed[count++] = edge->values[slot * values + k];
            if (count < AT_ONCE)
                continue;
            CHECK(ranks_join(ranks, TRANSPORT_STEPS, packed, AT_ONCE));
            while (count > 0) {
                count--;
                *places[count] = packed[count];
            }
        }
    }
    CHECK(ranks_join(ranks, TRANSPORT_STEPS, packed, (int64_t)count));
    for (size_t k = 0; k < count; k++)
        *places[k] = packed[k];
    return STATUS_OK;
}

enum status tsunami_edges_gather(const struct tsunami_setup *setup, const struct tsunami_setup *parent,
                                 tsunami_get *get, size_t slot)
{
    const struct tsunami_link *link = setup->link_count > 0 ? *setup->links : NULL;
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const struct tsunami_given_edge *edge = tsunami_edge_of(setup, (enum tsunami_side)side);
        if (!edge)
            continue;
        for (size_t node = 0; node < edge->nodes; node++, link++) {
            double values[TSUNAMI_FIELDS];
            if (tsunami_has_row(tsunami_own(parent->geometry), link->row))
                gather_link(link, parent, setup->parent, get, values);
            else
                ranks_forget(values, TSUNAMI_FIELDS);
            for (size_t f = 0; f < TSUNAMI_FIELDS; f++)
                edge->values[(slot * TSUNAMI_FIELDS + f) * edge->nodes + node] = values[f];
        }
    }
    return parent->shares ? join_edges(setup, parent->ranks, slot) : STATUS_OK;
}
