// Messages between ranks, and what they decide together (see the header).
#include "parallel/ranks.h"

#include "core/clock.h"
#include "core/memory_plan.h"
#include "parallel/sanitizer.h"
#include "parallel/tags.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// ---- failures

static bool claim(struct ranks_failure *failure)
{
    int none = 0;
    return atomic_compare_exchange_strong(&failure->state, &none, 1);
}

void ranks_set_failure(struct ranks *ranks, int rank, int status, bool is_lost, const char *message)
{
    struct ranks_failure *failure = &ranks->failure;
    if (!claim(failure))
        return;
    failure->rank = rank;
    failure->status = status;
    failure->is_lost = is_lost;
    const size_t length = strnlen(message, sizeof failure->message - 1);
    memcpy(failure->message, message, length);
    failure->message[length] = '\0';
    atomic_store(&failure->state, 2);
}

void ranks_fail(struct ranks *ranks, enum status status)
{
    if (ranks->count > 1)
        ranks_set_failure(ranks, ranks->rank, (int)status, false, status_message());
}

bool ranks_have_failed(const struct ranks *ranks)
{
    return atomic_load(&ranks->failure.state) == 2;
}

enum status ranks_failed(const struct ranks *ranks)
{
    if (!ranks_have_failed(ranks))
        return STATUS_OK;
    const struct ranks_failure *failure = &ranks->failure;
    const enum status status = (enum status)failure->status;
    if (failure->is_lost || failure->rank == ranks->rank)
        return FAIL(status, "%s", failure->message);
    return FAIL(status, "rank %d on %s: %s", failure->rank, ranks->places[failure->rank].host,
                failure->message);
}

// ---- messages

// What a library of messages allocates after the seal is not the program's: the ceiling of it is in the plan.
static bool begin_library(void)
{
    const bool before = memory_thread_may_allocate;
    memory_thread_may_allocate = true;
    sanitizer_begin_transport();
    return before;
}

static void end_library(bool before)
{
    sanitizer_end_transport();
    memory_thread_may_allocate = before;
}

enum status ranks_post_send(struct ranks *ranks, enum transport_channel channel, int to, int tag,
                            const void *data, size_t bytes, struct transport_request *request)
{
    char why[TRANSPORT_WHY_BYTES];
    const struct transport *transport = ranks->transport;
    const bool before = begin_library();
    const bool is_begun = transport->send(transport->context, channel, to, tag, data, bytes, request, why);
    end_library(before);
    return is_begun ? STATUS_OK : FAIL(STATUS_SYSTEM, "a message to rank %d cannot be sent: %s", to, why);
}

enum status ranks_post_receive(struct ranks *ranks, enum transport_channel channel, int from, int tag,
                               void *data, size_t bytes, struct transport_request *request)
{
    char why[TRANSPORT_WHY_BYTES];
    const struct transport *transport = ranks->transport;
    const bool before = begin_library();
    const bool is_begun =
        transport->receive(transport->context, channel, from, tag, data, bytes, request, why);
    end_library(before);
    return is_begun ? STATUS_OK : FAIL(STATUS_SYSTEM, "no message of rank %d can be received: %s", from, why);
}

// A rank that waits spins at first, because a message between steps comes within microseconds; later it
// leaves the core to others, and at once where ranks are more than cores: the kernel gives a core that was
// offered by sched_yield back to the same rank again and again, and not to that for which it waits. There a
// nap grows with the wait, as each look at a message takes time of the others: an eighth of it, so that no
// wait becomes longer by more.
static void pause_between(const struct ranks *ranks, int turn, double begin_s)
{
    enum { SPINS = 2000, NAP_NS = 50000, LONGEST_NAP_NS = 1000000 };
    const double nap_after_s = ranks->leaves_cores ? 1e-5 : 1e-3;
    if (turn < SPINS && !ranks->leaves_cores)
        return;
    const double waited_so_far_s = clock_now_s() - begin_s;
    if (waited_so_far_s < nap_after_s) {
        sched_yield();
        return;
    }
    const double share_ns = ranks->leaves_cores ? waited_so_far_s * 1e9 / 8 : NAP_NS;
    const double nap_ns = share_ns < NAP_NS ? NAP_NS : share_ns > LONGEST_NAP_NS ? LONGEST_NAP_NS : share_ns;
    nanosleep(&(struct timespec){.tv_nsec = (long)nap_ns}, NULL);
}

static enum status wait_one(struct ranks *ranks, struct transport_request *request)
{
    const struct transport *transport = ranks->transport;
    char why[TRANSPORT_WHY_BYTES];
    const double begin_s = clock_now_s();
    for (int turn = 0;; turn += turn < (1 << 20)) {
        bool is_done = false;
        if (!transport->test(transport->context, request, &is_done, why))
            return FAIL(STATUS_SYSTEM, "a message between ranks failed: %s", why);
        if (is_done)
            return STATUS_OK;
        if (ranks_have_failed(ranks))
            return ranks_failed(ranks);
        pause_between(ranks, turn, begin_s);
    }
}

static _Thread_local double waited_s; // of this thread

double ranks_waited_s(void)
{
    return waited_s;
}

enum status ranks_wait(struct ranks *ranks, struct transport_request *requests, int count)
{
    const struct transport *transport = ranks->transport;
    enum status status = STATUS_OK;
    const bool before = begin_library();
    const double begin_s = clock_now_s();
    for (int k = 0; k < count; k++) {
        if (status == STATUS_OK)
            status = wait_one(ranks, &requests[k]);
        if (status != STATUS_OK)
            (void)transport->cancel(transport->context, &requests[k]);
    }
    waited_s += clock_now_s() - begin_s;
    end_library(before);
    return status;
}

enum status ranks_send(struct ranks *ranks, enum transport_channel channel, int to, int tag, const void *data,
                       size_t bytes)
{
    const char *at = data;
    for (size_t piece; bytes > 0; bytes -= piece, at += piece) {
        struct transport_request request;
        piece = ranks_piece(bytes);
        CHECK(ranks_post_send(ranks, channel, to, tag, at, piece, &request));
        CHECK(ranks_wait(ranks, &request, 1));
    }
    return STATUS_OK;
}

enum status ranks_receive(struct ranks *ranks, enum transport_channel channel, int from, int tag, void *data,
                          size_t bytes)
{
    char *at = data;
    for (size_t piece; bytes > 0; bytes -= piece, at += piece) {
        struct transport_request request;
        piece = ranks_piece(bytes);
        CHECK(ranks_post_receive(ranks, channel, from, tag, at, piece, &request));
        CHECK(ranks_wait(ranks, &request, 1));
    }
    return STATUS_OK;
}

// ---- together: up and down a binary tree, whose root is rank 0

static int child_of(const struct ranks *ranks, int number)
{
    const int child = 2 * ranks->rank + 1 + number;
    return child < ranks->count ? child : -1;
}

enum status ranks_share(struct ranks *ranks, enum transport_channel channel, void *data, size_t bytes)
{
    if (ranks->rank > 0)
        CHECK(ranks_receive(ranks, channel, (ranks->rank - 1) / 2, TAG_TREE_DOWN, data, bytes));
    for (int k = 0; k < 2; k++)
        if (child_of(ranks, k) > 0)
            CHECK(ranks_send(ranks, channel, child_of(ranks, k), TAG_TREE_DOWN, data, bytes));
    return STATUS_OK;
}

static enum status rest(struct ranks *ranks, enum transport_channel channel, void *data, size_t bytes)
{
    enum { NAP_NS = 10000000 };
    const struct transport *transport = ranks->transport;
    char why[TRANSPORT_WHY_BYTES];
    struct transport_request request;
    CHECK(ranks_post_receive(ranks, channel, 0, TAG_REST, data, bytes, &request));
    const bool before = begin_library();
    bool is_done = false, is_sound = true;
    while (is_sound && !is_done && !ranks_have_failed(ranks)) {
        is_sound = transport->test(transport->context, &request, &is_done, why);
        if (is_sound && !is_done)
            nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
    }
    if (!is_done)
        (void)transport->cancel(transport->context, &request);
    end_library(before);
    if (!is_sound)
        return FAIL(STATUS_SYSTEM, "a message between ranks failed: %s", why);
    return is_done ? STATUS_OK : ranks_failed(ranks);
}

enum status ranks_share_late(struct ranks *ranks, enum transport_channel channel, void *data, size_t bytes)
{
    if (ranks->rank > 0)
        return rest(ranks, channel, data, bytes);
    for (int r = 1; r < ranks->count; r++)
        CHECK(ranks_send(ranks, channel, r, TAG_REST, data, bytes));
    return STATUS_OK;
}

static void take_larger(int64_t *value, int64_t theirs)
{
    *value = theirs > *value ? theirs : *value;
}

static void take_sum(int64_t *value, int64_t theirs)
{
    *value += theirs;
}

enum { AT_ONCE = 4096 };

static enum status combine(struct ranks *ranks, enum transport_channel channel, int64_t *values, int count,
                           void (*take)(int64_t *value, int64_t theirs))
{
    int64_t theirs[AT_ONCE];
    for (int done = 0; done < count; done += AT_ONCE) {
        const int piece = count - done < AT_ONCE ? count - done : AT_ONCE;
        const size_t bytes = (size_t)piece * sizeof *values;
        for (int k = 0; k < 2; k++) {
            if (child_of(ranks, k) < 0)
                continue;
            CHECK(ranks_receive(ranks, channel, child_of(ranks, k), TAG_TREE_UP, theirs, bytes));
            for (int v = 0; v < piece; v++)
                take(&values[done + v], theirs[v]);
        }
        if (ranks->rank > 0)
            CHECK(ranks_send(ranks, channel, (ranks->rank - 1) / 2, TAG_TREE_UP, values + done, bytes));
        CHECK(ranks_share(ranks, channel, values + done, bytes));
    }
    return STATUS_OK;
}

// All ranks ask the same questions in the same order.
static enum status ask_planned(struct ranks_asked *asked, int64_t *values, int count)
{
    for (int k = 0; k < count; k++, asked->at++) {
        if (asked->at == RANKS_ASKED_MAX)
            return FAIL(STATUS_SOFTWARE, "ranks that are planned ask more than %d times", RANKS_ASKED_MAX);
        int64_t *largest = &asked->values[asked->at];
        if (asked->at == asked->count) {
            *largest = values[k];
            asked->count++;
        } else if (values[k] > *largest) {
            *largest = values[k];
            asked->has_changed = true;
        }
        values[k] = *largest;
    }
    return STATUS_OK;
}

enum status ranks_largest(struct ranks *ranks, enum transport_channel channel, int64_t *values, int count)
{
    if (ranks->asked)
        return ask_planned(ranks->asked, values, count);
    return combine(ranks, channel, values, count, take_larger);
}

enum status ranks_add(struct ranks *ranks, enum transport_channel channel, int64_t *values, int count)
{
    return combine(ranks, channel, values, count, take_sum);
}

void ranks_forget(double *values, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        values[k] = -0.0;
}

// The bits of −0 are those of the smallest integer.
enum status ranks_join(struct ranks *ranks, enum transport_channel channel, double *values, int64_t count)
{
    int64_t bits[AT_ONCE];
    for (int64_t done = 0; ranks->count > 1 && done < count; done += AT_ONCE) {
        const int piece = count - done < AT_ONCE ? (int)(count - done) : AT_ONCE;
        memcpy(bits, values + done, (size_t)piece * sizeof *values);
        CHECK(ranks_largest(ranks, channel, bits, piece));
        memcpy(values + done, bits, (size_t)piece * sizeof *values);
    }
    return STATUS_OK;
}

// ---- hosts

struct ranks_host ranks_host_of(const struct ranks *ranks, int rank)
{
    struct ranks_host host = {.first = rank, .count = 0};
    if (!ranks->places)
        return (struct ranks_host){rank, 1};
    for (int r = ranks->count - 1; r >= 0; r--)
        if (strcmp(ranks->places[r].host, ranks->places[rank].host) == 0) {
            host.first = r;
            host.count++;
        }
    return host;
}

int ranks_host_count(const struct ranks *ranks)
{
    int hosts = 0;
    for (int r = 0; r < ranks->count; r++)
        hosts += ranks_host_of(ranks, r).first == r;
    return hosts;
}

// ---- the beginning and the end

static struct ranks_place own_place(const struct ranks *ranks)
{
    struct ranks_place place = {.local_rank = ranks->world.local_rank, .pid = (int64_t)getpid()};
    struct stat space;
    memcpy(place.host, ranks->world.host, sizeof place.host);
    if (stat("/proc/self/ns/pid", &space) == 0)
        place.pid_space = (uint64_t)space.st_ino;
    return place;
}

static enum status exchange_places(struct ranks *ranks)
{
    const size_t bytes = sizeof *ranks->places;
    struct ranks_place *own = &ranks->places[ranks->rank];
    *own = own_place(ranks);
    if (ranks->rank > 0)
        CHECK(ranks_send(ranks, TRANSPORT_STEPS, 0, TAG_WORLD, own, bytes));
    for (int r = 1; ranks->rank == 0 && r < ranks->count; r++)
        CHECK(ranks_receive(ranks, TRANSPORT_STEPS, r, TAG_WORLD, &ranks->places[r], bytes));
    return ranks_share(ranks, TRANSPORT_STEPS, ranks->places, (size_t)ranks->count * bytes);
}

// The state of a process, the letter after its name in parentheses; a zombie has ended.
bool ranks_has_ended(const struct ranks *ranks, int rank)
{
    const struct ranks_place *its = &ranks->places[rank], *mine = &ranks->places[ranks->rank];
    char path[48], line[512];
    if (mine->pid_space == 0 || its->pid_space != mine->pid_space || strcmp(its->host, mine->host) != 0)
        return false;
    snprintf(path, sizeof path, "/proc/%lld/stat", (long long)its->pid);
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return errno == ENOENT;
    const ssize_t length = read(descriptor, line, sizeof line - 1);
    close(descriptor);
    if (length <= 0)
        return length < 0 && errno == ESRCH;
    line[length] = '\0';
    const char *name_end = strrchr(line, ')');
    return name_end && name_end[1] == ' ' && (name_end[2] == 'Z' || name_end[2] == 'X');
}

enum status ranks_begin(struct ranks *ranks, const struct transport *transport)
{
    char why[TRANSPORT_WHY_BYTES] = "";
    *ranks = (struct ranks){.count = 1, .transport = transport};
    sanitizer_begin_transport();
    const bool is_started = transport->start(transport->context, &ranks->world, why);
    sanitizer_end_transport();
    if (!is_started)
        return FAIL(STATUS_SYSTEM, "%s", why);
    if (ranks->world.count > RANKS_MAX)
        return FAIL(STATUS_SYSTEM, "%d ranks, at most %d are supported", ranks->world.count, RANKS_MAX);
    ranks->places = calloc((size_t)ranks->world.count, sizeof *ranks->places);
    if (!ranks->places)
        return FAIL(STATUS_SYSTEM, "no memory for the places of %d ranks", ranks->world.count);
    ranks->rank = ranks->world.rank;
    ranks->count = ranks->world.count;
    CHECK(exchange_places(ranks));
    ranks->is_crowded = ranks_host_of(ranks, ranks->rank).count > sysconf(_SC_NPROCESSORS_ONLN);
    const char *policy = getenv("OMP_WAIT_POLICY");
    ranks->leaves_cores = ranks->is_crowded || (policy && strcasecmp(policy, "passive") == 0);
    return STATUS_OK;
}

enum status ranks_want_transport(struct ranks *ranks, const char *name)
{
    static const char *const names[] = {"peer", "nccl", "mpi"};
    ranks->wanted_transport = name;
    if (!name)
        return STATUS_OK;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(name, names[k]) == 0)
            return STATUS_OK;
    return FAIL(STATUS_USAGE, "--transport: \"%s\": it must be peer, nccl or mpi", name);
}

void ranks_restart_figures(struct ranks *ranks)
{
    ranks->exchange_bytes = ranks->exchange_wait_s = ranks->work = ranks->planned_step_bytes = 0;
    ranks->exchanges = ranks->first_row = ranks->end_row = 0;
    ranks->parts = NULL;
    ranks->is_measuring = false;
}

void ranks_free(struct ranks *ranks)
{
    free(ranks->places);
    ranks->places = NULL;
}
