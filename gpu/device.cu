// The GPUs of this machine, asked through the CUDA runtime.
#include "gpu/device.h"

#include <cstdio>
#include <cuda_runtime.h>

extern "C" bool gpu_is_compiled(void)
{
    return true;
}

extern "C" int gpu_describe(char *text, size_t bytes)
{
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0) {
        // The runtime's own words tell a missing driver, one that is too old, and a machine without a device
        // apart.
        snprintf(text, bytes, "compiled in, no usable device: %s",
                 error == cudaSuccess ? "none found" : cudaGetErrorString(error));
        (void)cudaGetLastError(); // not to be found again by a later call
        return 0;
    }
    int length = snprintf(text, bytes, "%d device%s", count, count == 1 ? "" : "s");
    for (int device = 0; device < count; device++) {
        cudaDeviceProp properties;
        if (length < 0 || (size_t)length >= bytes ||
            cudaGetDeviceProperties(&properties, device) != cudaSuccess)
            break;
        length += snprintf(text + length, bytes - (size_t)length, "%s %s, compute capability %d.%d, %.1f GiB",
                           device == 0 ? ":" : ";", properties.name, properties.major, properties.minor,
                           (double)properties.totalGlobalMem / (1024.0 * 1024.0 * 1024.0));
    }
    return count;
}
