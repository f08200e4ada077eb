// `fathom run JOB`: parse → plan → reserve → seal → prepare → advance, check and emit → finish → judge →
// publish. The order of a run, and nothing else: the loop is core/run.c's, the physics the model's.
#include "cli/commands.h"
#include "cli/disk_space.h"
#include "cli/next_run.h"
#include "cli/options.h"
#include "cli/rank_inputs.h"
#include "cli/run_check.h"
#include "cli/run_control.h"
#include "cli/run_finished.h"
#include "cli/run_options.h"
#include "cli/run_products.h"
#include "cli/run_ranks.h"
#include "cli/run_report.h"
#include "cli/run_resume.h"
#include "cli/run_shares.h"
#include "cli/session.h"
#include "core/clock.h"
#include "core/log.h"
#include "core/memory_limits.h"
#include "core/memory_spare.h"
#include "core/stop_signals.h"
#include "core/threads.h"
#include "io/checkpoint.h"
#include "io/kept.h"
#include "io/output/log_file.h"
#include "io/units.h"
#include "report/drawn.h"
#include "version.h"

#include <cjson/cJSON.h>
#include <malloc.h>
#include <math.h>
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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
    int count = s->model->checkpoint_arrays(s->instance, arrays);
    arrays[count++] = watch_array(&s->watch);
    if (s->model->checkpoint_rows)
        CHECK(checkpoint_set_read(request->path, arrays, count, s->checkpoint_rows));
    else
        CHECK(checkpoint_read(request->path, NULL, arrays, count));
    watch_resume(&s->watch);
    return STATUS_OK;
}

// Checked between the stages before the first step, each of which may take a while.
static enum status check_stop(const struct session *s, bool is_resumed)
{
    const int number = stop_signals_pending();
    const char *why = number != 0 ? stop_signals_name(number) : "the time limit";
    if (number == 0 && !stop_signals_cut_work())
        return STATUS_OK;
    if (!is_resumed)
        return FAIL(STATUS_STOPPED, "stopped by %s before the first step: no step was made; run it again%s",
                    why, number != 0 ? "" : " with a longer --time-limit");
    return FAIL(STATUS_STOPPED,
                "stopped by %s before it was resumed: no step was made, and the checkpoint is unchanged: "
                "%s",
                why, run_resume_command(s));
}

// The state at the start, or that of the checkpoint. Files are read on the I/O thread: netCDF-C is not
// thread-safe.
static enum status prepare(struct session *s, const char *resume_path, int64_t step)
{
    const double begin_s = clock_now_s();
    CHECK(pipeline_call(&s->pipeline, call_prepare, s));
    const double read_s = clock_now_s();
    CHECK(check_stop(s, resume_path != NULL));
    CHECK(s->model->start(s->instance));
    log_detail("inputs read in %.2f s, initial state computed in %.2f s", read_s - begin_s,
               clock_now_s() - read_s);
    CHECK(check_stop(s, resume_path != NULL));
    if (!resume_path)
        return STATUS_OK;
    struct load_request load = {s, resume_path};
    CHECK(pipeline_call(&s->pipeline, call_load, &load));
    return model_resumed(s->instance, step);
}

// Threads that are created now allocate now, not after the seal, and their stacks are counted in the
// remaining address space.
static enum status warm_up_threads(const struct session *s)
{
    int threads = 0;
    CHECK(threads_try(omp_get_max_threads()));
#pragma omp parallel reduction(+ : threads)
    threads += 1;
    log_detail("%d threads", threads);
    enum { MALLOC_BYTES = 4 << 20 }; // which the C library requests from the system in advance
    const size_t left = memory_limits_address_space(""),
                 needed = s->memory.total[MEMORY_LIBRARY] + MALLOC_BYTES;
    char of_limit[24], of_libraries[24];
    if (left < needed)
        return FAIL(STATUS_SYSTEM,
                    "ulimit -v leaves %s of address space beside arrays and threads; the libraries for the "
                    "results may need %s",
                    units_format_bytes((double)left, of_limit, sizeof of_limit),
                    units_format_bytes((double)needed, of_libraries, sizeof of_libraries));
    return STATUS_OK;
}

static void fill_request(const struct session *s, struct run_request *request)
{
    const struct job *job = s->job;
    *request = (struct run_request){
        .steps = s->plan.steps,
        .step_s = s->plan.step_s,
        .start_s = s->plan.start_s,
        .streams = s->plan.streams,
        .stream_count = s->plan.stream_count,
        .checkpoint_every_s = job_quantity(job, "checkpoint.every"),
        .checkpoint_every_steps =
            job_has(job, "checkpoint.every_steps") ? job_integer(job, "checkpoint.every_steps") : 0,
        .check_steps = job_has(job, "check.reference_steps") ? job_integer(job, "check.reference_steps") : 0,
        .work_per_step = s->plan.work_per_step,
        .work_unit = s->plan.work_unit,
        .watch = &s->watch,
    };
    memcpy(request->schedules, s->plan.schedules, sizeof request->schedules);
    snprintf(request->header.version, sizeof request->header.version, "%s", FATHOM_VERSION);
    snprintf(request->header.backend, sizeof request->header.backend, "%s", s->plan.backend);
    snprintf(request->header.instruction_set, sizeof request->header.instruction_set, "%s",
             s->plan.instruction_set);
}

static void start_progress(struct progress *progress, const struct session *s, bool quiet, int64_t step)
{
    const struct progress_options options = {.enabled = !quiet,
                                             .descriptor = STDERR_FILENO,
                                             .duration_s = (double)s->plan.steps * s->plan.step_s,
                                             .time_unit = s->plan.time_unit,
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
        status = run_loop(request, model_simulation(s->instance), &s->pipeline, &outcome->result);
        progress_finish(&progress, status == STATUS_OK        ? "done"
                                   : status == STATUS_STOPPED ? "stopped"
                                                              : "failed");
    }
    const double finish_s = clock_now_s();
    const enum status stopped = pipeline_stop(&s->pipeline, status == STATUS_OK);
    outcome->finish_s = clock_now_s() - finish_s;
    outcome->pipeline = s->pipeline.statistics;
    outcome->used_bytes = memory_plan_used_bytes(&s->memory);
    // A failure of the I/O thread explains more than the stop of the run.
    return stopped != STATUS_OK ? stopped : status;
}

// The folder, which rank 0 alone writes to.
static enum status open_output(struct session *s, const struct run_options *options,
                               const struct run_request *request, const char *resume_path,
                               struct run_outcome *outcome, struct sink *sink)
{
    run_ranks_set_checkpoints(s);
    if (!run_ranks_is_first()) {
        if (!s->output.set)
            return STATUS_OK;
        CHECK(output_open_part(&s->output, sink));
        return output_claim(sink);
    }
    if (resume_path) {
        s->output.resume_path = resume_path;
        s->output.resume = &request->header;
    }
    CHECK(output_open(&s->output, sink));
    CHECK(run_resume_keep_record(s, outcome));
    CHECK(output_claim(sink));
    if (!options->given)
        return STATUS_OK;
    options->given->has_begun = true;
    return options->given->begin(options->given->context);
}

static enum status execute(struct session *s, const struct run_options *options, struct run_request *request,
                           const char *resume_path, struct run_outcome *outcome)
{
    CHECK(memory_plan_reserve(&s->memory, session_host_limit(s), session_device_limit(s)));
    outcome->planned_bytes = memory_plan_array_bytes(&s->memory);
    struct sink sink = {0};
    enum status status = open_output(s, options, request, resume_path, outcome, &sink);
    if (status == STATUS_OK)
        status = pipeline_start(&s->pipeline, run_ranks_sink(s, sink));
    if (status == STATUS_OK) {
        status = warm_up_threads(s);
        if (status == STATUS_OK)
            status = model_warm_up(s->instance);
    }
    if (status == STATUS_OK) {
        run_ranks_announce(s, &options->session); // devices know now how they exchange
        memory_plan_seal(&s->memory);
        status = run_sealed(s, request, resume_path, outcome, options->quiet);
        if (run_ranks_is_first())
            status = run_resume_report_leftover(s, outcome, resume_path ? request->header.step : -1,
                                                options->control.descriptor >= 0, status);
    }
    output_close(&sink); // first: the plan's memory has its threads' too
    if (!run_ranks_keep_memory())
        memory_plan_release(&s->memory);
    return status;
}

static const char *verdict_word(enum status status, bool is_asked_for)
{
    return status != STATUS_OK ? "failed" : is_asked_for ? "passed" : "not asked for";
}

// The comparisons with the reference first, then the model's own verdict: one may pass and the other fail.
// A check passes only if something was compared. A run that is resumed after the last moment of the check
// compares nothing.
static enum status judge(struct session *s, struct run_outcome *outcome)
{
    enum status status = model_check(s->instance);
    if (status == STATUS_OK)
        run_check_report(s);
    if (status == STATUS_OK)
        status = run_check_reference_file(s);
    const bool has_steps = run_check_record(s) != NULL, has_file = job_has(s->job, "check.reference_file");
    if (!has_steps && job_has(s->job, "check.reference_steps") &&
        job_integer(s->job, "check.reference_steps") > 0)
        log_warning("no step was repeated on the reference: all moments of the check lie before the step "
                    "from which the run was resumed");
    outcome->reference_verdict = verdict_word(status, has_steps || has_file);
    if (status == STATUS_OK)
        status = model_verdict(s->instance);
    outcome->exit_code = status_exit_code(status);
    outcome->verdict = verdict_word(status, has_steps || has_file || s->plan.has_verdict);
    return status;
}

// In a batch the resume command is left out, since the batch resumes its runs itself.
static void report_stop(const struct session *s, const struct run_outcome *outcome,
                        const struct disk_space *space, bool is_in_batch)
{
    char why[160], free_text[24], needed_text[24];
    if (outcome->result.is_asked_to)
        snprintf(why, sizeof why, "a nearly full disk (%s free, up to %s still to write)",
                 units_format_bytes(space->free_bytes, free_text, sizeof free_text),
                 units_format_bytes(space->needed_bytes, needed_text, sizeof needed_text));
    else
        snprintf(why, sizeof why, "%s",
                 outcome->result.is_time_limit ? "the time limit"
                                               : stop_signals_name(outcome->result.stop_signal));
    FAIL(STATUS_STOPPED, "stopped by %s after step %lld of %lld; a checkpoint is saved", why,
         (long long)outcome->result.steps_done, (long long)s->plan.steps);
    if (!is_in_batch)
        status_append(STATUS_STOPPED, "continue%s with: %s",
                      outcome->result.is_asked_to ? ", when there is space on the disk," : "",
                      run_resume_command(s));
}

static void announce(const struct session *s)
{
    char duration[64], steps[160] = "", step[64], host[24], device[24], memory[80];
    const size_t device_bytes = memory_plan_device_bytes(&s->memory);
    units_format_bytes((double)memory_plan_host_bytes(&s->memory), host, sizeof host);
    units_format_bytes((double)device_bytes, device, sizeof device);
    if (device_bytes > 0)
        snprintf(memory, sizeof memory, "%s on the host, %s on the device", host, device);
    else
        snprintf(memory, sizeof memory, "%s", host);
    if (s->backend_note[0])
        log_warning("%s", s->backend_note);
    session_format_time(s, (double)s->plan.steps * s->plan.step_s, duration, sizeof duration);
    if (session_counts_steps(s))
        snprintf(steps, sizeof steps, "%s", duration);
    else
        snprintf(steps, sizeof steps, "%lld steps of %s (%s)", (long long)s->plan.steps,
                 session_format_step(s, step, sizeof step), duration);
    log_info("%s: %s back end (%s), %s, %s", s->title, s->plan.backend, s->plan.instruction_set, steps,
             memory);
}

// The model's lines that describe the run.
static void log_details(const struct session *s)
{
    for (const char *line = s->plan.details; line && *line; line += strcspn(line, "\n") + 1)
        log_info("%.*s", (int)strcspn(line, "\n"), line);
}

// Writes run.json beside the final files.
static enum status record_results(const struct session *s, struct run_outcome *outcome)
{
    outcome->removed = cJSON_CreateArray();
    enum status status = run_finished_list_removed(s, outcome->removed);
    if (status == STATUS_OK && run_products_are_wanted(s))
        status = run_products_list(s, &outcome->awaited_products);
    if (status == STATUS_OK)
        status = run_report_write(s, outcome);
    cJSON_Delete(outcome->awaited_products);
    cJSON_Delete(outcome->removed);
    return status;
}

static enum status conclude(struct session *s, const struct run_options *options, struct run_outcome *outcome)
{
    char duration[64], reason[1024];
    enum status verdict = judge(s, outcome);
    snprintf(reason, sizeof reason, "%s", status_message()); // failures that are handled below clear it
    outcome->verdict_message = verdict != STATUS_OK ? reason : NULL;
    CHECK(record_results(s, outcome)); // a stop from here on leaves a finished run
    if (options->given)
        options->given->has_results = true;
    CHECK(run_finished_publish(s->directory));
    if (verdict != STATUS_OK) {
        status_clear();
        (void)FAIL(verdict, "%s", reason);
    }
    if (run_products_are_wanted(s))
        CHECK(run_products_write(s, &verdict));
    if (options->json)
        CHECK(run_report_print(s));
    CHECK(output_remove_partial(s->directory));
    report_drawn_warn(s->directory);
    if (verdict == STATUS_OK)
        log_info("done in %s: results in %s",
                 units_format_duration(outcome->total_s, duration, sizeof duration), s->directory);
    return verdict;
}

// Work between batches of steps: a report to fathom batch, and a check of the disk.
struct between_steps {
    struct run_control control;
    struct disk_space space;
    int64_t steps;
};

static bool must_stop(void *context, int64_t step)
{
    struct between_steps *work = context;
    run_control_report(&work->control, step, work->steps);
    return disk_space_must_stop(&work->space, step);
}

// For tests: a leg of so many steps, however fast the machine is. 0: no limit.
static int64_t leg_steps(void)
{
    const char *text = getenv("FATHOM_TEST_LEG_STEPS");
    return text ? strtoll(text, NULL, 10) : 0;
}

// Results of an earlier run that was killed while they got their names get them now, whatever becomes of this
// run. Then the inputs can be read.
static enum status settle_folder(const struct session *s)
{
    struct output_finished finished;
    if (output_finished_find(s->directory, &finished) && finished.is_unnamed) {
        CHECK(run_finished_publish(s->directory));
        log_info("%s: the results of the run that was killed while they got their names are in place now",
                 s->directory);
    }
    for (int k = 0; k < s->plan.input_count; k++)
        CHECK(output_check_published(s->plan.input_files[k]));
    return STATUS_OK;
}

// What rank 0 finds in the folder before the run: the log is opened, inputs are hashed, a resumed run finds
// its checkpoint.
static enum status look_at_folder(struct session *s, const struct run_options *options,
                                  struct run_request *request, struct run_outcome *outcome,
                                  struct run_ranks_found *found)
{
    if (!run_ranks_is_first())
        return run_ranks_share(found);
    CHECK(settle_folder(s));
    if (!options->resume && !options->restart)
        CHECK(run_resume_check_leftover(s));
    CHECK(output_log_open(s->directory, options->quiet ? LOG_QUIET : LOG_INFO,
                          options->resume ? &s->job_hash : NULL));
    CHECK(run_resume_hash_inputs(s, outcome));
    CHECK(check_stop(s, options->resume));
    request->header.job_hash = outcome->job_hash = s->job_hash;
    request->header.input_hash = found->input_hash = outcome->input_hash;
    struct output_finished finished;
    found->is_finished = options->resume && output_finished_find(s->directory, &finished) &&
                         run_finished_is_of(&finished, s, outcome->input_hash);
    if (found->is_finished) {
        CHECK(run_finished_end(&finished, s, options->json));
        return run_ranks_share(found);
    }
    if (options->resume)
        CHECK(run_resume_find(s, outcome, &request->header, found->resume_path));
    found->header = request->header;
    return run_ranks_share(found);
}

static enum status run_locked(struct session *s, const struct run_options *options)
{
    struct run_request request;
    struct run_outcome outcome = {.threads = omp_get_max_threads(), .is_resumed = options->resume};
    struct run_ranks_found found = {0};
    const double begin_s = clock_now_s();
    fill_request(s, &request);
    CHECK(look_at_folder(s, options, &request, &outcome, &found));
    if (found.is_finished)
        return STATUS_OK;
    request.header = found.header;
    outcome.job_hash = s->job_hash;
    outcome.input_hash = found.input_hash;
    request.is_resumed = options->resume;
    struct between_steps work = {
        .control = options->control, .space = {.session = s}, .steps = s->plan.steps};
    request.must_stop = must_stop;
    request.must_stop_context = &work;
    request.leg_steps = leg_steps();
    run_ranks_set_agreement(&request);
    announce(s);
    log_details(s);
    enum status status = execute(s, options, &request, options->resume ? found.resume_path : NULL, &outcome);
    outcome.total_s = clock_now_s() - begin_s;
    outcome.first_step = request.header.step;
    const bool has_started = outcome.result.total_s > 0;
    if (status == STATUS_STOPPED && has_started)
        report_stop(s, &outcome, &work.space, options->control.descriptor >= 0);
    if (status == STATUS_OK)
        status = run_ranks_collect(s, &outcome.ranks);
    if (status == STATUS_OK && run_ranks_is_first())
        status = conclude(s, options, &outcome);
    free(outcome.ranks);
    return status;
}

static enum status run_in_folder(struct session *s, const struct run_options *options)
{
    int lock = -1;
    CHECK(stop_signals_defer()); // from here a stop must leave the folder in order
    if (run_ranks_is_first()) {
        CHECK(path_make_directory(s->directory));
        // A run of a batch waits: its killed leg may still be ending.
        CHECK(path_lock_directory(s->directory, options->control.descriptor >= 0 ? 10 : 0, &lock));
    }
    enum status status = run_locked(s, options);
    if (lock >= 0)
        close(lock);
    return status;
}

static enum status run_session(struct session *s, const struct run_options *options)
{
    char resume_path[PATH_BYTES];
    const bool is_first = run_ranks_is_first();
    CHECK(run_check_plan(s));
    if (is_first && options->resume &&
        access(s->directory, F_OK) != 0) // a mistyped folder must not be created for a log
        return output_find_checkpoint(s->directory, resume_path);
    struct output_finished finished;
    const bool is_finished = options->resume && output_finished_find(s->directory, &finished);
    enum status memory = run_ranks_check(s, is_finished);
    if (memory == STATUS_OK && !is_finished)
        memory = session_check_memory(s);
    CHECK(memory);
    if (is_first && !is_finished)
        CHECK(disk_space_check(s, options->resume));
    CHECK(rank_inputs_compare(s));
    return run_in_folder(s, options);
}

static enum status open_session(const struct run_options *options, struct session *s)
{
    CHECK(session_open(&options->session, s));
    return options->resume ? session_follow_checkpoint(&options->session, s) : STATUS_OK;
}

// A later run of a process finds less memory, because the process holds what it kept. It must not be refused
// for that.
static enum status open_first(const struct run_options *options, struct session *s)
{
    enum status status = open_session(options, s);
    if (!options->is_later)
        return status;
    if (status == STATUS_OK && memory_plan_host_bytes(&s->memory) > session_host_limit(s))
        status = FAIL(STATUS_SYSTEM, "memory.host is too small beside what the process keeps");
    if (status == STATUS_SYSTEM)
        run_control_decline(&options->control);
    return status;
}

// In a batch. If the run is given other cores than it planned for, it is planned again: arrays depend on the
// number of threads.
static enum status wait_for_slot(const struct run_options *options, struct session *s)
{
    int cores = s->cores;
    CHECK(run_ranks_wait_for_slot(&options->control, s, options->resume, &cores));
    if (cores == s->cores)
        return STATUS_OK;
    omp_set_num_threads(cores);
    session_close(s);
    return open_session(options, s);
}

// Libraries do not always check malloc: the plan's refusal must come before they run out of memory.
static enum status check_address_space(void)
{
    enum { LEAST_BYTES = 16 << 20 }; // the stacks of two threads, or netCDF's memory to read headers
    const size_t left = memory_limits_address_space("");
    char text[24], least[24];
    if (left == SIZE_MAX)
        return STATUS_OK;
    (void)mallopt(M_ARENA_MAX, 1); // each thread's arena would take 64 MiB of the address space
    return left >= LEAST_BYTES
               ? STATUS_OK
               : FAIL(STATUS_SYSTEM, "ulimit -v leaves %s of address space; a run needs at least %s",
                      units_format_bytes((double)left, text, sizeof text),
                      units_format_bytes(LEAST_BYTES, least, sizeof least));
}

// Opens the session again with the shares that its first steps say.
static enum status measure_shares(const struct run_options *options, struct session *s)
{
    static char shares[RUN_SHARES_BYTES];
    struct run_options again = *options;
    CHECK(run_ranks_check(s, false));
    CHECK(session_check_memory(s));
    CHECK(rank_inputs_compare(s));
    uint64_t hashes[MODEL_INPUTS_MAX];
    const bool has_hashes = s->has_input_hashes;
    memcpy(hashes, s->input_hashes, sizeof hashes);
    CHECK(run_shares_measure(s, shares));
    session_close(s);
    again.session.shares = shares[0] ? shares : NULL;
    CHECK(open_session(&again, s));
    memcpy(s->input_hashes, hashes, sizeof hashes);
    s->has_input_hashes = has_hashes;
    return STATUS_OK;
}

// The run of this process, from the job to the last file.
static enum status run_here(struct session *s, const struct run_options *options)
{
    if (options->threads > omp_get_num_procs())
        log_warning(
            "--threads %d: more than the %d processor cores that this process may use: the run will be "
            "slower, not faster",
            options->threads, omp_get_num_procs());
    CHECK(check_address_space());
    CHECK(open_first(options, s));
    CHECK(wait_for_slot(options, s));
    if (run_shares_are_automatic(&options->session))
        CHECK(measure_shares(options, s));
    return run_session(s, options);
}

// For the next runs of this process.
static void keep_for_next(void)
{
    enum { BYTES_MOST = 512 << 20, SHARE = 16 }; // of the memory that is free
    static const size_t spare_bytes_most = (size_t)2 << 30;
    const size_t available = memory_limits_find("").available / SHARE;
    memory_spare_begin(spare_bytes_most);
    if (kept_grid_bytes_most() == 0)
        kept_begin(available < BYTES_MOST ? available : BYTES_MOST);
}

static int run(struct run_options *options)
{
    static struct session session; // larger than the stack that ulimit -s may allow
    bool must_leave;
    stop_signals_set_limit(options->time_limit_s > 0 ? clock_now_s() + options->time_limit_s : INFINITY);
    if (options->control.takes_next)
        keep_for_next();
    signal(SIGXFSZ, SIG_IGN); // a file-size limit becomes a write error with a message
    signal(SIGPIPE, SIG_IGN); // the reader of the messages may end; the run continues
    if (options->threads > 0)
        omp_set_num_threads(options->threads);
    memset(&session, 0, sizeof session);
    enum status status = run_ranks_start(options);
    if (options->quiet)
        log_show(LOG_QUIET); // the job is read before there is a log
    if (status == STATUS_OK)
        status = run_here(&session, options);
    const int code = run_ranks_end(status, &must_leave);
    if (status != STATUS_OK && status != STATUS_STOPPED)
        log_detail("failed: %s (%s, %s)", status_message(), status_name(status), status_origin());
    if (status == STATUS_STOPPED)
        log_detail("%s", status_message());
    if (must_leave) {
        run_control_end(&options->control, code, status_message());
        log_close();
        fflush(NULL);
        _exit(code);
    }
    session_close(&session);
    log_close();
    if (options->control.takes_next && code == 0)
        stop_signals_release(); // before the batch knows that this run no longer gets its signals
    run_control_end(&options->control, code, status_message());
    return code;
}

int command_run(int argc, char **argv)
{
    struct run_options options;
    struct next_run next = {argc, argv};
    int code;
    bool goes_on = false;
    do {
        if (!run_options_read(next.argc, next.argv, &options, &code))
            break;
        options.is_later = goes_on;
        code = run(&options);
        goes_on = code == 0 && options.control.takes_next;
    } while (goes_on && next_run_await(options.control.descriptor, &next, &code));
    units_release();
    return code;
}

int command_run_given(int argc, char **argv, struct run_given *given)
{
    struct run_options options;
    int code;
    if (!run_options_read(argc, argv, &options, &code))
        return code;
    options.given = given;
    options.session.job_text = given->job;
    options.session.again_argc = given->argc;
    options.session.again_argv = given->argv;
    code = run(&options);
    units_release();
    return code;
}
