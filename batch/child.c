// The processes of a batch (see the header).
#include "batch/child.h"

#include "core/log.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- signals

// A closed terminal stops the batch, unless it was started with nohup(1): then SIGHUP is ignored, and must
// not be blocked.
static void fill_signal_set(sigset_t *set)
{
    struct sigaction hangup;
    sigemptyset(set);
    sigaddset(set, SIGCHLD);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
        sigaddset(set, SIGHUP);
}

enum status batch_child_open_signals(int *descriptor)
{
    sigset_t set;
    fill_signal_set(&set);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL); // if it were ignored, as inherited, waitpid(2) would find no ended process
    if (sigprocmask(SIG_BLOCK, &set, NULL) != 0)
        return FAIL(STATUS_SYSTEM, "signals cannot be blocked: %s", strerror(errno));
    *descriptor = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return *descriptor >= 0 ? STATUS_OK : FAIL(STATUS_SYSTEM, "signals cannot be read: %s", strerror(errno));
}

void batch_child_close_signals(int descriptor)
{
    sigset_t set;
    fill_signal_set(&set);
    close(descriptor);
    (void)sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int batch_child_next_signal(int descriptor)
{
    struct signalfd_siginfo information;
    return read(descriptor, &information, sizeof information) == (ssize_t)sizeof information
               ? (int)information.ssi_signo
               : 0;
}

// ---- one process

// Reports why the program cannot be executed, in the log and to the batch. Only calls that are safe after
// fork(2).
static void report_not_started(int socket, int error)
{
    char text[256];
    const char *why = strerrordesc_np(error);
    char *const reason = stpcpy(text, "end 127 ");
    char *last = stpcpy(reason, "the program cannot be executed: ");
    last = stpcpy(last, why ? why : "unknown error");
    if (socket >= 0)
        (void)send(socket, text, (size_t)(last - text), MSG_NOSIGNAL | MSG_DONTWAIT);
    *last++ = '\n';
    if (write(STDERR_FILENO, reason, (size_t)(last - reason)) < 0)
        return; // the log's disk is full: the exit code is left
}

// In the new process, before it executes the program: only calls that are safe after fork(2). The batch's own
// descriptors are closed by execve(2).
static _Noreturn void exec_child(const struct batch_command *command, int log, int socket, pid_t batch)
{
    sigset_t none;
    (void)setpgid(0, 0);
    // The runs of a killed batch are killed too: two runs must not write to one folder. The setting
    // survives execve(2).
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != batch)
        _exit(BATCH_CHILD_NOT_STARTED);
    const int input = open("/dev/null", O_RDONLY);
    bool is_ready = input >= 0 && dup2(input, STDIN_FILENO) >= 0 && dup2(log, STDOUT_FILENO) >= 0 &&
                    dup2(log, STDERR_FILENO) >= 0;
    if (is_ready && socket == BATCH_CHILD_CONTROL)
        is_ready = fcntl(socket, F_SETFD, 0) == 0;
    else if (is_ready && socket >= 0)
        is_ready = dup2(socket, BATCH_CHILD_CONTROL) >= 0;
    signal(SIGPIPE, SIG_DFL);
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    if (is_ready)
        execve(command->program, command->arguments, command->environment);
    report_not_started(socket, errno);
    _exit(BATCH_CHILD_NOT_STARTED);
}

static enum status fork_with(const struct batch_command *command, int log, const int sockets[2],
                             struct batch_child *child)
{
    const pid_t batch = getpid(), pid = fork();
    if (pid < 0)
        return FAIL(STATUS_SYSTEM,
                    "cannot start a process: %s; a higher limit of processes (ulimit -u, pids.max) helps",
                    strerror(errno));
    if (pid == 0)
        exec_child(command, log, sockets[1], batch);
    (void)setpgid(pid, pid); // in both processes: either may run first
    *child = (struct batch_child){.pid = pid, .descriptor = sockets[0]};
    return STATUS_OK;
}

enum status batch_child_listen(int *listener, char address[BATCH_CHILD_ADDRESS_BYTES])
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    socklen_t bytes = sizeof name;
    *listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    // Without a name the system chooses one.
    if (*listener >= 0 && bind(*listener, (struct sockaddr *)&name, sizeof name.sun_family) == 0 &&
        listen(*listener, 4) == 0 && getsockname(*listener, (struct sockaddr *)&name, &bytes) == 0) {
        const size_t length = bytes - offsetof(struct sockaddr_un, sun_path) - 1; // after its first byte, 0
        snprintf(address, BATCH_CHILD_ADDRESS_BYTES, "@%.*s", (int)length, name.sun_path + 1);
        return STATUS_OK;
    }
    const int error = errno;
    if (*listener >= 0)
        close(*listener);
    *listener = -1;
    return FAIL(STATUS_SYSTEM, "cannot create a socket: %s", strerror(error));
}

static enum status open_log(const char *path, int *log)
{
    CHECK(log_open_file(path, true, log));
    // As standard output of a program it must block: O_NONBLOCK is cleared.
    if (fcntl(*log, F_SETFL, O_APPEND) == 0)
        return STATUS_OK;
    const int error = errno;
    close(*log);
    return FAIL(STATUS_SYSTEM, "%s: cannot be used as a log: %s", path, strerror(error));
}

enum status batch_child_start(const struct batch_command *command, struct batch_child *child)
{
    int sockets[2] = {command->listener, -1}, log;
    enum status status = open_log(command->log_path, &log);
    if (status != STATUS_OK && command->listener >= 0)
        close(command->listener);
    CHECK(status);
    if (command->is_controlled && command->listener < 0 &&
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0)
        status = FAIL(STATUS_SYSTEM, "cannot create a socket: %s", strerror(errno));
    if (status == STATUS_OK)
        status = fork_with(command, log, sockets, child);
    if (status == STATUS_OK)
        child->is_awaited = command->listener >= 0;
    close(log);
    if (sockets[1] >= 0)
        close(sockets[1]);
    if (status != STATUS_OK && sockets[0] >= 0)
        close(sockets[0]);
    return status;
}

// One packet: the name and the words, each with the zero that ends it. 0: they do not fit.
static size_t join(const char *name, char *const *words, char packet[BATCH_CHILD_PACKET_BYTES])
{
    size_t used = 0, count = 0;
    for (const char *word = name; word; word = words[count++]) {
        const size_t bytes = strlen(word) + 1;
        if (bytes > BATCH_CHILD_PACKET_BYTES - used || count > BATCH_CHILD_WORDS_MAX)
            return 0;
        memcpy(packet + used, word, bytes);
        used += bytes;
    }
    return used;
}

static bool send_with_descriptor(int socket, char *bytes, size_t count, int descriptor)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr aligned;
    } control = {{0}};
    struct iovec data = {bytes, count};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)count;
}

enum status batch_child_pass(const struct batch_command *command, const char *name,
                             const struct batch_child *child, bool *is_passed)
{
    static char packet[BATCH_CHILD_PACKET_BYTES];
    int log;
    *is_passed = false;
    const size_t bytes = child->descriptor >= 0 ? join(name, command->arguments, packet) : 0;
    if (bytes == 0)
        return STATUS_OK;
    CHECK(open_log(command->log_path, &log));
    *is_passed = send_with_descriptor(child->descriptor, packet, bytes, log);
    close(log);
    return STATUS_OK;
}

void batch_child_release(struct batch_child *child)
{
    if (child->descriptor >= 0)
        close(child->descriptor);
    child->descriptor = -1;
}

// Whether the process that was awaited has connected.
static bool has_connected(struct batch_child *child)
{
    struct ucred peer;
    socklen_t bytes = sizeof peer;
    const int connected = accept4(child->descriptor, NULL, NULL, SOCK_CLOEXEC);
    if (connected < 0)
        return false;
    if (getsockopt(connected, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) != 0 || peer.uid != geteuid()) {
        close(connected);
        return false;
    }
    close(child->descriptor);
    child->descriptor = connected;
    child->is_awaited = false;
    child->leader = peer.pid;
    return true;
}

ssize_t batch_child_receive(struct batch_child *child, char text[BATCH_CHILD_MESSAGE_BYTES])
{
    if (child->descriptor < 0)
        return -1;
    if (child->is_awaited && !has_connected(child))
        return 0;
    const ssize_t length = recv(child->descriptor, text, BATCH_CHILD_MESSAGE_BYTES - 1, MSG_DONTWAIT);
    if (length < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
        return 0;
    if (length <= 0) {
        close(child->descriptor);
        child->descriptor = -1;
        child->leader = 0; // it ends: its number may be given to another process
        return -1;
    }
    text[length] = '\0';
    return length;
}

void batch_child_send(const struct batch_child *child, const char *text)
{
    if (child->descriptor >= 0 && !child->is_awaited)
        (void)send(child->descriptor, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT);
}

void batch_child_signal(const struct batch_child *child, int number)
{
    if (child->pid > 0 && !child->has_ended)
        (void)kill(child->leader > 0 ? child->leader : child->pid, number);
}

void batch_child_kill(const struct batch_child *child)
{
    if (child->pid > 0 && !child->has_ended)
        (void)kill(-child->pid, SIGKILL);
    if (child->leader > 0 && !child->has_ended)
        (void)kill(child->leader, SIGKILL);
}

bool batch_child_reap(struct batch_child *child)
{
    siginfo_t information = {0};
    if (child->pid <= 0 || child->has_ended)
        return child->has_ended;
    // Waits with WNOWAIT: until it is reaped its PID cannot be reused, so kill(−pid) hits only its own group.
    if (waitid(P_PID, (id_t)child->pid, &information, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        information.si_pid == 0)
        return false;
    (void)kill(-child->pid, SIGKILL);
    while (waitpid(child->pid, &child->wait_status, 0) < 0 && errno == EINTR)
        continue;
    child->has_ended = true;
    return true;
}

void batch_child_close(struct batch_child *child)
{
    if (child->descriptor >= 0)
        close(child->descriptor);
    *child = (struct batch_child){.descriptor = -1};
}
