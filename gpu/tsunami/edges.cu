// The boundary data of a nested grid, taken from its parent's state on the device (see the header).
#include "gpu/tsunami/edges.h"

#include "gpu/tsunami/node.cuh"

namespace {

struct given_edges {
    device_edge side[TSUNAMI_SIDES];
};

// Weighted over the parent's wet nodes among the four, as models/tsunami/edges.c does it; NaN if none is.
template <typename Real>
__global__ void gather_kernel(state_view<Real> state, device_parent parent, given_edges edges,
                              const device_link *links, int count, int slot)
{
    const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (k >= count)
        return;
    const device_link link = links[k];
    double weights = 0, sums[TSUNAMI_FIELDS] = {0, 0, 0};
    for (int n = 0; n < 4; n++) {
        // Beyond the last column lies the first, where the parent closes on itself.
        const int column = (link.column + n % 2) % state.nx, row = (link.row + n / 2) % state.ny;
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
    const device_edge &edge = edges.side[link.side];
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        edge.values[(static_cast<size_t>(slot) * TSUNAMI_FIELDS + f) * edge.nodes + link.node] =
            weights > 0 ? sums[f] / weights
            : f == 0    ? static_cast<double>(NAN)
                        : 0.0;
}

} // namespace

extern "C" cudaError_t tsunami_launch_gather(const device_parent *parent,
                                             const device_edge edges[TSUNAMI_SIDES], const device_link *links,
                                             int count, int slot, cudaStream_t stream)
{
    const unsigned blocks = static_cast<unsigned>((count + 63) / 64);
    given_edges given;
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        given.side[side] = edges[side];
    if (parent->state.precision == ELEMENT_F32)
        gather_kernel<<<blocks, 64, 0, stream>>>(view_of<float>(&parent->state), *parent, given, links, count,
                                                 slot);
    else
        gather_kernel<<<blocks, 64, 0, stream>>>(view_of<double>(&parent->state), *parent, given, links,
                                                 count, slot);
    return cudaGetLastError();
}
