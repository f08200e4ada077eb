// The netCDF library crashes while it reads a damaged file: one line that names the file, exit code 65, and
// no result. Crashes elsewhere end the program with their signal. tests/support/crash_shim.c crashes in
// netCDF's functions, so that no version of the library is needed that really does.
#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"

#include <signal.h>

#ifndef FATHOM_TEST_CRASH_SHIM // under a sanitizer, which reports crashes itself
#define FATHOM_TEST_CRASH_SHIM ""
#endif

static int setup(void **state)
{
    if (cli_setup(state) != 0)
        return -1;
    cli_write_grid("sea.nc", &cli_sea);
    cli_save_job(cli_sea_job());
    return 0;
}

// Runs a line of arguments with a library that crashes in a function of netCDF.
static const struct cli_result *run_crashing(const char *function, const char *way, const char *line)
{
    if (!FATHOM_TEST_CRASH_SHIM[0])
        skip_because("a sanitizer reports crashes itself");
    setenv("FATHOM_TEST_CRASH_IN", function, 1);
    setenv("FATHOM_TEST_CRASH_BY", way, 1);
    setenv("LD_PRELOAD", FATHOM_TEST_CRASH_SHIM, 1);
    const struct cli_result *result = cli_run_line(line);
    unsetenv("LD_PRELOAD");
    return result;
}

TEST_SUITE(.setup = setup, .teardown = cli_teardown);

TEST(test_damaged_files_are_named)
{
    const char *const abort_text = format_text("%d", SIGABRT), *const division = format_text("%d", SIGFPE),
                      *const bus = format_text("%d", SIGBUS);
    const struct {
        const char *function, *way, *line, *text;
    } rows[] = {
        {"nc_open", "memory", "info sea.nc", "segmentation fault"},
        {"nc_open", "stack", "info sea.nc", "segmentation fault"},
        {"nc_open", division, "info sea.nc", "division by zero"},
        {"nc_open", bus, "convert sea.nc out.nc --as elevation", "bus error"},
        {"nc_close", abort_text, "info sea.nc", "abort"},
        {"nc_get_vara_double", "memory", "info sea.nc", "segmentation fault"},
        {"nc_get_vara_double", "memory", "convert sea.nc out.nc --as elevation", "segmentation fault"},
        {"nc_open", "memory", "plan job.json", "segmentation fault"},
        // On the thread that reads and writes.
        {"nc_get_vara_double", "memory", "run -q job.json", "segmentation fault"},
        {"nc_get_vara_double", "stack", "run -q --restart job.json", "segmentation fault"},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        const struct cli_result *result = run_crashing(rows[k].function, rows[k].way, rows[k].line);
        if (result->exit_code != DATA)
            fail_msg("fathom %s: exit code %d, signal %d: %s", rows[k].line, result->exit_code,
                     result->signal, result->error);
        cli_assert_error(result, DATA, false, "sea.nc: ", "crashed the library netCDF", rows[k].text,
                         "the file is damaged");
    }
    assert_false(cli_exists("out.nc") || cli_exists("out/maxima.nc") || cli_exists("out/run.json"));
    // What is left of the run does not keep a later one from its results.
    cli_do("run -q --restart job.json");
    assert_true(cli_exists("out/maxima.nc") && !cli_exists("out/partial"));
}

// A crash while a file is written, and one that a debugger waits for.
TEST(test_other_crashes_are_not_hidden)
{
    const struct cli_result *result =
        run_crashing("nc_enddef", "memory", "convert sea.nc out.nc --as elevation");
    assert_int_equal(result->signal, SIGSEGV);
    assert_string_equal(result->error, "");
    result = run_crashing("nc_enddef", format_text("%d", SIGABRT), "convert sea.nc out.nc --as elevation");
    assert_int_equal(result->signal, SIGABRT);
    setenv("FATHOM_CORE_DUMP", "1", 1);
    result = run_crashing("nc_open", "memory", "info sea.nc");
    unsetenv("FATHOM_CORE_DUMP");
    assert_int_equal(result->signal, SIGSEGV);
    assert_false(cli_exists("out.nc"));
}
