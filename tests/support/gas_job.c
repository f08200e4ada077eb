// A gas job for tests (see the header).
#include "tests/support/gas_job.h"

cJSON *gas_job(void)
{
    return cli_json(
        "{'fathom': 1, 'model': 'gas', 'title': 'a small fluid', 'backend': 'openmp', 'precision': 'double', "
        "'domain': {'density': 0.5, 'walls': 'reflect'}, 'particles': {'lattice': {'count': %d, 'jitter': "
        "0.1, 'temperature': 1.5}}, 'physics': {'potential': {'name': 'lennard-jones'}}, 'method': {'name': "
        "'cells'}, 'time': {'duration': 0.25, 'step': 0.0078125}, 'output': {'directory': 'out', "
        "'precision': 'double', 'diagnostics': {'every': 0.03125},  'fields': {'every': 0.0625, 'variables': "
        "['position', 'velocity']}}}",
        GAS_JOB_PARTICLES);
}

void gas_job_set(cJSON *job, const struct gas_job_system *system)
{
    cli_change(job, "physics = %s; physics.potential = %s; domain.walls = %s",
               system->physics ? system->physics : "{}", system->potential, system->walls);
    cli_set(job, "domain.damping", strstr(system->walls, "damped") ? "0.2" : NULL);
    cli_set(job, "domain.stiffness", strstr(system->walls, "soft") ? "50" : NULL);
    cli_set(job, "method", system->method);
}
