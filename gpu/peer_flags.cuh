// Flags between the devices of one host: numbers that one device writes into the memory of another, which
// waits for them.
//
// Release and acquire with system scope (PTX ISA, memory consistency model): who has seen a flag sees what
// the other device had written before it.
#ifndef FATHOM_GPU_PEER_FLAGS_CUH
#define FATHOM_GPU_PEER_FLAGS_CUH

#include "gpu/clock.cuh"
#include "gpu/inline.cuh"

namespace peers {

DEVICE void store_release(unsigned *flag, unsigned value)
{
    asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
}

DEVICE unsigned load_acquire(const unsigned *flag)
{
    unsigned value;
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    return value;
}

// Waits until the flag has the number or a later one; numbers may wrap around. Returns for how long.
// `failure`, in the host's memory: not 0 if a rank has failed, which ends the wait.
DEVICE unsigned long long await(const unsigned *flag, unsigned number, const int *failure)
{
    enum { LOOKS = 256 };
    if (static_cast<int>(load_acquire(flag) - number) >= 0)
        return 0;
    const unsigned long long begin_ns = kernels::now_ns();
    for (int k = 1; static_cast<int>(load_acquire(flag) - number) < 0; k++)
        if (k % LOOKS == 0 && *static_cast<const volatile int *>(failure) != 0)
            break;
    return kernels::now_ns() - begin_ns;
}

} // namespace peers

#endif
