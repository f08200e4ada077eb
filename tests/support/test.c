// Registers the tests of a program, chooses those of its arguments, and runs them (see test.h).
#include "tests/support/test.h"

enum { FILES_MAX = 128 };

struct test_file {
    const char *path;
    const struct test_suite *suite;
    struct CMUnitTest *tests;
    struct test_choice {
        enum test_where where;
        bool has_own; // setup and teardown
        int (*setup)(void **state), (*teardown)(void **state);
    } * choices; // one for each test
    size_t count;
};

static struct test_file files[FILES_MAX];
static size_t file_count;

static struct test_file *file_of(const char *path)
{
    static const struct test_suite plain = {0};
    for (size_t k = 0; k < file_count; k++)
        if (strcmp(files[k].path, path) == 0)
            return &files[k];
    if (file_count == FILES_MAX)
        abort();
    files[file_count] = (struct test_file){.path = path, .suite = &plain};
    return &files[file_count++];
}

void test_suite_register(const char *file, const struct test_suite *suite)
{
    file_of(file)->suite = suite;
}

// begin_test and end_test run before and after each test: its set-up and tear-down; then what the test owns
// is freed.
static struct test_choice *running;
static const void *mark;

static int begin_test(void **state)
{
    running = *state;
    *state = NULL;
    mark = owned_mark();
    return running->setup ? running->setup(state) : 0;
}

static int end_test(void **state)
{
    const int code = running->teardown ? running->teardown(state) : 0;
    owned_release(mark);
    return code;
}

void test_register(const char *file, const char *name, CMUnitTestFunction function, enum test_where where,
                   bool has_own, int (*setup)(void **state), int (*teardown)(void **state))
{
    struct test_file *f = file_of(file);
    f->tests = realloc(f->tests, (f->count + 1) * sizeof *f->tests);
    f->choices = realloc(f->choices, (f->count + 1) * sizeof *f->choices);
    if (!f->tests || !f->choices)
        abort();
    f->tests[f->count] = (struct CMUnitTest){name, function, begin_test, end_test, NULL};
    f->choices[f->count++] = (struct test_choice){where, has_own, setup, teardown};
}

// ".../test_journal.c" is "journal".
static bool has_subject(const struct test_file *f, const char *subject)
{
    const char *slash = strrchr(f->path, '/'), *name = slash ? slash + 1 : f->path;
    const size_t length = strlen(subject);
    return strncmp(name, "test_", 5) == 0 && strncmp(name + 5, subject, length) == 0 &&
           strcmp(name + 5 + length, ".c") == 0;
}

static bool is_chosen(enum test_where where, bool is_on_device, bool has_device_tests)
{
    if (!is_on_device)
        return where != TEST_DEVICE;
    return has_device_tests ? where == TEST_DEVICE : where != TEST_HOST;
}

// Keeps the tests of the host or of the device, and gives them the suite's setup and teardown.
static void choose(struct test_file *f, bool is_on_device)
{
    bool has_device_tests = false;
    for (size_t k = 0; k < f->count; k++)
        has_device_tests |= f->choices[k].where == TEST_DEVICE;
    size_t kept = 0;
    for (size_t k = 0; k < f->count; k++) {
        if (!is_chosen(f->choices[k].where, is_on_device, has_device_tests))
            continue;
        struct test_choice *choice = &f->choices[k];
        if (!choice->has_own) {
            choice->setup = f->suite->setup;
            choice->teardown = f->suite->teardown;
        }
        f->tests[kept] = f->tests[k];
        f->tests[kept++].initial_state = choice;
    }
    f->count = kept;
}

static int run_file(struct test_file *f, const char *subject, int argc, char **argv)
{
    const struct test_suite *suite = f->suite;
    choose(f, argc > 1 && strcmp(argv[1], "cuda") == 0);
    if (suite->limit_s > 0)
        alarm(suite->limit_s);
    const int code = suite->begin ? suite->begin(argc, argv) : 0;
    if (code != 0)
        return code;
    const int failed = suite->run ? suite->run(argc, argv, f->tests, f->count)
                                  : _cmocka_run_group_tests(subject, f->tests, f->count, suite->group_setup,
                                                            suite->group_teardown);
    if (suite->end)
        suite->end();
    owned_release(NULL);
    return failed;
}

// Frees the registered tests, so that a sanitizer reports only leaks of the program.
static void free_registered(void)
{
    for (size_t k = 0; k < file_count; k++) {
        free(files[k].tests);
        free(files[k].choices);
    }
}

int test_main(int argc, char **argv)
{
    atexit(free_registered);
    if (file_count == 1 && (argc < 2 || !has_subject(&files[0], argv[1])))
        return run_file(&files[0], "tests", argc, argv);
    for (size_t k = 0; k < file_count && argc > 1; k++)
        if (has_subject(&files[k], argv[1]))
            return run_file(&files[k], argv[1], argc - 1, argv + 1);
    fprintf(stderr, "%s: the first argument names the tests to run, one of:\n", argv[0]);
    for (size_t k = 0; k < file_count; k++)
        fprintf(stderr, "  %s\n", files[k].path);
    return EXIT_FAILURE;
}
