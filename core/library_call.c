// Crashes in the calls of libraries (see the header).
#include "core/library_call.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Thread_local volatile struct library_call library_call_now;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static const int is_sanitized = 1;
#else
static const int is_sanitized = 0;
#endif

// What a processor reports of memory and numbers, and what the C library reports of a damaged heap.
static const struct {
    int number;
    const char *text;
} signals[] = {{SIGSEGV, "segmentation fault"},
               {SIGBUS, "bus error"},
               {SIGFPE, "division by zero"},
               {SIGILL, "illegal instruction"},
               {SIGABRT, "abort"}};
enum { SIGNALS = sizeof signals / sizeof *signals };

static const char *text_of(int number)
{
    for (size_t k = 0; k < SIGNALS; k++)
        if (signals[k].number == number)
            return signals[k].text;
    return "signal";
}

// Calls only functions that are safe in a handler.
static void on_crash(int number)
{
    enum { PATH_MOST = 1024 };
    const char *path = library_call_now.path;
    char text[PATH_MOST + 400], *end = text;
    if (!path) { // the program's own mistake
        signal(number, SIG_DFL);
        raise(number); // delivered when this handler returns
        return;
    }
    const size_t length = strnlen(path, PATH_MOST);
    end = stpcpy(end, "fathom: ");
    memcpy(end, path, length);
    end = stpcpy(end + length, ": reading it crashed the library ");
    end = stpcpy(end, library_call_now.library);
    end = stpcpy(end, " (");
    end = stpcpy(end, text_of(number));
    end = stpcpy(end, "): the file is damaged; get it or make it again\n");
    const ssize_t written = write(STDERR_FILENO, text, (size_t)(end - text));
    (void)written; // the exit code shows it, too
    _exit(status_exit_code(STATUS_DATA));
}

enum status library_call_guard(void)
{
    static char stack[LIBRARY_CALL_STACK_BYTES];
    struct sigaction action;
    if (is_sanitized || getenv("FATHOM_CORE_DUMP"))
        return STATUS_OK;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_crash;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_ONSTACK;
    for (size_t k = 0; k < SIGNALS; k++)
        if (sigaction(signals[k].number, &action, NULL) != 0)
            return FAIL(STATUS_SYSTEM, "signal handlers cannot be installed: %s", strerror(errno));
    library_call_use_stack(stack);
    return STATUS_OK;
}

void library_call_use_stack(void *stack)
{
    const stack_t handlers = {.ss_sp = stack, .ss_size = LIBRARY_CALL_STACK_BYTES};
    if (!is_sanitized)
        (void)sigaltstack(&handlers, NULL); // without it only a stack that is used up ends without a message
}
