// The tsunami's back ends by name.
#include "models/tsunami/solver.h"

#include <string.h>

static const struct tsunami_backend *const backends[] = {&tsunami_backend_openmp, &tsunami_backend_reference};

const struct tsunami_backend *tsunami_backend_find(const char *name)
{
    if (strcmp(name, "auto") == 0)
        return backends[0];
    for (size_t k = 0; k < sizeof backends / sizeof *backends; k++)
        if (strcmp(backends[k]->name, name) == 0)
            return backends[k];
    return NULL;
}

const char *tsunami_backend_names(void)
{
    return "openmp, reference";
}
