// cmocka with the standard headers that it needs before it, and those that most tests use.
#ifndef FATHOM_TESTS_SUPPORT_ASSERTS_H
#define FATHOM_TESTS_SUPPORT_ASSERTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/owned.h"

// Tests need not use cmocka's state, and imitated back ends and fields need not use all of their arguments.
#pragma GCC diagnostic ignored "-Wunused-parameter"

// Skips the running test; the reason is formatted as by printf.
#define skip_because(...)                                                                                    \
    do {                                                                                                     \
        print_message("skipped: " __VA_ARGS__);                                                              \
        print_message("\n");                                                                                 \
        skip();                                                                                              \
    } while (0)

#endif
