// Σ s s' at distances along the axes, and the sums of rows and columns, of lattices of the Ising model, on
// the device.
#include "gpu/ising/kernels.h"
#include "gpu/ising/sum.cuh"
#include "gpu/launch.cuh"

namespace ising {
namespace {

// The spins `shift` positions to the right of those of a word (models/ising/state.h, WORDS), of a plane's
// row; `beyond`: the row that continues it.
DEVICE uint32_t shifted_word(const ising_words &l, const uint32_t *row, const uint32_t *beyond, int64_t word,
                             int64_t shift)
{
    const int64_t to = word + shift, from = to % l.words;
    const int bits = static_cast<int>(to / l.words); // shift within the word, ≤ l.bits
    const uint32_t near = bits < l.bits ? row[from] >> bits : 0;
    return near | (bits > 0 ? beyond[from] << (l.bits - bits) & ising_word_mask(l.bits) : 0);
}

// Unlike pairs of one word with those `distance` to the right.
__device__ int unlike_right(const ising_words &l, const uint32_t *words, int64_t replica, int plane,
                            int64_t row, int64_t word, int64_t distance)
{
    const int64_t columns = 2 * l.words * l.bits;
    const int64_t across = distance % columns, down = l.is_helical ? distance / columns % l.rows : 0;
    const int other = static_cast<int>((plane + across) & 1);
    const int64_t from = (row + down) % l.rows, next = l.is_helical ? (from + 1) % l.rows : from;
    const uint32_t theirs =
        shifted_word(l, words + ising_word_at(&l, replica, other, from, 0),
                     words + ising_word_at(&l, replica, other, next, 0), word, (plane + across) / 2);
    return __popc(words[ising_word_at(&l, replica, plane, row, word)] ^ theirs);
}

__device__ int unlike_below(const ising_words &l, const uint32_t *words, int64_t replica, int plane,
                            int64_t row, int64_t word, int64_t distance)
{
    return __popc(words[ising_word_at(&l, replica, plane, row, word)] ^
                  words[ising_word_at(&l, replica, plane, (row + distance) % l.rows, word)]);
}

__global__ void __launch_bounds__(SUM_THREADS)
    correlate_kernel(const ising_words l, const uint32_t *__restrict__ words, const pieces p,
                     const __grid_constant__ ising_device_distances distances, long long *sums)
{
    const int64_t replica = blockIdx.x / p.count;
    const piece_rows rows = rows_of_piece(p, blockIdx.x % p.count);
    const int64_t distance = distances.distance[blockIdx.y];
    const bool is_down = blockIdx.z == 1;
    long long unlike = 0;
    for (int64_t row = rows.first + threadIdx.y; row < rows.end; row += blockDim.y)
        for (int64_t word = threadIdx.x; word < l.words; word += blockDim.x)
            for (int plane = 0; plane < 2; plane++)
                unlike += is_down ? unlike_below(l, words, replica, plane, row, word, distance)
                                  : unlike_right(l, words, replica, plane, row, word, distance);
    const long long sites = (rows.end - rows.first) * 2 * l.words * l.bits;
    add_in_block(2 * unlike, &sums[(replica * 2 + blockIdx.z) * distances.count + blockIdx.y], sites, -1);
}

// Σ s s' of one word with a word of a visitor's row, if the visitor has the row, in the bits of `mask`.
DEVICE int with_visitor(const ising_words &l, const ising_device_visitor &v, int plane, int64_t row,
                        int64_t word, uint32_t own, int shift, uint32_t mask)
{
    if (row < v.first || row >= v.end || mask == 0)
        return 0;
    const uint32_t theirs = v.words[(plane * (v.end - v.first) + row - v.first) * l.words + word];
    const uint32_t shifted = shift >= 0 ? theirs >> shift : theirs << -shift;
    return __popc(mask) - 2 * __popc((own ^ shifted) & mask);
}

// As unlike_right: the bits up to the seam are of one row, those beyond it of another.
__device__ int right_with_visitor(const ising_words &l, const ising_device_visitor &v, uint32_t own,
                                  int plane, int64_t row, int64_t word, int64_t distance)
{
    const int64_t columns = 2 * l.words * l.bits;
    const int64_t across = distance % columns, down = l.is_helical ? distance / columns % l.rows : 0;
    const int other = static_cast<int>((plane + across) & 1);
    const int64_t from = (row + down) % l.rows, next = l.is_helical ? (from + 1) % l.rows : from;
    const int64_t to = word + (plane + across) / 2, place = to % l.words;
    const int bits = static_cast<int>(to / l.words); // ≤ l.bits
    const uint32_t all = ising_word_mask(l.bits), near = bits < l.bits ? all >> bits : 0;
    return with_visitor(l, v, other, from, place, own, bits, near) +
           with_visitor(l, v, other, next, place, own, bits - l.bits, all & ~near);
}

__global__ void __launch_bounds__(SUM_THREADS)
    visitor_kernel(const ising_words l, const uint32_t *__restrict__ words, const pieces p, int64_t replica,
                   const ising_device_visitor visitor,
                   const __grid_constant__ ising_device_distances distances, long long *sums)
{
    const piece_rows rows = rows_of_piece(p, blockIdx.x);
    const int64_t distance = distances.distance[blockIdx.y];
    const bool is_down = blockIdx.z == 1;
    long long sum = 0;
    for (int64_t row = rows.first + threadIdx.y; row < rows.end; row += blockDim.y)
        for (int64_t word = threadIdx.x; word < l.words; word += blockDim.x)
            for (int plane = 0; plane < 2; plane++) {
                const uint32_t own = words[ising_word_at(&l, replica, plane, row, word)];
                sum += is_down ? with_visitor(l, visitor, plane, (row + distance) % l.rows, word, own, 0,
                                              ising_word_mask(l.bits))
                               : right_with_visitor(l, visitor, own, plane, row, word, distance);
            }
    add_in_block(sum, &sums[(replica * 2 + blockIdx.z) * distances.count + blockIdx.y], 0, 1);
}

// A warp a row.
__global__ void __launch_bounds__(SUM_THREADS)
    rows_kernel(const ising_words l, const uint32_t *__restrict__ words, const pieces p, long long *sums)
{
    const int64_t own = p.end - p.first;
    const int64_t columns = 2 * l.words * l.bits, step = gridDim.x * static_cast<int64_t>(SUM_THREADS / 32);
    const unsigned lane = threadIdx.x % 32;
    for (int64_t line = blockIdx.x * static_cast<int64_t>(SUM_THREADS / 32) + threadIdx.x / 32;
         line < l.replicas * own; line += step) {
        const int64_t replica = line / own, row = p.first + line % own;
        int up = 0;
        for (int64_t k = lane; k < 2 * l.words; k += 32)
            up += __popc(words[ising_word_at(&l, replica, static_cast<int>(k / l.words), row, k % l.words)]);
        up = __reduce_add_sync(0xffffffffu, up);
        if (lane == 0)
            sums[replica * (l.rows + columns) + row] = 2 * static_cast<long long>(up) - columns;
    }
}

// A thread a word of a plane, over the rows of a piece.
__global__ void __launch_bounds__(SUM_THREADS)
    columns_kernel(const ising_words l, const uint32_t *__restrict__ words, const pieces p, long long *sums)
{
    const int64_t replica = blockIdx.x / p.count, columns = 2 * l.words * l.bits;
    const piece_rows rows = rows_of_piece(p, blockIdx.x % p.count);
    for (int64_t k = blockIdx.y * static_cast<int64_t>(SUM_THREADS) + threadIdx.x; k < 2 * l.words;
         k += gridDim.y * static_cast<int64_t>(SUM_THREADS)) {
        const int plane = static_cast<int>(k / l.words);
        const int64_t word = k % l.words;
        int up[32] = {};
        for (int64_t row = rows.first; row < rows.end; row++) {
            const uint32_t spins = words[ising_word_at(&l, replica, plane, row, word)];
#pragma unroll
            for (int bit = 0; bit < 32; bit++)
                up[bit] += spins >> bit & 1;
        }
        long long *to = &sums[replica * (l.rows + columns) + l.rows + plane];
#pragma unroll
        for (int bit = 0; bit < 32; bit++)
            if (bit < l.bits)
                atomicAdd(reinterpret_cast<unsigned long long *>(&to[2 * (bit * l.words + word)]),
                          static_cast<unsigned long long>(2 * static_cast<long long>(up[bit]) -
                                                          (rows.end - rows.first)));
    }
}

unsigned at_most(int64_t blocks, int64_t most)
{
    return static_cast<unsigned>(blocks < most ? blocks : most);
}

} // namespace
} // namespace ising

using namespace ising;

extern "C" cudaError_t ising_device_correlate(const struct ising_device_lattice *lattice,
                                              const struct ising_device_distances *distances, long long *sums,
                                              cudaStream_t stream)
{
    const ising_words &l = lattice->layout;
    const pieces p = pieces_of(l, lattice->first, lattice->end);
    const cudaError_t error = cudaMemsetAsync(
        sums, 0, static_cast<size_t>(l.replicas * 2 * distances->count) * sizeof *sums, stream);
    if (error != cudaSuccess)
        return error;
    const dim3 blocks(static_cast<unsigned>(l.replicas * p.count), static_cast<unsigned>(distances->count),
                      2);
    correlate_kernel<<<blocks, threads_for(l), 0, stream>>>(l, lattice->words, p, *distances, sums);
    return cudaGetLastError();
}

extern "C" cudaError_t ising_device_correlate_visitor(const struct ising_device_lattice *lattice,
                                                      int64_t replica,
                                                      const struct ising_device_visitor *visitor,
                                                      const struct ising_device_distances *distances,
                                                      long long *sums, cudaStream_t stream)
{
    const ising_words &l = lattice->layout;
    const pieces p = pieces_of(l, lattice->first, lattice->end);
    const dim3 blocks(static_cast<unsigned>(p.count), static_cast<unsigned>(distances->count), 2);
    visitor_kernel<<<blocks, threads_for(l), 0, stream>>>(l, lattice->words, p, replica, *visitor, *distances,
                                                          sums);
    return cudaGetLastError();
}

extern "C" cudaError_t ising_device_add_lines(const struct ising_device_lattice *lattice, long long *sums,
                                              cudaStream_t stream)
{
    const ising_words &l = lattice->layout;
    const pieces p = pieces_of(l, lattice->first, lattice->end);
    const int64_t columns = 2 * l.words * l.bits, lines = l.replicas * (p.end - p.first);
    const cudaError_t error =
        cudaMemsetAsync(sums, 0, static_cast<size_t>(l.replicas * (l.rows + columns)) * sizeof *sums, stream);
    if (error != cudaSuccess)
        return error;
    rows_kernel<<<at_most((lines + SUM_THREADS / 32 - 1) / (SUM_THREADS / 32), 1 << 16), SUM_THREADS, 0,
                  stream>>>(l, lattice->words, p, sums);
    const dim3 blocks(static_cast<unsigned>(l.replicas * p.count),
                      at_most((2 * l.words + SUM_THREADS - 1) / SUM_THREADS, 1 << 15));
    columns_kernel<<<blocks, SUM_THREADS, 0, stream>>>(l, lattice->words, p, sums);
    return cudaGetLastError();
}

extern "C" cudaError_t ising_device_load_correlations(void)
{
    return kernels::load(correlate_kernel, visitor_kernel, rows_kernel, columns_kernel);
}
