// An Ising job for tests (see the header).
#include "tests/support/ising_job.h"

cJSON *ising_job(void)
{
    return cli_json("{'fathom': 1, 'model': 'ising', 'title': 'a small lattice', 'backend': 'openmp', "
                    "'lattice': {'columns': %d, 'rows': %d}, 'sweeps': {'count': %d, 'every': %d}, "
                    "'temperatures': {'beta': [0.4, 0.44]}, 'output': {'directory': 'out'}}",
                    ISING_JOB_COLUMNS, ISING_JOB_ROWS, ISING_JOB_SWEEPS, ISING_JOB_EVERY);
}
