// The tsunami's back ends as a list, for those who want each of them (the benchmark). By name: solver.h.
#ifndef FATHOM_MODELS_TSUNAMI_BACKENDS_H
#define FATHOM_MODELS_TSUNAMI_BACKENDS_H

#include "models/tsunami/solver.h"

// Number `index` from 0, in the order in which they were registered; NULL beyond the last.
const struct tsunami_backend *tsunami_backend_at(int index);

#endif
