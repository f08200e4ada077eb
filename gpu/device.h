// The GPUs of this machine, as far as this build can use them. Plain C on the outside: callers need no CUDA.
// In a build without CUDA gpu_is_compiled, gpu_register, gpu_describe and gpu_free_bytes alone are there
// (device_none.c).
//
// A device counts as usable if a context can be made on it and this build has code for it, which is found out
// by looking for a kernel there, once a device. Asking here may change which device is the calling thread's:
// call gpu_use for a particular one.
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

// Makes the CUDA back ends known to the models; in a build without CUDA, that they exist elsewhere. Once, at
// the program's start.
void gpu_register(void);

// Describes the devices in one line ("2 devices: NVIDIA H200, compute capability 9.0, 139.8 GiB; ..."), with
// what is wrong with those that cannot be used, or says why there is none: not compiled in, no driver, driver
// too old, no device. Returns the number of those that can be used.
int gpu_describe(char *text, size_t bytes);

// Whether device number `device` (from 0) can be used here. If not, `why` says why: no driver, a driver too
// old for this build, no device, no device of that number (and then how many there are), no code for it, or
// what CUDA says of it.
bool gpu_is_usable(int device, char *why, size_t bytes);

// Memory that it has free now; 0 if it cannot be used. Opens it.
size_t gpu_free_bytes(int device);

// Whether that is for want of a device or a driver at all, which needs no message.
bool gpu_is_absent(void);

// What back ends of a GPU report as their instruction set (models/backend.h).
const char *gpu_instruction_set(void);

// Makes it the calling thread's device. STATUS_SYSTEM with gpu_is_usable's reason. Names no back end: there
// are several.
enum status gpu_use(int device);

// All that decides a run's speed and bits, in one line: number, name, compute capability, memory,
// multiprocessors, L2 cache, versions of driver and runtime. "" if it cannot be used.
void gpu_describe_one(int device, char *text, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
