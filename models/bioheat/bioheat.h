// The heat model: temperature and thermal dose in living tissue (docs/bioheat.md).
#ifndef FATHOM_MODELS_BIOHEAT_BIOHEAT_H
#define FATHOM_MODELS_BIOHEAT_BIOHEAT_H

#include "models/model.h"

extern const struct model bioheat_model;

#endif
