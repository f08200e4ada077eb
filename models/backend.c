// Lists of back ends: by name, which of them "auto" means on this machine, and those that other builds have.
// Independent of models and back ends.
#include "models/backend.h"

#include "core/log.h"
#include "parallel/launch.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ABSENT_MAX = 8, NAME_BYTES = 64, REASON_BYTES = 512, DEVICE_DIGITS_MAX = 4 };

static struct {
    const char *name, *reason;
} absent[ABSENT_MAX];
static int absent_count;

void backend_register(struct backend_list *list, const struct backend *backend)
{
    assert(list->count < BACKENDS_MAX);
    list->members[list->count++] = backend;
}

void backend_register_absent(const char *name, const char *reason)
{
    assert(absent_count < ABSENT_MAX);
    absent[absent_count].name = name;
    absent[absent_count++].reason = reason;
}

// Highest rank first; among equals the one registered first. A faster one that cannot run here is passed
// over, with a warning if the driver is too old or this build has no code for the device, but without one if
// the machine has no device.
static const struct backend *find_fastest(const struct backend_list *list)
{
    const struct backend *fastest;
    bool is_passed_over[BACKENDS_MAX] = {false};
    char why[REASON_BYTES] = "", passed_over[NAME_BYTES] = "";
    for (;;) {
        fastest = NULL;
        for (int k = 0; k < list->count; k++)
            if (!is_passed_over[k] && (!fastest || list->members[k]->rank > fastest->rank))
                fastest = list->members[k];
        char reason[REASON_BYTES] = "";
        assert(fastest); // openmp can always run
        if (!fastest->is_usable || fastest->is_usable(0, reason, sizeof reason))
            break;
        if (!why[0] && !(fastest->is_absent && fastest->is_absent())) {
            snprintf(why, sizeof why, "%s", reason);
            snprintf(passed_over, sizeof passed_over, "%s", fastest->name);
        }
        for (int k = 0; k < list->count; k++)
            is_passed_over[k] |= list->members[k] == fastest;
    }
    if (why[0])
        log_warning("back end auto: %s, because %s cannot be used here: %s", fastest->name, passed_over, why);
    return fastest;
}

const struct backend *backend_find(const struct backend_list *list, const char *name)
{
    if (strcmp(name, "auto") == 0)
        return find_fastest(list);
    for (int k = 0; k < list->count; k++)
        if (strcmp(list->members[k]->name, name) == 0)
            return list->members[k];
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

// Each rank of a host takes the device of its number among them.
static enum status choose_rank_device(const struct backend *backend, int *device)
{
    const struct ranks *ranks = launch_ranks();
    const char *shared = getenv("FATHOM_TEST_DEVICES"); // for tests: fewer devices than ranks
    char why[256];
    if (ranks->count == 1 || !backend->has_devices || !backend->is_usable)
        return STATUS_OK;
    if (shared && atoi(shared) > 0) {
        *device = ranks->world.local_rank % atoi(shared);
        return STATUS_OK;
    }
    *device = ranks->world.local_rank;
    return backend->is_usable(*device, why, sizeof why)
               ? STATUS_OK
               : FAIL(STATUS_SYSTEM, "host %s has %d ranks, each of which needs a device: %s",
                      ranks->world.host, ranks_host_of(ranks, ranks->rank).count, why);
}

enum status backend_read(const struct backend_list *list, const char *text, const struct backend **backend,
                         int *device)
{
    const char *colon = strchr(text, ':');
    const size_t length = colon ? (size_t)(colon - text) : strlen(text);
    char name[NAME_BYTES];
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    *device = 0;
    *backend = length < sizeof name ? backend_find(list, name) : NULL;
    if (!*backend)
        return FAIL(STATUS_CONFIGURATION, "\"%s\" is %s, which has: %s", name, why_absent(name),
                    backend_names(list));
    if (!colon)
        return choose_rank_device(*backend, device);
    if (launch_ranks()->count > 1)
        return FAIL(STATUS_CONFIGURATION,
                    "\"%s\": of several ranks each takes a device of its own; write \"%s\"", text, name);
    if (!(*backend)->has_devices || strcmp(name, "auto") == 0)
        return FAIL(STATUS_CONFIGURATION, "\"%s\": %s has no devices to choose from; write \"%s\"", text,
                    name, name);
    const size_t digits = strspn(colon + 1, "0123456789");
    if (digits == 0 || digits > DEVICE_DIGITS_MAX || colon[1 + digits] != '\0')
        return FAIL(STATUS_CONFIGURATION,
                    "\"%s\": the text after the colon must be the number of a device, from 0, like \"%s:1\"",
                    text, name);
    *device = atoi(colon + 1);
    return STATUS_OK;
}

const char *backend_instruction_set(const struct backend *backend)
{
    return backend->instruction_set ? backend->instruction_set() : "plain C";
}

const char *backend_names(const struct backend_list *list)
{
    static char names[256];
    names[0] = '\0';
    for (int k = 0; k < list->count; k++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", k ? ", " : "",
                 list->members[k]->name);
    return names;
}
