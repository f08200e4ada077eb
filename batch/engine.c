// A batch's loop: which process is begun, told to go, asked to end, and what becomes of its run. One thread,
// which sleeps until a process says something or ends, a signal comes, or time is up. Knows no job and no
// model.
#include "batch/engine.h"

#include "batch/room.h"
#include "core/clock.h"
#include "core/log.h"
#include "io/path.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Processes that wait with their plans: enough that none has to be begun when a place is free.
enum { AHEAD_LEAST = 2, CORES_PER_AHEAD = 4, HUNG_MOST = 64 };
static const double look_every_s = 0.25, summary_every_s = 60, alive_every_s = 60, summary_share = 0.02,
                    planning_long_s = 60, begin_again_s = 5;

// ---- asking to end

void batch_engine_ask_to_end(struct batch_attempt *attempt, enum batch_cause why, double kill_at_s)
{
    if (attempt->asked == BATCH_CAUSE_NONE) {
        attempt->asked = why;
        batch_child_signal(&attempt->child, SIGTERM);
    }
    attempt->kill_at_s = fmin(attempt->kill_at_s, kill_at_s);
}

static void stop_all(struct batch_engine *e, double grace_s)
{
    const double kill_at_s = clock_now_s() + grace_s;
    e->is_stopping = true;
    for (size_t k = 0; k < e->attempt_count; k++) {
        struct batch_attempt *attempt = &e->attempts[k];
        attempt->limit_at_s = INFINITY;
        batch_engine_ask_to_end(attempt, BATCH_CAUSE_STOP, kill_at_s);
    }
}

// What the batch cannot go on with: its runs save their states and end.
void batch_engine_fail(struct batch_engine *e, enum status status)
{
    if (status == STATUS_OK || e->failure != STATUS_OK)
        return;
    e->failure = status;
    stop_all(e, e->options->grace_s);
}

// ---- beginning

double batch_engine_limit_at_s(const struct batch_engine *e, size_t run)
{
    const double limit_s = batch_engine_job(e, run)->time_limit_s;
    return limit_s > 0 ? clock_now_s() + limit_s : INFINITY;
}

// A run whose process cannot even be begun: if the machine has no room for one more it waits until others
// have ended, else it has failed. The others go on.
static void put_off_or_give_up(struct batch_engine *e, size_t number, enum status status)
{
    struct batch_run *run = &e->batch->runs[number];
    if (status == STATUS_SYSTEM && e->attempt_count > 0) {
        log_warning("%s: %s; it is tried again", batch_engine_job(e, number)->name, status_message());
        status_clear();
        batch_engine_put_back(e, number, begin_again_s);
        return;
    }
    e->waiting--;
    run->state = BATCH_FAILED;
    run->cause = BATCH_CAUSE_EXIT;
    run->exit_code = status_exit_code(status);
    run->signal = 0;
    snprintf(run->message, sizeof run->message, "%s", status_message());
    status_clear();
    batch_engine_fail(e, batch_books_ended(e->batch, number));
    batch_table_ended(e->batch, number);
}

static void draw_one(struct batch_engine *e, size_t run)
{
    struct batch_attempt *attempt = &e->attempts[e->attempt_count];
    e->plans[run].is_to_draw = false;
    if (batch_attempt_draw(e->batch, run, e->options->program, attempt) == STATUS_OK) {
        attempt->needs.device = -1;
        attempt->limit_at_s = batch_engine_limit_at_s(e, run);
        e->attempt_count++;
        return;
    }
    log_warning("%s: its report cannot be drawn: %s", batch_engine_job(e, run)->name, status_message());
    status_clear();
}

// Of the device that a run will see, or of the best of all.
static size_t most_device_bytes(const struct batch_engine *e, int device)
{
    size_t most = device >= 0 ? e->room.device_bytes[device] : 0;
    for (int d = 0; device < 0 && d < e->room.device_count; d++)
        most = e->room.device_bytes[d] > most ? e->room.device_bytes[d] : most;
    return most;
}

static void begin_one(struct batch_engine *e, size_t run)
{
    const struct batch_job *job = batch_engine_job(e, run);
    struct batch_attempt *attempt = &e->attempts[e->attempt_count];
    const size_t sharers = e->waiting < 1 ? 1 : e->waiting;
    const int share = sharers < (size_t)e->room.cores ? e->room.cores / (int)sharers : 1;
    const int device = batch_engine_choose_device(e, job);
    const struct batch_start start = {
        .program = e->options->program,
        .cores = job->cores > 0 ? (job->cores < e->room.cores ? job->cores : e->room.cores) : share,
        .device = device,
        .device_bytes = most_device_bytes(e, device),
        .must_begin_anew = e->plans[run].must_begin_anew,
    };
    const enum status status = batch_attempt_begin(e->batch, run, &start, attempt);
    if (status != STATUS_OK) {
        put_off_or_give_up(e, run, status);
        return;
    }
    e->plans[run].must_begin_anew = false;
    attempt->needs.device = start.device;
    attempt->limit_at_s = batch_engine_limit_at_s(e, run);
    e->attempt_count++;
}

// Processes that plan or wait with their plans. One that has been planning for long (an input that does not
// answer) is not counted: it must not keep the others from their turn.
static size_t count_ahead(const struct batch_engine *e)
{
    const double since_s = clock_now_s() - planning_long_s;
    size_t count = batch_engine_count(e, BATCH_PLANNED);
    for (size_t k = 0; k < e->attempt_count; k++) {
        const struct batch_run *run = &e->batch->runs[e->attempts[k].run];
        count += run->state == BATCH_PLANNING && run->begun_s > since_s;
    }
    return count;
}

static void begin_more(struct batch_engine *e)
{
    while (!e->is_stopping && e->attempt_count < e->attempts_max) {
        const bool may_begin = e->ahead > count_ahead(e);
        const bool may_draw = batch_engine_room_left(e).cores > 0;
        const size_t run = batch_engine_take_next(e, may_begin, may_draw);
        if (run == SIZE_MAX)
            return;
        if (e->plans[run].is_to_draw)
            draw_one(e, run);
        else
            begin_one(e, run);
    }
}

// ---- the loop

static void take_signals(struct batch_engine *e)
{
    for (int number; (number = batch_child_next_signal(e->signals)) != 0;) {
        if (number == SIGCHLD)
            continue;
        const bool is_again = e->is_stopping && number == SIGINT;
        if (!e->is_stopping)
            log_info("%s: the runs save their states and end", strsignal(number));
        e->batch->stop_signal = e->batch->stop_signal ? e->batch->stop_signal : number;
        stop_all(e, is_again ? 0 : e->options->grace_s);
    }
}

static void take_messages(struct batch_engine *e)
{
    for (size_t k = 0; k < e->attempt_count; k++) {
        struct batch_attempt *attempt = &e->attempts[k];
        const int visible_device = attempt->needs.device;
        if (batch_attempt_listen(e->batch, attempt))
            batch_engine_take_plan(e, attempt, visible_device);
    }
}

static void take_ends(struct batch_engine *e)
{
    for (size_t k = 0; k < e->attempt_count;) {
        if (!batch_child_reap(&e->attempts[k].child)) {
            k++;
            continue;
        }
        struct batch_attempt attempt = e->attempts[k];
        (void)batch_attempt_listen(e->batch, &attempt); // its last words
        e->attempts[k] = e->attempts[--e->attempt_count];
        batch_engine_ended(e, &attempt);
        batch_child_close(&attempt.child);
    }
}

static void take_time(struct batch_engine *e)
{
    const double now_s = clock_now_s(), limit_s = e->options->time_limit_s;
    if (!e->is_stopping && limit_s > 0 && now_s - e->batch->begun_s >= limit_s) {
        log_info("the batch's time is up: the runs save their states and end");
        e->is_over_time = true;
        stop_all(e, e->options->grace_s);
    }
    for (size_t k = 0; k < e->attempt_count; k++) {
        struct batch_attempt *attempt = &e->attempts[k];
        if (now_s >= attempt->limit_at_s)
            batch_engine_ask_to_end(attempt, BATCH_CAUSE_TIMEOUT, now_s + e->options->grace_s);
        if (now_s >= attempt->kill_at_s)
            batch_child_kill(&attempt->child);
    }
}

// A run that never says what it needs must not be a batch that stands still without a word.
static void say_long_planning(struct batch_engine *e)
{
    for (size_t k = 0; k < e->attempt_count; k++) {
        struct batch_attempt *attempt = &e->attempts[k];
        const struct batch_run *run = &e->batch->runs[attempt->run];
        if (attempt->is_long_said || run->state != BATCH_PLANNING ||
            clock_now_s() - run->begun_s < planning_long_s)
            continue;
        attempt->is_long_said = true;
        log_warning("%s: has not said for %g s what it needs (an input that does not answer?); without a "
                    "time_limit it is "
                    "waited for",
                    batch_engine_job(e, attempt->run)->name, planning_long_s);
    }
}

// The summary so far, for who looks in the middle of the night; never so often that it costs.
static void write_summary(struct batch_engine *e)
{
    const double begin_s = clock_now_s();
    if (!e->has_news || begin_s < e->summary_at_s || e->batch->only != SIZE_MAX) // elements share one folder
        return;
    e->has_news = false;
    if (batch_summary_write(e->batch) != STATUS_OK || batch_page_write(e->batch) != STATUS_OK) {
        log_warning("the summary so far could not be written: %s", status_message());
        status_clear();
    }
    const double now_s = clock_now_s();
    e->summary_at_s = now_s + fmax(summary_every_s, (now_s - begin_s) / summary_share);
}

// After a kill the journal's last line tells until when the runs have worked.
static void note_alive(struct batch_engine *e)
{
    const double now_s = clock_now_s();
    if (e->attempt_count == 0 || e->failure != STATUS_OK || now_s < e->alive_at_s)
        return;
    e->alive_at_s = now_s + alive_every_s;
    const bool was_clear = status_message()[0] == '\0';
    // Nothing hangs on it: a disk that is full for a moment need not end the night.
    if (batch_books_alive(e->batch) != STATUS_OK && was_clear)
        status_clear();
}

static void sleep_until_news(const struct batch_engine *e, struct pollfd *polls)
{
    const double now_s = clock_now_s();
    double until_s = now_s + look_every_s;
    nfds_t count = 0;
    polls[count++] = (struct pollfd){.fd = e->signals, .events = POLLIN};
    for (size_t k = 0; k < e->attempt_count; k++) {
        until_s = fmin(until_s, fmin(e->attempts[k].limit_at_s, e->attempts[k].kill_at_s));
        if (e->attempts[k].child.descriptor >= 0)
            polls[count++] = (struct pollfd){.fd = e->attempts[k].child.descriptor, .events = POLLIN};
    }
    for (size_t k = 0; k < e->again_count; k++) // those that wait for room, too, wait for something to end
        if (e->plans[e->again[k]].not_before_s > now_s)
            until_s = fmin(until_s, e->plans[e->again[k]].not_before_s);
    const int milliseconds = until_s > now_s ? (int)ceil((until_s - now_s) * 1e3) : 1;
    (void)poll(polls, count, milliseconds);
}

static bool is_over(const struct batch_engine *e)
{
    if (e->attempt_count > 0)
        return false;
    return e->is_stopping || (e->waiting == 0 && e->again_count == 0);
}

static void loop(struct batch_engine *e, struct pollfd *polls)
{
    for (;;) {
        begin_more(e);
        batch_engine_place(e);
        batch_table_draw(e->batch);
        if (is_over(e))
            return;
        sleep_until_news(e, polls);
        take_signals(e);
        take_messages(e);
        take_ends(e);
        take_time(e);
        say_long_planning(e);
        note_alive(e);
        write_summary(e);
    }
}

static enum status begin(struct batch_engine *e)
{
    char logs[PATH_BYTES + 8];
    CHECK(batch_room_measure(e->batch->queue, &e->room, e->device_free));
    e->ahead = AHEAD_LEAST + (size_t)e->room.cores / CORES_PER_AHEAD;
    e->ahead = e->ahead < BATCH_AHEAD_MOST ? e->ahead : BATCH_AHEAD_MOST;
    e->attempts_max = (size_t)e->room.jobs + e->ahead + HUNG_MOST;
    e->attempts = calloc(e->attempts_max, sizeof *e->attempts);
    if (!e->attempts)
        return FAIL(STATUS_SYSTEM, "no memory for %zu processes", e->attempts_max);
    CHECK(batch_engine_make_queue(e));
    snprintf(logs, sizeof logs, "%s/_logs", e->batch->queue->directory);
    CHECK(path_make_directory(logs));
    e->summary_at_s = clock_now_s() + summary_every_s;
    e->alive_at_s = clock_now_s() + alive_every_s;
    return batch_child_open_signals(&e->signals);
}

enum status batch_engine_run(struct batch *batch, const struct batch_engine_options *options)
{
    struct batch_engine e = {.batch = batch, .options = options, .signals = -1};
    enum status status = begin(&e);
    struct pollfd *polls = status == STATUS_OK ? calloc(e.attempts_max + 1, sizeof *polls) : NULL;
    if (status == STATUS_OK && !polls)
        status = FAIL(STATUS_SYSTEM, "no memory for %zu processes", e.attempts_max);
    if (status == STATUS_OK) {
        loop(&e, polls);
        status = e.failure != STATUS_OK ? e.failure : STATUS_OK;
        if (status == STATUS_OK && e.is_stopping)
            status = FAIL(STATUS_STOPPED, "stopped by %s",
                          e.is_over_time ? "its time limit" : strsignal(batch->stop_signal));
    }
    if (e.signals >= 0)
        batch_child_close_signals(e.signals);
    free(polls);
    free(e.attempts);
    free(e.order);
    free(e.again);
    free(e.plans);
    return status;
}
