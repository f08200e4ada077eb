// One run after another in one process (see the header).
#include "cli/next_run.h"

#include "batch/child.h"
#include "core/log.h"
#include "core/memory_spare.h"
#include "core/stop_signals.h"
#include "io/units.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const int spare_kept_ms = 2000; // for a next run that comes at once

// Memory is kept for a run that comes at once: other runs may need it.
static void wait_for_packet(int socket)
{
    struct pollfd news = {.fd = socket, .events = POLLIN};
    if (poll(&news, 1, spare_kept_ms) == 0)
        memory_spare_release();
}

// Receives a packet and the descriptor that comes with it (−1: none). 0: the batch has no other run.
static ssize_t receive(int socket, char *packet, size_t bytes, int *log)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr aligned;
    } control;
    struct iovec data = {packet, bytes};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    ssize_t length;
    *log = -1;
    do
        length = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (length < 0 && errno == EINTR);
    const struct cmsghdr *head = length > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS)
        memcpy(log, CMSG_DATA(head), sizeof *log);
    if (length <= 0) // the batch has closed the socket, or has ended
        return 0;
    return message.msg_flags & (MSG_TRUNC | MSG_CTRUNC) ? -1 : length;
}

// The name of the run, and the words that follow it. NULL: the packet is no list of words.
static const char *split(char *packet, ssize_t length, char **words, int *count)
{
    *count = 0;
    if (length < 2 || packet[length - 1] != '\0')
        return NULL;
    const char *end = packet + length;
    for (char *word = packet + strlen(packet) + 1; word < end; word += strlen(word) + 1) {
        if (*count == BATCH_CHILD_WORDS_MAX)
            return NULL;
        words[(*count)++] = word;
    }
    words[*count] = NULL;
    return *count > 1 ? packet : NULL;
}

// The peak of the resident memory is then that of the next run. Where the system cannot do it, it is the
// largest of all runs so far.
static void forget_peak(void)
{
    const int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    const ssize_t written = write(file, "5", 1);
    (void)written;
    close(file);
}

// All that a run leaves in the process beside its session (its warnings are forgotten with its log).
static enum status begin(const char *name, int log)
{
    fflush(NULL);
    if (dup2(log, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0 ||
        setenv("FATHOM_BATCH_RUN", name, 1) != 0)
        return FAIL(STATUS_SYSTEM, "the next run's log cannot be used: %s", strerror(errno));
    status_clear();
    units_suggest_first(NULL);
    forget_peak();
    return stop_signals_catch();
}

bool next_run_await(int descriptor, struct next_run *next, int *code)
{
    static char packet[BATCH_CHILD_PACKET_BYTES];
    static char *words[BATCH_CHILD_WORDS_MAX + 1];
    int log;
    wait_for_packet(descriptor);
    const ssize_t length = receive(descriptor, packet, sizeof packet, &log);
    *code = 0;
    if (length == 0)
        return false;
    const char *name = split(packet, length, words, &next->argc);
    next->argv = words + 1; // after the program's name
    next->argc--;
    const enum status status = name && log >= 0
                                   ? begin(name, log)
                                   : FAIL(STATUS_SOFTWARE, "the batch sent no run: %zd bytes", length);
    if (log >= 0)
        close(log);
    *code = status_exit_code(status);
    return status == STATUS_OK;
}
