#ifndef FATHOM_MODELS_ISING_LATTICE_H
#define FATHOM_MODELS_ISING_LATTICE_H
#include "models/ising/draw/word.h"
#include "models/team.h"
#endif
