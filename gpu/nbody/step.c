// A CUDA N-body solver's steps: their kernels in order, and the times of their stages. Before and after each
// step the field (forces) belongs to the current positions.
#include "gpu/memory.h"
#include "gpu/nbody/solver.h"

enum status nbody_begin_forces(struct solver *s, struct stage_sample *sample)
{
    s->has_field = false;
    CHECK(nbody_device_ranks_begin(s));
    if (solver_has_tree(s)) {
        // The build records the events up to the one before the forces.
        if (sample)
            sample->recorded |= (2u << NBODY_STAGE_FORCE) - 1;
        CHECK(nbody_device_tree_build(&s->tree, &s->bodies, sample ? sample->events : NULL,
                                      s->timeline.compute));
        CHECK(nbody_device_tree_forces(&s->tree, &s->bodies, s->bodies.field, false, s->timeline.compute));
    } else {
        CHECK(stage_sample_mark(sample, NBODY_STAGE_FORCE, s->timeline.compute));
        CUDA_CHECK(
            nbody_device_direct_forces(&s->direct, &s->bodies, s->bodies.field, 1, 0, s->timeline.compute),
            "the forces of all pairs");
    }
    CHECK(nbody_device_ranks_end(s));
    return stage_sample_mark(sample, NBODY_STAGE_INTEGRATE, s->timeline.compute);
}

// The tree is up to date, because every step ends with the forces at the new positions.
enum status nbody_begin_field(struct solver *s, bool is_direct, const void **field)
{
    void *to = s->bodies.field;
    if (solver_has_tree(s) && !is_direct) {
        to = s->bodies.spare_body; // not in use between two builds of the tree
        CHECK(nbody_device_tree_forces(&s->tree, &s->bodies, to, true, s->timeline.compute));
    } else {
        CUDA_CHECK(nbody_device_direct_forces(&s->direct, &s->bodies, to, 0, 1, s->timeline.compute),
                   "the potentials of all pairs");
    }
    *field = to;
    return nbody_device_ranks_gather(s, to, is_direct || !solver_has_tree(s));
}

enum status nbody_begin_step(struct solver *s, bool begins, bool ends)
{
    struct stage_sample *sample;
    CHECK(stage_samples_choose(&s->samples, &sample));
    if (begins)
        CUDA_CHECK(nbody_move(s->setup.physics, &s->bodies, 0, 1, s->timeline.compute), "to move the bodies");
    CHECK(nbody_begin_forces(s, sample));
    CUDA_CHECK(nbody_move(s->setup.physics, &s->bodies, 1, !ends, s->timeline.compute), "to move the bodies");
    return stage_sample_mark(sample, NBODY_STAGES, s->timeline.compute);
}
