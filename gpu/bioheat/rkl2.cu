// The heat model's kernels of method rkl2, a cell a thread: a stage (models/bioheat/rkl2.h), and the dose of
// a step between its two temperatures (models/bioheat/state.h).
#include "gpu/bioheat/mean_dose.cuh"
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

template <typename Real>
__global__ void __launch_bounds__(THREADS)
    mean_dose_kernel(const __grid_constant__ heat_shape shape, const __grid_constant__ mean_law<Real> mean,
                     Real *doses, const Real *before, const Real *after)
{
    const int x = static_cast<int>(blockIdx.x * THREADS + threadIdx.x);
    if (x >= shape.cells[BIOHEAT_X])
        return;
    const long long place = own_place(shape, x);
    const Real from = before[place], to = after[place];
    if (from < mean.law.least_k && to < mean.law.least_k)
        return;
    doses[place] = mean_dose_with(mean, doses[place], from, to);
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
                      static_cast<unsigned>(step->shape.end_own - step->shape.first_own));
    return kernels::launch(precision, [&](auto real) {
        typedef decltype(real) Real;
        mean_dose_kernel<Real><<<blocks, THREADS, 0, stream>>>(step->shape, mean_law_of<Real>(step->records),
                                                               array<Real>(step->records.low),
                                                               array<Real>(before), array<Real>(after));
    });
}
