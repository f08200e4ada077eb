// What several ranks do together (see solver.h). Each device has all bodies, moves them and builds the whole
// tree, with the same bits; what takes long, the field, is divided, and goes to all.
//
// A tree's groups are cut by the work of an earlier walk, which all ranks know: now and then they tell each
// other what each group met, and some walks later, when those numbers have long arrived, all cut alike. The
// host waits for nothing between. A body's field does not depend on the cut.
#include "gpu/nbody/solver.h"

#include "gpu/memory.h"
#include "parallel/allgather.h"
#include "parallel/ranks.h"

#include <stdlib.h>

enum { WEIGHED_EVERY = 16, CUT_AFTER = 8 }; // walks

static bool has_ranks(const struct solver *s)
{
    return s->setup.shares != NULL;
}

static size_t group_count(const struct solver *s)
{
    return (s->setup.count + NBODY_GROUP_BODIES - 1) / NBODY_GROUP_BODIES;
}

static size_t body_bytes(const struct solver *s)
{
    return 4 * s->element;
}

// ---- the plan

static void set_shares(struct nbody_device_ranks *r, const struct nbody_setup *setup)
{
    for (int rank = 0; rank < setup->ranks->count; rank++) {
        const struct particles_range own = particles_in(&setup->shares[rank], setup->count);
        r->bodies[rank] = (struct share){(int64_t)own.first, (int64_t)own.end};
        r->groups[rank] = setup->shares[rank];
    }
}

static struct gpu_allgather_array field_array(const struct solver *s, void *field, bool is_direct)
{
    const size_t body = body_bytes(s);
    return (struct gpu_allgather_array){.data = field,
                                        .row_bytes = is_direct ? body : NBODY_GROUP_BODIES * body,
                                        .bytes = s->setup.count * body,
                                        .shares = is_direct ? s->ranks.bodies : s->ranks.groups};
}

static struct gpu_allgather_array tally_array(const struct solver *s)
{
    return (struct gpu_allgather_array){.data = s->tree.tallies,
                                        .row_bytes = sizeof *s->tree.tallies,
                                        .bytes = (size_t)s->setup.ranks->count * sizeof *s->tree.tallies};
}

static struct gpu_allgather_array work_array(const struct solver *s)
{
    return (struct gpu_allgather_array){.data = s->ranks.group_work,
                                        .row_bytes = sizeof *s->ranks.group_work,
                                        .bytes = group_count(s) * sizeof *s->ranks.group_work,
                                        .shares = s->ranks.groups};
}

enum status nbody_device_ranks_plan(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    struct nbody_device_ranks *r = &s->ranks;
    if (!has_ranks(s))
        return STATUS_OK;
    struct ranks *ranks = s->setup.ranks;
    const size_t groups = solver_has_tree(s) ? group_count(s) : 0;
    const struct gpu_array arrays[] = {
        {&r->group_work, MEMORY_DEVICE, ELEMENT_I32, 1, groups, "device work of groups"},
        {&r->mirror_work, MEMORY_PINNED, ELEMENT_I32, 1, groups, "work of groups"},
        {&r->weights, MEMORY_HOST, ELEMENT_F64, 1, groups, "weights of groups"},
    };
    r->bodies = calloc(2 * (size_t)ranks->count, sizeof *r->bodies);
    if (!r->bodies)
        return FAIL(STATUS_SYSTEM, "no memory for the shares of %d ranks", ranks->count);
    r->groups = r->bodies + ranks->count;
    set_shares(r, &s->setup);
    CHECK(GPU_PLAN_ARRAYS(plan, prefix, arrays));
    CHECK(gpu_allgather_plan(&r->gather, ranks, s->setup.count * body_bytes(s), plan, prefix));
    const bool has_tree = solver_has_tree(s);
    const struct gpu_allgather_array sent[] = {field_array(s, NULL, !has_tree), tally_array(s)};
    ranks->planned_step_bytes = gpu_allgather_bytes(&r->gather, sent, has_tree ? 2 : 1);
    CUDA_CHECK(cudaEventCreateWithFlags(&r->weighed, cudaEventDisableTiming), "an event");
    r->has_event = true;
    return STATUS_OK;
}

// The order of a direct sum depends on the device's size: all ranks must have the same.
static enum status check_alike(const struct solver *s)
{
    const int64_t whole = s->direct.whole, splits = s->direct.splits;
    int64_t most[] = {whole, -whole, splits, -splits};
    CHECK(ranks_largest(s->setup.ranks, TRANSPORT_STEPS, most, 4));
    if (most[0] == -most[1] && most[2] == -most[3])
        return STATUS_OK;
    return FAIL(STATUS_CONFIGURATION,
                "the ranks' devices differ in size (%s), so that direct sums of one "
                "rank would have other bits than those of another: take devices of "
                "one kind",
                s->device_name);
}

// Each of two or three ranks is a neighbour of the others: their fields can be written to. With more ranks
// accelerations go around the ring.
static enum status find_peers(struct solver *s)
{
    struct gpu_exchange *exchange = &s->ranks.gather.exchange;
    const int others = s->setup.ranks->count - 1;
    void *theirs[GPU_EXCHANGE_SIDES][GPU_EXCHANGE_ADDRESSES_MAX];
    if (!solver_has_tree(s) || !exchange->is_peer || others > TREE_PEERS_MAX)
        return STATUS_OK;
    _Static_assert((int)TREE_PEERS_MAX <= (int)GPU_EXCHANGE_SIDES, "one at each side");
    CHECK(gpu_exchange_swap_addresses(exchange, &s->planned_field, 1, theirs));
    for (int side = 0; side < others; side++)
        s->tree.arrays.peer_field[side] = theirs[side][0];
    s->ranks.peers = others;
    return STATUS_OK;
}

enum status nbody_device_ranks_open(struct solver *s)
{
    if (!has_ranks(s))
        return STATUS_OK;
    CHECK(check_alike(s));
    CHECK(gpu_allgather_open(&s->ranks.gather));
    return find_peers(s);
}

void nbody_device_ranks_close(struct solver *s)
{
    gpu_allgather_close(&s->ranks.gather);
    if (s->ranks.has_event)
        (void)cudaEventDestroy(s->ranks.weighed);
    free(s->ranks.bodies);
}

// ---- bodies, in the mirrors

enum status nbody_device_ranks_share_mirror(struct solver *s)
{
    const size_t bytes = s->setup.count * body_bytes(s);
    if (!has_ranks(s))
        return STATUS_OK;
    CHECK(ranks_share(s->setup.ranks, TRANSPORT_STEPS, s->mirror_body, bytes));
    return ranks_share(s->setup.ranks, TRANSPORT_STEPS, s->mirror_velocity, bytes);
}

enum status nbody_device_ranks_join_mirror(struct solver *s)
{
    const struct allgather_array arrays[] = {{s->mirror_body, body_bytes(s)},
                                             {s->mirror_velocity, body_bytes(s)},
                                             {s->mirror_order.ids, sizeof(unsigned)}};
    return has_ranks(s) ? allgather_rows(s->setup.ranks, s->ranks.bodies, arrays, solver_has_tree(s) ? 3 : 2)
                        : STATUS_OK;
}

// ---- fields

// Walks and gathers, also those of records, are of the same groups.
static void take_own_groups(struct solver *s)
{
    const struct share *own = &s->ranks.groups[s->setup.ranks->rank];
    s->tree.arrays.first_group = (unsigned)own->first;
    s->tree.arrays.end_group = (unsigned)own->end;
}

void nbody_device_ranks_restart(struct solver *s)
{
    if (!has_ranks(s))
        return;
    set_shares(&s->ranks, &s->setup);
    take_own_groups(s);
    s->ranks.walks = 0;
    s->ranks.is_weighed = false;
}

enum status nbody_device_ranks_cut(struct solver *s)
{
    struct nbody_device_ranks *r = &s->ranks;
    if (!r->is_weighed)
        return STATUS_OK;
    struct ranks *ranks = s->setup.ranks;
    const struct shares_request request = {.rows = (int64_t)group_count(s),
                                           .ranks = ranks->count,
                                           .weights = r->weights,
                                           .parts = ranks->parts,
                                           .least = 1,
                                           .what = "groups of bodies"};
    const struct share *own = &r->groups[ranks->rank];
    r->is_weighed = false;
    CUDA_CHECK(gpu_wait(r->weighed), "to weigh groups of bodies");
    for (int64_t k = 0; k < request.rows; k++)
        r->weights[k] = r->mirror_work[k];
    for (int64_t k = own->first; k < own->end; k++)
        ranks->work += r->weights[k]; // of all walks that were weighed
    CHECK(shares_cut(&request, r->groups));
    take_own_groups(s);
    return STATUS_OK;
}

// A device that has received the tallies of others knows that they have begun this step, and so have read the
// field of the last one, in which it may then write; or that they have ended their walk, so that what they
// wrote is in its own field.
static enum status swap_tallies(struct solver *s)
{
    const struct gpu_allgather_array tallies = tally_array(s);
    return gpu_allgather_rows(&s->ranks.gather, &tallies, 1, s->timeline.compute);
}

enum status nbody_device_ranks_begin(struct solver *s)
{
    struct nbody_device_ranks *r = &s->ranks;
    struct tree_arrays *tree = &s->tree.arrays;
    if (!has_ranks(s) || !solver_has_tree(s))
        return STATUS_OK;
    if (r->walks % WEIGHED_EVERY == CUT_AFTER)
        CHECK(nbody_device_ranks_cut(s));
    tree->group_work = r->walks % WEIGHED_EVERY == 0 ? r->group_work : NULL;
    tree->peers = r->peers;
    return r->peers > 0 ? swap_tallies(s) : STATUS_OK;
}

enum status nbody_device_ranks_gather(struct solver *s, void *field, bool is_direct)
{
    if (!has_ranks(s))
        return STATUS_OK;
    const struct gpu_allgather_array arrays[] = {field_array(s, field, is_direct), tally_array(s)};
    return gpu_allgather_rows(&s->ranks.gather, arrays, is_direct ? 1 : 2, s->timeline.compute);
}

// Of a walk that wrote to the other devices.
static enum status end_writes(struct solver *s)
{
    struct ranks *ranks = s->setup.ranks;
    const struct particles_range own = particles_in(&s->ranks.groups[ranks->rank], s->setup.count);
    ranks->exchange_bytes += (double)(own.end - own.first) * (double)body_bytes(s) * s->ranks.peers;
    return swap_tallies(s);
}

enum status nbody_device_ranks_end(struct solver *s)
{
    struct nbody_device_ranks *r = &s->ranks;
    struct tree_arrays *tree = &s->tree.arrays;
    const bool is_weighing = tree->group_work != NULL;
    if (!has_ranks(s))
        return STATUS_OK;
    if (tree->peers > 0)
        CHECK(end_writes(s));
    else
        CHECK(nbody_device_ranks_gather(s, s->bodies.field, !solver_has_tree(s)));
    tree->peers = 0; // the potentials of records are in another array
    r->walks++;
    if (!is_weighing)
        return STATUS_OK;
    const struct gpu_allgather_array work = work_array(s);
    CHECK(gpu_allgather_rows(&r->gather, &work, 1, s->timeline.compute));
    CHECK(gpu_timeline_download(&s->timeline, r->mirror_work, r->group_work, work.bytes));
    CUDA_CHECK(cudaEventRecord(r->weighed, s->timeline.compute), "to weigh groups of bodies");
    tree->group_work = NULL;
    r->is_weighed = true;
    return STATUS_OK;
}
