// The tree on the device (see the header).
#include "gpu/nbody/method.h"

#include "gpu/memory.h"
#include "models/nbody/tree.h"
#include "parallel/ranks.h"

#include <math.h>

// Whether a group can touch the cube of a cell that the opening criterion accepts. A group that touches the
// cube is at most √3/2 of its side plus the offset away from the centre of mass (√3 of the side if the
// criterion ignores the offset). For small θ the criterion rejects all cells at such a distance.
static bool must_test_cubes(const struct nbody_tree_rule *rule)
{
    const double margin = 1e-5; // for the rounding of floats
    if (rule->opening == NBODY_OPENING_DISTANCE)
        return true;
    return 1 / rule->theta < sqrt(3) * (rule->opening == NBODY_OPENING_OFFSET ? 0.5 : 1) + margin;
}

static size_t ranks_of(const struct nbody_device_tree *t)
{
    return t->setup.shares ? (size_t)t->setup.ranks->count : 1;
}

static enum status plan_arrays(struct nbody_device_tree *t, struct memory_plan *plan, const char *prefix)
{
    const enum memory_kind device = MEMORY_DEVICE;
    const enum element byte = ELEMENT_U8;
    struct tree_arrays *a = &t->arrays;
    const size_t n = t->setup.count, cells = t->cells_planned, real = element_bytes(t->setup.precision);
    const struct gpu_array arrays[] = {
        {&a->boxes, device, byte, TREE_BOX_BLOCKS, TREE_SIDES * sizeof *a->boxes, "tree, boxes of blocks"},
        {&a->cube, device, byte, 1, sizeof *a->cube, "tree, cube"},
        {&t->tallies, device, byte, ranks_of(t), sizeof *t->tallies, "tree, tally"},
        {&a->keys[0], device, byte, n, sizeof *a->keys[0], "tree, keys"},
        {&a->keys[1], device, byte, n, sizeof *a->keys[1], "tree, keys in a sort"},
        {&a->order[0], device, byte, n, sizeof *a->order[0], "tree, order"},
        {&a->order[1], device, byte, n, sizeof *a->order[1], "tree, order in a sort"},
        {&a->tile_counts, device, byte, (size_t)TREE_ROWS * a->tiles + 1, sizeof *a->tile_counts,
         "tree, cells by tile"},
        {&a->scratch, device, byte, a->scratch_bytes, 1, "tree, scratch of the sort"},
        {&a->start, device, byte, cells, sizeof *a->start, "tree, cells, first body"},
        {&a->parent, device, byte, cells, sizeof *a->parent, "tree, cells, parent"},
        {&a->first_child, device, byte, cells + 1, sizeof *a->first_child, "tree, cells, first child"},
        {&a->arrived, device, byte, cells, sizeof *a->arrived, "tree, cells, children summed up"},
        {&a->links, device, byte, cells, sizeof *a->links, "tree, cells, links"},
        {&a->centres, device, byte, cells, 4 * real, "tree, cells, centre of mass"},
        {&a->moments, device, byte, cells, 8 * real, "tree, cells, moments"},
        {&a->cubes, device, byte, t->rule.tests_cubes ? cells : 0, 4 * real, "tree, cells, cubes"},
        {&t->counted, MEMORY_PINNED, byte, 1, sizeof *t->counted, "tree, counts"},
    };
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
}

enum status nbody_device_tree_plan(const struct nbody_setup *setup, struct memory_plan *plan,
                                   const char *prefix, struct nbody_device_tree *t)
{
    t->setup = *setup;
    t->cells_planned = nbody_tree_cells_bound(setup->count);
    t->rule = (struct tree_rule){.softening = setup->physics->softening,
                                 .rule = setup->physics->tree,
                                 .tests_cubes = must_test_cubes(&setup->physics->tree)};
    t->arrays.count = (unsigned)setup->count;
    t->arrays.tiles = (unsigned)((setup->count + TREE_TILE - 1) / TREE_TILE);
    t->arrays.end_group = (unsigned)((setup->count + NBODY_GROUP_BODIES - 1) / NBODY_GROUP_BODIES);
    // As measured on an H200: with its quadrupole a cell takes about as long as two bodies.
    t->arrays.cell_work = setup->physics->tree.has_quadrupole ? 2 : 1;
    CUDA_CHECK(device_tree_scratch_bytes(t->arrays.count, t->arrays.tiles, &t->arrays.scratch_bytes),
               "to find the scratch of a sort");
    return plan_arrays(t, plan, prefix);
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

static enum status begin_stage(cudaEvent_t *stages, enum nbody_stage stage, cudaStream_t stream)
{
    if (stages)
        CUDA_CHECK(cudaEventRecord(stages[stage], stream), "to note the time");
    return STATUS_OK;
}

enum status nbody_device_tree_build(struct nbody_device_tree *tree, struct nbody_device_bodies *bodies,
                                    cudaEvent_t *stages, cudaStream_t stream)
{
    const enum element precision = tree->setup.precision;
    CHECK(begin_stage(stages, NBODY_STAGE_BOX, stream));
    CUDA_CHECK(device_tree_find_cube(&tree->arrays, bodies->body, precision, stream), "to find the box");
    CHECK(begin_stage(stages, NBODY_STAGE_SORT, stream));
    CUDA_CHECK(device_tree_sort(&tree->arrays, bodies->body, precision, stream), "to sort");
    CUDA_CHECK(device_tree_reorder(&tree->arrays, bodies, stream), "to sort");
    exchange(bodies);
    CHECK(begin_stage(stages, NBODY_STAGE_BUILD, stream));
    CUDA_CHECK(device_tree_make_cells(&tree->arrays, stream), "to build a tree");
    CHECK(begin_stage(stages, NBODY_STAGE_SUMMARISE, stream));
    CUDA_CHECK(device_tree_sum_cells(&tree->arrays, &tree->rule, bodies->body, precision, stream),
               "to sum up a tree");
    return begin_stage(stages, NBODY_STAGE_FORCE, stream);
}

enum status nbody_device_tree_forces(struct nbody_device_tree *tree, const struct nbody_device_bodies *bodies,
                                     void *field, bool has_potential, cudaStream_t stream)
{
    tree->arrays.tally = tree->tallies + (tree->setup.shares ? tree->setup.ranks->rank : 0);
    CUDA_CHECK(
        tree->setup.precision == ELEMENT_F32
            ? device_tree_walk_single(&tree->arrays, &tree->rule, bodies->body, field, has_potential, stream)
            : device_tree_walk_double(&tree->arrays, &tree->rule, bodies->body, field, has_potential, stream),
        "to walk a tree");
    return STATUS_OK;
}

enum status nbody_device_tree_count(const struct nbody_device_tree *tree, struct nbody_tree_counts *counts)
{
    const struct tree_arrays *a = &tree->arrays;
    struct tree_counted *c = tree->counted;
    const unsigned *cells = a->tile_counts + (size_t)TREE_DEPTHS * a->tiles;
    const unsigned *all = a->tile_counts + (size_t)TREE_ROWS * a->tiles;
    CUDA_CHECK(cudaMemcpy(&c->cells, cells, sizeof *cells, cudaMemcpyDeviceToHost), "a copy");
    CUDA_CHECK(cudaMemcpy(&c->cells_and_leaves, all, sizeof *all, cudaMemcpyDeviceToHost), "a copy");
    *counts = (struct nbody_tree_counts){.cells = c->cells,
                                         .leaves = (int64_t)c->cells_and_leaves - c->cells,
                                         .cells_planned = (int64_t)tree->cells_planned};
    for (size_t r = 0; r < ranks_of(tree); r++) {
        CUDA_CHECK(cudaMemcpy(&c->tally, &tree->tallies[r], sizeof c->tally, cudaMemcpyDeviceToHost),
                   "a copy");
        counts->cell_interactions += (double)c->tally.cells;
        counts->body_interactions += (double)c->tally.bodies;
    }
    return STATUS_OK;
}
