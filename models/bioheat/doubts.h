// What could change a pass: the error of the steps, roundings, heat that faces carry off or keep. Each is a
// bound in K, by which a pass must hold (docs/bioheat.md, section 6).
#ifndef FATHOM_MODELS_BIOHEAT_DOUBTS_H
#define FATHOM_MODELS_BIOHEAT_DOUBTS_H

#include "models/bioheat/instance.h"

// When the exposure is known. Warns, and notes in `lacks` and `dropped` what leaves no pass.
void bioheat_doubt(struct bioheat *b);

#endif
