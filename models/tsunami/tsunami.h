// The tsunami model: propagation over real bathymetry (NOAA's method of splitting tsunami).
#ifndef FATHOM_MODELS_TSUNAMI_TSUNAMI_H
#define FATHOM_MODELS_TSUNAMI_TSUNAMI_H

#include "models/model.h"

extern const struct model tsunami_model;

#endif
