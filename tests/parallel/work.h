// A run of a few steps divided among ranks, as a model does it: rows held with the indices of the whole
// grid, a stencil of reach 2, sums, decisions, and records that are gathered. Each rank also computes the
// whole alone and compares every bit. Used by ranks that are threads and by those of MPI.
#ifndef FATHOM_TESTS_PARALLEL_WORK_H
#define FATHOM_TESTS_PARALLEL_WORK_H

#include "parallel/ranks.h"

enum { WORK_ROWS = 67, WORK_COLUMNS = 150 };

// At step `step` of the division with `depth`; for faults.
typedef void work_at_step(struct ranks *ranks, int step);

// Returns the number of differences, or −1 after a failure (core/status).
int work_run(struct ranks *ranks, int depth, int steps, work_at_step *at_step);

#endif
