// `fathom bench nbody`: every way to sum the pulls, of every back end, with time, arithmetic and error.
#ifndef FATHOM_BENCH_NBODY_BENCH_H
#define FATHOM_BENCH_NBODY_BENCH_H

// Returns a process exit code; argv[0] is "bench nbody".
int nbody_bench(int argc, char **argv);

#endif
