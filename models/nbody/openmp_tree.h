// Shared by openmp_tree*.c, and private to them: the tree's cells and lists, and the functions that are
// compiled once per instruction set. THE TREE is defined in state.h.
#ifndef FATHOM_MODELS_NBODY_OPENMP_TREE_H
#define FATHOM_MODELS_NBODY_OPENMP_TREE_H

#include "models/isa.h"
#include "models/nbody/openmp_solver.h"

// A cell has at most TREE_PARTS cells. A cell's terms: centre of mass, mass, 3 S (xx, xy, xz, yy, yz, zz),
// 3/2 tr S, one unused. The lists hold TREE_LIST bodies and as many cells, and are summed whenever they are
// full: that is also the block whose sum is in the run's precision. A tree walk has at most 7 cells of each
// depth but the last, and 8 of that, on its stack.
enum {
    TREE_PARTS = 8,
    TREE_BOXES = NBODY_GROUP_BODIES / NBODY_BOX_BODIES,
    TREE_TERMS = 12,
    TREE_LIST = 256,
    TREE_STACK = TREE_PARTS * (NBODY_KEY_BITS + 1),
    TREE_BLOCK = 256,   // cells that a thread takes at a time
    TREE_DIGIT_BITS = 8 // of keys that a pass of the sort reads
};
_Static_assert((int)NBODY_GROUP_BODIES == (int)NBODY_PAD, "a group's lanes end with the padding");

struct tree_cube {
    double corner[NBODY_AXES], side;
};

// Bodies of a cell, and its cells, which follow each other; a leaf has none.
struct tree_link {
    uint32_t first, count;
    uint32_t cells, parts;
};

// What the tree walk and the sums read. Cells are numbered depth by depth, within one in the order of their
// bodies.
struct tree_view {
    const struct nbody_physics *physics;
    size_t count;
    struct tree_cube cube;
    bool is_finite;                          // all positions are; else there are no cells, and fields are NaN
    const void *position[NBODY_AXES], *mass; // of bodies, in the run's precision
    void *acceleration[NBODY_AXES], *potential; // NULL: not wanted
    bool is_hard;                               // see openmp_attraction.inc
    bool has_touch;                             // the cubes are tested, too
    const struct tree_link *links;
    // [cell] each. least_square: square of the least distance at which the cell replaces its bodies; −1: it
    // has no mass.
    double *centre[NBODY_AXES], *cell_mass, *least_square;
    double *corner[NBODY_AXES], *side; // of its cube; only with has_touch
    void *terms;                       // [cell][TREE_TERMS] in the run's precision
};

struct tree_box {
    double least[NBODY_AXES], most[NBODY_AXES];
};

// What a thread has to itself for a group.
struct tree_scratch {
    _Alignas(64) double sum[NBODY_AXES + 1][NBODY_PAD]; // accelerations, potential
    double sources[NBODY_AXES + 1][TREE_LIST]; // x, y, z, mass of listed bodies, in the run's precision
    uint32_t numbers[TREE_LIST], cells[TREE_LIST];
    size_t source_count, cell_count;
    // The group's boxes, and the one around them all.
    struct tree_box boxes[TREE_BOXES], around;
    int box_count;
    bool is_finite; // all positions of a piece of the bodies are
    int64_t cell_interactions, body_interactions;
};

// [0] single, [1] double.
struct tree_functions {
    const char *instruction_set;
    double softening_least[2]; // less than that is hard
    void (*find_keys[2])(const struct tree_view *view, size_t first, size_t end, uint64_t *keys);
    // Sums of cells first … end − 1 of a depth; those of the next depth are there.
    void (*sum_cells[2])(const struct tree_view *view, int depth, size_t first, size_t end);
    // The field of a group, the one whose first body this is.
    void (*sum_field[2])(const struct tree_view *view, size_t first, struct tree_scratch *scratch);
};

ISA_TABLES(tree_functions);

struct nbody_tree {
    struct nbody_setup setup;
    const struct tree_functions *functions;
    int threads, kind; // kind: of the functions
    size_t element;
    struct tree_view view;
    // The sort; [0] is what is sorted, [1] where it goes.
    uint64_t *keys[2];
    uint32_t *order[2];
    uint32_t *heads; // [thread][digit]
    void *spare;     // an array of bodies
    uint32_t *spare_id;
    // Cells.
    size_t cells_planned, cell_count, leaf_count;
    size_t depth_first[NBODY_KEY_BITS + 2]; // cells of depth d: depth_first[d] … depth_first[d + 1] − 1
    int depths;
    struct tree_link *links;
    uint32_t *block_parts;        // [block]
    struct tree_scratch *scratch; // [thread]
};

static inline uint32_t tree_place(const struct tree_cube *cube, int axis, double x)
{
    const double most = (double)((1 << NBODY_KEY_BITS) - 1);
    double place = (x - cube->corner[axis]) * ((double)(1 << NBODY_KEY_BITS) / cube->side);
    place = place > 0 ? place : 0; // also NaN
    place = place < most ? place : most;
    return (uint32_t)(int32_t)place;
}

// Blocks of this length for `count` items.
static inline size_t tree_blocks(size_t count, size_t block)
{
    return (count + block - 1) / block;
}

// ---- openmp_tree_sort.c: box, keys, sort; the bodies in the tree's order.

enum status tree_sort_plan(struct nbody_tree *tree, struct memory_plan *plan, const char *prefix);
void tree_find_cube(struct nbody_tree *tree, const struct nbody_arrays *bodies);
void tree_sort(struct nbody_tree *tree, struct nbody_arrays *bodies);

// ---- openmp_tree_cells.c: cells from the sorted keys, then their sums.

enum status tree_cells_plan(struct nbody_tree *tree, struct memory_plan *plan, const char *prefix);
void tree_make_cells(struct nbody_tree *tree);
void tree_sum_cells(struct nbody_tree *tree);

#endif
