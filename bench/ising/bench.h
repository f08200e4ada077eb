// `fathom bench ising`: every method of every back end, with spins turned a nanosecond, arithmetic, memory
// traffic, and the energy against the exact one.
#ifndef FATHOM_BENCH_ISING_BENCH_H
#define FATHOM_BENCH_ISING_BENCH_H

// Returns a process exit code; argv[0] is "bench ising".
int ising_bench(int argc, char **argv);

#endif
