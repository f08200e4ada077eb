// The N-body model: gravity of many bodies, by direct summation or a tree (docs/nbody.md).
#ifndef FATHOM_MODELS_NBODY_NBODY_H
#define FATHOM_MODELS_NBODY_NBODY_H

#include "models/model.h"

extern const struct model nbody_model;

#endif
