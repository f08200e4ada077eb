// How fast a device's arithmetic alone is, for benchmarks.
#ifndef FATHOM_GPU_ARITHMETIC_H
#define FATHOM_GPU_ARITHMETIC_H

#include "core/element.h"
#include "core/status.h"

// Fused multiply-adds, and approximate inverse square roots, of the precision (ELEMENT_F32 or ELEMENT_F64)
// that the device does a second when all its units have independent ones in registers; medians. The device
// becomes the calling thread's. Allocates: before any seal. STATUS_SYSTEM if the device cannot be used.
enum status gpu_measure_arithmetic(int device, enum element precision, double *fma_per_s,
                                   double *rsqrt_per_s);

// Random words of Philox4x32-10 a second, likewise.
enum status gpu_measure_draws(int device, double *words_per_s);

#endif
