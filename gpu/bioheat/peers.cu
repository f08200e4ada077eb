// Steps that send their outermost planes to the neighbouring ranks' devices: launches by kinds of media, and
// the wait for what the neighbours send.
#include "gpu/bioheat/peers.cuh"

namespace heat {
namespace {

// A block for each side; a thread for some flags.
enum { AWAITING = 256 };
__global__ void __launch_bounds__(AWAITING) await_kernel(const __grid_constant__ heat_shape shape,
                                                         const __grid_constant__ heat_peers peers, int tiles)
{
    const int side = static_cast<int>(blockIdx.x);
    for (int k = static_cast<int>(threadIdx.x); k < tiles * HEAT_HALO; k += AWAITING) {
        const int z = (side == LOW ? shape.first_own - HEAT_HALO : shape.end_own) + k % HEAT_HALO;
        if (!peers.to[side] || z < shape.first[BIOHEAT_Z] || z >= shape.last[BIOHEAT_Z])
            continue;
        const unsigned long long waited_ns = ::peers::await(peers.own[side] + k, peers.number, peers.failure);
        if (k == 0 && waited_ns > 0)
            atomicAdd(peers.waited_ns + side, waited_ns);
    }
}

} // namespace

bool loads_peers(enum element precision, bool is_rkl2)
{
    const bool loads_steps =
        is_rkl2 ? loads_peer_stages(precision) : loads_peer_labels(precision) && loads_peer_fields(precision);
    return loads_steps && kernels::load(await_kernel) == cudaSuccess;
}

} // namespace heat

using namespace heat;

extern "C" cudaError_t heat_step_to_peers(const heat_step *step, const heat_peers *peers,
                                          enum element precision, int multiprocessors, int *tiles,
                                          cudaStream_t stream)
{
    const auto sweep = step->media.has_labels ? sweep_labels_to_peers : sweep_fields_to_peers;
    *tiles = sweep(*step, *peers, precision, multiprocessors, stream);
    return cudaGetLastError();
}

extern "C" cudaError_t heat_await_peers(const heat_shape *shape, const heat_peers *peers, int tiles,
                                        cudaStream_t stream)
{
    await_kernel<<<GPU_EXCHANGE_SIDES, AWAITING, 0, stream>>>(*shape, *peers, tiles);
    return cudaGetLastError();
}

extern "C" int heat_load_peers(enum element precision, int is_rkl2)
{
    const bool is_loaded = loads_peers(precision, is_rkl2 != 0);
    (void)cudaGetLastError(); // no failure, and the next launch must not find it
    return is_loaded;
}
