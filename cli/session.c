// From a job file to a planned run. Uses models only through models/model.h.
#include "cli/session.h"

#include "cli/rank_jobs.h"
#include "core/memory_limits.h"
#include "core/memory_spare.h"
#include "io/checkpoint.h"
#include "io/output/log_file.h"
#include "io/units.h"
#include "io/utf8.h"
#include "models/params.h"
#include "parallel/launch.h"
#include "parallel/shares.h"
#include "version.h"

#include <assert.h>
#include <cjson/cJSON.h>
#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>

// What an MPI allocates for messages while the run goes on.
enum { MPI_BYTES = 64 << 20 };

// Appends a word, quoted for a shell if necessary. False: it does not fit, and nothing is appended.
static bool append_quoted(char *text, size_t bytes, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+=:,@%";
    const bool is_plain = word[0] && strspn(word, plain) == strlen(word);
    const size_t begin = strlen(text);
    size_t length = begin;
    if (begin + 4 * strlen(word) + 4 > bytes) // a quote takes four bytes
        return false;
    if (begin > 0)
        text[length++] = ' ';
    if (!is_plain)
        text[length++] = '\'';
    for (const char *c = word; *c; c++) {
        if (*c == '\'') // closes the quotes, is escaped, and opens them again
            length += (size_t)sprintf(text + length, "'\\''");
        else
            text[length++] = *c;
    }
    if (!is_plain)
        text[length++] = '\'';
    text[length] = '\0';
    return true;
}

// The command line after the subcommand; `to_resume`: with it, as it continues a run.
static void join_arguments(const struct session_request *request, bool to_resume, char *text, size_t bytes)
{
    static const char more[] = " ...";
    const bool is_other = to_resume && request->again_argc > 0;
    const int count = is_other ? request->again_argc : request->argc;
    char **words = is_other ? request->again_argv : request->argv;
    snprintf(text, bytes, "%s", is_other ? words[0] : to_resume ? "run --resume" : "");
    for (int k = 1; k < count; k++) {
        const char *word = words[k];
        if (to_resume && (strcmp(word, "--resume") == 0 || strcmp(word, "--restart") == 0))
            continue;
        if (strcmp(word, "--control") == 0) { // only fathom batch gives it
            k++;
            continue;
        }
        if (!append_quoted(text, bytes - sizeof more, word)) {
            strcat(text, more);
            return;
        }
    }
}

enum status session_add_setting(struct session_request *request, const char *setting)
{
    if (strchr(setting, '=') == NULL)
        return FAIL(STATUS_USAGE, "--set needs KEY=VALUE, as in --set physics.manning_n=0.03, not \"%.200s\"",
                    setting);
    if (request->setting_count == JOB_SETTINGS_MAX)
        return FAIL(STATUS_USAGE, "--set can be given %d times at most", JOB_SETTINGS_MAX);
    request->settings[request->setting_count++] = setting;
    return STATUS_OK;
}

static enum status apply_settings(const struct session_request *request, struct job *job)
{
    for (size_t k = 0; k < request->setting_count; k++) {
        const char *setting = request->settings[k], *value = strchr(setting, '=') + 1;
        char *key = strndup(setting, (size_t)(value - setting) - 1);
        const enum status status =
            key ? job_set_json(job, key, value) : FAIL(STATUS_SYSTEM, "not enough memory for --set");
        free(key);
        CHECK(status);
    }
    return STATUS_OK;
}

// Before the plan, in which the ranks already exchange.
static enum status compare_with_ranks(const struct session_request *request, const struct session *s)
{
    const struct job *job = s->job;
    char text[512];
    if (launch_ranks()->asked)
        return STATUS_OK;
    snprintf(
        text, sizeof text, "%016llx %s %s %lld %lld", (unsigned long long)s->job_hash,
        request->shares ? request->shares : "", request->transport ? request->transport : "",
        (long long)params_check_steps(job),
        (long long)(job_has(job, "checkpoint.every_steps") ? job_integer(job, "checkpoint.every_steps") : 0));
    return rank_jobs_compare(&(struct rank_job){.path = request->job_path,
                                                .hash = XXH3_64bits(text, strlen(text)),
                                                .start = request->start,
                                                .directory = job_string(job, "output.directory")});
}

static enum status open_job(const struct session_request *request, struct session *s)
{
    if (request->job_text)
        CHECK(job_parse(request->job_path, request->job_text, &s->job));
    else
        CHECK(job_read(request->job_path, &s->job));
    CHECK(apply_settings(request, s->job));
    const struct {
        const char *key, *value;
    } overrides[] = {{"output.directory", request->output_directory},
                     {"backend", request->backend},
                     {"precision", request->precision}};
    for (size_t k = 0; k < sizeof overrides / sizeof *overrides; k++)
        if (overrides[k].value)
            CHECK(job_set_string(s->job, overrides[k].key, overrides[k].value));
    if (request->check_steps)
        CHECK(job_set_integer(s->job, "check.reference_steps", *request->check_steps));
    s->job_hash = job_hash(s->job);
    CHECK(job_identity(s->job, &s->identity));
    if (request->automatic)
        CHECK(job_set_string(s->job, "backend", request->automatic));
    const char *name = job_model(s->job);
    s->model = name ? model_find(name) : NULL;
    if (s->model) {
        units_suggest_first(s->model->length_unit);
        const struct job_key_table tables[] = {job_shared_keys, *s->model->keys};
        CHECK(job_check(s->job, tables, 2));
        s->is_automatic = request->automatic || strcmp(job_string(s->job, "backend"), "auto") == 0;
        return compare_with_ranks(request, s);
    }
    char names[256] = "";
    for (const struct model *const *model = model_list(); *model; model++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", names[0] ? ", " : "",
                 (*model)->name);
    if (!name)
        return FAIL(STATUS_CONFIGURATION, "%s: model: missing; this program has: %s", request->job_path,
                    names);
    return FAIL(STATUS_CONFIGURATION, "%s: model: unknown model \"%s\"; this program has: %s",
                request->job_path, name, names);
}

static enum status set_parts(const struct session_request *request)
{
    static double parts[RANKS_MAX];
    struct ranks *ranks = launch_ranks();
    CHECK(ranks_want_transport(ranks, request->transport));
    if (!request->shares || strcmp(request->shares, "auto") == 0) // equal, until they are measured
        return STATUS_OK;
    ranks->parts = parts;
    return shares_read(request->shares, ranks->count, parts);
}

// Most records of a stream between two checkpoints by steps, or of the run: one more than the steps have
// whole intervals, as the first may come at once.
static size_t records_of_segment(const struct session *s, int stream)
{
    const struct run_schedule *schedule = &s->plan.schedules[stream];
    const int64_t every =
        job_has(s->job, "checkpoint.every_steps") ? job_integer(s->job, "checkpoint.every_steps") : 0;
    const double steps = (double)(every > 0 && every < s->plan.steps ? every : s->plan.steps);
    const double steps_per_record = fmax(1, schedule->every_s / s->plan.step_s);
    const double periodic = schedule->every_s > 0 ? floor(steps / steps_per_record) + 1 : 0;
    return (size_t)fmin(periodic + schedule->at_start + schedule->at_end, 1e15);
}

// A relative output directory starts at the working directory. The system takes names of NAME_MAX bytes and
// paths of PATH_BYTES, those of the files in the folder included.
static enum status take_directory(struct session *s)
{
    static const char key[] = "output.directory";
    enum { FILE_BYTES = 300 };
    const char *directory = job_string(s->job, key);
    const size_t bytes = strlen(directory);
    if (bytes == 0)
        return job_fail(s->job, key, "must not be empty");
    if (bytes > PATH_BYTES - FILE_BYTES)
        return job_fail(s->job, key, "\"%.40s...\" has %zu bytes, expected at most %d", directory, bytes,
                        PATH_BYTES - FILE_BYTES);
    for (const char *name = directory; *name; name += strspn(name, "/")) {
        const size_t length = strcspn(name, "/");
        if (length > NAME_MAX)
            return job_fail(s->job, key, "its part \"%.40s...\" has %zu bytes, expected at most %d", name,
                            length, NAME_MAX);
        name += length;
    }
    snprintf(s->directory, sizeof s->directory, "%s", directory);
    return STATUS_OK;
}

static enum status describe_output(struct session *s)
{
    const struct job *job = s->job;
    CHECK(take_directory(s));
    const char *title = job_string(job, "title");
    utf8_copy(s->title, sizeof s->title, title ? title : s->model->summary);
    time_t now = time(NULL);
    struct tm utc;
    char date[32] = "";
    if (gmtime_r(&now, &utc))
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    const int length = snprintf(s->history, sizeof s->history, "%s fathom run ", date);
    utf8_copy(s->history + length, sizeof s->history - (size_t)length, s->arguments);
    if (s->plan.time_unit)
        snprintf(s->time_units, sizeof s->time_units, "1");
    else if (s->plan.time_origin)
        snprintf(s->time_units, sizeof s->time_units, s->plan.time_origin[0] ? "seconds since %s" : "s",
                 s->plan.time_origin);
    s->output = (struct output_request){
        .directory = s->directory,
        .streams = s->plan.streams,
        .stream_count = s->plan.stream_count,
        .title = s->title,
        .source = "Fathom " FATHOM_VERSION,
        .history = s->history,
        .references = s->plan.references,
        .time_units = s->time_units[0] ? s->time_units : NULL,
        .compress = job_boolean(job, "output.compress"),
        .threads = s->cores,
        .join = job_boolean(job, "output.join"),
        .has_report = true,
    };
    for (int k = 0; k < s->plan.stream_count; k++)
        s->output.segment_records[k] = records_of_segment(s, k);
    return STATUS_OK;
}

double session_records_after(const struct session *s, int stream, int64_t step)
{
    const struct run_schedule *schedule = &s->plan.schedules[stream];
    if (s->plan.streams[stream]->is_internal)
        return 0;
    if (!(schedule->every_s > 0))
        return 1;
    const double ratio = fmax(1, schedule->every_s / s->plan.step_s);
    const double all = floor((double)s->plan.steps / ratio) + schedule->at_start + schedule->at_end;
    return step < 0 ? all : fmax(0, all - floor((double)step / ratio) - schedule->at_start);
}

double session_output_bytes(const struct session *s, int64_t step)
{
    double bytes = 0;
    for (int k = 0; k < s->plan.stream_count; k++)
        bytes += session_records_after(s, k, step) * (double)stream_record_bytes(s->plan.streams[k]);
    return bytes;
}

// Whether the run writes a file of this name: run.json, its log, NAME.nc, or NAME.0000.nc and so on.
static bool may_write(const void *context, const char *name)
{
    const struct session *s = context;
    if (strcmp(name, "run.json") == 0 || strcmp(name, output_log_name) == 0 ||
        strcmp(name, output_log_unfinished_name) == 0)
        return true;
    for (int k = 0; k < s->plan.stream_count; k++) {
        const char *stream = s->plan.streams[k]->name;
        const size_t length = strlen(stream);
        if (s->plan.streams[k]->is_internal || strncmp(name, stream, length) != 0 || name[length] != '.')
            continue;
        const char *rest = name + length + 1;
        const size_t digits = strspn(rest, "0123456789");
        if (strcmp(rest, "nc") == 0 || (digits >= 4 && strcmp(rest + digits, ".nc") == 0))
            return true;
    }
    return false;
}

// Before anything is computed: afterwards a result would take an input's place.
static enum status keep_inputs(const struct session *s)
{
    static const char key[] = "output.directory", reference[] = "check.reference_file";
    char path[PATH_BYTES];
    CHECK(model_keep_inputs(s->job, key, &s->plan, may_write, s));
    CHECK(model_keep_file(s->job, key, job_path(s->job), may_write, s));
    if (!job_has(s->job, reference))
        return STATUS_OK;
    if (path_find(job_string(s->job, reference), job_directory(s->job), path) == STATUS_OK)
        return model_keep_file(s->job, key, path, may_write, s);
    status_clear(); // run_check_plan says so
    return STATUS_OK;
}

static enum status plan_output(struct session *s)
{
    int threads;
    const size_t bytes = output_work_bytes(&s->output, &threads);
    if (bytes > 0)
        CHECK(memory_plan_add(&s->memory, MEMORY_HOST, ELEMENT_U8, 1, bytes, &s->output.work,
                              "compression of results, %d thread%s", threads, threads == 1 ? "" : "s"));
    return memory_plan_add_library(&s->memory, output_memory_bytes(&s->output), "netCDF output (ceiling)");
}

static enum status plan_session(struct session *s)
{
    memory_plan_begin(&s->memory);
    CHECK(s->model->plan(s->instance, &s->memory, &s->plan));
    CHECK(describe_output(s));
    CHECK(keep_inputs(s));
    CHECK(watch_begin(&s->watch, s->plan.streams, s->plan.stream_count, s->plan.time_unit, s->plan.limits,
                      s->plan.limit_count));
    CHECK(watch_keep_extremes(&s->watch, s->plan.extremes, s->plan.extreme_count));
    s->checkpoint_array_count = s->model->checkpoint_arrays(s->instance, s->checkpoint_arrays);
    assert(s->checkpoint_array_count < CHECKPOINT_ARRAYS_MAX);
    if (s->model->checkpoint_rows)
        s->model->checkpoint_rows(s->instance, s->checkpoint_rows);
    s->checkpoint_arrays[s->checkpoint_array_count++] = watch_array(&s->watch);
    CHECK(pipeline_plan(&s->pipeline, &s->memory, s->plan.streams, s->plan.stream_count, s->checkpoint_arrays,
                        s->checkpoint_array_count));
    CHECK(gather_plan(&s->gather, launch_ranks(), s->plan.streams, s->plan.stream_count, &s->memory));
    CHECK(plan_output(s));
    if (launch_ranks()->count > 1)
        CHECK(memory_plan_add_library(&s->memory, MPI_BYTES, "MPI (ceiling)"));
    const size_t resident = memory_limits_resident(""), spare = memory_spare_host_bytes();
    memory_plan_add_program(&s->memory, resident > spare ? resident - spare : resident); // spare: the arrays'
    s->output_bytes = session_output_bytes(s, -1);
    s->checkpoint_bytes = (double)checkpoint_file_bytes(s->checkpoint_arrays, s->checkpoint_array_count);
    s->all_checkpoint_bytes = s->checkpoint_bytes;
    return STATUS_OK;
}

// Ranks on processors have one way.
static enum status check_transport(const struct session_request *request, const struct session *s)
{
    const char *const name = request->transport;
    if (launch_ranks()->count == 1 || !name || strcmp(name, "mpi") == 0 || s->memory.total[MEMORY_DEVICE] > 0)
        return STATUS_OK;
    return FAIL(STATUS_USAGE, "--transport %s: it is between GPUs, and ranks of back end %s exchange by mpi",
                name, s->plan.backend);
}

// More threads than are worth their barriers only take processors from others.
static void limit_threads(const struct session_request *request, const struct session *s)
{
    const int worth = model_threads_worth(s->instance);
    if (!request->has_threads && worth < omp_get_max_threads())
        omp_set_num_threads(worth);
}

static enum status open_once(const struct session_request *request, struct session *s)
{
    memset(s, 0, sizeof *s);
    s->cores = omp_get_max_threads();
    join_arguments(request, false, s->arguments, sizeof s->arguments);
    join_arguments(request, true, s->resume_arguments, sizeof s->resume_arguments);
    CHECK(open_job(request, s));
    CHECK(set_parts(request));
    s->is_alike = true;
    CHECK(model_create(s->model, s->job, &s->instance));
    limit_threads(request, s);
    CHECK(plan_session(s));
    return check_transport(request, s);
}

static enum status reopen(const struct session_request *request, const char *backend, struct session *s)
{
    struct session_request again = *request;
    again.automatic = backend;
    omp_set_num_threads(s->cores);
    session_close(s);
    return open_once(&again, s);
}

// Whether the device's part of the plan fits; if not, why.
static bool fits_device(const struct session_request *request, const struct session *s, char *why,
                        size_t bytes)
{
    const size_t needed = memory_plan_device_bytes(&s->memory), limit = session_device_limit(s);
    if (needed == 0)
        return true;
    const size_t available =
        request->device_bytes > 0 ? request->device_bytes : memory_plan_available(&s->memory, MEMORY_DEVICE);
    char need[MEMORY_TEXT_BYTES], more[MEMORY_TEXT_BYTES];
    if (needed > limit)
        snprintf(why, bytes,
                 "the run needs %s of device memory (%zu bytes), %s more than memory.device allows",
                 memory_bytes_text(needed, need), needed, memory_bytes_text(needed - limit, more));
    else if (needed > available)
        snprintf(why, bytes,
                 "the run needs %s of device memory (%zu bytes), %s more than the device has free",
                 memory_bytes_text(needed, need), needed, memory_bytes_text(needed - available, more));
    return needed <= limit && needed <= available;
}

// Of several ranks, "auto" takes openmp where the fastest back end cannot divide the run. All ranks read the
// same job, and choose alike; what differs between them is found by one rank, which must not open it again.
static enum status open_divided(const struct session_request *request, const char *fallback,
                                struct session *s)
{
    char why[400];
    const enum status status = open_once(request, s);
    if (status != STATUS_CONFIGURATION || !s->is_automatic || request->automatic || !s->is_alike)
        return status;
    snprintf(why, sizeof why, "%s", status_message());
    status_clear();
    CHECK(reopen(request, fallback, s));
    snprintf(s->backend_note, sizeof s->backend_note, "back end auto: %s, because %s", fallback, why);
    return STATUS_OK;
}

enum status session_open(const struct session_request *request, struct session *s)
{
    static const char fallback[] = "openmp"; // available in every model and on every machine
    char why[400], chosen[64];
    if (launch_ranks()->count > 1)
        return open_divided(request, fallback, s);
    enum status status = open_once(request, s);
    const bool has_choice =
        s->is_automatic && !request->automatic && s->plan.backend && strcmp(s->plan.backend, fallback) != 0;
    if (!has_choice || (status == STATUS_OK && fits_device(request, s, why, sizeof why)))
        return status;
    if (status != STATUS_OK)
        snprintf(why, sizeof why, "%s", status_message());
    status_clear();
    snprintf(chosen, sizeof chosen, "%s", s->plan.backend);
    status = reopen(request, fallback, s);
    snprintf(s->backend_note, sizeof s->backend_note, "back end auto: %s, because on %s %s", fallback, chosen,
             why);
    return status;
}

enum status session_follow_checkpoint(const struct session_request *request, struct session *s)
{
    char path[PATH_BYTES];
    struct checkpoint_header header;
    if (!s->is_automatic)
        return STATUS_OK;
    if (output_find_checkpoint_of(s->directory, &s->job_hash, NULL, false, path) != STATUS_OK ||
        checkpoint_verify(path, &header) != STATUS_OK) {
        status_clear(); // the run reports it when it reads its checkpoint
        return STATUS_OK;
    }
    if (strcmp(header.backend, s->plan.backend) == 0)
        return STATUS_OK;
    CHECK_ABOUT(reopen(request, header.backend, s), "%s was made on the back end %s", path, header.backend);
    return STATUS_OK;
}

void session_close(struct session *s)
{
    memory_plan_release(&s->memory); // first: the plan holds pointers into the instance
    model_destroy(s->instance);
    cJSON_Delete(s->identity);
    job_free(s->job);
}

const char *session_format_time(const struct session *s, double span, char *text, size_t bytes)
{
    if (!s->plan.time_unit)
        return units_format_duration(span, text, bytes);
    snprintf(text, bytes, "%.6g %s", span, s->plan.time_unit);
    return text;
}

const char *session_format_step(const struct session *s, char *text, size_t bytes)
{
    enum { LONG_STEP_S = 864000 }; // of planets and stars
    if (!s->plan.time_unit && s->plan.step_s >= LONG_STEP_S)
        return units_format_duration(s->plan.step_s, text, bytes);
    snprintf(text, bytes, "%g %s", s->plan.step_s, s->plan.time_unit ? s->plan.time_unit : "s");
    return text;
}

bool session_counts_steps(const struct session *s)
{
    return s->plan.time_unit && s->plan.step_s == 1 && s->plan.start_s == 0;
}

// Assumed for a device: bytes per second, about half of an accelerator of 2023, and the least time of a step.
static const double device_bytes_per_s = 2e12, device_step_s = 1e-5;

double session_estimate_s(const struct session *s)
{
    const double steps = (double)s->plan.steps, beside_s = s->plan.beside_steps_s;
    const bool is_on_device = memory_plan_device_bytes(&s->memory) > 0;
    if (is_on_device && s->plan.device_rate > 0)
        return beside_s + steps * fmax(device_step_s, s->plan.work_per_step / s->plan.device_rate);
    if (is_on_device && s->plan.bytes_per_work > 0)
        return beside_s + steps * fmax(device_step_s,
                                       s->plan.work_per_step * s->plan.bytes_per_work / device_bytes_per_s);
    return s->plan.estimated_rate > 0 ? beside_s + steps * s->plan.work_per_step / s->plan.estimated_rate : 0;
}

static size_t bytes_limit(const struct job *job, const char *key)
{
    return job_has(job, key) ? (size_t)job_integer(job, key) : SIZE_MAX;
}

size_t session_host_limit(const struct session *s)
{
    return bytes_limit(s->job, "memory.host");
}

size_t session_device_limit(const struct session *s)
{
    return bytes_limit(s->job, "memory.device");
}

enum status session_check_memory(const struct session *s)
{
    return memory_plan_check(&s->memory, session_host_limit(s), session_device_limit(s));
}
