// Waiting for tiles of neighbouring ranks, and telling them, from inside a launch (peers.c).
//
// Release and acquire with system scope (PTX ISA, memory consistency model): a block's writes to a
// neighbour's memory come before its barrier, and the counter that one of its threads then releases comes
// after them. Who has acquired the counter sees the rows and the flag.
#ifndef FATHOM_GPU_TSUNAMI_PEERS_CUH
#define FATHOM_GPU_TSUNAMI_PEERS_CUH

#include "gpu/clock.cuh"
#include "gpu/tsunami/level.cuh"

#include <cuda/atomic>

namespace tsunami {

// Waits until a neighbour's tile has made so many steps; returns how long. After the failure of a rank it
// goes on with wrong values, and the host ends the run.
DEVICE unsigned await_peer(unsigned long long &counter, unsigned long long made, const int *failure)
{
    enum { LOOKS = 256 };
    const cuda::atomic_ref<unsigned long long, cuda::thread_scope_system> steps(counter);
    if (steps.load(cuda::memory_order_acquire) >= made)
        return 0;
    const unsigned long long begin_ns = kernels::now_ns();
    for (unsigned k = 1; steps.load(cuda::memory_order_acquire) < made; k++) {
        if (k % LOOKS == 0 && *static_cast<const volatile int *>(failure) != 0)
            break;
        __nanosleep(40);
    }
    return (unsigned)(kernels::now_ns() - begin_ns);
}

DEVICE bool is_beside_peer(const struct device_peers &peers, int tile_row)
{
    return tile_row <= peers.beside[0] || tile_row >= peers.beside[1];
}

// By a block: a tile's rows of one copy of the state, to the neighbours that hold them. With the columns
// beyond periodic edges that the tile wrote.
template <typename Real>
DEVICE void send_rows(const device_level<Real> &level, const struct device_peers &peers, struct tile_bounds b,
                      int copy)
{
    for (int side = 0; side < 2; side++) {
        const struct device_peer &peer = peers.at[side];
        const int end = min(b.row_end, peer.end_row);
        for (int row = max(b.row_begin, peer.first_row); row < end; row++)
            for (int f = 0; f < TSUNAMI_FIELDS; f++) {
                const Real *const from = level.state[copy][f] + row * level.pitch;
                Real *const to = static_cast<Real *>(peer.state[copy][f]) + row * level.pitch;
                for (int k = b.column_begin + (int)threadIdx.x; k < b.column_end; k += (int)blockDim.x) {
                    to[k] = from[k];
                    const int beyond = k == 0 ? level.nx : k == level.nx - 1 ? -1 : 0;
                    if (level.is_periodic_x && beyond)
                        to[beyond] = from[beyond];
                }
            }
    }
}

// By one thread of a block, after a barrier: what a tile did.
DEVICE void tell_peers(const struct device_peers &peers, int tile_row, int tile, int copy, bool is_moving,
                       unsigned long long made)
{
    for (int side = 0; side < 2; side++) {
        const struct device_peer &peer = peers.at[side];
        if (side == 0 ? tile_row > peers.beside[0] : tile_row < peers.beside[1])
            continue;
        peer.moving[copy][tile] = is_moving;
        const cuda::atomic_ref<unsigned long long, cuda::thread_scope_system> steps(peer.made[tile]);
        steps.store(made, cuda::memory_order_release);
    }
}

} // namespace tsunami

#endif
