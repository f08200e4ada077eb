// Okada's solution against his printed check values, against an integral of his point-source solutions over
// the fault (other formulas for the same field), by finite differences, and by the symmetries and limits it
// must have. Knows only models/tsunami/earthquake/okada.h.
#include "tests/support/test.h"

#include "models/tsunami/earthquake/okada.h"
#include "tests/support/numbers.h"

static const double pi = 3.14159265358979323846;
static const double degree = 3.14159265358979323846 / 180.0;

enum { COMPONENTS = 9 };
static const char *const component_names[COMPONENTS] = {"ux",   "uy",   "uz",   "ux_x", "ux_y",
                                                        "uy_x", "uy_y", "uz_x", "uz_y"};

static void to_array(struct okada_result u, double values[COMPONENTS])
{
    const double list[COMPONENTS] = {u.ux, u.uy, u.uz, u.ux_x, u.ux_y, u.uy_x, u.uy_y, u.uz_x, u.uz_y};
    for (int c = 0; c < COMPONENTS; c++)
        values[c] = list[c];
}

// A rectangle with both slips.
struct source {
    double depth, dip, length, width, u1, u2;
};

static struct okada_result surface(const struct source *s, double x, double y)
{
    return okada_surface(x, y, s->depth, s->dip, s->length, s->width, s->u1, s->u2, 0.25);
}

static void assert_same(const char *what, struct okada_result got, struct okada_result expected,
                        double tolerance)
{
    double a[COMPONENTS], b[COMPONENTS];
    char text[200];
    to_array(got, a);
    to_array(expected, b);
    for (int c = 0; c < COMPONENTS; c++) {
        (void)snprintf(text, sizeof text, "%s, %s", what, component_names[c]);
        assert_near(text, a[c], b[c], tolerance);
    }
}

static struct source random_source(uint64_t *state, double top_least)
{
    struct source s = {.length = next_uniform(state, 0.5, 3.0), .width = next_uniform(state, 0.5, 3.0)};
    s.dip = next_uniform(state, -89.0, 89.0) * degree;
    double choice = next_uniform(state, 0.0, 1.0);
    if (choice < 0.1)
        s.dip = pi / 2;
    else if (choice < 0.2)
        s.dip = -pi / 2;
    else if (choice < 0.3)
        s.dip = 0.0;
    s.depth = next_uniform(state, top_least, 3.0) + fmax(0.0, s.width * sin(s.dip));
    s.u1 = next_uniform(state, -2.0, 2.0);
    s.u2 = next_uniform(state, -2.0, 2.0);
    return s;
}

// ---- the printed values, Okada's Table 2

struct printed {
    const char *name;
    double x, y, dip_deg, u1, u2;
    double values[COMPONENTS];
};

static const struct printed table_2[] = {
    {"case 2, strike",
     2,
     3,
     70,
     1,
     0,
     {-8.689e-3, -4.298e-3, -2.747e-3, -1.220e-3, 2.470e-4, -8.191e-3, -5.814e-4, -5.175e-3, 2.945e-4}},
    {"case 2, dip",
     2,
     3,
     70,
     0,
     1,
     {-4.682e-3, -3.527e-2, -3.564e-2, -8.867e-3, -1.519e-4, 4.057e-3, -1.035e-2, 4.088e-3, 2.626e-3}},
    {"case 3, strike", 0, 0, 90, 1, 0, {0, 5.253e-3, 0, 0, -1.864e-2, -2.325e-3, 0, 0, 2.289e-2}},
    {"case 3, dip", 0, 0, 90, 0, 1, {0, 0, 0, 0, 2.748e-2, 0, 0, 0, -7.166e-2}},
    {"case 4, strike", 0, 0, -90, 1, 0, {0, -1.303e-3, 0, 0, 2.726e-3, 7.345e-4, 0, 0, -4.422e-3}},
    {"case 4, dip", 0, 0, -90, 0, 1, {0, 0, 0, 0, 5.157e-3, 0, 0, 0, -1.901e-2}}};

// Every printed digit: within half a unit of the fourth significant figure (and a hair for the decimal's own
// rounding).
TEST(test_printed_values)
{
    for (size_t k = 0; k < sizeof table_2 / sizeof table_2[0]; k++) {
        const struct printed *p = &table_2[k];
        double got[COMPONENTS];
        to_array(okada_surface(p->x, p->y, 4.0, p->dip_deg * degree, 3.0, 2.0, p->u1, p->u2, 0.25), got);
        for (int c = 0; c < COMPONENTS; c++) {
            double expected = p->values[c];
            double half_unit =
                expected == 0.0 ? 1e-15 : 0.5 * pow(10.0, floor(log10(fabs(expected))) - 3.0) * 1.000001;
            char text[100];
            (void)snprintf(text, sizeof text, "%s, %s", p->name, component_names[c]);
            assert_near(text, got[c], expected, half_unit);
        }
    }
}

// ---- integral of point sources

// Okada's point source [8], [9]: displacement at (x, y) for a unit area at the origin, depth d.
static void add_point_source(double x, double y, double d, double dip, double u1, double u2, double area,
                             double ratio, double u[3])
{
    double s = sin(dip), c = cos(dip), p = y * c + d * s, q = y * s - d * c;
    double r = sqrt(x * x + y * y + d * d), r3 = r * r * r, r5 = r3 * r * r, rd = r + d;
    double i1 = ratio * y * (1 / (r * rd * rd) - x * x * (3 * r + d) / (r3 * rd * rd * rd));
    double i2 = ratio * x * (1 / (r * rd * rd) - y * y * (3 * r + d) / (r3 * rd * rd * rd));
    double i3 = ratio * x / r3 - i2;
    double i4 = -ratio * x * y * (2 * r + d) / (r3 * rd * rd);
    double i5 = ratio * (1 / (r * rd) - x * x * (2 * r + d) / (r3 * rd * rd));
    double w1 = -u1 * area / (2 * pi), w2 = -u2 * area / (2 * pi);
    u[0] += w1 * (3 * x * x * q / r5 + i1 * s) + w2 * (3 * x * p * q / r5 - i3 * s * c);
    u[1] += w1 * (3 * x * y * q / r5 + i2 * s) + w2 * (3 * y * p * q / r5 - i1 * s * c);
    u[2] += w1 * (3 * x * d * q / r5 + i4 * s) + w2 * (3 * d * p * q / r5 - i5 * s * c);
}

// Gauss-Legendre with 4 points in each of PANELS × PANELS panels of the fault.
static void integrate_point_sources(const struct source *f, double x, double y, double ratio, double u[3])
{
    enum { PANELS = 24, POINTS = 4 };
    static const double node[POINTS] = {-0.861136311594052575, -0.339981043584856265, 0.339981043584856265,
                                        0.861136311594052575};
    static const double weight[POINTS] = {0.347854845137453857, 0.652145154862546143, 0.652145154862546143,
                                          0.347854845137453857};
    u[0] = u[1] = u[2] = 0.0;
    double hl = f->length / PANELS, hw = f->width / PANELS;
    for (int i = 0; i < PANELS * POINTS; i++) {
        double along = hl * (i / POINTS + 0.5 + 0.5 * node[i % POINTS]);
        for (int j = 0; j < PANELS * POINTS; j++) {
            double up = hw * (j / POINTS + 0.5 + 0.5 * node[j % POINTS]);
            double area = 0.25 * hl * hw * weight[i % POINTS] * weight[j % POINTS];
            add_point_source(x - along, y - up * cos(f->dip), f->depth - up * sin(f->dip), f->dip, f->u1,
                             f->u2, area, ratio, u);
        }
    }
}

TEST(test_integral_of_point_sources)
{
    uint64_t seed = 20110311;
    for (int k = 0; k < 60; k++) {
        struct source f = random_source(&seed, 0.6);
        double x = next_uniform(&seed, -4.0, 6.0), y = next_uniform(&seed, -5.0, 5.0);
        double poisson = next_uniform(&seed, 0.0, 0.45), expected[3];
        integrate_point_sources(&f, x, y, 1.0 - 2.0 * poisson, expected);
        struct okada_result got = okada_surface(x, y, f.depth, f.dip, f.length, f.width, f.u1, f.u2, poisson);
        assert_near("ux", got.ux, expected[0], 1e-9);
        assert_near("uy", got.uy, expected[1], 1e-9);
        assert_near("uz", got.uz, expected[2], 1e-9);
    }
}

// Far away a fault is a point source at its centre; the error falls with the square of size over distance.
TEST(test_far_field)
{
    struct source f = {.dip = 25 * degree, .length = 1.0, .width = 0.6, .u1 = 0.7, .u2 = 1.3};
    f.depth = 1.0 + f.width * sin(f.dip);
    double error[2];
    for (int k = 0; k < 2; k++) {
        double distance = k == 0 ? 50.0 : 100.0, expected[3] = {0};
        double x = distance * cos(0.8), y = distance * sin(0.8);
        add_point_source(x - 0.5 * f.length, y - 0.5 * f.width * cos(f.dip),
                         f.depth - 0.5 * f.width * sin(f.dip), f.dip, f.u1, f.u2, f.length * f.width, 0.5,
                         expected);
        struct okada_result got = surface(&f, x, y);
        double size = sqrt(expected[0] * expected[0] + expected[1] * expected[1] + expected[2] * expected[2]);
        error[k] =
            (fabs(got.ux - expected[0]) + fabs(got.uy - expected[1]) + fabs(got.uz - expected[2])) / size;
    }
    assert_true(error[0] > 0.0 && error[0] < 1e-3);
    assert_near("ratio of errors at half the distance", error[0] / error[1], 4.0, 0.4);
}

// ---- derivatives

// Fourth-order central difference along x (axis 0) or y (axis 1).
static void difference(const struct source *f, double x, double y, int axis, double d[3])
{
    static const double steps[4] = {-2, -1, 1, 2}, weights[4] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12};
    const double h = 2e-3;
    d[0] = d[1] = d[2] = 0.0;
    for (int k = 0; k < 4; k++) {
        struct okada_result u =
            surface(f, axis == 0 ? x + steps[k] * h : x, axis == 1 ? y + steps[k] * h : y);
        d[0] += weights[k] * u.ux / h;
        d[1] += weights[k] * u.uy / h;
        d[2] += weights[k] * u.uz / h;
    }
}

TEST(test_derivatives_by_differences)
{
    uint64_t seed = 1985;
    for (int k = 0; k < 4000; k++) {
        struct source f = random_source(&seed, 0.3);
        double x = next_uniform(&seed, -3.0, 5.0), y = next_uniform(&seed, -4.0, 4.0), dx[3], dy[3];
        difference(&f, x, y, 0, dx);
        difference(&f, x, y, 1, dy);
        struct okada_result u = surface(&f, x, y), expected = u;
        expected.ux_x = dx[0];
        expected.uy_x = dx[1];
        expected.uz_x = dx[2];
        expected.ux_y = dy[0];
        expected.uy_y = dy[1];
        expected.uz_y = dy[2];
        assert_same("analytic against differences", u, expected, 2e-7);
    }
}

// ---- sums and symmetries

static struct okada_result add(struct okada_result a, struct okada_result b)
{
    return (struct okada_result){a.ux + b.ux,     a.uy + b.uy,     a.uz + b.uz,
                                 a.ux_x + b.ux_x, a.ux_y + b.ux_y, a.uy_x + b.uy_x,
                                 a.uy_y + b.uy_y, a.uz_x + b.uz_x, a.uz_y + b.uz_y};
}

TEST(test_parts_make_the_whole)
{
    uint64_t seed = 7;
    for (int k = 0; k < 1000; k++) {
        struct source f = random_source(&seed, 0.2);
        double x = next_uniform(&seed, -3.0, 5.0), y = next_uniform(&seed, -4.0, 4.0),
               part = next_uniform(&seed, 0.1, 0.9);
        struct okada_result whole = surface(&f, x, y);

        struct source near = f, far = f;
        near.length = part * f.length;
        far.length = f.length - near.length;
        assert_same("along strike", add(surface(&near, x, y), surface(&far, x - near.length, y)), whole,
                    1e-11);

        struct source low = f, high = f;
        low.width = part * f.width;
        high.width = f.width - low.width;
        high.depth = f.depth - low.width * sin(f.dip);
        assert_same("up dip", add(surface(&low, x, y), surface(&high, x, y - low.width * cos(f.dip))), whole,
                    1e-11);

        struct source strike = f, dip = f;
        strike.u2 = 0.0;
        dip.u1 = 0.0;
        assert_same("both slips", add(surface(&strike, x, y), surface(&dip, x, y)), whole, 1e-13);

        struct source back = f;
        back.u1 = -f.u1;
        back.u2 = -f.u2;
        assert_same("slip and slip back", add(surface(&back, x, y), whole), (struct okada_result){0}, 1e-13);
    }
}

// Mirrored at x = L/2: strike slip changes sense, dip slip keeps it; ux turns round.
TEST(test_mirror_across_the_fault)
{
    uint64_t seed = 8;
    for (int k = 0; k < 500; k++) {
        struct source f = random_source(&seed, 0.2), mirrored = f;
        mirrored.u1 = -f.u1;
        double x = next_uniform(&seed, -3.0, 5.0), y = next_uniform(&seed, -4.0, 4.0);
        struct okada_result a = surface(&f, x, y), b = surface(&mirrored, f.length - x, y);
        b.ux = -b.ux;
        b.ux_y = -b.ux_y;
        b.uy_x = -b.uy_x;
        b.uz_x = -b.uz_x;
        assert_same("mirror", a, b, 1e-11);
    }
}

// The same dislocation told from its other side: a vertical fault seen from the other end (left-lateral stays
// so, the side that rises changes), and Okada's negative dip, whose "lower" edge is the upper one of the
// positive dip.
TEST(test_two_descriptions_of_one_fault)
{
    uint64_t seed = 9;
    for (int k = 0; k < 500; k++) {
        struct source f = random_source(&seed, 0.2);
        double x = next_uniform(&seed, -3.0, 5.0), y = next_uniform(&seed, -4.0, 4.0);
        struct source vertical = f;
        vertical.dip = pi / 2;
        vertical.depth = f.depth + f.width;
        struct source other = vertical;
        other.u2 = -f.u2;
        struct okada_result a = surface(&vertical, x, y), b = surface(&other, f.length - x, -y);
        assert_near("vertical, ux", a.ux, -b.ux, 1e-12);
        assert_near("vertical, uy", a.uy, -b.uy, 1e-12);
        assert_near("vertical, uz", a.uz, b.uz, 1e-12);

        // Turned by 180°, the plane's edges change places, and +x and +y, along which its upper side slips,
        // turn round.
        struct source negative = f;
        negative.u1 = -f.u1;
        negative.u2 = -f.u2;
        negative.dip = -f.dip;
        negative.depth = f.depth - f.width * sin(f.dip);
        a = surface(&f, x, y);
        b = surface(&negative, f.length - x, f.width * cos(f.dip) - y);
        assert_near("negative dip, ux", a.ux, -b.ux, 1e-11);
        assert_near("negative dip, uy", a.uy, -b.uy, 1e-11);
        assert_near("negative dip, uz", a.uz, b.uz, 1e-11);
    }
}

// ---- singular places

// Lines where a formula divides by zero, but the field is smooth: the value there must be the mean of its
// neighbours.
static void assert_smooth_at(const struct source *f, double x, double y, double dx, double dy)
{
    const double h = 1e-4;
    struct okada_result before = surface(f, x - h * dx, y - h * dy),
                        after = surface(f, x + h * dx, y + h * dy);
    double a[COMPONENTS], b[COMPONENTS], mean[COMPONENTS];
    to_array(before, a);
    to_array(after, b);
    for (int c = 0; c < COMPONENTS; c++)
        mean[c] = 0.5 * (a[c] + b[c]);
    to_array(surface(f, x, y), a);
    for (int c = 0; c < COMPONENTS; c++)
        assert_near(component_names[c], a[c], mean[c], 2e-6);
}

TEST(test_singular_lines_are_smooth)
{
    static const double dips_deg[] = {0, 12, 45, 80, 90, -30, -90};
    for (size_t k = 0; k < sizeof dips_deg / sizeof dips_deg[0]; k++) {
        struct source f = {.dip = dips_deg[k] * degree, .length = 3, .width = 2, .u1 = 1.1, .u2 = -0.8};
        f.depth = 1.0 + fmax(0.0, f.width * sin(f.dip));
        for (int end = 0; end < 2; end++) { // ξ = 0
            double x = end * f.length;
            for (double y = -4.0; y <= 4.0; y += 0.37)
                assert_smooth_at(&f, x, y, 1.0, 0.0);
        }
        if (fabs(sin(f.dip)) >
            0.1) { // q = 0: where the fault's plane cuts the surface; at its ends R + η = 0
            double y = f.depth * cos(f.dip) / sin(f.dip);
            for (double x = -2.0; x <= 5.0; x += 0.25) {
                assert_smooth_at(&f, x, y, 0.0, 1.0);
                assert_smooth_at(&f, x, y, 1.0, 0.0);
            }
        }
    }
}

// Near such a point, at any distance down to rounding, nothing blows up.
TEST(test_no_cliff_near_singular_points)
{
    struct source f = {.dip = 30 * degree, .length = 3, .width = 2, .u1 = 1, .u2 = 1};
    f.depth = 2.5;
    double y = f.depth / tan(f.dip);
    struct okada_result at = surface(&f, 0.0, y);
    for (double h = 1e-3; h > 1e-17; h *= 0.1) {
        assert_same("x + h", surface(&f, h, y), at, 3.0 * h + 1e-7);
        assert_same("y − h", surface(&f, 0.0, y - h), at, 3.0 * h + 1e-7);
        assert_same("both", surface(&f, -h, y + h), at, 4.0 * h + 1e-7);
    }
}

TEST(test_dip_near_vertical)
{
    uint64_t seed = 90;
    for (int k = 0; k < 300; k++) {
        struct source f = random_source(&seed, 0.3);
        f.dip = pi / 2;
        f.depth = f.width + next_uniform(&seed, 0.3, 2.0);
        double x = next_uniform(&seed, -3.0, 5.0), y = next_uniform(&seed, -4.0, 4.0);
        struct okada_result vertical = surface(&f, x, y);
        for (double away = 1e-2; away > 1e-9; away *= 0.25) {
            struct source g = f;
            g.dip = pi / 2 - away;
            // The field moves with the fault, at most by its steepness (≲ 20 here) times the change of dip;
            // the rest is what cancellation may add.
            assert_same("near vertical", surface(&g, x, y), vertical, 60.0 * away + 2e-5);
        }
        // The mean of both sides of the vertical differs from it by second order only: this is sharp enough
        // to see cancellation in the general formulas.
        struct source g = f, h = f;
        g.dip = pi / 2 - 2e-5;
        h.dip = pi / 2 + 2e-5;
        struct okada_result mean = add(surface(&g, x, y), surface(&h, x, y));
        assert_near("ux", 0.5 * mean.ux, vertical.ux, 2e-6);
        assert_near("uy", 0.5 * mean.uy, vertical.uy, 2e-6);
        assert_near("uz", 0.5 * mean.uz, vertical.uz, 2e-6);
    }
}

// A fault that cuts the surface: displacement jumps by the slip across the trace, and is the sides' mean on
// it.
TEST(test_trace_of_a_surface_fault)
{
    static const double dips_deg[] = {10, 30, 60, 90};
    for (size_t k = 0; k < sizeof dips_deg / sizeof dips_deg[0]; k++) {
        struct source f = {.dip = dips_deg[k] * degree, .length = 3, .width = 2, .u1 = 0.6, .u2 = 0.9};
        f.depth = f.width * sin(f.dip);
        double trace = f.width * cos(f.dip), h = 1e-7;
        for (double x = 0.25; x < 3.0; x += 0.25) {
            struct okada_result hanging = surface(&f, x, trace - h), foot = surface(&f, x, trace + h);
            assert_near("jump of ux", hanging.ux - foot.ux, f.u1, 1e-5);
            assert_near("jump of uy", hanging.uy - foot.uy, f.u2 * cos(f.dip), 1e-5);
            assert_near("jump of uz", hanging.uz - foot.uz, f.u2 * sin(f.dip), 1e-5);
            struct okada_result on = surface(&f, x, trace);
            assert_near("ux on the trace", on.ux, 0.5 * (hanging.ux + foot.ux), 1e-5);
            assert_near("uy on the trace", on.uy, 0.5 * (hanging.uy + foot.uy), 1e-5);
            assert_near("uz on the trace", on.uz, 0.5 * (hanging.uz + foot.uz), 1e-5);
        }
    }
}

static void assert_finite(struct okada_result u)
{
    double values[COMPONENTS];
    to_array(u, values);
    for (int c = 0; c < COMPONENTS; c++)
        assert_true(isfinite(values[c]));
}

TEST(test_always_finite)
{
    static const double dips_deg[] = {0, 1e-9, 30, 90, 89.9999999};
    for (size_t k = 0; k < sizeof dips_deg / sizeof dips_deg[0]; k++) {
        struct source f = {.dip = dips_deg[k] * degree, .length = 3, .width = 2, .u1 = 1, .u2 = 1};
        f.depth = f.width * sin(f.dip) + (dips_deg[k] < 1 ? 1.0 : 0.0);
        const double xs[] = {0, 3, 1, -1, 4, 1e-300, -1e-300, 3 + 1e-15, 1e12};
        const double ys[] = {0, f.width * cos(f.dip), 1, -1, 1e-300, 1e12, f.width * cos(f.dip) + 1e-15};
        for (size_t i = 0; i < sizeof xs / sizeof xs[0]; i++)
            for (size_t j = 0; j < sizeof ys / sizeof ys[0]; j++)
                assert_finite(surface(&f, xs[i], ys[j]));
    }
}

// The value at a corner in the surface does not depend on the unit of length (a logarithm must not leak one).
TEST(test_surface_corner_is_free_of_units)
{
    struct source metres = {.dip = 30 * degree, .depth = 1e3, .length = 3e3, .width = 2e3, .u1 = 1, .u2 = 1};
    struct source km = {.dip = 30 * degree, .depth = 1, .length = 3, .width = 2, .u1 = 1, .u2 = 1};
    struct okada_result a = surface(&metres, 0, 2e3 * cos(metres.dip)), b = surface(&km, 0, 2 * cos(km.dip));
    assert_near("ux", a.ux, b.ux, 1e-6);
    assert_near("uy", a.uy, b.uy, 1e-6);
    assert_near("uz", a.uz, b.uz, 1e-6);
}
