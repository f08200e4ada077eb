// The tsunami model's back ends that every build has.
#include "models/tsunami/solver.h"

struct backend_list tsunami_backends = {
    .members = {&tsunami_backend_openmp.head, &tsunami_backend_reference.head},
    .count = 2,
};
