// The spins at a temperature's start: cold, hot, stripes, or from a file. Knows no solver.
#ifndef FATHOM_MODELS_ISING_START_H
#define FATHOM_MODELS_ISING_START_H

#include "core/memory_plan.h"
#include "io/job/job.h"
#include "models/ising/params.h"

// Reads the block `start`; of a file its header: variable, lattice, record. After lattice and method are in
// p->physics.
enum status ising_start_create(const struct job *job, const struct ising_params *p,
                               struct ising_start **start);
void ising_start_destroy(struct ising_start *start); // NULL is fine
enum ising_start_kind ising_start_kind(const struct ising_start *start);
int ising_start_inputs(const struct ising_start *start, const char **paths);

// Memory for what a file holds; before the seal.
enum status ising_start_plan(struct ising_start *start, struct memory_plan *memory);
// After the seal, on the I/O thread: reads the file. STATUS_DATA: what is no spin, with its place, or stripes
// that the method never leaves.
enum status ising_start_prepare(struct ising_start *start);
// Writes the words of all replicas, [replicas][2][rows][words] (state.h). HOT: word g of
// [replicas][2][rows][words] has the bits of the random word g of ISING_USE_START under the key of the
// temperature's number. STRIPES: rows up and down in turn. All by threads, the same bits with any number of
// them.
void ising_start_apply(const struct ising_start *start, uint32_t temperature, uint32_t *words);

#endif
