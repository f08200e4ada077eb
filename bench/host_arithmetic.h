// How fast the processor's arithmetic alone is, by all threads, for the benchmarks of all models.
#ifndef FATHOM_BENCH_HOST_ARITHMETIC_H
#define FATHOM_BENCH_HOST_ARITHMETIC_H

#include "core/element.h"
#include "core/status.h"

// Multiply-adds, and the processor's own guesses of inverse square roots, in the precision (ELEMENT_F32 or
// ELEMENT_F64) that it does a second where nothing else holds it up. `device` is there for the tables of back
// ends: a processor has none.
enum status host_measure_arithmetic(int device, enum element precision, double *fma_per_s,
                                    double *rsqrt_per_s);

#endif
