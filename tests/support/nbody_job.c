// An N-body job for tests (see the header).
#include "tests/support/nbody_job.h"

cJSON *nbody_job(void)
{
    return cli_json("{'fathom': 1, 'model': 'nbody', 'title': 'a small cluster', 'backend': 'openmp', "
                    "'precision': 'double', 'particles': {'plummer': {'count': %d}}, 'physics': "
                    "{'softening': 0.05}, 'time': {'duration': 0.5, 'step': 0.015625}, 'output': "
                    "{'directory': 'out', 'precision': 'double', 'diagnostics': {'every': 0.0625},  "
                    "'fields': {'every': 0.125, 'variables': ['position', 'velocity']}}}",
                    NBODY_JOB_BODIES);
}
