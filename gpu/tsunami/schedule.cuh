// The order of work: one launch makes many steps. Blocks take items (step, tile) in that order from a
// counter. A tile waits until it and its neighbours have done the step before; then they no longer read the
// values that it overwrites. The tiles for which it waits were taken earlier and are being computed, so there
// is no deadlock, and a step need not wait for the slowest tile of the step before. Tiles that are always
// land are not in the list. A tile is skipped if it and all its neighbours are at rest. Independent of scheme
// and precision.
#ifndef FATHOM_GPU_TSUNAMI_SCHEDULE_CUH
#define FATHOM_GPU_TSUNAMI_SCHEDULE_CUH

#include "gpu/inline.cuh"
#include "gpu/tsunami/kernels.h"

#include <cuda/atomic>

namespace tsunami {

// Waits until the tile and its eight neighbours have done `made` steps; returns whether any of them moved in
// the last one. All threads of a block call it, with the same result.
DEVICE bool wait_for_neighbours(const struct device_tiles &tiles, struct device_tile tile,
                                unsigned long long made, const unsigned char *moving)
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

// The nodes of a tile that lie in the grid, and in the device's rows.
DEVICE struct tile_bounds bounds_of(const struct device_tiles &tiles, struct device_tile tile)
{
    const int column = tile.i * tiles.shape.columns, row = tile.j * tiles.shape.rows;
    return {column, min(column + tiles.shape.columns, tiles.nx), max(row, tiles.first_own),
            min(row + tiles.shape.rows, tiles.end_own)};
}

// A block's work. compute(step, tile, bounds) makes one step of one tile, ends with a barrier of the block,
// and returns in all threads whether the tile is moving afterwards.
template <class Compute>
DEVICE void make_steps(const struct device_tiles &tiles, const struct device_steps &steps, Compute compute)
{
    __shared__ unsigned long long taken;
    for (;;) {
        if (threadIdx.x == 0)
            taken = atomicAdd(tiles.taken, 1ull) - steps.taken;
        __syncthreads();
        const long long item = (long long)taken, turn = item / tiles.count, step = steps.first + turn;
        if (turn >= steps.count)
            return;
        const struct device_tile tile = tiles.list[item % tiles.count];
        const int self = tile.j * tiles.columns + tile.i;
        const unsigned long long made_before = steps.made + (unsigned long long)turn;
        const bool is_reached = wait_for_neighbours(tiles, tile, made_before, tiles.moving[step & 1]);
        const bool is_due =
            is_reached || !tiles.skips || tile.is_driven || (tiles.awake && tiles.awake[self]);
        const struct tile_bounds bounds = bounds_of(tiles, tile);
        const bool is_moving = is_due && compute(step, tile, bounds);
        if (threadIdx.x == 0) { // after the barrier in compute: all writes of the block come before
            tiles.moving[(step + 1) & 1][self] = is_moving;
            if (is_due) {
                if (tiles.awake)
                    tiles.awake[self] = 1;
                atomicAdd(tiles.computed, (unsigned long long)(bounds.column_end - bounds.column_begin) *
                                              (unsigned long long)(bounds.row_end - bounds.row_begin));
            }
            const cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> made(tiles.made[self]);
            made.store(made_before + 1, cuda::memory_order_release);
        }
    }
}

} // namespace tsunami

#endif
