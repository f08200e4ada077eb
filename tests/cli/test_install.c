// An installed program finds its own data: those beside it, wherever its prefix was put, and never the
// source tree's, which may have changed since. A program in its build folder uses the source tree's.
#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"

static const char source_data[] = TEST_SOURCE_DIRECTORY "/data";

static void install(const char *prefix)
{
    if (cli_run_tool("cmake", "--version")->exit_code != 0) {
        skip_because("cmake is not installed");
    }
    // A component's list of installed files does not replace the list of an earlier installation.
    cli_assert_done(cli_run_tool("cmake", "--install", TEST_BINARY_DIRECTORY "/..", "--prefix",
                                 cli_path(prefix), "--component", "Unspecified"));
    assert_true(cli_exists(format_text("%s/bin/fathom", prefix)));
}

// Text that the answer must hold, put together as by printf.
static void assert_says(const char *text, const char *format, const char *name)
{
    const char *expected = format_text(format, cli_path(name));
    if (!strstr(text, expected))
        fail_msg("\"%s\" is not in: %s", expected, text);
}

TEST(a_program_uses_the_data_beside_it)
{
    install("prefix");
    const char *program = cli_path("prefix/bin/fathom");
    const struct cli_result *result =
        cli_run_tool(program, "plan", "prefix/share/fathom/jobs/liver-electrode.json");
    cli_assert_done(result);
    assert_says(result->output, "inputs     %s\n", "prefix/share/fathom/tissues.json");
    // What only this prefix has; the job lies elsewhere.
    cli_copy("prefix/share/fathom/tissues.json", "prefix/share/fathom/own-tissues.json");
    cli_copy("prefix/share/fathom/jobs/liver-electrode.json", "job.json");
    result = cli_run_tool(program, "plan", "--set", "tissues.file=own-tissues.json", "job.json");
    cli_assert_done(result);
    assert_says(result->output, "inputs     %s\n", "prefix/share/fathom/own-tissues.json");
    // What it lacks is not taken from the source tree, which has it.
    cli_remove("prefix/share/fathom/tissues.json");
    result = cli_run_tool(program, "plan", "job.json");
    assert_null(strstr(result->output, source_data));
    assert_null(strstr(result->error, source_data));
    assert_true(result->exit_code == 66 || strstr(result->output, "/share/fathom/tissues.json"));
}

TEST(a_prefix_may_be_moved)
{
    install("first");
    assert_int_equal(rename(cli_path("first"), cli_path("second")), 0);
    assert_int_equal(symlink(cli_path("second/bin/fathom"), cli_path("link")), 0);
    cli_copy("second/share/fathom/jobs/liver-electrode.json", "job.json");
    const struct cli_result *result = cli_run_tool(cli_path("link"), "plan", "job.json");
    cli_assert_done(result);
    assert_says(result->output, "inputs     %s\n", "second/share/fathom/tissues.json");
}

TEST(a_build_uses_the_source_tree)
{
    assert_has(cli_do("plan -o out %s", TEST_SOURCE_DIRECTORY "/data/jobs/liver-electrode.json")->output,
               format_text("inputs     %s/tissues.json\n", source_data));
}

static int setup(void **state)
{
    unsetenv("FATHOM_DATA");
    return cli_setup(state);
}

TEST_MAIN(setup, cli_teardown)
