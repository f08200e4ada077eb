// The rates of the processor's arithmetic alone, on all threads, for the benchmarks of all models.
#ifndef FATHOM_BENCH_HOST_ARITHMETIC_H
#define FATHOM_BENCH_HOST_ARITHMETIC_H

#include "core/element.h"

// Measures how many multiply-adds, and how many approximate inverse square roots, all threads compute per
// second if nothing else limits them. precision: ELEMENT_F32 or ELEMENT_F64. repeat: repetitions at most (of
// more than five, five), from 1.
void host_arithmetic_measure(enum element precision, int repeat, double *fma_per_s, double *rsqrt_per_s);

#endif
