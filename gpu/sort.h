// Sorting and running sums of whole arrays on a device, with CUB. Only sort.cu includes CUB's headers for
// them, because they compile slowly. Independent of models.
#ifndef FATHOM_GPU_SORT_H
#define FATHOM_GPU_SORT_H

#include "gpu/extern_c.h"

#include <cuda_runtime_api.h>
#include <stddef.h>

EXTERN_C_BEGIN

// The values of pairs of a key and a value. Keys and values each have two arrays of `count` on the device; a
// sort may use both. `current` is the index of the arrays that hold the pairs, before and after the sort.
// Equal keys keep their order.
struct gpu_sort_values {
    unsigned *values[2];
    size_t count; // < 2³¹
    int current;
};

// If scratch is NULL, a function only sets `bytes` to the size of the scratch that it needs on the device;
// otherwise `bytes` is the size of `scratch`. All functions return CUB's error.

// Sort by the lowest `bits` bits of integer keys, or by keys that are numbers.
cudaError_t gpu_sort_by_integers(void *scratch, size_t *bytes, unsigned long long *const keys[2], int bits,
                                 struct gpu_sort_values *pairs, cudaStream_t stream);
cudaError_t gpu_sort_by_numbers(void *scratch, size_t *bytes, double *const keys[2],
                                struct gpu_sort_values *pairs, cudaStream_t stream);
// Replaces each of `count` numbers by the sum of those before it.
cudaError_t gpu_sort_running_sums(void *scratch, size_t *bytes, unsigned *numbers, size_t count,
                                  cudaStream_t stream);

EXTERN_C_END

#endif
