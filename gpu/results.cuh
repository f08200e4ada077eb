// What kernels that compute records have in common. Independent of models.
#ifndef FATHOM_GPU_RESULTS_CUH
#define FATHOM_GPU_RESULTS_CUH

#include "gpu/inline.cuh"

namespace results {

// NaN with the host's bits; the device's own NaN has others.
DEVICE void store(float *record, size_t index, double value)
{
    record[index] = isnan(value) ? __int_as_float(0x7fc00000) : static_cast<float>(value);
}

DEVICE void store(double *record, size_t index, double value)
{
    record[index] = isnan(value) ? __longlong_as_double(0x7ff8000000000000LL) : value;
}

} // namespace results

#endif
