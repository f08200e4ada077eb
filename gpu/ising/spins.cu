// Sweeps of the Ising model with 32 spins in each word and one launch for each sublattice. A thread treats
// four words at a time, which share the outputs of each call of the random generator. For lattices that fill
// the device; resident.cu and small.cu have the sweeps of smaller ones.
#include "gpu/ising/flip.cuh"
#include "gpu/ising/kernels.h"
#include "gpu/launch.cuh"

namespace ising {
namespace {

constexpr unsigned THREADS = 128;
// With fewer quads there are too few threads to hide latencies.
constexpr int64_t FEW_QUADS = 200000;

struct sublattice_view {
    sweep_view sweep;
    uint32_t number;
    int sublattice;
    ising_row_set rows;
};

// The same rows as ranges of words in the order of their random numbers, `length` each; `in_replica` of them
// in each replica.
struct word_ranges {
    int64_t count, in_replica, first, step, replica_words, length;
};

// If there are few threads, each draws more digits at a time, and so waits less often.
template <bool are_few>
using sublattice_draws = std::conditional_t<are_few, draws_now<12, 4>, draws_now<8, 1>>;

template <deciding how, bool are_few>
__global__ void __launch_bounds__(THREADS) sweep_rows_kernel(const __grid_constant__ sublattice_view view)
{
    const ising_words &l = view.sweep.layout;
    const unsigned quads = static_cast<unsigned>(l.words / 4), in_row = blockIdx.x * blockDim.x + threadIdx.x;
    if (in_row >= quads)
        return;
    for (int64_t line = blockIdx.y * blockDim.y + threadIdx.y; line < l.replicas * view.rows.count;
         line += gridDim.y * blockDim.y) {
        const int64_t replica = line / view.rows.count,
                      row = view.rows.first + (line - replica * view.rows.count) * view.rows.step;
        const sublattice_draws<are_few> draws(view.sweep.rule.keys,
                                              static_cast<uint64_t>(replica * l.rows + row) * quads + in_row,
                                              view.number, view.sublattice);
        flip_row_quad<how>(view.sweep, draws, view.sublattice, replica, row, in_row);
    }
}

template <deciding how, bool are_few>
__global__ void __launch_bounds__(THREADS) sweep_kernel(const __grid_constant__ sublattice_view view)
{
    const int64_t words = count_words(view.sweep.layout), quads = count_quads(view.sweep.layout);
    for (int64_t quad = blockIdx.x * static_cast<int64_t>(THREADS) + threadIdx.x; quad < quads;
         quad += gridDim.x * static_cast<int64_t>(THREADS)) {
        const sublattice_draws<are_few> draws(view.sweep.rule.keys, static_cast<uint64_t>(quad), view.number,
                                              view.sublattice);
        flip_any_quad<how>(view.sweep, draws, view.sublattice, quad, 0, words);
    }
}

// Of a part of the rows: a quad that has words of several ranges is drawn for each.
template <deciding how>
__global__ void __launch_bounds__(THREADS)
    sweep_part_kernel(const __grid_constant__ sublattice_view view, const word_ranges ranges)
{
    for (int64_t k = blockIdx.y; k < ranges.count; k += gridDim.y) {
        const int64_t replica = k / ranges.in_replica;
        const int64_t begin =
            replica * ranges.replica_words + ranges.first + (k - replica * ranges.in_replica) * ranges.step;
        const int64_t end = begin + ranges.length;
        for (int64_t quad = begin / 4 + blockIdx.x * static_cast<int64_t>(THREADS) + threadIdx.x;
             4 * quad < end; quad += gridDim.x * static_cast<int64_t>(THREADS)) {
            const sublattice_draws<true> draws(view.sweep.rule.keys, static_cast<uint64_t>(quad), view.number,
                                               view.sublattice);
            flip_any_quad<how>(view.sweep, draws, view.sublattice, quad, begin, end);
        }
    }
}

// Rows of a replica that follow each other are a range.
word_ranges ranges_of(const ising_words &l, const ising_row_set &rows)
{
    const int64_t in_replica = rows.step == 1 ? 1 : rows.count;
    return {l.replicas * in_replica, in_replica,       rows.first * l.words,
            rows.step * l.words,     l.rows * l.words, rows.count / in_replica * l.words};
}

unsigned at_most(int64_t blocks, int64_t most)
{
    return static_cast<unsigned>(blocks < most ? blocks : most);
}

template <deciding how, bool are_few> void begin_sublattice(const sublattice_view &view, cudaStream_t stream)
{
    const ising_words &l = view.sweep.layout;
    const int64_t lines = l.replicas * view.rows.count;
    if (l.words % 4 == 0) {
        // A block has several short rows.
        const unsigned quads = static_cast<unsigned>(l.words / 4), across = quads < THREADS ? quads : THREADS;
        const dim3 threads(across, THREADS / across);
        const int64_t high = (lines + threads.y - 1) / threads.y;
        const dim3 blocks((quads + across - 1) / across, at_most(high, 65535));
        sweep_rows_kernel<how, are_few><<<blocks, threads, 0, stream>>>(view);
        return;
    }
    if (view.rows.count == l.rows) {
        sweep_kernel<how, are_few>
            <<<at_most((count_quads(l) + THREADS - 1) / THREADS, 1 << 20), THREADS, 0, stream>>>(view);
        return;
    }
    const word_ranges ranges = ranges_of(l, view.rows);
    const int64_t quads = ranges.length / 4 + 2; // at most, where a range begins and ends within one
    const dim3 blocks(at_most((quads + THREADS - 1) / THREADS, 1 << 20), at_most(ranges.count, 65535));
    sweep_part_kernel<how><<<blocks, THREADS, 0, stream>>>(view, ranges);
}

// `count` sublattices, one after the other.
void begin_sublattices(sublattice_view view, const ising_rule &rule, int count, cudaStream_t stream)
{
    const ising_words &l = view.sweep.layout;
    const bool are_few = (l.replicas * view.rows.count * l.words + 3) / 4 < FEW_QUADS;
    with_rule(rule, [&](auto how) {
        for (int k = 0; k < count; k++, view.sublattice++)
            if (are_few)
                begin_sublattice<how.value, true>(view, stream);
            else
                begin_sublattice<how.value, false>(view, stream);
    });
}

template <bool are_few> cudaError_t load_of()
{
    return kernels::load(
        sweep_rows_kernel<deciding::ALIKE, are_few>, sweep_rows_kernel<deciding::HEAT_BATH, are_few>,
        sweep_rows_kernel<deciding::IN_FIELD, are_few>, sweep_kernel<deciding::ALIKE, are_few>,
        sweep_kernel<deciding::HEAT_BATH, are_few>, sweep_kernel<deciding::IN_FIELD, are_few>);
}

} // namespace
} // namespace ising

using namespace ising;

extern "C" cudaError_t ising_device_sublattice(const struct ising_device_lattice *lattice,
                                               const struct ising_rule *rule, uint32_t sweep, int sublattice,
                                               const struct ising_row_set *rows, cudaStream_t stream)
{
    begin_sublattices({sweep_view_of(*lattice, *rule), sweep, sublattice, *rows}, *rule, 1, stream);
    return cudaGetLastError();
}

extern "C" cudaError_t ising_device_sweep(const struct ising_device_lattice *lattice,
                                          const struct ising_rule *rule, uint32_t sweep, cudaStream_t stream)
{
    begin_sublattices({sweep_view_of(*lattice, *rule), sweep, 0, ising_own_row_set(lattice)}, *rule,
                      lattice->layout.is_helical ? 4 : 2, stream);
    return cudaGetLastError();
}

extern "C" cudaError_t ising_device_load_sweeps(void)
{
    const cudaError_t error =
        kernels::load(sweep_part_kernel<deciding::ALIKE>, sweep_part_kernel<deciding::HEAT_BATH>,
                      sweep_part_kernel<deciding::IN_FIELD>);
    const cudaError_t next = error == cudaSuccess ? load_of<true>() : error;
    return next == cudaSuccess ? load_of<false>() : next;
}
