// Stands in for device.cu in a build without CUDA.
#include "gpu/device.h"

#include <stdio.h>

bool gpu_is_compiled(void)
{
    return false;
}

void gpu_register(void) {}

int gpu_describe(char *text, size_t bytes)
{
    snprintf(text, bytes, "not in this build (FATHOM_CUDA=OFF, or no nvcc when it was configured)");
    return 0;
}
