// The tsunami's kernels as C sees them: tiles, records, levels, launches. Knows no memory plan and no solver.
#ifndef FATHOM_GPU_TSUNAMI_KERNELS_H
#define FATHOM_GPU_TSUNAMI_KERNELS_H

#include "models/tsunami/state.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

// A warp writes STRIP_COLUMNS columns (its outer two lanes are halo); a block is WARPS strips wide and TILE_ROWS high.
#ifndef TILE_WARPS
#define TILE_WARPS 4
#endif
#ifndef TILE_ROWS
#define TILE_ROWS 24
#endif
enum { STRIP_COLUMNS = 30, BLOCK_THREADS = 32 * TILE_WARPS, TILE_COLUMNS = STRIP_COLUMNS * TILE_WARPS };

struct device_tile {
    short i, j;   // column and row of the tile
    int has_land; // land, an edge of the domain, or either next to it
};

struct device_tiles {
    const struct device_tile *list; // those with water
    int count;                      // of the list
    int columns, rows;              // of the whole tiling
    int is_periodic_x, is_periodic_y;
    int skips;                       // 0: every tile is computed
    const unsigned char *moving_old; // [rows][columns]: something was not zero after the last step
    unsigned char *moving_new;
    unsigned long long *computed; // node-steps so far
    unsigned char *awake;         // once awake, always awake: both copies of the state are then this run's
};

// What a step keeps beside the state: nothing; the largest elevation with its time and arrivals; everything.
enum { RECORDS_NONE, RECORDS_ETA, RECORDS_ALL };

struct device_records {
    float *max_eta_m, *max_speed_m_s, *max_flux_m2_s, *time_of_max_s, *first_drawdown_s;
    float *arrival_s[TSUNAMI_ARRIVALS_MAX];
    float arrival_m[TSUNAMI_ARRIVALS_MAX];
    float drawdown_m;
    int arrival_count;
    int kind; // RECORDS_NONE, _ETA, _ALL
};

#define REAL        float
#define POINT(name) name##_f
#include "gpu/tsunami_level.h"
#undef REAL
#undef POINT
#define REAL        double
#define POINT(name) name##_d
#include "gpu/tsunami_level.h"
#undef REAL
#undef POINT

#ifdef __cplusplus
}
#endif

#endif
