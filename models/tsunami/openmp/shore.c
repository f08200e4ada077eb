// The tiles of `vtcs2-shore` in both precisions, for ONE instruction set: this file is compiled several
// times, with ISA naming the set. Tiles, scratch, records and schedule are those of the finite volumes
// (fv.h). Independent of threads.
#include "models/tsunami/openmp/fv.h"

#include "models/tsunami/edges.h"

#include <string.h>

// A thread's scratch: a ring of rows and a spare row, then a ring of rows of nodes and one such row for the
// sweep along x.
enum {
    SHORE_NODES = 3,
    SHORE_NODE_FIELDS = 6,
    SHORE_ARRAYS = FV_ROWS * FV_ROW_FIELDS + (SHORE_NODES + 1) * SHORE_NODE_FIELDS
};
_Static_assert((int)SHORE_ARRAYS <= (int)FV_ARRAYS, "the rows fit into the scratch");

#define BOTH_PRECISIONS "models/tsunami/openmp/shore.inc"
#include "models/tsunami/both_precisions.inc"

const struct tsunami_fv_functions TILE_TABLE(tsunami_shore_, ISA) = {
    .advance_f = shore_advance_tile_f,
    .advance_d = shore_advance_tile_d,
    .record_f = fv_record_tile_f,
    .record_d = fv_record_tile_d,
};
