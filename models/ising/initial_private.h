// What initial.c and initial_file.c share: a file of spins. Private to them.
#ifndef FATHOM_MODELS_ISING_INITIAL_PRIVATE_H
#define FATHOM_MODELS_ISING_INITIAL_PRIVATE_H

#include "core/memory_plan.h"
#include "io/job/job.h"
#include "models/ising/state.h"

struct ising_file;

// Opens start.file: its variable, shape and record. The job and the lattice must outlive it.
// STATUS_CONFIGURATION, STATUS_NO_INPUT, STATUS_DATA; after a failure, too, close it.
enum status ising_file_open(const struct job *job, const struct ising_lattice *lattice,
                            struct ising_file **file);
void ising_file_close(struct ising_file *file); // NULL is fine
const char *ising_file_path(const struct ising_file *file);
// What reading takes; before the seal.
enum status ising_file_plan(struct ising_file *file, struct memory_plan *memory);
// All words, [replicas][2][rows][words] (state.h). STATUS_DATA: what is no spin, with its place.
enum status ising_file_read(struct ising_file *file, uint32_t *words);

#endif
