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
    for (int64_t line = blockIdx.y * blockDim.y + threadIdx.y; line < l.replicas * l.rows;
         line += gridDim.y * blockDim.y) {
        const int64_t replica = line / l.rows, row = line - replica * l.rows;
        const sublattice_draws<are_few> draws(
            view.sweep.rule.keys, static_cast<uint64_t>(line) * quads + in_row, view.number, view.sublattice);
        flip_row_quad<how>(view.sweep, draws, view.sublattice, replica, row, in_row);
    }
}

template <deciding how, bool are_few>
__global__ void __launch_bounds__(THREADS) sweep_kernel(const __grid_constant__ sublattice_view view)
{
    const int64_t quads = count_quads(view.sweep.layout);
    for (int64_t quad = blockIdx.x * static_cast<int64_t>(THREADS) + threadIdx.x; quad < quads;
         quad += gridDim.x * static_cast<int64_t>(THREADS)) {
        const sublattice_draws<are_few> draws(view.sweep.rule.keys, static_cast<uint64_t>(quad), view.number,
                                              view.sublattice);
        flip_any_quad<how>(view.sweep, draws, view.sublattice, quad);
    }
}

template <deciding how, bool are_few> void begin_sublattice(const sublattice_view &view, cudaStream_t stream)
{
    const ising_words &l = view.sweep.layout;
    const int64_t lines = l.replicas * l.rows;
    if (l.words % 4 == 0) {
        // A block has several short rows.
        const unsigned quads = static_cast<unsigned>(l.words / 4), across = quads < THREADS ? quads : THREADS;
        const dim3 threads(across, THREADS / across);
        const int64_t high = (lines + threads.y - 1) / threads.y;
        const dim3 blocks((quads + across - 1) / across, static_cast<unsigned>(high < 65535 ? high : 65535));
        sweep_rows_kernel<how, are_few><<<blocks, threads, 0, stream>>>(view);
        return;
    }
    const int64_t blocks = (count_quads(l) + THREADS - 1) / THREADS;
    sweep_kernel<how, are_few>
        <<<static_cast<unsigned>(blocks < 1 << 20 ? blocks : 1 << 20), THREADS, 0, stream>>>(view);
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

extern "C" cudaError_t ising_device_sweep(const struct ising_device_lattice *lattice,
                                          const struct ising_rule *rule, uint32_t sweep, cudaStream_t stream)
{
    sublattice_view view = {sweep_view_of(*lattice, *rule), sweep, 0};
    const int sublattices = lattice->layout.is_helical ? 4 : 2;
    const bool are_few = count_quads(lattice->layout) < FEW_QUADS;
    with_rule(*rule, [&](auto how) {
        for (view.sublattice = 0; view.sublattice < sublattices; view.sublattice++)
            if (are_few)
                begin_sublattice<how.value, true>(view, stream);
            else
                begin_sublattice<how.value, false>(view, stream);
    });
    return cudaGetLastError();
}

extern "C" cudaError_t ising_device_load_sweeps(void)
{
    const cudaError_t error = load_of<true>();
    return error == cudaSuccess ? load_of<false>() : error;
}
