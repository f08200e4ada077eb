// Tests what must not change any bit of a gas run: running it again, the number of threads, the steps at
// which it is cut or resumed, evaluating the field between steps, and earlier particles of the solver.
#include "tests/support/test.h"

#include "tests/support/gas_test.h"

enum { STEPS = CONTAINER_IS_SANITIZED ? 8 : 24 };

typedef void variant_test(const struct container_setup *setup);

static void for_thermostats(variant_test *test, struct container_setup *setup)
{
    for (enum gas_thermostat thermostat = 0; thermostat <= GAS_BUSSI; thermostat++)
        for (int p = 0; p < 2; p++) {
            setup->physics.thermostat = thermostat;
            setup->precision = p == 0 ? ELEMENT_F64 : ELEMENT_F32;
            setup->has_masses = thermostat == GAS_LANGEVIN;
            setup->physics.limiters.jump = thermostat == GAS_BUSSI ? 1.5 : 0;
            setup->physics.limiters.energy = thermostat == GAS_BUSSI ? 4 : 0;
            test(setup);
        }
}

// Direct summation, neighbour lists that are rebuilt several times, and regions; each with every thermostat
// in both precisions.
static void for_each_variant(variant_test *test)
{
    const bool is_small = gas_is_reference() || CONTAINER_IS_SANITIZED; // these compute every pair
    const double x = is_small ? 18 : 36, y = is_small ? 14 : 28;
    struct container_setup setup = {.backend = gas_backend, .count = is_small ? 175 : 700};
    setup.physics = container_physics(GAS_LENNARD_JONES_FORCE_SHIFTED, x, y);
    setup.physics.step = 0x1p-7;
    container_set_walls(&setup.physics, GAS_PERIODIC);
    for_thermostats(test, &setup);
    container_use_cells(&setup.physics, 0, 0);
    setup.physics.lists.skin = 0.1;
    for_thermostats(test, &setup);
    setup.physics = container_physics(GAS_CONDENSING, x, y);
    container_set_walls(&setup.physics, GAS_DAMPED);
    setup.physics.step = 0x1p-7;
    container_use_cells(&setup.physics, is_small ? 9 : 11, is_small ? 7 : 9);
    for_thermostats(test, &setup);
}

static void name_failure(const char *what, const struct container_setup *s, size_t particle)
{
    static const char *const thermostats[] = {"no thermostat", "langevin", "bussi"};
    fail_msg("%s %s %s %s, %s, %s: particle %zu", s->backend->head.name,
             container_potential_name(s->physics.potential), container_method_name(&s->physics),
             container_precision_name(s->precision), thermostats[s->physics.thermostat], what, particle);
}

// ---- runs ----

// Runs STEPS steps, from `particles` and back to `particles`, in parts of `cut` steps (0: one part). If
// `evaluates`, evaluates the field before each part.
static void run(const struct container_setup *setup, struct gas_particle *particles, int64_t cut,
                bool evaluates)
{
    struct gas_field *field = container_field_new(setup->count);
    struct container *v = container_open(setup);
    container_set(v, particles);
    for (int64_t step = 0, length; step < STEPS; step += length) {
        length = cut == 0 ? STEPS : step + cut < STEPS ? cut : STEPS - step;
        if (evaluates)
            container_evaluate(v, step % 2 == 0, field);
        container_advance(v, step, length);
    }
    container_get(v, particles);
    const struct gas_counts counts = container_counts(v);
    if (setup->physics.lists.skin > 0 && setup->physics.method == GAS_CELLS && !gas_is_reference())
        assert_true(counts.rebuilds >= 2); // else the lists would not be tested
    container_close(v);
}

static void expect_same(const char *what, const struct container_setup *setup, const struct gas_particle *a,
                        const struct gas_particle *b)
{
    for (size_t k = 0; k < setup->count; k++)
        if (memcmp(&a[k], &b[k], sizeof *a) != 0)
            name_failure(what, setup, k);
}

// One solver computes the first part of a run. A second solver, which had other particles before, gets the
// checkpoint of the first and computes the rest.
static void resume(const struct container_setup *setup, struct gas_particle *particles)
{
    struct gas_particle *others = container_particles_new(setup->count);
    const int64_t cut = STEPS / 2 - 1;
    struct container *first = container_open(setup), *second = container_open(setup);
    container_lattice(setup, 0.05, 2, 3, others);
    container_set(second, others);
    container_advance(second, 0, 3);
    container_set(first, particles);
    container_advance(first, 0, cut);
    container_copy_checkpoint(first, second);
    container_close(first);
    container_advance(second, cut, STEPS - cut);
    container_get(second, particles);
    container_close(second);
}

static void set_twice(const struct container_setup *setup, struct gas_particle *particles)
{
    struct gas_particle *others = container_particles_new(setup->count);
    struct container *v = container_open(setup);
    container_lattice(setup, 0.05, 2, 4, others);
    container_set(v, others);
    container_advance(v, 0, 2);
    container_set(v, particles);
    container_advance(v, 0, STEPS);
    container_get(v, particles);
    container_close(v);
}

static void check_bits(const struct container_setup *setup)
{
    const size_t bytes = setup->count * sizeof(struct gas_particle);
    struct gas_particle *start = container_particles_new(setup->count),
                        *whole = container_particles_new(setup->count),
                        *other = container_particles_new(setup->count);
    container_lattice(setup, 0.1, 1.5, 8, start);
    memcpy(whole, start, bytes);
    run(setup, whole, 0, false);
    memcpy(other, start, bytes);
    run(setup, other, 0, false);
    expect_same("run again", setup, other, whole);
    memcpy(other, start, bytes);
    run(setup, other, 1, true);
    expect_same("with the field evaluated before each step", setup, other, whole);
    memcpy(other, start, bytes);
    resume(setup, other);
    expect_same("resumed", setup, other, whole);
    memcpy(other, start, bytes);
    set_twice(setup, other);
    expect_same("after other particles", setup, other, whole);
}

TEST_SUITE(.run = gas_test_main);

TEST(cutting_and_resuming_change_no_bit)
{
    for_each_variant(check_bits);
}

// ---- threads ----

static void check_threads(const struct container_setup *setup)
{
    struct gas_particle *start = container_particles_new(setup->count);
    struct gas_particle *one = container_particles_new(setup->count),
                        *many = container_particles_new(setup->count);
    struct container_setup other = *setup;
    container_lattice(setup, 0.1, 1.5, 8, start);
    other.threads = 1;
    memcpy(one, start, setup->count * sizeof *start);
    run(&other, one, 0, false);
    for (other.threads = 2; other.threads <= 5; other.threads += 3) {
        memcpy(many, start, setup->count * sizeof *start);
        run(&other, many, 0, false);
        expect_same("with other threads", setup, many, one);
    }
}

TEST(threads_change_no_bit)
{
    if (gas_is_reference())
        skip();
    for_each_variant(check_threads);
}

// ---- setting and reading back ----

static void check_reading_back(const struct container_setup *setup)
{
    struct gas_particle *start = container_particles_new(setup->count),
                        *result = container_particles_new(setup->count);
    container_lattice(setup, 0.1, 1.5, 9, start);
    struct container *v = container_open(setup);
    container_set(v, start);
    container_get(v, result);
    expect_same("set and read back", setup, result, start);
    container_close(v);
}

TEST(particles_are_read_back_as_they_were_set)
{
    for_each_variant(check_reading_back);
}

// ---- stages ----

static void check_stages(const struct container_setup *setup)
{
    struct gas_stage_times times;
    struct gas_counts counts;
    struct gas_particle *start = container_particles_new(setup->count);
    const bool is_cells = setup->physics.method == GAS_CELLS;
    container_lattice(setup, 0.1, 1, 2, start);
    struct container *v = container_open(setup);
    container_set(v, start);
    container_advance(v, 0, STEPS);
    setup->backend->stages(container_solver(v), &times, &counts);
    assert_true(times.steps >= 1 && times.steps <= STEPS); // on a device only some steps are timed
    for (enum gas_stage stage = 0; stage < GAS_STAGES && !gas_is_reference(); stage++) {
        const bool is_there =
            stage == GAS_STAGE_MOVE || stage == GAS_STAGE_FORCE ||
            (is_cells && (stage != GAS_STAGE_REGIONS || setup->physics.regions.columns > 0));
        if (is_there && !(times.seconds[stage] > 0 && times.seconds[stage] < 60))
            fail_msg("%s %s: stage %d took %g s", setup->backend->head.name,
                     container_method_name(&setup->physics), (int)stage, times.seconds[stage]);
    }
    assert_true(counts.pairs > 0 && counts.pairs <= (double)setup->count * (double)(setup->count - 1));
    container_close(v);
}

TEST(stages_are_timed)
{
    for_each_variant(check_stages);
}
