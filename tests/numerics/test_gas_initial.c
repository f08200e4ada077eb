// The gas's particles at the start: lattices, random places that keep their distance, velocities of a
// temperature; and that a seed makes the same particles whatever the number of threads. No back end, no run.
#include "tests/support/test.h"

#include "models/gas/initial_private.h"
#include "tests/support/gas_start.h"
#include "tests/support/kolmogorov.h"

#include <omp.h>

// ---- lattices

// The nearest and the furthest distance from a particle to the one next to it, and how many are as near as
// that.
struct neighbours {
    double nearest, furthest;
    size_t least_touching, most_touching;
};

static struct neighbours look_at(const struct gas_particle *particles, size_t count)
{
    struct neighbours found = {INFINITY, 0, count, 0};
    for (size_t i = 0; i < count; i++) {
        double nearest = INFINITY;
        size_t touching = 0;
        for (size_t j = 0; j < count; j++)
            nearest = j == i ? nearest : fmin(nearest, start_distance(&particles[i], &particles[j]));
        for (size_t j = 0; j < count; j++)
            touching += j != i && start_distance(&particles[i], &particles[j]) < nearest * (1 + 1e-9);
        found.nearest = fmin(found.nearest, nearest);
        found.furthest = fmax(found.furthest, nearest);
        found.least_touching = touching < found.least_touching ? touching : found.least_touching;
        found.most_touching = touching > found.most_touching ? touching : found.most_touching;
    }
    return found;
}

TEST_SUITE(.setup = folder_make, .teardown = folder_remove);

// In a periodic box that fits, each has four or six neighbours at the one distance there is.
TEST(lattices_that_fit)
{
    size_t count;
    struct gas_particle *square =
        start_make("'particles': {'lattice': {'count': 150, 'temperature': 1, 'kind': 'square'}}, 'domain': "
                   "{'size': [20, 30], 'walls': 'periodic'}" START_NO_FORCE,
                   &count);
    struct neighbours found = look_at(square, count);
    assert_int_equal(count, 150);
    assert_true(fabs(found.nearest - 2) < 1e-13 && fabs(found.furthest - 2) < 1e-13);
    assert_int_equal(found.least_touching, 4);
    assert_int_equal(found.most_touching, 4);
    // 16 in a row, 18 rows √3/2 apart.
    struct gas_particle *triangular =
        start_make("'particles': {'lattice': {'count': 288, 'temperature': 1}}, 'domain': {'size': [16, "
                   "15.588457268119894], 'walls': 'periodic'}" START_NO_FORCE,
                   &count);
    found = look_at(triangular, count);
    assert_true(fabs(found.nearest - 1) < 1e-13 && fabs(found.furthest - 1) < 1e-13);
    assert_int_equal(found.least_touching, 6);
    assert_int_equal(found.most_touching, 6);
}

static void assert_inside(const struct gas_particle *particles, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int axis = 0; axis < GAS_AXES; axis++)
            if (!(particles[i].position[axis] >= 0 && particles[i].position[axis] <= start_physics.box[axis]))
                fail_msg("particle %zu: component %d: %.17g", i, axis, particles[i].position[axis]);
}

// How much of a particle is in the lower half of the box.
static double half_below(double share)
{
    return fabs(share - 0.5) < 1e-9 ? 0.5 : share < 0.5;
}

// Sites too many are left empty: all particles are apart by about the spacing of a lattice of as many sites,
// and none of the box's halves has more than the other but by a row.
TEST(counts_that_do_not_fill)
{
    static const char *const kinds[] = {"square", "triangular"}, *const walls[] = {"reflect", "periodic"};
    static const double dense[] = {1, 1.0745699318235419}; // spacing² · density: 1, 2/√3 of it
    for (size_t of = 2; of < 160; of = of < 20 ? of + 1 : of + 7)
        for (int kind = 0; kind < 2; kind++)
            for (int wall = 0; wall < 2; wall++) {
                char blocks[400];
                size_t count;
                double below = 0;
                snprintf(blocks, sizeof blocks,
                         "'particles': {'lattice': {'count': %zu, 'temperature': 1, 'kind': '%s'}}, "
                         "'domain': {'density': 0.25, 'aspect': 1.7, 'walls': '%s'}" START_NO_FORCE,
                         of, kinds[kind], walls[wall]);
                struct gas_particle *particles = start_make(blocks, &count);
                const struct neighbours found = look_at(particles, count);
                const double spacing = 2 * dense[kind];
                assert_int_equal(count, of);
                assert_inside(particles, count);
                for (size_t i = 0; i < count; i++)
                    below += half_below(particles[i].position[GAS_Y] / start_physics.box[GAS_Y]);
                if (!(found.nearest > 0.6 * spacing && found.nearest < 1.01 * spacing) ||
                    fabs(below / (double)of - 0.5) > 0.55 / sqrt((double)of / 1.7))
                    fail_msg("%zu on a %s lattice, %s: nearest %g of %g, %g in the lower half", of,
                             kinds[kind], walls[wall], found.nearest, spacing, below);
            }
}

// Nine of 10 × 10 sites are empty: not all in one row, but as many in the lower half as in the upper one, or
// one more.
TEST(empty_sites_are_spread)
{
    size_t count;
    double below = 0;
    struct gas_particle *particles =
        start_make("'particles': {'lattice': {'count': 91, 'temperature': 1, 'kind': 'square'}}, 'domain': "
                   "{'size': [10, 10]}" START_NO_FORCE,
                   &count);
    const struct neighbours found = look_at(particles, count);
    assert_true(fabs(found.nearest - 1) < 1e-13 && fabs(found.furthest - 1) < 1e-13);
    for (size_t i = 0; i < count; i++)
        below += half_below(particles[i].position[GAS_Y] / 10);
    assert_true(fabs(below - 45.5) < 1);
}

// A periodic triangular lattice has an even number of rows: 17 would have the first right above the last,
// √3/2 away.
TEST(rows_go_on_across_a_side)
{
    size_t count;
    struct gas_particle *particles =
        start_make("'particles': {'lattice': {'count': 272, 'temperature': 1}}, 'domain': {'size': [16, "
                   "14.722431864335458], 'walls': 'periodic'}" START_NO_FORCE,
                   &count);
    const struct neighbours found = look_at(particles, count);
    if (!(found.nearest > 0.91))
        fail_msg("nearest: %g", found.nearest);
}

// Off their sites by up to a quarter of a spacing on each axis, evenly.
TEST(jitter)
{
    size_t count;
    struct gas_particle *sites[2];
    for (int k = 0; k < 2; k++) {
        char blocks[300];
        snprintf(blocks, sizeof blocks,
                 "'particles': {'lattice': {'count': 2500, 'temperature': 1, 'kind': 'square', 'jitter': %g, "
                 "'seed': 9}}, 'domain': {'size': [100, 200]}" START_NO_FORCE,
                 0.25 * k);
        sites[k] = start_make(blocks, &count);
    }
    const struct neighbours found = look_at(sites[0], count);
    for (int axis = 0; axis < GAS_AXES; axis++) {
        double *shares = owned_zeros(count, sizeof *shares);
        for (size_t i = 0; i < count; i++)
            shares[i] = 0.5 + (sites[1][i].position[axis] - sites[0][i].position[axis]) / found.nearest * 2;
        if (axis == GAS_X)
            assert_true(kolmogorov(shares, count, uniform_cdf) < 1.95);
    }
    assert_inside(sites[1], count);
}

// ---- at random

static void assert_apart(const struct gas_particle *particles, size_t count, double distance)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (!(start_distance(&particles[i], &particles[j]) >= distance))
                fail_msg("particles %zu and %zu are %.17g apart, less than %g", j, i,
                         start_distance(&particles[i], &particles[j]), distance);
}

// Nearly as dense as it may be, in boxes of any shape; without a distance, 0.9 of the core is kept.
TEST(random_places_keep_their_distance)
{
    static const struct {
        const char *domain, *potential;
        size_t count;
        double distance; // 0: not given
        double expected;
    } cases[] = {{"{'size': [50, 50]}", "none", 1500, 1, 1},
                 {"{'size': [50, 50], 'walls': 'periodic'}", "none", 1550, 1, 1},
                 {"{'size': [400, 2.5], 'walls': 'periodic'}", "none", 600, 1, 1},
                 {"{'size': [0.01, 1000]}", "none", 6, 1, 1},
                 {"{'density': 0.7, 'walls': 'periodic'}", "lennard-jones", 1000, 0, 0.9}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char blocks[512], distance[64] = "";
        size_t count;
        if (cases[k].distance > 0)
            snprintf(distance, sizeof distance, ", 'distance': %g", cases[k].distance);
        snprintf(blocks, sizeof blocks,
                 "'particles': {'random': {'count': %zu, 'temperature': 1%s}}, 'domain': %s, 'physics': "
                 "{'potential': {'name': '%s'}}",
                 cases[k].count, distance, cases[k].domain, cases[k].potential);
        struct gas_particle *particles = start_make(blocks, &count);
        assert_int_equal(count, cases[k].count);
        assert_inside(particles, count);
        assert_apart(particles, count, cases[k].expected);
    }
}

static double in_the_box(double x)
{
    return fmin(fmax(x / start_physics.box[GAS_X], 0), 1);
}

TEST(random_places_are_even)
{
    size_t count;
    struct gas_particle *particles = start_make("'particles': {'random': {'count': 5000, 'temperature': 1, "
                                                "'seed': 3}}, 'domain': {'size': [7, 7]}" START_NO_FORCE,
                                                &count);
    double *x = owned_zeros(count, sizeof *x);
    for (int axis = 0; axis < GAS_AXES; axis++) {
        for (size_t i = 0; i < count; i++)
            x[i] = particles[i].position[axis];
        assert_true(kolmogorov(x, count, in_the_box) < 1.95);
    }
}

// More than half of the box covered is refused before anything is placed.
TEST(too_dense_for_random_places)
{
    expect_refusal(
        "'particles': {'random': {'count': 1000000000, 'temperature': 1, 'distance': 1}}, 'domain': "
        "{'density': 0.7}" START_NO_FORCE,
        "particles.random.distance: 1000000000 discs of diameter 1 cover 0.55 of the box: at most 0.5");
}

// Four discs so large that two at most fit into a periodic box: the search ends.
TEST(a_search_without_end_ends)
{
    enum { COUNT = 4 };
    const struct gas_physics physics = {.box = {10, 10},
                                        .walls = {GAS_PERIODIC, GAS_PERIODIC, GAS_PERIODIC, GAS_PERIODIC}};
    struct gas_grid grid;
    int32_t heads[COUNT], next[COUNT];
    double places[COUNT][GAS_AXES];
    size_t placed;
    gas_grid_shape(&grid, &physics, 6, COUNT);
    assert_true(gas_grid_cells(&grid) <= COUNT);
    grid.heads = heads;
    grid.next = next;
    grid.positions = places;
    assert_false(gas_random_positions(&grid, COUNT, 1, &placed));
    assert_true(placed == 1 || placed == 2);
}

// ---- too near for the step

// A pair of Lennard-Jones particles that starts at rest: the energy that it has in the end, by leapfrog, over
// that of the start.
static double energy_kept(double r, double reduced_mass, double step)
{
    double v = 0, force = 24 * (2 * pow(r, -13) - pow(r, -7));
    const double start = 4 * (pow(r, -12) - pow(r, -6));
    for (int k = 0; k < 1000 && r < 100; k++) {
        v += force / reduced_mass * step / 2;
        r += v * step;
        force = 24 * (2 * pow(r, -13) - pow(r, -7));
        v += force / reduced_mass * step / 2;
    }
    return (reduced_mass * v * v / 2 + 4 * (pow(r, -12) - pow(r, -6))) / start;
}

// The limit is where √(2U/μ) Δt = r, and there a step makes several times the energy; well beyond it, it
// keeps it.
TEST(limit_of_nearness)
{
    static const double masses[] = {1, 0.01, 40}, steps[] = {0.005, 0.02, 1e-4};
    for (size_t k = 0; k < 3; k++) {
        const struct gas_physics physics = {
            .potential = GAS_LENNARD_JONES, .well_depth = 1, .diameter = 1, .cut_off = 2.5, .step = steps[k]};
        const double r = gas_near_distance(&physics, masses[k]), potential = 4 * (pow(r, -12) - pow(r, -6));
        const double path = sqrt(4 * potential / masses[k]) * steps[k]; // μ = m/2
        assert_true(r > 0 && r < 1);
        assert_true(fabs(path / r - 1) < 1e-9);
        const double pair[2] = {masses[k], masses[k]}, unequal[2] = {masses[k], 1e6 * masses[k]};
        assert_true(gas_is_too_near(&physics, pair, 0.999 * r) &&
                    !gas_is_too_near(&physics, pair, 1.001 * r));
        assert_false(gas_is_too_near(&physics, unequal, 0.999 * r)); // twice the reduced mass
        if (r < 0.8) {
            assert_true(energy_kept(r, masses[k] / 2, steps[k]) > 3);
            assert_true(fabs(energy_kept(1.6 * r, masses[k] / 2, steps[k]) - 1) < 0.02);
        }
    }
    // A softened repulsion has no more energy than R/(2 ε²), at whatever distance; ln r has no core at all.
    const struct gas_physics soft = {.potential = GAS_REAL_GAS,
                                     .attraction = 1,
                                     .repulsion = 1,
                                     .softening = 0.3,
                                     .cut_off = 2,
                                     .step = 0.005},
                             endless = {.potential = GAS_LOG, .attraction = 1, .step = 0.1};
    assert_true(gas_near_distance(&soft, 1) == 0 && gas_near_distance(&endless, 1) == 0);
    const double core = sqrt(1 - 0.09), s = 0.01 + 0.09;
    assert_true(fabs(gas_near_energy(&soft, 0.1) - (log(s) + 1 / s) / 2 + (0 + 1.0) / 2) < 1e-12);
    assert_true(gas_near_energy(&soft, core) == 0);
}

TEST(too_near_for_the_step)
{
    expect_refusal(
        "'particles': {'lattice': {'count': 400, 'kind': 'square', 'temperature': 1}}, 'domain': {'size': "
        "[1, 1]}, 'physics': {'potential': {'name': 'lennard-jones'}}",
        "particles.lattice: neighbouring sites are too near: 0.05 apart, with an energy of 1.64e+16");
    expect_refusal("'particles': {'random': {'count': 400, 'distance': 0.05, 'temperature': 1}}, 'domain': "
                   "{'size': [10, 10]}, 'physics': {'potential': {'name': 'lennard-jones'}}",
                   "particles.random.distance: particles ");
    size_t count;
    start_make("'particles': {'random': {'count': 20, 'distance': 0.05, 'temperature': 1}}, 'domain': "
               "{'size': [1000, 1000]}, 'physics': {'potential': {'name': 'lennard-jones'}}",
               &count);
    assert_int_equal(count, 20); // none of them are near, though they might be
}

// ---- velocities

// 2K is exactly T times the degrees of freedom that the run has: 2N − 2 in a periodic box without friction,
// else 2N.
TEST(temperatures_are_exact)
{
    static const struct {
        const char *walls, *thermostat, *temperature;
        double degrees, expected;
    } cases[] = {{"periodic", "", ", 'temperature': 2.5", 3998, 2.5},
                 {"reflect", "", ", 'temperature': 1e-6", 4000, 1e-6},
                 {"periodic", ", 'thermostat': {'name': 'langevin', 'temperature': 3}", "", 4000, 3},
                 {"periodic", ", 'thermostat': {'name': 'bussi', 'temperature': 3}", ", 'temperature': 0.5",
                  3998, 0.5},
                 {"periodic", "", ", 'temperature': 0", 3998, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char blocks[600];
        size_t count;
        snprintf(blocks, sizeof blocks,
                 "'particles': {'lattice': {'count': 2000, 'mass': 0.25%s}}, 'domain': {'density': 0.5, "
                 "'walls': '%s'}, 'physics': {'potential': {'name': 'none'}%s}",
                 cases[k].temperature, cases[k].walls, cases[k].thermostat);
        struct gas_particle *particles = start_make(blocks, &count);
        const double twice = 2 * start_kinetic(particles, count),
                     wanted = cases[k].degrees * cases[k].expected;
        if (!(fabs(twice - wanted) <= 1e-13 * wanted))
            fail_msg("case %zu: 2K is %.17g, not %.17g", k, twice, wanted);
        for (int axis = 0; axis < GAS_AXES; axis++)
            assert_true(start_momentum(particles, count, axis) < 1e-14);
        for (size_t i = 0; i < count; i++)
            assert_true(particles[i].mass == 0.25);
        if (k == 0)
            for (int axis = 0; axis < GAS_AXES; axis++) {
                double v[2000];
                for (size_t i = 0; i < count; i++)
                    v[i] = particles[i].velocity[axis] / sqrt(cases[k].expected / 0.25);
                assert_true(kolmogorov(v, count, normal_cdf) < 1.95);
            }
    }
}

// More particles than are made at a time.
TEST(threads_change_no_bit)
{
    static const char *const starts[] = {
        "'particles': {'lattice': {'count': 270001, 'temperature': 1, 'jitter': 0.1, 'seed': %d}}, 'domain': "
        "{'density': 0.5}" START_NO_FORCE,
        "'particles': {'random': {'count': 270001, 'temperature': 1, 'distance': 1, 'seed': %d}}, 'domain': "
        "{'density': 0.3}" START_NO_FORCE};
    const int threads = omp_get_max_threads();
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
        struct gas_particle *particles[3];
        size_t count;
        for (int run = 0; run < 3; run++) {
            const char *blocks = format_text(starts[k], run == 2);
            omp_set_num_threads(run == 0 ? 1 : 3);
            particles[run] = start_make(blocks, &count);
        }
        omp_set_num_threads(threads);
        assert_int_equal(count, 270001);
        assert_memory_equal(particles[0], particles[1], count * sizeof **particles);
        for (size_t i = 0; i < count; i++)
            assert_true(particles[0][i].velocity[GAS_X] != particles[2][i].velocity[GAS_X] &&
                        particles[0][i].position[GAS_X] != particles[2][i].position[GAS_X]);
    }
}
