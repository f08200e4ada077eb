// What initial.c and initial_file.c share: a file of spins. Private to them.
#ifndef FATHOM_MODELS_ISING_INITIAL_PRIVATE_H
#define FATHOM_MODELS_ISING_INITIAL_PRIVATE_H

#include "core/memory_plan.h"
#include "io/job/job.h"
#include "models/ising/state.h"

struct ising_file;

// Opens start.file and checks its variable, shape and record. The job and the lattice must outlive `*file`.
// STATUS_CONFIGURATION, STATUS_NO_INPUT, STATUS_DATA. Close it after a failure, too.
enum status ising_file_open(const struct job *job, const struct ising_lattice *lattice,
                            struct ising_file **file);
void ising_file_close(struct ising_file *file); // NULL: does nothing
const char *ising_file_path(const struct ising_file *file);
// Plans the memory that reading needs. Call it before the seal.
enum status ising_file_plan(struct ising_file *file, struct memory_plan *memory);
// Reads all spins into `words` [replicas][2][rows][words] (state.h). STATUS_DATA: a value is not a spin; the
// message gives its index.
enum status ising_file_read(struct ising_file *file, uint32_t *words);

#endif
