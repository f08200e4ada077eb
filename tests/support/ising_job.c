// An Ising job for tests (see the header).
#include "tests/support/ising_job.h"

#include <cjson/cJSON.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void set_number(cJSON *job, const char *key, int number)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    cli_set(job, key, text);
}

struct cJSON *ising_job(void)
{
    cJSON *job = cJSON_Parse("{\"fathom\": 1, \"model\": \"ising\", \"title\": \"a small lattice\","
                             "\"backend\": \"openmp\", \"lattice\": {}, \"sweeps\": {},"
                             "\"temperatures\": {\"beta\": [0.4, 0.44]},"
                             "\"output\": {\"directory\": \"out\"}}");
    assert_non_null(job);
    set_number(job, "lattice.columns", ISING_JOB_COLUMNS);
    set_number(job, "lattice.rows", ISING_JOB_ROWS);
    set_number(job, "sweeps.count", ISING_JOB_SWEEPS);
    set_number(job, "sweeps.every", ISING_JOB_EVERY);
    return job;
}
