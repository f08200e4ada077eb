// What several ranks do together (see solver.h). Each device has all particles, sorts and moves them, with
// the same bits; what takes long, sums over pairs and cells with the lists for them, is divided by shares of
// the present order, and goes to all. A particle's sums are made by one device in the order of one rank. With
// bands (bands.h) a device has a part of the particles, and the rest of this file serves records and starts.
#include "gpu/gas/solver.h"

#include "gpu/memory.h"
#include "parallel/allgather.h"
#include "parallel/ranks.h"

#include <stdlib.h>

bool gas_device_has_ranks(const struct solver *s)
{
    return s->setup.shares != NULL;
}

// ---- the plan

static void set_shares(struct gas_device_ranks *r, const struct gas_setup *setup)
{
    for (int rank = 0; rank < setup->ranks->count; rank++) {
        const struct particles_range own = particles_in(&setup->shares[rank], setup->count);
        r->particles[rank] = (struct share){(int64_t)own.first, (int64_t)own.end};
        r->ones[rank] = (struct share){rank, rank + 1};
    }
}

static struct gpu_allgather_array sums_array(const struct solver *s, double *sums)
{
    const size_t row = GAS_AXES * sizeof *sums;
    return (struct gpu_allgather_array){
        .data = sums, .row_bytes = row, .bytes = s->setup.count * row, .shares = s->ranks.particles};
}

static struct gpu_allgather_array flags_array(const struct solver *s)
{
    const size_t row = sizeof *s->error_flags;
    return (struct gpu_allgather_array){.data = s->error_flags,
                                        .row_bytes = row,
                                        .bytes = (size_t)s->setup.ranks->count * row,
                                        .shares = s->ranks.ones};
}

// Only lists find errors where a rank has not all particles.
static int step_arrays(const struct solver *s)
{
    return s->has_lists ? 2 : gas_has_pairs(s) ? 1 : 0;
}

enum status gas_device_ranks_plan(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    struct gas_device_ranks *r = &s->ranks;
    if (!gas_device_has_ranks(s))
        return STATUS_OK;
    struct ranks *ranks = s->setup.ranks;
    r->particles = calloc(2 * (size_t)ranks->count, sizeof *r->particles);
    if (!r->particles)
        return FAIL(STATUS_SYSTEM, "no memory for the shares of %d ranks", ranks->count);
    r->ones = r->particles + ranks->count;
    set_shares(r, &s->setup);
    const struct gpu_allgather_array sent[] = {sums_array(s, NULL), flags_array(s)};
    CHECK(gpu_allgather_plan(&r->gather, ranks, sent[0].bytes, plan, prefix));
    ranks->planned_step_bytes = gpu_allgather_bytes(&r->gather, sent, step_arrays(s));
    return STATUS_OK;
}

// The orders of sums over pairs and over far cells depend on the device's size: all ranks must have the same.
static enum status check_alike(const struct solver *s)
{
    enum { NUMBERS = 5 };
    const struct gas_direct_share *force = &s->direct.force, *energy = &s->direct.energy;
    const int64_t own[NUMBERS] = {force->whole, force->splits, energy->whole, energy->splits,
                                  s->regions.arrays.far_splits};
    int64_t most[2 * NUMBERS];
    for (int k = 0; k < NUMBERS; k++) {
        most[k] = own[k];
        most[NUMBERS + k] = -own[k];
    }
    CHECK(ranks_largest(s->setup.ranks, TRANSPORT_STEPS, most, 2 * NUMBERS));
    for (int k = 0; k < NUMBERS; k++)
        if (most[k] != -most[NUMBERS + k])
            return FAIL(STATUS_CONFIGURATION,
                        "the ranks' devices differ in size (%s), so that sums of one rank would have other "
                        "bits than those of another: take devices of one kind",
                        s->device_name);
    return STATUS_OK;
}

// Each of two or three ranks is a neighbour of the others: their forces can be written to. With more ranks,
// or without regions, forces go around the ring.
static enum status find_peers(struct solver *s)
{
    struct gpu_exchange *exchange = &s->ranks.gather.exchange;
    const int others = s->setup.ranks->count - 1;
    void *theirs[GPU_EXCHANGE_SIDES][GPU_EXCHANGE_ADDRESSES_MAX], *const own[] = {s->particles.force};
    if (!s->has_regions || !exchange->is_peer || others > REGION_PEERS_MAX)
        return STATUS_OK;
    _Static_assert((int)REGION_PEERS_MAX <= (int)GPU_EXCHANGE_SIDES, "one at each side");
    CHECK(gpu_exchange_swap_addresses(exchange, own, 1, theirs));
    for (int side = 0; side < others; side++)
        s->ranks.peer_force[side] = theirs[side][0];
    s->ranks.peers = others;
    return STATUS_OK;
}

enum status gas_device_ranks_open(struct solver *s)
{
    if (!gas_device_has_ranks(s))
        return STATUS_OK;
    CHECK(check_alike(s));
    CHECK(gpu_allgather_open(&s->ranks.gather));
    s->regions.exchange = &s->ranks.gather.exchange;
    return find_peers(s);
}

enum status gas_device_ranks_warm_up(struct solver *s)
{
    if (!gas_device_has_ranks(s))
        return STATUS_OK;
    CHECK(gas_device_ranks_gather(s, s->other_force));
    s->setup.ranks->exchanges = 0;
    s->setup.ranks->exchange_bytes = 0;
    return STATUS_OK;
}

void gas_device_ranks_close(struct solver *s)
{
    gpu_allgather_close(&s->ranks.gather);
    free(s->ranks.particles);
}

// ---- particles, in the mirrors

enum { MIRRORS = 5 };

// Without those that this run does not have; `is_loaded`: all that a checkpoint has.
static int mirrors(const struct solver *s, bool is_loaded, struct allgather_array arrays[MIRRORS])
{
    const size_t number = sizeof(double), pair = GAS_AXES * number;
    int count = 0;
    arrays[count++] = (struct allgather_array){s->mirror_position, pair};
    arrays[count++] = (struct allgather_array){s->mirror_velocity, pair};
    if (s->mirror_mass)
        arrays[count++] = (struct allgather_array){s->mirror_mass, number};
    if (is_loaded && s->mirror_at_sort)
        arrays[count++] = (struct allgather_array){s->mirror_at_sort, pair};
    if (is_loaded && s->mirror_order.ids)
        arrays[count++] = (struct allgather_array){s->mirror_order.ids, sizeof *s->mirror_order.ids};
    return count;
}

enum status gas_device_ranks_share_mirror(struct solver *s)
{
    struct allgather_array arrays[MIRRORS];
    const int count = gas_device_has_ranks(s) ? mirrors(s, false, arrays) : 0;
    for (int k = 0; k < count; k++)
        CHECK(ranks_share(s->setup.ranks, TRANSPORT_STEPS, arrays[k].data,
                          s->setup.count * arrays[k].row_bytes));
    return STATUS_OK;
}

enum status gas_device_ranks_join_mirror(struct solver *s)
{
    struct allgather_array arrays[MIRRORS];
    if (!gas_device_has_ranks(s))
        return STATUS_OK;
    return allgather_rows(s->setup.ranks, s->ranks.particles, arrays, mirrors(s, true, arrays));
}

// ---- sums

enum status gas_device_ranks_gather(struct solver *s, double *sums)
{
    if (!gas_device_has_ranks(s) || !gas_has_pairs(s))
        return STATUS_OK;
    const struct gpu_allgather_array array = sums_array(s, sums);
    return gpu_allgather_rows(&s->ranks.gather, &array, 1, s->timeline.compute);
}

// A device that has received the flags of others knows that they no longer read the forces of the last step,
// over which it may then write; or that they have ended this one's, so that what they wrote is there.
static enum status swap_flags(struct solver *s)
{
    const struct gpu_allgather_array flags = flags_array(s);
    return gpu_allgather_rows(&s->ranks.gather, &flags, 1, s->timeline.compute);
}

static enum status join_flags(struct solver *s)
{
    const struct ranks *ranks = s->setup.ranks;
    CUDA_CHECK(gas_device_join_flags(s->error_flags, ranks->count, ranks->rank, s->timeline.compute),
               "to join the errors of ranks");
    return STATUS_OK;
}

enum status gas_device_ranks_join_flags(struct solver *s)
{
    if (!gas_device_has_ranks(s))
        return STATUS_OK;
    CHECK(swap_flags(s));
    return join_flags(s);
}

static void set_writes(struct solver *s, bool are_wanted)
{
    for (int k = 0; k < s->ranks.peers; k++)
        s->regions.arrays.peer_sums[k] = are_wanted ? s->ranks.peer_force[k] : NULL;
}

enum status gas_device_ranks_begin_writes(struct solver *s)
{
    if (s->ranks.peers == 0)
        return STATUS_OK;
    set_writes(s, true);
    return swap_flags(s);
}

static enum status end_writes(struct solver *s)
{
    struct ranks *ranks = s->setup.ranks;
    const struct share *own = &s->ranks.particles[ranks->rank];
    set_writes(s, false);
    ranks->exchange_bytes += (double)(own->end - own->first) * GAS_AXES * sizeof(double) * s->ranks.peers;
    return swap_flags(s);
}

enum status gas_device_ranks_gather_forces(struct solver *s)
{
    if (!gas_device_has_ranks(s) || !gas_has_pairs(s) || s->bands.is_open)
        return STATUS_OK;
    if (s->ranks.peers > 0)
        return end_writes(s);
    const struct gpu_allgather_array arrays[] = {sums_array(s, s->particles.force), flags_array(s)};
    CHECK(gpu_allgather_rows(&s->ranks.gather, arrays, step_arrays(s), s->timeline.compute));
    return s->has_lists ? join_flags(s) : STATUS_OK;
}

enum status gas_device_ranks_add_counts(struct solver *s, struct gas_counts *counts)
{
    int64_t pairs = (int64_t)counts->pairs;
    if (!gas_device_has_ranks(s))
        return STATUS_OK;
    CHECK(ranks_add(s->setup.ranks, TRANSPORT_STEPS, &pairs, 1));
    CHECK(ranks_largest(s->setup.ranks, TRANSPORT_STEPS, &counts->largest_list, 1));
    counts->pairs = (double)pairs;
    counts->neighbours = counts->pairs / (double)s->setup.count;
    return STATUS_OK;
}
