// Okada's (1985) surface displacement by a rectangular fault and its horizontal derivatives, and faults on
// the sphere and the plane.
//
// Numbers in brackets are equations of the paper. Its (ξ, η, q) are xi, eta, q; its ỹ and d̃ are y and d.
#include "models/tsunami/earthquake/okada.h"

#include <math.h>
#include <stdbool.h>

static const double pi = 3.14159265358979323846;
static const double degree_rad = 3.14159265358979323846 / 180.0;
// λ = μ, the usual value for the crust, in all published tsunami sources.
static const double crust_poisson_ratio = 0.25;

// Below these relative sizes a quantity counts as zero. SINGULAR: rounding in q and ξ, differences of numbers
// as large as R, makes terms with (R + η)⁻² as wrong as leaving them out. VERTICAL: see okada.h.
static const double relative_singular = 1e-8;
static const double relative_rounding = 2e-15;
static const double cosine_vertical = 1e-5;

// One corner of the rectangle in Chinnery's notation f(ξ, η), with the quotients that can be singular.
struct corner {
    double xi, eta, q, y, d;
    double r, x;                       // R and X = √(ξ²+q²)
    double inv_r;                      // 1/R
    double inv_r_eta;                  // 1/(R+η), 0 by rule where R+η = 0
    double inv_r_xi;                   // 1/(R+ξ), 0 by rule where R+ξ = 0
    double inv_r_d;                    // 1/(R+d̃)
    double log_r_eta;                  // ln(R+η), −ln(R−η) by rule
    double angle;                      // arctan(ξη/(qR)), 0 by rule where q = 0
    double yq_over_r_xi, dq_over_r_xi; // ỹq/(R(R+ξ)), d̃q/(R(R+ξ))
};

// The quotients over R+ξ. For ξ < 0, R+ξ = (η²+q²)/(R−ξ) is free of cancellation. Where η = q = 0 the
// corner's edge lies in the surface and the point on its line (the trace): the limit along the surface, d̃ =
// 0, η = ỹ cos δ, q = ỹ sin δ, is the mean of the two sides' values.
static void corner_set_xi_quotients(struct corner *c, const struct okada_medium *m)
{
    double rho2 = c->eta * c->eta + c->q * c->q;
    bool on_edge_line = rho2 <= relative_singular * relative_singular * c->r * c->r;
    if (on_edge_line) {
        c->inv_r_xi = c->xi > 0.0 ? 1.0 / (c->r + c->xi) : 0.0;
        c->yq_over_r_xi = c->xi > 0.0 ? 0.0 : 2.0 * m->sine;
        c->dq_over_r_xi = 0.0;
        c->angle = c->xi > 0.0 ? atan2(m->cosine, fabs(m->sine)) : -atan2(m->cosine, fabs(m->sine));
        if (m->sine < 0.0)
            c->angle = -c->angle;
        return;
    }
    c->inv_r_xi = c->xi > 0.0 ? 1.0 / (c->r + c->xi) : (c->r - c->xi) / rho2;
    c->yq_over_r_xi = c->y * c->q * c->inv_r * c->inv_r_xi;
    c->dq_over_r_xi = c->d * c->q * c->inv_r * c->inv_r_xi;
    c->angle = c->q == 0.0 ? 0.0 : atan(c->xi * c->eta / (c->q * c->r));
}

// y_m, d_m are ỹ and d̃ of the corner: η cos δ + q sin δ and η sin δ − q cos δ [30], but from the geometry,
// without rounding (d̃ is the depth of the corner's edge).
static struct corner corner_make(double xi, double eta, double q, double y_m, double d_m, double smallest_m,
                                 const struct okada_medium *m)
{
    struct corner c = {.xi = xi, .eta = eta, .q = q, .y = y_m, .d = fmax(d_m, 0.0)};
    c.r = sqrt(xi * xi + eta * eta + q * q);
    if (c.r < smallest_m) { // a corner in the surface: step off the logarithmic singularity
        c.xi = smallest_m;
        c.eta = c.q = c.y = c.d = 0.0;
        c.r = smallest_m;
    }
    c.inv_r = 1.0 / c.r;
    c.x = hypot(c.xi, c.q);
    c.inv_r_d = 1.0 / (c.r + c.d);
    if (c.eta >= 0.0) {
        c.inv_r_eta = 1.0 / (c.r + c.eta);
        c.log_r_eta = log(c.r + c.eta);
    } else if (c.x <= relative_singular * c.r) {
        c.inv_r_eta = 0.0;
        c.log_r_eta = -log(c.r - c.eta);
    } else { // R+η = X²/(R−η), free of cancellation
        c.inv_r_eta = (c.r - c.eta) / (c.x * c.x);
        c.log_r_eta = 2.0 * log(c.x) - log(c.r - c.eta);
    }
    corner_set_xi_quotients(&c, m);
    return c;
}

// I1 … I5, [28] and, for a vertical fault, [29].
struct i_terms {
    double i1, i2, i3, i4, i5;
};

static struct i_terms i_terms_of(const struct corner *c, const struct okada_medium *m)
{
    struct i_terms i;
    double s = m->sine, co = m->cosine, a = m->ratio;
    if (m->is_vertical) {
        double inv2 = c->inv_r_d * c->inv_r_d;
        i.i1 = -0.5 * a * c->xi * c->q * inv2;
        i.i3 = 0.5 * a * (c->eta * c->inv_r_d + c->y * c->q * inv2 - c->log_r_eta);
        i.i4 = -a * c->q * c->inv_r_d;
        i.i5 = -a * c->xi * s * c->inv_r_d;
    } else {
        i.i4 = a / co * (log(c->r + c->d) - s * c->log_r_eta);
        i.i5 = 0.0;
        if (c->xi != 0.0) {
            double numerator = c->eta * (c->x + c->q * co) + c->x * (c->r + c->x) * s;
            i.i5 = 2.0 * a / co * atan(numerator / (c->xi * (c->r + c->x) * co));
        }
        i.i3 = a * (c->y / co * c->inv_r_d - c->log_r_eta) + s / co * i.i4;
        i.i1 = -a / co * c->xi * c->inv_r_d - s / co * i.i5;
    }
    i.i2 = -a * c->log_r_eta - i.i3;
    return i;
}

// Adds weight × f(ξ, η) of [25] (strike slip u1) and [26] (dip slip u2) to the displacement.
static void add_displacement(struct okada_result *sum, double weight, const struct corner *c,
                             const struct okada_medium *m, double u1, double u2)
{
    struct i_terms i = i_terms_of(c, m);
    double s = m->sine, co = m->cosine;
    double q_r_eta = c->q * c->inv_r * c->inv_r_eta;
    double w1 = -u1 * weight / (2.0 * pi), w2 = -u2 * weight / (2.0 * pi);

    sum->ux += w1 * (c->xi * q_r_eta + c->angle + i.i1 * s);
    sum->uy += w1 * (c->y * q_r_eta + c->q * co * c->inv_r_eta + i.i2 * s);
    sum->uz += w1 * (c->d * q_r_eta + c->q * s * c->inv_r_eta + i.i4 * s);

    sum->ux += w2 * (c->q * c->inv_r - i.i3 * s * co);
    sum->uy += w2 * (c->yq_over_r_xi + co * c->angle - i.i1 * s * co);
    sum->uz += w2 * (c->dq_over_r_xi + s * c->angle - i.i5 * s * co);
}

// J1 … J4 (p. 1146) and K1 … K3 [40]; for a vertical fault, their limits there and [41].
struct jk_terms {
    double j1, j2, j3, j4, k1, k2, k3;
};

static struct jk_terms jk_terms_of(const struct corner *c, const struct okada_medium *m)
{
    struct jk_terms t;
    double s = m->sine, co = m->cosine, a = m->ratio;
    double inv_r_r_d = c->inv_r * c->inv_r_d, inv_r_r_eta = c->inv_r * c->inv_r_eta;
    if (m->is_vertical) {
        double inv2 = c->inv_r_d * c->inv_r_d;
        t.k1 = a * c->xi * c->q * c->inv_r * inv2;
        t.k3 = a * s * c->inv_r_d * (c->xi * c->xi * inv_r_r_d - 1.0);
        t.j1 = 0.5 * a * c->q * inv2 * (2.0 * c->xi * c->xi * inv_r_r_d - 1.0);
        t.j2 = 0.5 * a * c->xi * s * inv2 * (2.0 * c->q * c->q * inv_r_r_d - 1.0);
    } else {
        t.k1 = a * c->xi / co * (inv_r_r_d - s * inv_r_r_eta);
        t.k3 = a / co * (c->q * inv_r_r_eta - c->y * inv_r_r_d);
        t.j1 = a / co * (c->xi * c->xi * inv_r_r_d * c->inv_r_d - c->inv_r_d) - s / co * t.k3;
        t.j2 = a / co * c->xi * c->y * inv_r_r_d * c->inv_r_d - s / co * t.k1;
    }
    t.k2 = a * (-s * c->inv_r + c->q * co * inv_r_r_eta) - t.k3;
    t.j3 = -a * c->xi * inv_r_r_eta - t.j2;
    t.j4 = a * (-co * c->inv_r - c->q * s * inv_r_r_eta) - t.j1;
    return t;
}

// Adds weight × f(ξ, η) of the horizontal derivatives: [31], [37] (strike slip u1), [32], [38] (dip slip u2).
static void add_derivatives(struct okada_result *sum, double weight, const struct corner *c,
                            const struct okada_medium *m, double u1, double u2)
{
    struct jk_terms t = jk_terms_of(c, m);
    double s = m->sine, co = m->cosine, xi = c->xi, q = c->q, y = c->y, d = c->d;
    double inv_r = c->inv_r, inv_r3 = inv_r * inv_r * inv_r;
    double a_eta = (2.0 * c->r + c->eta) * inv_r3 * c->inv_r_eta * c->inv_r_eta;
    double a_xi = (2.0 * c->r + xi) * inv_r3 * c->inv_r_xi * c->inv_r_xi;
    double inv_r_r_eta = inv_r * c->inv_r_eta, inv_r_r_xi = inv_r * c->inv_r_xi;
    double rho2 = c->eta * c->eta + q * q;
    double edge =
        rho2 > relative_singular * relative_singular * c->r * c->r ? xi * xi * xi * d * inv_r3 / rho2 : 0.0;
    double w1 = u1 * weight / (2.0 * pi), w2 = u2 * weight / (2.0 * pi);

    sum->ux_x += w1 * (xi * xi * q * a_eta - t.j1 * s);
    sum->ux_y += w1 * (edge - (xi * xi * xi * a_eta + t.j2) * s);
    sum->uy_x += w1 * (xi * q * inv_r3 * co + (xi * q * q * a_eta - t.j2) * s);
    sum->uy_y += w1 * (y * q * inv_r3 * co + (q * q * q * a_eta * s - 2.0 * q * s * inv_r_r_eta -
                                              (xi * xi + c->eta * c->eta) * inv_r3 * co - t.j4) *
                                                 s);
    sum->uz_x += w1 * (-xi * q * q * a_eta * co + (xi * q * inv_r3 - t.k1) * s);
    sum->uz_y +=
        w1 * (d * q * inv_r3 * co + (xi * xi * q * a_eta * co - s * inv_r + y * q * inv_r3 - t.k2) * s);

    sum->ux_x += w2 * (xi * q * inv_r3 + t.j3 * s * co);
    sum->ux_y += w2 * (y * q * inv_r3 - s * inv_r + t.j1 * s * co);
    sum->uy_x += w2 * (y * q * inv_r3 + q * co * inv_r_r_eta + t.j1 * s * co);
    sum->uy_y += w2 * (y * y * q * a_xi - (2.0 * y * inv_r_r_xi + xi * co * inv_r_r_eta) * s + t.j2 * s * co);
    sum->uz_x += w2 * (d * q * inv_r3 + q * s * inv_r_r_eta + t.k3 * s * co);
    sum->uz_y += w2 * (y * d * q * a_xi - (2.0 * d * inv_r_r_xi + xi * s * inv_r_r_eta) * s + t.k1 * s * co);
}

static struct okada_medium medium_make(double sine, double cosine, double poisson_ratio)
{
    struct okada_medium m = {.sine = sine, .cosine = cosine, .ratio = 1.0 - 2.0 * poisson_ratio};
    if (fabs(cosine) < cosine_vertical) {
        m.is_vertical = true;
        m.sine = copysign(1.0, sine);
        m.cosine = 0.0;
    }
    return m;
}

// Chinnery's f(ξ, η)‖ [24] = f(x, p) − f(x, p−W) − f(x−L, p) + f(x−L, p−W).
static struct okada_result rectangle_sum(const struct okada_rectangle *f, const struct okada_medium *m,
                                         double x_m, double y_m, bool with_derivatives)
{
    struct okada_result sum = {0};
    double p = y_m * m->cosine + f->depth_m * m->sine;
    double q = y_m * m->sine - f->depth_m * m->cosine;
    if (fabs(q) <= relative_rounding * (fabs(y_m) + f->depth_m + f->width_m))
        q = 0.0; // else rounding decides on which side of the fault's trace the point lies
    double smallest_m = 1e-9 * (f->length_m + f->width_m);
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            double xi = i == 0 ? x_m : x_m - f->length_m;
            double eta = j == 0 ? p : p - f->width_m;
            double y = j == 0 ? y_m : y_m - f->width_m * m->cosine;
            double d = j == 0 ? f->depth_m : f->depth_m - f->width_m * m->sine;
            double weight = i == j ? 1.0 : -1.0;
            struct corner c = corner_make(xi, eta, q, y, d, smallest_m, m);
            add_displacement(&sum, weight, &c, m, f->strike_slip_m, f->dip_slip_m);
            if (with_derivatives)
                add_derivatives(&sum, weight, &c, m, f->strike_slip_m, f->dip_slip_m);
        }
    }
    return sum;
}

struct okada_result okada_surface(double x_m, double y_m, double depth_m, double dip_rad, double length_m,
                                  double width_m, double strike_slip_m, double dip_slip_m,
                                  double poisson_ratio)
{
    struct okada_medium m = medium_make(sin(dip_rad), cos(dip_rad), poisson_ratio);
    struct okada_rectangle f = {.depth_m = depth_m,
                                .length_m = length_m,
                                .width_m = width_m,
                                .strike_slip_m = strike_slip_m,
                                .dip_slip_m = dip_slip_m};
    return rectangle_sum(&f, &m, x_m, y_m, true);
}

// From the reference point to the middle of the lower edge: how far along strike (along_m), to the left
// (across_m) and down (deeper_m).
struct placing {
    double along_m, across_m, deeper_m;
};

static struct placing placing_of(const struct fault *fault, double sine, double cosine)
{
    double down_m = fault->width_m * sine, out_m = fault->width_m * cosine;
    switch (fault->reference) {
    case FAULT_CENTRE:
        return (struct placing){0.0, -0.5 * out_m, 0.5 * down_m};
    case FAULT_TOP_CENTRE:
        return (struct placing){0.0, -out_m, down_m};
    case FAULT_BOTTOM_CENTRE:
        return (struct placing){0.0, 0.0, 0.0};
    case FAULT_SIFT:
        return (struct placing){0.0, 0.0, down_m};
    case FAULT_TOP_CORNER:
        return (struct placing){0.5 * fault->length_m, -out_m, down_m};
    }
    return (struct placing){0.0, 0.0, 0.0};
}

double fault_top_depth_m(const struct fault *fault)
{
    double sine = sin(fault->dip_deg * degree_rad), cosine = cos(fault->dip_deg * degree_rad);
    return fault->depth_m + placing_of(fault, sine, cosine).deeper_m - fault->width_m * sine;
}

struct fault_frame fault_frame_of(const struct fault *fault)
{
    double strike_rad = fault->strike_deg * degree_rad, rake_rad = fault->rake_deg * degree_rad;
    double dip_rad = fault->dip_deg * degree_rad;
    struct fault_frame o = {.longitude_deg = fault->longitude_deg,
                            .latitude_deg = fault->latitude_deg,
                            .medium = medium_make(sin(dip_rad), cos(dip_rad), crust_poisson_ratio),
                            .strike_sine = sin(strike_rad),
                            .strike_cosine = cos(strike_rad)};
    struct placing placing = placing_of(fault, o.medium.sine, o.medium.cosine);
    o.rectangle = (struct okada_rectangle){.depth_m = fault->depth_m + placing.deeper_m,
                                           .length_m = fault->length_m,
                                           .width_m = fault->width_m,
                                           .strike_slip_m = fault->slip_m * cos(rake_rad),
                                           .dip_slip_m = fault->slip_m * sin(rake_rad)};
    o.edge_east_m = placing.along_m * o.strike_sine - placing.across_m * o.strike_cosine;
    o.edge_north_m = placing.along_m * o.strike_cosine + placing.across_m * o.strike_sine;
    return o;
}

// east_m, north_m: of the point, from the middle of the lower edge.
static struct fault_displacement displacement_at(const struct fault_frame *o, double east_m, double north_m)
{
    double ss = o->strike_sine, cs = o->strike_cosine;
    double x = east_m * ss + north_m * cs + 0.5 * o->rectangle.length_m;
    double y = -east_m * cs + north_m * ss;
    struct okada_result u = rectangle_sum(&o->rectangle, &o->medium, x, y, false);
    return (struct fault_displacement){
        .east_m = u.ux * ss - u.uy * cs, .north_m = u.ux * cs + u.uy * ss, .up_m = u.uz};
}

struct fault_parallel fault_frame_parallel(const struct fault_frame *o, double latitude_deg,
                                           double earth_radius_m)
{
    double metres_per_degree = earth_radius_m * degree_rad;
    double edge_latitude_deg = o->latitude_deg + o->edge_north_m / metres_per_degree;
    return (struct fault_parallel){
        .edge_longitude_deg =
            o->longitude_deg + o->edge_east_m / (metres_per_degree * cos(o->latitude_deg * degree_rad)),
        .east_m_per_degree = metres_per_degree * cos(latitude_deg * degree_rad),
        .north_m = metres_per_degree * (latitude_deg - edge_latitude_deg)};
}

double fault_parallel_east_m(const struct fault_parallel *parallel, double longitude_deg)
{
    double east_deg = longitude_deg - parallel->edge_longitude_deg;
    if (!(fabs(east_deg) <= 180.0)) // one turn off, the usual case: exact, too, and far faster
        east_deg = fabs(east_deg) < 540.0 ? east_deg - copysign(360.0, east_deg) : remainder(east_deg, 360.0);
    return parallel->east_m_per_degree * east_deg;
}

double fault_frame_uplift(const struct fault_frame *o, double east_m, double north_m)
{
    return displacement_at(o, east_m, north_m).up_m;
}

struct fault_displacement fault_frame_at(const struct fault_frame *o, const struct fault_parallel *parallel,
                                         double longitude_deg)
{
    return displacement_at(o, fault_parallel_east_m(parallel, longitude_deg), parallel->north_m);
}

struct fault_displacement fault_frame_sphere(const struct fault_frame *o, double longitude_deg,
                                             double latitude_deg, double earth_radius_m)
{
    const struct fault_parallel parallel = fault_frame_parallel(o, latitude_deg, earth_radius_m);
    return fault_frame_at(o, &parallel, longitude_deg);
}

struct fault_displacement fault_frame_plane(const struct fault_frame *frame, double x_m, double y_m)
{
    return displacement_at(frame, x_m - frame->longitude_deg - frame->edge_east_m,
                           y_m - frame->latitude_deg - frame->edge_north_m);
}

struct fault_displacement fault_displacement_sphere(const struct fault *fault, double longitude_deg,
                                                    double latitude_deg, double earth_radius_m)
{
    const struct fault_frame frame = fault_frame_of(fault);
    return fault_frame_sphere(&frame, longitude_deg, latitude_deg, earth_radius_m);
}

struct fault_displacement fault_displacement_plane(const struct fault *fault, double x_m, double y_m)
{
    const struct fault_frame frame = fault_frame_of(fault);
    return fault_frame_plane(&frame, x_m, y_m);
}

void fault_place(const struct fault *fault, double along_m, double left_m, double *east_m, double *north_m)
{
    const struct fault_frame o = fault_frame_of(fault);
    *east_m = o.edge_east_m + along_m * o.strike_sine - left_m * o.strike_cosine;
    *north_m = o.edge_north_m + along_m * o.strike_cosine + left_m * o.strike_sine;
}

double fault_reach_m(const struct fault *fault, double tolerance_m)
{
    // A point source of moment per rigidity U·L·W moves the surface at distance r by less than 3 U L W/(2π
    // r²), from the point-source solutions [8], [9]; the rectangle is a sum of such, each nearer than its
    // diagonal to the reference point.
    double source_m3 = fabs(fault->slip_m) * fault->length_m * fault->width_m;
    return hypot(fault->length_m, fault->width_m) + sqrt(3.0 * source_m3 / (2.0 * pi * tolerance_m));
}
