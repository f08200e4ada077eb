// What the ranks of a run of the fast CPU version exchange. Every rank has all bodies, moves them and builds
// the whole tree; what takes long, the field, is divided by groups of bodies, and all get all of it. One rank
// has no part of this.
#include "models/nbody/openmp_solver.h"

#include "models/arrays.h"
#include "parallel/allgather.h"

#include <stdlib.h>
#include <string.h>

// The time that a cell takes, with the walk that finds it, where a body takes 1: with AVX-512 about 6 in
// single precision with a quadrupole, less with others. It matters only where the ratio of cells to bodies
// differs between groups.
static const double quadrupole_work = 4, monopole_work = 2;

static size_t array_bytes(const struct nbody_arrays *bodies, enum element precision)
{
    return bodies->padded * element_bytes(precision);
}

// ---- the plan

// Sent in a step by the shares at the start.
static double step_bytes(const struct nbody_groups *groups, enum element precision, bool has_tree)
{
    const size_t group = NBODY_GROUP_BODIES * element_bytes(precision);
    const struct allgather_array arrays[] = {{NULL, NBODY_AXES * group}, {NULL, 2 * sizeof *groups->cells}};
    return allgather_bytes(groups->ranks, groups->shares, arrays, has_tree ? 2 : 1);
}

enum status nbody_groups_plan(struct nbody_groups *groups, const struct nbody_setup *setup,
                              struct memory_plan *plan, const char *prefix)
{
    const bool has_tree = setup->physics->method == NBODY_BARNES_HUT;
    groups->count = groups->end = (setup->count + NBODY_GROUP_BODIES - 1) / NBODY_GROUP_BODIES;
    if (!setup->shares)
        return STATUS_OK;
    const size_t ranks = (size_t)setup->ranks->count, tree_groups = has_tree ? groups->count : 0;
    groups->ranks = setup->ranks;
    groups->start = setup->shares;
    groups->cell_work = setup->physics->tree.has_quadrupole ? quadrupole_work : monopole_work;
    groups->shares = malloc(ranks * sizeof *groups->shares);
    if (!groups->shares)
        return FAIL(STATUS_SYSTEM, "no memory for the shares of %zu ranks", ranks);
    memcpy(groups->shares, setup->shares, ranks * sizeof *groups->shares);
    groups->first = (size_t)groups->shares[setup->ranks->rank].first;
    groups->end = (size_t)groups->shares[setup->ranks->rank].end;
    const struct array_row arrays[] = {
        {ELEMENT_I32, 1, tree_groups, &groups->cells, "cells that groups met"},
        {ELEMENT_I32, 1, tree_groups, &groups->bodies, "bodies that groups met"},
        {ELEMENT_F64, 1, tree_groups, &groups->work, "work of groups"},
    };
    CHECK(ARRAYS_PLAN(plan, prefix, arrays));
    setup->ranks->planned_step_bytes = step_bytes(groups, setup->precision, has_tree);
    return STATUS_OK;
}

void nbody_groups_free(struct nbody_groups *groups)
{
    free(groups->shares);
}

// ---- bodies

enum status nbody_groups_copy_bodies(const struct nbody_groups *groups, struct nbody_arrays *bodies,
                                     enum element precision)
{
    if (!groups->ranks)
        return STATUS_OK;
    void *const arrays[] = {bodies->position[0], bodies->position[1], bodies->position[2],
                            bodies->velocity[0], bodies->velocity[1], bodies->velocity[2],
                            bodies->mass};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        CHECK(ranks_share(groups->ranks, TRANSPORT_STEPS, arrays[k], array_bytes(bodies, precision)));
    for (size_t k = 0; k < bodies->count; k++)
        bodies->id[k] = (uint32_t)k;
    return STATUS_OK;
}

// Rows of arrays are groups; the last one is padded.
enum status nbody_groups_join_bodies(const struct nbody_groups *groups, struct nbody_arrays *bodies,
                                     enum element precision)
{
    const size_t group = NBODY_GROUP_BODIES * element_bytes(precision);
    if (!groups->ranks)
        return STATUS_OK;
    const struct allgather_array arrays[] = {{bodies->position[0], group},
                                             {bodies->position[1], group},
                                             {bodies->position[2], group},
                                             {bodies->velocity[0], group},
                                             {bodies->velocity[1], group},
                                             {bodies->velocity[2], group},
                                             {bodies->acceleration[0], group},
                                             {bodies->acceleration[1], group},
                                             {bodies->acceleration[2], group},
                                             {bodies->mass, group},
                                             {bodies->id, NBODY_GROUP_BODIES * sizeof *bodies->id}};
    return allgather_rows(groups->ranks, groups->start, arrays, sizeof arrays / sizeof *arrays);
}

// ---- fields

// Cuts the groups for the next walk by the work of the last one: bodies that are neighbours stay so, and the
// order changes little in a step.
static enum status cut_by_work(struct nbody_groups *groups)
{
    const struct shares_request request = {.rows = (int64_t)groups->count,
                                           .ranks = groups->ranks->count,
                                           .weights = groups->work,
                                           .parts = groups->ranks->parts,
                                           .least = 1,
                                           .what = "groups of bodies"};
    for (size_t k = 0; k < groups->count; k++)
        groups->work[k] = groups->cell_work * groups->cells[k] + groups->bodies[k];
    for (size_t k = groups->first; k < groups->end; k++)
        groups->ranks->work += groups->work[k]; // of all walks
    CHECK(shares_cut(&request, groups->shares));
    groups->first = (size_t)groups->shares[groups->ranks->rank].first;
    groups->end = (size_t)groups->shares[groups->ranks->rank].end;
    return STATUS_OK;
}

enum status nbody_groups_join_accelerations(struct nbody_groups *groups, struct nbody_arrays *bodies,
                                            enum element precision)
{
    const size_t group = NBODY_GROUP_BODIES * element_bytes(precision);
    if (!groups->ranks)
        return STATUS_OK;
    const struct allgather_array arrays[] = {{bodies->acceleration[0], group},
                                             {bodies->acceleration[1], group},
                                             {bodies->acceleration[2], group},
                                             {groups->cells, sizeof *groups->cells},
                                             {groups->bodies, sizeof *groups->cells}};
    CHECK(allgather_rows(groups->ranks, groups->shares, arrays, groups->work ? 5 : 3));
    return groups->work ? cut_by_work(groups) : STATUS_OK;
}

enum status nbody_groups_join_potentials(const struct nbody_groups *groups, struct nbody_arrays *bodies,
                                         enum element precision)
{
    const struct allgather_array potential = {bodies->potential,
                                              NBODY_GROUP_BODIES * element_bytes(precision)};
    return groups->ranks ? allgather_rows(groups->ranks, groups->shares, &potential, 1) : STATUS_OK;
}
