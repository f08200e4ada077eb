// What is given at the edges of a level on the host: the values of one step, and how a nested grid takes them
// from its parent. Shared by the host's back ends; knows no scheme and no state.
#ifndef FATHOM_MODELS_TSUNAMI_EDGES_H
#define FATHOM_MODELS_TSUNAMI_EDGES_H

#include "models/tsunami/solver.h"

// Of one node at one moment. is_given false: nothing is given there and then, and the edge is open.
struct tsunami_edge_value {
    bool is_given, has_velocity;
    double eta_m, u_m_s, v_m_s;
};

// The moment of a step that a method takes its edges from at last: its middle for finite volumes, its end for
// the others.
static inline double tsunami_edge_moment(enum tsunami_method method)
{
    return tsunami_method_has_cells(method) ? 0.5 : 1;
}

// And in a sweep. A sweep of the other axis that follows moves the edge's nodes on by the step: what they are
// given before it is what holds at the step's beginning.
static inline double tsunami_edge_sweep_moment(enum tsunami_method method, bool along_x, int64_t step)
{
    const bool is_x_first = method == TSUNAMI_VTCS2 || step % 2 == 0;
    if (tsunami_method_has_cells(method))
        return tsunami_edge_moment(method);
    return along_x == is_x_first ? 0 : 1;
}

// The records about a moment and its place between them, from 0 to 1; and its place in the step.
struct tsunami_edge_time {
    size_t slot_before, slot_after;
    double place, moment;
};
struct tsunami_edge_time tsunami_edge_time(const struct tsunami_given_edge *edge, int64_t step,
                                           double moment);

// Node number `node` along the side.
struct tsunami_edge_value tsunami_edge_value(const struct tsunami_given_edge *edge,
                                             struct tsunami_edge_time time, size_t node);

// Whether a side's values are given at all; nothing but its presence is asked of a level without any.
static inline const struct tsunami_given_edge *tsunami_edge_of(const struct tsunami_setup *setup,
                                                               enum tsunami_side side)
{
    return setup->geometry->edges[side] == TSUNAMI_EDGE_GIVEN && setup->given ? &setup->given[side] : NULL;
}

// `get` of the parent's back end.
typedef void tsunami_get(const struct solver *solver, size_t row, size_t first, size_t count, double *eta_m,
                         double *u_m_s, double *v_m_s);

// gather_edges of solver.h: `setup` is the child's, `parent` that of setup->parent.
void tsunami_edges_gather(const struct tsunami_setup *setup, const struct tsunami_setup *parent,
                          tsunami_get *get, size_t slot);

#endif
