// A Gaussian of temperature spreading in an infinite uniform medium with perfusion: Carslaw, H. S. & Jaeger,
// J. C. (1959), Conduction of Heat in Solids, 2nd ed., chapter X (the instantaneous point source, of finite
// width at the start). Pure functions, independent of solvers.
//   θ = A e^{−Pt} (w²/(w² + 4Dt))^{d/2} exp(−r²/(w² + 4Dt))
#ifndef FATHOM_VALIDATE_CLOSED_HEAT_GAUSSIAN_H
#define FATHOM_VALIDATE_CLOSED_HEAT_GAUSSIAN_H

struct heat_gaussian {
    double amplitude_k, width_m; // A, w
    double diffusivity_m2_s, perfusion_per_s;
    int dimensions; // d: 1, 2, 3
};

double heat_gaussian_k(const struct heat_gaussian *gaussian, double distance_m, double time_s);

#endif
