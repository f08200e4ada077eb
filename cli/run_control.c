// A run's connection to its batch (see the header).
#include "cli/run_control.h"

#include "batch/needs.h"
#include "cli/disk_space.h"
#include "core/clock.h"
#include "core/log.h"
#include "core/stop_signals.h"
#include "io/utf8.h"
#include "parallel/launch.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

enum { MESSAGE_BYTES = 1536, CORES_MAX = 4096, END_WAIT_S = 5 };

static const double progress_every_s = 0.5;

// See the header. The list is read once, before the run begins.
static enum run_fault asked_fault(void)
{
    const char *faults = getenv("FATHOM_TEST_FAULT"), *name = getenv("FATHOM_BATCH_RUN");
    while (faults && name && *faults) {
        const size_t length = strcspn(faults, ","), kind = strcspn(faults, ":");
        if (kind < length && length - kind - 1 == strlen(name) &&
            strncmp(faults + kind + 1, name, strlen(name)) == 0)
            return strncmp(faults, "segfault", kind) == 0 ? RUN_FAULT_SEGFAULT
                   : strncmp(faults, "hang", kind) == 0   ? RUN_FAULT_HANG
                                                          : RUN_FAULT_NONE;
        faults += length + (faults[length] == ',');
    }
    return RUN_FAULT_NONE;
}

// By the first of several ranks: "@NAME,BYTES". The others have no connection.
static enum status connect_ranks(struct run_control *control, const char *text)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    const size_t length = strcspn(text + 1, ",");
    *control = (struct run_control){.descriptor = -1, .is_of_ranks = true};
    if (text[1 + length] == ',')
        control->device_bytes = (size_t)strtoull(text + 2 + length, NULL, 10);
    if (launch_is_copy())
        return STATUS_OK;
    if (length == 0 || length >= sizeof name.sun_path - 1)
        return FAIL(STATUS_USAGE, "--control %s: expected the name of a socket", text);
    memcpy(name.sun_path + 1, text + 1, length);
    control->descriptor = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    control->fault = asked_fault();
    const socklen_t bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
    if (control->descriptor < 0 || connect(control->descriptor, (struct sockaddr *)&name, bytes) != 0)
        return FAIL(STATUS_STOPPED, "--control %s: the batch does not answer: %s", text, strerror(errno));
    const struct timeval wait = {.tv_sec = END_WAIT_S};
    (void)setsockopt(control->descriptor, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
    return STATUS_OK;
}

enum status run_control_open(struct run_control *control, const char *text)
{
    char *end;
    if (text[0] == '@')
        return connect_ranks(control, text);
    int type;
    socklen_t bytes = sizeof type;
    const long descriptor = strtol(text, &end, 10);
    const unsigned long long device_bytes = *end == ',' ? strtoull(end + 1, &end, 10) : 0;
    const bool takes_next = strcmp(end, ",next") == 0;
    end += takes_next ? strlen(end) : 0;
    if (*text < '0' || *text > '9' || *end != '\0' || descriptor > 1000000 ||
        getsockopt((int)descriptor, SOL_SOCKET, SO_TYPE, &type, &bytes) != 0 || type != SOCK_SEQPACKET)
        return FAIL(
            STATUS_USAGE,
            "--control %s: expected the number of an open socket, as fathom batch gives it to its runs",
            text);
    // A batch that no longer reads must not block a finished run.
    const struct timeval wait = {.tv_sec = END_WAIT_S};
    (void)setsockopt((int)descriptor, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
    (void)fcntl((int)descriptor, F_SETFD, FD_CLOEXEC);
    *control = (struct run_control){.descriptor = (int)descriptor,
                                    .device_bytes = (size_t)device_bytes,
                                    .fault = asked_fault(),
                                    .takes_next = takes_next};
    return STATUS_OK;
}

static enum status send_plan(const struct run_control *control, const struct session *s, bool is_resumed,
                             size_t host_bytes)
{
    struct batch_needs needs = {.steps = s->plan.steps,
                                .host_bytes = host_bytes,
                                .device_bytes = memory_plan_device_bytes(&s->memory),
                                .disk_bytes = disk_space_needed_bytes(s, is_resumed),
                                .results_bytes = disk_space_results_bytes(s),
                                .estimated_s = session_estimate_s(s)};
    cJSON *plan = cJSON_CreateObject();
    snprintf(needs.model, sizeof needs.model, "%s", s->model->name);
    snprintf(needs.backend, sizeof needs.backend, "%s", s->plan.backend);
    snprintf(needs.title, sizeof needs.title, "%s", s->title);
    batch_needs_add(plan, &needs);
    char *text = utf8_print_json_line(plan), *message = NULL;
    int length = text ? asprintf(&message, "plan %s", text) : -1;
    cJSON_Delete(plan);
    cJSON_free(text);
    if (length < 0)
        return FAIL(STATUS_SYSTEM, "not enough memory for the plan");
    const ssize_t sent = send(control->descriptor, message, (size_t)length, MSG_NOSIGNAL);
    free(message);
    return sent == length ? STATUS_OK : FAIL(STATUS_STOPPED, "the batch has ended: %s", strerror(errno));
}

// Signals end a run of one rank at once, and only set a flag in one of several.
static enum status await_message(const struct run_control *control)
{
    enum { FOREVER = -1, TURN_MS = 100 };
    struct pollfd socket = {.fd = control->descriptor, .events = POLLIN};
    for (;;) {
        if (poll(&socket, 1, control->is_of_ranks ? TURN_MS : FOREVER) > 0)
            return STATUS_OK;
        if (stop_signals_pending() != 0)
            return FAIL(STATUS_STOPPED, "stopped by %s before the run was started",
                        stop_signals_name(stop_signals_pending()));
    }
}

enum status run_control_wait(const struct run_control *control, const struct session *s, bool is_resumed,
                             size_t host_bytes, int *cores)
{
    char message[64];
    if (control->descriptor < 0)
        return STATUS_OK;
    CHECK(send_plan(control, s, is_resumed, host_bytes));
    CHECK(await_message(control));
    const ssize_t length = recv(control->descriptor, message, sizeof message - 1, 0);
    if (length <= 0)
        return FAIL(STATUS_STOPPED, "the batch ended before the run was started");
    message[length] = '\0';
    if (sscanf(message, "go %d", cores) != 1 || *cores < 1 || *cores > CORES_MAX)
        return FAIL(STATUS_SOFTWARE, "the batch sent \"%s\"; expected \"go CORES\"", message);
    return STATUS_OK;
}

void run_control_decline(const struct run_control *control)
{
    static const char message[] = "decline";
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    (void)send(control->descriptor, message, sizeof message - 1, MSG_NOSIGNAL);
    if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0 || dup2(nowhere, STDERR_FILENO) < 0)
        return; // the log then says why
    close(nowhere);
}

static void break_down(enum run_fault fault)
{
    if (fault == RUN_FAULT_SEGFAULT) {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    }
    signal(SIGTERM, SIG_IGN);
    log_warning("FATHOM_TEST_FAULT: the run hangs");
    for (;;)
        pause();
}

void run_control_report(struct run_control *control, int64_t step, int64_t steps)
{
    if (control->descriptor < 0)
        return;
    const double now_s = clock_now_s();
    if (control->started_s <= 0) {
        control->started_s = now_s;
        control->first_step = step;
    }
    if (control->fault != RUN_FAULT_NONE && 3 * step >= steps)
        break_down(control->fault);
    if (control->sent_s > 0 && now_s - control->sent_s < progress_every_s)
        return;
    control->sent_s = now_s;
    const double done = (double)(step - control->first_step),
                 remaining_s = done > 0 ? (now_s - control->started_s) * (double)(steps - step) / done : NAN;
    char message[96];
    const int length =
        snprintf(message, sizeof message, "progress %.6f %.3f", (double)step / (double)steps, remaining_s);
    // If the batch is busy, the message is dropped: the next one replaces it.
    const ssize_t sent = send(control->descriptor, message, (size_t)length, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EPIPE && control->is_of_ranks)
        raise(SIGTERM);
}

void run_control_end(const struct run_control *control, int code, const char *message)
{
    char text[MESSAGE_BYTES];
    if (control->descriptor < 0)
        return;
    const int length = snprintf(text, sizeof text, "end %d %s", code, code == 0 ? "" : message);
    const size_t bytes = length < (int)sizeof text ? (size_t)length : sizeof text - 1;
    (void)send(control->descriptor, text, bytes, MSG_NOSIGNAL);
}
