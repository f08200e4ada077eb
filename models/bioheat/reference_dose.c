// Thermal dose and largest rise in the heat model's reference: kept before each step, completed when they are
// asked for. The rate is written from its definition with the mathematical library's function; results.h has
// its own.
#include "models/bioheat/reference.h"

#include <math.h>

// Equivalent minutes at 43 °C per second, R^(43 − T)/60 (Sapareto & Dewey 1984).
static double rate_min_s(enum bioheat_dose definition, double T, bool has_passed)
{
    double R = T >= 43 ? 0.5 : 0.25;
    switch (definition) {
    case BIOHEAT_DOSE_OFF:
        return 0;
    case BIOHEAT_DOSE_PLAIN:
        break;
    case BIOHEAT_DOSE_KWAVE:
        if (T < 37)
            return 0;
        break;
    case BIOHEAT_DOSE_ISO:
        if (T < 39)
            return 0;
        if (T > 57)
            return INFINITY;
        if (has_passed)
            R = 0.5;
        break;
    }
    return pow(R, 43 - T) / 60;
}

void reference_forget_records(struct solver *s)
{
    for (size_t k = reference_first(s); k < reference_end(s); k++) {
        if (s->setup.physics->dose != BIOHEAT_DOSE_OFF)
            s->dose[k] = s->dose_low[k] = 0, s->has_passed[k] = 0;
        if (s->setup.physics->second_dose != BIOHEAT_DOSE_OFF)
            s->second[k] = s->second_low[k] = 0;
        if (s->setup.physics->has_maximum)
            s->largest[k] = -INFINITY, s->largest_at_s[k] = NAN;
    }
}

// Adds with what rounding loses kept apart: an hour in steps of milliseconds is millions of equal small
// terms.
static void add_to(double *dose, double *low, double minutes)
{
    const double sum = *dose + minutes;
    if (!isfinite(sum)) {
        *dose = sum;
        *low = 0;
        return;
    }
    const double kept = sum - *dose;
    *low += (*dose - (sum - kept)) + (minutes - kept);
    *dose = sum;
}

static void add_dose(struct solver *s, size_t k, double minutes)
{
    add_to(&s->dose[k], &s->dose_low[k], minutes);
}

static void add_second(struct solver *s, size_t k, double minutes)
{
    add_to(&s->second[k], &s->second_low[k], minutes);
}

void reference_record(struct solver *s, double step)
{
    const struct bioheat_physics *physics = s->setup.physics;
    const double weight_s = (step == 0 ? 0.5 : 1) * physics->step_s;
    for (size_t k = reference_first(s); k < reference_end(s); k++) {
        const double T = physics->reference_c + s->theta[k];
        if (physics->dose != BIOHEAT_DOSE_OFF && physics->method != BIOHEAT_RKL2) {
            if (T >= 43)
                s->has_passed[k] = 1;
            add_dose(s, k, weight_s * rate_min_s(physics->dose, T, s->has_passed[k]));
            if (physics->second_dose != BIOHEAT_DOSE_OFF)
                add_second(s, k, weight_s * rate_min_s(physics->second_dose, T, s->has_passed[k]));
        }
        if (physics->has_maximum && s->theta[k] > s->largest[k]) {
            s->largest[k] = s->theta[k];
            s->largest_at_s[k] = step * physics->step_s;
        }
    }
}

// ∫ of the rate over T (min·K/s) from a temperature far below to T: pieces of an exponential, continuous at
// 43 °C, constant where nothing counts.
static double rate_integral(enum bioheat_dose definition, double T, bool has_passed)
{
    const double least = definition == BIOHEAT_DOSE_KWAVE ? 37
                         : definition == BIOHEAT_DOSE_ISO ? 39
                                                          : -INFINITY;
    const double from = fmax(T, least);
    if (has_passed)
        return pow(0.5, 43 - from) / log(2) / 60;
    return from < 43 ? pow(0.25, 43 - from) / log(4) / 60
                     : (1 / log(4) + (pow(0.5, 43 - from) - 1) / log(2)) / 60;
}

// The mean of the rate on the straight line from T0 to T1; has_passed: 43 °C was reached before, or at T0.
static double mean_rate_min_s(enum bioheat_dose definition, double T0, double T1, bool has_passed)
{
    const bool remembers = definition == BIOHEAT_DOSE_ISO && has_passed;
    const double first = rate_min_s(definition, T0, has_passed),
                 last = rate_min_s(definition, T1, has_passed);
    if (isinf(first) || isinf(last))
        return INFINITY;
    if (fabs(T1 - T0) < BIOHEAT_DOSE_NEAR_K) {
        const double x = (remembers || 0.5 * (T0 + T1) >= 43 ? log(2) : log(4)) * (T1 - T0);
        return 0.5 * (first + last) * (1 - x * x / 12 + x * x * x * x / 120);
    }
    return (rate_integral(definition, T1, remembers) - rate_integral(definition, T0, remembers)) / (T1 - T0);
}

void reference_add_mean_dose(struct solver *s, double step_s, const double *before, const double *after)
{
    const struct bioheat_physics *physics = s->setup.physics;
    for (size_t k = reference_first(s); k < reference_end(s) && physics->dose != BIOHEAT_DOSE_OFF; k++) {
        const double T0 = physics->reference_c + before[k], T1 = physics->reference_c + after[k];
        if (T0 >= 43)
            s->has_passed[k] = 1;
        add_dose(s, k, step_s * mean_rate_min_s(physics->dose, T0, T1, s->has_passed[k]));
        if (physics->second_dose != BIOHEAT_DOSE_OFF)
            add_second(s, k, step_s * mean_rate_min_s(physics->second_dose, T0, T1, s->has_passed[k]));
        if (T1 >= 43)
            s->has_passed[k] = 1;
    }
}

// With half of the present rate (trapezoidal rule), but for rkl2.
static double reported_min(const struct solver *s, int64_t step, size_t k, enum bioheat_dose definition,
                           double dose, double low)
{
    const struct bioheat_physics *physics = s->setup.physics;
    const double T = physics->reference_c + s->theta[k];
    const double rate = rate_min_s(definition, T, s->has_passed[k] || T >= 43);
    const bool has_half = step > 0 && physics->method != BIOHEAT_RKL2;
    return dose + (low + (has_half ? 0.5 * physics->step_s * rate : 0));
}

void reference_get_second_dose(const struct solver *s, int64_t step, size_t z, size_t y, size_t first,
                               size_t count, double *dose_min)
{
    for (size_t i = 0; i < count; i++) {
        const size_t k = reference_cell(s->setup.grid, (const size_t[]){z, y, first + i});
        dose_min[i] = reported_min(s, step, k, s->setup.physics->second_dose, s->second[k], s->second_low[k]);
    }
}

void reference_set_second_dose(struct solver *s, size_t z, size_t y, size_t first, size_t count,
                               const double *dose_min, const double *largest_k)
{
    (void)largest_k; // the memory of 43 °C is that of the first dose
    for (size_t i = 0; i < count; i++) {
        const size_t k = reference_cell(s->setup.grid, (const size_t[]){z, y, first + i});
        s->second[k] = dose_min[i], s->second_low[k] = 0;
    }
}

void reference_get_records(const struct solver *s, int64_t step, size_t z, size_t y, size_t first,
                           size_t count, double *dose_min, double *largest_k, double *largest_at_s)
{
    const struct bioheat_physics *physics = s->setup.physics;
    for (size_t i = 0; i < count; i++) {
        const size_t k = reference_cell(s->setup.grid, (const size_t[]){z, y, first + i});
        const double theta = s->theta[k];
        double dose = NAN, largest = NAN, at_s = NAN;
        if (physics->dose != BIOHEAT_DOSE_OFF)
            dose = reported_min(s, step, k, physics->dose, s->dose[k], s->dose_low[k]);
        if (physics->has_maximum) {
            const bool is_now = theta > s->largest[k];
            largest = is_now ? theta : s->largest[k];
            at_s = is_now ? (double)step * physics->step_s : s->largest_at_s[k];
        }
        if (dose_min)
            dose_min[i] = dose;
        if (largest_k)
            largest_k[i] = largest;
        if (largest_at_s)
            largest_at_s[i] = at_s;
    }
}

void reference_set_records(struct solver *s, size_t z, size_t y, size_t first, size_t count,
                           const double *dose_min, const double *largest_k, const double *largest_at_s)
{
    const struct bioheat_physics *physics = s->setup.physics;
    for (size_t i = 0; i < count; i++) {
        const size_t k = reference_cell(s->setup.grid, (const size_t[]){z, y, first + i});
        if (physics->dose != BIOHEAT_DOSE_OFF) {
            if (dose_min)
                s->dose[k] = dose_min[i], s->dose_low[k] = 0;
            if (largest_k)
                s->has_passed[k] = physics->reference_c + largest_k[i] >= 43;
        }
        if (physics->has_maximum && largest_k)
            s->largest[k] = isnan(largest_k[i]) ? -INFINITY : largest_k[i];
        if (physics->has_maximum && largest_at_s)
            s->largest_at_s[k] = largest_at_s[i];
    }
}
