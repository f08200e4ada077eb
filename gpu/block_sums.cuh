// Sums on the device in the order of core/statistics.h, so that they have the host's bits: blocks of 4096 by
// index, eight lanes in each, the blocks' sums added in their order with compensation. Independent of models.
#ifndef FATHOM_GPU_BLOCK_SUMS_CUH
#define FATHOM_GPU_BLOCK_SUMS_CUH

#include "core/statistics.h"
#include "gpu/inline.cuh"

namespace block_sums {

enum { THREADS = 256, PIECE = 256 };
static_assert(STATISTICS_BLOCK % PIECE == 0 && PIECE % STATISTICS_LANES == 0, "lanes begin with every piece");

inline size_t blocks_of(size_t count)
{
    return (count + STATISTICS_BLOCK - 1) / STATISTICS_BLOCK;
}

// The lanes of one block of a sum, as core/statistics.c adds them.
DEVICE double add_lanes(const double *lane)
{
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

// As core/statistics.c adds blocks: Neumaier's compensation; an infinite total keeps none.
DEVICE void compensated_add(double *total, double *compensation, double value)
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

// Adds a lane's terms of a piece of sum `sum` in index order; nothing if `sum` is SUMS or more. All threads
// call it, after they have written their terms.
template <int SUMS, int TERMS>
DEVICE void add_piece(const double (&terms)[SUMS][TERMS], int sum, int lane, double &total)
{
    __syncthreads();
    if (sum < SUMS)
        for (int k = lane; k < TERMS; k += STATISTICS_LANES)
            total += terms[sum][k];
    __syncthreads();
}

// Passes partial [blocks][NUMBERS] through shared memory: all TEAM threads call use(numbers, count), `count`
// blocks at a time.
template <int NUMBERS, int TEAM, typename Use>
DEVICE void pass_blocks(const double *partial, size_t blocks, const Use &use)
{
    enum { BLOCKS = 128 };
    __shared__ double loaded[BLOCKS * NUMBERS];
    const int thread = static_cast<int>(threadIdx.x);
    for (size_t first = 0; first < blocks; first += BLOCKS) {
        const int count = static_cast<int>(blocks - first < BLOCKS ? blocks - first : BLOCKS);
        for (int k = thread; k < count * NUMBERS; k += TEAM)
            loaded[k] = partial[first * NUMBERS + static_cast<size_t>(k)];
        __syncthreads();
        use(loaded, count);
        __syncthreads();
    }
}

// A thread block for each block of SUMS sums, to partial [block][SUMS]. `terms(index, values)`: what element
// `index` adds to each. Elements beyond the end add +0, which changes no bit of a sum that began with +0.
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
        add_piece(values, sum, lane, total);
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
    const int thread = static_cast<int>(threadIdx.x);
    double total = 0, compensation = 0;
    pass_blocks<SUMS, THREADS>(partial, blocks, [&](const double *loaded, int count) {
        if (thread < SUMS)
            for (int b = 0; b < count; b++)
                compensated_add(&total, &compensation, loaded[b * SUMS + thread]);
    });
    if (thread < SUMS)
        sums[thread] = total + compensation;
    __syncthreads();
    if (thread == 0)
        finish(sums);
}

} // namespace block_sums

#endif
