// The host's part of bands (bands.h): which runs have them, and their memory; when ranks meet; and, for
// records, checks and checkpoints, all particles on all devices.
#include "gpu/gas/solver.h"
#include "gpu/memory.h"

#include "parallel/ranks.h"

// Sums over all particles in a step, and what limiters count, are made where all particles are.
static bool may_have_bands(const struct solver *s)
{
    const struct gas_physics *physics = s->setup.physics;
    return s->setup.shares && s->setup.ranks->count <= BANDS_RANKS_MAX && s->has_lists &&
           !gas_move_has_sums(physics) && physics->limiters.jump <= 0;
}

enum status gas_device_bands_plan(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    struct gas_bands *view = &s->bands.view;
    if (!may_have_bands(s))
        return STATUS_OK;
    const struct gpu_array arrays[] = {
        {&view->notes, MEMORY_DEVICE, ELEMENT_U8, (size_t)s->setup.ranks->count, sizeof *view->notes,
         "device notes of ranks"},
        {&view->state, MEMORY_DEVICE, ELEMENT_U8, 1, sizeof *view->state, "device band"},
    };
    s->bands.is_planned = true;
    s->setup.ranks->planned_step_bytes = 0; // it depends on the state
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
}

enum { POSITION, VELOCITY, MASS, AT_SORT, ID, NOTES, ADDRESSES };

static struct bands_peer peer_at(void *const addresses[ADDRESSES])
{
    return (struct bands_peer){.position = addresses[POSITION],
                               .velocity = addresses[VELOCITY],
                               .mass = addresses[MASS],
                               .at_sort = addresses[AT_SORT],
                               .id = addresses[ID],
                               .notes = addresses[NOTES]};
}

// Each of two or three ranks is a neighbour of the others.
enum status gas_device_bands_open(struct solver *s)
{
    struct gpu_exchange *exchange = &s->ranks.gather.exchange;
    struct gas_bands *view = &s->bands.view;
    const struct gas_device_particles *p = &s->particles;
    void *own[ADDRESSES] = {p->position,           p->velocity, p->mass ? p->mass : p->position,
                            s->lists.grid.at_sort, p->id,       view->notes};
    void *theirs[GPU_EXCHANGE_SIDES][GPU_EXCHANGE_ADDRESSES_MAX];
    if (!s->bands.is_planned || !exchange->is_peer || s->bands.is_open)
        return STATUS_OK;
    _Static_assert((int)BANDS_RANKS_MAX - 1 <= (int)GPU_EXCHANGE_SIDES, "one at each side");
    CHECK(gpu_exchange_swap_addresses(exchange, own, ADDRESSES, theirs));
    view->rank = s->setup.ranks->rank;
    view->ranks = s->setup.ranks->count;
    view->failure = exchange->failure;
    for (int side = 0; side < GPU_EXCHANGE_SIDES; side++)
        view->peers[exchange->neighbours[side]] = peer_at(theirs[side]);
    view->peers[view->rank] = peer_at(own);
    for (int r = 0; r < view->ranks; r++)
        view->bounds[r] = (unsigned)s->ranks.particles[r].first;
    view->bounds[view->ranks] = (unsigned)s->setup.count;
    s->lists.grid.bands = s->move.bands = view;
    s->move.row_height = s->lists.grid.box[GAS_Y] / s->lists.grid.rows;
    s->bands.is_open = true;
    CUDA_CHECK(gas_bands_load(), "to load its kernels");
    return STATUS_OK;
}

enum status gas_device_bands_meet(struct solver *s)
{
    struct gas_bands *view = &s->bands.view;
    const struct gas_meeting meeting = {.grid = &s->lists.grid,
                                        .stale = s->lists.arrays.stale,
                                        .token = s->token,
                                        .error_flag = s->error_flag};
    if (!s->bands.is_open)
        return STATUS_OK;
    view->number++;
    s->bands.is_joined = false;
    s->setup.ranks->exchanges++;
    CUDA_CHECK(gas_bands_meet(view, &meeting, &s->particles, s->timeline.compute),
               "to read particles of other ranks");
    return STATUS_OK;
}

enum status gas_device_bands_hold_all(struct solver *s)
{
    if (!s->bands.is_open)
        return STATUS_OK;
    s->bands.is_joined = true;
    CUDA_CHECK(gas_bands_hold_all(&s->bands.view, s->particles.count, s->timeline.compute),
               "to hold all particles");
    return STATUS_OK;
}

static struct gpu_allgather_array array_of(const struct solver *s, void *data, size_t row)
{
    return (struct gpu_allgather_array){
        .data = data, .row_bytes = row, .bytes = s->setup.count * row, .shares = s->ranks.particles};
}

enum status gas_device_bands_join(struct solver *s)
{
    const struct gas_device_particles *p = &s->particles;
    const size_t number = sizeof(double), pair = GAS_AXES * number;
    const struct gpu_allgather_array arrays[] = {
        array_of(s, p->position, pair), array_of(s, p->velocity, pair), array_of(s, p->id, sizeof *p->id),
        array_of(s, p->mass, number)};
    if (!s->bands.is_open || s->bands.is_joined)
        return STATUS_OK;
    s->bands.is_joined = true;
    return gpu_allgather_rows(&s->ranks.gather, arrays, p->mass ? 4 : 3, s->timeline.compute);
}

// The particle's rank tells the others what it found; `is_ours`: this one is it.
static enum status share_finding(struct ranks *ranks, bool is_ours, struct gas_finding *found)
{
    const struct gas_particle *p = &found->particle;
    int64_t numbers[] = {found->error, found->step, found->id, found->partner};
    double values[] = {p->position[GAS_X], p->position[GAS_Y], p->velocity[GAS_X], p->velocity[GAS_Y],
                       p->mass};
    const int count = sizeof numbers / sizeof *numbers, value_count = sizeof values / sizeof *values;
    for (int k = 0; k < count; k++)
        numbers[k] = is_ours ? numbers[k] : INT64_MIN;
    CHECK(ranks_largest(ranks, TRANSPORT_STEPS, numbers, count));
    if (!is_ours)
        ranks_forget(values, value_count);
    CHECK(ranks_join(ranks, TRANSPORT_STEPS, values, value_count));
    if (numbers[0] <= GAS_NO_ERROR)
        return FAIL(STATUS_DATA, "a particle with an error is on no rank any more: a smaller time.step may "
                                 "help");
    *found = (struct gas_finding){.error = (enum gas_error)numbers[0],
                                  .step = numbers[1],
                                  .id = numbers[2],
                                  .partner = numbers[3],
                                  .particle = {.position = {values[0], values[1]},
                                               .velocity = {values[2], values[3]},
                                               .mass = values[4]}};
    return STATUS_OK;
}

// All devices have the flag of the first error, but the hosts do not hear of it at the same time.
enum status gas_device_ranks_agree(struct solver *s, struct gas_finding *found)
{
    int64_t is_raised = found->error != GAS_NO_ERROR;
    if (!gas_device_has_ranks(s))
        return STATUS_OK;
    CHECK(ranks_largest(s->setup.ranks, TRANSPORT_STEPS, &is_raised, 1));
    if (!is_raised || !s->bands.is_open) // without bands each rank has the particle
        return STATUS_OK;
    CHECK(gas_device_find(s, found));
    const bool is_ours = found->error != GAS_NO_ERROR && found->error != GAS_ERRORS;
    return share_finding(s->setup.ranks, is_ours, found);
}

enum status gas_device_bands_finish(struct solver *s)
{
    struct bands_state *const state = s->bands.view.state;
    struct ranks *ranks = s->setup.ranks;
    unsigned long long sums[2]; // read_bytes, waited_ns
    _Static_assert(offsetof(struct bands_state, waited_ns) ==
                       offsetof(struct bands_state, read_bytes) + sizeof(unsigned long long),
                   "they follow each other");
    if (!s->bands.is_open)
        return STATUS_OK;
    CUDA_CHECK(cudaMemcpy(sums, &state->read_bytes, sizeof sums, cudaMemcpyDeviceToHost),
               "a copy from the device");
    CUDA_CHECK(cudaMemset(&state->read_bytes, 0, sizeof sums), "to clear its memory");
    ranks->exchange_bytes += (double)sums[0];
    ranks->exchange_wait_s += 1e-9 * (double)sums[1];
    return STATUS_OK;
}
