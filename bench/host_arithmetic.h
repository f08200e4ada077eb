// How fast the processor's arithmetic alone is, by all threads, for the benchmarks of all models.
#ifndef FATHOM_BENCH_HOST_ARITHMETIC_H
#define FATHOM_BENCH_HOST_ARITHMETIC_H

#include "core/element.h"

// Multiply-adds, and the processor's own approximations of inverse square roots, a second in the precision
// (ELEMENT_F32 or ELEMENT_F64) where nothing else limits them.
void host_arithmetic_measure(enum element precision, double *fma_per_s, double *rsqrt_per_s);

#endif
