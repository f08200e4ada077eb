// Numbers in tests: comparison within a tolerance, by name, and numbers that look random but are the same in
// every run.
#ifndef FATHOM_TESTS_SUPPORT_NUMBERS_H
#define FATHOM_TESTS_SUPPORT_NUMBERS_H

#include "tests/support/asserts.h"

// NaN is near nothing.
static inline void assert_near(const char *what, double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance))
        fail_msg("%s: got %.15g, expected %.15g within %.3g", what, got, expected, tolerance);
}

// The next number in low … high (xorshift64*). The state begins with any number but 0.
static inline double next_uniform(uint64_t *state, double low, double high)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return low + (high - low) * ((double)((*state * 2685821657736338717ull) >> 11) * 0x1p-53);
}

#endif
