// `fathom bench gas`: every potential by every method of every back end, with time, arithmetic, memory
// traffic and error.
#ifndef FATHOM_BENCH_GAS_BENCH_H
#define FATHOM_BENCH_GAS_BENCH_H

// Returns a process exit code; argv[0] is "bench gas".
int gas_bench(int argc, char **argv);

#endif
