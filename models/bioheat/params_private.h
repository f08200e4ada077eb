// What params.c and params_output.c share. Private to them.
#ifndef FATHOM_MODELS_BIOHEAT_PARAMS_PRIVATE_H
#define FATHOM_MODELS_BIOHEAT_PARAMS_PRIVATE_H

#include "models/bioheat/params.h"

// The block `output`; after the grid.
enum status bioheat_params_read_outputs(const struct job *job, struct bioheat_params *p);

#endif
