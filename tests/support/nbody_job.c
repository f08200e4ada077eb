// An N-body job for tests (see the header).
#include "tests/support/nbody_job.h"

#include <cjson/cJSON.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

struct cJSON *nbody_job(void)
{
    cJSON *job = cJSON_Parse("{\"fathom\": 1, \"model\": \"nbody\", \"title\": \"a small cluster\","
                             "\"backend\": \"openmp\", \"precision\": \"double\","
                             "\"physics\": {\"softening\": 0.05},"
                             "\"time\": {\"duration\": 0.5, \"step\": 0.015625},"
                             "\"output\": {\"directory\": \"out\", \"precision\": \"double\","
                             "\"fields\": {\"every\": 0.125, \"variables\": [\"position\", \"velocity\"]},"
                             "\"diagnostics\": {\"every\": 0.0625}}}");
    assert_non_null(job);
    char count[16];
    snprintf(count, sizeof count, "%d", NBODY_JOB_BODIES);
    cli_set(job, "particles.plummer.count", count);
    return job;
}
