// Given edges over a bottom that moves. A solver's step ends with the invariant that comes in at such an edge being what is
// given for that time, and what is given there (a parent's surface, a record) has the bottom's whole rise in it. The part of
// the rise that follows the step belongs to the water within alone: here the invariant that comes in is put back. Nodes are
// the edge only in methods without cells; with cells the edge is a face, and the nodes are all within.
#include "models/tsunami/edges.h"
#include "models/tsunami/instance.h"

#include <math.h>

// One node as it stands after the lift.
struct edge_node {
    double eta_m, velocity_m_s[2]; // east, north
};

// With p = un + 2c from within and q = un − 2c from without (the outside lying in the positive direction), q is what it was
// before the lift: c goes half of the way back to `before_m_s`, un gets the other half. A surface alone that is given is held.
static void put_back(struct edge_node *node, double *celerity_m_s, double before_m_s, enum tsunami_side side,
                     bool has_velocity)
{
    const double outward = side == TSUNAMI_EAST || side == TSUNAMI_NORTH ? 1 : -1;
    const double change = (has_velocity ? 1 : 2) * (before_m_s - *celerity_m_s);
    node->velocity_m_s[side >= TSUNAMI_SOUTH] -= outward * change;
    *celerity_m_s += 0.5 * change;
}

static bool is_on(const struct tsunami_level *t, enum tsunami_side side, size_t column, size_t row)
{
    return side == TSUNAMI_WEST    ? column == 0
           : side == TSUNAMI_EAST  ? column + 1 == t->geometry.nx
           : side == TSUNAMI_SOUTH ? row == 0
                                   : row + 1 == t->geometry.ny;
}

// Whether any of the parent's nodes that a nested grid's edge node lies among has a sea: what the parent's state says of it may
// lie on a device.
static bool is_linked(const struct tsunami_level *t, enum tsunami_side side, size_t number)
{
    const struct tsunami_level *parent = t->parent;
    const struct tsunami_geometry *g = &parent->geometry;
    const struct tsunami_link *link = t->links + number;
    for (int k = 0; k < (int)side; k++)
        if (t->geometry.edges[k] == TSUNAMI_EDGE_GIVEN)
            link += t->given[k].nodes;
    for (size_t k = 0; k < 4; k++) {
        const size_t column = (link->column + k % 2) % g->nx, row = (link->row + k / 2) % g->ny;
        if (link->weights[k] > 0 &&
            parent->depth_m[row * g->pitch + column] > fmax(0, parent->params.physics.wall_depth_m))
            return true;
    }
    return false;
}

// Of the side's nodes, whether something is given at this one at the end of the step.
static bool is_given(const struct tsunami_level *t, enum tsunami_side side, size_t column, size_t row,
                     int64_t step)
{
    const struct tsunami_given_edge *edge = &t->given[side];
    const size_t number = side < TSUNAMI_SOUTH ? row : column;
    if (t->geometry.edges[side] != TSUNAMI_EDGE_GIVEN || !is_on(t, side, column, row))
        return false;
    if (t->parent)
        return is_linked(t, side, number);
    const double moment = tsunami_edge_moment(t->params.physics.method);
    return tsunami_edge_value(edge, tsunami_edge_time(edge, step, moment), number).is_given;
}

static void hold_node(const struct tsunami_level *t, const struct tsunami_backend *backend,
                      struct tsunami_solver *solver, size_t column, size_t row, int64_t step, double uplift_m)
{
    const double gravity = t->geometry.gravity_m_s2, still_m = t->depth_m[row * t->geometry.pitch + column];
    struct edge_node node;
    if (!(still_m > fmax(0, t->params.physics.wall_depth_m)))
        return;
    backend->get(solver, row, column, 1, &node.eta_m, &node.velocity_m_s[0], &node.velocity_m_s[1]);
    const double depth_m = still_m + node.eta_m;
    if (!(fmin(depth_m, depth_m - uplift_m) >
          (tsunami_level_floods(t) ? t->params.physics.minimum_depth_m : 0)))
        return;
    const double lifted_m_s = sqrt(gravity * depth_m), before_m_s = sqrt(gravity * (depth_m - uplift_m));
    double celerity_m_s = lifted_m_s;
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        if (is_given(t, (enum tsunami_side)side, column, row, step))
            put_back(&node, &celerity_m_s, before_m_s, (enum tsunami_side)side, t->given[side].has_velocity);
    if (celerity_m_s == lifted_m_s)
        return;
    node.eta_m += (celerity_m_s + lifted_m_s) * (celerity_m_s - lifted_m_s) / gravity;
    backend->set(solver, row, column, 1, &node.eta_m, &node.velocity_m_s[0], &node.velocity_m_s[1]);
}

void tsunami_source_hold_row(const struct tsunami_level *t, const struct tsunami_backend *backend,
                             struct tsunami_solver *solver, size_t row, int64_t step, const double *uplift_m)
{
    const enum tsunami_edge *edges = t->geometry.edges;
    const size_t last = t->geometry.nx - 1;
    if (tsunami_method_has_cells(t->params.physics.method))
        return;
    const bool is_whole = (row == 0 && edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_GIVEN) ||
                          (row + 1 == t->geometry.ny && edges[TSUNAMI_NORTH] == TSUNAMI_EDGE_GIVEN);
    const bool is_at_end =
        edges[TSUNAMI_WEST] == TSUNAMI_EDGE_GIVEN || edges[TSUNAMI_EAST] == TSUNAMI_EDGE_GIVEN;
    if (!is_whole && !is_at_end)
        return;
    for (size_t i = 0; i <= last; i += is_whole ? 1 : last)
        if (uplift_m[i] != 0)
            hold_node(t, backend, solver, i, row, step, uplift_m[i]);
}
