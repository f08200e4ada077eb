// Limits of the system: stack, address space, threads, memory of control groups. A run goes through or is
// refused with one line before it starts; it never dies.
#include "tests/support/ising_job.h"
#include "tests/support/test.h"

#include <sys/stat.h>

enum { NOT_LOADED = 127 };

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static const bool is_sanitized = true; // its stacks are larger, and it takes terabytes of address space
#else
static const bool is_sanitized = false;
#endif

static int setup(void **state)
{
    if (cli_setup(state) != 0)
        return -1;
    cli_save_job(ising_job());
    return 0;
}

// The program behind a command of the shell.
__attribute__((format(printf, 2, 3))) static const struct cli_result *run_behind(const char *job,
                                                                                 const char *format, ...)
{
    char before[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(before, sizeof before, format, arguments);
    va_end(arguments);
    return cli_run_tool("sh", "-c",
                        format_text("%s && exec %s run -q --restart -o out %s", before, FATHOM_PROGRAM, job));
}

TEST(test_small_stack)
{
    if (is_sanitized)
        skip_because("a sanitizer needs a larger stack");
    cli_assert_error(run_behind("job.json", "ulimit -s 192"), SYSTEM, false, "ulimit -s", "192 KiB",
                     "256 KiB");
    assert_false(cli_exists("out"));
    cli_assert_done(run_behind("job.json", "ulimit -s 256"));
}

// Whether the libraries' own initialisation, before main, gets through: some of them die of too little
// memory.
static bool is_loaded_with(int kb)
{
    return cli_run_tool("sh", "-c", format_text("ulimit -v %d && exec %s --version", kb, FATHOM_PROGRAM))
               ->exit_code == 0;
}

// From too little to load the libraries to enough. OpenMP's own end has the code 1, the loader's 127.
TEST(test_address_space)
{
    enum { LEAST_KB = 60000, MOST_KB = 160000, STEP_KB = 2500 };
    int refused = 0;
    if (is_sanitized)
        skip_because("a sanitizer takes terabytes of address space");
    for (int kb = LEAST_KB; kb <= MOST_KB; kb += STEP_KB) {
        const struct cli_result *result = run_behind("job.json", "ulimit -v %d", kb);
        if (result->exit_code == SYSTEM) {
            // What the libraries say of it when they are loaded may come first.
            const char *said = strstr(result->error, "fathom: ");
            assert_true(said && strcmp(strchr(said, '\n'), "\n") == 0);
            assert_false(cli_exists("out/partial"));
            refused++;
        } else if (result->exit_code != 0 && result->exit_code != NOT_LOADED) {
            const struct cli_result copy = *result;
            if (is_loaded_with(kb))
                fail_msg("ulimit -v %d: exit code %d, signal %d: %s", kb, copy.exit_code, copy.signal,
                         copy.error);
        }
    }
    assert_in_range(refused, 1, (MOST_KB - LEAST_KB) / STEP_KB);
    cli_assert_done(run_behind("job.json", "ulimit -v 2000000"));
}

// A stack larger than an address space can hold: the second thread cannot be started.
TEST(test_thread_that_cannot_be_begun)
{
    cli_assert_error(run_behind("job.json", "export OMP_STACKSIZE=400000G"), SYSTEM, false, "thread 2 of 2",
                     "--threads");
    assert_false(cli_exists("out/partial"));
}

// ---- control groups, where one can be made

// A group of that controller below this process's own, of version 1 or 2; "" if none can be made.
static const char *make_group(const char *controller, const char *limit_1, const char *limit_2,
                              const char *value)
{
    static char group[2048];
    char command[4096];
    snprintf(command, sizeof command,
             "own=$(sed -n 's/^[0-9]*:%s://p' /proc/self/cgroup); g=/sys/fs/cgroup/%s$own/fathom-test-%d; "
             "f=%s; if [ -z \"$own\" ]; then own=$(sed -n 's/^0:://p' /proc/self/cgroup); "
             "g=/sys/fs/cgroup$own/fathom-test-%d; f=%s; fi; mkdir $g && mkdir $g/inner && echo %s > $g/$f "
             "&& test -e $g/inner/cgroup.procs && printf %%s $g",
             controller, controller, (int)getpid(), limit_1, (int)getpid(), limit_2, value);
    const struct cli_result *result = cli_run_tool("sh", "-c", command);
    snprintf(group, sizeof group, "%.2000s", result->exit_code == 0 ? result->output : "");
    return group;
}

static void remove_group(const char *group)
{
    (void)folder_shell_code("rmdir %s/inner %s", group, group);
}

static const struct cli_result *run_in(const char *group, const char *job)
{
    return run_behind(job, "echo $$ > %s/inner/cgroup.procs", group);
}

// The limit is that of a group above the process's own.
TEST(test_memory_of_a_group)
{
    const char *group = make_group("memory", "memory.limit_in_bytes", "memory.max", "200000000");
    if (!group[0])
        skip_because("no control group with a limit of memory can be made here");
    cJSON *job = cli_change(ising_job(), "lattice.columns = 65536; lattice.rows = 65536");
    cli_write_job(job, "large.json");
    const struct cli_result *result = run_in(group, "large.json");
    const bool is_said =
        result->exit_code == SYSTEM && strstr(result->error, format_text("%s/memory.", group));
    const struct cli_result copy = *result;
    const int small = run_in(group, "job.json")->exit_code;
    remove_group(group);
    if (!is_said)
        fail_msg("exit code %d, signal %d: %s", copy.exit_code, copy.signal, copy.error);
    assert_int_equal(small, 0);
}

TEST(test_threads_of_a_group)
{
    const char *group = make_group("pids", "pids.max", "pids.max", "2"); // the program and its I/O thread
    if (!group[0])
        skip_because("no control group with a limit of threads can be made here");
    // LeakSanitizer looks for leaks from a process of its own, for which the limit leaves no room.
    const struct cli_result *result = run_behind(
        "job.json", "echo $$ > %s/inner/cgroup.procs && export ASAN_OPTIONS=detect_leaks=0", group);
    remove_group(group);
    cli_assert_error(result, SYSTEM, false, "thread 2 of 2", "pids.max");
}

// ulimit -u. Nothing is left but the log; and a batch's run that could not be started has failed with the
// same words.
TEST(test_limit_of_processes)
{
    const struct cli_options one = {.processes_max = 1};
    if (is_sanitized)
        skip_because("LeakSanitizer needs a thread of its own");
    folder_shell("mkdir -m 777 %s", cli_path("open"));
    cli_assert_error(cli_run_as(&one, "run -q -o open/out job.json"), SYSTEM, false,
                     "the thread that writes files cannot be started: ", "ulimit -u");
    assert_false(cli_exists("open/out/partial"));
    cli_write_json(
        "queue.json",
        "{'fathom_batch': 1, 'output': 'open/overnight', 'jobs': [{'name': 'a', 'job': 'job.json'}]}");
    cli_assert_error(cli_run_as(&one, "batch -q queue.json"), 1, true, "1 of 1 runs failed");
    assert_has(folder_text("open/overnight/summary.json"), "cannot start a process: ", "ulimit -u");
}

// The program's own memory has a line in the plan, and counts.
TEST(test_program_in_the_plan)
{
    assert_has(cli_do("plan job.json")->output, " MB of it for program and libraries)");
    assert_has(cli_do("plan --arrays job.json")->output, "program and libraries ");
    cli_do("run -q job.json");
    const double planned = cli_run_number("out", "memory.planned_bytes") +
                           cli_run_number("out", "memory.library_ceiling_bytes") +
                           cli_run_number("out", "memory.program_bytes"),
                 peak = cli_run_number("out", "memory.peak_resident_bytes");
    if (!is_sanitized && peak > planned)
        fail_msg("%.0f bytes at most, %.0f planned", peak, planned);
}

TEST_MAIN(setup, cli_teardown)
