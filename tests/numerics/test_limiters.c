// The limiters of `muscl-hancock`: a small wave loses as much amplitude as the scheme's amplification factor
// predicts; a bore makes no new extremes; the shoreline agrees with Thacker's closed form.
#include "tests/support/test.h"

#include "tests/support/basin.h"
#include "validate/closed/dam_break.h"
#include "validate/closed/thacker.h"

#include <complex.h>

static const double pi = 3.14159265358979323846;

static const struct ocean_variant variants[] = {
    {&tsunami_backend_reference, ELEMENT_F64, TSUNAMI_MUSCL_HANCOCK},
    {&tsunami_backend_openmp, ELEMENT_F64, TSUNAMI_MUSCL_HANCOCK},
    {&tsunami_backend_openmp, ELEMENT_F32, TSUNAMI_MUSCL_HANCOCK}};
enum { VARIANTS = sizeof variants / sizeof *variants };

static const char *const names[] = {"van Leer", "MC", "third order"};
enum { LIMITERS = sizeof names / sizeof *names };

// ---- propagation of a small wave ----

enum { WAVES = 3, NODES = 20, LENGTHS = 10 };
static const double depth_m = 4000, height_m = 1e-2, courant = 0.45, spacing_m = 5000;

// The amplification factor of a step for a wave of NODES nodes that propagates towards plus, with unlimited
// slopes of third order. The face sees u + ½(1 − ν)(2 after + before)/3 from the cell behind it (Toro 2001,
// ch. 11) and u − ½(1 + ν)(after + 2 before)/3 from the one in front; their mean flows through it, less 0.7
// times half their difference.
static double complex amplification(double nu)
{
    const double complex turn = cexp(I * 2 * pi / NODES), after = turn - 1, before = 1 - 1 / turn;
    const double complex behind = 1 + 0.5 * (1 - nu) * (2 * after + before) / 3;
    const double complex in_front = turn * (1 - 0.5 * (1 + nu) * (after + 2 * before) / 3);
    const double complex through = 0.5 * (behind + in_front) + 0.5 * 0.7 * (behind - in_front);
    return 1 - nu * (through - through / turn);
}

struct loss {
    double amplitude, phase, crest; // of the wave's mode, relative to the start; `crest`: of the highest node
};

// Propagates a wave by LENGTHS wavelengths in a periodic channel along x or y, towards plus (sign 1) or minus
// (−1).
static struct loss loss_of(const struct ocean_variant *v, enum tsunami_limiter limiter, bool along_x,
                           int sign)
{
    const size_t n = WAVES * NODES, across = 4;
    struct basin b =
        basin_grid(v, along_x ? n : across, along_x ? across : n, 0, 0, spacing_m, 0, TSUNAMI_EDGE_PERIODIC);
    const double celerity = sqrt(OCEAN_GRAVITY_M_S2 * depth_m);
    basin_fill_depth(&b, depth_m);
    b.setup.limiter = limiter;
    b.setup.step_s = courant * spacing_m / celerity;
    for (size_t k = 0; k < n * across; k++) {
        const size_t at = along_x ? k % n : k / across;
        b.state.eta[k] = height_m * cos(2 * pi * (double)at / NODES);
        (along_x ? b.state.u : b.state.v)[k] = sign * celerity / depth_m * b.state.eta[k];
    }
    const int64_t steps = (int64_t)lround(LENGTHS * NODES / courant);
    basin_advance(&b, 0, steps);
    double complex mode = 0;
    struct loss loss = {0, 0, 0};
    for (size_t at = 0; at < n; at++) {
        const double eta = b.state.eta[along_x ? n + at : at * across + 1];
        mode += 2.0 / (double)n * eta * cexp(I * (-2 * pi * sign * (double)at / NODES));
        loss.crest = fmax(loss.crest, eta / height_m);
    }
    loss.amplitude = cabs(mode) / height_m;
    loss.phase = carg(mode * cexp(I * 2 * pi * courant * (double)steps / NODES));
    return loss;
}

// The wave propagates over 10 wavelengths of 20 nodes.
TEST(a_small_wave_loses_the_predicted_amplitude)
{
    const int64_t steps = (int64_t)lround(LENGTHS * NODES / courant);
    const double complex all = cpow(amplification(courant), (double)steps);
    const double amplitude = cabs(all),
                 phase = carg(all * cexp(I * 2 * pi * courant * (double)steps / NODES));
    for (int k = 0; k < VARIANTS; k++) {
        struct loss loss[LIMITERS];
        for (int l = 0; l < LIMITERS; l++) {
            loss[l] = loss_of(&variants[k], (enum tsunami_limiter)l, k % 2 == 0, k == 1 ? -1 : 1);
            print_message("%s, %s: amplitude %.4f, phase %+.4f, crest %.4f\n",
                          ocean_variant_name(&variants[k]), names[l], loss[l].amplitude, loss[l].phase,
                          loss[l].crest);
        }
        print_message("by the amplification factor, third order: %.4f, %+.4f\n", amplitude, phase);
        assert_true(fabs(loss[TSUNAMI_THIRD_ORDER].amplitude - amplitude) < 1e-3);
        assert_true(fabs(loss[TSUNAMI_THIRD_ORDER].phase - phase) < 2e-3);
        assert_true(loss[TSUNAMI_MC].crest > loss[TSUNAMI_VAN_LEER].crest + 0.02);
        assert_true(loss[TSUNAMI_THIRD_ORDER].crest > loss[TSUNAMI_MC].crest + 0.02);
    }
}

// ---- a bore ----

// In a bore and behind it depths and velocities exceed the exact extremes by at most 2 % of the jump.
TEST(a_bore_makes_no_new_extremes)
{
    const double length_m = 1000, time_s = 35;
    const struct dam_break dam = dam_break_new(1, 0.1, OCEAN_GRAVITY_M_S2);
    enum { N = 400 };
    for (int k = 0; k < VARIANTS * LIMITERS; k++) {
        const struct ocean_variant *v = &variants[k / LIMITERS];
        struct basin b =
            basin_grid(v, N, 3, 0.5 * (length_m / N - length_m), 0, length_m / N, 0, TSUNAMI_EDGE_WALL);
        basin_fill_depth(&b, -1);
        b.setup.limiter = (enum tsunami_limiter)(k % LIMITERS);
        for (size_t i = 0; i < 3 * N; i++)
            b.state.eta[i] = 1 + (b.x[i % N] < 0 ? dam.behind_m : dam.before_m);
        const int64_t steps = (int64_t)ceil(time_s / (0.45 * length_m / N / sqrt(OCEAN_GRAVITY_M_S2)));
        b.setup.step_s = time_s / (double)steps;
        basin_advance(&b, 0, steps);
        double most_h = 0, least_h = INFINITY, most_u = 0, exact_u = 0;
        for (size_t i = 0; i < N; i++) {
            most_h = fmax(most_h, b.state.eta[N + i] - 1);
            least_h = fmin(least_h, b.state.eta[N + i] - 1);
            most_u = fmax(most_u, b.state.u[N + i]);
            exact_u = fmax(exact_u, dam_break_at(&dam, b.x[i], time_s).velocity_m_s);
        }
        print_message("%s, %s: depths %.5f to %.5f m (0.1 to 1), velocity %.4f (%.4f) m/s\n",
                      ocean_variant_name(v), names[k % LIMITERS], least_h, most_h, most_u, exact_u);
        assert_true(most_h <= 1 + 0.018 && least_h >= 0.1 - 0.018 && most_u <= 1.02 * exact_u);
    }
}

// ---- a shore ----

// Water oscillates in a canal. After a period both shorelines, where the depth passes 0.1 m, are exact within
// 2 % of their amplitude.
TEST(the_shoreline_agrees_with_the_closed_form)
{
    const struct thacker_canal form = {
        .half_width_m = 3000, .depth_m = 10, .swing_m = 200, .gravity_m_s2 = OCEAN_GRAVITY_M_S2};
    const double period_s = 2 * pi / thacker_canal_frequency_per_s(&form), spacing = 18;
    enum { N = 400 };
    const int64_t steps = (int64_t)ceil(period_s / (0.45 * spacing / sqrt(OCEAN_GRAVITY_M_S2 * 11)));
    for (int k = 0; k < VARIANTS * LIMITERS; k++) {
        struct basin b =
            basin_grid(&variants[k / LIMITERS], N, 3, 0.5 * spacing - 3600, 0, spacing, 0, TSUNAMI_EDGE_WALL);
        basin_set_ends(&b, true, TSUNAMI_EDGE_WALL, TSUNAMI_EDGE_PERIODIC);
        b.setup.limiter = (enum tsunami_limiter)(k % LIMITERS);
        b.setup.step_s = period_s / (double)steps;
        for (size_t i = 0; i < 3 * N; i++) {
            const struct thacker_state s = thacker_canal(&form, b.x[i % N], 0);
            b.depth[i] = s.depth_m;
            b.state.eta[i] = fmax(s.eta_m, -s.depth_m);
            b.state.u[i] = s.depth_m + s.eta_m > 0 ? s.u_m_s : 0;
        }
        basin_advance(&b, 0, steps);
        double edges[2][2] = {{NAN, NAN}, {NAN, NAN}}; // [found, exact][first, last]
        for (size_t i = 0; i < N; i++) {
            const struct thacker_state s = thacker_canal(&form, b.x[i], period_s);
            const double h[2] = {b.state.eta[N + i] + b.depth[N + i], s.eta_m + s.depth_m};
            for (int e = 0; e < 2; e++)
                if (h[e] > 0.1) {
                    edges[e][0] = isnan(edges[e][0]) ? b.x[i] : edges[e][0];
                    edges[e][1] = b.x[i];
                }
        }
        print_message("%s, %s: shores off by %+.0f and %+.0f m\n",
                      ocean_variant_name(&variants[k / LIMITERS]), names[k % LIMITERS],
                      edges[0][0] - edges[1][0], edges[0][1] - edges[1][1]);
        assert_true(fabs(edges[0][0] - edges[1][0]) <= spacing && fabs(edges[0][1] - edges[1][1]) <= spacing);
    }
}
