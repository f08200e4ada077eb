// The boundary data of a CUDA solver's level: their slots on the device, and those of a nested grid, which
// are computed from its parent. Independent of the scheme.
#include "gpu/tsunami/edges.h"

#include "gpu/memory.h"
#include "gpu/tsunami/solver.h"

#include <limits.h>
#include <stdio.h>

static const struct tsunami_given_edge *given_edge(const struct solver *s, int side)
{
    const struct tsunami_setup *setup = &s->host.setup;
    return setup->geometry->edges[side] == TSUNAMI_EDGE_GIVEN && setup->given ? &setup->given[side] : NULL;
}

static size_t slot_bytes(const struct tsunami_given_edge *given)
{
    return TSUNAMI_FIELDS * given->nodes * sizeof(double);
}

// Where the parent is divided: the values of one slot, of each rank.
static struct gpu_allgather_array array_of_ranks(const struct solver *s)
{
    const size_t row = s->edges_of_ranks.values * sizeof(double);
    return (struct gpu_allgather_array){.data = s->edges_of_ranks.blocks,
                                        .row_bytes = row,
                                        .bytes = (size_t)s->host.setup.parent->host.setup.ranks->count * row};
}

static enum status plan_gather(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const struct tsunami_setup *setup = &s->host.setup, *parent = &setup->parent->host.setup;
    char name[64];
    if (!setup->parent->host.is_divided)
        return STATUS_OK;
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const struct tsunami_given_edge *given = given_edge(s, side);
        s->edges_of_ranks.values += given ? TSUNAMI_FIELDS * given->nodes : 0;
    }
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_F64, (size_t)parent->ranks->count,
                          s->edges_of_ranks.values, (void **)&s->edges_of_ranks.blocks,
                          "%sdevice edges of ranks", prefix));
    snprintf(name, sizeof name, "%sedges ", prefix);
    const struct gpu_allgather_array array = array_of_ranks(s);
    CHECK(gpu_exchange_plan(&s->edges_of_ranks.gather.exchange, parent->ranks, true, array.row_bytes, plan,
                            name));
    // After each step of the parent, whose part of the child's own step this is.
    parent->ranks->planned_step_bytes +=
        (gpu_allgather_bytes(&s->edges_of_ranks.gather, &array, 1) + solver_node_bytes(setup->parent)) *
        setup->step_s / parent->step_s;
    return STATUS_OK;
}

enum status solver_plan_edges(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    static const char *const sides[TSUNAMI_SIDES] = {"west", "east", "south", "north"};
    const struct tsunami_setup *setup = &s->host.setup;
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const struct tsunami_given_edge *given = given_edge(s, side);
        s->edges[side] = (struct device_edge){.kind = setup->geometry->edges[side], .steps_per_record = 1};
        if (!given)
            continue;
        if (given->slots > INT_MAX || given->nodes > INT_MAX)
            return FAIL(STATUS_CONFIGURATION,
                        "%sedge %s: the cuda back end takes at most %d records, not %zu", prefix, sides[side],
                        INT_MAX, given->slots);
        s->edges[side].nodes = (int)given->nodes;
        s->edges[side].slots = (int)given->slots;
        CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_F64, given->slots, TSUNAMI_FIELDS * given->nodes,
                              (void **)&s->edges[side].values, "%sdevice edge %s", prefix, sides[side]));
        s->edges[side].side_nodes = (int)given->side_nodes;
        if (given->side_nodes > 0)
            CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_F64, 2 * TSUNAMI_FIELDS, given->side_nodes,
                                  (void **)&s->edges[side].rise, "%sdevice rise %s", prefix, sides[side]));
    }
    if (setup->link_count == 0)
        return STATUS_OK;
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, setup->link_count, sizeof *s->links,
                          (void **)&s->links, "%spacked links", prefix));
    CHECK(memory_plan_add(plan, MEMORY_DEVICE, ELEMENT_U8, setup->link_count, sizeof *s->links,
                          (void **)&s->device_links, "%sdevice links", prefix));
    return plan_gather(s, plan, prefix);
}

// Copies the links to the form of the device, with their sides and nodes.
static void pack_links(struct solver *s)
{
    const struct tsunami_link *link = *s->host.setup.links;
    struct device_link *packed = s->links;
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const struct tsunami_given_edge *given = given_edge(s, side);
        for (size_t node = 0; given && node < given->nodes; node++, link++)
            *packed++ = (struct device_link){
                .column = (int)link->column,
                .row = (int)link->row,
                .side = side,
                .node = (int)node,
                .weights = {link->weights[0], link->weights[1], link->weights[2], link->weights[3]},
            };
    }
}

enum status solver_start_edges(struct solver *s)
{
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const struct tsunami_given_edge *given = given_edge(s, side);
        if (!given)
            continue;
        s->edges[side].steps_per_record = given->steps_per_record;
        s->edges[side].has_velocity = given->has_velocity;
        s->edges[side].keeps_discharge = given->keeps_discharge;
    }
    if (s->host.setup.link_count == 0)
        return STATUS_OK;
    pack_links(s);
    return gpu_timeline_upload(s->timeline, s->device_links, s->links,
                               s->host.setup.link_count * sizeof *s->links);
}

enum status solver_take_edges(struct solver *s, size_t first, size_t count)
{
    CHECK(s->status);
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const struct tsunami_given_edge *given = given_edge(s, side);
        if (!given || first >= given->slots)
            continue;
        const size_t bytes = slot_bytes(given),
                     slots = count < given->slots - first ? count : given->slots - first;
        CHECK(gpu_timeline_upload(s->timeline, (char *)s->edges[side].values + first * bytes,
                                  (const char *)given->values + first * bytes, slots * bytes));
    }
    return STATUS_OK;
}

// Waits until the copies are done, because the model writes the rise of the next step to the same array.
enum status solver_take_rise(struct solver *s)
{
    bool has_rise = false;
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const struct tsunami_given_edge *given = given_edge(s, side);
        s->edges[side].has_rise = given && given->has_rise;
        if (!s->edges[side].has_rise)
            continue;
        has_rise = true;
        CHECK(gpu_timeline_upload(s->timeline, s->edges[side].rise, given->rise,
                                  2 * TSUNAMI_FIELDS * given->side_nodes * sizeof(double)));
    }
    return has_rise ? gpu_timeline_finish_compute(s->timeline) : STATUS_OK;
}

// Of a parent that is divided: the edges as they lie in a rank's block.
static void edges_in_block(const struct solver *s, int rank, struct device_edge edges[TSUNAMI_SIDES])
{
    double *values = s->edges_of_ranks.blocks + (size_t)rank * s->edges_of_ranks.values;
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const struct tsunami_given_edge *given = given_edge(s, side);
        edges[side] = s->edges[side];
        edges[side].values = values;
        values += given ? TSUNAMI_FIELDS * given->nodes : 0;
    }
}

// Each rank has the values at its own rows, and all get all.
static enum status merge_edges(struct solver *s, size_t slot)
{
    const struct gpu_allgather_array array = array_of_ranks(s);
    CHECK(gpu_allgather_rows(&s->edges_of_ranks.gather, &array, 1, s->timeline->compute));
    CUDA_CHECK(tsunami_launch_join_edges(s->edges, s->edges_of_ranks.blocks, (int)s->edges_of_ranks.values,
                                         s->host.setup.parent->host.setup.ranks->count, (int)slot,
                                         s->timeline->compute),
               "to join the edges of a nested grid");
    return STATUS_OK;
}

enum status solver_gather_edges(struct solver *s, size_t slot)
{
    struct solver *parent = s->host.setup.parent;
    const struct tsunami_geometry *g = parent->host.setup.geometry;
    struct device_parent from = {
        .gravity_m_s2 = g->gravity_m_s2,
        .minimum_depth_m = parent->host.setup.physics->minimum_depth_m,
    };
    CHECK(s->status);
    if (s->host.setup.link_count == 0)
        return STATUS_OK;
    CHECK(solver_present_state(parent, &from.state));
    CHECK(solver_exchange_nodes(parent));
    const bool is_divided = parent->host.is_divided;
    struct device_edge in_block[TSUNAMI_SIDES];
    if (is_divided)
        edges_in_block(s, parent->host.setup.ranks->rank, in_block);
    CUDA_CHECK(tsunami_launch_gather(&from, is_divided ? in_block : s->edges, s->device_links,
                                     (int)s->host.setup.link_count, is_divided ? 0 : (int)slot,
                                     s->timeline->compute),
               "to take edges from a parent");
    return is_divided ? merge_edges(s, slot) : STATUS_OK;
}
