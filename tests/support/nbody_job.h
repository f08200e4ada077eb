// An N-body job for tests of the whole program, and its results as arrays. Beside cli_fixture.h, whose folder
// it writes to. Knows the command line and the files, nothing of the program's inside.
#ifndef FATHOM_TESTS_SUPPORT_NBODY_JOB_H
#define FATHOM_TESTS_SUPPORT_NBODY_JOB_H

#include "tests/support/cli_fixture.h"

enum {
    NBODY_JOB_BODIES = 600,
    NBODY_JOB_FRAMES = 5,
    NBODY_JOB_RECORDS = 9,
    NBODY_JOB_STEPS = 32,
    NBODY_JOB_AXES = 3
};
static const double nbody_job_softening = 0.05;

// A Plummer sphere, every pair, OpenMP in double precision, 32 steps of 1/64. Five frames with positions and
// velocities, nine records of diagnostics (all in double), final.nc; output in "out".
cJSON *nbody_job(void);

#endif
