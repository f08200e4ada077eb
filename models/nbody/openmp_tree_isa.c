// The tree's arithmetic in both precisions, for ONE instruction set: this file is compiled several times,
// with ISA naming the set. Knows no threads.
#include "models/nbody/openmp_tree.h"

#include "core/host_device.h"
#include "models/nbody/tree.h"

#define POINT(name)  name##_f
#define LANES_DOUBLE 0
#include "models/particles/lanes.inc"

#include "models/nbody/point.inc"

#include "models/nbody/openmp_pull.inc"

#include "models/nbody/openmp_tree_look.inc"

#include "models/nbody/openmp_tree_sums.inc"

#include "models/nbody/openmp_tree_walk.inc"

#include "models/particles/lanes_end.inc"

#define POINT(name)  name##_d
#define LANES_DOUBLE 1
#include "models/particles/lanes.inc"

#include "models/nbody/point.inc"

#include "models/nbody/openmp_pull.inc"

#include "models/nbody/openmp_tree_sums.inc"

#include "models/nbody/openmp_tree_walk.inc"

#include "models/particles/lanes_end.inc"

#define TEXT_(a)         #a
#define TEXT(a)          TEXT_(a)
#define TABLE_(name, of) name##of
#define TABLE(name, of)  TABLE_(name, of)
#define BOTH(name)                                                                                           \
    {                                                                                                        \
        name##_f, name##_d                                                                                   \
    }

const struct tree_functions TABLE(tree_functions_, ISA) = {
    .instruction_set = TEXT(ISA),
    .softening_least = {1e-12, 1e-100},
    .find_keys = BOTH(find_keys),
    .sum_cells = BOTH(sum_cells),
    .feel = BOTH(feel),
};
