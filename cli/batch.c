// `fathom batch QUEUE`: a queue of jobs, each in a process of its own. The command line, and the order of the
// work; batch/batch.h lists the parts.
#include "batch/journal.h"
#include "batch/launcher.h"
#include "batch/page.h"
#include "batch/queue_file.h"
#include "batch/scheduler.h"
#include "batch/summary.h"
#include "batch/table.h"
#include "batch/totals.h"
#include "cli/batch_list.h"
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
    "Runs all jobs of a queue, several at a time where they fit. Each run is a process of its own: if one\n"
    "fails, the others continue. A queue is a JSON file that lists jobs, sweeps and ensembles over their\n"
    "keys, samples of distributions, tables of scenarios with weights, priorities, time limits and retries\n"
    "(docs/batch.md); or a folder of jobs. The results of a run are in OUTPUT/NAME, its messages in\n"
    "OUTPUT/_logs/NAME.log. OUTPUT/journal.jsonl records every run, so that a batch can be resumed after a\n"
    "kill or a loss of power. OUTPUT/index.html, summary.json and junit.xml show the results of the whole\n"
    "batch.\n"
    "\n"
    "Options:\n"
    "  -o, --output DIR        folder of the results, instead of the queue's \"output\"\n"
    "      --resume            continue a batch that was stopped or killed: runs that passed are kept,\n"
    "                          runs that were started continue from their last checkpoint, runs for which\n"
    "                          memory, disk or a device did not suffice are tried again, other failed\n"
    "                          runs stay failed. Starts the batch if it was not started before\n"
    "      --retry-failed      with --resume: run the failed ones again\n"
    "      --restart           start again: replaces the journal, and each run's results when it passes\n"
    "  -j, --jobs N            at most N runs at a time (default: the number of cores)\n"
    "  -c, --cores N           at most N cores in total (default: all that this process may use). N may be\n"
    "                          larger: runs that wait for a GPU leave their cores to others\n"
    "      --time-limit TIME   stop after this wall-clock time, as \"8 h\": every run saves a checkpoint\n"
    "      --grace TIME        kill a run that has not stopped after this time (default: \"30 s\")\n"
    "      --array-task N      run number N of the queue alone, from 1, for Slurm's --array. It has a\n"
    "                          journal of its own, and continues where an earlier attempt stopped\n"
    "      --summary           run nothing; write index.html, summary.json and junit.xml from the\n"
    "                          journals, including those of array tasks\n"
    "      --list              run nothing; list the runs of the queue with their settings\n"
    "      --json              print summary.json when done; with --list, the list as JSON\n"
    "  -q, --quiet             only warnings and errors\n"
    "  -h, --help              print this text\n"
    "\n"
    "Ctrl-C or SIGTERM stops the batch: every run saves a checkpoint. A second Ctrl-C kills the runs at\n"
    "once.\n"
    "\n"
    "Example: a sweep over the friction of the sea floor, in evening.json:\n"
    "  { \"fathom_batch\": 1, \"defaults\": { \"time_limit\": \"2 h\", \"retries\": 1 },\n"
    "    \"jobs\": [ { \"name\": \"friction\", \"job\": \"jobs/tohoku2011.json\",\n"
    "        \"sweep\": { \"physics.manning_n\": { \"from\": 0.02, \"to\": 0.03, \"step\": 0.005 } } } ] }\n"
    "  fathom batch --list evening.json\n"
    "  fathom batch evening.json\n"
    "\n"
    "Exit status: 0 all runs passed, or were not judged; 1 a run failed, or exceeded a safety level\n"
    "(heat: the ITRUSST levels, unless the job has check.itrusst: false); 64 wrong command line; 65 a\n"
    "mistake in a table of scenarios, or a damaged journal; 66 the queue, a job file or a table is\n"
    "missing, or --resume finds results without a journal; 73 the output cannot be\n"
    "created, or holds an earlier batch; 74 the journal cannot be written; 75 stopped, can be resumed; 78 a\n"
    "mistake in the queue.\n";

struct command {
    const char *queue, *output;
    bool resumes, restarts, retries_failures, is_summary, is_list, as_json;
    int64_t jobs, cores, task; // 0: not given
    struct batch_scheduler_options scheduler;
};

// ---- the command line

static enum status take_value(void *context, const char *name, const char *value)
{
    struct command *command = context;
    if (strcmp(name, "jobs") == 0)
        return options_count(name, value, 1, BATCH_JOBS_MAX, &command->jobs);
    if (strcmp(name, "cores") == 0)
        return options_count(name, value, 1, BATCH_CORES_MAX, &command->cores);
    if (strcmp(name, "array-task") == 0)
        return options_count(name, value, 1, BATCH_JOBS_MAX, &command->task);
    if (strcmp(name, "time-limit") == 0)
        return options_duration(name, value, &command->scheduler.time_limit_s);
    CHECK(options_quantity(name, value, "s", &command->scheduler.grace_s));
    return command->scheduler.grace_s >= 0
               ? STATUS_OK
               : FAIL(STATUS_USAGE, "--grace: must not be negative, as \"%.80s\" is", value);
}

static enum status check_options(int operands, const struct command *command)
{
    if (operands != 1)
        return FAIL(STATUS_USAGE,
                    "batch needs one queue file or one folder of jobs; see fathom batch --help");
    if (command->resumes && command->restarts)
        return FAIL(STATUS_USAGE, "either --resume or --restart can be given, not both");
    if (command->is_list && command->is_summary)
        return FAIL(STATUS_USAGE, "either --list or --summary can be given, not both");
    if (command->is_summary && (command->resumes || command->restarts || command->task > 0))
        return FAIL(STATUS_USAGE, "--summary runs nothing: only --output and --json can be given with it");
    if (command->retries_failures && !command->resumes && command->task == 0)
        return FAIL(STATUS_USAGE, "--retry-failed needs --resume");
    return STATUS_OK;
}

static bool read_options(int argc, char **argv, struct command *command, int *code)
{
    const struct option_row rows[] = {{"output", 'o', .text = &command->output},
                                      {"resume", .flag = &command->resumes},
                                      {"restart", .flag = &command->restarts},
                                      {"retry-failed", .flag = &command->retries_failures},
                                      {"jobs", 'j', .take = take_value},
                                      {"cores", 'c', .take = take_value},
                                      {"time-limit", .take = take_value},
                                      {"grace", .take = take_value},
                                      {"array-task", .take = take_value},
                                      {"summary", .flag = &command->is_summary},
                                      {"list", .flag = &command->is_list},
                                      {"json", .flag = &command->as_json},
                                      {"quiet", 'q', .flag = &command->scheduler.is_quiet},
                                      {NULL}};
    *command = (struct command){.scheduler = {.program = "/proc/self/exe", .grace_s = default_grace_s}};
    if (!options_read(argc, argv, help, rows, command, code))
        return false;
    const enum status status = check_options(argc - optind, command);
    if (status != STATUS_OK)
        *code = options_report_failure(status);
    command->queue = argv[optind];
    return status == STATUS_OK;
}

// ---- the order of the work

// The queue, with the values of the command line.
static enum status read_queue(const struct command *command, struct batch_queue *queue)
{
    CHECK(batch_queue_read(command->queue, queue));
    if (command->output && !command->output[0])
        return FAIL(STATUS_USAGE, "--output must not be empty");
    if (command->output && snprintf(queue->directory, PATH_BYTES, "%s", command->output) >= PATH_BYTES)
        return FAIL(STATUS_USAGE, "--output is longer than %d bytes", PATH_BYTES - 1);
    if (command->task > (int64_t)queue->count)
        return FAIL(STATUS_USAGE, "--array-task %lld: %s has %zu runs", (long long)command->task,
                    command->queue, queue->count);
    queue->limits.jobs = command->jobs > 0 ? (int)command->jobs : queue->limits.jobs;
    queue->limits.may_exceed = command->cores > 0;
    queue->limits.cores = command->cores > 0 ? (int)command->cores : queue->limits.cores;
    return STATUS_OK;
}

// A batch locks its folder; elements of an array share it.
static enum status lock(const struct batch *batch, enum batch_mode mode, int *descriptor)
{
    // A killed batch may still be ending.
    const double wait_s = mode == BATCH_RESUME ? 10 : 0;
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

static enum status write_summary(const struct batch *batch, const struct command *command)
{
    CHECK(batch_summary_write(batch));
    CHECK(batch_page_write(batch));
    if (command->as_json)
        return print_summary(batch);
    if (!command->scheduler.is_quiet)
        log_info("%s/index.html shows the outcome of each run", batch->queue->directory);
    return STATUS_OK;
}

// The exit status of the batch, with its message.
static enum status conclude(const struct batch *batch, const struct command *command, enum status status)
{
    const struct batch_totals totals = batch_count(batch);
    char others[BATCH_OTHERS_BYTES];
    batch_totals_others(&totals, others);
    if (status == STATUS_STOPPED) {
        char task[64] = "";
        if (command->task > 0)
            snprintf(task, sizeof task, "--array-task %lld", (long long)command->task);
        return status_append(status, "%zu of %zu passed%s; continue with: fathom batch %s --output '%s' '%s'",
                             totals.passed, totals.runs, others, task[0] ? task : "--resume",
                             batch->queue->directory, command->queue);
    }
    if (status != STATUS_OK || totals.passed + totals.unjudged == totals.runs)
        return status;
    const size_t bad = totals.finished - totals.passed - totals.unjudged,
                 exceeded_alone = bad - totals.failed;
    if (exceeded_alone > 0 && totals.failed > 0)
        return FAIL(STATUS_CHECK_FAILED,
                    "%zu of %zu runs did not pass: %zu failed, %zu EXCEEDED a safety level", bad, totals.runs,
                    totals.failed, exceeded_alone);
    if (exceeded_alone > 0)
        return FAIL(STATUS_CHECK_FAILED, "%zu of %zu runs EXCEEDED a safety level", exceeded_alone,
                    totals.runs);
    return totals.failed > 0 ? FAIL(STATUS_CHECK_FAILED, "%zu of %zu runs failed", totals.failed, totals.runs)
                             : FAIL(STATUS_STOPPED, "%zu of %zu runs passed%s, the others have not ended",
                                    totals.passed, totals.runs, others);
}

static enum status run_all(struct batch *batch, const struct command *command)
{
    int descriptor;
    const enum batch_mode mode = command->resumes    ? BATCH_RESUME
                                 : command->restarts ? BATCH_RESTART
                                                     : BATCH_NEW;
    enum status status = lock(batch, mode, &descriptor);
    if (status == STATUS_OK)
        status = batch_journal_open(batch, mode, command->retries_failures);
    if (status == STATUS_OK) {
        batch_table_open(command->scheduler.is_quiet);
        status = batch_scheduler_run(batch, &command->scheduler);
        batch_table_close(batch);
        const enum status closed = batch_journal_close(batch);
        status = status == STATUS_OK ? closed : status;
        // Also after a stop or a failure: the first message is kept.
        const enum status written = batch->only == SIZE_MAX ? write_summary(batch, command) : STATUS_OK;
        status = status == STATUS_OK ? written : status;
        status = conclude(batch, command, status);
    }
    if (descriptor >= 0)
        close(descriptor);
    return status;
}

static enum status summarize(struct batch *batch, const struct command *command)
{
    CHECK(batch_journal_read(batch));
    CHECK(write_summary(batch, command));
    return conclude(batch, command, STATUS_OK);
}

static bool has_ranks(const struct batch *batch)
{
    for (size_t k = 0; k < batch->queue->count; k++)
        if (batch->queue->jobs[k].ranks > 1 && (batch->only == SIZE_MAX || batch->only == k))
            return true;
    return false;
}

static enum status run_queue(const struct batch_queue *queue, const struct command *command)
{
    struct batch batch;
    struct batch_launcher launcher;
    CHECK(batch_begin(queue, command->task > 0 ? (size_t)command->task - 1 : SIZE_MAX, &batch));
    if (!command->is_summary && has_ranks(&batch)) {
        const enum status found = batch_launcher_find(&launcher);
        if (found != STATUS_OK) {
            batch_end(&batch);
            return status_prefix(found, "%s: ranks", queue->path);
        }
        batch.launcher = &launcher;
    }
    const enum status status = command->is_summary ? summarize(&batch, command) : run_all(&batch, command);
    batch_end(&batch);
    return status;
}

int command_batch(int argc, char **argv)
{
    struct command command;
    struct batch_queue queue = {0};
    int code;
    if (!read_options(argc, argv, &command, &code))
        return code;
    const struct log_options log = {.terminal_level = command.scheduler.is_quiet ? LOG_QUIET : LOG_INFO};
    enum status status = log_open(&log);
    if (status == STATUS_OK)
        status = read_queue(&command, &queue);
    if (status == STATUS_OK)
        status = command.is_list ? batch_list_print(&queue, command.as_json) : run_queue(&queue, &command);
    code = status == STATUS_OK ? 0 : options_report_failure(status);
    batch_queue_free(&queue);
    log_close();
    units_release();
    return code;
}
