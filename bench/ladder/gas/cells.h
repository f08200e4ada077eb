// Particles of the gas' ladder in cells (cells_view.h): the grid, its lists and tables, and the sort, which
// is the processor's in all rungs, as the author's is. Independent of devices.
#ifndef FATHOM_BENCH_LADDER_GAS_CELLS_H
#define FATHOM_BENCH_LADDER_GAS_CELLS_H

#include "bench/ladder/gas/cells_view.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What a rung does in a step.
enum gas_cells_program {
    GAS_CELLS_TILED1,  // searches all cells; near ones and middle ones, velocities written after each
    GAS_CELLS_TILED11, // velocities written once
    GAS_CELLS_TILED2,  // far cells, too
    GAS_CELLS_TILED3,  // lists instead of the search; velocities written once
    GAS_CELLS_FULL,    // the same with the full model in near cells (chapter 10)
    GAS_CELLS_FAR,     // nothing but the velocities that far cells give (Tiled2k alone, table 6)
    GAS_CELLS_SORT     // nothing but the sort
};

struct gas_cells_way {
    enum gas_cells_program program;
    enum gas_cells_tables tables; // of far cells
    int near_cells;               // 9, or 1: the particle's own
    bool is_unrolled;             // pairs, and far cells, by GAS_CELLS_UNROLL
    bool keeps_cells;             // sorts once, at the start: particles stay in the lists of those cells
};

struct gas_cells {
    struct gas_cells_way way;
    struct gas_ladder_particles particles; // in the order of their cells
    struct gas_ladder_particles spare;     // where the next sort puts them
    uint32_t *placed, *spare_placed;       // [n]: a particle's number when it was placed
    int *cell_of;                          // [n]
    int *begin, *counts;                   // [k + 2]; [threads][k]
    int threads;
    int chunk; // particles, or cells, that a thread of the processor takes at a time
    float *centre[2];
    int *near, *middle; // [k][length], ended by k; NULL: the program has no lists
    int near_length, middle_length;
    float *square, *pull[2]; // [k][k]; NULL: not of `tables`
    float *far_kick[2];      // [k]
};

// Places the particles, sorts them, makes lists and tables. *cells is to be given to gas_cells_free, even
// after a failure. STATUS_SYSTEM: no memory.
enum status gas_cells_open(const struct gas_cells_way *way, const struct ladder_case *wanted,
                           struct gas_cells *cells);
void gas_cells_free(struct gas_cells *cells);

// Sorts the particles by cells; those of a cell keep their order, so that the result does not depend on the
// number of threads. Particles beyond an edge of the box belong to the cells there.
void gas_cells_sort(struct gas_cells *cells);

// Of the host's arrays.
struct gas_cells_view gas_cells_look(const struct gas_cells *cells);

// As gas_ladder_read, in the order in which the particles were placed.
void gas_cells_read(const struct gas_cells *cells, double *values);

bool gas_cells_has_far(const struct gas_cells_way *way);

// Operations as the author counts them (equations 15 to 22): every cell has all its near and middle cells,
// and every cell n/k particles.
void gas_cells_count(const struct gas_cells_way *way, const struct ladder_case *wanted, bool is_device,
                     struct ladder_counts *counts);

#ifdef __cplusplus
}
#endif

#endif
