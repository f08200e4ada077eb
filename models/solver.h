// A solver's common operations (models/backend.h), with defaults for those that its back end leaves out.
// `backend` is the head of the table that planned the solver. Independent of models.
#ifndef FATHOM_MODELS_SOLVER_H
#define FATHOM_MODELS_SOLVER_H

#include "models/backend.h"

// Each returns the operation's status; STATUS_OK where the back end leaves it out.
enum status solver_warm_up(const struct backend *backend, struct solver *solver);
enum status solver_touch(const struct backend *backend, struct solver *solver, bool is_loaded);
enum status solver_fetch(const struct backend *backend, struct solver *solver);

// Returns the device's times; without a device all are zero and is_measured is false.
struct device_times solver_times(const struct backend *backend, const struct solver *solver);

// Releases the solver; NULL is allowed.
void solver_destroy(const struct backend *backend, struct solver *solver);

// Returns whether the back end keeps the state in a memory of its own and makes results there.
bool solver_is_apart(const struct backend *backend);

// A `warm_up` for back ends that compute with OpenMP: the team of threads exists when it returns.
enum status solver_warm_up_team(struct solver *solver);

#endif
