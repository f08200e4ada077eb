// What the numerics tests of the gas model have in common: the back end that they are for (backend_test.h).
// Header only.
#ifndef FATHOM_TESTS_SUPPORT_GAS_TEST_H
#define FATHOM_TESTS_SUPPORT_GAS_TEST_H

#include "tests/support/backend_test.h"
#include "tests/support/gas_fixture.h"

BACKEND_TEST(gas);

#endif
