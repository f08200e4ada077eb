// Conformance of the gas model's fast versions: every back end, potential, method, wall, integrator,
// thermostat and limiter moves particles as the plain reference does, within the tolerances of ONE table. The
// reference shares no arithmetic with them.
//
// What changes no bit is in test_gas_bits.c, what is found in test_gas_findings.c.
#include "tests/support/test.h"

#include "tests/support/gas_test.h"
#include "tests/support/numbers.h"

// ---- the tolerances ----

// Largest differences from the reference: of places after a run of up to 24 steps of 2^-6 (in units of the
// mean distance), of velocities (in parts of the largest speed), of the field then (in parts of its root mean
// square).
//
// double: rounding, which particles that push each other away make greater, a little at each step.
// float: a pair's force is wrong by 1e-6 of itself and, where every pair is taken, a place by 6e-8 of the
//   box; Lennard-Jones forces are up to some hundred times a place's error, for a time of at most 0.4. The
//   field is evaluated in double, at the places that came out.
static const struct tolerance {
    enum element precision;
    bool is_by_pairs;
    double position, velocity, field;
} tolerances[] = {{ELEMENT_F64, false, 1e-13, 1e-12, 1e-11},
                  {ELEMENT_F64, true, 1e-13, 1e-12, 1e-11},
                  {ELEMENT_F32, false, 3e-6, 2e-5, 1e-4},
                  {ELEMENT_F32, true, 2e-5, 1e-4, 4e-4}};

static const struct tolerance *tolerance_of(const struct container_setup *setup)
{
    const bool is_by_pairs = setup->physics.method == GAS_ALL_PAIRS;
    size_t k = 0;
    while (tolerances[k].precision != setup->precision || tolerances[k].is_by_pairs != is_by_pairs)
        k++;
    return &tolerances[k];
}

static const enum element precisions[] = {ELEMENT_F64, ELEMENT_F32};

static const char *name_of(const struct container_setup *s)
{
    static const char *const thermostats[] = {"", ", langevin", ", bussi"};
    const struct gas_physics *p = &s->physics;
    static char text[320];
    snprintf(text, sizeof text, "%s %s%s%s %s %s, %s left, %s below, %s%s%s%s, %zu particles%s",
             s->backend->head.name, container_potential_name(p->potential), p->is_smooth ? " (smooth)" : "",
             p->has_repulsion_everywhere ? " (everywhere)" : "", container_method_name(p),
             container_precision_name(s->precision), container_wall_name(p->walls[GAS_LEFT]),
             container_wall_name(p->walls[GAS_BOTTOM]),
             p->integrator == GAS_LEAPFROG ? "leapfrog" : "symplectic Euler", thermostats[p->thermostat],
             p->limiters.energy > 0 ? ", energies limited" : "",
             p->limiters.jump > 0 ? ", jumps limited" : "", s->count,
             s->has_masses ? " of several masses" : "");
    return text;
}

// ---- runs ----

// From `particles` to `particles`, cut after 5 steps.
static struct gas_counts run(const struct container_setup *setup, int64_t steps,
                             struct gas_particle *particles, struct gas_field *field)
{
    struct container *v = container_open(setup);
    container_set(v, particles);
    container_advance(v, 0, steps < 5 ? steps : 5);
    if (steps > 5)
        container_advance(v, 5, steps - 5);
    const struct gas_counts counts = container_counts(v);
    container_evaluate(v, false, field);
    container_get(v, particles);
    container_close(v);
    return counts;
}

static void expect_near(const struct container_setup *setup, const struct gas_particle *is,
                        const struct gas_particle *should, const struct gas_field *field,
                        const struct gas_field *should_field)
{
    const struct tolerance *t = tolerance_of(setup);
    double position, velocity;
    container_particle_error(setup, is, should, &position, &velocity);
    const struct container_field_error error = container_field_error(setup->count, field, should_field);
    const double most = fmax(error.force, fmax(error.potential, error.virial));
    if (getenv("FATHOM_TEST_VERBOSE"))
        print_message("%s: positions %.1e, velocities %.1e, force %.1e, potential %.1e, virial %.1e\n",
                      name_of(setup), position, velocity, error.force, error.potential, error.virial);
    if (!(position <= t->position && velocity <= t->velocity && most <= t->field))
        fail_msg("%s: positions are off by %.2e (allowed %.0e), velocities by %.2e (%.0e), forces by %.2e, "
                 "potentials by %.2e, virials by %.2e (%.0e)",
                 name_of(setup), position, t->position, velocity, t->velocity, error.force, error.potential,
                 error.virial, t->field);
}

// Returns what the limiters did, which must be the same.
static struct gas_counts compare(const struct container_setup *setup, int64_t steps,
                                 const struct gas_particle *start)
{
    const size_t bytes = setup->count * sizeof *start;
    struct gas_particle *is = container_particles_new(setup->count),
                        *should = container_particles_new(setup->count);
    struct gas_field *field = container_field_new(setup->count),
                     *should_field = container_field_new(setup->count);
    struct container_setup plain = *setup;
    plain.backend = &gas_backend_reference;
    memcpy(is, start, bytes);
    memcpy(should, start, bytes);
    const struct gas_counts counts = run(setup, steps, is, field);
    const struct gas_counts expected = run(&plain, steps, should, should_field);
    expect_near(setup, is, should, field, should_field);
    for (size_t k = 0; k < setup->count; k++)
        assert_true(is[k].mass == start[k].mass);
    if (counts.limited_energy != expected.limited_energy || counts.limited_jumps != expected.limited_jumps)
        fail_msg("%s: energies and jumps were limited %lld and %lld times, not %lld and %lld", name_of(setup),
                 (long long)counts.limited_energy, (long long)counts.limited_jumps,
                 (long long)expected.limited_energy, (long long)expected.limited_jumps);
    return counts;
}

// ---- potentials and methods ----

// Each potential in each of its variants; returns whether there is a next one.
static bool next_potential(struct gas_physics *physics)
{
    const bool has_variants = physics->potential == GAS_REAL_GAS || physics->potential == GAS_CONDENSING;
    if (has_variants && !physics->is_smooth) {
        physics->is_smooth = true;
        return true;
    }
    if (has_variants && !physics->has_repulsion_everywhere) {
        physics->is_smooth = false;
        physics->has_repulsion_everywhere = true;
        return true;
    }
    return false;
}

static void compare_method(struct container_setup *setup, int order)
{
    struct gas_particle *start = container_particles_new(setup->count);
    setup->physics.regions.order = order;
    if (setup->physics.cut_off > 2) // Lennard-Jones
        container_lattice(setup, 0.1, 1, 5, start);
    else
        container_cluster(setup, 1, 5, start);
    for (int p = 0; p < 2; p++) {
        setup->precision = precisions[p];
        compare(setup, 12, start);
    }
}

static void compare_methods(struct container_setup *setup)
{
    const double attraction = setup->physics.attraction;
    compare_method(setup, 0);
    if (setup->physics.potential == GAS_NO_FORCE)
        return;
    if (attraction > 0 && !setup->physics.has_repulsion_everywhere) {
        container_use_cells(&setup->physics, 9, 7);
        compare_method(setup, 0);
        compare_method(setup, 1);
        setup->physics.regions.columns = 0;
        setup->physics.attraction = 0;
    }
    if (setup->physics.potential != GAS_LOG && !setup->physics.has_repulsion_everywhere) {
        container_use_cells(&setup->physics, 0, 0);
        compare_method(setup, 0);
        container_set_walls(&setup->physics, GAS_PERIODIC);
        compare_method(setup, 0);
        setup->physics.method = GAS_ALL_PAIRS;
        compare_method(setup, 0);
        container_set_walls(&setup->physics, GAS_REFLECT);
    }
    setup->physics.method = GAS_ALL_PAIRS;
    setup->physics.attraction = attraction;
}

TEST_SUITE(.run = gas_test_main);

TEST(potentials_are_the_references)
{
    static const size_t counts[] = {2, 67, 300};
    if (gas_is_reference()) // itself
        skip();
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (enum gas_potential potential = 0; potential < GAS_POTENTIALS; potential++) {
            struct container_setup setup = {.backend = gas_backend, .count = counts[k], .has_masses = k == 1};
            setup.physics = container_physics(potential, 22, 18);
            do
                compare_methods(&setup);
            while (next_potential(&setup.physics));
        }
}

// Narrower than twice the lists' reach, so that two particles may be further apart than half the box: between
// walls that is no image.
TEST(narrow_boxes_are_the_references)
{
    static const double widths[] = {2.25, 3.5, 5, 9};
    if (gas_is_reference()) // itself
        skip();
    for (size_t k = 0; k < sizeof widths / sizeof *widths; k++)
        for (int axis = 0; axis < GAS_AXES; axis++) {
            const double width = widths[k];
            struct container_setup setup = {.backend = gas_backend, .count = (size_t)(40 * width / 1.5)};
            setup.physics =
                container_physics(GAS_LENNARD_JONES, axis == GAS_X ? width : 40, axis == GAS_X ? 40 : width);
            container_use_cells(&setup.physics, 0, 0);
            compare_method(&setup, 0);
            setup.physics.walls[2 * (1 - axis)] = setup.physics.walls[2 * (1 - axis) + 1] = GAS_PERIODIC;
            compare_method(&setup, 0);
        }
}

// ---- walls, integrators, thermostats ----

// Near the walls, on their way out, and fast.
static void send_to_walls(const struct container_setup *setup, struct gas_particle *particles)
{
    for (size_t k = 0; k < setup->count; k += 5) {
        const int axis = (int)(k / 5 % 2);
        const double length = setup->physics.box[axis], place = particles[k].position[axis];
        double *v = &particles[k].velocity[axis];
        if (fmin(place, length - place) < length / 10)
            *v = (place < length / 2 ? -3 : 3) + 0.25 * *v;
    }
}

static void compare_steps(struct container_setup *setup)
{
    struct gas_physics *physics = &setup->physics;
    struct gas_particle *start = container_particles_new(setup->count);
    container_lattice(setup, 0.1, 1, 11, start);
    send_to_walls(setup, start);
    for (enum gas_integrator integrator = GAS_LEAPFROG; integrator <= GAS_SYMPLECTIC_EULER; integrator++)
        for (enum gas_thermostat thermostat = GAS_NO_THERMOSTAT;
             thermostat <= (integrator == GAS_LEAPFROG ? GAS_BUSSI : GAS_NO_THERMOSTAT); thermostat++) {
            const bool is_corrected = physics->walls[GAS_TOP] == GAS_FIELD_CORRECTED;
            physics->integrator = integrator;
            physics->thermostat = thermostat;
            if (is_corrected && (integrator != GAS_LEAPFROG || thermostat == GAS_LANGEVIN))
                continue;
            for (int p = 0; p < 2; p++) {
                setup->precision = precisions[p];
                compare(setup, CONTAINER_IS_SANITIZED ? 8 : 24, start);
            }
        }
}

TEST(walls_and_steps_are_the_references)
{
    if (gas_is_reference()) // itself
        skip();
    for (enum gas_wall wall = 0; wall < GAS_WALLS; wall++)
        for (int has_masses = 0; has_masses < 2; has_masses++) {
            struct container_setup setup = {.backend = gas_backend, .count = 160, .has_masses = has_masses};
            setup.physics = container_physics(GAS_LENNARD_JONES_FORCE_SHIFTED, 16, 14);
            setup.physics.step = 0x1p-6;
            setup.mass = 0.75;
            container_use_cells(&setup.physics, 0, 0);
            container_set_walls(&setup.physics, wall);
            if (wall != GAS_PERIODIC) {
                setup.physics.gravity[GAS_X] = 0.5;
                setup.physics.gravity[GAS_Y] = -2;
            }
            compare_steps(&setup);
        }
}

TEST(walls_of_several_kinds_are_the_references)
{
    if (gas_is_reference()) // itself
        skip();
    struct container_setup setup = {.backend = gas_backend, .count = 160};
    setup.physics = container_physics(GAS_LENNARD_JONES, 16, 14);
    setup.physics.step = 0x1p-6;
    setup.physics.gravity[GAS_Y] = -1;
    container_set_walls(&setup.physics, GAS_PERIODIC);
    setup.physics.walls[GAS_BOTTOM] = GAS_DAMPED;
    setup.physics.walls[GAS_TOP] = GAS_SOFT;
    container_use_cells(&setup.physics, 0, 0);
    compare_steps(&setup);
    setup.physics.method = GAS_ALL_PAIRS;
    compare_steps(&setup);
    setup.physics.walls[GAS_LEFT] = GAS_A_PRIORI;
    setup.physics.walls[GAS_RIGHT] = GAS_REFLECT;
    setup.physics.walls[GAS_BOTTOM] = GAS_FLIP_AND_MIRROR;
    compare_steps(&setup);
}

// ---- limiters ----

TEST(limiters_are_the_references)
{
    if (gas_is_reference()) // itself
        skip();
    for (int k = 0; k < 8; k++) {
        struct container_setup setup = {
            .backend = gas_backend, .precision = precisions[k & 1], .count = 160, .has_masses = k & 2};
        struct gas_particle *start = container_particles_new(setup.count);
        setup.physics = container_physics(GAS_LENNARD_JONES_FORCE_SHIFTED, 16, 14);
        setup.physics.step = 0x1p-6;
        setup.physics.limiters = (struct gas_limiters){.energy = 2.5, .jump = 1.0625};
        setup.physics.integrator = k & 4 ? GAS_SYMPLECTIC_EULER : GAS_LEAPFROG;
        container_use_cells(&setup.physics, 0, 0);
        container_lattice(&setup, 0.1, 1, 13, start);
        const struct gas_counts counts = compare(&setup, 12, start);
        assert_true(counts.limited_energy > 0 && counts.limited_jumps > 0);
    }
}

// ---- every pair, whatever the method ----

TEST(fields_by_every_pair_are_the_references)
{
    if (gas_is_reference()) // itself
        skip();
    for (enum gas_potential potential = GAS_LOG; potential <= GAS_CONDENSING; potential++)
        for (int p = 0; p < 2; p++) {
            struct container_setup setup = {.backend = gas_backend, .precision = precisions[p], .count = 500};
            setup.physics = container_physics(potential, 22, 18);
            container_use_cells(&setup.physics, 9, 7);
            struct gas_particle *start = container_particles_new(setup.count);
            struct gas_field *is = container_field_new(setup.count),
                             *should = container_field_new(setup.count);
            container_cluster(&setup, 1, 23, start);
            container_field_of(&setup, start, true, is);
            setup.backend = &gas_backend_reference;
            container_field_of(&setup, start, true, should);
            const struct container_field_error error = container_field_error(setup.count, is, should);
            assert_near("force", error.force, 0, p == 0 ? 1e-12 : 1e-4);
            assert_near("potential", error.potential, 0, 1e-12);
            assert_near("virial", error.virial, 0, 1e-12);
        }
}
