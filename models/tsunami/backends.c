// The tsunami's back ends by name, and which of them "auto" means on this machine.
#include "models/tsunami/backends.h"

#include "core/log.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { BACKENDS_MAX = 8, REASON_BYTES = 512 };

static const struct tsunami_backend *backends[BACKENDS_MAX] = {&tsunami_backend_openmp,
                                                               &tsunami_backend_reference};
static int backend_count = 2;

void tsunami_backend_register(const struct tsunami_backend *backend)
{
    assert(backend_count < BACKENDS_MAX);
    backends[backend_count++] = backend;
}

const struct tsunami_backend *tsunami_backend_at(int index)
{
    return index >= 0 && index < backend_count ? backends[index] : NULL;
}

// Highest rank first; among equals the one registered first. A faster one that cannot run here is passed
// over, and the log says why if there is something to say: a machine without any device is no news, one with
// a driver too old is.
static const struct tsunami_backend *find_fastest(void)
{
    const struct tsunami_backend *fastest;
    bool is_passed_over[BACKENDS_MAX] = {false};
    char why[REASON_BYTES] = "", passed_over[64] = "";
    for (;;) {
        fastest = NULL;
        for (int k = 0; k < backend_count; k++)
            if (!is_passed_over[k] && (!fastest || backends[k]->rank > fastest->rank))
                fastest = backends[k];
        char reason[REASON_BYTES] = "";
        assert(fastest); // openmp can always run
        if (!fastest->is_usable || fastest->is_usable(reason, sizeof reason))
            break;
        if (reason[0] && !why[0]) {
            snprintf(why, sizeof why, "%s", reason);
            snprintf(passed_over, sizeof passed_over, "%s", fastest->name);
        }
        for (int k = 0; k < backend_count; k++)
            is_passed_over[k] |= backends[k] == fastest;
    }
    if (why[0])
        log_info("backend auto: %s, because %s cannot be used here: %s", fastest->name, passed_over, why);
    return fastest;
}

const struct tsunami_backend *tsunami_backend_find(const char *name)
{
    if (strcmp(name, "auto") == 0)
        return find_fastest();
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
