// How much heat the rounding of single precision may have lost (docs/bioheat.md, section 10).
#ifndef FATHOM_MODELS_BIOHEAT_ROUNDING_H
#define FATHOM_MODELS_BIOHEAT_ROUNDING_H

#include "models/bioheat/instance.h"

// After bioheat_exposure_find has the largest temperatures: an upper bound (K) of what the roundings of all
// steps sum up to, of this run and those before it; in double precision 0.
double bioheat_rounding_k(const struct bioheat *b);

#endif
