// Many bodies on every back end: energy and its order, momenta, the virial of unsoftened gravity, the
// potential as the field's own, and the collapse of a sphere at rest.
#include "tests/support/test.h"

#include "tests/support/nbody_sums.h"
#include "tests/support/numbers.h"
#include "validate/closed/spheres.h"

enum { CLUSTER = 600 };
static const double two_pi = 6.28318530717958647693;

static struct particle_set_setup cluster_setup(enum nbody_method method, enum element precision,
                                               double softening, double step)
{
    return (struct particle_set_setup){
        .backend = nbody_backend,
        .precision = precision,
        .count = CLUSTER,
        .physics = {.method = method,
                    .softening = softening,
                    .step = step,
                    .tree = {.opening = NBODY_OPENING_OFFSET, .has_quadrupole = true, .theta = 0.6}}};
}

// From a cluster's own start; after `steps`: |ΔE/E|, and the changes of the momenta over Σ m|v| and Σ m|v|
// times the size 1.
struct changes {
    double energy, momentum, angular;
};
static struct changes changes_of(const struct particle_set_setup *setup, int64_t steps)
{
    struct nbody_body *bodies = particle_set_bodies_new(CLUSTER);
    particle_set_cluster(CLUSTER, 7, bodies);
    const struct nbody_sums before = nbody_sum(CLUSTER, bodies, setup->physics.softening);
    nbody_run(setup, bodies, steps);
    const struct nbody_sums after = nbody_sum(CLUSTER, bodies, setup->physics.softening);
    return (struct changes){.energy =
                                fabs(after.kinetic + after.potential - before.kinetic - before.potential) /
                                fabs(before.kinetic + before.potential),
                            .momentum = nbody_apart(after.momentum, before.momentum) / before.momentum_scale,
                            .angular = nbody_apart(after.angular, before.angular) / before.momentum_scale};
}

TEST_SUITE(.run = nbody_test_main);

// A fixed time in steps that are halved: the energy's error falls to a quarter.
TEST(the_energys_error_is_of_second_order)
{
    double errors[3];
    for (int k = 0; k < 3; k++) {
        const struct particle_set_setup setup =
            cluster_setup(NBODY_DIRECT, ELEMENT_F64, 0.1, 0x1p-5 / (1 << k));
        errors[k] = changes_of(&setup, 32 << k).energy;
    }
    print_message("energy: %.3g %.3g %.3g\n", errors[0], errors[1], errors[2]);
    assert_near("order", log2(errors[1] / errors[2]), 2, 0.15);
    assert_true(errors[2] < 1e-4);
}

// Newton's third law holds for pairs; the force of a cell has no counterpart, so the tree's momenta are as
// good as its forces.
TEST(momenta_are_conserved)
{
    static const double allowed[2][2] = {{1e-14, 1e-6}, {1e-4, 1e-4}}; // direct, tree; double, single
    static const enum nbody_method methods[] = {NBODY_DIRECT, NBODY_BARNES_HUT};
    for (int m = 0; m < 2; m++)
        for (int p = 0; p < nbody_precision_count(); p++) {
            const struct particle_set_setup setup =
                cluster_setup(methods[m], nbody_precisions[p], 0.05, 0x1p-7);
            const struct changes c = changes_of(&setup, 128);
            print_message("%s, %s: energy %.2g, momentum %.2g, angular %.2g\n",
                          particle_set_method_name(methods[m]),
                          particle_set_precision_name(nbody_precisions[p]), c.energy, c.momentum, c.angular);
            assert_true(c.momentum < allowed[m][p]);
            assert_true(c.angular < 10 * allowed[m][p]);
            assert_true(c.energy < 1e-3);
        }
}

// Without softening the potential is homogeneous of degree −1: Σ m x·a = U, by Euler's theorem.
TEST(the_virial_is_the_potential)
{
    static const double allowed[2][2] = {{1e-13, 1e-6}, {2e-4, 2e-4}};
    static const enum nbody_method methods[] = {NBODY_DIRECT, NBODY_BARNES_HUT};
    struct nbody_body *bodies = particle_set_bodies_new(CLUSTER);
    struct nbody_field *field = particle_set_field_new(CLUSTER);
    particle_set_cluster(CLUSTER, 3, bodies);
    for (int m = 0; m < 2; m++)
        for (int p = 0; p < nbody_precision_count(); p++) {
            const struct particle_set_setup setup = cluster_setup(methods[m], nbody_precisions[p], 0, 0);
            double virial = 0, potential = 0;
            particle_set_field_of(&setup, bodies, field);
            for (size_t i = 0; i < CLUSTER; i++) {
                potential += 0.5 * bodies[i].mass * field[i].potential;
                for (int k = 0; k < NBODY_AXES; k++)
                    virial += bodies[i].mass * bodies[i].position[k] * field[i].acceleration[k];
            }
            assert_near("virial / potential", virial / potential, 1, allowed[m][p]);
            assert_near("potential / its sum here", potential / nbody_sum(CLUSTER, bodies, 0).potential, 1,
                        allowed[m][p]);
        }
}

// A body without mass is moved by ±h along an axis: −∂φ is the acceleration, for pairs and for the tree's
// cells, which are the same for both places since the body weighs nothing and stays within the others' box.
TEST(the_acceleration_is_the_potentials)
{
    static const enum nbody_method methods[] = {NBODY_DIRECT, NBODY_BARNES_HUT};
    static const double h = 1e-4, allowed[] = {1e-6, 5e-3};
    struct nbody_body *bodies = particle_set_bodies_new(CLUSTER);
    struct nbody_field *field = particle_set_field_new(CLUSTER);
    particle_set_cluster(CLUSTER, 11, bodies);
    bodies[5].mass = 0;
    for (int m = 0; m < 2; m++)
        for (int axis = 0; axis < NBODY_AXES; axis++) {
            const struct particle_set_setup setup = cluster_setup(methods[m], ELEMENT_F64, 0.1, 0);
            const double at = 0.3 - 0.1 * axis;
            double potential[3], acceleration = NAN;
            for (int side = 0; side < 3; side++) {
                bodies[5].position[axis] = at + (side - 1) * h;
                particle_set_field_of(&setup, bodies, field);
                potential[side] = field[5].potential;
                acceleration = side == 1 ? field[5].acceleration[axis] : acceleration;
            }
            bodies[5].position[axis] = at;
            assert_near("-dphi/dx over the acceleration",
                        -(potential[2] - potential[0]) / (2 * h) / acceleration, 1, allowed[m]);
        }
}

// ---- the collapse of a homogeneous sphere at rest, of unit mass and radius

enum { SPHERE = 2000 };

// Evenly spread: shells of equal mass with a body each, whose places on the sphere follow Roberts' R2
// sequence (2018): powers of 1/1.3247…, the root of x³ = x + 1.
static void fill_sphere(struct nbody_body *bodies)
{
    const double first = 0.75487766624669276, second = 0.56984029099805327;
    for (size_t i = 0; i < SPHERE; i++) {
        const double radius = cbrt(((double)i + 0.5) / SPHERE),
                     height = 2 * fmod(0.5 + first * (double)i, 1) - 1, across = sqrt(1 - height * height),
                     turn = two_pi * fmod(0.5 + second * (double)i, 1);
        bodies[i] = (struct nbody_body){
            .position = {radius * across * cos(turn), radius * across * sin(turn), radius * height},
            .mass = 1. / SPHERE};
    }
}

static double mean_radius(const struct nbody_body *bodies)
{
    static const double origin[NBODY_AXES];
    double sum = 0;
    for (size_t i = 0; i < SPHERE; i++)
        sum += nbody_apart(bodies[i].position, origin);
    return sum / SPHERE;
}

TEST(a_sphere_at_rest_falls_in_its_time)
{
    static const enum nbody_method methods[] = {NBODY_DIRECT, NBODY_BARNES_HUT};
    const double fall = dust_fall_time(1);
    const int64_t steps = 80;
    struct nbody_body *bodies = particle_set_bodies_new(SPHERE);
    for (int m = nbody_is_reference() ? 1 : 0; m < 2; m++) { // all pairs on the reference take long
        struct particle_set_setup setup =
            cluster_setup(methods[m], ELEMENT_F64, 0.02, 0.8 * fall / (double)steps);
        setup.count = SPHERE;
        fill_sphere(bodies);
        const double before = mean_radius(bodies);
        struct particle_set *s = particle_set_open(&setup);
        particle_set_set(s, bodies);
        for (int half = 0; half < 2; half++) {
            const double part = 0.4 * (half + 1);
            particle_set_advance(s, half * steps / 2, steps / 2);
            particle_set_get(s, bodies);
            print_message("after %.1f of the fall: %.5f, dust %.5f\n", part, mean_radius(bodies) / before,
                          dust_radius(part));
            assert_near("mean radius, of the first", mean_radius(bodies) / before, dust_radius(part), 0.01);
        }
        particle_set_close(s);
    }
}
