// See host_arithmetic.h.
#include "bench/host_arithmetic.h"

#include "bench/host_arithmetic_isa.h"
#include "core/clock.h"
#include "models/isa.h"

#include <omp.h>

enum { REPEATS_MOST = 5 };

// Operations a second of all threads together, in the fastest of some repetitions: a limit, which other work
// on the machine only lowers.
static double rate_of(double (*chains)(int turns), double operations_a_turn, int turns, int repeat)
{
    double largest = 0, sink = 0;
    const double operations = operations_a_turn * turns * omp_get_max_threads();
    for (int k = -1; k < repeat && k < REPEATS_MOST; k++) { // the first one is slow
        const double start_s = clock_now_s();
#pragma omp parallel reduction(+ : sink)
        sink += chains(turns);
        const double rate = operations / (clock_now_s() - start_s);
        if (k >= 0 && rate > largest)
            largest = rate;
    }
    return sink >= 0 ? largest : 0; // always: the chains are positive
}

void host_arithmetic_measure(enum element precision, int repeat, double *fma_per_s, double *rsqrt_per_s)
{
    const struct host_arithmetic_functions *functions = ISA_TABLE(host_arithmetic_functions);
    const int kind = precision == ELEMENT_F32 ? 0 : 1;
    const double operations = functions->operations_a_turn[kind];
    *fma_per_s = rate_of(functions->multiply_adds[kind], operations, 1 << 20, repeat);
    *rsqrt_per_s = rate_of(functions->inverse_roots[kind], operations, 1 << 18, repeat);
}
