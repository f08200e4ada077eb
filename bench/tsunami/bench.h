// `fathom bench tsunami`: every variant of the solver on one grid, beside the machine's copy rate.
#ifndef FATHOM_BENCH_TSUNAMI_BENCH_H
#define FATHOM_BENCH_TSUNAMI_BENCH_H

// Returns a process exit code; argv[0] is "bench tsunami".
int tsunami_bench(int argc, char **argv);

#endif
