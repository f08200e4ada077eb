// What the numerics tests of the gas model have in common: the back end that they are for (backend_test.h).
// Header only.
#ifndef FATHOM_TESTS_SUPPORT_GAS_TEST_H
#define FATHOM_TESTS_SUPPORT_GAS_TEST_H

#include "tests/support/backend_test.h"
#include "tests/support/gas_fixture.h"

static const struct gas_backend *gas_backend;

static inline bool gas_is_reference(void)
{
    return strcmp(gas_backend->head.name, "reference") == 0;
}

static inline void gas_use(const struct backend *backend)
{
    gas_backend = (const struct gas_backend *)backend;
}

static inline int gas_test_main(int argc, char **argv, const struct CMUnitTest *tests, size_t count)
{
    return backend_test_main(argc, argv, &gas_backends, gas_use, tests, count);
}

#endif
