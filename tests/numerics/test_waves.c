// Waves and flows whose solution is known in closed form: the speed of small waves on the plane and on the
// sphere (against theory, and against the scheme's own dispersion to many digits), a nonlinear simple wave,
// inertial circles, bottom friction, and a balanced zonal flow on the sphere.
#include "tests/support/test.h"

#include "tests/support/tsunami_fixture.h"

#include <complex.h>

static const double pi = 3.14159265358979323846;
static const double depth_m = 4000;

static const struct tsunami_backend *const backends[] = {&tsunami_backend_reference, &tsunami_backend_openmp};
static const enum tsunami_method methods[] = {TSUNAMI_VTCS2, TSUNAMI_VTCS2_O2};

static double *constant_new(size_t count, double value)
{
    double *array = array_new(count);
    for (size_t k = 0; k < count; k++)
        array[k] = value;
    return array;
}

// A grid with constant depth, `along` nodes in the wave's direction and `across` in the other; periodic both
// ways.
struct channel {
    bool is_x;
    size_t along, across;
    double *x, *y, *depth;
    struct ocean_setup setup;
    struct ocean_state state;
};

static void channel_open(struct channel *c, const struct tsunami_backend *backend, enum tsunami_method method,
                         bool is_x, size_t along, double spacing_m, double step_s)
{
    c->is_x = is_x;
    c->along = along;
    c->across = 5;
    const size_t nx = is_x ? along : c->across, ny = is_x ? c->across : along;
    c->x = axis_new(nx, 0, spacing_m, 0);
    c->y = axis_new(ny, 0, spacing_m, 0);
    c->depth = constant_new(nx * ny, depth_m);
    c->state = state_new(nx, ny);
    c->setup = (struct ocean_setup){
        .backend = backend,
        .precision = ELEMENT_F64,
        .method = method,
        .nx = nx,
        .ny = ny,
        .x = c->x,
        .y = c->y,
        .depth_m = c->depth,
        .edges = {TSUNAMI_EDGE_PERIODIC, TSUNAMI_EDGE_PERIODIC, TSUNAMI_EDGE_PERIODIC, TSUNAMI_EDGE_PERIODIC},
        .wall_depth_m = 10,
        .step_s = step_s};
}

static void channel_close(struct channel *c)
{
    free(c->x);
    free(c->y);
    free(c->depth);
    state_free(&c->state);
}

static size_t channel_node(const struct channel *c, size_t along, size_t across)
{
    return c->is_x ? across * c->along + along : along * c->across + across;
}

// The wave's complex amplitude, by projection on exp(−2πi n / along).
static double complex channel_amplitude(const struct channel *c)
{
    double complex sum = 0;
    for (size_t n = 0; n < c->along; n++)
        sum += c->state.eta[channel_node(c, n, 2)] * cexp(-2 * pi * I * (double)n / (double)c->along);
    return 2 * sum / (double)c->along;
}

// One sine over 100 nodes for three of its periods. For one small wave on an even bottom VTCS-2 is Lax and
// Wendroff's scheme for each invariant, whose factor a step is G = 1 − C²(1 − cos θ) − iC sin θ, C = cΔt/Δx,
// θ = kΔx.
static void check_plane_wave(const struct tsunami_backend *backend, enum tsunami_method method, bool is_x,
                             double sense)
{
    enum { NODES = 100, STEPS = 600 };
    struct channel c;
    const double spacing_m = 5000, celerity = sqrt(OCEAN_GRAVITY_M_S2 * depth_m), courant = 0.5,
                 amplitude_m = 1e-4;
    channel_open(&c, backend, method, is_x, NODES, spacing_m, courant * spacing_m / celerity);
    for (size_t n = 0; n < c.along; n++)
        for (size_t m = 0; m < c.across; m++) {
            const size_t k = channel_node(&c, n, m);
            // The simple wave of this surface: only one invariant moves.
            c.state.eta[k] = amplitude_m * cos(2 * pi * (double)n / NODES);
            const double along =
                sense * 2 * (sqrt(OCEAN_GRAVITY_M_S2 * (depth_m + c.state.eta[k])) - celerity);
            c.state.u[k] = is_x ? along : 0;
            c.state.v[k] = is_x ? 0 : along;
        }
    struct ocean *ocean = ocean_open(&c.setup);
    ocean_set(ocean, &c.state);
    const double complex before = channel_amplitude(&c);
    ocean_advance(ocean, 0, STEPS);
    ocean_get(ocean, &c.state);
    const double complex after = channel_amplitude(&c);
    ocean_close(ocean);

    // Three periods of the true wave bring the phase back; the scheme is behind by a little.
    const double lag = sense * carg(after / before), speed_error = lag / (2 * pi * 3);
    const double theta = 2 * pi / NODES;
    const double complex factor = 1 - courant * courant * (1 - cos(theta)) - sense * I * courant * sin(theta);
    const double complex expected = before * cpow(factor, STEPS);
    const double off = cabs(after - expected) / cabs(before);
    print_message("%s %s, along %s%s: speed off by %+.4f %%, amplitude by %+.4f %%, from the scheme's "
                  "dispersion by %.1e\n",
                  backend->head.name, method_name(method), sense > 0 ? "+" : "-", is_x ? "x" : "y",
                  -100 * speed_error, 100 * (cabs(after) / cabs(before) - 1), off);
    // θ²(1 − C²)/6 = 0.05 % at 100 nodes a wave and C = 0.5.
    assert_true(fabs(speed_error) <= 6e-4);
    // What is left: the wave's own nonlinearity, (amplitude / depth)² in the fundamental, and in the plain
    // form the rounding of H = 4000 m against a wave of 10⁻⁴ m.
    assert_true(off <= (backend == &tsunami_backend_reference ? 1e-6 : 1e-11));
    // Nothing across the wave.
    for (size_t k = 0; k < c.setup.nx * c.setup.ny; k++)
        assert_true(fabs(is_x ? c.state.v[k] : c.state.u[k]) <= 1e-15);
    channel_close(&c);
}

TEST(plane_waves_have_the_right_speed)
{
    for (int b = 0; b < 2; b++)
        for (int m = 0; m < 2; m++)
            for (int direction = 0; direction < 4; direction++)
                check_plane_wave(backends[b], methods[m], direction < 2, direction % 2 ? -1 : 1);
}

// Along a circle of latitude the wave travels c / (R cos φ) in longitude. 96 columns close the circle of 96 ·
// 0.2 degrees; three rows of 0.02 degrees are narrow enough for the wave not to bend.
static void check_latitude(double latitude, const struct tsunami_backend *backend, enum tsunami_method method)
{
    enum { NODES = 96, ROWS = 5 };
    double *x = axis_new(NODES, 170, 0.2, 0), *y = axis_new(ROWS, latitude - 0.04, 0.02, 0);
    double *depth = constant_new((size_t)NODES * ROWS, depth_m);
    struct ocean_state state = state_new(NODES, ROWS);
    const double celerity = sqrt(OCEAN_GRAVITY_M_S2 * depth_m), spacing_m = OCEAN_RADIUS_M * 0.02 * pi / 180;
    const double step_s = 0.8 * spacing_m / celerity,
                 circle_m = OCEAN_RADIUS_M * cos(latitude * pi / 180) * 19.2 * pi / 180;
    for (size_t j = 0; j < ROWS; j++)
        for (size_t i = 0; i < NODES; i++) {
            state.eta[j * NODES + i] = 1e-4 * cos(2 * pi * (double)i / NODES);
            state.u[j * NODES + i] = state.eta[j * NODES + i] * sqrt(OCEAN_GRAVITY_M_S2 / depth_m);
        }
    const struct ocean_setup setup = {
        .backend = backend,
        .precision = ELEMENT_F64,
        .method = method,
        .is_spherical = true,
        .nx = NODES,
        .ny = ROWS,
        .x = x,
        .y = y,
        .depth_m = depth,
        .edges = {TSUNAMI_EDGE_PERIODIC, TSUNAMI_EDGE_PERIODIC, TSUNAMI_EDGE_WALL, TSUNAMI_EDGE_WALL},
        .has_curvature = true,
        .wall_depth_m = 10,
        .step_s = step_s};
    struct ocean *ocean = ocean_open(&setup);
    ocean_set(ocean, &state);
    const int64_t steps = (int64_t)(circle_m / celerity / step_s); // nearly once round
    ocean_advance(ocean, 0, steps);
    ocean_get(ocean, &state);
    ocean_close(ocean);
    double complex sum = 0;
    for (size_t i = 0; i < NODES; i++)
        sum += state.eta[2 * NODES + i] * cexp(-2 * pi * I * (double)i / NODES);
    const double travelled = 1 + carg(sum) / (-2 * pi),
                 expected = (double)steps * step_s * celerity / circle_m;
    const double fraction = travelled > 1.5 ? travelled - 1 : travelled; // the phase is known up to a turn
    print_message("%s %s, along latitude %g: %.6f turns, theory %.6f\n", backend->head.name,
                  method_name(method), latitude, fraction, expected);
    assert_true(fabs(fraction - expected) <= 2e-3); // θ²/6 = 0.07 % at 96 nodes a wave
    assert_true(fabs(2 * cabs(sum) / NODES / 1e-4 - 1) <= 0.01);
    free(x);
    free(y);
    free(depth);
    state_free(&state);
}

TEST(waves_on_the_sphere_have_the_right_speed)
{
    for (int b = 0; b < 2; b++)
        for (int m = 0; m < 2; m++) {
            check_latitude(0, backends[b], methods[m]);
            check_latitude(60, backends[b], methods[m]);
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

static double simple_wave_error(const struct tsunami_backend *backend, bool is_x, double sense, size_t nodes)
{
    struct channel c;
    const double length = 400e3, amplitude_m = 400, c0 = sqrt(OCEAN_GRAVITY_M_S2 * depth_m),
                 spacing = length / (double)nodes;
    channel_open(&c, backend, TSUNAMI_VTCS2_O2, is_x, nodes, spacing, spacing / 250 * 0.8);
    for (size_t n = 0; n < nodes; n++)
        for (size_t m = 0; m < c.across; m++) {
            const size_t k = channel_node(&c, n, m);
            const double position = sense * spacing * (double)n;
            c.state.eta[k] = simple_wave_eta(position, 0, length, amplitude_m);
            const double along = sense * 2 * (sqrt(OCEAN_GRAVITY_M_S2 * (depth_m + c.state.eta[k])) - c0);
            c.state.u[k] = is_x ? along : 0;
            c.state.v[k] = is_x ? 0 : along;
        }
    struct ocean *ocean = ocean_open(&c.setup);
    ocean_set(ocean, &c.state);
    const int64_t steps = (int64_t)nodes / 2; // 640 s: a third of a wave length
    ocean_advance(ocean, 0, steps);
    ocean_get(ocean, &c.state);
    ocean_close(ocean);
    double sum = 0;
    for (size_t n = 0; n < nodes; n++) {
        const double exact =
            simple_wave_eta(sense * spacing * (double)n, (double)steps * c.setup.step_s, length, amplitude_m);
        const double d = c.state.eta[channel_node(&c, n, 1)] - exact;
        sum += d * d;
    }
    channel_close(&c);
    return sqrt(sum / (double)nodes) / amplitude_m;
}

TEST(nonlinear_simple_wave)
{
    for (int b = 0; b < 2; b++)
        for (int direction = 0; direction < 4; direction++) {
            const bool is_x = direction < 2;
            const double sense = direction % 2 ? -1 : 1;
            const double coarse = simple_wave_error(backends[b], is_x, sense, 100);
            const double middle = simple_wave_error(backends[b], is_x, sense, 200);
            const double fine = simple_wave_error(backends[b], is_x, sense, 400);
            print_message("%s, 400 m wave in 4000 m along %s%s: errors %.2e %.2e %.2e, orders %.2f %.2f\n",
                          backends[b]->head.name, sense > 0 ? "+" : "-", is_x ? "x" : "y", coarse, middle,
                          fine, log2(coarse / middle), log2(middle / fine));
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
    for (int b = 0; b < 2; b++)
        for (int m = 0; m < 2; m++) {
            struct channel c;
            channel_open(&c, backends[b], methods[m], true, 12, 20000, step_s);
            c.setup.has_coriolis = true;
            c.setup.plane_coriolis_per_s = f;
            for (size_t k = 0; k < c.setup.nx * c.setup.ny; k++)
                c.state.u[k] = speed;
            struct ocean *ocean = ocean_open(&c.setup);
            ocean_set(ocean, &c.state);
            const int64_t steps = 1441; // a day and a minute
            ocean_advance(ocean, 0, steps);
            ocean_get(ocean, &c.state);
            const double angle = f * step_s * (double)steps;
            for (size_t k = 0; k < c.setup.nx * c.setup.ny; k++) {
                assert_true(fabs(c.state.u[k] - speed * cos(angle)) <= 1e-11);
                assert_true(fabs(c.state.v[k] + speed * sin(angle)) <= 1e-11);
                assert_true(fabs(c.state.eta[k]) <= 1e-9);
            }
            ocean_close(ocean);
            channel_close(&c);
        }
}

// A uniform current over an even bottom slows as 1/(1 + g n² U0 t / H^(4/3)); the implicit rule follows this
// exactly.
TEST(friction_slows_a_current)
{
    const double n = 0.03, shallow_m = 20, step_s = 30, u0 = 1.5, v0 = -0.8;
    for (int b = 0; b < 2; b++)
        for (int m = 0; m < 2; m++) {
            struct channel c;
            channel_open(&c, backends[b], methods[m], true, 12, 20000, step_s);
            c.setup.manning_n = n;
            for (size_t k = 0; k < c.setup.nx * c.setup.ny; k++) {
                c.depth[k] = shallow_m;
                c.state.u[k] = u0;
                c.state.v[k] = v0;
            }
            struct ocean *ocean = ocean_open(&c.setup);
            ocean_set(ocean, &c.state);
            ocean_advance(ocean, 0, 500);
            ocean_get(ocean, &c.state);
            const double drag = OCEAN_GRAVITY_M_S2 * n * n / pow(shallow_m, 4.0 / 3.0);
            const double left = 1 / (1 + drag * hypot(u0, v0) * 500 * step_s);
            assert_true(left > 0.05 && left < 0.7); // it did something
            for (size_t k = 0; k < c.setup.nx * c.setup.ny; k++) {
                assert_true(fabs(c.state.u[k] - u0 * left) <= 1e-10);
                assert_true(fabs(c.state.v[k] - v0 * left) <= 1e-10);
            }
            ocean_close(ocean);
            channel_close(&c);
        }
}

// A steady zonal flow on the turning sphere (Williamson et al. 1992, J. Comput. Phys. 102, 211–224, case 2,
// axis through the poles): u = u0 cos φ, g η = −(R Ω u0 + u0²/2) sin² φ. It holds Coriolis, curvature and the
// slope in balance: without one of them the flow accelerates at once. Looked at in the middle of a band, out
// of reach of its walls.
static double zonal_flow_error(const struct tsunami_backend *backend, size_t rows, bool has_curvature)
{
    const size_t columns = 8, steps = rows / 2;
    const double south = 20, north = 70, spacing = (north - south) / (double)rows, u0 = 40;
    double *x = axis_new(columns, 0, spacing, 0), *y = axis_new(rows + 1, south, spacing, 0);
    double *depth = constant_new(columns * (rows + 1), depth_m);
    struct ocean_state start = state_new(columns, rows + 1), state = state_new(columns, rows + 1);
    for (size_t j = 0; j <= rows; j++)
        for (size_t i = 0; i < columns; i++) {
            const double sine = sin(y[j] * pi / 180);
            start.u[j * columns + i] = u0 * cos(y[j] * pi / 180);
            start.eta[j * columns + i] =
                -(OCEAN_RADIUS_M * OCEAN_ROTATION * u0 + 0.5 * u0 * u0) * sine * sine / OCEAN_GRAVITY_M_S2;
        }
    const struct ocean_setup setup = {
        .backend = backend,
        .precision = ELEMENT_F64,
        .method = TSUNAMI_VTCS2_O2,
        .is_spherical = true,
        .nx = columns,
        .ny = rows + 1,
        .x = x,
        .y = y,
        .depth_m = depth,
        .edges = {TSUNAMI_EDGE_PERIODIC, TSUNAMI_EDGE_PERIODIC, TSUNAMI_EDGE_WALL, TSUNAMI_EDGE_WALL},
        .has_coriolis = true,
        .has_curvature = has_curvature,
        .wall_depth_m = 10,
        // Half the fastest wave's limit in the narrowest row: it crosses a tenth of the band.
        .step_s = 0.3 * spacing * pi / 180 * OCEAN_RADIUS_M / 240};
    struct ocean *ocean = ocean_open(&setup);
    ocean_set(ocean, &start);
    ocean_advance(ocean, 0, (int64_t)steps);
    ocean_get(ocean, &state);
    ocean_close(ocean);
    double largest = 0;
    for (size_t k = (rows / 3) * columns; k < (2 * rows / 3) * columns; k++) {
        largest = fmax(largest, fabs(state.v[k]));
        largest = fmax(largest, fabs(state.u[k] - start.u[k]));
        largest = fmax(largest, fabs(state.eta[k] - start.eta[k]) * sqrt(OCEAN_GRAVITY_M_S2 / depth_m));
    }
    free(x);
    free(y);
    free(depth);
    state_free(&start);
    state_free(&state);
    return largest;
}

TEST(balanced_flow_on_the_sphere_stays)
{
    for (int b = 0; b < 2; b++) {
        const double coarse = zonal_flow_error(backends[b], 60, true),
                     fine = zonal_flow_error(backends[b], 120, true);
        const double unbalanced = zonal_flow_error(backends[b], 120, false);
        print_message(
            "%s, zonal flow of 40 m/s: off by %.2e and %.2e m/s, order %.2f; without curvature %.2e\n",
            backends[b]->head.name, coarse, fine, log2(coarse / fine), unbalanced);
        assert_true(log2(coarse / fine) >= 1.9);
        assert_true(fine <= 2e-3);
        assert_true(unbalanced >= 20 * fine); // the test sees a missing term
    }
}
