// cmocka with the standard headers that it needs before it.
#ifndef FATHOM_TESTS_SUPPORT_ASSERTS_H
#define FATHOM_TESTS_SUPPORT_ASSERTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
