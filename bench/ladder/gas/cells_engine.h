// Where the programs of cells.h run, as cells_rungs.c calls them: on the processor (cells_host.c), or on a
// device (device_cells.cu). Functions return NULL, or why they failed.
#ifndef FATHOM_BENCH_LADDER_GAS_CELLS_ENGINE_H
#define FATHOM_BENCH_LADDER_GAS_CELLS_ENGINE_H

#include "bench/ladder/gas/cells.h"

#ifdef __cplusplus
extern "C" {
#endif

// The parts of a step, in this order of numbers, not of time; those from TO on are a device's.
enum gas_cells_stage {
    GAS_CELLS_STAGE_SORT, // no engine's: gas_cells_sort
    GAS_CELLS_STAGE_FAR,
    GAS_CELLS_STAGE_PARTICLES, // forces of near and middle cells, and the move
    GAS_CELLS_STAGE_TO,        // particles and cells to the device
    GAS_CELLS_STAGE_BACK,      // particles back; waits
    GAS_CELLS_STAGES
};

struct gas_cells_engine {
    // *own is to be given to `close`, even after a failure. Blocks of a device have `threads` threads;
    // the processor takes as many particles, or cells, at a time.
    const char *(*open)(struct gas_cells *cells, int threads, int device, void **own);
    const char *(*run)(void *own, struct gas_cells *cells, enum gas_cells_stage stage); // may return early
    const char *(*wait)(void *own);
    const char *(*read_far)(void *own, struct gas_cells *cells); // cells->far_kick is that of the last step
    void (*close)(void *own, struct gas_cells *cells);
};

extern const struct gas_cells_engine gas_cells_host, gas_cells_device;

#ifdef __cplusplus
}
#endif

#endif
