// Times the rungs (bench/ladder/ising/lattice.h) for the figures 4.13 to 4.16 of Karkoulis (2010), and prints
// them. Part of `fathom bench ising --table source|sizes|blocks`.
#ifndef FATHOM_BENCH_ISING_LADDER_H
#define FATHOM_BENCH_ISING_LADDER_H

#include "bench/bench.h"

#include <stdbool.h>

// The figures: 4.13, device rungs over L; 4.15 and 4.16, serial against device; 4.14, shapes of blocks.
enum { ISING_LADDER_SOURCE = 1, ISING_LADDER_SIZES = 2, ISING_LADDER_BLOCKS = 4 };

// Times what the tables (a set of bits) need, on the back ends and with the sizes of the benchmark.
enum status ising_ladder_time(const struct bench *bench, unsigned tables);
void ising_ladder_print(const struct bench *bench, unsigned tables);
// What was timed in place of one of the author's figures (bench_model's find_ours).
double ising_ladder_find_ours(const struct bench *bench, struct bench_figure *figure);
void ising_ladder_report(const struct bench *bench, struct cJSON *report);

#endif
