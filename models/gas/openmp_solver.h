// Shared by the parts of the fast CPU version: the particles, and the grid of cells that they are sorted
// into. Only the arithmetic of a pair is in gas_setup.precision; all else is in double. All results have the
// same bits for any number of threads.
#ifndef FATHOM_MODELS_GAS_OPENMP_SOLVER_H
#define FATHOM_MODELS_GAS_OPENMP_SOLVER_H

#include "models/gas/law.h"
#include "models/gas/solver.h"

// [count] each, in the order of the last sort (ALL_PAIRS: by id). A sort may exchange an array with a spare
// one.
struct gas_arrays {
    size_t count;
    double *position[GAS_AXES], *velocity[GAS_AXES],
        *before[GAS_AXES]; // before: NULL unless jumps are limited
    double *force[GAS_AXES], *potential,
        *virial;  // after sums of pairs; outer forces are added by openmp_move.c
    double *mass; // NULL: all the same
    uint32_t *id;
};

// Number of particles that a thread works on at a time: so few that two threads share 4096 evenly, because a
// thread that waits long for the other is put to sleep.
enum { GAS_PIECE = 1024 };
// Runs body(context, item) for each piece of GAS_PIECE of `count` particles or cells; `item`: its number.
void gas_for_pieces(int threads, size_t count, void (*body)(void *context, size_t item), void *context);
static inline size_t gas_piece_end(size_t count, size_t item)
{
    return (item + 1) * GAS_PIECE < count ? (item + 1) * GAS_PIECE : count;
}

// ---- openmp_cells.c: the box divided evenly into cells, and the sort.
struct gas_grid {
    int columns, rows;
    double box[GAS_AXES];
    uint32_t *starts; // [columns rows + 1]: first particle of each cell
    // Scratch of the sort.
    int threads;
    uint32_t *cell_of, *heads, *order, *spare_id; // by particle; [threads][cells]; by new index
    double *spare;
};
enum status gas_grid_plan(struct gas_grid *grid, size_t count, struct memory_plan *plan, const char *prefix);
// Sorts everything but forces and the results of pairs, stably.
void gas_grid_sort(struct gas_grid *grid, struct gas_arrays *particles);
// Finds `starts` from the positions of particles that are already sorted by cell.
void gas_grid_find_starts(struct gas_grid *grid, double *const *position, size_t count);
static inline size_t gas_grid_cells(const struct gas_grid *grid)
{
    return (size_t)grid->columns * (size_t)grid->rows;
}

// ---- openmp_lists.c: the neighbour lists (THE LISTS of models/gas/state.h). `crowded`: the first particle,
// by id, with more neighbours than its list holds; −1: none.
struct gas_neighbours;
enum status gas_lists_plan(const struct gas_setup *setup, int threads, struct memory_plan *plan,
                           const char *prefix, struct gas_neighbours **lists);
void gas_lists_sort(struct gas_neighbours *lists, struct gas_arrays *particles);
// Finds the neighbours from the positions at the sort. is_loaded: these come from a checkpoint, and the cells
// are found again.
void gas_lists_build(struct gas_neighbours *lists, const struct gas_arrays *particles, bool is_loaded,
                     int64_t *crowded);
// Whether a particle has moved further than half the skin since the sort.
bool gas_lists_are_stale(struct gas_neighbours *lists, const struct gas_arrays *particles);
// Forces, or (has_energy) potentials and virials.
void gas_lists_sum(const struct gas_neighbours *lists, const struct gas_law *law,
                   const struct gas_arrays *particles, bool has_energy);
double *gas_lists_positions(const struct gas_neighbours *lists, int axis); // at the sort
void gas_lists_count(const struct gas_neighbours *lists, struct gas_counts *counts);

// ---- openmp_regions.c: the three regions of cells (THE REGIONS of models/gas/state.h).
struct pair_multipole {
    double count, x, y, moment_x, moment_y; // M, c, Q
};
struct gas_field_regions;
enum status gas_regions_plan(const struct gas_setup *setup, int threads, struct memory_plan *plan,
                             const char *prefix, struct gas_field_regions **regions);
void gas_regions_sort(struct gas_field_regions *regions, struct gas_arrays *particles, bool is_loaded);
void gas_regions_sum(struct gas_field_regions *regions, const struct gas_law *law,
                     const struct gas_arrays *particles, bool has_energy, struct gas_stage_times *times);
double gas_regions_pairs(const struct gas_field_regions *regions);

// ---- openmp_pairs.c: direct summation.
void gas_pairs_sum(const struct gas_setup *setup, int threads, const struct gas_law *law,
                   const struct gas_arrays *particles, bool has_energy);

#endif
