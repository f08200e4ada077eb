// Sorting and running sums with CUB, which chooses its block sizes for each architecture: see sort.h.
#include "gpu/sort.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

namespace {

template <typename Key>
cudaError_t sort_pairs(void *scratch, size_t *bytes, Key *const keys[2], int bits, gpu_sort_values *pairs,
                       cudaStream_t stream)
{
    const int now = pairs->current;
    cub::DoubleBuffer<Key> from(keys[now], keys[1 - now]);
    cub::DoubleBuffer<unsigned> values(pairs->values[now], pairs->values[1 - now]);
    const cudaError_t error = cub::DeviceRadixSort::SortPairs(
        scratch, *bytes, from, values, static_cast<int>(pairs->count), 0, bits, stream);
    pairs->current = from.selector == 0 ? now : 1 - now;
    return error;
}

} // namespace

extern "C" cudaError_t gpu_sort_by_integers(void *scratch, size_t *bytes, unsigned long long *const keys[2],
                                            int bits, gpu_sort_values *pairs, cudaStream_t stream)
{
    return sort_pairs(scratch, bytes, keys, bits, pairs, stream);
}

extern "C" cudaError_t gpu_sort_by_numbers(void *scratch, size_t *bytes, double *const keys[2],
                                           gpu_sort_values *pairs, cudaStream_t stream)
{
    return sort_pairs(scratch, bytes, keys, 64, pairs, stream);
}

extern "C" cudaError_t gpu_sort_running_sums(void *scratch, size_t *bytes, unsigned *numbers, size_t count,
                                             cudaStream_t stream)
{
    return cub::DeviceScan::ExclusiveSum(scratch, *bytes, numbers, numbers, static_cast<int>(count), stream);
}
