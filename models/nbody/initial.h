// The bodies at the start: generated from a seed, or read from a file, and handed to a back end in the run's units. Works
// without an array of all bodies of its own where it can; what it needs it declares in the plan.
#ifndef FATHOM_MODELS_NBODY_INITIAL_H
#define FATHOM_MODELS_NBODY_INITIAL_H

#include "core/memory_plan.h"
#include "io/job.h"
#include "models/nbody/solver.h"

struct nbody_initial;
struct nbody_units;

enum status nbody_initial_create(const struct job *job, struct nbody_initial **initial, size_t *count);
void nbody_initial_destroy(struct nbody_initial *initial);
enum status nbody_initial_plan(struct nbody_initial *initial, struct memory_plan *plan);
enum status nbody_initial_prepare(
    struct nbody_initial *initial); // after the seal, on the I/O thread: reads the file
// set for all bodies; the caller touches.
enum status nbody_initial_apply(struct nbody_initial *initial, const struct nbody_units *units,
                                const struct nbody_backend *backend, struct nbody_solver *solver);

#endif
