// One run after another in one process: `fathom run --control FD,BYTES,next` of a batch (batch/workers.h).
// After a run that passed ("end 0"), the process waits for a packet: the next run's name, and the words of
// its command line as for a new process, each ended by a zero, with the descriptor of its log. What a run
// leaves behind in the process is forgotten here, so that the next one has the results of a new process. A
// run that did not pass ends the process, so that whatever went wrong stays its own; so does a closed socket.
#ifndef FATHOM_CLI_NEXT_RUN_H
#define FATHOM_CLI_NEXT_RUN_H

#include <stdbool.h>

struct next_run {
    int argc;
    char **argv; // of the run; valid until the next call
};

// False: there is no other run, and the process is to end with *code.
bool next_run_await(int descriptor, struct next_run *next, int *code);

#endif
