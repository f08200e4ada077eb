// The kernels of the finite volumes (muscl-hancock), in both precisions.
#include "gpu/tsunami/fv_plain.cuh"
#include "gpu/tsunami/fv_tile_rows.cuh"

namespace tsunami {

// Loads the constants of a tile's rows, with two on each side, and the step's position in the boundary data.
template <int RECORDS, typename Real>
DEVICE void fv_load_rows(fv_shared<Real, RECORDS> &shared, const device_level<Real> &level,
                         struct tile_bounds tile, long long step)
{
    for (int k = threadIdx.x; k < tile.row_end - tile.row_begin + 4; k += blockDim.x)
        shared.rows[k] = fv_row_of(level, tile.row_begin - 2 + k);
    if (threadIdx.x < TSUNAMI_SIDES && level.edges[threadIdx.x].kind == TSUNAMI_EDGE_GIVEN)
        shared.given[threadIdx.x] = given_during(level.edges[threadIdx.x], step, FV_GIVEN_SHIFT);
    __syncthreads();
}

template <int LIMITER, int RECORDS, typename Real>
__global__ void __launch_bounds__(FV_THREADS, fv_blocks<Real>)
    fv_steps_kernel(const __grid_constant__ device_level<Real> level,
                    const __grid_constant__ struct device_records records,
                    const __grid_constant__ struct device_tiles tiles, struct device_steps steps)
{
    __shared__ fv_shared<Real, RECORDS> shared;
    make_steps(level, tiles, steps, [&](long long step, struct device_tile tile, struct tile_bounds b) {
        const float time_s = (float)(steps.start_s + (double)(step + 1) * steps.step_s);
        fv_load_rows<RECORDS>(shared, level, b, step);
        bool moves;
        if (step & 1)
            moves = tile.is_coast
                        ? fv_step_rows<1, true, LIMITER, RECORDS>(level, records, shared, b, time_s)
                        : fv_step_rows<1, false, LIMITER, RECORDS>(level, records, shared, b, time_s);
        else
            moves = tile.is_coast
                        ? fv_step_rows<0, true, LIMITER, RECORDS>(level, records, shared, b, time_s)
                        : fv_step_rows<0, false, LIMITER, RECORDS>(level, records, shared, b, time_s);
        return (bool)__syncthreads_or(moves);
    });
}

// Calls launch(limiter) with the limiter as a constant.
template <typename Launch> void with_limiter(int limiter, const Launch &launch)
{
    if (limiter == TSUNAMI_MC)
        launch(std::integral_constant<int, TSUNAMI_MC>());
    else if (limiter == TSUNAMI_THIRD_ORDER)
        launch(std::integral_constant<int, TSUNAMI_THIRD_ORDER>());
    else
        launch(std::integral_constant<int, TSUNAMI_VAN_LEER>());
}

} // namespace tsunami

using namespace tsunami;

extern "C" cudaError_t tsunami_launch_fv_steps(const struct tsunami_level_view *view,
                                               const struct device_records *records,
                                               const struct device_tiles *tiles,
                                               const struct device_steps *steps, cudaStream_t stream)
{
    return with_level(*view, [&](const auto &level) {
        with_records(records->kind, [&](auto kind) {
            with_limiter(level.limiter, [&](auto limiter) {
                fv_steps_kernel<limiter.value, kind.value>
                    <<<steps->blocks, FV_THREADS, 0, stream>>>(level, *records, *tiles, *steps);
            });
        });
    });
}

extern "C" cudaError_t tsunami_launch_fv_plain(const struct tsunami_level_view *view, long long step,
                                               cudaStream_t stream)
{
    return with_level(*view, [&](const auto &level) {
        const dim3 blocks = node_blocks(level);
        const int is_odd = (int)(step & 1);
        if (is_odd)
            fv_plain_sources<true><<<blocks, NODE_THREADS, 0, stream>>>(level);
        fv_plain_sweep<<<blocks, NODE_THREADS, 0, stream>>>(level, 0, !is_odd, step);
        fv_plain_sweep<<<blocks, NODE_THREADS, 0, stream>>>(level, 1, is_odd, step);
        if (!is_odd)
            fv_plain_sources<false><<<blocks, NODE_THREADS, 0, stream>>>(level);
    });
}

extern "C" cudaError_t tsunami_launch_fv_record(const struct tsunami_level_view *view,
                                                const struct device_records *records, int copy, float time_s,
                                                cudaStream_t stream)
{
    return with_level(*view, [&](const auto &level) {
        fv_record_kernel<<<node_blocks(level), NODE_THREADS, 0, stream>>>(level, *records, copy, time_s);
    });
}
