// The results of one cell, from its rise in kelvin: temperature, rate of thermal dose, dose so far, the
// largest rise, and whether the state is finite. The arithmetic is in double in every precision, and written
// once for host and device, so that both give the same bits (contraction is off on both, and nothing here
// calls a mathematical library). Independent of arrays, back ends and files.
#ifndef FATHOM_MODELS_BIOHEAT_RESULTS_H
#define FATHOM_MODELS_BIOHEAT_RESULTS_H

#include "core/host_device.h"
#include "models/bioheat/state.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// °C. R changes at the first; there is no dose below the second and the third (KWAVE, ISO), and above the
// last it is infinite (ISO).
#define BIOHEAT_DOSE_REFERENCE_C   43.0
#define BIOHEAT_DOSE_KWAVE_LEAST_C 37.0
#define BIOHEAT_DOSE_ISO_LEAST_C   39.0
#define BIOHEAT_DOSE_ISO_MOST_C    57.0

// °C. Beyond the last two water boils and tissue freezes: the model is no longer right.
#define BIOHEAT_ABSOLUTE_ZERO_C -273.15
#define BIOHEAT_FREEZING_C      -50.0
#define BIOHEAT_BOILING_C       100.0

// °C. No job gives a higher temperature, and no file or state holds one.
#define BIOHEAT_HOTTEST_C 1e4

// Where a sensor takes its values: the sum over cells of weight times value, in this order, without those of
// weight 0. The weights are ≥ 0 with the sum 1. Set between the plan and `start`.
enum { BIOHEAT_CORNERS = 8 };
struct bioheat_sensor_place {
    size_t cells[BIOHEAT_CORNERS][BIOHEAT_AXES];
    double weights[BIOHEAT_CORNERS];
};

static FATHOM_HOST_DEVICE double bioheat_temperature_c(double theta_k, double reference_c)
{
    return reference_c + theta_k;
}

// Below absolute zero, by more than a rise is rounded in single precision.
static FATHOM_HOST_DEVICE bool bioheat_is_impossible(double temperature_c)
{
    return temperature_c < BIOHEAT_ABSOLUTE_ZERO_C - 1e-3;
}

// False for NaN and infinities.
static FATHOM_HOST_DEVICE bool bioheat_is_finite(double theta_k)
{
    return fabs(theta_k) < (double)INFINITY;
}

// 2^x within 1.5 units in the last place. x = n + r, |r| ≤ 1/2; 2^r by the Taylor series of e^(r ln 2) to the
// 13th power (what is left out: (½ ln 2)^14/14! = 4e-18). Below the normal numbers 0, above the largest
// infinite, NaN for NaN.
static FATHOM_HOST_DEVICE double bioheat_exp2(double x)
{
    if (!(x > -1022))
        return x <= -1022 ? 0.0 : x;
    if (x >= 1024)
        return (double)INFINITY;
    const double shift = 6755399441055744.0; // 1.5 · 2^52: what is added to it is rounded to an integer
    const double n = (x + shift) - shift, t = (x - n) * 0.69314718055994530942;
    double sum = 1.0 / 6227020800.0;
    sum = sum * t + 1.0 / 479001600.0;
    sum = sum * t + 1.0 / 39916800.0;
    sum = sum * t + 1.0 / 3628800.0;
    sum = sum * t + 1.0 / 362880.0;
    sum = sum * t + 1.0 / 40320.0;
    sum = sum * t + 1.0 / 5040.0;
    sum = sum * t + 1.0 / 720.0;
    sum = sum * t + 1.0 / 120.0;
    sum = sum * t + 1.0 / 24.0;
    sum = sum * t + 1.0 / 6.0;
    sum = sum * t + 0.5;
    sum = sum * t + 1.0;
    sum = sum * t + 1.0;
    // The factor in two, so that n = 1024 (x just below it) has one.
    const int64_t half = (int64_t)n / 2, rest = (int64_t)n - half;
    const uint64_t bits[2] = {(uint64_t)(1023 + half) << 52, (uint64_t)(1023 + rest) << 52};
    double factor[2];
    memcpy(factor, bits, sizeof factor);
    return sum * factor[0] * factor[1];
}

// ISO: whether 43 °C is or was reached.
static FATHOM_HOST_DEVICE bool bioheat_dose_passed(bool has_passed, double theta_k, double reference_c)
{
    return has_passed || bioheat_temperature_c(theta_k, reference_c) >= BIOHEAT_DOSE_REFERENCE_C;
}

// Equivalent minutes at 43 °C per second (Sapareto & Dewey 1984): R^(43 − T)/60, with R by enum bioheat_dose.
// `has_passed` counts for ISO only. NaN gives NaN.
static FATHOM_HOST_DEVICE double bioheat_dose_rate_min_s(enum bioheat_dose definition, double theta_k,
                                                         double reference_c, bool has_passed)
{
    const double T = bioheat_temperature_c(theta_k, reference_c);
    const double above_k = T - BIOHEAT_DOSE_REFERENCE_C;
    bool is_halving = above_k >= 0; // R = 0.5, else 0.25
    if (definition == BIOHEAT_DOSE_OFF ||
        (definition == BIOHEAT_DOSE_KWAVE && T < BIOHEAT_DOSE_KWAVE_LEAST_C))
        return 0;
    if (definition == BIOHEAT_DOSE_ISO) {
        if (T < BIOHEAT_DOSE_ISO_LEAST_C)
            return 0;
        if (T > BIOHEAT_DOSE_ISO_MOST_C)
            return (double)INFINITY;
        is_halving = is_halving || has_passed;
    }
    return bioheat_exp2(is_halving ? above_k : 2 * above_k) / 60;
}

// The dose after `step` steps: the sum of the steps and half of the present rate (trapezoidal rule).
static FATHOM_HOST_DEVICE double bioheat_dose_reported_min(enum bioheat_dose definition, int64_t step,
                                                           double step_s, double added_min, double theta_k,
                                                           double reference_c, bool has_passed)
{
    if (definition == BIOHEAT_DOSE_OFF)
        return NAN;
    if (step <= 0) // zero, or the dose of an earlier exposure
        return added_min;
    return added_min + 0.5 * step_s * bioheat_dose_rate_min_s(definition, theta_k, reference_c, has_passed);
}

// The weight (s) of the rate at the beginning of step `step` in the integral.
static FATHOM_HOST_DEVICE double bioheat_dose_weight_s(int64_t step, double step_s)
{
    return step == 0 ? 0.5 * step_s : step_s;
}

// Largest rise as reported after `step` steps; largest_k starts as −INFINITY.
struct bioheat_largest {
    double theta_k, at_s;
};

static FATHOM_HOST_DEVICE struct bioheat_largest bioheat_largest_with(struct bioheat_largest before,
                                                                      double theta_k, int64_t step,
                                                                      double step_s)
{
    struct bioheat_largest now = before;
    if (theta_k > before.theta_k) {
        now.theta_k = theta_k;
        now.at_s = (double)step * step_s;
    }
    return now;
}

// Value of a map or at a sensor.
static FATHOM_HOST_DEVICE double bioheat_field_value(enum bioheat_field field, double theta_k,
                                                     double dose_min, double largest_k, double reference_c)
{
    switch (field) {
    case BIOHEAT_TEMPERATURE:
        return bioheat_temperature_c(theta_k, reference_c);
    case BIOHEAT_DOSE_FIELD:
        return dose_min;
    case BIOHEAT_MAXIMUM_FIELD:
        return bioheat_temperature_c(largest_k, reference_c);
    case BIOHEAT_FIELD_COUNT:
        break;
    }
    return NAN;
}

#endif
