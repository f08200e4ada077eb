// The edges of the domain and the water within: waves leave through open edges, come back from walls, go
// round periodic grids; and how much the volume of a closed basin drifts (the scheme does not conserve it
// exactly, see the model's documentation: the drift is a result to report and to bound).
#include "tests/support/test.h"

#include "tests/support/tsunami_fixture.h"

static const double depth_m = 4000, spacing_m = 4000;

struct variant {
    const struct tsunami_backend *backend;
    enum element precision;
    enum tsunami_method method;
};

static const struct variant variants[] = {{&tsunami_backend_reference, ELEMENT_F64, TSUNAMI_VTCS2},
                                          {&tsunami_backend_reference, ELEMENT_F64, TSUNAMI_VTCS2_O2},
                                          {&tsunami_backend_openmp, ELEMENT_F32, TSUNAMI_VTCS2},
                                          {&tsunami_backend_openmp, ELEMENT_F32, TSUNAMI_VTCS2_O2},
                                          {&tsunami_backend_openmp, ELEMENT_F64, TSUNAMI_VTCS2},
                                          {&tsunami_backend_openmp, ELEMENT_F64, TSUNAMI_VTCS2_O2}};
enum { VARIANTS = sizeof variants / sizeof *variants };

// A channel of even depth, five nodes across (periodic), along x or y, with one kind of edge at both ends.
enum { ALONG = 240, ACROSS = 5 };

struct channel {
    bool is_x;
    double *x, *y, *depth;
    struct ocean_setup setup;
    struct ocean_state state;
    struct ocean *ocean;
};

static double celerity_m_s(void)
{
    return sqrt(OCEAN_GRAVITY_M_S2 * depth_m);
}

static void channel_open(struct channel *c, const struct variant *variant, bool is_x, enum tsunami_edge ends)
{
    const size_t nx = is_x ? ALONG : ACROSS, ny = is_x ? ACROSS : ALONG;
    c->is_x = is_x;
    c->x = axis_new(nx, 0, spacing_m, 0);
    c->y = axis_new(ny, 0, spacing_m, 0);
    c->depth = array_new(nx * ny);
    for (size_t k = 0; k < nx * ny; k++)
        c->depth[k] = depth_m;
    c->state = state_new(nx, ny);
    c->setup = (struct ocean_setup){.backend = variant->backend,
                                    .precision = variant->precision,
                                    .method = variant->method,
                                    .nx = nx,
                                    .ny = ny,
                                    .x = c->x,
                                    .y = c->y,
                                    .depth_m = c->depth,
                                    .wall_depth_m = 10,
                                    .step_s = 0.8 * spacing_m / celerity_m_s()};
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        c->setup.edges[side] =
            is_x == (side == TSUNAMI_WEST || side == TSUNAMI_EAST) ? ends : TSUNAMI_EDGE_PERIODIC;
    c->ocean = ocean_open(&c->setup);
}

static void channel_close(struct channel *c)
{
    ocean_close(c->ocean);
    free(c->x);
    free(c->y);
    free(c->depth);
    state_free(&c->state);
}

static size_t channel_node(const struct channel *c, size_t along, size_t across)
{
    return c->is_x ? across * ALONG + along : along * ACROSS + across;
}

// A pulse of 1 m, some 80 nodes long, about the middle, that travels in one sense only.
static const double middle = 0.5 * (ALONG - 1);

static double pulse_m(double node)
{
    const double x = (node - middle) / 20;
    return exp(-x * x);
}

static void channel_set_pulse(struct channel *c, double sense)
{
    for (size_t n = 0; n < ALONG; n++)
        for (size_t m = 0; m < ACROSS; m++) {
            const size_t k = channel_node(c, n, m);
            const double eta = pulse_m((double)n);
            const double along = sense * 2 * (sqrt(OCEAN_GRAVITY_M_S2 * (depth_m + eta)) - celerity_m_s());
            c->state.eta[k] = eta;
            c->state.u[k] = c->is_x ? along : 0;
            c->state.v[k] = c->is_x ? 0 : along;
        }
    ocean_set(c->ocean, &c->state);
}

static void channel_advance(struct channel *c, int64_t first_step, int64_t steps)
{
    ocean_advance(c->ocean, first_step, steps);
    ocean_get(c->ocean, &c->state);
}

static double largest_eta(const struct ocean_state *state, double *where)
{
    double largest = 0;
    for (size_t k = 0; k < state->nx * state->ny; k++)
        if (fabs(state->eta[k]) > fabs(largest)) {
            largest = state->eta[k];
            *where = (double)k;
        }
    return largest;
}

static const char *direction_name(bool is_x, double sense)
{
    static const char *const names[2][2] = {{"-y", "+y"}, {"-x", "+x"}};
    return names[is_x][sense > 0];
}

TEST(waves_leave_through_open_edges)
{
    for (int k = 0; k < VARIANTS; k++)
        for (int direction = 0; direction < 4; direction++) {
            const bool is_x = direction < 2;
            const double sense = direction % 2 ? -1 : 1;
            struct channel c;
            double where = 0;
            channel_open(&c, &variants[k], is_x, TSUNAMI_EDGE_OPEN);
            channel_set_pulse(&c, sense);
            // To the edge (150 steps), and back into the middle for what is reflected.
            channel_advance(&c, 0, 2 * 150);
            const double left_m = fabs(largest_eta(&c.state, &where));
            print_message("%s %s %s, leaving along %s: %.1e %% of the wave is left\n",
                          variants[k].backend->head.name, precision_name(variants[k].precision),
                          method_name(variants[k].method), direction_name(is_x, sense), 100 * left_m);
            assert_true(left_m <= 0.02);
            channel_close(&c);
        }
}

TEST(waves_come_back_from_walls)
{
    for (int k = 0; k < VARIANTS; k++)
        for (int direction = 0; direction < 4; direction++) {
            const bool is_x = direction < 2;
            const double sense = direction % 2 ? -1 : 1;
            struct channel c;
            double where = 0;
            channel_open(&c, &variants[k], is_x, TSUNAMI_EDGE_WALL);
            channel_set_pulse(&c, sense);
            const double volume_before = ocean_volume_m3(c.ocean, &c.state);
            channel_advance(&c, 0, 150); // at the wall: twice the height
            const double at_wall_m = largest_eta(&c.state, &where);
            channel_advance(&c, 150, 150);
            const double back_m = largest_eta(&c.state, &where);
            const double drift = ocean_volume_m3(c.ocean, &c.state) / volume_before - 1;
            const double node = is_x ? fmod(where, ALONG) : floor(where / ACROSS);
            // The pulse goes the channel's length in 300 steps of 0.8 nodes; the wall stands half a node
            // beyond the last one.
            print_message("%s %s %s, wall along %s: %.4f m at the wall, back with %.4f m at node %g, volume "
                          "drift %+.1e\n",
                          variants[k].backend->head.name, precision_name(variants[k].precision),
                          method_name(variants[k].method), direction_name(is_x, sense), at_wall_m, back_m,
                          node, drift);
            assert_true(fabs(at_wall_m - 2) <= 0.01);
            assert_true(fabs(back_m - 1) <= 0.01);
            assert_true(fabs(node - middle) <= 1);
            assert_true(fabs(drift) <= 1e-3);
            channel_close(&c);
        }
}

TEST(waves_go_round_periodic_grids)
{
    for (int k = 0; k < VARIANTS; k++)
        for (int direction = 0; direction < 4; direction++) {
            const bool is_x = direction < 2;
            const double sense = direction % 2 ? -1 : 1;
            struct channel c;
            channel_open(&c, &variants[k], is_x, TSUNAMI_EDGE_PERIODIC);
            channel_set_pulse(&c, sense);
            const double volume_before = ocean_volume_m3(c.ocean, &c.state);
            channel_advance(&c, 0, ALONG * 10 / 8); // once round
            const double drift = ocean_volume_m3(c.ocean, &c.state) / volume_before - 1;
            double largest = 0;
            for (size_t n = 0; n < ALONG; n++)
                largest = fmax(largest, fabs(c.state.eta[channel_node(&c, n, 1)] - pulse_m((double)n)));
            print_message("%s %s %s, once round along %s: %.4f m from where it was, volume drift %+.1e\n",
                          variants[k].backend->head.name, precision_name(variants[k].precision),
                          method_name(variants[k].method), direction_name(is_x, sense), largest, drift);
            assert_true(largest <= 0.02);
            assert_true(fabs(drift) <= 1e-3);
            channel_close(&c);
        }
}

// A ring wave from the middle of a square of open edges, against the same wave in a square three times as
// wide, which the wave does not fill: all angles of incidence from 0 to 45 degrees, and the corners.
static struct ocean_state ring_wave(const struct variant *variant, size_t n, int64_t steps)
{
    double *x = axis_new(n, 0, spacing_m, 0), *depth = array_new(n * n);
    struct ocean_state state = state_new(n, n);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            const double dx = ((double)i - (double)(n - 1) / 2) / 8,
                         dy = ((double)j - (double)(n - 1) / 2) / 8;
            depth[j * n + i] = depth_m;
            state.eta[j * n + i] = exp(-dx * dx - dy * dy);
        }
    const struct ocean_setup setup = {
        .backend = variant->backend,
        .precision = variant->precision,
        .method = variant->method,
        .nx = n,
        .ny = n,
        .x = x,
        .y = x,
        .depth_m = depth,
        .edges = {TSUNAMI_EDGE_OPEN, TSUNAMI_EDGE_OPEN, TSUNAMI_EDGE_OPEN, TSUNAMI_EDGE_OPEN},
        .wall_depth_m = 10,
        .step_s = 0.6 * spacing_m / celerity_m_s()};
    struct ocean *ocean = ocean_open(&setup);
    ocean_set(ocean, &state);
    ocean_advance(ocean, 0, steps);
    ocean_get(ocean, &state);
    ocean_close(ocean);
    free(x);
    free(depth);
    return state;
}

TEST(oblique_waves_leave_nearly)
{
    enum {
        SMALL = 101,
        LARGE = 303,
        STEPS = 150
    }; // the front has gone 90 nodes: through all edges and corners
    for (int k = 4; k < VARIANTS; k++) {
        struct ocean_state small = ring_wave(&variants[k], SMALL, STEPS),
                           large = ring_wave(&variants[k], LARGE, STEPS);
        struct ocean_state at_edge =
            ring_wave(&variants[k], LARGE, 83); // when the crest is 50 nodes from the middle
        double where, incident = fabs(largest_eta(&at_edge, &where)), reflected = 0;
        for (size_t j = 0; j < SMALL; j++)
            for (size_t i = 0; i < SMALL; i++) {
                const double without_edge = large.eta[(j + 101) * LARGE + i + 101];
                reflected = fmax(reflected, fabs(small.eta[j * SMALL + i] - without_edge));
            }
        print_message(
            "%s %s, ring wave through open edges: %.2f %% of the incident wave (%.3f m) comes back\n",
            variants[k].backend->head.name, method_name(variants[k].method), 100 * reflected / incident,
            incident);
        // First order in the angle: (1 − cos 45°)/(1 + cos 45°) = 17 % of a plane wave is the most that can
        // come back.
        assert_true(reflected <= 0.17 * incident);
        state_free(&small);
        state_free(&large);
        state_free(&at_edge);
    }
}

// The drift of a closed basin: largest |V(t) − V(0)| / V(0), V the water that the source has lifted.
static double largest_drift(const struct ocean_setup *setup, double bell_nodes, int64_t steps, double *at_end)
{
    struct ocean *ocean = ocean_open(setup);
    struct ocean_state state = state_new(setup->nx, setup->ny);
    state_add_bell(&state, 5, 0.62, 0.38, bell_nodes);
    for (size_t k = 0; k < setup->nx * setup->ny; k++)
        state.u[k] = state.v[k] = 0;
    ocean_set(ocean, &state);
    ocean_get(ocean, &state); // without what fell on land
    const double before = ocean_volume_m3(ocean, &state);
    double largest = 0;
    for (int64_t step = 0; step < steps; step += 20) {
        ocean_advance(ocean, step, 20);
        ocean_get(ocean, &state);
        *at_end = ocean_volume_m3(ocean, &state) / before - 1;
        largest = fmax(largest, fabs(*at_end));
    }
    ocean_close(ocean);
    state_free(&state);
    return largest;
}

static void check_drift(const char *name, struct ocean_setup *setup, double bell_nodes, int64_t steps)
{
    for (int k = 2; k < VARIANTS; k++) {
        setup->backend = variants[k].backend;
        setup->precision = variants[k].precision;
        setup->method = variants[k].method;
        double at_end = 0;
        const double largest = largest_drift(setup, bell_nodes, steps, &at_end);
        print_message("%s, %s %s, %lld steps: volume drifts by at most %.3f %%, %+.3f %% at the end\n", name,
                      precision_name(variants[k].precision), method_name(variants[k].method),
                      (long long)steps, 100 * largest, 100 * at_end);
        // NOAA asks for 5 %; second order does better.
        assert_true(largest <= (variants[k].method == TSUNAMI_VTCS2_O2 ? 0.01 : 0.05));
    }
}

enum { DRIFT_STEPS = IS_SANITIZED ? 200 : 2000 };

TEST(volume_of_a_smooth_closed_basin)
{
    // Walls all round, depth ±40 %, from the equator to 60° N: the metric of the sphere included.
    const size_t nx = 150, ny = 120;
    double *x = axis_new(nx, 140, 0.5, 0), *y = axis_new(ny, 0, 0.5, 0), *depth = array_new(nx * ny);
    for (size_t j = 0; j < ny; j++)
        for (size_t i = 0; i < nx; i++)
            depth[j * nx + i] = depth_m * (1 + 0.4 * sin(0.08 * (double)i) * cos(0.1 * (double)j));
    struct ocean_setup setup = {
        .is_spherical = true,
        .nx = nx,
        .ny = ny,
        .x = x,
        .y = y,
        .depth_m = depth,
        .edges = {TSUNAMI_EDGE_WALL, TSUNAMI_EDGE_WALL, TSUNAMI_EDGE_WALL, TSUNAMI_EDGE_WALL},
        .has_coriolis = true,
        .has_curvature = true,
        .wall_depth_m = 10,
        .step_s = 90};
    check_drift("closed basin on the sphere", &setup, 12, DRIFT_STEPS);
    free(x);
    free(y);
    free(depth);
}

TEST(volume_of_a_rugged_closed_basin)
{
    const size_t nx = 160, ny = 140;
    double *x = axis_new(nx, 0, 8000, 0), *y = axis_new(ny, 0, 8000, 0),
           *depth = rugged_depth_new(nx, ny, true);
    struct ocean_setup setup = {
        .nx = nx,
        .ny = ny,
        .x = x,
        .y = y,
        .depth_m = depth,
        .edges = {TSUNAMI_EDGE_WALL, TSUNAMI_EDGE_WALL, TSUNAMI_EDGE_WALL, TSUNAMI_EDGE_WALL},
        .wall_depth_m = 10,
        .step_s = 20};
    check_drift("closed rugged basin with islands", &setup, 12, DRIFT_STEPS);
    free(x);
    free(y);
    free(depth);
}
