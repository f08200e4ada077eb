// Reproducible sums, order statistics of small arrays, and differences of two arrays. No allocation, no
// physics, no files.
//
// Sums. An array of `count` elements is cut into blocks of 4096 by GLOBAL index. Inside a
// block, element i goes to lane i mod 8, each lane is summed in index order, and the lanes are added as a
// fixed tree; the blocks' sums are then added in index order with Neumaier's compensation (Z. angew. Math.
// Mech. 54, 39–51, 1974). What a thread, a tile or a device gets to sum never changes the order of the
// additions, so it never changes a bit. Lanes also let the compiler use vector instructions without
// reordering.
//
// The error is below 515 · 2⁻⁵³ · Σ|x| (the depth of one block), whatever the number of blocks.
#ifndef FATHOM_CORE_STATISTICS_H
#define FATHOM_CORE_STATISTICS_H

#include "core/status.h"

#include <stddef.h>
#include <stdint.h>

enum { STATISTICS_BLOCK = 4096, STATISTICS_LANES = 8 };

// ---- Sums by many threads: every block has its own place.

struct block_sum {
    double *lanes; // [block][STATISTICS_LANES]; the caller's memory
    uint64_t count;
    uint64_t blocks;
};

// Bytes of memory that block_sum_init needs for `count` elements; SIZE_MAX if they cannot be counted.
size_t block_sum_bytes(uint64_t count);

// Takes `memory` (aligned for double, `bytes` ≥ block_sum_bytes(count); the caller's, for as long as the sum
// is used) and clears it. Too little memory → STATUS_SOFTWARE.
enum status block_sum_init(struct block_sum *sum, uint64_t count, void *memory, size_t bytes);

// Sets all blocks to zero, for the next sum.
void block_sum_clear(struct block_sum *sum);

// Adds element `index` (0 … count − 1, global). Elements without a value (land) may be left out. Only one
// thread at a time may add to a block, in ascending order of index; it may do so in several pieces.
static inline void block_sum_add(struct block_sum *sum, uint64_t index, double value)
{
    sum->lanes[index / STATISTICS_BLOCK * STATISTICS_LANES + index % STATISTICS_LANES] += value;
}

// The two steps of the sum of all blocks, for sums of which several processes have parts: the sum of a
// block's lanes, and one addition of it to the total of the blocks before. The sum is total + compensation.
double statistics_add_lanes(const double lanes[STATISTICS_LANES]);
void statistics_add_block(double *total, double *compensation, double block);

// The sum of all blocks.
double block_sum_total(const struct block_sum *sum);

// ---- The same sum by one thread over a stream of values, without memory for the blocks. Start from {0}.

struct running_sum {
    double lanes[STATISTICS_LANES];
    double total, compensation;
    uint64_t count;
};

void running_sum_add(struct running_sum *sum, const double *values, size_t count);
double running_sum_total(const struct running_sum *sum);

// Returns the sum of an array, with the same bits as block_sum_total and running_sum_total.
double statistics_block_sum(const double *values, size_t count);

// ---- Order statistics. `values` is sorted in place (a few thousand entries at most). No entries, or a NaN →
// NaN.

double statistics_median(double *values, size_t count);

// `percent` 0 … 100, linear between the closest ranks: definition 7 of Hyndman and Fan (Am. Stat. 50,
// 361–365, 1996), which is numpy's default. percent outside its range → NaN.
double statistics_percentile(double *values, size_t count, double percent);

// ---- The difference of a result from a reference, added piece by piece. Start from {0}.

struct difference {
    uint64_t compared;        // pairs with two numbers
    uint64_t missing;         // pairs with two NaN (land): agreed, not compared
    uint64_t mismatched;      // pairs with exactly one NaN
    uint64_t first_mismatch;  // index of the first of them, if any
    double max_abs;           // largest |value − reference|
    uint64_t max_abs_index;   // index of that pair
    double max_abs_reference; // largest |reference| among the compared
    struct running_sum squares, reference_squares;
};

void difference_add_f64(struct difference *difference, const double *reference, const double *value,
                        size_t count);

// Root mean square of the difference over the compared pairs; NaN if nothing was compared.
double difference_rms(const struct difference *difference);
// Root mean square of the reference over the compared pairs; NaN if nothing was compared.
double difference_reference_rms(const struct difference *difference);

#endif
