// What makes a run of the gas impossible is found by every back end: which error, which particle and
// partner, after how many steps.
#include "tests/support/test.h"

#include "tests/support/gas_test.h"

enum { COUNT = 300, STEPS = 4 };

struct scene {
    struct container_setup setup;
    struct gas_particle *particles;
};

static const char *const errors[GAS_ERRORS] = {"none",     "not finite", "escaped",
                                               "too fast", "crowded",    "overlapping"};

// Methods of a scene: every pair, then cells.
static struct scene scene_of(enum gas_potential potential, enum element precision, bool has_cells)
{
    struct scene scene = {.setup = {.backend = gas_backend, .precision = precision, .count = COUNT}};
    scene.setup.physics = container_physics(potential, 24, 20);
    scene.setup.physics.step = 0x1p-8;
    if (has_cells && potential != GAS_NO_FORCE)
        container_use_cells(&scene.setup.physics, 9, 7);
    scene.particles = container_particles_new(COUNT);
    container_lattice(&scene.setup, 0.05, 1, 3, scene.particles);
    return scene;
}

// Runs the scene until something is found: it must be this.
static void expect(const char *what, struct scene *scene, struct gas_finding expected)
{
    struct container *v = container_open(&scene->setup);
    container_set(v, scene->particles);
    struct gas_finding found = container_guard(v, 0);
    for (int64_t step = 0; step < STEPS && found.error == GAS_NO_ERROR; step++) {
        container_try(v, step, 1);
        found = container_guard(v, step + 1);
    }
    if (found.error != expected.error || found.step != expected.step || found.id != expected.id ||
        found.partner != expected.partner)
        fail_msg("%s, %s %s %s: %s of %lld and %lld after step %lld, but %s of %lld and %lld after step %lld "
                 "was expected",
                 what, gas_backend->head.name, container_method_name(&scene->setup.physics),
                 container_precision_name(scene->setup.precision), errors[found.error], (long long)found.id,
                 (long long)found.partner, (long long)found.step, errors[expected.error],
                 (long long)expected.id, (long long)expected.partner, (long long)expected.step);
    // It stays what was found, with the particle that it was.
    container_try(v, STEPS, 2);
    const struct gas_finding again = container_guard(v, STEPS + 2);
    assert_true(again.error == found.error && again.id == found.id && again.step == found.step);
    container_close(v);
}

typedef void scene_test(enum gas_potential potential, enum element precision, bool has_cells);

static void for_each_scene(scene_test *test, const enum gas_potential *potentials, size_t count)
{
    for (size_t k = 0; k < count; k++)
        for (int p = 0; p < 4; p++)
            test(potentials[k], p & 1 ? ELEMENT_F32 : ELEMENT_F64, p & 2);
}

// ---- two at one point ----

static void overlap(enum gas_potential potential, enum element precision, bool has_cells)
{
    struct scene scene = scene_of(potential, precision, has_cells);
    scene.setup.physics.softening = 0;
    for (int axis = 0; axis < GAS_AXES; axis++)
        scene.particles[17].position[axis] = scene.particles[201].position[axis];
    expect("two at one point", &scene, (struct gas_finding){GAS_OVERLAPPING, 0, 17, 201, {{0}, {0}, 0}});
}

TEST_SUITE(.run = gas_test_main);

TEST(two_at_one_point_are_named)
{
    static const enum gas_potential potentials[] = {GAS_LENNARD_JONES, GAS_LENNARD_JONES_FORCE_SHIFTED};
    for_each_scene(overlap, potentials, 2);
    overlap(GAS_REAL_GAS, ELEMENT_F64, false);
    overlap(GAS_REAL_GAS, ELEMENT_F32, false);
}

// Too far from each other to feel a force until they meet.
static void collide(enum gas_potential potential, enum element precision, bool has_cells)
{
    struct scene scene = scene_of(potential, precision, has_cells);
    scene.setup.count = 2;
    for (int k = 0; k < 2; k++)
        scene.particles[k] = (struct gas_particle){
            .position = {k == 0 ? 8 : 16, 10}, .velocity = {k == 0 ? 512 : -512, 0}, .mass = 1};
    expect("two that meet", &scene, (struct gas_finding){GAS_OVERLAPPING, 2, 0, 1, {{0}, {0}, 0}});
}

TEST(two_that_meet_are_named)
{
    static const enum gas_potential potentials[] = {GAS_LENNARD_JONES, GAS_LENNARD_JONES_FORCE_SHIFTED};
    for_each_scene(collide, potentials, 2);
}

// ---- speeds ----

static const enum gas_potential some[] = {GAS_NO_FORCE, GAS_LOG, GAS_CONDENSING, GAS_LENNARD_JONES};
enum { SOME = sizeof some / sizeof *some };

// Further than the cut-off, or than a side of the box, in one step.
static void rush(enum gas_potential potential, enum element precision, bool has_cells)
{
    struct scene scene = scene_of(potential, precision, has_cells);
    const double most = scene.setup.physics.cut_off > 0 ? scene.setup.physics.cut_off : 20;
    scene.particles[123].velocity[GAS_Y] = scene.particles[222].velocity[GAS_X] = 1.25 * most * 256;
    expect("one that is too fast", &scene, (struct gas_finding){GAS_TOO_FAST, 1, 123, -1, {{0}, {0}, 0}});
}

TEST(the_too_fast_are_named)
{
    for_each_scene(rush, some, SOME);
}

static void spoil(enum gas_potential potential, enum element precision, bool has_cells)
{
    struct scene scene = scene_of(potential, precision, has_cells);
    scene.particles[77].velocity[GAS_X] = (double)NAN;
    scene.particles[88].velocity[GAS_Y] = (double)INFINITY;
    expect("a velocity that is not finite", &scene,
           (struct gas_finding){GAS_NOT_FINITE, 0, 77, -1, {{0}, {0}, 0}});
}

// Found by the first look.
TEST(what_is_no_number_is_named)
{
    for_each_scene(spoil, some, SOME);
}

// ---- places ----

// Soft walls do not hold it: more than a side of the box outside after three steps.
static void escape(enum gas_potential potential, enum element precision, bool has_cells)
{
    struct scene scene = scene_of(potential, precision, has_cells);
    container_set_walls(&scene.setup.physics, GAS_SOFT);
    scene.setup.physics.stiffness = 1e-3;
    scene.setup.physics.box[GAS_Y] = 2;
    scene.setup.count = 2;
    scene.particles[0] = (struct gas_particle){.position = {2, 1}, .mass = 1};
    scene.particles[1] = (struct gas_particle){.position = {20, 1.5}, .velocity = {0, 256}, .mass = 1};
    expect("one that escapes", &scene, (struct gas_finding){GAS_ESCAPED, 3, 1, -1, {{0}, {0}, 0}});
}

TEST(the_escaped_are_named)
{
    static const enum gas_potential potentials[] = {GAS_NO_FORCE, GAS_LOG, GAS_LENNARD_JONES};
    for_each_scene(escape, potentials, 3);
}

// ---- crowds ----

static int64_t first_crowded(const struct scene *scene)
{
    const struct gas_physics *physics = &scene->setup.physics;
    const double reach = physics->cut_off + physics->lists.skin;
    for (size_t i = 0; i < COUNT; i++) {
        int neighbours = 0;
        for (size_t j = 0; j < COUNT; j++) {
            const double *a = scene->particles[i].position, *b = scene->particles[j].position;
            neighbours += j != i && hypot(a[GAS_X] - b[GAS_X], a[GAS_Y] - b[GAS_Y]) < reach;
        }
        if (neighbours > physics->lists.neighbours)
            return (int64_t)i;
    }
    return -1;
}

// Half of the others stand near one corner.
TEST(the_crowded_are_named)
{
    if (gas_is_reference()) // has no lists
        skip();
    for (int p = 0; p < 2; p++) {
        struct scene scene = scene_of(GAS_LENNARD_JONES, p == 0 ? ELEMENT_F64 : ELEMENT_F32, true);
        scene.setup.physics.lists.neighbours = 18;
        for (size_t k = 40; k < COUNT; k += 2)
            for (int axis = 0; axis < GAS_AXES; axis++)
                scene.particles[k].position[axis] *= 0.75;
        const int64_t first = first_crowded(&scene);
        assert_true(first > 0);
        expect("a crowd", &scene, (struct gas_finding){GAS_CROWDED, 0, first, -1, {{0}, {0}, 0}});
    }
}

// No finding without a cause.
TEST(others_are_sound)
{
    for (size_t k = 0; k < SOME; k++)
        for (int p = 0; p < 4; p++) {
            struct scene scene = scene_of(some[k], p & 1 ? ELEMENT_F32 : ELEMENT_F64, p & 2);
            struct container *v = container_open(&scene.setup);
            container_set(v, scene.particles);
            container_advance(v, 0, STEPS); // fails if something is found
            container_close(v);
        }
}
