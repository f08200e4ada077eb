// Tile functions of `c-grid-6`, compiled once per instruction set (cmake/compile_options.cmake) and chosen at
// run time by c_grid_plan.c.
#ifndef FATHOM_MODELS_TSUNAMI_OPENMP_C_GRID_H
#define FATHOM_MODELS_TSUNAMI_OPENMP_C_GRID_H

#include "models/tsunami/c_grid.h"
#include "models/tsunami/openmp/isa.h"

enum { C_TILE_WIDTH = 512, C_TILE_HEIGHT = 64 };
// Columns of the blocks that are beside land or in open water (C_OPEN_WATER of all nodes within two of them).
enum {
    C_BLOCK = 16,
    C_OPEN_WATER = C_GRID_WET | C_GRID_INNER | C_GRID_FULL | C_GRID_LINE_U | C_GRID_LINE_V |
                   2 << C_GRID_WEST | 2 << C_GRID_EAST | 2 << C_GRID_SOUTH | 2 << C_GRID_NORTH
};

// Of a row; cos: of its nodes, of the faces to the north. The weights of the three differences about the face
// to the north over its distance and about the node over its own, and of the mean at the node.
enum {
    C_ROW_FACE = 0,
    C_ROW_NODE = 3,
    C_ROW_MEAN = 6,
    C_ROW_INVERSE_FACE = 9,  // 1/m, to the north
    C_ROW_INVERSE_NODE = 10, // 1/(m cos)
    C_ROW_INVERSE_COS = 11,
    C_ROW_COS_FACE = 12,
    C_ROW_INVERSE_COS_FACE = 13,
    C_ROW_CORIOLIS = 14,
    C_ROW_CURVED = 15, // four: cos of the rows −1 … 2 over that of the face, or 1
    C_ROW_MEMBERS = 19
};
// Of columns, arrays; the same as of rows, without latitudes.
enum { C_COLUMN_ARRAYS = 11 };

// Scratch of a thread: rings of rows.
enum {
    C_STRIDE = C_TILE_WIDTH + 2 * TSUNAMI_HALO_COLUMNS,
    C_RING = 8,
    C_RING_FIELDS = 9,
    C_SCRATCH_ELEMENTS = (C_RING_FIELDS * C_RING + 2) * C_STRIDE
};

#define BOTH_PRECISIONS "models/tsunami/openmp/c_grid_level.inc"
#include "models/tsunami/both_precisions.inc"

struct tsunami_c_grid_functions {
    const char *instruction_set;
    // The velocities of a tile into u_new and v_new (unless is_record_only). Before it, the records of the
    // present state (records: or NULL).
    void (*velocity_f)(const struct c_level_f *level, const struct tsunami_records *records,
                       const struct tsunami_tile *tile, float *scratch, bool is_record_only, float time_s);
    void (*velocity_d)(const struct c_level_d *level, const struct tsunami_records *records,
                       const struct tsunami_tile *tile, double *scratch, bool is_record_only, float time_s);
    // The elevations of a tile into eta_new, from the velocities in u and v.
    void (*elevation_f)(const struct c_level_f *level, const struct tsunami_tile *tile, float *scratch);
    void (*elevation_d)(const struct c_level_d *level, const struct tsunami_tile *tile, double *scratch);
    // η (NaN on land), u and v of the nodes of a tile one row high, at the time of η.
    void (*nodes_f)(const struct c_level_f *level, const struct tsunami_tile *tile, float *scratch,
                    double *eta_m, double *u_m_s, double *v_m_s);
    void (*nodes_d)(const struct c_level_d *level, const struct tsunami_tile *tile, double *scratch,
                    double *eta_m, double *u_m_s, double *v_m_s);
};

extern const struct tsunami_c_grid_functions tsunami_c_grid_generic, tsunami_c_grid_avx2,
    tsunami_c_grid_avx512;

#endif
