// Pairs in both precisions, for ONE instruction set: this file is compiled several times, with ISA naming the
// set. Knows no threads.
#include "models/gas/openmp_pairs_isa.h"

#include "core/host_device.h"

#define KEPT(c, x) POINT(kept)((c), (x))

#define POINT(name)  name##_f
#define LANES_DOUBLE 0
#include "models/particles/lanes.inc"

#include "models/gas/point.inc"

#include "models/gas/openmp_pairs.inc"

#include "models/gas/openmp_pairs_lists.inc"

#include "models/particles/lanes_end.inc"

#define POINT(name)  name##_d
#define LANES_DOUBLE 1
#include "models/particles/lanes.inc"

#include "models/gas/point.inc"

#include "models/gas/openmp_pairs.inc"

#include "models/gas/openmp_pairs_lists.inc"

#include "models/gas/openmp_pairs_energy.inc"

#include "models/gas/openmp_pairs_near.inc"

#include "models/particles/lanes_end.inc"

#define TEXT_(a)         #a
#define TEXT(a)          TEXT_(a)
#define TABLE_(name, of) name##of
#define TABLE(name, of)  TABLE_(name, of)
#define BOTH(name)                                                                                           \
    {                                                                                                        \
        name##_f, name##_d                                                                                   \
    }

const struct pair_functions TABLE(pair_functions_, ISA) = {
    .instruction_set = TEXT(ISA),
    .add_range = BOTH(add_range),
    .add_range_energy = add_range_energy,
    .sum_list = BOTH(sum_list),
    .sum_list_energy = sum_list_energy,
    .find_near = find_near,
    .add_multipoles = BOTH(add_multipoles),
};
