#ifndef FATHOM_MODELS_ISING_DRAW_WORD_H
#define FATHOM_MODELS_ISING_DRAW_WORD_H
#include "models/ising/rule.h"
#endif
