// How good the tree's forces are: |a − exact| / |exact| of bodies of a Plummer sphere and of a uniform cube
// against the direct sum in double, by opening angle, with quadrupoles and without, as a table; its medians
// and percentiles against what the program promises, the order in which they fall, and the share of the
// momentum that the forces of all bodies make.
#include "tests/support/test.h"

#include "models/nbody/force_error.h"
#include "tests/support/nbody_sums.h"
#include "tests/support/nbody_tree_test.h"
#include "tests/support/numbers.h"

// ε of all of them, G = M = 1: of a Plummer sphere of scale 3π/16, and of a cube of side 1.
static const double softening = 0.01;
enum { SAMPLES = 1000 };

// The reference takes a second for what the others do in ten milliseconds.
static size_t body_count(void)
{
    return PARTICLE_SET_IS_SANITIZED ? 2000 : nbody_is_reference() ? 4000 : 32768;
}

// Plummer (1911): the mass within r is r³/(r² + a²)^{3/2}. Beyond 19 a, where 0.4 % of it is, there are no
// bodies.
static void plummer(size_t count, struct nbody_body *bodies)
{
    const double scale = 3 * acos(-1) / 16;
    uint64_t random = 20260101;
    for (size_t k = 0; k < count; k++) {
        double at[NBODY_AXES], square;
        do {
            square = 0;
            for (int axis = 0; axis < NBODY_AXES; axis++) {
                at[axis] = next_uniform(&random, -1, 1);
                square += at[axis] * at[axis];
            }
        } while (square > 1 || square < 1e-4);
        const double inside = next_uniform(&random, 0, 0.996);
        const double radius = scale / sqrt(pow(inside, -2.0 / 3) - 1);
        bodies[k] = (struct nbody_body){.mass = 1 / (double)count};
        for (int axis = 0; axis < NBODY_AXES; axis++)
            bodies[k].position[axis] = element_rounded_to_single(at[axis] / sqrt(square) * radius);
    }
}

static void uniform(size_t count, struct nbody_body *bodies)
{
    particle_set_cube(count, 17, bodies);
}

struct sample {
    const char *name;
    struct nbody_body *bodies;
    double (*exact)[NBODY_AXES];
};

static struct sample make_sample(const char *name, void (*make)(size_t count, struct nbody_body *bodies))
{
    const size_t n = body_count();
    struct sample sample = {name, particle_set_bodies_new(n), owned_zeros(SAMPLES, sizeof *sample.exact)};
    assert_non_null(sample.exact);
    make(n, sample.bodies);
    nbody_exact_accelerations(n, sample.bodies, ELEMENT_F64, softening, SAMPLES, sample.exact);
    return sample;
}

struct quality {
    double median, p90, p99, largest;
    double momentum;                             // |Σ m a| / Σ m |a| of all bodies
    double cell_interactions, body_interactions; // of a body
};

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double momentum_share(const struct sample *sample, const struct nbody_field *field)
{
    double sum[NBODY_AXES] = {0}, scale = 0;
    static const double nothing[NBODY_AXES];
    for (size_t k = 0; k < body_count(); k++) {
        scale += sample->bodies[k].mass * nbody_apart(field[k].acceleration, nothing);
        for (int axis = 0; axis < NBODY_AXES; axis++)
            sum[axis] += sample->bodies[k].mass * field[k].acceleration[axis];
    }
    return nbody_apart(sum, nothing) / scale;
}

// The accelerations of all bodies. On a processor they are there once the bodies are set.
static struct nbody_tree_counts accelerations_of(const struct particle_set_setup *setup,
                                                 const struct nbody_body *bodies, struct nbody_field *field)
{
    struct particle_set *particle_set = particle_set_open(setup);
    particle_set_set(particle_set, bodies);
    if (nbody_backend->head.fetch)
        particle_set_evaluate(particle_set, false, field);
    else
        nbody_backend->get_field(particle_set_solver(particle_set), 0, setup->count, field);
    const struct nbody_tree_counts counts = tree_counts(particle_set);
    particle_set_close(particle_set);
    return counts;
}

static struct quality quality_of(const struct sample *sample, enum element precision, double theta,
                                 bool has_quadrupole)
{
    static const double nothing[NBODY_AXES];
    const size_t n = body_count();
    double error[SAMPLES];
    struct nbody_field *field = particle_set_field_new(n);
    struct particle_set_setup setup = tree_setup(precision, n, softening);
    setup.physics.tree.theta = theta;
    setup.physics.tree.has_quadrupole = has_quadrupole;
    const struct nbody_tree_counts counts = accelerations_of(&setup, sample->bodies, field);
    for (size_t k = 0; k < SAMPLES; k++) {
        error[k] = nbody_apart(field[nbody_sample_id(k, SAMPLES, n)].acceleration, sample->exact[k]) /
                   nbody_apart(sample->exact[k], nothing);
        assert_true(error[k] >= 0); // a number
    }
    const double momentum = momentum_share(sample, field);
    qsort(error, SAMPLES, sizeof *error, compare_numbers);
    return (struct quality){.median = error[SAMPLES / 2],
                            .p90 = error[SAMPLES * 90 / 100],
                            .p99 = error[SAMPLES * 99 / 100],
                            .largest = error[SAMPLES - 1],
                            .momentum = momentum,
                            .cell_interactions = counts.cell_interactions / (double)n,
                            .body_interactions = counts.body_interactions / (double)n};
}

static void print_head(const struct sample *sample)
{
    print_message("%s of %zu bodies, softening %g: |a - exact| / |exact| of %d bodies\n"
                  "theta    median     90 %%     99 %%  largest  momentum     cells   bodies\n",
                  sample->name, body_count(), softening, SAMPLES);
}

// Errors of many bodies cancel in part: the momentum that they make together is less than a typical error.
static void check_quality(double theta, const char *what, const struct quality *q)
{
    print_message("%5.1f  %8.1e %8.1e %8.1e %8.1e  %8.1e  %8.0f %8.0f  %s\n", theta, q->median, q->p90,
                  q->p99, q->largest, q->momentum, q->cell_interactions, q->body_interactions, what);
    assert_true(q->momentum < q->median);
}

// θ = 0.3 … 1.0 with quadrupoles: errors rise, the work falls.
enum { ANGLES = 8, AT_06 = 3 };
static void make_table(const struct sample *sample, struct quality table[ANGLES])
{
    const enum element precision = nbody_precisions[nbody_precision_count() - 1];
    print_head(sample);
    for (int k = 0; k < ANGLES; k++) {
        const double theta = 0.1 * (k + 3);
        table[k] = quality_of(sample, precision, theta, true);
        check_quality(theta, particle_set_precision_name(precision), &table[k]);
        if (k > 0) {
            const struct quality *less = &table[k - 1];
            assert_true(table[k].median > less->median);
            assert_true(table[k].p99 > less->p99);
            assert_true(table[k].cell_interactions + table[k].body_interactions <
                        less->cell_interactions + less->body_interactions);
        }
    }
}

// The error that a cell's terms leave is of the order θ² with its mass alone, θ³ with the quadrupole, or less
// by the share of bodies that act one by one.
static void check_orders(const struct sample *sample, const struct quality table[ANGLES])
{
    const double quadrupoles = log2(table[AT_06].median / table[0].median);
    struct quality monopoles[2];
    for (int k = 0; k < 2; k++) {
        monopoles[k] = quality_of(sample, ELEMENT_F64, 0.3 * (k + 1), false);
        check_quality(0.3 * (k + 1), "double, without quadrupoles", &monopoles[k]);
    }
    const double order = log2(monopoles[1].median / monopoles[0].median);
    print_message("orders of the median from 0.3 to 0.6: %.2f, without quadrupoles %.2f\n", quadrupoles,
                  order);
    assert_true(quadrupoles > 2.5 && quadrupoles < 4.5);
    assert_true(order > 1.8 && order < 3.5);
    assert_true(table[AT_06].median < 0.5 * monopoles[1].median);
}

static void check_sample(struct sample sample, double median, double p99)
{
    struct quality table[ANGLES];
    make_table(&sample, table);
    check_orders(&sample, table);
    const struct quality in_double = quality_of(&sample, ELEMENT_F64, 0.6, true);
    check_quality(0.6, "double", &in_double);
    assert_true(table[AT_06].median < median && table[AT_06].p99 < p99);
    assert_true(in_double.median < median && in_double.p99 < p99);
}

TEST_SUITE(.run = nbody_test_main);

// What the program promises of a Plummer sphere at θ = 0.6.
TEST(plummers_errors)
{
    check_sample(make_sample("Plummer sphere", plummer), 3e-4, 1.3e-3);
}

// Towards the middle of a cube the forces of its parts cancel: errors are larger shares of what is left.
TEST(a_cubes_errors)
{
    check_sample(make_sample("uniform cube", uniform), 4e-4, 3e-3);
}
