#include "models/ising/lattice.h"
