// An empty kernel, compiled for the same devices as all others: if it cannot be loaded, no other can. It is
// never launched.
#include "gpu/probe.h"

__global__ void probe_kernel(void) {}

cudaError_t gpu_probe(void)
{
    struct cudaFuncAttributes attributes;
    return cudaFuncGetAttributes(&attributes, (const void *)probe_kernel);
}
