// The N-body model's back ends that every build has.
#include "models/nbody/solver.h"

struct backend_list nbody_backends = {
    .members = {&nbody_backend_openmp.head, &nbody_backend_reference.head},
    .count = 2,
};
