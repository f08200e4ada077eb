// A solitary wave that runs up a plane beach (the benchmark BP1 of NOAA and NTHMP: H/d 0.019, 1 : 19.85)
// against its closed form: the highest run-up and the profile near it; along both axes, on axes with varying
// spacing, and on a small patch of the sphere, where the result must be that on the plane.
#include "tests/support/test.h"

#include "tests/support/basin.h"
#include "validate/closed/solitary_runup.h"
#include "validate/closed/solitary_wave.h"

static const double pi = 3.14159265358979323846;
static const double depth_m = 10, height = 0.019, cot_beta = 19.85; // d; H/d
static const double landward = 4, seaward = 80; // the channel's ends, in d from the shoreline
enum { ROWS = 3 };

struct channel {
    struct ocean_variant variant;
    bool is_spherical, is_along_y;
    double spacing, unevenness; // in d
};

struct profile {
    size_t nodes;
    double *x, *eta, *depth; // seaward from the initial shoreline, in d
    double runup, drift;     // highest surface on land so far, in d; relative change of the volume of water
};

static double still_depth(double x)
{
    return fmin(x / cot_beta, 1);
}

// Makes the axes; seaward is +x or north. On the sphere the channel begins at 30° N (along y) or lies at 30°
// N (along x).
static void axes_of(const struct channel *c, const double *along, size_t n, double *along_axis,
                    double *across_axis)
{
    const double south = 30, radian = pi / 180;
    const double metre = c->is_spherical ? 1 / (OCEAN_RADIUS_M * radian) : 1; // in degrees of a meridian
    const double stretch = c->is_spherical ? 1 / cos(south * radian) : 1;     // of longitude there
    for (size_t k = 0; k < n; k++)
        along_axis[k] = along[k] * depth_m * metre * (c->is_along_y ? 1 : stretch);
    for (size_t k = 0; k < ROWS; k++)
        across_axis[k] = ((double)k - 1) * c->spacing * depth_m * metre * (c->is_along_y ? stretch : 1);
    for (size_t k = 0; c->is_spherical && c->is_along_y && k < n; k++)
        along_axis[k] += south;
    for (size_t k = 0; c->is_spherical && !c->is_along_y && k < ROWS; k++)
        across_axis[k] += south;
}

// The height of the water on land: the surface at the last wet node (deeper than 1e-2 spacings, as in
// results), or the ground halfway to the next, dry node if that is higher. The error is at most half the rise
// of the ground between two nodes.
static double shoreline_height(const struct profile *p, double wet)
{
    size_t k = 0;
    while (p->eta[k] + p->depth[k] <= wet)
        k++;
    assert_true(k > 0);
    return fmax(p->eta[k], -0.5 * (p->depth[k] + p->depth[k - 1]));
}

// Computes the profile at the time t (in √(d/g)).
static struct profile run_up(const struct channel *c, double t)
{
    const size_t n = (size_t)lround((seaward + landward) / c->spacing) + 1;
    struct profile p = {.nodes = n,
                        .x = axis_new(n, -landward, c->spacing, c->unevenness),
                        .eta = array_new(n),
                        .depth = array_new(n)};
    const size_t nx = c->is_along_y ? ROWS : n, ny = c->is_along_y ? n : ROWS;
    struct basin b = basin_grid(&c->variant, nx, ny, 0, 0, 1, 0, TSUNAMI_EDGE_WALL);
    axes_of(c, p.x, n, c->is_along_y ? b.y : b.x, c->is_along_y ? b.x : b.y);
    const struct solitary_wave wave = solitary_wave_before_beach(1, height, cot_beta, 1);
    for (size_t k = 0; k < nx * ny; k++) {
        const size_t i = c->is_along_y ? k / nx : k % nx;
        p.depth[i] = still_depth(p.x[i]);
        b.depth[k] = depth_m * p.depth[i];
        b.state.eta[k] = fmax(depth_m * solitary_wave_eta_m(&wave, p.x[i]), -b.depth[k]);
        (c->is_along_y ? b.state.v : b.state.u)[k] =
            p.depth[i] > 0 ? sqrt(OCEAN_GRAVITY_M_S2 * depth_m) * solitary_wave_velocity_m_s(&wave, p.x[i])
                           : 0;
    }
    const double unit_s = sqrt(depth_m / OCEAN_GRAVITY_M_S2);
    const int64_t steps = (int64_t)ceil(t / (0.44 * c->spacing * (1 - c->unevenness)));
    b.setup.is_spherical = b.setup.has_curvature = c->is_spherical;
    b.setup.step_s = t * unit_s / (double)steps;
    struct ocean *ocean = basin_start(&b);
    ocean_get(ocean, &b.state);
    const double start_m3 = ocean_water_m3(ocean, &b.state);
    for (int64_t step = 0; step < steps; step += 8) {
        ocean_advance(ocean, step, steps - step < 8 ? steps - step : 8);
        ocean_get(ocean, &b.state);
        for (size_t i = 0; i < n; i++)
            p.eta[i] = b.state.eta[c->is_along_y ? i * nx + 1 : nx + i] / depth_m;
        p.runup = fmax(p.runup, shoreline_height(&p, ocean_wet_depth_m(ocean) / depth_m));
    }
    p.drift = fabs(ocean_water_m3(ocean, &b.state) / start_m3 - 1);
    ocean_close(ocean);
    return p;
}

static const char *name_of(const struct channel *c)
{
    return format_text("%s, %s%s%s, spacing %.3g d", ocean_variant_name(&c->variant),
                       c->is_spherical ? "sphere, " : "", c->is_along_y ? "along y" : "along x",
                       c->unevenness > 0 ? ", uneven" : "", c->spacing);
}

// The run-up up to t = 70, when the water has run down again, must be within 5 % of the closed form's
// (NTHMP's criterion). The rms error of the profile must be within 5 % of its range.
static void check_closed_form(const struct channel *c)
{
    struct solitary_runup *form;
    assert_int_equal(solitary_runup_new(height, cot_beta, &form), STATUS_OK);
    struct profile p = run_up(c, 65);
    double sum = 0, lowest = 0, top = 0;
    size_t count = 0;
    double *exact = array_new(p.nodes);
    solitary_runup_profile(form, 65, p.nodes, p.x, exact);
    for (size_t k = 0; k < p.nodes; k++) {
        if (isnan(exact[k]) || p.x[k] > 19 || p.eta[k] + p.depth[k] < 1e-2 * c->spacing)
            continue; // on the beach, and where both are wet
        sum += pow(p.eta[k] - exact[k], 2);
        lowest = fmin(lowest, exact[k]);
        top = fmax(top, exact[k]);
        count++;
    }
    const double runup = solitary_runup_largest(form, NULL), rms = sqrt(sum / (double)count) / (top - lowest);
    print_message("%s: run-up %.4f d (%+.1f %% of the closed form's, %+.1f %% of the law's); profile at t = "
                  "65: rms %.1f %% of its range; water drifts by %.1e\n",
                  name_of(c), p.runup, 100 * (p.runup / runup - 1),
                  100 * (p.runup / solitary_runup_law(height, cot_beta) - 1), 100 * rms, p.drift);
    assert_true(fabs(p.runup / runup - 1) <= 0.05);
    assert_true(fabs(p.runup / solitary_runup_law(height, cot_beta) - 1) <= 0.05);
    assert_true(rms <= 0.05 && count > 50);
    assert_true(p.drift <= (c->variant.precision == ELEMENT_F64 ? 1e-13 : 1e-6));
    solitary_runup_free(form);
}

#define FAST   .variant = {&tsunami_backend_openmp, ELEMENT_F64, TSUNAMI_MUSCL_HANCOCK}
#define SINGLE .variant = {&tsunami_backend_openmp, ELEMENT_F32, TSUNAMI_MUSCL_HANCOCK}
#define PLAIN  .variant = {&tsunami_backend_reference, ELEMENT_F64, TSUNAMI_MUSCL_HANCOCK}

TEST(the_run_up_agrees_with_the_closed_form)
{
    check_closed_form(&(struct channel){FAST, .spacing = 0.1});
    check_closed_form(&(struct channel){FAST, .spacing = 0.1, .is_along_y = true});
    check_closed_form(&(struct channel){FAST, .spacing = 0.07, .unevenness = 0.2});
    check_closed_form(&(struct channel){FAST, .spacing = 0.05});
    check_closed_form(&(struct channel){SINGLE, .spacing = 0.1});
    check_closed_form(&(struct channel){PLAIN, .spacing = 0.1, .is_along_y = true});
}

// The patch is 800 m long, so cos φ changes by 8e-5 along a meridian, and the wave may change by the same
// fraction. The shoreline is not compared, because a node may be wet in only one of the two runs.
static void check_sphere(bool is_along_y)
{
    const struct channel plane = {FAST, .spacing = 0.1, .is_along_y = is_along_y};
    const struct channel sphere = {FAST, .spacing = 0.1, .is_along_y = is_along_y, .is_spherical = true};
    struct profile a = run_up(&plane, 55), b = run_up(&sphere, 55);
    double largest = 0;
    for (size_t k = 0; k < a.nodes; k++)
        if (fmin(a.eta[k], b.eta[k]) + a.depth[k] > 0.01)
            largest = fmax(largest, fabs(a.eta[k] - b.eta[k]));
    print_message("%s: differs from the plane by %.1e of the wave's height, its run-up by %.1e of it; water "
                  "drifts by %.1e\n",
                  name_of(&sphere), largest / height, fabs(a.runup / b.runup - 1), b.drift);
    assert_true(largest > 0); // the two computations differ
    assert_true(largest <= 3e-4 * height);
    assert_true(fabs(a.runup / b.runup - 1) <= 3e-4);
    assert_true(b.drift <= 1e-13);
}

TEST(a_small_patch_of_the_sphere_equals_a_plane)
{
    check_sphere(false);
    check_sphere(true);
}
