// A node's state in SI units and in double, from a level's arrays on the device: the same bits as those of
// models/tsunami/host_level_access.inc. Uses only the shape of the grid.
#ifndef FATHOM_GPU_TSUNAMI_NODE_CUH
#define FATHOM_GPU_TSUNAMI_NODE_CUH

#include "gpu/inline.cuh"
#include "gpu/tsunami/results_kernels.h"

#include <math.h>

template <typename Real> struct state_view {
    const Real *e, *u, *v, *still;
    int nx, ny, pitch;
    int first_own, end_own;
    bool floods, is_staggered, is_ring;
};

template <typename Real> state_view<Real> view_of(const struct results_state *s)
{
    return {static_cast<const Real *>(s->e),
            static_cast<const Real *>(s->u),
            static_cast<const Real *>(s->v),
            static_cast<const Real *>(s->still),
            s->nx,
            s->ny,
            s->pitch,
            s->first_own,
            s->end_own,
            s->floods != 0,
            s->is_staggered != 0,
            s->is_ring != 0};
}

template <typename Real> DEVICE size_t place_of(const state_view<Real> &state, int column, int row)
{
    return static_cast<size_t>(row) * state.pitch + column;
}

// η: (2 c0 e + e²)/g, NaN on land; with finite volumes z + h, of which one is 0; on a staggered grid it is
// the state's.
template <typename Real>
DEVICE double eta_at(const state_view<Real> &state, size_t place, double gravity_m_s2)
{
    const double e = state.e[place], still = state.still[place];
    if (state.floods)
        return e + (still > 0 ? still : 0.0);
    if (state.is_staggered)
        return still > 0 ? e : static_cast<double>(NAN);
    return still > 0 ? (2 * still + e) * e / gravity_m_s2 : static_cast<double>(NAN);
}

#endif
