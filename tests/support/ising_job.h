// An Ising job for tests of the whole program. Beside cli_fixture.h, whose folder it writes to. Knows the
// command line and the files, nothing of the program's inside.
#ifndef FATHOM_TESTS_SUPPORT_ISING_JOB_H
#define FATHOM_TESTS_SUPPORT_ISING_JOB_H

#include "tests/support/cli_fixture.h"

enum {
    ISING_JOB_COLUMNS = 12,
    ISING_JOB_ROWS = 8,
    ISING_JOB_TEMPERATURES = 2,
    ISING_JOB_SWEEPS = 400, // at each
    ISING_JOB_EVERY = 2,
    ISING_JOB_MEASUREMENTS = ISING_JOB_SWEEPS / ISING_JOB_EVERY
};

// Periodic, two temperatures (beta 0.40, 0.44) tempered from a cold start, OpenMP, Metropolis; series.nc,
// results.nc, final.nc; output in "out".
cJSON *ising_job(void);

#endif
