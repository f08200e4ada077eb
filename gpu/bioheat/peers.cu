// Steps that send their outermost planes to the neighbouring ranks' devices: launches by kinds of media, and
// the wait for what the neighbours send.
#include "gpu/bioheat/peers.cuh"

namespace heat {
namespace {

// A thread for each side.
__global__ void __launch_bounds__(GPU_EXCHANGE_SIDES)
    await_kernel(const __grid_constant__ heat_shape shape, const __grid_constant__ heat_peers peers)
{
    await_planes(shape, peers, static_cast<int>(threadIdx.x), peers.number, true);
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
                                          enum element precision, int multiprocessors, cudaStream_t stream)
{
    const auto sweep = step->media.has_labels ? sweep_labels_to_peers : sweep_fields_to_peers;
    sweep(*step, *peers, precision, multiprocessors, stream);
    return cudaGetLastError();
}

extern "C" cudaError_t heat_await_peers(const heat_shape *shape, const heat_peers *peers, cudaStream_t stream)
{
    await_kernel<<<1, GPU_EXCHANGE_SIDES, 0, stream>>>(*shape, *peers);
    return cudaGetLastError();
}

extern "C" int heat_load_peers(enum element precision, int is_rkl2)
{
    const bool is_loaded = loads_peers(precision, is_rkl2 != 0);
    (void)cudaGetLastError(); // no failure, and the next launch must not find it
    return is_loaded;
}
