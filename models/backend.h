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

// The state that a back end planned, of one run or one grid. Each back end defines the structure for itself,
// in a private header; `plan` of the model's table makes it.
struct solver;

// (required) unless marked. models/solver.h calls the optional ones and has defaults for those left out.
struct backend {
    const char *name;
    const char *summary;
    int rank; // "auto" takes the usable back end with the highest; openmp has 0, and goes before others of 0
    bool has_devices; // "NAME:1" is its second device
    // (optional; left out: it can) Whether this machine can run it on device number `device` (0 without
    // devices). If not, `why` gets the reason in a line. May be called often, but before any seal: the first
    // call may start the device's libraries, which allocate.
    bool (*is_usable)(int device, char *why, size_t bytes);
    // (optional; left out: false) Whether is_usable refuses because the machine has no device at all: "auto"
    // then takes another back end without a warning.
    bool (*is_absent)(void);

    // (optional; left out: nothing) Between reserve and seal: what a library or a driver allocates at the
    // first use of something is allocated now. Leaves no trace in the results.
    enum status (*warm_up)(struct solver *solver);
    // (optional; left out: nothing) After the model's table set the state, or a checkpoint was loaded
    // (is_loaded): computes what is derived from the state (halos, tile lists, forces); a back end with a
    // memory of its own takes the state over. After a load all has the bits that the uninterrupted run had.
    enum status (*touch)(struct solver *solver, bool is_loaded);
    // (optional; left out: nothing) Of a back end with a memory of its own: brings the present state to where
    // the model's table and checkpoint_arrays find it. Called before either is used.
    enum status (*fetch)(struct solver *solver);
    // (left out by bioheat, whose table has its own) Steps first_step … first_step + count − 1, counted from
    // 0 over the whole run. A back end with `finish` may only begin them.
    enum status (*advance)(struct solver *solver, int64_t first_step, int64_t count);
    // The arrays of a checkpoint as they lie now, at most CHECKPOINT_ARRAYS_MAX; returns how many. Their
    // number and sizes are final after `plan`. `touch` follows when they were loaded.
    int (*checkpoint_arrays)(struct solver *solver, struct checkpoint_array *arrays);
    // (optional; only with `fetch`, and with plan_results, capture, await and finish of the model's table)
    // The first `records` records of a result's frame `slot` start their way to `to` (pinned host memory).
    // `result` is one of the model's results. Begins the copy and returns.
    enum status (*send)(struct solver *solver, int result, int slot, size_t records, void *to);
    // (optional; left out: the host) Name of the device that the solver works on; owned by the solver.
    const char *(*device_name)(const struct solver *solver);
    // (optional; left out: nothing measured) What the device did so far, by its own clock; after finish.
    struct device_times (*times)(const struct solver *solver);
    // (optional) For benchmarks, before any seal: bytes read and written a second by a plain copy in the
    // memory that the solver works in; multiply-adds, and inverse square roots, a second in `precision` where
    // nothing else limits them.
    enum status (*measure_copy)(int device, double *bytes_per_s);
    enum status (*measure_arithmetic)(int device, enum element precision, double *fma_per_s,
                                      double *rsqrt_per_s);
    // (optional; left out: "plain C") The instruction set that it computes with on this machine.
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

// Adds one from outside models/; before any job is read.
void backend_register(struct backend_list *list, const struct backend *backend);

// States, for all models, that other builds have a back end which this build lacks: `reason` completes
// '"NAME" is ...'. Both stay the caller's.
void backend_register_absent(const char *name, const char *reason);

// By name; NULL if unknown or not compiled in. "auto" is the fastest that this machine can run; a faster one
// that it cannot run is passed over with a warning.
const struct backend *backend_find(const struct backend_list *list, const char *name);

// The names compiled in, "openmp, reference": for messages.
const char *backend_names(const struct backend_list *list);

// The instruction set that it computes with on this machine.
const char *backend_instruction_set(const struct backend *backend);

// "NAME", "auto", or "NAME:2": the third device (*device counts from 0, and is 0 where none is named). Does
// not check whether this machine can run it. STATUS_CONFIGURATION if there is no such back end in this build,
// it has no devices to choose from, or the text after the colon is not a number; the message begins with the
// text and does not name the key.
enum status backend_read(const struct backend_list *list, const char *text, const struct backend **backend,
                         int *device);

#endif
