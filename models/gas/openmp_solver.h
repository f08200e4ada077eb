// Shared by the parts of the fast CPU version: the particles, and the grid of cells that they are sorted
// into. Only the arithmetic of a pair is in gas_setup.precision; all else is in double. All results have the
// same bits for any number of threads.
#ifndef FATHOM_MODELS_GAS_OPENMP_SOLVER_H
#define FATHOM_MODELS_GAS_OPENMP_SOLVER_H

#include "models/gas/law.h"
#include "models/gas/solver.h"
#include "parallel/allgather.h"

// [count] each, in the order of the last sort (ALL_PAIRS: by id). A sort may exchange an array with a spare
// one. Of several ranks each has all particles, and moves its own; of the others it has the positions that
// its forces need.
struct gas_arrays {
    size_t count;
    struct particles_range own; // in whole groups; one rank: all
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
// Piece `item` of a range, for which gas_for_pieces runs with the range's length.
static inline struct particles_range gas_piece(struct particles_range all, size_t item)
{
    return (struct particles_range){all.first + item * GAS_PIECE,
                                    all.first + gas_piece_end(all.end - all.first, item)};
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
// is_loaded: order and positions at the sort come from a checkpoint, and only the cells are found again.
void gas_lists_sort(struct gas_neighbours *lists, struct gas_arrays *particles, bool is_loaded);
// Finds the neighbours of the own particles from the positions at the sort.
void gas_lists_build(struct gas_neighbours *lists, const struct gas_arrays *particles, int64_t *crowded);
// Whether an own particle has moved further than half the skin since the sort.
bool gas_lists_are_stale(struct gas_neighbours *lists, const struct gas_arrays *particles);
// Forces, or (has_energy) potentials and virials.
void gas_lists_sum(const struct gas_neighbours *lists, const struct gas_law *law,
                   const struct gas_arrays *particles, bool has_energy);
double *gas_lists_positions(const struct gas_neighbours *lists, int axis); // at the sort
// Sets largest_list and pairs, those of the own particles.
void gas_lists_count(const struct gas_neighbours *lists, struct gas_counts *counts);
// Adds the work of each particle after the sort, in whole numbers, to that of its group.
void gas_lists_find_work(const struct gas_neighbours *lists, double *work);
// Where the neighbours of a range of particles may lie.
struct allgather_need gas_lists_need(const struct gas_neighbours *lists, struct particles_range range);

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
void gas_regions_find_work(const struct gas_field_regions *regions, double *work); // as gas_lists_find_work

// ---- openmp_ranks.c: the particles of each rank, and what ranks exchange. One rank: each function does
// nothing.
struct gas_division {
    struct ranks *ranks; // NULL: one rank, and the rest is empty
    size_t count, groups;
    enum gas_exchange { GAS_PASS_NOTHING, GAS_PASS_ALL, GAS_PASS_NEEDED, GAS_SORT_ALWAYS } exchange;
    const struct share *start;    // [rank]: groups at the start and in checkpoints
    struct share *shares;         // [rank]: particles
    struct share *cut;            // [rank]: groups
    struct allgather_need *needs; // [rank]: whose positions it reads, between two sorts of lists
    double *work;                 // [group]; NULL: all have the same
    double *kinetic;              // [count]; NULL: no sum of them is needed
    bool is_joined;               // each rank has the whole state
    struct gas_counts acted;      // of this rank's limiters, since the last join
};
enum status gas_division_plan(struct gas_division *division, const struct gas_setup *setup,
                              struct gas_arrays *particles, struct memory_plan *plan, const char *prefix);
void gas_division_free(struct gas_division *division);
// All ranks get the particles of rank 0, by id.
enum status gas_division_copy(struct gas_division *division, struct gas_arrays *particles);
// All ranks get what each has of a checkpoint's arrays. at_sort: positions, where there are lists; or NULL.
enum status gas_division_load(struct gas_division *division, struct gas_arrays *particles,
                              double *const *at_sort);
// Before a sort: all ranks get all particles.
enum status gas_division_gather(struct gas_division *division, struct gas_arrays *particles);
// After a sort: cuts the particles by division->work, which the caller has set, and sets the own ones.
enum status gas_division_cut(struct gas_division *division, struct gas_arrays *particles);
// After a step without a sort: all ranks get the positions that they need.
enum status gas_division_pass(struct gas_division *division, const struct gas_arrays *particles);
// Makes a flag that any rank has set that of all.
enum status gas_division_agree(struct gas_division *division, bool *is_set);
// All ranks get the whole state, the limiters' counts, and those of the lists of all, `listed`.
enum status gas_division_join(struct gas_division *division, const struct gas_arrays *particles,
                              struct gas_counts *counts, struct gas_counts *listed);
// All ranks get two numbers of all particles.
enum status gas_division_share(struct gas_division *division, double *x, double *y);
// All ranks get the kinetic energies.
enum status gas_division_share_kinetic(struct gas_division *division);
// Makes the first of the ranks' findings that of all; of those of one step the first by `phase`, then by id.
enum status gas_division_agree_on(struct gas_division *division, int64_t phase, struct gas_finding *found);

// ---- openmp_pairs.c: direct summation.
void gas_pairs_sum(const struct gas_setup *setup, int threads, const struct gas_law *law,
                   const struct gas_arrays *particles, bool has_energy);

#endif
