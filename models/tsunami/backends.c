// The tsunami's back ends by name.
#include "models/tsunami/solver.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { BACKENDS_MAX = 8 };

static const struct tsunami_backend *backends[BACKENDS_MAX] = {&tsunami_backend_openmp,
                                                               &tsunami_backend_reference};
static int backend_count = 2;

void tsunami_backend_register(const struct tsunami_backend *backend)
{
    assert(backend_count < BACKENDS_MAX);
    backends[backend_count++] = backend;
}

const struct tsunami_backend *tsunami_backend_find(const char *name)
{
    if (strcmp(name, "auto") == 0)
        return backends[0];
    for (int k = 0; k < backend_count; k++)
        if (strcmp(backends[k]->name, name) == 0)
            return backends[k];
    return NULL;
}

const char *tsunami_backend_names(void)
{
    static char names[256];
    names[0] = '\0';
    for (int k = 0; k < backend_count; k++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", k ? ", " : "",
                 backends[k]->name);
    return names;
}
