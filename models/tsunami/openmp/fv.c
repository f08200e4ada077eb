// The tiles of `muscl-hancock` in both precisions, for ONE instruction set: this file is compiled several
// times, with ISA naming the set. Knows no threads and no schedule.
#include "models/tsunami/openmp/fv.h"

#include "models/tsunami/edges.h"

#include <string.h>

#define BOTH_PRECISIONS "models/tsunami/openmp/fv_step.inc"
#include "models/tsunami/both_precisions.inc"

const struct tsunami_fv_functions TILE_TABLE(tsunami_fv_, ISA) = {
    .advance_f = fv_advance_tile_f,
    .advance_d = fv_advance_tile_d,
    .record_f = fv_record_tile_f,
    .record_d = fv_record_tile_d,
};
