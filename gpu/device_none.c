// Replaces device.c in a build without CUDA: the functions that every build needs.
#include "gpu/device.h"
#include "models/backend.h"

#include <stdio.h>

static const char reason[] = "not in this build (FATHOM_CUDA=OFF, or no nvcc when it was configured)";

bool gpu_is_compiled(void)
{
    return false;
}

void gpu_register(void)
{
    backend_register_absent("cuda", reason);
    backend_register_absent("cuda-plain", reason);
}

int gpu_describe(char *text, size_t bytes)
{
    snprintf(text, bytes, "%s", reason);
    return 0;
}

size_t gpu_free_bytes(int device)
{
    (void)device;
    return 0;
}
