// N-body jobs of the validation (see body_job.h).
#include "validate/nbody/body_job.h"

struct case_job body_job_new(double softening)
{
    struct case_job job = case_job_parse("{\"fathom\": 1, \"model\": \"nbody\", \"title\": \"Validation\", "
                                         "\"particles\": {}, \"physics\": {}, \"time\": {}, \"output\": {}}");
    case_job_set(&job, "physics.softening", "%.17g", softening);
    return job;
}

static const double force_step = 0x1p-10;

enum status body_job_run_accelerations(struct validation_run *run, const char *name,
                                       const struct body_force *force)
{
    struct case_job job = body_job_new(force->softening);
    case_job_set(&job, "particles", "{\"file\": {\"file\": \"%s\", \"at_rest\": true}}", force->file);
    case_job_set(&job, "method", "{%s, \"integrator\": \"source\"}", force->method);
    body_job_time(&job, force_step, 1, 1);
    return case_job_run_once(run, &job, name, force->backend, force->precision);
}

enum status body_job_read_accelerations(const struct validation_run *run, const char *name,
                                        struct body_set *acceleration)
{
    CHECK(body_set_read(run, name, acceleration));
    for (size_t k = 0; k < 3 * acceleration->count; k++)
        acceleration->velocity[k] /= force_step;
    return STATUS_OK;
}
