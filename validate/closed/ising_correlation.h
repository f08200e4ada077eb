// The correlation function of the infinite Ising lattice along a row, exactly: J = 1, no field.
#ifndef FATHOM_VALIDATE_CLOSED_ISING_CORRELATION_H
#define FATHOM_VALIDATE_CLOSED_ISING_CORRELATION_H

enum { ISING_CORRELATION_MAX = 64 };

// Writes ⟨s(0, 0) s(r, 0)⟩ for r = 0 … last to g[last + 1]; last ≤ ISING_CORRELATION_MAX, β ≠ β_c.
// Determinants of Toeplitz matrices (Kaufman and Onsager 1949, Phys. Rev. 76, 1244,
// doi:10.1103/PhysRev.76.1244; in this form: McCoy and Wu 1973, The Two-Dimensional Ising Model, chapter
// VIII, eq. 4.9).
void ising_exact_correlation(double beta, int last, double *g);

// The correlation length ξ along a row above T_c: 1/ξ = ln coth β − 2β (Onsager 1944).
double ising_exact_length(double beta);

#endif
