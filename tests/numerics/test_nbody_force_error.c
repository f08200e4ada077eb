// How large runs are judged (models/nbody/force_error.h): the direct sum of a few bodies against the
// reference's of all, and a relative error by hand.
#include "tests/support/test.h"

#include "models/nbody/force_error.h"
#include "tests/support/nbody_fixture.h"

static struct particle_set_setup setup_of(size_t count, double softening)
{
    return (struct particle_set_setup){.backend = &nbody_backend_reference,
                                       .precision = ELEMENT_F64,
                                       .count = count,
                                       .physics = {.method = NBODY_DIRECT, .softening = softening}};
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not %.17g to %.3g", value, expected, tolerance);
}

// The direct sum of a few (force_error.h), which is how errors of large runs are judged, against the
// reference's of all.
TEST(exact_accelerations_are_the_references)
{
    enum { COUNT = 2500, SAMPLES = 37 };
    static struct nbody_body bodies[COUNT];
    static struct nbody_field field[COUNT];
    double exact[SAMPLES][NBODY_AXES];
    for (int kind = 0; kind < 2; kind++)
        for (int soft = 0; soft < 2; soft++) {
            const double softening = soft ? 0.03 : 0;
            const struct particle_set_setup setup = setup_of(COUNT, softening);
            particle_set_cluster(COUNT, 8, bodies);
            // A shift that a float rounds: the numbers are no longer exact ones.
            for (size_t k = 0; k < COUNT; k++)
                bodies[k].position[k % NBODY_AXES] += 1e-9 * (double)(k % 7);
            nbody_exact_accelerations(COUNT, bodies, kind == 0 ? ELEMENT_F32 : ELEMENT_F64, softening,
                                      SAMPLES, exact);
            for (size_t k = 0; k < COUNT && kind == 0; k++) {
                bodies[k].mass = element_rounded_to_single(bodies[k].mass);
                for (int axis = 0; axis < NBODY_AXES; axis++)
                    bodies[k].position[axis] = element_rounded_to_single(bodies[k].position[axis]);
            }
            particle_set_field_of(&setup, bodies, field);
            for (size_t k = 0; k < SAMPLES; k++)
                for (int axis = 0; axis < NBODY_AXES; axis++) {
                    const double *a = field[nbody_sample_id(k, SAMPLES, COUNT)].acceleration;
                    const double size = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
                    assert_near(exact[k][axis], a[axis], 1e-13 * size);
                }
        }
}

TEST(relative_errors_by_hand)
{
    const struct nbody_body bodies[2] = {{{0, 0, 0}, {0}, 1}, {{3, 4, 0}, {0}, 125}};
    const struct particle_set_setup setup = setup_of(2, 0);
    double exact[2][NBODY_AXES], error[2];
    struct nbody_field field[2];
    struct particle_set *s = particle_set_open(&setup);
    particle_set_set(s, bodies);
    particle_set_evaluate(s, true, field);
    nbody_exact_accelerations(2, bodies, ELEMENT_F64, 0, 2, exact);
    assert_near(exact[0][0], 3, 1e-14);
    assert_near(exact[0][1], 4, 1e-14);
    exact[0][0] = 0; // off by 3 of 4
    exact[0][1] = 4;
    nbody_relative_errors(setup.backend, particle_set_solver(s), 2, 2, exact, error);
    assert_near(error[0], 0.75, 1e-14);
    assert_near(error[1], 0, 1e-14);
    particle_set_close(s);
}
