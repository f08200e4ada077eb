// The two-dimensional Ising model without a field, exactly: J = 1, so K = β. Energies and specific heats are
// per site.
#ifndef FATHOM_MODELS_ISING_EXACT_H
#define FATHOM_MODELS_ISING_EXACT_H

struct ising_exact {
    double energy;        // −1/N ∂ ln Z/∂β
    double specific_heat; // β²/N ∂² ln Z/∂β²
};

// β_c = ½ ln(1 + √2).
#define ISING_CRITICAL_BETA 0.44068679350977151262

// The periodic lattice of columns × rows sites, both even, β > 0: Kaufman (1949), Phys. Rev. 76, 1232,
// doi:10.1103/PhysRev.76.1232, with the derivatives of Ferdinand and Fisher (1969), Phys. Rev. 185, 832,
// doi:10.1103/PhysRev.185.832.
struct ising_exact ising_exact_periodic(int columns, int rows, double beta);

// The infinite lattice, β ≠ β_c: Onsager (1944), Phys. Rev. 65, 117, doi:10.1103/PhysRev.65.117.
struct ising_exact ising_exact_infinite(double beta);
// Its magnetisation per site: (1 − sinh⁻⁴ 2β)^{1/8} above β_c, else 0: Yang (1952), Phys. Rev. 85, 808,
// doi:10.1103/PhysRev.85.808.
double ising_exact_magnetisation(double beta);

#endif
