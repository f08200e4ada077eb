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

// Examples, and what `fathom plan` says of each as it stands.
struct example_plan {
    const char *name;
    double steps;
};
static inline void expect_plans(const struct example_plan *plans, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        (void)example(plans[k].name);
        const struct cli_result *result = cli_run("plan --json -o out -b openmp job.json");
        if (result->exit_code != 0)
            fail_msg("%s: exit code %d: %s", plans[k].name, result->exit_code, result->error);
        cJSON *plan = cli_output_json(result);
        assert_true(cli_json_number(plan, "steps") == plans[k].steps);
        assert_true(cli_json_number(plan, "output_bytes") < 60e6);
    }
}

#endif
