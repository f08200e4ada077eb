// The heat model's kernels of method rkl2, a cell a thread: a stage (models/bioheat/rkl2.h), and the dose of
// a step between its two temperatures (models/bioheat/state.h).
#include "gpu/bioheat/plain.cuh"
#include "gpu/bioheat/sweep.cuh"

namespace heat {
namespace {

enum { THREADS = 128 };

// What a stage needs beside its step, in the run's precision.
template <typename Real> struct stage_arrays {
    const Real *start, *earlier;
    Real *first;
    Real last_weight, earlier_weight, rate, first_rate;
    bool is_first;
};

template <typename Real> stage_arrays<Real> arrays_of(const heat_stage &stage)
{
    return {array<Real>(stage.start),
            array<Real>(stage.earlier),
            array<Real>(stage.first),
            static_cast<Real>(stage.last_weight),
            static_cast<Real>(stage.earlier_weight),
            static_cast<Real>(stage.rate),
            static_cast<Real>(stage.first_rate),
            stage.is_first != 0};
}

template <typename Real, typename Code>
__global__ void __launch_bounds__(THREADS)
    stage_kernel(const __grid_constant__ heat_step step, const __grid_constant__ stage_arrays<Real> stage)
{
    const heat_shape &shape = step.shape;
    const int x = shape.first[BIOHEAT_X] + static_cast<int>(blockIdx.x * THREADS + threadIdx.x);
    const int y = shape.first[BIOHEAT_Y] + static_cast<int>(blockIdx.y);
    const int z = step.first_plane + static_cast<int>(blockIdx.z);
    if (x >= shape.last[BIOHEAT_X])
        return;
    const long long place = place_of(shape, z, y, x);
    const Real change =
        change_of<Real, Code>(step, z, y, x).theta + walls_of<Real, Code>(step, z, y, x).theta;
    const Real start = stage.start[place];
    Real *const to = array<Real>(step.to);
    if (stage.is_first) {
        stage.first[place] = change;
        to[place] = madd(stage.rate, change, start);
        return;
    }
    const Real rates = madd(stage.rate, change, stage.first_rate * stage.first[place]);
    const Real before = madd(stage.earlier_weight, stage.earlier[place] - start, rates);
    to[place] = start + madd(stage.last_weight, array<Real>(step.from)[place] - start, before);
}

// ---- dose

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

template <typename Real>
__global__ void __launch_bounds__(THREADS)
    mean_dose_kernel(const __grid_constant__ heat_shape shape, const __grid_constant__ heat_records records,
                     const Real *before, const Real *after)
{
    const int x = static_cast<int>(blockIdx.x * THREADS + threadIdx.x);
    if (x >= shape.cells[BIOHEAT_X])
        return;
    const long long place = place_of(shape, static_cast<int>(blockIdx.z), static_cast<int>(blockIdx.y), x);
    const Real from = before[place], to = after[place];
    mean_law<Real> mean = {dose_law_of<Real>(records), 0, 0};
    if (from < mean.law.least_k && to < mean.law.least_k)
        return;
    const Real least = mean.law.least_k - mean.law.passed_k;
    mean.from_plain = Real(0.72134752044448170) * power_of_two(2 * least);
    mean.from_passed = Real(1.4426950408889634) * power_of_two(least);
    Real *const low = array<Real>(records.low) + place;
    const bool remembers = mean.law.remembers;
    const bool has_passed = remembers && (signbit(*low) || from >= mean.law.passed_k);
    const Real sum = madd(mean.law.weight_min, mean_rate(mean, from, to, has_passed), fabs(*low));
    *low = remembers && (has_passed || to >= mean.law.passed_k) ? -sum : sum;
}

template <typename Real> cudaError_t load_of()
{
    return kernels::load(stage_kernel<Real, unsigned char>, stage_kernel<Real, unsigned short>,
                         mean_dose_kernel<Real>);
}

} // namespace

cudaError_t load_rkl2(enum element precision)
{
    return kernels::with_real(precision, [](auto real) { return load_of<decltype(real)>(); });
}

} // namespace heat

using namespace heat;

extern "C" cudaError_t heat_step_stage(const heat_step *step, const heat_stage *stage, enum element precision,
                                       cudaStream_t stream)
{
    const heat_shape &s = step->shape;
    const int x = s.last[BIOHEAT_X] - s.first[BIOHEAT_X], y = s.last[BIOHEAT_Y] - s.first[BIOHEAT_Y],
              z = step->last_plane - step->first_plane;
    if (x <= 0 || y <= 0 || z <= 0)
        return cudaSuccess;
    const dim3 blocks(kernels::blocks_for(x, THREADS), static_cast<unsigned>(y), static_cast<unsigned>(z));
    return kernels::launch(precision, [&](auto real) {
        typedef decltype(real) Real;
        if (step->media.is_few)
            stage_kernel<Real, unsigned char><<<blocks, THREADS, 0, stream>>>(*step, arrays_of<Real>(*stage));
        else
            stage_kernel<Real, unsigned short>
                <<<blocks, THREADS, 0, stream>>>(*step, arrays_of<Real>(*stage));
    });
}

extern "C" cudaError_t heat_record_mean(const heat_step *step, const void *before, const void *after,
                                        enum element precision, cudaStream_t stream)
{
    const int *n = step->shape.cells;
    const dim3 blocks(kernels::blocks_for(n[BIOHEAT_X], THREADS), static_cast<unsigned>(n[BIOHEAT_Y]),
                      static_cast<unsigned>(n[BIOHEAT_Z]));
    return kernels::launch(precision, [&](auto real) {
        typedef decltype(real) Real;
        mean_dose_kernel<Real><<<blocks, THREADS, 0, stream>>>(step->shape, step->records,
                                                               array<Real>(before), array<Real>(after));
    });
}
