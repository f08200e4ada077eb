// What the parts of the tree on the device share (models/nbody/state.h, THE TREE): its arrays, and the
// kernels as C sees them. Each function only begins its work on the stream given. Knows no solver and no
// memory plan.
//
// Cells are numbered by depth, those of one depth in the order of their bodies. So the cells of a cell follow
// each other, and `first_child` (of a leaf: that of the next cell) rises from 0 to the last: cell c has those
// from first_child[c] up to first_child[c + 1].
#ifndef FATHOM_GPU_NBODY_TREE_H
#define FATHOM_GPU_NBODY_TREE_H

#include "gpu/nbody/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TREE_TILE = 256,                  // bodies whose cells a block finds
    TREE_DEPTHS = NBODY_KEY_BITS + 1, // 0 … 21
    TREE_ROWS = TREE_DEPTHS + 1,      // of tile_counts: the cells of each depth, then the leaves
    TREE_BOX_BLOCKS = 528,            // partial boxes
    TREE_SIDES = 6                    // of a box: least x, y, z, and least −x, −y, −z
};

// The cube, and 2²¹/side. Not sound: a place that is no finite number; then there are no cells, and fields
// are NaN.
struct tree_cube {
    double corner[NBODY_AXES], side, scale;
    int is_sound;
};

// Of groups with cells and with leaves, times the bodies on both sides.
struct tree_tally {
    unsigned long long cells, bodies;
};

// Who a cell consists of: its cells, or a leaf's bodies (TREE_LEAF is then set in `count`).
#define TREE_LEAF 0x80000000u
struct tree_link {
    unsigned first, count;
};

// All on the device. Real: the run's precision.
struct tree_arrays {
    unsigned count, tiles; // bodies; of TREE_TILE bodies
    double *boxes;         // [TREE_BOX_BLOCKS][TREE_SIDES]
    struct tree_cube *cube;
    struct tree_tally *tally;
    unsigned long long *keys[2]; // [count]; a sort moves them from one to the other
    unsigned *order[2];          // [count]: where a body was before the sort
    int current;                 // which of the two holds them
    unsigned
        *tile_counts; // [TREE_ROWS][tiles], and the total: cells that begin in a tile; then what comes before
    void *scratch;    // of the sort and the sums
    size_t scratch_bytes;
    // By cell
    unsigned *start;                // first body
    unsigned *parent, *first_child; // first_child has one more
    unsigned *arrived;              // of its cells, how many are summed up; 0 between steps
    struct tree_link *links;
    // Real [4]: centre of mass, and the square of the distance from which it may stand for its bodies
    void *centres;
    void *moments; // Real [8]: 3 S (xx, xy, xz, yy | yz, zz), 3/2 tr S, mass
    void *cubes;   // Real [4]: middle and half side; NULL unless groups must be looked for in them
};

struct tree_rule {
    double softening;
    struct nbody_tree_rule rule;
    int looks_at_cubes; // a group may touch a cube that is far enough by its centre of mass
};

// Bytes that the sort and the sums need at most.
cudaError_t device_tree_scratch_bytes(unsigned count, unsigned tiles, size_t *bytes);

// Phases, in this order.
cudaError_t device_tree_find_cube(const struct tree_arrays *tree, const void *bodies, enum element precision,
                                  cudaStream_t stream);
cudaError_t device_tree_sort(struct tree_arrays *tree, const void *bodies, enum element precision,
                             cudaStream_t stream);
// Bodies, velocities and ids into their spare arrays, in the new order.
cudaError_t device_tree_reorder(const struct tree_arrays *tree, const struct nbody_device_bodies *bodies,
                                cudaStream_t stream);
cudaError_t device_tree_make_cells(const struct tree_arrays *tree, cudaStream_t stream);
cudaError_t device_tree_sum_cells(const struct tree_arrays *tree, const struct tree_rule *rule,
                                  const void *bodies, enum element precision, cudaStream_t stream);
cudaError_t device_tree_walk_single(const struct tree_arrays *tree, const struct tree_rule *rule,
                                    const void *bodies, void *field, int has_potential, cudaStream_t stream);
cudaError_t device_tree_walk_double(const struct tree_arrays *tree, const struct tree_rule *rule,
                                    const void *bodies, void *field, int has_potential, cudaStream_t stream);

// Loads the kernels of the above, and has CUB do what it does before its first call for this many bodies;
// keys, order and tile counts are then anything.
cudaError_t device_tree_load_sort(struct tree_arrays *tree, enum element precision, cudaStream_t stream);
cudaError_t device_tree_load_cells(const struct tree_arrays *tree, enum element precision,
                                   cudaStream_t stream);
cudaError_t device_tree_load_walk_single(const struct tree_rule *rule);
cudaError_t device_tree_load_walk_double(const struct tree_rule *rule);

#ifdef __cplusplus
}
#endif

#endif
