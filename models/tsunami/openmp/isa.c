// The fast CPU version's arithmetic in both precisions, for ONE instruction set: this file is compiled
// several times, with ISA naming the set. Independent of threads and of the schedule.
#include "models/tsunami/openmp/isa.h"

#include "models/tsunami/edges.h"

#include <string.h>

#define BOTH_PRECISIONS "models/tsunami/openmp/tile.inc"
#include "models/tsunami/both_precisions.inc"

#define TEXT_(a) #a
#define TEXT(a)  TEXT_(a)

const struct tsunami_tile_functions TILE_TABLE(tsunami_tiles_, ISA) = {
    .instruction_set = TEXT(ISA),
    .advance_f = advance_tile_f,
    .advance_d = advance_tile_d,
    .record_f = record_tile_f,
    .record_d = record_tile_d,
};
