// Ranks that are threads of the test, over a transport in memory: no MPI. Uses parallel/ alone.
#ifndef FATHOM_TESTS_SUPPORT_THREAD_RANKS_H
#define FATHOM_TESTS_SUPPORT_THREAD_RANKS_H

#include "parallel/ranks.h"

enum { THREAD_RANKS_MAX = 8 };

// Calls `work` on `count` threads, each with its ranks, and returns when all are done. The test library must
// not be called in `work`: it stores what it finds in `shared`.
void thread_ranks_run(int count, void (*work)(struct ranks *ranks, void *shared), void *shared);

#endif
