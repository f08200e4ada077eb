// Direct sums in both precisions, for ONE instruction set (models/isa.h). Each lane has a target body of its
// own; the source bodies are taken one at a time, the same for all lanes. Independent of threads.
#include "models/nbody/openmp_direct_isa.h"

#include "core/host_device.h"

#define LANES_BODY "models/nbody/openmp_direct_pairs.inc"
#include "models/particles/lanes_both.inc"

const struct direct_functions ISA_OWN(direct_functions) = {
    .instruction_set = ISA_NAME,
    .softening_least = {1e-12, 1e-100},
    .accelerations = ISA_BOTH(accelerations),
    .accelerations_hard = ISA_BOTH(accelerations_hard),
    .potential = ISA_BOTH(potential),
};
