// The program: finds the subcommand and calls it. Each subcommand has a file of its own.
#include "cli/commands.h"
#include "cli/options.h"
#include "core/library_call.h"
#include "core/status.h"
#include "core/stop_signals.h"
#include "gpu/device.h"
#include "gpu/nccl.h"
#include "io/geo/crs.h"
#include "io/output/deflate.h"
#include "models/model.h"
#include "parallel/launch.h"
#include "version.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} commands[] = {
    {"run", command_run, "run a job from input files to result files"},
    {"plan", command_plan, "check a job and show what its run needs"},
    {"forecast", command_forecast, "from an earthquake to a table of arrivals and heights at points"},
    {"hazard", command_hazard, "from the runs of a batch to probabilities: percentiles, exceedance, threat"},
    {"init", command_init, "write a job to start from, with comments"},
    {"batch", command_batch, "run a queue of jobs, several at a time; a failed run does not stop the others"},
    {"info", command_info, "describe a grid, a result file, or a run"},
    {"convert", command_convert, "convert, crop and resample grids; results to CSV, GeoJSON, KML, GeoTIFF"},
    {"compare", command_compare, "check a result against another file, variable by variable"},
    {"report", command_report, "draw maps and series of a result folder, as PNG and one HTML page"},
    {"validate", command_validate, "test the program against closed forms and measurements"},
    {"combine", command_combine, "add unit sources of a propagation database to a forecast"},
    {"invert", command_invert, "fit slips of unit sources to the records of buoys"},
    {"bench", command_bench, "measure every variant of a model on this machine"},
};

static void print_help(FILE *stream)
{
    fputs("Fathom " FATHOM_VERSION ": offline batch processor for simulation models.\n"
          "\n"
          "Usage: fathom COMMAND [OPTIONS] ...\n"
          "\n"
          "Commands:\n",
          stream);
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++)
        fprintf(stream, "  %-10s %s\n", commands[k].name, commands[k].summary);
    fputs("\nfathom help COMMAND explains a command, fathom run --explain MODEL the keys of a job.\n"
          "\n"
          "Models:\n",
          stream);
    for (const struct model *const *model = model_list(); *model; model++)
        fprintf(stream, "  %-10s %s\n", (*model)->name, (*model)->summary);
    fputs("\nfathom --version lists the back ends and devices.\n"
          "From an event:    fathom forecast EVENT --points FILE\n"
          "A first forecast: fathom run data/jobs/tohoku2011.json && fathom report tohoku2011\n"
          "Heat in tissue:   fathom run data/jobs/liver-electrode.json && fathom report liver-electrode\n",
          stream);
}

static void print_version(void)
{
    char devices[1024], modules[128], nccl[256], library[32];
    (void)gpu_describe(devices, sizeof devices);
    puts("fathom " FATHOM_VERSION);
    puts("back ends:\n  openmp     all processor cores\n  reference  one core, plain, the specification");
    printf("  cuda       %s\n", devices);
    if (launch_modules(modules, sizeof modules)[0])
        printf("several ranks by %s\n", modules);
    else
        puts("without MPI: a run has one rank (libopenmpi-dev or libmpich-dev, and a new build)");
    if (gpu_is_compiled() && gpu_nccl_describe(nccl, sizeof nccl))
        printf("GPUs of several hosts by %s\n", nccl);
    else if (gpu_is_compiled())
        printf("without NCCL between GPUs of several hosts: %s\n", nccl);
    printf("results compressed by %s\n", output_deflate_library(library));
    if (geo_missing()[0])
        printf("without GeoTIFF (%s)\n", geo_missing());
    else
        puts("with GeoTIFF");
}

static void report_unknown(const char *word)
{
    const char *names[sizeof commands / sizeof *commands];
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++)
        names[k] = commands[k].name;
    char suggestion[OPTIONS_SUGGESTION_BYTES];
    fprintf(stderr, "fathom: unknown command \"%s\"%s; see fathom --help\n", word,
            options_suggestion(word, names, sizeof names / sizeof *names, suggestion));
}

// In GNU's OpenMP a thread that waits for others spins for milliseconds. On a busy machine it then takes the
// processor from the thread that it waits for: a run took twenty times as long. The limit is read from the
// environment when the library is loaded, before main, so the program sets it and executes itself again.
static void limit_spinning(char **argv)
{
    if (getenv("GOMP_SPINCOUNT") || getenv("OMP_WAIT_POLICY") || setenv("GOMP_SPINCOUNT", "1000", 1) != 0)
        return;
    execv("/proc/self/exe", argv);
    // Without /proc: the results are the same.
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

static bool is_among(const char *word, int argc, char **argv)
{
    for (int k = 0; k < argc; k++)
        if (strcmp(argv[k], word) == 0)
            return true;
    return false;
}

// Else each copy would do all of the work, and write the same files.
static enum status check_copies(int argc, char **argv)
{
    const int copies = launch_copies();
    const char *name = argv[0];
    const bool has_ranks = strcmp(name, "run") == 0 || strcmp(name, "bench") == 0;
    if (copies <= 1 || has_ranks || is_among("--help", argc, argv) || is_among("-h", argc, argv))
        return STATUS_OK;
    return FAIL(STATUS_USAGE,
                "%s: a launcher started %d ranks, but only run and bench have several: start fathom %s "
                "without it%s",
                name, copies, name, strcmp(name, "plan") == 0 ? ", with --ranks" : "");
}

static int run_command(int argc, char **argv)
{
    for (int k = 0; k < (int)(sizeof commands / sizeof *commands); k++) {
        if (strcmp(argv[0], commands[k].name) != 0)
            continue;
        const enum status status = check_copies(argc, argv);
        return status == STATUS_OK ? commands[k].run(argc, argv) : options_report_failure(status);
    }
    report_unknown(argv[0]);
    return status_exit_code(STATUS_USAGE);
}

// The number of a closed descriptor would be given to the next file that is opened, and messages would be
// written to it. Standard output can then only be read from: what is printed fails (check_output), also after
// the program has executed itself again.
static bool open_standard_streams(void)
{
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        if (fcntl(descriptor, F_GETFD) == -1 &&
            open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR) != descriptor)
            return false;
    return true;
}

// Too small a stack would crash the program without a message. It holds buffers of up to 88 KiB; the threads'
// stacks have the size of ulimit -s too.
static enum status check_stack(void)
{
    enum { LEAST_BYTES = 256 << 10 };
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < LEAST_BYTES)
        return FAIL(STATUS_SYSTEM, "ulimit -s is %llu KiB; at least %d KiB of stack are needed",
                    (unsigned long long)limit.rlim_cur / 1024, LEAST_BYTES / 1024);
    return STATUS_OK;
}

// A command whose output cannot be written has failed. Exceptions: the reader has closed the pipe; the
// results of `run` and `batch` are in files, unless JSON was requested.
static int check_output(int code, int argc, char **argv)
{
    const bool has_files =
        is_among("run", 2 < argc ? 2 : argc, argv) || is_among("batch", 2 < argc ? 2 : argc, argv);
    if (code != 0 || (has_files && !is_among("--json", argc, argv) && !is_among("--explain", argc, argv)))
        return code;
    errno = 0;
    const bool is_lost = fflush(stdout) != 0 || ferror(stdout);
    const int reason = errno; // 0: an earlier write failed
    struct pollfd reader = {.fd = STDOUT_FILENO, .events = POLLOUT};
    const bool has_left = poll(&reader, 1, 0) == 1 && (reader.revents & POLLERR);
    if (!is_lost || has_left)
        return code;
    if ((fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE) == O_RDONLY)
        return options_report_failure(FAIL(STATUS_IO, "standard output is closed: nothing was printed"));
    return options_report_failure(FAIL(STATUS_IO,
                                       "standard output: cannot be written%s%s: the output is incomplete",
                                       reason ? ": " : "", reason ? strerror(reason) : ""));
}

static int execute(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return status_exit_code(STATUS_USAGE);
    }
    if (is_help(argv[1]) && (argc == 2 || argv[2][0] == '-' || strcmp(argv[2], "help") == 0)) {
        print_help(stdout);
        return 0;
    }
    if (is_help(argv[1])) // fathom help run
        return run_command(2, (char *[]){argv[2], "--help", NULL});
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        print_version();
        return 0;
    }
    return run_command(argc - 1, argv + 1);
}

// A copy that a launcher started beside the first. What fails before the ranks know of each other fails in
// all copies, and the first one says it; a launcher ends all when one has failed: the others wait for that.
static int execute_as_copy(int argc, char **argv)
{
    enum { LATER_MS = 3000 };
    const char *text = getenv("FATHOM_TEST_LATER_S"); // for tests: with launchers that end none
    const int later_ms = text ? (int)(1e3 * strtod(text, NULL)) : LATER_MS;
    launch_mute();
    const int code = check_output(execute(argc, argv), argc, argv);
    if (code != 0 && launch_is_muted())
        (void)poll(NULL, 0, later_ms);
    return code;
}

int main(int argc, char **argv)
{
    const bool is_run = argc >= 2 && (strcmp(argv[1], "run") == 0 || strcmp(argv[1], "forecast") == 0);
    if (is_run)
        stop_signals_hold(); // until the program has executed itself again
    if (!open_standard_streams())
        return status_exit_code(STATUS_SYSTEM);
    if (check_stack() != STATUS_OK)
        return options_report_failure(STATUS_SYSTEM);
    limit_spinning(argv);
    if (library_call_guard() != STATUS_OK || (is_run && stop_signals_catch() != STATUS_OK))
        return options_report_failure(STATUS_SYSTEM);
    gpu_register();
    setlocale(LC_CTYPE, ""); // for the progress bar; numbers stay in the C locale
    if (launch_is_copy())
        return execute_as_copy(argc, argv);
    return check_output(execute(argc, argv), argc, argv);
}
