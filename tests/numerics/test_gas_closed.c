// Virial coefficients in two dimensions, which the gas' validation rests on, of models that have them in
// closed form.
#include "tests/support/test.h"

#include "validate/closed/virial.h"

static const double pi = 3.14159265358979323846;

static void assert_near(double computed, double exact, double tolerance)
{
    if (!(fabs(computed - exact) <= tolerance))
        fail_msg("%.12g, expected %.12g", computed, exact);
}

// Diameter 1: B2 = π/2, B3/B2² = 4/3 − √3/π (Tonks 1936).
TEST(hard_disks)
{
    const double nothing[] = {0, 0, 0};
    const struct virial_potential disks = {1, 2, 3, nothing};
    const double b2 = virial_second(&disks, 1);
    assert_near(b2, pi / 2, 1e-14);
    assert_near(virial_third(&disks, 1) / (b2 * b2), 4. / 3 - sqrt(3) / pi, 1e-5); // f jumps: k ends at 80
}

// B2 = π/2 (1 − (e^{1/T} − 1)(λ² − 1)), of a well of depth 1 that ends at λ.
TEST(square_well)
{
    const double depth[] = {-1, -1, -1, -1, -1}, end = 1.5;
    const struct virial_potential well = {1, end, 5, depth};
    for (double temperature = 0.5; temperature < 3; temperature += 0.5)
        assert_near(virial_second(&well, temperature),
                    pi / 2 * (1 - expm1(1 / temperature) * (end * end - 1)), 1e-12);
}

// Mayer's f = −e^{−r²}: B2 = π/2, B3 = π²/9.
TEST(gaussian_overlap)
{
    enum { COUNT = 1201 };
    const double temperature = 1.7;
    double energy[COUNT];
    for (int k = 0; k < COUNT; k++) {
        const double r = 6. * k / (COUNT - 1);
        energy[k] = -temperature * log(-expm1(-r * r));
    }
    const struct virial_potential overlap = {0, 6, COUNT, energy};
    assert_near(virial_second(&overlap, temperature), pi / 2, 1e-9);
    assert_near(virial_third(&overlap, temperature), pi * pi / 9, 5e-7);
}
