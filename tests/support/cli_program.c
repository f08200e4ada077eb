// The program as a child in the test's folder: see cli_program.h. Knows nothing of the program's inside.
#include "tests/support/cli_program.h"
#include "tests/support/cli_fixture.h"
#include "tests/support/cli_ready.h"
#include "tests/support/test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

enum { NOBODY = 65534, WAIT_S = 120 };

static struct cli_result result;

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Threads that spin while they wait would make thousands of small steps very slow where other tests run.
// GOMP_SPINCOUNT overrules the policy.
static bool set_threads(void)
{
    return setenv("OMP_NUM_THREADS", "2", 1) == 0 && unsetenv("GOMP_SPINCOUNT") == 0 &&
           setenv("OMP_WAIT_POLICY", "passive", 1) == 0;
}

// In the child: whatever fails here ends it with a code that no test expects.
static void become_program(const struct cli_options *options, const char *const *arguments)
{
    const int output = open(cli_path(".output"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int error = open(cli_path(".error"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (output < 0 || error < 0 || dup2(output, STDOUT_FILENO) < 0 || dup2(error, STDERR_FILENO) < 0 ||
        chdir(folder_root()) != 0 || !set_threads() || !cli_pace_apply())
        _exit(120);
    if (options && options->file_bytes_max > 0) {
        const struct rlimit limit = {options->file_bytes_max, options->file_bytes_max};
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
            _exit(121);
    }
    if (options && options->processes_max > 0) {
        const struct rlimit limit = {options->processes_max, options->processes_max};
        const uid_t user = (uid_t)(20000 + getpid() % 40000); // it counts the processes of a user
        if (setrlimit(RLIMIT_NPROC, &limit) != 0 || (geteuid() == 0 && setuid(user) != 0))
            _exit(121);
    }
    if (options && options->as_nobody && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
        _exit(122);
    if (options && options->has_closed_output)
        (void)close(STDOUT_FILENO);
    if (options && options->has_full_output) {
        const int full = open("/dev/full", O_WRONLY);
        if (full < 0 || dup2(full, STDOUT_FILENO) < 0)
            _exit(124);
    }
    execvp(arguments[0], (char *const *)arguments);
    _exit(123);
}

static pid_t start(const struct cli_options *options, const char *const *words)
{
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        become_program(options, words);
    return child;
}

enum { BETWEEN_WORDS = 1, QUOTE = 2, LINE_BYTES = 1 << 14 }; // characters that no argument has

// Blanks that part words become BETWEEN_WORDS, and the first of two quotes QUOTE.
static void mark_words(const char *line, char marked[LINE_BYTES])
{
    bool is_quoted = false;
    assert_true(strlen(line) < LINE_BYTES);
    for (; *line; line++)
        if (*line == '\'') {
            is_quoted = !is_quoted;
            if (is_quoted)
                *marked++ = QUOTE;
        } else if (*line == ' ' && !is_quoted) {
            *marked++ = BETWEEN_WORDS;
        } else {
            *marked++ = *line == '\\' && line[1] ? *++line : *line;
        }
    *marked = '\0';
}

static int split_words(char *marked, const char **words, int room)
{
    int count = 0;
    for (char *word; (word = strsep(&marked, (const char[]){BETWEEN_WORDS, '\0'}));) {
        if (*word == '\0') // two blanks, or an empty value that is not quoted
            continue;
        assert_true(count < room);
        words[count++] = word;
        char *to = word;
        for (const char *c = word; *c; c++)
            if (*c != QUOTE)
                *to++ = *c;
        *to = '\0';
    }
    return count;
}

int cli_words(const char **words, int room, const char *format, va_list arguments)
{
    static char marked[LINE_BYTES], line[LINE_BYTES];
    mark_words(format, marked);
    assert_in_range(vsnprintf(line, sizeof line, marked, arguments), 0, sizeof line - 1);
    return split_words(line, words, room);
}

struct words {
    const char *of[CLI_WORDS_MAX + 1];
};

static struct words words_of(const char *program, const char *format, va_list arguments)
{
    struct words words = {{program}};
    words.of[1 + cli_words(words.of + 1, CLI_WORDS_MAX - 1, format, arguments)] = NULL;
    return words;
}

static void read_text(const char *name, char *text, size_t bytes)
{
    FILE *file = fopen(cli_path(name), "r");
    assert_non_null(file);
    const size_t length = fread(text, 1, bytes - 1, file);
    text[length] = '\0';
    assert_true(length < bytes - 1); // all of it
    fclose(file);
}

static const struct timespec poll_interval = {0, 2000000};

static const struct cli_result *take(int status, const struct rusage *usage)
{
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    result.memory_bytes = 1024.0 * (double)usage->ru_maxrss;
    read_text(".output", result.output, sizeof result.output);
    read_text(".error", result.error, sizeof result.error);
    if (strstr(result.error, "HDF5-DIAG"))
        fail_msg("HDF5 wrote its error trace to standard error:\n%s", result.error);
    return &result;
}

const struct cli_result *cli_finish(pid_t child)
{
    const double end_s = now_s() + WAIT_S;
    int status;
    struct rusage usage;
    for (;;) {
        const pid_t done = wait4(child, &status, WNOHANG, &usage);
        assert_true(done >= 0);
        if (done == child)
            break;
        if (now_s() > end_s) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            fail_msg("the program did not end within %d s", WAIT_S);
        }
        nanosleep(&poll_interval, NULL);
    }
    return take(status, &usage);
}

static const struct cli_result *run(const struct cli_options *options, const char *const *words)
{
    struct ready_end end;
    if (!options && !cli_pace_is_set() && cli_ready_run(words, set_threads, WAIT_S, &end))
        return take(end.status, &end.usage);
    return cli_finish(start(options, words));
}

const struct cli_result *cli_run(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const struct words words = words_of(FATHOM_PROGRAM, format, arguments);
    va_end(arguments);
    return run(NULL, words.of);
}

const struct cli_result *cli_do(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const struct words words = words_of(FATHOM_PROGRAM, format, arguments);
    va_end(arguments);
    cli_assert_done(run(NULL, words.of));
    return &result;
}

// The build folder may be closed to the user nobody (a clone in a home folder): the program is copied to
// the test's own folder, which is open.
static const char *program_for(const struct cli_options *options)
{
    static char copy[4096];
    if (!options || (!options->as_nobody && options->processes_max == 0))
        return FATHOM_PROGRAM;
    snprintf(copy, sizeof copy, "%s", cli_path("program"));
    if (access(copy, X_OK) == 0)
        return copy;
    FILE *from = fopen(FATHOM_PROGRAM, "rb"), *to = fopen(copy, "wb");
    assert_non_null(from);
    assert_non_null(to);
    char block[65536];
    for (size_t length; (length = fread(block, 1, sizeof block, from)) > 0;)
        assert_int_equal(fwrite(block, 1, length, to), length);
    assert_int_equal(fclose(to), 0);
    fclose(from);
    assert_int_equal(chmod(copy, 0755), 0);
    return copy;
}

const struct cli_result *cli_run_as(const struct cli_options *options, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const struct words words = words_of(program_for(options), format, arguments);
    va_end(arguments);
    return run(options, words.of);
}

const struct cli_result *cli_run_line(const char *line)
{
    static char marked[LINE_BYTES];
    const char *words[CLI_WORDS_MAX + 1] = {FATHOM_PROGRAM};
    mark_words(line, marked);
    words[1 + split_words(marked, words + 1, CLI_WORDS_MAX - 1)] = NULL;
    return cli_run_words(words);
}

const struct cli_result *cli_run_words(const char *const *words)
{
    return run(NULL, words);
}

pid_t cli_start(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const struct words words = words_of(FATHOM_PROGRAM, format, arguments);
    va_end(arguments);
    return start(NULL, words.of);
}

// The child is left for cli_finish (WNOWAIT).
static bool has_ended(pid_t child)
{
    siginfo_t information = {0};
    return waitid(P_PID, (id_t)child, &information, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           information.si_pid == child;
}

static bool holds_text(const char *name, const char *text)
{
    if (!cli_exists(name) || !text)
        return cli_exists(name);
    char *whole = folder_read(name, NULL);
    const bool holds = strstr(whole, text) != NULL;
    return holds;
}

bool cli_wait_for(const char *name, pid_t child)
{
    return cli_wait_for_text(name, NULL, child);
}

bool cli_wait_for_text(const char *name, const char *text, pid_t child)
{
    const double end_s = now_s() + 0.5 * WAIT_S;
    while (!holds_text(name, text)) {
        if (has_ended(child) || now_s() > end_s)
            return holds_text(name, text);
        nanosleep(&poll_interval, NULL);
    }
    return true;
}

double cli_checkpoint_stamp(const char *directory)
{
    static const char *const names[] = {"partial/checkpoint.a", "partial/checkpoint.b"};
    double stamp = 0;
    for (int k = 0; k < 2; k++) {
        struct stat information;
        const char *name = format_text("%s/%s", directory, names[k]);
        // The inode too: two may be written within one tick of the clock.
        if (stat(cli_path(name), &information) == 0)
            stamp += (double)information.st_mtim.tv_sec + 1e-9 * (double)information.st_mtim.tv_nsec +
                     (double)(information.st_ino % 1000003);
    }
    return stamp;
}

bool cli_wait_for_checkpoint(const char *directory, double before, pid_t child)
{
    const double end_s = now_s() + 0.5 * WAIT_S;
    while (cli_checkpoint_stamp(directory) == before) {
        if (has_ended(child) || now_s() > end_s)
            return false;
        nanosleep(&poll_interval, NULL);
    }
    return true;
}

void cli_assert_done(const struct cli_result *r)
{
    if (r->exit_code != 0)
        fail_msg("exit code %d, signal %d, standard error:\n%s", r->exit_code, r->signal, r->error);
}

void cli_assert_error_has(const struct cli_result *r, int exit_code, bool has_log,
                          const char *const *fragments)
{
    if (r->exit_code != exit_code)
        fail_msg("exit code %d, expected %d (signal %d), standard error:\n%s", r->exit_code, exit_code,
                 r->signal, r->error);
    const size_t length = strlen(r->error);
    assert_true(length > 0 && r->error[length - 1] == '\n');
    const char *last = r->error;
    int lines = 0;
    for (const char *line = r->error; *line; line = strchr(line, '\n') + 1) {
        last = line;
        lines++;
        if (strncmp(line, "fathom: ", 8) != 0)
            fail_msg("a line does not begin with \"fathom: \":\n%s", r->error);
    }
    if (!has_log && lines != 1)
        fail_msg("%d lines on standard error, expected one:\n%s", lines, r->error);
    for (; *fragments; fragments++)
        if (!strstr(last, *fragments))
            fail_msg("the message lacks \"%s\": %s", *fragments, last);
}

void cli_assert_refused(const struct cli_refusal *rows, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        cli_run_line(rows[k].line);
        if (result.exit_code != rows[k].exit_code)
            print_message("fathom %s\n", rows[k].line);
        cli_assert_error_has(&result, rows[k].exit_code, false, rows[k].fragments);
        assert_string_equal(result.output, "");
    }
}

void cli_assert_tool(const struct cli_result *r)
{
    if (r->exit_code == 77)
        skip_because("%s", r->output);
    cli_assert_done(r);
}
