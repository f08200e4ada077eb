// A device that is lost in mid-run ends the run with 71 and one line that states it; the checkpoint before it
// stays, and the run is resumed from there to the same results. Skipped without a device.
#include "cli/commands.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/cuda_test.h"
#include "tests/support/test.h"

#include <getopt.h>
#include <pthread.h>
#include <time.h>

enum { EXIT_DEVICE = 71 };

// poison.cu's, in a build with CUDA.
#ifdef FATHOM_TEST_HAS_CUDA
void poison_device(void);
#else
static void poison_device(void) {}
#endif

// A run of some seconds with a checkpoint every few hundred milliseconds.
static void write_long_job(const char *name, const char *directory)
{
    cJSON *job = cli_sea_job();
    cli_write_gauges("gauges.json");
    cli_write_job(cli_change(job,
                             "output.directory = '%s'; backend = 'cuda'; time = {'duration': '300 h', "
                             "'step': '5 s'}; output.fields.every = '10 h'; output.gauges = {'file': "
                             "'gauges.json', 'every': '30 min'}; checkpoint.every_steps = 20000",
                             cli_path(directory)),
                  name);
}

static void nap(void)
{
    nanosleep(&(struct timespec){0, 1000000}, NULL);
}

// Waits for two checkpoints, so that one is surely complete, then takes the device away.
static void *take_device_away(void *unused)
{
    double before = 0;
    for (int k = 0; k < 2; k++) {
        for (int waits = 0; waits < 60000 && cli_checkpoint_stamp("out") == before; waits++)
            nap();
        before = cli_checkpoint_stamp("out");
    }
    poison_device();
    return NULL;
}

TEST(test_a_lost_device_leaves_the_last_checkpoint)
{
    write_long_job("whole.json", "whole");
    write_long_job("job.json", "out");
    cli_do("run -q whole.json");
    char *arguments[] = {"run", "-q", format_text("%s", cli_path("job.json")), NULL};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, take_device_away, NULL), 0);
    optind = 0; // getopt anew
    const int code = command_run(3, arguments);
    pthread_join(thread, NULL);
    assert_int_equal(code, EXIT_DEVICE);
    assert_has(status_message(), "a CUDA call failed");
    assert_false(cli_exists("out/run.json"));
    // This process has lost its device; another has not.
    cli_do("run -q --resume job.json");
    cli_assert_same_results("out", "whole");
    assert_true(cli_run_number("out", "timings.first_step") >= 20000);
}

static int begin(int argc, char **argv)
{
    gpu_register();
    return has_cuda() ? 0 : EXIT_SKIPPED;
}

TEST_SUITE(.setup = cli_setup, .teardown = cli_teardown, .begin = begin);
