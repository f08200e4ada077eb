// Tile functions of the methods with a moving shoreline, compiled once per instruction set
// (cmake/compile_options.cmake) and chosen at run time by openmp.c.
#ifndef FATHOM_MODELS_TSUNAMI_OPENMP_FV_H
#define FATHOM_MODELS_TSUNAMI_OPENMP_FV_H

#include "models/tsunami/openmp/isa.h"
#include "models/tsunami/solver.h"

// FV_BEYOND: the reach of the stencil; a cell's step depends on so many nodes on each side.
enum { FV_TILE_WIDTH = 256, FV_TILE_HEIGHT = 64, FV_BEYOND = 2 };

#define BOTH_PRECISIONS "models/tsunami/openmp/fv_level.inc"
#include "models/tsunami/both_precisions.inc"

// Scratch of a thread, in arrays of FV_STRIDE elements.
enum {
    FV_STRIDE = FV_TILE_WIDTH + 2 * TSUNAMI_HALO_COLUMNS,
    FV_RING = 4,            // rows of a ring,
    FV_ROWS = FV_RING + 1,  // and one more,
    FV_ROW_FIELDS = 4,      // of four fields each
    FV_FACE_FIELDS = 10,    // of a row's faces in the sweep along x
    FV_FLUX_FIELDS = 4,     // of a row's fluxes in the sweep along x
    FV_CARRIED_FIELDS = 10, // which the sweep along y carries from row to row
    FV_DROPPED_FIELDS = 3,  // of a row whose result is not used
    FV_ARRAYS =
        FV_ROWS * FV_ROW_FIELDS + FV_FACE_FIELDS + FV_FLUX_FIELDS + FV_CARRIED_FIELDS + FV_DROPPED_FIELDS,
    FV_SCRATCH_ELEMENTS = FV_ARRAYS * FV_STRIDE
};

// As struct tsunami_tile_functions; advance returns whether anything in the tile changed.
struct tsunami_fv_functions {
    bool (*advance_f)(const struct fv_level_f *level, const struct tsunami_records *records,
                      const struct tsunami_tile *tile, float *scratch, bool is_odd, float time_s);
    bool (*advance_d)(const struct fv_level_d *level, const struct tsunami_records *records,
                      const struct tsunami_tile *tile, double *scratch, bool is_odd, float time_s);
    // Updates the records from a tile's present state (in the level's new arrays), without a step. Returns
    // false if the tile holds only sea at rest and dry land.
    bool (*record_f)(const struct fv_level_f *level, const struct tsunami_records *records,
                     const struct tsunami_tile *tile, float time_s);
    bool (*record_d)(const struct fv_level_d *level, const struct tsunami_records *records,
                     const struct tsunami_tile *tile, float time_s);
};

extern const struct tsunami_fv_functions tsunami_fv_generic, tsunami_fv_avx2, tsunami_fv_avx512;
// The same of `vtcs2-shore` (openmp/shore.c).
extern const struct tsunami_fv_functions tsunami_shore_generic, tsunami_shore_avx2, tsunami_shore_avx512;

#endif
