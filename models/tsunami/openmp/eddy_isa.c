// The arithmetic of the fast CPU version's eddy viscosity in both precisions, for ONE instruction set: this
// file is compiled several times, with ISA naming the set. Knows no threads and no schedule.
#include "models/tsunami/openmp/eddy.h"
#include "models/tsunami/openmp/isa.h"

#include <string.h>

#define BOTH_PRECISIONS "models/tsunami/openmp/eddy_rows.inc"
#include "models/tsunami/both_precisions.inc"

const struct tsunami_eddy_functions TILE_TABLE(tsunami_eddy_, ISA) = {{eddy_find_f, eddy_apply_f},
                                                                      {eddy_find_d, eddy_apply_d}};
