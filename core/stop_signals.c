// The signals that ask a run to end (see the header).
#include "core/stop_signals.h"

#include "core/clock.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

// The handler may run on any thread. These atomics are lock-free, so it may use them.
static atomic_int pending_signal;
static atomic_bool is_deferred, has_cut_work;
static double limit_s = INFINITY; // written before there are threads

const char *stop_signals_name(int number)
{
    return number == SIGINT    ? "SIGINT"
           : number == SIGTERM ? "SIGTERM"
           : number == SIGHUP  ? "SIGHUP"
                               : "a signal";
}

// Calls only functions that are safe in a handler.
static _Noreturn void end_now(int number)
{
    char text[160];
    char *end = stpcpy(text, "fathom: stopped by ");
    end = stpcpy(end, stop_signals_name(number));
    end = stpcpy(end, " before the first step; nothing was started: run it again\n");
    const ssize_t written = write(STDERR_FILENO, text, (size_t)(end - text));
    (void)written; // the exit code shows it, too
    _exit(status_exit_code(STATUS_STOPPED));
}

static void on_signal(int number)
{
    if (!is_deferred)
        end_now(number);
    if (pending_signal == number && number == SIGINT) {
        signal(number, SIG_DFL);
        raise(number);
    }
    pending_signal = number;
}

static void make_set(sigset_t *set)
{
    sigemptyset(set);
    for (int k = 0; k < NUMBERS; k++)
        sigaddset(set, numbers[k]);
}

void stop_signals_hold(void)
{
    sigset_t set;
    make_set(&set);
    (void)sigprocmask(SIG_BLOCK, &set, NULL); // fails for a wrong argument only
}

static enum status install(void (*handler)(int number))
{
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    for (int k = 0; k < NUMBERS; k++) {
        const bool is_left =
            numbers[k] == SIGHUP && sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler == SIG_IGN;
        if (!is_left && sigaction(numbers[k], &action, NULL) != 0)
            return FAIL(STATUS_SYSTEM, "signal handlers cannot be installed: %s", strerror(errno));
    }
    return STATUS_OK;
}

enum status stop_signals_catch(void)
{
    sigset_t set;
    is_deferred = false;
    CHECK(install(on_signal));
    make_set(&set);
    if (sigprocmask(SIG_UNBLOCK, &set, NULL) != 0)
        return FAIL(STATUS_SYSTEM, "signals cannot be let through: %s", strerror(errno));
    return STATUS_OK;
}

enum status stop_signals_defer(void)
{
    pending_signal = 0;
    is_deferred = true;
    return install(on_signal);
}

void stop_signals_release(void)
{
    (void)install(SIG_DFL); // fails for a wrong argument only
    pending_signal = 0;
    is_deferred = false;
}

int stop_signals_pending(void)
{
    return pending_signal;
}

void stop_signals_set_limit(double end_s)
{
    limit_s = end_s;
    has_cut_work = false;
}

bool stop_signals_limit_is_over(void)
{
    return limit_s < INFINITY && clock_now_s() >= limit_s;
}

bool stop_signals_are_due(void)
{
    const bool are_due = pending_signal != 0 || stop_signals_limit_is_over();
    if (are_due)
        has_cut_work = true;
    return are_due;
}

bool stop_signals_cut_work(void)
{
    return has_cut_work;
}
