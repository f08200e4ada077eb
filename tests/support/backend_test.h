// The main function of the numerics tests of a model: each program runs all its tests on every host back end,
// or, with a back end's name as its argument ("cuda"), on that one alone; without its device it is skipped by
// name. Header only.
#ifndef FATHOM_TESTS_SUPPORT_BACKEND_TEST_H
#define FATHOM_TESTS_SUPPORT_BACKEND_TEST_H

#include "gpu/device.h"
#include "models/backend.h"
#include "tests/support/asserts.h"

// Exit code of the program; `use` gets the back end before its tests run. 77 is what ctest counts as
// skipped.
static inline int backend_test_main(int argc, char **argv, const struct backend_list *list,
                                    void (*use)(const struct backend *backend),
                                    const struct CMUnitTest *tests, size_t count)
{
    const char *names[] = {"reference", "openmp"};
    char why[512] = "it is not in this build";
    int failed = 0;
    gpu_register();
    for (size_t k = 0; k < (argc > 1 ? 1 : 2); k++) {
        const char *name = argc > 1 ? argv[1] : names[k];
        const struct backend *backend = backend_find(list, name);
        if (!backend || (backend->is_usable && !backend->is_usable(0, why, sizeof why))) {
            printf("skipped: %s: %s\n", name, why);
            return argc > 1 && failed == 0 ? 77 : 1;
        }
        use(backend);
        print_message("back end %s\n", name);
        failed += _cmocka_run_group_tests(name, tests, count, NULL, NULL);
    }
    return failed;
}

// What the tests of a model have in common: MODEL_backend, the back end that they are for, whether it is the
// reference, and MODEL_test_main for their suites.
#define BACKEND_TEST(model)                                                                                  \
    static const struct model##_backend *model##_backend;                                                    \
    static inline bool model##_is_reference(void)                                                            \
    {                                                                                                        \
        return strcmp(model##_backend->head.name, "reference") == 0;                                         \
    }                                                                                                        \
    static inline void model##_use(const struct backend *backend)                                            \
    {                                                                                                        \
        model##_backend = (const struct model##_backend *)backend;                                           \
    }                                                                                                        \
    static inline int model##_test_main(int argc, char **argv, const struct CMUnitTest *tests, size_t count) \
    {                                                                                                        \
        return backend_test_main(argc, argv, &model##_backends, model##_use, tests, count);                  \
    }                                                                                                        \
    _Static_assert(1, "takes the semicolon")

#endif
