// The Ising model on a square lattice: Metropolis, heat bath and clusters, with errors (docs/ising.md).
#ifndef FATHOM_MODELS_ISING_ISING_H
#define FATHOM_MODELS_ISING_ISING_H

#include "models/model.h"

extern const struct model ising_model;

#endif
