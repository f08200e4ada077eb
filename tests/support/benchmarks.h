// Public benchmark files, which users may not have: in the folder FATHOM_BENCHMARKS, else beside the source
// tree.
#ifndef FATHOM_TESTS_SUPPORT_BENCHMARKS_H
#define FATHOM_TESTS_SUPPORT_BENCHMARKS_H

#include "tests/support/asserts.h"

enum { BENCHMARK_PATH = 4096 };

// A file's path; false, having stated it, if it cannot be read.
static inline bool has_benchmark(const char *name, char path[BENCHMARK_PATH])
{
    const char *folder = getenv("FATHOM_BENCHMARKS");
    const int length =
        folder ? snprintf(path, BENCHMARK_PATH, "%s/%s", folder, name)
               : snprintf(path, BENCHMARK_PATH, "%s/../shared/benchmarks/%s", TEST_SOURCE_DIRECTORY, name);
    assert_in_range(length, 1, BENCHMARK_PATH - 1);
    if (access(path, R_OK) == 0)
        return true;
    print_message("skipped: %s is not here (FATHOM_BENCHMARKS names the folder of the public files)\n", path);
    return false;
}

// The same, skipping the test.
static inline void need_benchmark(const char *name, char path[BENCHMARK_PATH])
{
    if (!has_benchmark(name, path))
        skip();
}

#endif
