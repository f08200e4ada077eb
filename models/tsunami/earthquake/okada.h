// Surface deformation by rectangular faults in an elastic half space, after
//   Okada, Y. (1985), Surface deformation due to shear and tensile faults in a half-space,
//   Bull. Seism. Soc. Am. 75(4), 1135–1154.
// Independent of grids, of files and of the ocean. Pure functions: no state, no allocation, safe from any
// thread.
#ifndef FATHOM_MODELS_TSUNAMI_EARTHQUAKE_OKADA_H
#define FATHOM_MODELS_TSUNAMI_EARTHQUAKE_OKADA_H

#include <stdbool.h>

// Displacement (m) and its horizontal derivatives at a surface point, in the fault's frame: x along strike, y
// to its left (up dip, horizontally), z up. Okada's origin: the surface point above the lower edge's end from
// which strike runs; the fault covers x = 0…length and, seen from above, y = 0…width cos(dip). ux_y means
// ∂ux/∂y.
struct okada_result {
    double ux, uy, uz;
    double ux_x, ux_y, uy_x, uy_y, uz_x, uz_y;
};

// x_m, y_m: the point, in the frame above.
// depth_m: of the LOWER edge (Okada's d), > 0; the upper edge, at depth_m − width_m sin(dip), must not be
//   above the surface (it may touch it).
// dip_rad: −π/2…π/2; with a negative dip "lower" is the edge at y = 0 (Okada's case 4).
// length_m, width_m: > 0.
// strike_slip_m (U1), dip_slip_m (U2): how far the upper side has moved along +x and up the plane along +y,
//   against the lower side; for a positive dip, U1 > 0 is left-lateral and U2 > 0 thrust.
// poisson_ratio: 0.25 for λ = μ; Okada's μ/(λ+μ) is 1 − 2 poisson_ratio.
//
// Singular lines follow Okada's rules (p. 1148): cos(dip) = 0, ξ = 0, q = 0, R + η = 0. A dip within 1e-5 rad
// of the vertical is taken as vertical, since the general formulas cancel there. On the trace of a fault that
// cuts the surface, where displacement jumps, displacement is the mean of the two sides'. At a corner that
// lies in the surface, where displacement grows without bound (as a logarithm), a large finite value is
// returned. The result is always finite.
struct okada_result okada_surface(double x_m, double y_m, double depth_m, double dip_rad, double length_m,
                                  double width_m, double strike_slip_m, double dip_slip_m,
                                  double poisson_ratio);

// Where a fault's longitude, latitude and depth are measured.
enum fault_reference {
    FAULT_CENTRE,        // centre of the plane (finite-fault inversions)
    FAULT_TOP_CENTRE,    // middle of the upper edge
    FAULT_BOTTOM_CENTRE, // middle of the lower edge
    FAULT_SIFT,          // NOAA SIFT: lon, lat of the bottom centre, but the depth of the TOP
    FAULT_TOP_CORNER,    // the upper edge's end from which strike runs (easyWave, many tables)
};

struct fault {
    double longitude_deg, latitude_deg; // or x, y in metres on a plane grid
    double depth_m;                     // of the reference point, positive down
    double length_m, width_m;           // along strike, down dip
    double strike_deg, dip_deg,
        rake_deg; // strike clockwise from north; dip 0…90, to the right of strike; rake of the
                  // hanging wall: 0 left-lateral, 90 thrust (Aki & Richards)
    double slip_m;
    double start_s, rise_s; // uplift grows linearly from start to start + rise (0 = at once)
    enum fault_reference reference;
};

// Displacement east, north and up (m) at a point, for λ = μ. On the sphere the offsets from the middle of the
// fault's lower edge are x = R cos φ Δλ, y = R Δφ, with φ the latitude of the POINT and Δλ brought into
// −180…180° (longitudes may be in any convention); from the reference point to that middle, the offsets are
// taken with the reference point's own cos φ0. This is the convention of the published check files, which it
// reproduces to their last digits with R = 6367.5 km; cos φ0 throughout, as other codes have it, differs from
// it by up to 3 % of the largest displacement at 57° N. Reference latitudes: −89…89°.
struct fault_displacement {
    double east_m, north_m, up_m;
};
struct fault_displacement fault_displacement_sphere(const struct fault *fault, double longitude_deg,
                                                    double latitude_deg, double earth_radius_m);
struct fault_displacement fault_displacement_plane(const struct fault *fault, double x_m, double y_m);

// The same for many points: the fault with its trigonometry, computed once. Its members are private to
// okada.c.
struct okada_medium {    // what does not change from corner to corner
    double sine, cosine; // of dip
    double ratio;        // μ/(λ+μ)
    bool is_vertical;
};
struct okada_rectangle {
    double depth_m, length_m, width_m; // depth of the lower edge
    double strike_slip_m, dip_slip_m;
};
struct fault_frame {
    double longitude_deg, latitude_deg; // of the reference point
    struct okada_rectangle rectangle;
    struct okada_medium medium;
    double strike_sine, strike_cosine;
    double edge_east_m, edge_north_m; // of the middle of the lower edge, from the reference point
};
struct fault_frame fault_frame_of(const struct fault *fault);
// And what is the same along a parallel; private, too.
struct fault_parallel {
    double edge_longitude_deg, east_m_per_degree, north_m;
};
struct fault_parallel fault_frame_parallel(const struct fault_frame *frame, double latitude_deg,
                                           double earth_radius_m);
struct fault_displacement fault_frame_at(const struct fault_frame *frame,
                                         const struct fault_parallel *parallel, double longitude_deg);
// How far east (m) of the middle of the lower edge a longitude lies on the parallel; and the displacement's
// vertical part there, or on a plane, at offsets (m) from that middle.
double fault_parallel_east_m(const struct fault_parallel *parallel, double longitude_deg);
double fault_frame_uplift(const struct fault_frame *frame, double east_m, double north_m);
struct fault_displacement fault_frame_sphere(const struct fault_frame *frame, double longitude_deg,
                                             double latitude_deg, double earth_radius_m);
struct fault_displacement fault_frame_plane(const struct fault_frame *frame, double x_m, double y_m);

// A place on the surface, given from the middle of the fault's lower edge: how far (m) along strike, and to
// the left of it, where the upper edge lies; as offsets east and north (m) from the reference point.
void fault_place(const struct fault *fault, double along_m, double left_m, double *east_m, double *north_m);

// Depth (m) of the fault's upper edge, whatever its reference point. Negative: above the surface, not
// allowed.
double fault_top_depth_m(const struct fault *fault);

// Horizontal distance (m) from the reference point, in the offsets above, beyond which no component of the
// final displacement exceeds tolerance_m (> 0): a bound, two to five times further than need be. It lets a
// grid leave out far points: displacement falls as 1/r².
double fault_reach_m(const struct fault *fault, double tolerance_m);

#endif
