// The connection of a run to its batch: `fathom run --control FD[,BYTES]`, a socket (AF_UNIX,
// SOCK_SEQPACKET); of a run of several ranks `--control @NAME[,BYTES]`, an abstract name of the host to which
// the first rank connects, because launchers close what they inherit. Messages, each one packet of text:
//   to the batch:   plan {"model":...,...}           once (batch/needs.h); then the run waits
//                   progress FRACTION REMAINING_S    about twice a second; REMAINING_S may be "nan"
//                   end CODE MESSAGE                 the last one; MESSAGE: the failure in one line, or ""
//                   decline                          of a process that made another run: this one needs a
//                                                    new process, and this process ends
//   from the batch: go CORES                         the run may reserve its memory and start
// With `--control FD,BYTES,next` the process takes one run after another: see cli/next_run.h.
//
// Nothing is allocated after the seal. A socket that is closed while the run waits for its slot ends the run
// (STATUS_STOPPED); later it is ignored: the results count. But ranks are not killed with their batch, as
// single runs are: if the socket is closed, they stop with a checkpoint, as by SIGTERM.
//
// For tests of batches only: the environment variable FATHOM_TEST_FAULT="segfault:NAME,hang:NAME2" breaks a
// run whose FATHOM_BATCH_RUN (set by the batch) is one of the names, after a third of its steps: by SIGSEGV,
// or by hanging with SIGTERM ignored, which is logged. A run without --control ignores it.
#ifndef FATHOM_CLI_RUN_CONTROL_H
#define FATHOM_CLI_RUN_CONTROL_H

#include "cli/session.h"

enum run_fault { RUN_FAULT_NONE, RUN_FAULT_SEGFAULT, RUN_FAULT_HANG };

// {.descriptor = -1}: no batch; every call then does nothing and returns STATUS_OK.
struct run_control {
    int descriptor;
    bool is_of_ranks; // of each rank of a run of several; the first one alone has the descriptor
    size_t
        device_bytes; // most that the batch may use of a device, free or used by its other runs; 0 = unknown
    int64_t first_step;       // of this leg of the run
    double started_s, sent_s; // of the clock; 0 = not yet
    enum run_fault fault;
    bool takes_next; // after a run that passed, the process waits for another
};

// Of --control. STATUS_USAGE: not the number of an open socket.
enum status run_control_open(struct run_control *control, const char *text);

// Sends the plan, with the memory that all ranks need on the host, and waits for the slot. *cores: for
// OpenMP, of all ranks together; unchanged without a batch. STATUS_STOPPED: the batch has ended, or a signal
// came.
enum status run_control_wait(const struct run_control *control, const struct session *session,
                             bool is_resumed, size_t host_bytes, int *cores);

// The run needs a new process: what this one holds of earlier runs may leave too little memory for it. What
// this process still says is not the run's, and goes nowhere.
void run_control_decline(const struct run_control *control);

// Between batches of steps: sends the progress, about twice a second. Allocates nothing, never waits.
void run_control_report(struct run_control *control, int64_t step, int64_t steps);

// The exit code, and the failure in one line; for 0 any message is left out.
void run_control_end(const struct run_control *control, int code, const char *message);

#endif
