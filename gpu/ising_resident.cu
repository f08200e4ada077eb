// Many sweeps of a lattice and their measurements in one launch, by blocks that are all on the device at once and wait for each other after
// every phase: for lattices whose phases take no longer than a launch, but that do not fit into one block (ising_small.cu).
#include "gpu/ising_resident.h"
#include "gpu/ising_sum.cuh"
#include "gpu/ising_turn.cuh"
#include "gpu/load.cuh"

#include <cooperative_groups.h>

namespace ising {
namespace {

// A phase of more quads is worth a launch.
constexpr int64_t MOST_QUADS = 160000;

struct resident_view {
    sweep_view sweep;
    uint32_t first_sweep;
    int64_t sweeps, every;
    pieces measured;
    long long *measures;
};

template <deciding how>
__device__ __forceinline__ void turn_phase(const sweep_view &view, uint32_t sweep, int phase)
{
    const ising_words &l = view.layout;
    const unsigned all = static_cast<unsigned>(count_quads(l));
    const unsigned quads = static_cast<unsigned>(l.words / 4), rows = static_cast<unsigned>(l.rows);
    const bool are_whole = l.words % 4 == 0;
    for (unsigned quad = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; quad < all;
         quad += gridDim.x * SUM_THREADS) {
        if (!are_whole) {
            turn_any_quad<how>(view, sweep, phase, quad);
            continue;
        }
        const unsigned line = quad / quads, replica = line / rows;
        turn_row_quad<how>(view, sweep, phase, replica, line - replica * rows, quad - line * quads, quad);
    }
}

template <deciding how>
__global__ void __launch_bounds__(SUM_THREADS) resident_kernel(const __grid_constant__ resident_view view)
{
    const ising_words &l = view.sweep.layout;
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const int phases = l.is_helical ? 4 : 2;
    int64_t since = 0;
    long long *measures = view.measures;
    for (int64_t k = 0; k < view.sweeps; k++) {
        for (int phase = 0; phase < phases; phase++) {
            turn_phase<how>(view.sweep, view.first_sweep + static_cast<uint32_t>(k), phase);
            grid.sync();
        }
        if (view.every == 0 || ++since < view.every)
            continue;
        for (int64_t piece = blockIdx.x; piece < l.replicas * view.measured.count; piece += gridDim.x)
            measure_piece(l, view.sweep.words, view.measured, piece, measures);
        grid.sync();
        since = 0;
        measures += l.replicas * ISING_MEASURE_NUMBERS;
    }
}

template <deciding how> cudaError_t launch(resident_view &view, cudaStream_t stream)
{
    int device = 0, processors = 0, blocks = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, resident_kernel<how>, SUM_THREADS, 0);
    if (error != cudaSuccess)
        return error;
    const int64_t wanted = (count_quads(view.sweep.layout) + SUM_THREADS - 1) / SUM_THREADS;
    const int64_t room = static_cast<int64_t>(processors) * blocks;
    void *arguments[] = {&view};
    return cudaLaunchCooperativeKernel(resident_kernel<how>,
                                       dim3(static_cast<unsigned>(wanted < room ? wanted : room)),
                                       measuring_threads(view.sweep.layout), arguments, 0, stream);
}

} // namespace
} // namespace ising

using namespace ising;

extern "C" bool ising_resident_fits(const struct ising_physics *physics)
{
    const ising_words layout = ising_words_of(&physics->lattice);
    return (physics->method == ISING_METROPOLIS || physics->method == ISING_HEAT_BATH) &&
           count_quads(layout) <= MOST_QUADS;
}

extern "C" cudaError_t ising_resident_run(const struct ising_device_lattice *lattice,
                                          const struct ising_rule *rule, uint32_t first_sweep, int64_t sweeps,
                                          int64_t every, long long *measures, cudaStream_t stream)
{
    resident_view view = {sweep_view_of(*lattice, *rule),
                          first_sweep,
                          sweeps,
                          every,
                          pieces_of(lattice->layout, FEW_PIECE_WORDS),
                          measures};
    return with_rule(*rule, true, [&](auto how) { return launch<how.value>(view, stream); });
}

extern "C" cudaError_t ising_resident_load(void)
{
    return kernels::load(resident_kernel<deciding::ALIKE_OF_FEW>, resident_kernel<deciding::HEAT_BATH>,
                         resident_kernel<deciding::IN_FIELD>);
}
