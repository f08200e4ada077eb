// A number that another device may read or write (PTX ISA, memory consistency model): who acquires it also
// sees what its writer wrote before.
#ifndef FATHOM_GPU_RELEASE_CUH
#define FATHOM_GPU_RELEASE_CUH

#include "gpu/inline.cuh"

DEVICE void store_release(unsigned *number, unsigned value)
{
    asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(number), "r"(value) : "memory");
}

DEVICE unsigned load_acquire(const unsigned *number)
{
    unsigned value;
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(number) : "memory");
    return value;
}

#endif
