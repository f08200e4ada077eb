// The heat model's sweeping kernels (sweep.cuh) that write a rank's outermost planes to its neighbours'
// memory, too (kernels.h, struct heat_peers). The workers store them; the supplier waits for the neighbours'
// planes before it copies them, and sets the flags once the workers have left the planes.
//
// What the workers stored is seen by who has seen the flag: they arrive at a gate (release), the supplier
// passes it (acquire), and its fence has system scope.
#ifndef FATHOM_GPU_BIOHEAT_PEERS_CUH
#define FATHOM_GPU_BIOHEAT_PEERS_CUH

#include "gpu/bioheat/sweep.cuh"
#include "gpu/peer_flags.cuh"

namespace heat {

enum { LOW = GPU_EXCHANGE_LOW, HIGH = GPU_EXCHANGE_HIGH };

// Which of a neighbour's planes z is: its side, −1 if none, and its number there.
struct peer_plane {
    int side, k;
};

DEVICE peer_plane peer_plane_of(const heat_shape &shape, int z)
{
    // Planes that steps do not change are not sent.
    const bool changes = z >= shape.first[BIOHEAT_Z] && z < shape.last[BIOHEAT_Z];
    if (changes && z < shape.first_own)
        return {LOW, z - shape.first_own + HEAT_HALO};
    if (changes && z >= shape.end_own)
        return {HIGH, z - shape.end_own};
    return {-1, 0};
}

// An ending that sends, made of one that does not.
template <typename Base> struct peer_ending : Base {
    typedef typename Base::Real Real;
    enum { HAS_PEERS = true };
    heat_peers peers;

    // The flags of the block's tile.
    template <typename Tile>
    DEVICE static int flags_of(const heat_shape &shape, const sweep_block<Tile> &block)
    {
        const int row = (block.y0 - shape.first[BIOHEAT_Y]) / Tile::HEIGHT;
        return (row * static_cast<int>(gridDim.x) + static_cast<int>(blockIdx.x)) * HEAT_HALO;
    }

    // Before the supplier copies plane z. Of the first tile the waits are counted.
    template <typename Tile>
    DEVICE void await_plane(const heat_shape &shape, const sweep_block<Tile> &block, int z) const
    {
        if (z >= shape.first_own && z < shape.end_own)
            return;
        const peer_plane plane = peer_plane_of(shape, z);
        if (threadIdx.x % 32 == 0 && plane.side >= 0 && z < block.last + HEAT_HALO && peers.waits) {
            const int flags = flags_of(shape, block);
            const unsigned long long waited_ns =
                ::peers::await(peers.own[plane.side] + flags + plane.k, peers.number - 1, peers.failure);
            if (flags == 0 && waited_ns > 0)
                atomicAdd(peers.waited_ns + plane.side, waited_ns);
        }
        __syncwarp();
    }

    // To the neighbour at the side: planes [first, last) are there.
    DEVICE void tell(int side, unsigned flags, int first, int last, int zero) const
    {
        if (threadIdx.x % 32 == 0 && peers.to[side]) {
            __threadfence_system();
            for (int z = first; z < last; z++)
                ::peers::store_release(peers.theirs[side] + flags + (z - zero), peers.number);
        }
        __syncwarp();
    }

    // The workers have stored the block's planes up to z. Of the lower ones the supplier tells some planes
    // later: until then they have arrived, so that its fence takes no time.
    template <typename Tile>
    DEVICE void stored(const heat_shape &shape, const sweep_block<Tile> &block, int z) const
    {
        enum { LATER = 6 };
        const int low_end = min(shape.first_own + HEAT_HALO, block.last),
                  high_begin = max(shape.end_own - HEAT_HALO, block.first);
        if (low_end > block.first && z == min(low_end - 1 + LATER, block.last - 1))
            tell(LOW, flags_of(shape, block), block.first, low_end, shape.first_own);
        if (high_begin < block.last && z == block.last - 1)
            tell(HIGH, flags_of(shape, block), high_begin, block.last, shape.end_own - HEAT_HALO);
    }

    template <typename Tile>
    DEVICE pack<Real> store(const heat_step &step, const sweep_place<Tile> &me, int z, long long place, int r,
                            const pack<Real> &own, pack<Real> &change, const typename Base::plane &held) const
    {
        const pack<Real> result = Base::template store<Tile>(step, me, z, place, r, own, change, held);
        if (z < step.shape.first_own + HEAT_HALO && peers.to[LOW])
            store_cells(array<Real>(peers.to[LOW]) + place, result, me.count);
        if (z >= step.shape.end_own - HEAT_HALO && peers.to[HIGH])
            store_cells(array<Real>(peers.to[HIGH]) + place, result, me.count);
        return result;
    }
};

template <typename Base> peer_ending<Base> to_peers(const Base &base, const heat_peers &peers)
{
    peer_ending<Base> ending;
    static_cast<Base &>(ending) = base;
    ending.peers = peers;
    return ending;
}

// By kinds of media; the number of tiles.
int sweep_labels_to_peers(const heat_step &step, const heat_peers &peers, enum element precision,
                          int multiprocessors, cudaStream_t stream);
int sweep_fields_to_peers(const heat_step &step, const heat_peers &peers, enum element precision,
                          int multiprocessors, cudaStream_t stream);
bool loads_peer_labels(enum element precision);
bool loads_peer_fields(enum element precision);

} // namespace heat

#endif
