// The closed forms of heat that validations rest on, each against something else than itself: the equations
// that they solve, by finite differences; conservation of heat; conditions at walls; quadrature; published
// values. And the formulas that all back ends share (models/bioheat/results.h) against the mathematical
// library. Knows no solver.
#include "tests/support/test.h"

#include "models/bioheat/results.h"
#include "validate/closed/heat_dose.h"
#include "validate/closed/heat_gaussian.h"
#include "validate/closed/heat_modes.h"
#include "validate/closed/heat_slab.h"
#include "validate/closed/manufactured.h"

#include "tests/support/numbers.h"

static const double pi = 3.14159265358979323846;

// ---- plane waves

TEST(waves_decay_at_their_rate)
{
    const struct heat_mode mode = {1.4e-7, 2e-3, {0, 300, 400}};
    assert_near("rate", heat_mode_rate_per_s(&mode), 1.4e-7 * 250000 + 2e-3, 1e-16);
    // The operator applied to the wave itself, point by point.
    const double h[3] = {0, 1e-3, 2e-3};
    double operator_sum = 0;
    static const double weights[5] = {-1, 16, -30, 16, -1};
    for (int axis = 1; axis < 3; axis++)
        for (int k = 0; k < 5; k++)
            operator_sum +=
                weights[k] * cos(mode.wave_number_rad_m[axis] * (k - 2) * h[axis]) / (12 * h[axis] * h[axis]);
    assert_near("discrete rate", heat_mode_discrete_rate_per_s(&mode, h), 2e-3 - 1.4e-7 * operator_sum,
                1e-15);
    // Fourth order: kh halved, error a sixteenth.
    double error[2];
    for (int k = 0; k < 2; k++)
        error[k] = heat_mode_discrete_rate_per_s(&mode, (double[]){0, 2e-4 / (1 + k), 2e-4 / (1 + k)}) -
                   heat_mode_rate_per_s(&mode);
    assert_near("order of the operator", log2(error[0] / error[1]), 4, 0.01);
    // a' = s − λa, and where it ends.
    const double t = 30, dt = 1e-2, rate = 0.037;
    const double slope =
        (heat_mode_after(rate, 5, 0.2, t + dt) - heat_mode_after(rate, 5, 0.2, t - dt)) / (2 * dt);
    assert_near("equation", slope, 0.2 - rate * heat_mode_after(rate, 5, 0.2, t), 1e-9);
    assert_near("start", heat_mode_after(rate, 5, 0.2, 0), 5, 0);
    assert_near("end", heat_mode_after(rate, 5, 0.2, 1e4), 0.2 / rate, 1e-14);
    double a = 5;
    for (int n = 0; n < 100; n++)
        a += 0.25 * (0.2 - rate * a);
    assert_near("explicit Euler", heat_mode_after_euler(rate, 5, 0.2, 0.25, 100), a, 1e-13);
    assert_near("no decay", heat_mode_after_euler(0, 5, 0.2, 0.25, 100), heat_mode_after(0, 5, 0.2, 25),
                1e-13);
}

// ---- Gaussian

TEST(gaussian_solves_its_equation)
{
    const double t = 20, dt = 0.02, dr = 2e-5;
    for (int d = 1; d <= 3; d++) {
        const struct heat_gaussian g = {7, 3e-3, 1.4e-7, 4e-3, d};
        for (double r = 1e-3; r < 6e-3; r += 1e-3) {
            const double here = heat_gaussian_k(&g, r, t);
            const double out = heat_gaussian_k(&g, r + dr, t), in = heat_gaussian_k(&g, r - dr, t);
            const double rate = (heat_gaussian_k(&g, r, t + dt) - heat_gaussian_k(&g, r, t - dt)) / (2 * dt);
            const double laplacian = (out - 2 * here + in) / (dr * dr) + (d - 1) / r * (out - in) / (2 * dr);
            assert_near("diffusion", rate, 1.4e-7 * laplacian - 4e-3 * here, 3e-6);
        }
        assert_near("start", heat_gaussian_k(&g, 2e-3, 0), 7 * exp(-4.0 / 9), 1e-14);
    }
    // On a line its heat does not change but for perfusion: A w √π e^{−Pt}.
    const struct heat_gaussian g = {7, 3e-3, 1.4e-7, 4e-3, 1};
    double sum = 0;
    for (double x = -0.05; x < 0.05; x += 1e-5)
        sum += 1e-5 * heat_gaussian_k(&g, x, 60);
    assert_near("heat", sum, 7 * 3e-3 * sqrt(pi) * exp(-0.24), 1e-12);
}

// ---- slabs

TEST(layers_carry_one_flux)
{
    const struct heat_slab slab = {3, {2e-3, 5e-3, 10e-3}, {0.37, 0.32, 0.51}, -12, 3};
    double left = 0;
    for (int n = 0; n < 3; n++) {
        const double right = left + slab.thickness_m[n];
        const double a = heat_slab_k(&slab, left + 1e-5), b = heat_slab_k(&slab, right - 1e-5);
        assert_near("flux", -slab.conductivity_w_m_k[n] * (b - a) / (right - left - 2e-5),
                    heat_slab_flux_w_m2(&slab), 1e-9);
        assert_near("no jump", heat_slab_k(&slab, right - 1e-12), heat_slab_k(&slab, right + 1e-12), 1e-7);
        left = right;
    }
    assert_near("low end", heat_slab_k(&slab, 0), -12, 0);
    assert_near("high end", heat_slab_k(&slab, left), 3, 1e-12);
}

TEST(contact_keeps_one_wall)
{
    const struct heat_contact c = {{10, -2}, {0.5, 0.3}, {3.8e6, 2.5e6}};
    const double t = 40, dx = 1e-6, dt = 0.01;
    const double left = (heat_contact_k(&c, 0, t) - heat_contact_k(&c, -dx, t)) / dx;
    const double right = (heat_contact_k(&c, dx, t) - heat_contact_k(&c, 0, t)) / dx;
    assert_near("flux on both sides", 0.5 * left / (0.3 * right), 1, 1e-6);
    assert_near("wall", heat_contact_k(&c, -1e-12, t), heat_contact_wall_k(&c), 1e-7);
    assert_near("far off", heat_contact_k(&c, -0.1, t), 10, 1e-12);
    for (double x = -3e-3; x < 4e-3; x += 1.25e-3) {
        const int side = x >= 0;
        const double D = c.conductivity_w_m_k[side] / c.heat_capacity_j_m3_k[side], h = 2e-5;
        const double bend =
            (heat_contact_k(&c, x + h, t) - 2 * heat_contact_k(&c, x, t) + heat_contact_k(&c, x - h, t)) /
            (h * h);
        const double rate = (heat_contact_k(&c, x, t + dt) - heat_contact_k(&c, x, t - dt)) / (2 * dt);
        assert_near("diffusion", rate, D * bend, 2e-6);
    }
}

TEST(cooling_obeys_its_wall)
{
    // Roots for Bi = 1: tables of Carslaw & Jaeger (appendix IV), Incropera (appendix B.3): 0.8603, 3.4256,
    // 6.4373, 9.5293.
    static const double roots[] = {0.8603, 3.4256, 6.4373, 9.5293};
    for (int n = 0; n < 4; n++)
        assert_near("root of z tan z = 1", heat_cooling_root(1, n), roots[n], 5.1e-5);
    const struct heat_cooling c = {0.02, 0.5, 3.8e6, 60, 8};
    const double h = 1e-6, t = 300, L = c.length_m;
    const double wall = heat_cooling_k(&c, L, t);
    assert_near("what leaves the wall", -0.5 * (wall - heat_cooling_k(&c, L - h, t)) / h, 60 * wall, 0.05);
    assert_near("no flux at 0", heat_cooling_k(&c, h, t), heat_cooling_k(&c, 0, t), 1e-8);
    assert_near("start", heat_cooling_k(&c, 0.3 * L, 0.05), 8, 1e-6);
    const double x = 0.9 * L, d = 5e-5, dt = 0.05;
    const double bend =
        (heat_cooling_k(&c, x + d, t) - 2 * heat_cooling_k(&c, x, t) + heat_cooling_k(&c, x - d, t)) /
        (d * d);
    assert_near("diffusion", (heat_cooling_k(&c, x, t + dt) - heat_cooling_k(&c, x, t - dt)) / (2 * dt),
                0.5 / 3.8e6 * bend, 1e-6);
}

// ---- manufactured

TEST(made_media_need_their_source)
{
    const double h = 1e-4;
    for (int kind = 0; kind < 2; kind++) {
        const struct manufactured m = {{0.03, 0.04, 0.05}, kind == 1, 0.5, 0.3, 6, 1, 2000, 0.5};
        const double at[3] = {0.011, 0.017, 0.006};
        double divergence = 0;
        for (int axis = 0; axis < 3; axis++) {
            double k[2], slope[2];
            for (int side = 0; side < 2; side++) {
                double face[3] = {at[0], at[1], at[2]}, low[3], high[3];
                face[axis] += side ? h / 2 : -h / 2;
                for (int a = 0; a < 3; a++)
                    low[a] = high[a] = face[a];
                low[axis] -= h / 2;
                high[axis] += h / 2;
                k[side] = manufactured_conductivity_w_m_k(&m, face);
                slope[side] = (manufactured_k(&m, high) - manufactured_k(&m, low)) / h;
            }
            divergence += (k[1] * slope[1] - k[0] * slope[0]) / h;
        }
        const double q = 2000 * (manufactured_k(&m, at) - 0.5) - divergence;
        assert_near("source", manufactured_source_w_m3(&m, at) / q, 1, 1e-4);
        const double end[3] = {0, 0.04, 0.05}, inside[3] = {1e-7, 0.04 - 1e-7, 0.05 - 1e-7};
        if (m.is_insulated)
            assert_near("no slope at the walls", manufactured_k(&m, inside), manufactured_k(&m, end), 1e-8);
    }
}

TEST(made_layers_meet)
{
    const struct manufactured_layers m = {0.04, 0.5, 0.3, 4, 1500};
    const double walls[] = {0.005, 0.015}, h = 1e-6;
    for (int n = 0; n < 2; n++) {
        const double x = walls[n], left_k = manufactured_is_inner(&m, x - h) ? 0.3 : 0.5,
                     right_k = manufactured_is_inner(&m, x + h) ? 0.3 : 0.5;
        const double below = manufactured_layers_k(&m, x - h / 2),
                     above = manufactured_layers_k(&m, x + h / 2);
        assert_near("no jump", below, above, 2e-3 * fabs(m.amplitude_k));
        const double left =
            left_k * (manufactured_layers_k(&m, x - h) - manufactured_layers_k(&m, x - 2 * h)) / h;
        const double right =
            right_k * (manufactured_layers_k(&m, x + 2 * h) - manufactured_layers_k(&m, x + h)) / h;
        assert_true(left_k != right_k);
        assert_near("one flux", left, right, 1e-3 * fabs(left) + 1e-1);
    }
    for (double x = 0.0011; x < 0.04; x += 0.0057) {
        const double d = 1e-5, k = manufactured_is_inner(&m, x) ? 0.3 : 0.5,
                     here = manufactured_layers_k(&m, x);
        const double bend =
            (manufactured_layers_k(&m, x + d) - 2 * here + manufactured_layers_k(&m, x - d)) / (d * d);
        assert_near("source", manufactured_layers_source_w_m3(&m, x), 1500 * here - k * bend, 1);
    }
    assert_near("periodic", manufactured_layers_k(&m, 0.04 + 0.002), manufactured_layers_k(&m, 0.002), 1e-13);
}

// ---- dose

// By Simpson's rule between the temperatures at which the law changes.
static double quadrature_min(enum heat_dose_definition definition, double from, double to, double duration_s,
                             bool passed)
{
    enum { PIECES = 4, PARTS = 2000 };
    static const double marks[] = {37, 39, 43};
    double sum = 0, ends[PIECES + 1];
    int count = 0;
    ends[count++] = 0;
    for (int up = 0; up < 3; up++) {
        const double at = (marks[to > from ? up : 2 - up] - from) / (to - from);
        if (at > ends[count - 1] && at < 1)
            ends[count++] = at;
    }
    ends[count++] = 1;
    for (int p = 0; p + 1 < count; p++) {
        const double width = (ends[p + 1] - ends[p]) / PARTS;
        const double centre = from + 0.5 * (ends[p] + ends[p + 1]) * (to - from);
        const bool is_past =
            passed || from >= 43; // a ramp that rises through 43 passes it there, at an end of a piece
        for (int k = 0; k <= PARTS; k++) {
            double T = from + (ends[p] + k * width) * (to - from);
            T += (centre - T) * 1e-13; // on this side of the piece's ends
            sum += width / 3 *
                   (k == 0 || k == PARTS ? 1
                    : k % 2              ? 4
                                         : 2) *
                   heat_dose_rate(definition, T, is_past);
        }
    }
    return sum * duration_s / 60;
}

TEST(dose_of_a_ramp_is_its_integral)
{
    static const double ramps[][2] = {{30, 50},   {50, 30},   {38, 42}, {44, 56},
                                      {56.5, 36}, {36, 37.5}, {40, 43}};
    for (int d = HEAT_DOSE_PLAIN; d <= HEAT_DOSE_ISO; d++)
        for (size_t n = 0; n < sizeof ramps / sizeof *ramps; n++)
            for (int passed = 0; passed < 2; passed++) {
                const double expected =
                    quadrature_min((enum heat_dose_definition)d, ramps[n][0], ramps[n][1], 100, passed);
                assert_near(
                    "dose of a ramp",
                    heat_dose_ramp_min((enum heat_dose_definition)d, ramps[n][0], ramps[n][1], 100, passed),
                    expected, 1e-9 * fmax(1e-3, expected));
            }
}

TEST(dose_is_that_of_the_definition)
{
    // Sapareto & Dewey: an hour at 43 °C is 60 min; a degree more halves the time; a degree less quadruples
    // it.
    assert_near("43", heat_dose_ramp_min(HEAT_DOSE_PLAIN, 43, 43, 3600, false), 60, 0);
    assert_near("44", heat_dose_ramp_min(HEAT_DOSE_PLAIN, 44, 44, 3600, false), 120, 1e-13);
    assert_near("42", heat_dose_ramp_min(HEAT_DOSE_PLAIN, 42, 42, 3600, false), 15, 1e-14);
    assert_near("56 for a second", heat_dose_ramp_min(HEAT_DOSE_PLAIN, 56, 56, 1, false), 8192 / 60.0, 1e-12);
    assert_near("36.9 by k-Wave", heat_dose_ramp_min(HEAT_DOSE_KWAVE, 36.9, 36.9, 3600, false), 0, 0);
    assert_near("37 by k-Wave", heat_dose_ramp_min(HEAT_DOSE_KWAVE, 37, 37, 3600, false), 60 / 4096.0, 1e-15);
    assert_near("38.9 by ISO", heat_dose_ramp_min(HEAT_DOSE_ISO, 38.9, 38.9, 3600, true), 0, 0);
    assert_near("41 by ISO", heat_dose_ramp_min(HEAT_DOSE_ISO, 41, 41, 3600, false), 60 / 16.0, 1e-14);
    assert_near("41 by ISO after 43", heat_dose_ramp_min(HEAT_DOSE_ISO, 41, 41, 3600, true), 60 / 4.0, 1e-14);
    assert_true(isinf(heat_dose_ramp_min(HEAT_DOSE_ISO, 50, 57.1, 1, false)));
}

// ---- results.h

TEST(shared_rate_is_the_definition)
{
    static const enum bioheat_dose theirs[] = {BIOHEAT_DOSE_PLAIN, BIOHEAT_DOSE_KWAVE, BIOHEAT_DOSE_ISO};
    for (int d = 0; d < 3; d++)
        for (int n = 0; n <= 7000; n++)
            for (int passed = 0; passed < 2; passed++) {
                const double T = n / 64.0,
                             expected = heat_dose_rate((enum heat_dose_definition)d, T, passed) / 60;
                const double got = bioheat_dose_rate_min_s(theirs[d], T - 37, 37, passed);
                if (isinf(expected))
                    assert_true(isinf(got));
                else
                    assert_near("rate", got, expected, 1e-15 * expected);
            }
    assert_true(isnan(bioheat_dose_rate_min_s(BIOHEAT_DOSE_PLAIN, NAN, 37, false)));
    assert_true(isnan(bioheat_dose_rate_min_s(BIOHEAT_DOSE_ISO, NAN, 37, true)));
    assert_near("off", bioheat_dose_rate_min_s(BIOHEAT_DOSE_OFF, 10, 37, false), 0, 0);
}

TEST(power_of_two_is_the_librarys)
{
    double worst = 0;
    for (int n = -200000; n < 200000; n++) {
        const double x = n * 1.7e-3 + 1e-5 * sin(n), expected = exp2(x);
        worst = fmax(worst, fabs(bioheat_exp2(x) - expected) / (nextafter(expected, INFINITY) - expected));
    }
    print_message("2^x: %.2f units in the last place at worst\n", worst);
    assert_true(worst <= 2); // 1.5, and the library's own half
    for (int n = -1021; n < 1024; n++)
        assert_true(bioheat_exp2(n) == ldexp(1, n));
    assert_true(bioheat_exp2(-5000) == 0 && isinf(bioheat_exp2(5000)) && isinf(bioheat_exp2(INFINITY)));
    assert_true(bioheat_exp2(-INFINITY) == 0 && isnan(bioheat_exp2(NAN)));
    assert_near("just below 1024", bioheat_exp2(1023.999) / exp2(1023.999), 1, 1e-15);
}

TEST(what_is_reported_follows_the_rule)
{
    // Two steps of 60 s at 43 °C, read at 0, 60 and 120 s: ½ + 1 + ½ of a minute each.
    const double added = 1.5 * 60 / 60;
    assert_near("weight of the first", bioheat_dose_weight_s(0, 60) + bioheat_dose_weight_s(1, 60), 90, 0);
    assert_near("dose", bioheat_dose_reported_min(BIOHEAT_DOSE_PLAIN, 2, 60, added, 6, 37, false), 2, 1e-15);
    assert_near("before any step", bioheat_dose_reported_min(BIOHEAT_DOSE_PLAIN, 0, 60, 0, 6, 37, false), 0,
                0);
    assert_true(isnan(bioheat_dose_reported_min(BIOHEAT_DOSE_OFF, 2, 60, 0, 6, 37, false)));
    struct bioheat_largest most = {-INFINITY, NAN};
    static const double rises[] = {1, 3, 3, 2};
    for (int n = 0; n < 4; n++)
        most = bioheat_largest_with(most, rises[n], n, 0.5);
    assert_near("largest", most.theta_k, 3, 0);
    assert_near("when first", most.at_s, 0.5, 0);
    assert_false(bioheat_dose_passed(false, 5.999, 37));
    assert_true(bioheat_dose_passed(false, 6, 37) && bioheat_dose_passed(true, 0, 37));
    assert_false(bioheat_is_finite(NAN) || bioheat_is_finite(INFINITY));
    assert_true(bioheat_is_finite(-300));
    assert_near("map", bioheat_field_value(BIOHEAT_TEMPERATURE, 1.5, 7, 2.5, 37), 38.5, 0);
    assert_near("map", bioheat_field_value(BIOHEAT_DOSE_FIELD, 1.5, 7, 2.5, 37), 7, 0);
    assert_near("map", bioheat_field_value(BIOHEAT_MAXIMUM_FIELD, 1.5, 7, 2.5, 37), 39.5, 0);
}
