// What the tests of the N-body model's tree have in common. Header only.
#ifndef FATHOM_TESTS_SUPPORT_NBODY_TREE_TEST_H
#define FATHOM_TESTS_SUPPORT_NBODY_TREE_TEST_H

#include "tests/support/nbody_test.h"

// The usual rule, of the back end under test.
static inline struct particle_set_setup tree_setup(enum element precision, size_t count, double softening)
{
    return (struct particle_set_setup){
        .backend = nbody_backend,
        .precision = precision,
        .count = count,
        .physics = {.method = NBODY_BARNES_HUT,
                    .softening = softening,
                    .tree = {.opening = NBODY_OPENING_OFFSET, .has_quadrupole = true, .theta = 0.6}}};
}

static inline struct nbody_tree_counts tree_counts(const struct particle_set *particle_set)
{
    struct nbody_stage_times times;
    struct nbody_tree_counts counts;
    nbody_backend->stages(particle_set_solver(particle_set), &times, &counts);
    return counts;
}

// The ids in the tree's order: the last of a checkpoint's arrays.
static inline void tree_order(struct particle_set *particle_set, size_t count, uint32_t *ids)
{
    static struct checkpoint_array arrays[CHECKPOINT_ARRAYS_MAX];
    if (nbody_backend->head.fetch)
        assert_int_equal(nbody_backend->head.fetch(particle_set_solver(particle_set)), STATUS_OK);
    const int last = nbody_backend->head.checkpoint_arrays(particle_set_solver(particle_set), arrays) - 1;
    assert_true(strcmp(arrays[last].name, "ids") == 0 || strcmp(arrays[last].name, "order") == 0);
    assert_int_equal(arrays[last].bytes, count * sizeof *ids);
    memcpy(ids, arrays[last].data, count * sizeof *ids);
}

// The counts and, if `field` is not NULL, the field by the tree, of the bodies as they stand.
static inline struct nbody_tree_counts tree_field_of(const struct particle_set_setup *setup,
                                                     const struct nbody_body *bodies,
                                                     struct nbody_field *field)
{
    struct particle_set *particle_set = particle_set_open(setup);
    particle_set_set(particle_set, bodies);
    if (field)
        particle_set_evaluate(particle_set, false, field);
    const struct nbody_tree_counts counts = tree_counts(particle_set);
    particle_set_close(particle_set);
    return counts;
}

// The place of a body on the 2²¹ of each axis, from THE TREE's text (models/nbody/state.h).
struct tree_place {
    uint32_t at[NBODY_AXES];
};

static inline void tree_places(size_t count, const struct nbody_body *bodies, struct tree_place *places)
{
    double side = 0, corner[NBODY_AXES];
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        double least = bodies[0].position[axis], most = least;
        for (size_t i = 0; i < count; i++) {
            least = bodies[i].position[axis] < least ? bodies[i].position[axis] : least;
            most = bodies[i].position[axis] > most ? bodies[i].position[axis] : most;
        }
        side = most - least > side ? most - least : side;
        corner[axis] = (least + most) / 2;
    }
    side = side > 0 ? side * (1 + 0x1p-20) : 1;
    for (size_t i = 0; i < count; i++)
        for (int axis = 0; axis < NBODY_AXES; axis++) {
            const double x = bodies[i].position[axis] - (corner[axis] - side / 2);
            const double place = x * (0x1p21 / side);
            places[i].at[axis] = place < 0 ? 0 : place > 0x1p21 - 1 ? 0x1fffff : (uint32_t)place;
        }
}

#endif
