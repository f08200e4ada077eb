// Every pair in both precisions, for ONE instruction set: this file is compiled several times, with ISA
// naming the set. Lanes are target bodies; source bodies come one at a time, the same for all lanes. Knows
// no threads.
#include "models/nbody/openmp_direct_isa.h"

#include "core/host_device.h"

#define POINT(name)  name##_f
#define LANES_DOUBLE 0
#include "models/particles/lanes.inc"

#include "models/nbody/point.inc"

#include "models/nbody/openmp_pull.inc"

#include "models/nbody/openmp_direct_pairs.inc"

#include "models/particles/lanes_end.inc"

#define POINT(name)  name##_d
#define LANES_DOUBLE 1
#include "models/particles/lanes.inc"

#include "models/nbody/point.inc"

#include "models/nbody/openmp_pull.inc"

#include "models/nbody/openmp_direct_pairs.inc"

#include "models/particles/lanes_end.inc"

#define TEXT_(a)         #a
#define TEXT(a)          TEXT_(a)
#define TABLE_(name, of) name##of
#define TABLE(name, of)  TABLE_(name, of)
#define BOTH(name)                                                                                           \
    {                                                                                                        \
        name##_f, name##_d                                                                                   \
    }

const struct direct_functions TABLE(direct_functions_, ISA) = {
    .instruction_set = TEXT(ISA),
    .softening_least = {1e-12, 1e-100},
    .pull = BOTH(pull),
    .pull_hard = BOTH(pull_hard),
    .potential = BOTH(potential),
};
