// How kernels of the gas say that something is wrong: the least of a step, a moment in it, and an id,
// whatever the order of the threads. Knows no particles.
#ifndef FATHOM_GPU_GAS_ERROR_FLAG_CUH
#define FATHOM_GPU_GAS_ERROR_FLAG_CUH

#include "gpu/gas/kernels.h"

namespace gas {

// Moments of a state: its lists are made; its forces are there, or it is looked at; the next step's move has
// begun.
enum error_moment { ERROR_IN_LISTS, ERROR_IN_FORCES, ERROR_IN_MOVE };
enum { ERROR_MOMENT_BIT = 48, ERROR_ID_BIT = 8 };

// Something was wrong in an earlier state than that after `done` steps: then nothing moves any more. What the
// launch itself finds does not count, so that all its threads see the same.
__device__ __forceinline__ bool is_stopped(const gas_error_flag *error_flag, long long done)
{
    return *static_cast<const volatile long long *>(&error_flag->step) < done;
}

__device__ __forceinline__ void raise_error_flag(gas_error_flag *error_flag, long long done,
                                                 error_moment moment, unsigned id, gas_error error)
{
    const unsigned long long first = static_cast<unsigned long long>(moment) << ERROR_MOMENT_BIT |
                                     static_cast<unsigned long long>(id) << ERROR_ID_BIT |
                                     static_cast<unsigned long long>(error);
    atomicMin(&error_flag->step, done);
    atomicMin(&error_flag->first, first);
}

} // namespace gas

#endif
