// The tree walk on the device (models/nbody/state.h, THE TREE, 6), a warp a group. The warp has a stack of
// cells; in each round its lanes take the topmost ones. Accepted cells and bodies go to the group's lists
// (tree_group.cuh), which are summed by halves of a ring. Independent of solvers.
//
// The stack never overflows. If after a round of 32 cells it would hold more than ROOM − 7·21 − 8 entries,
// only the topmost cell is divided, and the others return to the stack: the stack grows by 7 entries at most.
// From that size on the topmost cells are divided first, and there are 21 depths.
//
// The order of the sums is determined by the group alone: the bits do not depend on the order of the warps.
#ifndef FATHOM_GPU_NBODY_TREE_WALK_CUH
#define FATHOM_GPU_NBODY_TREE_WALK_CUH

#include "gpu/nbody/tree_group.cuh"

namespace nbody {
namespace {

#ifndef TREE_WALK_WARPS
#define TREE_WALK_WARPS 2
#endif
#ifndef TREE_WALK_BLOCKS
#define TREE_WALK_BLOCKS 12
#endif

enum {
    WALK_WARPS = TREE_WALK_WARPS, // of a block; each has a group
    WIDE_ROOM = ROOM - 7 * NBODY_KEY_BITS - 8
};
static_assert(WIDE_ROOM >= 8, "");

// The arrays of the tree and of the bodies that a walk reads.
template <typename Real> struct walk_view {
    const quad<Real> *bodies, *centres, *moments, *cubes;
    const tree_link *links;
    const tree_cube *cube;
    tree_tally *tally;
    quad<Real> *field;
    unsigned count, first_group, end_group;
    unsigned *group_work; // NULL: not wanted
    unsigned cell_work;
    int peers; // other devices whose field it writes, too
    quad<Real> *peer_field[TREE_PEERS_MAX];
    Real softening_square;
};

DEVICE unsigned sum_up_to(unsigned value, unsigned lane)
{
    for (unsigned step = 1; step < 32; step *= 2) {
        const unsigned before = __shfl_up_sync(ALL_LANES, value, step);
        value += lane >= step ? before : 0;
    }
    return value;
}

// The state of a walk: entries of the stack; of each list, how many were added, and how many are summed.
struct walk_state {
    unsigned stack, cells, cells_done, bodies, bodies_done;
};

// The bodies of the leaves that lanes hold (`held` of each), 32 at a time.
template <typename Real, bool QUADRUPOLE, bool POTENTIAL>
DEVICE void open_leaves(const walk_view<Real> &view, unsigned lane, unsigned first, unsigned held,
                        walk_lists<Real, QUADRUPOLE, POTENTIAL> &lists, walk_state &state,
                        own_bodies<Real> &own)
{
    const unsigned up_to = sum_up_to(held, lane), total = __shfl_sync(ALL_LANES, up_to, 31);
    const unsigned shift = first - (up_to - held); // a body's number minus its index among those of all lanes
    for (unsigned base = 0; base < total; base += 32) {
        __syncwarp(); // the summed half has been read
        const unsigned index = base + lane;
        unsigned owner = 0; // the first lane with more than `index` bodies up to it
        for (unsigned step = 16; step > 0; step /= 2)
            owner += __shfl_sync(ALL_LANES, up_to, owner + step - 1) <= index ? step : 0;
        const unsigned number = __shfl_sync(ALL_LANES, shift, owner) + index;
        if (index < total) {
            const unsigned slot = (state.bodies + lane) % RING;
            lists.bodies[slot] = load(view.bodies + number);
            if (POTENTIAL)
                lists.numbers[slot] = number;
        }
        const unsigned left = total - base;
        state.bodies += left < 32 ? left : 32;
        __syncwarp();
        if (state.bodies - state.bodies_done >= 32) {
            act_bodies(lists, state.bodies_done % RING, 32, view.softening_square, own);
            state.bodies_done += 32;
        }
    }
}

// Pushes the children of the cells that lanes hold onto the stack; if there is no space for all, the children
// of the topmost cell alone, and the other cells themselves.
template <class Lists>
DEVICE void open_cells(unsigned lane, unsigned cell, tree_link link, bool opens, Lists &lists,
                       walk_state &state)
{
    const unsigned opening = __ballot_sync(ALL_LANES, opens);
    if (!opening)
        return;
    unsigned first = link.first, held = opens ? link.count : 0;
    unsigned up_to = sum_up_to(held, lane), total = __shfl_sync(ALL_LANES, up_to, 31);
    if (state.stack + total > WIDE_ROOM) {
        const bool is_top = opening >> lane == 1;
        first = is_top ? first : cell;
        held = opens && !is_top ? 1 : held;
        up_to = sum_up_to(held, lane);
        total = __shfl_sync(ALL_LANES, up_to, 31);
    }
    const unsigned to = state.stack + up_to - held;
    for (unsigned k = 0; k < 8; k++)
        if (k < held)
            lists.stack[to + k] = first + k;
    state.stack += total;
}

template <typename Real, bool QUADRUPOLE, bool POTENTIAL>
DEVICE void list_cells(const walk_view<Real> &view, unsigned lane, unsigned cell, bool stands,
                       const quad<Real> &centre, walk_lists<Real, QUADRUPOLE, POTENTIAL> &lists,
                       walk_state &state)
{
    const unsigned standing = __ballot_sync(ALL_LANES, stands);
    if (stands) {
        const unsigned slot = (state.cells + __popc(standing & ((1u << lane) - 1))) % RING;
        const quad<Real> high = load(view.moments + 2 * static_cast<size_t>(cell) + 1);
        if (QUADRUPOLE) {
            lists.low[slot] = load(view.moments + 2 * static_cast<size_t>(cell));
            lists.high[slot] = high;
        }
        lists.cells[slot] = {centre.x, centre.y, centre.z, high.w};
    }
    state.cells += __popc(standing);
}

// A round: the topmost cells, one a lane.
template <typename Real, bool QUADRUPOLE, bool POTENTIAL, bool CUBES>
DEVICE void take_round(const walk_view<Real> &view, unsigned lane,
                       walk_lists<Real, QUADRUPOLE, POTENTIAL> &lists, walk_state &state,
                       own_bodies<Real> &own)
{
    const unsigned taken = state.stack < 32 ? state.stack : 32;
    state.stack -= taken;
    bool stands = false, opens = lane < taken;
    unsigned cell = 0;
    quad<Real> centre = {};
    tree_link link = {0, TREE_LEAF};
    if (opens) {
        cell = lists.stack[state.stack + lane];
        centre = load(view.centres + cell);
        const uint2 both = __ldg(reinterpret_cast<const uint2 *>(view.links + cell));
        link = {both.x, both.y};
        stands = nearest_square(lists.boxes, centre) >= centre.w;
        if (CUBES)
            stands = stands && !touches(lists.boxes, load(view.cubes + cell));
        opens = !stands;
    }
    __syncwarp(); // all lanes have read the stack
    list_cells(view, lane, cell, stands, centre, lists, state);
    const bool is_leaf = link.count & TREE_LEAF;
    open_cells(lane, cell, link, opens && !is_leaf, lists, state);
    __syncwarp();
    const unsigned held = opens && is_leaf ? link.count & ~TREE_LEAF : 0;
    if (__any_sync(ALL_LANES, held > 0))
        open_leaves(view, lane, link.first, held, lists, state, own);
    if (state.cells - state.cells_done >= 32) {
        act_cells(lists, state.cells_done % RING, 32, view.softening_square, own);
        state.cells_done += 32;
    }
    __syncwarp(); // before the rings are written again
}

template <typename Real> DEVICE void store(quad<Real> *field, const double (&total)[4], bool has_potential)
{
    *field = {static_cast<Real>(total[0]), static_cast<Real>(total[1]), static_cast<Real>(total[2]),
              has_potential ? static_cast<Real>(total[3]) : static_cast<Real>(NAN)};
}

template <typename Real>
DEVICE void store_all(const walk_view<Real> &view, unsigned body, const double (&total)[4],
                      bool has_potential)
{
    store(view.field + body, total, has_potential);
    for (int peer = 0; peer < view.peers; peer++)
        store(view.peer_field[peer] + body, total, has_potential);
}

template <typename Real, bool QUADRUPOLE, bool POTENTIAL, bool CUBES>
__device__ void walk_group(const walk_view<Real> &view, unsigned group, unsigned lane,
                           walk_lists<Real, QUADRUPOLE, POTENTIAL> &lists)
{
    own_bodies<Real> own = {};
    const unsigned start = group * NBODY_GROUP_BODIES;
    for (int b = 0; b < OWN; b++) {
        own.number[b] = start + 32 * b + lane;
        const quad<Real> body = load(view.bodies + min(own.number[b], view.count - 1));
        own.at[b] = {body.x, body.y, body.z};
    }
    find_boxes(own, lane, lists.boxes);
    walk_state state = {1, 0, 0, 0, 0};
    if (lane == 0)
        lists.stack[0] = 0;
    __syncwarp();
    while (state.stack > 0)
        take_round<Real, QUADRUPOLE, POTENTIAL, CUBES>(view, lane, lists, state, own);
    act_cells(lists, state.cells_done % RING, state.cells - state.cells_done, view.softening_square, own);
    act_bodies(lists, state.bodies_done % RING, state.bodies - state.bodies_done, view.softening_square, own);
    keep_sums<Real, POTENTIAL>(own);
    for (int b = 0; b < OWN; b++)
        if (own.number[b] < view.count)
            store_all(view, own.number[b], own.total[b], POTENTIAL);
    if (lane == 0) {
        const unsigned long long bodies = min(view.count - start, static_cast<unsigned>(NBODY_GROUP_BODIES));
        atomicAdd(&view.tally->cells, state.cells * bodies);
        atomicAdd(&view.tally->bodies, state.bodies * bodies);
        if (view.group_work)
            view.group_work[start / NBODY_GROUP_BODIES] = view.cell_work * state.cells + state.bodies;
    }
}

template <typename Real, bool QUADRUPOLE, bool POTENTIAL, bool CUBES>
__global__ void __launch_bounds__(32 * WALK_WARPS, sizeof(Real) == 4 ? TREE_WALK_BLOCKS : 1)
    walk_kernel(const __grid_constant__ walk_view<Real> view)
{
    __shared__ walk_lists<Real, QUADRUPOLE, POTENTIAL> lists[WALK_WARPS];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32,
                   group = view.first_group + blockIdx.x * WALK_WARPS + warp;
    if (group >= view.end_group)
        return;
    if (view.cube->is_valid) {
        walk_group<Real, QUADRUPOLE, POTENTIAL, CUBES>(view, group, lane, lists[warp]);
        return;
    }
    const double none[4] = {NAN, NAN, NAN, NAN};
    for (unsigned i = group * NBODY_GROUP_BODIES + lane;
         i < min((group + 1) * NBODY_GROUP_BODIES, view.count); i += 32)
        store_all(view, i, none, true);
}

template <typename Real> using walk_function = void (*)(walk_view<Real>);

template <typename Real> walk_function<Real> walk_for(const tree_rule &rule, bool has_potential)
{
    static const walk_function<Real> kernels[2][2][2] = {
        {{walk_kernel<Real, false, false, false>, walk_kernel<Real, false, false, true>},
         {walk_kernel<Real, false, true, false>, walk_kernel<Real, false, true, true>}},
        {{walk_kernel<Real, true, false, false>, walk_kernel<Real, true, false, true>},
         {walk_kernel<Real, true, true, false>, walk_kernel<Real, true, true, true>}},
    };
    return kernels[rule.rule.has_quadrupole][has_potential][rule.tests_cubes];
}

template <typename Real> cudaError_t load_walk(const tree_rule &rule)
{
    return kernels::load(walk_for<Real>(rule, false), walk_for<Real>(rule, true));
}

template <typename Real>
cudaError_t walk(const tree_arrays &tree, const tree_rule &rule, const void *bodies, void *field,
                 bool has_potential, cudaStream_t stream)
{
    const Real softening = static_cast<Real>(rule.softening);
    walk_view<Real> view = {};
    view.bodies = static_cast<const quad<Real> *>(bodies);
    view.centres = static_cast<const quad<Real> *>(tree.centres);
    view.moments = static_cast<const quad<Real> *>(tree.moments);
    view.cubes = static_cast<const quad<Real> *>(tree.cubes);
    view.links = tree.links;
    view.cube = tree.cube;
    view.tally = tree.tally;
    view.field = static_cast<quad<Real> *>(field);
    view.count = tree.count;
    view.first_group = tree.first_group;
    view.end_group = tree.end_group;
    view.group_work = tree.group_work;
    view.cell_work = tree.cell_work;
    view.peers = tree.peers;
    for (int k = 0; k < tree.peers; k++)
        view.peer_field[k] = static_cast<quad<Real> *>(tree.peer_field[k]);
    view.softening_square = softening * softening;
    const cudaError_t error = cudaMemsetAsync(tree.tally, 0, sizeof *tree.tally, stream);
    if (error != cudaSuccess)
        return error;
    const unsigned blocks = (view.end_group - view.first_group + WALK_WARPS - 1) / WALK_WARPS;
    walk_for<Real>(rule, has_potential)<<<blocks, 32 * WALK_WARPS, 0, stream>>>(view);
    return cudaGetLastError();
}

} // namespace
} // namespace nbody

#endif
