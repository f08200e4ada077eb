// The reference of the gas against what is known exactly: forces as slopes of potentials, virial
// coefficients, a crystal's energy, walls, noise, and the three regions against every pair.
#include "tests/support/test.h"

#include "core/memory_plan.h"
#include "core/statistics.h"
#include "models/gas/reference.h"

#include "tests/support/numbers.h"
#include "tests/support/owned.h"

static const double pi = 3.141592653589793;

static struct gas_physics some_physics(enum gas_potential potential)
{
    const bool is_lennard_jones =
        potential == GAS_LENNARD_JONES || potential == GAS_LENNARD_JONES_FORCE_SHIFTED;
    return (struct gas_physics){.potential = potential,
                                .attraction = 1,
                                .attraction2 = 3,
                                .repulsion = 4,
                                .softening = is_lennard_jones ? 0 : 0.1,
                                .well_depth = 1,
                                .diameter = 1,
                                .cut_off = 2.5,
                                .box = {100, 80},
                                .step = 0.01};
}

static double potential_at(const struct gas_physics *physics, double r)
{
    return reference_pair_at(physics, (double[]){r, 0}).potential;
}

static double force_at(const struct gas_physics *physics, double r)
{
    return reference_pair_at(physics, (double[]){r, 0}).f * r;
}

// ---- pairs

static void check_slopes(const struct gas_physics *physics)
{
    const double h = 1e-5, end = sqrt(6.25 - physics->softening * physics->softening);
    for (double r = 0.9; r < 4; r += 0.037) {
        if (fabs(r - end) < 0.02)
            continue;
        const double slope = (potential_at(physics, r + h) - potential_at(physics, r - h)) / (2 * h);
        assert_true(fabs(-slope - force_at(physics, r)) <= 1e-7 * (1 + fabs(slope)));
    }
}

TEST(forces_are_slopes)
{
    for (int potential = GAS_LOG; potential < GAS_POTENTIALS; potential++)
        for (int variant = 0; variant < 4; variant++) {
            struct gas_physics physics = some_physics(potential);
            physics.is_smooth = variant & 1;
            physics.has_repulsion_everywhere = variant & 2;
            check_slopes(&physics);
        }
}

// Energies are continuous at the cut-off; forces are where they are said to be, and only there.
TEST(cut_offs_are_what_they_say)
{
    const struct {
        enum gas_potential potential;
        bool is_smooth, is_force_continuous;
    } cases[] = {{GAS_REAL_GAS, false, false},      {GAS_REAL_GAS, true, true},
                 {GAS_CONDENSING, false, false},    {GAS_CONDENSING, true, true},
                 {GAS_LENNARD_JONES, false, false}, {GAS_LENNARD_JONES_FORCE_SHIFTED, false, true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct gas_physics physics = some_physics(cases[k].potential);
        physics.is_smooth = cases[k].is_smooth;
        const double end = sqrt(6.25 - physics.softening * physics.softening), h = 1e-9;
        assert_true(fabs(potential_at(&physics, end - h) - potential_at(&physics, end + h)) < 1e-8);
        const double jump = force_at(&physics, end - h) - force_at(&physics, end + h);
        assert_true(cases[k].is_force_continuous ? fabs(jump) < 1e-7 : fabs(jump) > 0.03);
    }
    // The force's jump of the truncated Lennard-Jones potential at 2.5.
    const struct gas_physics physics = some_physics(GAS_LENNARD_JONES);
    assert_true(fabs(force_at(&physics, 2.5 - 1e-9) + 0.0390) < 1e-4);
}

// B₂(T) = −π ∫ (e^{−U/T} − 1) r dr of the potential truncated and shifted at 2.5; values of an independent
// quadrature.
TEST(second_virial_coefficients)
{
    static const double known[][2] = {
        {0.60, -3.444487}, {0.80, -1.658940}, {1.00, -0.817957}, {1.50, 0.091950}, {2.00, 0.467482}};
    const struct gas_physics physics = some_physics(GAS_LENNARD_JONES);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const int count = 20000; // Simpson's rule from 0.3, below which e^{−U/T} is nothing
        const double start = 0.3, h = (2.5 - start) / count;
        double sum = 0;
        for (int n = 0; n <= count; n++) {
            const double r = start + n * h, weight = n == 0 || n == count ? 1 : n % 2 ? 4 : 2;
            sum += weight * (exp(-potential_at(&physics, r) / known[k][0]) - 1) * r * h / 3;
        }
        const double b2 = -pi * (sum - start * start / 2);
        assert_true(fabs(b2 - known[k][1]) < 2e-6);
    }
}

// The triangular crystal of the untruncated potential: least energy −3.382123 at the distance 1.111455.
static double crystal_energy(double spacing)
{
    struct gas_physics physics = some_physics(GAS_LENNARD_JONES);
    physics.cut_off = 1e6; // where U is nothing
    const int shells = 200;
    double sum = 0;
    for (int a = -shells; a <= shells; a++)
        for (int b = -shells; b <= shells; b++)
            if (a != 0 || b != 0)
                sum += potential_at(&physics, spacing * sqrt((double)(a * a + a * b + b * b)));
    return sum / 2;
}

TEST(the_crystals_energy)
{
    assert_true(fabs(crystal_energy(1.111455) + 3.382123) < 2e-6);
    assert_true(crystal_energy(1.1105) > crystal_energy(1.111455));
    assert_true(crystal_energy(1.1125) > crystal_energy(1.111455));
}

TEST(the_nearest_image_counts)
{
    struct gas_physics physics = some_physics(GAS_LENNARD_JONES);
    double r[GAS_AXES];
    physics.walls[GAS_LEFT] = physics.walls[GAS_RIGHT] = GAS_PERIODIC;
    reference_separation(&physics, (double[]){99.5, 79}, (double[]){0.25, 1}, r);
    assert_true(fabs(r[GAS_X] + 0.75) < 1e-12 && r[GAS_Y] == 78);
}

// ---- regions

enum { MANY = 3000 };

static double regions_error(const struct gas_physics *physics, const struct gas_particle *particles,
                            double *energy_error)
{
    static struct gas_field exact[MANY], field[MANY];
    const struct gas_setup setup = {.physics = physics, .count = MANY, .precision = ELEMENT_F64};
    struct gas_finding found = {.error = GAS_NO_ERROR};
    struct memory_plan plan;
    struct reference_regions *regions = NULL;
    double error = 0, total = 0, energy = 0, exact_energy = 0;
    memory_plan_begin(&plan);
    assert_int_equal(reference_regions_plan(&setup, &plan, "", &regions), STATUS_OK);
    owned_take(regions);
    assert_int_equal(memory_plan_reserve(&plan, (size_t)1 << 30, 0), STATUS_OK);
    reference_sum_pairs(physics, MANY, particles, exact, &found);
    reference_regions_sum(regions, particles, field);
    for (size_t i = 0; i < MANY; i++) {
        for (int axis = 0; axis < GAS_AXES; axis++) {
            error += pow(field[i].force[axis] - exact[i].force[axis], 2);
            total += pow(exact[i].force[axis], 2);
        }
        energy += field[i].potential;
        exact_energy += exact[i].potential;
    }
    *energy_error = fabs(energy / exact_energy - 1);
    memory_plan_release(&plan); // it clears the regions' pointers
    return sqrt(error / total);
}

// Each order is better than the one below, and all cells within reach are every pair.
TEST(regions_come_near_to_every_pair)
{
    static struct gas_particle particles[MANY];
    struct gas_physics physics = some_physics(GAS_LOG);
    double energy_error[2], error[2];
    uint64_t random = 7;
    for (size_t i = 0; i < MANY; i++)
        particles[i] = (struct gas_particle){
            .position = {next_uniform(&random, 0, 100), next_uniform(&random, 0, 80)}, .mass = 1};
    physics.softening = 0.01;
    physics.method = GAS_CELLS;
    physics.regions = (struct gas_regions){50, 40, 2, 10, 0};
    error[0] = regions_error(&physics, particles, &energy_error[0]);
    physics.regions.order = 1;
    error[1] = regions_error(&physics, particles, &energy_error[1]);
    print_message("three regions: %.1e of order 0, %.1e of order 1; energy %.1e, %.1e\n", error[0], error[1],
                  energy_error[0], energy_error[1]);
    assert_true(error[0] < 8e-3 && error[1] < 5e-4 && error[1] < error[0] / 5);
    assert_true(energy_error[0] < 1e-6 && energy_error[1] < 1e-6);
    physics.regions = (struct gas_regions){50, 40, 200, 300, 1};
    assert_true(regions_error(&physics, particles, &energy_error[0]) < 1e-13);
}

// ---- walls

static const double no_acceleration[GAS_AXES];

TEST(a_path_is_folded)
{
    struct gas_physics physics = some_physics(GAS_NO_FORCE);
    struct gas_particle particle = {.position = {99, 2}, .velocity = {300, -3}, .mass = 1};
    reference_drift(&physics, 1, 0, no_acceleration, &particle); // 399 and −1: folded four times, and once
    assert_true(fabs(particle.position[GAS_X] - 1) < 1e-9 && fabs(particle.position[GAS_Y] - 1) < 1e-12);
    assert_true(particle.velocity[GAS_X] == -300 && particle.velocity[GAS_Y] == 3);
    for (int side = 0; side < GAS_SIDES; side++)
        physics.walls[side] = GAS_DAMPED;
    physics.damping = 0.25;
    particle = (struct gas_particle){.position = {99, 40}, .velocity = {2, 8}, .mass = 1};
    reference_drift(&physics, 1, 0, no_acceleration, &particle);
    assert_true(particle.position[GAS_X] == 99 && particle.velocity[GAS_X] == -1.5);
    assert_true(particle.velocity[GAS_Y] == 6);
}

TEST(sides_may_be_periodic)
{
    struct gas_physics physics = some_physics(GAS_NO_FORCE);
    physics.walls[GAS_LEFT] = physics.walls[GAS_RIGHT] = GAS_PERIODIC;
    struct gas_particle particle = {.position = {1, 40}, .velocity = {-203, 0}, .mass = 1};
    reference_drift(&physics, 1, 0, no_acceleration, &particle);
    assert_true(fabs(particle.position[GAS_X] - 98) < 1e-12 && particle.velocity[GAS_X] == -203);
}

// A ball dropped on the floor keeps v²/2 + g y whatever the step and however often it bounces.
TEST(a_ball_in_a_uniform_field_keeps_its_energy)
{
    struct gas_physics physics = some_physics(GAS_NO_FORCE);
    const double g = 9.81, acceleration[GAS_AXES] = {0, -g}, height = 10;
    struct gas_particle particle = {.position = {50, height}, .velocity = {1, 0}, .mass = 1};
    double plain = 0, corrected = 0;
    for (int is_corrected = 0; is_corrected < 2; is_corrected++) {
        physics.walls[GAS_BOTTOM] = is_corrected ? GAS_FIELD_CORRECTED : GAS_FLIP_AND_MIRROR;
        physics.step = 0.07;
        particle = (struct gas_particle){.position = {50, height}, .velocity = {0, 0}, .mass = 1};
        double largest = 0;
        for (int step = 0; step < 10000; step++) {
            particle.velocity[GAS_Y] -= g * physics.step / 2;
            reference_drift(&physics, physics.step, physics.step / 2, acceleration, &particle);
            particle.velocity[GAS_Y] -= g * physics.step / 2;
            const double energy =
                particle.velocity[GAS_Y] * particle.velocity[GAS_Y] / 2 + g * particle.position[GAS_Y];
            largest = fmax(largest, fabs(energy / (g * height) - 1));
        }
        *(is_corrected ? &corrected : &plain) = largest;
    }
    print_message("energy of a bouncing ball changes by %.1e, mirrored by %.1e\n", corrected, plain);
    assert_true(corrected < 1e-10 && plain > 1e-3);
}

TEST(foreseen_walls_turn_before_they_are_met)
{
    struct gas_physics physics = some_physics(GAS_NO_FORCE);
    for (int side = 0; side < GAS_SIDES; side++)
        physics.walls[side] = GAS_A_PRIORI;
    struct gas_particle particle = {.position = {99.995, 40}, .velocity = {1, 1}, .mass = 1};
    reference_apply_a_priori_walls(&physics, no_acceleration, &particle);
    assert_true(particle.velocity[GAS_X] == -1 && particle.velocity[GAS_Y] == 1);
    assert_true(particle.position[GAS_X] == 99.995);
}

// ---- noise

TEST(noise_is_normal)
{
    struct gas_physics physics = some_physics(GAS_NO_FORCE);
    enum { COUNT = 200000 };
    double sum = 0, squares = 0, fourth = 0, product = 0;
    physics.seed = 5;
    for (size_t id = 0; id < COUNT; id++) {
        double normals[GAS_AXES];
        reference_noise(&physics, 17, id, normals);
        sum += normals[GAS_X] + normals[GAS_Y];
        product += normals[GAS_X] * normals[GAS_Y];
        for (int axis = 0; axis < GAS_AXES; axis++) {
            squares += pow(normals[axis], 2);
            fourth += pow(normals[axis], 4);
        }
    }
    const double deviation = 1 / sqrt(2.0 * COUNT); // of the mean; four of them each
    assert_true(fabs(sum / (2 * COUNT)) < 4 * deviation);
    assert_true(fabs(squares / (2 * COUNT) - 1) < 4 * sqrt(2) * deviation);
    assert_true(fabs(fourth / (2 * COUNT) - 3) < 4 * sqrt(96) * deviation);
    assert_true(fabs(product / COUNT) < 4 * sqrt(2) * deviation);
}

// Bussi's factor leads to K's own distribution: a gamma's, of mean N_f T/2 and variance N_f T²/2.
TEST(bussi_makes_a_canonical_energy)
{
    struct gas_physics physics = some_physics(GAS_NO_FORCE);
    const double degrees = 40, temperature = 1.5;
    enum { STEPS = 200000 };
    double kinetic = 3, sum = 0, squares = 0;
    physics.temperature = temperature;
    physics.relaxation_time = 0.02;
    physics.step = 0.01;
    physics.seed = 11;
    for (int64_t step = 0; step < STEPS; step++) {
        const double factor = reference_bussi_factor(&physics, step, degrees, kinetic);
        kinetic *= factor * factor;
        sum += kinetic;
        squares += kinetic * kinetic;
    }
    const double mean = sum / STEPS, variance = squares / STEPS - mean * mean;
    const double exact = degrees * temperature / 2, exact_variance = degrees * temperature * temperature / 2;
    print_message("Bussi: mean %.4f of %.4f, variance %.3f of %.3f\n", mean, exact, variance, exact_variance);
    const double independent = STEPS * physics.step / (2 * physics.relaxation_time);
    assert_true(fabs(mean - exact) < 4 * sqrt(exact_variance / independent));
    assert_true(fabs(variance / exact_variance - 1) < 4 * sqrt(3 / independent));
}
