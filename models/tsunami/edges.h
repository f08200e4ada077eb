// Boundary data of a level on the host: the values of one step, and how a nested grid takes them from its
// parent. Shared by the host's back ends. Independent of the scheme and of the state.
#ifndef FATHOM_MODELS_TSUNAMI_EDGES_H
#define FATHOM_MODELS_TSUNAMI_EDGES_H

#include "models/tsunami/solver.h"

// Of one node at one moment. is_given false: no data, and the edge is open.
struct tsunami_edge_value {
    bool is_given, has_velocity, keeps_discharge;
    double eta_m, u_m_s, v_m_s;
};

// The moment of a step (0 to 1) whose boundary data hold after it: the middle for finite volumes, the end for
// the others.
static inline double tsunami_edge_moment(enum tsunami_method method)
{
    return tsunami_method_has_cells(method) ? 0.5 : 1;
}

// The moment for a sweep. If a sweep along the other axis follows, which advances the edge's nodes by the
// step, the data before it are those of the step's beginning.
static inline double tsunami_edge_sweep_moment(enum tsunami_method method, bool along_x, int64_t step)
{
    const bool is_x_first = method == TSUNAMI_VTCS2 || step % 2 == 0;
    if (tsunami_method_has_cells(method))
        return tsunami_edge_moment(method);
    return along_x == is_x_first ? 0 : 1;
}

// The records around a moment and its place between them, 0 to 1; and the moment.
struct tsunami_edge_time {
    size_t slot_before, slot_after;
    double place, moment;
};
struct tsunami_edge_time tsunami_edge_time(const struct tsunami_given_edge *edge, int64_t step,
                                           double moment);

// Node number `node` along the side.
struct tsunami_edge_value tsunami_edge_value(const struct tsunami_given_edge *edge,
                                             struct tsunami_edge_time time, size_t node);

// A side's boundary data; NULL: not given.
static inline const struct tsunami_given_edge *tsunami_edge_of(const struct tsunami_setup *setup,
                                                               enum tsunami_side side)
{
    return setup->geometry->edges[side] == TSUNAMI_EDGE_GIVEN && setup->given ? &setup->given[side] : NULL;
}

// `get` of the parent's back end.
typedef void tsunami_get(const struct solver *solver, size_t row, size_t first, size_t count, double *eta_m,
                         double *u_m_s, double *v_m_s);

// gather_edges of solver.h: `setup` is the child's, `parent` that of setup->parent. Of a divided parent each
// rank gathers at its own rows, and all get all; by all ranks.
enum status tsunami_edges_gather(const struct tsunami_setup *setup, const struct tsunami_setup *parent,
                                 tsunami_get *get, size_t slot);

#endif
