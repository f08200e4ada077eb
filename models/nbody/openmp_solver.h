// Shared by the parts of the fast CPU version: the bodies, and the tree's functions. Arrays are in the run's
// precision, one per component, padded up to a multiple of NBODY_PAD with massless bodies at the last body's
// position: vector loops need no remainder.
#ifndef FATHOM_MODELS_NBODY_OPENMP_SOLVER_H
#define FATHOM_MODELS_NBODY_OPENMP_SOLVER_H

#include "models/nbody/solver.h"

enum { NBODY_PAD = 64 };

// [padded] each; in the tree's order with BARNES_HUT, else by id. A sort may exchange an array (but
// acceleration and potential) for one of its own.
struct nbody_arrays {
    size_t count, padded;
    void *position[NBODY_AXES], *velocity[NBODY_AXES], *mass;
    void *acceleration[NBODY_AXES], *potential;
    uint32_t *id; // of the body at this place
};

// Which groups of NBODY_GROUP_BODIES bodies, in their present order, each rank computes the field of. The
// shares of a tree change after each walk, by what the groups interacted with in it, the same numbers on all
// ranks. A body's field does not depend on the shares.
struct nbody_groups {
    size_t count;
    size_t first, end;         // of this rank
    struct ranks *ranks;       // several; NULL: one rank, and the rest is empty
    struct share *shares;      // [rank]
    const struct share *start; // [rank]: at the start, and in checkpoints
    // Only with a tree: of the last walk, [group].
    uint32_t *cells, *bodies; // that a body interacted with
    double *work;
    double cell_work; // of a cell, where that of a body is 1
};

// openmp_ranks.c. One rank: each does nothing.
enum status nbody_groups_plan(struct nbody_groups *groups, const struct nbody_setup *setup,
                              struct memory_plan *plan, const char *prefix);
void nbody_groups_free(struct nbody_groups *groups);
// All ranks get the bodies of rank 0, in the order of the ids.
enum status nbody_groups_copy_bodies(const struct nbody_groups *groups, struct nbody_arrays *bodies,
                                     enum element precision);
// All ranks get what each has of a checkpoint's arrays, its own groups.
enum status nbody_groups_join_bodies(const struct nbody_groups *groups, struct nbody_arrays *bodies,
                                     enum element precision);
// After the accelerations of the own groups were computed: all ranks get all of them, and new shares.
enum status nbody_groups_join_accelerations(struct nbody_groups *groups, struct nbody_arrays *bodies,
                                            enum element precision);
enum status nbody_groups_join_potentials(const struct nbody_groups *groups, struct nbody_arrays *bodies,
                                         enum element precision);

// Writes the padding; after the last body has moved.
void nbody_pad(struct nbody_arrays *bodies, enum element precision);

// openmp_tree.c. The tree is made of bodies of one precision by `threads` threads, with the same bits
// whatever their number.
struct nbody_tree;
enum status nbody_tree_plan(const struct nbody_setup *setup, int threads, struct memory_plan *plan,
                            const char *prefix, struct nbody_tree **tree);
// Box, keys, sort: puts the bodies (position, velocity, mass, id; the acceleration is stale) into the tree's
// order; then cells and their sums. Pads them, and adds the stages' durations to `times`. Bodies that stand
// in the tree's order already stay where they are.
void nbody_tree_build(struct nbody_tree *tree, struct nbody_arrays *bodies, struct nbody_stage_times *times);
// Accelerations of the rank's groups (where bodies->acceleration[0] is NULL: none), and potentials if wanted,
// by the tree as it was built.
void nbody_tree_forces(struct nbody_tree *tree, struct nbody_arrays *bodies,
                       const struct nbody_groups *groups, bool has_potential,
                       struct nbody_stage_times *times);
struct nbody_tree_counts nbody_tree_count(const struct nbody_tree *tree, const struct nbody_groups *groups);

// openmp_direct.c. Accelerations, and potentials if wanted, of the rank's groups by direct summation.
void nbody_direct_forces(const struct nbody_setup *setup, int threads, struct nbody_arrays *bodies,
                         const struct nbody_groups *groups, bool has_acceleration, bool has_potential);
const char *nbody_direct_instruction_set(void);

#endif
