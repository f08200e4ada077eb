// NCCL, NVIDIA's library of messages between devices, as far as this build and this machine have it. The
// program is not linked with it: libnccl.so.2 is loaded when it is needed.
#ifndef FATHOM_GPU_NCCL_H
#define FATHOM_GPU_NCCL_H

#include <stdbool.h>
#include <stddef.h>

// Loads the library, once. Describes it ("NCCL 2.28.9"); false: it cannot be used, and `text` says why.
bool gpu_nccl_describe(char *text, size_t bytes);

#endif
