// Continues an earlier run with another source: reads temperature, dose, largest rise and time from its
// state.nc (described in output_streams.c). Uses solvers only through their table.
#ifndef FATHOM_MODELS_BIOHEAT_CHAIN_H
#define FATHOM_MODELS_BIOHEAT_CHAIN_H

#include "core/memory_plan.h"
#include "io/job/job.h"
#include "models/bioheat/params.h"

struct bioheat_chain; // opaque

// The job's initial.from, a folder of results: reads the headers and checks that the grids agree. *chain is
// NULL without the key.
enum status bioheat_chain_create(const struct job *job, const struct bioheat_params *params,
                                 struct bioheat_chain **chain);
void bioheat_chain_destroy(struct bioheat_chain *chain); // NULL: does nothing

// Before the plan: θ (K) of plane z [y][x], from this run's reference temperature. STATUS_DATA: not finite.
enum status bioheat_chain_read(const struct bioheat_chain *chain, size_t z, double *theta_k);

// Path of state.nc, and its model time (s).
const char *bioheat_chain_path(const struct bioheat_chain *chain);
double bioheat_chain_end_s(const struct bioheat_chain *chain);
// After prepare: whether the largest temperatures of all earlier exposures are known.
bool bioheat_chain_has_largest(const struct bioheat_chain *chain);

enum status bioheat_chain_plan(struct bioheat_chain *chain, struct memory_plan *memory);
enum status bioheat_chain_prepare(struct bioheat_chain *chain); // on the I/O thread
// After the solver's start, by all ranks: sets the state and touches the solver.
enum status bioheat_chain_apply(struct bioheat_chain *chain, const struct bioheat_backend *backend,
                                struct solver *solver, struct ranks *ranks);

#endif
