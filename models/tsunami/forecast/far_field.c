// The delay of the far field (see the header).
#include "models/tsunami/forecast/far_field.h"

#include "io/formats/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double gravity_m_s2 = 9.81, earth_radius_m = 6371000;
static const double water_kg_m3 = 1027, earth_kg_m3 = 5517; // means of both
static const double sound_m_s = 1500;                       // of sea water
// Components below this part of the largest one are left out; of a series of waves, rounding.
static const double least_part = 1e-9;

// ---- phase velocity

// Load Love numbers: h'n and n k'n of Farrell's (1972) table A2, linear in log n between the entries.
static const struct love {
    double degree, h, nk;
} love[] = {{18, -1.893, -0.952},   {32, -2.379, -1.240},   {56, -2.753, -1.402},   {100, -3.058, -1.461},
            {180, -3.474, -1.591},  {325, -4.107, -1.928},  {550, -4.629, -2.249},  {1000, -4.906, -2.431},
            {1800, -4.953, -2.465}, {3000, -4.954, -2.468}, {10000, -4.956, -2.469}};

// 3ρw/((2n + 1)ρe) · (1 + k'n − h'n) of a degree, which need not be whole. Waves longer than that of
// degree 20 (2.8 h over 4 km) are none of a tsunami: they keep its delay, so that slow changes of a series
// do not spread.
static double load_share(double degree)
{
    const size_t last = sizeof love / sizeof *love - 1;
    const double n = fmin(fmax(degree, 20), love[last].degree);
    size_t k = 0;
    while (k + 1 < last && love[k + 1].degree <= n)
        k++;
    const double part = log(n / love[k].degree) / log(love[k + 1].degree / love[k].degree);
    const double h = love[k].h + part * (love[k + 1].h - love[k].h);
    const double nk = love[k].nk + part * (love[k + 1].nk - love[k].nk);
    return 3 * water_kg_m3 / ((2 * n + 1) * earth_kg_m3) * (1 + nk / n - h);
}

double far_field_ratio(const struct far_field *sea, double period_s)
{
    const double k = 2 * pi / (period_s * sqrt(gravity_m_s2 * sea->depth_m)), kd = k * sea->depth_m;
    const double finite_depth = sea->is_dispersive ? 1 : tanh(kd) / kd;
    const double water = 1 - gravity_m_s2 * sea->depth_m / (4 * sound_m_s * sound_m_s);
    return sqrt(finite_depth * (1 - load_share(k * earth_radius_m - 0.5))) * water;
}

// ---- the series

// Series of the same times are corrected side by side: the angles of a component are found once, and the
// sums over time of all lanes are independent of each other, as the processor likes them.
enum { LANES = 16 };

// Even samples from the first time on, and as many again in which the last value fades away: a series that
// ended with a jump would ring.
struct samples {
    size_t count, padded; // of the series; with the rest
    double start_s, step_s;
    double *even;      // [padded][LANES]
    double *corrected; // [count][LANES]
};

static void fill_even(struct samples *s, size_t lane, const double *times_s, const double *values)
{
    const size_t fade = s->count / 8;
    for (size_t k = 0; k < s->padded; k++)
        s->even[k * LANES + lane] = 0;
    for (size_t k = 0; k < s->count; k++) {
        s->corrected[k * LANES + lane] = 0;
        s->even[k * LANES + lane] = series_at(
            times_s, values, s->count, fmin(s->start_s + s->step_s * (double)k, times_s[s->count - 1]));
    }
    for (size_t k = 0; k < fade; k++)
        s->even[(s->count + k) * LANES + lane] =
            values[s->count - 1] * 0.5 * (1 + cos(pi * ((double)k + 1) / ((double)fade + 1)));
}

// A unit vector that turns by the same angle at every sample, set anew before rounding errors grow.
enum { TURNS = 64 };
struct turn {
    double angle, first, c, s, step_c, step_s;
    size_t k;
};

static struct turn turn_start(double angle, double first)
{
    return (struct turn){.angle = angle,
                         .first = first,
                         .c = cos(first),
                         .s = sin(first),
                         .step_c = cos(angle),
                         .step_s = sin(angle)};
}

static void turn_on(struct turn *t)
{
    if (++t->k % TURNS == 0) {
        t->c = cos(t->first + t->angle * (double)t->k);
        t->s = sin(t->first + t->angle * (double)t->k);
        return;
    }
    const double c = t->c * t->step_c - t->s * t->step_s;
    t->s = t->s * t->step_c + t->c * t->step_s;
    t->c = c;
}

struct component {
    double cosine[LANES], sine[LANES]; // amplitudes
};

// The component m of the padded series, by its definition.
static void find_component(const struct samples *s, size_t m, struct component *found)
{
    struct turn t = turn_start(2 * pi * (double)m / (double)s->padded, 0);
    const double weight = (m == 0 || 2 * m == s->padded ? 1.0 : 2.0) / (double)s->padded;
    double cosine[LANES] = {0}, sine[LANES] = {0};
    for (size_t k = 0; k < s->padded; k++, turn_on(&t)) {
        const double c = weight * t.c, n = weight * t.s, *even = s->even + k * LANES;
        for (size_t lane = 0; lane < LANES; lane++) {
            cosine[lane] += even[lane] * c;
            sine[lane] += even[lane] * n;
        }
    }
    memcpy(found->cosine, cosine, sizeof cosine);
    memcpy(found->sine, sine, sizeof sine);
}

// Its part of the corrected series: at the time t since the event the phase r ω t − ω t0, t0 being the time
// of the first sample, from which the component's own phase counts.
static void add_component(const struct far_field *sea, struct samples *s, size_t m,
                          const struct component *component)
{
    const double frequency = 2 * pi * (double)m / ((double)s->padded * s->step_s);
    const double ratio = m == 0 ? 1 : far_field_ratio(sea, 2 * pi / frequency);
    const struct component parts = *component;
    struct turn t = turn_start(ratio * frequency * s->step_s, (ratio - 1) * frequency * s->start_s);
    for (size_t k = 0; k < s->count; k++, turn_on(&t)) {
        const double c = t.c, n = t.s;
        double *corrected = s->corrected + k * LANES;
        for (size_t lane = 0; lane < LANES; lane++)
            corrected[lane] += parts.cosine[lane] * c + parts.sine[lane] * n;
    }
}

static void correct(const struct far_field *sea, struct samples *s)
{
    double largest[LANES] = {0};
    for (size_t m = 0; 2 * m <= s->padded; m++) {
        struct component component;
        bool is_wanted = false;
        find_component(s, m, &component);
        for (size_t lane = 0; lane < LANES; lane++) {
            const double size = hypot(component.cosine[lane], component.sine[lane]);
            largest[lane] = fmax(largest[lane], size);
            if (size > least_part * largest[lane])
                is_wanted = true;
            else
                component.cosine[lane] = component.sine[lane] = 0;
        }
        if (is_wanted)
            add_component(sea, s, m, &component);
    }
}

static enum status check(const double *times_s, const double *values, size_t count)
{
    if (count > FAR_FIELD_SAMPLES_MAX)
        return FAIL(STATUS_DATA, "%zu samples are too many for the far-field correction, at most %d", count,
                    FAR_FIELD_SAMPLES_MAX);
    for (size_t k = 0; k < count; k++) {
        if (!isfinite(values[k]))
            return FAIL(STATUS_DATA, "sample %zu (at %g s) is not a number", k, times_s[k]);
        if (!(times_s[k] >= 0) || (k > 0 && !(times_s[k] > times_s[k - 1])))
            return FAIL(STATUS_DATA,
                        "sample %zu: the time %g s is before the event, or not after the last one", k,
                        times_s[k]);
    }
    return STATUS_OK;
}

// At the series' own times again.
static void take_corrected(const struct samples *s, size_t lane, const double *times_s, double *values)
{
    for (size_t k = 0; k < s->count; k++) {
        const double at = (times_s[k] - s->start_s) / s->step_s;
        const size_t low = at < (double)(s->count - 2) ? (size_t)at : s->count - 2;
        const double *corrected = s->corrected + low * LANES + lane;
        values[k] = corrected[0] + (at - (double)low) * (corrected[LANES] - corrected[0]);
    }
}

enum status far_field_correct_all(const struct far_field *sea, const double *times_s, double *const *series,
                                  size_t series_count, size_t count)
{
    for (size_t k = 0; k < series_count; k++)
        CHECK(check(times_s, series[k], count));
    if (count < 2 || series_count == 0)
        return STATUS_OK;
    struct samples s = {.count = count,
                        .padded = 2 * count,
                        .start_s = times_s[0],
                        .step_s = (times_s[count - 1] - times_s[0]) / (double)(count - 1)};
    s.even = calloc(3 * count * LANES, sizeof *s.even);
    if (!s.even)
        return FAIL(STATUS_SYSTEM, "no memory for series of %zu samples", count);
    s.corrected = s.even + s.padded * LANES;
    for (size_t first = 0; first < series_count; first += LANES) {
        const size_t lanes = series_count - first < LANES ? series_count - first : LANES;
        for (size_t lane = 0; lane < lanes; lane++)
            fill_even(&s, lane, times_s, series[first + lane]);
        correct(sea, &s);
        for (size_t lane = 0; lane < lanes; lane++)
            take_corrected(&s, lane, times_s, series[first + lane]);
    }
    free(s.even);
    return STATUS_OK;
}

enum status far_field_correct(const struct far_field *sea, const double *times_s, double *values,
                              size_t count)
{
    return far_field_correct_all(sea, times_s, &values, 1, count);
}
