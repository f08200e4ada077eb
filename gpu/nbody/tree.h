// The tree on the device (models/nbody/state.h, THE TREE): its arrays and its kernels. Each function only
// launches work on the stream. Independent of solvers and of the memory plan.
//
// Cells are numbered by depth, and at one depth in the order of their bodies. So the children of a cell are
// consecutive: cell c has the children first_child[c] … first_child[c + 1] − 1. A leaf has none: its
// first_child is that of the next cell.
#ifndef FATHOM_GPU_NBODY_TREE_H
#define FATHOM_GPU_NBODY_TREE_H

#include "gpu/extern_c.h"
#include "gpu/nbody/kernels.h"

EXTERN_C_BEGIN

enum {
    TREE_TILE = 256,                  // bodies of a thread block in the search for cells
    TREE_DEPTHS = NBODY_KEY_BITS + 1, // 0 … 21
    TREE_ROWS = TREE_DEPTHS + 1,      // of tile_counts: the cells of each depth, then the leaves
    TREE_BOX_BLOCKS = 528,            // partial boxes
    TREE_PEERS_MAX = 2,               // other devices that a walk writes to
    TREE_SIDES = 6                    // of a box: least x, y, z, and least −x, −y, −z
};

// The root's cube; `scale` is 2²¹/side. Not valid if a position is non-finite: then there are no cells, and
// fields are NaN.
struct tree_cube {
    double corner[NBODY_AXES], side, scale;
    int is_valid;
};

// Numbers of interactions of bodies with cells and with bodies of leaves.
struct tree_tally {
    unsigned long long cells, bodies;
};

// The children of a cell, or the bodies of a leaf (TREE_LEAF is then set in `count`).
#define TREE_LEAF 0x80000000u
struct tree_link {
    unsigned first, count;
};

// All arrays are on the device. Real: the run's precision.
struct tree_arrays {
    unsigned count, tiles; // bodies; of TREE_TILE bodies
    double *boxes;         // [TREE_BOX_BLOCKS][TREE_SIDES]
    struct tree_cube *cube;
    struct tree_tally *tally; // of the groups that are walked
    // Of bodies: the groups that are walked, first … end − 1 (of several ranks each has some), and (NULL: not
    // wanted) the work of each in its last walk, in units of the work of a body that acts on all of the
    // group's; that of a cell is cell_work.
    unsigned first_group, end_group, cell_work;
    unsigned *group_work;
    // Fields of other devices, in which a walk writes what it writes in its own.
    int peers;
    void *peer_field[TREE_PEERS_MAX];
    unsigned long long *keys[2]; // [count]; a sort moves the keys from one array to the other
    unsigned *order[2];          // [count]: index of a body before the sort
    int current;                 // which of the two arrays holds the keys, and the order
    // [TREE_ROWS][tiles], and the total: first the number of cells that begin in a tile, later the number in
    // all tiles before it
    unsigned *tile_counts;
    void *scratch; // of the sort and the sums
    size_t scratch_bytes;
    // By cell
    unsigned *start;                // first body
    unsigned *parent, *first_child; // first_child has one more
    unsigned *arrived;              // number of the cell's children whose sums are complete; 0 between steps
    struct tree_link *links;
    // Real [4]: centre of mass, and the square of the distance from which the cell replaces its bodies
    void *centres;
    void *moments; // Real [8]: 3 S (xx, xy, xz, yy | yz, zz), 3/2 tr S, mass
    void *cubes;   // Real [4]: middle and half side; NULL unless tests_cubes
};

struct tree_rule {
    double softening;
    struct nbody_tree_rule rule;
    int tests_cubes; // a group may touch the cube of a cell that the opening criterion accepts
};

// Scratch of the sort and of the sums, bytes.
cudaError_t device_tree_scratch_bytes(unsigned count, unsigned tiles, size_t *bytes);

// The stages, in this order.
cudaError_t device_tree_find_cube(const struct tree_arrays *tree, const void *bodies, enum element precision,
                                  cudaStream_t stream);
cudaError_t device_tree_sort(struct tree_arrays *tree, const void *bodies, enum element precision,
                             cudaStream_t stream);
// Copies bodies, velocities and ids to their spare arrays, in the new order.
cudaError_t device_tree_reorder(const struct tree_arrays *tree, const struct nbody_device_bodies *bodies,
                                cudaStream_t stream);
cudaError_t device_tree_make_cells(const struct tree_arrays *tree, cudaStream_t stream);
cudaError_t device_tree_sum_cells(const struct tree_arrays *tree, const struct tree_rule *rule,
                                  const void *bodies, enum element precision, cudaStream_t stream);
cudaError_t device_tree_walk_single(const struct tree_arrays *tree, const struct tree_rule *rule,
                                    const void *bodies, void *field, int has_potential, cudaStream_t stream);
cudaError_t device_tree_walk_double(const struct tree_arrays *tree, const struct tree_rule *rule,
                                    const void *bodies, void *field, int has_potential, cudaStream_t stream);

// Load the kernels of these functions, and call CUB once, because its first call may allocate. Afterwards
// keys, order and tile counts are undefined.
cudaError_t device_tree_load_sort(struct tree_arrays *tree, enum element precision, cudaStream_t stream);
cudaError_t device_tree_load_cells(const struct tree_arrays *tree, enum element precision,
                                   cudaStream_t stream);
cudaError_t device_tree_load_walk_single(const struct tree_rule *rule);
cudaError_t device_tree_load_walk_double(const struct tree_rule *rule);

EXTERN_C_END

#endif
