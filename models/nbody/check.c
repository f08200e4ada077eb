// What models/check.h compares of an N-body run: positions and velocities, judged in the scales of
// nbody_find_scale.
#include "models/particles/check.h"
#include "models/nbody/instance.h"

static const char *units_of(const void *instance, int quantity)
{
    const struct nbody_units *units = &((const struct nbody *)instance)->params.units;
    return quantity == PARTICLES_CHECKED_POSITION ? units->length_name : units->velocity_name;
}

static enum status copy(void *instance, int64_t step)
{
    struct nbody *n = instance;
    (void)step;
    if (!nbody_makes_results(n))
        return STATUS_OK;
    struct nbody_body *bodies = nbody_scratch_bodies(n);
    for (size_t block = 0; block < nbody_blocks(n); block++) {
        const size_t first = block * NBODY_BLOCK, count = nbody_block_length(n, block);
        n->backend->get(n->base.solver, first, count, bodies);
        nbody_backend_reference.set(n->base.reference, first, count, bodies);
    }
    return solver_touch(&nbody_backend_reference.head, n->base.reference, false);
}

static enum status repeat(void *instance, int64_t first_step, int64_t count)
{
    const struct nbody *n = instance;
    return nbody_makes_results(n) ? nbody_backend_reference.head.advance(n->base.reference, first_step, count)
                                  : STATUS_OK;
}

static void get(void *instance, bool of_reference, size_t first, size_t count,
                struct particles_sample *samples)
{
    const struct nbody *n = instance;
    nbody_get_samples(n, of_reference ? &nbody_backend_reference : n->backend,
                      of_reference ? n->base.reference : n->base.solver, first, count, samples);
}

static int64_t compare(void *instance, int64_t step)
{
    struct nbody *n = instance;
    const struct nbody_units *units = &n->params.units;
    const struct particles_check check = {.count = n->params.count,
                                          .axes = NBODY_AXES,
                                          .scales = {n->scale.length, n->scale.velocity},
                                          .units = {units->length, units->velocity},
                                          .get = get};
    if (!nbody_makes_results(n))
        return 0;
    return particles_check_compare(&n->base, step, &check);
}

const struct check_operations nbody_check = {
    .places = CHECK_BODIES,
    .step = "step",
    .units = "1", // parts of nbody_scale
    .quantities = {{"position", NULL, "system's half-mass radius"},
                   {"velocity", NULL, "system's speed at that radius"}},
    .units_of = units_of,
    .copy = copy,
    .repeat = repeat,
    .compare = compare,
    .complain = particles_check_complain,
    .judged_in = "positions: half-mass radii at the start; velocities: sqrt(G M / that radius)",
};
