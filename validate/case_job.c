// Jobs of a case: written, run as a user would run them, and described (see case_job.h).
#include "validate/case_job.h"

#include "io/json_file.h"
#include "models/backend.h"
#include "validate/isolate.h"

#include <cjson/cJSON.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MAX = 16000000, LEGS_MAX = 100 };

struct case_job case_job_parse(const char *text)
{
    struct cJSON *json = cJSON_Parse(text);
    return (struct case_job){json, json ? STATUS_OK
                                        : FAIL(STATUS_SOFTWARE, "a job of the validation is not valid JSON")};
}

struct case_job case_job_read(const char *name)
{
    char path[PATH_BYTES];
    struct case_job job = {.status = path_find(name, NULL, path)};
    if (job.status == STATUS_OK)
        job.status = json_file_read(path, FILE_BYTES_MAX, &job.json);
    return job;
}

void case_job_free(struct case_job *job)
{
    cJSON_Delete(job->json);
    *job = (struct case_job){0};
}

// Sets the value at a dotted key and takes ownership of it; creates missing objects. NULL removes the key.
static enum status put(struct cJSON *json, const char *key, struct cJSON *value)
{
    char path[VALIDATION_NAME_BYTES];
    snprintf(path, sizeof path, "%s", key);
    char *part = path;
    for (char *dot; (dot = strchr(part, '.')); part = dot + 1) {
        *dot = '\0';
        cJSON *next = cJSON_GetObjectItemCaseSensitive(json, part);
        json = next ? next : cJSON_AddObjectToObject(json, part);
        if (!cJSON_IsObject(json)) {
            cJSON_Delete(value);
            return FAIL(STATUS_SOFTWARE, "job of a validation: %s lies in something that is not an object",
                        key);
        }
    }
    cJSON_DeleteItemFromObjectCaseSensitive(json, part);
    return !value || cJSON_AddItemToObject(json, part, value)
               ? STATUS_OK
               : FAIL(STATUS_SYSTEM, "job of a validation: not enough memory for %s", key);
}

static enum status set(struct cJSON *json, const char *key, const char *text)
{
    cJSON *value = cJSON_Parse(text);
    return value ? put(json, key, value)
                 : FAIL(STATUS_SOFTWARE, "job of a validation: %s: cannot be set to %s", key, text);
}

void case_job_set(struct case_job *job, const char *key, const char *json, ...)
{
    char text[2 * VALIDATION_TEXT_BYTES];
    if (job->status != STATUS_OK)
        return;
    va_list arguments;
    va_start(arguments, json);
    const int length = vsnprintf(text, sizeof text, json, arguments);
    va_end(arguments);
    job->status = length >= 0 && (size_t)length < sizeof text
                      ? set(job->json, key, text)
                      : FAIL(STATUS_SOFTWARE, "job of a validation: %s is too long", key);
}

void case_job_set_text(struct case_job *job, const char *key, const char *text)
{
    if (job->status == STATUS_OK)
        job->status = put(job->json, key, cJSON_CreateString(text));
}

void case_job_remove(struct case_job *job, const char *key)
{
    if (job->status == STATUS_OK)
        job->status = put(job->json, key, NULL);
}

// ---- the run

struct job_call {
    const struct validation_program *program;
    const char *path, *backend, *precision, *time_limit; // NULL: as in the job
    bool is_resumed;
};

static int call_run(void *context)
{
    const struct job_call *call = context;
    char words[8][PATH_BYTES], resume[] = "--resume";
    char *argv[11];
    int argc = 0;
    const char *const given[] = {"run",         "--quiet",       "--backend",    call->backend,
                                 "--precision", call->precision, "--time-limit", call->time_limit};
    for (size_t k = 0; k < sizeof given / sizeof *given; k++) {
        // An option and its value go together.
        if (k >= 2 && !given[k | 1])
            continue;
        snprintf(words[argc], sizeof words[argc], "%s", given[k]);
        argv[argc] = words[argc];
        argc++;
    }
    if (call->is_resumed)
        argv[argc++] = resume;
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s", call->path);
    argv[argc++] = path;
    argv[argc] = NULL;
    status_clear();
    optind = 0; // getopt from the start: the command line of the validation itself was read with it
    return call->program->command_run(argc, argv);
}

static enum status status_of_exit_code(int code)
{
#define SAME_CODE(name, text, exit_code)                                                                     \
    if (code == exit_code)                                                                                   \
        return name;
    STATUS_LIST(SAME_CODE)
#undef SAME_CODE
    return STATUS_SOFTWARE;
}

// Writes the job to the case's folder and sets output.directory.
static enum status write_job(const struct validation_run *run, struct case_job *job, const char *name,
                             char path[PATH_BYTES])
{
    char directory[PATH_BYTES], file[VALIDATION_NAME_BYTES + 8];
    CHECK(job->status);
    case_path(run, name, directory);
    CHECK(put(job->json, "output.directory", cJSON_CreateString(directory)));
    snprintf(file, sizeof file, "%s.json", name);
    case_path(run, file, path);
    char *json = cJSON_Print(job->json);
    const enum status status = json ? case_write_text(run, file, json)
                                    : FAIL(STATUS_SYSTEM, "not enough memory for the job %s", name);
    cJSON_free(json);
    return status;
}

// Whether the grid's own method moves the shore.
static bool moves_shore(const cJSON *grid)
{
    const cJSON *method = cJSON_GetObjectItemCaseSensitive(grid, "method");
    return cJSON_IsString(method) && strcmp(method->valuestring, "muscl-hancock") == 0;
}

// Replaces muscl-hancock in a grid and in those nested in it, and removes physics.dispersion there, which the
// other methods do not support. Returns the number of grids whose shore moves.
static int replace_shore_methods(cJSON *grid, const char *wanted)
{
    cJSON *inner;
    int count = 0;
    if (moves_shore(grid)) {
        if (strcmp(wanted, "muscl-hancock") != 0)
            cJSON_DeleteItemFromObjectCaseSensitive(cJSON_GetObjectItemCaseSensitive(grid, "physics"),
                                                    "dispersion");
        cJSON_ReplaceItemInObjectCaseSensitive(grid, "method", cJSON_CreateString(wanted));
        count++;
    }
    cJSON_ArrayForEach(inner, cJSON_GetObjectItemCaseSensitive(grid, "nested")) count +=
        replace_shore_methods(inner, wanted);
    return count;
}

// The method of the command line: in the grids with a moving shore if it moves the shore itself; else, and in
// jobs without such a grid, in the outermost one.
static enum status set_method(struct validation_run *run, struct case_job *job)
{
    if (!run->method || job->status != STATUS_OK)
        return STATUS_OK;
    if (run->method_floods && replace_shore_methods(job->json, run->method) > 0)
        return STATUS_OK;
    if (!run->method_floods && moves_shore(job->json)) {
        validation_skip(run, "the method %s has no moving shore, which this case needs", run->method);
        return FAIL(STATUS_CONFIGURATION, "the method %s has no moving shore", run->method);
    }
    case_job_set(job, "method", "\"%s\"", run->method);
    return STATUS_OK;
}

// Runs the job until it ends or stops. *exit_code: 0, or STATUS_STOPPED's if that is allowed.
static enum status run_leg(const struct validation_run *run, const struct job_call *call, const char *name,
                           bool may_stop, int *exit_code)
{
    char messages[PATH_BYTES], file[VALIDATION_NAME_BYTES + 8], line[VALIDATION_TEXT_BYTES];
    struct isolate_outcome outcome;
    struct job_call copy = *call;
    snprintf(file, sizeof file, "%s.txt", name);
    case_path(run, file, messages);
    CHECK(isolate_call(call_run, &copy, messages, &outcome));
    *exit_code = outcome.exit_code;
    if (outcome.exit_code == 0 || (may_stop && status_of_exit_code(outcome.exit_code) == STATUS_STOPPED))
        return STATUS_OK;
    isolate_last_line(messages, line, sizeof line);
    if (outcome.signal != 0)
        return FAIL(STATUS_SOFTWARE, "the job %s crashed: signal %d (%s)%s%s", name, outcome.signal,
                    strsignal(outcome.signal), line[0] ? "; last message: " : "", line);
    return FAIL(status_of_exit_code(outcome.exit_code), "the job %s ended with exit code %d: %s", name,
                outcome.exit_code, line[0] ? line : "no message");
}

// Writes the job and fills in its path and the call.
static enum status prepare_run(struct validation_run *run, struct case_job *job, const char *name,
                               const char *backend, const char *precision, char path[PATH_BYTES],
                               struct job_call *call)
{
    CHECK(set_method(run, job));
    CHECK(write_job(run, job, name, path));
    *call = (struct job_call){.program = run->program,
                              .path = path,
                              .backend = backend ? backend : run->backend,
                              .precision = precision ? precision : run->precision};
    return STATUS_OK;
}

enum status case_job_run(struct validation_run *run, struct case_job *job, const char *name,
                         const char *backend, const char *precision)
{
    char path[PATH_BYTES];
    struct job_call call;
    int exit_code;
    CHECK(prepare_run(run, job, name, backend, precision, path, &call));
    return run_leg(run, &call, name, false, &exit_code);
}

enum status case_job_run_once(struct validation_run *run, struct case_job *job, const char *name,
                              const char *backend, const char *precision)
{
    const enum status status = case_job_run(run, job, name, backend, precision);
    case_job_free(job);
    return status;
}

// A limit counts from the start of the program. Where preparation takes longer, a leg makes one step. Limits
// that grow end the job in some twenty legs, instead of one for each step.
static const double leg_growth = 1.5;

enum status case_job_run_in_legs(struct validation_run *run, struct case_job *job, const char *name,
                                 const char *backend, const char *precision, double limit_s, int *stops)
{
    char path[PATH_BYTES], limit[32];
    struct job_call call;
    int exit_code;
    CHECK(prepare_run(run, job, name, backend, precision, path, &call));
    call.time_limit = limit;
    for (*stops = 0;; ++*stops, limit_s *= leg_growth) {
        snprintf(limit, sizeof limit, "%.3g s", limit_s);
        CHECK(run_leg(run, &call, name, true, &exit_code));
        if (exit_code == 0)
            return STATUS_OK;
        if (*stops == LEGS_MAX)
            return FAIL(STATUS_SOFTWARE, "the job %s did not end in %d legs of %s", name, LEGS_MAX, limit);
        call.is_resumed = true;
    }
}

// ---- which back end

struct question {
    bool (*ask)(int device, char *why, size_t bytes);
    int device;
};

static int call_ask(void *context)
{
    const struct question *question = context;
    char why[VALIDATION_TEXT_BYTES] = "";
    if (!question->ask || question->ask(question->device, why, sizeof why))
        return 0;
    puts(why[0] ? why : "there is no device");
    return 1;
}

// Calls the back end's is_usable (`ask`; NULL: usable) in a child process: a device once initialised in the
// parent may be unusable after fork. If it is not usable, the case is skipped with the reason.
static enum status check_usable(struct validation_run *run, const char *name, int device,
                                bool (*ask)(int device, char *why, size_t bytes), bool *is_usable)
{
    char path[PATH_BYTES], why[VALIDATION_TEXT_BYTES];
    struct isolate_outcome outcome;
    struct question question = {ask, device};
    case_path(run, "usable.txt", path);
    CHECK(isolate_call(call_ask, &question, path, &outcome));
    *is_usable = outcome.exit_code == 0;
    if (*is_usable)
        return STATUS_OK;
    isolate_last_line(path, why, sizeof why);
    validation_skip(run, "the back end %s cannot be used here: %s", name,
                    why[0] ? why : "the probe of the device crashed");
    return STATUS_OK;
}

enum status case_backend_chosen(struct validation_run *run, const struct backend_list *list,
                                const char **name, const struct backend **backend)
{
    const char *own = run->validation_case->backend;
    const struct backend *found;
    int device;
    bool is_usable;
    *name = run->backend && strncmp(run->backend, own, strlen(own)) == 0 ? run->backend : own;
    *backend = NULL;
    if (backend_read(list, *name, &found, &device) != STATUS_OK) {
        validation_skip(run, "the back end %s", status_message());
        status_clear();
        return STATUS_OK;
    }
    CHECK(check_usable(run, *name, device, found->is_usable, &is_usable));
    *backend = is_usable ? found : NULL;
    return STATUS_OK;
}

// ---- which precision

const char *const *case_precisions(const struct validation_run *run)
{
    static const char *const all[] = {"double", "single", NULL}, *const only_double[] = {"double", NULL};
    if (!run->precision)
        return all;
    return case_precision_is_chosen(run, "double") ? only_double : all + 1;
}

bool case_is_full(const struct validation_run *run)
{
    return run->is_full || (run->backend && strncmp(run->backend, "cuda", 4) == 0);
}

bool case_precision_is_chosen(const struct validation_run *run, const char *precision)
{
    return !run->precision || strcmp(run->precision, precision) == 0;
}

// ---- run.json

static enum status read_report(const struct validation_run *run, const char *name, struct cJSON **report)
{
    char file[VALIDATION_NAME_BYTES + 16], path[PATH_BYTES];
    snprintf(file, sizeof file, "%s/run.json", name);
    case_path(run, file, path);
    return json_file_read(path, FILE_BYTES_MAX, report);
}

static const cJSON *find_key(const cJSON *json, const char *key)
{
    char path[VALIDATION_NAME_BYTES];
    snprintf(path, sizeof path, "%s", key);
    char *part = path;
    for (char *dot; (dot = strchr(part, '.')); part = dot + 1) {
        *dot = '\0';
        json = cJSON_GetObjectItemCaseSensitive(json, part);
    }
    return cJSON_GetObjectItemCaseSensitive(json, part);
}

enum status case_run_text(const struct validation_run *run, const char *name, const char *key, char *text,
                          size_t bytes)
{
    cJSON *report;
    CHECK(read_report(run, name, &report));
    const cJSON *item = find_key(report, key);
    const bool is_text = cJSON_IsString(item);
    if (is_text)
        snprintf(text, bytes, "%s", item->valuestring);
    cJSON_Delete(report);
    return is_text ? STATUS_OK : FAIL(STATUS_DATA, "run.json of the job %s has no text \"%s\"", name, key);
}

enum status case_run_number(const struct validation_run *run, const char *name, const char *key,
                            double *number)
{
    cJSON *report;
    CHECK(read_report(run, name, &report));
    const cJSON *item = find_key(report, key);
    const bool is_number = cJSON_IsNumber(item);
    if (is_number)
        *number = item->valuedouble;
    cJSON_Delete(report);
    return is_number ? STATUS_OK
                     : FAIL(STATUS_DATA, "run.json of the job %s lacks the number \"%s\"", name, key);
}

static bool run_has(const struct validation_run *run, const char *name, const char *key)
{
    cJSON *report;
    const bool has = read_report(run, name, &report) == STATUS_OK && find_key(report, key);
    if (has)
        cJSON_Delete(report);
    return has;
}

enum status case_run_describe(const struct validation_run *run, const char *name, char *text, size_t bytes)
{
    char backend[64], isa[64], precision[32], method[64] = "";
    static const char *const method_keys[] = {"method", "physics.method"};
    double steps, step_s;
    CHECK(case_run_text(run, name, "backend", backend, sizeof backend));
    CHECK(case_run_text(run, name, "instruction_set", isa, sizeof isa));
    CHECK(case_run_text(run, name, "precision", precision, sizeof precision));
    CHECK(case_run_number(run, name, "steps", &steps));
    const bool is_reduced = !run_has(run, name, "step_s"); // a model in reduced units: without a unit
    CHECK(case_run_number(run, name, is_reduced ? "step" : "step_s", &step_s));
    for (size_t k = 0; k < sizeof method_keys / sizeof *method_keys; k++)
        if (run_has(run, name, method_keys[k]))
            CHECK(case_run_text(run, name, method_keys[k], method, sizeof method));
    const bool has_isa = strcmp(backend, isa) != 0;
    snprintf(text, bytes, "%s%s%s%s%s%s, %s, %.0f steps of %g%s", backend, has_isa ? " (" : "",
             has_isa ? isa : "", has_isa ? ")" : "", method[0] ? ", " : "", method, precision, steps, step_s,
             is_reduced ? "" : " s");
    return STATUS_OK;
}

enum status case_note(struct validation_run *run, const char *name, const char *format, ...)
{
    char what[VALIDATION_TEXT_BYTES / 2], text[VALIDATION_TEXT_BYTES / 2];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    CHECK(case_run_describe(run, name, text, sizeof text));
    validation_note(run, "%s; %s", what, text);
    return STATUS_OK;
}
