// For tests that draw: is there a gnuplot that can? Header only.
#ifndef FATHOM_TESTS_SUPPORT_GNUPLOT_H
#define FATHOM_TESTS_SUPPORT_GNUPLOT_H

#include "tests/support/asserts.h"

static inline bool has_gnuplot(void)
{
    if (system("gnuplot -d -e 'set terminal pngcairo' >/dev/null 2>&1") == 0)
        return true;
    print_message("skipped: gnuplot with pngcairo is not installed\n");
    return false;
}

// Skips the test where there is none.
static inline void need_gnuplot(void)
{
    if (!has_gnuplot())
        skip();
}

#endif
