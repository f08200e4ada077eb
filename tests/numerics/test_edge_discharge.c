// A given edge that keeps its discharge: a steady flow through a channel without friction, whose level
// follows from what the open end lets out, and uniform flow down a slope by Manning's law. An edge that gives
// a wave loses a part of the discharge, as its invariant says.
#include "tests/support/test.h"

#include "tests/support/basin.h"

static const struct ocean_variant variants[] = {
    {&tsunami_backend_reference, ELEMENT_F64, TSUNAMI_MUSCL_HANCOCK},
    {&tsunami_backend_openmp, ELEMENT_F64, TSUNAMI_MUSCL_HANCOCK},
    {&tsunami_backend_openmp, ELEMENT_F32, TSUNAMI_MUSCL_HANCOCK}};
enum { VARIANTS = sizeof variants / sizeof *variants, NODES = 80, ACROSS = 4 };

// What is given all along a side, for the whole run.
static struct tsunami_given_edge constant_edge(double *values, double eta_m, double across_m_s, bool along_x)
{
    for (int slot = 0; slot < 2; slot++) {
        values[3 * slot] = eta_m;
        values[3 * slot + 1] = along_x ? across_m_s : 0;
        values[3 * slot + 2] = along_x ? 0 : across_m_s;
    }
    return (struct tsunami_given_edge){
        .nodes = 1, .slots = 2, .steps_per_record = 1000000, .has_velocity = true, .values = values};
}

static const double depth_m = 2, spacing_m = 10;

struct flow {
    double least, most; // discharge over the channel, m²/s, in the direction of the given one
    double depth_m;     // in the middle
};

// Water at rest; at `side` 0.115 m/s comes in, the other end is open.
static struct flow flow_through(const struct ocean_variant *v, enum tsunami_side side, bool keeps_discharge)
{
    const bool along_x = side == TSUNAMI_WEST || side == TSUNAMI_EAST;
    const double into = side == TSUNAMI_WEST || side == TSUNAMI_SOUTH ? 1 : -1;
    struct basin b = basin_grid(v, along_x ? NODES : ACROSS, along_x ? ACROSS : NODES, 0, 0, spacing_m, 0,
                                TSUNAMI_EDGE_WALL);
    struct tsunami_given_edge given[TSUNAMI_SIDES] = {{0}};
    double values[6];
    enum tsunami_edge edges[TSUNAMI_SIDES] = {TSUNAMI_EDGE_WALL, TSUNAMI_EDGE_WALL, TSUNAMI_EDGE_WALL,
                                              TSUNAMI_EDGE_WALL};
    given[side] = constant_edge(values, 0, into * 0.115, along_x);
    given[side].keeps_discharge = keeps_discharge;
    edges[side] = TSUNAMI_EDGE_GIVEN;
    edges[side ^ 1] = TSUNAMI_EDGE_OPEN;
    basin_set_edges(&b, edges[0], edges[1], edges[2], edges[3]);
    basin_fill_depth(&b, depth_m);
    b.setup.given = given;
    b.setup.step_s = 0.45 * spacing_m / sqrt(OCEAN_GRAVITY_M_S2 * depth_m);
    basin_advance(&b, 0, 12 * NODES);
    struct flow flow = {INFINITY, -INFINITY, 0};
    for (size_t k = 0; k < NODES * ACROSS; k++) {
        const double h = depth_m + b.state.eta[k], q = into * h * (along_x ? b.state.u : b.state.v)[k];
        flow.least = fmin(flow.least, q);
        flow.most = fmax(flow.most, q);
        flow.depth_m = h;
    }
    return flow;
}

// The open end lets out u = 2(c − c0), so that u c² = g q.
TEST(a_flow_through_a_channel_is_kept)
{
    const double q = 0.115 * depth_m, c0 = sqrt(OCEAN_GRAVITY_M_S2 * depth_m);
    double c = c0;
    for (int k = 0; k < 100; k++)
        c = c0 + 0.5 * OCEAN_GRAVITY_M_S2 * q / (c * c);
    for (int k = 0; k < VARIANTS; k++)
        for (int side = 0; side < TSUNAMI_SIDES; side++) {
            const struct flow kept = flow_through(&variants[k], (enum tsunami_side)side, true);
            const struct flow wave = flow_through(&variants[k], (enum tsunami_side)side, false);
            print_message(
                "%s, side %d: discharge %.6f to %.6f of %.6f m2/s, depth %.6f (%.6f) m; as a wave %.4f\n",
                ocean_variant_name(&variants[k]), side, kept.least, kept.most, q, kept.depth_m,
                c * c / OCEAN_GRAVITY_M_S2, wave.most);
            assert_true(fabs(kept.least - q) < 2e-4 * q && fabs(kept.most - q) < 2e-4 * q);
            assert_true(fabs(kept.depth_m - c * c / OCEAN_GRAVITY_M_S2) < 2e-5 * depth_m);
            assert_true(wave.most < 0.52 * q); // half of what comes in raises the level
        }
}

// 1 m/s on 2 m of depth, n = 0.05: the slope n² u² / h^(4/3). Begun with 0.7 m/s; the level is given below,
// the discharge above.
TEST(uniform_flow_down_a_slope_is_kept)
{
    const double n = 0.05, speed_m_s = 1, slope = n * n * speed_m_s * speed_m_s / pow(depth_m, 4.0 / 3);
    for (int k = 0; k < VARIANTS; k++) {
        struct basin b = basin_grid(&variants[k], NODES, ACROSS, 0, 0, spacing_m, 0, TSUNAMI_EDGE_WALL);
        struct tsunami_given_edge given[TSUNAMI_SIDES] = {{0}};
        double above[6], below[6];
        const double last_m = (NODES - 1) * spacing_m;
        basin_set_edges(&b, TSUNAMI_EDGE_GIVEN, TSUNAMI_EDGE_GIVEN, TSUNAMI_EDGE_WALL, TSUNAMI_EDGE_WALL);
        for (size_t i = 0; i < NODES * ACROSS; i++) {
            b.state.eta[i] = slope * (0.5 * last_m - b.x[i % NODES]);
            b.depth[i] = depth_m - b.state.eta[i];
            b.state.u[i] = 0.7;
        }
        // The depth of the discharge is the edge cell's; a level holds at the cell's outer face.
        given[TSUNAMI_WEST] = constant_edge(above, b.state.eta[0], speed_m_s, true);
        given[TSUNAMI_WEST].keeps_discharge = true;
        given[TSUNAMI_EAST] = constant_edge(below, -0.5 * slope * (last_m + spacing_m), 0, true);
        given[TSUNAMI_EAST].has_velocity = false;
        b.setup.given = given;
        b.setup.manning_n = n;
        b.setup.step_s = 0.45 * spacing_m / (sqrt(OCEAN_GRAVITY_M_S2 * depth_m) + 1);
        basin_advance(&b, 0, 60 * NODES);
        double worst_q = 0, worst_h = 0;
        for (size_t i = 3; i + 3 < NODES; i++) { // beside an edge the bottom is not even
            const double h = b.depth[NODES + i] + b.state.eta[NODES + i];
            worst_q = fmax(worst_q, fabs(h * b.state.u[NODES + i] - speed_m_s * depth_m));
            worst_h = fmax(worst_h, fabs(h - depth_m));
        }
        print_message("%s: discharge off by %.1e of 2 m2/s, depth by %.1e of 2 m\n",
                      ocean_variant_name(&variants[k]), worst_q, worst_h);
        assert_true(worst_q < 4e-3 && worst_h < 4e-3);
    }
}
