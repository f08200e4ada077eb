// Arithmetic alone in both precisions, for ONE instruction set: this file is compiled several times, with ISA
// naming the set.
#include "bench/host_arithmetic_isa.h"

#define POINT(name)  name##_f
#define LANES_DOUBLE 0
#include "models/particles/lanes.inc"

#include "bench/host_arithmetic_chains.inc"

#include "models/particles/lanes_end.inc"

#define POINT(name)  name##_d
#define LANES_DOUBLE 1
#include "models/particles/lanes.inc"

#include "bench/host_arithmetic_chains.inc"

#include "models/particles/lanes_end.inc"

#define TABLE_(name, of) name##of
#define TABLE(name, of)  TABLE_(name, of)
#define BOTH(name)                                                                                           \
    {                                                                                                        \
        name##_f, name##_d                                                                                   \
    }

const struct host_arithmetic_functions TABLE(host_arithmetic_functions_, ISA) = {
    .operations_a_turn = BOTH(operations_a_turn),
    .multiply_adds = BOTH(multiply_adds),
    .inverse_roots = BOTH(inverse_roots),
};
