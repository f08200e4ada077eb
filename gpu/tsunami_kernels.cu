// The tsunami's kernels, compiled for both precisions.
#include "gpu/tsunami_kernels.h"

// Whether the tile is to be computed: awake already, or it or one of its eight neighbours moved in the last step. All
// threads of a block ask; the answer is the same for all.
static __device__ __forceinline__ bool tile_is_awake(const struct device_tiles &tiles,
                                                     struct device_tile tile)
{
    const int self = tile.j * tiles.columns + tile.i;
    if (!tiles.skips || tiles.awake[self])
        return true;
    bool is_reached = false;
    for (int dj = -1; dj <= 1; dj++)
        for (int di = -1; di <= 1; di++) {
            int i = tile.i + di, j = tile.j + dj;
            if (tiles.is_periodic_x)
                i = (i + tiles.columns) % tiles.columns;
            if (tiles.is_periodic_y)
                j = (j + tiles.rows) % tiles.rows;
            if (i >= 0 && j >= 0 && i < tiles.columns && j < tiles.rows)
                is_reached |= tiles.moving_old[j * tiles.columns + i] != 0;
        }
    if (!is_reached)
        return false;
    __syncthreads(); // all have read `awake` before it changes
    if (threadIdx.x == 0)
        tiles.awake[self] = 1;
    return true;
}

#define REAL        float
#define POINT(name) name##_f
#include "models/tsunami/point.h"

#include "gpu/tsunami_step.cuh"
#undef REAL
#undef POINT
#define REAL        double
#define POINT(name) name##_d
#include "models/tsunami/point.h"

#include "gpu/tsunami_step.cuh"
#undef REAL
#undef POINT
