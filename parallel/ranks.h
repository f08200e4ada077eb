// The ranks of a run: this process's number among them, messages that end when a rank fails or is lost, and
// what all ranks decide together. A run without a launcher has one rank; every call then returns at once and
// nothing is loaded. Independent of models, files and MPI.
//
// Failures. A rank that fails says so by ranks_fail; another that is killed, or whose host is gone, is
// noticed by the pulse (parallel/pulse.h). Either way every wait of every rank returns that failure, with
// its message, within a second (a lost host: 45 s), so that nothing here waits forever.
#ifndef FATHOM_PARALLEL_RANKS_H
#define FATHOM_PARALLEL_RANKS_H

#include "core/status.h"
#include "parallel/transport.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { RANKS_MAX = 4096, RANKS_MESSAGE_BYTES = 1024 };

// The first failure of the run, on whichever rank it was.
struct ranks_failure {
    atomic_int state; // 0 none, 1 being written, 2 there
    int rank;         // that failed or is lost
    int status;       // enum status
    bool is_lost;
    char message[RANKS_MESSAGE_BYTES];
};

// Where a rank is. A process is known to others only within one name space of processes; pid_space 0:
// unknown.
struct ranks_place {
    char host[TRANSPORT_HOST_BYTES];
    int local_rank;
    int64_t pid;
    uint64_t pid_space;
};

struct pulse;

// Ranks that are only planned (launch_plan), one after the other: the largest of what they asked so far, by
// the number of the question.
enum { RANKS_ASKED_MAX = 256 };
struct ranks_asked {
    int at, count;
    int64_t values[RANKS_ASKED_MAX];
    bool has_changed; // an answer that an earlier rank was given is no longer right
};

struct ranks {
    int rank, count; // 0 and 1 without a launcher
    const struct transport *transport;
    struct transport_world world;
    struct ranks_place *places; // [count], of every rank
    bool is_crowded;            // more ranks on this host than cores
    bool leaves_cores;          // waits do not spin: it is crowded, or OMP_WAIT_POLICY=passive asks for it
    struct ranks_failure failure;
    struct pulse *pulse;       // NULL: lost ranks are not noticed
    struct ranks_asked *asked; // of ranks that are only planned; else NULL
    // Of this rank: sent to neighbours between steps, and waited for them (parallel/exchange.h).
    double exchange_bytes, exchange_wait_s;
    int64_t exchanges;
    // (optional) What each rank is to have of the work, for the model's shares_cut; NULL: equal.
    const double *parts;
    // The rates of ranks are measured, and what is computed is thrown away: a model leaves nothing out, as it
    // may where nothing happens yet.
    bool is_measuring;
    // (optional) The work of this rank's share, in whole units that are the same on all ranks, for the
    // imbalance: set by a model whose rows differ; 0: its rows.
    double work;
    // (optional) The rows of this rank's share, for the report: set by a model whose arrays have rows beside
    // those of the grid; end 0: those of the first array of the checkpoints that is divided.
    int64_t first_row, end_row;
    // (optional) Bytes that this rank sends to neighbours in a step, for the plan: set by a model that knows
    // them before; 0: unknown, or none.
    double planned_step_bytes;
    // How the devices of neighbouring ranks are to exchange rows, "peer", "nccl" or "mpi"; NULL: the fastest
    // way there is. And how they do: "mpi" if nothing else is said.
    const char *wanted_transport, *used_transport;
};

// Begins with a transport that is not started: exchanges names of hosts. The transport must outlive the
// ranks. STATUS_SYSTEM.
enum status ranks_begin(struct ranks *ranks, const struct transport *transport);
// Frees what ranks_begin made. Does not end the transport.
void ranks_free(struct ranks *ranks);

// Sets wanted_transport; `name` must outlive the ranks. STATUS_USAGE: the name is unknown.
enum status ranks_want_transport(struct ranks *ranks, const char *name);

// Forgets what was counted so far, and what a model has set: before the run is planned anew.
void ranks_restart_figures(struct ranks *ranks);

// Says to all ranks that this one failed: its status and the message of core/status. Only the first failure
// of the run counts. Returns at once.
void ranks_fail(struct ranks *ranks, enum status status);
// Whether a rank failed or is lost.
bool ranks_have_failed(const struct ranks *ranks);
// The same of the failure of any rank (parallel/pulse.c).
void ranks_set_failure(struct ranks *ranks, int rank, int status, bool is_lost, const char *message);
// Whether the process of a rank on this host has ended; false if that cannot be known.
bool ranks_has_ended(const struct ranks *ranks, int rank);
// Raises that failure here, with its message. STATUS_OK if there is none.
enum status ranks_failed(const struct ranks *ranks);

// The ranks on the host of `rank`: the lowest of them, and how many there are. Ranks that are only planned
// have no hosts: each is on one of its own.
struct ranks_host {
    int first, count;
};
struct ranks_host ranks_host_of(const struct ranks *ranks, int rank);
// Different hosts of all ranks.
int ranks_host_count(const struct ranks *ranks);

// ---- messages. Tags: 0 … 99 are the callers'. Memory is the caller's.

// Begins a message of any size ≤ TRANSPORT_MESSAGE_MAX.
enum status ranks_post_send(struct ranks *ranks, enum transport_channel channel, int to, int tag,
                            const void *data, size_t bytes, struct transport_request *request);
enum status ranks_post_receive(struct ranks *ranks, enum transport_channel channel, int from, int tag,
                               void *data, size_t bytes, struct transport_request *request);
// What this thread has waited for messages so far, in seconds.
double ranks_waited_s(void);
// Returns when all are done; STATUS_… of the failure of another rank if that comes first.
enum status ranks_wait(struct ranks *ranks, struct transport_request *requests, int count);
// The bytes of the next message of so many.
static inline size_t ranks_piece(size_t bytes)
{
    return bytes < TRANSPORT_MESSAGE_MAX ? bytes : TRANSPORT_MESSAGE_MAX;
}
// One message of any size, in pieces if it is large.
enum status ranks_send(struct ranks *ranks, enum transport_channel channel, int to, int tag, const void *data,
                       size_t bytes);
enum status ranks_receive(struct ranks *ranks, enum transport_channel channel, int from, int tag, void *data,
                          size_t bytes);

// ---- by all ranks together, in the same order on each of them

// Each value becomes the largest of all ranks'.
enum status ranks_largest(struct ranks *ranks, enum transport_channel channel, int64_t *values, int count);
// Each value becomes the sum of all ranks'.
enum status ranks_add(struct ranks *ranks, enum transport_channel channel, int64_t *values, int count);
// Values that one rank each knows: the others forget theirs before, which become −0. All get the bits of the
// one that knows, whatever it is; of several that know the same, theirs.
void ranks_forget(double *values, int64_t count);
enum status ranks_join(struct ranks *ranks, enum transport_channel channel, double *values, int64_t count);
// All ranks get what rank 0 has.
enum status ranks_share(struct ranks *ranks, enum transport_channel channel, void *data, size_t bytes);
// The same, where rank 0 may come minutes later than the others: they sleep, a hundredth of a second at a
// time, and leave their cores to it. bytes ≤ TRANSPORT_MESSAGE_MAX.
enum status ranks_share_late(struct ranks *ranks, enum transport_channel channel, void *data, size_t bytes);

#endif
