// What calls answer: assert_ok(call) fails the test with the call's message unless it succeeded;
// assert_failure(call, status, fragments ...) fails it unless the call returned that status with a message of
// one line that has every fragment. Header only.
#ifndef FATHOM_TESTS_SUPPORT_STATUSES_H
#define FATHOM_TESTS_SUPPORT_STATUSES_H

#include "core/status.h"
#include "tests/support/asserts.h"

#include <string.h>

#define assert_ok(call) statuses_assert_ok((call), #call, __FILE__, __LINE__)

static inline void statuses_assert_ok(enum status status, const char *call, const char *file, int line)
{
    if (status == STATUS_OK)
        return;
    print_error("%s: %s: %s\n", call, status_name(status), status_message());
    _fail(file, line);
}

// The status is clear before the call and after it.
#define assert_failure(call, expected, ...)                                                                  \
    (status_clear(), statuses_assert_failure((call), (expected), (const char *const[]){__VA_ARGS__, NULL},   \
                                             #call, __FILE__, __LINE__))

static inline void statuses_assert_failure(enum status status, enum status expected,
                                           const char *const *fragments, const char *call, const char *file,
                                           int line)
{
    const char *message = status_message(), *missing = strchr(message, '\n') ? "one line" : NULL;
    for (; *fragments && !missing; fragments++)
        if (!strstr(message, *fragments))
            missing = *fragments;
    if (status != expected || missing) {
        print_error("%s: %s: \"%s\", expected %s, \"%s\"\n", call, status_name(status), message,
                    status_name(expected), missing ? missing : "");
        _fail(file, line);
    }
    status_clear();
}

#endif
