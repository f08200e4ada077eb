// The tsunami's kernels, compiled for both precisions.
#include "gpu/tsunami_kernels.h"

#include <cuda/atomic>
#include <cuda_pipeline.h>

// Rows that the march takes at a time: three saves moving them between registers, but the loop must stay small.
#ifndef LANE_TURNS
#define LANE_TURNS(lane_columns) ((lane_columns) == 2 ? 1 : 3)
#endif
// Blocks that a multiprocessor holds at least: bounds the registers.
#ifndef LANE_BLOCKS
#define LANE_BLOCKS(lane_columns) ((lane_columns) == 2 ? 8 : 4)
#endif

// Running maxima that the march reads ahead.
static constexpr __host__ __device__ int maxima_kept(int records)
{
    return records == RECORDS_ALL ? RECORD_MAXIMA : 1;
}

static __device__ __forceinline__ unsigned bits_of(float x)
{
    return __float_as_uint(x);
}

// Of a double: its sign, and whether any other bit is set.
static __device__ __forceinline__ unsigned bits_of(double x)
{
    return (unsigned)__double2hiint(x) | (unsigned)__double2loint(x) >> 1 | (unsigned)__double2loint(x);
}

// Waits until the tile and its eight neighbours have made `made` steps; whether any of them moved in the last one. All
// threads of a block ask; the answer is the same for all.
static __device__ __forceinline__ bool wait_for_neighbours(const struct device_tiles &tiles,
                                                           struct device_tile tile, unsigned long long made,
                                                           const unsigned char *moving)
{
    bool is_moving = false;
    if (threadIdx.x < 9) {
        int i = tile.i + (int)threadIdx.x % 3 - 1, j = tile.j + (int)threadIdx.x / 3 - 1;
        if (tiles.is_periodic_x)
            i = (i + tiles.columns) % tiles.columns;
        if (tiles.is_periodic_y)
            j = (j + tiles.rows) % tiles.rows;
        if (i >= 0 && j >= 0 && i < tiles.columns && j < tiles.rows) {
            const int other = j * tiles.columns + i;
            const cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> steps(tiles.made[other]);
            while (steps.load(cuda::memory_order_acquire) < made)
                __nanosleep(40);
            is_moving = moving[other] != 0;
        }
    }
    return __syncthreads_or(is_moving);
}

#define REAL         float
#define POINT(name)  name##_f
#define LANE_COLUMNS 2
#include "models/tsunami/point.h"

#include "gpu/tsunami_cell.cuh"
#include "gpu/tsunami_march.cuh"
#include "gpu/tsunami_plain.cuh"
#undef REAL
#undef POINT
#undef LANE_COLUMNS
#define REAL         double
#define POINT(name)  name##_d
#define LANE_COLUMNS 1
#include "models/tsunami/point.h"

#include "gpu/tsunami_cell.cuh"
#include "gpu/tsunami_march.cuh"
#include "gpu/tsunami_plain.cuh"
#undef REAL
#undef POINT
