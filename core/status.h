// The one list of ways to fail, and the first failure's message. Independent of physics, files and devices:
// every other part of the program includes it.
//
// Every function that can fail returns `enum status`. The first failure in the process keeps its file, line
// and message; what fails later as a consequence does not overwrite it. Safe to call from any thread.
#ifndef FATHOM_CORE_STATUS_H
#define FATHOM_CORE_STATUS_H

#include <stdbool.h>
#include <stddef.h>

// X(enumerator, text, process exit code after sysexits.h)
#define STATUS_LIST(X)                                                                                       \
    X(STATUS_OK, "ok", 0)                                                                                    \
    X(STATUS_CHECK_FAILED, "ran, but failed its check", 1)                                                   \
    X(STATUS_USAGE, "wrong command line", 64)                                                                \
    X(STATUS_DATA, "bad input data", 65)                                                                     \
    X(STATUS_NO_INPUT, "input cannot be opened", 66)                                                         \
    X(STATUS_SOFTWARE, "internal error", 70)                                                                 \
    X(STATUS_SYSTEM, "operating system or device refused", 71)                                               \
    X(STATUS_CANNOT_CREATE, "output cannot be created", 73)                                                  \
    X(STATUS_IO, "reading or writing failed", 74)                                                            \
    X(STATUS_STOPPED, "stopped, can be resumed", 75)                                                         \
    X(STATUS_CONFIGURATION, "bad job", 78)

enum status {
#define STATUS_ENUMERATOR(name, text, code) name,
    STATUS_LIST(STATUS_ENUMERATOR)
#undef STATUS_ENUMERATOR
};

const char *status_name(enum status status); // "STATUS_DATA"
const char *status_text(enum status status); // its meaning: "bad input data"
int status_exit_code(enum status status);    // of the process

// Records the first failure and returns `status`. Use through FAIL. The message is one line, without a full
// stop, and names the file, key, value or index at fault and what was expected.
enum status status_fail(enum status status, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// Puts "CONTEXT: " before the recorded message (who called, which file or key it was about). Returns
// `status`.
enum status status_prefix(enum status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Puts "; REMARK" after the recorded message (what is left of the work, what to do). Returns `status`.
enum status status_append(enum status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

const char *status_message(void); // the recorded message; "" when nothing failed
const char *status_origin(void);  // where in the source it was raised: "file:line"

// Forgets the recorded failure; for tests and for callers that handle a failure and continue.
void status_clear(void);

#define FAIL(status, ...) status_fail((status), __FILE__, __LINE__, __VA_ARGS__)

// Propagates a failure to the caller.
#define CHECK(expression)                                                                                    \
    do {                                                                                                     \
        enum status check_status_ = (expression);                                                            \
        if (check_status_ != STATUS_OK)                                                                      \
            return check_status_;                                                                            \
    } while (0)

// Propagates a failure, saying what it was about: CHECK_ABOUT(parse(text), "%s: %s", file, key).
#define CHECK_ABOUT(expression, ...)                                                                         \
    do {                                                                                                     \
        enum status check_status_ = (expression);                                                            \
        if (check_status_ != STATUS_OK)                                                                      \
            return status_prefix(check_status_, __VA_ARGS__);                                                \
    } while (0)

#endif
