// The tsunami's back ends by name, which of them "auto" means on this machine, and those that other builds
// have. Knows none by name but its own two.
#include "models/tsunami/backends.h"

#include "core/log.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BACKENDS_MAX = 8, ABSENT_MAX = 4, NAME_BYTES = 64, REASON_BYTES = 512, DEVICE_DIGITS_MAX = 4 };

static const struct tsunami_backend *backends[BACKENDS_MAX] = {&tsunami_backend_openmp,
                                                               &tsunami_backend_reference};
static int backend_count = 2;

static struct {
    const char *name, *reason;
} absent[ABSENT_MAX];
static int absent_count;

void tsunami_backend_register(const struct tsunami_backend *backend)
{
    assert(backend_count < BACKENDS_MAX);
    backends[backend_count++] = backend;
}

void tsunami_backend_register_absent(const char *name, const char *reason)
{
    assert(absent_count < ABSENT_MAX);
    absent[absent_count].name = name;
    absent[absent_count++].reason = reason;
}

const struct tsunami_backend *tsunami_backend_at(int index)
{
    return index >= 0 && index < backend_count ? backends[index] : NULL;
}

const struct tsunami_backend *tsunami_backend_for(const struct tsunami_backend *backend,
                                                  enum tsunami_method method)
{
    return tsunami_method_floods(method) ? backend->flooding : backend;
}

// Highest rank first; among equals the one registered first. A faster one that cannot run here is passed
// over, with a warning if there is something to say: a machine without any device is no news, one with a
// driver too old, or a device that this build has no code for, is.
static const struct tsunami_backend *find_fastest(void)
{
    const struct tsunami_backend *fastest;
    bool is_passed_over[BACKENDS_MAX] = {false};
    char why[REASON_BYTES] = "", passed_over[NAME_BYTES] = "";
    for (;;) {
        fastest = NULL;
        for (int k = 0; k < backend_count; k++)
            if (!is_passed_over[k] && (!fastest || backends[k]->rank > fastest->rank))
                fastest = backends[k];
        char reason[REASON_BYTES] = "";
        assert(fastest); // openmp can always run
        if (!fastest->is_usable || fastest->is_usable(0, reason, sizeof reason))
            break;
        if (!why[0] && !(fastest->is_absent && fastest->is_absent())) {
            snprintf(why, sizeof why, "%s", reason);
            snprintf(passed_over, sizeof passed_over, "%s", fastest->name);
        }
        for (int k = 0; k < backend_count; k++)
            is_passed_over[k] |= backends[k] == fastest;
    }
    if (why[0])
        log_warning("back end auto: %s, because %s cannot be used here: %s", fastest->name, passed_over, why);
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

// Completes "NAME is ...".
static const char *why_absent(const char *name)
{
    for (int k = 0; k < absent_count; k++)
        if (strcmp(absent[k].name, name) == 0)
            return absent[k].reason;
    return "not in this build";
}

enum status tsunami_backend_read(const char *text, const struct tsunami_backend **backend, int *device)
{
    const char *colon = strchr(text, ':');
    const size_t length = colon ? (size_t)(colon - text) : strlen(text);
    char name[NAME_BYTES];
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    *device = 0;
    *backend = length < sizeof name ? tsunami_backend_find(name) : NULL;
    if (!*backend)
        return FAIL(STATUS_CONFIGURATION, "\"%s\" is %s, which has: %s", name, why_absent(name),
                    tsunami_backend_names());
    if (!colon)
        return STATUS_OK;
    if (!(*backend)->has_devices || strcmp(name, "auto") == 0)
        return FAIL(STATUS_CONFIGURATION, "\"%s\": %s has no devices to choose from; write \"%s\"", text,
                    name, name);
    const size_t digits = strspn(colon + 1, "0123456789");
    if (digits == 0 || digits > DEVICE_DIGITS_MAX || colon[1 + digits] != '\0')
        return FAIL(STATUS_CONFIGURATION,
                    "\"%s\": what follows the colon must be the number of a device, from 0, like \"%s:1\"",
                    text, name);
    *device = atoi(colon + 1);
    return STATUS_OK;
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
