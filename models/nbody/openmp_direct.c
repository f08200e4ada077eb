// Direct summation on the processor: threads over targets.
#include "models/nbody/openmp_direct_isa.h"
#include "models/nbody/openmp_solver.h"
#include "models/team.h"

const char *nbody_direct_instruction_set(void)
{
    return ISA_TABLE(direct_functions)->instruction_set;
}

_Static_assert((int)DIRECT_TARGETS == (int)NBODY_GROUP_BODIES, "ranks divide groups");

struct direct_work {
    struct direct_view view;
    size_t first;                                                        // group
    void (*accelerations)(const struct direct_view *view, size_t first); // NULL: not wanted
    void (*potential)(const struct direct_view *view, size_t first);
};

static void work_on_targets(void *context, size_t item)
{
    const struct direct_work *work = context;
    const size_t target = (work->first + item) * DIRECT_TARGETS;
    if (work->accelerations)
        work->accelerations(&work->view, target);
    if (work->potential)
        work->potential(&work->view, target);
}

void nbody_direct_forces(const struct nbody_setup *setup, int threads, struct nbody_arrays *bodies,
                         const struct nbody_groups *groups, bool has_acceleration, bool has_potential)
{
    const struct direct_functions *functions = ISA_TABLE(direct_functions);
    const int kind = setup->precision == ELEMENT_F32 ? 0 : 1;
    const bool is_hard = setup->physics->softening < functions->softening_least[kind];
    struct direct_work work = {.view = {.padded = bodies->padded,
                                        .mass = bodies->mass,
                                        .potential = bodies->potential,
                                        .softening = setup->physics->softening},
                               .first = groups->first};
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        work.view.position[axis] = bodies->position[axis];
        work.view.acceleration[axis] = bodies->acceleration[axis];
    }
    if (has_acceleration)
        work.accelerations = is_hard ? functions->accelerations_hard[kind] : functions->accelerations[kind];
    if (has_potential)
        work.potential = functions->potential[kind];
    const size_t items = groups->end - groups->first;
    // A team takes longer to meet than a few bodies take.
    team_for(items > 8 ? threads : 1, items, work_on_targets, &work);
}
