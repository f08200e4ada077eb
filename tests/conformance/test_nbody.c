// Conformance of the N-body model's fast versions: with every back end, method, precision, integrator and
// opening criterion the bodies move as in the reference, within the tolerances of ONE table. The reference
// has no arithmetic in common with them.
//
// Also tests that the result has the same bits after a second run, after a run that is cut or resumed, and if
// the field is evaluated between steps.
#include "tests/support/test.h"

#include "tests/support/nbody_test.h"
#include "tests/support/numbers.h"

// ---- the tolerances ----

// Largest differences from the reference after STEPS steps of 2^-8: of positions, divided by the largest
// distance from the origin; of velocities, divided by the largest speed.
//
// Direct summation, double: the error of a force, 1e-13 of itself at most and mostly rounding, times the
//   time of 0.05. float: a position is rounded to 6e-8 of itself at each step, a velocity twice at each
//   step; a force, of bodies that may have come close, to 1e-5 of itself at most.
// A tree takes the same pairs of group and cell as the reference's while bodies lie at the same places, so in
//   double it is as near. In float bodies drift from the reference's by rounding, some change their order on
//   the curve, and so the cells that stand for others; the difference is a part of the tree's own error, 1e-3
//   of a force.
static const struct tolerance {
    enum element precision;
    bool is_tree;
    double position, velocity;
} tolerances[] = {{ELEMENT_F64, false, 1e-14, 1e-13},
                  {ELEMENT_F32, false, 1e-6, 1e-5},
                  {ELEMENT_F64, true, 1e-14, 1e-13},
                  {ELEMENT_F32, true, 5e-6, 1e-4}};

enum { STEPS = PARTICLE_SET_IS_SANITIZED ? 4 : 12 };

static const struct tolerance *tolerance_of(const struct particle_set_setup *setup)
{
    const bool is_tree = setup->physics.method == NBODY_BARNES_HUT;
    size_t k = 0;
    while (tolerances[k].precision != setup->precision || tolerances[k].is_tree != is_tree)
        k++;
    return &tolerances[k];
}

// ---- variants ----

static const enum element precisions[] = {ELEMENT_F64, ELEMENT_F32};
static const enum nbody_integrator integrators[] = {NBODY_LEAPFROG, NBODY_SOURCE_STEP};

static const struct nbody_tree_rule rules[] = {
    {NBODY_OPENING_OFFSET, true, 0.6, 0},    {NBODY_OPENING_OFFSET, false, 0.4, 0},
    {NBODY_OPENING_SIZE, true, 0.8, 0},      {NBODY_OPENING_SIZE, false, 0.5, 0},
    {NBODY_OPENING_DISTANCE, true, 1, 0.25}, {NBODY_OPENING_DISTANCE, false, 1, 0.6}};
enum { RULES = sizeof rules / sizeof *rules };

typedef void variant_test(const struct particle_set_setup *setup);

// Calls `test` for each method, precision and integrator of the back end, and for a tree also for each
// opening rule (only the first unless `all_rules`).
static void for_each_variant(variant_test *test, size_t count, double softening, bool all_rules)
{
    for (enum nbody_method method = 0; method < NBODY_METHODS; method++)
        for (int i = 0; i < 2; i++)
            for (int r = 0; r < (method == NBODY_BARNES_HUT && all_rules ? RULES : 1); r++)
                for (int p = 0; p < 2; p++) {
                    const struct particle_set_setup setup = {.backend = nbody_backend,
                                                             .precision = precisions[p],
                                                             .count = count,
                                                             .physics = {.method = method,
                                                                         .integrator = integrators[i],
                                                                         .softening = softening,
                                                                         .tree = rules[r]}};
                    if (particle_set_is_possible(&setup))
                        test(&setup);
                }
}

static const char *name_of(const struct particle_set_setup *s)
{
    static const char *const openings[] = {"offset", "size", "distance"};
    static char text[256];
    snprintf(text, sizeof text, "%s %s %s %s, %zu bodies%s%s%s", s->backend->head.name,
             particle_set_method_name(s->physics.method), particle_set_precision_name(s->precision),
             particle_set_integrator_name(s->physics.integrator), s->count,
             s->physics.method == NBODY_BARNES_HUT ? ", opening " : "",
             s->physics.method == NBODY_BARNES_HUT ? openings[s->physics.tree.opening] : "",
             s->physics.method == NBODY_BARNES_HUT && !s->physics.tree.has_quadrupole ? ", monopoles" : "");
    return text;
}

// ---- runs ----

// Runs STEPS steps, from `bodies` and back to `bodies`, in parts of `cut` steps (0: one part). If
// `evaluates`, evaluates the field between the parts.
static void run(const struct particle_set_setup *setup, struct nbody_body *bodies, int64_t cut,
                bool evaluates)
{
    struct nbody_field *field = particle_set_field_new(setup->count);
    struct particle_set *s = particle_set_open(setup);
    particle_set_set(s, bodies);
    for (int64_t step = 0, length; step < STEPS; step += length) {
        length = cut == 0 ? STEPS : step + cut < STEPS ? cut : STEPS - step;
        if (evaluates)
            particle_set_evaluate(s, step % 2 == 0, field);
        particle_set_advance(s, step, length);
    }
    particle_set_get(s, bodies);
    particle_set_close(s);
}

// What the reference makes of the bodies. It has one precision and one variant of direct summation, so that
// several variants of a fast version, one after the other, have the same: it is computed once for them.
static const struct nbody_body *reference_of(const struct particle_set_setup *setup,
                                             const struct nbody_body *start)
{
    static struct nbody_body *of, *made;
    static struct particle_set_setup last;
    const size_t bytes = setup->count * sizeof *start;
    struct particle_set_setup plain = *setup;
    plain.backend = &nbody_backend_reference;
    plain.precision = ELEMENT_F64;
    if (setup->physics.method != NBODY_BARNES_HUT)
        plain.physics.method = NBODY_DIRECT;
    if (!made || memcmp(&last, &plain, sizeof plain) != 0 || memcmp(of, start, bytes) != 0) {
        of = realloc(of, bytes);
        made = realloc(made, bytes);
        assert_true(of && made);
        last = plain;
        memcpy(of, start, bytes);
        memcpy(made, start, bytes);
        run(&plain, made, 0, false);
    }
    return made;
}

static void compare(const char *what, const struct particle_set_setup *setup, const struct nbody_body *start)
{
    const size_t bytes = setup->count * sizeof *start;
    const struct tolerance *t = tolerance_of(setup);
    struct nbody_body *is = particle_set_bodies_new(setup->count);
    const struct nbody_body *expected = reference_of(setup, start);
    double position, velocity;
    memcpy(is, start, bytes);
    run(setup, is, 5, false);
    particle_set_body_error(setup->count, is, expected, &position, &velocity);
    print_message("%s, %s: positions %.1e, velocities %.1e\n", name_of(setup), what, position, velocity);
    if (!(position <= t->position && velocity <= t->velocity))
        fail_msg("%s, %s: positions are off by %.2e (allowed %.0e), velocities by %.2e (%.0e)",
                 name_of(setup), what, position, t->position, velocity, t->velocity);
    for (size_t k = 0; k < setup->count; k++)
        assert_true(is[k].mass == start[k].mass);
}

static void compare_cluster(const struct particle_set_setup *setup)
{
    struct nbody_body *start = particle_set_bodies_new(setup->count);
    particle_set_cluster(setup->count, setup->count, start);
    compare("cluster", setup, start);
}

TEST_SUITE(.run = nbody_test_main);

TEST(bodies_move_as_in_the_reference)
{
    static const size_t counts[] = {2, 17, 65, 1000};
    if (nbody_is_reference())
        skip();
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for_each_variant(compare_cluster, counts[k], 0.05, counts[k] > 64);
}

static void compare_awkward(const struct particle_set_setup *setup)
{
    static const char *const names[PARTICLE_SET_SHAPES] = {"twins", "massless", "two clusters", "line"};
    struct nbody_body *start = particle_set_bodies_new(setup->count);
    for (enum particle_set_shape shape = 0; shape < PARTICLE_SET_SHAPES; shape++) {
        particle_set_awkward(shape, setup->count, shape + 1u, start);
        compare(names[shape], setup, start);
    }
}

TEST(awkward_bodies_move_as_in_the_reference)
{
    if (nbody_is_reference())
        skip();
    for_each_variant(compare_awkward, 300, 0.1, false);
}

// ---- what changes no bit ----

static void expect_same(const char *what, const struct particle_set_setup *setup, const struct nbody_body *a,
                        const struct nbody_body *b)
{
    for (size_t k = 0; k < setup->count; k++)
        if (memcmp(&a[k], &b[k], sizeof *a) != 0)
            fail_msg("%s, %s: body %zu is at %.17g, not %.17g", name_of(setup), what, k, a[k].position[0],
                     b[k].position[0]);
}

// One solver computes the first part of a run. A second solver, which had other bodies before, gets the
// checkpoint of the first and computes the rest.
static void resume(const struct particle_set_setup *setup, struct nbody_body *bodies)
{
    struct nbody_body *others = particle_set_bodies_new(setup->count);
    const int64_t cut = STEPS / 2 - 1;
    struct particle_set *first = particle_set_open(setup), *second = particle_set_open(setup);
    particle_set_cube(setup->count, 3, others);
    particle_set_set(second, others);
    particle_set_set(first, bodies);
    particle_set_advance(first, 0, cut);
    particle_set_copy_checkpoint(first, second);
    particle_set_close(first);
    particle_set_advance(second, cut, STEPS - cut);
    particle_set_get(second, bodies);
    particle_set_close(second);
}

static void check_bits(const struct particle_set_setup *setup)
{
    const size_t bytes = setup->count * sizeof(struct nbody_body);
    struct nbody_body *start = particle_set_bodies_new(setup->count),
                      *whole = particle_set_bodies_new(setup->count),
                      *other = particle_set_bodies_new(setup->count);
    particle_set_cluster(setup->count, 8, start);
    memcpy(whole, start, bytes);
    run(setup, whole, 0, false);
    memcpy(other, start, bytes);
    run(setup, other, 0, false);
    expect_same("run again", setup, other, whole);
    memcpy(other, start, bytes);
    run(setup, other, 1, true);
    expect_same("with the field evaluated between steps", setup, other, whole);
    memcpy(other, start, bytes);
    resume(setup, other);
    expect_same("resumed", setup, other, whole);
}

TEST(cutting_and_resuming_change_no_bit)
{
    for_each_variant(check_bits, nbody_is_reference() ? 300 : 1000, 0.02, false);
    for_each_variant(check_bits, 65, 0, false);
}

// ---- potentials ----

// The potential that a tree computes on demand by direct summation is exact except for rounding; the tree's
// own potential is close to it.
static void check_potential(const struct particle_set_setup *setup)
{
    const size_t n = setup->count;
    struct particle_set_setup plain = *setup;
    struct nbody_body *bodies = particle_set_bodies_new(n);
    struct nbody_field *direct = particle_set_field_new(n), *own = particle_set_field_new(n),
                       *expected = particle_set_field_new(n);
    particle_set_cluster(n, 31, bodies);
    plain.backend = &nbody_backend_reference;
    plain.physics.method = NBODY_DIRECT;
    particle_set_field_of(&plain, bodies, expected);
    struct particle_set *s = particle_set_open(setup);
    particle_set_set(s, bodies);
    particle_set_evaluate(s, true, direct);
    particle_set_evaluate(s, false, own);
    particle_set_close(s);
    const double rounding = setup->precision == ELEMENT_F64 ? 1e-13 : 1e-6;
    const bool is_tree = setup->physics.method == NBODY_BARNES_HUT;
    assert_near("potential by direct summation", particle_set_potential_error(n, direct, expected), 0,
                rounding);
    assert_near("potential", particle_set_potential_error(n, own, expected), 0, is_tree ? 1e-3 : rounding);
}

TEST(potentials_agree_with_the_reference)
{
    for_each_variant(check_potential, 700, 0.02, false);
}

// ---- stages ----

static void check_stages(const struct particle_set_setup *setup)
{
    struct nbody_stage_times times;
    struct nbody_tree_counts counts;
    const bool is_tree = setup->physics.method == NBODY_BARNES_HUT;
    struct nbody_body *bodies = particle_set_bodies_new(setup->count);
    particle_set_cluster(setup->count, 2, bodies);
    struct particle_set *s = particle_set_open(setup);
    particle_set_set(s, bodies);
    particle_set_advance(s, 0, STEPS);
    setup->backend->stages(particle_set_solver(s), &times, &counts);
    assert_true(times.steps >= 1 && times.steps <= STEPS);
    for (enum nbody_stage stage = 0; stage < NBODY_STAGES; stage++) {
        const bool is_there = is_tree || stage >= NBODY_STAGE_FORCE;
        if (nbody_is_reference()) // its stage times are not tested
            continue;
        if (is_there ? !(times.seconds[stage] > 0 && times.seconds[stage] < 60) : times.seconds[stage] != 0)
            fail_msg("%s: stage %d took %g s", name_of(setup), (int)stage, times.seconds[stage]);
    }
    assert_true((counts.cells > 0) == is_tree && counts.leaves <= counts.cells &&
                counts.cells <= counts.cells_planned);
    particle_set_close(s);
}

TEST(stages_are_timed)
{
    for_each_variant(check_stages, 500, 0.02, false);
}
