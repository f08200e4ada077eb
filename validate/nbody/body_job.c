// N-body jobs of the validation (see body_job.h).
#include "validate/nbody/body_job.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- jobs

enum status body_job_new(struct cJSON **job, const char *particles, double softening)
{
    static const char text[] =
        "{\"fathom\": 1, \"model\": \"nbody\", \"title\": \"Validation\", \"particles\": {}, "
        "\"physics\": {}, \"time\": {}, \"output\": {}}";
    CHECK(case_job_parse(text, job));
    enum status status = case_job_set(*job, "particles", particles);
    if (status == STATUS_OK)
        status = case_job_set_format(*job, "physics.softening", "%.17g", softening);
    if (status == STATUS_OK)
        return STATUS_OK;
    cJSON_Delete(*job);
    *job = NULL;
    return status;
}

enum status body_job_time(struct cJSON *job, double step, int64_t steps, int64_t every)
{
    CHECK(case_job_set_format(job, "time.step", "%.17g", step));
    CHECK(case_job_set_format(job, "time.duration", "%.17g", step * (double)steps));
    return case_job_set_format(job, "output.diagnostics.every", "%.17g", step * (double)every);
}

static const double force_step = 0x1p-10;

enum status body_job_run_accelerations(struct validation_run *run, const char *name,
                                       const struct body_force *force)
{
    struct cJSON *job;
    char particles[VALIDATION_TEXT_BYTES];
    snprintf(particles, sizeof particles, "{\"file\": {\"file\": \"%s\", \"at_rest\": true}}", force->file);
    CHECK(body_job_new(&job, particles, force->softening));
    enum status status =
        case_job_set_format(job, "method", "{%s, \"integrator\": \"source\"}", force->method);
    if (status == STATUS_OK)
        status = body_job_time(job, force_step, 1, 1);
    if (status == STATUS_OK)
        status = case_job_run(run, job, name, force->backend, force->precision);
    cJSON_Delete(job);
    return status;
}

enum status body_job_read_accelerations(const struct validation_run *run, const char *name,
                                        struct body_set *acceleration)
{
    CHECK(body_set_read(run, name, acceleration));
    for (size_t k = 0; k < 3 * acceleration->count; k++)
        acceleration->velocity[k] /= force_step;
    return STATUS_OK;
}

enum status body_job_series(const struct validation_run *run, const char *name, const char *variable,
                            double **values, size_t *records, size_t *width)
{
    size_t shape[4];
    CHECK(case_read_variable(run, name, "diagnostics.nc", variable, values, shape));
    if (shape[0] == 0) {
        free(*values);
        *values = NULL;
        return FAIL(STATUS_DATA, "diagnostics.nc of the job %s: %s has no records", name, variable);
    }
    if (records)
        *records = shape[0];
    if (width)
        *width = shape[1] > 0 ? shape[1] : 1;
    return STATUS_OK;
}

double body_largest_change(const double *values, size_t first, size_t end)
{
    double worst = 0;
    for (size_t k = first; k < end; k++)
        worst = body_worse(worst, fabs(values[k] - values[0]));
    return worst;
}

// ---- cases

size_t body_case_size(const struct validation_run *run, size_t usual, size_t full)
{
    return run->is_full || (run->backend && strncmp(run->backend, "cuda", 4) == 0) ? full : usual;
}

const char *body_case_precision(const struct validation_run *run)
{
    return run->precision ? run->precision : "single";
}

enum status body_measure(struct validation_run *run, const char *tolerance, const char *source,
                         double computed, double reference, const char *format, ...)
{
    char quantity[VALIDATION_NAME_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(quantity, sizeof quantity, format, arguments);
    va_end(arguments);
    return validation_measure(run, &(struct validation_measure){.quantity = quantity,
                                                                .unit = "1",
                                                                .computed = computed,
                                                                .reference = reference,
                                                                .source = source,
                                                                .tolerance = tolerance});
}

enum status body_note(struct validation_run *run, const char *name, const char *format, ...)
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
