// Every pair: the field of few bodies by hand, of many against the reference, what holds for any bodies
// (potential and force belong together, forces cancel), and the two steps: their orders, time reversal,
// momentum.
#include "tests/support/test.h"

#include "tests/support/nbody_test.h"

static const enum element precisions[] = {ELEMENT_F32, ELEMENT_F64};
static const enum nbody_method methods[] = {NBODY_DIRECT, NBODY_DIRECT_TILED, NBODY_DIRECT_NAIVE};

// What the program allows of an evaluation in single and double, relative to the acceleration.
static const double largest_error[] = {1e-5, 1e-12}, rms_error[] = {1e-6, 1e-13};

static struct particle_set_setup setup_of(enum element precision, size_t count, double softening)
{
    return (struct particle_set_setup){.backend = nbody_backend,
                                       .precision = precision,
                                       .count = count,
                                       .physics = {.method = NBODY_DIRECT, .softening = softening}};
}

// Calls `test` for each precision and method that the back end has.
static void for_each_variant(void (*test)(const struct particle_set_setup *setup, int kind), size_t count,
                             double softening)
{
    for (int kind = nbody_is_reference() ? 1 : 0; kind < 2; kind++)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            struct particle_set_setup setup = setup_of(precisions[kind], count, softening);
            setup.physics.method = methods[m];
            if (particle_set_is_possible(&setup))
                test(&setup, kind);
        }
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not %.17g to %.3g", value, expected, tolerance);
}

// ---- by hand

// r = (1, 2, 2), |r|² = 9; ε = 4: R = 5.
static void two_bodies(const struct particle_set_setup *setup, int kind)
{
    const struct nbody_body bodies[2] = {{{0.5, -1, 2}, {0}, 3}, {{1.5, 1, 4}, {0}, 7}};
    const double tolerance = kind == 0 ? 1e-6 : 1e-14;
    struct nbody_field field[2];
    particle_set_field_of(setup, bodies, field);
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        const double r = bodies[1].position[axis] - bodies[0].position[axis];
        assert_near(field[0].acceleration[axis], 7 * r / 125, tolerance);
        assert_near(field[1].acceleration[axis], -3 * r / 125, tolerance);
    }
    assert_near(field[0].potential, -7.0 / 5, 2 * tolerance);
    assert_near(field[1].potential, -3.0 / 5, 2 * tolerance);
}

TEST_SUITE(.run = nbody_test_main);

TEST(two_bodies_by_hand)
{
    for_each_variant(two_bodies, 2, 4);
}

// Bodies 0 and 1 at one point, body 2 at r = (2, 3, 6), |r| = 7, of them.
static void twins(const struct particle_set_setup *setup, int kind)
{
    const struct nbody_body bodies[3] = {{{1, 1, 1}, {0}, 2}, {{1, 1, 1}, {0}, 5}, {{3, 4, 7}, {0}, 11}};
    const double tolerance = kind == 0 ? 1e-6 : 1e-14;
    const double softening = setup->physics.softening, own = softening > 0 ? 1 / softening : 0;
    const double far = sqrt(49 + softening * softening);
    struct nbody_field field[3];
    particle_set_field_of(setup, bodies, field);
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        const double r = bodies[2].position[axis] - 1;
        assert_near(field[0].acceleration[axis], 11 * r / pow(far, 3), tolerance);
        assert_near(field[1].acceleration[axis], 11 * r / pow(far, 3), tolerance);
        assert_near(field[2].acceleration[axis], -7 * r / pow(far, 3), tolerance);
    }
    assert_near(field[0].potential, -11 / far - 5 * own, tolerance * (10 + 10 * own));
    assert_near(field[1].potential, -11 / far - 2 * own, tolerance * (10 + 10 * own));
    assert_near(field[2].potential, -7 / far, 2 * tolerance);
}

TEST(bodies_at_one_point)
{
    for_each_variant(twins, 3, 0);
    for_each_variant(twins, 3, 0.25);
    for_each_variant(twins, 3, 1e-15); // m/ε³ overflows in single
}

TEST(potential_is_not_there_unless_asked_for)
{
    const struct nbody_body bodies[2] = {{{0, 0, 0}, {0}, 1}, {{1, 0, 0}, {0}, 1}};
    struct nbody_field field[2];
    if (nbody_backend->head.fetch) // its fields are brought by evaluate alone
        skip();
    const struct particle_set_setup setup = setup_of(ELEMENT_F64, 2, 0);
    struct particle_set *s = particle_set_open(&setup);
    particle_set_set(s, bodies);
    particle_set_evaluate(s, false, field);
    assert_near(field[0].potential, -1, 1e-14);
    particle_set_advance(s, 0, 1);
    nbody_backend->get_field(particle_set_solver(s), 0, 2, field);
    assert_true(isnan(field[0].potential));
    particle_set_close(s);
}

// ---- against the reference, of the same positions

static void compare_with_reference(const struct particle_set_setup *setup, int kind)
{
    struct particle_set_setup plain = *setup;
    const size_t n = setup->count;
    struct nbody_body *bodies = particle_set_bodies_new(n);
    struct nbody_field *field = particle_set_field_new(n), *expected = particle_set_field_new(n);
    particle_set_cluster(n, n, bodies);
    plain.backend = &nbody_backend_reference;
    plain.physics.method = NBODY_DIRECT;
    particle_set_field_of(&plain, bodies, expected);
    particle_set_field_of(setup, bodies, field);
    const struct particle_set_error error = particle_set_acceleration_error(n, field, expected);
    const double potential = particle_set_potential_error(n, field, expected);
    if (n > 1000)
        print_message(
            "%s, %s, %zu bodies: error of the force %.2e (rms), %.2e (largest), of the potential %.2e\n",
            particle_set_method_name(setup->physics.method), particle_set_precision_name(setup->precision), n,
            error.rms, error.largest, potential);
    assert_true(error.largest <= largest_error[kind]);
    assert_true(error.rms <= rms_error[kind]);
    assert_true(potential <= rms_error[kind]);
}

TEST(fields_are_the_references)
{
    static const size_t counts[] = {2, 3, 63, 64, 65, 127, 257, 1000, 4097};
    const size_t last = PARTICLE_SET_IS_SANITIZED ? 8 : 9;
    if (nbody_is_reference())
        skip();
    for (size_t k = 0; k < last; k++)
        for_each_variant(compare_with_reference, counts[k], 0.01);
    for_each_variant(compare_with_reference, 257, 1e-3);
    for_each_variant(compare_with_reference, 257, 0);
}

TEST(every_instruction_set_is_right)
{
    static const char *const sets[] = {"generic", "avx2", "avx512"};
    if (nbody_backend != &nbody_backend_openmp)
        skip();
    for (size_t k = 0; k < 3; k++) {
        assert_int_equal(setenv("FATHOM_ISA", sets[k], 1), 0);
        print_message("asked for %s: %s\n", sets[k], backend_instruction_set(&nbody_backend->head));
        for_each_variant(compare_with_reference, 1025, 0.01);
        for_each_variant(compare_with_reference, 321, 0);
    }
    assert_int_equal(unsetenv("FATHOM_ISA"), 0);
}

// ---- what holds for any bodies

// The field is the gradient of the potential that a body without mass feels: central differences about it.
TEST(pull_is_the_slope_of_the_potential)
{
    enum { OTHERS = 100, PROBES = 6, COUNT = OTHERS + PROBES + 1 };
    const double h = 1e-4;
    struct nbody_body bodies[COUNT];
    struct nbody_field field[COUNT];
    const struct particle_set_setup setup = setup_of(ELEMENT_F64, COUNT, 0.1);
    particle_set_cluster(COUNT, 5, bodies);
    for (int k = 0; k <= PROBES; k++) {
        bodies[OTHERS + k] = (struct nbody_body){{0.2, -0.1, 0.3}, {0}, 0};
        if (k < PROBES)
            bodies[OTHERS + k].position[k / 2] += k % 2 == 0 ? -h : h;
    }
    particle_set_field_of(&setup, bodies, field);
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        const double low = field[OTHERS + 2 * axis].potential, high = field[OTHERS + 2 * axis + 1].potential;
        assert_near(field[COUNT - 1].acceleration[axis], -(high - low) / (2 * h), 1e-6);
    }
}

static void check_that_forces_cancel(const struct particle_set_setup *setup, int kind)
{
    const size_t n = setup->count;
    struct nbody_body *bodies = particle_set_bodies_new(n);
    struct nbody_field *field = particle_set_field_new(n);
    double sum[NBODY_AXES] = {0}, scale = 0;
    particle_set_cluster(n, 9, bodies);
    particle_set_field_of(setup, bodies, field);
    for (size_t k = 0; k < n; k++)
        for (int axis = 0; axis < NBODY_AXES; axis++) {
            sum[axis] += bodies[k].mass * field[k].acceleration[axis];
            scale += bodies[k].mass * fabs(field[k].acceleration[axis]);
        }
    for (int axis = 0; axis < NBODY_AXES; axis++)
        assert_near(sum[axis], 0, (kind == 0 ? 1e-7 : 1e-15) * scale);
}

TEST(forces_cancel)
{
    for_each_variant(check_that_forces_cancel, 1500, 0.02);
}

TEST(threads_change_no_bit)
{
    enum { COUNT = 1500 };
    static struct nbody_body start[COUNT], once[COUNT], again[COUNT];
    if (nbody_backend != &nbody_backend_openmp)
        skip();
    particle_set_cluster(COUNT, 3, start);
    for (int kind = 0; kind < 2; kind++)
        for (int threads = 1; threads <= 3; threads++) {
            struct particle_set_setup setup = setup_of(precisions[kind], COUNT, 0.05);
            setup.threads = threads;
            struct particle_set *s = particle_set_open(&setup);
            particle_set_set(s, start);
            particle_set_advance(s, 0, 3);
            particle_set_get(s, threads == 1 ? once : again);
            if (threads > 1)
                assert_memory_equal(once, again, sizeof once);
            particle_set_close(s);
        }
}

// ---- steps

// Two bodies about each other, e = 0.5, a = 1, total mass 1, from the apocentre: a quarter of a period in
// `steps`.
static void orbit(enum nbody_integrator integrator, int steps, double place[NBODY_AXES])
{
    const double slowest = sqrt((1 - 0.5) / (1 + 0.5));
    struct nbody_body bodies[2] = {{{0.25 * 1.5, 0, 0}, {0, 0.25 * slowest, 0}, 0.75},
                                   {{-0.75 * 1.5, 0, 0}, {0, -0.75 * slowest, 0}, 0.25}};
    struct particle_set_setup setup = setup_of(ELEMENT_F64, 2, 0);
    setup.physics.integrator = integrator;
    setup.physics.step = acos(-1) / 2 / steps;
    struct particle_set *s = particle_set_open(&setup);
    particle_set_set(s, bodies);
    particle_set_advance(s, 0, steps);
    particle_set_get(s, bodies);
    for (int axis = 0; axis < NBODY_AXES; axis++)
        place[axis] = bodies[1].position[axis] - bodies[0].position[axis];
    particle_set_close(s);
}

// The place in the orbit after a quarter of a period, by Kepler's equation.
static void orbit_exactly(double place[NBODY_AXES])
{
    const double mean = acos(-1) * 1.5;
    double e = mean;
    for (int k = 0; k < 50; k++)
        e -= (e - 0.5 * sin(e) - mean) / (1 - 0.5 * cos(e));
    place[0] = cos(e) - 0.5;
    place[1] = sqrt(0.75) * sin(e);
    place[2] = 0;
}

static double orbit_error(enum nbody_integrator integrator, int steps)
{
    double place[NBODY_AXES], exact[NBODY_AXES];
    orbit(integrator, steps, place);
    orbit_exactly(exact);
    return hypot(hypot(place[0] - exact[0], place[1] - exact[1]), place[2] - exact[2]);
}

TEST(orders_are_the_methods)
{
    static const double orders[] = {2, 1};
    static const enum nbody_integrator integrators[] = {NBODY_LEAPFROG, NBODY_SOURCE_STEP};
    for (int k = 0; k < 2; k++) {
        const double coarse = orbit_error(integrators[k], 500), fine = orbit_error(integrators[k], 1000);
        const double order = log2(coarse / fine);
        print_message("%s: error after a quarter of an orbit %.2e, order %.3f\n",
                      particle_set_integrator_name(integrators[k]), fine, order);
        assert_near(order, orders[k], 0.02);
    }
    assert_true(orbit_error(NBODY_LEAPFROG, 1000) <= 1e-5);
}

// Pavlović's (2016) step, once, by hand: r = (1, 0, 0), masses 1 and 3, no softening.
TEST(the_sources_step_by_hand)
{
    struct nbody_body bodies[2] = {{{0, 0, 0}, {0, 2, 0}, 1}, {{1, 0, 0}, {0, 0, 0}, 3}};
    struct particle_set_setup setup = setup_of(ELEMENT_F64, 2, 0);
    setup.physics.integrator = NBODY_SOURCE_STEP;
    setup.physics.step = 0.125;
    struct particle_set *s = particle_set_open(&setup);
    particle_set_set(s, bodies);
    particle_set_advance(s, 0, 1);
    particle_set_get(s, bodies);
    assert_near(bodies[0].position[0], 3 * 0.0625 * 0.125, 1e-15);
    assert_near(bodies[0].position[1], 2 * 0.125, 1e-15);
    assert_near(bodies[0].velocity[0], 3 * 0.125, 1e-15);
    assert_near(bodies[0].velocity[1], 2, 1e-15);
    assert_near(bodies[1].position[0], 1 - 0.0625 * 0.125, 1e-15);
    assert_near(bodies[1].velocity[0], -0.125, 1e-15);
    particle_set_close(s);
}

// There and back again, with the velocities reversed.
static double return_error(const struct particle_set_setup *setup)
{
    enum { COUNT = 150, STEPS = 100 };
    static struct nbody_body start[COUNT], now[COUNT];
    double place, speed;
    particle_set_cluster(COUNT, 21, start);
    memcpy(now, start, sizeof now);
    for (int way = 0; way < 2; way++) {
        struct particle_set *s = particle_set_open(setup);
        particle_set_set(s, now);
        particle_set_advance(s, 0, STEPS);
        particle_set_get(s, now);
        particle_set_close(s);
        for (size_t k = 0; k < COUNT; k++)
            for (int axis = 0; axis < NBODY_AXES; axis++)
                now[k].velocity[axis] = -now[k].velocity[axis];
    }
    particle_set_body_error(COUNT, now, start, &place, &speed);
    return fmax(place, speed);
}

TEST(leapfrog_returns)
{
    struct particle_set_setup setup = setup_of(ELEMENT_F64, 150, 0.1);
    assert_true(return_error(&setup) <= 1e-11);
    setup.physics.integrator = NBODY_SOURCE_STEP;
    assert_true(return_error(&setup) >= 1e-5);
}

static void check_momentum(const struct particle_set_setup *setup, int kind)
{
    const size_t n = setup->count;
    struct nbody_body *start = particle_set_bodies_new(n), *end = particle_set_bodies_new(n);
    double change[NBODY_AXES] = {0}, scale = 0;
    particle_set_cluster(n, 77, start);
    struct particle_set *s = particle_set_open(setup);
    particle_set_set(s, start);
    particle_set_advance(s, 0, PARTICLE_SET_IS_SANITIZED ? 16 : 256);
    particle_set_get(s, end);
    particle_set_close(s);
    for (size_t k = 0; k < n; k++) {
        const double *v = end[k].velocity;
        scale += end[k].mass * sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        for (int axis = 0; axis < NBODY_AXES; axis++)
            change[axis] += end[k].mass * (v[axis] - start[k].velocity[axis]);
    }
    for (int axis = 0; axis < NBODY_AXES; axis++)
        assert_near(change[axis], 0, (kind == 0 ? 1e-6 : 1e-14) * scale);
}

TEST(momentum_stays)
{
    for_each_variant(check_momentum, 700, 0.02);
}

// A copied state continues with the same bits.
TEST(a_copy_goes_on)
{
    enum { COUNT = 333 };
    static struct nbody_body start[COUNT];
    particle_set_cluster(COUNT, 4, start);
    for (int kind = 0; kind < 2; kind++) {
        const struct particle_set_setup setup = setup_of(precisions[kind], COUNT, 0.05);
        particle_set_assert_copy_goes_on(&setup, start);
    }
}
