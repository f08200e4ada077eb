// A gas job for tests (see the header).
#include "tests/support/gas_job.h"

#include <cjson/cJSON.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct cJSON *gas_job(void)
{
    cJSON *job = cJSON_Parse("{\"fathom\": 1, \"model\": \"gas\", \"title\": \"a small fluid\","
                             "\"backend\": \"openmp\", \"precision\": \"double\","
                             "\"particles\": {\"lattice\": {\"jitter\": 0.1, \"temperature\": 1.5}},"
                             "\"domain\": {\"density\": 0.5, \"walls\": \"reflect\"},"
                             "\"physics\": {\"potential\": {\"name\": \"lennard-jones\"}},"
                             "\"method\": {\"name\": \"cells\"},"
                             "\"time\": {\"duration\": 0.25, \"step\": 0.0078125},"
                             "\"output\": {\"directory\": \"out\", \"precision\": \"double\","
                             "\"fields\": {\"every\": 0.0625, \"variables\": [\"position\", \"velocity\"]},"
                             "\"diagnostics\": {\"every\": 0.03125}}}");
    assert_non_null(job);
    char count[16];
    snprintf(count, sizeof count, "%d", GAS_JOB_PARTICLES);
    cli_set(job, "particles.lattice.count", count);
    return job;
}

void gas_job_set(struct cJSON *job, const struct gas_job_system *system)
{
    cli_set(job, "physics", system->physics ? system->physics : "{}");
    cli_set(job, "physics.potential", system->potential);
    cli_set(job, "domain.walls", system->walls);
    cli_set(job, "domain.damping", strstr(system->walls, "damped") ? "0.2" : NULL);
    cli_set(job, "domain.stiffness", strstr(system->walls, "soft") ? "50" : NULL);
    cli_set(job, "method", system->method);
}
