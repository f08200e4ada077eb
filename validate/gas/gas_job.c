// Jobs of the gas that cases run (see gas_job.h).
#include "validate/gas/gas_job.h"

#include <stdlib.h>

enum { MELT_STEPS = 5000 };
static const double melt_step = 0.004;

struct case_job gas_job_new(double step, int64_t steps, int64_t every)
{
    struct case_job job = case_job_parse(
        "{\"fathom\": 1, \"model\": \"gas\", \"title\": \"Validation\", \"time\": {}, \"output\": {}}");
    body_job_time(&job, step, steps, every);
    return job;
}

enum status gas_job_melt(struct validation_run *run, int count, const char *potential, const char *precision)
{
    struct case_job job = gas_job_new(melt_step, MELT_STEPS, MELT_STEPS / 50);
    case_job_set(&job, "particles", "{\"lattice\": {\"count\": %d}}", count);
    case_job_set(&job, "domain", GAS_JOB_MELT_DENSITY);
    case_job_set(&job, "physics", "{\"potential\": {\"name\": \"%s\"}, " GAS_JOB_LANGEVIN "}", potential);
    return case_job_run_once(run, &job, "melt", NULL, precision);
}

// ---- forces

static const double force_step = 0x1p-24;

struct case_job gas_job_of_forces(const char *file, const char *method)
{
    struct case_job job = gas_job_new(force_step, 1, 1);
    case_job_set(&job, "particles", "{\"file\": {\"file\": \"%s\", \"at_rest\": true}}", file);
    case_job_set(&job, "method", "{%s, \"integrator\": \"symplectic-euler\"}", method);
    return job;
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
