#ifndef FATHOM_MODELS_NBODY_FIRST_H
#define FATHOM_MODELS_NBODY_FIRST_H
#include "models/nbody/shared.h"
#endif
