// What the numerics tests of the N-body model have in common: the back end that they are for
// (backend_test.h). Header only.
#ifndef FATHOM_TESTS_SUPPORT_NBODY_TEST_H
#define FATHOM_TESTS_SUPPORT_NBODY_TEST_H

#include "tests/support/backend_test.h"
#include "tests/support/nbody_fixture.h"

static const struct nbody_backend *nbody_backend;

static inline bool nbody_is_reference(void)
{
    return strcmp(nbody_backend->head.name, "reference") == 0;
}

static inline void nbody_use(const struct backend *backend)
{
    nbody_backend = (const struct nbody_backend *)backend;
}

static inline int nbody_test_main(int argc, char **argv, const struct CMUnitTest *tests, size_t count)
{
    return backend_test_main(argc, argv, &nbody_backends, nbody_use, tests, count);
}

#endif
