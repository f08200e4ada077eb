// A group of bodies as its warp holds it during the tree walk: the bodies in registers, two a lane, their
// boxes, and the lists of cells and of bodies that act on them, each a ring of twice a warp's length; and the
// sums over half a ring.
//
// At most SUM_TERMS interactions are added in float; these sums are added in double.
#ifndef FATHOM_GPU_NBODY_TREE_GROUP_CUH
#define FATHOM_GPU_NBODY_TREE_GROUP_CUH

#include "gpu/nbody/tree.cuh"

namespace nbody {
namespace {

#ifndef TREE_WALK_ROOM
#define TREE_WALK_ROOM 768
#endif

enum {
    OWN = NBODY_GROUP_BODIES / 32,
    BOXES = NBODY_GROUP_BODIES / NBODY_BOX_BODIES,
    RING = 64,
    ROOM = TREE_WALK_ROOM, // entries of the stack of cells
    SUM_TERMS = 256
};
static_assert(NBODY_GROUP_BODIES % 32 == 0 && 32 % NBODY_BOX_BODIES == 0, "");

// Of bodies; the fourth numbers are not used.
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

// A lane's bodies, and the sums over what acts on them.
template <typename Real> struct own_bodies {
    vector<Real> at[OWN], sum[OWN];
    Real potential[OWN];
    double total[OWN][4];
    unsigned number[OWN];
    int terms;
};

DEVICE float least_of(float a, float b)
{
    return fminf(a, b);
}
DEVICE double least_of(double a, double b)
{
    return fmin(a, b);
}
DEVICE float most_of(float a, float b)
{
    return fmaxf(a, b);
}
DEVICE double most_of(double a, double b)
{
    return fmax(a, b);
}

// The boxes of a group's bodies. Lanes without a body hold the position of the last one.
template <typename Real>
DEVICE void find_boxes(const own_bodies<Real> &own, unsigned lane, body_box<Real> (&boxes)[BOXES])
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

// From the nearest point of an interval to x.
template <typename Real> DEVICE Real away(Real least, Real most, Real x)
{
    return x - least_of(most_of(x, least), most);
}

// The square of a point's distance from the nearest box.
template <typename Real>
DEVICE Real nearest_square(const body_box<Real> (&boxes)[BOXES], const quad<Real> &at)
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

template <typename Real> DEVICE bool touches(const body_box<Real> (&boxes)[BOXES], const quad<Real> &cube)
{
    bool touches = false;
#pragma unroll 1 // few runs test cubes: their kernels must not need more registers than the others
    for (int k = 0; k < BOXES; k++) {
        const quad<Real> least = boxes[k].least, most = boxes[k].most;
        touches = touches ||
                  (most.x >= cube.x - cube.w && least.x <= cube.x + cube.w && most.y >= cube.y - cube.w &&
                   least.y <= cube.y + cube.w && most.z >= cube.z - cube.w && least.z <= cube.z + cube.w);
    }
    return touches;
}
// ---- what acts

template <typename Real, bool POTENTIAL> DEVICE void keep_sums(own_bodies<Real> &own)
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
DEVICE void act_cells(const walk_lists<Real, QUADRUPOLE, POTENTIAL> &lists, unsigned first, unsigned count,
                      Real softening_square, own_bodies<Real> &own)
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
            const vector<Real> r = {cell.x - own.at[b].x, cell.y - own.at[b].y, cell.z - own.at[b].z};
            const Real square = softened_square(r, softening_square),
                       approximate = approximate_inverse_root(square);
            if (QUADRUPOLE) {
                add_cell(r, refined(approximate, square), cell.w, s, high.z, &own.sum[b],
                         POTENTIAL ? &own.potential[b] : nullptr);
            } else {
                add_attraction(r, square, approximate, cell.w, &own.sum[b]);
                if (POTENTIAL)
                    own.potential[b] -= cell.w * refined(approximate, square);
            }
        }
    }
    own.terms += count;
    if (own.terms >= SUM_TERMS - 32)
        keep_sums<Real, POTENTIAL>(own);
}

template <typename Real, bool POTENTIAL, bool IS_SOFT, class Lists>
DEVICE void act_bodies_with(const Lists &lists, unsigned first, unsigned count, Real softening_square,
                            own_bodies<Real> &own)
{
#pragma unroll 4
    for (unsigned k = first; k < first + count; k++) {
        const quad<Real> body = lists.bodies[k];
#pragma unroll
        for (int b = 0; b < OWN; b++) {
            const vector<Real> r = {body.x - own.at[b].x, body.y - own.at[b].y, body.z - own.at[b].z};
            const Real square = softened_square(r, softening_square);
            Real inverse = approximate_inverse_root(square);
            if (!IS_SOFT)
                inverse = square > 0 ? inverse : 0;
            add_attraction(r, square, inverse, body.w, &own.sum[b]);
            if (POTENTIAL && lists.numbers[k] != own.number[b])
                own.potential[b] -= body.w * refined(inverse, square);
        }
    }
}

// Without softening the distance of a body to itself, and to others at its position, is 0.
template <typename Real, bool QUADRUPOLE, bool POTENTIAL>
DEVICE void act_bodies(const walk_lists<Real, QUADRUPOLE, POTENTIAL> &lists, unsigned first, unsigned count,
                       Real softening_square, own_bodies<Real> &own)
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

} // namespace
} // namespace nbody

#endif
