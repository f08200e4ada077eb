// What weak dispersion must not do, in bays with beaches, islands and banks that just dry: move a lake at
// rest, win or lose water, make waves of nothing on whatever bottom, prefer a direction.
#include "tests/support/test.h"

#include "tests/support/basin.h"
#include "tests/support/runup_cases.h"

static const struct variant {
    const struct tsunami_backend *backend;
    enum element precision;
    size_t nx, ny;
} variants[] = {{&tsunami_backend_reference, ELEMENT_F64, 32, 24},
                {&tsunami_backend_openmp, ELEMENT_F64, 70, 70},
                {&tsunami_backend_openmp, ELEMENT_F32, 70, 70}};
enum { VARIANTS = sizeof variants / sizeof *variants, STEPS = IS_SANITIZED ? 20 : 40 };

// 30 m deep, with waves; spacing in m, on the sphere at 40 N too.
static struct basin bay_new(const struct variant *v, bool is_spherical, double spacing_m,
                            enum tsunami_edge edge)
{
    const double spacing = is_spherical ? spacing_m / 111e3 : spacing_m;
    const struct ocean_variant muscl = {v->backend, v->precision, TSUNAMI_MUSCL_HANCOCK};
    struct basin b = (is_spherical ? basin_on_sphere : basin_grid)(&muscl, v->nx, v->ny, 140,
                                                                   is_spherical ? 40 : 0, spacing, 0.1, edge);
    basin_take_depth(&b, bay_depth_new(v->nx, v->ny, 30));
    b.setup.has_dispersion = true;
    b.setup.step_s = flooding_step_s(&b.setup, 0.45);
    state_still(&b.state, b.depth, 0);
    return b;
}

static void add_waves(struct basin *b)
{
    const double width = (double)b->setup.nx / 13;
    state_add_wave(&b->state, b->depth, 3, 0.55, 0.5, width);
    state_add_wave(&b->state, b->depth, -2, 0.8, 0.3, width);
    state_add_wave(&b->state, b->depth, 2, 0.97, 0.95, width); // at a corner
}

// ---- rest and water ----

TEST(lakes_stay_at_rest)
{
    static const enum tsunami_edge edges[] = {TSUNAMI_EDGE_WALL, TSUNAMI_EDGE_OPEN, TSUNAMI_EDGE_PERIODIC};
    for (int n = 0; n < VARIANTS * 4; n++) {
        const bool is_spherical = n % 4 == 3;
        struct basin b = bay_new(&variants[n / 4], is_spherical, 10, is_spherical ? edges[0] : edges[n % 4]);
        struct ocean_state still = state_new(b.setup.nx, b.setup.ny);
        basin_advance(&b, 0, 0);
        memcpy(still.eta, b.state.eta, b.setup.nx * b.setup.ny * sizeof *still.eta);
        basin_advance(&b, 0, 5 * STEPS);
        size_t where = 0;
        assert_int_equal(state_unequal(&still, &b.state, &where), 0); // to the last bit
    }
}

TEST(closed_basins_keep_their_water)
{
    for (int n = 0; n < VARIANTS * 2; n++) {
        const struct variant *v = &variants[n / 2];
        struct basin b = bay_new(v, n % 2, 10, TSUNAMI_EDGE_WALL);
        add_waves(&b);
        struct ocean *ocean = basin_start(&b);
        ocean_get(ocean, &b.state);
        const double start_m3 = ocean_water_m3(ocean, &b.state);
        ocean_advance(ocean, 0, 10 * STEPS);
        ocean_get(ocean, &b.state);
        const double drift = fabs(ocean_water_m3(ocean, &b.state) / start_m3 - 1);
        print_message("%s %s%s: water drifts by %.1e in %d steps\n", v->backend->head.name,
                      precision_name(v->precision), n % 2 ? ", sphere" : "", drift, 10 * STEPS);
        assert_true(drift <= (v->precision == ELEMENT_F64 ? 1e-13 : 1e-6));
        ocean_close(ocean);
    }
}

// ---- energy ----

// ½ h U² + ½ g (η² − what the ground holds up), over ρ and the cell's area.
static double energy_of(const struct basin *b)
{
    double sum = 0;
    for (size_t k = 0; k < b->setup.nx * b->setup.ny; k++) {
        const double h = fmax(0, b->state.eta[k] + b->depth[k]), low = fmax(0, -b->depth[k]);
        const double eta = b->state.eta[k];
        const double speed2 = b->state.u[k] * b->state.u[k] + b->state.v[k] * b->state.v[k];
        sum += 0.5 * h * speed2 + 0.5 * OCEAN_GRAVITY_M_S2 * (eta * eta - low * low);
    }
    return sum;
}

// On bottoms as rough as the grid, from wide nodes to ones a hundredth of the depth apart (cliffs there),
// waves never have more energy than they began with, when nothing moved. (In between some of it is in the
// water's rise and fall, not counted here.)
TEST(energy_does_not_grow)
{
    static const double spacings_m[] = {50, 10, 1, 0.25};
    for (int n = 0; n < VARIANTS * 8; n++) {
        const struct variant *v = &variants[n / 8];
        const enum tsunami_edge edge = n % 2 ? TSUNAMI_EDGE_WALL : TSUNAMI_EDGE_PERIODIC;
        const double spacing_m = spacings_m[n % 8 / 2];
        struct basin b = bay_new(v, false, spacing_m, edge);
        for (size_t k = 0; k < b.setup.nx; k++) // even: a cell's share is 1
            b.x[k] = spacing_m * (double)k;
        for (size_t k = 0; k < b.setup.ny; k++)
            b.y[k] = spacing_m * (double)k;
        b.setup.step_s = flooding_step_s(&b.setup, 0.45);
        add_waves(&b);
        const double start = energy_of(&b);
        double most = 0;
        for (int part = 0; part < 6; part++) {
            basin_advance(&b, part * STEPS, STEPS);
            most = fmax(most, energy_of(&b) / start);
        }
        print_message("%s %s, spacing %g m, %s: of the energy at most %.4f, at last %.4f\n",
                      v->backend->head.name, precision_name(v->precision), spacing_m,
                      n % 2 ? "walls" : "periodic", most, energy_of(&b) / start);
        assert_true(most < 1 && energy_of(&b) > 0);
    }
}

// ---- images ----

// A bay seen in a mirror, or with x and y exchanged and the sweeps' order with them, is computed as the image
// of what the bay is: to rounding, since lines are solved from one end to the other.
TEST(images_are_images)
{
    static const char *const names[] = {"mirror in x", "mirror in y", "x and y exchanged"};
    for (int n = 0; n < VARIANTS * 3; n++) {
        const struct variant *v = &variants[n / 3];
        const enum basin_image image = (enum basin_image)(n % 3);
        struct basin b = bay_new(v, false, 10, TSUNAMI_EDGE_WALL);
        b.setup.edges[TSUNAMI_EAST] = TSUNAMI_EDGE_OPEN;
        b.setup.manning_n = image == BASIN_TRANSPOSED ? 0 : 0.02; // rubs before the sweeps in odd steps
        add_waves(&b);
        struct basin m = basin_image(&b, image);
        basin_advance(&b, 0, STEPS);
        basin_advance(&m, image == BASIN_TRANSPOSED ? 1 : 0, STEPS);
        struct basin expected = basin_image(&b, image);
        double difference[3];
        state_difference(&expected.state, &m.state, difference);
        print_message("%s %s, %s: %.1e m, %.1e, %.1e m/s off\n", v->backend->head.name,
                      precision_name(v->precision), names[image], difference[0], difference[1],
                      difference[2]);
        const double allowed = v->precision == ELEMENT_F64 ? 1e-11 : 1e-4;
        for (int f = 0; f < 3; f++)
            assert_true(difference[f] <= allowed);
    }
}
