// The gas model's back ends that every build has.
#include "models/gas/solver.h"

struct backend_list gas_backends = {
    .members = {&gas_backend_openmp.head, &gas_backend_reference.head},
    .count = 2,
};
