// Sweeps of METROPOLIS_INTEGER (models/ising/state.h) with an integer, or a byte, a spin: a baseline for 32
// spins a word. Each function only begins its work on the stream; memory is the caller's.
#ifndef FATHOM_GPU_ISING_PLAIN_H
#define FATHOM_GPU_ISING_PLAIN_H

#include "gpu/extern_c.h"
#include "gpu/ising/kernels.h"

EXTERN_C_BEGIN

enum ising_plain_format {
    ISING_PLAIN_WHOLE, // int32_t ±1, [replicas][rows][columns]
    // int8_t ±1, of even and of odd x apart: [replicas][2][rows][columns/2], rows aligned to 4
    ISING_PLAIN_COMPRESSED,
};

// Of the rows that a rank holds.
struct ising_plain {
    struct ising_words layout;
    enum ising_plain_format format;
    void *spins; // from the row first_held on
    int64_t first_held;
};

// Of a row in memory, and how many such there are after each other: [parts][held rows].
size_t ising_plain_row_bytes(const struct ising_plain *plain);
size_t ising_plain_parts(const struct ising_plain *plain);
// From the words of state.h, and to them: all held rows.
cudaError_t ising_plain_spread(const struct ising_plain *plain, const struct ising_device_lattice *from,
                               cudaStream_t stream);
cudaError_t ising_plain_gather(const struct ising_plain *plain, const struct ising_device_lattice *to,
                               cudaStream_t stream);
// Those rows of a sublattice.
cudaError_t ising_plain_sublattice(const struct ising_plain *plain, const struct ising_rule *rule,
                                   uint32_t sweep, int sublattice, const struct ising_row_set *rows,
                                   cudaStream_t stream);
cudaError_t ising_plain_load(void);

EXTERN_C_END

#endif
