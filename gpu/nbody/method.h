// The tree of a CUDA N-body solver: its arrays in the memory plan, and its kernels in order. Host code.
#ifndef FATHOM_GPU_NBODY_METHOD_H
#define FATHOM_GPU_NBODY_METHOD_H

#include "gpu/nbody/tree.h"
#include "models/nbody/solver.h"

// What nbody_device_tree_count copies to the host.
struct tree_counted {
    unsigned cells, cells_and_leaves;
    struct tree_tally tally;
};

struct nbody_device_tree {
    struct nbody_setup setup;
    size_t cells_planned;
    struct tree_tally *tallies; // device, [rank]
    struct tree_arrays arrays;
    struct tree_rule rule;
    struct tree_counted *counted; // pinned
};

// Plans all memory, including CUB's temporaries.
enum status nbody_device_tree_plan(const struct nbody_setup *setup, struct memory_plan *plan,
                                   const char *prefix, struct nbody_device_tree *tree);
enum status nbody_device_tree_warm_up(struct nbody_device_tree *tree); // loads kernels
// Builds the tree: finds the bounding box and the keys, sorts the bodies into the tree's order, makes the
// cells and sums over them. `stages`: NULL, or [NBODY_STAGES + 1] events; event k is recorded before stage k
// of enum nbody_stage, for k up to NBODY_STAGE_FORCE.
enum status nbody_device_tree_build(struct nbody_device_tree *tree, struct nbody_device_bodies *bodies,
                                    cudaEvent_t *stages, cudaStream_t stream);
// Writes accelerations, and potentials if has_potential, to `field` [count], in the order of the bodies.
enum status nbody_device_tree_forces(struct nbody_device_tree *tree, const struct nbody_device_bodies *bodies,
                                     void *field, bool has_potential, cudaStream_t stream);
// Copies the counts of the last tree to the host. The stream must have completed before.
enum status nbody_device_tree_count(const struct nbody_device_tree *tree, struct nbody_tree_counts *counts);

#endif
