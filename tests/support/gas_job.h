// A gas job for tests of the whole program. Beside cli_fixture.h, whose folder it writes to. Knows the
// command line and the files, nothing of the program's inside.
#ifndef FATHOM_TESTS_SUPPORT_GAS_JOB_H
#define FATHOM_TESTS_SUPPORT_GAS_JOB_H

#include "tests/support/cli_fixture.h"

enum {
    GAS_JOB_PARTICLES = 400,
    GAS_JOB_FRAMES = 5,
    GAS_JOB_RECORDS = 9,
    GAS_JOB_STEPS = 32,
    GAS_JOB_AXES = 3 // of a trajectory; the third is 0
};

// A Lennard-Jones fluid with walls round a density of 0.5, cells, OpenMP in double precision, 32 steps of
// 1/128. Five frames with positions and velocities, nine records of diagnostics (all in double), final.nc;
// output in "out".
cJSON *gas_job(void);
// What moves, and how, each as JSON; physics: beside the potential, or NULL.
struct gas_job_system {
    const char *name, *potential, *physics, *walls, *method;
};
void gas_job_set(cJSON *job, const struct gas_job_system *system);

#endif
