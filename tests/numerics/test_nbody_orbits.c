// Two bodies on every back end against Kepler's orbit: orders of both integrators, energy over a hundred
// orbits, time reversal, the softened force.
#include "tests/support/test.h"

#include "tests/support/nbody_sums.h"
#include "tests/support/numbers.h"
#include "validate/closed/kepler.h"

static const double two_pi = 6.28318530717958647693, mass_share = 0.3;
static const struct kepler_orbit orbit = {1, 0.5}; // of period 2π

static void pair_at(double time, struct nbody_body bodies[2])
{
    double x[NBODY_AXES], v[NBODY_AXES];
    kepler_state(&orbit, time, x, v); // at its pericentre at time 0
    for (int b = 0; b < 2; b++) {
        const double share =
            b == 0 ? -mass_share : 1 - mass_share; // of the separation, from the centre of mass
        bodies[b].mass = b == 0 ? 1 - mass_share : mass_share;
        for (int k = 0; k < NBODY_AXES; k++) {
            bodies[b].position[k] = share * x[k];
            bodies[b].velocity[k] = share * v[k];
        }
    }
}

static struct particle_set_setup pair_setup(enum nbody_integrator integrator, double step)
{
    return (struct particle_set_setup){.backend = nbody_backend,
                                       .precision = ELEMENT_F64,
                                       .count = 2,
                                       .physics = {.integrator = integrator, .step = step}};
}

// Largest error of a position after one orbit in so many steps.
static double error_after_orbit(enum nbody_integrator integrator, int64_t steps)
{
    const struct particle_set_setup setup = pair_setup(integrator, two_pi / (double)steps);
    struct nbody_body bodies[2], start[2];
    pair_at(0, bodies);
    pair_at(0, start);
    nbody_run(&setup, bodies, steps);
    return fmax(nbody_apart(bodies[0].position, start[0].position),
                nbody_apart(bodies[1].position, start[1].position));
}

TEST_SUITE(.run = nbody_test_main);

TEST(the_leapfrog_is_of_second_order)
{
    const double coarse = error_after_orbit(NBODY_LEAPFROG, 500),
                 middle = error_after_orbit(NBODY_LEAPFROG, 1000),
                 fine = error_after_orbit(NBODY_LEAPFROG, 2000);
    print_message("leapfrog: %.3g %.3g %.3g\n", coarse, middle, fine);
    assert_near("order", log2(coarse / middle), 2, 0.03);
    assert_near("order", log2(middle / fine), 2, 0.01);
    assert_true(fine < 5e-4);
}

TEST(the_sources_step_is_of_first_order)
{
    const double coarse = error_after_orbit(NBODY_SOURCE_STEP, 16000),
                 fine = error_after_orbit(NBODY_SOURCE_STEP, 32000);
    print_message("source: %.3g %.3g\n", coarse, fine);
    assert_near("order", log2(coarse / fine), 1, 0.03);
}

// Both as state.h writes them, with the acceleration of two bodies worked out here.
TEST(one_step_is_what_it_says)
{
    const double step = 0.02;
    for (int which = NBODY_LEAPFROG; which <= NBODY_SOURCE_STEP; which++) {
        const struct particle_set_setup setup = pair_setup((enum nbody_integrator)which, step);
        struct nbody_body bodies[2], expected[2];
        double acceleration[2][NBODY_AXES];
        pair_at(1, bodies);
        pair_at(1, expected);
        for (int half = 0; half < 2; half++) {
            const double r = nbody_apart(expected[0].position, expected[1].position);
            for (int b = 0; b < 2; b++)
                for (int k = 0; k < NBODY_AXES; k++)
                    acceleration[b][k] = expected[1 - b].mass *
                                         (expected[1 - b].position[k] - expected[b].position[k]) /
                                         (r * r * r);
            for (int b = 0; b < 2; b++)
                for (int k = 0; k < NBODY_AXES; k++) {
                    double *x = &expected[b].position[k], *v = &expected[b].velocity[k];
                    const double a = acceleration[b][k];
                    if (which == NBODY_SOURCE_STEP && half == 0) {
                        *x += (*v + a * step / 2) * step;
                        *v += a * step;
                    } else if (which == NBODY_LEAPFROG) {
                        *v += a * step / 2;
                        *x += half == 0 ? *v * step : 0;
                    }
                }
        }
        nbody_run(&setup, bodies, 1);
        for (int b = 0; b < 2; b++)
            for (int k = 0; k < NBODY_AXES; k++) {
                assert_near("position", bodies[b].position[k], expected[b].position[k], 4e-15);
                assert_near("velocity", bodies[b].velocity[k], expected[b].velocity[k], 4e-15);
            }
    }
}

// Largest relative error of the energy in each of `parts` equal parts of a run.
static void energy_errors(const struct particle_set_setup *setup, int64_t steps, int64_t every, int parts,
                          double *errors)
{
    struct nbody_body bodies[2];
    struct particle_set *s = particle_set_open(setup);
    pair_at(0, bodies);
    particle_set_set(s, bodies);
    for (int p = 0; p < parts; p++)
        errors[p] = 0;
    for (int64_t step = 0; step < steps; step += every) {
        particle_set_advance(s, step, every);
        particle_set_get(s, bodies);
        const struct nbody_sums sums = nbody_sum(2, bodies, 0);
        const double exact = -0.5 * mass_share * (1 - mass_share),
                     error = fabs(sums.kinetic + sums.potential - exact) / fabs(exact);
        double *worst = &errors[step * parts / steps];
        *worst = error > *worst || isnan(error) ? error : *worst;
    }
    particle_set_close(s);
}

// The leapfrog's error comes and goes with the pericentre and does not grow.
TEST(the_energy_does_not_drift)
{
    enum { ORBITS = 100, STEPS = 400, PARTS = 10 };
    const struct particle_set_setup setup = pair_setup(NBODY_LEAPFROG, two_pi / STEPS);
    double errors[PARTS], least = INFINITY, most = 0;
    energy_errors(&setup, (int64_t)ORBITS * STEPS, 5, PARTS, errors);
    for (int p = 0; p < PARTS; p++) {
        assert_true(isfinite(errors[p])); // fmin and fmax leave out NaN
        least = fmin(least, errors[p]);
        most = fmax(most, errors[p]);
    }
    print_message("largest error in ten orbits: %.4g to %.4g\n", least, most);
    assert_true(most < 8e-4);
    assert_true(most < 1.01 * least);
}

// The source's grows with every orbit, by half as much in half the step.
TEST(the_sources_energy_drifts)
{
    enum { ORBITS = 4, STEPS = 16000 };
    double coarse[ORBITS], fine[ORBITS];
    const struct particle_set_setup one = pair_setup(NBODY_SOURCE_STEP, two_pi / STEPS),
                                    other = pair_setup(NBODY_SOURCE_STEP, two_pi / (2 * STEPS));
    energy_errors(&one, (int64_t)ORBITS * STEPS, STEPS, ORBITS, coarse);
    energy_errors(&other, (int64_t)ORBITS * 2 * STEPS, 2 * (int64_t)STEPS, ORBITS, fine);
    print_message("source's error after each orbit: %.4g %.4g %.4g %.4g\n", coarse[0], coarse[1], coarse[2],
                  coarse[3]);
    for (int k = 0; k < ORBITS; k++) {
        assert_near("of that after one orbit", coarse[k] / coarse[0], k + 1, 0.1 * (k + 1));
        assert_near("order", log2(coarse[k] / fine[k]), 1, 0.1);
    }
}

// Forth, velocities reversed, and back: the leapfrog is where it was.
TEST(time_can_be_reversed)
{
    static const double tolerances[] = {1e-11, 5e-3};
    for (int p = 0; p < nbody_precision_count(); p++) {
        struct particle_set_setup setup = pair_setup(NBODY_LEAPFROG, two_pi / 500);
        struct nbody_body bodies[2], start[2];
        setup.precision = nbody_precisions[p];
        pair_at(0, start);
        pair_at(0, bodies);
        for (int way = 0; way < 2; way++) {
            nbody_run(&setup, bodies, 2000);
            for (int b = 0; b < 2; b++)
                for (int k = 0; k < NBODY_AXES; k++)
                    bodies[b].velocity[k] *= -1;
        }
        for (int b = 0; b < 2; b++) {
            const double error = nbody_apart(bodies[b].position, start[b].position);
            print_message("back, %s: %.3g\n", particle_set_precision_name(setup.precision), error);
            assert_true(error < tolerances[p]);
            assert_true(nbody_apart(bodies[b].velocity, start[b].velocity) < 4 * tolerances[p]);
        }
    }
}

// With softening, ω² = M/(r² + ε²)^{3/2} on a circle.
TEST(softened_circles_close)
{
    const double softening = 0.6, speed = pow(1 + softening * softening, -0.75);
    double errors[2];
    for (int fine = 0; fine < 2; fine++) {
        const int64_t steps = 400 << fine;
        struct particle_set_setup setup = pair_setup(NBODY_LEAPFROG, two_pi / speed / (double)steps);
        struct nbody_body bodies[2] = {{.position = {0.5}, .velocity = {0, 0.5 * speed}, .mass = 0.5},
                                       {.position = {-0.5}, .velocity = {0, -0.5 * speed}, .mass = 0.5}};
        setup.physics.softening = softening;
        nbody_run(&setup, bodies, steps);
        errors[fine] = nbody_apart(bodies[0].position, (const double[]){0.5, 0, 0});
    }
    print_message("softened circle: %.3g %.3g\n", errors[0], errors[1]);
    assert_true(errors[0] < 2e-4);
    assert_near("order", log2(errors[0] / errors[1]), 2, 0.02);
}

// Three bodies on a figure eight: after a third of the period, 6.32591398 for masses of 1 (Chenciner and
// Montgomery 2000), each is where another was, and after the whole period where it began. The tolerance is
// that of eight digits of the start and of the leapfrog.
TEST(three_bodies_follow_each_other)
{
    enum { STEPS = 30000 };
    const double period = 6.32591398;
    static const double place[2] = {0.97000436, -0.24308753}, velocity[2] = {-0.93240737, -0.86473146};
    const struct particle_set_setup setup = {
        .backend = nbody_backend,
        .precision = ELEMENT_F64,
        .count = 3,
        .physics = {.integrator = NBODY_LEAPFROG, .step = period / STEPS}};
    struct nbody_body start[3] = {0}, bodies[3];
    for (int axis = 0; axis < 2; axis++)
        for (int b = 0; b < 3; b++) {
            start[b].mass = 1;
            start[b].position[axis] = (b == 0 ? 1 : b == 1 ? -1 : 0) * place[axis];
            start[b].velocity[axis] = (b == 2 ? 1 : -0.5) * velocity[axis];
        }
    memcpy(bodies, start, sizeof bodies);
    for (int third = 1; third <= 3; third++) {
        nbody_run(&setup, bodies, STEPS / 3);
        for (int b = 0; b < 3; b++) {
            double nearest = INFINITY;
            for (int other = 0; other < 3; other++)
                if ((other == b) == (third == 3))
                    nearest = fmin(nearest, nbody_apart(bodies[b].position, start[other].position));
            if (!(nearest < 2e-6))
                fail_msg("after %d/3 of the period body %d is off by %.3g", third, b, nearest);
        }
    }
}
