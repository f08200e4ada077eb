// A whole run of the Ising model: what its results say of each temperature is what numpy makes of series.nc
// and configurations.nc by the definitions (tests/support/ising_analysis.py); and every file is the
// reference's, bit for bit.
//
// With the argument "cuda" on the GPU; without it by OpenMP.
#include "tests/support/test.h"

#include "tests/support/cuda_test.h"
#include "tests/support/folder.h"
#include "tests/support/ising_job.h"

#include <cjson/cJSON.h>

static const char *backend = "openmp";

// What the job says besides ising_job, and the arguments of the script.
struct setting {
    const char *about, *method, *lattice, *physics, *sweeps, *analysis, *arguments;
};

static const struct setting settings[] = {
    {"one lattice, thermalisation found", "metropolis", "{'columns': 12, 'rows': 8}", "{}",
     "{'count': 6000, 'every': 4}", "{}",
     "{'every': 4, 'thermalisation': null, 'blocks': 64, 'block_times': 20, 'coupling': 1, 'field': 0, "
     "'is_cluster_size': false}"},
    {"a field, short blocks", "heat-bath", "{'columns': 8, 'rows': 12, 'replicas': 3}",
     "{'coupling': -1, 'field': 0.3}", "{'count': 2000, 'every': 2, 'thermalisation': 200}",
     "{'blocks': 20, 'block_times': 5, 'bins': 33, 'lags': 50}",
     "{'every': 2, 'thermalisation': 200, 'blocks': 20, 'block_times': 5, 'coupling': -1, 'field': 0.3, "
     "'is_cluster_size': false}"},
    {"clusters, blocks of replicas", "swendsen-wang", "{'columns': 8, 'rows': 8, 'replicas': 21}", "{}",
     "{'count': 300, 'every': 1, 'thermalisation': 60}", "{'blocks': 10, 'lags': 20}",
     "{'every': 1, 'thermalisation': 60, 'blocks': 10, 'block_times': 20, 'coupling': 1, 'field': 0, "
     "'is_cluster_size': true}"},
    {"single clusters", "wolff", "{'columns': 16, 'rows': 16}", "{}", "{'count': 4000, 'every': 4}", "{}",
     "{'every': 4, 'thermalisation': null, 'blocks': 64, 'block_times': 20, 'coupling': 1, 'field': 0, "
     "'is_cluster_size': true}"}};

static void run_setting(const struct setting *setting, const char *by, const char *directory)
{
    cJSON *job = ising_job();
    cli_set_text(job, "backend", "%s", by);
    cli_set_text(job, "output.directory", "%s", directory);
    cli_set_text(job, "method.name", "%s", setting->method);
    cli_set(job, "lattice", setting->lattice);
    cli_set(job, "physics", setting->physics);
    cli_set(job, "sweeps", setting->sweeps);
    cli_set(job, "analysis", setting->analysis);
    cli_set(job, "analysis.reweighting", "{'width': 0.1, 'points': 5}");
    cli_set(job, "output.configurations.every", "20");
    cli_set(job, "output.correlations", "{'every': 20, 'distances': [1, 2, 4]}");
    cli_run_job(job);
}

static int begin(int argc, char **argv)
{
    if (wants_cuda(argc, argv))
        backend = "cuda";
    return cuda_begin(argc, argv);
}

TEST_SUITE(.setup = cli_setup, .teardown = cli_teardown, .begin = begin);

TEST(results_are_numpys)
{
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        run_setting(&settings[k], backend, "out");
        const struct cli_result *result = cli_run_tool(
            "/usr/bin/python3", "-W", "ignore", TEST_SOURCE_DIRECTORY "/tests/support/ising_analysis.py",
            "out", folder_double_quotes(format_text("%s", settings[k].arguments)), NULL);
        if (result->exit_code == 77) {
            print_message("skipped: %s", result->output);
            skip();
        }
        if (result->exit_code != 0)
            fail_msg("%s: %s", settings[k].about, result->error);
        cli_remove("out");
    }
}

TEST(files_are_the_references)
{
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        run_setting(&settings[k], backend, "out");
        run_setting(&settings[k], "reference", "reference");
        cli_assert_same_results("out", "reference");
        cli_remove("out");
        cli_remove("reference");
    }
}
