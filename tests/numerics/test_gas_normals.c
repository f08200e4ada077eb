// Normal numbers of the gas's fast versions: their logarithm, sine and cosine against wider arithmetic, and
// their distribution: moments, tails, Kolmogorov and Smirnov's distance, and no correlation of components,
// particles, steps and seeds. test_gas_noise.c shows that every back end uses them.
#include "tests/support/test.h"

#include "models/gas/normals.h"
#include "models/gas/reference.h"

#include "tests/support/kolmogorov.h"
#include "tests/support/numbers.h"
#include "tests/support/sanitized.h"

#include <float.h>

// Distance from the exact value in units of the last place of a double.
static double units(double value, long double exact)
{
    int exponent;
    frexpl(exact, &exponent);
    return (double)fabsl(((long double)value - exact) / ldexpl(1, exponent - DBL_MANT_DIG));
}

enum { BITS = 52 };

// Bits of two uniform numbers: anything; a first number close to 0 or 1, where the logarithm is large or
// vanishes; a second one close to a multiple of 1/8, where a sine vanishes or a branch changes.
static void choose_bits(size_t k, uint64_t *first, uint64_t *second)
{
    const struct philox_counter words = philox4x32(philox_counter_from(k, 77), philox_key_from_seed(5));
    const uint64_t all = (UINT64_C(1) << BITS) - 1;
    const int shift = (int)(k / 3 % (BITS + 1));
    *first = (uint64_t)words.v[0] << 20 | words.v[1] >> 12;
    *second = (uint64_t)words.v[2] << 20 | words.v[3] >> 12;
    if (k % 3 == 1) {
        *first >>= shift;
        if (k % 2 == 0)
            *first = all - *first;
    }
    if (k % 3 == 2) {
        const uint64_t from = *second % 9 << (BITS - 3), by = *second >> shift;
        *second = (k % 2 == 0 ? from + by : from - by) & all;
    }
}

// Cosine and sine of 2πt, and of a quarter of a circle more: t = q/4 + r exactly, so that a result that
// vanishes has all its digits.
static void turn_exactly(double t, long double *cosine, long double *sine)
{
    const long double tau = 6.283185307179586476925286766559L;
    const double quarter = rint(4 * t);
    const long double angle = tau * (t - (long double)quarter / 4);
    const long double c = cosl(angle), s = sinl(angle);
    const int q = (int)quarter % 4;
    *cosine = q == 0 ? c : q == 1 ? -s : q == 2 ? -c : s;
    *sine = q == 0 ? s : q == 1 ? c : q == 2 ? -s : -c;
}

TEST(errors_are_bounded)
{
    enum { COUNT = IS_SANITIZED ? 300000 : 2400000 };
    double of_logarithm = 0, of_turn = 0, of_normals = 0;
    if (LDBL_MANT_DIG < 64)
        skip();
    for (size_t k = 0; k < COUNT; k++) {
        uint64_t first, second;
        double cosine, sine, x, y;
        long double exact_cosine, exact_sine;
        choose_bits(k, &first, &second);
        const double u = gas_uniform_of(first), t = gas_uniform_of(second);
        assert_true(u == philox_double((uint32_t)(first >> 20), (uint32_t)(first << 12)));
        const long double exact = logl((long double)u), radius = sqrtl(-2 * exact);
        of_logarithm = fmax(of_logarithm, units(gas_logarithm(u), exact));
        gas_turn(t, &cosine, &sine);
        turn_exactly(t, &exact_cosine, &exact_sine);
        of_turn = fmax(of_turn, fmax(units(cosine, exact_cosine), units(sine, exact_sine)));
        gas_normals_of(first, second, &x, &y);
        of_normals = fmax(of_normals, fmax(units(x, radius * exact_cosine), units(y, radius * exact_sine)));
    }
    print_message("largest errors in units of the last place: logarithm %.2f, sine and cosine %.2f, normal "
                  "numbers %.2f\n",
                  of_logarithm, of_turn, of_normals);
    assert_true(of_logarithm < 1 && of_turn < 2 && of_normals < 4);
}

// The ends of the interval, and the places where a cosine or a sine has its least magnitude.
TEST(ends_are_exact)
{
    const uint64_t all = (UINT64_C(1) << BITS) - 1, quarter = UINT64_C(1) << (BITS - 2);
    assert_true(gas_uniform_of(0) == 0x1p-53 && gas_uniform_of(all) == 1 - 0x1p-53);
    assert_near("ln of the least number", gas_logarithm(0x1p-53), -53 * log(2), 1e-14);
    assert_true(gas_logarithm(1 - 0x1p-53) == -0x1p-53 && gas_logarithm(1) == 0 &&
                gas_logarithm(0.5) == -log(2));
    for (uint64_t q = 0; q <= 4; q++)
        for (int side = 0; side < 2; side++) {
            double c, s;
            if ((q == 0 && side == 0) || (q == 4 && side == 1))
                continue;
            gas_turn(gas_uniform_of(q * quarter - (side == 0 ? 1 : 0)), &c, &s);
            const double least = (side == 0 ? -1 : 1) * 6.283185307179586 * 0x1p-53; // 2πr
            const double cosine[] = {1, -least, -1, least, 1}, sine[] = {least, 1, -least, -1, least};
            assert_true(c == cosine[q] && s == sine[q]);
        }
}

// The reference's by the C library: its angle is rounded to 4.4e-16 and 2π to 2.4e-16, so the sine or cosine
// may be off by as much, times a radius of at most 8.6.
TEST(they_are_the_references)
{
    struct gas_physics physics = {.seed = 12345678901};
    for (size_t id = 0; id < 300000; id++) {
        double reference[GAS_AXES], fast[GAS_AXES];
        reference_noise(&physics, (int64_t)(id % 7) << 32, id, reference);
        gas_normals((uint64_t)(id % 7) << 32, id, physics.seed, fast);
        for (int axis = 0; axis < GAS_AXES; axis++)
            if (!(fabs(fast[axis] - reference[axis]) < 1e-14))
                fail_msg("id %zu: %.17g, the reference's is %.17g", id, fast[axis], reference[axis]);
    }
}

// ---- the distribution

enum { PARTICLES = IS_SANITIZED ? 1 << 14 : 1 << 18, STEPS = IS_SANITIZED ? 8 : 64 };
static const double numbers = 2.0 * PARTICLES * STEPS;
static const double sigmas = 4.5; // of each statistic; passed by chance once in 150 000 times

static void expect_share(const char *what, double sum, double mean, double variance)
{
    assert_near(what, sum / numbers, mean, sigmas * sqrt(variance / numbers));
}

// Means of powers, of variances (2p − 1)!! − ((p − 1)!!)²; numbers beyond a limit, of binomial variance.
TEST(moments_and_tails_are_normal)
{
    static const double limits[] = {1, 2, 3, 4, 5};
    double powers[7] = {0}, beyond[2][5] = {{0}};
    for (uint64_t step = 0; step < STEPS; step++)
        for (uint64_t id = 0; id < PARTICLES; id++) {
            double n[GAS_AXES];
            gas_normals(step, id, 3, n);
            for (int axis = 0; axis < GAS_AXES; axis++) {
                double power = 1;
                for (int p = 1; p <= 6; p++)
                    powers[p] += power *= n[axis];
                for (int k = 0; k < 5 && fabs(n[axis]) > limits[k]; k++)
                    beyond[n[axis] > 0 ? 1 : 0][k]++;
            }
        }
    static const double means[] = {1, 0, 1, 0, 3, 0, 15}, squares[] = {1, 1, 3, 15, 105, 945, 10395};
    for (int p = 1; p <= 6; p++)
        expect_share("mean of a power", powers[p], means[p], squares[p] - means[p] * means[p]);
    for (int k = 0; k < 5; k++)
        for (int side = 0; side < 2; side++) {
            const double share = normal_cdf(-limits[k]);
            print_message("beyond %s%g: %.0f, expected %.1f\n", side == 0 ? "-" : "+", limits[k],
                          beyond[side][k], share * numbers);
            expect_share("numbers beyond a limit", beyond[side][k], share, share * (1 - share));
        }
}

// All numbers of a step, and those of one particle over many steps.
TEST(the_distribution_function_is_normal)
{
    enum { COUNT = IS_SANITIZED ? 20000 : 500000 };
    double *of_step = owned_zeros(2 * COUNT, sizeof *of_step),
           *of_one = owned_zeros(2 * COUNT, sizeof *of_one);
    for (uint64_t k = 0; k < COUNT; k++) {
        gas_normals(41, k, 9, of_step + 2 * k);
        gas_normals(k, 41, 9, of_one + 2 * k);
    }
    assert_true(kolmogorov(of_step, 2 * COUNT, normal_cdf) < 1.95);
    assert_true(kolmogorov(of_one, 2 * COUNT, normal_cdf) < 1.95);
}

// Products of the numbers of two draws, and of their squares less 1 (of variance 4).
TEST(no_two_draws_are_correlated)
{
    static const struct {
        const char *what;
        uint64_t step, id, seed;
    } shifts[] = {{"one particle", 0, 0, 0},        {"particles side by side", 0, 1, 0},
                  {"particles 64 apart", 0, 64, 0}, {"particles 65536 apart", 0, 65536, 0},
                  {"steps side by side", 1, 0, 0},  {"steps 2^32 apart", UINT64_C(1) << 32, 0, 0},
                  {"step and id", 1, 1, 0},         {"seeds side by side", 0, 0, 1}};
    enum { COUNT = IS_SANITIZED ? 50000 : 1000000 };
    for (size_t k = 0; k < sizeof shifts / sizeof *shifts; k++) {
        double sums[2][GAS_AXES][GAS_AXES] = {{{0}}};
        for (uint64_t draw = 0; draw < COUNT; draw++) {
            double a[GAS_AXES], b[GAS_AXES];
            const uint64_t step = draw % 100, id = draw / 100;
            gas_normals(step, id, 21, a);
            gas_normals(step + shifts[k].step, id + shifts[k].id, 21 + shifts[k].seed, b);
            for (int i = 0; i < GAS_AXES; i++)
                for (int j = 0; j < GAS_AXES; j++) {
                    sums[0][i][j] += a[i] * b[j];
                    sums[1][i][j] += (a[i] * a[i] - 1) * (b[j] * b[j] - 1) / 2;
                }
        }
        for (int what = 0; what < 2; what++)
            for (int i = 0; i < GAS_AXES; i++)
                for (int j = 0; j < GAS_AXES; j++)
                    if (k > 0 || i != j) // a number with itself
                        assert_near(shifts[k].what, sums[what][i][j] / COUNT, 0, sigmas / sqrt(COUNT));
    }
}
