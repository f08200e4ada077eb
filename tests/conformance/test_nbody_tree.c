// Conformance of the fast trees: on every kind of set, opening and softening they have the reference's cells
// and leaves, its order of the bodies, its pairs of group and cell, and its fields within the tolerances of
// ONE table. The reference sums every cell over its bodies one by one and shares no arithmetic with them.
//
// Also, exactly: two runs have the same bits, and places that are no numbers end an evaluation and leave no
// trace in the next.
#include "tests/support/test.h"

#include "gpu/device.h"
#include "tests/support/cuda_test.h"
#include "tests/support/nbody_fixture.h"

static const struct nbody_backend *tested; // openmp, or cuda

// ---- sets of bodies

static void tight_clusters(size_t count, struct nbody_body *bodies)
{
    // Of 17 bodies each, no further apart than three of the smallest cubes; one more body at each end of the
    // whole.
    particle_set_cube(count, 5, bodies);
    for (size_t k = 0; k < count; k++)
        for (int axis = 0; axis < NBODY_AXES; axis++) {
            const size_t cluster = k / 17, within = k % 17, stride = (size_t)axis + 2;
            const double corner = (double)(cluster * (stride + 1) % 11 + 1) / 16;
            bodies[k].position[axis] = corner + (double)(within * stride % 7) * 0x1p-22;
        }
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        bodies[0].position[axis] = 0;
        bodies[1].position[axis] = 1;
    }
}

// All within less than the smallest cube of each other, but for two that are far away.
static void below_the_key(size_t count, struct nbody_body *bodies)
{
    tight_clusters(count, bodies);
    for (size_t k = 2; k < count; k++)
        for (int axis = 0; axis < NBODY_AXES; axis++)
            bodies[k].position[axis] = 0.375 + (double)(k % (size_t)(axis + 2)) * 0x1p-24;
}

static void one_point(size_t count, struct nbody_body *bodies)
{
    particle_set_cube(count, 6, bodies);
    for (size_t k = 0; k < count; k++)
        for (int axis = 0; axis < NBODY_AXES; axis++)
            bodies[k].position[axis] = 0.125 * (axis + 1);
}

// A lattice: places on the faces of cubes, cells whose distances are equal.
static void lattice(size_t count, struct nbody_body *bodies)
{
    particle_set_cube(count, 7, bodies);
    for (size_t k = 0; k < count; k++)
        for (int axis = 0; axis < NBODY_AXES; axis++)
            bodies[k].position[axis] = (double)(k >> 3 * axis & 7) / 8;
}

static void cluster(size_t count, struct nbody_body *bodies)
{
    particle_set_cluster(count, 1, bodies);
}

static void cube(size_t count, struct nbody_body *bodies)
{
    particle_set_cube(count, 2, bodies);
}

static void twins(size_t count, struct nbody_body *bodies)
{
    particle_set_awkward(PARTICLE_SET_TWINS, count, 3, bodies);
}

static void massless(size_t count, struct nbody_body *bodies)
{
    particle_set_awkward(PARTICLE_SET_MASSLESS, count, 3, bodies);
}

static void two_clusters(size_t count, struct nbody_body *bodies)
{
    particle_set_awkward(PARTICLE_SET_TWO_CLUSTERS, count, 3, bodies);
}

static void line(size_t count, struct nbody_body *bodies)
{
    particle_set_awkward(PARTICLE_SET_LINE, count, 3, bodies);
}

// The largest error of an acceleration, and of a potential, relative to the reference's: some ten times what
// both were found to be on a processor.
//
// double: sums of up to 10³ terms, cells about another point. float: numbers are rounded to 6e-8, sums more
// where forces cancel (in a cube or on a line); and a cell that stands for its bodies does so from a place
// rounded to 6e-8 of the coordinates, which counts as much more as it is nearer than those are large: up to
// 10⁴ times in two clusters of 10⁻³, 10⁶ in tight ones.
static const struct set {
    const char *name;
    void (*make)(size_t count, struct nbody_body *bodies);
    size_t count;
    double single, dual;
} sets[] = {{"cluster", cluster, 2, 1e-6, 1e-14},
            {"cluster", cluster, 17, 2e-6, 1e-14},
            {"cluster", cluster, 65, 5e-6, 1e-14},
            {"cluster", cluster, 1531, 2e-5, 1e-13},
            {"cube", cube, 1024, 5e-4, 5e-13},
            {"lattice", lattice, 512, 1e-4, 2e-13},
            {"twins", twins, 700, 2e-5, 1e-13},
            {"massless", massless, 700, 2e-5, 1e-13},
            {"two clusters", two_clusters, 900, 5e-2, 5e-12},
            {"line", line, 500, 1e-3, 5e-12},
            {"one point", one_point, 300, 1e-5, 1e-13},
            {"tight clusters", tight_clusters, 17 * 16, 0.1, 1e-10},
            {"below the key", below_the_key, 200, 1e-4, 1e-13}};
enum { SETS = sizeof sets / sizeof *sets };

// With θ = 1.5 a group may touch the cube of a cell that is far enough by its centre of mass; a distance of
// 50 opens every cell.
static const struct nbody_tree_rule rules[] = {
    {NBODY_OPENING_OFFSET, true, 0.6, 0},      {NBODY_OPENING_OFFSET, false, 0.6, 0},
    {NBODY_OPENING_OFFSET, true, 1.5, 0},      {NBODY_OPENING_SIZE, true, 0.5, 0},
    {NBODY_OPENING_SIZE, false, 1.5, 0},       {NBODY_OPENING_DISTANCE, true, 0.6, 0.3},
    {NBODY_OPENING_DISTANCE, false, 0.6, 0.3}, {NBODY_OPENING_DISTANCE, true, 0.6, 50}};
enum { RULES = sizeof rules / sizeof *rules };

static const enum element precisions[] = {ELEMENT_F64, ELEMENT_F32};
static const double softenings[] = {0, 0.03125};

static struct particle_set_setup setup_of(const struct nbody_backend *backend, enum element precision,
                                          size_t count, const struct nbody_tree_rule *rule, double softening)
{
    return (struct particle_set_setup){
        .backend = backend,
        .precision = precision,
        .count = count,
        .physics = {.method = NBODY_BARNES_HUT, .softening = softening, .tree = *rule}};
}

static struct nbody_body *bodies_of(const struct set *set)
{
    struct nbody_body *bodies = particle_set_bodies_new(set->count);
    set->make(set->count, bodies);
    return bodies;
}

// ---- comparison

static const char *case_name(const struct set *set, const struct particle_set_setup *setup)
{
    static const char *const openings[] = {"offset", "size", "distance"};
    static char text[256];
    const struct nbody_tree_rule *rule = &setup->physics.tree;
    snprintf(text, sizeof text, "%s, %zu bodies, %s %s, opening %s %g, %s, softening %g", set->name,
             set->count, setup->backend->head.name, particle_set_precision_name(setup->precision),
             openings[rule->opening], rule->opening == NBODY_OPENING_DISTANCE ? rule->distance : rule->theta,
             rule->has_quadrupole ? "quadrupoles" : "no quadrupoles", setup->physics.softening);
    return text;
}

// A tree, and the field it gives.
struct grown {
    struct nbody_tree_counts counts;
    struct nbody_field *field;
};

static struct grown grow(const struct particle_set_setup *setup, const struct nbody_body *bodies)
{
    struct nbody_stage_times times;
    struct grown grown = {.field = particle_set_field_new(setup->count)};
    struct particle_set *particle_set = particle_set_open(setup);
    particle_set_set(particle_set, bodies);
    particle_set_evaluate(particle_set, false, grown.field);
    setup->backend->stages(particle_set_solver(particle_set), &times, &grown.counts);
    particle_set_close(particle_set);
    return grown;
}

static bool is_near(double a, double b, double share)
{
    return fabs(a - b) <= share * (a + b) / 2;
}

// In single a cell whose distance is within a rounding of what the opening asks for may stand for one and not
// for the other: then the fields differ by what a cell is wrong by.
static void compare(const struct set *set, const struct particle_set_setup *setup, const struct grown *got,
                    const struct grown *expected)
{
    const char *name = case_name(set, setup);
    const struct nbody_tree_counts *a = &got->counts, *b = &expected->counts;
    const bool is_single = setup->precision == ELEMENT_F32;
    const bool is_same_walk =
        a->cell_interactions == b->cell_interactions && a->body_interactions == b->body_interactions;
    const double tolerance = (is_single ? set->single : set->dual) + (is_same_walk ? 0 : 1e-2);
    if (a->cells != b->cells || a->leaves != b->leaves || a->cells_planned != b->cells_planned)
        fail_msg("%s: %lld cells, %lld leaves, %lld planned; the reference: %lld, %lld, %lld", name,
                 (long long)a->cells, (long long)a->leaves, (long long)a->cells_planned, (long long)b->cells,
                 (long long)b->leaves, (long long)b->cells_planned);
    assert_true(a->cells <= a->cells_planned);
    if (!is_same_walk && !(is_single && is_near(a->cell_interactions, b->cell_interactions, 0.02) &&
                           is_near(a->body_interactions, b->body_interactions, 0.02)))
        fail_msg("%s: acts with %.0f cells and %.0f bodies; the reference: %.0f, %.0f", name,
                 a->cell_interactions, a->body_interactions, b->cell_interactions, b->body_interactions);
    const struct particle_set_error error =
        particle_set_acceleration_error(set->count, got->field, expected->field);
    const double potential = particle_set_potential_error(set->count, got->field, expected->field);
    if (!(error.largest <= tolerance && potential <= tolerance))
        fail_msg("%s: acceleration of body %zu is wrong by %.3g of itself, a potential by %.3g; at most %.3g "
                 "is due%s",
                 name, error.where, error.largest, potential, tolerance,
                 is_same_walk ? "" : " (not all the same cells stand)");
}

static void compare_set(const struct set *set)
{
    struct nbody_body *bodies = bodies_of(set);
    for (int r = 0; r < RULES; r++)
        for (int e = 0; e < 2; e++) {
            struct particle_set_setup setup =
                setup_of(&nbody_backend_reference, ELEMENT_F64, set->count, &rules[r], softenings[e]);
            struct grown expected = grow(&setup, bodies);
            setup.backend = tested;
            for (int p = 0; p < 2; p++) {
                setup.precision = precisions[p];
                struct grown got = grow(&setup, bodies);
                compare(set, &setup, &got, &expected);
            }
        }
}

static int begin(int argc, char **argv)
{
    const int code = cuda_begin(argc, argv);
    if (code == 0)
        tested = (const struct nbody_backend *)backend_find(&nbody_backends,
                                                            wants_cuda(argc, argv) ? "cuda" : "openmp");
    return code != 0 || tested ? code : EXIT_FAILURE;
}

TEST_SUITE(.begin = begin);

TEST(trees_are_the_reference_s)
{
    for (int k = 0; k < SETS; k++)
        compare_set(&sets[k]);
}

// ---- every cell opened: more cells wait to be looked at than a warp has room for

// Every other body is where the curve ends: the part that a walk with a stack comes to while most of the
// other cells wait; of 20000 bodies 849 wait at once if nothing is done about it. On a processor, whose walk
// has room for all, fewer show as much.
static void crowd_at_the_end(size_t count, struct nbody_body *bodies)
{
    cube(count, bodies);
    for (size_t k = 0; k < count; k += 2) {
        double *const x = bodies[k].position;
        for (int axis = 0; axis < NBODY_AXES; axis++)
            x[axis] /= 4;
        x[0] = 1 - x[0];
    }
}

TEST(a_walk_that_opens_all)
{
    const bool is_on_host = tested == &nbody_backend_openmp;
    const size_t count = PARTICLE_SET_IS_SANITIZED ? 3000 : is_on_host ? 8000 : 20000;
    const struct set large = {"crowd", crowd_at_the_end, count, 5e-5, 5e-13};
    const struct nbody_tree_rule all = {NBODY_OPENING_DISTANCE, true, 0.6, 50};
    struct nbody_body *bodies = bodies_of(&large);
    struct particle_set_setup setup =
        setup_of(&nbody_backend_openmp, ELEMENT_F64, large.count, &all, 0.03125);
    struct grown expected = {.field = particle_set_field_new(large.count)};
    setup.physics.method = NBODY_DIRECT;
    particle_set_field_of(&setup, bodies, expected.field);
    setup.physics.method = NBODY_BARNES_HUT;
    setup.backend = tested;
    for (int p = 0; p < 2; p++) {
        setup.precision = precisions[p];
        struct grown got = grow(&setup, bodies);
        expected.counts = got.counts;
        expected.counts.cell_interactions = 0;
        expected.counts.body_interactions = (double)large.count * (double)large.count;
        compare(&large, &setup, &got, &expected);
    }
}

// ---- the order

// The ids in the order of the tree, as a checkpoint has them. malloc'ed.
static uint32_t *order_of(const struct particle_set_setup *setup, const struct nbody_body *bodies)
{
    struct checkpoint_array arrays[CHECKPOINT_ARRAYS_MAX];
    uint32_t *order = owned_zeros(setup->count, sizeof *order);
    struct particle_set *particle_set = particle_set_open(setup);
    particle_set_set(particle_set, bodies);
    if (setup->backend->head.fetch)
        assert_int_equal(setup->backend->head.fetch(particle_set_solver(particle_set)), STATUS_OK);
    const int count = setup->backend->head.checkpoint_arrays(particle_set_solver(particle_set), arrays);
    const struct checkpoint_array *last = &arrays[count - 1];
    assert_true(strcmp(last->name, "ids") == 0 || strcmp(last->name, "order") == 0);
    assert_int_equal(last->bytes, setup->count * sizeof *order);
    memcpy(order, last->data, last->bytes);
    particle_set_close(particle_set);
    return order;
}

TEST(the_order_is_the_reference_s)
{
    for (int k = 0; k < SETS; k++) {
        struct nbody_body *bodies = bodies_of(&sets[k]);
        struct particle_set_setup setup =
            setup_of(&nbody_backend_reference, ELEMENT_F64, sets[k].count, &rules[0], 0.03125);
        uint32_t *expected = order_of(&setup, bodies);
        setup.backend = tested;
        for (int p = 0; p < 2; p++) {
            setup.precision = precisions[p];
            uint32_t *order = order_of(&setup, bodies);
            for (size_t i = 0; i < sets[k].count; i++)
                if (order[i] != expected[i])
                    fail_msg("%s: place %zu of the order has body %u, the reference's has %u",
                             case_name(&sets[k], &setup), i, order[i], expected[i]);
        }
    }
}

// ---- steps

static const struct set moving = {"cluster", cluster, 1531, 2e-5, 1e-11};

static struct nbody_body *moved(const struct particle_set_setup *setup, int steps)
{
    struct nbody_body *bodies = bodies_of(&moving);
    struct particle_set *particle_set = particle_set_open(setup);
    particle_set_set(particle_set, bodies);
    particle_set_advance(particle_set, 0, steps);
    particle_set_get(particle_set, bodies);
    particle_set_close(particle_set);
    return bodies;
}

// A step asks for no potentials: other kernels.
TEST(steps_are_the_reference_s)
{
    for (int r = 0; r < RULES; r++) {
        double position_error, velocity_error;
        struct particle_set_setup setup =
            setup_of(&nbody_backend_reference, ELEMENT_F64, moving.count, &rules[r], 0.03125);
        struct nbody_body *expected = moved(&setup, 3);
        setup.backend = tested;
        for (int p = 0; p < 2; p++) {
            setup.precision = precisions[p];
            const double tolerance = setup.precision == ELEMENT_F32 ? 1e-6 : 1e-14;
            struct nbody_body *got = moved(&setup, 3);
            particle_set_body_error(moving.count, got, expected, &position_error, &velocity_error);
            if (!(position_error <= tolerance && velocity_error <= 10 * tolerance))
                fail_msg("%s: after 3 steps places are wrong by %.3g, velocities by %.3g",
                         case_name(&moving, &setup), position_error, velocity_error);
        }
    }
}

TEST(two_runs_have_the_same_bits)
{
    for (int p = 0; p < 2; p++)
        for (int r = 0; r < RULES; r += 2) {
            const struct particle_set_setup setup =
                setup_of(tested, precisions[p], moving.count, &rules[r], 0.03125);
            struct nbody_body *first = moved(&setup, 5), *second = moved(&setup, 5);
            if (memcmp(first, second, moving.count * sizeof *first) != 0)
                fail_msg("%s: two runs differ", case_name(&moving, &setup));
        }
}

// ---- places that are no numbers

TEST(unsound_places_leave_no_trace)
{
    static const double invalid[] = {NAN, INFINITY, -INFINITY, 3e38, -3e38};
    struct nbody_body *bodies = bodies_of(&moving);
    const size_t bytes = moving.count * sizeof(struct nbody_field);
    struct nbody_field *expected = particle_set_field_new(moving.count),
                       *field = particle_set_field_new(moving.count);
    for (int p = 0; p < 2; p++) {
        const struct particle_set_setup setup =
            setup_of(tested, precisions[p], moving.count, &rules[0], 0.03125);
        struct particle_set *particle_set = particle_set_open(&setup);
        particle_set_set(particle_set, bodies);
        particle_set_evaluate(particle_set, false, expected);
        for (size_t k = 0; k < sizeof invalid / sizeof *invalid; k++) {
            const double sound = bodies[7].position[1];
            bodies[7].position[1] = invalid[k];
            particle_set_set(particle_set, bodies);
            particle_set_evaluate(particle_set, false, field);
            bodies[7].position[1] = sound;
        }
        particle_set_set(particle_set, bodies);
        particle_set_evaluate(particle_set, false, field);
        if (memcmp(field, expected, bytes) != 0)
            fail_msg("%s: a field after invalid positions has other bits", case_name(&moving, &setup));
        particle_set_close(particle_set);
    }
}
