// What the fixtures of all models' solvers do alike: the number of threads, the memory, checkpoints, and the
// instruction sets of this machine. Header only; for the fixtures' own .c files. Every failure fails the
// running test.
#ifndef FATHOM_TESTS_SUPPORT_SOLVER_FIXTURE_H
#define FATHOM_TESTS_SUPPORT_SOLVER_FIXTURE_H

#include "core/memory_plan.h"
#include "models/backend.h"
#include "tests/support/asserts.h"
#include "tests/support/statuses.h"

#include <omp.h>

// Zeros, the caller's to free: for what is closed before the test's end.
static inline void *zeros_new(size_t count, size_t bytes)
{
    void *zeros = calloc(count, bytes);
    assert_non_null(zeros);
    return zeros;
}

// A back end takes the number of threads when it plans: `wanted`, or for 0 what OpenMP would take, at most
// `most`. Returns what it was before.
static inline int threads_choose(int wanted, int most)
{
    const int before = omp_get_max_threads();
    omp_set_num_threads(wanted > 0 ? wanted : before < most ? before : most);
    return before;
}

// The plan is valid before and after it.
static inline void solver_reserve(struct memory_plan *plan)
{
    assert_true(memory_plan_is_valid(plan));
    assert_ok(memory_plan_reserve(plan, SIZE_MAX, SIZE_MAX));
    assert_true(memory_plan_is_valid(plan));
}

// The arrays of `from`'s checkpoint become those of `to`, which is of the same setup.
static inline void solver_copy_checkpoint(const struct backend *backend, struct solver *from,
                                          struct solver *to, bool is_loaded)
{
    static struct checkpoint_array a[CHECKPOINT_ARRAYS_MAX], b[CHECKPOINT_ARRAYS_MAX];
    assert_ok(solver_fetch(backend, from));
    const int count = backend->checkpoint_arrays(from, a);
    assert_int_equal(backend->checkpoint_arrays(to, b), count);
    for (int k = 0; k < count; k++) {
        assert_string_equal(a[k].name, b[k].name);
        assert_int_equal(a[k].bytes, b[k].bytes);
        memcpy(b[k].data, a[k].data, a[k].bytes);
    }
    assert_ok(solver_touch(backend, to, is_loaded));
}

// Of the OpenMP back end; NULL: the best.
enum { SOLVER_INSTRUCTION_SETS = 3 };
static inline void solver_choose_instruction_set(const char *name)
{
    assert_int_equal(name ? setenv("FATHOM_ISA", name, 1) : unsetenv("FATHOM_ISA"), 0);
}

// Those that this machine has, slowest first. Returns how many.
static inline int solver_instruction_sets(const struct backend *openmp,
                                          const char *names[SOLVER_INSTRUCTION_SETS])
{
    static const char *const known[SOLVER_INSTRUCTION_SETS] = {"generic", "avx2", "avx512"};
    int count = 0;
    for (int k = 0; k < SOLVER_INSTRUCTION_SETS; k++) {
        solver_choose_instruction_set(known[k]);
        // A set that the processor has not is not given: the next lower one is.
        if (strcmp(backend_instruction_set(openmp), known[k]) == 0)
            names[count++] = known[k];
    }
    solver_choose_instruction_set(NULL);
    return count;
}

// NaN is the worst.
static inline double worse(double largest, double one)
{
    return isnan(one) ? (double)INFINITY : fmax(largest, one);
}

static inline uint64_t random_from(uint64_t seed)
{
    return 88172645463325252ull ^ (seed * 0x9e3779b97f4a7c15ull);
}

#endif
