// Steps and stages whose outermost planes a rank's kernel writes straight into its neighbours' arrays, so
// that an exchange takes no launch and no copy of its own: where ranks have devices that address each other's
// memory, and the kernels sweep. What the kernels do is in peers.cuh.
//
// After a start, or whenever the host has written the state, the halo is exchanged as without this (step.c)
// before the first step or stage, and Euler's first step is of that kind altogether: so a neighbour's first
// planes arrive when nothing older is still to be written to the halo.
#include "gpu/bioheat/solver.h"
#include "gpu/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { SIDES = GPU_EXCHANGE_SIDES };

// Not yet the way that is taken: its first forms were slower, and the present one has not been timed
// (docs/decisions.md). Ranks that share a device, in tests, take turns on it, by milliseconds, and their
// kernels would wait for each other so long.
static bool is_wanted(void)
{
    const char *const wanted = getenv("FATHOM_HEAT_PEERS"); // for tests and measurements
    return wanted && atoi(wanted) > 0;
}

enum status heat_plan_peers(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    if (!s->setup.shares)
        return STATUS_OK;
    s->peers.can_load =
        is_wanted() && heat_load_peers(s->setup.precision, s->setup.physics->method == BIOHEAT_RKL2);
    const struct gpu_array arrays[] = {
        {&s->peers.flags, MEMORY_DEVICE, ELEMENT_U8, 1, sizeof *s->peers.flags, "device flags of planes"}};
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
}

static void list_arrays(const struct solver *s, void *cells[HEAT_ARRAYS])
{
    for (int k = 0; k < HEAT_STATES; k++)
        cells[k] = solver_cells(s, s->theta[k]);
    cells[HEAT_STATES] = solver_cells(s, s->first_change);
}

enum status heat_meet_peers(struct solver *s)
{
    struct gpu_exchange *e = &s->exchange;
    void *own[HEAT_ARRAYS + 1], *theirs[SIDES][GPU_EXCHANGE_ADDRESSES_MAX];
    s->peers.is_met = false;
    if (!s->setup.shares || !e->is_peer)
        return STATUS_OK;
    list_arrays(s, own);
    own[HEAT_ARRAYS] = s->peers.flags;
    CHECK(gpu_exchange_swap_addresses(e, own, HEAT_ARRAYS + 1, theirs));
    s->peers.is_met = true;
    for (int side = 0; side < SIDES; side++) {
        if (e->neighbours[side] < 0)
            continue;
        memcpy(s->peers.cells[side], theirs[side], sizeof s->peers.cells[side]);
        // What is this rank's low side is its neighbour's high side.
        struct gpu_exchange_flags *flags = theirs[side][HEAT_ARRAYS];
        s->peers.their_number[side] = &flags->number[SIDES - 1 - side];
    }
    return STATUS_OK;
}

enum status heat_open_peers(struct solver *s)
{
    const enum bioheat_method method = s->setup.physics->method;
    // Points and boxes heat planes after the kernel that sends them.
    const size_t places = s->setup.source->point_count + s->setup.source->box_count;
    int64_t lacks = !(s->peers.is_met && s->peers.can_load && !s->is_plain && s->sweeps && places == 0 &&
                      !s->shape.is_ring && s->setup.halo == HEAT_HALO &&
                      (method == BIOHEAT_EULER || method == BIOHEAT_RKL2));
    if (!s->setup.shares)
        return STATUS_OK;
    CHECK(ranks_largest(s->setup.ranks, TRANSPORT_STEPS, &lacks, 1));
    s->peers.is_open = lacks == 0;
    return STATUS_OK;
}

static struct heat_peers peers_of(const struct solver *s, const void *to)
{
    const struct gpu_exchange *e = &s->exchange;
    struct heat_peers peers = {.flags = s->peers.flags,
                               .number = s->peers.number,
                               .waits = s->peers.has_sent,
                               .failure = e->failure,
                               .waited_ns = e->flags->waited_ns,
                               .low_end = INT_MIN,
                               .high_begin = INT_MAX};
    void *cells[HEAT_ARRAYS];
    list_arrays(s, cells);
    if (e->neighbours[GPU_EXCHANGE_LOW] >= 0)
        peers.low_end = s->shape.first_own + HEAT_HALO;
    if (e->neighbours[GPU_EXCHANGE_HIGH] >= 0)
        peers.high_begin = s->shape.end_own - HEAT_HALO;
    for (int side = 0; side < SIDES; side++) {
        if (e->neighbours[side] < 0)
            continue;
        for (int k = 0; k < HEAT_ARRAYS; k++)
            if (cells[k] == to)
                peers.to[side] = s->peers.cells[side][k];
        peers.their_number[side] = s->peers.their_number[side];
    }
    return peers;
}

// Counted as the exchange of whole planes, as it is planned.
static void count_planes(struct solver *s)
{
    struct ranks *ranks = s->setup.ranks;
    const int sides = (s->exchange.neighbours[0] >= 0) + (s->exchange.neighbours[1] >= 0);
    ranks->exchanges++;
    ranks->exchange_bytes += (double)sides * HEAT_HALO * (double)s->shape.plane * (double)s->element;
}

enum status heat_launch_to_peers(struct solver *s, const struct heat_step *step,
                                 const struct heat_difference *by)
{
    s->peers.number++;
    const struct heat_peers peers = peers_of(s, step->to);
    const enum element precision = s->setup.precision;
    CUDA_CHECK(
        by ? heat_sweep_stage_to_peers(step, by, &peers, precision, s->multiprocessors, s->timeline.compute)
           : heat_step_to_peers(step, &peers, precision, s->multiprocessors, s->timeline.compute),
        "to start a step");
    s->peers.has_sent = true;
    count_planes(s);
    return STATUS_OK;
}

enum status heat_settle_peers(struct solver *s)
{
    if (!s->peers.has_sent)
        return STATUS_OK;
    const struct heat_peers peers = peers_of(s, solver_cells(s, s->theta[0]));
    CUDA_CHECK(heat_await_peers(&s->shape, &peers, s->timeline.compute),
               "to receive planes of its neighbours");
    s->peers.has_sent = false;
    return STATUS_OK;
}
