// Arithmetic alone, vectorised: compiled once per instruction set (cmake/compile_options.cmake) and chosen at
// run time by host_arithmetic.c.
#ifndef FATHOM_BENCH_HOST_ARITHMETIC_ISA_H
#define FATHOM_BENCH_HOST_ARITHMETIC_ISA_H

#include "models/isa.h"

// Chains of multiply-adds, and of approximations of 1/√x, with so many operations in each of `turns`; [0]
// single precision, [1] double. The results are above 0.
struct host_arithmetic_functions {
    double operations_a_turn[2];
    double (*multiply_adds[2])(int turns), (*inverse_roots[2])(int turns);
};

ISA_TABLES(host_arithmetic_functions);

#endif
