// Kernels that do one kind of arithmetic and nothing else (see the header).
#include "gpu/inline.cuh"
#include "gpu/launch.cuh"
#include "gpu/philox.cuh"
#include "gpu/rates_kernels.h"

namespace {

DEVICE float root(float x)
{
    float y;
    asm volatile("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

DEVICE double root(double x)
{
    double y;
    asm volatile("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    return y;
}

// The sum is never −1; the compiler cannot find that out, and so keeps the sum.
template <typename Real, bool IS_ROOT>
__global__ void __launch_bounds__(RATES_THREADS) arithmetic_kernel(Real factor, Real term, Real *sink)
{
    Real chain[RATES_CHAINS];
#pragma unroll
    for (int k = 0; k < RATES_CHAINS; k++)
        chain[k] = static_cast<Real>(1 + threadIdx.x + k);
#pragma unroll 4
    for (int round = 0; round < RATES_ROUNDS; round++)
#pragma unroll
        for (int k = 0; k < RATES_CHAINS; k++)
            chain[k] = IS_ROOT ? root(chain[k]) : fma(chain[k], factor, term);
    Real sum = 0;
#pragma unroll
    for (int k = 0; k < RATES_CHAINS; k++)
        sum += chain[k];
    if (sum == static_cast<Real>(-1))
        *sink = sum;
}

// As many words as the others do operations: a thread draws digit after digit of one quad.
__global__ void __launch_bounds__(RATES_THREADS) draws_kernel(philox_key key, unsigned *sink)
{
    const uint64_t quad = blockIdx.x * static_cast<uint64_t>(RATES_THREADS) + threadIdx.x;
    const philox::drawer from = philox::drawer_of(key, quad, 1);
    uint32_t together = 0;
    for (uint32_t round = 0; round < RATES_ROUNDS * (RATES_CHAINS / 4); round++) {
        uint32_t words[4];
        philox::draw(key, from, round << 2, words);
        together |= words[0] & words[1] & words[2] & words[3];
    }
    if (together == 0) // hardly ever
        *sink = 1;
}

template <bool IS_ROOT>
cudaError_t launch(enum element precision, unsigned blocks, void *sink, cudaStream_t stream)
{
    return kernels::launch(precision, [&](auto real) {
        typedef decltype(real) Real;
        arithmetic_kernel<Real, IS_ROOT><<<blocks, RATES_THREADS, 0, stream>>>(
            static_cast<Real>(0.5), static_cast<Real>(1), static_cast<Real *>(sink));
    });
}

} // namespace

extern "C" cudaError_t rates_fma(enum element precision, unsigned blocks, void *sink, cudaStream_t stream)
{
    return launch<false>(precision, blocks, sink, stream);
}

extern "C" cudaError_t rates_rsqrt(enum element precision, unsigned blocks, void *sink, cudaStream_t stream)
{
    return launch<true>(precision, blocks, sink, stream);
}

extern "C" cudaError_t rates_draws(enum element, unsigned blocks, void *sink, cudaStream_t stream)
{
    draws_kernel<<<blocks, RATES_THREADS, 0, stream>>>(philox_key_from_seed(1),
                                                       static_cast<unsigned *>(sink));
    return cudaGetLastError();
}
