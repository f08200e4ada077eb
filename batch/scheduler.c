// The scheduler's loop (see the header). One thread, which sleeps until a process sends a message or ends, a
// signal arrives, or a time is reached. Independent of models; does not read job files.
#include "batch/scheduler.h"

#include "batch/completions.h"
#include "batch/journal.h"
#include "batch/page.h"
#include "batch/pending.h"
#include "batch/resources.h"
#include "batch/slots.h"
#include "batch/summary.h"
#include "batch/table.h"
#include "batch/workers.h"
#include "core/clock.h"
#include "core/log.h"
#include "core/stop_signals.h"
#include "io/path.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The number of runs that are planned ahead and wait, so that a free slot is filled at once.
enum { AHEAD_LEAST = 2, CORES_PER_AHEAD = 4, HUNG_MOST = 64 };
static const double poll_every_s = 0.25, summary_every_s = 60, alive_every_s = 60, summary_share = 0.02,
                    planning_long_s = 60, start_again_s = 5;

// ---- stopping

static void stop_all(struct batch_scheduler *s, double grace_s)
{
    const double kill_at_s = clock_now_s() + grace_s;
    s->is_stopping = true;
    batch_workers_release(s, SIZE_MAX);
    for (size_t k = 0; k < s->attempt_count; k++) {
        struct batch_attempt *attempt = &s->attempts[k];
        attempt->limit_at_s = INFINITY;
        batch_attempt_ask_to_end(attempt, BATCH_CAUSE_STOP, kill_at_s);
    }
}

// A failure of the batch itself: its runs save checkpoints and end. STATUS_OK has no effect.
static void fail(struct batch_scheduler *s, enum status status)
{
    if (status == STATUS_OK || s->failure != STATUS_OK)
        return;
    s->failure = status;
    stop_all(s, s->options->grace_s);
}

// ---- starting

// A run whose process cannot be started. If the system refuses one more process, the run waits until others
// have ended; else it has failed. The other runs continue.
static void postpone_or_fail(struct batch_scheduler *s, size_t number, enum status status)
{
    struct batch_run *run = &s->batch->runs[number];
    if (status == STATUS_SYSTEM && s->attempt_count > 0) {
        log_warning("%s: %s; it is retried", batch_scheduler_job(s, number)->name, status_message());
        status_clear();
        batch_pending_put_back(s, number, start_again_s);
        return;
    }
    s->waiting--;
    run->state = BATCH_FAILED;
    run->cause = BATCH_CAUSE_EXIT;
    run->exit_code = status_exit_code(status);
    run->signal = 0;
    snprintf(run->message, sizeof run->message, "%s", status_message());
    status_clear();
    fail(s, batch_journal_ended(s->batch, number));
    batch_table_ended(s->batch, number);
}

static void start_drawing(struct batch_scheduler *s, size_t run)
{
    struct batch_attempt *attempt = &s->attempts[s->attempt_count];
    s->plans[run].is_to_draw = false;
    if (batch_attempt_draw(s->batch, run, s->options->program, attempt) == STATUS_OK) {
        attempt->needs.device = -1;
        attempt->limit_at_s = batch_attempt_limit_at_s(batch_scheduler_job(s, run));
        s->attempt_count++;
        return;
    }
    log_warning("%s: its report cannot be drawn: %s", batch_scheduler_job(s, run)->name, status_message());
    status_clear();
}

// Memory of the given device; device < 0: of the device with the most memory.
static size_t most_device_bytes(const struct batch_scheduler *s, int device)
{
    size_t most = device >= 0 ? s->resources.device_bytes[device] : 0;
    for (int d = 0; device < 0 && d < s->resources.device_count; d++)
        most = s->resources.device_bytes[d] > most ? s->resources.device_bytes[d] : most;
    return most;
}

static void start_run(struct batch_scheduler *s, size_t run)
{
    const struct batch_job *job = batch_scheduler_job(s, run);
    struct batch_attempt *attempt = &s->attempts[s->attempt_count];
    const size_t sharers = s->waiting < 1 ? 1 : s->waiting;
    const int share = sharers < (size_t)s->resources.cores ? s->resources.cores / (int)sharers : 1;
    struct batch_worker *worker = batch_workers_find(s, run);
    const int device = worker ? worker->device : batch_slots_choose_device(s, job);
    const int most = s->resources.cores, asked = job->cores > 0 ? job->cores : share;
    const struct batch_start start = {
        .program = s->options->program,
        .cores = asked < most ? asked : most,
        .device = device,
        .devices = batch_slots_choose_devices(s, job),
        .device_bytes = most_device_bytes(s, device),
        .must_restart = s->plans[run].must_restart,
        .is_kept = s->plans[run].shares_job,
        .waiting = worker ? &worker->child : NULL,
    };
    const enum status status = batch_attempt_start(s->batch, run, &start, attempt);
    if (!worker)
        batch_workers_release(s, run); // what they wait for is over, or comes late
    batch_workers_reap(s);
    if (status != STATUS_OK) {
        postpone_or_fail(s, run, status);
        return;
    }
    s->plans[run].must_restart = false;
    attempt->needs.device = start.device;
    attempt->needs.devices = start.devices;
    attempt->limit_at_s = batch_attempt_limit_at_s(batch_scheduler_job(s, run));
    s->attempt_count++;
}

// Processes that plan or wait with their plans. One that has been planning for long (an input on a file
// system that does not respond) is not counted: it must not delay the others.
static size_t count_ahead(const struct batch_scheduler *s)
{
    const double since_s = clock_now_s() - planning_long_s;
    size_t count = batch_slots_count(s, BATCH_PLANNED);
    for (size_t k = 0; k < s->attempt_count; k++) {
        const struct batch_run *run = &s->batch->runs[s->attempts[k].run];
        count += run->state == BATCH_PLANNING && run->started_s > since_s;
    }
    return count;
}

static void start_more(struct batch_scheduler *s)
{
    while (!s->is_stopping && s->attempt_count < s->attempts_max) {
        const bool may_start = s->ahead > count_ahead(s);
        const bool may_draw = batch_slots_free(s).cores > 0;
        const size_t run = batch_pending_take(s, may_start, may_draw);
        if (run == SIZE_MAX && may_start && s->again_count == 0)
            batch_workers_release(s, SIZE_MAX);
        if (run == SIZE_MAX)
            return;
        if (s->plans[run].is_to_draw)
            start_drawing(s, run);
        else
            start_run(s, run);
    }
}

// ---- the loop

static void take_signals(struct batch_scheduler *s)
{
    for (int number; (number = batch_child_next_signal(s->signals)) != 0;) {
        if (number == SIGCHLD)
            continue;
        const bool is_again = s->is_stopping && number == SIGINT;
        if (!s->is_stopping)
            log_info("%s: the runs save checkpoints and stop", stop_signals_name(number));
        s->batch->stop_signal = s->batch->stop_signal ? s->batch->stop_signal : number;
        stop_all(s, is_again ? 0 : s->options->grace_s);
    }
}

static void take_messages(struct batch_scheduler *s)
{
    for (size_t k = 0; k < s->attempt_count; k++) {
        struct batch_attempt *attempt = &s->attempts[k];
        const int visible_device = attempt->needs.device;
        if (batch_attempt_listen(s->batch, attempt))
            batch_slots_take_plan(s, attempt, visible_device);
    }
}

static void take_ends(struct batch_scheduler *s)
{
    for (size_t k = 0; k < s->attempt_count;) {
        if (!s->attempts[k].has_passed && !batch_child_reap(&s->attempts[k].child)) {
            k++;
            continue;
        }
        struct batch_attempt attempt = s->attempts[k];
        if (!attempt.has_passed)
            (void)batch_attempt_listen(s->batch, &attempt); // its last message
        s->attempts[k] = s->attempts[--s->attempt_count];
        fail(s, batch_completions_take(s, &attempt));
        if (attempt.has_passed)
            batch_workers_keep(s, &attempt);
        else
            batch_child_close(&attempt.child);
    }
    batch_workers_reap(s);
}

static void take_time(struct batch_scheduler *s)
{
    const double now_s = clock_now_s(), limit_s = s->options->time_limit_s;
    if (!s->is_stopping && limit_s > 0 && now_s - s->batch->started_s >= limit_s) {
        log_info("the batch's time limit is reached: the runs save checkpoints and stop");
        s->is_over_time = true;
        stop_all(s, s->options->grace_s);
    }
    for (size_t k = 0; k < s->attempt_count; k++) {
        struct batch_attempt *attempt = &s->attempts[k];
        if (now_s >= attempt->limit_at_s)
            batch_attempt_ask_to_end(attempt, BATCH_CAUSE_TIMEOUT, now_s + s->options->grace_s);
        if (now_s >= attempt->kill_at_s)
            batch_child_kill(&attempt->child);
    }
}

// Without this warning a batch could wait forever, and silently, for a run that never sends its plan.
static void warn_of_long_planning(struct batch_scheduler *s)
{
    for (size_t k = 0; k < s->attempt_count; k++) {
        struct batch_attempt *attempt = &s->attempts[k];
        const struct batch_run *run = &s->batch->runs[attempt->run];
        if (attempt->has_warned || run->state != BATCH_PLANNING ||
            clock_now_s() - run->started_s < planning_long_s)
            continue;
        attempt->has_warned = true;
        log_warning("%s: has not sent its plan for %g s (an input on a file system that does not "
                    "respond?); without a time_limit the batch waits for it",
                    batch_scheduler_job(s, attempt->run)->name, planning_long_s);
    }
}

// The summary so far, for readers while the batch runs; at most summary_share of the time goes into it.
static void write_summary(struct batch_scheduler *s)
{
    const double first_s = clock_now_s();
    if (!s->has_news || first_s < s->summary_at_s ||
        s->batch->only != SIZE_MAX) // the elements of a Slurm array share one folder
        return;
    s->has_news = false;
    if (batch_summary_write(s->batch) != STATUS_OK || batch_page_write(s->batch) != STATUS_OK) {
        log_warning("the summary so far could not be written: %s", status_message());
        status_clear();
    }
    const double now_s = clock_now_s();
    s->summary_at_s = now_s + fmax(summary_every_s, (now_s - first_s) / summary_share);
}

// If the batch is killed, the journal's last line shows how long its runs had worked.
static void note_alive(struct batch_scheduler *s)
{
    const double now_s = clock_now_s();
    if (s->attempt_count == 0 || s->failure != STATUS_OK || now_s < s->alive_at_s)
        return;
    s->alive_at_s = now_s + alive_every_s;
    const bool was_clear = status_message()[0] == '\0';
    // A disk that is full for a short time must not end the batch.
    if (batch_journal_alive(s->batch) != STATUS_OK && was_clear)
        status_clear();
}

static void sleep_until_news(const struct batch_scheduler *s, struct pollfd *polls)
{
    const double now_s = clock_now_s();
    double until_s = now_s + poll_every_s;
    nfds_t count = 0;
    polls[count++] = (struct pollfd){.fd = s->signals, .events = POLLIN};
    for (size_t k = 0; k < s->attempt_count; k++) {
        until_s = fmin(until_s, fmin(s->attempts[k].limit_at_s, s->attempts[k].kill_at_s));
        if (s->attempts[k].child.descriptor >= 0)
            polls[count++] = (struct pollfd){.fd = s->attempts[k].child.descriptor, .events = POLLIN};
    }
    for (size_t k = 0; k < s->again_count; k++) // runs that wait for resources start when another ends
        if (s->plans[s->again[k]].not_before_s > now_s)
            until_s = fmin(until_s, s->plans[s->again[k]].not_before_s);
    const int milliseconds = until_s > now_s ? (int)ceil((until_s - now_s) * 1e3) : 1;
    (void)poll(polls, count, milliseconds);
}

static bool has_finished(const struct batch_scheduler *s)
{
    if (s->attempt_count > 0)
        return false;
    return s->is_stopping || (s->waiting == 0 && s->again_count == 0);
}

static void loop(struct batch_scheduler *s, struct pollfd *polls)
{
    for (;;) {
        start_more(s);
        fail(s, batch_slots_fill(s));
        fail(s, batch_journal_sync(s->batch));
        batch_table_draw(s->batch);
        if (has_finished(s))
            return;
        sleep_until_news(s, polls);
        take_signals(s);
        take_messages(s);
        take_ends(s);
        take_time(s);
        warn_of_long_planning(s);
        note_alive(s);
        write_summary(s);
    }
}

static enum status prepare(struct batch_scheduler *s)
{
    char logs[PATH_BYTES + 8];
    CHECK(batch_resources_measure(s->batch->queue, &s->resources, s->device_free));
    s->ahead = AHEAD_LEAST + (size_t)s->resources.cores / CORES_PER_AHEAD;
    s->ahead = s->ahead < BATCH_AHEAD_MOST ? s->ahead : BATCH_AHEAD_MOST;
    s->attempts_max = (size_t)s->resources.jobs + s->ahead + HUNG_MOST;
    s->attempts = calloc(s->attempts_max, sizeof *s->attempts);
    if (!s->attempts)
        return FAIL(STATUS_SYSTEM, "not enough memory for %zu processes", s->attempts_max);
    CHECK(batch_pending_list(s));
    CHECK(batch_workers_open(s));
    snprintf(logs, sizeof logs, "%s/_logs", s->batch->queue->directory);
    CHECK(path_make_directory(logs));
    s->summary_at_s = clock_now_s() + summary_every_s;
    s->alive_at_s = clock_now_s() + alive_every_s;
    return batch_child_open_signals(&s->signals);
}

enum status batch_scheduler_run(struct batch *batch, const struct batch_scheduler_options *options)
{
    struct batch_scheduler s = {.batch = batch, .options = options, .signals = -1};
    enum status status = prepare(&s);
    struct pollfd *polls = status == STATUS_OK ? calloc(s.attempts_max + 1, sizeof *polls) : NULL;
    if (status == STATUS_OK && !polls)
        status = FAIL(STATUS_SYSTEM, "not enough memory for %zu processes", s.attempts_max);
    if (status == STATUS_OK) {
        loop(&s, polls);
        status = s.failure != STATUS_OK ? s.failure : STATUS_OK;
        if (status == STATUS_OK && s.is_stopping)
            status = FAIL(STATUS_STOPPED, "stopped by %s",
                          s.is_over_time ? "its time limit" : stop_signals_name(batch->stop_signal));
    }
    batch_workers_close(&s);
    if (s.signals >= 0)
        batch_child_close_signals(s.signals);
    free(polls);
    free(s.attempts);
    free(s.order);
    free(s.again);
    free(s.plans);
    free(s.disk_shares);
    return status;
}
