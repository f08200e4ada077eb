// Whether the ranks of a run have a device each: the kernels of ranks that share one take turns, so that none
// may wait for another's; and NCCL does not support it.
#ifndef FATHOM_GPU_SHARED_DEVICE_H
#define FATHOM_GPU_SHARED_DEVICE_H

#include "parallel/ranks.h"

// Two ranks of the run with one device, *a < *b; -1: each has its own. By all ranks at the same time.
enum status gpu_find_shared_device(struct ranks *ranks, int *a, int *b);

#endif
