// The 27 temperatures of Karkoulis' study (D. N. Karkoulis 2010, its production script), and exact mean
// values on its lattice at these temperatures.
#ifndef FATHOM_VALIDATE_ISING_SOURCE_BETAS_H
#define FATHOM_VALIDATE_ISING_SOURCE_BETAS_H

enum { ISING_SOURCE_BETAS = 27 };
extern const double ising_source_betas[ISING_SOURCE_BETAS];

// A helical lattice of 8 × 8 sites, to six digits, computed by transfer matrices, site by site, with the
// whole distribution of M. The energy is per bond, the others are per site.
struct ising_helical_means {
    double energy_per_bond, specific_heat, absolute, susceptibility, binder;
};
extern const struct ising_helical_means ising_helical_means[ISING_SOURCE_BETAS];

#endif
