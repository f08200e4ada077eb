// The GPUs of this machine, as far as this build can use them. Plain C on the outside: callers need no CUDA.
// A build without CUDA has gpu_is_compiled, gpu_register, gpu_describe and gpu_free_bytes only
// (device_none.c).
//
// A device is usable if a context can be created on it and this build has code for it; the test is to load a
// kernel, once per device. These functions may change the calling thread's device: call gpu_use for a
// particular one.
#ifndef FATHOM_GPU_DEVICE_H
#define FATHOM_GPU_DEVICE_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

// Returns whether the CUDA back end is in this build.
bool gpu_is_compiled(void);

// Registers the CUDA back ends; in a build without CUDA, as absent. Called once, at the program's start.
void gpu_register(void);

// Describes the devices in one line ("2 devices: NVIDIA H200, compute capability 9.0, 139.8 GiB; ..."), with
// the reason for each that cannot be used, or why no device is usable: not compiled in, no driver, driver too
// old, no device. Returns the number of usable devices.
int gpu_describe(char *text, size_t bytes);

// Returns whether device number `device` (from 0) can be used. If not, `why` receives the reason: no driver,
// a driver too old for this build, no device, no device of that number (with their number), no code for it,
// or CUDA's own message.
bool gpu_is_usable(int device, char *why, size_t bytes);

// Returns the free memory of a device in bytes; 0 if the device cannot be used. Creates a context on it.
size_t gpu_free_bytes(int device);

// Returns whether the machine has no device or no driver at all, which needs no message.
bool gpu_is_absent(void);

// Returns the instruction set that the back ends of a GPU report (models/backend.h).
const char *gpu_instruction_set(void);

// Makes `device` the calling thread's device. STATUS_SYSTEM with the reason of gpu_is_usable.
enum status gpu_use(int device);

// Writes what determines a run's speed and bits, in one line: number, name, compute capability, memory,
// multiprocessors, L2 cache, versions of driver and runtime. "" if it cannot be used.
void gpu_describe_one(int device, char *text, size_t bytes);

#endif
