// Sums on the device in the order of core/statistics.h, so that they have the host's bits: blocks of 4096 by
// index, eight lanes in each, the blocks' sums added in their order with compensation. Knows no model.
#ifndef FATHOM_GPU_BLOCK_SUMS_CUH
#define FATHOM_GPU_BLOCK_SUMS_CUH

#include "core/statistics.h"

namespace block_sums {

enum { THREADS = 256, PIECE = 256 };
static_assert(STATISTICS_BLOCK % PIECE == 0 && PIECE % STATISTICS_LANES == 0, "lanes begin with every piece");

inline size_t blocks_of(size_t count)
{
    return (count + STATISTICS_BLOCK - 1) / STATISTICS_BLOCK;
}

// The lanes of one block of a sum, as core/statistics.c adds them.
__device__ __forceinline__ double add_lanes(const double *lane)
{
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

// As core/statistics.c adds blocks: Neumaier's compensation; an infinite total keeps none.
__device__ __forceinline__ void compensated_add(double *total, double *compensation, double value)
{
    const double next = *total + value;
    if (isfinite(next)) {
        if (fabs(*total) >= fabs(value))
            *compensation += (*total - next) + value;
        else
            *compensation += (value - next) + *total;
    }
    *total = next;
}

// One thread block a block of SUMS sums. `terms(index, values)` gives what element `index` adds to each; what
// is beyond the end adds +0, which changes no bit of a sum that began with +0. To partial [block][SUMS].
template <int SUMS, typename Terms>
__global__ void __launch_bounds__(THREADS) blocks_kernel(const Terms terms, size_t count, double *partial)
{
    static_assert(SUMS * STATISTICS_LANES <= THREADS, "a thread a lane");
    __shared__ double values[SUMS][PIECE];
    __shared__ double lanes[SUMS][STATISTICS_LANES];
    const int thread = static_cast<int>(threadIdx.x);
    const int lane = thread % STATISTICS_LANES, sum = thread / STATISTICS_LANES;
    const size_t begin = static_cast<size_t>(blockIdx.x) * STATISTICS_BLOCK;
    double total = 0;
    for (int piece = 0; piece < STATISTICS_BLOCK; piece += PIECE) {
        const size_t index = begin + static_cast<size_t>(piece + thread);
        double value[SUMS] = {};
        if (index < count)
            terms(index, value);
        for (int s = 0; s < SUMS; s++)
            values[s][thread] = value[s];
        __syncthreads();
        if (sum < SUMS)
            for (int k = lane; k < PIECE; k += STATISTICS_LANES)
                total += values[sum][k];
        __syncthreads();
    }
    if (sum < SUMS)
        lanes[sum][lane] = total;
    __syncthreads();
    if (thread < SUMS)
        partial[static_cast<size_t>(blockIdx.x) * SUMS + static_cast<size_t>(thread)] =
            add_lanes(lanes[thread]);
}

// One thread block: the blocks' sums, combined, to sums [SUMS]; then `finish(sums)` by its first thread.
template <int SUMS, typename Finish>
__global__ void __launch_bounds__(THREADS)
    total_kernel(const double *partial, size_t blocks, double *sums, const Finish finish)
{
    enum { BLOCKS = 128 };
    __shared__ double loaded[BLOCKS * SUMS];
    const int thread = static_cast<int>(threadIdx.x);
    double total = 0, compensation = 0;
    for (size_t first = 0; first < blocks; first += BLOCKS) {
        const int count = static_cast<int>(blocks - first < BLOCKS ? blocks - first : BLOCKS);
        for (int k = thread; k < count * SUMS; k += THREADS)
            loaded[k] = partial[first * SUMS + static_cast<size_t>(k)];
        __syncthreads();
        if (thread < SUMS)
            for (int b = 0; b < count; b++)
                compensated_add(&total, &compensation, loaded[b * SUMS + thread]);
        __syncthreads();
    }
    if (thread < SUMS)
        sums[thread] = total + compensation;
    __syncthreads();
    if (thread == 0)
        finish(sums);
}

} // namespace block_sums

#endif
