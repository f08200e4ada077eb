// The loops over all j of the processor's rungs that sum all pairs, for one particle i: compiled once per
// instruction set and chosen at run time. They are plain C in the shape that the thesis describes: what the
// compiler makes vectors of, and what it cannot, is a part of what the rungs show.
#ifndef FATHOM_BENCH_LADDER_GAS_HOST_PAIRS_ISA_H
#define FATHOM_BENCH_LADDER_GAS_HOST_PAIRS_ISA_H

#include "bench/ladder/gas/gas_common.h"
#include "models/isa.h"

// Particle i and others j, whose arrays begin at the first of them. A loop of the I kind adds to `sum` what i
// gains, one of the J kind subtracts from `velocity` what j loses, IJ does both.
struct gas_pair_task {
    float own[LADDER_AXES];       // position of i
    float constant;               // A Δt
    size_t count;                 // of the others
    size_t stride;                // `skipping` takes every stride-th of them
    const float *at[LADDER_AXES]; // [count]
    float *velocity[2];           // of the others, [count]; unused by I
    float *row[2];                // of the thread, [count]: what is stored between loops
    float sum[LADDER_AXES];
};

typedef void gas_pair_loop(struct gas_pair_task *task);

struct gas_pair_loops {
    gas_pair_loop *i_plain;                // MTI
    gas_pair_loop *i_unrolled;             // CPUMTI_U2: two j a turn
    gas_pair_loop *i_root;                 // GPUMTI: 1/√(s·s)
    gas_pair_loop *i_fission_mem;          // three loops: factors are stored, x, y
    gas_pair_loop *i_fission_fusion_mem;   // two loops: both components are stored, x and y
    gas_pair_loop *i_fission_fusion_mem_2; // the second one with two j a turn
    gas_pair_loop *i_3d, *i_3d_vectors;    // one j a turn; as many as fit a vector
    gas_pair_loop *j_plain;                // MTJ
    gas_pair_loop *j_from_array;           // the same; i's position is read anew for each j
    gas_pair_loop *j_skipping;             // MTJ of every stride-th j
    gas_pair_loop *j_fission;              // two loops, x and y, each with the whole pair
    gas_pair_loop *j_fission_mem;          // three loops: factors are stored, x, y
    gas_pair_loop *ij_plain;               // MTIJ
    gas_pair_loop *ij_fission_mem;         // five loops: factors are stored, x and y of j, x and y of i
    gas_pair_loop *ij_fission_fusion_mem;  // two loops: both components are stored; all updates
};

ISA_TABLES(gas_pair_loops);

#endif
