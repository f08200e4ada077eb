// The spins at a temperature's start: cold, hot, stripes, or from a file. Independent of solvers.
#ifndef FATHOM_MODELS_ISING_INITIAL_H
#define FATHOM_MODELS_ISING_INITIAL_H

#include "core/memory_plan.h"
#include "io/job/job.h"
#include "models/ising/state.h"

enum ising_initial_kind { ISING_START_COLD, ISING_START_HOT, ISING_START_STRIPES, ISING_START_FILE };
struct ising_initial;

// Reads the block `start`; of a file its header: variable, lattice, record. The physics, whose lattice and
// method are known, must outlive it.
enum status ising_initial_create(const struct job *job, const struct ising_physics *physics,
                                 struct ising_initial **initial);
void ising_initial_destroy(struct ising_initial *initial); // NULL: does nothing
enum ising_initial_kind ising_initial_kind(const struct ising_initial *initial);
int ising_initial_inputs(const struct ising_initial *initial, const char **paths);

// Memory for what a file holds; before the seal.
enum status ising_initial_plan(struct ising_initial *initial, struct memory_plan *memory);
// After the seal, on the I/O thread: reads the file. STATUS_DATA: an invalid spin, with its place, or stripes
// that the method never leaves.
enum status ising_initial_prepare(struct ising_initial *initial);
// Writes the words of rows first … end − 1 of all replicas, [replicas][2][those rows][words] (state.h). HOT:
// word g of the lattice has the bits of the random word g of ISING_USE_START under the key of the
// temperature's number. STRIPES: alternate rows up and down. By threads, with the same bits for any number of
// them.
void ising_initial_apply(const struct ising_initial *initial, uint32_t temperature, int64_t first,
                         int64_t end, uint32_t *words);

#endif
