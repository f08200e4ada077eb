// The gas's pairs for gpu/pairs.cuh: forces in either precision, energies in double.
#ifndef FATHOM_GPU_GAS_PAIRS_CUH
#define FATHOM_GPU_GAS_PAIRS_CUH

#include "gpu/gas/point.cuh"

namespace gas {

template <typename Real> struct alignas(2 * sizeof(Real)) point {
    Real x, y;
};

// Four consecutive points, or numbers, from shared memory, in the fewest loads; `from` is aligned to 16.
DEVICE void load_four(const point<float> *from, point<float> (&to)[4])
{
    const float4 low = reinterpret_cast<const float4 *>(from)[0],
                 high = reinterpret_cast<const float4 *>(from)[1];
    to[0] = {low.x, low.y};
    to[1] = {low.z, low.w};
    to[2] = {high.x, high.y};
    to[3] = {high.z, high.w};
}

DEVICE void load_four(const point<double> *from, point<double> (&to)[4])
{
#pragma unroll
    for (int k = 0; k < 4; k++)
        to[k] = from[k];
}

DEVICE void load_four(const float *from, float (&to)[4])
{
    const float4 all = *reinterpret_cast<const float4 *>(from);
    to[0] = all.x;
    to[1] = all.y;
    to[2] = all.z;
    to[3] = all.w;
}

DEVICE void load_four(const double *from, double (&to)[4])
{
    const double2 low = reinterpret_cast<const double2 *>(from)[0],
                  high = reinterpret_cast<const double2 *>(from)[1];
    to[0] = low.x;
    to[1] = low.y;
    to[2] = high.x;
    to[3] = high.y;
}

// The coordinates of a point without force on any other: 1/s is 0, or (double) too small to change a sum.
template <typename Real> constexpr Real nowhere;
template <> constexpr float nowhere<float> = 1e30f;
template <> constexpr double nowhere<double> = 1e140;

// The least square of a distance, so that its inverse is finite: a particle then has no force on itself, nor
// on one at the same position. Far below the resolution of the positions in a box.
inline double least_square(const double *box)
{
    const double apart = 0x1p-60 * (box[GAS_X] > box[GAS_Y] ? box[GAS_X] : box[GAS_Y]);
    return apart * apart > 1e-36 ? apart * apart : 1e-36;
}

// 1/s, accurate to all digits but the last one or two; 0 for an infinite s.
DEVICE float whole_inverse(float s)
{
    float inverse;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(s));
    return inverse;
}

DEVICE double whole_inverse(double s)
{
    return reciprocal_of(s);
}

DEVICE float nearest_integer(float x)
{
    return rintf(x);
}

DEVICE double nearest_integer(double x)
{
    return rint(x);
}

// Lengths of the periodic axes and their inverses; 0: not periodic.
template <typename Real> struct images {
    Real length[GAS_AXES], inverse[GAS_AXES];

    DEVICE Real nearest(Real r, int axis) const
    {
        return madd(-length[axis], nearest_integer(r * inverse[axis]), r);
    }
};

template <typename Real> images<Real> images_of(const gas_physics *physics)
{
    images<Real> made = {};
    for (int axis = 0; axis < GAS_AXES; axis++)
        if (gas_is_periodic(physics, axis)) {
            made.length[axis] = static_cast<Real>(physics->box[axis]);
            made.inverse[axis] = static_cast<Real>(1 / physics->box[axis]);
        }
    return made;
}

// What all pairs have in common: sources and targets are points; a sum has two numbers.
template <typename Real> struct point_pair {
    using real = Real;
    using source = point<Real>;
    using target = point<Real>;
    enum { TERMS = 2 };
    struct sum {
        Real x, y;
    };

    DEVICE void set_count(unsigned) {} // of sources; for pairs that need it
    DEVICE target target_of(const source &at) const { return at; }
    DEVICE sum nothing() const { return {0, 0}; }
    DEVICE source idle_source(const source &) const { return {nowhere<Real>, nowhere<Real>}; }
};

// −A/s alone: the factor −A is applied at the end, and indices are not compared.
template <typename Real> struct log_force : point_pair<Real> {
    using typename point_pair<Real>::source;
    using typename point_pair<Real>::target;
    using typename point_pair<Real>::sum;
    Real softening_square;
    double attraction;

    DEVICE double term(const sum &s, int k) const
    {
        return -attraction * static_cast<double>(k == 0 ? s.x : s.y);
    }
    DEVICE void add(sum &s, const target &t, unsigned, const source &at, unsigned) const
    {
        const Real x = t.x - at.x, y = t.y - at.y;
        const Real inverse = whole_inverse(madd(x, x, madd(y, y, softening_square)));
        s.x = madd(inverse, x, s.x);
        s.y = madd(inverse, y, s.y);
    }
};

template <typename Real, gas_law_kind KIND, bool HAS_IMAGES> struct force : point_pair<Real> {
    using typename point_pair<Real>::source;
    using typename point_pair<Real>::target;
    using typename point_pair<Real>::sum;
    pair_law<Real> law;
    images<Real> image;
    unsigned count;

    DEVICE void set_count(unsigned sources) { count = sources; }
    DEVICE double term(const sum &s, int k) const { return k == 0 ? s.x : s.y; }
    DEVICE void add(sum &s, const target &t, unsigned i, const source &at, unsigned j) const
    {
        Real x = t.x - at.x, y = t.y - at.y;
        if (HAS_IMAGES) {
            x = image.nearest(x, GAS_X);
            y = image.nearest(y, GAS_Y);
        }
        Real f = pair_force_of<KIND>(law, madd(x, x, madd(y, y, law.softening_square)));
        if (i == j || (HAS_IMAGES && j >= count)) // the image of an idle source may be anywhere
            f = 0;
        s.x = madd(f, x, s.x);
        s.y = madd(f, y, s.y);
    }
};

// Half the potential, and half the virial, of each pair.
template <gas_law_kind KIND> struct energy : point_pair<double> {
    using sum = energy_sum;
    gas_law law;
    pair_law<double> made;
    images<double> image;
    unsigned count;

    DEVICE void set_count(unsigned sources) { count = sources; }
    DEVICE sum nothing() const
    {
        sum none;
        none.clear();
        return none;
    }
    DEVICE double term(const sum &s, int k) const
    {
        return k == 0 ? s.template potential<KIND>(law) : s.virial;
    }
    DEVICE void add(sum &s, const target &t, unsigned i, const source &at, unsigned j) const
    {
        const double x = image.nearest(t.x - at.x, GAS_X), y = image.nearest(t.y - at.y, GAS_Y);
        if (i != j && j < count)
            s.template add<KIND>(law, made, fma(x, x, y * y));
    }
};

template <typename Real> log_force<Real> log_force_of(const double *box, const gas_law &law)
{
    const double least = least_square(box), square = law.softening_square;
    log_force<Real> pair;
    pair.softening_square = static_cast<Real>(square > least ? square : least);
    pair.attraction = law.attraction;
    return pair;
}

template <typename Real, gas_law_kind KIND, bool HAS_IMAGES>
force<Real, KIND, HAS_IMAGES> force_of(const images<Real> &image, const gas_law &law, unsigned count)
{
    force<Real, KIND, HAS_IMAGES> pair;
    pair.law = pair_law_of<Real>(law);
    pair.image = image;
    pair.count = count;
    return pair;
}

template <gas_law_kind KIND>
energy<KIND> energy_of(const images<double> &image, const gas_law &law, unsigned count)
{
    energy<KIND> pair;
    pair.law = law;
    pair.made = pair_law_of<double>(law);
    pair.image = image;
    pair.count = count;
    return pair;
}

} // namespace gas

#endif
