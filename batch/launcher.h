// How runs of several ranks are started: the mpirun of an MPI for which this build has a module, on this host
// alone. Independent of queues and processes.
#ifndef FATHOM_BATCH_LAUNCHER_H
#define FATHOM_BATCH_LAUNCHER_H

#include "core/status.h"
#include "io/path.h"

#include <stdbool.h>

enum { BATCH_LAUNCHER_WORDS_MAX = 16, BATCH_RANKS_TEXT = 16 };

struct batch_launcher {
    char path[PATH_BYTES];
    bool is_openmpi; // else MPICH, or one that has its options
};

// Finds it: what FATHOM_MPIRUN names; or the first of mpirun, mpirun.openmpi and mpirun.mpich in PATH whose
// MPI has a module. Runs each with --version. STATUS_SYSTEM: there is no module, or no launcher for one.
enum status batch_launcher_find(struct batch_launcher *launcher);

// Which MPI a launcher is of, by what it prints with --version: "Open MPI", "MPICH"; NULL: unknown.
const char *batch_launcher_mpi(const char *version);

// The words of the command line before the program's name; `ranks_text` is memory of the caller's. Returns
// their number.
int batch_launcher_words(const struct batch_launcher *launcher, int ranks, char ranks_text[BATCH_RANKS_TEXT],
                         const char *words[BATCH_LAUNCHER_WORDS_MAX]);

#endif
