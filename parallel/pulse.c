// Signs of life, and failures on their way to all ranks (see the header).
#include "parallel/pulse.h"

#include "core/clock.h"
#include "core/memory_plan.h"
#include "parallel/sanitizer.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double turn_s = 0.05, look_s = 0.25, release_s = 600, release_lost_s = 1, elsewhere_s = 5;
enum { TAG_PULSE = 0 };

enum kind { KIND_BEAT, KIND_FAILURE, KIND_RELEASE };

struct beat {
    int kind;                  // enum kind
    int rank, status, is_lost; // status of a release: the exit code
    char message[RANKS_MESSAGE_BYTES];
};

// The line to another rank. Its messages are small, and one is under way each way.
struct line {
    int peer;
    bool is_receiving, is_sending;
    struct transport_request received, sent;
    struct beat in, out;
    double heard_s, spoken_s;
    bool has_failure, has_release; // were sent, or received
};

struct pulse {
    pthread_t thread;
    struct line *lines;
    int line_count;
    double lost_s, looked_s;
    double woke_s; // when this process went on after it was suspended for longer than lost_s; 0: never
    atomic_bool must_end, is_released; // is_released: may be sent (rank 0), was received (others)
    atomic_bool is_release_sent;
    atomic_int released_code; // of rank 0, whose message is the run's
    atomic_bool is_silent;    // the other end of a line, after a failure
    int ended, looks;         // the first rank whose process had ended at the last looks; -1: none
    bool is_in_use;           // a message that could not be given up may still come: the memory stays
};

static double lost_after_s(void)
{
    const char *text = getenv("FATHOM_TEST_LOST_S");
    const double s = text ? strtod(text, NULL) : 0;
    return s > 0 ? s : PULSE_LOST_S;
}

static void nap(double s)
{
    nanosleep(&(struct timespec){.tv_nsec = (long)(s * 1e9)}, NULL);
}

static void take(struct ranks *ranks, struct line *line)
{
    const struct beat *beat = &line->in;
    if (beat->kind == KIND_FAILURE) {
        ranks_set_failure(ranks, beat->rank, beat->status, beat->is_lost != 0, beat->message);
        line->has_failure = true; // it knows already
    }
    if (beat->kind == KIND_RELEASE) {
        atomic_store(&ranks->pulse->released_code, beat->status);
        atomic_store(&ranks->pulse->is_released, true);
    }
}

// False: the line is broken.
static bool listen(struct ranks *ranks, struct line *line, double now_s)
{
    const struct transport *t = ranks->transport;
    char why[TRANSPORT_WHY_BYTES];
    bool is_done = true;
    while (is_done) {
        if (!line->is_receiving && !t->receive(t->context, TRANSPORT_PULSE, line->peer, TAG_PULSE, &line->in,
                                               sizeof line->in, &line->received, why))
            return false;
        line->is_receiving = true;
        if (!t->test(t->context, &line->received, &is_done, why))
            return false;
        if (is_done) {
            line->is_receiving = false;
            line->heard_s = now_s;
            take(ranks, line);
        }
    }
    return true;
}

// The next thing to say, if it is time.
static bool has_more_to_say(struct ranks *ranks, struct line *line, double now_s)
{
    const struct ranks_failure *failure = &ranks->failure;
    const bool is_first = ranks->rank == 0;
    line->out.kind = KIND_BEAT;
    if (ranks_have_failed(ranks) && !line->has_failure) {
        line->out.kind = KIND_FAILURE;
        line->out.rank = failure->rank;
        line->out.status = failure->status;
        line->out.is_lost = failure->is_lost;
        memcpy(line->out.message, failure->message, sizeof line->out.message);
        line->has_failure = true;
        return true;
    }
    if (is_first && atomic_load(&ranks->pulse->is_released) && !line->has_release) {
        line->out.kind = KIND_RELEASE;
        line->out.status = atomic_load(&ranks->pulse->released_code);
        line->has_release = true;
        return true;
    }
    return now_s - line->spoken_s >= (ranks->pulse->lost_s < 10 ? ranks->pulse->lost_s / 10 : 1);
}

static bool speak(struct ranks *ranks, struct line *line, double now_s)
{
    const struct transport *t = ranks->transport;
    char why[TRANSPORT_WHY_BYTES];
    bool is_done = false;
    if (line->is_sending) {
        if (!t->test(t->context, &line->sent, &is_done, why))
            return false;
        line->is_sending = !is_done;
    }
    if (line->is_sending || !has_more_to_say(ranks, line, now_s))
        return true;
    line->spoken_s = now_s;
    line->is_sending = true;
    return t->send(t->context, TRANSPORT_PULSE, line->peer, TAG_PULSE, &line->out, sizeof line->out,
                   &line->sent, why);
}

static void lose(struct ranks *ranks, int rank, const char *how)
{
    char message[RANKS_MESSAGE_BYTES];
    const struct pulse *pulse = ranks->pulse;
    // After a long suspension it is this rank that the others have taken for lost, as they have said.
    const bool is_this = pulse->woke_s > 0 && clock_now_s() - pulse->woke_s < pulse->lost_s;
    if (is_this)
        snprintf(message, sizeof message,
                 "rank %d of %d, on %s, was suspended for longer than %g s: the others have stopped without "
                 "it",
                 ranks->rank, ranks->count, ranks->places[ranks->rank].host, pulse->lost_s);
    else
        snprintf(message, sizeof message, "rank %d of %d, on %s, is lost: %s; the others stop", rank,
                 ranks->count, ranks->places[rank].host, how);
    ranks_set_failure(ranks, is_this ? ranks->rank : rank, STATUS_SYSTEM, true, message);
}

static void watch_line(struct ranks *ranks, struct line *line, double now_s)
{
    char how[96];
    const bool is_silent = now_s - line->heard_s > ranks->pulse->lost_s;
    if (ranks_have_failed(ranks)) { // only the first one counts
        if (is_silent)
            atomic_store(&ranks->pulse->is_silent, true);
    } else if (is_silent) {
        snprintf(how, sizeof how, "no sign of it for %.0f s", now_s - line->heard_s);
        lose(ranks, line->peer, how);
    }
}

// A rank that has ended may have said why just after this one listened: it is lost if it has still said
// nothing at the next look. The first rank tells the others, and launchers end them: they wait for longer.
static void look_at_processes(struct ranks *ranks)
{
    struct pulse *pulse = ranks->pulse;
    const int most_looks = ranks->rank == 0 ? 2 : 8;
    int ended = -1;
    for (int r = 0; r < ranks->count && ended < 0; r++)
        if (r != ranks->rank && ranks_has_ended(ranks, r))
            ended = r;
    pulse->looks = ended == pulse->ended ? pulse->looks + 1 : 1;
    pulse->ended = ended;
    if (ended >= 0 && pulse->looks >= most_looks && !ranks_have_failed(ranks))
        lose(ranks, ended, "its process has ended");
}

// A process that was stopped and goes on (a suspended job) finds all others silent: it listens first.
static void forgive(struct pulse *pulse, double now_s)
{
    for (int k = 0; k < pulse->line_count; k++)
        pulse->lines[k].heard_s = now_s;
}

static void turn(struct ranks *ranks, double now_s)
{
    struct pulse *pulse = ranks->pulse;
    bool are_released = true;
    for (int k = 0; k < pulse->line_count; k++) {
        struct line *line = &pulse->lines[k];
        sanitizer_begin_transport();
        const bool is_whole = listen(ranks, line, now_s) && speak(ranks, line, now_s);
        sanitizer_end_transport();
        if (!is_whole && !ranks_have_failed(ranks))
            lose(ranks, line->peer, "the connection to it is broken");
        watch_line(ranks, line, now_s);
        are_released &= line->has_release && !line->is_sending;
    }
    atomic_store(&pulse->is_release_sent, are_released);
    if (now_s - pulse->looked_s >= look_s) {
        pulse->looked_s = now_s;
        look_at_processes(ranks);
    }
}

static void *pulse_thread(void *argument)
{
    struct ranks *ranks = argument;
    struct pulse *pulse = ranks->pulse;
    const struct transport *t = ranks->transport;
    double before_s = clock_now_s();
    memory_thread_may_allocate = true;
    forgive(pulse, before_s);
    while (!atomic_load(&pulse->must_end)) {
        const double now_s = clock_now_s();
        if (now_s - before_s > pulse->lost_s / 4)
            forgive(pulse, now_s);
        if (now_s - before_s > pulse->lost_s)
            pulse->woke_s = now_s;
        before_s = now_s;
        turn(ranks, now_s);
        nap(turn_s);
    }
    sanitizer_begin_transport();
    for (int k = 0; k < pulse->line_count; k++) {
        struct line *line = &pulse->lines[k];
        if (line->is_receiving && !t->cancel(t->context, &line->received))
            pulse->is_in_use = true;
        if (line->is_sending && !t->cancel(t->context, &line->sent))
            pulse->is_in_use = true;
    }
    sanitizer_end_transport();
    return NULL;
}

static void free_pulse(struct ranks *ranks)
{
    if (!ranks->pulse->is_in_use) {
        free(ranks->pulse->lines);
        free(ranks->pulse);
    }
    ranks->pulse = NULL;
}

enum status pulse_start(struct ranks *ranks)
{
    if (ranks->count == 1)
        return STATUS_OK;
    struct pulse *pulse = calloc(1, sizeof *pulse);
    const int lines = ranks->rank == 0 ? ranks->count - 1 : 1;
    if (pulse)
        pulse->lines = calloc((size_t)lines, sizeof *pulse->lines);
    if (!pulse || !pulse->lines) {
        free(pulse);
        return FAIL(STATUS_SYSTEM, "no memory for the watch over %d ranks", ranks->count);
    }
    pulse->line_count = lines;
    for (int k = 0; k < lines; k++)
        pulse->lines[k].peer = ranks->rank == 0 ? k + 1 : 0;
    pulse->lost_s = lost_after_s();
    pulse->ended = -1;
    ranks->pulse = pulse;
    const int error = pthread_create(&pulse->thread, NULL, pulse_thread, ranks);
    if (error == 0)
        return STATUS_OK;
    free_pulse(ranks);
    return FAIL(STATUS_SYSTEM, "the thread that watches the other ranks cannot be started: %s",
                strerror(error));
}

void pulse_stop(struct ranks *ranks)
{
    if (!ranks->pulse)
        return;
    atomic_store(&ranks->pulse->must_end, true);
    pthread_join(ranks->pulse->thread, NULL);
    free_pulse(ranks);
}

int pulse_release(struct ranks *ranks, int code)
{
    struct pulse *pulse = ranks->pulse;
    if (!pulse)
        return code;
    const double begin_s = clock_now_s();
    // Rank 0 may be in the middle of a long step. A lost rank cannot be told, and none tells the others if
    // it is rank 0 that is lost.
    const double limit_s = ranks->failure.is_lost ? release_lost_s : release_s;
    if (ranks->rank == 0) {
        atomic_store(&pulse->released_code, code);
        atomic_store(&pulse->is_released, true);
    }
    const atomic_bool *is_done = ranks->rank == 0 ? &pulse->is_release_sent : &pulse->is_released;
    while (!atomic_load(is_done) && clock_now_s() - begin_s < limit_s && !atomic_load(&pulse->is_silent))
        nap(turn_s);
    return atomic_load(&pulse->is_released) ? atomic_load(&pulse->released_code) : code;
}

bool pulse_prints(const struct ranks *ranks)
{
    const struct ranks_failure *failure = &ranks->failure;
    if (ranks->rank == 0)
        return true;
    if (!ranks_have_failed(ranks) || !failure->is_lost || failure->rank != 0)
        return false;
    const char *lost_host = ranks->places[0].host, *host = ranks->places[ranks->rank].host;
    bool must_wait = false;
    for (int r = 1; r < ranks->rank; r++) {
        const bool is_there = strcmp(ranks->places[r].host, lost_host) == 0; // with the host, most likely
        if (!is_there || strcmp(host, lost_host) == 0) {
            if (!ranks_has_ended(ranks, r))
                return false;
        } else {
            must_wait = true;
        }
    }
    for (double waited_s = 0; must_wait && waited_s < elsewhere_s; waited_s += turn_s)
        nap(turn_s); // if one of them is there it prints, and the launcher ends this one
    return true;
}
