// A level in the run's precision, for kernels. Knows no scheme.
#ifndef FATHOM_GPU_TSUNAMI_LEVEL_CUH
#define FATHOM_GPU_TSUNAMI_LEVEL_CUH

#include "gpu/inline.cuh"
#include "gpu/launch.cuh"
#include "gpu/tsunami/kernels.h"

#include <type_traits>

namespace tsunami {

// struct tsunami_level_view in this precision; passed by value.
template <typename Real> struct device_level {
    int nx, ny, first_own, end_own, beyond;
    int pitch;
    Real *state[2][3];
    const Real *__restrict__ still;
    const Real *__restrict__ columns;
    const Real *__restrict__ rows;
    Real step, friction, gravity, inverse_gravity, minimum_depth;
    int has_rotation, has_metric_source, has_metric_in_sweep;
    int limiter; // of the finite volumes
    int is_periodic_x, is_periodic_y, is_ring;
    int is_open[TSUNAMI_SIDES];
    int has_given;
    struct device_edge edges[TSUNAMI_SIDES];
};

template <typename Real> device_level<Real> level_of(const struct tsunami_level_view &view)
{
    device_level<Real> level = {};
    level.nx = view.nx;
    level.ny = view.ny;
    level.first_own = view.first_own;
    level.end_own = view.end_own;
    level.beyond = view.beyond;
    level.pitch = view.pitch;
    level.still = static_cast<const Real *>(view.still);
    level.columns = static_cast<const Real *>(view.columns);
    level.rows = static_cast<const Real *>(view.rows);
    level.step = static_cast<Real>(view.step_s);
    level.friction = static_cast<Real>(view.friction);
    level.limiter = view.limiter;
    level.gravity = static_cast<Real>(view.gravity_m_s2);
    level.inverse_gravity = Real(1) / level.gravity;
    level.minimum_depth = static_cast<Real>(view.minimum_depth_m);
    level.has_rotation = view.has_rotation;
    level.has_metric_source = view.has_metric_source;
    level.has_metric_in_sweep = view.has_metric_in_sweep;
    level.is_periodic_x = view.is_periodic_x;
    level.is_periodic_y = view.is_periodic_y;
    level.is_ring = view.is_ring;
    level.has_given = view.has_given;
    for (int copy = 0; copy < 2; copy++)
        for (int f = 0; f < TSUNAMI_FIELDS; f++)
            level.state[copy][f] = static_cast<Real *>(view.state[copy][f]);
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        level.is_open[side] = view.is_open[side];
        level.edges[side] = view.edges[side];
    }
    return level;
}

// Calls launch(level), which launches kernels, in the view's precision.
template <typename Launch> cudaError_t with_level(const struct tsunami_level_view &view, const Launch &launch)
{
    return kernels::launch(view.precision, [&](auto real) { launch(level_of<decltype(real)>(view)); });
}

// Calls launch(kind) with the kind of records as a constant.
template <typename Launch> void with_records(int kind, const Launch &launch)
{
    if (kind == RECORDS_ALL)
        launch(std::integral_constant<int, RECORDS_ALL>());
    else if (kind == RECORDS_ETA)
        launch(std::integral_constant<int, RECORDS_ETA>());
    else
        launch(std::integral_constant<int, RECORDS_NONE>());
}

// One thread per node of the own rows, in blocks of 128: rows along gridDim.x, whose limit (2^31 − 1) is
// larger than gridDim.y's (65 535).
enum { NODE_THREADS = 128 };

template <typename Real> dim3 node_blocks(const device_level<Real> &level)
{
    return dim3((unsigned)(level.end_own - level.first_own),
                (unsigned)(level.nx + NODE_THREADS - 1) / NODE_THREADS);
}

// A thread's node.
struct own_place {
    int column, row;
};

template <typename Real> DEVICE own_place own_place_of(const device_level<Real> &level)
{
    return {(int)(blockIdx.y * blockDim.x + threadIdx.x), level.first_own + (int)blockIdx.x};
}

} // namespace tsunami

#endif
