// The field of a cell's particles as a multipole about their centre of mass (models/gas/state.h, THE
// REGIONS), in either precision.
#ifndef FATHOM_GPU_GAS_MULTIPOLE_CUH
#define FATHOM_GPU_GAS_MULTIPOLE_CUH

#include "gpu/gas/pairs.cuh"
#include "gpu/gas/regions.h"

namespace gas {

// c about the origin of the sum, and Q.
template <typename Real> struct alignas(16) multipole {
    Real x, y, moment_x, moment_y;
};

template <typename Real> struct complex_number {
    Real x, y;
};

// a b + c.
template <typename Real>
DEVICE complex_number<Real> product_added(const complex_number<Real> &a, const complex_number<Real> &b,
                                          const complex_number<Real> &c)
{
    return {madd(a.x, b.x, madd(-a.y, b.y, c.x)), madd(a.x, b.y, madd(a.y, b.x, c.y))};
}

// The field of several multipoles at a point: E; HAS_SLOPE: E' as well; HAS_POTENTIAL: U/A (in double).
template <typename Real, bool IS_SOFTENED, bool HAS_SLOPE, bool HAS_POTENTIAL> struct multipole_field {
    complex_number<Real> field, slope;
    double potential;

    DEVICE void clear()
    {
        field = slope = {0, 0};
        potential = 0;
    }
    // With u = 1/d: E = u (M w + Q u²), w = |d|²/(|d|² + ε²), and −E' = u² (M + 3 Q u²), whose negative is
    // summed.
    DEVICE void add(const point<Real> &at, const multipole<Real> &from, Real count, Real softening_square)
    {
        const complex_number<Real> d = {at.x - from.x, at.y - from.y}, q = {from.moment_x, from.moment_y};
        const Real square = madd(d.x, d.x, d.y * d.y), bare = whole_inverse(square);
        const Real softened = IS_SOFTENED ? square + softening_square : square;
        const complex_number<Real> u = {d.x * bare, -d.y * bare};
        const complex_number<Real> u2 = {madd(u.x, u.x, -u.y * u.y), (u.x + u.x) * u.y};
        const complex_number<Real> bracket = product_added(q, u2, {count, 0}); // M + Q u²
        if (IS_SOFTENED) { // −M ε²/(|d|² + ε²) more
            const Real less = count * (softening_square * whole_inverse(softened));
            field = product_added(u, {bracket.x - less, bracket.y}, field);
        } else {
            field = product_added(u, bracket, field);
        }
        if (HAS_SLOPE)
            slope =
                product_added(u2, {madd(static_cast<Real>(3), bracket.x, -2 * count), 3 * bracket.y}, slope);
        if (HAS_POTENTIAL) {
            potential +=
                0.5 * (count > 0 ? count * log(static_cast<double>(softened)) - (bracket.x - count) : 0);
        }
    }
};

// Multipoles in shared memory. Empty ones lie far outside, at a distance whose square is finite.
template <typename Real, int MOST> struct multipole_tile {
    static constexpr Real aside = static_cast<Real>(1e15);
    multipole<Real> moments[MOST];
    alignas(16) Real counts[MOST];

    // Cell `cell` as the n-th; a missing one: empty.
    DEVICE void put(const region_arrays &r, int n, int cell, const double2 &origin)
    {
        if (cell < 0 || cell >= r.cells) {
            moments[n] = {aside, aside, 0, 0};
            counts[n] = 0;
            return;
        }
        const double2 c = reinterpret_cast<const double2 *>(r.centre)[cell];
        const double2 q = reinterpret_cast<const double2 *>(r.square)[cell];
        moments[n] = {static_cast<Real>(c.x - origin.x), static_cast<Real>(c.y - origin.y),
                      static_cast<Real>(q.x), static_cast<Real>(q.y)};
        counts[n] = static_cast<Real>(r.starts[cell + 1] - r.starts[cell]);
    }
};

} // namespace gas

#endif
