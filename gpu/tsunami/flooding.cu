// The kernels of the moving shoreline (muscl-hancock), in both precisions.
#include "gpu/tsunami/fv_march.cuh"
#include "gpu/tsunami/fv_plain.cuh"

namespace tsunami {

// The rows of a tile with two on each side, and where in the given waves the step lies.
template <int RECORDS, typename Real>
static __device__ __forceinline__ void fv_load_rows(fv_shared<Real, RECORDS> &shared,
                                                    const device_level<Real> &level, struct tile_bounds tile,
                                                    long long step)
{
    for (int k = threadIdx.x; k < tile.row_end - tile.row_begin + 4; k += blockDim.x)
        shared.rows[k] = fv_row_of(level, tile.row_begin - 2 + k);
    if (threadIdx.x < TSUNAMI_SIDES && level.edges[threadIdx.x].kind == TSUNAMI_EDGE_GIVEN)
        shared.given[threadIdx.x] = given_during(level.edges[threadIdx.x], step, FV_GIVEN_SHIFT);
    __syncthreads();
}

template <int RECORDS, typename Real>
__global__ void __launch_bounds__(FV_THREADS, fv_blocks<Real>)
    fv_steps_kernel(const __grid_constant__ device_level<Real> level,
                    const __grid_constant__ struct device_records records,
                    const __grid_constant__ struct device_tiles tiles, struct device_steps steps)
{
    __shared__ fv_shared<Real, RECORDS> shared;
    make_steps(tiles, steps, [&](long long step, struct device_tile tile, struct tile_bounds b) {
        const float time_s = (float)(steps.start_s + (double)(step + 1) * steps.step_s);
        fv_load_rows<RECORDS>(shared, level, b, step);
        bool moves;
        if (step & 1)
            moves = tile.is_coast ? fv_march<1, true, RECORDS>(level, records, shared, b, time_s)
                                  : fv_march<1, false, RECORDS>(level, records, shared, b, time_s);
        else
            moves = tile.is_coast ? fv_march<0, true, RECORDS>(level, records, shared, b, time_s)
                                  : fv_march<0, false, RECORDS>(level, records, shared, b, time_s);
        return (bool)__syncthreads_or(moves);
    });
}

template <int RECORDS, typename Real>
static cudaError_t fv_launch_as(const device_level<Real> &level, const struct device_records &records,
                                const struct device_tiles &tiles, const struct device_steps &steps,
                                cudaStream_t stream)
{
    fv_steps_kernel<RECORDS><<<steps.blocks, FV_THREADS, 0, stream>>>(level, records, tiles, steps);
    return cudaGetLastError();
}

} // namespace tsunami

extern "C" cudaError_t tsunami_launch_fv_steps(const struct tsunami_level_view *view,
                                               const struct device_records *records,
                                               const struct device_tiles *tiles,
                                               const struct device_steps *steps, cudaStream_t stream)
{
    return tsunami::with_level(*view, [&](const auto &level) {
        return records->kind == RECORDS_ALL
                   ? tsunami::fv_launch_as<RECORDS_ALL>(level, *records, *tiles, *steps, stream)
               : records->kind == RECORDS_ETA
                   ? tsunami::fv_launch_as<RECORDS_ETA>(level, *records, *tiles, *steps, stream)
                   : tsunami::fv_launch_as<RECORDS_NONE>(level, *records, *tiles, *steps, stream);
    });
}

extern "C" cudaError_t tsunami_launch_fv_plain(const struct tsunami_level_view *view, long long step,
                                               cudaStream_t stream)
{
    return tsunami::with_level(
        *view, [&](const auto &level) { return tsunami::fv_launch_plain(level, step, stream); });
}

extern "C" cudaError_t tsunami_launch_fv_record(const struct tsunami_level_view *view,
                                                const struct device_records *records, int copy, float time_s,
                                                cudaStream_t stream)
{
    return tsunami::with_level(*view, [&](const auto &level) {
        return tsunami::fv_launch_record(level, *records, copy, time_s, stream);
    });
}
