#ifndef FATHOM_MODELS_GAS_OTHER_H
#define FATHOM_MODELS_GAS_OTHER_H
#include "models/nbody/first.h"
#endif
