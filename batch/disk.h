// What a run takes on the disk, as far as the runs of its entry that passed show. A run's plan states what
// its files are expected to take (cli/disk_space.h), and once more while segments are joined. Compressed
// fields may be much smaller, and runs that could share the disk would wait for each other.
#ifndef FATHOM_BATCH_DISK_H
#define FATHOM_BATCH_DISK_H

#include "batch/scheduler_state.h"

// Of a run that has passed: how large its files are beside its plan.
void batch_disk_learn(struct batch_scheduler *s, size_t run);

// Bytes that a run with a plan is expected to need: those of its plan, but for the result files at most one
// and a half times the largest share that a run of the entry took of them. free_bytes: of the file system;
// less than the plan's: the plan's bytes hold, for which the run itself looks.
double batch_disk_expected(const struct batch_scheduler *s, size_t run, double free_bytes);

#endif
