// Completions of attempts (see the header).
#include "batch/completions.h"

#include "batch/disk.h"
#include "batch/journal.h"
#include "batch/pending.h"
#include "batch/table.h"
#include "core/log.h"

#include <math.h>
#include <stdio.h>

static const double pause_first_s = 0.5, pause_most_s = 60;

static enum status drawn(struct batch_scheduler *s, const struct batch_attempt *attempt)
{
    struct batch_run *run = &s->batch->runs[attempt->run];
    const double attempt_s = run->attempt_s, total_s = run->total_s; // of the run, without its pictures
    batch_attempt_judge(s->batch, attempt);
    run->has_report = run->cause == BATCH_CAUSE_NONE;
    if (!run->has_report && attempt->asked == BATCH_CAUSE_NONE)
        snprintf(run->message, sizeof run->message,
                 "done, but its report could not be drawn: see _logs/%s.log",
                 batch_scheduler_job(s, attempt->run)->name);
    run->state = BATCH_PASSED;
    run->cause = BATCH_CAUSE_NONE;
    run->exit_code = run->signal = 0;
    run->attempt_s = attempt_s;
    run->total_s = total_s;
    const enum status status = batch_journal_ended(s->batch, attempt->run);
    batch_table_ended(s->batch, attempt->run);
    return status;
}

static enum status passed(struct batch_scheduler *s, size_t number)
{
    struct batch_run *run = &s->batch->runs[number];
    run->state = BATCH_PASSED;
    run->has_leftover = false;
    run->message[0] = '\0';
    batch_disk_learn(s, number);
    const enum status status = batch_journal_ended(s->batch, number);
    if (batch_scheduler_job(s, number)->pictures && !s->is_stopping && status == STATUS_OK) {
        s->plans[number].is_to_draw = true;
        batch_pending_put_back(s, number, 0);
    } else {
        batch_table_ended(s->batch, number);
    }
    return status;
}

static double pause_s(const struct batch_run *run)
{
    if (run->cause == BATCH_CAUSE_EXIT && run->retries_used == 0)
        return 0;
    return fmin(pause_most_s, pause_first_s * pow(2, run->retries_used - 1));
}

static enum batch_state state_after_failure(struct batch_scheduler *s, const struct batch_attempt *attempt)
{
    struct batch_run *run = &s->batch->runs[attempt->run];
    const struct batch_job *job = batch_scheduler_job(s, attempt->run);
    const bool is_worth_retry = batch_attempt_is_worth_retry(run);
    if (batch_attempt_is_resume_refused(run, attempt)) {
        log_warning("%s: starts again: %s", job->name, run->message);
        s->plans[attempt->run].must_restart = true;
        return BATCH_WAITING;
    }
    if (run->cause == BATCH_CAUSE_STOP || (s->is_stopping && is_worth_retry))
        return BATCH_STOPPED;
    if (!is_worth_retry || run->retries_used >= job->retries)
        return BATCH_FAILED;
    run->retries_used++;
    return BATCH_WAITING;
}

static enum status failed(struct batch_scheduler *s, const struct batch_attempt *attempt)
{
    struct batch_run *run = &s->batch->runs[attempt->run];
    run->state = state_after_failure(s, attempt);
    const enum status status = batch_journal_ended(s->batch, attempt->run);
    batch_table_ended(s->batch, attempt->run);
    if (run->state == BATCH_WAITING) {
        s->waiting++;
        batch_pending_put_back(s, attempt->run, pause_s(run));
    }
    return status;
}

// Asked to end before it was started, or in need of a new process: the run waits as if the process had never
// existed.
static void withdrawn(struct batch_scheduler *s, const struct batch_attempt *attempt)
{
    struct batch_run *run = &s->batch->runs[attempt->run];
    run->state = BATCH_WAITING;
    run->cause = BATCH_CAUSE_NONE;
    run->total_s -= run->attempt_s;
    run->attempt_s = 0;
    run->message[0] = '\0';
    s->plans[attempt->run].needs_process |= attempt->has_declined;
    if ((attempt->is_sent_back || attempt->has_declined) && !s->is_stopping) {
        s->waiting++;
        batch_pending_put_back(s, attempt->run, 0);
    }
}

enum status batch_completions_take(struct batch_scheduler *s, const struct batch_attempt *attempt)
{
    struct batch_run *run = &s->batch->runs[attempt->run];
    s->has_news = true;
    if (run->state == BATCH_DRAWING)
        return drawn(s, attempt);
    batch_attempt_judge(s->batch, attempt);
    if (!attempt->is_started) // it counts as waiting until it is started
        s->waiting--;
    if (attempt->has_declined && !attempt->is_started) {
        withdrawn(s, attempt);
        return STATUS_OK;
    }
    if (attempt->is_started && run->cause == BATCH_CAUSE_NONE)
        return passed(s, attempt->run);
    if (attempt->is_started || attempt->asked != BATCH_CAUSE_STOP)
        return failed(s, attempt);
    withdrawn(s, attempt);
    return STATUS_OK;
}
