// The kernel that makes steps where the shore moves, and its launch: once per precision (after tsunami_fv_march.cuh).

// The rows of a tile with two on each side, and where in the given waves the step lies.
template <int RECORDS>
static __device__ __forceinline__ void POINT(fv_load_rows)(struct POINT(fv_shared) < RECORDS > &shared,
                                                           const struct POINT(device_level) & level,
                                                           struct tile_bounds tile, long long step)
{
    for (int k = threadIdx.x; k < tile.row_end - tile.row_begin + 4; k += blockDim.x)
        shared.rows[k] = POINT(fv_row_of)(level, tile.row_begin - 2 + k);
    if (threadIdx.x < TSUNAMI_SIDES && level.edges[threadIdx.x].kind == TSUNAMI_EDGE_GIVEN)
        shared.given[threadIdx.x] = given_during(level.edges[threadIdx.x], step, FV_GIVEN_SHIFT);
    __syncthreads();
}

template <int RECORDS>
__global__ void __launch_bounds__(FV_THREADS, FV_BLOCKS)
    POINT(fv_steps_kernel)(const __grid_constant__ struct POINT(device_level) level,
                           const __grid_constant__ struct device_records records,
                           const __grid_constant__ struct device_tiles tiles, struct device_steps steps)
{
    __shared__ struct POINT(fv_shared)<RECORDS> shared;
    make_steps(tiles, steps, [&](long long step, struct device_tile tile, struct tile_bounds b) {
        const float time_s = (float)(steps.start_s + (double)(step + 1) * steps.step_s);
        POINT(fv_load_rows)<RECORDS>(shared, level, b, step);
        bool moves;
        if (step & 1)
            moves = tile.is_coast ? POINT(fv_march)<1, true, RECORDS>(level, records, shared, b, time_s)
                                  : POINT(fv_march)<1, false, RECORDS>(level, records, shared, b, time_s);
        else
            moves = tile.is_coast ? POINT(fv_march)<0, true, RECORDS>(level, records, shared, b, time_s)
                                  : POINT(fv_march)<0, false, RECORDS>(level, records, shared, b, time_s);
        return (bool)__syncthreads_or(moves);
    });
}

template <int RECORDS>
static cudaError_t POINT(fv_launch_as)(const struct POINT(device_level) & level,
                                       const struct device_records &records, const struct device_tiles &tiles,
                                       const struct device_steps &steps, cudaStream_t stream)
{
    POINT(fv_steps_kernel)<RECORDS><<<steps.blocks, FV_THREADS, 0, stream>>>(level, records, tiles, steps);
    return cudaGetLastError();
}

extern "C" cudaError_t POINT(tsunami_launch_fv_steps)(const struct POINT(device_level) * level,
                                                      const struct device_records *records,
                                                      const struct device_tiles *tiles,
                                                      const struct device_steps *steps, cudaStream_t stream)
{
    return records->kind == RECORDS_ALL
               ? POINT(fv_launch_as)<RECORDS_ALL>(*level, *records, *tiles, *steps, stream)
           : records->kind == RECORDS_ETA
               ? POINT(fv_launch_as)<RECORDS_ETA>(*level, *records, *tiles, *steps, stream)
               : POINT(fv_launch_as)<RECORDS_NONE>(*level, *records, *tiles, *steps, stream);
}
