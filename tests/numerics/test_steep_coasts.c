// `muscl-hancock` beside coasts that rise by much of the water's depth, or by more, from one cell to the
// next: quays, cliffs, towers, staircases. In a closed basin the energy must not grow, whatever the
// waves' height and the limiter, and a quay must do to the waves what the grid's closed edge does, an
// exact mirror.
#include "tests/support/test.h"

#include "tests/support/basin.h"
#include "tests/support/numbers.h"
#include "tests/support/runup_cases.h"

#define DEPTH_M 10.0

// Depths of n × n cells, the coast at one side or more.
typedef void fill_depth(double *depth_m, size_t n, double top_m);

static void quay_east(double *depth_m, size_t n, double top_m)
{
    for (size_t k = 0; k < n * n; k++)
        depth_m[k] = k % n == n - 1 ? -top_m : DEPTH_M;
}

static void quay_north(double *depth_m, size_t n, double top_m)
{
    for (size_t k = 0; k < n * n; k++)
        depth_m[k] = k / n == n - 1 ? -top_m : DEPTH_M;
}

static void staircase(double *depth_m, size_t n, double top_m)
{
    for (size_t k = 0; k < n * n; k++)
        depth_m[k] = k % n + k / n > 3 * n / 2 ? -top_m : DEPTH_M;
}

static void tower(double *depth_m, size_t n, double top_m)
{
    for (size_t k = 0; k < n * n; k++)
        depth_m[k] = k / n / 2 == n / 6 && k % n / 2 == n / 3 ? -top_m : DEPTH_M;
}

// A slope of 5 m a cell; the last wet one 4.75 m deep.
static void steep_slope(double *depth_m, size_t n, double top_m)
{
    (void)top_m;
    for (size_t k = 0; k < n * n; k++)
        depth_m[k] = fmin(DEPTH_M, 4.75 + 5 * ((double)(n - 2) - (double)(k % n)));
}

static void any_bottom(double *depth_m, size_t n, double top_m)
{
    uint64_t seed = 2026;
    for (size_t k = 0; k < n * n; k++)
        depth_m[k] = next_uniform(&seed, -top_m, 2 * DEPTH_M);
}

static const struct coast_case {
    const char *name;
    fill_depth *fill;
    double top_m, wave_m;
    enum tsunami_limiter limiter;
    bool has_dispersion, is_reference;
    double smagorinsky;
} coasts[] = {
    {"quay east, 2 m", quay_east, 2, 0.1, TSUNAMI_VAN_LEER, false, false, 0},
    {"quay east, 2 m, reference", quay_east, 2, 0.1, TSUNAMI_VAN_LEER, false, true, 0},
    {"quay east, 0.1 m", quay_east, 0.1, 0.1, TSUNAMI_THIRD_ORDER, false, false, 0},
    {"quay east, 2 m, overtopped", quay_east, 2, 4, TSUNAMI_VAN_LEER, false, false, 0},
    {"quay north, 30 m", quay_north, 30, 0.001, TSUNAMI_MC, false, false, 0},
    {"quay north, 30 m, high wave", quay_north, 30, 3, TSUNAMI_THIRD_ORDER, false, false, 0},
    {"staircase, 5 m", staircase, 5, 0.1, TSUNAMI_VAN_LEER, false, false, 0},
    {"staircase, 5 m, high wave", staircase, 5, 2, TSUNAMI_VAN_LEER, false, false, 0},
    {"tower, 30 m", tower, 30, 0.1, TSUNAMI_THIRD_ORDER, false, false, 0},
    {"steep slope", steep_slope, 0, 0.001, TSUNAMI_VAN_LEER, false, false, 0},
    {"steep slope, reference", steep_slope, 0, 0.001, TSUNAMI_THIRD_ORDER, false, true, 0},
    {"any bottom", any_bottom, 6, 0.001, TSUNAMI_VAN_LEER, false, false, 0},
    {"any bottom, high wave", any_bottom, 6, 2, TSUNAMI_MC, false, false, 0},
    {"staircase, dispersion", staircase, 5, 0.1, TSUNAMI_VAN_LEER, true, false, 0},
    {"quay east, eddies", quay_east, 2, 0.1, TSUNAMI_MC, false, false, 0.2},
};

static struct basin coast_new(const struct coast_case *c, size_t n)
{
    const struct ocean_variant v = {c->is_reference ? &tsunami_backend_reference : &tsunami_backend_openmp,
                                    ELEMENT_F64, TSUNAMI_MUSCL_HANCOCK};
    struct basin b = basin_grid(&v, n, n, 0, 0, 10, 0, TSUNAMI_EDGE_WALL);
    double *depth_m = array_new(n * n);
    c->fill(depth_m, n, c->top_m);
    basin_take_depth(&b, depth_m);
    b.setup.threads = 1;
    b.setup.limiter = c->limiter;
    b.setup.has_dispersion = c->has_dispersion;
    b.setup.smagorinsky = c->smagorinsky;
    b.setup.step_s = flooding_step_s(&b.setup, 0.45);
    return b;
}

// Over g, the area and the density: what the water could give up by coming to rest at sea level where it is
// not on land.
static double energy_of(const struct basin *b)
{
    double sum = 0;
    for (size_t k = 0; k < b->state.nx * b->state.ny; k++) {
        const double eta = b->state.eta[k], d = b->depth[k], h = fmax(0, eta + d);
        const double speed2 = b->state.u[k] * b->state.u[k] + b->state.v[k] * b->state.v[k];
        sum += 0.5 * h * speed2 / OCEAN_GRAVITY_M_S2 + (d > 0 ? 0.5 * eta * eta : 0.5 * h * h - h * d);
    }
    return sum;
}

TEST(energy_never_grows_beside_steep_coasts)
{
    enum { CELLS = 24, PARTS = 12 };
    for (size_t k = 0; k < sizeof coasts / sizeof *coasts; k++) {
        const struct coast_case *c = &coasts[k];
        struct basin b = coast_new(c, CELLS);
        struct ocean *ocean = ocean_open(&b.setup);
        state_still(&b.state, b.depth, 0);
        state_add_wave(&b.state, b.depth, c->wave_m, 0.45, 0.35, 6);
        ocean_set(ocean, &b.state);
        ocean_get(ocean, &b.state);
        const double start = energy_of(&b);
        const int64_t steps = (int64_t)((c->is_reference ? 400 : 2400) / b.setup.step_s / PARTS);
        double before = start, most = 0; // of a part's last energy over its first
        for (int64_t part = 0; part < PARTS; part++) {
            ocean_advance(ocean, part * steps, steps);
            ocean_get(ocean, &b.state);
            const double now = energy_of(&b);
            most = fmax(most, now / before);
            before = now;
        }
        print_message("%s, wave of %g m: energy %.3g at the end, at most %.5f of a twelfth before\n", c->name,
                      c->wave_m, before / start, most);
        if (!(most <= 1.001 && before < 0.8 * start)) // a NaN fails
            fail_msg("%s: the energy grows", c->name);
        ocean_close(ocean);
        basin_free(&b);
    }
}

// ---- a quay is a wall ----

enum { MOMENTS = 75 };

// A wave between walls in a channel of 400 m: η every 2 s at 25 m from its end, which is the grid's edge or a
// quay of 20 m.
static void series_at_end(double spacing_m, bool has_quay, bool is_along_x, double wave_m,
                          double series_m[MOMENTS])
{
    const size_t wet = (size_t)(400 / spacing_m), n = wet + has_quay, width = 4;
    const struct ocean_variant v = {&tsunami_backend_openmp, ELEMENT_F64, TSUNAMI_MUSCL_HANCOCK};
    const size_t nx = is_along_x ? n : width, ny = is_along_x ? width : n;
    struct basin b = basin_grid(&v, nx, ny, 0, 0, spacing_m, 0, TSUNAMI_EDGE_WALL);
    double *depth_m = array_new(nx * ny);
    for (size_t k = 0; k < nx * ny; k++)
        depth_m[k] = (is_along_x ? k % nx : k / nx) < wet ? DEPTH_M : -20;
    basin_take_depth(&b, depth_m);
    b.setup.threads = 1;
    b.setup.step_s = 0.02 * spacing_m; // 0.2 of the celerity's, and whole numbers of steps in 2 s
    struct ocean *ocean = ocean_open(&b.setup);
    state_still(&b.state, b.depth, 0);
    for (size_t k = 0; k < nx * ny; k++) {
        const size_t along = is_along_x ? k % nx : k / nx;
        const double from_m = ((double)along + 0.5) * spacing_m - 150;
        if (along < wet)
            b.state.eta[k] = wave_m * exp(-from_m * from_m / (40 * 40));
    }
    ocean_set(ocean, &b.state);
    const int64_t steps = (int64_t)(2 / b.setup.step_s + 0.5);
    const size_t at = (size_t)(375 / spacing_m);
    for (int64_t k = 0; k < MOMENTS; k++) {
        ocean_advance(ocean, k * steps, steps);
        ocean_get(ocean, &b.state);
        series_m[k] = b.state.eta[is_along_x ? at : at * nx];
    }
    ocean_close(ocean);
    basin_free(&b);
}

TEST(quay_is_as_a_closed_edge)
{
    static const struct {
        bool is_along_x;
        double wave_m, spacing_m, allowed; // of the series' root of the mean square
    } cases[] = {{true, 0.1, 10, 0.06}, {true, 0.1, 5, 0.025}, {true, 0.1, 2.5, 0.01}, {false, 0.1, 5, 0.025},
                 {true, 2, 10, 0.06},   {true, 2, 5, 0.03},    {false, 2, 2.5, 0.02}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double quay_m[MOMENTS], wall_m[MOMENTS], off = 0, all = 0;
        series_at_end(cases[c].spacing_m, true, cases[c].is_along_x, cases[c].wave_m, quay_m);
        series_at_end(cases[c].spacing_m, false, cases[c].is_along_x, cases[c].wave_m, wall_m);
        for (int k = 0; k < MOMENTS; k++) {
            off += (quay_m[k] - wall_m[k]) * (quay_m[k] - wall_m[k]);
            all += wall_m[k] * wall_m[k];
        }
        print_message("along %s, wave of %g m, cells of %g m: quay and closed edge differ by %.4f\n",
                      cases[c].is_along_x ? "x" : "y", cases[c].wave_m, cases[c].spacing_m, sqrt(off / all));
        if (!(sqrt(off / all) <= cases[c].allowed))
            fail_msg("a quay is no wall");
    }
}
