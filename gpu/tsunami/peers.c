// A CUDA solver's part of a grid that is divided among devices which address each other's memory: a launch
// makes many steps on all of them at once. A tile beside the border writes its rows also to the neighbour,
// and then what it did, as flag and counter; tiles wait for copies of neighbours' counters as for any other
// (schedule.cuh). After a launch the device waits until the neighbours have made the same steps: then it has
// their rows and flags, and nothing of theirs is written but what the next step reads.
//
// The rows and flags of a state are written while the other copy is read, on both sides of a border: a tile
// begins a step when those around it, of both ranks, have ended the one before, and no longer read what it
// overwrites. Tiles and steps have the same numbers on all ranks; launches need not.
//
// Not for steps that something else completes (eddies, dispersion), nor for rings, nor where ranks share a
// device, as tests may: their launches would have to take turns at each step. These exchange rows after every
// step (ranks.c).
#include "gpu/tsunami/peers.h"
#include "gpu/memory.h"
#include "gpu/shared_device.h"
#include "gpu/tsunami/solver.h"

#include "parallel/ranks.h"

#include <limits.h>

enum { LOW = GPU_EXCHANGE_LOW, HIGH = GPU_EXCHANGE_HIGH, SIDES = GPU_EXCHANGE_SIDES };
enum { WAITED_IN_BLOCKS, WAITED_AFTER, WAITS };
enum { ADDRESS_MOVING = 2 * TSUNAMI_FIELDS, ADDRESS_MADE, ADDRESSES };
_Static_assert((int)ADDRESSES <= (int)GPU_EXCHANGE_ADDRESSES_MAX, "addresses of an exchange");

bool solver_can_use_peers(const struct solver *s)
{
    return s->host.is_divided && !s->is_plain && !solver_is_staggered(s) &&
           !tsunami_physics_completes_steps(s->host.setup.physics) &&
           s->host.setup.geometry->edges[TSUNAMI_SOUTH] != TSUNAMI_EDGE_PERIODIC;
}

enum status solver_plan_peers(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const size_t tiles = solver_can_use_peers(s) ? solver_tiles(s) : 0;
    const struct gpu_array arrays[] = {
        {&s->peers.made, MEMORY_HOST, ELEMENT_I64, 1, tiles, "steps of neighbours' tiles"},
        {&s->peers.device_made, MEMORY_DEVICE, ELEMENT_I64, 1, tiles, "device steps of neighbours' tiles"},
        {&s->peers.device_moving, MEMORY_DEVICE, ELEMENT_U8, tiles ? 2 : 0, tiles,
         "device flags of neighbours' tiles"},
        {&s->peers.device_waited_ns, MEMORY_DEVICE, ELEMENT_I64, tiles ? 1 : 0, WAITS, "device waits"},
    };
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
}

enum status solver_open_peers(struct solver *s)
{
    void *own[ADDRESSES];
    int a, b;
    if (!solver_can_use_peers(s) || !s->exchange.is_peer || s->peers.is_open)
        return STATUS_OK;
    CHECK(gpu_find_shared_device(s->host.setup.ranks, &a, &b));
    if (a >= 0)
        return STATUS_OK;
    for (int k = 0; k < 2 * TSUNAMI_FIELDS; k++)
        own[k] = s->state[k / TSUNAMI_FIELDS][k % TSUNAMI_FIELDS];
    own[ADDRESS_MOVING] = s->peers.device_moving;
    own[ADDRESS_MADE] = s->peers.device_made;
    CHECK(gpu_exchange_swap_addresses(&s->exchange, own, ADDRESSES, s->peers.theirs));
    s->peers.is_open = true;
    // Loads its kernel. All counters are 0.
    CUDA_CHECK(tsunami_launch_settle(&(struct tsunami_settled){.made = s->peers.device_made,
                                                               .failure = s->exchange.failure,
                                                               .waited_ns = s->peers.device_waited_ns},
                                     s->timeline->compute),
               "to wait for its neighbours");
    return STATUS_OK;
}

// The rows of parts of tiles that this rank tells its neighbours, and that tell it: of the tiles at the
// border, and of those beside one that is of both ranks.
struct beside {
    int last_own[SIDES], first_theirs[SIDES], end_theirs[SIDES];
};

static struct beside beside_of(const struct solver *s)
{
    const struct ranks *ranks = s->host.setup.ranks;
    const int first = (int)s->host.own.first, end = (int)s->host.own.end, rows = s->shape.rows,
              parts = s->tile_parts;
    const int lowest = first / rows, highest = (end - 1) / rows;
    const int shares_lowest = first % rows != 0, shares_highest = end % rows != 0;
    struct beside b = {.last_own = {-1, INT_MAX}};
    if (ranks->rank > 0) {
        b.last_own[LOW] = (lowest + shares_lowest + 1) * parts - 1;
        b.first_theirs[LOW] = (lowest - 1) * parts;
        b.end_theirs[LOW] = (lowest + shares_lowest) * parts;
    }
    if (ranks->rank + 1 < ranks->count) {
        b.last_own[HIGH] = (highest - shares_highest) * parts;
        b.first_theirs[HIGH] = (highest + 1 - shares_highest) * parts;
        b.end_theirs[HIGH] = (highest + 2) * parts;
    }
    return b;
}

void solver_list_peer_tile(struct solver *s, int i, int j, struct tile_bounds bounds, bool has_water)
{
    if (!solver_can_use_peers(s))
        return;
    const struct beside b = beside_of(s);
    const bool is_low = j >= b.first_theirs[LOW] && j < b.end_theirs[LOW] &&
                        bounds.row_begin < (int)s->host.own.first,
               is_high = j >= b.first_theirs[HIGH] && j < b.end_theirs[HIGH] &&
                         bounds.row_end > (int)s->host.own.end;
    const bool is_told = has_water && bounds.row_begin < bounds.row_end && (is_low || is_high);
    s->peers.made[j * s->tile_columns + i] = is_told ? 0 : ULLONG_MAX;
}

enum status solver_start_peers(struct solver *s)
{
    s->peers.is_used = s->peers.is_open;
    if (!s->peers.is_used)
        return STATUS_OK;
    const size_t tiles = solver_tiles(s);
    CHECK(
        gpu_timeline_upload(s->timeline, s->peers.device_made, s->peers.made, tiles * sizeof *s->peers.made));
    CHECK(gpu_timeline_fill(s->timeline, s->peers.device_moving, 0, 2 * tiles));
    CHECK(gpu_timeline_fill(s->timeline, s->peers.device_waited_ns, 0,
                            WAITS * sizeof *s->peers.device_waited_ns));
    // No neighbour makes a step before this.
    return solver_exchange_flags(s);
}

// The neighbour's copies of this rank's rows and flags, numbered as this rank's: `from` is read by even
// steps.
static struct device_peer peer_at(const struct solver *s, int side, int from, int moving)
{
    void *const *theirs = s->peers.theirs[side];
    const int reach = (int)host_level_reach(s->host.setup.physics);
    struct device_peer peer = {.made = theirs[ADDRESS_MADE]};
    peer.first_row = side == LOW ? (int)s->host.own.first : (int)s->host.own.end - reach;
    peer.end_row = peer.first_row + reach;
    for (int copy = 0; copy < 2; copy++) {
        peer.moving[copy] =
            (unsigned char *)theirs[ADDRESS_MOVING] + (size_t)(moving ^ copy) * solver_tiles(s);
        for (int f = 0; f < TSUNAMI_FIELDS; f++)
            peer.state[copy][f] = (void *)((uintptr_t)theirs[(from ^ copy) * TSUNAMI_FIELDS + f] +
                                           s->host.halo_offset * s->host.element);
    }
    return peer;
}

struct device_peers solver_peers(const struct solver *s, int64_t first_step)
{
    const int from = s->current ^ (int)(first_step & 1), moving = s->moving ^ (int)(first_step & 1);
    struct device_peers peers = {.beside = {-1, INT_MAX}};
    if (!s->peers.is_used)
        return peers;
    const struct beside b = beside_of(s);
    for (int side = 0; side < SIDES; side++) {
        peers.beside[side] = b.last_own[side];
        if (s->exchange.neighbours[side] >= 0)
            peers.at[side] = peer_at(s, side, from, moving);
    }
    for (int copy = 0; copy < 2; copy++)
        peers.moving[copy] = s->peers.device_moving + (size_t)(moving ^ copy) * solver_tiles(s);
    peers.made = s->peers.device_made;
    peers.failure = s->exchange.failure;
    peers.waited_ns = s->peers.device_waited_ns;
    return peers;
}

enum status solver_settle_peers(struct solver *s, int64_t count)
{
    struct ranks *ranks = s->host.setup.ranks;
    const struct beside b = beside_of(s);
    struct tsunami_settled settled = {.made = s->peers.device_made,
                                      .steps = s->steps_made,
                                      .failure = s->exchange.failure,
                                      .waited_ns = s->peers.device_waited_ns};
    for (int side = 0; side < SIDES; side++) {
        settled.first[side] = b.first_theirs[side] * s->tile_columns;
        settled.end[side] = b.end_theirs[side] * s->tile_columns;
    }
    ranks->exchanges += count;
    ranks->exchange_bytes +=
        (double)count * (double)solver_step_bytes(s) * ((ranks->rank > 0) + (ranks->rank + 1 < ranks->count));
    CUDA_CHECK(tsunami_launch_settle(&settled, s->timeline->compute), "to wait for its neighbours");
    return STATUS_OK;
}

// Blocks wait side by side: the device has lost their time divided by their number.
enum status solver_finish_peers(struct solver *s)
{
    unsigned long long waited_ns[WAITS];
    if (!s->peers.is_used)
        return STATUS_OK;
    CUDA_CHECK(cudaMemcpy(waited_ns, s->peers.device_waited_ns, sizeof waited_ns, cudaMemcpyDeviceToHost),
               "a copy from the device");
    CUDA_CHECK(cudaMemset(s->peers.device_waited_ns, 0, sizeof waited_ns), "to clear its memory");
    s->host.setup.ranks->exchange_wait_s +=
        1e-9 *
        ((double)waited_ns[WAITED_IN_BLOCKS] / solver_resident_blocks(s) + (double)waited_ns[WAITED_AFTER]);
    return STATUS_OK;
}
