// Okada's uplift, and the fading of a source, in loops that the compiler makes vectors of; compiled once per
// instruction set, with ISA naming it. Numbers in brackets are equations of Okada's paper (okada.h); names
// are those of okada.c.
#include "models/tsunami/earthquake/okada_row_isa.h"

#include "models/elementary.h"

static const double pi = 3.14159265358979323846;
static const double degree_rad = 3.14159265358979323846 / 180.0;
// Nearer than so to a line on which a term is singular, as a part of the distance R, okada.c has the value:
// far enough that its rules for these lines (1e-8) hold on none of the points that are computed here.
static const double relative_near = 1e-6;
static const double near_m = 1e-8;             // times length + width: a corner
static const double nearest = 0x1.8p52;        // added and taken away: rounded to a whole number
static const double relative_rounding = 2e-15; // okada.c's

// What a corner f(ξ, η) adds, but for the logarithms and arctangents.
struct corner {
    double r, r_d;           // R, R + d̃
    double above, below;     // R + η = above/below, free of cancellation
    double quotients;        // u1 (d̃q/(R(R+η)) + q sin δ/(R+η)) + u2 d̃q/(R(R+ξ))
    double angle_y, angle_x; // arctan(ξη/(qR)) is the angle of (qR, ξη), but for half a turn
    double i5_y, i5_x;       // the same of the arctangent in I5 [28]
    double is_singular;
};

// x2, x: X² = ξ² + q² and X.
ELEMENTARY_INLINE struct corner corner_of(double xi, double eta, double q, double d, double x2, double x,
                                          const struct fault_frame *frame)
{
    const double s = frame->medium.sine, co = frame->medium.cosine;
    const double u1 = frame->rectangle.strike_slip_m, u2 = frame->rectangle.dip_slip_m;
    const double rho2 = eta * eta + q * q, r2 = xi * xi + eta * eta + q * q, r = sqrt(r2);
    // For η < 0, R+η = X²/(R−η); for ξ < 0, R+ξ = (η²+q²)/(R−ξ).
    const double along = r + fabs(eta), across = r + fabs(xi);
    const double above = eta >= 0 ? along : x2, below = eta >= 0 ? 1 : along;
    const double above_xi = xi > 0 ? across : rho2, below_xi = xi > 0 ? 1 : across;
    const double smallest_m = near_m * (frame->rectangle.length_m + frame->rectangle.width_m);
    const double least2 = relative_near * relative_near * r2;
    const double both = (u1 * (d + s * r) * below) * above_xi + (u2 * d * below_xi) * above;
    const double larger = r + x;
    return (struct corner){.r = r,
                           .r_d = r + d,
                           .above = above,
                           .below = below,
                           .quotients = q * both / (r * above * above_xi),
                           .angle_y = xi * eta,
                           .angle_x = q * r,
                           .i5_y = eta * (x + q * co) + x * larger * s,
                           .i5_x = xi * larger * co,
                           .is_singular = (r < smallest_m ? 1.0 : 0.0) + (rho2 <= least2 ? 1.0 : 0.0) +
                                          (x2 <= least2 ? 1.0 : 0.0)};
}

// The angle of (x1, y1) less that of (x2, y2) where x1 and x2 have one sign: a difference of arctangents.
ELEMENTARY_INLINE double angle_between(double y1, double x1, double y2, double x2)
{
    return elementary_atan2(y1 * x2 - y2 * x1, x1 * x2 + y1 * y2);
}

// [24] of [25] and [26], the third components.
ELEMENTARY_INLINE double uplift_at(const struct okada_row *row, double east_m, double *is_singular)
{
    const struct okada_rectangle *f = &row->frame->rectangle;
    const struct okada_medium *m = &row->frame->medium;
    const double s = m->sine, co = m->cosine, a = m->ratio;
    const double ss = row->frame->strike_sine, cs = row->frame->strike_cosine;
    const double x_m = east_m * ss + row->north_m * cs + 0.5 * f->length_m,
                 y_m = -east_m * cs + row->north_m * ss;
    const double p = y_m * co + f->depth_m * s, q = y_m * s - f->depth_m * co;
    const double top_m = f->depth_m - f->width_m * s, d_top = top_m > 0 ? top_m : 0;
    const double xi = x_m - f->length_m, eta = p - f->width_m;
    const double x2_0 = x_m * x_m + q * q, x2_1 = xi * xi + q * q, x_0 = sqrt(x2_0), x_1 = sqrt(x2_1);
    const struct corner c00 = corner_of(x_m, p, q, f->depth_m, x2_0, x_0, row->frame),
                        c01 = corner_of(x_m, eta, q, d_top, x2_0, x_0, row->frame),
                        c10 = corner_of(xi, p, q, f->depth_m, x2_1, x_1, row->frame),
                        c11 = corner_of(xi, eta, q, d_top, x2_1, x_1, row->frame);

    const double log_r_d = elementary_log((c00.r_d * c11.r_d) / (c01.r_d * c10.r_d));
    const double log_r_eta = elementary_log((c00.above * c11.above * (c01.below * c10.below)) /
                                            (c01.above * c10.above * (c00.below * c11.below)));
    const double angle = angle_between(c00.angle_y, c00.angle_x, c01.angle_y, c01.angle_x) -
                         angle_between(c10.angle_y, c10.angle_x, c11.angle_y, c11.angle_x);
    const double i5 = angle_between(c00.i5_y, c00.i5_x, c01.i5_y, c01.i5_x) -
                      angle_between(c10.i5_y, c10.i5_x, c11.i5_y, c11.i5_x);
    const double quotients = (c00.quotients - c01.quotients) - (c10.quotients - c11.quotients);
    const double strike = f->strike_slip_m * s * a / co * (log_r_d - s * log_r_eta);
    const double dip = f->dip_slip_m * s * (angle - 2 * a * i5);
    *is_singular = c00.is_singular + c01.is_singular + c10.is_singular + c11.is_singular +
                   (fabs(q) <= relative_rounding * (fabs(y_m) + f->depth_m + f->width_m) ? 1.0 : 0.0) +
                   (x_m == 0 ? 1.0 : 0.0) + (xi == 0 ? 1.0 : 0.0);
    return -(quotients + strike + dip) / (2 * pi);
}

static void row_uplift(const struct okada_row *row, const double *restrict east_m, size_t count,
                       double *restrict up_m, double *restrict is_singular)
{
    const struct fault_frame frame = *row->frame; // so that no store can change it
    const struct okada_row own = {&frame, row->north_m};
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        up_m[i] = uplift_at(&own, east_m[i], &is_singular[i]);
}

// Half of the distance's angle, asin √h, from the haversine h, as an angle of (√(1 − h), √h).
ELEMENTARY_INLINE double weight_at(const struct okada_fade *row, double x_deg)
{
    const double turns = (x_deg - row->longitude_deg) / 360, whole = (turns + nearest) - nearest;
    const double sine = elementary_sin(180 * degree_rad * (turns - whole));
    const double sum = row->haversine_y + row->cosines * (sine * sine), h = sum < 1 ? sum : 1;
    const double distance_m = 2 * row->earth_radius_m * elementary_atan2(sqrt(h), sqrt(1 - h));
    const double part = 2 * distance_m / row->extent_m - 1; // of the outer half
    const double outer = part < 0 ? 0 : part < 1 ? part : 1;
    const double cosine = elementary_cos(0.5 * pi * outer); // ½(1 + cos πx) = cos² πx/2
    return outer < 1 ? cosine * cosine : 0;
}

static void row_fade(const struct okada_fade *row, const double *restrict x_deg, size_t count,
                     double *restrict weights)
{
    const struct okada_fade own = *row;
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        weights[i] = weight_at(&own, x_deg[i]);
}

const struct okada_row_functions ISA_OWN(okada_row_functions) = {row_uplift, row_fade};
