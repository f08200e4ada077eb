// The closed forms that the N-body model's validation rests on, each against something else than itself: the
// equations of motion by finite differences, energies by quadrature, numbers known by hand. Knows no solver.
#include "tests/support/test.h"

#include "validate/closed/kepler.h"
#include "validate/closed/spheres.h"

#include "tests/support/numbers.h"

static const double pi = 3.14159265358979323846;

static double length(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

TEST(anomalies_solve_keplers_equation)
{
    static const double eccentricities[] = {0, 0.1, 0.5, 0.9, 0.99, 0.999999};
    for (size_t k = 0; k < sizeof eccentricities / sizeof *eccentricities; k++)
        for (int i = -200; i <= 200; i++) {
            const double mean = 0.05 * i, e = eccentricities[k], anomaly = kepler_eccentric_anomaly(mean, e);
            assert_near("mean anomaly", anomaly - e * sin(anomaly), mean, 4e-14);
        }
    assert_near("E", kepler_eccentric_anomaly(0.5 * pi - 0.5, 0.5), 0.5 * pi, 1e-14);
}

TEST(orbits_obey_newton)
{
    const struct kepler_orbit orbits[] = {{1, 0.5}, {2.5, 0.1}, {0.7, 0}};
    const double h = 1e-4;
    for (size_t k = 0; k < 3; k++)
        for (int i = 0; i < 20; i++) {
            const double time = (0.13 + 0.37 * i) * kepler_period(&orbits[k]);
            double x[3][3], v[3][3];
            for (int side = 0; side < 3; side++)
                kepler_state(&orbits[k], time + (side - 1) * h, x[side], v[side]);
            const double r = length(x[1]);
            for (int axis = 0; axis < 3; axis++) {
                assert_near("velocity", (x[2][axis] - x[0][axis]) / (2 * h), v[1][axis], 1e-6);
                assert_near("acceleration", (v[2][axis] - v[0][axis]) / (2 * h), -x[1][axis] / (r * r * r),
                            1e-5);
            }
            const double speed = length(v[1]);
            assert_near("energy", 0.5 * speed * speed - 1 / r, -0.5 / orbits[k].semi_major_axis, 1e-13);
        }
}

TEST(orbits_are_ellipses_of_their_period)
{
    const struct kepler_orbit orbit = {1, 0.5};
    double x[3], v[3];
    kepler_state(&orbit, 0, x, v);
    assert_near("pericentre", x[0], 0.5, 1e-15);
    assert_near("speed there", v[1], sqrt(3), 1e-15);
    kepler_state(&orbit, pi, x, v);
    assert_near("apocentre", x[0], -1.5, 1e-15);
    assert_near("speed there", v[1], -1 / sqrt(3), 1e-15);
    kepler_state(&orbit, 200 * pi, x, v);
    assert_near("after a hundred orbits", x[0], 0.5, 1e-12);
}

// Mass and energy of the density (3/4πa³)(1 + r²/a²)^{−5/2}, by Simpson's rule in u = r/(r + a).
TEST(plummers_sphere_is_its_density)
{
    enum { PARTS = 4000 };
    const double a = 3 * pi / 16;
    double mass = 0, energy = 0;
    for (int k = 0; k < PARTS; k++) {
        const double u = (double)k / PARTS, r = a * u / (1 - u), stretch = a / ((1 - u) * (1 - u));
        const double density = 3 / (4 * pi * a * a * a) * pow(1 + r * r / (a * a), -2.5);
        const double weight = (k == 0 ? 1 : k % 2 == 1 ? 4 : 2) / (3. * PARTS);
        mass += weight * 4 * pi * r * r * density * stretch;
        // Half of the potential energy ½ ∫ ρ φ, as the virial theorem has it.
        energy -= weight * pi * r * r * density * stretch / sqrt(r * r + a * a);
        if (k == PARTS / 2)
            assert_near("mass within r", mass - 0.5 * weight * 4 * pi * r * r * density * stretch,
                        plummer_mass(a, r), 1e-6);
    }
    assert_near("mass", mass, 1, 1e-10);
    assert_near("energy", energy, plummer_energy(a), 1e-10);
    assert_near("energy in standard units", plummer_energy(a), -0.25, 1e-15);
    assert_near("half-mass radius", plummer_radius(1, 0.5), 1.30476603, 1e-8);
    for (int k = 1; k < 100; k++)
        assert_near("share", plummer_mass(a, plummer_radius(a, 0.01 * k)), 0.01 * k, 1e-14);
}

// ½ (dr/dt)² = 1/r − 1 for the shell of radius 1 at rest around unit mass.
TEST(dust_falls)
{
    const double h = 1e-5, fall = dust_fall_time(1);
    assert_near("time of fall", fall, pi / (2 * sqrt(2)), 1e-15);
    assert_near("of another", dust_fall_time(4), 8 * fall, 1e-14);
    assert_near("at the start", dust_radius(0), 1, 1e-15);
    assert_near("at the end", dust_radius(1), 0, 1e-9);
    for (int k = 1; k < 10; k++) {
        const double share = 0.1 * k, r = dust_radius(share);
        const double speed = (dust_radius(share + h) - dust_radius(share - h)) / (2 * h * fall);
        assert_near("energy", 0.5 * speed * speed, 1 / r - 1, 1e-6 / r);
    }
}
