// For test programs that need a GPU, and for the part of others that does (fathom_cuda_test in
// tests/CMakeLists.txt). Header only.
#ifndef FATHOM_TESTS_SUPPORT_CUDA_TEST_H
#define FATHOM_TESTS_SUPPORT_CUDA_TEST_H

#include "gpu/device.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// ctest counts a program that ends with it as skipped.
enum { EXIT_SKIPPED = 77 };

static inline bool wants_cuda(int argc, char **argv)
{
    return argc > 1 && strcmp(argv[1], "cuda") == 0;
}

// Is there a GPU to test on? Says so, if not.
static inline bool has_cuda(void)
{
    char devices[512];
    if (gpu_describe(devices, sizeof devices) > 0)
        return true;
    printf("skipped: cuda: %s\n", devices);
    return false;
}

// A suite's `begin` (test.h) where the back ends of a device are tested, too.
static inline int cuda_begin(int argc, char **argv)
{
    if (wants_cuda(argc, argv) && !has_cuda())
        return EXIT_SKIPPED;
    gpu_register();
    return 0;
}

// A suite with tests of its own for a GPU (test.h's CUDA_TEST).
#define CUDA_TEST_MAIN(before, after) TEST_SUITE(.setup = before, .teardown = after, .begin = cuda_begin);

#endif
