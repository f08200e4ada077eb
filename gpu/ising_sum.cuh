// How sums over the words of lattices are shared out among blocks, and added up: integers, the same in any order.
#ifndef FATHOM_GPU_ISING_SUM_CUH
#define FATHOM_GPU_ISING_SUM_CUH

#include "models/ising/place.h"

namespace ising {

constexpr unsigned SUM_THREADS = 128;
constexpr int64_t PIECE_WORDS = 8192; // of a plane: what a block has to count is worth its beginning

// A lattice is cut into pieces of so many rows, a block each.
struct pieces {
    int64_t rows, count; // rows of a piece; pieces of a replica
};

inline pieces pieces_of(const ising_words &l)
{
    const int64_t wanted = PIECE_WORDS / l.words > 1 ? PIECE_WORDS / l.words : 1;
    const int64_t rows = wanted < l.rows ? wanted : l.rows;
    return {rows, (l.rows + rows - 1) / rows};
}

// Words across, rows down.
inline dim3 threads_for(const ising_words &l)
{
    unsigned across = 1;
    while (across < SUM_THREADS && across < l.words)
        across *= 2;
    return dim3(across, SUM_THREADS / across);
}

// Adds sign · (the threads' values) + once, of a block of SUM_THREADS, to a sum. All of the block's threads call it.
__device__ __forceinline__ void add_in_block(long long value, long long *sum, long long once, int sign)
{
    __shared__ long long warps[SUM_THREADS / 32];
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_down_sync(0xffffffffu, value, step);
    if (thread % 32 == 0)
        warps[thread / 32] = value;
    __syncthreads();
    if (thread == 0) {
        long long all = 0;
        for (unsigned k = 0; k < SUM_THREADS / 32; k++)
            all += warps[k];
        atomicAdd(reinterpret_cast<unsigned long long *>(sum),
                  static_cast<unsigned long long>(once + sign * all));
    }
    __syncthreads();
}

} // namespace ising

#endif
