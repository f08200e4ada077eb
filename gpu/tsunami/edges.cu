// Computes the boundary data of a nested grid from its parent's state on the device (see the header).
#include "gpu/tsunami/edges.h"

#include "gpu/launch.cuh"
#include "gpu/tsunami/node.cuh"

namespace {

struct given_edges {
    device_edge side[TSUNAMI_SIDES];
};

// The weighted mean over the parent's wet nodes among the four, as in models/tsunami/edges.c; NaN if all are
// dry; −0.0 where another device has the row.
template <typename Real>
__global__ void gather_kernel(state_view<Real> state, device_parent parent, given_edges edges,
                              const device_link *links, int count, int slot)
{
    const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (k >= count)
        return;
    const device_link link = links[k];
    const device_edge &edge = edges.side[link.side];
    double *const values = edge.values + static_cast<size_t>(slot) * TSUNAMI_FIELDS * edge.nodes + link.node;
    double weights = 0, sums[TSUNAMI_FIELDS] = {0, 0, 0};
    if (link.row < state.first_own || link.row >= state.end_own) {
        for (int f = 0; f < TSUNAMI_FIELDS; f++)
            values[f * edge.nodes] = -0.0;
        return;
    }
    for (int n = 0; n < 4; n++) {
        // In a periodic parent the first column follows the last, and the first row, which a ring's last
        // rank holds there.
        const int column = (link.column + n % 2) % state.nx, after = link.row + n / 2;
        const int row = state.is_ring ? after : after % state.ny;
        if (!(link.weights[n] > 0))
            continue;
        const size_t place = place_of(state, column, row);
        const double eta = eta_at(state, place, parent.gravity_m_s2);
        if (isnan(eta) ||
            (state.floods && !(eta - static_cast<double>(state.still[place]) > parent.minimum_depth_m)))
            continue;
        weights += link.weights[n];
        sums[0] += link.weights[n] * eta;
        sums[1] += link.weights[n] * static_cast<double>(state.u[place]);
        sums[2] += link.weights[n] * static_cast<double>(state.v[place]);
    }
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        values[f * edge.nodes] = weights > 0 ? sums[f] / weights : f == 0 ? static_cast<double>(NAN) : 0.0;
}

// The value that is not −0 has the larger bits, as an integer (parallel/ranks.h, ranks_join).
__global__ void join_kernel(given_edges edges, const double *blocks, int values, int ranks, int slot)
{
    const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (k >= values)
        return;
    long long bits = __double_as_longlong(blocks[k]);
    for (int rank = 1; rank < ranks; rank++)
        bits = max(bits, __double_as_longlong(blocks[static_cast<size_t>(rank) * values + k]));
    int side = 0, first = 0;
    for (; k >= first + TSUNAMI_FIELDS * edges.side[side].nodes; side++)
        first += TSUNAMI_FIELDS * edges.side[side].nodes;
    const device_edge &edge = edges.side[side];
    edge.values[static_cast<size_t>(slot) * TSUNAMI_FIELDS * edge.nodes + (k - first)] =
        __longlong_as_double(bits);
}

given_edges given_of(const struct device_edge edges[TSUNAMI_SIDES])
{
    given_edges given;
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        given.side[side] = edges[side];
    return given;
}

enum { THREADS = 64 };

} // namespace

extern "C" cudaError_t tsunami_launch_gather(const device_parent *parent,
                                             const device_edge edges[TSUNAMI_SIDES], const device_link *links,
                                             int count, int slot, cudaStream_t stream)
{
    const given_edges given = given_of(edges);
    return kernels::launch(parent->state.precision, [&](auto real) {
        gather_kernel<<<kernels::blocks_for(count, THREADS), THREADS, 0, stream>>>(
            view_of<decltype(real)>(&parent->state), *parent, given, links, count, slot);
    });
}

extern "C" cudaError_t tsunami_launch_join_edges(const struct device_edge edges[TSUNAMI_SIDES],
                                                 const double *blocks, int values, int ranks, int slot,
                                                 cudaStream_t stream)
{
    join_kernel<<<kernels::blocks_for(values, THREADS), THREADS, 0, stream>>>(given_of(edges), blocks, values,
                                                                              ranks, slot);
    return cudaGetLastError();
}
