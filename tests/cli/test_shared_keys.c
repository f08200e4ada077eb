// Mistakes in the keys that all models share: each row is run for each model's job.
#include "tests/support/bioheat_job.h"
#include "tests/support/gas_job.h"
#include "tests/support/ising_job.h"
#include "tests/support/nbody_job.h"
#include "tests/support/refusals.h"
#include "tests/support/test.h"

#include <unistd.h>

static cJSON *(*const jobs[])(void) = {cli_sea_job, bioheat_job, nbody_job, gas_job, ising_job};

#define EXPECT_OF_MODELS(first, last, cases)                                                                 \
    for (size_t model = (first); model <= (last); model++)                                                   \
    EXPECT_ALL(jobs[model], cases)

enum { SEA, HEAT, BODIES_JOB, GAS, SPINS };

TEST(keys_of_all_models)
{
    static const struct bad cases[] = {
        BAD("model = 'tsunammi'", "model", "tsunammi", "tsunami"),
        BAD("delete model", "model", "missing"),
        BAD("fathom = 2", "fathom", "1"),
        BAD("backend = 'opencl'", "backend", "opencl", "openmp"),
        BAD("titel = 'x'", "titel: unknown key (did you mean title?)"),
        BAD("output.directory = ''", "output.directory"),
        BAD("memory.host = '1 Gb'", "memory.host", "did you mean GB?"),
        BAD_AS(SYSTEM, "memory = {'host': '1 kB'}", "memory"),
    };
    EXPECT_OF_MODELS(SEA, SPINS, cases);
}

TEST(times)
{
    static const struct bad cases[] = {
        BAD("delete time.duration", "time.duration", "missing"),
        BAD("time.step = 'soon'", "time.step"),
        BAD("precision = 'half'", "precision: \"half\" is not one of"),
    };
    EXPECT_OF_MODELS(SEA, GAS, cases);
    static const struct bad with_units[] = {
        BAD("time.duration = '0 s'", "time.duration"),
        BAD("time.duration = 3600", "time.duration", "unit"),
        BAD("time.duration = '5 km'", "time.duration", "km"),
    };
    EXPECT_OF_MODELS(SEA, HEAT, with_units);
    static const struct bad without_units[] = {
        BAD("time.duration = '10 s'", "time.duration: ", "text"),
        BAD("time.duration = 0", "time.duration: 0 is out of range: "),
        BAD("time.duration = 1e999", "time"),
        BAD("time.step = 1", "time.step: is longer than the run: 1 of a duration of 0."),
        BAD("time.step = -1", "time.step: -1 is out of range"),
        BAD("delete time.step", "time.step: missing"),
        BAD("time.step = 'auto'", "time.step: "),
    };
    EXPECT_OF_MODELS(BODIES_JOB, GAS, without_units);
}

// More threads than cores only wait for each other.
TEST(more_threads_than_cores_are_named)
{
    cli_save_job(cli_sea_job());
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    assert_has(cli_do("run -o many -t %ld job.json", cores + 1)->error, "more than the");
    assert_null(strstr(cli_do("run -o one -t 1 job.json")->error, "more than the"));
}

TEST_MAIN(cli_setup, cli_teardown)
