// Random slip: its spectrum against that of von Kármán, its mean, its moment, its edges and its patches.
#include "tests/support/test.h"

#include "models/tsunami/earthquake/plane.h"
#include "models/tsunami/earthquake/random_slip.h"
#include "tests/support/interface_earthquake.h"
#include "tests/support/numbers.h"
#include "tests/support/statuses.h"

#include <math.h>
#include <stdlib.h>

enum { ALONG = 48, DOWN = 24, PATCHES = ALONG * DOWN, DRAWS = 200 };

static const double pi = 3.14159265358979323846, radius_m = 6371e3, variation = 0.85;

// 480 km by 240 km in patches of 10 km, without a taper.
static struct random_slip slip_of(double along_m, double down_m, double hurst)
{
    return (struct random_slip){.length_m = 480e3,
                                .width_m = 240e3,
                                .correlation = {along_m, down_m, hurst},
                                .variation = variation,
                                .along = ALONG,
                                .down = DOWN};
}

static double *draws_of(struct random_slip slip)
{
    double *draws = owned_zeros((size_t)DRAWS * PATCHES, sizeof *draws);
    for (size_t k = 0; k < DRAWS; k++) {
        slip.seed = 1000 + k;
        assert_ok(random_slip_field(&slip, draws + k * PATCHES));
    }
    return draws;
}

// ---- von Kármán's spectrum, up to the wave numbers that patches of 10 km resolve, and its autocorrelation
// between patches, by integration over a fine grid of wave numbers

enum { WAVES = 250 }; // in each direction, of positive wave numbers

static double *lags_of(double along_m, double down_m, double hurst)
{
    double *lags = owned_zeros(PATCHES, sizeof *lags), *rows = owned_zeros(WAVES * ALONG, sizeof *rows);
    static double between[WAVES][ALONG]; // cos of a wave number times the distance of patches
    const double step = pi / 10e3 / WAVES;
    for (int i = 0; i < WAVES; i++)
        for (int x = 0; x < ALONG; x++)
            between[i][x] = cos(step * (i + 0.5) * 10e3 * x);
    for (int j = 0; j < WAVES; j++)
        for (int i = 0; i < WAVES; i++) {
            const double a = along_m * step * (i + 0.5), b = down_m * step * (j + 0.5),
                         power = pow(1 + a * a + b * b, -(hurst + 1));
            for (int x = 0; x < ALONG; x++)
                rows[j * ALONG + x] += power * between[i][x];
        }
    for (int z = 0; z < DOWN; z++)
        for (int x = 0; x < ALONG; x++)
            for (int j = 0; j < WAVES; j++)
                lags[z * ALONG + x] += rows[j * ALONG + x] * between[j][z];
    for (int k = PATCHES - 1; k >= 0; k--)
        lags[k] /= lags[0];
    return lags;
}

// Tables of cos and sin of k/48 turns: waves over 48 and 24 patches have no other phases.
static double cosines[ALONG], sines[ALONG];

static int set_up(void **state)
{
    (void)state;
    for (int k = 0; k < ALONG; k++) {
        cosines[k] = cos(2 * pi * k / ALONG);
        sines[k] = sin(2 * pi * k / ALONG);
    }
    return 0;
}

static int phase_of(int i, int x, int j, int z)
{
    return ((i * x + ALONG / DOWN * j * z) % ALONG + ALONG) % ALONG;
}

// What the periodogram of a piece of such a field is on average, at i waves along strike and j down dip.
static double expected_power(const double *lags, int i, int j)
{
    double power = 0;
    for (int z = -(DOWN - 1); z < DOWN; z++)
        for (int x = -(ALONG - 1); x < ALONG; x++)
            power += (ALONG - abs(x)) * (DOWN - abs(z)) / (double)PATCHES * lags[abs(z) * ALONG + abs(x)] *
                     cosines[phase_of(i, x, j, z)];
    return power;
}

static double found_power(const double *draws, double mean, double variance, int i, int j)
{
    double power = 0;
    for (size_t k = 0; k < DRAWS; k++) {
        double real = 0, imaginary = 0;
        for (int z = 0; z < DOWN; z++)
            for (int x = 0; x < ALONG; x++) {
                const int phase = phase_of(i, x, j, z);
                const double value = draws[k * PATCHES + (size_t)(z * ALONG + x)] - mean;
                real += value * cosines[phase];
                imaginary += value * sines[phase];
            }
        power += (real * real + imaginary * imaginary) / PATCHES / DRAWS;
    }
    return power / variance;
}

// Bands of waves along strike and down dip: {first and last i, first and last j}.
static const int bands[][4] = {{1, 1, 0, 0}, {2, 4, 0, 0}, {5, 8, 0, 0}, {9, 14, 0, 0}, {0, 0, 1, 1},
                               {0, 0, 2, 3}, {0, 0, 4, 7}, {1, 3, 1, 2}, {4, 7, 2, 4},  {8, 12, 4, 7}};

// `common`: the part of the tolerance that all bands share; `single`: that of one wave.
static void check_spectrum(const double *draws, double mean, double variance, const double *lags,
                           double common, double single)
{
    for (size_t band = 0; band < COUNT(bands); band++) {
        double found = 0, expected = 0;
        int waves = 0;
        for (int i = bands[band][0]; i <= bands[band][1]; i++)
            for (int j = bands[band][2]; j <= bands[band][3]; j++, waves++) {
                found += found_power(draws, mean, variance, i, j);
                expected += expected_power(lags, i, j);
            }
        const double error = found / expected - 1, allowed = common + single / sqrt((double)DRAWS * waves);
        if (!(fabs(error) < allowed))
            fail_msg("band %zu: %.4g, expected %.4g within %.0f %%", band, found, expected, 100 * allowed);
    }
}

// The power of one wave in one draw has an exponential distribution, so that n waves in 200 draws have a
// relative error of 1/√(200 n). The variance of lognormal slip with a kurtosis of 25, from 64 independent
// areas in each of 200 draws, is uncertain by √(24/12800) = 4 %, in all bands alike. Its logarithm is normal
// and has no such part; what its autocorrelation must be is in random_slip.h. Three and four times these.
static void check_spectra(double along_m, double down_m, double hurst)
{
    double *draws = draws_of(slip_of(along_m, down_m, hurst)), *lags = lags_of(along_m, down_m, hurst);
    const double square = variation * variation, sigma2 = log(1 + square);
    check_spectrum(draws, 1, square, lags, 0.13, 3);
    for (size_t k = 0; k < (size_t)DRAWS * PATCHES; k++)
        draws[k] = log(draws[k]);
    for (size_t k = 0; k < PATCHES; k++)
        lags[k] = log(1 + square * lags[k]) / sigma2;
    check_spectrum(draws, -0.5 * sigma2, sigma2, lags, 0.01, 4);
}

TEST(the_spectrum_of_200_draws_is_von_karmans)
{
    check_spectra(60e3, 30e3, 0.75);
}

TEST(the_spectrum_of_200_rough_draws_is_von_karmans)
{
    check_spectra(90e3, 60e3, 0.4);
}

// Of autocorrelations with other lengths the true one fits the spectrum along each axis best.
static double misfit(const double *powers, const int *waves, bool is_along, double factor)
{
    const double *lags = is_along ? lags_of(factor * 60e3, 30e3, 0.75) : lags_of(60e3, factor * 30e3, 0.75);
    double sum = 0;
    for (size_t k = 0; k < 6; k++) {
        const double ratio =
            log(powers[k] / expected_power(lags, is_along ? waves[k] : 0, is_along ? 0 : waves[k]));
        sum += ratio * ratio;
    }
    return sum;
}

TEST(the_correlation_lengths_are_found_again)
{
    static const int waves[6] = {1, 2, 3, 4, 6, 8};
    const double *draws = draws_of(slip_of(60e3, 30e3, 0.75));
    for (int is_along = 0; is_along < 2; is_along++) {
        double powers[6], best = 0, least = INFINITY;
        for (size_t k = 0; k < 6; k++)
            powers[k] = found_power(draws, 1, variation * variation, is_along ? waves[k] : 0,
                                    is_along ? 0 : waves[k]);
        for (double factor = 0.6; factor < 1.61; factor += 0.05) {
            const double value = misfit(powers, waves, is_along, factor);
            best = value < least ? factor : best;
            least = fmin(value, least);
        }
        assert_near("factor", best, 1, 0.15);
    }
}

// A mean of 1 and the asked variation over all draws; the standard error of the mean of 200 draws, each of
// some 20 independent areas, is 0.85/√4000.
TEST(mean_and_variation)
{
    const double *draws = draws_of(slip_of(60e3, 30e3, 0.75));
    double mean = 0, square = 0, least = 1;
    for (size_t k = 0; k < (size_t)DRAWS * PATCHES; k++) {
        mean += draws[k] / ((double)DRAWS * PATCHES);
        least = fmin(least, draws[k]);
    }
    for (size_t k = 0; k < (size_t)DRAWS * PATCHES; k++)
        square += (draws[k] - mean) * (draws[k] - mean) / ((double)DRAWS * PATCHES);
    assert_near("mean", mean, 1, 0.04);
    assert_near("variation", sqrt(square), 0.85, 0.05);
    assert_true(least > 0);
}

static struct fault plane_of(double magnitude)
{
    const struct earthquake_request request =
        interface_earthquake(magnitude, 287, -36, 30e3, (struct earthquake_mechanism){18, 18, 105});
    struct earthquake_plane plane;
    assert_ok(earthquake_plane_of(&request, "test", &plane));
    return plane.fault;
}

static struct fault *patches_of(struct random_slip *slip, const struct fault *plane)
{
    slip->length_m = plane->length_m;
    slip->width_m = plane->width_m;
    slip->correlation = random_slip_correlation_of(RANDOM_SLIP_MAI_BEROZA, plane->length_m, plane->width_m);
    assert_ok(random_slip_divide(NAN, "test", slip));
    double *values = owned_zeros(slip->along * slip->down, sizeof *values);
    struct fault *patches = owned_zeros(slip->along * slip->down, sizeof *patches);
    assert_ok(random_slip_values(slip, values));
    assert_ok(random_slip_patches(slip, plane, radius_m, values, "test", patches));
    return patches;
}

// Nothing but rounding is lost.
TEST(the_moment_is_kept)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        const double magnitude = 7 + 0.1 * (double)seed;
        const struct fault plane = plane_of(magnitude);
        struct random_slip slip = {.seed = seed, .variation = 0.85, .taper = 0.1, .taper_top = 0.1};
        const struct fault *patches = patches_of(&slip, &plane);
        double moment_n_m = 0;
        for (size_t k = 0; k < slip.along * slip.down; k++) {
            assert_true(patches[k].slip_m >= 0);
            assert_true(patches[k].rake_deg == plane.rake_deg);
            moment_n_m += 4e10 * patches[k].length_m * patches[k].width_m * patches[k].slip_m;
        }
        assert_near("moment", moment_n_m / earthquake_moment_n_m(magnitude), 1, 1e-12);
    }
}

TEST(slip_falls_to_0_at_the_edges)
{
    struct random_slip slip = slip_of(60e3, 30e3, 0.75);
    double *plain = owned_zeros(PATCHES, sizeof *plain), *tapered = owned_zeros(PATCHES, sizeof *tapered);
    slip.seed = 5;
    assert_ok(random_slip_values(&slip, plain));
    slip.taper = 0.25;
    assert_ok(random_slip_values(&slip, tapered));
    // At the ends and the lower edge; (x + 1/2)/48 of 1/4, half a cosine; the upper edge keeps its slip.
    const size_t middle = (size_t)(DOWN / 2) * ALONG;
    const double scale = tapered[middle + ALONG / 2] / plain[middle + ALONG / 2];
    for (size_t x = 0; x < 12; x++) {
        const double part = 0.5 - 0.5 * cos(pi * ((double)x + 0.5) / 12);
        assert_near("start", tapered[middle + x], scale * part * plain[middle + x], 1e-12);
        assert_near("end", tapered[middle + ALONG - 1 - x], scale * part * plain[middle + ALONG - 1 - x],
                    1e-12);
    }
    assert_near("top", tapered[ALONG / 2], scale * plain[ALONG / 2], 1e-12);
    const size_t bottom = (size_t)(DOWN - 1) * ALONG + ALONG / 2;
    assert_near("bottom", tapered[bottom], scale * (0.5 - 0.5 * cos(pi * 0.5 / 6)) * plain[bottom], 1e-12);
}

// Patches with the same slip are the plane: the uplift above it and beside it, where degrees of longitude
// have one length. Elsewhere the plane's own place is uncertain by as much as they differ over its length.
static double uplift_error(double latitude_deg)
{
    struct fault plane = plane_of(8.4);
    plane.latitude_deg = latitude_deg;
    struct random_slip slip = {.variation = 0};
    const struct fault *patches = patches_of(&slip, &plane);
    double largest = 0, difference = 0;
    for (int k = 0; k < 400; k++) {
        const double longitude = plane.longitude_deg - 3 + 6.0 * (k % 20) / 19,
                     latitude = latitude_deg - 2.5 + 5.0 * (k / 20) / 19.0;
        const double whole = fault_displacement_sphere(&plane, longitude, latitude, radius_m).up_m;
        double sum = 0;
        for (size_t p = 0; p < slip.along * slip.down; p++)
            sum += fault_displacement_sphere(&patches[p], longitude, latitude, radius_m).up_m;
        largest = fmax(largest, fabs(whole));
        difference = fmax(difference, fabs(sum - whole));
    }
    assert_true(slip.along * slip.down > 20);
    assert_true(largest > 1);
    return difference / largest;
}

TEST(patches_cover_the_plane)
{
    assert_near("uplift", uplift_error(0), 0, 2e-3);
    assert_near("uplift", uplift_error(-36), 0, 0.04);
}

TEST(a_seed_names_a_slip)
{
    struct random_slip slip = slip_of(60e3, 30e3, 0.75);
    double *first = owned_zeros(PATCHES, sizeof *first), *second = owned_zeros(PATCHES, sizeof *second);
    slip.seed = 5;
    assert_ok(random_slip_values(&slip, first));
    assert_ok(random_slip_values(&slip, second));
    assert_memory_equal(first, second, PATCHES * sizeof *first);
    slip.length_m += 1e-6; // the last digits of a length, which libraries compute differently, do not matter
    assert_ok(random_slip_values(&slip, second));
    assert_memory_equal(first, second, PATCHES * sizeof *first);
    slip.seed = 6;
    assert_ok(random_slip_values(&slip, second));
    assert_true(fabs(first[0] - second[0]) > 1e-3);
}

// Mai & Beroza for 300 km by 120 km; Melgar & Hayes for the same.
TEST(correlation_lengths_of_the_papers)
{
    struct random_slip_correlation c = random_slip_correlation_of(RANDOM_SLIP_MAI_BEROZA, 300e3, 120e3);
    assert_true(c.along_m == 102e3 && c.down_m == 41e3 && c.hurst == 0.75);
    c = random_slip_correlation_of(RANDOM_SLIP_MELGAR_HAYES, 300e3, 120e3);
    assert_true(c.along_m == 119700 && c.down_m == 54800 && c.hurst == 0.4);
}

TEST(too_many_patches_are_refused)
{
    struct random_slip slip = slip_of(60e3, 30e3, 0.75);
    assert_failure(random_slip_divide(1e3, "job: random_slip", &slip), STATUS_CONFIGURATION,
                   "job: random_slip: patches of 1 km on a plane of 480 km by 240 km are 480 by 240; at "
                   "most 10000, and 1000 in a row, are expected");
    assert_ok(random_slip_divide(NAN, "job", &slip));
    assert_int_equal(slip.along, 32);
    assert_int_equal(slip.down, 16);
}

TEST_SUITE(.setup = set_up);
