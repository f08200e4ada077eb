// Sorts and running sums of whole arrays on a device, by CUB, whose headers for them take longest of all to
// compile: sort.cu alone includes them. Independent of models.
#ifndef FATHOM_GPU_SORT_H
#define FATHOM_GPU_SORT_H

#include "gpu/extern_c.h"

#include <cuda_runtime_api.h>
#include <stddef.h>

EXTERN_C_BEGIN

// The values of pairs of a key and a value; keys and values lie in one of two arrays of `count` each on the
// device: `current` is the index of those that hold them, before and after. Equal keys keep their order. A
// sort may use both.
struct gpu_sort_values {
    unsigned *values[2];
    size_t count; // < 2³¹
    int current;
};

// With scratch NULL a function only sets `bytes` to the scratch that it needs on the device; otherwise
// `bytes` is how much there is. All return CUB's error.

// Sorts by the keys' lowest `bits` bits, or by all numbers.
cudaError_t gpu_sort_by_integers(void *scratch, size_t *bytes, unsigned long long *const keys[2], int bits,
                                 struct gpu_sort_values *pairs, cudaStream_t stream);
cudaError_t gpu_sort_by_numbers(void *scratch, size_t *bytes, double *const keys[2],
                                struct gpu_sort_values *pairs, cudaStream_t stream);
// Replaces each of `count` numbers by the sum of those before it.
cudaError_t gpu_sort_running_sums(void *scratch, size_t *bytes, unsigned *numbers, size_t count,
                                  cudaStream_t stream);

EXTERN_C_END

#endif
