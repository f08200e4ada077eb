// A function in a separate process (see isolate.h).
#include "validate/isolate.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t stop_signal, current_child;
static const int watched[] = {SIGINT, SIGTERM, SIGHUP};
enum { WATCHED = sizeof watched / sizeof *watched };

static void on_signal(int number)
{
    stop_signal = number;
    if (current_child > 0)
        kill(current_child, SIGKILL);
}

static void set_handlers(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    for (int k = 0; k < WATCHED; k++)
        (void)sigaction(watched[k], &action, NULL); // cannot fail for these numbers
}

void isolate_watch_signals(void)
{
    stop_signal = 0;
    set_handlers(on_signal);
}

void isolate_follow_signal(void)
{
    if (!stop_signal)
        return;
    set_handlers(SIG_DFL);
    raise(stop_signal);
}

// In the child: never returns.
static _Noreturn void be_child(int (*call)(void *context), void *context, int output, pid_t parent)
{
    // A job that is stopped by a signal would save a checkpoint first, into a folder that is being removed.
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
        _exit(status_exit_code(STATUS_SYSTEM));
    if (dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0)
        _exit(status_exit_code(STATUS_SYSTEM));
    close(output);
    const int code = call(context);
    fflush(NULL);
    _exit(code); // not exit: its handlers belong to the parent
}

static enum status wait_for(pid_t child, struct isolate_outcome *outcome)
{
    int state;
    while (waitpid(child, &state, 0) < 0)
        if (errno != EINTR)
            return FAIL(STATUS_SYSTEM, "waiting for a child process failed: %s", strerror(errno));
    outcome->exit_code = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
    outcome->signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
    return stop_signal ? FAIL(STATUS_STOPPED, "stopped by %s", strsignal(stop_signal)) : STATUS_OK;
}

enum status isolate_call(int (*call)(void *context), void *context, const char *output_path,
                         struct isolate_outcome *outcome)
{
    *outcome = (struct isolate_outcome){.exit_code = -1};
    if (stop_signal)
        return FAIL(STATUS_STOPPED, "stopped by %s", strsignal(stop_signal));
    const int output = open(output_path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    if (output < 0)
        return FAIL(STATUS_CANNOT_CREATE, "%s: %s", output_path, strerror(errno));
    fflush(NULL); // or the child would write it once more
    // The signals are blocked until the handler has the process to terminate.
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    const pid_t parent = getpid(), child = fork();
    current_child = child > 0 ? child : 0;
    if (child == 0)
        set_handlers(SIG_DFL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (child == 0)
        be_child(call, context, output, parent);
    close(output);
    if (child < 0)
        return FAIL(STATUS_SYSTEM, "no process to be had: %s", strerror(errno));
    enum status status = wait_for(child, outcome);
    current_child = 0;
    return status;
}

void isolate_last_line(const char *path, char *line, size_t bytes)
{
    static const char prefix[] = "fathom: ";
    char text[1024];
    line[0] = '\0';
    FILE *file = fopen(path, "r");
    if (!file)
        return;
    while (fgets(text, sizeof text, file)) {
        text[strcspn(text, "\r\n")] = '\0';
        if (text[strspn(text, " \t")])
            snprintf(line, bytes, "%s",
                     strncmp(text, prefix, sizeof prefix - 1) == 0 ? text + sizeof prefix - 1 : text);
    }
    fclose(file);
}
