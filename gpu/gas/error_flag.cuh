// The error flag of the gas's kernels: the least step, moment in it, and id of an error, in any order of the
// threads.
#ifndef FATHOM_GPU_GAS_ERROR_FLAG_CUH
#define FATHOM_GPU_GAS_ERROR_FLAG_CUH

#include "gpu/gas/kernels.h"
#include "gpu/inline.cuh"

namespace gas {

// Moments of a state: when its lists are built; when its forces are computed, or it is checked; when the next
// step moves it.
enum error_moment { ERROR_IN_LISTS, ERROR_IN_FORCES, ERROR_IN_MOVE };
enum { ERROR_MOMENT_BIT = 48, ERROR_ID_BIT = 8 };

// Whether an earlier state than that after `done` steps had an error: then nothing moves any more. Errors of
// the launch itself do not count, so that all its threads agree.
DEVICE bool is_stopped(const gas_error_flag *error_flag, long long done)
{
    return *static_cast<const volatile long long *>(&error_flag->step) < done;
}

DEVICE void raise_error_flag(gas_error_flag *error_flag, long long done, error_moment moment, unsigned id,
                             gas_error error)
{
    const unsigned long long first = static_cast<unsigned long long>(moment) << ERROR_MOMENT_BIT |
                                     static_cast<unsigned long long>(id) << ERROR_ID_BIT |
                                     static_cast<unsigned long long>(error);
    atomicMin(&error_flag->step, done);
    atomicMin(&error_flag->first, first);
}

} // namespace gas

#endif
