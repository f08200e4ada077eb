// The kernels that prepare the flags of moving tiles for neighbouring ranks and take over theirs. Independent
// of solvers and of the exchange.
#ifndef FATHOM_GPU_TSUNAMI_FLAGS_H
#define FATHOM_GPU_TSUNAMI_FLAGS_H

#include "gpu/exchange_kernels.h"

EXTERN_C_BEGIN

// Rows of tiles that neighbours tell each other: those that a step of the other one's outermost tiles looks
// at.
enum { FLAG_ROWS = 2 };

// The flags of one step: [rows of tiles][parts][columns]. By side: the first row of tiles that is sent, and
// that is received; of the received rows of parts, the one of which this rank has some rows, where flags are
// joined (−1: none), and those that are all its own, where they are kept.
struct tsunami_border_flags {
    unsigned char *moving, *into; // of this rank; where those of neighbours are joined
    int columns, parts;
    int has_neighbour[GPU_EXCHANGE_SIDES];
    int sent[GPU_EXCHANGE_SIDES], received[GPU_EXCHANGE_SIDES], shared[GPU_EXCHANGE_SIDES];
    int first_kept[GPU_EXCHANGE_SIDES], end_kept[GPU_EXCHANGE_SIDES];
    unsigned char *send[GPU_EXCHANGE_SIDES], *receive[GPU_EXCHANGE_SIDES]; // [FLAG_ROWS][parts][columns]
};

cudaError_t tsunami_launch_pack_flags(const struct tsunami_border_flags *flags, cudaStream_t stream);
cudaError_t tsunami_launch_merge_flags(const struct tsunami_border_flags *flags, cudaStream_t stream);

EXTERN_C_END

#endif
