// A kernel that does nothing, compiled for the same devices as all others: where this one is not found, none
// is. It is looked for and never started.
#include "gpu/probe.h"

__global__ void probe_kernel(void) {}

cudaError_t gpu_probe(void)
{
    struct cudaFuncAttributes attributes;
    return cudaFuncGetAttributes(&attributes, (const void *)probe_kernel);
}
