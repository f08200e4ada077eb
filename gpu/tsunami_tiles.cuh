// Tiles of the tsunami's kernels, and which of them are awake; shared by both precisions.
#ifndef FATHOM_GPU_TSUNAMI_TILES_CUH
#define FATHOM_GPU_TSUNAMI_TILES_CUH

#include "models/tsunami/state.h"

// A warp writes STRIP_COLUMNS columns (its outer two lanes are halo); a block is WARPS strips wide and TILE_ROWS high.
#ifndef TILE_WARPS
#define TILE_WARPS 4
#endif
#ifndef TILE_ROWS
#define TILE_ROWS 64
#endif
enum { STRIP_COLUMNS = 30, BLOCK_THREADS = 32 * TILE_WARPS, TILE_COLUMNS = STRIP_COLUMNS * TILE_WARPS };

struct device_tile {
    short i, j;   // column and row of the tile
    int has_land; // land, an edge of the domain, or either next to it
};

struct device_tiles {
    const struct device_tile *list; // those with water
    int columns, rows;              // of the whole tiling
    int is_periodic_x, is_periodic_y;
    int skips;                       // 0: every tile is computed
    const unsigned char *moving_old; // [rows][columns]: something was not zero after the last step
    unsigned char *moving_new;
    unsigned char *awake; // once awake, always awake: both copies of the state are then this run's
};

struct device_records {
    float *max_eta_m, *max_speed_m_s, *max_flux_m2_s, *time_of_max_s, *first_drawdown_s;
    float *arrival_s[TSUNAMI_ARRIVALS_MAX];
    float arrival_m[TSUNAMI_ARRIVALS_MAX];
    float drawdown_m;
    int arrival_count;
};

#ifdef __CUDACC__
// Whether the tile is to be computed: awake already, or it or one of its eight neighbours moved in the last step. All
// threads of a block ask; the answer is the same for all.
static __device__ __forceinline__ bool tile_is_awake(const struct device_tiles &tiles, struct device_tile tile)
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
#endif

#endif
