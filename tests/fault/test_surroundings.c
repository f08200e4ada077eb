// The surroundings of a run change: signals before it has started, a terminal or a pipe that is closed, names
// that are not UTF-8, links in the place of its files, a folder that is removed.
#include "tests/support/ising_job.h"
#include "tests/support/test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { IO = 74 };

static void write_small_job(const char *name)
{
    cli_write_job(ising_job(), name);
}

// Goes on until something stops it, with a checkpoint every few steps.
static void write_endless_job(void)
{
    cli_save_job(cli_change(
        cli_sea_job(),
        "time.duration = '1000000 h'; output.fields.every = '200000 h'; checkpoint.every_steps = 50"));
}

// ---- a child with signals and descriptors of its own

struct child {
    int pending;              // a signal that is there when the program begins; 0: none
    bool is_output_closed;    // standard output and error
    bool is_output_unread;    // they are a pipe that nobody reads
    bool has_own_environment; // without what keeps the program from starting itself once more
    bool ignores_hangup;      // as under nohup
};

static void become(const struct child *child, const char *const *arguments)
{
    int ends[2];
    sigset_t set;
    const int error = open(cli_path(".error"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (error < 0 || chdir(folder_root()) != 0 || pipe(ends) != 0)
        _exit(120);
    dup2(error, STDERR_FILENO);
    if (child->is_output_unread) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
    }
    close(ends[0]);
    close(ends[1]);
    close(error);
    if (child->is_output_closed) {
        close(STDOUT_FILENO);
        close(STDERR_FILENO);
    }
    setenv("OMP_NUM_THREADS", "2", 1);
    setenv("OMP_WAIT_POLICY", "passive", 1);
    if (child->has_own_environment) {
        unsetenv("OMP_WAIT_POLICY");
        unsetenv("GOMP_SPINCOUNT");
    }
    signal(SIGPIPE, SIG_DFL);
    signal(SIGHUP, child->ignores_hangup ? SIG_IGN : SIG_DFL);
    if (child->pending) {
        sigemptyset(&set);
        sigaddset(&set, child->pending);
        sigprocmask(SIG_BLOCK, &set, NULL);
        raise(child->pending);
    }
    execv(FATHOM_PROGRAM, (char *const *)arguments);
    _exit(123);
}

static pid_t start(const struct child *child, const char *job)
{
    const char *const arguments[] = {"fathom", "run", "-o", "out", job, NULL};
    fflush(NULL);
    cli_write_text(".output", "");
    const pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0)
        become(child, arguments);
    return process;
}

// ---- signals

static void assert_not_begun(const struct cli_result *result, const char *signal_name)
{
    cli_assert_error(result, STOPPED, false, "stopped by", signal_name, "before the first step",
                     "run it again");
    assert_false(cli_exists("out"));
}

// Sent before the program's first instruction, and kept while it starts itself once more.
TEST(test_signal_at_the_start)
{
    static const struct {
        int number;
        const char *name;
    } signals[] = {{SIGTERM, "SIGTERM"}, {SIGINT, "SIGINT"}, {SIGHUP, "SIGHUP"}};
    write_small_job("job.json");
    for (size_t k = 0; k < COUNT(signals); k++)
        for (int own = 0; own < 2; own++) {
            const struct child child = {.pending = signals[k].number, .has_own_environment = own};
            assert_not_begun(cli_finish(start(&child, "job.json")), signals[k].name);
        }
}

// While the job is read: from a pipe into which nothing is written.
TEST(test_signal_while_it_reads)
{
    assert_int_equal(mkfifo(cli_path("pipe.json"), 0666), 0);
    const struct child child = {0};
    const pid_t process = start(&child, "pipe.json");
    const int pipe_end = open(cli_path("pipe.json"), O_WRONLY); // waits until the program has opened it
    assert_true(pipe_end >= 0);
    assert_int_equal(kill(process, SIGTERM), 0);
    assert_not_begun(cli_finish(process), "SIGTERM");
    close(pipe_end);
}

TEST(test_closed_terminal)
{
    write_endless_job();
    const struct child child = {0}, under_nohup = {.ignores_hangup = true};
    pid_t process = start(&child, "job.json");
    assert_true(cli_wait_for("out/partial/checkpoint.a", process));
    assert_int_equal(kill(process, SIGHUP), 0);
    cli_assert_error(cli_finish(process), STOPPED, true, "stopped by SIGHUP", "a checkpoint is saved");
    cli_remove("out");
    process = start(&under_nohup, "job.json");
    assert_true(cli_wait_for("out/partial/checkpoint.a", process));
    assert_int_equal(kill(process, SIGHUP), 0);
    assert_int_equal(kill(process, SIGTERM), 0);
    cli_assert_error(cli_finish(process), STOPPED, true, "stopped by SIGTERM");
}

// ---- descriptors

TEST(test_output_without_a_reader)
{
    write_small_job("job.json");
    cli_do("run -q -o whole job.json");
    const struct child unread = {.is_output_unread = true}, closed = {.is_output_closed = true};
    cli_assert_done(cli_finish(start(&unread, "job.json")));
    cli_assert_same_results("out", "whole");
    cli_remove("out");
    cli_assert_done(cli_finish(start(&closed, "job.json")));
    cli_assert_same_results("out", "whole");
}

// ---- names

static void assert_utf8(const char *name)
{
    if (folder_shell_code("iconv -f UTF-8 -t UTF-8 '%s' > /dev/null 2>&1", cli_path(name)) != 0)
        fail_msg("%s: is not UTF-8", name);
}

TEST(test_names_that_are_not_utf8)
{
    static const char name[] = "caf\xe9.json";
    write_small_job(name);
    cli_do("run -q --json --set title=\xff\xc0\xafz\xc3\xbcrich %s", name);
    assert_utf8("out/run.json");
    assert_utf8(".output");
    cJSON *report = cli_read_json("out/run.json");
    assert_string_equal(cli_text(report, "job"), "caf\xEF\xBF\xBD.json");
    assert_string_equal(cli_text(report, "title"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDz\xc3\xbcrich");
    cli_write_text("history", cli_attribute("out/series.nc", NULL, "history"));
    assert_utf8("history");
    cli_do("plan --json %s", name);
    assert_utf8(".output");
    write_small_job("job.json");
    cli_write_json("queue.\xe9.json",
                   "{'fathom_batch': 1, 'output': 'overnight', 'jobs': [{'name': 'a', 'job': 'job.json'}]}");
    cli_do("batch --quiet queue.\xe9.json");
    static const char *const files[] = {"overnight/summary.json", "overnight/index.html",
                                        "overnight/junit.xml", "overnight/journal.jsonl"};
    for (size_t k = 0; k < COUNT(files); k++)
        assert_utf8(files[k]);
}

// ---- links

static void assert_unchanged(void)
{
    assert_string_equal(folder_text("victim"), "mine");
}

TEST(test_links_are_not_followed)
{
    write_small_job("job.json");
    cli_write_text("victim", "mine");
    folder_shell("mkdir -p %s", cli_path("out/partial"));
    assert_int_equal(symlink("../victim", cli_path("out/run.log")), 0);
    cli_assert_error(cli_run("run -q job.json"), CANNOT_CREATE, false, "out/run.log", "symbolic link");
    assert_unchanged();
    cli_remove("out/run.log");
    static const char *const links[] = {"out/run.json.part", "out/partial/job.json.part",
                                        "out/partial/checkpoint.a.tmp", "out/partial/series.0000.nc"};
    for (size_t k = 0; k < COUNT(links); k++)
        assert_int_equal(symlink(cli_path("victim"), cli_path(links[k])), 0);
    cli_do("run -q --set checkpoint.every_steps=100 job.json");
    assert_unchanged();
    struct stat about;
    assert_true(lstat(cli_path("out/run.json"), &about) == 0 && S_ISREG(about.st_mode));
    assert_false(cli_exists("out/partial"));
}

// A link to a folder: what a run removes from partial/ would be removed there.
TEST(test_link_to_a_folder)
{
    static const char *const how[] = {"--quiet", "--restart", "--resume"};
    write_small_job("job.json");
    folder_shell("mkdir -p %s %s", cli_path("out"), cli_path("mine"));
    cli_write_text("mine/data.nc", "mine");
    assert_int_equal(symlink("../mine", cli_path("out/partial")), 0);
    for (size_t k = 0; k < COUNT(how); k++)
        cli_assert_error(cli_run("run -q %s job.json", how[k]), CANNOT_CREATE, false, "out/partial",
                         "symbolic link", "remove it");
    assert_int_equal(cli_count_entries("mine"), 1);
}

// The same in a batch: its journal, and what its runs state.
TEST(test_links_in_a_batch)
{
    static const char *const how[] = {"--quiet", "--resume", "--restart"};
    write_small_job("job.json");
    cli_write_text("victim", "mine");
    cli_write_json("queue.json",
                   "{'fathom_batch': 1, 'output': 'overnight', 'jobs': [{'name': 'a', 'job': 'job.json'}]}");
    folder_shell("mkdir -p %s", cli_path("overnight/_logs"));
    assert_int_equal(symlink("../victim", cli_path("overnight/journal.jsonl")), 0);
    for (size_t k = 0; k < COUNT(how); k++)
        cli_assert_error(cli_run("batch -q %s queue.json", how[k]), CANNOT_CREATE, false,
                         "overnight/journal.jsonl", "symbolic link", "remove it");
    assert_unchanged();
    cli_remove("overnight/journal.jsonl");
    assert_int_equal(symlink("../victim", cli_path("overnight/journal.jsonl.part")), 0);
    assert_int_equal(symlink("../../victim", cli_path("overnight/_logs/a.log")), 0);
    cli_assert_error(cli_run("batch -q queue.json"), 1, true, "1 of 1 runs failed");
    assert_has(folder_text("overnight/summary.json"), "overnight/_logs/a.log: is a symbolic link");
    assert_unchanged();
    cli_remove("overnight/_logs/a.log");
    assert_int_equal(mkfifo(cli_path("overnight/_logs/a.log"), 0666), 0); // would be waited for
    cli_assert_error(cli_run("batch -q --restart queue.json"), 1, true, "1 of 1 runs failed");
    cli_remove("overnight/_logs/a.log");
    cli_do("batch -q --resume --retry-failed queue.json");
}

// ---- a folder that is removed

// FIFOs without a writer or a reader: a run that opened one would wait for ever.
TEST(test_fifos_are_not_waited_for)
{
    struct stat about;
    write_small_job("job.json");
    folder_shell("mkdir -p %s && mkfifo %s %s", cli_path("out"), cli_path("out/run.log"),
                 cli_path("out/run.json"));
    cli_assert_error(cli_run("run -q job.json"), CANNOT_CREATE, false, "out/run.log", "not a plain file");
    cli_remove("out/run.log");
    cli_do("run -q job.json");
    assert_true(lstat(cli_path("out/run.json"), &about) == 0 && S_ISREG(about.st_mode));
}

// A folder with the name of a result is reported before the run, not when all of it has been computed.
TEST(test_a_folder_with_the_name_of_a_result)
{
    static const char *const names[] = {"out/run.json", "out/series.nc"};
    write_small_job("job.json");
    for (size_t k = 0; k < COUNT(names); k++) {
        folder_shell("rm -rf %s && mkdir -p %s", cli_path("out"), cli_path(names[k]));
        cli_assert_error(cli_run("run -q job.json"), CANNOT_CREATE, false, names[k], "is a folder");
        assert_false(cli_exists("out/partial"));
    }
}

// What was asked for on standard output has not been given if it cannot be written there.
TEST(test_full_standard_output)
{
    static const char *const commands[] = {"plan --json job.json", "run --json -q job.json", "--version",
                                           "run --explain tsunami"};
    write_small_job("job.json");
    for (size_t k = 0; k < COUNT(commands); k++) {
        char command[1024];
        snprintf(command, sizeof command, "exec %s %s > /dev/full", FATHOM_PROGRAM, commands[k]);
        cli_assert_error(cli_run_tool("sh", "-c", command), 74, true, "standard output: cannot be written");
    }
    // A reader that goes away is no failure of the run.
    char command[1024];
    snprintf(command, sizeof command,
             "set -o pipefail; %s run --json -q --restart job.json | head -c 1 > /dev/null", FATHOM_PROGRAM);
    assert_int_equal(cli_run_tool("bash", "-c", command)->exit_code, 0);
}

TEST(test_folder_removed_in_mid_run)
{
    write_endless_job();
    const struct child child = {0};
    const pid_t process = start(&child, "job.json");
    assert_true(cli_wait_for("out/partial/checkpoint.b", process));
    assert_int_equal(rename(cli_path("out"), cli_path("elsewhere")), 0);
    cli_remove("elsewhere");
    const struct cli_result *result = cli_finish(process);
    cli_assert_error(result, IO, true, "out was removed while the run wrote to it", "run it again");
    assert_null(strstr(result->error, "is kept"));
    assert_null(strstr(result->error, "--resume"));
    assert_false(cli_exists("out"));
}

TEST_MAIN(cli_setup, cli_teardown)
