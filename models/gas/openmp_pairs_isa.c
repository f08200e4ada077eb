// Pairs in both precisions, for ONE instruction set (models/isa.h). Independent of threads.
#include "models/gas/openmp_pairs_isa.h"

#include "core/host_device.h"

#define KEPT(c, x) POINT(kept)((c), (x))
#define LANES_BODY "models/gas/openmp_pairs_both.inc"
#include "models/particles/lanes_both.inc"

const struct pair_functions ISA_OWN(pair_functions) = {
    .instruction_set = ISA_NAME,
    .add_range = ISA_BOTH(add_range),
    .add_range_energy = add_range_energy,
    .sum_list = ISA_BOTH(sum_list),
    .sum_list_energy = sum_list_energy,
    .find_near = find_near,
    .add_multipoles = ISA_BOTH(add_multipoles),
};
