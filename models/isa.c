// Which instruction set to use: what the compiler made and the processor has.
#include "models/isa.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum isa isa_best(void)
{
#if defined(HAVE_ISA_avx512)
    const char *wanted = getenv("FATHOM_ISA"); // for tests: never more than the processor has
    const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                            __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                            __builtin_cpu_supports("avx512vl");
    const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                          __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    if (has_avx512 && (!wanted || strcmp(wanted, "avx512") == 0))
        return ISA_AVX512;
    if (has_avx2 && (!wanted || strcmp(wanted, "generic") != 0))
        return ISA_AVX2;
#endif
    return ISA_GENERIC;
}
