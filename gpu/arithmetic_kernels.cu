// Kernels that do one kind of arithmetic and nothing else (see the header).
#include "gpu/arithmetic_kernels.h"
#include "gpu/ising/draw.cuh"

namespace {

__device__ __forceinline__ float root(float x)
{
    float y;
    asm volatile("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

__device__ __forceinline__ double root(double x)
{
    double y;
    asm volatile("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    return y;
}

// What comes out is never what it is compared with, which the compiler cannot know.
template <typename Real, bool IS_ROOT>
__global__ void __launch_bounds__(ARITHMETIC_THREADS) arithmetic_kernel(Real factor, Real term, Real *sink)
{
    Real chain[ARITHMETIC_CHAINS];
#pragma unroll
    for (int k = 0; k < ARITHMETIC_CHAINS; k++)
        chain[k] = static_cast<Real>(1 + threadIdx.x + k);
#pragma unroll 4
    for (int turn = 0; turn < ARITHMETIC_TURNS; turn++)
#pragma unroll
        for (int k = 0; k < ARITHMETIC_CHAINS; k++)
            chain[k] = IS_ROOT ? root(chain[k]) : fma(chain[k], factor, term);
    Real sum = 0;
#pragma unroll
    for (int k = 0; k < ARITHMETIC_CHAINS; k++)
        sum += chain[k];
    if (sum == static_cast<Real>(-1))
        *sink = sum;
}

// As many words as the others do operations: of digit after digit of a quad a thread.
__global__ void __launch_bounds__(ARITHMETIC_THREADS) draws_kernel(philox_key key, unsigned *sink)
{
    const uint64_t quad = blockIdx.x * static_cast<uint64_t>(ARITHMETIC_THREADS) + threadIdx.x;
    const ising::drawer from = ising::drawer_of(key, quad, 1);
    uint32_t together = 0;
    for (uint32_t turn = 0; turn < ARITHMETIC_TURNS * (ARITHMETIC_CHAINS / 4); turn++) {
        uint32_t words[4];
        ising::draw(key, from, turn << 2, words);
        together |= words[0] & words[1] & words[2] & words[3];
    }
    if (together == 0) // hardly ever
        *sink = 1;
}

template <typename Real, bool IS_ROOT> cudaError_t launch(unsigned blocks, void *sink, cudaStream_t stream)
{
    arithmetic_kernel<Real, IS_ROOT><<<blocks, ARITHMETIC_THREADS, 0, stream>>>(
        static_cast<Real>(0.5), static_cast<Real>(1), static_cast<Real *>(sink));
    return cudaGetLastError();
}

} // namespace

extern "C" cudaError_t arithmetic_fma(enum element precision, unsigned blocks, void *sink,
                                      cudaStream_t stream)
{
    return precision == ELEMENT_F32 ? launch<float, false>(blocks, sink, stream)
                                    : launch<double, false>(blocks, sink, stream);
}

extern "C" cudaError_t arithmetic_rsqrt(enum element precision, unsigned blocks, void *sink,
                                        cudaStream_t stream)
{
    return precision == ELEMENT_F32 ? launch<float, true>(blocks, sink, stream)
                                    : launch<double, true>(blocks, sink, stream);
}

extern "C" cudaError_t arithmetic_draws(enum element, unsigned blocks, void *sink, cudaStream_t stream)
{
    draws_kernel<<<blocks, ARITHMETIC_THREADS, 0, stream>>>(philox_key_from_seed(1),
                                                            static_cast<unsigned *>(sink));
    return cudaGetLastError();
}
