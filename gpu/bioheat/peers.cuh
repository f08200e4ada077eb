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

// Whether planes [first, end) have one that steps change: others are not sent.
DEVICE bool changes(const heat_shape &shape, int first, int end)
{
    return first < shape.last[BIOHEAT_Z] && end > shape.first[BIOHEAT_Z];
}

// Waits for the planes of the neighbour at the side, if it sends any.
DEVICE void await_planes(const heat_shape &shape, const heat_peers &peers, int side, unsigned number,
                         bool is_counted)
{
    const int first = side == LOW ? shape.first_own - HEAT_HALO : shape.end_own;
    if (!peers.to[side] || !changes(shape, first, first + HEAT_HALO))
        return;
    const unsigned long long waited_ns = ::peers::await(&peers.flags->number[side], number, peers.failure);
    if (is_counted && waited_ns > 0)
        atomicAdd(peers.waited_ns + side, waited_ns);
}

// An ending that sends, made of one that does not.
template <typename Base> struct peer_ending : Base {
    typedef typename Base::Real Real;
    enum { HAS_PEERS = true };
    heat_peers peers;

    // Some of the planes for a side are there: the block that has the last ones sets the neighbour's flag. A
    // fence of system scope in each block would be slow: they are made one after the other.
    DEVICE void tell(const heat_shape &shape, int side, int planes) const
    {
        const int first = side == LOW ? shape.first_own : max(shape.end_own - HEAT_HALO, shape.first_own),
                  end = side == LOW ? min(shape.first_own + HEAT_HALO, shape.end_own) : shape.end_own,
                  all = min(end, shape.last[BIOHEAT_Z]) - max(first, shape.first[BIOHEAT_Z]);
        if (threadIdx.x % 32 == 0 && peers.to[side]) {
            __threadfence();
            unsigned *const done = &peers.flags->done[side];
            const unsigned added = static_cast<unsigned>(planes),
                           expected = static_cast<unsigned>(all) * gridDim.x * gridDim.y;
            if (atomicAdd(done, added) + added == expected) {
                *done = 0; // for the next launch
                __threadfence_system();
                ::peers::store_release(peers.their_number[side], peers.number);
            }
        }
        __syncwarp();
    }

    // What the supplier of a block does besides, and after which plane's copies: a few numbers in registers,
    // and none of it between the end of a stage's use and its next copies.
    struct watch {
        int low_tell, high_wait; // NEVER: not while it copies
        int low_left, high_left; // planes to tell of when the workers have stored all
        int low;                 // planes to tell of at low_tell
    };

    // It waits for the lower neighbour here, before it copies. Of its own lower planes it tells some planes
    // later: until then they have arrived, so that its fence takes no time.
    template <typename Tile> DEVICE watch begin(const heat_shape &shape, const sweep_block<Tile> &block) const
    {
        enum { LATER = 6, NEVER = 0x7fffffff };
        const int low = min(shape.first_own + HEAT_HALO, block.last) - block.first,
                  high = block.last - max(shape.end_own - HEAT_HALO, block.first),
                  low_tell = block.first + low - 1 + LATER + Tile::STAGES;
        const bool has_low = low > 0 && peers.to[LOW], has_high = high > 0 && peers.to[HIGH],
                   is_long = low_tell < block.last + HEAT_HALO;
        if (block.first - HEAT_HALO < shape.first_own)
            await_side(shape, LOW);
        return {has_low && is_long ? low_tell : NEVER,
                block.last + HEAT_HALO > shape.end_own ? shape.end_own - 1 : NEVER,
                has_low && !is_long ? low : 0, has_high ? high : 0, low};
    }

    // Of one tile the waits are counted.
    DEVICE void await_side(const heat_shape &shape, int side) const
    {
        if (threadIdx.x % 32 == 0 && peers.waits)
            await_planes(shape, peers, side, peers.number - 1, blockIdx.x + blockIdx.y == 0);
        __syncwarp();
    }

    // After the copies of plane z have begun.
    DEVICE void go_on(const heat_shape &shape, const watch &when, int z) const
    {
        if (z == when.low_tell)
            tell(shape, LOW, when.low);
        if (z == when.high_wait)
            await_side(shape, HIGH);
    }

    // The workers have stored all of the block's planes.
    DEVICE void end(const heat_shape &shape, const watch &when) const
    {
        if (when.low_left > 0)
            tell(shape, LOW, when.low_left);
        if (when.high_left > 0)
            tell(shape, HIGH, when.high_left);
    }

    // Rarely: it must not lengthen what the workers do in each plane.
    DEVICE void send(int z, long long place, const pack<Real> &result, int count) const
    {
        if (z < peers.low_end)
            store_cells(array<Real>(peers.to[LOW]) + place, result, count);
        if (z >= peers.high_begin)
            store_cells(array<Real>(peers.to[HIGH]) + place, result, count);
    }

    template <typename Tile>
    DEVICE pack<Real> store(const heat_step &step, const sweep_place<Tile> &me, int z, long long place, int r,
                            const pack<Real> &own, pack<Real> &change, const typename Base::plane &held) const
    {
        const pack<Real> result = Base::template store<Tile>(step, me, z, place, r, own, change, held);
        if (z < peers.low_end || z >= peers.high_begin)
            send(z, place, result, me.count);
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

// By kinds of media.
void sweep_labels_to_peers(const heat_step &step, const heat_peers &peers, enum element precision,
                           int multiprocessors, cudaStream_t stream);
void sweep_fields_to_peers(const heat_step &step, const heat_peers &peers, enum element precision,
                           int multiprocessors, cudaStream_t stream);
bool loads_peer_labels(enum element precision);
bool loads_peer_fields(enum element precision);

} // namespace heat

#endif
