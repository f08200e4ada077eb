// Sums over the words of lattices, divided among blocks: of integers, the same in any order.
#ifndef FATHOM_GPU_ISING_SUM_CUH
#define FATHOM_GPU_ISING_SUM_CUH

#include "gpu/ising/kernels.h"
#include "gpu/ising/row.cuh"

namespace ising {
namespace {

constexpr unsigned SUM_THREADS = 128;
// Least number of a plane's words for a block of a launch; and for a block that is resident anyway.
constexpr int64_t PIECE_WORDS = 8192, FEW_PIECE_WORDS = 256;

// Rows first … end − 1 of a lattice are divided into pieces of some rows, a block each.
struct pieces {
    int64_t rows, count; // rows of a piece; pieces of a replica
    int64_t first, end;
};

inline pieces pieces_of(const ising_words &l, int64_t first, int64_t end, int64_t piece_words = PIECE_WORDS)
{
    const int64_t wanted = piece_words / l.words > 1 ? piece_words / l.words : 1;
    const int64_t rows = wanted < end - first ? wanted : end - first;
    return {rows, (end - first + rows - 1) / rows, first, end};
}

// Of a piece, numbered in its replica.
struct piece_rows {
    int64_t first, end;
};
DEVICE piece_rows rows_of_piece(const pieces &p, int64_t number)
{
    const int64_t first = p.first + number * p.rows;
    return {first, first + p.rows < p.end ? first + p.rows : p.end};
}

// Words, or quads of them, across; rows down.
inline dim3 threads_for(const ising_words &l, int64_t together = 1)
{
    unsigned across = 1;
    while (across < SUM_THREADS && across * together < l.words)
        across *= 2;
    return dim3(across, SUM_THREADS / across);
}

// Adds sign · (the threads' values) + once, of a block of SUM_THREADS, to a sum. All of the block's threads
// call it.
DEVICE void add_in_block(long long value, long long *sum, long long once, int sign)
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

// As in openmp.c: bonds between unlike spins, to both sides of and below a row's spins of even x, and below
// those of odd x; spins up.
struct counted {
    long long unlike, up;
};

DEVICE int count_bits(const uint4 &w)
{
    return __popc(w.x) + __popc(w.y) + __popc(w.z) + __popc(w.w);
}

DEVICE int count_unlike(const uint4 &a, const uint4 &b)
{
    return __popc(a.x ^ b.x) + __popc(a.y ^ b.y) + __popc(a.z ^ b.z) + __popc(a.w ^ b.w);
}

DEVICE void count_quad(const ising_words &l, const uint32_t *words, int64_t replica, int64_t row,
                       int64_t first, counted &c)
{
    const int64_t below = ising_row_below(&l, row);
    const uint4 even = *quad_at(l, words, replica, 0, row, first);
    const uint4 odd = *quad_at(l, words, replica, 1, row, first);
    const uint4 below_even = *quad_at(l, words, replica, 0, below, first);
    const uint4 below_odd = *quad_at(l, words, replica, 1, below, first);
    uint32_t other[4];
    take_other_side(l, words, replica, 0, row, first, odd, other);
    c.up += count_bits(even) + count_bits(odd);
    c.unlike += count_unlike(even, odd) + count_unlike(even, {other[0], other[1], other[2], other[3]}) +
                count_unlike(even, below_even) + count_unlike(odd, below_odd);
}

DEVICE void count_word(const ising_words &l, const uint32_t *words, int64_t replica, int64_t row,
                       int64_t word, counted &c)
{
    for (int plane = 0; plane < 2; plane++) {
        const uint32_t spins = words[ising_word_at(&l, replica, plane, row, word)];
        uint32_t neighbours[ISING_NEIGHBOUR_WORDS];
        ising_neighbour_words(&l, words, replica, plane, row, word, neighbours);
        c.up += __popc(spins);
        c.unlike += __popc(spins ^ neighbours[ISING_BELOW]);
        if (plane == 0)
            c.unlike +=
                __popc(spins ^ neighbours[ISING_SAME_SIDE]) + __popc(spins ^ neighbours[ISING_OTHER_SIDE]);
    }
}

// The shape of a block that measures.
inline dim3 measuring_threads(const ising_words &l)
{
    return threads_for(l, l.words % 4 == 0 ? 4 : 1);
}

// Adds a piece of a replica (its number: replica · pieces + piece) to the measure of the replica.
DEVICE void measure_piece(const ising_words &l, const uint32_t *words, const pieces &p, int64_t number,
                          long long *measures)
{
    const int64_t replica = number / p.count;
    const piece_rows rows = rows_of_piece(p, number % p.count);
    const bool are_whole = l.words % 4 == 0;
    const int64_t across = are_whole ? l.words / 4 : l.words;
    counted c = {0, 0};
    for (int64_t row = rows.first + threadIdx.y; row < rows.end; row += blockDim.y)
        for (int64_t place = threadIdx.x; place < across; place += blockDim.x)
            if (are_whole)
                count_quad(l, words, replica, row, 4 * place, c);
            else
                count_word(l, words, replica, row, place, c);
    const long long sites = (rows.end - rows.first) * 2 * l.words * l.bits;
    add_in_block(2 * c.unlike, &measures[replica * ISING_MEASURE_NUMBERS], 2 * sites, -1);
    add_in_block(2 * c.up, &measures[replica * ISING_MEASURE_NUMBERS + 1], -sites, 1);
}

} // namespace
} // namespace ising

#endif
