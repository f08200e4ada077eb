// The tsunami's kernels as C sees them: tiles, records, levels, launches. Knows no memory plan and no solver.
#ifndef FATHOM_GPU_TSUNAMI_KERNELS_H
#define FATHOM_GPU_TSUNAMI_KERNELS_H

#include "models/tsunami/state.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

// A block computes a tile of TILE_COLUMNS x TILE_ROWS nodes; its warps (TILE_WARPS of them, a lane having one or two columns)
// write 30 lanes' columns each: the outer two lanes are halo.
#ifndef TILE_ROWS
#define TILE_ROWS 25 // with the rows beside it a multiple of three, which the march is unrolled by
#endif
#define TILE_COLUMNS               120
#define TILE_WARPS(lane_columns)   (TILE_COLUMNS / (30 * (lane_columns)))
#define TILE_THREADS(lane_columns) (32 * TILE_WARPS(lane_columns))

// Of a row's constants in device memory, and which of them is Δt over the scale of x.
enum { ROW_CONSTANTS = 8, ROW_STEP_X = 4 };

struct device_tile {
    int i, j;     // column and row of the tile
    int has_land; // land, an edge of the domain, or either next to it
};

struct device_tiles {
    const struct device_tile *list; // those with water
    int count;                      // of the list
    int columns, rows;              // of the whole tiling
    int is_periodic_x, is_periodic_y;
    int skips;                // 0: every tile is computed
    unsigned char *moving[2]; // [rows][columns]: something was not zero after an odd step; after an even one
    unsigned char
        *awake; // [rows][columns]: once awake, always awake: both copies of the state are this run's
    unsigned long long *made;  // [rows][columns]: steps made so far; those without water have made them all
    unsigned long long *taken; // what the blocks of a launch have taken of its steps times tiles
    unsigned long long *computed; // node-steps so far
};

// The steps of one launch.
struct device_steps {
    long long first, count;  // step number and how many
    unsigned long long made; // what every tile has made before
    double start_s, step_s;  // time = start_s + (step + 1) step_s after a step
    int multiprocessors;     // of the device
};

// What a step keeps beside the state: nothing; the largest elevation with its time and arrivals; everything.
enum { RECORDS_NONE, RECORDS_ETA, RECORDS_ALL };

// Running maxima that a step compares with: of elevation, speed, flux.
enum { RECORD_MAXIMA = 3 };

struct device_records {
    float *max_eta_m, *max_speed_m_s, *max_flux_m2_s, *time_of_max_s, *first_drawdown_s;
    float *arrival_s[TSUNAMI_ARRIVALS_MAX];
    float arrival_m[TSUNAMI_ARRIVALS_MAX];
    float highest_arrival_m; // the largest of them; -inf without any
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
