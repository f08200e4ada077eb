// What kernels need of the bands (bands.h).
//
// Release and acquire with system scope (PTX ISA, memory consistency model), as in gpu/exchange_kernels.cu:
// who has seen a number sees what was written before it.
#ifndef FATHOM_GPU_GAS_BANDS_CUH
#define FATHOM_GPU_GAS_BANDS_CUH

#include "gpu/gas/bands.h"
#include "gpu/inline.cuh"
#include "gpu/release.cuh"

namespace gas {

// Numbers may wrap around. After the failure of a rank it goes on with wrong values, and the host ends the
// run.
DEVICE void await_number(const unsigned *number, unsigned value, const int *failure)
{
    enum { LOOKS = 256 };
    for (int k = 1; static_cast<int>(load_acquire(number) - value) < 0; k++)
        if (k % LOOKS == 0 && *static_cast<const volatile int *>(failure) != 0)
            break;
}

// Mostly true. Without acquiring: what was read cannot change.
DEVICE bool has_number(const unsigned *number, unsigned value)
{
    return static_cast<int>(*static_cast<const volatile unsigned *>(number) - value) >= 0;
}

// By one thread, after the meeting's kernel: the next meeting counts anew, and others may write.
DEVICE void end_meeting(const gas_bands &bands)
{
    bands.state->flux = 0;
    for (int r = 0; r < bands.ranks; r++)
        if (r != bands.rank)
            store_release(&bands.peers[r].notes[bands.rank].taken, bands.number);
}

// By all threads of a block, before it writes what others read: until they have read it.
DEVICE void await_readers(const gas_bands &bands)
{
    const int other = static_cast<int>(threadIdx.x);
    if (other < bands.ranks && other != bands.rank && !has_number(&bands.notes[other].taken, bands.number))
        await_number(&bands.notes[other].taken, bands.number, bands.failure);
    __syncthreads();
}

} // namespace gas

#endif
