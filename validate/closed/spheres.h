// Spheres of many bodies, in units in which G and the total mass are 1: Plummer's sphere in equilibrium
// (Plummer 1911; Aarseth, Henon and Wielen 1974), and the collapse of a uniform sphere at rest (Binney, J. &
// Tremaine, S. (2008), Galactic Dynamics, 2nd ed., problem 3.4). Pure functions, independent of solvers.
#ifndef FATHOM_VALIDATE_CLOSED_SPHERES_H
#define FATHOM_VALIDATE_CLOSED_SPHERES_H

// Density ∝ (1 + r²/a²)^{−5/2}. The mass within a radius; the radius that encloses a share of the mass, 0 <
// share < 1; the total energy −3π/(64 a).
double plummer_mass(double scale_radius, double radius);
double plummer_radius(double scale_radius, double share);
double plummer_energy(double scale_radius);

// A uniform sphere of dust at rest collapses to its centre after the time π/2 √(R³/2). dust_radius: the
// radius of the sphere, and of every shell, relative to its initial radius, after a share of that time:
// cos²β, β + ½ sin 2β = (π/2) share, 0 ≤ share ≤ 1.
double dust_fall_time(double radius);
double dust_radius(double share);

#endif
