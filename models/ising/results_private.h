// Shared by the files results*.c. Private to them.
#ifndef FATHOM_MODELS_ISING_RESULTS_PRIVATE_H
#define FATHOM_MODELS_ISING_RESULTS_PRIVATE_H

#include "models/ising/results.h"

// Axes of the streams.
enum { ISING_AXIS_ENERGY, ISING_AXIS_MAGNETISATION, ISING_AXIS_LAG };
enum { ISING_AXIS_POINT };

// Number of lags of ρ(t): as many as requested, at most those that the series has.
size_t ising_results_lags(const struct ising_params *p);

// Quantities of reweighted.nc, in their order, each followed by its error.
enum { ISING_REWEIGHTED = 5 };
extern const enum ising_quantity ising_reweighted[ISING_REWEIGHTED];

// results_streams.c
void ising_results_describe(struct ising_results *r);

#endif
