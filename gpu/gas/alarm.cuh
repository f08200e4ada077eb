// How kernels of the gas say that something is wrong: the least of a step, a moment in it, and an id,
// whatever the order of the threads. Knows no particles.
#ifndef FATHOM_GPU_GAS_ALARM_CUH
#define FATHOM_GPU_GAS_ALARM_CUH

#include "gpu/gas/kernels.h"

namespace gas {

// Moments of a state: its lists are made; its forces are there, or it is looked at; the next step's move has
// begun.
enum alarm_moment { ALARM_LISTS, ALARM_FORCES, ALARM_MOVE };
enum { ALARM_MOMENT_BIT = 48, ALARM_ID_BIT = 8 };

// Something was wrong in an earlier state than that after `done` steps: then nothing moves any more. What the
// launch itself finds does not count, so that all its threads see the same.
__device__ __forceinline__ bool is_stopped(const gas_device_alarm *alarm, long long done)
{
    return *static_cast<const volatile long long *>(&alarm->step) < done;
}

__device__ __forceinline__ void raise_alarm(gas_device_alarm *alarm, long long done, alarm_moment moment,
                                            unsigned id, gas_trouble trouble)
{
    const unsigned long long first = static_cast<unsigned long long>(moment) << ALARM_MOMENT_BIT |
                                     static_cast<unsigned long long>(id) << ALARM_ID_BIT |
                                     static_cast<unsigned long long>(trouble);
    atomicMin(&alarm->step, done);
    atomicMin(&alarm->first, first);
}

} // namespace gas

#endif
