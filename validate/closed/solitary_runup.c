// Run-up of a solitary wave on a plane beach (see solitary_runup.h).
//
// The integrals run over the whole line and their integrands are analytic about it, so the trapezoidal rule
// converges exponentially: the error is exp(−2πa/h) for a strip of half-width a without poles. The nearest
// pole is the first zero of J0(z) − iJ1(z), z = 2kX0 = ±2.98 + 1.28i, so a = 0.64/X0; h = 0.08/X0 leaves
// 1e-21, and what cuts the accuracy is rounding.
#include "validate/closed/solitary_runup.h"

#include "validate/closed/solitary_wave.h"

#include <assert.h>
#include <complex.h>
#include <math.h>
#include <stdlib.h>

// j0, j1 are libm's; their errors are some 1e-16 absolute for the arguments here.

static const double pi = 3.14159265358979323846;

// Of one σ at all nodes: J0(z) and J1(z)/σ, z = σkX0/2. Kept, as one σ after another is met with many λ.
struct bessel {
    double sigma;
    double *even, *odd;
};

struct solitary_runup {
    double height, toe, crest; // H, X0, X1 in depths
    size_t count;              // nodes k = 0, step, ...
    double step;
    double *k;
    double *wave;          // (8/3) k csch(αk) · step; half of it at k = 0: real part over k ≥ 0 only
    double complex *beach; // 1 / (J0(2kX0) − i J1(2kX0))
    struct bessel *bessel; // changes with the solution's use: one thread
};

enum status solitary_runup_new(double height, double cot_beta, struct solitary_runup **solution)
{
    *solution = NULL;
    const double limit = 0.8183 * pow(cot_beta, -10.0 / 9);
    if (!(height >= 1e-4 && height <= 0.1 && cot_beta >= 1 && cot_beta <= 200 && height < limit))
        return FAIL(STATUS_SOFTWARE,
                    "solitary wave on a beach: H/d %g on 1:%g has no closed form (it breaks above %g)",
                    height, cot_beta, limit);
    struct solitary_runup *s = calloc(1, sizeof *s);
    if (!s)
        return FAIL(STATUS_SYSTEM, "solitary wave on a beach: not enough memory");
    const struct solitary_wave wave = solitary_wave_before_beach(1, height, cot_beta, 1);
    const double alpha = pi / (2 * wave.gamma);
    s->height = height;
    s->toe = wave.toe_m;
    s->crest = wave.crest_m;
    s->step = 0.08 / s->toe;
    s->count = (size_t)ceil(45 / alpha / s->step) + 1; // k csch(αk) has fallen by 1e-19
    s->k = calloc(s->count, sizeof *s->k);
    s->wave = calloc(s->count, sizeof *s->wave);
    s->beach = calloc(s->count, sizeof *s->beach);
    s->bessel = calloc(1, sizeof *s->bessel);
    if (s->bessel) {
        *s->bessel = (struct bessel){NAN, calloc(s->count, sizeof(double)), calloc(s->count, sizeof(double))};
    }
    if (!s->k || !s->wave || !s->beach || !s->bessel || !s->bessel->even || !s->bessel->odd) {
        solitary_runup_free(s);
        return FAIL(STATUS_SYSTEM, "solitary wave on a beach: not enough memory for its integrals");
    }
    for (size_t n = 0; n < s->count; n++) {
        const double k = (double)n * s->step;
        s->k[n] = k;
        s->wave[n] = n == 0 ? s->step * (4.0 / 3) / alpha : s->step * (8.0 / 3) * k / sinh(alpha * k);
        s->beach[n] = 1 / (j0(2 * k * s->toe) - I * j1(2 * k * s->toe));
    }
    *solution = s;
    return STATUS_OK;
}

void solitary_runup_free(struct solitary_runup *s)
{
    if (!s)
        return;
    free(s->k);
    free(s->wave);
    free(s->beach);
    if (s->bessel) {
        free(s->bessel->even);
        free(s->bessel->odd);
    }
    free(s->bessel);
    free(s);
}

// exp(ikθ) at one node after another: by multiplication, restarted every 16 nodes, so that rounding stays
// below 1e-15.
struct turn {
    double theta;
    double complex step, value;
};

static struct turn turn_begin(const struct solitary_runup *s, double theta)
{
    return (struct turn){theta, cexp(I * s->step * theta), 1};
}

// exp(ikθ) / (J0 − iJ1) at node n, the one after the last.
static double complex turned(const struct solitary_runup *s, size_t n, struct turn *turn)
{
    turn->value = n % 16 == 0 ? cexp(I * s->k[n] * turn->theta) : turn->value * turn->step;
    return turn->value * s->beach[n];
}

double solitary_runup_linear(const struct solitary_runup *s, double x, double t)
{
    assert(x >= 0);
    double sum = 0;
    if (x <= s->toe) {
        struct turn turn = turn_begin(s, s->crest - s->toe - t);
        const double stretch = 2 * sqrt(x * s->toe);
        for (size_t n = 0; n < s->count; n++)
            sum += s->wave[n] * j0(s->k[n] * stretch) * creal(turned(s, n, &turn));
        return sum;
    }
    // The reflected part: (J0 + iJ1)/(J0 − iJ1) is the conjugate denominator over itself.
    struct turn turn = turn_begin(s, s->crest - 2 * s->toe + x - t);
    for (size_t n = 0; n < s->count; n++)
        sum += 0.5 * s->wave[n] * creal(turned(s, n, &turn) / conj(s->beach[n]));
    const struct solitary_wave wave = solitary_wave_before_beach(1, s->height, s->toe, 1);
    return solitary_wave_eta_m(&wave, x + t) + sum;
}

// J1(z)/σ at the shoreline is k X0/4.
static const struct bessel *bessel_at(const struct solitary_runup *s, double sigma)
{
    struct bessel *bessel = s->bessel;
    if (bessel->sigma == sigma)
        return bessel;
    bessel->sigma = sigma;
    for (size_t n = 0; n < s->count; n++) {
        const double z = s->k[n] * (0.5 * sigma * s->toe);
        bessel->even[n] = j0(z);
        bessel->odd[n] = sigma > 1e-7 ? j1(z) / sigma : 0.25 * s->k[n] * s->toe;
    }
    return bessel;
}

// η and the landward velocity w at a point of the transformed plane.
static void transformed(const struct solitary_runup *s, double sigma, double lambda, double *eta, double *w)
{
    struct turn turn = turn_begin(s, s->crest - s->toe - 0.5 * s->toe * lambda);
    const struct bessel *bessel = bessel_at(s, sigma);
    double psi_lambda = 0, psi_sigma = 0; // a quarter of ψ_λ; ψ_σ/σ
    for (size_t n = 0; n < s->count; n++) {
        const double complex value = s->wave[n] * turned(s, n, &turn);
        psi_lambda += bessel->even[n] * creal(value);
        psi_sigma += 4 * cimag(value) * bessel->odd[n];
    }
    *w = psi_sigma;
    *eta = psi_lambda - 0.5 * psi_sigma * psi_sigma;
}

// λ at (σ, t): λ = 2(t/X0 + w(σ, λ)), a contraction while the wave does not break (|w_λ| < ½). Ten digits
// take some ten rounds; secant steps take four.
static double find_lambda(const struct solitary_runup *s, double sigma, double t, double *eta, double *w)
{
    double before = 2 * t / s->toe;
    transformed(s, sigma, before, eta, w);
    double miss_before = before - 2 * (t / s->toe + *w), lambda = before - miss_before;
    for (int round = 0; round < 40; round++) {
        transformed(s, sigma, lambda, eta, w);
        const double miss = lambda - 2 * (t / s->toe + *w);
        if (fabs(miss) <= 1e-13 * (1 + fabs(lambda)) || miss == miss_before)
            break;
        const double next = lambda - miss * (lambda - before) / (miss - miss_before);
        before = lambda;
        miss_before = miss;
        lambda = next;
    }
    return lambda;
}

double solitary_runup_shoreline(const struct solitary_runup *s, double t, double *x)
{
    double eta, w;
    (void)find_lambda(s, 0, t, &eta, &w);
    if (x)
        *x = -s->toe * eta;
    return eta;
}

// x of the point σ of the moving plane at time t, less `x`.
static double miss_x(const struct solitary_runup *s, double sigma, double x, double t, double *eta, double *w)
{
    (void)find_lambda(s, sigma, t, eta, w);
    return s->toe * (sigma * sigma / 16 - *eta) - x;
}

double solitary_runup_nonlinear(const struct solitary_runup *s, double x, double t, double *velocity)
{
    double eta, w, low = 0, high = 8; // σ = 4 at the toe when at rest
    if (velocity)
        *velocity = NAN;
    if (x > s->toe)
        return solitary_runup_linear(s, x, t);
    double miss_low = miss_x(s, low, x, t, &eta, &w);
    if (miss_low > 0)
        return NAN; // landward of the shoreline
    double miss_high = miss_x(s, high, x, t, &eta, &w);
    // x grows with σ at a fixed time: the secant between two brackets, the older one's miss halved so that
    // both move (the Illinois rule, Dowell & Jarratt 1971, BIT 11, 168-174).
    for (int round = 0; round < 100 && high - low > 1e-14 * high; round++) {
        const double sigma = high - miss_high * (high - low) / (miss_high - miss_low);
        const double miss = miss_x(s, sigma, x, t, &eta, &w);
        if (fabs(miss) <= 1e-13 * s->toe)
            break;
        if (miss < 0) {
            low = sigma;
            miss_low = miss;
            miss_high *= 0.5;
        } else {
            high = sigma;
            miss_high = miss;
            miss_low *= 0.5;
        }
    }
    if (velocity)
        *velocity = w;
    return eta;
}

// The cubic through four points, at x.
static double cubic(const double *x, const double *y, double at)
{
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        double term = y[k];
        for (int m = 0; m < 4; m++)
            term *= m == k ? 1 : (at - x[m]) / (x[k] - x[m]);
        sum += term;
    }
    return sum;
}

void solitary_runup_profile(const struct solitary_runup *s, double t, size_t count, const double *x,
                            double *eta)
{
    enum { NODES = 201 };
    double node_x[NODES], node_eta[NODES], w;
    for (int n = 0; n < NODES; n++) {
        const double sigma = 5.0 * n / (NODES - 1); // 4 at the toe when at rest
        (void)find_lambda(s, sigma, t, &node_eta[n], &w);
        node_x[n] = s->toe * (sigma * sigma / 16 - node_eta[n]);
    }
    for (size_t k = 0; k < count; k++) {
        if (x[k] > s->toe) {
            eta[k] = solitary_runup_linear(s, x[k], t);
            continue;
        }
        int low = 0, high = NODES - 1;
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            *(node_x[middle] <= x[k] ? &low : &high) = middle;
        }
        const int first = low == 0 ? 0 : low > NODES - 4 ? NODES - 4 : low - 1;
        eta[k] = x[k] < node_x[0] ? (double)NAN : cubic(node_x + first, node_eta + first, x[k]);
    }
}

double solitary_runup_largest(const struct solitary_runup *s, double *time)
{
    // At the largest run-up the shoreline is at rest: η = ψ_λ/4 there, and the largest η is the largest of
    // ψ_λ/4 − w²/2 over λ. The wave arrives about X1 − X0 + 2X0 after the start.
    const double golden = 0.5 * (sqrt(5) - 1);
    double best = -INFINITY, at = 0, eta, w;
    const double end = 4 * (s->crest + 2 * s->toe) / s->toe;
    for (double lambda = 0; lambda <= end; lambda += end / 800) {
        transformed(s, 0, lambda, &eta, &w);
        if (eta > best) {
            best = eta;
            at = lambda;
        }
    }
    double low = at - end / 800, high = at + end / 800;
    for (int round = 0; round < 60; round++) {
        const double one = high - golden * (high - low), two = low + golden * (high - low);
        double eta_one, eta_two;
        transformed(s, 0, one, &eta_one, &w);
        transformed(s, 0, two, &eta_two, &w);
        if (eta_one > eta_two)
            high = two;
        else
            low = one;
    }
    transformed(s, 0, 0.5 * (low + high), &eta, &w);
    if (time)
        *time = s->toe * (0.25 * (low + high) - w);
    return eta;
}

double solitary_runup_law(double height, double cot_beta)
{
    return 2.831 * sqrt(cot_beta) * pow(height, 1.25);
}
