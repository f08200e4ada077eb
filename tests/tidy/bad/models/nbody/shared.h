#ifndef FATHOM_MODELS_NBODY_SHARED_H
#define FATHOM_MODELS_NBODY_SHARED_H
#include "models/nbody/second.h"
#endif
