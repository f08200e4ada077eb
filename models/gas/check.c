// What models/check.h compares of a gas: positions, judged in mean distances √(area/N), and velocities,
// judged in the root mean square of the reference's.
#include "models/particles/check.h"
#include "models/gas/instance.h"

#include <math.h>

static enum status copy(void *instance, int64_t step)
{
    struct gas *g = instance;
    (void)step;
    if (!gas_makes_results(g))
        return STATUS_OK;
    struct gas_particle *particles = gas_scratch_particles(g);
    for (size_t block = 0; block < gas_blocks(g); block++) {
        const size_t first = block * GAS_BLOCK, count = gas_block_length(g, block);
        g->backend->get(g->base.solver, first, count, particles);
        gas_backend_reference.set(g->base.reference, first, count, particles);
    }
    return solver_touch(&gas_backend_reference.head, g->base.reference, false);
}

static enum status repeat(void *instance, int64_t first_step, int64_t count)
{
    const struct gas *g = instance;
    return gas_makes_results(g) ? gas_backend_reference.head.advance(g->base.reference, first_step, count)
                                : STATUS_OK;
}

// Root mean square of the reference's velocities; 1 if all are at rest.
static double find_speed(struct gas *g)
{
    struct gas_particle *particles = gas_scratch_particles(g);
    double sum = 0;
    for (size_t block = 0; block < gas_blocks(g); block++) {
        const size_t first = block * GAS_BLOCK, count = gas_block_length(g, block);
        gas_backend_reference.get(g->base.reference, first, count, particles);
        for (size_t k = 0; k < count; k++) {
            const double *v = particles[k].velocity;
            sum += v[GAS_X] * v[GAS_X] + v[GAS_Y] * v[GAS_Y];
        }
    }
    return sum > 0 ? sqrt(sum / (double)g->params.count) : 1;
}

static void get(void *instance, bool of_reference, size_t first, size_t count,
                struct particles_sample *samples)
{
    const struct gas *g = instance;
    gas_get_samples(of_reference ? &gas_backend_reference : g->backend,
                    of_reference ? g->base.reference : g->base.solver, first, count, samples);
}

static int64_t compare(void *instance, int64_t step)
{
    struct gas *g = instance;
    const struct gas_physics *physics = &g->params.physics;
    const double *box = physics->box;
    if (!gas_makes_results(g))
        return 0;
    struct particles_check check = {
        .count = g->params.count,
        .axes = GAS_AXES,
        .scales = {sqrt(box[GAS_X] * box[GAS_Y] / (double)g->params.count), find_speed(g)},
        .units = {1, 1},
        .get = get};
    for (int axis = 0; axis < GAS_AXES; axis++)
        check.periods[axis] = gas_is_periodic(physics, axis) ? box[axis] : 0;
    return particles_check_compare(&g->base, step, &check);
}

const struct check_operations gas_check = {
    .places = CHECK_PARTICLES,
    .step = "step",
    .units = "1", // parts of the scales
    .quantities = {{"position", "1", "mean distance of particles"},
                   {"velocity", "1", "root mean square speed"}},
    .copy = copy,
    .repeat = repeat,
    .compare = compare,
    .complain = particles_check_complain,
    .judged_in = "positions: mean distances sqrt(area / particles); velocities: their root mean square",
};
