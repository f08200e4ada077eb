// Arithmetic alone in both precisions, for ONE instruction set (models/isa.h).
#include "bench/host_arithmetic_isa.h"

#define LANES_BODY "bench/host_arithmetic_chains.inc"
#include "models/particles/lanes_both.inc"

const struct host_arithmetic_functions ISA_OWN(host_arithmetic_functions) = {
    .operations_a_turn = ISA_BOTH(operations_a_turn),
    .multiply_adds = ISA_BOTH(multiply_adds),
    .inverse_roots = ISA_BOTH(inverse_roots),
};
