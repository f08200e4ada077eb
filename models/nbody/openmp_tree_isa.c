// The tree's arithmetic in both precisions, for ONE instruction set (models/isa.h). Independent of threads.
#include "models/nbody/openmp_tree.h"

#include "core/host_device.h"
#include "models/nbody/tree.h"

#include "models/nbody/openmp_tree_opening.inc"

#define LANES_BODY "models/nbody/openmp_tree_walk.inc"
#include "models/particles/lanes_both.inc"

const struct tree_functions ISA_OWN(tree_functions) = {
    .instruction_set = ISA_NAME,
    .softening_least = {1e-12, 1e-100},
    .find_keys = ISA_BOTH(find_keys),
    .sum_cells = ISA_BOTH(sum_cells),
    .sum_field = ISA_BOTH(sum_field),
};
