// The walk through a tree on the device (models/nbody/state.h, THE TREE, 6), a warp a group. The warp keeps a stack of cells to
// look at, each lane taking one of the topmost; what acts goes to two lists, of cells and of bodies, each of twice a warp's
// length and used as a ring: half of it acts as soon as it is full, upon the group's bodies in registers, two a lane. Knows no
// solver.
//
// The stack never overflows. If after a turn of 32 cells it would hold more than ROOM − 7·21 − 8 entries, all cells that are to
// be divided but the topmost go back to it: a step into the depth that replaces one cell by 8 at most. From such a size on, with
// the topmost cells divided first, it grows by 7 entries a depth at most, and there are 21.
//
// Floats are added for SUM_TERMS interactions at most, and those sums as doubles. The order is the group's own: the same bits
// whoever walks when.
#ifndef FATHOM_GPU_NBODY_TREE_WALK_CUH
#define FATHOM_GPU_NBODY_TREE_WALK_CUH

#include "gpu/nbody_tree.cuh"

namespace nbody {
namespace {

#ifndef TREE_WALK_WARPS
#define TREE_WALK_WARPS 2
#endif
#ifndef TREE_WALK_ROOM
#define TREE_WALK_ROOM 512
#endif
#ifndef TREE_WALK_BLOCKS
#define TREE_WALK_BLOCKS 12
#endif

enum {
    WALK_WARPS = TREE_WALK_WARPS, // of a block; each walks for itself
    OWN = NBODY_GROUP_BODIES / 32,
    BOXES = NBODY_GROUP_BODIES / NBODY_BOX_BODIES,
    RING = 64,
    ROOM = TREE_WALK_ROOM,
    WIDE_ROOM = ROOM - 7 * NBODY_KEY_BITS - 8,
    SUM_TERMS = 256
};
static_assert(NBODY_GROUP_BODIES % 32 == 0 && 32 % NBODY_BOX_BODIES == 0 && WIDE_ROOM >= 8, "");

template <typename Real> struct walk_view {
    const quad<Real> *bodies, *centres, *moments, *cubes;
    const tree_link *links;
    const tree_cube *cube;
    tree_tally *tally;
    quad<Real> *field;
    unsigned count, groups;
    Real softening_square;
};

// Of bodies; the fourth numbers mean nothing.
template <typename Real> struct body_box {
    quad<Real> least, most;
};

template <typename Real, bool QUADRUPOLE, bool POTENTIAL> struct walk_lists {
    body_box<Real> boxes[BOXES];                                        // the group's
    quad<Real> cells[RING];                                             // centre, mass
    quad<Real> low[QUADRUPOLE ? RING : 1], high[QUADRUPOLE ? RING : 1]; // moments
    quad<Real> bodies[RING];
    unsigned numbers[POTENTIAL ? RING : 1]; // of the bodies
    unsigned stack[ROOM];
};

// A lane's bodies, and what acts on them.
template <typename Real> struct own_bodies {
    typename point<Real>::vector at[OWN], sum[OWN];
    Real potential[OWN];
    double total[OWN][4];
    unsigned number[OWN];
    int terms;
};

__device__ __forceinline__ float least_of(float a, float b)
{
    return fminf(a, b);
}
__device__ __forceinline__ double least_of(double a, double b)
{
    return fmin(a, b);
}
__device__ __forceinline__ float most_of(float a, float b)
{
    return fmaxf(a, b);
}
__device__ __forceinline__ double most_of(double a, double b)
{
    return fmax(a, b);
}

// The boxes of a group's bodies. Those of lanes without a body are their last body's place.
template <typename Real>
__device__ __forceinline__ void find_boxes(const own_bodies<Real> &own, unsigned lane,
                                           body_box<Real> (&boxes)[BOXES])
{
#pragma unroll
    for (int b = 0; b < OWN; b++) {
        quad<Real> least = {own.at[b].x, own.at[b].y, own.at[b].z, 0}, most = least;
        for (int step = NBODY_BOX_BODIES / 2; step > 0; step /= 2) {
            least.x = least_of(least.x, __shfl_xor_sync(ALL_LANES, least.x, step));
            least.y = least_of(least.y, __shfl_xor_sync(ALL_LANES, least.y, step));
            least.z = least_of(least.z, __shfl_xor_sync(ALL_LANES, least.z, step));
            most.x = most_of(most.x, __shfl_xor_sync(ALL_LANES, most.x, step));
            most.y = most_of(most.y, __shfl_xor_sync(ALL_LANES, most.y, step));
            most.z = most_of(most.z, __shfl_xor_sync(ALL_LANES, most.z, step));
        }
        if (lane % NBODY_BOX_BODIES == 0)
            boxes[(32 * b + lane) / NBODY_BOX_BODIES] = {least, most};
    }
}

// From x to the nearest place of an interval.
template <typename Real> __device__ __forceinline__ Real away(Real least, Real most, Real x)
{
    return x - least_of(most_of(x, least), most);
}

// The square of a place's distance from the nearest box.
template <typename Real>
__device__ __forceinline__ Real nearest_square(const body_box<Real> (&boxes)[BOXES], const quad<Real> &at)
{
    Real nearest = static_cast<Real>(INFINITY);
#pragma unroll
    for (int k = 0; k < BOXES; k++) {
        const quad<Real> least = boxes[k].least, most = boxes[k].most;
        const Real x = away(least.x, most.x, at.x), y = away(least.y, most.y, at.y),
                   z = away(least.z, most.z, at.z);
        nearest = least_of(nearest, fma(x, x, fma(y, y, z * z)));
    }
    return nearest;
}

template <typename Real>
__device__ __forceinline__ bool touches(const body_box<Real> (&boxes)[BOXES], const quad<Real> &cube)
{
    bool touches = false;
    for (int k = 0; k < BOXES; k++) {
        const quad<Real> least = boxes[k].least, most = boxes[k].most;
        touches = touches ||
                  (most.x >= cube.x - cube.w && least.x <= cube.x + cube.w && most.y >= cube.y - cube.w &&
                   least.y <= cube.y + cube.w && most.z >= cube.z - cube.w && least.z <= cube.z + cube.w);
    }
    return touches;
}

__device__ __forceinline__ unsigned sum_up_to(unsigned value, unsigned lane)
{
    for (unsigned step = 1; step < 32; step *= 2) {
        const unsigned before = __shfl_up_sync(ALL_LANES, value, step);
        value += lane >= step ? before : 0;
    }
    return value;
}

// ---- what acts

template <typename Real, bool POTENTIAL> __device__ __forceinline__ void keep_sums(own_bodies<Real> &own)
{
    for (int k = 0; k < OWN; k++) {
        own.total[k][0] += own.sum[k].x;
        own.total[k][1] += own.sum[k].y;
        own.total[k][2] += own.sum[k].z;
        own.sum[k] = {0, 0, 0};
        if (POTENTIAL) {
            own.total[k][3] += own.potential[k];
            own.potential[k] = 0;
        }
    }
    own.terms = 0;
}

// `count` cells of the ring from `first` on.
template <typename Real, bool QUADRUPOLE, bool POTENTIAL>
__device__ __forceinline__ void act_cells(const walk_lists<Real, QUADRUPOLE, POTENTIAL> &lists,
                                          unsigned first, unsigned count, Real softening_square,
                                          own_bodies<Real> &own)
{
#pragma unroll 2
    for (unsigned k = first; k < first + count; k++) {
        const quad<Real> cell = lists.cells[k];
        quad<Real> low = {}, high = {};
        if (QUADRUPOLE) {
            low = lists.low[k];
            high = lists.high[k];
        }
        const Real s[6] = {low.x, low.y, low.z, low.w, high.x, high.y};
#pragma unroll
        for (int b = 0; b < OWN; b++) {
            const typename point<Real>::vector r = {cell.x - own.at[b].x, cell.y - own.at[b].y,
                                                    cell.z - own.at[b].z};
            const Real square = point<Real>::softened_square(r, softening_square),
                       first_guess = guess(square);
            if (QUADRUPOLE) {
                point<Real>::add_cell(r, point<Real>::mended(first_guess, square), cell.w, s, high.z,
                                      own.sum[b], POTENTIAL ? &own.potential[b] : nullptr);
            } else {
                point<Real>::add_pull(r, square, first_guess, cell.w, own.sum[b]);
                if (POTENTIAL)
                    own.potential[b] -= cell.w * point<Real>::mended(first_guess, square);
            }
        }
    }
    own.terms += count;
    if (own.terms >= SUM_TERMS - 32)
        keep_sums<Real, POTENTIAL>(own);
}

template <typename Real, bool POTENTIAL, bool IS_SOFT, class Lists>
__device__ __forceinline__ void act_bodies_with(const Lists &lists, unsigned first, unsigned count,
                                                Real softening_square, own_bodies<Real> &own)
{
#pragma unroll 4
    for (unsigned k = first; k < first + count; k++) {
        const quad<Real> body = lists.bodies[k];
#pragma unroll
        for (int b = 0; b < OWN; b++) {
            const typename point<Real>::vector r = {body.x - own.at[b].x, body.y - own.at[b].y,
                                                    body.z - own.at[b].z};
            const Real square = point<Real>::softened_square(r, softening_square);
            Real inverse = guess(square);
            if (!IS_SOFT)
                inverse = square > 0 ? inverse : 0;
            point<Real>::add_pull(r, square, inverse, body.w, own.sum[b]);
            if (POTENTIAL && lists.numbers[k] != own.number[b])
                own.potential[b] -= body.w * point<Real>::mended(inverse, square);
        }
    }
}

// Without softening a body meets itself, and others at its place, at no distance.
template <typename Real, bool QUADRUPOLE, bool POTENTIAL>
__device__ __forceinline__ void act_bodies(const walk_lists<Real, QUADRUPOLE, POTENTIAL> &lists,
                                           unsigned first, unsigned count, Real softening_square,
                                           own_bodies<Real> &own)
{
    constexpr Real least = static_cast<Real>(1e-24); // whose root's third power is in a float's range
    if (softening_square >= least)
        act_bodies_with<Real, POTENTIAL, true>(lists, first, count, softening_square, own);
    else
        act_bodies_with<Real, POTENTIAL, false>(lists, first, count, softening_square, own);
    own.terms += count;
    if (own.terms >= SUM_TERMS - 32)
        keep_sums<Real, POTENTIAL>(own);
}

// ---- the walk

// How far a warp is: entries of the stack; of each list, how many were ever put in, and how many have acted.
struct walk_state {
    unsigned stack, cells, cells_done, bodies, bodies_done;
};

// The bodies of the leaves that lanes hold (`held`: none or more each), 32 by 32.
template <typename Real, bool QUADRUPOLE, bool POTENTIAL>
__device__ __forceinline__ void open_leaves(const walk_view<Real> &view, unsigned lane, unsigned first,
                                            unsigned held, walk_lists<Real, QUADRUPOLE, POTENTIAL> &lists,
                                            walk_state &state, own_bodies<Real> &own)
{
    const unsigned up_to = sum_up_to(held, lane), total = __shfl_sync(ALL_LANES, up_to, 31);
    const unsigned shift = first - (up_to - held); // a body's number less its place among those of all lanes
    for (unsigned base = 0; base < total; base += 32) {
        __syncwarp(); // what acted has been read
        const unsigned place = base + lane;
        unsigned owner = 0; // the first lane that has more than `place` bodies up to it
        for (unsigned step = 16; step > 0; step /= 2)
            owner += __shfl_sync(ALL_LANES, up_to, owner + step - 1) <= place ? step : 0;
        const unsigned number = __shfl_sync(ALL_LANES, shift, owner) + place;
        if (place < total) {
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

// Puts the cells of the cells that lanes hold onto the stack; if there is no room for all, of the topmost alone, and the others
// as they are.
template <class Lists>
__device__ __forceinline__ void open_cells(unsigned lane, unsigned cell, tree_link link, bool opens,
                                           Lists &lists, walk_state &state)
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
__device__ __forceinline__ void list_cells(const walk_view<Real> &view, unsigned lane, unsigned cell,
                                           bool stands, const quad<Real> &centre,
                                           walk_lists<Real, QUADRUPOLE, POTENTIAL> &lists, walk_state &state)
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

// A turn: the topmost cells, one a lane.
template <typename Real, bool QUADRUPOLE, bool POTENTIAL, bool CUBES>
__device__ __forceinline__ void take_turn(const walk_view<Real> &view, unsigned lane,
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
    __syncwarp(); // all have read the stack
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
    __syncwarp(); // before the rings are written to again
}

template <typename Real>
__device__ __forceinline__ void store(quad<Real> *field, const double (&total)[4], bool has_potential)
{
    *field = {static_cast<Real>(total[0]), static_cast<Real>(total[1]), static_cast<Real>(total[2]),
              has_potential ? static_cast<Real>(total[3]) : static_cast<Real>(NAN)};
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
        take_turn<Real, QUADRUPOLE, POTENTIAL, CUBES>(view, lane, lists, state, own);
    act_cells(lists, state.cells_done % RING, state.cells - state.cells_done, view.softening_square, own);
    act_bodies(lists, state.bodies_done % RING, state.bodies - state.bodies_done, view.softening_square, own);
    keep_sums<Real, POTENTIAL>(own);
    for (int b = 0; b < OWN; b++)
        if (own.number[b] < view.count)
            store(view.field + own.number[b], own.total[b], POTENTIAL);
    if (lane == 0) {
        const unsigned long long bodies = min(view.count - start, static_cast<unsigned>(NBODY_GROUP_BODIES));
        atomicAdd(&view.tally->cells, state.cells * bodies);
        atomicAdd(&view.tally->bodies, state.bodies * bodies);
    }
}

template <typename Real, bool QUADRUPOLE, bool POTENTIAL, bool CUBES>
__global__ void __launch_bounds__(32 * WALK_WARPS, sizeof(Real) == 4 ? TREE_WALK_BLOCKS : 1)
    walk_kernel(const __grid_constant__ walk_view<Real> view)
{
    __shared__ walk_lists<Real, QUADRUPOLE, POTENTIAL> lists[WALK_WARPS];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, group = blockIdx.x * WALK_WARPS + warp;
    if (group >= view.groups)
        return;
    if (view.cube->is_sound) {
        walk_group<Real, QUADRUPOLE, POTENTIAL, CUBES>(view, group, lane, lists[warp]);
        return;
    }
    for (unsigned i = group * NBODY_GROUP_BODIES + lane;
         i < min((group + 1) * NBODY_GROUP_BODIES, view.count); i += 32)
        view.field[i] = {static_cast<Real>(NAN), static_cast<Real>(NAN), static_cast<Real>(NAN),
                         static_cast<Real>(NAN)};
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
    return kernels[rule.rule.has_quadrupole][has_potential][rule.looks_at_cubes];
}

template <typename Real> cudaError_t load_walk(const tree_rule &rule)
{
    cudaFuncAttributes attributes;
    const cudaError_t error =
        cudaFuncGetAttributes(&attributes, reinterpret_cast<const void *>(walk_for<Real>(rule, false)));
    return error != cudaSuccess
               ? error
               : cudaFuncGetAttributes(&attributes,
                                       reinterpret_cast<const void *>(walk_for<Real>(rule, true)));
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
    view.groups = (tree.count + NBODY_GROUP_BODIES - 1) / NBODY_GROUP_BODIES;
    view.softening_square = softening * softening;
    const cudaError_t error = cudaMemsetAsync(tree.tally, 0, sizeof *tree.tally, stream);
    if (error != cudaSuccess)
        return error;
    const unsigned blocks = (view.groups + WALK_WARPS - 1) / WALK_WARPS;
    walk_for<Real>(rule, has_potential)<<<blocks, 32 * WALK_WARPS, 0, stream>>>(view);
    return cudaGetLastError();
}

} // namespace
} // namespace nbody

#endif
