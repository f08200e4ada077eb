// Weak dispersion (physics.dispersion of `muscl-hancock`) against closed forms: the frequency of small
// standing waves of two lengths, along an axis and at 45° to it; the same wave on a plane and at latitude 70;
// Serre's solitary wave, which keeps its form, and the order of convergence to it. test_dispersion_bay.c
// tests what dispersion must not change.
#include "tests/support/test.h"

#include "tests/support/basin.h"
#include "tests/support/runup_cases.h"

static const double pi = 3.14159265358979323846, still_m = 2;

static const struct ocean_variant variants[] = {
    {&tsunami_backend_reference, ELEMENT_F64, TSUNAMI_MUSCL_HANCOCK},
    {&tsunami_backend_openmp, ELEMENT_F64, TSUNAMI_MUSCL_HANCOCK},
    {&tsunami_backend_openmp, ELEMENT_F32, TSUNAMI_MUSCL_HANCOCK}};
enum { VARIANTS = sizeof variants / sizeof *variants };

// A flat basin of squares, periodic; a wave's crest may run along a diagonal of it.
static struct basin flat_basin(const struct ocean_variant *v, size_t nx, size_t ny, double spacing_m)
{
    struct basin b = basin_grid(v, nx, ny, 0, 0, spacing_m, 0, TSUNAMI_EDGE_PERIODIC);
    basin_fill_depth(&b, still_m);
    b.setup.has_dispersion = true;
    b.setup.step_s = flooding_step_s(&b.setup, 0.45);
    return b;
}

// ---- small waves ----

enum { NODES = 48 }; // nodes along a wavelength; of a diagonal wave, along each axis

// ω of a small wave of this k·d: √(g k² d/(1 + k²d²/3)).
static double frequency_per_s(double kd)
{
    return sqrt(OCEAN_GRAVITY_M_S2 / still_m * kd * kd / (1 + kd * kd / 3));
}

// The amplitude of the wave's form in η (projection).
static double amplitude_of(const struct basin *b, const double *form)
{
    double product = 0, square = 0;
    for (size_t k = 0; k < b->state.nx * b->state.ny; k++) {
        product += form[k] * b->state.eta[k];
        square += form[k] * form[k];
    }
    return product / square;
}

// Measures the frequency of a standing wave from the times of its zero crossings, over four periods. *left:
// the wave's height after them, over its first height.
static double measured_frequency_per_s(const struct ocean_variant *v, double kd, bool is_diagonal,
                                       bool has_dispersion, double *left)
{
    const double height_m = v->precision == ELEMENT_F64 ? 1e-6 : 1e-3;
    const double length_m = 2 * pi * still_m / kd * (is_diagonal ? sqrt(2) : 1);
    struct basin b = flat_basin(v, NODES, is_diagonal ? NODES : 4, length_m / NODES);
    b.setup.has_dispersion = has_dispersion;
    const size_t nodes = b.state.nx * b.state.ny;
    double *form = array_new(nodes);
    for (size_t k = 0; k < nodes; k++) {
        const size_t place = is_diagonal ? k % NODES + k / NODES : k % NODES;
        form[k] = cos(2 * pi * ((double)place + 0.31) / NODES);
        b.state.eta[k] = height_m * form[k];
    }
    struct ocean *ocean = basin_start(&b);
    double before = height_m, first_s = NAN, last_s = NAN;
    int levels = 0;
    *left = 0;
    for (int64_t step = 0; levels < 9; step++) {
        ocean_advance(ocean, step, 1);
        ocean_get(ocean, &b.state);
        const double now = amplitude_of(&b, form);
        if (before * now <= 0) {
            last_s = b.setup.step_s * ((double)step + before / (before - now));
            first_s = levels++ == 0 ? last_s : first_s;
        }
        if (levels >= 8)
            *left = fmax(*left, fabs(now) / height_m);
        before = now;
    }
    ocean_close(ocean);
    return pi * (levels - 1) / (last_s - first_s);
}

TEST(small_waves_have_their_frequency)
{
    static const double kds[] = {0.5, 1};
    for (int n = 0; n < VARIANTS * 4; n++) {
        const struct ocean_variant *v = &variants[n / 4];
        const double kd = kds[n % 2], exact = frequency_per_s(kd);
        const bool is_diagonal = n % 4 >= 2;
        double left;
        const double found = measured_frequency_per_s(v, kd, is_diagonal, true, &left);
        // Along an axis the scheme solves the equations exactly. At 45° it does one sweep of Gauss–Seidel,
        // which multiplies a wave's acceleration by (1 + s²/2(1 + s))/(1 + s)² instead of 1/(1 + 2s), with s
        // = k²d²/6.
        const double s = kd * kd / 6;
        const double expected =
            is_diagonal ? kd * sqrt(OCEAN_GRAVITY_M_S2 / still_m * (1 + 0.5 * s * s / (1 + s))) / (1 + s)
                        : exact;
        print_message("%s %s, kd %.1f, %s: frequency %+.3f %% of the equations', %+.3f %% of the scheme's; "
                      "%.4f of the height left\n",
                      v->backend->head.name, precision_name(v->precision), kd,
                      is_diagonal ? "45 degrees" : "along x", 100 * (found / exact - 1),
                      100 * (found / expected - 1), left);
        assert_true(fabs(found / exact - 1) < 0.005);
        assert_true(fabs(found / expected - 1) < 0.001);
    }
}

// What dispersion makes of these waves is far more than the tests above allow.
TEST(without_dispersion_waves_are_faster)
{
    for (int n = 0; n < 4; n++) {
        const double kd = n % 2 ? 1 : 0.5;
        double left;
        const double without = measured_frequency_per_s(&variants[1], kd, n >= 2, false, &left);
        print_message("kd %.1f, %s, without dispersion: frequency %+.2f %% of the equations', %.4f of the "
                      "height left\n",
                      kd, n >= 2 ? "45 degrees" : "along x", 100 * (without / frequency_per_s(kd) - 1), left);
        assert_true(fabs(without / frequency_per_s(kd) - 1) > 0.03);
    }
}

// ---- the solitary wave ----

// Serre's: η = H sech²(κ(x − ct)), κ² = 3H/(4 d²(d + H)), c² = g(d + H), u = c η/(d + η).
struct solitary {
    double height_m, crest_m, speed_m_s, kappa_per_m;
};

static struct solitary solitary_of(double share, double crest_m)
{
    const double height_m = share * still_m;
    return (struct solitary){height_m, crest_m, sqrt(OCEAN_GRAVITY_M_S2 * (still_m + height_m)),
                             sqrt(0.75 * height_m / (still_m + height_m)) / still_m};
}

static double solitary_eta_m(const struct solitary *w, double x_m, double time_s, double around_m)
{
    double from = fmod(x_m - w->crest_m - w->speed_m_s * time_s, around_m);
    from -= around_m * floor(from / around_m + 0.5);
    const double c = cosh(w->kappa_per_m * from);
    return w->height_m / (c * c);
}

struct comparison {
    double error;    // mean of |η − exact| over the mean of exact
    double height;   // of the crest, over H
    double drift;    // of the water
    double velocity; // as error, of u
};

// Computes a solitary wave over a distance of `depths` still depths, in a periodic channel along x or y.
static struct comparison run_solitary(const struct ocean_variant *v, double share, double spacing,
                                      double depths, bool along_x, bool has_dispersion)
{
    const double around_m = 60 * still_m;
    const size_t n = (size_t)llround(60 / spacing), ny = 4;
    struct basin b = flat_basin(v, along_x ? n : ny, along_x ? ny : n, spacing * still_m);
    b.setup.has_dispersion = has_dispersion;
    const struct solitary wave = solitary_of(share, 0.5 * around_m);
    double *along = along_x ? b.state.u : b.state.v, *exact = array_new(n);
    const double *place = along_x ? b.x : b.y;
    for (size_t k = 0; k < n * ny; k++) {
        const size_t at = along_x ? k % n : k / ny;
        b.state.eta[k] = solitary_eta_m(&wave, place[at], 0, around_m);
        along[k] = wave.speed_m_s * b.state.eta[k] / (still_m + b.state.eta[k]);
    }
    const int64_t steps = (int64_t)ceil(depths * still_m / wave.speed_m_s / b.setup.step_s);
    b.setup.step_s = depths * still_m / wave.speed_m_s / (double)steps;
    struct ocean *ocean = basin_start(&b);
    ocean_get(ocean, &b.state);
    const double start_m3 = ocean_water_m3(ocean, &b.state);
    ocean_advance(ocean, 0, steps);
    ocean_get(ocean, &b.state);
    struct comparison c = {.drift = fabs(ocean_water_m3(ocean, &b.state) / start_m3 - 1)};
    double sum = 0, sum_u = 0, highest = 0;
    for (size_t at = 0; at < n; at++) {
        const size_t k = along_x ? at : at * ny;
        exact[at] = solitary_eta_m(&wave, place[at], (double)steps * b.setup.step_s, around_m);
        const double exact_u = wave.speed_m_s * exact[at] / (still_m + exact[at]);
        sum += exact[at];
        sum_u += exact_u;
        c.error += fabs(b.state.eta[k] - exact[at]);
        c.velocity += fabs(along[k] - exact_u);
        highest = fmax(highest, b.state.eta[k]);
    }
    c.error /= sum;
    c.velocity /= sum_u;
    c.height = highest / wave.height_m;
    ocean_close(ocean);
    return c;
}

TEST(a_solitary_wave_keeps_its_form)
{
    for (int n = 0; n < VARIANTS * 2; n++) {
        const struct ocean_variant *v = &variants[n / 2];
        const bool along_x = n % 2 == 0;
        const struct comparison c = run_solitary(v, 0.1, 0.2, 50, along_x, true);
        print_message("%s %s, H/d 0.1 over 50 depths along %c: height %.4f H, off by %.2f %% of the wave, "
                      "water drifts by %.1e\n",
                      v->backend->head.name, precision_name(v->precision), along_x ? 'x' : 'y', c.height,
                      100 * c.error, c.drift);
        assert_true(fabs(c.height - 1) < 0.02);
        assert_true(c.error < 0.02);
        assert_true(c.drift <= (v->precision == ELEMENT_F64 ? 1e-13 : 1e-6));
    }
    const struct comparison without = run_solitary(&variants[1], 0.1, 0.2, 50, true, false);
    print_message("without dispersion: height %.4f H, off by %.0f %%\n", without.height, 100 * without.error);
    assert_true(without.error > 0.1);
}

TEST(a_solitary_wave_converges)
{
    static const double spacings[] = {0.2, 0.1, 0.05};
    struct comparison c[3];
    for (int n = 0; n < 3; n++) {
        c[n] = run_solitary(&variants[1], 0.2, spacings[n], 15, true, true);
        print_message(
            "H/d 0.2 over 15 depths, spacing %.3f d: eta off by %.4f %%, u %.4f %%, height %.5f H%s",
            spacings[n], 100 * c[n].error, 100 * c[n].velocity, c[n].height, n == 0 ? "\n" : "");
        if (n > 0)
            print_message(", orders %.2f, %.2f\n", log2(c[n - 1].error / c[n].error),
                          log2(c[n - 1].velocity / c[n].velocity));
    }
    // The scheme is of second order, except for the nonlinear dispersive terms, which are of first order in
    // the step, but small.
    assert_true(c[2].error < 0.001 && c[2].velocity < 0.001);
    assert_true(log2(c[0].error / c[1].error) > 1.6);
    assert_true(log2(c[1].error / c[2].error) > 1.3);
}

// ---- on the sphere ----

// A standing wave in a short closed channel, along x or y. On the sphere the channel lies at latitude 70; its
// cells have the same lengths in m as on the plane.
static struct basin channel_new(const struct ocean_variant *v, bool along_x, bool is_spherical,
                                double height_m)
{
    const double latitude = 70, radian = pi / 180, spacing_m = 2 * pi * still_m / NODES; // kd = 1
    const size_t nx = along_x ? NODES : 4, ny = along_x ? 4 : NODES;
    struct basin b = flat_basin(v, nx, ny, spacing_m);
    for (size_t k = 0; k < nx && is_spherical; k++)
        b.x[k] = 140 + b.x[k] / (OCEAN_RADIUS_M * radian * cos(latitude * radian));
    for (size_t k = 0; k < ny && is_spherical; k++)
        b.y[k] = latitude + b.y[k] / (OCEAN_RADIUS_M * radian);
    b.setup.is_spherical = is_spherical;
    basin_set_ends(&b, true, TSUNAMI_EDGE_WALL, TSUNAMI_EDGE_WALL);
    for (size_t k = 0; k < nx * ny; k++)
        b.state.eta[k] = height_m * cos(2 * pi * ((double)(along_x ? k % nx : k / nx) + 0.5) / NODES);
    return b;
}

// The channel is so short that the curvature of the sphere has no effect: the wave must be that on a plane.
TEST(a_short_channel_on_the_sphere_equals_one_on_a_plane)
{
    const double height_m = 1e-3;
    for (int n = 0; n < VARIANTS * 2; n++) {
        const struct ocean_variant *v = &variants[n / 2];
        const bool along_x = n % 2 == 0;
        struct basin plane = channel_new(v, along_x, false, height_m);
        struct basin sphere = channel_new(v, along_x, true, height_m);
        sphere.setup.step_s = plane.setup.step_s;
        basin_advance(&plane, 0, 370); // three periods
        basin_advance(&sphere, 0, 370);
        double off_m = 0, highest_m = 0;
        for (size_t k = 0; k < plane.state.nx * plane.state.ny; k++) {
            off_m = fmax(off_m, fabs(sphere.state.eta[k] - plane.state.eta[k]));
            highest_m = fmax(highest_m, fabs(plane.state.eta[k]));
        }
        print_message("%s %s, along %c at 70 N: off by %.1e of the height; the wave has %.2f of it left\n",
                      v->backend->head.name, precision_name(v->precision), along_x ? 'x' : 'y',
                      off_m / height_m, highest_m / height_m);
        assert_true(off_m < (v->precision == ELEMENT_F64 ? 1e-4 : 2e-3) * height_m);
        assert_true(highest_m > 0.9 * height_m);
    }
}
