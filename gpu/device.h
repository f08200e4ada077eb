// The GPUs of this machine, as far as this build can use them. Plain C on the outside: callers need no CUDA.
#ifndef FATHOM_GPU_DEVICE_H
#define FATHOM_GPU_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Whether the CUDA back end is in this build.
bool gpu_is_compiled(void);

// Makes the CUDA back ends known to the models; nothing in a build without CUDA. Once, at the program's start.
void gpu_register(void);

// Describes the devices in one line ("2 devices: NVIDIA H200, compute capability 9.0, 139.8 GiB; ..."), or
// says why there is none: not compiled in, no driver, driver too old, no device. Returns the number of
// devices.
int gpu_describe(char *text, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
