// The dose of a step of rkl2 between the temperatures of its start and its end (models/bioheat/state.h), of
// one cell. Knows no threads and no tiles.
#ifndef FATHOM_GPU_BIOHEAT_MEAN_DOSE_CUH
#define FATHOM_GPU_BIOHEAT_MEAN_DOSE_CUH

#include "gpu/bioheat/cell.cuh"

#include <math.h>

namespace heat {

template <typename Real> struct mean_law {
    dose_law<Real> law;
    Real from_plain, from_passed; // the rate's integral at the temperature from which it counts
};

template <typename Real> DEVICE Real rate_at(const dose_law<Real> &law, Real theta, bool has_passed)
{
    const Real above = theta - law.passed_k;
    return theta >= law.least_k ? power_of_two(above >= 0 || has_passed ? above : 2 * above) : Real(0);
}

// ∫ of the rate over θ.
template <typename Real>
DEVICE Real rate_integral(const mean_law<Real> &mean, Real theta, Real rate, bool has_passed)
{
    const Real by_half = Real(1.4426950408889634), by_quarter = Real(0.72134752044448170);
    const Real above = madd(by_half, rate, has_passed ? Real(0) : by_quarter - by_half);
    const Real from = has_passed ? mean.from_passed : mean.from_plain;
    return theta < mean.law.least_k                   ? from
           : theta >= mean.law.passed_k || has_passed ? above
                                                      : by_quarter * rate;
}

template <typename Real>
DEVICE Real mean_rate(const mean_law<Real> &mean, Real before, Real after, bool has_passed)
{
    const dose_law<Real> &law = mean.law;
    if (before > law.most_k || after > law.most_k)
        return Real(INFINITY);
    const Real first = rate_at(law, before, has_passed), last = rate_at(law, after, has_passed);
    const Real by = after - before;
    if (!(fabs(by) < Real(BIOHEAT_DOSE_NEAR_K)))
        return (rate_integral(mean, after, last, has_passed) -
                rate_integral(mean, before, first, has_passed)) /
               by;
    const bool is_halving = has_passed || Real(0.5) * (before + after) >= law.passed_k;
    const Real x = by * (is_halving ? Real(0.69314718055994531) : Real(1.3862943611198906));
    const Real square = x * x;
    return Real(0.5) * (first + last) *
           madd(square, madd(square, Real(1.0 / 120.0), Real(-1.0 / 12.0)), Real(1));
}

template <typename Real> mean_law<Real> mean_law_of(const heat_records &records)
{
    const double least = records.least_k - records.passed_k;
    return {dose_law_of<Real>(records), static_cast<Real>(0.72134752044448170 * exp2(2 * least)),
            static_cast<Real>(1.4426950408889634 * exp2(least))};
}

// The sum with a step's dose, unless both temperatures are below law.least_k; its sign is ISO's memory.
template <typename Real> DEVICE Real mean_dose_with(const mean_law<Real> &mean, Real low, Real from, Real to)
{
    const bool remembers = mean.law.remembers;
    const bool has_passed = remembers && (signbit(low) || from >= mean.law.passed_k);
    const Real sum = madd(mean.law.weight_min, mean_rate(mean, from, to, has_passed), fabs(low));
    return remembers && (has_passed || to >= mean.law.passed_k) ? -sum : sum;
}

} // namespace heat

#endif
