// Whether this build has code that the calling thread's device can run.
#ifndef FATHOM_GPU_PROBE_H
#define FATHOM_GPU_PROBE_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

// cudaSuccess, or what CUDA says when it looks for a kernel of this build on the device.
cudaError_t gpu_probe(void);

#ifdef __cplusplus
}
#endif

#endif
