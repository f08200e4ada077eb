// The edges of the domain and the water within: waves leave through open edges, come back from walls, go
// round periodic grids; and how much the volume of a closed basin drifts (the scheme does not conserve it
// exactly, see the model's documentation: the drift is a result to report and to bound).
#include "tests/support/test.h"

#include "tests/support/basin.h"

static const double depth_m = 4000, spacing_m = 4000;

static const struct ocean_variant variants[] = {{&tsunami_backend_reference, ELEMENT_F64, TSUNAMI_VTCS2},
                                                {&tsunami_backend_reference, ELEMENT_F64, TSUNAMI_VTCS2_O2},
                                                {&tsunami_backend_openmp, ELEMENT_F32, TSUNAMI_VTCS2},
                                                {&tsunami_backend_openmp, ELEMENT_F32, TSUNAMI_VTCS2_O2},
                                                {&tsunami_backend_openmp, ELEMENT_F64, TSUNAMI_VTCS2},
                                                {&tsunami_backend_openmp, ELEMENT_F64, TSUNAMI_VTCS2_O2}};
enum { VARIANTS = sizeof variants / sizeof *variants };

// A channel of even depth, five nodes across (periodic), with one kind of edge at both ends; and a wave in it
// that travels along x or y, to either side.
enum { ALONG = 240, ACROSS = 5 };

struct channel {
    const struct ocean_variant *variant;
    bool is_x;
    double sense;
    struct basin basin;
    struct ocean *ocean;
};

static double celerity_m_s(void)
{
    return sqrt(OCEAN_GRAVITY_M_S2 * depth_m);
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

// `direction`: one of four.
static struct channel channel_open(const struct ocean_variant *variant, int direction, enum tsunami_edge ends)
{
    const bool is_x = direction < 2;
    struct channel c = {.variant = variant, .is_x = is_x, .sense = direction % 2 ? -1 : 1};
    c.basin = basin_grid(variant, is_x ? ALONG : ACROSS, is_x ? ACROSS : ALONG, 0, 0, spacing_m, 0, ends);
    basin_set_ends(&c.basin, is_x, ends, TSUNAMI_EDGE_PERIODIC);
    basin_fill_depth(&c.basin, depth_m);
    c.basin.setup.step_s = 0.8 * spacing_m / celerity_m_s();
    for (size_t n = 0; n < ALONG; n++)
        for (size_t m = 0; m < ACROSS; m++) {
            const size_t k = channel_node(&c, n, m);
            const double eta = pulse_m((double)n);
            c.basin.state.eta[k] = eta;
            (is_x ? c.basin.state.u : c.basin.state.v)[k] =
                c.sense * 2 * (sqrt(OCEAN_GRAVITY_M_S2 * (depth_m + eta)) - celerity_m_s());
        }
    c.ocean = basin_start(&c.basin);
    return c;
}

static void channel_close(struct channel *c)
{
    ocean_close(c->ocean);
}

static double channel_volume_m3(const struct channel *c)
{
    return ocean_volume_m3(c->ocean, &c->basin.state);
}

static void channel_advance(struct channel *c, int64_t first_step, int64_t steps)
{
    ocean_advance(c->ocean, first_step, steps);
    ocean_get(c->ocean, &c->basin.state);
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

static const char *channel_name(const struct channel *c)
{
    return format_text("%s, along %s%s", ocean_variant_name(c->variant), c->sense > 0 ? "+" : "-",
                       c->is_x ? "x" : "y");
}

TEST(waves_leave_through_open_edges)
{
    for (int k = 0; k < 4 * VARIANTS; k++) {
        struct channel c = channel_open(&variants[k / 4], k % 4, TSUNAMI_EDGE_OPEN);
        double where = 0;
        // To the edge (150 steps), and back into the middle for what is reflected.
        channel_advance(&c, 0, 2 * 150);
        const double left_m = fabs(largest_eta(&c.basin.state, &where));
        print_message("%s, open: %.1e %% of the wave is left\n", channel_name(&c), 100 * left_m);
        assert_true(left_m <= 0.02);
        channel_close(&c);
    }
}

TEST(waves_come_back_from_walls)
{
    for (int k = 0; k < 4 * VARIANTS; k++) {
        struct channel c = channel_open(&variants[k / 4], k % 4, TSUNAMI_EDGE_WALL);
        double where = 0;
        const double volume_before = channel_volume_m3(&c);
        channel_advance(&c, 0, 150); // at the wall: twice the height
        const double at_wall_m = largest_eta(&c.basin.state, &where);
        channel_advance(&c, 150, 150);
        const double back_m = largest_eta(&c.basin.state, &where);
        const double drift = channel_volume_m3(&c) / volume_before - 1;
        const double node = c.is_x ? fmod(where, ALONG) : floor(where / ACROSS);
        // The pulse goes the channel's length in 300 steps of 0.8 nodes; the wall stands half a node beyond
        // the last one.
        print_message("%s, wall: %.4f m at it, back with %.4f m at node %g, volume drift %+.1e\n",
                      channel_name(&c), at_wall_m, back_m, node, drift);
        assert_true(fabs(at_wall_m - 2) <= 0.01);
        assert_true(fabs(back_m - 1) <= 0.01);
        assert_true(fabs(node - middle) <= 1);
        assert_true(fabs(drift) <= 1e-3);
        channel_close(&c);
    }
}

TEST(waves_go_round_periodic_grids)
{
    for (int k = 0; k < 4 * VARIANTS; k++) {
        struct channel c = channel_open(&variants[k / 4], k % 4, TSUNAMI_EDGE_PERIODIC);
        const double volume_before = channel_volume_m3(&c);
        channel_advance(&c, 0, ALONG * 10 / 8); // once round
        const double drift = channel_volume_m3(&c) / volume_before - 1;
        double largest = 0;
        for (size_t n = 0; n < ALONG; n++)
            largest = fmax(largest, fabs(c.basin.state.eta[channel_node(&c, n, 1)] - pulse_m((double)n)));
        print_message("%s, once round: %.4f m from where it was, volume drift %+.1e\n", channel_name(&c),
                      largest, drift);
        assert_true(largest <= 0.02);
        assert_true(fabs(drift) <= 1e-3);
        channel_close(&c);
    }
}

// A ring wave from the middle of a square of open edges, against the same wave in a square three times as
// wide, which the wave does not fill: all angles of incidence from 0 to 45 degrees, and the corners.
static struct basin ring_wave(const struct ocean_variant *variant, size_t n, int64_t steps)
{
    struct basin b = basin_grid(variant, n, n, 0, 0, spacing_m, 0, TSUNAMI_EDGE_OPEN);
    basin_fill_depth(&b, depth_m);
    for (size_t k = 0; k < n * n; k++) {
        const double dx = ((double)(k % n) - (double)(n - 1) / 2) / 8,
                     dy = ((double)(k / n) - (double)(n - 1) / 2) / 8;
        b.state.eta[k] = exp(-dx * dx - dy * dy);
    }
    b.setup.step_s = 0.6 * spacing_m / celerity_m_s();
    basin_advance(&b, 0, steps);
    return b;
}

TEST(oblique_waves_leave_nearly)
{
    enum { SMALL = 101, LARGE = 303 };
    const int64_t steps = 150; // the front has gone 90 nodes: through all edges and corners
    for (int k = 4; k < VARIANTS; k++) {
        struct basin small = ring_wave(&variants[k], SMALL, steps),
                     large = ring_wave(&variants[k], LARGE, steps);
        struct basin at_edge =
            ring_wave(&variants[k], LARGE, 83); // when the crest is 50 nodes from the middle
        double where, incident = fabs(largest_eta(&at_edge.state, &where)), reflected = 0;
        for (size_t j = 0; j < SMALL; j++)
            for (size_t i = 0; i < SMALL; i++) {
                const double without_edge = large.state.eta[(j + 101) * LARGE + i + 101];
                reflected = fmax(reflected, fabs(small.state.eta[j * SMALL + i] - without_edge));
            }
        print_message("%s, ring wave through open edges: %.2f %% of the incident wave (%.3f m) comes back\n",
                      ocean_variant_name(&variants[k]), 100 * reflected / incident, incident);
        // First order in the angle: (1 − cos 45°)/(1 + cos 45°) = 17 % of a plane wave is the most that can
        // come back.
        assert_true(reflected <= 0.17 * incident);
    }
}

// The drift of a closed basin: largest |V(t) − V(0)| / V(0), V the water that the source has lifted.
static void check_drift(const char *name, struct basin *b, double bell_nodes, int64_t steps)
{
    struct ocean_state *state = &b->state;
    for (int k = 2; k < VARIANTS; k++) {
        const struct ocean_variant *v = &variants[k];
        double largest = 0, drift = 0;
        b->setup.backend = v->backend;
        b->setup.precision = v->precision;
        b->setup.method = v->method;
        memset(state->eta, 0, state->nx * state->ny * sizeof *state->eta);
        state_add_bell(state, 5, 0.62, 0.38, bell_nodes);
        memset(state->u, 0, state->nx * state->ny * sizeof *state->u);
        memset(state->v, 0, state->nx * state->ny * sizeof *state->v);
        struct ocean *ocean = basin_start(b);
        ocean_get(ocean, state); // without what fell on land
        const double before = ocean_volume_m3(ocean, state);
        for (int64_t step = 0; step < steps; step += 20) {
            ocean_advance(ocean, step, 20);
            ocean_get(ocean, state);
            drift = ocean_volume_m3(ocean, state) / before - 1;
            largest = fmax(largest, fabs(drift));
        }
        ocean_close(ocean);
        print_message("%s, %s, %lld steps: volume drifts by at most %.3f %%, %+.3f %% at the end\n", name,
                      ocean_variant_name(v), (long long)steps, 100 * largest, 100 * drift);
        // NOAA asks for 5 %; second order does better.
        assert_true(largest <= (v->method == TSUNAMI_VTCS2_O2 ? 0.01 : 0.05));
    }
}

enum { DRIFT_STEPS = IS_SANITIZED ? 200 : 2000 };

TEST(volume_of_a_smooth_closed_basin)
{
    // Walls all round, depth ±40 %, from the equator to 60° N: the metric of the sphere included.
    struct basin b = basin_on_sphere(&variants[0], 150, 120, 140, 0, 0.5, 0, TSUNAMI_EDGE_WALL);
    for (size_t k = 0; k < b.setup.nx * b.setup.ny; k++)
        b.depth[k] =
            depth_m * (1 + 0.4 * sin(0.08 * (double)(k % b.setup.nx)) * cos(0.1 * (double)(k / b.setup.nx)));
    b.setup.step_s = 90;
    check_drift("closed basin on the sphere", &b, 12, DRIFT_STEPS);
}

TEST(volume_of_a_rugged_closed_basin)
{
    struct basin b = basin_grid(&variants[0], 160, 140, 0, 0, 8000, 0, TSUNAMI_EDGE_WALL);
    basin_take_depth(&b, rugged_depth_new(160, 140, true));
    b.setup.step_s = 20;
    check_drift("closed rugged basin with islands", &b, 12, DRIFT_STEPS);
}
