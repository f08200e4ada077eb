// A run's tie to its batch (see the header).
#include "cli/run_control.h"

#include "cli/disk_room.h"
#include "core/clock.h"
#include "core/log.h"
#include "io/utf8.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
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

enum status run_control_open(struct run_control *control, const char *text)
{
    char *end;
    int type;
    socklen_t bytes = sizeof type;
    const long descriptor = strtol(text, &end, 10);
    const unsigned long long device_bytes = *end == ',' ? strtoull(end + 1, &end, 10) : 0;
    if (*text < '0' || *text > '9' || *end != '\0' || descriptor > 1000000 ||
        getsockopt((int)descriptor, SOL_SOCKET, SO_TYPE, &type, &bytes) != 0 || type != SOCK_SEQPACKET)
        return FAIL(STATUS_USAGE,
                    "--control %s: a batch gives this to its runs, the number of an open socket", text);
    // A batch that does not listen any more must not keep a run that is done.
    const struct timeval wait = {.tv_sec = END_WAIT_S};
    (void)setsockopt((int)descriptor, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
    (void)fcntl((int)descriptor, F_SETFD, FD_CLOEXEC);
    *control = (struct run_control){
        .descriptor = (int)descriptor, .device_bytes = (size_t)device_bytes, .fault = asked_fault()};
    return STATUS_OK;
}

static enum status tell_plan(const struct run_control *control, const struct session *s, bool is_resumed)
{
    cJSON *plan = cJSON_CreateObject();
    cJSON_AddStringToObject(plan, "model", s->model->name);
    cJSON_AddStringToObject(plan, "backend", s->plan.backend);
    cJSON_AddStringToObject(plan, "title", s->title);
    cJSON_AddNumberToObject(plan, "steps", (double)s->plan.steps);
    cJSON_AddNumberToObject(plan, "host_bytes", (double)memory_plan_host_bytes(&s->memory));
    cJSON_AddNumberToObject(plan, "device_bytes", (double)memory_plan_device_bytes(&s->memory));
    cJSON_AddNumberToObject(plan, "disk_bytes", disk_room_needed_bytes(s, is_resumed));
    cJSON_AddNumberToObject(plan, "estimated_s", session_estimate_s(s));
    char *text = utf8_print_json_line(plan), *message = NULL;
    int length = text ? asprintf(&message, "plan %s", text) : -1;
    cJSON_Delete(plan);
    cJSON_free(text);
    if (length < 0)
        return FAIL(STATUS_SYSTEM, "no memory for what the batch is told");
    const ssize_t sent = send(control->descriptor, message, (size_t)length, MSG_NOSIGNAL);
    free(message);
    return sent == length ? STATUS_OK : FAIL(STATUS_STOPPED, "the batch has gone: %s", strerror(errno));
}

enum status run_control_wait(const struct run_control *control, const struct session *s, bool is_resumed,
                             int *cores)
{
    char message[64];
    if (control->descriptor < 0)
        return STATUS_OK;
    CHECK(tell_plan(control, s, is_resumed));
    ssize_t length;
    do
        length = recv(control->descriptor, message, sizeof message - 1, 0);
    while (length < 0 && errno == EINTR);
    if (length <= 0)
        return FAIL(STATUS_STOPPED, "the batch has gone before the run had its place");
    message[length] = '\0';
    if (sscanf(message, "go %d", cores) != 1 || *cores < 1 || *cores > CORES_MAX)
        return FAIL(STATUS_SOFTWARE, "the batch said \"%s\", not how many cores there are", message);
    return STATUS_OK;
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

void run_control_look(struct run_control *control, int64_t step, int64_t steps)
{
    if (control->descriptor < 0)
        return;
    const double now_s = clock_now_s();
    if (control->begun_s <= 0) {
        control->begun_s = now_s;
        control->first_step = step;
    }
    if (control->fault != RUN_FAULT_NONE && 3 * step >= steps)
        break_down(control->fault);
    if (control->told_s > 0 && now_s - control->told_s < progress_every_s)
        return;
    control->told_s = now_s;
    const double done = (double)(step - control->first_step),
                 remaining_s = done > 0 ? (now_s - control->begun_s) * (double)(steps - step) / done : NAN;
    char message[96];
    const int length =
        snprintf(message, sizeof message, "progress %.6f %.3f", (double)step / (double)steps, remaining_s);
    // What a batch that is busy does not take is dropped: the next one says more.
    (void)send(control->descriptor, message, (size_t)length, MSG_NOSIGNAL | MSG_DONTWAIT);
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
