// The method `vtcs2-shore` (VTCS-2 with MOST's moving shoreline): rest, exact solutions with a shore that
// moves, run-up of a solitary wave, symmetries to the bit, given edges. It does not conserve water at the
// shore: how much it gains or loses is printed. The fast versions against the reference:
// conformance/test_runup.c.
#include "tests/support/test.h"

#include "tests/support/basin.h"
#include "tests/support/tsunami_fixture.h"

#include "validate/closed/solitary_runup.h"
#include "validate/closed/solitary_wave.h"
#include "validate/closed/thacker.h"

// What flows is deeper than this share of the smallest spacing: the method's default.
static const double minimum_share = 5e-3;

enum { VARIANTS = 3 };
static const struct ocean_variant variants[VARIANTS] = {
    {&tsunami_backend_reference, ELEMENT_F64, TSUNAMI_VTCS2_SHORE},
    {&tsunami_backend_openmp, ELEMENT_F32, TSUNAMI_VTCS2_SHORE},
    {&tsunami_backend_openmp, ELEMENT_F64, TSUNAMI_VTCS2_SHORE}};

// ---- a rugged coast

// Larger than one tile (256 × 64 nodes) both ways and no multiple of one.
enum { NX = 281, NY = 75 };

// Waves on water; land that they would cover begins dry.
static void add_waves(struct basin *c)
{
    state_add_bell(&c->state, 4, 0.3, 0.6, 14);
    state_add_bell(&c->state, -3, 0.8, 0.3, 16);
    state_add_bell(&c->state, 2, 0.97, 0.07, 6); // at a corner
    state_add_bell(&c->state, 3, 0.1, 0.9, 9);
    for (size_t k = 0; k < (size_t)NX * NY; k++)
        if (!(c->depth[k] > 0) || !(c->state.eta[k] + c->depth[k] > 0)) {
            c->state.eta[k] = -c->depth[k];
            c->state.u[k] = c->state.v[k] = 0;
        }
}

// Islands, lagoons and headlands, waves on the way to them.
static struct basin coast_new(const struct ocean_variant *v, bool is_spherical, double unevenness)
{
    const double spacing_m = 50, degree = spacing_m / 111194.9;
    struct basin c = basin_grid(v, NX, NY, is_spherical ? 140 : 0, is_spherical ? 38 : 0,
                                is_spherical ? degree : spacing_m, unevenness, TSUNAMI_EDGE_WALL);
    for (size_t k = 0; k < (size_t)NX * NY; k++) {
        const double a = (double)(k % NX), b = (double)(k / NX);
        c.depth[k] = 5 + 8 * sin(0.061 * a + 0.3) * cos(0.113 * b) + 5 * sin(0.037 * a - 0.09 * b) +
                     1.5 * sin(0.71 * a) * sin(0.53 * b + 0.2);
    }
    add_waves(&c);
    basin_set_edges(&c, TSUNAMI_EDGE_OPEN, TSUNAMI_EDGE_WALL, TSUNAMI_EDGE_OPEN, TSUNAMI_EDGE_WALL);
    c.setup.is_spherical = c.setup.has_curvature = is_spherical;
    c.setup.has_coriolis = true;
    c.setup.plane_coriolis_per_s = 1.1e-4;
    c.setup.manning_n = 0.03;
    c.setup.step_s =
        (is_spherical ? 0.75 : 1) * 0.45 * (1 - unevenness) * spacing_m / sqrt(OCEAN_GRAVITY_M_S2 * 20);
    c.setup.minimum_depth_m = minimum_share * (1 - unevenness) * spacing_m;
    return c;
}

static struct ocean_state run(const struct basin *c, int64_t first_step, int64_t steps)
{
    struct ocean *ocean = basin_start(c);
    struct ocean_state state = state_new(c->setup.nx, c->setup.ny);
    ocean_advance(ocean, first_step, steps);
    ocean_get(ocean, &state);
    ocean_close(ocean);
    return state;
}

// ---- rest

// Over islands, over ground just below the surface (too shallow to flow), at every kind of edge.
TEST(rests_exactly)
{
    for (int v = 0; v < VARIANTS; v++)
        for (int is_spherical = 0; is_spherical < 2; is_spherical++) {
            struct basin c = coast_new(&variants[v], is_spherical, 0.2);
            c.setup.nx = 67; // a corner of it: rows as long as they are there
            c.setup.ny = 66;
            for (size_t j = 0; j < c.setup.ny; j++)
                memmove(c.depth + j * c.setup.nx, c.depth + j * NX, c.setup.nx * sizeof *c.depth);
            c.depth[20 * c.setup.nx + 30] = 0.3 * c.setup.minimum_depth_m;
            size_t land = 0, films = 0;
            for (size_t k = 0; k < c.setup.nx * c.setup.ny; k++) {
                land += c.depth[k] <= 0;
                films += c.depth[k] > 0 && c.depth[k] <= c.setup.minimum_depth_m;
            }
            assert_true(land > 100 && films > 0);
            const int64_t steps = 200; // what no step has changed no later one changes
            struct ocean *ocean = ocean_open(&c.setup);
            struct ocean_state state = state_new(c.setup.nx, c.setup.ny);
            ocean_advance(ocean, 0, steps);
            ocean_get(ocean, &state);
            double computed, skipped;
            ocean_work(ocean, &computed, &skipped);
            assert_true(computed == (double)steps * (double)(c.setup.nx * c.setup.ny)); // nothing skipped
            for (size_t k = 0; k < c.setup.nx * c.setup.ny; k++) {
                const double depth =
                    ocean_depth_m(ocean)[k / c.setup.nx * ocean_geometry(ocean)->pitch + k % c.setup.nx];
                assert_true(state.eta[k] == fmax(0, -depth));
                assert_true(state.u[k] == 0 && state.v[k] == 0);
            }
            print_message("%s%s: %zu nodes of land, %zu of films: rest is exact after %d steps\n",
                          ocean_variant_name(&variants[v]), is_spherical ? ", sphere" : "", land, films,
                          (int)steps);
            ocean_close(ocean);
        }
}

// A lake whose level is not the sea's, partly over ground above the sea: h and z are added there, so rest is
// that of rounding.
TEST(a_high_lake_rests)
{
    for (int v = 0; v < VARIANTS; v++) {
        struct basin c = coast_new(&variants[v], false, 0.2);
        const double level_m = 0.37;
        for (int side = 0; side < TSUNAMI_SIDES; side++)
            c.setup.edges[side] = TSUNAMI_EDGE_WALL;
        for (size_t k = 0; k < (size_t)NX * NY; k++) {
            c.state.eta[k] = fmax(level_m, -c.depth[k]);
            c.state.u[k] = c.state.v[k] = 0;
        }
        struct ocean_state state = run(&c, 0, v == 0 ? 100 : 500);
        double fastest = 0;
        for (size_t k = 0; k < (size_t)NX * NY; k++)
            fastest = fmax(fastest, hypot(state.u[k], state.v[k]));
        print_message("%s, a lake at %.2f m: largest speed %.1e m/s\n", ocean_variant_name(&variants[v]),
                      level_m, fastest);
        assert_true(fastest <= (variants[v].precision == ELEMENT_F32 ? 1e-4 : 1e-12));
    }
}

// ---- closed forms

// Where the surface through the last two wet nodes meets the ground, at most one node on; `step` +1: of the
// eastern shore.
static double shoreline_m(const struct ocean *ocean, const struct ocean_state *state, const double *x,
                          double wet_m, int step)
{
    const double *depth = ocean_depth_m(ocean);
    ptrdiff_t last = step > 0 ? 0 : (ptrdiff_t)state->nx - 1, wet = -1;
    for (; last >= 0 && last < (ptrdiff_t)state->nx; last += step)
        if (state->eta[last] + depth[last] > wet_m)
            wet = last;
    assert_true(wet > 0 && wet < (ptrdiff_t)state->nx - 1);
    const double h = state->eta[wet] + depth[wet];
    const double ahead = state->eta[wet] + (state->eta[wet] - state->eta[wet - step]) + depth[wet + step];
    const double share = ahead < h ? fmin(1, h / (h - ahead)) : 1;
    return x[wet] + share * (x[wet + step] - x[wet]);
}

enum { CANAL_NODES = 400, CANAL_ROWS = 4 };

static const struct thacker_canal canal = {.half_width_m = 3000,
                                           .depth_m = 10,
                                           .swing_m = 200,
                                           .coriolis_per_s = 1e-3,
                                           .gravity_m_s2 = OCEAN_GRAVITY_M_S2};

// The state against the exact one at time_s, along the first row.
static void check_canal(const char *name, const struct ocean *ocean, const struct ocean_state *state,
                        const double *x, double time_s, double start_m3)
{
    double shores[2], eta_error = 0;
    thacker_canal_shorelines_m(&canal, time_s, shores);
    const double wet_m = ocean_wet_depth_m(ocean);
    const double west = (shoreline_m(ocean, state, x, wet_m, -1) - shores[0]) / canal.swing_m;
    const double east = (shoreline_m(ocean, state, x, wet_m, 1) - shores[1]) / canal.swing_m;
    for (size_t i = 0; i < CANAL_NODES; i++) {
        const struct thacker_state exact = thacker_canal(&canal, x[i], time_s);
        if (exact.depth_m + exact.eta_m > 0.5)
            eta_error = fmax(eta_error, fabs(state->eta[i] - exact.eta_m));
    }
    print_message("%s, canal, %d nodes, 3 periods: shores off by %+.2f %% and %+.2f %% of the swing, surface "
                  "within %.3f m of +-1.33; water %+.2e of itself\n",
                  name, CANAL_NODES, 100 * west, 100 * east, eta_error,
                  ocean_water_m3(ocean, state) / start_m3 - 1);
    assert_true(fabs(west) <= 0.03 && fabs(east) <= 0.03);
    assert_true(eta_error <= 0.04);
}

// Thacker's canal with rotation: 400 nodes between walls on dry ground, three periods.
TEST(the_canal_swings)
{
    const double spacing = 2 * 3400.0 / (CANAL_NODES - 1),
                 time_s = 3 * 2 * acos(-1) / thacker_canal_frequency_per_s(&canal);
    const int64_t steps = (int64_t)ceil(time_s / (0.45 * spacing / sqrt(OCEAN_GRAVITY_M_S2 * 10.1)));
    for (int v = 0; v < VARIANTS; v++) {
        struct basin b =
            basin_grid(&variants[v], CANAL_NODES, CANAL_ROWS, -3400, 0, spacing, 0, TSUNAMI_EDGE_WALL);
        for (size_t k = 0; k < (size_t)CANAL_NODES * CANAL_ROWS; k++) {
            const struct thacker_state exact = thacker_canal(&canal, b.x[k % CANAL_NODES], 0);
            const bool is_wet = exact.depth_m + exact.eta_m > 0;
            b.depth[k] = exact.depth_m;
            b.state.eta[k] = is_wet ? exact.eta_m : -exact.depth_m;
            b.state.u[k] = is_wet ? exact.u_m_s : 0;
            b.state.v[k] = is_wet ? exact.v_m_s : 0;
        }
        basin_set_ends(&b, true, TSUNAMI_EDGE_WALL, TSUNAMI_EDGE_PERIODIC);
        b.setup.has_coriolis = true;
        b.setup.plane_coriolis_per_s = canal.coriolis_per_s;
        b.setup.step_s = time_s / (double)steps;
        b.setup.minimum_depth_m = minimum_share * spacing;
        struct ocean *ocean = basin_start(&b);
        const double start_m3 = ocean_water_m3(ocean, &b.state);
        ocean_advance(ocean, 0, steps);
        ocean_get(ocean, &b.state);
        check_canal(ocean_variant_name(&variants[v]), ocean, &b.state, b.x, time_s, start_m3);
        ocean_close(ocean);
    }
}

// A solitary wave H/d = 0.019 on a beach 1 : 19.85 (BP1), x seaward, d = 1 m. Returns the largest run-up, in
// d.
static double beach_runup(int variant, size_t nx, double spacing)
{
    enum { ROWS = 3 };
    const int64_t part = llround(0.4 / spacing); // the shore is looked at after so many steps
    const double cot_beta = 19.85, first = -6, step_s = 0.45 * spacing / sqrt(OCEAN_GRAVITY_M_S2);
    const struct solitary_wave wave = solitary_wave_before_beach(1, 0.019, cot_beta, OCEAN_GRAVITY_M_S2);
    struct basin b = basin_grid(&variants[variant], nx, ROWS, first, 0, spacing, 0, TSUNAMI_EDGE_PERIODIC);
    basin_set_edges(&b, TSUNAMI_EDGE_WALL, TSUNAMI_EDGE_OPEN, TSUNAMI_EDGE_PERIODIC, TSUNAMI_EDGE_PERIODIC);
    b.setup.step_s = step_s;
    b.setup.minimum_depth_m = minimum_share * spacing;
    for (size_t k = 0; k < nx * ROWS; k++) { // the wave's foot does not reach land
        const double at = b.x[k % nx];
        b.depth[k] = fmin(1, at / cot_beta);
        b.state.eta[k] = b.depth[k] > 0 ? solitary_wave_eta_m(&wave, at) : -b.depth[k];
        b.state.u[k] = b.depth[k] > 0 ? solitary_wave_velocity_m_s(&wave, at) : 0;
    }
    struct ocean *ocean = basin_start(&b);
    const double before_m3 = ocean_water_m3(ocean, &b.state);
    double runup = 0;
    for (int64_t step = 0; (double)step * step_s < 65 / sqrt(OCEAN_GRAVITY_M_S2); step += part) {
        ocean_advance(ocean, step, part);
        ocean_get(ocean, &b.state);
        runup = fmax(runup, -shoreline_m(ocean, &b.state, b.x, ocean_wet_depth_m(ocean), -1) / cot_beta);
    }
    print_message("%s, solitary wave on a beach, %.3f d: run-up %.4f d; water %+.1e of itself\n",
                  ocean_variant_name(&variants[variant]), spacing, runup,
                  ocean_water_m3(ocean, &b.state) / before_m3 - 1);
    ocean_close(ocean);
    return runup;
}

// Against the solution (Synolakis 1987), whose leading term is the run-up law. A node's distance is 0.005 d
// of the beach's height at 0.1 d between nodes.
TEST(a_solitary_wave_runs_up)
{
    struct solitary_runup *exact;
    assert_int_equal(solitary_runup_new(0.019, 19.85, &exact), STATUS_OK);
    const double largest = solitary_runup_largest(exact, NULL);
    solitary_runup_free(exact);
    print_message("the solution: %.4f d, the law: %.4f d\n", largest, solitary_runup_law(0.019, 19.85));
    for (int v = 0; v < VARIANTS; v++)
        assert_true(fabs(beach_runup(v, 700, 0.1) / largest - 1) <= 0.05);
    const double at_half = beach_runup(2, 1400, 0.05), at_quarter = beach_runup(2, 2800, 0.025);
    assert_true(fabs(at_half / largest - 1) <= 0.03 && fabs(at_quarter / largest - 1) <= 0.015);
    assert_true(fabs(at_half / solitary_runup_law(0.019, 19.85) - 1) <= 0.05);
}

// A wave that travels one way over an even bottom: u = 2(c − c0) and c from u = f(x − (u + c)t), exact until
// it breaks.
static double simple_wave_eta(double x, double t, double length, double depth, double height)
{
    const double g = OCEAN_GRAVITY_M_S2, c0 = sqrt(g * depth), k = 2 * acos(-1) / length;
    double eta = height * sin(k * x);
    for (int round = 0; round < 60; round++) { // a contraction until it breaks
        const double c = sqrt(g * (depth + eta));
        eta = height * sin(k * (x - (3 * c - 2 * c0) * t));
    }
    return eta;
}

static double simple_wave_error(const struct ocean_variant *v, size_t n, bool along_x)
{
    const double length = 1000, depth_m = 10, height = 0.2, spacing = length / (double)n;
    const size_t nx = along_x ? n : 4, ny = along_x ? 4 : n;
    const int64_t steps = (int64_t)n / 2 * 5 / 2;
    struct basin b = basin_grid(v, nx, ny, 0, 0, spacing, 0, TSUNAMI_EDGE_PERIODIC);
    basin_fill_depth(&b, depth_m);
    b.setup.step_s = 0.4 * spacing / sqrt(OCEAN_GRAVITY_M_S2 * depth_m);
    for (size_t k = 0; k < nx * ny; k++) {
        b.state.eta[k] = simple_wave_eta(along_x ? b.x[k % nx] : b.y[k / nx], 0, length, depth_m, height);
        const double c = sqrt(OCEAN_GRAVITY_M_S2 * (depth_m + b.state.eta[k]));
        (along_x ? b.state.u : b.state.v)[k] = 2 * (c - sqrt(OCEAN_GRAVITY_M_S2 * depth_m));
    }
    basin_advance(&b, 0, steps);
    double error = 0;
    for (size_t k = 0; k < nx * ny; k++)
        error +=
            fabs(b.state.eta[k] - simple_wave_eta(along_x ? b.x[k % nx] : b.y[k / nx],
                                                  (double)steps * b.setup.step_s, length, depth_m, height));
    return error / (double)(nx * ny);
}

TEST(smooth_waves_converge_at_second_order)
{
    for (int v = 0; v < VARIANTS; v += 2)
        for (int along_x = 0; along_x < 2; along_x++) {
            double errors[3];
            for (int k = 0; k < 3; k++)
                errors[k] = simple_wave_error(&variants[v], (size_t)64 << k, along_x);
            const double orders[] = {log2(errors[0] / errors[1]), log2(errors[1] / errors[2])};
            print_message("%s, a steepening wave along %s: errors %.2e, %.2e, %.2e m; orders %.2f, %.2f\n",
                          ocean_variant_name(&variants[v]), along_x ? "x" : "y", errors[0], errors[1],
                          errors[2], orders[0], orders[1]);
            assert_true(orders[0] >= 1.9 && orders[1] >= 1.9);
        }
}

// ---- edges

// A small wave given at one edge of a channel of uniform depth.
enum { CHANNEL_NODES = 200, CHANNEL_ROWS = 3, GIVEN_RECORDS = 401 };
static const double channel_depth_m = 20, channel_spacing_m = 20, given_height_m = 0.01;

struct channel {
    double speed_m_s, step_s, width_s, crest_s;
    double *values;
};

static struct channel channel_new(void)
{
    struct channel c = {.speed_m_s = sqrt(OCEAN_GRAVITY_M_S2 * channel_depth_m),
                        .values = array_new((size_t)GIVEN_RECORDS * 3)};
    c.step_s = 0.45 * channel_spacing_m / c.speed_m_s;
    c.width_s = 60 * c.step_s;
    c.crest_s = 200 * c.step_s;
    return c;
}

static bool is_along_x(enum tsunami_side side)
{
    return side == TSUNAMI_WEST || side == TSUNAMI_EAST;
}

static double given_eta_m(const struct channel *c, double since_s)
{
    const double phase = (since_s - c->crest_s) / c->width_s;
    return given_height_m * exp(-phase * phase);
}

// The records at that edge, with the velocity of a wave that goes inward.
static void give_wave(struct channel *c, enum tsunami_side side)
{
    const double inward = side == TSUNAMI_WEST || side == TSUNAMI_SOUTH ? 1 : -1;
    for (size_t r = 0; r < GIVEN_RECORDS; r++) {
        const double eta = given_eta_m(c, (double)r * 2 * c->step_s);
        const double speed = inward * 2 * (sqrt(OCEAN_GRAVITY_M_S2 * (channel_depth_m + eta)) - c->speed_m_s);
        c->values[r * 3] = eta;
        c->values[r * 3 + 1] = is_along_x(side) ? speed : 0;
        c->values[r * 3 + 2] = is_along_x(side) ? 0 : speed;
    }
}

static void cross_channel(struct channel *c, int variant, enum tsunami_side side, bool has_velocity)
{
    const bool along_x = is_along_x(side);
    struct tsunami_given_edge given[TSUNAMI_SIDES] = {0};
    given[side] = (struct tsunami_given_edge){.nodes = 1,
                                              .slots = GIVEN_RECORDS,
                                              .steps_per_record = 2,
                                              .has_velocity = has_velocity,
                                              .values = c->values};
    struct basin b =
        basin_grid(&variants[variant], along_x ? CHANNEL_NODES : CHANNEL_ROWS,
                   along_x ? CHANNEL_ROWS : CHANNEL_NODES, 0, 0, channel_spacing_m, 0, TSUNAMI_EDGE_OPEN);
    basin_fill_depth(&b, channel_depth_m);
    basin_set_ends(&b, along_x, TSUNAMI_EDGE_OPEN, TSUNAMI_EDGE_PERIODIC);
    b.setup.edges[side] = TSUNAMI_EDGE_GIVEN;
    b.setup.given = given;
    b.setup.step_s = c->step_s;
    b.setup.minimum_depth_m = minimum_share * channel_spacing_m;
    struct ocean *ocean = ocean_open(&b.setup);
    const int64_t steps = 430; // the crest is about in the middle
    ocean_advance(ocean, 0, steps);
    ocean_get(ocean, &b.state);
    double error = 0, left = 0;
    for (size_t n = 0; n < CHANNEL_NODES; n++) {
        const size_t k = along_x ? n : n * CHANNEL_ROWS + 1;
        const bool is_forward = side == TSUNAMI_WEST || side == TSUNAMI_SOUTH;
        const double way = (double)(is_forward ? n : CHANNEL_NODES - 1 - n) * channel_spacing_m;
        const double eta = given_eta_m(c, (double)steps * c->step_s - way / c->speed_m_s);
        error = fmax(error, fabs(b.state.eta[k] - eta));
    }
    ocean_advance(ocean, steps, 800 - steps); // and now it has left
    ocean_get(ocean, &b.state);
    for (size_t k = 0; k < (size_t)CHANNEL_NODES * CHANNEL_ROWS; k++)
        left = fmax(left, fabs(b.state.eta[k]));
    if (error > 0.01 * given_height_m || left > 0.005 * given_height_m)
        fail_msg("%s, side %d, velocity %d: the wave of %.3f m is off by %.2e m, and %.2e m stay behind",
                 ocean_variant_name(&variants[variant]), (int)side, has_velocity, given_height_m, error,
                 left);
    ocean_close(ocean);
}

// It crosses the channel, whose other edge is open, as the same wave, and leaves it.
TEST(given_waves_come_in_and_leave)
{
    struct channel c = channel_new();
    for (int v = 0; v < VARIANTS; v++)
        for (int side = 0; side < TSUNAMI_SIDES; side++) {
            give_wave(&c, (enum tsunami_side)side);
            cross_channel(&c, v, (enum tsunami_side)side, false);
            cross_channel(&c, v, (enum tsunami_side)side, true);
        }
}

// ---- symmetries

// The transposed flow sweeps in the other order: it begins with an odd step, and without what acts at a
// point.
static void check_images(struct basin *c)
{
    for (enum basin_image image = BASIN_MIRRORED_X; image < BASIN_IMAGES; image++) {
        if (c->setup.is_spherical && image != BASIN_MIRRORED_Y)
            continue;
        struct basin own = *c;
        if (image == BASIN_TRANSPOSED)
            own.setup.manning_n = own.setup.plane_coriolis_per_s = 0;
        const int64_t steps = IS_SANITIZED ? 20 : 30;
        struct ocean_state state = run(&own, 0, steps);
        struct basin other = basin_image(&own, image);
        struct ocean_state seen = run(&other, image == BASIN_TRANSPOSED, steps);
        struct ocean_state expected = state_new(other.setup.nx, other.setup.ny);
        basin_image_state(image, &state, &expected);
        size_t where = 0;
        if (state_unequal(&expected, &seen, &where) > 0)
            fail_msg("%s, image %d: column %zu, row %zu has eta %.9g, expected %.9g",
                     precision_name(c->setup.precision), (int)image, where % other.setup.nx,
                     where / other.setup.nx, seen.eta[where], expected.eta[where]);
    }
}

TEST(images_are_computed_as_images)
{
    const char *names[INSTRUCTION_SETS_MAX];
    const int sets = instruction_sets(names);
    for (int s = 0; s < sets; s++) {
        instruction_set_choose(names[s]);
        for (int p = 0; p < 2; p++)
            for (int is_spherical = 0; is_spherical < 2; is_spherical++) {
                struct basin c = coast_new(&variants[1 + p], is_spherical, 0.2);
                check_images(&c);
            }
    }
    instruction_set_choose(NULL);
}

// ---- how much water there is

// Between walls: depths stay as they must, and what of the water is lost or won is told.
TEST(depths_stay_positive)
{
    for (int v = 0; v < VARIANTS; v++) {
        struct basin c = coast_new(&variants[v], false, 0.2);
        for (int side = 0; side < TSUNAMI_SIDES; side++)
            c.setup.edges[side] = TSUNAMI_EDGE_WALL;
        c.setup.has_records = true;
        struct ocean *ocean = basin_start(&c);
        struct ocean_state state = state_new(NX, NY);
        ocean_get(ocean, &state);
        const double before_m3 = ocean_water_m3(ocean, &state);
        ocean_advance(ocean, 0, v == 0 || IS_SANITIZED ? 100 : 400);
        ocean_get(ocean, &state);
        const size_t pitch = ocean_geometry(ocean)->pitch;
        double shallowest = INFINITY, fastest = 0;
        for (size_t k = 0; k < (size_t)NX * NY; k++) {
            shallowest = fmin(shallowest, state.eta[k] + ocean_depth_m(ocean)[k / NX * pitch + k % NX]);
            fastest = fmax(fastest, hypot(state.u[k], state.v[k]));
        }
        print_message("%s, waves between walls: water %+.2e of itself, shallowest %.1e m, fastest %.2f m/s\n",
                      ocean_variant_name(&variants[v]), ocean_water_m3(ocean, &state) / before_m3 - 1,
                      shallowest, fastest);
        assert_true(shallowest >= 0 && fastest < 20);
        ocean_close(ocean);
    }
}
