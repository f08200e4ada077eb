// The heat model's back ends that every build has.
#include "models/bioheat/solver.h"

struct backend_list bioheat_backends = {
    .members = {&bioheat_backend_openmp.head, &bioheat_backend_reference.head},
    .count = 2,
};
