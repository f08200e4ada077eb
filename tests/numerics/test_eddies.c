// Horizontal eddy viscosity (physics.eddy_viscosity of `muscl-hancock`): shear waves decay as the closed form
// says; the stresses of smooth flows over a smooth bottom, with a constant viscosity and Smagorinsky's, on a
// plane and on the sphere, converge to the equations'; a solid rotation has none; a shear layer rolls up at
// the rate of the theory, and more slowly with them; momentum is kept and energy is lost alone whatever the
// bottom, the coast and the viscosity; a lake at rest stays so to the last bit.
#include "tests/support/test.h"

#include "tests/support/basin.h"
#include "tests/support/runup_cases.h"

static const double pi = 3.14159265358979323846;

static const struct ocean_variant variants[] = {
    {&tsunami_backend_reference, ELEMENT_F64, TSUNAMI_MUSCL_HANCOCK},
    {&tsunami_backend_openmp, ELEMENT_F64, TSUNAMI_MUSCL_HANCOCK},
    {&tsunami_backend_openmp, ELEMENT_F32, TSUNAMI_MUSCL_HANCOCK}};
enum { VARIANTS = sizeof variants / sizeof *variants };

static bool is_double(const struct ocean_variant *v)
{
    return v->precision == ELEMENT_F64;
}

// ---- a shear wave ----

// u = U sin(ky) over a level bottom, or v along x: the equations leave U exp(−ν k² t), and nothing else
// moves. The differences of the scheme see k as (2/Δ) sin(kΔ/2).
static void check_shear_wave(const struct ocean_variant *v, bool varies_along_x)
{
    enum { NODES = 48, STEPS = 600 };
    const double spacing_m = 10, speed_m_s = 0.5, depth_m = 2, viscosity_m2_s = 4;
    const double k = 2 * pi / (NODES * spacing_m), seen = 2 / spacing_m * sin(0.5 * k * spacing_m);
    struct basin b = basin_grid(v, varies_along_x ? NODES : 6, varies_along_x ? 6 : NODES, 0, 0, spacing_m, 0,
                                TSUNAMI_EDGE_PERIODIC);
    basin_fill_depth(&b, depth_m);
    b.setup.eddy_viscosity_m2_s = viscosity_m2_s;
    b.setup.step_s = flooding_step_s(&b.setup, 0.45);
    const size_t nodes = b.state.nx * b.state.ny;
    double *along = varies_along_x ? b.state.v : b.state.u, *form = array_new(nodes);
    for (size_t n = 0; n < nodes; n++) {
        form[n] = sin(2 * pi * ((double)(varies_along_x ? n % NODES : n / 6) + 0.2) / NODES);
        along[n] = speed_m_s * form[n];
    }
    basin_advance(&b, 0, STEPS);
    double left = 0, square = 0, off = 0, risen_m = 0;
    for (size_t n = 0; n < nodes; n++) {
        left += along[n] * form[n] / speed_m_s;
        square += form[n] * form[n];
        risen_m = fmax(risen_m, fabs(b.state.eta[n]));
    }
    left /= square;
    for (size_t n = 0; n < nodes; n++)
        off = fmax(off, fabs(along[n] / speed_m_s - left * form[n]));
    const double exact = exp(-viscosity_m2_s * k * k * STEPS * b.setup.step_s);
    const double of_scheme = pow(1 - viscosity_m2_s * seen * seen * b.setup.step_s, STEPS);
    print_message(
        "%s, along %c: %.5f left (exact %.5f, the scheme's %.5f), another form %.1e, level %.1e m\n",
        ocean_variant_name(v), varies_along_x ? 'x' : 'y', left, exact, of_scheme, off, risen_m);
    assert_true(fabs(left / exact - 1) < 1e-3);
    assert_true(fabs(left / of_scheme - 1) < (is_double(v) ? 1e-12 : 1e-5));
    assert_true(off < (is_double(v) ? 1e-13 : 1e-5) && risen_m == 0);
    assert_true(exact < 0.75); // it did decay
    basin_free(&b);
}

TEST(shear_waves_decay)
{
    for (int n = 0; n < 2 * VARIANTS; n++)
        check_shear_wave(&variants[n / 2], n % 2);
}

// ---- the stresses of a smooth flow ----

// Depth and velocity as functions of the place: metres on a plane, radians on the sphere.
struct flow {
    double h, u, v;
};

static const double length_m = 1000, radius_m = OCEAN_RADIUS_M, middle = 0.9; // latitude of the sphere's part

static struct flow flow_at(bool is_spherical, double x, double y)
{
    const double X = 2 * pi * x / (is_spherical ? 0.2 : length_m),
                 Y = 2 * pi * (is_spherical ? (y - middle) / 0.2 : y / length_m);
    return (struct flow){20 + 6 * sin(X) * cos(Y), sin(Y) + 0.3 * cos(X + Y),
                         0.5 * cos(X - Y) + 0.2 * sin(2 * X)};
}

// What the equations say, by differences so fine that only rounding is left. smagorinsky: (C Δ)², on the
// sphere over cos φ.
struct equations {
    bool is_spherical;
    double constant, smagorinsky;
};

struct stress {
    double xx, xy, yy;
};

static struct stress stress_at(const struct equations *e, double x, double y)
{
    const double d = e->is_spherical ? 1e-5 : 1e-2, unit = e->is_spherical ? radius_m : 1;
    const double cosine = e->is_spherical ? cos(y) : 1, tangent = e->is_spherical ? tan(y) / radius_m : 0;
    const struct flow f = flow_at(e->is_spherical, x, y), east = flow_at(e->is_spherical, x + d, y),
                      west = flow_at(e->is_spherical, x - d, y), north = flow_at(e->is_spherical, x, y + d),
                      south = flow_at(e->is_spherical, x, y - d);
    const double across = 2 * d * unit;
    const double xx = (east.u - west.u) / (across * cosine) - f.v * tangent;
    const double yy = (north.v - south.v) / across;
    const double xy = (east.v - west.v) / (across * cosine) + (north.u - south.u) / across + f.u * tangent;
    const double nu = e->constant + e->smagorinsky * cosine * sqrt(2 * xx * xx + 2 * yy * yy + xy * xy);
    return (struct stress){2 * f.h * nu * xx, f.h * nu * xy, 2 * f.h * nu * yy};
}

static void rates_at(const struct equations *e, double x, double y, double *u_t, double *v_t)
{
    const double d = e->is_spherical ? 1e-4 : 1e-1, unit = e->is_spherical ? radius_m : 1;
    const double cosine = e->is_spherical ? cos(y) : 1, tangent = e->is_spherical ? tan(y) / radius_m : 0;
    const struct stress s = stress_at(e, x, y), east = stress_at(e, x + d, y), west = stress_at(e, x - d, y),
                        north = stress_at(e, x, y + d), south = stress_at(e, x, y - d);
    const double across = 2 * d * unit, h = flow_at(e->is_spherical, x, y).h;
    *u_t =
        ((east.xx - west.xx) / (across * cosine) + (north.xy - south.xy) / across - 2 * tangent * s.xy) / h;
    *v_t = ((east.xy - west.xy) / (across * cosine) + (north.yy - south.yy) / across - tangent * s.yy +
            tangent * s.xx) /
           h;
}

// A step so short that the flow stays; with the stresses less without them, over the step.
static void find_change(struct basin *b, struct ocean_state *rate)
{
    struct ocean_state start = b->state;
    struct basin without = *b;
    b->state = state_new(start.nx, start.ny);
    without.state = state_new(start.nx, start.ny);
    for (size_t k = 0; k < start.nx * start.ny; k++) {
        b->state.eta[k] = without.state.eta[k] = start.eta[k];
        b->state.u[k] = without.state.u[k] = start.u[k];
        b->state.v[k] = without.state.v[k] = start.v[k];
    }
    without.setup.eddy_viscosity_m2_s = without.setup.smagorinsky = 0;
    basin_advance(b, 0, 1);
    basin_advance(&without, 0, 1);
    for (size_t k = 0; k < start.nx * start.ny; k++) {
        rate->eta[k] = b->state.eta[k] - without.state.eta[k];
        rate->u[k] = (b->state.u[k] - without.state.u[k]) / b->setup.step_s;
        rate->v[k] = (b->state.v[k] - without.state.v[k]) / b->setup.step_s;
    }
    state_free(&without.state);
    state_free(&b->state);
    b->state = start;
}

// Root mean square of what the scheme is off, over that of the equations' rates, away from the edges.
static double stress_error(const struct ocean_variant *v, bool is_spherical, bool is_smagorinsky,
                           double unevenness, size_t nodes)
{
    const double size = is_spherical ? 0.2 * 180 / pi : length_m, spacing = size / (double)nodes;
    struct basin b = basin_grid(v, nodes, nodes, 0, is_spherical ? (middle - 0.1) * 180 / pi : 0, spacing,
                                unevenness, is_spherical ? TSUNAMI_EDGE_OPEN : TSUNAMI_EDGE_WALL);
    b.setup.is_spherical = is_spherical;
    const double radian = is_spherical ? pi / 180 : 1;
    for (size_t j = 0; j < nodes; j++) // uneven alike at any number of nodes
        for (size_t i = 0; i < nodes && unevenness > 0; i++) {
            b.x[i] = spacing *
                     ((double)i + unevenness * (double)nodes / 20 * sin(14.8 * (double)i / (double)nodes));
            b.y[j] = spacing *
                     ((double)j + unevenness * (double)nodes / 20 * cos(11.3 * (double)j / (double)nodes));
        }
    const double scale = is_spherical ? 1e6 : 1; // or rounding would be seen over such distances
    const struct equations e = {is_spherical, is_smagorinsky ? 0 : 3 * scale,
                                is_smagorinsky ? 500 * scale : 0};
    const double unit_m = is_spherical ? radius_m * spacing * radian : spacing;
    b.setup.eddy_viscosity_m2_s = e.constant;
    b.setup.smagorinsky = sqrt(e.smagorinsky) / unit_m;
    b.setup.step_s = 1e-4 * unit_m;
    for (size_t k = 0; k < nodes * nodes; k++) {
        const struct flow f = flow_at(is_spherical, b.x[k % nodes] * radian, b.y[k / nodes] * radian);
        b.depth[k] = f.h;
        b.state.u[k] = f.u;
        b.state.v[k] = f.v;
    }
    struct ocean_state rate = state_new(nodes, nodes);
    find_change(&b, &rate);
    double off = 0, all = 0;
    for (size_t j = 4; j < nodes - 4; j++)
        for (size_t i = 4; i < nodes - 4; i++) {
            double u_t, v_t;
            const size_t k = j * nodes + i;
            rates_at(&e, b.x[i] * radian, b.y[j] * radian, &u_t, &v_t);
            off += (rate.u[k] - u_t) * (rate.u[k] - u_t) + (rate.v[k] - v_t) * (rate.v[k] - v_t);
            all += u_t * u_t + v_t * v_t;
            assert_true(rate.eta[k] == 0);
        }
    state_free(&rate);
    basin_free(&b);
    return sqrt(off / all);
}

TEST(stresses_converge_to_the_equations)
{
    for (int n = 0; n < 8; n++) {
        const struct ocean_variant *v = &variants[n / 4];
        const bool is_spherical = n & 1, is_smagorinsky = n & 2;
        const double unevenness = is_spherical || is_smagorinsky ? 0 : 0.3;
        double error[3];
        for (int k = 0; k < 3; k++)
            error[k] = stress_error(v, is_spherical, is_smagorinsky, unevenness, (size_t)32 << k);
        print_message("%s, %s, %s: %.2e %.2e %.2e, orders %.2f %.2f\n", ocean_variant_name(v),
                      is_spherical ? "sphere" : "plane", is_smagorinsky ? "smagorinsky" : "constant",
                      error[0], error[1], error[2], log2(error[0] / error[1]), log2(error[1] / error[2]));
        assert_true(error[2] < 0.02);
        assert_true(log2(error[1] / error[2]) > 1.8);
    }
}

// u = U cos φ.
TEST(a_solid_rotation_has_no_stress)
{
    for (int n = 0; n < 2; n++) { // in single precision rounding is all that there is
        const struct ocean_variant *v = &variants[n];
        enum { NODES = 40 };
        struct basin b = basin_on_sphere(v, NODES, NODES, 10, 40, 0.5, 0, TSUNAMI_EDGE_OPEN);
        for (size_t k = 0; k < NODES * NODES; k++) {
            b.depth[k] = 1000 + 300 * sin(0.3 * (double)k);
            b.state.u[k] = 5 * cos(b.y[k / NODES] * pi / 180);
        }
        b.setup.step_s =
            1e-2; // the flow stays, and rounding is below 10⁻⁷ of the rate of a shear of this size
        b.setup.eddy_viscosity_m2_s = 1e7;
        struct ocean_state rate = state_new(NODES, NODES);
        find_change(&b, &rate);
        double largest = 0;
        for (size_t j = 3; j < NODES - 3; j++)
            for (size_t i = 3; i < NODES - 3; i++)
                largest = fmax(largest, hypot(rate.u[j * NODES + i], rate.v[j * NODES + i]));
        // Of a plane's flow of the same speeds: ν u_yy = ν U cos φ/R².
        const double without_metric = 1e7 * 4 / (radius_m * radius_m);
        print_message("%s: %.1e m/s2 (%.1e without the sphere's terms)\n", ocean_variant_name(v), largest,
                      without_metric);
        assert_true(largest < 1e-3 * without_metric);
        state_free(&rate);
        basin_free(&b);
    }
}

// ---- a shear layer ----

// Growth of the wave in a layer u = U tanh(y/δ), by δ/U, between two times: 0.1897 without viscosity at
// kδ = 0.4446 (Michalke 1964), for a current far below the waves' celerity.
static double layer_growth(double constant_m2_s, double smagorinsky, enum tsunami_limiter limiter)
{
    enum { NX = 56, NY = 84 };
    const double speed_m_s = 0.5, delta_m = 4, k = 0.4446 / delta_m, spacing_m = 2 * pi / k / NX;
    const double size = 1e-4 * speed_m_s;
    struct basin b = basin_grid(&variants[1], NX, NY, 0, 0, spacing_m, 0, TSUNAMI_EDGE_WALL);
    basin_set_edges(&b, TSUNAMI_EDGE_PERIODIC, TSUNAMI_EDGE_PERIODIC, TSUNAMI_EDGE_WALL, TSUNAMI_EDGE_WALL);
    basin_fill_depth(&b, 2);
    b.setup.eddy_viscosity_m2_s = constant_m2_s;
    b.setup.smagorinsky = smagorinsky;
    b.setup.limiter = limiter;
    b.setup.step_s = flooding_step_s(&b.setup, 0.45);
    for (size_t n = 0; n < NX * NY; n++) { // the wave: of a stream function cos(kx)/cosh(y/δ)
        const double x = b.x[n % NX], y = b.y[n / NX] - 0.5 * b.y[NY - 1], form = 1 / cosh(y / delta_m);
        b.state.u[n] =
            speed_m_s * tanh(y / delta_m) - size * cos(k * x) * form * tanh(y / delta_m) / (k * delta_m);
        b.state.v[n] = size * sin(k * x) * form;
    }
    struct ocean *ocean = basin_start(&b);
    double height[2] = {0};
    const int64_t steps[2] = {(int64_t)(110 / b.setup.step_s), (int64_t)(20 / b.setup.step_s)};
    for (int n = 0; n < 2; n++) {
        ocean_advance(ocean, n * steps[0], steps[n]);
        ocean_get(ocean, &b.state);
        for (size_t j = 0; j < NY; j++) {
            double sine = 0, cosine = 0;
            for (size_t i = 0; i < NX; i++) {
                sine += b.state.v[j * NX + i] * sin(k * b.x[i]);
                cosine += b.state.v[j * NX + i] * cos(k * b.x[i]);
            }
            height[n] += sine * sine + cosine * cosine;
        }
    }
    ocean_close(ocean);
    const double growth =
        0.5 * log(height[1] / height[0]) / ((double)steps[1] * b.setup.step_s) * delta_m / speed_m_s;
    basin_free(&b);
    return growth;
}

TEST(a_shear_layer_rolls_up_more_slowly)
{
    static const struct {
        double constant_m2_s, smagorinsky, least, most;
    } models[] = {{0, 0, 0.18, 0.192}, {0, 0.1, 0.175, 0.19}, {0, 0.3, 0.15, 0.17}, {0.1, 0, 0.01, 0.06}};
    for (int limiter = 0; limiter < 3; limiter += 2)
        for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
            const double growth =
                layer_growth(models[m].constant_m2_s, models[m].smagorinsky, (enum tsunami_limiter)limiter);
            print_message("%s, %g m2/s, C %g: %.4f U/delta\n", limiter == 0 ? "van Leer" : "third order",
                          models[m].constant_m2_s, models[m].smagorinsky, growth);
            assert_true(growth > models[m].least && growth < models[m].most);
        }
}

// ---- what is kept ----

// A bay with beaches, islands and films, stirred at random.
static struct basin stirred_bay(const struct ocean_variant *v, bool is_spherical)
{
    enum { NX = 90, NY = 70 };
    struct basin b = basin_grid(v, NX, NY, is_spherical ? 10 : 0, is_spherical ? 50 : 0,
                                is_spherical ? 0.005 : 50, 0.1, TSUNAMI_EDGE_WALL);
    b.setup.is_spherical = is_spherical;
    basin_take_depth(&b, bay_depth_new(NX, NY, 30));
    state_still(&b.state, b.depth, 0.3);
    for (size_t k = 0; k < NX * NY; k++) {
        b.state.u[k] = sin(12.9898 * (double)k + 78.233 * (double)(k % 17));
        b.state.v[k] = sin(39.3467 * (double)k + 11.135 * (double)(k % 23));
    }
    b.setup.step_s = flooding_step_s(&b.setup, 0.45);
    return b;
}

// The sums over all water, after a step with the stresses less without them.
struct sums {
    double momentum_x, momentum_y, energy, size; // size: of the changes of momentum
    size_t risen;
};

static struct sums stirred_sums(const struct ocean_variant *v, bool is_spherical, double constant_m2_s,
                                double smagorinsky)
{
    struct basin b = stirred_bay(v, is_spherical);
    struct ocean_state states[2];
    struct sums sums = {0};
    double *mass = array_new(b.state.nx * b.state.ny);
    for (int n = 0; n < 2; n++) {
        states[n] = state_new(b.state.nx, b.state.ny);
        b.setup.eddy_viscosity_m2_s = n == 0 ? 0 : constant_m2_s;
        b.setup.smagorinsky = n == 0 ? 0 : smagorinsky;
        struct ocean *ocean = basin_start(&b);
        ocean_advance(ocean, 0, 1);
        ocean_get(ocean, &states[n]);
        const struct tsunami_geometry *g = ocean_geometry(ocean);
        for (size_t k = 0; k < b.state.nx * b.state.ny; k++) {
            const ptrdiff_t i = (ptrdiff_t)(k % g->nx), j = (ptrdiff_t)(k / g->nx);
            const double h = states[n].eta[k] + ocean_depth_m(ocean)[(size_t)j * g->pitch + (size_t)i];
            mass[k] = h * (g->x_distance_m[i - 1] + g->x_distance_m[i]) *
                      (g->y_distance_m[j - 1] + g->y_distance_m[j]) * g->cos_latitude[j];
        }
        ocean_close(ocean);
    }
    for (size_t k = 0; k < b.state.nx * b.state.ny; k++) {
        const double arm = is_spherical ? cos(b.y[k / b.state.nx] * pi / 180) : 1; // of the Earth's axis
        const double du = states[1].u[k] - states[0].u[k], dv = states[1].v[k] - states[0].v[k];
        sums.momentum_x += mass[k] * arm * du;
        sums.momentum_y += mass[k] * dv;
        sums.size += mass[k] * (fabs(du) + fabs(dv));
        sums.energy +=
            0.5 * mass[k] * (du * (states[1].u[k] + states[0].u[k]) + dv * (states[1].v[k] + states[0].v[k]));
        sums.risen += states[1].eta[k] != states[0].eta[k];
    }
    state_free(&states[0]);
    state_free(&states[1]);
    basin_free(&b);
    return sums;
}

// On the sphere that is the angular momentum about its axis. Any viscosity: what is too much for a step is
// held to what it can follow.
TEST(momentum_is_kept_and_energy_lost)
{
    static const struct {
        double constant_m2_s, smagorinsky;
    } models[] = {{20, 0}, {1e9, 0}, {0, 0.2}, {0, 1}};
    for (int n = 0; n < VARIANTS * 8; n++) {
        const struct ocean_variant *v = &variants[n / 8];
        const bool is_spherical = n & 1;
        const int m = n % 8 / 2;
        const struct sums s = stirred_sums(v, is_spherical, models[m].constant_m2_s, models[m].smagorinsky);
        print_message("%s, %s, %g m2/s, C %g: momentum %.1e %.1e of what moved, energy %.2e\n",
                      ocean_variant_name(v), is_spherical ? "sphere" : "plane", models[m].constant_m2_s,
                      models[m].smagorinsky, s.momentum_x / s.size, s.momentum_y / s.size, s.energy / s.size);
        assert_true(s.size > 0 && s.risen == 0);
        assert_true(fabs(s.momentum_x) < (is_double(v) ? 1e-11 : 1e-4) * s.size);
        // On the sphere the metric turns a little of it.
        assert_true(fabs(s.momentum_y) < (is_spherical ? 1e-5 : is_double(v) ? 1e-11 : 1e-4) * s.size);
        assert_true(s.energy < 0);
    }
}

// A lake with islands, a moving shore in all its parts, and films.
TEST(rest_stays_rest)
{
    for (int n = 0; n < VARIANTS * 4; n++) {
        const struct ocean_variant *v = &variants[n / 4];
        struct basin b = stirred_bay(v, n & 1);
        b.setup.eddy_viscosity_m2_s = n & 2 ? 20 : 0;
        b.setup.smagorinsky = n & 2 ? 0 : 0.2;
        state_still(&b.state, b.depth, 0);
        struct ocean *ocean = basin_start(&b);
        struct ocean_state first = state_new(b.state.nx, b.state.ny);
        for (size_t k = 0; k < b.state.nx * b.state.ny; k++)
            b.state.u[k] = b.state.v[k] = 0;
        ocean_set(ocean, &b.state);
        ocean_get(ocean, &first);
        ocean_advance(ocean, 0, 40);
        ocean_get(ocean, &b.state);
        assert_int_equal(state_unequal(&first, &b.state, NULL), 0);
        ocean_close(ocean);
        state_free(&first);
        basin_free(&b);
    }
}
