// Measured rates of a device's memory and arithmetic alone, for benchmarks: medians of several measurements.
// Each function makes the device the calling thread's and allocates, so it is called before the seal.
// STATUS_SYSTEM if the device cannot be used or has too little memory.
#ifndef FATHOM_GPU_RATES_H
#define FATHOM_GPU_RATES_H

#include "core/element.h"
#include "core/status.h"

// Measures the bytes read and written per second by a plain copy within the device, of arrays larger than its
// caches.
enum status gpu_measure_copy(int device, double *bytes_per_s);

// Measures fused multiply-adds, and approximate inverse square roots, per second in `precision` (ELEMENT_F32
// or ELEMENT_F64), when all units of the device have independent ones in registers.
enum status gpu_measure_arithmetic(int device, enum element precision, double *fma_per_s,
                                   double *rsqrt_per_s);

// Measures random words of Philox4x32-10 per second, likewise.
enum status gpu_measure_draws(int device, double *words_per_s);

#endif
