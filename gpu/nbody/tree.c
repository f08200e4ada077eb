// The tree on the device as gpu/nbody/method.h offers it: its memory, and its kernels in order. Knows no
// kernel's inside.
#include "gpu/nbody/tree.h"

#include "gpu/memory.h"
#include "gpu/nbody/method.h"
#include "models/nbody/tree.h"

#include <math.h>
#include <stdlib.h>

struct nbody_device_tree {
    struct nbody_setup setup;
    size_t cells_planned;
    struct tree_arrays arrays;
    struct tree_rule rule;
    struct tree_counted *counted; // pinned
};

// What comes back to the host when it is asked for.
struct tree_counted {
    unsigned cells, cells_and_leaves;
    struct tree_tally tally;
};

// A group that touches a cell's cube is √3/2 of its side, and the offset, or less from its centre of mass (√3
// of it without looking at the offset): less than the opening asks for if θ is small enough.
static bool looks_at_cubes(const struct nbody_tree_rule *rule)
{
    const double margin = 1e-5; // of a float's rounding
    if (rule->opening == NBODY_OPENING_DISTANCE)
        return true;
    return 1 / rule->theta < sqrt(3) * (rule->opening == NBODY_OPENING_OFFSET ? 0.5 : 1) + margin;
}

struct wanted_array {
    void *pointer;
    size_t count, bytes;
    const char *name;
};

static enum status plan_arrays(struct nbody_device_tree *t, struct memory_plan *plan, const char *prefix)
{
    struct tree_arrays *a = &t->arrays;
    const size_t n = t->setup.count, cells = t->cells_planned, real = element_bytes(t->setup.precision);
    const struct wanted_array wanted[] = {
        {&a->boxes, TREE_BOX_BLOCKS, TREE_SIDES * sizeof *a->boxes, "parts of the box"},
        {&a->cube, 1, sizeof *a->cube, "cube"},
        {&a->tally, 1, sizeof *a->tally, "tally"},
        {&a->keys[0], n, sizeof *a->keys[0], "keys"},
        {&a->keys[1], n, sizeof *a->keys[1], "keys in a sort"},
        {&a->order[0], n, sizeof *a->order[0], "order"},
        {&a->order[1], n, sizeof *a->order[1], "order in a sort"},
        {&a->tile_counts, (size_t)TREE_ROWS * a->tiles + 1, sizeof *a->tile_counts, "cells by tile"},
        {&a->scratch, a->scratch_bytes, 1, "scratch of the sort"},
        {&a->start, cells, sizeof *a->start, "cells, first body"},
        {&a->parent, cells, sizeof *a->parent, "cells, parent"},
        {&a->first_child, cells + 1, sizeof *a->first_child, "cells, first child"},
        {&a->arrived, cells, sizeof *a->arrived, "cells, children summed up"},
        {&a->links, cells, sizeof *a->links, "cells, links"},
        {&a->centres, cells, 4 * real, "cells, centre of mass"},
        {&a->moments, cells, 8 * real, "cells, moments"},
        {&a->cubes, t->rule.looks_at_cubes ? cells : 0, 4 * real, "cells, cubes"},
    };
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        if (wanted[k].count > 0)
            CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_U8, wanted[k].count, wanted[k].bytes,
                                  wanted[k].pointer, "%stree, %s", prefix, wanted[k].name));
    return memory_plan_add(plan, MEMORY_PINNED, ELEMENT_U8, 1, sizeof *t->counted, (void **)&t->counted,
                           "%stree, counts", prefix);
}

enum status nbody_device_tree_plan(const struct nbody_setup *setup, struct memory_plan *plan,
                                   const char *prefix, struct nbody_device_tree **tree)
{
    struct nbody_device_tree *t = calloc(1, sizeof *t);
    *tree = t;
    if (!t)
        return FAIL(STATUS_SYSTEM, "no memory for the tree on the GPU");
    t->setup = *setup;
    t->cells_planned = nbody_tree_cells_bound(setup->count);
    t->rule = (struct tree_rule){.softening = setup->physics->softening,
                                 .rule = setup->physics->tree,
                                 .looks_at_cubes = looks_at_cubes(&setup->physics->tree)};
    t->arrays.count = (unsigned)setup->count;
    t->arrays.tiles = (unsigned)((setup->count + TREE_TILE - 1) / TREE_TILE);
    CUDA_CHECK(device_tree_scratch_bytes(t->arrays.count, t->arrays.tiles, &t->arrays.scratch_bytes),
               "to report what a sort needs");
    return plan_arrays(t, plan, prefix);
}

void nbody_device_tree_destroy(struct nbody_device_tree *tree)
{
    free(tree);
}

enum status nbody_device_tree_warm_up(struct nbody_device_tree *tree)
{
    const enum element precision = tree->setup.precision;
    CUDA_CHECK(device_tree_load_sort(&tree->arrays, precision, NULL), "to load its kernels");
    CUDA_CHECK(device_tree_load_cells(&tree->arrays, precision, NULL), "to load its kernels");
    CUDA_CHECK(precision == ELEMENT_F32 ? device_tree_load_walk_single(&tree->rule)
                                        : device_tree_load_walk_double(&tree->rule),
               "to load its kernels");
    CUDA_CHECK(cudaStreamSynchronize(NULL), "to sort");
    return STATUS_OK;
}

static void exchange(struct nbody_device_bodies *b)
{
    void *const body = b->body, *const velocity = b->velocity;
    unsigned *const id = b->id;
    b->body = b->spare_body;
    b->velocity = b->spare_velocity;
    b->id = b->spare_id;
    b->spare_body = body;
    b->spare_velocity = velocity;
    b->spare_id = id;
}

static enum status begin_phase(cudaEvent_t *phases, enum nbody_stage phase, cudaStream_t stream)
{
    if (phases)
        CUDA_CHECK(cudaEventRecord(phases[phase], stream), "to note the time");
    return STATUS_OK;
}

enum status nbody_device_tree_build(struct nbody_device_tree *tree, struct nbody_device_bodies *bodies,
                                    cudaEvent_t *phases, cudaStream_t stream)
{
    const enum element precision = tree->setup.precision;
    CHECK(begin_phase(phases, NBODY_STAGE_BOX, stream));
    CUDA_CHECK(device_tree_find_cube(&tree->arrays, bodies->body, precision, stream), "to find the box");
    CHECK(begin_phase(phases, NBODY_STAGE_SORT, stream));
    CUDA_CHECK(device_tree_sort(&tree->arrays, bodies->body, precision, stream), "to sort");
    CUDA_CHECK(device_tree_reorder(&tree->arrays, bodies, stream), "to sort");
    exchange(bodies);
    CHECK(begin_phase(phases, NBODY_STAGE_BUILD, stream));
    CUDA_CHECK(device_tree_make_cells(&tree->arrays, stream), "to build a tree");
    CHECK(begin_phase(phases, NBODY_STAGE_SUMMARISE, stream));
    CUDA_CHECK(device_tree_sum_cells(&tree->arrays, &tree->rule, bodies->body, precision, stream),
               "to sum up a tree");
    return begin_phase(phases, NBODY_STAGE_FORCE, stream);
}

enum status nbody_device_tree_forces(struct nbody_device_tree *tree, const struct nbody_device_bodies *bodies,
                                     void *field, bool has_potential, cudaStream_t stream)
{
    CUDA_CHECK(
        tree->setup.precision == ELEMENT_F32
            ? device_tree_walk_single(&tree->arrays, &tree->rule, bodies->body, field, has_potential, stream)
            : device_tree_walk_double(&tree->arrays, &tree->rule, bodies->body, field, has_potential, stream),
        "to walk a tree");
    return STATUS_OK;
}

enum status nbody_device_tree_count(struct nbody_device_tree *tree, struct nbody_tree_counts *counts)
{
    const struct tree_arrays *a = &tree->arrays;
    struct tree_counted *c = tree->counted;
    const unsigned *cells = a->tile_counts + (size_t)TREE_DEPTHS * a->tiles;
    const unsigned *all = a->tile_counts + (size_t)TREE_ROWS * a->tiles;
    CUDA_CHECK(cudaMemcpy(&c->cells, cells, sizeof *cells, cudaMemcpyDeviceToHost), "a copy");
    CUDA_CHECK(cudaMemcpy(&c->cells_and_leaves, all, sizeof *all, cudaMemcpyDeviceToHost), "a copy");
    CUDA_CHECK(cudaMemcpy(&c->tally, a->tally, sizeof *a->tally, cudaMemcpyDeviceToHost), "a copy");
    *counts = (struct nbody_tree_counts){.cells = c->cells,
                                         .leaves = (int64_t)c->cells_and_leaves - c->cells,
                                         .cells_planned = (int64_t)tree->cells_planned,
                                         .cell_interactions = (double)c->tally.cells,
                                         .body_interactions = (double)c->tally.bodies};
    return STATUS_OK;
}
