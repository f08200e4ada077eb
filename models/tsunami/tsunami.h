// The tsunami model: propagation over measured bathymetry, and run-up on land.
#ifndef FATHOM_MODELS_TSUNAMI_TSUNAMI_H
#define FATHOM_MODELS_TSUNAMI_TSUNAMI_H

#include "models/model.h"

extern const struct model tsunami_model;

#endif
