// What the back ends of all models have in common: a name, whether this machine can run it, and lists of them
// in which "auto" and "NAME:2" are looked up. A model's own table of functions begins with a struct backend.
#ifndef FATHOM_MODELS_BACKEND_H
#define FATHOM_MODELS_BACKEND_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

struct backend {
    const char *name;
    const char *summary;
    int rank; // "auto" takes the usable back end with the highest; openmp has 0, and goes before others of 0
    bool has_devices; // "NAME:1" is its second device
    // (optional) Whether this machine can run it on device number `device` (0 without devices). If not, `why`
    // gets the reason in a line. May be asked often, but before any seal: the first asking may start the
    // device's libraries, which allocate. Left out: it can.
    bool (*is_usable)(int device, char *why, size_t bytes);
    // (optional) Whether what is_usable refuses is for want of any device, which is no news: "auto" then says
    // nothing.
    bool (*is_absent)(void);
};

enum { BACKENDS_MAX = 8 };

// A model's back ends. Starts as {.members = {&..., &...}, .count = 2}.
struct backend_list {
    const struct backend *members[BACKENDS_MAX];
    int count;
};

// Adds one that models/ does not know of; before any job is read.
void backend_register(struct backend_list *list, const struct backend *backend);

// Tells, for all models, of one that other builds have and this has not: `reason` completes '"NAME" is ...'.
// Both stay the caller's.
void backend_register_absent(const char *name, const char *reason);

// By name; NULL if unknown or not compiled in. "auto" is the fastest there is; a faster one that cannot be
// used here is passed over with a warning.
const struct backend *backend_find(const struct backend_list *list, const char *name);

// The names compiled in, "openmp, reference": for messages.
const char *backend_names(const struct backend_list *list);

// "NAME", "auto", or "NAME:2": the third device (*device counts from 0, and is 0 where none is named). Does
// not ask whether this machine can run it. STATUS_CONFIGURATION if there is no such back end in this build,
// it has no devices to choose from, or what follows the colon is no number; the message begins with the text
// and does not say where it stood.
enum status backend_read(const struct backend_list *list, const char *text, const struct backend **backend,
                         int *device);

#endif
