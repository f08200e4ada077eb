// Surface deformation by rectangular faults in an elastic half space, after
//   Okada, Y. (1985), Surface deformation due to shear and tensile faults in a half-space,
//   Bull. Seism. Soc. Am. 75(4), 1135–1154.
// Knows nothing of grids, files or the ocean.
#ifndef FATHOM_MODELS_TSUNAMI_OKADA_H
#define FATHOM_MODELS_TSUNAMI_OKADA_H

// Displacement (m) and its horizontal derivatives at a surface point, in the fault's frame: x along strike, y to its
// left (up dip, horizontally), z up. Okada's origin: the lower edge's end; the fault covers x 0…length.
struct okada_result {
    double ux, uy, uz;
    double ux_x, ux_y, uy_x, uy_y, uz_x, uz_y;
};

// depth_m: of the LOWER edge (Okada's d), > 0; dip_rad; length_m, width_m > 0; slip_m in the strike (U1) and the dip
// (U2) direction; poisson_ratio 0.25 for λ = μ. Singular lines (the fault's edges, dip ±90°) follow Okada's rules.
struct okada_result okada_surface(double x_m, double y_m, double depth_m, double dip_rad, double length_m,
                                  double width_m, double strike_slip_m, double dip_slip_m, double poisson_ratio);

// Where a fault's longitude, latitude and depth are measured.
enum fault_reference {
    FAULT_CENTRE,            // centre of the plane (finite-fault inversions)
    FAULT_TOP_CENTRE,        // middle of the upper edge
    FAULT_BOTTOM_CENTRE,     // middle of the lower edge
    FAULT_SIFT,              // NOAA SIFT: lon, lat of the bottom centre, but the depth of the TOP
    FAULT_TOP_CORNER,        // the upper edge's end from which strike runs (easyWave, many tables)
};

struct fault {
    double longitude_deg, latitude_deg; // or x, y in metres on a plane grid
    double depth_m;
    double length_m, width_m;
    double strike_deg, dip_deg, rake_deg; // strike clockwise from north, dip to the right of strike
    double slip_m;
    double start_s, rise_s; // uplift grows linearly from start to start + rise (0 = at once)
    enum fault_reference reference;
};

// Displacement east, north and up (m) at a point. On the sphere, offsets are taken on the plane tangent at the fault's
// reference point: x = R cos φ0 Δλ, y = R Δφ (the convention of the tsunami codes and of the published check files).
struct fault_displacement {
    double east_m, north_m, up_m;
};
struct fault_displacement fault_displacement_sphere(const struct fault *fault, double longitude_deg, double latitude_deg,
                                                    double earth_radius_m);
struct fault_displacement fault_displacement_plane(const struct fault *fault, double x_m, double y_m);

#endif
