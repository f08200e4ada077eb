// The fast CPU version's tile functions, compiled once per instruction set (cmake/compile_options.cmake) and
// chosen at run time by openmp.c.
#ifndef FATHOM_MODELS_TSUNAMI_OPENMP_ISA_H
#define FATHOM_MODELS_TSUNAMI_OPENMP_ISA_H

#include "models/tsunami/solver.h"

#include <stdbool.h>
#include <stddef.h>

// For files that are compiled once per instruction set: functions of a tile are inlined into their caller,
// and a table's name ends in the set's.
#define TILE_INLINE           static inline __attribute__((always_inline))
#define TILE_JOIN(a, b)       a##b
#define TILE_TABLE(name, isa) TILE_JOIN(name, isa)

enum { TILE_WIDTH = 512, TILE_HEIGHT = 32 };

struct tsunami_tile {
    ptrdiff_t column, width, row_begin, row_end;
    bool is_land;  // no wet node: never computed
    bool has_land; // it has or adjoins land or the domain's edge: walls and edges must be tested
    bool is_given; // has nodes of a given edge: never skipped as at rest
};

// What a rank has of a tile: its own rows, or none.
static inline void tsunami_tile_cut(struct tsunami_tile *tile, struct tsunami_rows own)
{
    const ptrdiff_t first = (ptrdiff_t)own.first, end = (ptrdiff_t)own.end;
    tile->row_begin = tile->row_begin > first ? tile->row_begin : first;
    tile->row_end = tile->row_end < end ? tile->row_end : end;
}

static inline bool tsunami_tile_has_rows(const struct tsunami_tile *tile)
{
    return tile->row_begin < tile->row_end;
}

#define BOTH_PRECISIONS "models/tsunami/openmp/level.inc"
#include "models/tsunami/both_precisions.inc"

// Elements of scratch that a thread needs.
enum {
    TILE_SCRATCH_STRIDE = TILE_WIDTH + 2 * TSUNAMI_HALO_COLUMNS,
    TILE_SCRATCH_ROWS = 4,
    TILE_SCRATCH_ELEMENTS = 3 * TILE_SCRATCH_ROWS * TILE_SCRATCH_STRIDE
};

struct tsunami_tile_functions {
    const char *instruction_set;
    bool (*advance_f)(const struct level_f *level, const struct tsunami_records *records,
                      const struct tsunami_tile *tile, float *scratch, bool is_odd, float time_s);
    bool (*advance_d)(const struct level_d *level, const struct tsunami_records *records,
                      const struct tsunami_tile *tile, double *scratch, bool is_odd, float time_s);
    // Updates the records of a tile with the present state (in the level's new arrays), without a step.
    bool (*record_f)(const struct level_f *level, const struct tsunami_records *records,
                     const struct tsunami_tile *tile, float time_s);
    bool (*record_d)(const struct level_d *level, const struct tsunami_records *records,
                     const struct tsunami_tile *tile, float time_s);
};

// The table for methods on a staggered grid (openmp/c_grid_solver.c).
extern const struct tsunami_backend tsunami_backend_openmp_staggered;

extern const struct tsunami_tile_functions tsunami_tiles_generic, tsunami_tiles_avx2, tsunami_tiles_avx512;

#endif
