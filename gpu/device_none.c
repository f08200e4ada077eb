// Stands in for device.c in a build without CUDA.
#include "gpu/device.h"

#include <stdio.h>

static const char reason[] = "not in this build (FATHOM_CUDA=OFF, or no nvcc when it was configured)";

bool gpu_is_compiled(void)
{
    return false;
}

void gpu_register(void) {}

int gpu_describe(char *text, size_t bytes)
{
    snprintf(text, bytes, "%s", reason);
    return 0;
}

bool gpu_is_usable(int device, char *why, size_t bytes)
{
    (void)device;
    snprintf(why, bytes, "%s", reason);
    return false;
}

bool gpu_is_absent(void)
{
    return true;
}

enum status gpu_use(int device)
{
    (void)device;
    return FAIL(STATUS_SYSTEM, "the cuda back end cannot run here: %s", reason);
}

void gpu_describe_one(int device, char *text, size_t bytes)
{
    (void)device;
    snprintf(text, bytes, "%s", "");
}
