// From a launcher (mpirun, srun) to the ranks of this process: what the environment says, the module for that
// MPI, and its start. Without a launcher nothing is loaded. The program itself is not linked with MPI, so it
// starts as fast as before, and one build serves several MPIs.
//
// A module is the file fathom-mpi-openmpi.so or fathom-mpi-mpich.so (parallel/mpi/), beside the program, in
// the folder above it (programs of tests), or in ../lib/fathom.
#ifndef FATHOM_PARALLEL_LAUNCH_H
#define FATHOM_PARALLEL_LAUNCH_H

#include "parallel/ranks.h"

enum launch_mpi { LAUNCH_NONE, LAUNCH_OPENMPI, LAUNCH_MPICH, LAUNCH_UNKNOWN };

struct launch {
    enum launch_mpi mpi; // NONE: this is a run of one rank. UNKNOWN: several copies, of no MPI that is known
    int rank, count;     // as the launcher says; count 0: it does not say
};

// Pure: `get` returns a variable of the environment or NULL.
struct launch launch_find(const char *(*get)(const char *name));

// The ranks of this process. Before launch_start, and without a launcher: one rank.
struct ranks *launch_ranks(void);

// Several copies of a program start, of which at most one should speak until the ranks know of each other.
// From the environment alone: how many the launcher started, 0 or 1 if there is none; whether this is not the
// first of them. launch_mute: this copy's output goes nowhere, until launch_start has found a module for
// ranks. launch_is_muted: it never came to that.
int launch_copies(void);
bool launch_is_copy(void);
void launch_mute(void);
bool launch_is_muted(void);

// Loads the module for the launcher of this process and starts it, with its pulse. STATUS_SYSTEM with one
// line that says what is missing; launch_prints then says whether this copy prints it.
enum status launch_start(void);
bool launch_prints(void);

// The end of a run, on every rank after it has printed what it has to print. `code` is the process's exit
// code; a rank that did not fail gets the code of the one that did. If a rank has failed, the process must
// end without releasing memory that messages may still use: *must_leave.
int launch_end(int code, bool *must_leave);

// How these ranks were started, for a command to start them again: "mpirun -n 4 ", "srun -n 4 "; "" for one
// rank.
const char *launch_words(char *text, size_t bytes);

// For a plan, without a launcher: makes this process rank `rank` of `count`, which asks the others by
// ranks_largest alone. All ranks are planned one after the other, and once more while `asked`, zero at first,
// says that an answer has changed. NULL: ends it, one rank again.
void launch_plan(int rank, int count, struct ranks_asked *asked);

// "Open MPI, MPICH" for the modules that are there; "" for none. Loads nothing.
const char *launch_modules(char *text, size_t bytes);

#endif
