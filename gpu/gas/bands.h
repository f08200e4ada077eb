// Bands: what each of a few ranks holds of the particles of lists, where their devices address each other's
// memory. Every rank has its share of the indices 0 … count − 1 of the sorted particles, always the same one:
// a band of rows of cells. It moves these particles alone. Of the others it holds those in the rows around,
// which it reads from their devices at a meeting of all ranks in each step: positions in the next row, with
// which its lists were built; or, where a sort is due, all of the particles in three rows.
//
// A SORT orders only what a rank holds, and finds for it the indices of one rank. Particles move by a row at
// most between two sorts. So those of the rows that are not held stay in front of, or behind, those whose
// indices a rank has to find, and their number is known: the first index held, and `flux`, the number of
// particles that have crossed the periodic end of the box upwards (the other way: negative). A rank that
// holds rows at both ends counts from both ends.
//
// Each function only begins its work on the stream.
#ifndef FATHOM_GPU_GAS_BANDS_H
#define FATHOM_GPU_GAS_BANDS_H

#include "gpu/extern_c.h"
#include "gpu/gas/kernels.h"

EXTERN_C_BEGIN

enum { BANDS_RANKS_MAX = 3 };
#define BANDS_NO_SPLIT 0xffffffffu

// What a rank tells another, in the other's memory. arrived: from the low bits on, the number of the last
// meeting to which it came, 32 bits; whether a list is stale; whether the error flag is raised, which only
// then is there; flux. One word: what it says needs no second message. taken: number of the last meeting at
// which it has read what it needs, so that the other may write again.
struct bands_note {
    unsigned long long arrived;
    unsigned taken;
    struct gas_error_flag error_flag;
};

struct bands_range {
    unsigned first, end;
};

// On the device. Ranges: in rising order; the second may be empty. Of a sort: those held, in the old order;
// rows from split_row on are counted from the end: `base` is what is added to a particle's number among those
// held, below and from that row on.
struct bands_state {
    struct bands_range near[2], held[2];
    int base[2];
    unsigned split_row;
    int flux;
    unsigned long long read_bytes, waited_ns;
};

// Of one rank, as this device addresses it.
struct bands_peer {
    const double *position, *velocity, *mass, *at_sort;
    const unsigned *id;
    struct bands_note *notes; // [rank], of which this rank writes its own
};

struct gas_bands {
    int rank, ranks;
    unsigned bounds[BANDS_RANKS_MAX + 1]; // the first particle of each rank; the number of all
    struct bands_peer peers[BANDS_RANKS_MAX];
    struct bands_note *notes; // of the others for this rank, [rank]
    struct bands_state *state;
    const int *failure; // host memory; not 0: a rank has failed, do not wait
    unsigned number;    // of the last meeting
};

// The sort that follows a meeting, also one that is skipped, tells the others that this rank has read.
//
// A meeting, after a step has moved the own particles. A list that is stale on one rank becomes so on all,
// and the first error becomes that of all; then nothing is sorted any more.
struct gas_meeting {
    const struct gas_device_grid *grid;
    unsigned *stale, token;
    struct gas_error_flag *error_flag;
};
cudaError_t gas_bands_meet(const struct gas_bands *bands, const struct gas_meeting *meeting,
                           const struct gas_device_particles *particles, cudaStream_t stream);
// Before a sort of all of `count` particles, which this rank has.
cudaError_t gas_bands_hold_all(const struct gas_bands *bands, size_t count, cudaStream_t stream);
cudaError_t gas_bands_load(void);

EXTERN_C_END

#endif
