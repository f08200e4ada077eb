// A processor's rung while it runs: see host_pairs.h.
#ifndef FATHOM_BENCH_LADDER_GAS_HOST_PAIRS_PRIVATE_H
#define FATHOM_BENCH_LADDER_GAS_HOST_PAIRS_PRIVATE_H

#include "bench/ladder/gas/host_pairs_isa.h"

enum { GAS_HOST_ROWS = 4 }; // of a thread: what is stored of x and y, and its own velocities

struct gas_host_pairs {
    const struct gas_host_program *program;
    struct gas_ladder_particles particles;
    gas_pair_loop *loop;
    float constant;  // A Δt, or A3 Δt
    size_t block[2]; // of i and of j
    int threads;
    size_t row_stride; // in floats
    float *rows;       // [threads][GAS_HOST_ROWS][row_stride]; own velocities are 0 between steps
    float *sums;       // [threads][2][block[0]]: of a block of i
};

// What a rung does.
struct gas_host_program {
    void (*find_velocities)(struct gas_host_pairs *pairs); // v += a Δt
    size_t loop;                                           // offset of its loop in struct gas_pair_loops
    int axes;
    size_t stride; // of j_skipping
    bool is_half;  // j > i only (IJ)
    bool is_serial;
};

// v += a Δt by loops of kind I, each thread for particles of its own.
void gas_host_sum_own(struct gas_host_pairs *pairs);
// The same in blocks of i and j.
void gas_host_sum_blocks(struct gas_host_pairs *pairs);
// By loops of kind J or IJ on the velocities themselves: threads take turns with parts of them.
void gas_host_update_shared(struct gas_host_pairs *pairs);
// By loops of kind J or IJ on velocities of each thread, which are added up then.
void gas_host_update_wide(struct gas_host_pairs *pairs);

// The functions of struct ladder_rung; `create` with the rung's program.
enum status gas_host_create(const struct ladder_case *wanted, const struct gas_host_program *program,
                            void **state);
enum status gas_host_step(void *state, int count);
enum status gas_host_read(void *state, double *values);
void gas_host_destroy(void *state);

#endif
