// The GPUs of this machine, as far as this build can use them. Plain C on the outside: callers need no CUDA.
#ifndef FATHOM_GPU_DEVICE_H
#define FATHOM_GPU_DEVICE_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Whether the CUDA back end is in this build.
bool gpu_is_compiled(void);

// Makes the CUDA back ends known to the models; nothing in a build without CUDA. Once, at the program's
// start.
void gpu_register(void);

// Describes the devices in one line ("2 devices: NVIDIA H200, compute capability 9.0, 139.8 GiB; ..."), or
// says why there is none: not compiled in, no driver, driver too old, no device. Returns the number of
// devices.
int gpu_describe(char *text, size_t bytes);

// Whether device number `device` (from 0) can be used here. If not, `why` says why: not compiled in, no
// driver, a driver too old for this build, no device, or no device of that number (and then how many there
// are).
bool gpu_is_usable(int device, char *why, size_t bytes);

// Whether that is for want of a device or a driver at all, which is no news to anybody.
bool gpu_is_absent(void);

// Makes it the calling thread's device. STATUS_SYSTEM with gpu_is_usable's reason.
enum status gpu_use(int device);

// All that decides a run's speed and bits, in one line: number, name, compute capability, memory,
// multiprocessors, L2 cache, versions of driver and runtime. "" if it cannot be used.
void gpu_describe_one(int device, char *text, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
