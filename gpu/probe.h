// Finds out whether this build has code that the calling thread's device can run.
#ifndef FATHOM_GPU_PROBE_H
#define FATHOM_GPU_PROBE_H

#include "gpu/extern_c.h"

#include <cuda_runtime_api.h>

EXTERN_C_BEGIN

// Returns cudaSuccess, or CUDA's error when it loads a kernel of this build on the device.
cudaError_t gpu_probe(void);

EXTERN_C_END

#endif
