// The states and counts of a batch as text (see the header).
#include "batch/batch.h"

#include "core/clock.h"
#include "core/progress.h"
#include "io/utf8.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const state_words[BATCH_STATES] = {
    [BATCH_WAITING] = "waiting", [BATCH_PLANNING] = "waiting", [BATCH_PLANNED] = "waiting",
    [BATCH_RUNNING] = "running", [BATCH_DRAWING] = "drawing",  [BATCH_PASSED] = "passed",
    [BATCH_FAILED] = "failed",   [BATCH_STOPPED] = "stopped",
};

enum status batch_begin(const struct batch_queue *queue, size_t only, struct batch *batch)
{
    *batch = (struct batch){.queue = queue, .started_s = clock_now_s(), .only = only};
    batch->runs = calloc(queue->count, sizeof *batch->runs);
    if (!batch->runs)
        return FAIL(STATUS_SYSTEM, "no memory for a queue of %zu runs", queue->count);
    for (size_t k = 0; k < queue->count; k++) {
        batch->runs[k].device = -1;
        batch->runs[k].fraction = batch->runs[k].remaining_s = NAN;
    }
    return STATUS_OK;
}

void batch_end(struct batch *batch)
{
    free(batch->runs);
}

const char *batch_state_word(enum batch_state state)
{
    return state_words[state];
}

static void describe_signal(const struct batch_run *run, char *text, size_t bytes)
{
    const char *name = sigdescr_np(run->signal); // in English, whatever the locale
    if (run->signal == SIGKILL)
        snprintf(text, bytes, "killed (signal 9), by a user, or by the system because memory ran out");
    else
        snprintf(text, bytes, "crashed: %s (signal %d)", name ? name : "unknown", run->signal);
}

static void describe_timeout(const struct batch_job *job, const struct batch_run *run, char *text,
                             size_t bytes)
{
    char limit[64];
    progress_format_duration(job->time_limit_s, limit, sizeof limit);
    snprintf(text, bytes, "stopped at its time limit of %s%s", limit,
             run->signal == SIGKILL ? ", killed: it did not end when it was asked to" : "");
}

const char *batch_describe(const struct batch *batch, size_t number, char *text, size_t bytes)
{
    const struct batch_run *run = &batch->runs[number];
    char message[BATCH_MESSAGE_BYTES];
    // The message of a stopped run explains how to resume it, but the batch itself resumes it.
    const bool was_stopped =
        run->cause == BATCH_CAUSE_STOP ||
        (run->cause == BATCH_CAUSE_TIMEOUT && run->exit_code == status_exit_code(STATUS_STOPPED));
    snprintf(message, sizeof message, "%s", was_stopped ? "" : run->message);
    text[0] = '\0';
    switch (run->cause) {
    case BATCH_CAUSE_SIGNAL:
        describe_signal(run, text, bytes);
        break;
    case BATCH_CAUSE_TIMEOUT:
        describe_timeout(&batch->queue->jobs[number], run, text, bytes);
        break;
    case BATCH_CAUSE_STOP:
        snprintf(text, bytes, "stopped with the batch");
        break;
    case BATCH_CAUSE_RESOURCES:
        snprintf(text, bytes, "%s", message[0] ? message : "needs more than the batch may use");
        message[0] = '\0';
        break;
    case BATCH_CAUSE_EXIT:
        if (!message[0] && run->exit_code != 0)
            snprintf(text, bytes, "ended with exit code %d", run->exit_code);
        break;
    case BATCH_CAUSE_NONE:
        break;
    }
    const size_t used = strlen(text);
    if (message[0])
        snprintf(text + used, bytes - used, "%s%s", used > 0 ? ": " : "", message);
    return batch_clean_text(text);
}

char *batch_clean_text(char *text)
{
    for (unsigned char *at = (unsigned char *)text; *at;) {
        const size_t bytes = utf8_length((const char *)at);
        // C1 control characters, and the noncharacters U+FFFE and U+FFFF.
        const bool is_control =
            (at[0] == 0xC2 && at[1] < 0xA0) || (at[0] == 0xEF && at[1] == 0xBF && at[2] >= 0xBE);
        if (bytes == 0 || is_control)
            *at = '?';
        else if (*at < 0x20 || *at == 0x7F)
            *at = ' ';
        at += bytes == 0 || is_control ? 1 : bytes;
    }
    return text;
}

char *batch_entry_name(const struct batch_job *job, char name[BATCH_NAME_MAX + 1])
{
    memcpy(name, job->name, BATCH_NAME_MAX + 1);
    char *dash = job->entry_length > 0   ? name + job->entry_length
                 : job->varied_count > 0 ? strrchr(name, '-')
                                         : NULL;
    if (dash)
        *dash = '\0';
    return name;
}
