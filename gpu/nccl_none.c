// Replaces nccl.c in a build without NCCL.
#include "gpu/nccl.h"

#include <stdio.h>

bool gpu_nccl_describe(char *text, size_t bytes)
{
    snprintf(text, bytes, "not in this build (FATHOM_NCCL=OFF, or no nccl.h when it was configured)");
    return false;
}
