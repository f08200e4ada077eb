// The order of work: one launch makes many steps. Blocks take items (step, tile) in that order from a
// counter. A tile waits until it and its neighbours have done the step before; then they no longer read the
// values that it overwrites. The tiles for which it waits were taken earlier and are being computed, so there
// is no deadlock, and a step need not wait for the slowest tile of the step before. Tiles that are always
// land are not in the list. A tile is skipped if it and all its neighbours are at rest. Independent of scheme
// and precision.
//
// With neighbouring ranks, tiles beside the border also wait for those across it, by copies of their
// counters, and tell what they did in the same way. The step that is the lowest of all devices' waits for
// none that is not being computed, so that there is no deadlock either, however far apart their launches
// begin. A tile may be of two ranks, each of which has its own counter and flag for its rows.
#ifndef FATHOM_GPU_TSUNAMI_SCHEDULE_CUH
#define FATHOM_GPU_TSUNAMI_SCHEDULE_CUH

#include "gpu/inline.cuh"
#include "gpu/tsunami/peers.cuh"

#include <cuda/atomic>

namespace tsunami {

// Waits until the tile and its eight neighbours have done `made` steps, all parts of them, also those of
// neighbouring ranks; returns whether any of them moved in the last one. All threads of a block call it, with
// the same result. *waited_ns, in shared memory: for neighbouring ranks.
DEVICE bool wait_for_neighbours(const struct device_tiles &tiles, struct device_tile tile, int copy,
                                unsigned long long made, unsigned *waited_ns)
{
    const int around = 9 * tiles.parts, rows = tiles.rows * tiles.parts;
    bool is_moving = false;
    if ((int)threadIdx.x < (is_beside_peer(tiles.peers, tile.j) ? 2 * around : around)) {
        const int k = (int)threadIdx.x % around;
        int i = tile.i + k % 3 - 1, j = (tile.j / tiles.parts - 1) * tiles.parts + k / 3;
        if (tiles.is_periodic_x)
            i = (i + tiles.columns) % tiles.columns;
        if (tiles.is_periodic_y)
            j = (j + rows) % rows;
        if (i >= 0 && j >= 0 && i < tiles.columns && j < rows) {
            const int other = j * tiles.columns + i;
            if ((int)threadIdx.x < around) {
                const cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> steps(
                    tiles.made[other]);
                while (steps.load(cuda::memory_order_acquire) < made)
                    __nanosleep(40);
                is_moving = tiles.moving[copy][other] != 0;
            } else {
                atomicMax(waited_ns, await_peer(tiles.peers.made[other], made, tiles.peers.failure));
                is_moving = tiles.peers.moving[copy][other] != 0;
            }
        }
    }
    return __syncthreads_or(is_moving);
}

// The nodes of a tile that lie in the grid, and in the device's rows.
DEVICE struct tile_bounds bounds_of(const struct device_tiles &tiles, struct device_tile tile)
{
    const int column = tile.i * tiles.shape.columns, part = tile.j % tiles.parts;
    const int row = tile.j / tiles.parts * tiles.shape.rows, begin = row + part * tiles.part_rows;
    const int end = part + 1 < tiles.parts ? begin + tiles.part_rows : row + tiles.shape.rows;
    return {column, min(column + tiles.shape.columns, tiles.nx), max(begin, tiles.first_own),
            min(end, tiles.end_own)};
}

// A block's work. compute(step, tile, bounds) makes one step of one tile of the level, ends with a barrier of
// the block, and returns in all threads whether the tile is moving afterwards.
template <typename Real, class Compute>
DEVICE void make_steps(const device_level<Real> &level, const struct device_tiles &tiles,
                       const struct device_steps &steps, Compute compute)
{
    __shared__ unsigned long long taken;
    __shared__ unsigned waited_ns;
    for (;;) {
        if (threadIdx.x == 0) {
            taken = atomicAdd(tiles.taken, 1ull) - steps.taken;
            waited_ns = 0;
        }
        __syncthreads();
        const long long item = (long long)taken, turn = item / tiles.count, step = steps.first + turn;
        if (turn >= steps.count)
            return;
        const struct device_tile tile = tiles.list[item % tiles.count];
        const int self = tile.j * tiles.columns + tile.i, before = step & 1, after = 1 - before;
        const unsigned long long made_before = steps.made + (unsigned long long)turn;
        const bool is_reached = wait_for_neighbours(tiles, tile, before, made_before, &waited_ns);
        const bool is_due =
            is_reached || !tiles.skips || tile.is_driven || (tiles.awake && tiles.awake[self]);
        const struct tile_bounds bounds = bounds_of(tiles, tile);
        const bool is_moving = is_due && compute(step, tile, bounds);
        const bool is_beside = is_beside_peer(tiles.peers, tile.j);
        if (is_beside && is_due) {
            send_rows(level, tiles.peers, bounds, after);
            __syncthreads();
        }
        if (threadIdx.x == 0) { // after the barrier: all writes of the block come before
            tiles.moving[after][self] = is_moving;
            if (is_due) {
                if (tiles.awake)
                    tiles.awake[self] = 1;
                atomicAdd(tiles.computed, (unsigned long long)(bounds.column_end - bounds.column_begin) *
                                              (unsigned long long)(bounds.row_end - bounds.row_begin));
            }
            const cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> made(tiles.made[self]);
            made.store(made_before + 1, cuda::memory_order_release);
            if (is_beside) {
                tell_peers(tiles.peers, tile.j, self, after, is_moving, made_before + 1);
                if (waited_ns > 0)
                    atomicAdd(&tiles.peers.waited_ns[0], (unsigned long long)waited_ns);
            }
        }
    }
}

} // namespace tsunami

#endif
