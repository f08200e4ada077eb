// OpenMP without threads, for builds that leave its pragmas out.
#ifndef FATHOM_TESTS_FUZZ_CLANG_OMP_H
#define FATHOM_TESTS_FUZZ_CLANG_OMP_H

static inline int omp_get_max_threads(void)
{
    return 1;
}

static inline int omp_get_num_threads(void)
{
    return 1;
}

static inline int omp_get_thread_num(void)
{
    return 0;
}

static inline void omp_set_num_threads(int count)
{
    (void)count;
}

#endif
