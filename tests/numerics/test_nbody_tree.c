// The tree's shape: the curve its bodies follow, their order, its cells against a count that knows neither
// curve nor sort, the bound on their number in sets that come near it, and that no bit depends on threads, on
// a stop, or on the run.
#include "tests/support/test.h"

#include "models/nbody/tree.h"
#include "tests/support/nbody_sums.h"
#include "tests/support/nbody_tree_test.h"

// ---- the curve

TEST_SUITE(.run = nbody_test_main);

// The example of Skilling's paper (AIP Conf. Proc. 707, 381, 2004): in a cube of 2⁵ places a side, (5, 10,
// 20) is number 7865. It is also the number of a cell of depth 5.
TEST(a_place_on_the_curve_is_the_published_one)
{
    const int below = NBODY_KEY_BITS - 5;
    const uint64_t key = nbody_tree_key(5u << below, 10u << below, 20u << below);
    assert_int_equal(key >> 3 * below, 7865);
}

// Of the 2¹² cells of depth 4 each has a number of its own, and those of following numbers have a face in
// common.
TEST(the_curve_goes_from_neighbour_to_neighbour)
{
    enum { DEPTH = 4, SIDE = 1 << DEPTH, CELLS = 1 << 3 * DEPTH };
    static int places[CELLS][NBODY_AXES];
    static bool is_taken[CELLS];
    memset(is_taken, 0, sizeof is_taken);
    for (int cell = 0; cell < CELLS; cell++) {
        const int place[NBODY_AXES] = {cell % SIDE, cell / SIDE % SIDE, cell / SIDE / SIDE};
        const int below = NBODY_KEY_BITS - DEPTH;
        const uint64_t number = nbody_tree_key((uint32_t)place[0] << below, (uint32_t)place[1] << below,
                                               (uint32_t)place[2] << below) >>
                                3 * below;
        assert_true(number < CELLS && !is_taken[number]);
        is_taken[number] = true;
        memcpy(places[number], place, sizeof place);
    }
    for (int k = 1; k < CELLS; k++) {
        int steps = 0;
        for (int axis = 0; axis < NBODY_AXES; axis++)
            steps += abs(places[k][axis] - places[k - 1][axis]);
        assert_int_equal(steps, 1);
    }
}

// Also over all 21 levels: from one end of the curve to the other.
TEST(the_curve_has_two_ends)
{
    const uint32_t most = (1u << NBODY_KEY_BITS) - 1;
    assert_int_equal(nbody_tree_key(0, 0, 0), 0);
    assert_int_equal(nbody_tree_key(most, 0, 0), ((uint64_t)1 << 3 * NBODY_KEY_BITS) - 1);
}

// ---- the order

static uint64_t key_of(struct tree_place place)
{
    return nbody_tree_key(place.at[0], place.at[1], place.at[2]);
}

// Keys rise; those that are equal keep the ids' order, in which the bodies came.
static void check_order(const struct particle_set_setup *setup, const struct nbody_body *bodies)
{
    const size_t n = setup->count;
    uint32_t *ids = owned_zeros(n, sizeof *ids);
    struct tree_place *places = owned_zeros(n, sizeof *places);
    struct particle_set *particle_set = particle_set_open(setup);
    particle_set_set(particle_set, bodies);
    tree_order(particle_set, n, ids);
    tree_places(n, bodies, places);
    for (size_t k = 1; k < n; k++) {
        const uint64_t before = key_of(places[ids[k - 1]]), key = key_of(places[ids[k]]);
        assert_true(before < key || (before == key && ids[k - 1] < ids[k]));
    }
    particle_set_close(particle_set);
}

// 20 000: more than one thread's share of a sort.
TEST(bodies_follow_the_curve)
{
    static const size_t counts[] = {2, 63, 64, 65, 1000, 20000};
    struct nbody_body *bodies = particle_set_bodies_new(20000);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int p = 0; p < nbody_precision_count(); p++) {
            struct particle_set_setup setup = tree_setup(nbody_precisions[p], counts[c], 0.01);
            setup.physics.tree.theta = 1; // the forces are not looked at
            particle_set_cluster(counts[c], counts[c], bodies);
            check_order(&setup, bodies);
            if (counts[c] > 1000)
                continue;
            for (int shape = 0; shape < PARTICLE_SET_SHAPES; shape++) {
                particle_set_awkward((enum particle_set_shape)shape, counts[c], 7, bodies);
                check_order(&setup, bodies);
            }
        }
}

// Bodies without mass fly straight on. Two of them meet, and by then the one with the greater id was first:
// it stays the first.
TEST(the_order_stays_from_step_to_step)
{
    enum { COUNT = 4 };
    const double step = 0x1p-4;
    for (int swapped = 0; swapped < 2; swapped++) {
        struct nbody_body bodies[COUNT] = {
            {{0}, {0}, 0}, {{0.5, 0.25, 0.25}, {0}, 0}, {{0.5, 0.25, 0.25}, {0}, 0}};
        uint32_t ids[COUNT];
        struct tree_place places[COUNT];
        for (int axis = 0; axis < NBODY_AXES; axis++)
            bodies[3].position[axis] = 1;
        bodies[1 + swapped].velocity[0] = -2;
        bodies[1 + swapped].position[0] += 2 * step;
        tree_places(COUNT, bodies, places);
        const bool is_one_first = key_of(places[1]) < key_of(places[2]);
        struct particle_set_setup setup = tree_setup(ELEMENT_F64, COUNT, 0.1);
        setup.physics.step = step;
        struct particle_set *particle_set = particle_set_open(&setup);
        particle_set_set(particle_set, bodies);
        particle_set_advance(particle_set, 0, 1);
        particle_set_get(particle_set, bodies);
        tree_order(particle_set, COUNT, ids);
        particle_set_close(particle_set);
        assert_memory_equal(bodies[1].position, bodies[2].position, sizeof bodies[1].position);
        for (int k = 0; k + 1 < COUNT; k++)
            if (ids[k] == 1 || ids[k] == 2) {
                assert_int_equal(ids[k], is_one_first ? 1 : 2);
                break;
            }
    }
}

// ---- the cells, counted without a curve: at each depth, the places of bodies in cells that are divided

static int compare_places(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct tree_place)); // any order will do
}

struct placed {
    struct tree_place cell, place;
};

// Cells of a depth among `count` places, which are of cells that are; of those of cells that are divided, the
// first are left.
static size_t count_depth(struct placed *placed, size_t *count, int depth, size_t *leaves)
{
    size_t cells = 0, kept = 0;
    for (size_t i = 0; i < *count; i++)
        for (int axis = 0; axis < NBODY_AXES; axis++)
            placed[i].cell.at[axis] = placed[i].place.at[axis] >> (NBODY_KEY_BITS - depth);
    qsort(placed, *count, sizeof *placed, compare_places); // by the cell, which comes first
    for (size_t first = 0, end; first < *count; first = end) {
        for (end = first; end < *count && compare_places(&placed[first], &placed[end]) == 0; end++)
            ;
        cells++;
        if (end - first <= NBODY_LEAF_BODIES || depth == NBODY_KEY_BITS)
            ++*leaves;
        else
            for (size_t i = first; i < end; i++)
                placed[kept++] = placed[i];
    }
    *count = kept;
    return cells;
}

static struct nbody_tree_counts count_cells(size_t count, const struct nbody_body *bodies)
{
    size_t cells = 0, leaves = 0, left = count;
    struct tree_place *places = owned_zeros(count, sizeof *places);
    struct placed *placed = owned_zeros(count, sizeof *placed);
    tree_places(count, bodies, places);
    for (size_t i = 0; i < count; i++)
        placed[i].place = places[i];
    for (int depth = 0; depth <= NBODY_KEY_BITS && left > 0; depth++)
        cells += count_depth(placed, &left, depth, &leaves);
    return (struct nbody_tree_counts){.cells = (int64_t)cells, .leaves = (int64_t)leaves};
}

// Returns the share of the bound that is there.
static double check_cells(const char *name, size_t count, const struct nbody_body *bodies)
{
    const struct nbody_tree_counts expected = count_cells(count, bodies);
    double share = 0;
    for (int p = 0; p < nbody_precision_count(); p++) {
        const struct particle_set_setup setup = tree_setup(nbody_precisions[p], count, 0.01);
        const struct nbody_tree_counts counts = tree_field_of(&setup, bodies, NULL);
        if (counts.cells != expected.cells || counts.leaves != expected.leaves)
            fail_msg("%s, %zu bodies, %s: %lld cells and %lld leaves, not %lld and %lld", name, count,
                     particle_set_precision_name(setup.precision), (long long)counts.cells,
                     (long long)counts.leaves, (long long)expected.cells, (long long)expected.leaves);
        assert_int_equal(counts.cells_planned, nbody_tree_cells_bound(count));
        assert_true(counts.cells <= counts.cells_planned);
        share = (double)counts.cells / (double)counts.cells_planned;
    }
    print_message("%s, %zu bodies: %lld cells, %.0f %% of the bound\n", name, count,
                  (long long)expected.cells, 100 * share);
    return share;
}

// A quarter into that one of the smallest cubes, in a cube from 0 to 1; bodies 0 and 1 make that.
static void put(struct nbody_body *body, const uint32_t place[NBODY_AXES])
{
    for (int axis = 0; axis < NBODY_AXES; axis++)
        body->position[axis] = ((double)place[axis] + 0.25) * 0x1p-21 * (1 + 0x1p-20) - 0x1p-21;
}

static void put_ends(struct nbody_body *bodies)
{
    for (int end = 0; end < 2; end++)
        for (int axis = 0; axis < NBODY_AXES; axis++)
            bodies[end].position[axis] = end;
}

// Clusters of NBODY_LEAF_BODIES + 1 bodies, each in a cell of the last depth but one, and alone in the larger
// ones but for the largest: up to 21 divided cells for 17 bodies.
static void make_tight_clusters(size_t per_axis, struct nbody_body *bodies)
{
    const size_t clusters = per_axis * per_axis * per_axis;
    const uint32_t apart = (uint32_t)((1u << NBODY_KEY_BITS) / per_axis);
    put_ends(bodies);
    for (size_t k = 0; k < clusters * (NBODY_LEAF_BODIES + 1); k++) {
        const size_t cluster = k / (NBODY_LEAF_BODIES + 1), part = k % 8;
        const size_t number[NBODY_AXES] = {cluster % per_axis, cluster / per_axis % per_axis,
                                           cluster / per_axis / per_axis};
        uint32_t place[NBODY_AXES];
        for (int axis = 0; axis < NBODY_AXES; axis++)
            place[axis] = (uint32_t)number[axis] * apart + apart / 2 + (uint32_t)(part >> axis & 1);
        put(&bodies[2 + k], place);
        bodies[2 + k].mass = 1.0 / 8192;
    }
}

// So close to the bound that a third less of it would be too little.
TEST(tight_clusters_keep_the_bound)
{
    struct nbody_body *bodies = particle_set_bodies_new(2 + 17 * 512);
    for (size_t per_axis = 1; per_axis <= 8; per_axis *= 2) {
        const size_t count = 2 + 17 * per_axis * per_axis * per_axis;
        make_tight_clusters(per_axis, bodies);
        const double share = check_cells("tight clusters", count, bodies);
        assert_true(share > 0.6);
    }
}

// 8^k bodies on a lattice fill the cells of depth k, one each; those of depth k − 1 have 8 and are the
// leaves.
TEST(lattices_have_the_cells_of_full_depths)
{
    struct nbody_body *bodies = particle_set_bodies_new(4096);
    for (int k = 1; k <= 4; k++) {
        const size_t side = (size_t)1 << k, count = side * side * side;
        const int64_t leaves = (int64_t)1 << 3 * (k - 1);
        for (size_t i = 0; i < count; i++)
            for (int axis = 0; axis < NBODY_AXES; axis++) {
                bodies[i].position[axis] = (double)(i >> axis * k & (side - 1));
                bodies[i].mass = 1.0 / 4096;
            }
        check_cells("lattice", count, bodies);
        assert_int_equal(count_cells(count, bodies).cells, (8 * leaves - 1) / 7);
    }
}

TEST(awkward_sets_have_their_cells)
{
    static const char *const names[PARTICLE_SET_SHAPES] = {"twins", "massless", "two clusters", "line"};
    static const size_t counts[] = {2, 16, 17, 64, 3000};
    struct nbody_body *bodies = particle_set_bodies_new(3000);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int shape = 0; shape < PARTICLE_SET_SHAPES; shape++) {
            particle_set_awkward((enum particle_set_shape)shape, counts[c], 7, bodies);
            check_cells(names[shape], counts[c], bodies);
        }
}

// All at one point: a cube of side 1 about it, a cell of each depth, the last a leaf; no force.
TEST(bodies_at_one_point_share_a_leaf)
{
    enum { COUNT = 1000 };
    static struct nbody_body bodies[COUNT];
    static struct nbody_field field[COUNT];
    for (size_t k = 0; k < COUNT; k++)
        bodies[k] = (struct nbody_body){{-3, 0.5, 7}, {0}, 1.0 / 1024};
    for (int p = 0; p < nbody_precision_count(); p++)
        for (int soft = 0; soft < 2; soft++) {
            const double softening = soft * 0.25, potential = soft ? -(COUNT - 1) / 1024.0 / softening : 0;
            const struct particle_set_setup setup = tree_setup(nbody_precisions[p], COUNT, softening);
            const struct nbody_tree_counts counts = tree_field_of(&setup, bodies, field);
            assert_int_equal(counts.cells, NBODY_KEY_BITS + 1);
            assert_int_equal(counts.leaves, 1);
            for (size_t k = 0; k < COUNT; k++) {
                for (int axis = 0; axis < NBODY_AXES; axis++)
                    assert_true(field[k].acceleration[axis] == 0);
                assert_true(fabs(field[k].potential - potential) <= 1e-6 * fabs(potential));
            }
        }
}

// No place of it may lead to cells, or to all bodies with all in one leaf; and the result is NaN.
TEST(a_non_finite_position_gives_nan)
{
    enum { COUNT = 3000 };
    static const double places[] = {NAN, INFINITY, -INFINITY};
    static const size_t bodies_off[] = {0, 7, COUNT - 1};
    static struct nbody_body bodies[COUNT];
    static struct nbody_field field[COUNT];
    particle_set_cluster(COUNT, 8, bodies);
    for (int p = 0; p < nbody_precision_count(); p++)
        for (int k = 0; k < 9; k++) {
            const struct particle_set_setup setup = tree_setup(nbody_precisions[p], COUNT, 0.01);
            double *place = &bodies[bodies_off[k / 3]].position[k / 3];
            const double sound = *place;
            *place = places[k % 3];
            const struct nbody_tree_counts counts = tree_field_of(&setup, bodies, field);
            assert_true(counts.body_interactions < 0.5 * COUNT * COUNT);
            for (size_t i = 0; i < COUNT; i++)
                assert_true(isnan(field[i].acceleration[0]) && isnan(field[i].potential));
            *place = sound;
        }
}

// ---- bits

static void run_once(const struct particle_set_setup *setup, const struct nbody_body *start,
                     struct nbody_body *end)
{
    memcpy(end, start, setup->count * sizeof *end);
    nbody_run(setup, end, 3);
}

// 20 000 bodies: every loop that threads share is shared.
TEST(threads_and_runs_change_no_bit)
{
    const size_t n = PARTICLE_SET_IS_SANITIZED || nbody_is_reference() ? 2000 : 20000;
    struct nbody_body *start = particle_set_bodies_new(n), *once = particle_set_bodies_new(n),
                      *again = particle_set_bodies_new(n);
    particle_set_cluster(n, 3, start);
    for (int p = 0; p < nbody_precision_count(); p++)
        for (int threads = 1; threads <= 3; threads++) {
            struct particle_set_setup setup = tree_setup(nbody_precisions[p], n, 0.05);
            setup.threads = threads;
            run_once(&setup, start, threads == 1 ? once : again);
            if (threads > 1)
                assert_memory_equal(once, again, n * sizeof *once);
        }
}

// The tree of a state that was loaded is that of the state that was saved: the order among it.
TEST(a_copy_goes_on)
{
    enum { COUNT = 1100 };
    static struct nbody_body start[COUNT];
    particle_set_awkward(PARTICLE_SET_TWINS, COUNT, 4, start);
    for (int p = 0; p < nbody_precision_count(); p++)
        for (int step = NBODY_LEAPFROG; step <= NBODY_SOURCE_STEP; step++) {
            struct particle_set_setup setup = tree_setup(nbody_precisions[p], COUNT, 0.05);
            setup.physics.integrator = (enum nbody_integrator)step;
            particle_set_assert_copy_goes_on(&setup, start);
        }
}
