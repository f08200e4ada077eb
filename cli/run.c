// `fathom run JOB`: parse → plan → reserve → seal → prepare → advance and emit → check → finish. The order of a run, and
// nothing else: the loop is core/run.c's, the physics the model's.
#include "cli/commands.h"
#include "cli/run_check.h"
#include "cli/run_report.h"
#include "cli/session.h"
#include "core/clock.h"
#include "core/log.h"
#include "io/checkpoint.h"
#include "io/units.h"
#include "version.h"

#include <getopt.h>
#include <math.h>
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Usage: fathom run [OPTIONS] JOB.json\n"
    "       fathom run --explain MODEL\n"
    "\n"
    "Runs a job from input files to result files. A job is a JSON file; --explain tsunami lists all of its keys\n"
    "with units, defaults and meaning. Memory is worked out first and never grows; a job that does not fit is\n"
    "refused before it starts. Results appear under their names only when the run is complete.\n"
    "\n"
    "Options:\n"
    "  -o, --output DIR        results go there instead of the job's output.directory\n"
    "  -b, --backend NAME      auto, reference, openmp or cuda instead of the job's backend\n"
    "  -p, --precision NAME    single or double instead of the job's precision\n"
    "  -t, --threads N         processor cores to use (all)\n"
    "      --resume            go on from the last checkpoint of a run that was stopped or killed; the result is the\n"
    "                          same, bit for bit, as if it had never been stopped\n"
    "      --restart           throw away what a stopped run left and begin again\n"
    "      --time-limit TIME   stop with a checkpoint after this much wall-clock time (\"8 h\")\n"
    "  -q, --quiet             only warnings and errors\n"
    "      --json              print run.json when done\n"
    "      --explain MODEL     print the keys of a job (with --json as JSON, with --markdown as a table)\n"
    "  -h, --help              this text\n"
    "\n"
    "Ctrl-C or SIGTERM stops after the step in hand, saves a checkpoint, and exits with 75.\n"
    "\n"
    "Exit status: 0 done; 1 ran, but failed its check; 64 wrong command line; 65 bad input data; 66 an input is\n"
    "missing; 70 internal error; 71 too much memory; 73 results cannot be created; 74 reading or writing failed;\n"
    "75 stopped, can be resumed; 78 a mistake in the job.\n";

struct run_options {
    struct session_request session;
    bool resume, restart, quiet, json;
    double time_limit_s;
    int threads;
};

// What a checkpoint must agree with before it is believed to be this run's.
static enum status check_belongs(const struct checkpoint_header *header, const struct session *s, uint64_t job, uint64_t inputs,
                                 const char *path)
{
    if (header->job_hash != job)
        return FAIL(STATUS_CONFIGURATION, "%s belongs to another job: %s was changed since; use --restart to begin again", path,
                    job_path(s->job));
    if (header->input_hash != inputs)
        return FAIL(STATUS_CONFIGURATION, "%s belongs to other input files: one was changed since; use --restart to begin again",
                    path);
    if (strcmp(header->backend, s->plan.backend) != 0)
        return FAIL(STATUS_CONFIGURATION, "%s was made by the back end %s, this run uses %s", path, header->backend,
                    s->plan.backend);
    if (strcmp(header->instruction_set, s->plan.instruction_set) != 0)
        log_warning("the checkpoint was made with instruction set %s, this machine runs %s: results may differ in the last bits",
                    header->instruction_set, s->plan.instruction_set);
    return STATUS_OK;
}

static enum status hash_inputs(const struct session *s, uint64_t *hash)
{
    *hash = 0x9e3779b97f4a7c15u;
    for (int k = 0; k < s->plan.input_count; k++) {
        uint64_t one;
        CHECK(path_hash(s->plan.input_files[k], &one));
        *hash = (*hash ^ one) * 0x100000001b3u + (*hash >> 29);
    }
    return STATUS_OK;
}

// A stopped run's leavings are somebody's hours of work: never thrown away without a word.
static enum status check_leftover(const struct session *s)
{
    char path[PATH_BYTES];
    if (output_find_checkpoint(s->directory, path) != STATUS_OK) {
        status_clear();
        return STATUS_OK;
    }
    struct checkpoint_header header;
    CHECK(checkpoint_verify(path, &header));
    return FAIL(STATUS_CANNOT_CREATE,
                "%s holds a stopped run (step %lld, model time %g s): use --resume to go on, or --restart to throw it away",
                s->directory, (long long)header.step, header.time_s);
}

struct load_request {
    struct session *session;
    const char *path;
};

static enum status call_prepare(void *context)
{
    struct session *s = context;
    return s->model->prepare(s->instance);
}

static enum status call_load(void *context)
{
    const struct load_request *request = context;
    struct session *s = request->session;
    struct checkpoint_array arrays[CHECKPOINT_ARRAYS_MAX];
    const int count = s->model->checkpoint_arrays(s->instance, arrays);
    return checkpoint_read(request->path, NULL, arrays, count);
}

// The state at the start, or that of the checkpoint. Files are read on the I/O thread: netCDF-C is not thread-safe.
static enum status prepare(struct session *s, const char *resume_path, int64_t step)
{
    CHECK(pipeline_call(&s->pipeline, call_prepare, s));
    CHECK(s->model->start(s->instance));
    if (!resume_path)
        return STATUS_OK;
    struct load_request load = {s, resume_path};
    CHECK(pipeline_call(&s->pipeline, call_load, &load));
    return s->model->resumed(s->instance, step);
}

static size_t bytes_limit(const struct job *job, const char *key)
{
    return job_has(job, key) ? (size_t)job_integer(job, key) : SIZE_MAX;
}

// Threads made now allocate now, not after the seal.
static void warm_up_threads(void)
{
    int threads = 0;
#pragma omp parallel reduction(+ : threads)
    threads += 1;
    log_detail("%d threads", threads);
}

static void fill_request(const struct session *s, const struct run_options *options, struct run_request *request)
{
    const struct job *job = s->job;
    *request = (struct run_request){
        .steps = s->plan.steps,
        .step_s = s->plan.step_s,
        .start_s = s->plan.start_s,
        .streams = s->plan.streams,
        .stream_count = s->plan.stream_count,
        .checkpoint_every_s = job_quantity(job, "checkpoint.every"),
        .checkpoint_every_steps = job_has(job, "checkpoint.every_steps") ? job_integer(job, "checkpoint.every_steps") : 0,
        .check_steps = job_has(job, "check.reference_steps") ? job_integer(job, "check.reference_steps") : 0,
        .time_limit_s = options->time_limit_s,
        .work_per_step = s->plan.work_per_step,
        .work_unit = s->plan.work_unit,
    };
    memcpy(request->schedules, s->plan.schedules, sizeof request->schedules);
    snprintf(request->header.version, sizeof request->header.version, "%s", FATHOM_VERSION);
    snprintf(request->header.backend, sizeof request->header.backend, "%s", s->plan.backend);
    snprintf(request->header.instruction_set, sizeof request->header.instruction_set, "%s", s->plan.instruction_set);
}

static void start_progress(struct progress *progress, const struct session *s, bool quiet, int64_t step)
{
    const struct progress_options options = {.enabled = !quiet,
                                             .descriptor = STDERR_FILENO,
                                             .duration_s = (double)s->plan.steps * s->plan.step_s,
                                             .work_unit = s->plan.work_unit};
    progress_start(progress, &options, (double)step * s->plan.step_s);
}

// From the seal to the last file: everything that happens without allocating.
static enum status run_sealed(struct session *s, struct run_request *request, const char *resume_path,
                              struct run_outcome *outcome, bool quiet)
{
    struct progress progress;
    const double begin_s = clock_now_s();
    enum status status = prepare(s, resume_path, request->header.step);
    outcome->prepare_s = clock_now_s() - begin_s;
    if (status == STATUS_OK) {
        start_progress(&progress, s, quiet, request->header.step);
        request->progress = &progress;
        status = run_loop(request, s->model->simulation(s->instance), &s->pipeline, &outcome->result);
        progress_finish(&progress, status == STATUS_OK ? "done" : status == STATUS_STOPPED ? "stopped" : "failed");
    }
    const double finish_s = clock_now_s();
    const enum status stopped = pipeline_stop(&s->pipeline, status == STATUS_OK);
    outcome->finish_s = clock_now_s() - finish_s;
    outcome->pipeline = s->pipeline.statistics;
    outcome->used_bytes = memory_plan_used_bytes(&s->memory);
    // What the I/O thread met explains more than that the run stopped.
    return stopped != STATUS_OK ? stopped : status;
}

static enum status execute(struct session *s, const struct run_options *options, struct run_request *request,
                           const char *resume_path, struct run_outcome *outcome)
{
    CHECK(memory_plan_reserve(&s->memory, bytes_limit(s->job, "memory.host"), bytes_limit(s->job, "memory.device")));
    outcome->planned_bytes = memory_plan_host_bytes(&s->memory) + memory_plan_device_bytes(&s->memory) -
                             s->memory.total[MEMORY_LIBRARY];
    struct sink sink = {0};
    if (resume_path) {
        s->output.resume_path = resume_path;
        s->output.resume = &request->header;
    }
    enum status status = output_open(&s->output, &sink);
    if (status == STATUS_OK)
        status = pipeline_start(&s->pipeline, sink);
    if (status == STATUS_OK) {
        warm_up_threads();
        memory_plan_seal(&s->memory);
        status = run_sealed(s, request, resume_path, outcome, options->quiet);
    }
    memory_plan_release(&s->memory);
    output_close(&sink);
    return status;
}

static enum status judge(struct session *s, struct run_outcome *outcome)
{
    enum status status = s->model->verdict ? s->model->verdict(s->instance) : STATUS_OK;
    if (status == STATUS_OK)
        status = run_check_reference_file(s);
    const bool has_steps = job_has(s->job, "check.reference_steps") && job_integer(s->job, "check.reference_steps") > 0;
    const bool was_asked = has_steps || job_has(s->job, "check.reference_file");
    outcome->verdict = status != STATUS_OK ? "failed" : was_asked ? "passed" : "not asked for";
    outcome->verdict_message = status != STATUS_OK ? status_message() : NULL;
    return status;
}

static void say_how_to_go_on(const struct session *s, const struct run_outcome *outcome)
{
    const char *why = outcome->result.is_time_limit ? "the time limit" : strsignal(outcome->result.stop_signal);
    FAIL(STATUS_STOPPED, "stopped by %s after step %lld of %lld; a checkpoint is saved, go on with: fathom run --resume %s", why,
         (long long)outcome->result.steps_done, (long long)s->plan.steps, job_path(s->job));
}

static enum status open_log(const struct session *s, const struct run_options *options)
{
    char path[PATH_BYTES + 16];
    CHECK(path_make_directory(s->directory));
    snprintf(path, sizeof path, "%s/run.log", s->directory);
    const struct log_options log = {.terminal_level = options->quiet ? LOG_QUIET : LOG_INFO,
                                    .path = path,
                                    .file_level = LOG_DETAIL,
                                    .append = options->resume};
    return log_open(&log);
}

static enum status run_session(struct session *s, const struct run_options *options)
{
    struct run_request request;
    struct run_outcome outcome = {.threads = omp_get_max_threads(), .is_resumed = options->resume};
    char resume_path[PATH_BYTES];
    const double begin_s = clock_now_s();
    CHECK(run_check_plan(s));
    if (options->resume && access(s->directory, F_OK) != 0) // a mistyped folder must not be made, only to hold a log
        return output_find_checkpoint(s->directory, resume_path);
    CHECK(session_check_space(s));
    if (!options->resume && !options->restart)
        CHECK(check_leftover(s));
    CHECK(open_log(s, options));
    fill_request(s, options, &request);
    outcome.job_hash = job_hash(s->job);
    CHECK(hash_inputs(s, &outcome.input_hash));
    if (options->resume) {
        CHECK(output_find_checkpoint(s->directory, resume_path));
        CHECK(checkpoint_verify(resume_path, &request.header));
        CHECK(check_belongs(&request.header, s, outcome.job_hash, outcome.input_hash, resume_path));
        request.is_resumed = true;
    }
    request.header.job_hash = outcome.job_hash;
    request.header.input_hash = outcome.input_hash;
    CHECK(run_install_signals());
    char duration[64];
    log_info("%s: %s back end (%s), %lld steps of %g s (%s), %.1f MB", s->title, s->plan.backend, s->plan.instruction_set,
             (long long)s->plan.steps, s->plan.step_s,
             units_format_duration((double)s->plan.steps * s->plan.step_s, duration, sizeof duration),
             (double)memory_plan_host_bytes(&s->memory) / 1e6);
    enum status status = execute(s, options, &request, options->resume ? resume_path : NULL, &outcome);
    outcome.total_s = clock_now_s() - begin_s;
    if (status == STATUS_STOPPED)
        say_how_to_go_on(s, &outcome);
    CHECK(status);
    status = judge(s, &outcome);
    CHECK(run_report_write(s, &outcome, options->json));
    if (status == STATUS_OK)
        log_info("done in %s: results in %s", units_format_duration(outcome.total_s, duration, sizeof duration), s->directory);
    return status;
}

static int run(const struct run_options *options)
{
    struct session session;
    signal(SIGXFSZ, SIG_IGN); // a file-size limit becomes a write error with a message, not a death
    if (options->threads > 0)
        omp_set_num_threads(options->threads);
    enum status status = session_open(&options->session, &session);
    if (status == STATUS_OK)
        status = run_session(&session, options);
    int code = status == STATUS_OK ? 0 : session_fail(status);
    if (status != STATUS_OK && status != STATUS_STOPPED)
        log_detail("failed: %s (%s, %s)", status_message(), status_name(status), status_origin());
    session_close(&session);
    log_close();
    units_release();
    return code;
}

static int explain(const char *name, enum job_explain_format format)
{
    const struct model *model = model_find(name);
    if (!model) {
        fprintf(stderr, "fathom: there is no model \"%s\"; fathom --help lists them\n", name);
        return status_exit_code(STATUS_USAGE);
    }
    const struct job_key_table tables[] = {job_shared_keys, *model->keys};
    job_explain(stdout, tables, 2, format);
    return 0;
}

static bool parse_threads(const char *text, int *threads)
{
    char *end;
    long value = strtol(text, &end, 10);
    *threads = (int)value;
    return *end == '\0' && value >= 1 && value <= 4096;
}

enum { OPTION_RESUME = 256, OPTION_RESTART, OPTION_TIME_LIMIT, OPTION_JSON, OPTION_EXPLAIN, OPTION_MARKDOWN };

int command_run(int argc, char **argv)
{
    static const struct option long_options[] = {{"output", required_argument, NULL, 'o'},
                                                 {"backend", required_argument, NULL, 'b'},
                                                 {"precision", required_argument, NULL, 'p'},
                                                 {"threads", required_argument, NULL, 't'},
                                                 {"resume", no_argument, NULL, OPTION_RESUME},
                                                 {"restart", no_argument, NULL, OPTION_RESTART},
                                                 {"time-limit", required_argument, NULL, OPTION_TIME_LIMIT},
                                                 {"quiet", no_argument, NULL, 'q'},
                                                 {"json", no_argument, NULL, OPTION_JSON},
                                                 {"explain", required_argument, NULL, OPTION_EXPLAIN},
                                                 {"markdown", no_argument, NULL, OPTION_MARKDOWN},
                                                 {"help", no_argument, NULL, 'h'},
                                                 {NULL, 0, NULL, 0}};
    struct run_options options = {0};
    const char *explained = NULL;
    enum job_explain_format format = JOB_EXPLAIN_TEXT;
    for (int option; (option = getopt_long(argc, argv, "o:b:p:t:qh", long_options, NULL)) != -1;) {
        switch (option) {
        case 'o':
            options.session.output_directory = optarg;
            break;
        case 'b':
            options.session.backend = optarg;
            break;
        case 'p':
            options.session.precision = optarg;
            break;
        case 't':
            if (!parse_threads(optarg, &options.threads)) {
                fprintf(stderr, "fathom: --threads needs a number from 1 to 4096, not \"%s\"\n", optarg);
                return status_exit_code(STATUS_USAGE);
            }
            break;
        case OPTION_RESUME:
            options.resume = true;
            break;
        case OPTION_RESTART:
            options.restart = true;
            break;
        case OPTION_TIME_LIMIT:
            if (units_parse_quantity(optarg, "s", &options.time_limit_s) != STATUS_OK || options.time_limit_s <= 0) {
                fprintf(stderr, "fathom: --time-limit: %s\n",
                        status_message()[0] ? status_message() : "must be longer than 0");
                return status_exit_code(STATUS_USAGE);
            }
            break;
        case OPTION_JSON:
            options.json = true;
            format = JOB_EXPLAIN_JSON;
            break;
        case OPTION_MARKDOWN:
            format = JOB_EXPLAIN_MARKDOWN;
            break;
        case OPTION_EXPLAIN:
            explained = optarg;
            break;
        case 'q':
            options.quiet = true;
            break;
        case 'h':
            fputs(help, stdout);
            return 0;
        default:
            return status_exit_code(STATUS_USAGE);
        }
    }
    if (explained)
        return explain(explained, format);
    if (optind + 1 != argc || (options.resume && options.restart)) {
        fputs("fathom: run needs one job file, and at most one of --resume and --restart; see fathom run --help\n", stderr);
        return status_exit_code(STATUS_USAGE);
    }
    options.session.job_path = argv[optind];
    return run(&options);
}
