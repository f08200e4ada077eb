// The fast CPU version's tree: its build in a step, and the forces by groups of bodies, threads over groups.
// The results do not depend on the number of threads.
#include "models/nbody/openmp_tree.h"

#include "core/clock.h"
#include "models/team.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

// Whether a cell whose cube touches the group's box could satisfy the distance criterion. Then its centre of
// mass is at most as far from the box as from the cube's farthest corner: s + √3/2 l, or √3 l as the centre
// lies in the cube.
static bool needs_cubes(const struct nbody_tree_rule *rule)
{
    switch (rule->opening) {
    case NBODY_OPENING_OFFSET:
        return rule->theta > 1.15; // 2/√3
    case NBODY_OPENING_SIZE:
        return rule->theta > 0.57; // 1/√3
    case NBODY_OPENING_DISTANCE:
        return true;
    }
    return true;
}

enum status nbody_tree_plan(const struct nbody_setup *setup, int threads, struct memory_plan *plan,
                            const char *prefix, struct nbody_tree **tree)
{
    struct nbody_tree *t = calloc(1, sizeof *t);
    *tree = t;
    if (!t)
        return FAIL(STATUS_SYSTEM, "no memory for the tree");
    t->setup = *setup;
    t->functions = ISA_TABLE(tree_functions);
    t->threads = threads;
    t->kind = setup->precision == ELEMENT_F32 ? 0 : 1;
    t->element = element_bytes(setup->precision);
    t->view.physics = setup->physics;
    t->view.count = setup->count;
    t->view.is_hard = setup->physics->softening < t->functions->softening_least[t->kind];
    t->view.has_touch = needs_cubes(&setup->physics->tree);
    CHECK(tree_sort_plan(t, plan, prefix));
    CHECK(tree_cells_plan(t, plan, prefix));
    return memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, (size_t)threads, sizeof *t->scratch,
                           (void **)&t->scratch, "%stree, lists", prefix);
}

static void set_view(struct nbody_tree *t, const struct nbody_arrays *bodies)
{
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        t->view.position[axis] = bodies->position[axis];
        t->view.acceleration[axis] = bodies->acceleration[axis];
    }
    t->view.mass = bodies->mass;
}

static void add_time(struct nbody_stage_times *times, enum nbody_stage stage, double *since_s)
{
    const double now_s = clock_now_s();
    times->seconds[stage] += now_s - *since_s;
    *since_s = now_s;
}

void nbody_tree_build(struct nbody_tree *tree, struct nbody_arrays *bodies, struct nbody_stage_times *times)
{
    double since_s = clock_now_s();
    tree_find_cube(tree, bodies);
    add_time(times, NBODY_STAGE_BOX, &since_s);
    if (!tree->view.is_finite) {
        tree->cell_count = tree->leaf_count = 0;
        return;
    }
    set_view(tree, bodies);
    tree_sort(tree, bodies);
    nbody_pad(bodies, tree->setup.precision);
    set_view(tree, bodies); // the sort exchanges arrays
    add_time(times, NBODY_STAGE_SORT, &since_s);
    tree_make_cells(tree);
    add_time(times, NBODY_STAGE_BUILD, &since_s);
    tree_sum_cells(tree);
    add_time(times, NBODY_STAGE_SUMMARISE, &since_s);
}

struct walk_work {
    struct nbody_tree *tree;
    const struct nbody_groups *groups;
};

static size_t bodies_of_group(const struct nbody_tree *t, size_t group)
{
    const size_t left = t->setup.count - group * NBODY_GROUP_BODIES;
    return left < NBODY_GROUP_BODIES ? left : NBODY_GROUP_BODIES;
}

static void sum_group(void *context, size_t item)
{
    const struct walk_work *work = context;
    const struct nbody_groups *groups = work->groups;
    struct nbody_tree *t = work->tree;
    struct tree_scratch *scratch = &t->scratch[omp_get_thread_num()];
    const size_t group = groups->first + item;
    const int64_t cells = scratch->cell_interactions, bodies = scratch->body_interactions;
    t->functions->sum_field[t->kind](&t->view, group * NBODY_GROUP_BODIES, scratch);
    if (!groups->ranks)
        return;
    const int64_t targets = (int64_t)bodies_of_group(t, group);
    groups->cells[group] = (uint32_t)((scratch->cell_interactions - cells) / targets);
    groups->bodies[group] = (uint32_t)((scratch->body_interactions - bodies) / targets);
}

// All bits set are NaN in either precision.
static void set_nan(const struct nbody_tree *t)
{
    const size_t bytes = t->setup.count * t->element;
    for (int axis = 0; axis < NBODY_AXES && t->view.acceleration[axis]; axis++)
        memset(t->view.acceleration[axis], 0xff, bytes);
    if (t->view.potential)
        memset(t->view.potential, 0xff, bytes);
}

void nbody_tree_forces(struct nbody_tree *tree, struct nbody_arrays *bodies,
                       const struct nbody_groups *groups, bool has_potential, struct nbody_stage_times *times)
{
    double since_s = clock_now_s();
    struct walk_work work = {tree, groups};
    const size_t count = groups->end - groups->first;
    set_view(tree, bodies);
    tree->view.potential = has_potential ? bodies->potential : NULL;
    for (int k = 0; k < tree->threads; k++)
        tree->scratch[k].cell_interactions = tree->scratch[k].body_interactions = 0;
    if (tree->view.is_finite)
        team_for(count > 4 ? tree->threads : 1, count, sum_group, &work);
    else
        set_nan(tree);
    add_time(times, NBODY_STAGE_FORCE, &since_s);
}

struct nbody_tree_counts nbody_tree_count(const struct nbody_tree *tree, const struct nbody_groups *groups)
{
    struct nbody_tree_counts counts = {.cells = (int64_t)tree->cell_count,
                                       .leaves = (int64_t)tree->leaf_count,
                                       .cells_planned = (int64_t)tree->cells_planned};
    for (int k = 0; !groups->ranks && k < tree->threads; k++) {
        counts.cell_interactions += (double)tree->scratch[k].cell_interactions;
        counts.body_interactions += (double)tree->scratch[k].body_interactions;
    }
    for (size_t group = 0; groups->ranks && group < groups->count; group++) { // also those of other ranks
        counts.cell_interactions += (double)(bodies_of_group(tree, group) * groups->cells[group]);
        counts.body_interactions += (double)(bodies_of_group(tree, group) * groups->bodies[group]);
    }
    return counts;
}
