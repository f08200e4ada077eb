// What becomes of a batch's run when its process has ended.
#include "batch/engine.h"

#include "core/log.h"

#include <math.h>
#include <stdio.h>

static const double pause_first_s = 0.5, pause_most_s = 60;

static void drawn(struct batch_engine *e, const struct batch_attempt *attempt)
{
    struct batch_run *run = &e->batch->runs[attempt->run];
    const double attempt_s = run->attempt_s, total_s = run->total_s; // of the run, not of its pictures
    batch_attempt_judge(e->batch, attempt);
    run->has_report = run->cause == BATCH_CAUSE_NONE;
    if (!run->has_report && attempt->asked == BATCH_CAUSE_NONE)
        snprintf(run->message, sizeof run->message,
                 "done, but its report could not be drawn: _logs/%s.log says why",
                 batch_engine_job(e, attempt->run)->name);
    run->state = BATCH_PASSED;
    run->cause = BATCH_CAUSE_NONE;
    run->exit_code = run->signal = 0;
    run->attempt_s = attempt_s;
    run->total_s = total_s;
    batch_engine_fail(e, batch_books_ended(e->batch, attempt->run));
    batch_table_ended(e->batch, attempt->run);
}

static void passed(struct batch_engine *e, size_t number)
{
    struct batch_run *run = &e->batch->runs[number];
    run->state = BATCH_PASSED;
    run->has_leftover = false;
    run->message[0] = '\0';
    batch_engine_fail(e, batch_books_ended(e->batch, number));
    if (batch_engine_job(e, number)->pictures && !e->is_stopping) {
        e->plans[number].is_to_draw = true;
        batch_engine_put_back(e, number, 0);
    } else {
        batch_table_ended(e->batch, number);
    }
}

static double pause_s(const struct batch_run *run)
{
    return fmin(pause_most_s, pause_first_s * pow(2, run->retries_used - 1));
}

// What becomes of a run whose attempt did not pass.
static void failed(struct batch_engine *e, const struct batch_attempt *attempt)
{
    struct batch_run *run = &e->batch->runs[attempt->run];
    const struct batch_job *job = batch_engine_job(e, attempt->run);
    const bool is_worth_retry = batch_attempt_is_worth_retry(run);
    if (batch_attempt_is_resume_refused(run, attempt)) {
        log_warning("%s: begins again: %s", job->name, run->message);
        e->plans[attempt->run].must_begin_anew = true;
        run->state = BATCH_WAITING;
    } else if (run->cause == BATCH_CAUSE_STOP || (e->is_stopping && is_worth_retry)) {
        run->state = BATCH_STOPPED;
    } else if (is_worth_retry && run->retries_used < job->retries) {
        run->retries_used++;
        run->state = BATCH_WAITING;
    } else {
        run->state = BATCH_FAILED;
    }
    batch_engine_fail(e, batch_books_ended(e->batch, attempt->run));
    batch_table_ended(e->batch, attempt->run);
    if (run->state == BATCH_WAITING) {
        e->waiting++;
        batch_engine_put_back(e, attempt->run,
                              run->cause == BATCH_CAUSE_EXIT && run->retries_used == 0 ? 0 : pause_s(run));
    }
}

void batch_engine_ended(struct batch_engine *e, const struct batch_attempt *attempt)
{
    struct batch_run *run = &e->batch->runs[attempt->run];
    e->has_news = true;
    if (run->state == BATCH_DRAWING) {
        drawn(e, attempt);
        return;
    }
    batch_attempt_judge(e->batch, attempt);
    if (!attempt->is_begun) // it counts as waiting until it was told to go
        e->waiting--;
    if (attempt->is_begun && run->cause == BATCH_CAUSE_NONE) {
        passed(e, attempt->run);
    } else if (!attempt->is_begun && attempt->asked == BATCH_CAUSE_STOP) {
        run->state = BATCH_WAITING; // as if its process had never been
        run->cause = BATCH_CAUSE_NONE;
        run->total_s -= run->attempt_s;
        run->attempt_s = 0;
        run->message[0] = '\0';
        if (attempt->is_sent_back && !e->is_stopping) {
            e->waiting++;
            batch_engine_put_back(e, attempt->run, 0);
        }
    } else {
        failed(e, attempt);
    }
}
