// The gas model: particles in a box, in two dimensions, with a potential between them, walls and a thermostat
// (docs/gas.md).
#ifndef FATHOM_MODELS_GAS_GAS_H
#define FATHOM_MODELS_GAS_GAS_H

#include "models/model.h"

extern const struct model gas_model;

#endif
