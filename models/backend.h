// Common to the back ends of all models: the head of their tables of operations, and the lists in which
// "auto" and "NAME:2" are looked up. A model's own table (models/<model>/solver.h) begins with a struct
// backend and adds the operations whose arguments are the model's.
#ifndef FATHOM_MODELS_BACKEND_H
#define FATHOM_MODELS_BACKEND_H

#include "core/device_times.h"
#include "core/element.h"
#include "core/status.h"
#include "core/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The state of one run or one grid. Each back end defines the structure for itself, in a private header;
// `plan` of the model's table makes it.
struct solver;

// Members are required unless marked. models/solver.h calls the optional ones and has defaults for those left
// out.
struct backend {
    const char *name;
    const char *summary;
    int rank;         // "auto" takes the usable one of highest rank; openmp has 0 and precedes others with 0
    bool has_devices; // "NAME:1" is its second device
    // (optional; left out: true) Returns whether this machine can run it on device number `device` (0 without
    // devices). If not, `why` receives the reason in a line. May be called often, but only before the seal:
    // the first call may start the device's libraries, which allocate.
    bool (*is_usable)(int device, char *why, size_t bytes);
    // (optional; left out: false) Returns whether is_usable refuses because the machine has no device at all:
    // "auto" then takes another back end without a warning.
    bool (*is_absent)(void);

    // (optional; left out: nothing) Makes libraries and drivers allocate what they allocate at their first
    // use. Called between reserve and seal. Does not change results.
    enum status (*warm_up)(struct solver *solver);
    // (optional; left out: nothing) Computes what is derived from the state (halos, tile lists, forces); a
    // back end with a memory of its own copies the state there. Called after the model's table has set the
    // state or a checkpoint was loaded (is_loaded); after a load all bits are those of the uninterrupted run.
    enum status (*touch)(struct solver *solver, bool is_loaded);
    // (optional; left out: nothing) Copies the present state from the back end's own memory to where the
    // model's table and checkpoint_arrays read it. Called before either is used.
    enum status (*fetch)(struct solver *solver);
    // (left out by bioheat, whose table has its own) Makes the steps first_step … first_step + count − 1,
    // counted from 0 over the whole run. A back end with `finish` may only begin them.
    enum status (*advance)(struct solver *solver, int64_t first_step, int64_t count);
    // Fills in the arrays of a checkpoint as they lie now, at most CHECKPOINT_ARRAYS_MAX; returns their
    // number. Number and sizes are final after `plan`. `touch` is called after they were loaded.
    int (*checkpoint_arrays)(struct solver *solver, struct checkpoint_array *arrays);
    // (optional; only with `fetch`, and with plan_results, capture, await and finish of the model's table)
    // Begins to copy the first `records` records of frame `slot` of a result to `to` (pinned host memory),
    // and returns. `result` is one of the model's results.
    enum status (*send)(struct solver *solver, int result, int slot, size_t records, void *to);
    // (optional; left out: the host) Returns the name of the solver's device; owned by the solver.
    const char *(*device_name)(const struct solver *solver);
    // (optional; left out: nothing measured) Returns the device's times so far, by its own clock. Called
    // after finish.
    struct device_times (*times)(const struct solver *solver);
    // (optional) Measures, for benchmarks and before any seal, the bytes read and written per second by a
    // plain copy in the memory that the solver uses.
    enum status (*measure_copy)(int device, double *bytes_per_s);
    // (optional) Measures, likewise, the multiply-adds and the inverse square roots per second in `precision`
    // that the arithmetic alone allows.
    enum status (*measure_arithmetic)(int device, enum element precision, double *fma_per_s,
                                      double *rsqrt_per_s);
    // (optional; left out: "plain C") Returns the instruction set that it uses on this machine.
    const char *(*instruction_set)(void);
    // (optional; left out: free) Releases the solver, also one whose plan failed.
    void (*destroy)(struct solver *solver);
};

enum { BACKENDS_MAX = 8 };

// A model's back ends. Starts as {.members = {&..., &...}, .count = 2}.
struct backend_list {
    const struct backend *members[BACKENDS_MAX];
    int count;
};

// Adds a back end from outside models/. Called before any job is read.
void backend_register(struct backend_list *list, const struct backend *backend);

// States, for all models, that other builds have a back end which this build lacks: `reason` completes
// '"NAME" is ...'. The caller keeps both texts alive.
void backend_register_absent(const char *name, const char *reason);

// Finds a back end by name; NULL if unknown or not compiled in. "auto" is the fastest that this machine can
// run; a faster one that it cannot run is skipped with a warning.
const struct backend *backend_find(const struct backend_list *list, const char *name);

// The names compiled in, "openmp, reference": for messages.
const char *backend_names(const struct backend_list *list);

// The instruction set that the back end uses on this machine.
const char *backend_instruction_set(const struct backend *backend);

// Reads "NAME", "auto" or "NAME:2", the third device (*device counts from 0; 0 if the text names none). Does
// not check whether this machine can run it. STATUS_CONFIGURATION if this build has no such back end, it has
// no devices to choose from, or the text after the colon is not a number; the message begins with the text
// and does not name the key.
enum status backend_read(const struct backend_list *list, const char *text, const struct backend **backend,
                         int *device);

#endif
