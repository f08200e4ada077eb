// The example jobs of data/jobs in the test's folder (cli_fixture.h). Header only.
#ifndef FATHOM_TESTS_SUPPORT_EXAMPLE_JOB_H
#define FATHOM_TESTS_SUPPORT_EXAMPLE_JOB_H

#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"

// As it stands, and as "job.json".
static inline cJSON *example(const char *name)
{
    const char *path = format_text("%s/data/jobs/%s", TEST_SOURCE_DIRECTORY, name);
    assert_int_equal(cli_run_tool("cp", path, "job.json")->exit_code, 0);
    return cli_read_json("job.json");
}

// Into "out", on OpenMP.
static inline void run(cJSON *job)
{
    cli_save_job(cli_change(job, "output.directory = 'out'"));
    cli_do("run -q --restart -b openmp job.json");
}

#endif
