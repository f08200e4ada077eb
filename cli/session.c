// From a job file to a planned run. Knows no model but through models/model.h.
#include "cli/session.h"

#include "core/log.h"
#include "io/checkpoint.h"
#include "io/units.h"
#include "version.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

// The command line after the subcommand, quoted so that a shell takes it back; `to_resume` makes it the one
// to go on with.
static void join_arguments(const struct session_request *request, bool to_resume, char *text, size_t bytes)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+=:,@%";
    size_t length = (size_t)snprintf(text, bytes, "%s", to_resume ? "--resume" : "");
    for (int k = 1; k < request->argc && length + 1 < bytes; k++) {
        const char *word = request->argv[k];
        if (to_resume && (strcmp(word, "--resume") == 0 || strcmp(word, "--restart") == 0))
            continue;
        const bool is_plain = word[0] && strspn(word, plain) == strlen(word);
        const int written = snprintf(text + length, bytes - length, is_plain ? "%s%s" : "%s'%s'",
                                     length > 0 ? " " : "", word);
        length += written > 0 ? (size_t)written : 0;
    }
}

static enum status open_job(const struct session_request *request, struct session *s)
{
    CHECK(job_read(request->job_path, &s->job));
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
    if (request->automatic)
        CHECK(job_set_string(s->job, "backend", request->automatic));
    const char *name = job_model(s->job);
    s->model = name ? model_find(name) : NULL;
    if (s->model) {
        const struct job_key_table tables[] = {job_shared_keys, *s->model->keys};
        CHECK(job_check(s->job, tables, 2));
        s->is_automatic = request->automatic || strcmp(job_string(s->job, "backend"), "auto") == 0;
        return STATUS_OK;
    }
    char names[256] = "";
    for (const struct model *const *model = model_list(); *model; model++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", names[0] ? ", " : "",
                 (*model)->name);
    if (!name)
        return FAIL(STATUS_CONFIGURATION, "%s: model: missing; this program has: %s", request->job_path,
                    names);
    return FAIL(STATUS_CONFIGURATION, "%s: model: there is no model \"%s\"; this program has: %s",
                request->job_path, name, names);
}

// A relative output directory is taken from where the user stands, as every other program's is.
static enum status describe_output(struct session *s)
{
    const struct job *job = s->job;
    snprintf(s->directory, sizeof s->directory, "%s", job_string(job, "output.directory"));
    if (!s->directory[0])
        return job_fail(job, "output.directory", "must not be empty");
    const char *title = job_string(job, "title");
    snprintf(s->title, sizeof s->title, "%s", title ? title : s->model->summary);
    time_t now = time(NULL);
    struct tm utc;
    char date[32] = "";
    if (gmtime_r(&now, &utc))
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    snprintf(s->history, sizeof s->history, "%s fathom run %s", date, s->arguments);
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
        .join = job_boolean(job, "output.join"),
    };
    return STATUS_OK;
}

static double estimate_output_bytes(const struct session *s)
{
    double bytes = 0;
    const struct run_request request = {.steps = s->plan.steps, .step_s = s->plan.step_s};
    for (int k = 0; k < s->plan.stream_count; k++) {
        const struct run_schedule *schedule = &s->plan.schedules[k];
        double records = s->plan.streams[k]->is_internal ? 0 : 1;
        if (records > 0 && schedule->every_s > 0)
            records = floor((double)request.steps / fmax(1, schedule->every_s / request.step_s)) +
                      schedule->at_start + schedule->at_end;
        bytes += records * (double)stream_record_bytes(s->plan.streams[k]);
    }
    return bytes;
}

static enum status plan_session(struct session *s)
{
    memory_plan_begin(&s->memory);
    CHECK(s->model->plan(s->instance, &s->memory, &s->plan));
    CHECK(describe_output(s));
    s->checkpoint_array_count = s->model->checkpoint_arrays(s->instance, s->checkpoint_arrays);
    CHECK(pipeline_plan(&s->pipeline, &s->memory, s->plan.streams, s->plan.stream_count, s->checkpoint_arrays,
                        s->checkpoint_array_count));
    CHECK(memory_plan_add_library(&s->memory, output_memory_bytes(&s->output), "netCDF output (ceiling)"));
    s->output_bytes = estimate_output_bytes(s);
    for (int k = 0; k < s->checkpoint_array_count; k++)
        s->checkpoint_bytes += (double)s->checkpoint_arrays[k].bytes;
    return STATUS_OK;
}

static enum status open_once(const struct session_request *request, struct session *s)
{
    memset(s, 0, sizeof *s);
    join_arguments(request, false, s->arguments, sizeof s->arguments);
    join_arguments(request, true, s->resume_arguments, sizeof s->resume_arguments);
    CHECK(open_job(request, s));
    CHECK(s->model->create(s->job, &s->instance));
    return plan_session(s);
}

static enum status reopen(const struct session_request *request, const char *backend, struct session *s)
{
    struct session_request again = *request;
    again.automatic = backend;
    session_close(s);
    return open_once(&again, s);
}

// Whether the device's part of the plan fits; if not, why.
static bool fits_device(const struct session *s, char *why, size_t bytes)
{
    const struct memory_allocator *device = &s->memory.allocators[MEMORY_DEVICE];
    const size_t needed = memory_plan_device_bytes(&s->memory), limit = session_device_limit(s);
    if (needed == 0)
        return true;
    const size_t available = device->available(device->context);
    if (needed > limit)
        snprintf(why, bytes, "the run needs %zu bytes of device memory, %zu more than memory.device allows",
                 needed, needed - limit);
    else if (needed > available)
        snprintf(why, bytes, "the run needs %zu bytes of device memory, %zu more than the device has free",
                 needed, needed - available);
    return needed <= limit && needed <= available;
}

enum status session_open(const struct session_request *request, struct session *s)
{
    static const char fallback[] = "openmp"; // the one that every model has and every machine can run
    char why[400], chosen[64];
    enum status status = open_once(request, s);
    const bool has_choice =
        s->is_automatic && !request->automatic && s->plan.backend && strcmp(s->plan.backend, fallback) != 0;
    if (!has_choice || (status == STATUS_OK && fits_device(s, why, sizeof why)))
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
    if (output_find_checkpoint(s->directory, path) != STATUS_OK ||
        checkpoint_verify(path, &header) != STATUS_OK) {
        status_clear(); // said when the run looks for its checkpoint, with what it means there
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
    if (s->instance)
        s->model->destroy(s->instance);
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

enum status session_check_room(const struct session *s, bool is_resumed)
{
    CHECK(memory_plan_check(&s->memory, session_host_limit(s), session_device_limit(s)));
    uint64_t free_bytes, own_bytes = 0;
    CHECK(path_free_bytes(s->directory, &free_bytes));
    if (is_resumed)
        own_bytes = output_partial_bytes(s->directory);
    free_bytes += own_bytes;
    // Joining needs the segments and the joined file at once; a checkpoint is replaced by a third one being
    // written.
    const double needed = (s->output.join ? 2 : 1) * s->output_bytes + 3 * s->checkpoint_bytes;
    if (needed > (double)free_bytes)
        return FAIL(STATUS_IO,
                    "%s: not enough space: results and checkpoints need up to %.1f MB, the file system has "
                    "%.1f MB free",
                    s->directory, needed / 1e6, (double)free_bytes / 1e6);
    return STATUS_OK;
}

int session_fail(enum status status)
{
    fprintf(stderr, "fathom: %s\n", status_message()[0] ? status_message() : status_text(status));
    return status_exit_code(status);
}
