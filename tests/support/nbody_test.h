// What the numerics tests of the N-body model have in common: the back end that they are for
// (backend_test.h). Header only.
#ifndef FATHOM_TESTS_SUPPORT_NBODY_TEST_H
#define FATHOM_TESTS_SUPPORT_NBODY_TEST_H

#include "tests/support/backend_test.h"
#include "tests/support/nbody_fixture.h"

BACKEND_TEST(nbody);

#endif
