// What a cell does in place of its bodies: when it may, by hand for each opening; its field, by the orders in
// which the errors fall and by numeric differentiation, with and without softening.
#include "tests/support/test.h"

#include "tests/support/nbody_sums.h"
#include "tests/support/nbody_tree_test.h"
#include "tests/support/numbers.h"

// Bodies at one point.
struct lump {
    double at[NBODY_AXES];
    size_t count;
    double mass; // of all
};

static size_t make_lumps(const struct lump *lumps, size_t lump_count, struct nbody_body *bodies)
{
    size_t n = 0;
    for (size_t k = 0; k < lump_count; k++)
        for (size_t i = 0; i < lumps[k].count; i++) {
            bodies[n] = (struct nbody_body){.mass = lumps[k].mass / (double)lumps[k].count};
            memcpy(bodies[n++].position, lumps[k].at, sizeof lumps[k].at);
        }
    return n;
}

static void add_lump(const double at[NBODY_AXES], const double lump[NBODY_AXES], double mass,
                     double sum[NBODY_AXES])
{
    const double distance = nbody_apart(lump, at);
    for (int axis = 0; axis < NBODY_AXES; axis++)
        sum[axis] += mass * (lump[axis] - at[axis]) / pow(distance, 3);
}

// ---- openings: in a cube from 0 to 1 a cell of side 1/2 has two lumps; a group without mass is far away

enum { LUMPS_MAX = 256 };
static const struct lump pair[2] = {{{0.78125, 0.140625, 0.28125}, 48, 0.75},
                                    {{0.921875, 0.40625, 0.09375}, 16, 0.25}};

static void centre_of_pair(const struct lump lumps[2], double centre[NBODY_AXES])
{
    for (int axis = 0; axis < NBODY_AXES; axis++)
        centre[axis] = (lumps[0].mass * lumps[0].at[axis] + lumps[1].mass * lumps[1].at[axis]) /
                       (lumps[0].mass + lumps[1].mass);
}

// The force at `at` of two lumps: of each, or, if the cell stands for them, of their mass where its centre
// is.
static void assert_pull(const char *what, const struct nbody_body *body, const struct nbody_field *field,
                        const struct lump lumps[2], bool stands)
{
    double expected[NBODY_AXES] = {0}, centre[NBODY_AXES];
    centre_of_pair(lumps, centre);
    if (stands)
        add_lump(body->position, centre, lumps[0].mass + lumps[1].mass, expected);
    for (int k = 0; k < 2 && !stands; k++)
        add_lump(body->position, lumps[k].at, lumps[k].mass, expected);
    for (int axis = 0; axis < NBODY_AXES; axis++)
        assert_near(what, field->acceleration[axis], expected[axis], 2e-6 * fabs(expected[axis]) + 1e-7);
}

// 63 bodies at the corner, one towards the cell: the box's distance is that one's.
static void see_pair(const char *what, const struct nbody_tree_rule *rule, double reach, bool stands)
{
    const struct lump lumps[] = {
        {{0, 0, 0}, 63, 0}, {{reach, 0, 0}, 1, 0}, pair[0], pair[1], {{1, 1, 1}, 1, 0}};
    struct nbody_body bodies[LUMPS_MAX];
    struct nbody_field field[LUMPS_MAX];
    const size_t count = make_lumps(lumps, sizeof lumps / sizeof *lumps, bodies);
    for (int p = 0; p < nbody_precision_count(); p++) {
        struct particle_set_setup setup = tree_setup(nbody_precisions[p], count, 0);
        setup.physics.tree = *rule;
        tree_field_of(&setup, bodies, field);
        assert_pull(what, &bodies[0], &field[0], pair, stands);
        assert_pull(what, &bodies[63], &field[63], pair, stands);
    }
}

TEST_SUITE(.run = nbody_test_main);

TEST(openings_by_hand)
{
    static const double reaches[] = {0, 0.25}, middle[NBODY_AXES] = {0.75, 0.25, 0.25};
    const double side = 0.5;
    double centre[NBODY_AXES];
    centre_of_pair(pair, centre);
    const double offset = nbody_apart(centre, middle);
    for (int r = 0; r < 2; r++) {
        const double nearest[NBODY_AXES] = {reaches[r], 0, 0}, distance = nbody_apart(centre, nearest);
        for (int far = 0; far < 2; far++) {
            const double more = far ? 1 + 1e-4 : 1 - 1e-4; // the cell stands from the least distance on
            const struct nbody_tree_rule by_offset = {.opening = NBODY_OPENING_OFFSET,
                                                      .theta = more * side / (distance - offset)};
            const struct nbody_tree_rule by_size = {.opening = NBODY_OPENING_SIZE,
                                                    .theta = more * side / distance};
            const struct nbody_tree_rule by_distance = {
                .opening = NBODY_OPENING_DISTANCE, .theta = 1, .distance = distance / more};
            see_pair("offset", &by_offset, reaches[r], far);
            see_pair("size", &by_size, reaches[r], far);
            see_pair("distance", &by_distance, reaches[r], far);
        }
    }
}

// A group that reaches into the cell opens it, however far its centre of mass is. Along the curve the cell is
// the last of its depth, and the group's last body comes before the lumps in it; the groups before hold the
// cube's ends.
TEST(a_group_opens_a_cell_that_it_touches)
{
    static const struct lump near[2] = {{{0.90625, 0.40625, 0.28125}, 48, 0.75},
                                        {{0.921875, 0.40625, 0.09375}, 16, 0.25}};
    static const double reaches[] = {0.25, 0.75}; // z of the last: in the cell, or not
    for (int r = 0; r < 2; r++) {
        const struct lump lumps[] = {{{0, 0, 0}, 63, 0},
                                     {{1, 1, 1}, 1, 0},
                                     {{0.78125, 0.03125, 0.90625}, 63, 0},
                                     {{0.78125, 0.03125, reaches[r] + 0.03125}, 1, 0},
                                     near[0],
                                     near[1]};
        struct nbody_body bodies[LUMPS_MAX];
        struct nbody_field field[LUMPS_MAX];
        const size_t count = make_lumps(lumps, sizeof lumps / sizeof *lumps, bodies);
        for (int p = 0; p < nbody_precision_count(); p++) {
            struct particle_set_setup setup = tree_setup(nbody_precisions[p], count, 0);
            setup.physics.tree =
                (struct nbody_tree_rule){.opening = NBODY_OPENING_DISTANCE, .theta = 1, .distance = 0.25};
            tree_field_of(&setup, bodies, field);
            for (size_t k = 64; k < 128; k++)
                assert_pull("touch", &bodies[k], &field[k], near, r == 1);
        }
    }
}

// ---- the field of a cell of bodies in a cube of side 1, seen from a distance

enum { INSIDE = 63, PROBES = 7, WATCHERS = NBODY_GROUP_BODIES };
enum { WATCHED = INSIDE + WATCHERS + 2 };

// In a cube from 0 to `distance`: bodies near its corner, that make a group with one without mass at it, and
// a group of bodies without mass that far from their centre, in another of its eight parts: the first there,
// then two for each axis, h less and h more.
static void make_watched(double distance, double h, struct nbody_body *bodies)
{
    static const double towards[NBODY_AXES] = {2.0 / 3, 2.0 / 3, 1.0 / 3};
    double centre[NBODY_AXES] = {0}, mass = 0;
    struct nbody_body cluster[INSIDE];
    particle_set_cube(INSIDE, 11, cluster);
    for (size_t k = 0; k < WATCHED; k++)
        bodies[k] = (struct nbody_body){.mass = 0};
    for (size_t k = 0; k < INSIDE; k++) {
        bodies[k].mass = (double)(1 + k % 5);
        mass += bodies[k].mass;
        for (int axis = 0; axis < NBODY_AXES; axis++) {
            bodies[k].position[axis] = 0.1 + 0.8 * cluster[k].position[axis];
            centre[axis] += bodies[k].mass * bodies[k].position[axis];
        }
    }
    for (size_t k = 0; k < WATCHERS; k++)
        for (int axis = 0; axis < NBODY_AXES; axis++) {
            const bool is_off = k > 0 && k < PROBES && (int)(k - 1) / 2 == axis;
            bodies[INSIDE + k].position[axis] =
                centre[axis] / mass + distance * towards[axis] + (is_off ? (k % 2 == 1 ? -h : h) : 0);
        }
    for (int axis = 0; axis < NBODY_AXES; axis++)
        bodies[WATCHED - 1].position[axis] = distance;
}

// The cell's field at the watchers; that it was one cell's is what the counts say.
static void watch(const struct nbody_body *bodies, double distance, double softening, bool has_quadrupole,
                  struct nbody_field field[WATCHED])
{
    struct particle_set_setup setup = tree_setup(ELEMENT_F64, WATCHED, softening);
    setup.physics.tree = (struct nbody_tree_rule){.opening = NBODY_OPENING_DISTANCE,
                                                  .theta = 1,
                                                  .distance = distance / 2,
                                                  .has_quadrupole = has_quadrupole};
    const struct nbody_tree_counts counts = tree_field_of(&setup, bodies, field);
    assert_true(counts.cell_interactions >= WATCHERS);
    assert_true(counts.cell_interactions <= WATCHERS + 2);
}

// Relative errors of the force and of the potential at the first watcher.
static void watched_error(double distance, double relative_softening, bool has_quadrupole, double error[2])
{
    struct nbody_body bodies[WATCHED];
    struct nbody_field field[WATCHED];
    const double softening = relative_softening * distance;
    double exact[NBODY_AXES] = {0}, potential = 0, origin[NBODY_AXES] = {0};
    make_watched(distance, 0, bodies);
    watch(bodies, distance, softening, has_quadrupole, field);
    const double *at = bodies[INSIDE].position;
    for (size_t k = 0; k < INSIDE; k++) {
        const double *x = bodies[k].position, soft = hypot(nbody_apart(x, at), softening);
        potential -= bodies[k].mass / soft;
        for (int axis = 0; axis < NBODY_AXES; axis++)
            exact[axis] += bodies[k].mass * (x[axis] - at[axis]) / pow(soft, 3);
    }
    error[0] = nbody_apart(field[INSIDE].acceleration, exact) / nbody_apart(exact, origin);
    error[1] = fabs(field[INSIDE].potential / potential - 1);
}

// About a centre of mass there is no dipole: the first term that a monopole leaves out falls as the second
// power of size over distance, the first after the quadrupole as the third. With a softening that is a part
// of the distance all terms fall alike.
TEST(errors_fall_with_the_terms_orders)
{
    static const double softenings[] = {0, 0.5, 1};
    for (int soft = 0; soft < 3; soft++)
        for (int terms = 0; terms < 2; terms++) {
            double near[2], far[2];
            watched_error(16, softenings[soft], terms == 1, near);
            watched_error(32, softenings[soft], terms == 1, far);
            const double force = log2(near[0] / far[0]), potential = log2(near[1] / far[1]);
            print_message(
                "softening %g of the distance, %s: error %.2e, orders %.3f (force), %.3f (potential)\n",
                softenings[soft], terms ? "quadrupole" : "monopole", far[0], force, potential);
            assert_near("order of the force", force, 2 + terms, 0.1);
            assert_near("order of the potential", potential, 2 + terms, 0.1);
        }
}

// The force is the slope of the potential, as exactly as a difference can tell: that of the fourth power of
// h, by two widths.
TEST(a_cells_pull_is_its_potentials_slope)
{
    static const double softenings[] = {0, 1, 4};
    const double distance = 4, widths[2] = {0.02, 0.04};
    for (int soft = 0; soft < 3; soft++) {
        double slope[2][NBODY_AXES], force[NBODY_AXES];
        for (int w = 0; w < 2; w++) {
            struct nbody_body bodies[WATCHED];
            struct nbody_field field[WATCHED];
            make_watched(distance, widths[w], bodies);
            watch(bodies, distance, softenings[soft], true, field);
            memcpy(force, field[INSIDE].acceleration, sizeof force);
            for (int axis = 0; axis < NBODY_AXES; axis++) {
                const struct nbody_field *low = &field[INSIDE + 1 + 2 * axis], *high = low + 1;
                slope[w][axis] = (high->potential - low->potential) / (2 * widths[w]);
            }
        }
        for (int axis = 0; axis < NBODY_AXES; axis++) {
            const double best = (4 * slope[0][axis] - slope[1][axis]) / 3;
            assert_near("force", force[axis], -best, 1e-7 * fabs(best));
        }
    }
}
