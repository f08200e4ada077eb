// Thacker's oscillations of water in parabolic basins, exact for the nonlinear shallow-water equations,
// shoreline included, on a rotating plane: Thacker, W. C. (1981), Some exact solutions to the nonlinear
// shallow-water wave equations, J. Fluid Mech. 107, 499-508. Pure functions, independent of solvers.
//
// The still-water depth d is positive down, η is the elevation above rest, d + η the total depth (negative:
// dry at that time). u and v are valid where there is water.
#ifndef FATHOM_VALIDATE_CLOSED_THACKER_H
#define FATHOM_VALIDATE_CLOSED_THACKER_H

struct thacker_state {
    double depth_m, eta_m, u_m_s, v_m_s;
};

// A plane surface that swings in a canal along y: d = h0 (1 − x²/a²) (section 5, with f).
//   ω = √(f² + 2 g h0/a²)   η = −G² h0/a² cos² ωt + 2 G h0/a² x cos ωt   u = −Gω sin ωt   v = −G f cos ωt
// All lengths > 0; f any sign.
struct thacker_canal {
    double half_width_m, depth_m; // a, h0
    double swing_m;               // G: amplitude of the shoreline's displacement
    double coriolis_per_s, gravity_m_s2;
};
double thacker_canal_frequency_per_s(const struct thacker_canal *canal); // ω
struct thacker_state thacker_canal(const struct thacker_canal *canal, double x_m, double t_s);
// Both shorelines at a time: x = G cos ωt ∓ a.
void thacker_canal_shorelines_m(const struct thacker_canal *canal, double t_s, double shores_m[2]);

// A plane surface that rotates in a paraboloid: d = D0 (1 − r²/L²) (section 5, with f).
//   ω = √(2 g D0/L² + f²/4) − f/2   η = (σ D0/L²)(2x cos ωt + 2y sin ωt − σ)   u = −σω sin ωt   v = σω cos ωt
// The shoreline is a circle of the radius L about (σ cos ωt, σ sin ωt).
struct thacker_plane {
    double radius_m, depth_m; // L, D0
    double swing_m;           // σ: amplitude of the shoreline's displacement
    double coriolis_per_s, gravity_m_s2;
};
double thacker_plane_frequency_per_s(const struct thacker_plane *basin);
struct thacker_state thacker_plane(const struct thacker_plane *basin, double x_m, double y_m, double t_s);

// A paraboloidal surface that rises and falls in a paraboloid: d = D0 (1 − r²/L²) (his eq. 50-54). At t = 0
// the surface is highest in the middle, by η0.
//   A = ((D0+η0)² − D0²) / ((D0+η0)² + D0²)   ω = √(8 g D0/L² + f²)   q = 1 − A cos ωt
//   η = D0 [√(1−A²)/q − 1 − r²/L² ((1−A²)/q² − 1)]
//   u = [½ω x A sin ωt − ½f y (√(1−A²) + A cos ωt − 1)]/q   v = [½ω y A sin ωt + ½f x (…)]/q
struct thacker_paraboloid {
    double radius_m, depth_m; // L, D0
    double rise_m;            // η0; 0 < η0
    double coriolis_per_s, gravity_m_s2;
};
double thacker_paraboloid_frequency_per_s(const struct thacker_paraboloid *basin);
struct thacker_state thacker_paraboloid(const struct thacker_paraboloid *basin, double x_m, double y_m,
                                        double t_s);
// Radius of the shoreline at a time.
double thacker_paraboloid_shoreline_m(const struct thacker_paraboloid *basin, double t_s);

#endif
