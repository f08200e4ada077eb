// The tree's arithmetic in both precisions, for ONE instruction set: this file is compiled several times, with ISA naming the set.
// Knows no threads.
#include "models/nbody/openmp_tree.h"

#include "core/host_device.h"
#include "models/nbody/tree.h"

#define POINT(name)  name##_f
#define LANES_DOUBLE 0
#include "models/lanes.h"

#include "models/nbody/point.h"

#include "models/nbody/openmp_pull.h"

#include "models/nbody/openmp_tree_look.h"

#include "models/nbody/openmp_tree_sums.h"

#include "models/nbody/openmp_tree_walk.h"

#include "models/lanes_end.h"

#define POINT(name)  name##_d
#define LANES_DOUBLE 1
#include "models/lanes.h"

#include "models/nbody/point.h"

#include "models/nbody/openmp_pull.h"

#include "models/nbody/openmp_tree_sums.h"

#include "models/nbody/openmp_tree_walk.h"

#include "models/lanes_end.h"

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
