// The spins of state.h's words as rows in their order, 64 sites a word, and back: a warp has one word of each
// of some lines (rows of all replicas).
#include "gpu/inline.cuh"
#include "gpu/ising/clusters_kernels.h"
#include "gpu/launch.cuh"

namespace ising {
namespace {

constexpr unsigned THREADS = 256, WARPS = THREADS / 32, ALL_LANES = 0xffffffffu;
enum { LINES_PER_WARP = 16 };

struct rows_view {
    ising_words layout;
    unsigned columns;
    int64_t row_words;
    uint64_t *rows;
    uint32_t *words;
};

DEVICE int64_t warp_number()
{
    return (blockIdx.x * static_cast<int64_t>(THREADS) + threadIdx.x) / 32;
}

// A line, and the index of its plane 0 among the words.
struct line_cursor {
    int64_t line, end, row, start;
};

DEVICE line_cursor first_line(const ising_words &l, int64_t group)
{
    const int64_t lines = l.replicas * l.rows, line = group * LINES_PER_WARP;
    const int64_t replica = line / l.rows, row = line - replica * l.rows, end = line + LINES_PER_WARP;
    return {line, end < lines ? end : lines, row, ising_word_at(&l, replica, 0, row, 0)};
}

DEVICE void next_line(const ising_words &l, line_cursor &at)
{
    at.line++;
    at.row++;
    at.start += l.words;
    if (at.row == l.rows) { // past the other plane
        at.row = 0;
        at.start += l.rows * l.words;
    }
}

__global__ void __launch_bounds__(THREADS) spread_kernel(const __grid_constant__ rows_view view)
{
    const ising_words &l = view.layout;
    const int64_t row_words = view.row_words;
    const int64_t group = warp_number() / row_words, word = warp_number() - group * row_words;
    const unsigned words = static_cast<unsigned>(l.words);
    unsigned bits[2];
    int64_t places[2]; // −1: beyond the row's end
    for (int half = 0; half < 2; half++) {
        const unsigned x = static_cast<unsigned>(word) * 64 + 32 * half + threadIdx.x % 32;
        bits[half] = x / 2 / words;
        places[half] = x < view.columns ? x % 2 * l.rows * l.words + x / 2 % words : -1;
    }
    for (line_cursor at = first_line(l, group); at.line < at.end; next_line(l, at)) {
        const uint32_t *const from = view.words + at.start;
        const bool low = places[0] >= 0 && (from[places[0]] >> bits[0] & 1);
        const bool high = places[1] >= 0 && (from[places[1]] >> bits[1] & 1);
        const uint64_t row =
            __ballot_sync(ALL_LANES, low) | static_cast<uint64_t>(__ballot_sync(ALL_LANES, high)) << 32;
        if (threadIdx.x % 32 == 0)
            view.rows[at.line * row_words + word] = row;
    }
}

// A lane a bit of a plane's word.
__global__ void __launch_bounds__(THREADS) gather_kernel(const __grid_constant__ rows_view view)
{
    const ising_words &l = view.layout;
    const int64_t in_line = 2 * l.words;
    const int64_t group = warp_number() / in_line, number = warp_number() - group * in_line;
    const int64_t plane = number / l.words, word = number - plane * l.words;
    const unsigned lane = threadIdx.x % 32;
    const uint32_t x = static_cast<uint32_t>(2 * (lane * l.words + word) + plane);
    const bool has_site = lane < static_cast<unsigned>(l.bits);
    const uint32_t *const rows = reinterpret_cast<const uint32_t *>(view.rows) + x / 32; // little-endian
    uint32_t *const to = view.words + plane * l.rows * l.words + word;
    for (line_cursor at = first_line(l, group); at.line < at.end; next_line(l, at)) {
        const bool is_up = has_site && (rows[at.line * 2 * view.row_words] >> (x % 32) & 1);
        const uint32_t spins = __ballot_sync(ALL_LANES, is_up);
        if (lane == 0)
            to[at.start] = spins;
    }
}

rows_view view_of(const clusters_arrays *arrays, const ising_device_lattice *lattice)
{
    ising_words l = lattice->layout;
    l.rows = l.held; // all of them, from the memory's beginning on
    return {l, static_cast<unsigned>(2 * l.words * l.bits), arrays->row_words, arrays->rows,
            lattice->words + lattice->first_held * l.words};
}

// Of a warp for each word of a row, and for each group of lines.
unsigned blocks_for(const ising_words &l, int64_t in_row)
{
    const int64_t groups = (l.replicas * l.rows + LINES_PER_WARP - 1) / LINES_PER_WARP;
    return static_cast<unsigned>((groups * in_row + WARPS - 1) / WARPS);
}

} // namespace
} // namespace ising

using namespace ising;

extern "C" cudaError_t clusters_spread(const struct clusters_arrays *arrays,
                                       const struct ising_device_lattice *lattice, cudaStream_t stream)
{
    const rows_view view = view_of(arrays, lattice);
    spread_kernel<<<blocks_for(view.layout, view.row_words), THREADS, 0, stream>>>(view);
    return cudaGetLastError();
}

extern "C" cudaError_t clusters_gather(const struct clusters_arrays *arrays,
                                       const struct ising_device_lattice *lattice, cudaStream_t stream)
{
    const rows_view view = view_of(arrays, lattice);
    gather_kernel<<<blocks_for(view.layout, 2 * view.layout.words), THREADS, 0, stream>>>(view);
    return cudaGetLastError();
}

extern "C" cudaError_t clusters_rows_load(void)
{
    return kernels::load(spread_kernel, gather_kernel);
}
