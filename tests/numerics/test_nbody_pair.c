// One pair at a time, over all distances: how the inverse cube of a distance is rounded, and that it is not
// rounded to one side. In a sum over many pairs errors to both sides cancel; those to one side do not, and no
// other test would tell them from a slightly larger mass.
#include "tests/support/test.h"

#include "tests/support/nbody_test.h"

enum { COUNT = 4096 };

static struct nbody_body bodies[COUNT];
static struct nbody_field field[COUNT];

// One body with mass; the others, without, are at distances from 10⁻³ to 10³ of it, in all directions.
static void make_probes(void)
{
    bodies[0] = (struct nbody_body){.mass = 3};
    for (size_t k = 1; k < COUNT; k++) {
        const double distance = pow(10, -3 + 6 * (double)k / COUNT),
                     z = 2 * fmod(0.754877666 * (double)k, 1) - 1;
        const double angle = 2 * acos(-1) * fmod(0.569840291 * (double)k, 1), across = sqrt(1 - z * z);
        bodies[k] = (struct nbody_body){
            .position = {distance * across * cos(angle), distance * across * sin(angle), distance * z}};
        for (int axis = 0; axis < NBODY_AXES; axis++)
            bodies[k].position[axis] = element_rounded_to_single(bodies[k].position[axis]);
    }
}

// Mean and largest of (a − exact) / |exact| along the exact force.
static void pull_errors(enum element precision, double softening, double *mean, double *largest)
{
    const struct particle_set_setup setup = {.backend = nbody_backend,
                                             .precision = precision,
                                             .count = COUNT,
                                             .physics = {.method = NBODY_DIRECT, .softening = softening}};
    particle_set_field_of(&setup, bodies, field);
    *mean = *largest = 0;
    for (size_t k = 1; k < COUNT; k++) {
        const double *x = bodies[k].position, *a = field[k].acceleration;
        const long double square =
            (long double)x[0] * x[0] + (long double)x[1] * x[1] + (long double)x[2] * x[2];
        const long double softened = square + (long double)softening * softening;
        const long double along =
            (long double)a[0] * x[0] + (long double)a[1] * x[1] + (long double)a[2] * x[2];
        const double error = (double)(along * softened * sqrtl(softened) / (-3 * square) - 1);
        *mean += error / (COUNT - 1);
        *largest = fmax(*largest, fabs(error));
    }
}

// Rounding of one pair: a few units in the last place at most, and on average, over thousands, next to
// nothing. A device's own inverse root is off by up to 2 units, which the cube makes three times as many of.
// ε² is a float's.
static void check_pairs(void)
{
    static const double softenings[] = {0, 0.125};
    const bool is_device = nbody_backend->head.has_devices;
    for (int kind = nbody_is_reference() ? 1 : 0; kind < 2; kind++)
        for (int k = 0; k < 2; k++) {
            const double unit = kind == 0 ? 0x1p-24 : 0x1p-53;
            double mean, largest;
            pull_errors(kind == 0 ? ELEMENT_F32 : ELEMENT_F64, softenings[k], &mean, &largest);
            print_message(
                "%s, softening %g: error of a pair %.2f on average, %.1f at most, in units of 2^-%d\n",
                particle_set_precision_name(kind == 0 ? ELEMENT_F32 : ELEMENT_F64), softenings[k],
                mean / unit, largest / unit, kind == 0 ? 24 : 53);
            assert_true(fabs(mean) <= (is_device ? 1.5 : 0.5) * unit);
            assert_true(largest <= (is_device ? 16 : 8) * unit);
        }
}

TEST_SUITE(.run = nbody_test_main);

TEST(a_pair_is_not_rounded_to_one_side)
{
    make_probes();
    check_pairs();
}

TEST(nor_with_any_instruction_set)
{
    static const char *const sets[] = {"generic", "avx2", "avx512"};
    if (nbody_backend != &nbody_backend_openmp)
        skip();
    make_probes();
    for (size_t k = 0; k < 3; k++) {
        assert_int_equal(setenv("FATHOM_ISA", sets[k], 1), 0);
        print_message("asked for %s: %s\n", sets[k], backend_instruction_set(&nbody_backend->head));
        check_pairs();
    }
    assert_int_equal(unsetenv("FATHOM_ISA"), 0);
}
