// The back ends of the Ising model; gpu/ adds its own.
#include "models/ising/solver.h"

struct backend_list ising_backends = {.members = {&ising_backend_openmp.head, &ising_backend_reference.head},
                                      .count = 2};
