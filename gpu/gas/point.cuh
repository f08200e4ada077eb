// The arithmetic of models/gas/point.inc for kernels, and a pair's energy in double.
#ifndef FATHOM_GPU_GAS_POINT_CUH
#define FATHOM_GPU_GAS_POINT_CUH

#include "gpu/inverse_root.cuh"
#include "models/gas/law.h"

namespace gas {

#include "models/gas/point.inc"

// struct gas_law in this precision.
template <typename Real> pair_law<Real> pair_law_of(const gas_law &from)
{
    pair_law<Real> law;
    make_law(&from, &law);
    return law;
}

template <gas_law_kind kind, typename Real> DEVICE Real pair_force_of(const pair_law<Real> &law, Real s)
{
    return pair_force(kind, &law, s, approximate_inverse_root(s));
}

template <typename Real> DEVICE Real reciprocal_of(Real s)
{
    return reciprocal(s, approximate_inverse_root(s));
}

// Σ ln s as the logarithm of a product whose exponent is split off at each factor: a multiplication instead
// of a logarithm.
struct log_sum {
    double mantissa; // 1 … 2
    int exponent;

    DEVICE void clear()
    {
        mantissa = 1;
        exponent = 0;
    }
    DEVICE void add(double s)
    {
        const double product = mantissa * s;
        const int high = __double2hiint(product);
        exponent += (high >> 20) - 1023;
        mantissa = __hiloint2double((high & 0xfffff) | 0x3ff00000, __double2loint(product));
    }
    DEVICE double total() const { return log(mantissa) + 0.69314718055994531 * exponent; }
};

// Half of the energies of pairs (law.h) and of their r·F: the share of each particle. In double.
struct energy_sum {
    double rest, virial; // rest: energies without their logarithms, not halved
    log_sum all, within; // of s: of all pairs; of those within the cut-off

    DEVICE void clear()
    {
        rest = virial = 0;
        all.clear();
        within.clear();
    }
    template <gas_law_kind kind>
    DEVICE void add(const gas_law &law, const pair_law<double> &made, double square)
    {
        const double s = square + law.softening_square;
        const bool is_within = s < law.end_square;
        virial += pair_force_of<kind>(made, s) * square / 2;
        if (kind == GAS_LAW_LOG) {
            if (s > 0)
                all.add(s);
        } else if (kind == GAS_LAW_NEAR) {
            const double inverse = reciprocal_of(s);
            all.add(s);
            rest += law.everywhere / 2 * inverse;
            if (is_within) {
                within.add(s);
                rest +=
                    law.within / 2 * inverse - law.last_potential + (s - law.end_square) * (law.last_f / 2);
            }
        } else if (is_within) {
            const double inverse = reciprocal_of(s), q = law.sixth * (inverse * inverse * inverse);
            rest += 4 * law.depth * (q * q - q) - law.last_potential;
            if (kind == GAS_LAW_FORCE_SHIFTED)
                rest -= (sqrt(s) - sqrt(law.end_square)) * law.last_slope;
        }
    }
    template <gas_law_kind kind> DEVICE double potential(const gas_law &law) const
    {
        double sum = rest;
        if (kind == GAS_LAW_LOG || kind == GAS_LAW_NEAR)
            sum += law.attraction / 2 * all.total();
        if (kind == GAS_LAW_NEAR)
            sum += law.attraction2 / 2 * within.total();
        return sum / 2;
    }
};

} // namespace gas

#endif
