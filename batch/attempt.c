// One attempt at a run (see the header).
#include "batch/attempt.h"

#include "batch/launcher.h"
#include "batch/needs.h"
#include "batch/resources.h"
#include "batch/run_log.h"
#include "core/clock.h"
#include "core/log.h"
#include "io/json_file.h"
#include "io/output/finished.h"
#include "io/output/output.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS_MAX = 1024, ADDED_MAX = 4, ADDED_BYTES = 1024 };

// ---- starting

struct words {
    char *word[WORDS_MAX];
    size_t count;
};

static void add(struct words *words, const char *text)
{
    words->word[words->count++] = (char *)text; // execve(2) does not change the texts
}

// The names of the devices that a run can use, as CUDA_VISIBLE_DEVICES has them.
static void name_devices(unsigned devices, char *text, size_t bytes)
{
    char name[256];
    size_t used = 0;
    for (int d = 0; d < PLACEMENT_DEVICES_MAX && used < bytes; d++)
        if (devices & 1u << d)
            used += (size_t)snprintf(text + used, bytes - used, "%s%s", used > 0 ? "," : "",
                                     batch_resources_device_name(d, name, sizeof name));
}

// The batch's environment with the changes that a run needs. `added` holds the new variables; devices 0: all.
// Open MPI's launcher may never end after a rank that was killed in its start: a lock in PMIx's shared memory
// stays taken (https://github.com/openpmix/openpmix/issues/1233). Its other store, hash, has none.
static enum status make_environment(struct words *words, char added[ADDED_MAX][ADDED_BYTES], const char *name,
                                    unsigned devices, bool is_launched)
{
    // These variables would bind every run to the same first cores.
    static const char *const left_out[] = {
        "FATHOM_BATCH_RUN=", "OMP_PROC_BIND=", "OMP_PLACES=", "GOMP_CPU_AFFINITY="};
    char visible[ADDED_BYTES - 32] = "";
    size_t used = 0;
    for (char **entry = environ; *entry; entry++) {
        bool is_left_out = devices != 0 && strncmp(*entry, "CUDA_VISIBLE_DEVICES=", 21) == 0;
        for (size_t k = 0; k < sizeof left_out / sizeof *left_out; k++)
            is_left_out |= strncmp(*entry, left_out[k], strlen(left_out[k])) == 0;
        if (is_left_out)
            continue;
        if (words->count + ADDED_MAX + 1 >= WORDS_MAX)
            return FAIL(STATUS_SYSTEM, "more than %d environment variables", WORDS_MAX - ADDED_MAX - 1);
        add(words, *entry);
    }
    snprintf(added[used++], ADDED_BYTES, "OMP_PROC_BIND=false");
    snprintf(added[used++], ADDED_BYTES, "FATHOM_BATCH_RUN=%s", name);
    name_devices(devices, visible, sizeof visible);
    if (devices != 0)
        snprintf(added[used++], ADDED_BYTES, "CUDA_VISIBLE_DEVICES=%s", visible);
    if (is_launched && !getenv("PMIX_MCA_gds"))
        snprintf(added[used++], ADDED_BYTES, "PMIX_MCA_gds=hash");
    for (size_t k = 0; k < used; k++)
        add(words, added[k]);
    add(words, NULL);
    return STATUS_OK;
}

enum { LOG_PATH_BYTES = PATH_BYTES + 128 };

static const char *log_of(const struct batch *batch, const char *name, char path[LOG_PATH_BYTES])
{
    snprintf(path, LOG_PATH_BYTES, "%s/_logs/%s.log", batch->queue->directory, name);
    return path;
}

// The lists of words are large, so they are static: one process is started at a time. A listener is the
// child's from here on. A process that waits is preferred.
static enum status start_process(const struct batch *batch, struct batch_command *command,
                                 struct words *arguments, const char *name, unsigned devices,
                                 struct batch_child *waiting, struct batch_child *child)
{
    static struct words environment;
    char added[ADDED_MAX][ADDED_BYTES], log[LOG_PATH_BYTES];
    environment.count = 0;
    const bool is_launched = command->listener >= 0;
    const enum status status = make_environment(&environment, added, name, devices, is_launched);
    if (status != STATUS_OK && command->listener >= 0)
        close(command->listener);
    CHECK(status);
    add(arguments, NULL);
    command->arguments = arguments->word;
    command->environment = environment.word;
    command->log_path = log_of(batch, name, log);
    bool is_passed = false;
    if (waiting)
        CHECK(batch_child_pass(command, name, waiting, &is_passed));
    if (!is_passed)
        return batch_child_start(command, child);
    *child = *waiting;
    *waiting = (struct batch_child){.descriptor = -1};
    return STATUS_OK;
}

// Whether an earlier attempt left a valid checkpoint, or complete results whose clean-up was not finished.
static bool can_resume(const struct batch *batch, size_t run, const char *directory)
{
    char path[PATH_BYTES];
    struct output_finished finished;
    if (!batch->runs[run].has_leftover)
        return false;
    if (output_finished_find(directory, &finished))
        return true;
    const enum status status = output_find_checkpoint(directory, path);
    if (status != STATUS_OK && status != STATUS_NO_INPUT)
        log_warning("%s starts again: %s", batch->queue->jobs[run].name, status_message());
    status_clear();
    return status == STATUS_OK;
}

static enum status add_settings(struct words *arguments, const struct batch_job *job, char **texts)
{
    size_t bytes = 1;
    for (size_t k = 0; k < job->setting_count; k++)
        bytes += strlen(job->settings[k].key) + strlen(job->settings[k].value) + sizeof "--set==";
    char *text = *texts = malloc(bytes);
    if (!text)
        return FAIL(STATUS_SYSTEM, "%s: not enough memory for its command line", job->name);
    if (job->setting_count > WORDS_MAX - 32)
        return FAIL(STATUS_CONFIGURATION, "%s: has %zu settings; a run can have at most %d", job->name,
                    job->setting_count, WORDS_MAX - 32);
    for (size_t k = 0; k < job->setting_count; k++) {
        add(arguments, text);
        text += sprintf(text, "--set=%s=%s", job->settings[k].key, job->settings[k].value) + 1;
    }
    return STATUS_OK;
}

// The launcher's words, and the program as it finds it: "/proc/self/exe" would be the launcher's own.
static enum status add_launcher(const struct batch *batch, int ranks, struct words *arguments,
                                char program[PATH_BYTES], char ranks_text[BATCH_RANKS_TEXT])
{
    const char *words[BATCH_LAUNCHER_WORDS_MAX];
    const int count = batch_launcher_words(batch->launcher, ranks, ranks_text, words);
    const ssize_t length = readlink("/proc/self/exe", program, PATH_BYTES - 1);
    if (length <= 0)
        return FAIL(STATUS_SYSTEM, "the program's own file is not known, which a launcher needs");
    program[length] = '\0';
    for (int k = 0; k < count; k++)
        add(arguments, words[k]);
    return STATUS_OK;
}

static void add_run(struct words *arguments, const char *program, const char *control, const char *threads,
                    const char *directory, bool is_resumed)
{
    const char *const fixed[] = {program,    "run",       "--quiet", "--control",
                                 control,    "--threads", threads,   is_resumed ? "--resume" : "--restart",
                                 "--output", directory};
    for (size_t k = 0; k < sizeof fixed / sizeof *fixed; k++)
        add(arguments, fixed[k]);
}

static void begin_planning(struct batch_run *run)
{
    run->state = BATCH_PLANNING;
    run->started_s = clock_now_s();
    run->fraction = run->remaining_s = NAN;
    run->message[0] = '\0';
    run->cores = 0;
    run->device = -1;
    run->devices = 0;
}

enum status batch_attempt_start(struct batch *batch, size_t number, const struct batch_start *start,
                                struct batch_attempt *attempt)
{
    static struct words arguments;
    const struct batch_job *job = &batch->queue->jobs[number];
    const int ranks = job->ranks > 1 ? job->ranks : 1;
    char directory[PATH_BYTES + BATCH_NAME_MAX + 2], threads[16], control[64], *texts = NULL;
    char program[PATH_BYTES] = "fathom", ranks_text[BATCH_RANKS_TEXT], address[BATCH_CHILD_ADDRESS_BYTES];
    struct batch_command command = {.program = start->program, .is_controlled = true, .listener = -1};
    *attempt = (struct batch_attempt){.run = number,
                                      .limit_at_s = INFINITY,
                                      .kill_at_s = INFINITY,
                                      .is_launched = ranks > 1,
                                      .is_kept = start->is_kept};
    snprintf(directory, sizeof directory, "%s/%s", batch->queue->directory, job->name);
    snprintf(threads, sizeof threads, "%d", start->cores > ranks ? start->cores / ranks : 1);
    snprintf(control, sizeof control, "%d,%zu%s", BATCH_CHILD_CONTROL, start->device_bytes,
             start->is_kept ? ",next" : "");
    attempt->is_resumed = !start->must_restart && can_resume(batch, number, directory);
    arguments.count = 0;
    if (ranks > 1) {
        CHECK(add_launcher(batch, ranks, &arguments, program, ranks_text));
        CHECK(batch_child_listen(&command.listener, address));
        snprintf(control, sizeof control, "%s,%zu", address, start->device_bytes);
        command.program = batch->launcher->path;
    }
    add_run(&arguments, program, control, threads, directory, attempt->is_resumed);
    enum status status = add_settings(&arguments, job, &texts);
    add(&arguments, "--");
    add(&arguments, job->path);
    const unsigned devices = attempt->visible_devices = start->devices != 0  ? start->devices
                                                        : start->device >= 0 ? 1u << start->device
                                                                             : 0;
    struct stat log;
    char log_path[LOG_PATH_BYTES];
    attempt->log_bytes = stat(log_of(batch, job->name, log_path), &log) == 0 ? (long)log.st_size : 0;
    if (status == STATUS_OK)
        status =
            start_process(batch, &command, &arguments, job->name, devices, start->waiting, &attempt->child);
    else if (command.listener >= 0)
        close(command.listener);
    free(texts);
    CHECK(status);
    attempt->is_reused = start->waiting && start->waiting->pid == 0;
    begin_planning(&batch->runs[number]);
    return STATUS_OK;
}

enum status batch_attempt_draw(struct batch *batch, size_t number, const char *program,
                               struct batch_attempt *attempt)
{
    static struct words arguments;
    const struct batch_job *job = &batch->queue->jobs[number];
    char directory[PATH_BYTES + BATCH_NAME_MAX + 2];
    snprintf(directory, sizeof directory, "%s/%s", batch->queue->directory, job->name);
    *attempt = (struct batch_attempt){
        .run = number, .limit_at_s = INFINITY, .kill_at_s = INFINITY, .is_started = true};
    arguments.count = 0;
    add(&arguments, "fathom");
    add(&arguments, "report");
    add(&arguments, directory);
    struct batch_command command = {.program = program, .listener = -1};
    CHECK(start_process(batch, &command, &arguments, job->name, 0, NULL, &attempt->child));
    batch->runs[number].state = BATCH_DRAWING;
    batch->runs[number].cores = 1;
    return STATUS_OK;
}

// ---- messages of the process

static void take_plan(struct batch_run *run, struct batch_attempt *attempt, const char *text)
{
    cJSON *plan = cJSON_Parse(text);
    struct batch_needs *needs = &run->needs;
    batch_needs_read(plan, needs);
    cJSON_Delete(plan);
    attempt->needs = (struct placement_job){
        .devices = needs->device_bytes > 0 ? attempt->needs.devices : 0,
        .host_bytes = needs->host_bytes,
        .device_bytes = needs->device_bytes,
        .disk_bytes = needs->disk_bytes,
        .takes_device = needs->device_bytes > 0,
    };
    run->state = BATCH_PLANNED;
}

static void take_end(struct batch_run *run, struct batch_attempt *attempt, const char *text)
{
    int code, used = 0;
    if (sscanf(text, "%d%n", &code, &used) != 1)
        return;
    if (code != 0)
        snprintf(run->message, sizeof run->message, "%s", text + used + strspn(text + used, " "));
    else
        attempt->has_passed = attempt->is_kept;
}

bool batch_attempt_listen(struct batch *batch, struct batch_attempt *attempt)
{
    char text[BATCH_CHILD_MESSAGE_BYTES];
    struct batch_run *run = &batch->runs[attempt->run];
    double fraction, remaining_s;
    bool has_planned = false;
    while (batch_child_receive(&attempt->child, text) > 0) {
        if (strncmp(text, "plan ", 5) == 0 && run->state == BATCH_PLANNING) {
            take_plan(run, attempt, text + 5);
            has_planned = true;
        } else if (sscanf(text, "progress %lf %lf", &fraction, &remaining_s) == 2) {
            run->fraction = fraction;
            run->remaining_s = remaining_s;
            attempt->has_progressed = true;
        } else if (strcmp(text, "decline") == 0) {
            attempt->has_declined = attempt->is_reused;
        } else if (strncmp(text, "end ", 4) == 0) {
            take_end(run, attempt, text + 4);
        }
    }
    return has_planned;
}

// ---- the end of an attempt

// A launcher ends with 128 and the number of the signal that ended a rank (Open MPI), or with the number
// alone (MPICH); the program's own codes are 0, 1, and those from 64 on. If no rank has connected, the code
// is the launcher's own.
static void read_launcher_code(struct batch_run *run, const struct batch_attempt *attempt)
{
    enum { SIGNALS = 64, AFTER = 128 };
    const int code = run->exit_code;
    if (attempt->child.is_awaited && code != 0) {
        run->exit_code = BATCH_CHILD_NOT_STARTED;
        snprintf(
            run->message, sizeof run->message,
            "its ranks were not started by the launcher, which ended with exit code %d: see the run's log",
            code);
        return;
    }
    const int number = code > AFTER ? code - AFTER : code > 1 ? code : 0;
    if (number == 0 || number >= SIGNALS)
        return;
    run->signal = number;
    run->exit_code = 0;
}

void batch_attempt_judge(struct batch *batch, const struct batch_attempt *attempt)
{
    struct batch_run *run = &batch->runs[attempt->run];
    const int status = attempt->has_passed ? 0 : attempt->child.wait_status;
    run->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    run->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (attempt->is_launched)
        read_launcher_code(run, attempt);
    char path[LOG_PATH_BYTES];
    if (attempt->is_launched && run->exit_code != 0 && !run->message[0])
        batch_run_log_failure(log_of(batch, batch->queue->jobs[attempt->run].name, path), attempt->log_bytes,
                              run->message, sizeof run->message);
    // Whether the batch may have ended the process: it stopped with a checkpoint, or one of the batch's
    // signals ended it.
    const bool is_by_batch = run->exit_code == status_exit_code(STATUS_STOPPED) || run->signal == SIGTERM ||
                             run->signal == SIGKILL;
    if (run->exit_code == BATCH_CHILD_NOT_STARTED && !run->message[0])
        snprintf(run->message, sizeof run->message, "the program could not be executed");
    run->cause = run->signal == 0 && run->exit_code == 0             ? BATCH_CAUSE_NONE
                 : attempt->asked != BATCH_CAUSE_NONE && is_by_batch ? attempt->asked
                 : run->signal != 0                                  ? BATCH_CAUSE_SIGNAL
                                                                     : BATCH_CAUSE_EXIT;
    run->attempt_s = clock_now_s() - run->started_s;
    run->total_s += run->attempt_s;
    run->fraction = run->remaining_s = NAN;
}

bool batch_attempt_is_worth_retry(const struct batch_run *run)
{
    static const enum status transient[] = {STATUS_SOFTWARE, STATUS_SYSTEM, STATUS_IO, STATUS_STOPPED};
    if (run->cause != BATCH_CAUSE_EXIT)
        return run->cause == BATCH_CAUSE_SIGNAL || run->cause == BATCH_CAUSE_TIMEOUT;
    for (size_t k = 0; k < sizeof transient / sizeof *transient; k++)
        if (run->exit_code == status_exit_code(transient[k]))
            return true;
    return run->exit_code == BATCH_CHILD_NOT_STARTED; // a temporary lack of memory or of processes
}

bool batch_attempt_is_resume_refused(const struct batch_run *run, const struct batch_attempt *attempt)
{
    static const enum status refusals[] = {STATUS_DATA, STATUS_NO_INPUT, STATUS_CONFIGURATION};
    for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++)
        if (run->exit_code == status_exit_code(refusals[k]))
            return attempt->is_resumed && !attempt->has_progressed && run->cause == BATCH_CAUSE_EXIT;
    return false;
}

int batch_attempt_named_device(const struct batch_job *job)
{
    enum { JOB_BYTES_MAX = 16 << 20 };
    cJSON *document = NULL;
    char backend[64] = "";
    int device;
    if (json_file_read(job->path, JOB_BYTES_MAX, &document) == STATUS_OK)
        snprintf(backend, sizeof backend, "%s", json_text(document, "backend"));
    cJSON_Delete(document);
    status_clear(); // the run reports it
    for (size_t k = 0; k < job->setting_count; k++)
        if (strcmp(job->settings[k].key, "backend") == 0)
            snprintf(backend, sizeof backend, "%s",
                     job->settings[k].value + strspn(job->settings[k].value, "\""));
    const char *colon = strchr(backend, ':');
    return colon && sscanf(colon + 1, "%d", &device) == 1 && device >= 0 ? device : -1;
}

void batch_attempt_ask_to_end(struct batch_attempt *attempt, enum batch_cause why, double kill_at_s)
{
    if (attempt->asked == BATCH_CAUSE_NONE) {
        attempt->asked = why;
        batch_child_signal(&attempt->child, SIGTERM);
    }
    attempt->kill_at_s = fmin(attempt->kill_at_s, kill_at_s);
}

double batch_attempt_limit_at_s(const struct batch_job *job)
{
    return job->time_limit_s > 0 ? clock_now_s() + job->time_limit_s : INFINITY;
}
