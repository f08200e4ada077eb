// Direct summation on the processor: threads over targets.
#include "models/gas/openmp_pairs_isa.h"
#include "models/team.h"

struct pair_work {
    struct pair_view view;
    void (*add)(const struct pair_view *view, struct pair_range targets, struct pair_range sources,
                struct pair_sums *sums);
    double *x, *y; // where the sums go
};

static void work_on_targets(void *context, size_t item)
{
    const struct pair_work *work = context;
    const struct particles_range own = work->view.particles->own;
    const size_t count = work->view.particles->count, first = own.first + item * PAIR_TARGETS;
    const size_t end = first + PAIR_TARGETS < own.end ? first + PAIR_TARGETS : own.end;
    struct pair_sums sums = {{0}, {0}};
    work->add(&work->view, (struct pair_range){first, end}, (struct pair_range){0, count}, &sums);
    for (size_t i = first; i < end; i++) {
        work->x[i] = sums.x[i - first];
        work->y[i] = sums.y[i - first];
    }
}

void gas_pairs_sum(const struct gas_setup *setup, int threads, const struct gas_law *law,
                   const struct gas_arrays *particles, bool has_energy)
{
    const struct pair_functions *functions = ISA_TABLE(pair_functions);
    const struct gas_physics *physics = setup->physics;
    const bool is_double = setup->precision == ELEMENT_F64;
    struct pair_work work = {.view = {.law = law, .particles = particles},
                             .add = has_energy ? functions->add_range_energy
                                               : functions->add_range[is_double ? 1 : 0],
                             .x = has_energy ? particles->potential : particles->force[GAS_X],
                             .y = has_energy ? particles->virial : particles->force[GAS_Y]};
    for (int axis = 0; axis < GAS_AXES; axis++) {
        work.view.periodic[axis] = gas_is_periodic(physics, axis) ? physics->box[axis] : 0;
        work.view.origin[axis] = is_double ? 0 : physics->box[axis] / 2;
    }
    const size_t own = particles->own.end - particles->own.first;
    const size_t items = (own + PAIR_TARGETS - 1) / PAIR_TARGETS;
    team_for(items > 8 ? threads : 1, items, work_on_targets, &work);
}
