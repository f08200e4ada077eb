// data/fetch-benchmarks: a fetched file is complete and correct, or absent; an interrupted download is
// continued; errors are reported in one line each. The test makes a mirror in its folder. Also checks the
// lists of files of the script.
#include "tests/support/cli_fixture.h"
#include "tests/support/test.h"

#include <sys/stat.h>

static int teardown(void **state)
{
    unsetenv("FATHOM_BENCHMARK_SOURCE");
    return cli_teardown(state);
}

static void assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in:\n%s", part, text);
}

static char checksums[2][65]; // of "alpha\n" and "beta\n"

static void write_fetch_inputs(void)
{
    static const char *const folders[] = {
        "fetch",      "fetch/validation", "mirror",           "mirror/o",
        "mirror/o/r", "mirror/o/r/raw",   "mirror/o/r/raw/c", "mirror/o/r/raw/c/p"};
    for (size_t k = 0; k < COUNT(folders); k++)
        assert_int_equal(mkdir(cli_path(folders[k]), 0700), 0);
    assert_int_equal(
        cli_run_tool("cp", TEST_SOURCE_DIRECTORY "/data/fetch-benchmarks", cli_path("fetch"))->exit_code, 0);
    cli_write_text("mirror/o/r/raw/c/p/a.txt", "alpha\n");
    cli_write_text("mirror/o/r/raw/c/p/wrong.txt", "beta?\n");
    cli_write_text("beta", "beta\n");
    // The checksums are computed by another program.
    const char *const names[] = {"mirror/o/r/raw/c/p/a.txt", "beta"};
    for (int k = 0; k < 2; k++) {
        const struct cli_result *sum = cli_run_tool("sha256sum", cli_path(names[k]));
        cli_assert_done(sum);
        snprintf(checksums[k], sizeof checksums[k], "%.64s", sum->output);
    }
    cli_write_text(
        "fetch/validation/benchmarks.sha256",
        format_text("%s  one/a.txt\n%s  b.txt\n%064d  nowhere.txt\n", checksums[0], checksums[1], 0));
    cli_write_text("fetch/validation/benchmarks.sources", "# comment\n"
                                                          "one/a.txt o/r c p/missing.txt\n"
                                                          "one/a.txt o/r c p/a.txt\n"
                                                          "b.txt o/r c p/wrong.txt\n");
    setenv("FATHOM_BENCHMARK_SOURCE", format_text("file://%s", cli_path("mirror")), 1);
}

static const struct cli_result *fetch(const char *target)
{
    return cli_run_tool(cli_path("fetch/fetch-benchmarks"), cli_path(target));
}

TEST(fetched_files_are_correct_or_absent)
{
    write_fetch_inputs();
    const struct cli_result *result = fetch("target");
    assert_int_equal(result->exit_code, 1);
    assert_true(cli_exists("target/one/a.txt")); // from its second source
    assert_false(cli_exists("target/b.txt"));
    assert_false(cli_exists("target/nowhere.txt"));
    assert_contains(result->output, "3 files: 1 fetched, 0 there already, 1 missing, 1 without an address");
    assert_contains(result->error, "target/b.txt: ");
    assert_contains(result->error, "wrong.txt: has another SHA-256 than ");
    assert_contains(result->error, "target/nowhere.txt: no public address of it is recorded");
    // A partial file of an earlier attempt is continued; a damaged one under the final name is replaced.
    cli_write_text("mirror/o/r/raw/c/p/wrong.txt", "beta\n");
    cli_write_text("target/.parts/b.txt", "be");
    cli_write_text("target/one/a.txt", "alpha and more\n");
    result = fetch("target");
    assert_int_equal(result->exit_code, 0);
    assert_contains(result->output, "3 files: 2 fetched, 0 there already, 0 missing, 1 without an address");
    assert_false(cli_exists("target/.parts"));
    for (int k = 0; k < 2; k++) {
        assert_memory_equal(
            cli_run_tool("sha256sum", cli_path(k == 0 ? "target/one/a.txt" : "target/b.txt"))->output,
            checksums[k], 64);
    }
    // No file is left to fetch; then a file whose partial download is wrong from its beginning.
    assert_contains(fetch("target")->output, "0 fetched, 2 there already, 0 missing");
    cli_remove("target/b.txt");
    assert_int_equal(mkdir(cli_path("target/.parts"), 0700), 0);
    cli_write_text("target/.parts/b.txt", "xyz");
    assert_int_equal(fetch("target")->exit_code, 0);
    assert_true(cli_exists("target/b.txt"));
}

TEST(fetch_reports_errors)
{
    write_fetch_inputs();
    const struct cli_result *result = cli_run_tool("sh", cli_path("fetch/fetch-benchmarks"));
    assert_int_equal(result->exit_code, 64);
    assert_contains(result->error, "needs one folder");
    assert_int_equal(cli_run_tool(cli_path("fetch/fetch-benchmarks"), "a", "b")->exit_code, 64);
    assert_int_equal(cli_run_tool(cli_path("fetch/fetch-benchmarks"), "/proc/none")->exit_code, 73);
    cli_write_text("fetch/validation/benchmarks.sha256", "00  ../evil.txt\n");
    result = fetch("target");
    assert_int_equal(result->exit_code, 65);
    assert_contains(result->error, "is not a checksum and file");
    cli_remove("fetch/validation/benchmarks.sources");
    assert_int_equal(fetch("target")->exit_code, 66);
}

// The real lists: every source belongs to a checksum, every line is whole.
TEST(lists_of_files_agree)
{
    static const char script[] = "import re, sys\n"
                                 "d = sys.argv[1] + '/data/validation/benchmarks.'\n"
                                 "sums = [l.split() for l in open(d + 'sha256')]\n"
                                 "files = [f for _, f in sums]\n"
                                 "assert len(files) == len(set(files)) >= 60\n"
                                 "assert all(re.fullmatch('[0-9a-f]{64}', s) for s, _ in sums)\n"
                                 "rows = [l.split() for l in open(d + 'sources') if l[0] != '#']\n"
                                 "assert all(4 <= len(r) <= 5 and r[0] in files and "
                                 "re.fullmatch('[0-9a-f]{12,40}', r[2]) for r in rows)\n"
                                 "assert all(re.fullmatch('[\\\\w.-]+/[\\\\w.-]+', r[1]) for r in rows)\n"
                                 "print(sorted(set(files) - {r[0] for r in rows}))\n";
    cli_write_text("read.py", script);
    const struct cli_result *read =
        cli_run_tool("/usr/bin/python3", cli_path("read.py"), TEST_SOURCE_DIRECTORY);
    cli_assert_done(read);
    assert_string_equal(read->output, "['tohoku2011/21413.csv', 'tohoku2011/21419.csv']\n");
}

TEST_MAIN(cli_setup, teardown)
