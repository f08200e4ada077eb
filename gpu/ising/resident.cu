// Many sweeps of a lattice and their measurements in one launch, by blocks that are all resident at once and
// synchronise after every sublattice: for lattices whose sublattices take no longer than a launch, but that
// do not fit into one block (small.cu).
#include "gpu/ising/flip.cuh"
#include "gpu/ising/kernels.h"
#include "gpu/ising/sum.cuh"
#include "gpu/launch.cuh"

#include <cooperative_groups.h>
#include <utility>

namespace ising {
namespace {

struct resident_view {
    sweep_view sweep;
    uint32_t first_sweep;
    int64_t sweeps, every;
    pieces measured;
    long long *measures;
};

// With heat bath or a field there are fewer free registers.
template <deciding how>
using resident_draws = std::conditional_t<how == deciding::ALIKE, draws_ahead<12, 4>, draws_ahead<8, 4>>;

// A thread's quad, and in rows of whole quads its position.
struct resident_quad {
    bool is_active, is_whole;
    unsigned number, in_row;
    int64_t replica, row;
};

DEVICE resident_quad quad_of(const ising_words &l)
{
    resident_quad q;
    q.number = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    q.is_active = q.number < count_quads(l);
    q.is_whole = l.words % 4 == 0;
    const unsigned quads = q.is_whole ? static_cast<unsigned>(l.words / 4) : 1;
    const unsigned line = q.number / quads, rows = static_cast<unsigned>(l.rows);
    q.in_row = q.number - line * quads;
    q.replica = line / rows;
    q.row = line % rows;
    return q;
}

// While a block waits for the others, it draws the random words of the next sublattice.
template <deciding how>
__global__ void __launch_bounds__(SUM_THREADS, 4) resident_kernel(const __grid_constant__ resident_view view)
{
    const sweep_view &lattice = view.sweep;
    const ising_words &l = lattice.layout;
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const resident_quad quad = quad_of(l);
    const int sublattices = l.is_helical ? 4 : 2;
    int64_t since = 0;
    long long *measures = view.measures;
    resident_draws<how> draws(lattice.rule.keys, quad.number, view.first_sweep, 0);
    for (int64_t k = 0; k < view.sweeps; k++) {
        const uint32_t sweep = view.first_sweep + static_cast<uint32_t>(k);
        for (int sublattice = 0; sublattice < sublattices; sublattice++) {
            if (quad.is_active && quad.is_whole)
                flip_row_quad<how>(lattice, draws, sublattice, quad.replica, quad.row, quad.in_row);
            else if (quad.is_active)
                flip_any_quad<how>(lattice, draws, sublattice, quad.number, 0, count_words(l));
            auto arrived = grid.barrier_arrive();
            const bool is_last = sublattice == sublattices - 1;
            draws = resident_draws<how>(lattice.rule.keys, quad.number, is_last ? sweep + 1 : sweep,
                                        is_last ? 0 : sublattice + 1);
            grid.barrier_wait(std::move(arrived));
        }
        if (view.every == 0 || ++since < view.every)
            continue;
        for (int64_t piece = blockIdx.x; piece < l.replicas * view.measured.count; piece += gridDim.x)
            measure_piece(l, lattice.words, view.measured, piece, measures);
        grid.sync();
        since = 0;
        measures += l.replicas * ISING_MEASURE_NUMBERS;
    }
}

unsigned blocks_of(const ising_words &l)
{
    return static_cast<unsigned>((count_quads(l) + SUM_THREADS - 1) / SUM_THREADS);
}

template <deciding how> cudaError_t launch(resident_view &view, cudaStream_t stream)
{
    void *arguments[] = {&view};
    return cudaLaunchCooperativeKernel(resident_kernel<how>, dim3(blocks_of(view.sweep.layout)),
                                       measuring_threads(view.sweep.layout), arguments, 0, stream);
}

// The number of blocks that are resident at once.
template <deciding how> int64_t count_room()
{
    int device = 0, processors = 0, blocks = 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess ||
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, resident_kernel<how>, SUM_THREADS, 0) !=
            cudaSuccess)
        return 0;
    return static_cast<int64_t>(processors) * blocks;
}

} // namespace
} // namespace ising

using namespace ising;

extern "C" bool ising_resident_fits(const struct ising_physics *physics)
{
    if (physics->method != ISING_METROPOLIS && physics->method != ISING_HEAT_BATH)
        return false;
    const ising_words layout = ising_words_of(&physics->lattice);
    const int64_t room =
        with_rule(ising_rule_of(physics, 0, 0), [](auto how) { return count_room<how.value>(); });
    return count_quads(layout) <= room * SUM_THREADS;
}

extern "C" cudaError_t ising_resident_run(const struct ising_device_lattice *lattice,
                                          const struct ising_rule *rule, uint32_t first_sweep, int64_t sweeps,
                                          int64_t every, long long *measures, cudaStream_t stream)
{
    resident_view view = {sweep_view_of(*lattice, *rule),
                          first_sweep,
                          sweeps,
                          every,
                          pieces_of(lattice->layout, 0, lattice->layout.rows, FEW_PIECE_WORDS),
                          measures};
    return with_rule(*rule, [&](auto how) { return launch<how.value>(view, stream); });
}

extern "C" cudaError_t ising_resident_load(void)
{
    return kernels::load(resident_kernel<deciding::ALIKE>, resident_kernel<deciding::HEAT_BATH>,
                         resident_kernel<deciding::IN_FIELD>);
}
