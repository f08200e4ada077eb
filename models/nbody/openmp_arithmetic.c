// How fast the processor's arithmetic alone is, by all threads: what the direct sums are measured against. Knows no body.
#include "core/clock.h"
#include "models/nbody/openmp_direct_isa.h"

#include <omp.h>

enum { REPEATS = 5 };

// Operations a second of all threads together, of the quickest of some repeats: a limit, which others' work only lowers.
static double rate_of(double (*chains)(int turns), double operations_a_turn, int turns)
{
    double largest = 0, sink = 0;
    const double operations = operations_a_turn * turns * omp_get_max_threads();
    for (int k = -1; k < REPEATS; k++) { // the first one is slow
        const double start_s = clock_now_s();
#pragma omp parallel reduction(+ : sink)
        sink += chains(turns);
        const double rate = operations / (clock_now_s() - start_s);
        if (k >= 0 && rate > largest)
            largest = rate;
    }
    return sink >= 0 ? largest : 0; // it is: the chains are positive
}

enum status nbody_openmp_measure_arithmetic(int device, enum element precision, double *fma_per_s,
                                            double *rsqrt_per_s)
{
    const struct direct_functions *functions = nbody_direct_functions();
    const int kind = precision == ELEMENT_F32 ? 0 : 1;
    const double operations = functions->operations_a_turn[kind];
    (void)device;
    *fma_per_s = rate_of(functions->multiply_adds[kind], operations, 1 << 20);
    *rsqrt_per_s = rate_of(functions->inverse_roots[kind], operations, 1 << 18);
    return STATUS_OK;
}
