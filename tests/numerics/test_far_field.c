// The delay of the far field: its phase velocity against published values and limits that do not need the
// table, and the correction of a series against the closed form of a wave over an ocean of one depth.
#include "tests/support/test.h"

#include "models/tsunami/forecast/far_field.h"
#include "tests/support/numbers.h"
#include "tests/support/statuses.h"

static const struct far_field ocean = {.depth_m = 4000},
                              dispersive = {.depth_m = 4000, .is_dispersive = true};
static const double pi = 3.14159265358979323846;

// ---- the phase velocity

TEST(published_delays)
{
    // Watada et al. (2014): about 1 % at 1000 s over 4 km; slower again for longer waves, up to 2 % and less.
    const double thousand = 1 - far_field_ratio(&ocean, 1000);
    assert_near("1000 s", thousand, 0.01, 0.001);
    assert_true(1 - far_field_ratio(&ocean, 300) > 2 * thousand);
    assert_true(1 - far_field_ratio(&ocean, 3000) > 1.1 * thousand &&
                1 - far_field_ratio(&ocean, 3000) < 0.02);
    // Watada (2013): 0.44 % at 4 km by the water alone; short waves bend the ground little.
    assert_near("water", 1 - far_field_ratio(&dispersive, 20), 0.0044, 0.0002);
}

TEST(limits)
{
    // Airy: the rest is the same with and without it.
    for (double period_s = 60; period_s < 4000; period_s *= 1.7) {
        const double kd = 2 * pi / period_s * sqrt(4000 / 9.81);
        assert_near("finite depth",
                    far_field_ratio(&ocean, period_s) / far_field_ratio(&dispersive, period_s),
                    sqrt(tanh(kd) / kd), 1e-12);
    }
    // Short loads press on an elastic half space, the uppermost layer of Farrell's Earth (6.14 and 3.55
    // km/s, 2740 kg/m³): the ground falls by ρw g (1 − ν)/(μ k) of the load's height, and the mass of both
    // attracts.
    const double period_s = 60, k = 2 * pi / period_s / sqrt(9.81 * 4000);
    const double shear = 2740 * 3550.0 * 3550.0, lame = 2740 * 6140.0 * 6140.0 - 2 * shear;
    const double poisson = lame / (2 * (lame + shear));
    const double fall = 1027 * 9.81 * (1 - poisson) / (shear * k),
                 attraction = 2 * pi * 6.674e-11 * 1027 / (9.81 * k);
    const double water = 9.81 * 4000 / (4 * 1500.0 * 1500.0);
    const double load = 1 - pow(far_field_ratio(&dispersive, period_s) / (1 - water), 2);
    assert_near("half space", load, fall + attraction, 0.02 * load);
    // Every depth and period is slower than long waves.
    for (double depth_m = 500; depth_m <= 8000; depth_m *= 2)
        for (double s = 1; s < 1e5; s *= 3) {
            const double ratio = far_field_ratio(&(struct far_field){.depth_m = depth_m}, s);
            assert_true(ratio > 0 && ratio < 1);
        }
}

// ---- the correction

enum { SAMPLES = 1681 };

struct record {
    double times_s[SAMPLES], eta_m[SAMPLES];
};

// A hump of the width `width_m` at 0 when the earthquake was; half of it comes by at x.
static double hump(double x_m, double width_m)
{
    return 0.5 * exp(-x_m * x_m / (width_m * width_m));
}

// The same in truth, by quadrature over wave numbers: ½ · width/√π ∫ exp(−k²width²/4) cos(k(x − c(k)t)) dk.
static double true_hump(const struct far_field *sea, double x_m, double time_s, double width_m)
{
    const double c_m_s = sqrt(9.81 * sea->depth_m), most = 14 / width_m;
    const int steps = 20000;
    double sum = 0;
    for (int i = 0; i < steps; i++) {
        const double k = most * (i + 0.5) / steps, ratio = far_field_ratio(sea, 2 * pi / (k * c_m_s));
        sum += exp(-0.25 * k * k * width_m * width_m) * cos(k * (x_m - ratio * c_m_s * time_s));
    }
    return 0.5 * sum * most / steps * width_m / sqrt(pi);
}

// 20 hours across an ocean of one depth, some 14000 km: the crest is later by 1 % and lower, and its front
// longer, as in the closed form, to 4e-5 of the hump: the longest waves have few wave numbers in a record
// of 28 hours.
TEST(a_hump_across_the_ocean)
{
    const struct far_field *const seas[] = {&ocean, &dispersive};
    static struct record record;
    const double c_m_s = sqrt(9.81 * 4000), x_m = 20 * 3600 * c_m_s, width_m = 120e3;
    for (size_t s = 0; s < COUNT(seas); s++) {
        double largest = 0, late_s = 0;
        for (size_t k = 0; k < SAMPLES; k++) {
            record.times_s[k] = 60 * (double)k;
            record.eta_m[k] = hump(x_m - c_m_s * record.times_s[k], width_m);
        }
        assert_ok(far_field_correct(seas[s], record.times_s, record.eta_m, SAMPLES));
        for (size_t k = 0; k < SAMPLES; k++) {
            if (record.eta_m[k] > largest) {
                largest = record.eta_m[k];
                late_s = record.times_s[k] - 20 * 3600;
            }
            if (k % 20 == 0 || fabs(record.times_s[k] - 20 * 3600) < 3000)
                assert_near("hump", record.eta_m[k], true_hump(seas[s], x_m, record.times_s[k], width_m),
                            2e-5);
        }
        assert_true(late_s > 0.006 * 20 * 3600 && late_s < 0.014 * 20 * 3600);
    }
}

// A long train of waves of one period comes later by its own delay, t/r − t, at any time of the train.
TEST(a_train_is_delayed_by_its_period)
{
    static struct record record;
    static const double periods_s[] = {400, 1000, 2500};
    for (size_t p = 0; p < COUNT(periods_s); p++) {
        const double ratio = far_field_ratio(&ocean, periods_s[p]), at_s = 15 * 3600,
                     frequency = 2 * pi / periods_s[p];
        for (size_t k = 0; k < SAMPLES; k++) {
            const double t = record.times_s[k] = 60 * (double)k;
            record.eta_m[k] = exp(-pow((t - at_s) / 9000, 2)) * cos(frequency * (t - at_s));
        }
        assert_ok(far_field_correct(&ocean, record.times_s, record.eta_m, SAMPLES));
        // The crest by a parabola through the samples about the largest one within half a period.
        size_t best = 0;
        for (size_t k = 1; k + 1 < SAMPLES; k++)
            if (fabs(record.times_s[k] - at_s / ratio) < 0.4 * periods_s[p] &&
                (best == 0 || record.eta_m[k] > record.eta_m[best]))
                best = k;
        const double before = record.eta_m[best - 1], here = record.eta_m[best],
                     after = record.eta_m[best + 1];
        const double crest_s = record.times_s[best] + 30 * (before - after) / (before - 2 * here + after);
        assert_near("crest", crest_s, at_s / ratio, 0.01 * periods_s[p]);
        assert_true(crest_s - at_s > 0.009 * at_s);
    }
}

// Times that are not even, and a record that begins later, give the same wave.
TEST(times_of_any_kind)
{
    static struct record even, odd;
    for (size_t k = 0; k < SAMPLES; k++) {
        even.times_s[k] = 20 * (double)k;
        odd.times_s[k] = 6000 + 20 * (double)k + (k % 2 == 1 ? 3 : 0);
        even.eta_m[k] = hump(20000 - even.times_s[k], 1500);
        odd.eta_m[k] = hump(20000 - odd.times_s[k], 1500);
    }
    assert_ok(far_field_correct(&ocean, even.times_s, even.eta_m, SAMPLES));
    assert_ok(far_field_correct(&ocean, odd.times_s, odd.eta_m, SAMPLES));
    for (size_t k = 300; k + 300 < SAMPLES; k += 2)
        assert_near("later", odd.eta_m[k - 300], even.eta_m[k], 2e-4);
}

TEST(what_is_refused)
{
    double times_s[3] = {0, 60, 120}, eta_m[3] = {0, NAN, 0};
    assert_failure(far_field_correct(&ocean, times_s, eta_m, 3), STATUS_DATA, "sample 1 (at 60 s)");
    eta_m[1] = 1;
    times_s[0] = -60;
    assert_failure(far_field_correct(&ocean, times_s, eta_m, 3), STATUS_DATA, "before the event");
    times_s[0] = 60;
    assert_failure(far_field_correct(&ocean, times_s, eta_m, 3), STATUS_DATA, "not after the last one");
    assert_failure(far_field_correct(&ocean, times_s, eta_m, FAR_FIELD_SAMPLES_MAX + 1), STATUS_DATA,
                   "too many");
}
