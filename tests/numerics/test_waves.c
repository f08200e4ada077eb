// Waves and flows whose solution is known in closed form: the speed of small waves on the plane and on the
// sphere (against theory, and against the scheme's own dispersion to many digits), a nonlinear simple wave,
// inertial circles, bottom friction, and a balanced zonal flow on the sphere.
#include "tests/support/test.h"

#include "tests/support/basin.h"

#include <complex.h>

static const double pi = 3.14159265358979323846;
static const double depth_m = 4000;

static const struct ocean_variant variants[] = {{&tsunami_backend_reference, ELEMENT_F64, TSUNAMI_VTCS2},
                                                {&tsunami_backend_reference, ELEMENT_F64, TSUNAMI_VTCS2_O2},
                                                {&tsunami_backend_openmp, ELEMENT_F64, TSUNAMI_VTCS2},
                                                {&tsunami_backend_openmp, ELEMENT_F64, TSUNAMI_VTCS2_O2}};
enum { VARIANTS = 4 };

// A grid with constant depth, `along` nodes in the wave's direction and five in the other; periodic both
// ways.
struct channel {
    bool is_x;
    size_t along;
    struct basin basin;
};

enum { ACROSS = 5 };

static struct channel channel_of(const struct ocean_variant *v, bool is_x, size_t along, double spacing_m,
                                 double step_s)
{
    struct channel c = {is_x, along,
                        basin_grid(v, is_x ? along : ACROSS, is_x ? ACROSS : along, 0, 0, spacing_m, 0,
                                   TSUNAMI_EDGE_PERIODIC)};
    basin_fill_depth(&c.basin, depth_m);
    c.basin.setup.step_s = step_s;
    return c;
}

static size_t channel_node(const struct channel *c, size_t along, size_t across)
{
    return c->is_x ? across * c->along + along : along * ACROSS + across;
}

// The simple wave of a surface that varies along the channel: only one invariant moves.
static void channel_set(struct channel *c, size_t along, double eta_m, double sense)
{
    for (size_t m = 0; m < ACROSS; m++) {
        const size_t k = channel_node(c, along, m);
        c->basin.state.eta[k] = eta_m;
        (c->is_x ? c->basin.state.u : c->basin.state.v)[k] =
            sense * 2 * (sqrt(OCEAN_GRAVITY_M_S2 * (depth_m + eta_m)) - sqrt(OCEAN_GRAVITY_M_S2 * depth_m));
    }
}

// The wave's complex amplitude, by projection on exp(−2πi n / along).
static double complex channel_amplitude(const struct channel *c)
{
    double complex sum = 0;
    for (size_t n = 0; n < c->along; n++)
        sum += c->basin.state.eta[channel_node(c, n, 2)] * cexp(-2 * pi * I * (double)n / (double)c->along);
    return 2 * sum / (double)c->along;
}

// One sine over 100 nodes for three of its periods. For one small wave on an even bottom VTCS-2 is Lax and
// Wendroff's scheme for each invariant, whose factor a step is G = 1 − C²(1 − cos θ) − iC sin θ, C = cΔt/Δx,
// θ = kΔx.
static void check_plane_wave(const struct ocean_variant *v, bool is_x, double sense)
{
    enum { NODES = 100, STEPS = 600 };
    const double spacing_m = 5000, celerity = sqrt(OCEAN_GRAVITY_M_S2 * depth_m), courant = 0.5,
                 amplitude_m = 1e-4;
    struct channel c = channel_of(v, is_x, NODES, spacing_m, courant * spacing_m / celerity);
    for (size_t n = 0; n < c.along; n++)
        channel_set(&c, n, amplitude_m * cos(2 * pi * (double)n / NODES), sense);
    const double complex before = channel_amplitude(&c);
    basin_advance(&c.basin, 0, STEPS);
    const double complex after = channel_amplitude(&c);
    // Three periods of the true wave bring the phase back; the scheme is behind by a little.
    const double lag = sense * carg(after / before), speed_error = lag / (2 * pi * 3);
    const double theta = 2 * pi / NODES;
    const double complex factor = 1 - courant * courant * (1 - cos(theta)) - sense * I * courant * sin(theta);
    const double complex expected = before * cpow(factor, STEPS);
    const double off = cabs(after - expected) / cabs(before);
    print_message("%s, along %s%s: speed off by %+.4f %%, amplitude by %+.4f %%, from the scheme's "
                  "dispersion by %.1e\n",
                  ocean_variant_name(v), sense > 0 ? "+" : "-", is_x ? "x" : "y", -100 * speed_error,
                  100 * (cabs(after) / cabs(before) - 1), off);
    // θ²(1 − C²)/6 = 0.05 % at 100 nodes a wave and C = 0.5.
    assert_true(fabs(speed_error) <= 6e-4);
    // What is left: the wave's own nonlinearity, (amplitude / depth)² in the fundamental, and in the plain
    // form the rounding of H = 4000 m against a wave of 10⁻⁴ m.
    assert_true(off <= (v->backend == &tsunami_backend_reference ? 1e-6 : 1e-11));
    // Nothing across the wave.
    for (size_t k = 0; k < NODES * ACROSS; k++)
        assert_true(fabs((is_x ? c.basin.state.v : c.basin.state.u)[k]) <= 1e-15);
}

TEST(plane_waves_have_the_right_speed)
{
    for (int k = 0; k < 4 * VARIANTS; k++)
        check_plane_wave(&variants[k / 4], k % 4 < 2, k % 2 ? -1 : 1);
}

// Along a circle of latitude the wave travels c / (R cos φ) in longitude. 96 columns close the circle of 96 ·
// 0.2 degrees; three rows of 0.02 degrees are narrow enough for the wave not to bend.
static void check_latitude(double latitude, const struct ocean_variant *v)
{
    enum { NODES = 96, ROWS = 5 };
    struct basin b = basin_on_sphere(v, NODES, ROWS, 170, latitude - 0.04, 0.02, 0, TSUNAMI_EDGE_WALL);
    const double celerity = sqrt(OCEAN_GRAVITY_M_S2 * depth_m), spacing_m = OCEAN_RADIUS_M * 0.02 * pi / 180;
    const double step_s = 0.8 * spacing_m / celerity,
                 circle_m = OCEAN_RADIUS_M * cos(latitude * pi / 180) * 19.2 * pi / 180;
    basin_fill_depth(&b, depth_m);
    basin_set_ends(&b, true, TSUNAMI_EDGE_PERIODIC, TSUNAMI_EDGE_WALL);
    b.setup.has_coriolis = false;
    b.setup.step_s = step_s;
    for (size_t i = 0; i < NODES; i++)
        b.x[i] = 170 + 0.2 * (double)i;
    for (size_t k = 0; k < (size_t)NODES * ROWS; k++) {
        b.state.eta[k] = 1e-4 * cos(2 * pi * (double)(k % NODES) / NODES);
        b.state.u[k] = b.state.eta[k] * sqrt(OCEAN_GRAVITY_M_S2 / depth_m);
    }
    const int64_t steps = (int64_t)(circle_m / celerity / step_s); // nearly once round
    basin_advance(&b, 0, steps);
    double complex sum = 0;
    for (size_t i = 0; i < NODES; i++)
        sum += b.state.eta[2 * NODES + i] * cexp(-2 * pi * I * (double)i / NODES);
    const double travelled = 1 + carg(sum) / (-2 * pi),
                 expected = (double)steps * step_s * celerity / circle_m;
    const double fraction = travelled > 1.5 ? travelled - 1 : travelled; // the phase is known up to a turn
    print_message("%s, along latitude %g: %.6f turns, theory %.6f\n", ocean_variant_name(v), latitude,
                  fraction, expected);
    assert_true(fabs(fraction - expected) <= 2e-3); // θ²/6 = 0.07 % at 96 nodes a wave
    assert_true(fabs(2 * cabs(sum) / NODES / 1e-4 - 1) <= 0.01);
}

TEST(waves_on_the_sphere_have_the_right_speed)
{
    for (int k = 0; k < VARIANTS; k++) {
        check_latitude(0, &variants[k]);
        check_latitude(60, &variants[k]);
    }
}

// A simple wave over an even bottom: u = 2(c − c0), and each value travels at its own u + c. Solved for the
// node's value by bisection along the characteristic (before it breaks the foot is unique).
static double simple_wave_eta(double position, double time_s, double length, double amplitude_m)
{
    const double c0 = sqrt(OCEAN_GRAVITY_M_S2 * depth_m);
    double low = position - 2 * c0 * time_s, high = position; // the speeds lie between 0 and 2 c0
    for (int k = 0; k < 80; k++) {
        const double foot = 0.5 * (low + high), eta = amplitude_m * cos(2 * pi * foot / length);
        const double speed = 3 * sqrt(OCEAN_GRAVITY_M_S2 * (depth_m + eta)) - 2 * c0;
        if (foot + speed * time_s < position)
            low = foot;
        else
            high = foot;
    }
    return amplitude_m * cos(2 * pi * 0.5 * (low + high) / length);
}

static double simple_wave_error(const struct ocean_variant *v, bool is_x, double sense, size_t nodes)
{
    const double length = 400e3, amplitude_m = 400, spacing = length / (double)nodes;
    struct channel c = channel_of(v, is_x, nodes, spacing, spacing / 250 * 0.8);
    for (size_t n = 0; n < nodes; n++)
        channel_set(&c, n, simple_wave_eta(sense * spacing * (double)n, 0, length, amplitude_m), sense);
    const int64_t steps = (int64_t)nodes / 2; // 640 s: a third of a wave length
    basin_advance(&c.basin, 0, steps);
    double sum = 0;
    for (size_t n = 0; n < nodes; n++) {
        const double exact = simple_wave_eta(sense * spacing * (double)n,
                                             (double)steps * c.basin.setup.step_s, length, amplitude_m);
        const double d = c.basin.state.eta[channel_node(&c, n, 1)] - exact;
        sum += d * d;
    }
    return sqrt(sum / (double)nodes) / amplitude_m;
}

TEST(nonlinear_simple_wave)
{
    for (int k = 0; k < 8; k++) {
        const struct ocean_variant *v = &variants[k < 4 ? 1 : 3];
        const bool is_x = k % 4 < 2;
        const double sense = k % 2 ? -1 : 1;
        const double coarse = simple_wave_error(v, is_x, sense, 100),
                     middle = simple_wave_error(v, is_x, sense, 200),
                     fine = simple_wave_error(v, is_x, sense, 400);
        print_message("%s, 400 m wave in 4000 m along %s%s: errors %.2e %.2e %.2e, orders %.2f %.2f\n",
                      ocean_variant_name(v), sense > 0 ? "+" : "-", is_x ? "x" : "y", coarse, middle, fine,
                      log2(coarse / middle), log2(middle / fine));
        assert_true(log2(coarse / middle) >= 1.9);
        assert_true(log2(middle / fine) >= 1.9);
        assert_true(fine <= 2e-4);
    }
}

// A uniform current on the turning plane runs in circles: u = U cos ft, v = −U sin ft, exactly, the surface
// flat.
TEST(inertial_circle)
{
    const double f = 1.2e-4, speed = 0.7, step_s = 60;
    for (int v = 0; v < VARIANTS; v++) {
        struct basin b = channel_of(&variants[v], true, 12, 20000, step_s).basin;
        b.setup.has_coriolis = true;
        b.setup.plane_coriolis_per_s = f;
        for (size_t k = 0; k < 12 * ACROSS; k++)
            b.state.u[k] = speed;
        const int64_t steps = 1441; // a day and a minute
        basin_advance(&b, 0, steps);
        const double angle = f * step_s * (double)steps;
        for (size_t k = 0; k < 12 * ACROSS; k++) {
            assert_true(fabs(b.state.u[k] - speed * cos(angle)) <= 1e-11);
            assert_true(fabs(b.state.v[k] + speed * sin(angle)) <= 1e-11);
            assert_true(fabs(b.state.eta[k]) <= 1e-9);
        }
    }
}

// A uniform current over an even bottom slows as 1/(1 + g n² U0 t / H^(4/3)); the implicit rule follows this
// exactly.
TEST(friction_slows_a_current)
{
    const double n = 0.03, shallow_m = 20, step_s = 30, u0 = 1.5, v0 = -0.8;
    const double drag = OCEAN_GRAVITY_M_S2 * n * n / pow(shallow_m, 4.0 / 3.0);
    const double left = 1 / (1 + drag * hypot(u0, v0) * 500 * step_s);
    assert_true(left > 0.05 && left < 0.7); // it did something
    for (int v = 0; v < VARIANTS; v++) {
        struct basin b = channel_of(&variants[v], true, 12, 20000, step_s).basin;
        b.setup.manning_n = n;
        basin_fill_depth(&b, shallow_m);
        for (size_t k = 0; k < 12 * ACROSS; k++) {
            b.state.u[k] = u0;
            b.state.v[k] = v0;
        }
        basin_advance(&b, 0, 500);
        for (size_t k = 0; k < 12 * ACROSS; k++) {
            assert_true(fabs(b.state.u[k] - u0 * left) <= 1e-10);
            assert_true(fabs(b.state.v[k] - v0 * left) <= 1e-10);
        }
    }
}

// A steady zonal flow on the turning sphere (Williamson et al. 1992, J. Comput. Phys. 102, 211–224, case 2,
// axis through the poles): u = u0 cos φ, g η = −(R Ω u0 + u0²/2) sin² φ. It holds Coriolis, curvature and the
// slope in balance: without one of them the flow accelerates at once. Looked at in the middle of a band, out
// of reach of its walls.
static double zonal_flow_error(const struct ocean_variant *v, size_t rows, bool has_curvature)
{
    const size_t columns = 8, nodes = columns * (rows + 1);
    const double south = 20, north = 70, spacing = (north - south) / (double)rows, u0 = 40;
    struct basin b = basin_on_sphere(v, columns, rows + 1, 0, south, spacing, 0, TSUNAMI_EDGE_WALL);
    struct ocean_state start = state_new(columns, rows + 1);
    basin_fill_depth(&b, depth_m);
    basin_set_ends(&b, true, TSUNAMI_EDGE_PERIODIC, TSUNAMI_EDGE_WALL);
    b.setup.has_curvature = has_curvature;
    // Half the fastest wave's limit in the narrowest row: it crosses a tenth of the band.
    b.setup.step_s = 0.3 * spacing * pi / 180 * OCEAN_RADIUS_M / 240;
    for (size_t k = 0; k < nodes; k++) {
        const double latitude = b.y[k / columns] * pi / 180, sine = sin(latitude);
        b.state.u[k] = start.u[k] = u0 * cos(latitude);
        b.state.eta[k] = start.eta[k] =
            -(OCEAN_RADIUS_M * OCEAN_ROTATION * u0 + 0.5 * u0 * u0) * sine * sine / OCEAN_GRAVITY_M_S2;
    }
    basin_advance(&b, 0, (int64_t)rows / 2);
    double largest = 0;
    for (size_t k = (rows / 3) * columns; k < (2 * rows / 3) * columns; k++) {
        largest = fmax(largest, fabs(b.state.v[k]));
        largest = fmax(largest, fabs(b.state.u[k] - start.u[k]));
        largest = fmax(largest, fabs(b.state.eta[k] - start.eta[k]) * sqrt(OCEAN_GRAVITY_M_S2 / depth_m));
    }
    return largest;
}

TEST(balanced_flow_on_the_sphere_stays)
{
    for (int k = 1; k < VARIANTS; k += 2) {
        const double coarse = zonal_flow_error(&variants[k], 60, true),
                     fine = zonal_flow_error(&variants[k], 120, true);
        const double unbalanced = zonal_flow_error(&variants[k], 120, false);
        print_message(
            "%s, zonal flow of 40 m/s: off by %.2e and %.2e m/s, order %.2f; without curvature %.2e\n",
            ocean_variant_name(&variants[k]), coarse, fine, log2(coarse / fine), unbalanced);
        assert_true(log2(coarse / fine) >= 1.9);
        assert_true(fine <= 2e-3);
        assert_true(unbalanced >= 20 * fine); // the test sees a missing term
    }
}
