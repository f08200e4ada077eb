// `fathom batch QUEUE`: a queue of jobs, each in a process of its own. The command line, and the order of
// things; who does what stands in batch.h.
#include "batch/batch.h"

#include "batch/list.h"
#include "batch/room.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "core/clock.h"
#include "core/log.h"
#include "io/json_file.h"
#include "io/units.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static const double default_grace_s = 30;

static const char help[] =
    "Usage: fathom batch [OPTIONS] QUEUE.json\n"
    "       fathom batch [OPTIONS] DIRECTORY\n"
    "\n"
    "Runs every job of a queue, several at once where they fit, each in a process of its own: what happens "
    "to one\n"
    "happens to no other. A queue is a JSON file (docs/batch.md) that names jobs, sweeps and ensembles over "
    "their\n"
    "keys, priorities, time limits and retries; or a folder, whose jobs are run as they are. A run's results "
    "are in\n"
    "OUTPUT/NAME, what it said in OUTPUT/_logs/NAME.log; OUTPUT/journal.jsonl keeps what happened, safe "
    "against a kill\n"
    "or a loss of power, and OUTPUT/index.html, summary.json and junit.xml say it all in the end.\n"
    "\n"
    "Options:\n"
    "  -o, --output DIR        instead of the queue's \"output\"\n"
    "      --resume            go on with a batch that was stopped or killed: what has passed stays, what "
    "was begun goes\n"
    "                          on from its last checkpoint, what had no room is tried again, what failed\n"
    "                          otherwise stays failed; begins one where none was begun yet\n"
    "      --retry-failed      with --resume: what failed is tried again\n"
    "      --restart           begin again: the journal is replaced, and each run's results when it passes\n"
    "  -j, --jobs N            at most N runs at once (as many as there are cores)\n"
    "  -c, --cores N           at most N cores in all (those that this process may use)\n"
    "      --time-limit TIME   stop after this much wall-clock time (\"8 h\"): every run saves a checkpoint\n"
    "      --grace TIME        a run that was asked to stop is killed after it (\"30 s\")\n"
    "      --array-task N      run number N of the queue alone, from 1: for Slurm's --array. It keeps a "
    "journal of its\n"
    "                          own and goes on where an earlier attempt stopped\n"
    "      --summary           run nothing; write index.html, summary.json and junit.xml from the journals, "
    "those of\n"
    "                          array tasks too\n"
    "      --list              run nothing; print the runs of the queue with their settings\n"
    "      --json              print summary.json when done; with --list, the list as JSON\n"
    "  -q, --quiet             only warnings and errors\n"
    "  -h, --help              this text\n"
    "\n"
    "Ctrl-C or SIGTERM stops the batch: every run saves a checkpoint. A second Ctrl-C does not wait for "
    "them.\n"
    "\n"
    "Example: a sweep over the friction of the sea floor, in evening.json:\n"
    "  { \"fathom_batch\": 1, \"defaults\": { \"time_limit\": \"2 h\", \"retries\": 1 },\n"
    "    \"jobs\": [ { \"name\": \"friction\", \"job\": \"jobs/tohoku2011.json\",\n"
    "               \"sweep\": { \"physics.manning_n\": { \"from\": 0.02, \"to\": 0.03, \"step\": 0.005 } } "
    "} ] }\n"
    "  fathom batch --list evening.json\n"
    "  fathom batch evening.json\n"
    "\n"
    "Exit status: 0 all passed; 1 some failed, or exceeded a safety level (heat, by the ITRUSST levels,\n"
    "unless the job says check.itrusst: false); 64 wrong command line; 66 the queue or a job file is\n"
    "missing, or the journal of results that --resume finds; 73 the output cannot be created, or holds an\n"
    "earlier batch; 74 the journal cannot be written; 75 stopped, can be resumed; 78 a mistake in the "
    "queue.\n";

struct batch_options {
    const char *queue, *output;
    enum batch_begin begin;
    bool retries_failures, is_summary, is_list, as_json;
    int jobs, cores;
    int64_t task; // 0 = none
    struct batch_engine_options engine;
};

enum {
    OPTION_RESUME = 256,
    OPTION_RESTART,
    OPTION_RETRY,
    OPTION_TIME_LIMIT,
    OPTION_GRACE,
    OPTION_TASK,
    OPTION_SUMMARY,
    OPTION_LIST,
    OPTION_JSON
};

static const struct option long_options[] = {{"output", required_argument, NULL, 'o'},
                                             {"resume", no_argument, NULL, OPTION_RESUME},
                                             {"restart", no_argument, NULL, OPTION_RESTART},
                                             {"retry-failed", no_argument, NULL, OPTION_RETRY},
                                             {"jobs", required_argument, NULL, 'j'},
                                             {"cores", required_argument, NULL, 'c'},
                                             {"time-limit", required_argument, NULL, OPTION_TIME_LIMIT},
                                             {"grace", required_argument, NULL, OPTION_GRACE},
                                             {"array-task", required_argument, NULL, OPTION_TASK},
                                             {"summary", no_argument, NULL, OPTION_SUMMARY},
                                             {"list", no_argument, NULL, OPTION_LIST},
                                             {"json", no_argument, NULL, OPTION_JSON},
                                             {"quiet", no_argument, NULL, 'q'},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

// ---- the command line

static enum status read_count(const char *option, const char *text, int64_t most, int64_t *count)
{
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value < 1 || value > most)
        return FAIL(STATUS_USAGE, "%s needs a whole number from 1 to %lld, not \"%.80s\"", option,
                    (long long)most, text);
    *count = value;
    return STATUS_OK;
}

static enum status read_small(const char *option, const char *text, int *count)
{
    enum { MOST = 4096 };
    int64_t value = 0;
    CHECK(read_count(option, text, MOST, &value));
    *count = (int)value;
    return STATUS_OK;
}

static enum status read_time(const char *option, const char *text, bool may_be_zero, double *seconds)
{
    CHECK_ABOUT(units_parse_quantity(text, "s", seconds), "%s", option);
    if (!(*seconds > 0) && !(may_be_zero && *seconds == 0))
        return FAIL(STATUS_USAGE, "%s: must be longer than 0, not \"%.80s\"", option, text);
    return STATUS_OK;
}

static enum status take_option(int option, struct batch_options *options)
{
    switch (option) {
    case 'o':
        options->output = optarg;
        return STATUS_OK;
    case 'j':
        return read_small("--jobs", optarg, &options->jobs);
    case 'c':
        return read_small("--cores", optarg, &options->cores);
    case 'q':
        options->engine.is_quiet = true;
        return STATUS_OK;
    case OPTION_RESUME:
    case OPTION_RESTART: {
        const enum batch_begin begin = option == OPTION_RESUME ? BATCH_BEGIN_RESUME : BATCH_BEGIN_RESTART;
        if (options->begin != BATCH_BEGIN_NEW && options->begin != begin)
            return FAIL(STATUS_USAGE, "either --resume or --restart can be given, not both");
        options->begin = begin;
        return STATUS_OK;
    }
    case OPTION_RETRY:
        options->retries_failures = true;
        return STATUS_OK;
    case OPTION_TIME_LIMIT:
        return read_time("--time-limit", optarg, false, &options->engine.time_limit_s);
    case OPTION_GRACE:
        return read_time("--grace", optarg, true, &options->engine.grace_s);
    case OPTION_TASK:
        return read_count("--array-task", optarg, BATCH_JOBS_MAX, &options->task);
    case OPTION_SUMMARY:
        options->is_summary = true;
        return STATUS_OK;
    case OPTION_LIST:
        options->is_list = true;
        return STATUS_OK;
    case OPTION_JSON:
        options->as_json = true;
        return STATUS_OK;
    default:
        return STATUS_USAGE;
    }
}

static enum status check_options(int argc, const struct batch_options *options)
{
    if (optind + 1 != argc)
        return FAIL(STATUS_USAGE,
                    "batch needs one queue file or one folder of jobs; see fathom batch --help");
    if (options->is_list && options->is_summary)
        return FAIL(STATUS_USAGE, "either --list or --summary can be given, not both");
    if (options->is_summary && (options->begin != BATCH_BEGIN_NEW || options->task > 0))
        return FAIL(STATUS_USAGE, "--summary runs nothing: it goes with --output and --json alone");
    if (options->retries_failures && options->begin != BATCH_BEGIN_RESUME && options->task == 0)
        return FAIL(STATUS_USAGE, "--retry-failed goes with --resume");
    return STATUS_OK;
}

// False: nothing is left to do, *code is the exit code.
static bool read_options(int argc, char **argv, struct batch_options *options, int *code)
{
    *options = (struct batch_options){.engine = {.program = "/proc/self/exe", .grace_s = default_grace_s}};
    enum status status = STATUS_OK;
    for (int option;
         status == STATUS_OK && (option = options_next(argc, argv, "o:j:c:qh", long_options)) != -1;) {
        if (option == 'h') {
            fputs(help, stdout);
            *code = 0;
            return false;
        }
        status = take_option(option, options);
    }
    if (status == STATUS_OK)
        status = check_options(argc, options);
    if (status == STATUS_OK) {
        options->queue = argv[optind];
        return true;
    }
    *code = status_exit_code(STATUS_USAGE);
    if (status_message()[0]) // else the option was said to be unknown
        (void)options_report_failure(STATUS_USAGE);
    return false;
}

// ---- the order of things

// The queue as the command line changes it.
static enum status read_queue(const struct batch_options *options, struct batch_queue *queue)
{
    CHECK(batch_queue_read(options->queue, queue));
    if (options->output && !options->output[0])
        return FAIL(STATUS_USAGE, "--output must not be empty");
    if (options->output && snprintf(queue->directory, PATH_BYTES, "%s", options->output) >= PATH_BYTES)
        return FAIL(STATUS_USAGE, "--output is longer than %d bytes", PATH_BYTES - 1);
    if (options->task > (int64_t)queue->count)
        return FAIL(STATUS_USAGE, "--array-task %lld: %s has %zu runs", (long long)options->task,
                    options->queue, queue->count);
    queue->limits.jobs = options->jobs > 0 ? options->jobs : queue->limits.jobs;
    queue->limits.cores = options->cores > 0 ? options->cores : queue->limits.cores;
    return STATUS_OK;
}

// A batch has its folder alone; elements of an array share it.
static enum status lock(const struct batch *batch, enum batch_begin begin, int *descriptor)
{
    // A batch that was killed may be ending yet.
    const double wait_s = begin == BATCH_BEGIN_RESUME ? 10 : 0;
    const char *directory = batch->queue->directory;
    *descriptor = -1;
    CHECK(path_make_directory(directory));
    if (batch->only == SIZE_MAX)
        return path_lock_directory(directory, wait_s, descriptor);
    *descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*descriptor >= 0 && flock(*descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return FAIL(STATUS_CANNOT_CREATE, "%s is in use by another batch", directory);
    return STATUS_OK;
}

static enum status print_summary(const struct batch *batch)
{
    enum { SUMMARY_BYTES_MAX = 1 << 30 };
    char path[PATH_BYTES + 16], *text;
    size_t length;
    snprintf(path, sizeof path, "%s/summary.json", batch->queue->directory);
    CHECK(text_file_read(path, SUMMARY_BYTES_MAX, &text, &length));
    fwrite(text, 1, length, stdout);
    free(text);
    return STATUS_OK;
}

static enum status write_summary(const struct batch *batch, const struct batch_options *options)
{
    CHECK(batch_summary_write(batch));
    CHECK(batch_page_write(batch));
    if (options->as_json)
        return print_summary(batch);
    if (!options->engine.is_quiet)
        log_info("%s/index.html shows what became of each run", batch->queue->directory);
    return STATUS_OK;
}

// What the batch's end means for whoever started it.
static enum status conclude(const struct batch *batch, const struct batch_options *options,
                            enum status status)
{
    const struct batch_totals totals = batch_count(batch);
    if (status == STATUS_STOPPED) {
        char task[64] = "";
        if (options->task > 0)
            snprintf(task, sizeof task, "--array-task %lld", (long long)options->task);
        return status_append(status, "%zu of %zu passed; go on with: fathom batch %s --output '%s' '%s'",
                             totals.passed, totals.runs, task[0] ? task : "--resume", batch->queue->directory,
                             options->queue);
    }
    if (status != STATUS_OK || totals.passed == totals.runs)
        return status;
    const size_t exceeded_alone = totals.over - totals.passed - totals.failed;
    if (exceeded_alone > 0 && totals.failed > 0)
        return FAIL(STATUS_CHECK_FAILED,
                    "%zu of %zu runs did not pass: %zu failed, %zu EXCEEDED a safety level",
                    totals.over - totals.passed, totals.runs, totals.failed, exceeded_alone);
    if (exceeded_alone > 0)
        return FAIL(STATUS_CHECK_FAILED, "%zu of %zu runs EXCEEDED a safety level", exceeded_alone,
                    totals.runs);
    return totals.failed > 0 ? FAIL(STATUS_CHECK_FAILED, "%zu of %zu runs failed", totals.failed, totals.runs)
                             : FAIL(STATUS_STOPPED, "%zu of %zu runs passed, the others were not ended",
                                    totals.passed, totals.runs);
}

static enum status run_all(struct batch *batch, const struct batch_options *options)
{
    int descriptor;
    enum status status = lock(batch, options->begin, &descriptor);
    if (status == STATUS_OK)
        status = batch_books_open(batch, options->begin, options->retries_failures);
    if (status == STATUS_OK) {
        batch_table_open(options->engine.is_quiet);
        status = batch_engine_run(batch, &options->engine);
        batch_table_close(batch);
        const enum status closed = batch_books_close(batch);
        status = status == STATUS_OK ? closed : status;
        // Also after a stop, and as far as it goes after a failure: the first message is the one kept.
        const enum status written = batch->only == SIZE_MAX ? write_summary(batch, options) : STATUS_OK;
        status = status == STATUS_OK ? written : status;
        status = conclude(batch, options, status);
    }
    if (descriptor >= 0)
        close(descriptor);
    return status;
}

static enum status summarize(struct batch *batch, const struct batch_options *options)
{
    CHECK(batch_books_read(batch));
    CHECK(write_summary(batch, options));
    return conclude(batch, options, STATUS_OK);
}

static enum status run_queue(const struct batch_queue *queue, const struct batch_options *options)
{
    struct batch batch = {.queue = queue,
                          .begun_s = clock_now_s(),
                          .only = options->task > 0 ? (size_t)options->task - 1 : SIZE_MAX};
    batch.runs = calloc(queue->count, sizeof *batch.runs);
    if (!batch.runs)
        return FAIL(STATUS_SYSTEM, "no memory for a queue of %zu runs", queue->count);
    for (size_t k = 0; k < queue->count; k++) {
        batch.runs[k].device = -1;
        batch.runs[k].fraction = batch.runs[k].remaining_s = NAN;
    }
    const enum status status = options->is_summary ? summarize(&batch, options) : run_all(&batch, options);
    free(batch.runs);
    return status;
}

int command_batch(int argc, char **argv)
{
    struct batch_options options;
    struct batch_queue queue = {0};
    int code;
    if (!read_options(argc, argv, &options, &code))
        return code;
    const struct log_options log = {.terminal_level = options.engine.is_quiet ? LOG_QUIET : LOG_INFO};
    enum status status = log_open(&log);
    if (status == STATUS_OK)
        status = read_queue(&options, &queue);
    if (status == STATUS_OK)
        status = options.is_list ? batch_list_print(&queue, options.as_json) : run_queue(&queue, &options);
    code = status == STATUS_OK ? 0 : options_report_failure(status);
    batch_queue_free(&queue);
    log_close();
    units_release();
    return code;
}
