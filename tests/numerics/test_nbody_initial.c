// The bodies at the start against what they are samples of: masses, profiles, energies, orbits, and that the
// same seed makes the same bodies whatever the number of threads. No back end, no run.
#include "tests/support/test.h"

#include "tests/support/nbody_start.h"

#include <omp.h>

// ---- Plummer's sphere

static double plummer_cdf(double r)
{
    const double a = 3 * pi / 16, x = r / a;
    return pow(1 + 1 / (x * x), -1.5) * pow(1 + 1 / 1600.0, 1.5);
}

// ∫ q²(1 − q²)^{7/2} over 7π/512, by Simpson's rule.
static double speed_cdf(double q)
{
    enum { STEPS = 200 };
    const double end = fmin(q, 1), h = end / STEPS;
    double sum = 0;
    for (int k = 0; k <= STEPS; k++) {
        const double x = k * h, weight = k == 0 || k == STEPS ? 1 : k % 2 ? 4 : 2;
        sum += weight * x * x * pow(fmax(1 - x * x, 0), 3.5);
    }
    return sum * h / 3 / (7 * pi / 512);
}

TEST_SUITE(.setup = folder_make, .teardown = folder_remove);

TEST(plummer_has_its_profile)
{
    size_t count;
    struct nbody_body *bodies = start_make("nbody", "{'plummer': {'count': 20000, 'seed': 7}}", &count);
    double *radii = owned_zeros(count, sizeof *radii), *speeds = owned_zeros(count, sizeof *speeds);
    double *heights = owned_zeros(count, sizeof *heights);
    const double a = 3 * pi / 16;
    assert_int_equal(count, 20000);
    assert_centred(bodies, count, 1);
    for (size_t i = 0; i < count; i++) {
        radii[i] = sqrt(dot(bodies[i].position, bodies[i].position));
        speeds[i] =
            sqrt(dot(bodies[i].velocity, bodies[i].velocity) / (2 / sqrt(radii[i] * radii[i] + a * a)));
        heights[i] = 0.5 + 0.5 * bodies[i].velocity[2] / sqrt(dot(bodies[i].velocity, bodies[i].velocity));
    }
    assert_true(kolmogorov(radii, count, plummer_cdf) < 1.95);
    assert_true(radii[count - 1] < 41 * a && radii[count - 1] > 10 * a);
    assert_true(kolmogorov(speeds, count, speed_cdf) < 1.95);
    assert_true(kolmogorov(heights, count, uniform_cdf) < 1.95);
}

// The mean of 16 samples of 2048 has a deviation of 0.002 in W and in K; leaving out what is beyond the
// cutoff, 0.0009 of the mass, and giving its mass to the rest makes W 0.002 deeper.
TEST(plummer_has_its_energy)
{
    enum { SAMPLES = 16 };
    double k = 0, w = 0;
    for (int seed = 1; seed <= SAMPLES; seed++) {
        size_t count;
        const char *text = format_text("{'plummer': {'count': 2048, 'seed': %d}}", seed);
        struct nbody_body *bodies = start_make("nbody", text, &count);
        k += kinetic(bodies, count) / SAMPLES;
        w += potential(bodies, count) / SAMPLES;
    }
    print_message("Plummer: E %.5f, 2K/|W| %.4f\n", k + w, 2 * k / fabs(w));
    assert_true(fabs(k + w + 0.25) < 0.008);
    assert_true(fabs(2 * k / fabs(w) - 1) < 0.02);
}

// More bodies than a window.
TEST(threads_change_no_bit)
{
    static const char text[] =
        "{'plummer': {'count': 270001, 'seed': 3, 'mass': 2, 'radius': 0.5, 'cutoff': 10}}";
    struct nbody_body *bodies[3];
    size_t count;
    const int threads = omp_get_max_threads();
    for (int k = 0; k < 2; k++) {
        omp_set_num_threads(k == 0 ? 1 : 3);
        bodies[k] = start_make("nbody", text, &count);
    }
    omp_set_num_threads(threads);
    bodies[2] = start_make(
        "nbody", "{'plummer': {'count': 270001, 'seed': 4, 'mass': 2, 'radius': 0.5, 'cutoff': 10}}", &count);
    assert_int_equal(count, 270001);
    assert_memory_equal(bodies[0], bodies[1], count * sizeof **bodies);
    assert_centred(bodies[0], count, 2);
    for (size_t i = 0; i < count; i++) {
        assert_true(sqrt(dot(bodies[0][i].position, bodies[0][i].position)) < 5.01);
        assert_true(bodies[0][i].position[0] != bodies[2][i].position[0]);
    }
}

// ---- even density

TEST(a_cube_is_even)
{
    size_t count;
    struct nbody_body *bodies = start_make(
        "nbody", "{'uniform-cube': {'count': 5000, 'side': 2, 'mass': 3, 'virial_ratio': 0.5}}", &count);
    double *places = owned_zeros(count, sizeof *places);
    assert_centred(bodies, count, 3);
    for (int axis = 0; axis < 3; axis++) {
        for (size_t i = 0; i < count; i++)
            places[i] = 0.5 + bodies[i].position[axis] / 2;
        assert_true(kolmogorov(places, count, uniform_cdf) < 1.95);
        assert_true(places[0] > -0.02 && places[count - 1] < 1.02);
    }
    const double w = -0.5 * 1.8823126443896602 * 9 / 2;
    assert_true(fabs(2 * kinetic(bodies, count) / fabs(w) - 0.5) < 1e-12);
    print_message("cube: W %.5f of %.5f\n", potential(bodies, count), w);
    assert_true(fabs(potential(bodies, count) / w - 1) < 0.01);
}

TEST(a_sphere_is_even_and_cold)
{
    size_t count;
    struct nbody_body *bodies =
        start_make("nbody", "{'cold-collapse': {'count': 5000, 'radius': 2}}", &count);
    double *shares = owned_zeros(count, sizeof *shares), moments[3] = {0};
    assert_centred(bodies, count, 1);
    for (size_t i = 0; i < count; i++) {
        shares[i] = pow(dot(bodies[i].position, bodies[i].position) / 4, 1.5);
        for (int axis = 0; axis < 3; axis++)
            moments[axis] += bodies[i].mass * bodies[i].velocity[axis] * bodies[i].velocity[axis];
    }
    assert_true(kolmogorov(shares, count, uniform_cdf) < 1.95);
    const double w = -0.6 / 2;
    assert_true(fabs(2 * kinetic(bodies, count) / fabs(w) - 0.1) < 1e-12);
    assert_true(fabs(potential(bodies, count) / w - 1) < 0.01);
    for (int axis = 0; axis < 3; axis++) // a third each; deviation √(2/5000)
        assert_true(fabs(moments[axis] / (0.1 * fabs(w) / 3) - 1) < 0.07);
    bodies = start_make("nbody", "{'cold-collapse': {'count': 50, 'virial_ratio': 0}}", &count);
    assert_true(kinetic(bodies, count) == 0);
}

// ---- two bodies

TEST(an_ellipse_has_its_energy)
{
    size_t count;
    struct nbody_body *bodies = start_make(
        "nbody", "{'kepler': {'mass': 2, 'mass_ratio': 0.25, 'semi_major_axis': 3, 'eccentricity': 0.5}}",
        &count);
    assert_int_equal(count, 2);
    assert_centred(bodies, count, 2);
    const double m1 = bodies[0].mass, m2 = bodies[1].mass;
    assert_true(fabs(m2 / m1 - 0.25) < 1e-15);
    assert_true(fabs(distance(bodies[0].position, bodies[1].position) - 4.5) < 1e-14);
    assert_true(bodies[1].position[0] > 0 && bodies[1].velocity[1] > 0);
    const double energy = kinetic(bodies, 2) + potential(bodies, 2);
    assert_true(fabs(energy + m1 * m2 / (2 * 3)) < 1e-15);
    double spin = 0;
    for (int i = 0; i < 2; i++)
        spin += bodies[i].mass * (bodies[i].position[0] * bodies[i].velocity[1] -
                                  bodies[i].position[1] * bodies[i].velocity[0]);
    assert_true(fabs(spin - m1 * m2 / 2 * sqrt(2 * 3 * (1 - 0.25))) < 1e-14);
}

// Earth and Sun: a year.
TEST(an_ellipse_in_si)
{
    size_t count;
    struct nbody_body *bodies = start_make(
        "si", "{'kepler': {'mass': '1 solar_mass', 'mass_ratio': 3e-6, 'semi_major_axis': '1 AU'}}", &count);
    assert_true(fabs(2 * pi * start_units.time / 86400 / 365.2569 - 1) < 2e-6); // Gauss's year
    assert_true(fabs(start_units.velocity / 29784.7 - 1) < 1e-5);
    assert_true(fabs(start_units.energy / (start_units.mass * start_units.velocity * start_units.velocity) -
                     1) < 1e-15);
    assert_centred(bodies, count, 1);
    assert_true(fabs(distance(bodies[0].position, bodies[1].position) - 1) < 1e-15);
    assert_true(fabs(kinetic(bodies, 2) + potential(bodies, 2) + bodies[0].mass * bodies[1].mass / 2) <
                1e-20);
}

// Three equal masses about a centre at rest, on one line at the start, without angular momentum. For masses
// of 1 the energy is 3/4 v² − 5/(2 r) = −1.28714199 with the numbers of Chenciner and Montgomery (2000).
TEST(the_figure_eight_has_its_energy)
{
    size_t count;
    struct nbody_body *bodies = start_make("nbody", "{'figure-eight': {'mass': 6, 'length': 2}}", &count);
    double spin = 0;
    assert_int_equal(count, 3);
    assert_centred(bodies, count, 6);
    for (size_t i = 0; i < 3; i++) {
        assert_true(bodies[i].mass == 2 && bodies[i].position[2] == 0 && bodies[i].velocity[2] == 0);
        spin += bodies[i].position[0] * bodies[i].velocity[1] - bodies[i].position[1] * bodies[i].velocity[0];
    }
    assert_true(fabs(spin) < 1e-15);
    // m²/length = 2
    assert_true(fabs((kinetic(bodies, 3) + potential(bodies, 3)) / 2 + 1.28714199) < 1e-8);
}

// A cluster in SI is the one in N-body units, scaled.
TEST(si_is_the_same_sphere)
{
    size_t count;
    struct nbody_body *plain = start_make("nbody", "{'plummer': {'count': 1000, 'radius': 1}}", &count);
    struct nbody_body *scaled =
        start_make("si", "{'plummer': {'count': 1000, 'radius': '2 pc', 'mass': '1e5 Msun'}}", &count);
    assert_memory_equal(plain, scaled, count * sizeof *plain);
    assert_true(fabs(start_units.length / 3.0856775814913673e16 - 2) < 1e-12);
    assert_true(fabs(start_units.time / sqrt(pow(start_units.length, 3) / (6.6743e-11 * start_units.mass)) -
                     1) < 1e-12);
    assert_string_equal(start_units.length_name, "m");
}
