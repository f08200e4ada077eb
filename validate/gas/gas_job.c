// Jobs of the gas that cases run (see gas_job.h).
#include "validate/gas/gas_job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MELT_STEPS = 5000 };
static const double melt_step = 0.004;

struct case_job gas_job_new(const struct gas_job *job)
{
    const struct {
        const char *key, *json;
    } blocks[] = {{"particles", job->particles},
                  {"domain", job->domain},
                  {"physics", job->physics},
                  {"method", job->method},
                  {"output.structure", job->structure}};
    struct case_job made = case_job_parse("{\"fathom\": 1, \"model\": \"gas\", \"title\": \"Validation\", "
                                          "\"time\": {}, \"output\": {}}");
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        if (blocks[k].json)
            case_job_set(&made, blocks[k].key, "%s", blocks[k].json);
    body_job_time(&made, job->step, job->steps, job->every);
    return made;
}

enum status gas_job_run(struct validation_run *run, const struct gas_job *job, const char *name,
                        const char *backend, const char *precision)
{
    struct case_job made = gas_job_new(job);
    return case_job_run_once(run, &made, name, backend, precision);
}

enum status gas_job_melt(struct validation_run *run, int count, const char *potential, const char *precision)
{
    char particles[128], physics[256];
    snprintf(particles, sizeof particles, "{\"lattice\": {\"count\": %d}}", count);
    snprintf(
        physics, sizeof physics,
        "{\"potential\": {\"name\": \"%s\"}, \"thermostat\": {\"name\": \"langevin\", \"temperature\": 1}}",
        potential);
    const struct gas_job job = {.particles = particles,
                                .domain = GAS_JOB_MELT_DENSITY,
                                .physics = physics,
                                .step = melt_step,
                                .steps = MELT_STEPS,
                                .every = MELT_STEPS / 50};
    return gas_job_run(run, &job, "melt", NULL, precision);
}

// ---- forces

static const double force_step = 0x1p-24;

enum status gas_job_run_forces(struct validation_run *run, const char *name, const struct gas_force *force)
{
    char particles[160], method[256];
    snprintf(particles, sizeof particles, "{\"file\": {\"file\": \"%s\", \"at_rest\": true}}", force->file);
    snprintf(method, sizeof method, "{%s, \"integrator\": \"symplectic-euler\"}", force->method);
    const struct gas_job job = {.particles = particles,
                                .domain = force->domain,
                                .physics = force->physics,
                                .method = method,
                                .step = force_step,
                                .steps = 1,
                                .every = 1};
    return gas_job_run(run, &job, name, force->backend, force->precision);
}

enum status gas_job_read_forces(const struct validation_run *run, const char *name, struct body_set *force)
{
    CHECK(body_set_read(run, name, force));
    for (size_t k = 0; k < 3 * force->count; k++)
        force->velocity[k] /= force_step;
    return STATUS_OK;
}

// ---- series

double gas_fitted_change(const double *x, const double *y, size_t count)
{
    double mean_x = 0, mean_y = 0, products = 0, squares = 0;
    for (size_t k = 0; k < count; k++) {
        mean_x += x[k] / (double)count;
        mean_y += y[k] / (double)count;
    }
    for (size_t k = 0; k < count; k++) {
        products += (x[k] - mean_x) * (y[k] - mean_y);
        squares += (x[k] - mean_x) * (x[k] - mean_x);
    }
    return products / squares * (x[count - 1] - x[0]);
}

// Time and energy_change of a job; free both.
static enum status read_energy(const struct validation_run *run, const char *name, double **time,
                               double **change, size_t *records)
{
    *change = NULL;
    CHECK(body_job_series(run, name, "time", time, records, NULL));
    const enum status status = body_job_series(run, name, "energy_change", change, NULL, NULL);
    if (status != STATUS_OK)
        free(*time);
    return status;
}

enum status gas_job_drift(const struct validation_run *run, const char *name, double *drift)
{
    double *time, *change;
    size_t records;
    CHECK(read_energy(run, name, &time, &change, &records));
    *drift = gas_fitted_change(time, change, records);
    free(time);
    free(change);
    return STATUS_OK;
}

enum status gas_job_draw_energy(struct validation_run *run, const char *name, const char *line,
                                struct validation_picture *picture)
{
    double *time, *change;
    size_t records;
    CHECK(read_energy(run, name, &time, &change, &records));
    const enum status status = validation_line(run, picture, line, false, time, change, records);
    free(time);
    free(change);
    return status;
}
