// Included by every test file: cmocka with the headers that it needs, the standard headers that most tests
// use, and TEST, which defines and registers a test. So one program contains the tests of many files.
//
//     TEST_SUITE(.setup = folder_make, .teardown = folder_remove)  what the tests of the file share; optional
//     TEST(name) { ... }                                            one test
//
// A program runs the file that its first argument names (`test_io journal` runs test_journal.c), with the
// arguments that follow; a program of one file needs no argument. Independent of the program under test.
#ifndef FATHOM_TESTS_SUPPORT_TEST_H
#define FATHOM_TESTS_SUPPORT_TEST_H

#include "tests/support/asserts.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

// Formats as printf does, into one of a few static buffers; the text is valid during the next 255 calls.
__attribute__((format(printf, 1, 2))) static inline char *format_text(const char *format, ...)
{
    enum { TEXTS = 256, TEXT_LENGTH = 1024 };
    static char texts[TEXTS][TEXT_LENGTH];
    static unsigned next;
    char *text = texts[next++ % TEXTS];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, TEXT_LENGTH, format, arguments);
    va_end(arguments);
    assert_in_range(length, 0, TEXT_LENGTH - 1);
    return text;
}

// Fails unless the text contains each of the fragments.
#define assert_has(text, ...) assert_has_all(text, (const char *const[]){__VA_ARGS__, NULL})
static inline void assert_has_all(const char *text, const char *const *fragments)
{
    assert_non_null(text);
    for (; *fragments; fragments++)
        if (!strstr(text, *fragments))
            fail_msg("\"%s\" lacks \"%s\"", text, *fragments);
}

// The argument "cuda" after the file's name chooses the tests of the device: those of CUDA_TEST if the file
// has any, otherwise all except those of TEST_ON_HOST.
enum test_where { TEST_ANYWHERE, TEST_HOST, TEST_DEVICE };

struct test_suite {
    int (*setup)(void **state), (*teardown)(void **state);             // (optional) around each test
    int (*group_setup)(void **state), (*group_teardown)(void **state); // (optional) around all of them
    // (optional) Called before the first test; argv[0] is the file's name. If it does not return 0, the
    // program ends with its value.
    int (*begin)(int argc, char **argv);
    void (*end)(void); // (optional) after the last test
    // (optional) Runs the tests instead of cmocka_run_group_tests, and returns the exit code.
    int (*run)(int argc, char **argv, const struct CMUnitTest *tests, size_t count);
    unsigned limit_s; // the program ends after so many seconds, so that a hang is a failure; 0: no limit
};

// The main function of a program (test_main.c): runs the file that the arguments name.
int test_main(int argc, char **argv);

// Sets the suite of a file; `suite` must exist until the end of the program.
void test_suite_register(const char *file, const struct test_suite *suite);
// `has_own`: setup and teardown as given here; otherwise those of the file's suite.
void test_register(const char *file, const char *name, CMUnitTestFunction function, enum test_where where,
                   bool has_own, int (*setup)(void **state), int (*teardown)(void **state));

#define TEST_SUITE(...)                                                                                      \
    static const struct test_suite test_suite_of_file = {__VA_ARGS__};                                       \
    __attribute__((constructor)) static void test_suite_register_file(void)                                  \
    {                                                                                                        \
        test_suite_register(__FILE__, &test_suite_of_file);                                                  \
    }                                                                                                        \
    _Static_assert(1, "takes the semicolon")

// A suite that has only a setup and a teardown of each test.
#define TEST_MAIN(before, after) TEST_SUITE(.setup = before, .teardown = after);

#define TEST(name)         TEST_DEFINE(name, TEST_ANYWHERE, false, NULL, NULL)
#define TEST_ON_HOST(name) TEST_DEFINE(name, TEST_HOST, false, NULL, NULL)
#define CUDA_TEST(name)    TEST_DEFINE(name, TEST_DEVICE, false, NULL, NULL)
// A test with its own setup and teardown (NULL: none) instead of the suite's.
#define TEST_WITH(name, setup, teardown) TEST_DEFINE(name, TEST_ANYWHERE, true, setup, teardown)

#define TEST_DEFINE(name, where, has_own, setup, teardown)                                                   \
    static void name(void **cmocka_state);                                                                   \
    __attribute__((constructor)) static void name##_register(void)                                           \
    {                                                                                                        \
        test_register(__FILE__, #name, name, where, has_own, setup, teardown);                               \
    }                                                                                                        \
    static void name(__attribute__((unused)) void **cmocka_state)

#endif
