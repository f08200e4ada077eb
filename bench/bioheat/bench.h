// `fathom bench bioheat`: every variant of the heat solvers on one grid, beside the machine's copy rate.
#ifndef FATHOM_BENCH_BIOHEAT_BENCH_H
#define FATHOM_BENCH_BIOHEAT_BENCH_H

// Returns a process exit code; argv[0] is "bench bioheat".
int bioheat_bench(int argc, char **argv);

#endif
