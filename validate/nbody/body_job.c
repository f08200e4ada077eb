// N-body jobs of the validation (see body_job.h).
#include "validate/nbody/body_job.h"

#include <cjson/cJSON.h>
#include <stdio.h>

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
